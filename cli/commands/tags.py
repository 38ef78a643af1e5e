"""``shoal tags``: which tag is which card, token or command."""

from __future__ import annotations

import asyncio
import json
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from engine.cards import Deck
from engine.deck_files import load_deck
from engine.registry import game, games
from hardware.io import load, load_table, save
from hardware.tag_texts import MOST_TEXT, from_csv, from_toml, to_csv, to_toml
from hardware.tags import BadTags, Book, Enrolment, Found, Kind, Tag, check
from hardware.uids import UnclearUid, parse

from ..choices import deck_named
from ..console import BareConsole
from ..errors import BAD, FINE, Failure, Interrupted
from ..files import read_bytes, write_bytes
from ..folders import Folders, folders_here
from ..hardware_enroll import JsonTeller, Part, PlainTeller, Teller, Walk, name_of, names_of
from ..hardware_readers import entries_of, links_of, reader_option, typing
from ..language import said
from ..loop import run_async
from ..manner import can_show_suits
from ..options import general_options, json_option
from ..program import call_here
from ..telling import tell
from ..text import Glyphs, printable
from ..translation import gettext as _
from ..translation import ngettext

MOST_BLANKS = 200
"""Blanks of one walk: the largest deck."""

DEFAULT_DECK = "standard"


@click.group("tags")
@general_options
def command() -> None:
    """Enroll tagged cards, tokens and command tags; list, check, copy and forget them.

    \b
    Example:
      shoal tags enroll --reader /dev/ttyUSB0
      shoal tags check
    """


def deck_option(command: Any) -> Any:
    """``--deck``."""
    return click.option(
        "--deck",
        metavar="NAME|FILE",
        help="The deck: its name, the name of a game, or a deck file; the usual 52 cards without it.",
    )(command)


@command.command("enroll")
@deck_option
@click.option("--player", "players", metavar="NAME", multiple=True, help="Enroll the token of this player.")
@click.option(
    "--command",
    "commands",
    metavar="WORD",
    multiple=True,
    help="Enroll a command tag, such as ok, cancel or hint; the name of a game stands for all that it needs, "
    "waiting for what is needed before and after it.",
)
@click.option(
    "--blanks", type=click.IntRange(1, MOST_BLANKS), metavar="N", help="Enroll N cards without a print."
)
@click.option("--from", "first", metavar="CARD", help="Begin at this card.")
@reader_option
@json_option
@general_options
def enroll(
    deck: str | None,
    players: tuple[str, ...],
    commands: tuple[str, ...],
    blanks: int | None,
    first: str | None,
    named: tuple[str, ...],
    as_json: bool,
) -> int:
    """Enroll a deck, tap by tap; or players, command tags and blanks, in one walk if several are named.

    Stopped with Ctrl-C, it goes on there the next time.

    Typed on the way: skip, back, quit, or a card to go to it or to correct it. A reader that poses as a
    keyboard needs no port.

    \b
    Example:
      shoal tags enroll --reader /dev/ttyUSB0
      shoal tags enroll --player Ben --reader socket://pad.local:4000:text
      shoal tags enroll --player Ana --player Ben --command go-fish --deck go-fish
    """
    at = folders_here()
    wanted = _wanted(deck, players, commands, blanks)
    book = load(at.tags)
    parts = [(Enrolment(book, each.kind, each.names), each.deck) for each in wanted]
    if first is not None:
        _begin_at(*parts[-1], first)
    glyphs = Glyphs(not can_show_suits())
    if all(enrolment.next is None for enrolment, _deck in parts):
        names = {tag.name for tag in book.of(wanted[0].kind)} & set(wanted[0].names)
        some = name_of(wanted[0].kind, min(names, default=""), glyphs)
        raise Failure(
            _("All of that is enrolled already."),
            _("To give {name} another tag: {command}").format(
                name=some, command=call_here(f"tags forget {shlex.quote(min(names, default='NAME'))}")
            ),
        )
    return run_async(_enroll(at, parts, named, as_json, glyphs))


@dataclass(frozen=True, slots=True)
class _Wanted:
    kind: Kind
    names: Sequence[str]
    deck: Deck | None = None


def _wanted(
    deck: str | None, players: Sequence[str], commands: Sequence[str], blanks: int | None
) -> list[_Wanted]:
    """All that was named, in the order in which it is walked through; the usual deck where nothing was."""
    wanted = []
    if players:
        wanted.append(_Wanted(Kind.PLAYER, _clean(players)))
    if commands:
        wanted.append(_Wanted(Kind.COMMAND, _commands(commands)))
    if blanks is not None:
        wanted.append(_Wanted(Kind.BLANK, [str(number) for number in range(1, blanks + 1)]))
    if deck is not None or not wanted:
        chosen = any_deck(deck or DEFAULT_DECK)
        wanted.append(_Wanted(Kind.CARD, cards_of(chosen), chosen))
    return wanted


def _clean(names: Sequence[str]) -> list[str]:
    for name in names:
        try:
            Book().bind(Tag(parse("0000000000"), Kind.PLAYER, name.strip()))
        except BadTags as error:
            raise Failure(said(str(error))) from None
    return list(dict.fromkeys(name.strip() for name in names))


def _commands(words: Sequence[str]) -> list[str]:
    from ..tabletop.words import COMMAND_TAGS, FEWEST_TAGS, command_word  # of this branch only

    names: list[str] = []
    for word in words:
        if word in FEWEST_TAGS:
            names += FEWEST_TAGS[word]
            continue
        name = command_word(word)
        if name not in COMMAND_TAGS:
            clean = printable(word, 30)
            raise Failure(
                _('"{word}" is no command that a tag can stand for.').format(word=clean),
                _("There are {words}; or name a game for all that it needs, or waiting.").format(
                    words=", ".join(COMMAND_TAGS)
                ),
            )
        names.append(name)
    return list(dict.fromkeys(names))


def any_deck(name: str) -> Deck:
    """The deck of a file, of a game with its usual options, or of that name."""
    if Path(name).suffix.lower() == ".toml" or Path(name).is_file():
        return deck_named(name)
    if name in games():
        rules = game(name)
        return rules.deck(rules.options({}, rules.info.least_seats))
    return load_deck(name)


def cards_of(deck: Deck) -> list[str]:
    """The texts of all cards of a deck, each as often as it has it, in its order."""
    return [deck.text(deck.faces[card]) for card in deck.cards]


def _begin_at(enrolment: Enrolment, deck: Deck | None, first: str) -> None:
    name = deck.text(deck.parse(first)) if deck is not None else first.strip()
    if not enrolment.go_to(name):
        raise Failure(
            _("{card} is enrolled already, or is not in this deck.").format(card=name),
            _("To give {name} another tag: {command}").format(
                name=name, command=call_here(f"tags forget {shlex.quote(name)}")
            ),
        )


async def _enroll(
    at: Folders,
    parts: Sequence[Part],
    named: Sequence[str],
    as_json: bool,
    glyphs: Glyphs,
) -> int:
    console = BareConsole()
    console.prompt_is_shown = console.prompt_is_shown and not as_json
    teller: Teller = JsonTeller() if as_json else PlainTeller(console.write, glyphs)
    entries = await entries_of(named, load_table(at.table), lambda text: teller.remark(text, "detection"))
    links = links_of(entries, at.data)
    if not links and not as_json:
        console.write(_("No reader is named: ids are taken from the keyboard, or from a reader that types."))
    if not as_json:
        console.write(_("Take all tags off the readers. Typed words: skip, back, quit, or a card to go to."))
    walk = Walk(parts, at.tags, teller, links, typing(entries))
    try:
        await walk.run(console)
    except asyncio.CancelledError:
        console.leave()
        text = _("Stopped: {done} of {of} are enrolled. The same command goes on from here.")
        raise Interrupted(text.format(done=walk.done, of=walk.total)) from None
    finally:
        console.leave()
    if walk.done < walk.total:
        text = _("{done} of {of} are enrolled. The same command goes on from here.")
        teller.remark(text.format(done=walk.done, of=walk.total), "stopped")
    return FINE


@command.command("list")
@json_option
@general_options
def list_tags(as_json: bool) -> None:
    """List all tags, with their ids.

    \b
    Example:
      shoal tags list
    """
    book = load(folders_here().tags)
    if as_json:
        click.echo(json.dumps([_facts(tag) for tag in book.tags], ensure_ascii=False))
        return
    glyphs = Glyphs(not can_show_suits())
    if not book.tags:
        tell(_("No tag is enrolled. Begin with: {command}").format(command=call_here("tags enroll")))
    for tag in book.tags:
        click.echo(f"{name_of(tag.kind, tag.name, glyphs):<12}  {_kind_word(tag.kind):<8}  {tag.uid}")


def _kind_word(kind: Kind) -> str:
    return {
        Kind.CARD: _("card"),
        Kind.PLAYER: _("player"),
        Kind.COMMAND: _("command"),
        Kind.BLANK: _("blank"),
    }[kind]


def _facts(tag: Tag) -> dict[str, str]:
    return {"uid": str(tag.uid), "kind": tag.kind.value, "name": tag.name}


@command.command("check")
@deck_option
@json_option
@general_options
def check_tags(deck: str | None, as_json: bool) -> int:
    """Check whether the tags do for a deck.

    It also names those that some readers cannot tell apart.

    \b
    Example:
      shoal tags check --deck go-fish
    """
    book = load(folders_here().tags)
    problems = check(book, cards_of(any_deck(deck or DEFAULT_DECK)))
    is_bad = any(problem.serious for problem in problems)
    if as_json:
        found = [{"serious": problem.serious, "text": said(problem.sentence)} for problem in problems]
        click.echo(json.dumps({"ok": not is_bad, "tags": len(book), "problems": found}, ensure_ascii=False))
        return BAD if is_bad else FINE
    counts = Counter(tag.kind for tag in book.tags)
    tell(
        _("{cards} cards, {players} players, {commands} commands and {blanks} blanks have tags.").format(
            cards=counts[Kind.CARD],
            players=counts[Kind.PLAYER],
            commands=counts[Kind.COMMAND],
            blanks=counts[Kind.BLANK],
        )
    )
    for problem in problems:
        mark = _("problem") if problem.serious else _("note")
        tell(f"{mark}: {said(problem.sentence)}")
    if not is_bad:
        tell(_("The deck is complete."))
    return BAD if is_bad else FINE


def _format_option(command: Any) -> Any:
    return click.option(
        "--format",
        "form",
        type=click.Choice(["toml", "csv"]),
        help="The form of the file, if its name does not end in .toml or .csv.",
    )(command)


@command.command("import")
@click.argument("file", metavar="FILE")
@_format_option
@click.option("--replace", is_flag=True, help="Forget all tags that are known now.")
@general_options
def import_tags(file: str, form: str | None, replace: bool) -> None:
    """Add the tags of a file.

    It is TOML, or CSV with the columns uid, kind and name.

    \b
    Example:
      shoal tags import deck.csv
    """
    at = folders_here()
    try:
        text = read_bytes(file, MOST_TEXT * 4).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Failure(_("{file} is no text in UTF-8.").format(file=file), code=BAD) from None
    try:
        new = from_csv(text) if _form(file, form) == "csv" else from_toml(text)
    except BadTags as error:
        raise Failure(f"{file}: {said(str(error))}", code=BAD) from None
    old = Book() if replace else load(at.tags)
    book = old.merged(new)
    save(at.tags, book)
    more = len(book) - len(old)
    text = ngettext("{n} tag is new; {all} are known now.", "{n} tags are new; {all} are known now.", more)
    tell(text.format(n=more, all=len(book)))


@command.command("export")
@click.argument("file", metavar="FILE")
@_format_option
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@general_options
def export_tags(file: str, form: str | None, force: bool) -> None:
    """Write all tags to a file.

    The file - is the output.

    \b
    Example:
      shoal tags export tags.toml
      shoal tags export - --format csv
    """
    book = load(folders_here().tags)
    text = to_csv(book) if _form(file, form) == "csv" else to_toml(book)
    if file == "-":
        click.echo(text, nl=False)
        return
    path = Path(file)
    if path.exists() and not force:
        raise Failure(
            _("{path} is there already.").format(path=path), _("Name another file, or add --force.")
        )
    write_bytes(path, text.encode("utf-8"))
    tell(ngettext("{n} tag: {path}", "{n} tags: {path}", len(book)).format(n=len(book), path=path))


def _form(file: str, form: str | None) -> str:
    return form or ("csv" if Path(file).suffix.lower() == ".csv" else "toml")


@command.command("forget")
@click.argument("wanted", metavar="NAME|UID|all")
@general_options
def forget(wanted: str) -> None:
    """Forget tags, by name or by id.

    An id may be in any spelling.

    \b
    Example:
      shoal tags forget 9S
      shoal tags forget 04:A3:C6:CA:E2:61:80
    """
    at = folders_here()
    book = load(at.tags)
    gone = _meant(book, wanted)
    for tag in gone:
        book = book.without(tag.uid)
    save(at.tags, book)
    glyphs = Glyphs(not can_show_suits())
    names = ", ".join(dict.fromkeys(name_of(tag.kind, tag.name, glyphs) for tag in gone[:8]))
    text = ngettext("{n} tag is forgotten: {names}.", "{n} tags are forgotten: {names}.", len(gone))
    tell(text.format(n=len(gone), names=names + ("…" if len(gone) > 8 else "")))


def _meant(book: Book, wanted: str) -> list[Tag]:
    if wanted == "all" and book.tags:
        return list(book.tags)
    named = [tag for tag in book.tags if wanted.strip().casefold() in names_of(tag, Glyphs())]
    if named:
        return named
    try:
        found = book.find(parse(wanted))
    except UnclearUid:
        found = None
    if isinstance(found, Found):
        return [found.tag]
    shown = printable(wanted, 40)
    raise Failure(
        _('No tag is called "{name}", or has that id.').format(name=shown),
        _("{command} lists them.").format(command=call_here("tags list")),
    )
