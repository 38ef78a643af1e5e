"""Games kept on this machine: finding them by what people type, and turning them into records."""

from __future__ import annotations

import contextlib
import datetime as dt
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from engine.registry import UnknownGame, game
from p2p.io.store import SavedGame, Store
from p2p.log import Entry, Malformed, Statement, decode_charter
from p2p.sealed import Group
from p2p.session import History, game_record

from .errors import STORAGE, Failure
from .folders import Folders
from .program import call_here
from .rules import title_of
from .seats import game_id
from .text import joined, printable
from .translation import gettext as _

RESUMABLE = ("running", "paused")
OVER = ("finished", "cheated")
LEAST_DIGITS = 4
"""Digits of a game id that are taken for one: fewer could be a slip."""


def find_game(games: Sequence[SavedGame], text: str | None, *, may_ask: bool = False) -> SavedGame:
    """The game that ``text`` names by the beginning of its id; without it, the only one that can go on, or,
    of several, the one that a person at a terminal chooses (``may_ask``).

    Raises ``Failure``.
    """
    if text is None:
        return _only(games, may_ask and sys.stdin.isatty() and sys.stdout.isatty())
    wanted = text.strip().lower()
    found = [each for each in games if each.table_id.hex().startswith(wanted)]
    if len(wanted) < LEAST_DIGITS or not found:
        shown = printable(text, 20)
        raise Failure(
            _('No game here has the id "{id}".').format(id=shown),
            _("{command} lists them.").format(command=call_here("games")),
        )
    if len(found) > 1:
        raise Failure(_("Several games begin with {id}.").format(id=wanted), _("Give more digits of the id."))
    return found[0]


def _only(games: Sequence[SavedGame], may_ask: bool) -> SavedGame:
    open_games = [each for each in games if each.state in RESUMABLE]
    if not open_games:
        raise Failure(
            _("There is no game to go on with."),
            _("Start one with {command}, or join one.").format(command=call_here("play go-fish")),
        )
    if len(open_games) == 1:
        return open_games[0]
    if may_ask:
        return _chosen(open_games)
    lines = [_waiting(), *(f"  {_about(each)}" for each in open_games)]
    raise Failure("\n".join(lines), _("Name one: {command}").format(command=call_here("resume ID")))


def _chosen(games: Sequence[SavedGame]) -> SavedGame:
    """The one whose number the player types."""
    click.echo(_waiting())
    for number, each in enumerate(games, 1):
        click.echo(f"  {number}  {_about(each)}")

    def of_number(text: str) -> SavedGame:
        if text.strip().isdecimal() and 1 <= int(text.strip()[:4]) <= len(games):
            return games[int(text.strip()[:4]) - 1]
        raise click.UsageError(_("Type a number from 1 to {n}.").format(n=len(games)))

    found: SavedGame = click.prompt(_("Which one? Type its number"), value_proc=of_number)
    return found


def _waiting() -> str:
    return _("Several games wait; the time is that of the last move:")


def _about(saved: SavedGame) -> str:
    """A game that waits: its id, when it was played last, which game it is, and with whom."""
    return f"{game_id(saved.table_id)}  {played_at(saved)}  {title_with_players(saved)}"


def title_with_players(saved: SavedGame) -> str:
    """Which game it is, and with whom."""
    others = [name for seat, name in enumerate(saved.meta["players"]) if seat != saved.seat]
    return _("{title} with {players}").format(
        title=title_of_game(saved.meta["game"]), players=joined([printable(name, 40) for name in others])
    )


def title_of_game(name: str) -> str:
    """The title of a game; of one that is not known here, its id."""
    with contextlib.suppress(UnknownGame):
        return title_of(name)
    return printable(name, 32)


def written_record(at: Folders, saved: SavedGame) -> Path | None:
    """The file that was written when the game ended: it holds the evidence, if somebody cheated."""
    found = sorted(at.records.glob(f"*-{game_id(saved.table_id)}.shoal"))
    return found[-1] if found else None


def ended_without_record(at: Folders, games: Sequence[SavedGame]) -> SavedGame | None:
    """The game played last, where it is over, none can go on, and its record was not written: the program was
    stopped in between, and its player may not know that the game had ended."""
    if not games or any(each.state in RESUMABLE for each in games):
        return None
    last = games[0]
    return last if last.state in OVER and written_record(at, last) is None else None


def played_at(saved: SavedGame) -> str:
    """When a game was played last, in local time."""
    return dt.datetime.fromtimestamp(saved.active, tz=dt.UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def is_local(saved: SavedGame) -> bool:
    """Whether the table was on this machine alone, as those of ``play`` are."""
    own = saved.meta["addresses"].get(str(saved.seat), [])
    return bool(own) and all(address.startswith("127.") for address in own)


def record_of(store: Store, saved: SavedGame, group: Group) -> bytes:
    """The ``.shoal`` file of a stored game, as far as it went. Every contribution is verified on the way.
    Raises ``Failure`` where they do not fit together: the store was damaged, and lacks some."""
    charter = decode_charter(saved.charter)
    history = History(charter, game(charter.game), group)
    try:
        held, _passed = history.restore(
            (Entry(*row) for row in store.entries(saved.table_id, saved.seat)),
            (Statement(*row) for row in store.statements(saved.table_id, saved.seat)),
        )
    except Malformed:
        raise Failure(
            _("The store of this machine lacks moves of this game, so no record can be made of it here."),
            _("Take them from the other players: {command}").format(
                command=call_here(f"resume {game_id(saved.table_id)} --rebuild")
            ),
            STORAGE,
        ) from None
    return game_record(history, tuple(held.values()))
