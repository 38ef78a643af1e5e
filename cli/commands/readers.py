"""``shoal readers``: which readers there are, what happens at them, and readers that are not there."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any

import click

from hardware.emulators import EMULATORS
from hardware.io import Port, PortError, list_ports, load, load_table, stable_name
from hardware.io.errors import explain
from hardware.table_texts import TableFile

from ..console import BareConsole
from ..errors import BAD, FINE, HARDWARE, Failure
from ..files import read_bytes
from ..folders import folders_here
from ..hardware_emulate import MOST_SCRIPT, Names, Options, emulate
from ..hardware_readers import entries_of, links_of, reader_option, typing
from ..hardware_watch import Watcher
from ..language import said
from ..loop import run_async
from ..manner import can_show_suits
from ..options import general_options, json_option
from ..program import call_here
from ..telling import tell
from ..text import Glyphs
from ..translation import gettext as _


@click.group("readers", invoke_without_command=True)
@reader_option
@click.option("--watch", is_flag=True, help="Show each tap until Ctrl-C, with what the tag is.")
@json_option
@general_options
@click.pass_context
def command(ctx: click.Context, named: tuple[str, ...], watch: bool, as_json: bool) -> int:
    """List the ports and the readers of the table; with --reader, find out what is on a port.

    A port that is named is asked what it is, which may disturb what is no reader; others are left alone.

    \b
    Example:
      shoal readers
      shoal readers --reader /dev/ttyUSB0
      shoal readers --watch
    """
    if ctx.invoked_subcommand is not None:
        return FINE
    if watch:
        return run_async(_watch(named, as_json))
    if named:
        return run_async(_identify(named, as_json))
    return _list(as_json)


def _list(as_json: bool) -> int:
    table = load_table(folders_here().table)
    ports = list_ports()
    if as_json:
        found = [_port_facts(port, ports, table) for port in ports]
        readers = [
            {"name": entry.name, "kind": entry.kind, "port": entry.port, "options": dict(entry.options)}
            for entry in table.readers
        ]
        click.echo(json.dumps({"ports": found, "readers": readers}, ensure_ascii=False))
        return FINE
    for port in ports:
        name = stable_name(port, ports)
        same = "" if name == port.device else f"  {name}"
        tell(f"{port}{same}{_trouble(port)}")
    if not ports:
        tell(_("No serial port is there: is the reader plugged in?"))
    for entry in table.readers:
        where = f"  {entry.port}" if entry.port else ""
        tell(_("Reader of the table: {name} ({kind})").format(name=entry.name, kind=entry.kind) + where)
    command = call_here("readers --reader PORT")
    tell(_("What is on a port: {command}").format(command=command))
    if not table.readers:
        command = call_here("readers emulate shoal")
        tell(_("To try it without a reader: {command}").format(command=command))
    return FINE


def _trouble(port: Port) -> str:
    """Why the port cannot be opened by this user, if so; it is not opened for that."""
    if sys.platform == "win32" or os.access(port.device, os.R_OK | os.W_OK):
        return ""
    return "\n  " + said(str(explain(PermissionError(13, "Permission denied"), port.device)))


def _port_facts(port: Port, ports: Sequence[Port], table: TableFile) -> dict[str, Any]:
    name = stable_name(port, ports)
    reader = next((entry.name for entry in table.readers if entry.port in {name, port.device}), None)
    return {
        "device": port.device,
        "name": name,
        "vendor": None if port.vendor is None else f"{port.vendor:04x}",
        "product": None if port.product is None else f"{port.product:04x}",
        "serial": port.serial,
        "description": port.description,
        "allowed": not _trouble(port),
        "reader": reader,
    }


async def _identify(named: Sequence[str], as_json: bool) -> int:
    at = folders_here()
    table = load_table(at.table)
    code = FINE
    for each in named:
        steps: list[str] = []
        note = steps.append if as_json else tell
        try:
            (entry,) = await entries_of([each], TableFile(), note)
        except (Failure, PortError) as error:
            if not as_json:
                raise
            why = error.message if isinstance(error, Failure) else said(str(error))
            click.echo(json.dumps({"port": each, "kind": None, "why": why, "saw": steps}, ensure_ascii=False))
            code = HARDWARE
            continue
        if as_json:
            facts = {"port": entry.port, "kind": entry.kind, "options": dict(entry.options), "saw": steps}
            click.echo(json.dumps(facts, ensure_ascii=False))
            continue
        rate, name = entry.options.get("baud-rate"), f"{entry.port}:{entry.kind}"
        text = _("{port} is a reader of the kind {kind}.")
        if rate is not None:  # found out again each time: a name with a kind means the usual speed
            text, name = _("{port} is a reader of the kind {kind}, at {rate} baud."), entry.port
        tell(text.format(port=entry.port, kind=entry.kind, rate=rate))
        tell(
            _("Watch it: {command}").format(
                command=call_here(f"readers --watch --reader {shlex.quote(name)}")
            )
        )
    if table.readers == () and code == FINE and not as_json:
        tell(_("Say what its pads are: {command}").format(command=call_here("table setup")))
    return code


async def _watch(named: Sequence[str], as_json: bool) -> int:
    at = folders_here()
    table = load_table(at.table)
    entries = await entries_of(named, table, lambda text: tell(text, err=True))
    links = links_of(entries, at.data)
    if not entries:
        raise Failure(
            _("There is no reader to watch."),
            _("Name one: {command}").format(command=call_here("readers --watch --reader PORT[:KIND]")),
            HARDWARE,
        )
    glyphs = Glyphs(not can_show_suits())
    watcher = Watcher(load(at.tags), table.pads, links, glyphs, as_json, typing(entries))
    console = None
    if not links:  # keyboard readers alone
        console = BareConsole()
    if not as_json:
        names = ", ".join(entry.name for entry in entries)
        tell(_("Watching {names}; Ctrl-C ends it.").format(names=names))
    await watcher.run(console)
    return FINE


@command.command("emulate")
@click.argument("kind", metavar="KIND", type=click.Choice(list(EMULATORS)))
@click.option("--script", metavar="FILE", help="What happens, line by line; then lines may be typed.")
@click.option(
    "--antennas",
    type=click.IntRange(1, 32),
    default=1,
    show_default=True,
    metavar="N",
    help="How many pads it has.",
)
@click.option("--listen", metavar="HOST:PORT", help="A TCP port instead of a pseudo-terminal.")
@click.option(
    "--link", metavar="PATH", help="Let this symbolic link lead to the port, also when it is replugged."
)
@click.option("--seed", metavar="TEXT", help="Let new tags have the same ids each time.")
@json_option
@general_options
def emulate_reader(
    kind: str,
    script: str | None,
    antennas: int,
    listen: str | None,
    link: str | None,
    seed: str | None,
    as_json: bool,
) -> int:
    """Open a port that behaves like a reader of this KIND, so that a table can be tried without hardware.

    Typed lines, or those of a script, lay tags on it: place, remove, tap, new, unplug, replug, reset, noise,
    deaf, well, wait, quit; help explains them. A tag is called by its id or by what it is in the tag book. A
    number in front of a line is a time to wait, in seconds. The wedge types to the output.

    \b
    Example:
      shoal readers emulate shoal --antennas 4
      shoal readers emulate rdm6300 --script game.txt
      shoal readers emulate wedge | shoal tags enroll
    """
    at = folders_here()
    if listen is not None and link is not None:
        raise Failure(_("A TCP port needs no link: leave out --link or --listen."))
    text = None
    if script is not None:
        try:
            text = read_bytes(script, MOST_SCRIPT).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Failure(_("{file} is no text in UTF-8.").format(file=script), code=BAD) from None
    options = Options(kind, antennas, script, listen, link, seed, as_json)
    names = Names(at.tags, Glyphs(not can_show_suits()))
    run_async(emulate(options, text, names))
    return FINE
