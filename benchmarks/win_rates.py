"""How the bots compare, and how long they think: plays the games and writes the tables of docs/bots.md.

The win rates follow from the seed alone and are the same on every machine; the times are of this one.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import Action, Bot, Stream, View, bot, game, play_game

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "bots.md"
BEGIN, END = "<!-- figures: make bots -->", "<!-- end of figures -->"

PAIRS = (("careful", "random"), ("sharp", "careful"))
REACTION = 8
"""Mean ticks from news to a decision in a race: the 1.2 s of bots at a table, in ticks of 150 ms."""
CHUNK = 25
"""Games per piece of work: well under a minute of any game."""
Z = 1.96
"""Of a 95 % interval."""


@dataclass(frozen=True)
class Series:
    """One game with options, at several numbers of seats."""

    game: str
    title: str
    seats: tuple[int, ...]
    options: Mapping[str, str]
    reaction: int = 0


SERIES = (
    Series("go-fish", "Go Fish", (2, 3, 6), {}),
    Series("go-fish", "Go Fish, `ask_mode=card`", (3,), {"ask_mode": "card"}),
    Series("one-fish", "One Fish", (2, 3, 6), {}),
    Series("casino", "Casino Go Fish", (2, 3, 6), {}),
    Series("discount-salmon", "Discount Salmon, `pace=turns`", (2, 3, 5), {"pace": "turns"}),
    Series("discount-salmon", "Discount Salmon, `pace=realtime`", (2, 3, 5), {}, REACTION),
)


@dataclass(frozen=True)
class Job:
    """Some games of a series between one seat (or side) of level ``one`` and the others."""

    series: Series
    seats: int
    one: str
    others: str
    seed: int
    first: int
    count: int


@dataclass(frozen=True)
class Games:
    """Sums over games: the shares of the wins and points of the one seat, and the points of the others.

    ``roles`` are games and shares as Dealer and as Patrons. ``moves``, ``seconds`` and ``longest`` are of the
    decisions of each level.
    """

    count: int
    share: float
    points: float
    rest: float
    roles: tuple[tuple[int, float], tuple[int, float]]
    times: Mapping[str, tuple[int, float, float]]

    def plus(self, other: Games) -> Games:
        """Both together."""
        times = {
            level: (a[0] + b[0], a[1] + b[1], max(a[2], b[2]))
            for level in sorted({*self.times, *other.times})
            for a, b in [(self.times.get(level, (0, 0.0, 0.0)), other.times.get(level, (0, 0.0, 0.0)))]
        }
        (dealt, dealt_share), (held, held_share) = self.roles
        (more, more_share), (held_more, held_more_share) = other.roles
        roles = ((dealt + more, dealt_share + more_share), (held + held_more, held_share + held_more_share))
        return Games(
            self.count + other.count,
            self.share + other.share,
            self.points + other.points,
            self.rest + other.rest,
            roles,
            times,
        )


def wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a win rate (E. B. Wilson, 1927).

    Shared wins are less scattered than whole ones, so it is on the safe side.
    """
    if not count:
        return 0.0, 1.0
    middle = (share + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z / (1 + Z * Z / count) * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    return middle - half, middle + half


def play(job: Job) -> Games:
    """The games of one piece of work. In game ``n`` the one seat is ``n`` modulo the number of seats.

    In Casino Go Fish the one side has the Dealer in every other game, and all Patrons in between.
    """
    rules = game(job.series.game)
    times: dict[str, list[float]] = {job.one: [0, 0.0, 0.0], job.others: [0, 0.0, 0.0]}
    one, others = (_timed(bot(level), times[level]) for level in (job.one, job.others))
    total, points, rest = 0.0, 0.0, 0.0
    roles = [[0, 0.0], [0, 0.0]]
    is_casino = job.series.game == "casino"
    for number in range(job.first, job.first + job.count):
        seat = number % job.seats
        options = {**job.series.options, **({"dealer": str(seat + 1)} if is_casino else {})}
        has_patrons = is_casino and number // job.seats % 2 == 1
        side = [n for n in range(job.seats) if (n == seat) != has_patrons]
        bots = [one if n in side else others for n in range(job.seats)]
        full = rules.options(options, job.seats)
        stream = Stream(job.seed, number)
        outcome, _ = play_game(rules, full, job.seats, bots, stream, job.series.reaction)
        share = len(set(side) & set(outcome.winners)) / len(outcome.winners)
        total += share
        points += sum(outcome.scores[n] for n in side) / len(side)
        rest += sum(s for n, s in enumerate(outcome.scores) if n not in side) / (job.seats - len(side))
        roles[has_patrons][0] += 1
        roles[has_patrons][1] += share
    return Games(
        job.count,
        total,
        points,
        rest,
        ((int(roles[0][0]), roles[0][1]), (int(roles[1][0]), roles[1][1])),
        {level: (int(taken[0]), taken[1], taken[2]) for level, taken in times.items()},
    )


def _timed(decide: Bot, taken: list[float]) -> Bot:
    """The same bot; its processor time is added up. Other programs of the machine do not count."""

    def timed(view: View[Any], legal: Sequence[Action], rng: Stream) -> Action:
        started = time.thread_time()
        action = decide(view, legal, rng)
        seconds = time.thread_time() - started
        taken[0] += 1
        taken[1] += seconds
        taken[2] = max(taken[2], seconds)
        return action

    return timed


Map = Callable[[Callable[[Job], Games], Iterable[Job]], Iterable[Games]]


def measured(series: Series, seats: int, pair: tuple[str, str], games: int, seed: int, spread: Map) -> Games:
    """All games of one row. In Casino Go Fish there are ``games`` for each role."""
    if series.game == "casino":
        games *= 2
    jobs = [
        Job(series, seats, *pair, seed, first, min(CHUNK, games - first)) for first in range(0, games, CHUNK)
    ]
    total, *others = spread(play, jobs)
    for part in others:
        total = total.plus(part)
    return total


def row(seats: int, pair: tuple[str, str], games: Games, fair: float) -> str:
    """One line of the table."""
    rate = games.share / games.count
    low, high = wilson(rate, games.count)
    points, rest = games.points / games.count, games.rest / games.count
    text = (
        f"| {seats} | `{pair[0]}` | `{pair[1]}` | {games.count:,} | **{rate:.1%}** | {low:.1%} to {high:.1%} "
    )
    return text + f"| {fair:.1%} | {points:.2f} : {rest:.2f} |"


def casino_row(seats: int, pair: tuple[str, str], games: Games) -> str:
    """The same for Casino Go Fish, with both roles."""
    rate = games.share / games.count
    low, high = wilson(rate, games.count)
    cells = []
    for count, share in games.roles:
        if not count:  # so few games that the role never came up
            cells.append("-")
            continue
        part_low, part_high = wilson(share / count, count)
        cells.append(f"{share / count:.1%} ({part_low:.1%} to {part_high:.1%})")
    text = (
        f"| {seats} | `{pair[0]}` | `{pair[1]}` | {games.count:,} | **{rate:.1%}** | {low:.1%} to {high:.1%} "
    )
    return text + f"| 50.0% | {cells[0]} | {cells[1]} |"


HEAD = """\
| seats | one | against | games | wins of one | 95 % interval | if equal | points |
|---|---|---|---|---|---|---|---|"""
CASINO_HEAD = """\
| seats | one side | other side | games | wins of one | 95 % interval | if equal | as Dealer | as Patrons |
|---|---|---|---|---|---|---|---|---|"""
TIMES_HEAD = """\
| game | bot | decisions | mean | longest |
|---|---|---|---|---|"""


def tables(games: int, seed: int, spread: Map, progress: Callable[[str], None]) -> str:
    """All tables, as Markdown."""
    parts: list[str] = []
    spent: list[str] = []
    for series in SERIES:
        is_casino = series.game == "casino"
        parts += ["", f"### {series.title}", "", CASINO_HEAD if is_casino else HEAD]
        times: dict[str, tuple[int, float, float]] = {}
        for seats in series.seats:
            for pair in PAIRS:
                found = measured(series, seats, pair, games, seed, spread)
                line = casino_row(seats, pair, found) if is_casino else row(seats, pair, found, 1 / seats)
                progress(f"{series.title}: {line}")
                parts.append(line)
                for level, (count, seconds, longest) in found.times.items():
                    before = times.get(level, (0, 0.0, 0.0))
                    times[level] = (before[0] + count, before[1] + seconds, max(before[2], longest))
        for level in ("random", "careful", "sharp"):
            count, seconds, longest = times[level]
            mean = seconds / count
            spent.append(
                f"| {series.title} | `{level}` | {count:,} | {mean * 1e3:.2f} ms | {longest * 1e3:.1f} ms |"
            )
    return "\n".join([*parts, "", "## Thinking times", "", TIMES_HEAD, *spent, ""])


def main() -> None:
    """Plays everything and rewrites the figures of docs/bots.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games of each row (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same games (default 1)")
    parser.add_argument("--print", action="store_true", help="print the tables, and leave docs/bots.md alone")
    chosen = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        text = tables(
            chosen.games, chosen.seed, pool.map, lambda line: print(line, file=sys.stderr, flush=True)
        )
    text = (
        f"`python benchmarks/win_rates.py --games {chosen.games} --seed {chosen.seed}` wrote these.\n{text}"
    )
    if chosen.print:
        print(text)
        return
    document = DOCUMENT.read_text(encoding="utf-8")
    before, rest = document.split(BEGIN)
    _, after = rest.split(END)
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
