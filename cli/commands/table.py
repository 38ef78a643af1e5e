"""``shoal table``: the pads of a real table."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace

import click

from engine.registry import game as rules_of
from hardware.io import list_ports, load_table, save_table, stable_name
from hardware.io.entries import WEDGE
from hardware.pads import HUB, Pads, Role, parse_role
from hardware.table_texts import ReaderEntry, TableFile

from ..console import BareConsole
from ..errors import FINE, HARDWARE, Failure, Interrupted
from ..folders import Folders, folders_here
from ..hardware_readers import entries_of, links_of, reader_option, typing
from ..hardware_setup import KEYS, MODES, Setup, pad_name, place_name, roles_for
from ..loop import run_async
from ..options import general_options, json_option
from ..program import call_here
from ..telling import tell
from ..translation import gettext as _


@click.group("table")
@general_options
def command() -> None:
    """Say which pad of a real table is what, by tapping; see what was said.

    \b
    Example:
      shoal table setup --player Ana --player Ben --reader /dev/ttyUSB0
      shoal table show
    """


@command.command("setup")
@click.option(
    "--mode",
    type=click.Choice(MODES),
    help="How the cards are used: as an input device, unprinted, or as the printed deck. Without it the "
    "question is asked, or they are unprinted where nobody can be asked.",
)
@click.option("--player", "players", metavar="NAME", multiple=True, help="Who sits at this table; repeat.")
@click.option("--game", metavar="GAME", default="", help="For this game: Casino has a pool, too.")
@click.option(
    "--role",
    "roles",
    metavar="ROLE",
    multiple=True,
    help="Choose this pad anew: pond, discard, pool, seat:NAME, ask:NAME or hub; repeat.",
)
@click.option("--add", is_flag=True, help="A role may have several pads: keep those it has.")
@click.option("--redo", is_flag=True, help="Forget all pads first.")
@reader_option
@json_option
@general_options
def setup(
    mode: str | None,
    players: tuple[str, ...],
    game: str,
    roles: tuple[str, ...],
    add: bool,
    redo: bool,
    named: tuple[str, ...],
    as_json: bool,
) -> int:
    """Tap a tag on each pad that is asked for; stopped with Ctrl-C, it goes on there the next time.

    Typed on the way: skip, back, quit, or a role to choose its pad anew.

    \b
    Example:
      shoal table setup --player Ana --player Ben --reader /dev/ttyUSB0
      shoal table setup --mode controller
      shoal table setup --role seat:Ben
    """
    at = folders_here()
    table = load_table(at.table)
    if redo:
        table = table.with_pads(Pads())
    if game:
        rules_of(game)
    if roles:
        wanted = [parse_role(text) for text in roles]
    else:
        mode = mode or _mode(as_json)
        players = tuple(_names(mode, players, as_json))
        wanted = roles_for(mode, players, game)
        wanted = [role for role in wanted if add or not table.pads.places(role)]
    if not wanted:
        raise Failure(
            _("All pads are set up already."),
            _("See them: {show}. Choose one anew with --role ROLE, all with --redo.").format(
                show=call_here("table show")
            ),
        )
    if redo:
        save_table(at.table, table)
    work = Setup(table, wanted, at.table, [], [], tell, as_json, add)
    code = run_async(_setup(at, work, named))
    if not as_json:
        _say_what_lacks(work, wanted, shares_screen=mode == "blank" and len(players) > 1)
    return code


def _can_ask(as_json: bool) -> bool:
    return not as_json and sys.stdin.isatty() and sys.stdout.isatty()


def _mode(as_json: bool) -> str:
    if not _can_ask(as_json):
        return "blank"
    for name, about in MODES.items():
        tell(f"  {name:10}  {_(about)}")
    return str(click.prompt(_("How are the cards used?"), type=click.Choice(list(MODES))))


def _say_what_lacks(work: Setup, wanted: Sequence[Role], *, shares_screen: bool) -> None:
    missing = [role for role in wanted if not work.table.pads.places(role)]
    if missing:
        named = ", ".join(f"{pad_name(role)} ({role})" for role in missing)
        again = call_here("table setup " + " ".join(f"--role {shlex.quote(str(role))}" for role in missing))
        tell(_("Without a pad: {pads}. Later: {command}").format(pads=named, command=again))
    if shares_screen and HUB in missing:
        tell(
            _(
                "Players who share a screen need {pad}: only a token on it shows them their cards. Who sits "
                "alone at a screen does not."
            ).format(pad=pad_name(HUB))
        )


def _names(mode: str, players: Sequence[str], as_json: bool) -> list[str]:
    if players or mode == KEYS:
        return [name.strip() for name in players]
    if _can_ask(as_json):
        text = str(click.prompt(_("Who sits at this table? Names, with commas between them")))
        return [name.strip() for name in text.split(",") if name.strip()]
    raise Failure(
        _("Who sits at this table?"),
        _(
            "Name everybody: --player NAME, repeated. One pad for all, with cards as an input device, needs "
            "no names: --mode controller."
        ),
    )


async def _setup(at: Folders, work: Setup, named: Sequence[str]) -> int:
    console = BareConsole()
    console.prompt_is_shown = console.prompt_is_shown and not work.as_json
    entries = await entries_of(named, work.table, lambda text: None if work.as_json else console.write(text))
    work.entries = [_stable(entry) for entry in entries]
    if not entries:
        raise _no_reader()
    work.links, work.typing, work.write = links_of(work.entries, at.data), typing(entries), console.write
    if not work.as_json:
        console.write(_("Lift all tags off the pads. Typed words: skip, back, quit, or a role."))
    try:
        await work.run(console)
    except asyncio.CancelledError:
        text = _("Stopped. What was tapped is kept: the same command goes on from here.")
        raise Interrupted(text) from None
    finally:
        console.leave()
    if not work.as_json:
        tell(_("See it all: {command}").format(command=call_here("table show")))
    return FINE


def _stable(entry: ReaderEntry) -> ReaderEntry:
    """The entry with a port's name that is found again after it was plugged in elsewhere."""
    if not entry.port or entry.line or entry.kind in {WEDGE, "mqtt"} or "://" in entry.port:
        return entry
    ports = list_ports()
    port = next((each for each in ports if each.device == entry.port), None)
    return entry if port is None else replace(entry, port=stable_name(port, ports))


def _no_reader() -> Failure:
    ports = ", ".join(map(str, list_ports()))
    hint = (
        _("Ports here: {ports}. Name one with --reader PORT[:KIND].").format(ports=ports)
        if ports
        else _("Plug one in and name it with --reader PORT[:KIND]; to try it without one: {command}").format(
            command=call_here("readers emulate shoal")
        )
    )
    return Failure(_("No reader is named, and the table has none yet."), hint, HARDWARE)


@command.command("show")
@json_option
@general_options
def show(as_json: bool) -> None:
    """Show the readers of the table and what their pads are.

    \b
    Example:
      shoal table show
    """
    table = load_table(folders_here().table)
    if as_json:
        click.echo(json.dumps(_facts(table), ensure_ascii=False))
        return
    for entry in table.readers:
        options = "".join(f"  {name}={value}" for name, value in entry.options.items())
        tell(f"{entry.name}  {entry.kind}  {entry.port}{options}".rstrip())
    for place, role in table.pads.items():
        tell(f"  {role}: {pad_name(role)}  {place_name(place)}")
    if not table.pads:
        tell(_("No pad is set up. Begin with: {command}").format(command=call_here("table setup")))


def _facts(table: TableFile) -> dict[str, object]:
    return {
        "readers": [
            {"name": entry.name, "kind": entry.kind, "port": entry.port, "options": dict(entry.options)}
            for entry in table.readers
        ],
        "pads": [
            {"reader": place.reader, "antenna": place.antenna, "role": str(role)}
            for place, role in table.pads.items()
        ],
    }
