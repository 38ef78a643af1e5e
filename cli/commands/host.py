"""``shoal host``: open a table, see who comes, and start."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import click
from click.core import ParameterSource

from engine.bots import bot as bot_named
from engine.registry import game
from p2p.io.lobby import Offer
from p2p.io.node import DEFAULT_PORT
from p2p.log import DEFAULT_GRACE, LEAST_GRACE, MOST_GRACE

from ..choices import chosen_options, player_name
from ..console import open_console
from ..door import Refusals
from ..driver import EVERYWHERE, LOOPBACK, open_party
from ..errors import FINE, Failure
from ..folders import Folders, folders
from ..known import remember
from ..loop import run_async
from ..manner import manner_of
from ..options import (
    Settings,
    bot_level_option,
    deck_option,
    game_options,
    general_options,
    name_option,
    reveal_option,
    seat_options,
    watchers_option,
)
from ..program import call_here
from ..seats import Manner
from ..tabletop.options import TableChoice, desk_of, people_option, table_choice, table_options
from ..tabletop.ready import check_ready
from ..text import joined, printable
from ..translation import gettext as _
from ..translation import ngettext
from ..waiting.about import show_words
from ..waiting.again import play_games
from ..waiting.opening import Plan, gather


@click.command("host")
@click.argument("game_name", metavar="GAME")
@click.option("--seats", default=4, show_default=True, help="How many play, bots included.")
@click.option("--bots", default=0, show_default=True, help="How many of the seats bots take.")
@click.option(
    "--start-when",
    metavar="N",
    type=int,
    help="Start as soon as N sit and are ready; otherwise when the table is full.",
)
@click.option("--open", "is_open", is_flag=True, help="Seat everybody who comes, without asking you.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 takes any free one.")
@click.option(
    "--here-only", is_flag=True, help="Listen on this machine alone, and do not announce the table."
)
@bot_level_option
@name_option
@game_options
@deck_option
@reveal_option
@click.option(
    "--recovery/--no-recovery",
    default=None,
    help="Go on when a player leaves; then all others together could read a hand. Usual from 4 players.",
)
@click.option(
    "--grace",
    metavar="SECONDS",
    type=click.IntRange(LEAST_GRACE, MOST_GRACE),
    default=DEFAULT_GRACE,
    show_default=True,
    help="How long a player may be away before the others can go on or end the game.",
)
@watchers_option
@table_options
@people_option
@seat_options
@general_options
@click.pass_obj
def command(
    settings: Settings,
    game_name: str,
    seats: int,
    bots: int,
    start_when: int | None,
    is_open: bool,
    port: int | None,
    here_only: bool,
    level: str,
    name: str | None,
    chosen: Sequence[str],
    deck: str | None,
    reveal: str,
    recovery: bool | None,
    grace: int,
    watchers: str,
    cards: str,
    readers: Sequence[str],
    people: Sequence[str],
    auto: bool,
    plain: bool,
    ascii_only: bool,
    record: str | None,
) -> int:
    """Open a table for others on your network. The game starts when the table is full and everyone is ready,
    or when you begin it. After it you may play again with the same table.

    \b
    Example:
      shoal host go-fish --seats 3
      shoal host go-fish --seats 4 --bots 1 --set ask_mode=card
      shoal host go-fish --seats 4 --cards blank --at-table Ben
      shoal host go-fish --seats 4 --cards printed --at-table Ben
    """
    rules = game(game_name)
    options = chosen_options(rules, chosen, seats, deck)
    _check_seats(rules.info.most_seats, seats, bots, people)
    if start_when is not None and not 2 <= start_when <= seats:
        raise Failure(_("--start-when takes a number from 2 to {seats}.").format(seats=seats))
    for fewer in range(start_when or seats, seats):  # the options must fit every number that may sit down
        chosen_options(rules, chosen, fewer, deck)
    bot_named(level)
    manner = manner_of(auto, level, ascii_only, record)
    at = folders(settings)
    named = player_name(name, at, may_ask=not auto)
    table = table_choice(cards, readers, people, name=named, auto=auto)
    _check_printed(table, reveal, recovery)
    offer = Offer(game_name, dict(options), seats, reveal, table.scanner, recovery, grace, watchers)
    plan = _Plan(offer, bots, level, named, start_when or seats, is_open, port, here_only, table)
    return run_async(_host(settings, at, plan, manner, plain))


def _check_seats(most: int, seats: int, bots: int, people: Sequence[str]) -> None:
    """Raises ``Failure`` where no seat is left for a guest; a table of this game has ``most`` seats."""
    if bots < 0:
        left = max(seats - 2 - len(people), 0)
        raise Failure(_("--bots takes a number from {least} to {most}.").format(least=0, most=left))
    needed = 2 + len(people) + bots
    if needed <= seats:
        return
    named = [ngettext("{n} bot", "{n} bots", bots).format(n=bots)] if bots else []
    who = joined([_("You"), *map(printable, people), *named, _("a guest")])
    alone = _alone(max(seats - 1 - len(people), 0 if people else 1))
    hint = (
        _("Give the table more seats with --seats {needed}, or play without guests: {command}")
        if needed <= most
        else _("Play without guests: {command}")
    )
    raise Failure(
        _("{who} need {needed} seats, and this table has {seats}.").format(
            who=who, needed=needed, seats=seats
        ),
        hint.format(needed=needed, command=alone),
    )


def _alone(bots: int) -> str:
    """The command that plays without guests what was asked for here, with all that was chosen for it."""
    from . import play

    context = click.get_current_context()
    known = {each.name for each in play.command.params}
    words = ["play", context.params["game_name"], "--bots", str(bots)]
    for option in context.command.params:
        name = option.name or ""
        is_chosen = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if name == "bots" or name not in known or not is_chosen or not isinstance(option, click.Option):
            continue
        value = context.params.get(name)
        if option.is_flag:
            words += [option.opts[0]] if value else []
        else:
            for each in value if isinstance(value, tuple) else (value,):
                words += [option.opts[0], str(each)]
    return call_here(shlex.join(words))


def _check_printed(table: TableChoice, reveal: str, recovery: bool | None) -> None:
    """Raises ``Failure`` for what a printed deck does not go together with."""
    if table.scanner is None:
        return
    if reveal != "end":
        raise Failure(_("With a printed deck everything is revealed at the end: leave out --reveal."))
    if recovery:
        raise Failure(_("With a printed deck the game ends when a player leaves: leave out --recovery."))


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the host wants."""

    offer: Offer
    bots: int
    level: str
    name: str
    start_when: int
    is_open: bool
    port: int | None
    here_only: bool
    table: TableChoice

    @property
    def host(self) -> str:
        """The address to listen at."""
        return LOOPBACK if self.here_only else EVERYWHERE

    def opening(self, is_auto: bool) -> Plan:
        """How the table is opened; with ``is_auto`` a bot plays the host's seat."""
        return Plan(self.offer, self.level, self.host, self.start_when, self.is_open, self.here_only, is_auto)

    @property
    def ports(self) -> tuple[int, ...]:
        """The port asked for, or the usual one and, if that is busy, any other."""
        return (DEFAULT_PORT, 0) if self.port is None else (self.port,)


def _other_port(port: int) -> str:
    text = _("Port {usual} is in use on this machine, perhaps by another table: this one has port {port}.")
    return text.format(usual=DEFAULT_PORT, port=port)


async def _host(settings: Settings, at: Folders, plan: _Plan, manner: Manner, plain: bool) -> int:
    rules = game(plan.offer.game)
    async with (
        open_console(plain, settings.screen) as console,
        open_party(bool(manner.auto), has_cards=plan.table.has_cards) as party,
        desk_of(at, console, plan.table) as desk,
    ):
        refusals = Refusals(console)
        check_ready(
            desk, console, [plan.name, *plan.table.people], rules.deck(plan.offer.options), manner.glyphs
        )
        me = await party.open_player(at.data, plan.name, plan.host, plan.ports, refusals)
        if plan.port is None and me.node.port != DEFAULT_PORT:
            console.write(_other_port(me.node.port))
        await party.new_people(at.people, plan.table.people, plan.host)
        await party.new_bots(at.bots, plan.bots, plan.level, plan.host, [plan.name, *plan.table.people])
        if not await gather(party, rules, console, at, plan.opening(bool(manner.auto)), refusals):
            console.write(_("The table is closed."))
            return FINE
        assert me.table is not None
        charter = me.table.session.charter
        await asyncio.to_thread(remember, me.store, charter, me.table.session.seat)
        show_words(console, charter, me.table.session.seat)
        return await play_games(party, rules, console, manner, at, settings, level=plan.level, desk=desk)
