"""From a seated party to the end of its game: the screen, the bots, the record, and the exit code."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.contract import AnyRules
from p2p.identity import words
from p2p.io.table import Table
from p2p.log import Charter, keepers
from p2p.session import Session

from .bots import BotPlayer, Pace
from .console import Canvas, Console, Left
from .dealt import check_dealing
from .driver import LINGER, Party, run_bots
from .ending import Ending, stays
from .errors import CHEATED, FINE, STORAGE, Interrupted
from .files import kept_game, write_bytes
from .folders import Folders
from .loop import first_of
from .muting import keep as keep_muted
from .options import REACTION, Settings
from .plain import End, PlainTable
from .presenter import Presenter
from .program import call, call_here
from .readiness import Readiness, is_practice_of_race
from .tabletop.options import remember_choice
from .text import Glyphs
from .translation import gettext as _
from .watching.finding import watchable

if TYPE_CHECKING:
    from .tabletop.desk import Desk

ID_DIGITS = 8
"""Hexadecimal digits of a table id that name a game on one machine: 1 in 4 billion for a second one."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How this seat is played and shown. ``auto`` names the bot that plays it, if one does."""

    glyphs: Glyphs
    auto: str = ""
    hurry: bool = False
    record: Path | None = None


async def run_game(
    party: Party,
    rules: AnyRules,
    console: Console,
    manner: Manner,
    folders: Folders,
    settings: Settings,
    *,
    is_resumed: bool = False,
    desk: Desk | None = None,
    at_end: Callable[[Ending], None] | None = None,
) -> int:
    """Play until the game is over or the player leaves; the exit code. ``desk`` has the readers of a table
    with cards one can touch. ``at_end`` may add to what is offered when the game is over."""
    table = party.me.table
    assert table is not None
    charter = table.session.charter
    check_dealing(charter, table.session.seat, None if desk is None else desk.cards)
    pace = _pace(party, charter, manner, settings, is_asked=desk is None and stays(console, manner.auto))
    bot = BotPlayer(manner.auto, pace) if manner.auto else None
    if desk is not None:
        remember_choice(folders, charter.table_id, desk.choice)
    screen = await _screen(party, rules, console, manner, folders, bot, is_resumed, desk)
    screen.keep_waiting(pace.ready)
    bots = asyncio.create_task(run_bots(party.bots, pace))
    try:
        async with watchable(party.me.node, charter):
            end = await first_of(screen.play(), _broken(bots))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                await asyncio.shield(bots)
    except Left as left:
        if table.session.is_closed:
            return _conclude(End(), table, console, manner, folders)[0]
        await _pause(party, table, manner)
        if str(left):
            console.write(str(left))
        console.write(_paused(table.session))
        console.write(_("  Next: {hint}").format(hint=resume_command(charter.table_id)))
        return FINE
    except asyncio.CancelledError:
        if table.session.is_closed:
            _conclude(End(), table, console, manner, folders)
            raise Interrupted(_("Stopped; the game was over.")) from None
        await _pause(party, table, manner)
        raise Interrupted(_paused(table.session), resume_command(charter.table_id)) from None
    except Exception:
        text = _("The game stops here. Go on later with: {command}")
        console.write(text.format(command=resume_command(charter.table_id)))
        raise
    finally:
        if desk is not None:
            await _clear(desk, table.session, folders)
        bots.cancel()
        await asyncio.gather(bots, return_exceptions=True)
    code, record = _conclude(end, table, console, manner, folders)
    if record is not None and stays(console, manner.auto):
        from .ending_record import what_now  # a game that begins need not wait for it

        await what_now(console, screen, record, at_end if end.fault is None else None)
    keep_muted(party.muted, [seat.public for seat in charter.seats], screen.muted)
    return code


def _pace(party: Party, charter: Charter, manner: Manner, settings: Settings, *, is_asked: bool) -> Pace:
    usual = 0.0 if manner.hurry else REACTION
    reaction = usual if settings.reaction is None else settings.reaction
    return Pace(manner.hurry, reaction, _unhurried(party, charter, is_asked))


def _unhurried(party: Party, charter: Charter, is_asked: bool) -> Readiness | None:
    """In a race against bots alone nobody is hurried; what they wait for, if the person ``is_asked``."""
    table = party.me.table
    if table is None or not is_practice_of_race(charter, table.session.seat):
        return None
    for member in party.members:
        if member.table is not None:
            member.table.session.take_time()
    return Readiness() if is_asked else None


async def _screen(
    party: Party,
    rules: AnyRules,
    console: Console,
    manner: Manner,
    folders: Folders,
    bot: BotPlayer | None,
    is_resumed: bool,
    desk: Desk | None,
) -> PlainTable:
    """The player's own screen, or one for all the people at this machine's table."""
    table = party.me.table
    assert table is not None
    charter, me = table.session.charter, table.session.seat
    names = [seat.name for seat in charter.seats]
    safety = words(charter.table_id)
    glyphs = console.glyphs if isinstance(console, Canvas) else manner.glyphs
    muted = {seat for seat, info in enumerate(charter.seats) if info.public in party.muted}
    if len(party.people) == 1 and desk is None:
        presenter = Presenter(rules, names, me, glyphs)
        presenter.muted |= muted
        return PlainTable(table, presenter, console, safety, bot, is_resumed)
    from .tabletop.kept import forget_over  # most games are played on the screen alone
    from .tabletop.opening import is_everybodys, open_screen

    await asyncio.to_thread(lambda: forget_over(folders.kept, party.me.store.games()))
    presenter = Presenter(rules, names, -1 if is_everybodys(party, desk) else me, glyphs)
    presenter.muted |= muted
    return await open_screen(party, rules, console, glyphs, folders, presenter, safety, is_resumed, desk)


async def _clear(desk: Desk, session: Session, folders: Folders) -> None:
    """The game is left, or over: then nothing is kept of how it lay on the table."""
    desk.end()
    if session.is_over:
        await desk.forget()
        remember_choice(folders, session.charter.table_id, None)


async def _pause(party: Party, table: Table, manner: Manner) -> None:
    await party.pause()
    _write_record(manner.record, table)


def _paused(session: Session) -> str:
    charter, me = session.charter, session.seat
    if me in session.history.progress.gone:
        return _("You stop watching. You have left the game; it goes on without you.")
    text = _("The game is paused; nothing is lost.")
    return text if keepers(charter) == (me,) else text + " " + _("The others wait.")


async def _broken(bots: asyncio.Task[None]) -> End:
    """Ends only if a bot of this process breaks; a bot that is done is no news."""
    await asyncio.wait([bots])
    bots.result()
    await asyncio.Event().wait()
    raise AssertionError("never reached")


def _conclude(
    end: End, table: Table, console: Console, manner: Manner, folders: Folders
) -> tuple[int, Path | None]:
    """The exit code, and the record that was written."""
    if end.is_stale:
        return STORAGE, None
    saved = save_record(table, folders)
    _write_record(manner.record, table)
    shown = manner.record or saved
    console.write(_("Record: {path}").format(path=shown))
    console.write(
        _("Anyone can check it: {command}").format(command=call(f"verify {shlex.quote(str(shown))}"))
    )
    return CHEATED if end.fault is not None else FINE, shown


def save_record(table: Table, folders: Folders) -> Path:
    """Write the game's record into the records folder; its path."""
    path = record_path_of(folders, table.session.charter)
    write_bytes(path, table.record(), kept_game(game_id(table.session.charter.table_id)))
    return path


def record_path_of(folders: Folders, charter: Charter) -> Path:
    """Where the record of a game goes that ends today."""
    day = dt.datetime.now(tz=dt.UTC).astimezone().date().isoformat()
    return folders.records / f"{day}-{charter.game}-{game_id(charter.table_id)}.shoal"


def _write_record(path: Path | None, table: Table) -> None:
    if path is not None:
        write_bytes(path, table.record(), kept_game(game_id(table.session.charter.table_id)))


def game_id(table_id: bytes) -> str:
    """How a game is named on this machine."""
    return table_id.hex()[:ID_DIGITS]


def resume_command(table_id: bytes) -> str:
    """The command that goes on with a game."""
    return call_here(f"resume {game_id(table_id)}")
