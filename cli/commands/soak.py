"""``shoal soak``: many simulated tables with faults of all kinds."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import click

from engine.registry import game as rules_of
from p2p.io.sodium import load_group
from p2p.sealed.testgroup import SmallGroup
from p2p.sim import Broken, Plan, World, make_departure, make_plan

from ..errors import BAD, FINE, Failure
from ..options import general_options, json_option
from ..processes import spread, workers
from ..program import call
from ..progress import Progress
from ..telling import tell
from ..translation import gettext as _

GAMES = ("go-fish", "one-fish", "casino", "discount-salmon")

CHUNK = 5
"""Tables that a process is given at a time: a second of work, so that the progress moves."""


class Kind(NamedTuple):
    """What all tables of a run have in common."""

    games: tuple[str, ...]
    most_seats: int
    is_real: bool
    is_small: bool
    is_left: bool


class Found(NamedTuple):
    """How one table went: what was counted, and what was wrong, if anything."""

    seed: int
    game: str
    counts: dict[str, int]
    fault: str


@click.command("soak")
@click.option(
    "--seed", default=1, show_default=True, help="The first table's seed; each next one is one more."
)
@click.option(
    "--games", default=100, show_default=True, type=click.IntRange(1, 10_000_000), help="How many tables."
)
@click.option("--game", "only", metavar="GAME", help="Only this game; otherwise all four.")
@click.option(
    "--seats", default=3, show_default=True, type=click.IntRange(2, 6), help="Players at a table at most."
)
@click.option("--real", is_flag=True, help="The real group in place of a small one: several times as long.")
@click.option("--whole", is_flag=True, help="Whole packs in place of small ones: longer games.")
@click.option(
    "--leave", is_flag=True, help="Tables of three or more, which one or two players leave for good."
)
@json_option
@general_options
def command(
    seed: int, games: int, only: str | None, seats: int, real: bool, whole: bool, leave: bool, as_json: bool
) -> int:
    """Simulate tables whose network, disks and clocks fail, and check that nothing is lost.

    Frames are lost, doubled and late, links are cut, some players never reach each other, seats crash in the
    middle of writing, disks are lost, clocks jump.
    Each seed is one table, the same on every machine. Ends with code 1 where anything was wrong.

    \b
    Example:
      shoal soak --games 1000
      shoal soak --seed 42 --games 1 --game casino
    """
    names = (rules_of(only).info.id,) if only else GAMES
    if leave and whole:
        raise Failure(_("Players leave tables with small packs alone."), _("Leave out --whole."))
    kind = Kind(names, seats, real, not whole, leave)
    seeds = range(seed, seed + games)
    started = time.perf_counter()
    totals: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    faults: list[Found] = []
    with Progress(_("Playing"), games) as progress:
        for done, found in enumerate(_found(seeds, kind), 1):
            totals.update(found.counts)
            kinds[found.game] += 1
            faults += [found] if found.fault else []
            progress.at(done)
    seconds = time.perf_counter() - started
    if as_json:
        bad = [{"seed": each.seed, "game": each.game, "fault": each.fault} for each in faults]
        facts = {"games": games, "seconds": round(seconds, 1), "of": dict(kinds), "counts": dict(totals)}
        click.echo(json.dumps({**facts, "faults": bad}))
        return BAD if faults else FINE
    _print(games, seconds, kinds, totals)
    if not faults:
        text = _("  Nothing was wrong at any table (seeds {first} to {last}).")
        tell(text.format(first=seeds[0], last=seeds[-1]))
    for each in faults:
        tell(_("seed {seed} ({game}): {fault}").format(seed=each.seed, game=each.game, fault=each.fault))
        flags = {"--real": real, "--whole": whole, "--leave": leave}
        more = [f"--seats {seats}", *(flag for flag, is_set in flags.items() if is_set)]
        again = f"soak --seed {each.seed} --games 1 --game {each.game} {' '.join(more)}"
        tell(_("  again: {command}").format(command=call(again)))
    return BAD if faults else FINE


def _print(games: int, seconds: float, kinds: Counter[str], totals: Counter[str]) -> None:
    text = _("{games} tables in {seconds:.0f} s ({kinds})")
    each = ", ".join(f"{name} {count}" for name, count in sorted(kinds.items()))
    tell(text.format(games=games, seconds=seconds, kinds=each))
    tell(
        _(
            "  {steps} steps, {frames} frames ({lost} lost), {crashes} crashes, {disks} disks lost, "
            "{skips} skipped seats, {rewinds} steps taken back"
        ).format(**totals)
    )


def _found(seeds: Sequence[int], kind: Kind) -> Iterator[Found]:
    count = workers(len(seeds))
    work = partial(_one, kind=kind)
    if count == 1:
        yield from map(work, seeds)
        return
    batches = [seeds[at : at + CHUNK] for at in range(0, len(seeds), CHUNK)]
    for found in spread(partial(_several, kind=kind), batches, count):
        yield from found


def _plan(seed: int, kind: Kind) -> Plan:
    if kind.is_left:
        return make_departure(seed, kind.games, most_seats=kind.most_seats)
    return make_plan(seed, kind.games, most_seats=kind.most_seats, small=kind.is_small)


def _several(seeds: Sequence[int], kind: Kind) -> list[Found]:
    return [_one(seed, kind) for seed in seeds]


def _one(seed: int, kind: Kind) -> Found:
    """One table. An error inside a session is a finding, too: the run goes on and names the seed."""
    plan = _plan(seed, kind)
    world = World(plan, load_group() if kind.is_real else SmallGroup())
    try:
        world.run()
    except Broken as error:
        return Found(seed, plan.game, world.counts, str(error))
    except Exception as error:  # noqa: BLE001  # told with its seed
        return Found(seed, plan.game, world.counts, f"{type(error).__name__}: {error}")
    return Found(seed, plan.game, world.counts, "")
