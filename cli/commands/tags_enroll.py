"""``shoal tags enroll``: tags get their names, tap by tap."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from engine.cards import Deck
from engine.deck_files import load_deck
from engine.registry import game, games
from hardware.io import load, load_table
from hardware.tags import BadTags, Book, Enrolment, Kind, Tag
from hardware.uids import parse

from ..choices import deck_named
from ..console import BareConsole
from ..errors import FINE, Failure, Interrupted
from ..folders import Folders, folders_here
from ..hardware_enroll import JsonTeller, Part, PlainTeller, Teller, Walk, name_of
from ..hardware_readers import entries_of, links_of, reader_option, typing
from ..language import said
from ..loop import run_async
from ..manner import can_show_suits
from ..options import general_options, json_option
from ..program import call_here
from ..text import Glyphs, printable
from ..translation import gettext as _

MOST_BLANKS = 200
"""Blanks of one walk: the largest deck."""

DEFAULT_DECK = "standard"


def deck_option(command: Any) -> Any:
    """``--deck``."""
    return click.option(
        "--deck",
        metavar="NAME|FILE",
        help="The deck: its name, the name of a game, or a deck file; the usual 52 cards without it.",
    )(command)


@click.command("enroll")
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
