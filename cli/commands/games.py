"""``shoal games``: what is kept on this machine."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

import click

from p2p.io.sodium import load_group
from p2p.io.store import SavedGame, SeatTaken, Store, StoreError
from p2p.log import decode_charter

from ..choices import confirmed
from ..errors import Failure
from ..files import kept_game, write_bytes
from ..folders import Folders, folders_here
from ..leaving import nothing_changes
from ..lost import stop_everywhere
from ..options import general_options, json_option
from ..own_seats import own_seats
from ..program import call, call_here
from ..saved import RESUMABLE, find_game, played_at, record_of, written_record
from ..seats import game_id, record_path_of
from ..tabletop.kept import forget_over
from ..telling import tell
from ..text import N_
from ..translation import gettext as _

LOST = "lost"
"""The state that is told of a game of which moves may be missing on this machine."""

GONE = "gone"
"""That of a game of which another seat of this machine has no store or no key here any more."""

STATES = {
    "running": N_("is being played"),
    "paused": N_("can go on"),
    LOST: N_("to be rebuilt"),
    GONE: N_("cannot go on"),
    "finished": N_("finished"),
    "cheated": N_("ended by a cheat"),
    "stopped": N_("stopped"),
}


@click.command("games")
@click.option(
    "--stop",
    "wanted",
    metavar="GAME-ID",
    help="End a game on this machine for good, such as one whose players do not come back: its record is "
    "kept, its secrets are deleted.",
)
@click.option("--yes", "is_sure", is_flag=True, help="With --stop: do not ask.")
@json_option
@general_options
def command(as_json: bool, wanted: str | None, is_sure: bool) -> None:
    """List the games kept on this machine, the one played last first.

    \b
    Example:
      shoal games
      shoal games --stop 3fa2c81d
    """
    at = folders_here()
    if wanted is not None:
        _stop(at, wanted, is_sure)
        return
    with Store.open(at.data) as store:
        games = store.games()
        forget_over(at.kept, games)
        states = {_place(each): _state(at, store, each) for each in games}
    if as_json:
        click.echo(json.dumps([_facts(at, each, states[_place(each)]) for each in games]))
        return
    if not games:
        tell(_("No games are kept here. Start one with: {command}").format(command=call_here("play go-fish")))
        return
    heading = (_("id"), _("played last"), _("game"), _("state"), _("players"))
    _print_columns([heading, *(_row(each, states[_place(each)]) for each in games)])
    if LOST in states.values():
        tell(
            _("Take what is missing from the other players: {command}").format(
                command=call_here("resume ID --rebuild")
            )
        )
    if GONE in states.values():
        tell(_("End one that cannot go on: {command}").format(command=call_here("games --stop ID")))
    if "paused" in states.values():
        tell(_("Go on with: {command}").format(command=call_here("resume ID")))
    if any(written_record(at, each) for each in games):
        tell(_("Records of finished games: {folder}").format(folder=at.records))
    tell(_("Any of them as a file: {command}").format(command=call_here("export ID")))


def _stop(at: Folders, wanted: str, is_sure: bool) -> None:
    """Raises ``Failure`` for a game that is over or is being played."""
    with Store.open(at.data) as store:
        saved = find_game(store.games(), wanted)
        name = game_id(saved.table_id)
        if saved.state not in RESUMABLE:
            raise Failure(
                _("That game is over."), _("{command} lists them.").format(command=call_here("games"))
            )
        try:
            store.claim(*_place(saved))  # so that nobody goes on with it while the question stands there
        except SeatTaken:
            raise Failure(_("That game is being played; leave it there first, with quit.")) from None
        record = _record(store, saved)
        question = _("Its secrets are deleted, and you cannot go on with it. End it for good? [y/N]")
        if not is_sure and not confirmed(question):
            tell(nothing_changes())
            return
        path = record_path_of(at, decode_charter(saved.charter))
        if record is not None:
            write_bytes(path, record, kept_game(name))
        stop_everywhere(at, saved.table_id)
        forget_over(at.kept, store.games())
    tell(_("Stopped: {id}.").format(id=name))
    if record is None:
        return
    tell(_("Record: {path}").format(path=path))
    tell(_("Anyone can check it: {command}").format(command=call(f"verify {shlex.quote(str(path))}")))


def _record(store: Store, saved: SavedGame) -> bytes | None:
    """The record of a game; ``None``, once that is told, where the store lacks moves of it."""
    try:
        return record_of(store, saved, load_group())
    except Failure as problem:
        tell(problem.message)
        if problem.hint:
            tell(problem.hint)
        return None


def _place(saved: SavedGame) -> tuple[bytes, int]:
    return saved.table_id, saved.seat


def _state(at: Folders, store: Store, saved: SavedGame) -> str:
    """How a game stands for its player: one that is stored as running may be played now, or wait."""
    if saved.state not in RESUMABLE:
        return saved.state
    if store.is_played(*_place(saved)):
        return "running"
    try:
        others = own_seats(at, saved)
    except StoreError:  # it is named when the game is gone on with
        return "paused"
    if others.gone:
        return GONE
    return LOST if saved.is_lost or others.to_rebuild else "paused"


def _row(saved: SavedGame, state: str) -> tuple[str, ...]:
    players = ", ".join(saved.meta["players"])
    return (game_id(saved.table_id), played_at(saved), saved.meta["game"], _(STATES[state]), players)


def _print_columns(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())


def _facts(at: Folders, saved: SavedGame, state: str) -> dict[str, object]:
    record = written_record(at, saved)
    return {
        "id": game_id(saved.table_id),
        "table_id": saved.table_id.hex(),
        "game": saved.meta["game"],
        "players": saved.meta["players"],
        "seat": saved.seat,
        "state": state,
        "started": saved.started,
        "active": saved.active,
        "record": str(record) if record else None,
    }
