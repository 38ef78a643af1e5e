"""Games kept on this machine: finding them by what people type, and turning them into records."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from gettext import gettext as _
from pathlib import Path

from engine.registry import game
from p2p.io.store import SavedGame, Store
from p2p.log import Entry, Statement, decode_charter
from p2p.sealed import Group
from p2p.session import History, game_record

from .errors import Failure
from .folders import Folders
from .program import call_here
from .seats import game_id

RESUMABLE = ("running", "paused")
OVER = ("finished", "cheated")
LEAST_DIGITS = 4
"""Digits of a game id that are taken for one: fewer could be a slip."""


def find_game(games: Sequence[SavedGame], text: str | None) -> SavedGame:
    """The game that ``text`` names by the beginning of its id; without it, the only one that can go on.

    Raises ``Failure``.
    """
    if text is None:
        return _only(games)
    wanted = text.strip().lower()
    found = [each for each in games if each.table_id.hex().startswith(wanted)]
    if len(wanted) < LEAST_DIGITS or not found:
        shown = "".join(c if c.isprintable() else "?" for c in text[:20])
        raise Failure(
            _('No game here has the id "{id}".').format(id=shown),
            _("{command} lists them.").format(command=call_here("games")),
        )
    if len(found) > 1:
        raise Failure(_("Several games begin with {id}.").format(id=wanted), _("Give more digits of the id."))
    return found[0]


def _only(games: Sequence[SavedGame]) -> SavedGame:
    open_games = [each for each in games if each.state in RESUMABLE]
    if not open_games:
        raise Failure(
            _("There is no game to go on with."),
            _("Start one with {command}, or join one.").format(command=call_here("play go-fish")),
        )
    if len(open_games) > 1:
        listed = ", ".join(game_id(each.table_id) for each in open_games)
        raise Failure(
            _("Several games wait: {ids}.").format(ids=listed),
            _("Name one: {resume}. {games} lists them.").format(
                resume=call_here("resume ID"), games=call_here("games")
            ),
        )
    return open_games[0]


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
    """The ``.shoal`` file of a stored game, as far as it went. Every contribution is verified on the way."""
    charter = decode_charter(saved.charter)
    history = History(charter, game(charter.game), group)
    held, _ = history.restore(
        (Entry(*row) for row in store.entries(saved.table_id, saved.seat)),
        (Statement(*row) for row in store.statements(saved.table_id, saved.seat)),
    )
    return game_record(history, tuple(held.values()))
