"""``shoal games``: what is kept on this machine."""

from __future__ import annotations

import datetime as dt
import json
from gettext import gettext as _

import click

from p2p.io.store import SavedGame, Store

from ..folders import folders_here
from ..options import general_options, json_option
from ..saved import RESUMABLE
from ..seats import game_id
from ..text import N_

STATES = {
    "running": N_("can go on"),
    "paused": N_("can go on"),
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
    with Store.open(folders_here().data) as store:
        games = store.games()
    if as_json:
        click.echo(json.dumps([_facts(each) for each in games]))
        return
    if not games:
        click.echo(_("No games are kept here. Start one with: shoal play go-fish"))
    for each in games:
        day = dt.datetime.fromtimestamp(each.active, tz=dt.UTC).astimezone().strftime("%Y-%m-%d %H:%M")
        players = ", ".join(each.meta["players"])
        click.echo(
            f"{game_id(each.table_id)}  {day}  {each.meta['game']}  {_(STATES[each.state])}  {players}"
        )
    if any(each.state in RESUMABLE for each in games):
        click.echo(_("Go on with: shoal resume ID"))


def _facts(saved: SavedGame) -> dict[str, object]:
    return {
        "id": game_id(saved.table_id),
        "table_id": saved.table_id.hex(),
        "game": saved.meta["game"],
        "players": saved.meta["players"],
        "seat": saved.seat,
        "state": saved.state,
        "started": saved.started,
        "active": saved.active,
    }
