"""``shoal resume``: go on with a game, with all other seats of this machine."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence

import click

from engine.bots import bot as bot_named
from engine.registry import game
from p2p.io.store import SavedGame, Store
from p2p.log import decode_charter

from ..choices import can_ask, confirmed
from ..console import open_console
from ..driver import EVERYWHERE, LOOPBACK, open_party
from ..errors import FINE, Failure
from ..folders import Folders, folders
from ..leaving import nothing_changes, what_then
from ..loop import run_async
from ..lost import check_key, check_secrets, check_whole, let_rebuild, mend, rebuilding
from ..manner import manner_of
from ..options import Settings, bot_level_option, general_options, seat_options
from ..own_seats import OwnSeat, check_own_seats, mend_files, own_seats
from ..program import call_here
from ..rules import title_of
from ..saved import (
    RESUMABLE,
    ended_without_record,
    find_game,
    is_local,
    title_with_players,
    written_record,
)
from ..seats import Manner, game_id
from ..tabletop.kept import forget_over
from ..tabletop.options import TableChoice, desk_of, table_again, table_again_options
from ..telling import tell
from ..text import joined, printable
from ..translation import gettext as _
from ..waiting.again import play_games


@click.command("resume")
@click.argument("wanted", metavar="[GAME-ID]", required=False)
@click.option(
    "--rebuild",
    is_flag=True,
    help="The store was lost, damaged, or is an old copy: take what is missing from the other players. No "
    "other machine may play your seat.",
)
@click.option(
    "--resign",
    "resigns",
    is_flag=True,
    help="Leave the game for good, as soon as it needs something of your seat. Your key is enough for that: "
    "it works where the secrets of the game are lost, too.",
)
@click.option("--yes", "is_sure", is_flag=True, help="With --resign: do not ask.")
@bot_level_option
@table_again_options
@seat_options
@general_options
@click.pass_obj
def command(
    settings: Settings,
    wanted: str | None,
    rebuild: bool,
    resigns: bool,
    is_sure: bool,
    level: str,
    cards: str | None,
    readers: Sequence[str],
    auto: bool,
    plain: bool,
    ascii_only: bool,
    record: str | None,
) -> int:
    """Go on with a game that was paused, or cut off by anything at all. Without GAME-ID: with the only
    one there is, or the one that you choose.

    \b
    Example:
      shoal resume
      shoal resume 3fa2c81d
      shoal resume 3fa2c81d --cards screen
      shoal resume --rebuild
      shoal resume 3fa2c81d --resign
    """
    bot_named(level)
    at = folders(settings)
    told = mend_files(at, level)
    told += mend(at) if rebuild else []
    with Store.open(at.data) as store:
        games = store.games()
    forget_over(at.kept, games)
    saved = ended_without_record(at, games) if wanted is None else None
    saved = saved or find_game(games, wanted, may_ask=not auto)
    if saved.state not in RESUMABLE:
        written = written_record(at, saved)
        words = f"verify {shlex.quote(str(written))}" if written else f"export {game_id(saved.table_id)}"
        about = _("Its record can be checked: {command}")
        if not written:  # stopped between the end of the game and the writing of its record
            about = _("This writes its record: {command}")
        over = _("That game is over.")
        if wanted is None:
            over = _("The last game, of {title}, is over; there is none to go on with.")
            over = over.format(title=title_of(saved.meta["game"]))
        raise Failure(over, about.format(command=call_here(words)))
    if not rebuild:
        check_whole(saved)
    others = own_seats(at, saved)
    check_own_seats(others, saved, rebuilds=rebuild, resigns=resigns)
    if resigns and not is_sure and not _means_it(saved, " --rebuild" if rebuild else "", may_ask=not auto):
        tell(nothing_changes())
        return FINE
    if rebuild:
        saved = let_rebuild(at, saved)
        others = own_seats(at, saved)
        told.append(rebuilding())
    manner = manner_of(auto, level, ascii_only, record)
    table = table_again(at, saved.table_id, cards, readers, auto=auto)
    return run_async(_resume(settings, at, saved, level, manner, plain, table, told, resigns, others.found))


def _means_it(saved: SavedGame, option: str, *, may_ask: bool) -> bool:
    """Whether the player leaves for good. Raises ``Failure`` where nobody can be asked; ``option`` was given,
    too."""
    if not (may_ask and can_ask()):
        raise Failure(
            _("Resigning is for good, and nobody can be asked here whether it is meant."),
            _("If it is: {command}").format(
                command=call_here(f"resume {game_id(saved.table_id)}{option} --resign --yes")
            ),
        )
    seats = decode_charter(saved.charter).seats
    together = [printable(each.name, 40) for n, each in enumerate(seats) if each.keeper == saved.seat != n]
    question = _("Resign from {game}? Nothing brings you back into it. [y/N]")
    if together:
        question = _("Resign from {game}? {names} would leave with you, and nothing brings you back. [y/N]")
    return confirmed(question.format(game=title_with_players(saved), names=joined(together)))


async def _resume(
    settings: Settings,
    at: Folders,
    saved: SavedGame,
    level: str,
    manner: Manner,
    plain: bool,
    table: TableChoice,
    told: Sequence[str],
    resigns: bool,
    others: Sequence[OwnSeat],
) -> int:
    charter = decode_charter(saved.charter)
    rules = game(charter.game)
    host = LOOPBACK if is_local(saved) else EVERYWHERE
    async with (
        open_console(plain, settings.screen) as console,
        open_party(bool(manner.auto), has_cards=table.has_cards) as party,
        desk_of(at, console, table) as desk,
    ):
        # Where possible at the port the others know.
        ports = (int(saved.meta["port"]), 0)
        me = await party.open_player(at.data, charter.seats[saved.seat].name, host, ports)
        me.node.spectators.policy = charter.watchers
        check_key(saved, charter.seats[saved.seat].public, me.node.identity.public)
        seats = [(me, saved)]
        for other in others:
            opens = party.open_bot if other.is_bot else party.open_person
            member = await opens(other.folder, host, (int(other.saved.meta["port"]), 0))
            member.node.spectators.policy = charter.watchers
            seats.append((member, other.saved))
        if not resigns:
            for member, each in seats:
                await asyncio.to_thread(check_secrets, member.store, each)
        for line in told:
            console.write(line)
        console.write(
            _("Going on with {title}, table {id}.").format(
                title=title_of(rules.info.id), id=game_id(saved.table_id)
            )
        )
        async with asyncio.TaskGroup() as tasks:
            for member, each in seats:
                # Whichever of a player's seats owes something first says it for all of them.
                is_leaving = resigns and charter.seats[each.seat].keeper == saved.seat
                tasks.create_task(party.resume(member, each, rules, is_leaving))
        if resigns and me.table is not None and me.table.session.history.progress.is_playing:
            console.write(_("You leave this game for good, as soon as it needs something of your seat."))
            console.write(what_then(me.table.session, saved.seat))
        return await play_games(
            party, rules, console, manner, at, settings, level=level, is_resumed=True, desk=desk
        )
