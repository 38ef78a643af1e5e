"""``shoal games``: what is kept on this machine."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from p2p.io.store import SavedGame, Store

from ..folders import Folders, folders_here
from ..options import general_options, json_option
from ..program import call_here
from ..saved import RESUMABLE, played_at, written_record
from ..seats import game_id
from ..text import N_
from ..translation import gettext as _

LOST = "lost"
"""The state that is told of a game of which moves may be missing on this machine."""

STATES = {
    "running": N_("is being played"),
    "paused": N_("can go on"),
    LOST: N_("to be rebuilt"),
    "finished": N_("finished"),
    "cheated": N_("ended by a cheat"),
    "stopped": N_("stopped"),
}


@click.command("games")
@json_option
@general_options
def command(as_json: bool) -> None:
    """List the games kept on this machine, the one played last first.

    \b
    Example:
      shoal games
    """
    at = folders_here()
    with Store.open(at.data) as store:
        games = store.games()
        states = {_place(each): _state(store, each) for each in games}
    if as_json:
        click.echo(json.dumps([_facts(at, each, states[_place(each)]) for each in games]))
        return
    if not games:
        click.echo(
            _("No games are kept here. Start one with: {command}").format(command=call_here("play go-fish"))
        )
        return
    heading = (_("id"), _("played last"), _("game"), _("state"), _("players"))
    _print_columns([heading, *(_row(each, states[_place(each)]) for each in games)])
    if LOST in states.values():
        click.echo(
            _("Take what is missing from the other players: {command}").format(
                command=call_here("resume ID --rebuild")
            )
        )
    if "paused" in states.values():
        click.echo(_("Go on with: {command}").format(command=call_here("resume ID")))
    if any(written_record(at, each) for each in games):
        click.echo(_("Records of finished games: {folder}").format(folder=at.records))
    click.echo(_("Any of them as a file: {command}").format(command=call_here("export ID")))


def _place(saved: SavedGame) -> tuple[bytes, int]:
    return saved.table_id, saved.seat


def _state(store: Store, saved: SavedGame) -> str:
    """How a game stands for its player: one that is stored as running may be played now, or wait."""
    if saved.state not in RESUMABLE:
        return saved.state
    if store.is_played(*_place(saved)):
        return "running"
    return LOST if saved.is_lost else "paused"


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
