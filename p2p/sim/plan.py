"""What one simulated table plays, and what befalls it: all of it drawn from one seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.own_deck import OWN_DECK
from engine.registry import game
from engine.rng import Stream

MOST_FAULTS: Final = 8
"""Faults of each kind that befall one table. More would only make games longer: each is drawn anew at another
moment for every seed."""

_FISH: Final = """
id = "few-fish"
written = ["colour", "number"]
[[attributes]]
name = "number"
values = ["1", "2", "3"]
[[attributes]]
name = "colour"
values = ["R", "B", "Y"]
aliases = { red = "R", blue = "B", yellow = "Y" }
[[cards]]
copies = COPIES
"""

_RANKS: Final = """
id = "few-ranks"
[[attributes]]
name = "rank"
values = [RANKS]
[[attributes]]
name = "suit"
values = ["C", "D", "H", "S"]
[[cards]]
"""

_ALL_RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")

_SALMON: Final = """
id = "few-salmon"
[[attributes]]
name = "kind"
values = ["stinky", "ugly", "perfume", "makeup", "gym-sock", "mustache", "blender"]
[[cards]]
kind = ["stinky", "ugly"]
[[cards]]
kind = ["perfume", "makeup", "gym-sock", "mustache", "blender"]
copies = COPIES
"""


@dataclass(frozen=True, slots=True)
class Chance:
    """How the network treats single frames: probabilities, and seconds of delay from ``soonest`` to
    ``latest``. With ``is_ordered`` no frame overtakes another one of its direction."""

    loss: float = 0.0
    twice: float = 0.0
    soonest: float = 0.0005
    latest: float = 0.003
    is_ordered: bool = True


@dataclass(frozen=True, slots=True)
class Crash:
    """At ``at`` seconds, or ``boundaries`` effects later, ``seat`` stops dead; it is back after ``down``.
    With ``is_lost`` all that its disk held is lost then, but for its key and the secret of the game."""

    at: float
    seat: int
    boundaries: int
    down: float
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """From ``at`` on, for ``lasts`` seconds, no frame of ``pairs`` (sender, receiver) arrives. ``is_seen``:
    both ends are told that their link is gone, and later that it is back."""

    at: float
    lasts: float
    pairs: tuple[tuple[int, int], ...]
    is_seen: bool


@dataclass(frozen=True, slots=True)
class Sleep:
    """A lid is closed: ``seat`` does nothing for ``lasts`` seconds. Its clock runs on if ``clock_runs``."""

    at: float
    seat: int
    lasts: float
    clock_runs: bool


@dataclass(frozen=True, slots=True)
class Leaver:
    """At ``at`` seconds, or ``boundaries`` effects later, all seats of a keeper are gone for good."""

    at: float
    keeper: int
    boundaries: int


@dataclass(frozen=True, slots=True)
class Plan:
    """One table and its faults. ``calm`` is when the last of them is over. The pairs of ``hidden`` never
    reach each other: what they say goes by way of a third seat."""

    seed: int
    game: str
    options: Mapping[str, str]
    seats: int
    keepers: tuple[int, ...]
    reveal: str
    chance: Chance
    crashes: tuple[Crash, ...]
    cuts: tuple[Cut, ...]
    sleeps: tuple[Sleep, ...]
    calm: float
    answer_delay: float
    leavers: tuple[Leaver, ...] = ()
    recovery: bool = False
    hidden: frozenset[frozenset[int]] = frozenset()

    def __str__(self) -> str:
        faults = f"{len(self.crashes)} crashes, {len(self.cuts)} cuts, {len(self.sleeps)} sleeps"
        faults += ", a disk lost" if any(crash.is_lost for crash in self.crashes) else ""
        faults += ", two apart" if self.hidden else ""
        return f"seed {self.seed}: {self.game}, {self.seats} seats, {faults}, loss {self.chance.loss:.0%}"


def make_plan(seed: int, games: Sequence[str], *, most_seats: int = 3, small: bool = True) -> Plan:
    """The plan of a seed: the same on every machine. ``small`` packs make games of a few dozen steps.

    Which of ``games`` it is does not change what else is drawn, so that a seed is found again by naming its
    game alone.
    """
    name = Stream(seed, "game").choice(list(games))
    draw = Stream(seed, "plan")
    info = game(name).info
    seats = info.least_seats + draw.below(min(most_seats, info.most_seats) - info.least_seats + 1)
    keepers = _keepers(draw, seats)
    options = _options(draw, name, seats, small)
    span = 2.0 + draw.below(400) / 10  # seconds in which faults begin: most of a small game, or all of it
    crashes = tuple(
        Crash(_moment(draw, span), draw.below(seats), draw.below(12), draw.below(80) / 10)
        for _ in range(draw.below(MOST_FAULTS))
    )
    cuts = tuple(_cut(draw, span, seats) for _ in range(draw.below(MOST_FAULTS)))
    crashes = _with_loss(Stream(seed, "loss"), crashes)
    sleeps = tuple(
        Sleep(_moment(draw, span), draw.below(seats), draw.below(100) / 10, draw.below(2) == 0)
        for _ in range(draw.below(MOST_FAULTS // 2))
    )
    ends = [crash.at + 5 + crash.down for crash in crashes]
    ends += [cut.at + cut.lasts for cut in cuts]
    ends += [sleep.at + sleep.lasts for sleep in sleeps]
    chance = _chance(draw)
    if any(crash.is_lost for crash in crashes):
        # As real links are: in order and whole, or not at all. What a "have" says hangs on it.
        chance = replace(chance, loss=0.0, twice=0.0, is_ordered=True)
        cuts = tuple(replace(cut, is_seen=True) for cut in cuts)
    return Plan(
        seed,
        name,
        options,
        seats,
        keepers,
        draw.choice(["end", "end", "never"]),
        chance,
        crashes,
        cuts,
        sleeps,
        max([span, *ends]),
        draw.choice([0.5, 3.0]),
        hidden=_hidden(Stream(seed, "hidden"), seats),
    )


def make_departure(seed: int, games: Sequence[str], *, most_seats: int = 5) -> Plan:
    """The plan of a seed with three keepers at least and keys in escrow, of whom one leaves for good, or two
    one after the other; a few crashes and cuts befall the others."""
    plan = make_plan(seed, games, most_seats=most_seats)
    draw = Stream(seed, "departure")
    seats = max(3, plan.seats)
    if seats != plan.seats:
        plan = replace(plan, seats=seats, options=_options(draw, plan.game, seats, True))
    keepers = _keepers(draw, seats) if seats > 3 else tuple(range(seats))
    there = sorted(set(keepers))
    first = draw.choice(there)
    leavers = [Leaver(_moment(draw, plan.calm), first, draw.below(12))]
    if len(there) > 3 and draw.below(2):
        others = [keeper for keeper in there if keeper != first]
        leavers.append(Leaver(leavers[0].at + draw.below(400), draw.choice(others), draw.below(12)))
    calm = max(plan.calm, *(leaver.at for leaver in leavers))
    crashes = tuple(replace(each, is_lost=False) for each in plan.crashes)
    hidden = plan.hidden if seats > 4 else frozenset()  # of fewer, the last one whom both reach may leave
    return replace(
        plan, keepers=keepers, leavers=tuple(leavers), recovery=draw.below(4) > 0, calm=calm,
        crashes=crashes, hidden=hidden,
    )  # fmt: skip


def _with_loss(draw: Stream, crashes: tuple[Crash, ...]) -> tuple[Crash, ...]:
    """Now and then one seat loses its disk. No other one crashes then: what two of them have lost is lost for
    all, and not held against anybody."""
    if not crashes or draw.below(5):
        return crashes
    last = crashes[-1]
    return (*(each for each in crashes[:-1] if each.seat == last.seat), replace(last, is_lost=True))


def _hidden(draw: Stream, seats: int) -> frozenset[frozenset[int]]:
    """Now and then a pair that never meets; larger tables have two of them, that share nobody."""
    if seats < 3 or draw.below(4):
        return frozenset()
    order = list(range(seats))
    draw.shuffle(order)
    pairs = [frozenset(order[:2])]
    if seats > 4 and draw.below(2):
        pairs.append(frozenset(order[2:4]))
    return frozenset(pairs)


def _moment(draw: Stream, span: float) -> float:
    return draw.below(10_000) / 10_000 * span


def _keepers(draw: Stream, seats: int) -> tuple[int, ...]:
    """Mostly every seat its own; now and then the last one is a bot of another's."""
    alone = tuple(range(seats))
    return alone if seats == 2 or draw.below(4) else (*alone[:-1], draw.below(seats - 1))


def _chance(draw: Stream) -> Chance:
    if draw.below(2):
        return Chance(0.0, 0.0, 0.0005, 0.003 * (1 + draw.below(100)), True)
    return Chance(draw.below(15) / 100, draw.below(10) / 100, 0.0005, 0.3, False)


def _cut(draw: Stream, span: float, seats: int) -> Cut:
    """One seat from all others, or one direction between two, or two groups from each other."""
    at, lasts, is_seen = _moment(draw, span), draw.below(120) / 10, draw.below(2) == 0
    kind, one = draw.below(3), draw.below(seats)
    others = [seat for seat in range(seats) if seat != one]
    if kind == 0:
        pairs = [(one, other) for other in others] + [(other, one) for other in others]
    elif kind == 1:
        pairs, is_seen = [(one, draw.choice(others))], False
    else:
        side = [seat for seat in range(seats) if seat == one or draw.below(2)]
        rest = [seat for seat in range(seats) if seat not in side]
        pairs = [pair for a in side for b in rest for pair in ((a, b), (b, a))]
    return Cut(at, lasts, tuple(pairs), is_seen)


def _options(draw: Stream, name: str, seats: int, small: bool) -> Mapping[str, str]:
    """Other rules now and then, and a pack that is as small as the game allows with so many players."""
    pace = draw.choice([{"pace": "turns"}, {"pace": "realtime", "stale_seconds": "1"}])
    rules = draw.choice([{}, {"ask_mode": "card"}]) | draw.choice(
        [{}, {"end_mode": "all_books"}, {"give_amount": "one"}]
    )
    pack = small_pack(name, seats) if small else {}
    match name:
        case "go-fish":
            return {**pack, **rules}
        case "discount-salmon":
            return {**pack, **pace}
    return pack


def small_pack(name: str, seats: int) -> dict[str, str]:
    """Options for a pack that is as small as a game allows with so many players; none for an unknown game."""
    match name:
        case "go-fish":
            suits = "2" if seats <= 3 else "4"
            return {"ranks": "3", "suits": suits, "book_size": "2", "hand_size": "1"}
        case "one-fish":
            return {OWN_DECK: _FISH.replace("COPIES", "2" if seats <= 3 else "4")}
        case "casino":
            ranks = _ALL_RANKS[: (7 * seats + 6) // 4]  # seven for each hand, and a few to draw
            return {OWN_DECK: _RANKS.replace("RANKS", ", ".join(f'"{rank}"' for rank in ranks))}
        case "discount-salmon":
            return {OWN_DECK: _SALMON.replace("COPIES", "4" if seats <= 3 else "7")}
    return {}
