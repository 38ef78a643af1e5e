"""``shoal watch``: look on at somebody's table, and verify everything that happens there."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import click

from engine.registry import game
from p2p.identity import Identity
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.watching import BadFeed, Judged, Spectator, WatchRefused
from p2p.link import LinkError

from ..choices import player_name
from ..console import Console, Left, open_console
from ..errors import FINE, NETWORK, Failure, Interrupted
from ..files import write_bytes
from ..folders import Folders, folders
from ..language import said_of
from ..loop import run_async
from ..manner import can_show_suits, numbered, record_path
from ..network import places_named
from ..options import (
    Settings,
    ascii_option,
    general_options,
    lines_option,
    name_option,
    plain_option,
    suits_option,
)
from ..program import call, call_here
from ..replay.verdict import verdict_lines
from ..seats import record_path_of
from ..text import Glyphs, Speaker
from ..translation import gettext as _
from ..translation import ngettext
from ..watching.ending import watch_on
from ..watching.facts import report_facts
from ..watching.finding import choose, the_only_one, watched_tables
from ..watching.front import WatchFront
from .verify import CODES


@click.command("watch")
@click.argument("where", metavar="[TABLE|HOST:PORT]...", nargs=-1)
@click.option("--record", metavar="FILE", help="Write the game's record to FILE, as far as it was seen.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print a JSON object for each step, and one for the verdict."
)
@name_option
@suits_option
@ascii_option
@lines_option
@plain_option
@general_options
@click.pass_obj
def command(
    settings: Settings,
    where: Sequence[str],
    record: str | None,
    as_json: bool,
    name: str | None,
    ascii_only: bool,
    plain: bool,
) -> int:
    """Look on at a table on your network, from now on or from its first card: you see what everybody sees,
    and all of it is verified here, from the first step. Nothing that you do reaches the game.

    Without an argument the games that can be found are listed. Any player's program will do; the table's
    host says who may watch (shoal host --watchers).

    The exit code is that of verify: 0 for a sound game, 4 where a player cheated; 3 where it was lost sight
    of.

    \b
    Example:
      shoal watch
      shoal watch Ann
      shoal watch 192.168.1.20:7467 --record game.shoal
    """
    wanted, addresses = places_named(where)
    at = folders(settings)
    path = record_path(record)
    named = player_name(name, at, may_ask=not as_json)
    if as_json:
        return run_async(_facts(at, named, wanted, addresses, path))
    return run_async(_watch(settings, at, named, wanted, addresses, path, plain, ascii_only))


def _spectator(at: Folders, name: str) -> Spectator:
    with Store.open(at.data) as store:
        identity: Identity = store.identity() or store.create_identity(os.urandom(32), name)
    return Spectator(identity, name, game, load_group())


async def _watch(
    settings: Settings,
    at: Folders,
    name: str,
    wanted: str | None,
    addresses: tuple[str, ...],
    record: Path | None,
    plain: bool,
    ascii_only: bool,
) -> int:
    async with open_console(plain, settings.screen) as console:
        spectator = await asyncio.to_thread(_spectator, at, name)
        if not addresses:
            console.write(_("Looking for games that one may watch …"))
            try:
                addresses = await choose(console, await watched_tables(wanted))
            except Left:
                return _left(at, None, console, spectator, record)
        console.write(_("Asking as {name} to watch …").format(name=name))
        glyphs, code, number = Glyphs(ascii_only or not can_show_suits()), FINE, 1
        while True:
            front = WatchFront(spectator, console, glyphs)
            path = numbered(record, number)
            try:
                judged = await _watch_one(
                    at, spectator, addresses, front, path, is_patient=console.is_interactive
                )
            except Left:
                return max(code, _left(at, front, console, spectator, path))
            except (LinkError, WatchRefused) as error:
                if number == 1:
                    raise
                console.write(_("This table plays no other game: {reason}").format(reason=said_of(error)))
                return code
            code = max(code, _conclude(at, judged, front, console, spectator, path))
            if not (judged.is_whole and await watch_on(console, front)):
                return code
            spectator, number = spectator.next_game(), number + 1


async def _watch_one(
    at: Folders,
    spectator: Spectator,
    addresses: tuple[str, ...],
    front: WatchFront,
    record: Path | None,
    *,
    is_patient: bool,
) -> Judged:
    try:
        async with aclosing(spectator.watch(addresses, is_patient=is_patient)) as seen:
            return await front.watch(seen)
    except BadFeed as error:
        raise Failure(said_of(error), _("Watch at another player's program."), NETWORK) from None
    except asyncio.CancelledError:
        _write(at, record, spectator)
        raise Interrupted(_("Stopped watching; the game goes on.")) from None


def _left(
    at: Folders, front: WatchFront | None, console: Console, spectator: Spectator, record: Path | None
) -> int:
    steps = 0 if front is None else front.steps
    console.write(
        ngettext(
            "You stopped watching after {n} step; it was verified.",
            "You stopped watching after {n} steps; all of them were verified.",
            steps,
        ).format(n=steps)
    )
    _write(at, record, spectator)
    return FINE


def _conclude(
    at: Folders,
    judged: Judged,
    front: WatchFront,
    console: Console,
    spectator: Spectator,
    record: Path | None,
) -> int:
    show = front.presenter
    say = Speaker((), -1, Glyphs()) if show is None else show.say
    for line in verdict_lines(judged.report, say)[:1]:
        console.write(line.text)
    _write(at, record, spectator)
    if record is not None:
        console.write(_("Record: {path}").format(path=record))
        console.write(
            _("Anyone can check it: {command}").format(command=call(f"verify {shlex.quote(str(record))}"))
        )
    if not judged.is_whole:
        text = _("No player's program can be reached any more; the game may go on without being seen.")
        if spectator.paused:
            text = _("The game was paused by {names}, and no player's program can be reached now.")
        console.write(text.format(names=say.listed(spectator.paused)))
        console.write(_("  Next: {hint}").format(hint=call_here("watch")))
        return NETWORK
    return CODES[judged.report.verdict]


def _write(at: Folders, record: Path | None, spectator: Spectator) -> None:
    """The record as far as it was seen. No store keeps a game that is watched: where the file cannot be
    written, the folder of records gets it. Raises ``Failure``."""
    if record is None or not spectator.has_begun:
        return
    data = spectator.record()
    try:
        write_bytes(record, data)
    except Failure as failure:
        raise Failure(failure.message, _rescued(at, spectator, data), failure.code) from None


def _rescued(at: Folders, spectator: Spectator, data: bytes) -> str:
    try:
        path = record_path_of(at, spectator.verifier.history.charter)
        write_bytes(path, data)
    except (Failure, OSError):
        return _("What was seen of the game is lost: a game that is watched is kept nowhere else.")
    return _("What was seen of the game was written to {path} instead.").format(path=path)


async def _facts(
    at: Folders, name: str, wanted: str | None, addresses: tuple[str, ...], record: Path | None
) -> int:
    spectator = await asyncio.to_thread(_spectator, at, name)
    addresses = addresses or the_only_one(await watched_tables(wanted)).addresses
    try:
        async with aclosing(spectator.watch(addresses)) as seen:
            judged = await report_facts(spectator, seen, click.echo)
    except BadFeed as error:
        raise Failure(said_of(error), _("Watch at another player's program."), NETWORK) from None
    finally:
        _write(at, record, spectator)
    return CODES[judged.report.verdict] if judged.is_whole else NETWORK
