"""``shoal join``: sit down at somebody's table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import click

from engine.bots import bot as bot_named
from engine.cards import Deck
from engine.registry import game

from ..choices import deck_named, player_name
from ..console import Console, Left, open_console
from ..driver import EVERYWHERE, open_party
from ..errors import FINE, NETWORK, Failure
from ..folders import Folders, folders
from ..known import remember
from ..loop import run_async
from ..manner import manner_of
from ..network import Found, find_tables, places_named
from ..options import Settings, bot_level_option, deck_option, general_options, name_option, seat_options
from ..program import call_here
from ..seats import Manner
from ..tabletop.options import TableChoice, desk_of, table_choice, table_options
from ..tabletop.ready import check_ready
from ..translation import gettext as _
from ..waiting.about import show_words
from ..waiting.again import play_games
from ..waiting.joining import sit_down


@click.command("join")
@click.argument("places", metavar="[TABLE|HOST:PORT...]", nargs=-1)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on for the others.")
@bot_level_option
@name_option
@deck_option
@table_options
@seat_options
@general_options
@click.pass_obj
def command(
    settings: Settings,
    places: tuple[str, ...],
    port: int,
    level: str,
    name: str | None,
    deck: str | None,
    cards: str,
    readers: Sequence[str],
    auto: bool,
    plain: bool,
    ascii_only: bool,
    record: str | None,
) -> int:
    """Sit down at a table on your network. Without an argument the tables that can be found are listed;
    an address without a port means port 7467, the usual one. Of several addresses of one table the first
    that answers will do.

    \b
    Example:
      shoal join
      shoal join Ann
      shoal join 192.168.1.20:7467
      shoal join Ann --cards controller

    With --deck, only a table that plays with exactly the deck of that file will do.
    """
    where, addresses = places_named(places)
    bot_named(level)
    wanted = deck_named(deck) if deck is not None else None
    manner = manner_of(auto, level, ascii_only, record)
    at = folders(settings)
    named = player_name(name, at, may_ask=not auto)
    table = table_choice(cards, readers, name=named, auto=auto)
    if table.scanner is not None:
        raise Failure(
            _("A printed deck is dealt at the host's table, where your cards lie."),
            _("Join without --cards printed."),
        )
    return run_async(
        _join(settings, at, _Wish(where, addresses, port, wanted, table), named, level, manner, plain)
    )


@dataclass(frozen=True, slots=True)
class _Wish:
    """Which table the player means, by its name or by the addresses to try, the port to listen on, the only
    deck that will do, and how the cards are held."""

    where: str | None
    addresses: tuple[str, ...]
    port: int
    deck: Deck | None
    table: TableChoice


async def _join(
    settings: Settings, at: Folders, wish: _Wish, name: str, level: str, manner: Manner, plain: bool
) -> int:
    async with (
        open_console(plain, settings.screen) as console,
        open_party(bool(manner.auto), has_cards=wish.table.has_cards) as party,
        desk_of(at, console, wish.table) as desk,
    ):
        check_ready(desk, console, [name], None, manner.glyphs)
        me = await party.open_player(at.data, name, EVERYWHERE, (wish.port,))
        try:
            addresses = wish.addresses or await _found(console, wish.where)
            console.write(_("Asking for a seat as {name} …").format(name=name))
            is_ready = bool(manner.auto) or not console.is_interactive
            agreed = await sit_down(party, console, addresses, wanted=wish.deck, is_ready=is_ready)
        except Left:
            console.write(_("You left the table before the game began."))
            return FINE
        rules = game(agreed.charter.game)
        await party.sit([agreed], rules)
        await asyncio.to_thread(remember, me.store, agreed.charter, agreed.seat)
        show_words(console, agreed.charter, agreed.seat)
        return await play_games(party, rules, console, manner, at, settings, level=level, desk=desk)


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
            what,
            _("Ask the host for the address that its screen shows, then: {command}").format(
                command=call_here("join HOST:PORT")
            ),
            NETWORK,
        )
    if len(found) == 1:
        console.write(_("Found {table}.").format(table=found[0].about))
        return found[0].addresses
    return await _chosen(console, found)


async def _chosen(console: Console, found: Sequence[Found]) -> tuple[str, ...]:
    for number, each in enumerate(found, 1):
        console.write(f"  {number}  {each.about}")
    if not console.is_interactive:
        raise Failure(
            _("Several tables were found."), _("Name one: {command}").format(command=call_here("join TABLE"))
        )
    console.write(_("Which one? Type its number."))
    console.words = lambda: [str(number) for number in range(1, len(found) + 1)]
    while True:
        line = await console.read()
        if line is None or line.strip().casefold() in ("quit", "exit"):
            raise Left
        if line.strip().isdecimal() and 1 <= int(line.strip()[:3]) <= len(found):
            return found[int(line.strip()[:3]) - 1].addresses
        console.write(_("Type a number from 1 to {n}, or quit.").format(n=len(found)))
