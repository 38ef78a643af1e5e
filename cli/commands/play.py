"""``shoal play``: you and bots, every seat a full peer with sealed cards, on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import click

from engine.bots import bot as bot_named
from engine.contract import AnyRules
from engine.registry import game
from p2p.io.lobby import Applicant, Hosting, Offer
from p2p.io.store import SavedGame
from p2p.session.setup import Roster

from ..choices import about_own_deck, chosen_options, player_name
from ..console import Console, open_console
from ..driver import BOT_NAMES, LOOPBACK, open_party
from ..errors import Failure
from ..folders import Folders, folders
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
)
from ..rules import title_of
from ..saved import RESUMABLE, is_local, played_at
from ..seats import Manner, resume_command
from ..tabletop.options import TableChoice, desk_of, people_option, table_choice, table_options
from ..tabletop.ready import check_ready
from ..translation import gettext as _
from ..waiting.again import play_games
from ..waiting.gathering import Gathering


@click.command("play")
@click.argument("game_name", metavar="GAME")
@click.option("--bots", default=3, show_default=True, help="How many bots play against you.")
@bot_level_option
@name_option
@game_options
@deck_option
@reveal_option
@table_options
@people_option
@seat_options
@general_options
@click.pass_obj
def command(
    settings: Settings,
    game_name: str,
    bots: int,
    level: str,
    name: str | None,
    chosen: Sequence[str],
    deck: str | None,
    reveal: str,
    cards: str,
    readers: Sequence[str],
    people: Sequence[str],
    auto: bool,
    plain: bool,
    ascii_only: bool,
    record: str | None,
) -> int:
    """Play against bots on this machine. The cards are as sealed as in a game between people.

    \b
    Example:
      shoal play go-fish --bots 3
      shoal play go-fish --set ask_mode=card --set end_mode=all_books
      shoal play go-fish --deck animals.toml
      shoal play go-fish --cards controller --reader /dev/ttyUSB0:rdm6300
      shoal play casino --cards blank --at-table Ben --bots 1
      shoal play go-fish --cards printed --bots 2
    """
    rules = game(game_name)
    least = 0 if people else 1
    if not least <= bots <= len(BOT_NAMES) - 1:
        raise Failure(
            _("{n} bots cannot sit down; from {least} to {most} can.").format(
                n=bots, least=least, most=len(BOT_NAMES) - 1
            )
        )
    bot_named(level)
    seats = bots + 1 + len(people)
    options = chosen_options(rules, chosen, seats, deck, by_bots=not people)
    manner = manner_of(auto, level, ascii_only, record)
    at = folders(settings)
    named = player_name(name, at, may_ask=not auto)
    table = table_choice(cards, readers, people, name=named, auto=auto)
    offer = Offer(game_name, dict(options), seats, reveal, table.scanner)
    return run_async(_play(settings, at, offer, level, named, manner, plain, table))


async def _play(
    settings: Settings,
    at: Folders,
    offer: Offer,
    level: str,
    name: str,
    manner: Manner,
    plain: bool,
    table: TableChoice,
) -> int:
    rules = game(offer.game)
    async with (
        open_console(plain, settings.screen) as console,
        open_party(has_cards=table.has_cards) as party,
        desk_of(at, console, table) as desk,
    ):
        check_ready(desk, console, [name, *table.people], rules.deck(offer.options), manner.glyphs)
        me = await party.open_player(at.data, name, LOOPBACK, (0,))
        _say_what_waits(await asyncio.to_thread(me.store.games), rules, console)
        await party.new_people(at.people, table.people, LOOPBACK)
        bots = offer.seats - 1 - len(table.people)
        await party.new_bots(at.bots, bots, level, LOOPBACK, [name, *table.people])
        hosting = Hosting(me.node, offer, rules, admit=_nobody, on_roster=_say_nothing)
        await Gathering(party, hosting, LOOPBACK).run(rules)
        names = ", ".join(each.node.name for each in party.members[1:])
        console.write(
            _("{title}: you against {names}. Type help at any time.").format(
                title=title_of(rules.info.id), names=names
            )
        )
        if own := about_own_deck(offer.options):
            console.write(_("Played with {deck}.").format(deck=own))
        return await play_games(party, rules, console, manner, at, settings, level=level, desk=desk)


def _say_what_waits(games: Sequence[SavedGame], rules: AnyRules, console: Console) -> None:
    waiting = [
        each
        for each in games
        if each.state in RESUMABLE and each.meta["game"] == rules.info.id and is_local(each)
    ]
    if waiting:
        text = _("A game of {title} with its last move at {time} waits; go on with: {command}")
        command = resume_command(waiting[0].table_id)
        console.write(text.format(title=title_of(rules.info.id), time=played_at(waiting[0]), command=command))


async def _nobody(applicant: Applicant) -> bool:
    """At this table only the bots of this process sit."""
    return False


def _say_nothing(roster: Roster) -> None:
    """Who sits is known from the start."""
