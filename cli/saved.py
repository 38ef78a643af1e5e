"""Games kept on this machine: finding them by what people type, and turning them into records."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

from engine.registry import game
from p2p.deal import Reveal
from p2p.io.store import SavedGame, Store
from p2p.log import Entry, decode_charter, write_game
from p2p.sealed import Group
from p2p.session.history import History

from .errors import Failure
from .seats import game_id

RESUMABLE = ("running", "paused")
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
        raise Failure(_('No game here has the id "{id}".').format(id=shown), _("shoal games lists them."))
    if len(found) > 1:
        raise Failure(_("Several games begin with {id}.").format(id=wanted), _("Give more digits of the id."))
    return found[0]


def _only(games: Sequence[SavedGame]) -> SavedGame:
    open_games = [each for each in games if each.state in RESUMABLE]
    if not open_games:
        raise Failure(
            _("There is no game to go on with."), _("Start one with shoal play go-fish, or join one.")
        )
    if len(open_games) > 1:
        listed = ", ".join(game_id(each.table_id) for each in open_games)
        raise Failure(
            _("Several games wait: {ids}.").format(ids=listed),
            _("Name one: shoal resume ID. shoal games lists them."),
        )
    return open_games[0]


def record_of(store: Store, saved: SavedGame, group: Group) -> bytes:
    """The ``.shoal`` file of a stored game, as far as it went. Every contribution is verified on the way."""
    charter = decode_charter(saved.charter)
    history = History(charter, game(charter.game), group)
    held: dict[int, Entry] = {}
    passed = {}
    for row in store.entries(saved.table_id, saved.seat):
        entry = Entry(*row)
        held[entry.seat] = entry
        passed[entry.seat] = history.check(entry)
        if all(seat in passed for seat in history.progress.owed):
            history.complete(held, passed)
            held, passed = {}, {}
    is_closed = history.progress.task is None or isinstance(history.progress.task, Reveal)
    reason = "finished" if is_closed else "stopped"
    return write_game(charter, (*history.entries, *held.values()), history.head, reason)
