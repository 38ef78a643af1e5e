"""``shoal join``: sit down at somebody's table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from gettext import gettext as _

import click

from engine.bots import bot as bot_named
from engine.registry import game
from p2p.io.addresses import split_address
from p2p.io.lobby import join
from p2p.link import ChangedKey, judge
from p2p.session.setup import Agreed, Roster

from ..choices import player_name
from ..console import Console, open_console
from ..driver import EVERYWHERE, Party, open_party
from ..errors import FINE, NETWORK, Failure
from ..folders import Folders, folders
from ..known import remember
from ..loop import run_async
from ..manner import manner_of
from ..network import Found, find_tables
from ..options import Settings, bot_level_option, general_options, name_option, seat_options
from ..plain import Left, first_of
from ..seats import Manner, run_game, show_words


@click.command("join")
@click.argument("where", metavar="[TABLE|HOST:PORT]", required=False)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on for the others.")
@bot_level_option
@name_option
@seat_options
@general_options
@click.pass_obj
def command(
    settings: Settings,
    where: str | None,
    port: int,
    level: str,
    name: str | None,
    auto: bool,
    plain: bool,
    ascii_only: bool,
    record: str | None,
) -> int:
    """Sit down at a table on your network. Without an argument the tables that can be found are listed.

    \b
    Example:
      shoal join
      shoal join Ann
      shoal join 192.168.1.20:7467
    """
    if where is not None and ":" in where:
        split_address(where)
    bot_named(level)
    manner = manner_of(auto, level, ascii_only, record)
    return run_async(_join(settings, folders(settings), where, port, player_name(name), manner, plain))


async def _join(
    settings: Settings, at: Folders, where: str | None, port: int, name: str, manner: Manner, plain: bool
) -> int:
    async with open_console(plain) as console, open_party() as party:
        me = await party.open_player(at.data, name, EVERYWHERE, (port,))
        try:
            addresses = (where,) if where is not None and ":" in where else await _found(console, where)
            console.write(_("Asking for a seat as {name} …").format(name=name))
            agreed = await first_of(_seated(party, addresses, console), _until_quit(console))
        except Left:
            console.write(_("You left the table before the game began."))
            return FINE
        rules = game(agreed.charter.game)
        await asyncio.to_thread(_check_keys, party, agreed, console)
        await party.sit([agreed], rules)
        await asyncio.to_thread(remember, me.store, agreed.charter, agreed.seat)
        show_words(console, agreed.charter, agreed.seat)
        return await run_game(party, rules, console, manner, at, settings)


async def _seated(party: Party, addresses: Sequence[str], console: Console) -> Agreed:
    shown: list[Roster] = []

    def show(roster: Roster) -> None:
        if not shown:
            options = [
                f"{name}={value}" for name, value in roster.options if value != _default(roster.game, name)
            ]
            console.write(
                _("Table of {game}. Options: {options}").format(
                    game=roster.game, options=", ".join(options) or _("the usual ones")
                )
            )
        shown[:] = [roster]
        names = [
            _("{name} (bot)").format(name=each.name) if each.is_bot else each.name for each in roster.taken
        ]
        console.write(
            _("At the table, {n} of {of}: {names}").format(
                n=len(roster.taken), of=roster.seats, names=", ".join(names)
            )
        )

    return await join(party.me.node, addresses, game, party.group, on_roster=show)


async def _until_quit(console: Console) -> Agreed:
    """Obey what is typed while the table fills."""
    console.words = lambda: ("quit",)
    while True:
        line = await console.read()
        if line is None:
            await asyncio.Event().wait()  # the game may need no input at all
        elif line.strip().casefold() in ("quit", "exit"):
            raise Left
        elif line.strip():
            console.write(_("The game has not begun; wait, or type quit."))


async def _found(console: Console, wanted: str | None) -> tuple[str, ...]:
    """The addresses of the table that the player means, among those on the network."""
    console.write(_("Looking for tables …"))
    found, problem = await find_tables()
    if wanted is not None:
        found = [each for each in found if each.label.casefold().startswith(wanted.casefold())]
    if not found:
        what = _("No table was found on this network.")
        if wanted is not None:
            what = _('No table called "{name}" was found on this network.').format(name=wanted[:40])
        if problem:
            console.write(problem)
        raise Failure(
            what, _("Ask the host for the address that shoal host shows, then: shoal join HOST:PORT"), NETWORK
        )
    if len(found) == 1:
        console.write(_("Found {table}.").format(table=found[0].about))
        return found[0].addresses
    return await _chosen(console, found)


async def _chosen(console: Console, found: Sequence[Found]) -> tuple[str, ...]:
    for number, each in enumerate(found, 1):
        console.write(f"  {number}  {each.about}")
    if not console.is_interactive:
        raise Failure(_("Several tables were found."), _("Name one: shoal join TABLE"))
    console.write(_("Which one? Type its number."))
    console.words = lambda: [str(number) for number in range(1, len(found) + 1)]
    while True:
        line = await console.read()
        if line is None or line.strip().casefold() in ("quit", "exit"):
            raise Left
        if line.strip().isdecimal() and 1 <= int(line.strip()[:3]) <= len(found):
            return found[int(line.strip()[:3]) - 1].addresses
        console.write(_("Type a number from 1 to {n}, or quit.").format(n=len(found)))


def _default(game_name: str, option: str) -> str:
    return next((each.values[0] for each in game(game_name).info.options if each.name == option), "")


def _check_keys(party: Party, agreed: Agreed, console: Console) -> None:
    """Stop where a known name comes with another key: that is decided by talking, not by pressing Enter."""
    known = party.me.store.players()
    for number, seat in enumerate(agreed.charter.seats):
        if number == agreed.seat or seat.keeper != number:
            continue
        judgement = judge(known, seat.name, seat.public)
        if isinstance(judgement, ChangedKey):
            raise Failure(
                _(
                    "{name} at this table has another key than the {name} you know; somebody may "
                    "be pretending."
                ).format(name=judgement.player.petname),
                _(
                    "Talk to {name}. If it is a new machine: shoal players forget {name}, and join again."
                ).format(name=judgement.player.petname),
                NETWORK,
            )
