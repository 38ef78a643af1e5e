"""``shoal readers emulate``: an emulated reader, driven by a script, then by typed lines."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from hardware.emulators import (
    EMULATORS,
    HELP,
    BadScript,
    EmulatedReader,
    Step,
    Verb,
    parse_line,
    parse_script,
)
from hardware.io import load
from hardware.io.emulators import OutputWire, PtyWire, RunningReader, TcpWire, Wire, of_list
from hardware.tags import BadTags, Book, Found
from hardware.uids import Numbers, Uid, UnclearUid, parse

from . import telling
from .console import BareConsole, Console
from .errors import Failure
from .hardware_enroll import name_of, names_of
from .language import said
from .text import Glyphs, printable
from .translation import gettext as _

MOST_SCRIPT: Final = 2_000_000
"""Bytes of a script file: more than `hardware.emulators.script` takes, whatever the letters."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says of the reader to emulate."""

    kind: str
    antennas: int
    script: str | None
    listen: str | None
    link: str | None
    seed: str | None
    as_json: bool


class Names:
    """The names of tags, from the tag book at ``path``. Raises ``BadTags``."""

    def __init__(self, path: Path, glyphs: Glyphs) -> None:
        self.book: Book = load(path)
        self.glyphs: Final = glyphs
        self._path: Final = path

    def read_again(self) -> None:
        """Know what was enrolled meanwhile, most often at this very reader. Raises ``BadTags``."""
        self.book = load(self._path)

    def uid(self, text: str) -> bytes:
        """The id of the tag called ``text``, or spelled by it. Raises ``BadScript``."""
        wanted = text.strip().casefold()
        for tag in self.book.tags:
            if wanted in names_of(tag, self.glyphs):
                return tag.uid.data
        try:
            return parse(text, numbers=Numbers.HEXADECIMAL).data
        except UnclearUid:
            clean = printable(text, 30)
            raise BadScript(
                f"{clean!r} is no command, no enrolled tag and no id of a tag; help lists the commands."
            ) from None

    def name(self, uid: bytes) -> str:
        """What the tag is in the book, else its id."""
        found = self.book.find(Uid(uid))
        if isinstance(found, Found):
            return name_of(found.tag.kind, found.tag.name, self.glyphs)
        return uid.hex().upper()


def make_reader(options: Options) -> EmulatedReader:
    """Raises ``Failure`` and ``Unreadable``."""
    return EMULATORS[options.kind](options.antennas)


def make_wire(options: Options) -> Wire:
    """Raises ``Failure`` and ``NoPty``."""
    if options.kind == "wedge":
        return OutputWire()
    if options.listen is None:
        return PtyWire(Path(options.link).absolute() if options.link else None)
    host, _colon, port = options.listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise Failure(
            _("{text} is no address to listen at.").format(text=options.listen[:40]),
            _("Write HOST:PORT, such as 127.0.0.1:4000; port 0 takes any that is free."),
        )
    return TcpWire(host.strip("[]"), int(port))


async def emulate(options: Options, script: str | None, names: Names) -> None:
    """Run until the script and the typed lines end, or one says quit. Raises ``Failure``, ``BadScript``."""
    reader = make_reader(options)
    steps = parse_script(script, names.uid, reader) if script is not None else []
    wire = make_wire(options)
    console = BareConsole()
    tell = _teller(options, console)
    seed = (options.seed or secrets.token_hex(8)).encode("utf-8")
    running = RunningReader(reader, wire, seed=seed, tell=tell, name=names.name)
    async with running:
        _announce(options, reader, wire, console, with_script=script is not None)
        if script is not None:
            await running.run(of_list(steps))
            if not any(step.verb is Verb.QUIT for step in steps):
                await running.run(_typed(reader, console, names, tell))
        else:
            await running.run(_typed(reader, console, names, tell))
    console.leave()


def _teller(options: Options, console: Console) -> Callable[[str], None]:
    def tell(sentence: str) -> None:
        if options.as_json:
            click.echo(json.dumps({"event": "told", "text": said(sentence)}, ensure_ascii=False))
        elif options.kind == "wedge":
            telling.tell(said(sentence), err=True)
        else:
            console.write(said(sentence))

    return tell


def _announce(
    options: Options, reader: EmulatedReader, wire: Wire, console: Console, *, with_script: bool
) -> None:
    if options.as_json:
        facts = {"event": "ready", "kind": reader.kind, "port": wire.where, "antennas": len(reader.tags)}
        click.echo(json.dumps(facts, ensure_ascii=False))
        return
    if options.kind == "wedge":
        return
    # The first line has the port alone at its end, for people and for scripts that cut it off.
    console.write(_("{title} is at {port}").format(title=said(reader.title), port=wire.where))
    text = _("Elsewhere it is opened as {port}:{kind}")
    console.write(text.format(port=wire.where, kind=reader.kind))
    if not with_script and console.is_interactive:
        show_help(console.write)


def show_help(write: Callable[[str], None]) -> None:
    """The commands, one a line."""
    width = max(len(words) for words, _about in HELP)
    for words, about in HELP:
        write(f"  {words:<{width}}  {said(about)}")


async def _typed(
    reader: EmulatedReader, console: Console, names: Names, tell: Callable[[str], None]
) -> AsyncIterator[Step]:
    while (line := await console.read()) is not None:
        if line.strip().casefold() in {"help", "?"}:
            show_help(tell)
            continue
        try:
            names.read_again()
            step = parse_line(line, names.uid, reader)
        except (BadScript, BadTags) as error:
            tell(str(error))
            continue
        if step is not None:
            yield step
