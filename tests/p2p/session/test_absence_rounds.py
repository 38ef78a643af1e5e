"""The pure machine of absence rounds, over every order of messages."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from p2p.log import SKIP, Statement
from p2p.session.absence import AbsenceRound, Absences, Say

EPOCH, STEP = 0, 7


@dataclass
class Keeper:
    """One keeper: what it holds of the others, what it took as decided, and its machine."""

    number: int
    rounds: Absences
    holds: set[int] = field(default_factory=set)
    counted: set[int] = field(default_factory=set)

    def key(self) -> Any:
        """All of its state, comparable."""
        rounds = tuple(
            (about, each.is_due, each.holds, tuple(sorted(each.parts)), tuple(sorted(each.said.items())))
            for about, each in self.rounds.at(EPOCH, STEP)
        )
        return (tuple(sorted(self.holds)), tuple(sorted(self.counted)), rounds)


class World:
    """Keepers and letters under way. A letter is (to, kind, keeper it is about, from).

    ``silent`` keepers contribute and state nothing themselves, but their contribution may reach some. With
    ``whole`` deliveries a broadcast reaches all receivers at once or none.
    """

    def __init__(self, count: int, late: tuple[int, ...], silent: tuple[int, ...], whole: bool) -> None:
        every = tuple(range(count))
        self.silent = silent
        self.whole = whole
        self.keepers = {n: Keeper(n, Absences(lambda _: every, n)) for n in every if n not in silent}
        self.late = late
        self.letters: frozenset[tuple[tuple[int, ...], str, int, int]] = frozenset()
        for keeper in self.keepers.values():
            for other in every:
                if other == keeper.number or other not in late:
                    keeper.holds.add(other)
        for missing in late:
            self.send("entry", missing, missing)

    def key(self) -> Any:
        return (self.letters, tuple(keeper.key() for keeper in self.keepers.values()))

    def send(self, kind: str, about: int, sender: int) -> None:
        """A letter to each, or one to all at once."""
        receivers = tuple(n for n in self.keepers if n not in (sender, about))
        for to in [receivers] if self.whole else [(n,) for n in receivers]:
            if to:
                self.letters |= {(to, kind, about, sender)}

    def copied(self, changing: tuple[int, ...]) -> World:
        """This world with keepers of its own where they will change. The others are shared, for speed."""
        world = copy.copy(self)
        world.keepers = {**self.keepers, **{n: copy.deepcopy(self.keepers[n]) for n in changing}}
        return world

    def moves(self) -> Iterator[World]:
        """Every next world: one letter arrives, or one keeper loses its patience."""
        for letter in self.letters:
            world = self.copied(letter[0])
            world.letters -= {letter}
            for to in letter[0]:
                world.deliver(to, *letter[1:])
            yield world
        for number, keeper in self.keepers.items():
            for missing in self.late:
                about = (EPOCH, STEP, missing)
                if (
                    missing != number
                    and missing not in keeper.holds
                    and not keeper.rounds.round(about).is_due
                ):
                    world = self.copied((number,))
                    world.keepers[number].rounds.round(about).is_due = True
                    world.settle(number)
                    yield world

    def deliver(self, to: int, kind: str, about: int, sender: int) -> None:
        keeper = self.keepers[to]
        place = (EPOCH, STEP, about)
        match kind:
            case "entry":
                keeper.holds.add(about)
            case "part":
                keeper.rounds.round(place).parts.add(sender)
            case _:
                keeper.rounds.hear(Statement(*place, SKIP, sender, kind == "have", b""))
                if kind == "have":
                    keeper.holds.add(about)  # comes with all that its author holds
        self.settle(to)

    def settle(self, number: int) -> None:
        """Do what the machine asks for, as a session does, until it asks for nothing."""
        keeper = self.keepers[number]
        for missing in self.late:
            if missing == number:
                continue
            about = (EPOCH, STEP, missing)
            found = keeper.rounds.round(about)
            while True:
                found.holds = missing in keeper.holds
                said = found.say(keeper.rounds.may_deny(about))
                if said is None:
                    break
                if said is Say.PART:
                    found.parts.add(number)
                else:
                    keeper.rounds.hear(Statement(*about, SKIP, number, said is Say.HAVE, b""))
                self.send({Say.PART: "part", Say.HAVE: "have", Say.HAVE_NOT: "not"}[said], missing, number)
            if found.holds and found.counts:
                keeper.counted.add(missing)

    def certified(self) -> set[int]:
        """Keepers of whose absence somebody holds, or could collect, a certificate."""
        found = set()
        for missing in self.late:
            about = (EPOCH, STEP, missing)
            signers = {
                n
                for n, keeper in self.keepers.items()
                if n != missing and keeper.rounds.round(about).own is False
            }
            others = set(range(len(self.keepers) + len(self.silent))) - {missing}
            if signers == others:
                found.add(missing)
        return found


def explore(start: World, limit: int = 2_000_000) -> Iterator[World]:
    """Every world that can be reached, once."""
    seen = {start.key()}
    todo = [start]
    while todo:
        world = todo.pop()
        yield world
        for following in world.moves():
            key = following.key()
            if key not in seen:
                seen.add(key)
                assert len(seen) < limit
                todo.append(following)


def check(world: World) -> None:
    """No contribution counts anywhere whose absence is certified, and no two absences are."""
    certified = world.certified()
    assert len(certified) <= 1
    for keeper in world.keepers.values():
        assert not keeper.counted & certified - {keeper.number}


def is_at_rest(world: World) -> bool:
    return next(world.moves(), None) is None


@pytest.mark.parametrize("arrives", [True, False], ids=["late", "never"])
def test_one_round_of_three_keepers_in_every_order(arrives: bool) -> None:
    start = World(3, late=(2,), silent=(2,), whole=False)
    if not arrives:
        start.letters = frozenset()
    ends: set[tuple[bool, bool]] = set()
    count = 0
    for world in explore(start):
        count += 1
        check(world)
        if is_at_rest(world):
            counted = {2 in keeper.counted for keeper in world.keepers.values()}
            assert len(counted) == 1, "both keepers come to one end"
            ends.add((counted.pop(), 2 in world.certified()))
    assert ends == ({(True, False), (False, True)} if arrives else {(False, True)})
    assert count > (100 if arrives else 10)


def test_a_contribution_that_reaches_one_keeper_only() -> None:
    start = World(3, late=(2,), silent=(2,), whole=False)
    start.letters = frozenset(letter for letter in start.letters if letter[0] == (0,))
    ends = 0
    for world in explore(start):
        check(world)
        if is_at_rest(world):
            assert {2 in keeper.counted for keeper in world.keepers.values()} in ({True}, {False})
            ends += 1
    assert ends > 1


def test_three_keepers_that_all_miss_each_other_in_every_order() -> None:
    """Each of two keepers seems late to the others: at most one is certified, and nobody counts it."""
    count = 0
    for world in explore(World(3, late=(1, 2), silent=(), whole=False)):
        count += 1
        check(world)
    assert count > 1_000


def test_four_keepers_with_whole_deliveries() -> None:
    count = 0
    for world in explore(World(4, late=(2, 3), silent=(3,), whole=True)):
        count += 1
        check(world)
    for world in explore(World(4, late=(3,), silent=(3,), whole=True)):
        count += 1
        check(world)
        if is_at_rest(world):
            assert len({3 in keeper.counted for keeper in world.keepers.values()}) == 1
    assert count > 500


def test_two_against_two_certify_nobody() -> None:
    """Each side hears its own only. Nobody states anything, since two keepers are out of reach."""
    for side in ((0, 1), (2, 3)):
        gone = tuple(n for n in range(4) if n not in side)
        start = World(4, late=gone, silent=gone, whole=False)
        start.letters = frozenset()
        worlds = list(explore(start))
        assert len(worlds) > 1
        for world in worlds:
            assert world.certified() == set()
            for keeper in world.keepers.values():
                for missing in gone:
                    assert keeper.rounds.round((EPOCH, STEP, missing)).own is None


def test_without_the_two_phases_a_late_contribution_would_block() -> None:
    """What the phase "takes part" is for: a keeper that nobody can reach lets no one bind itself."""
    rounds = Absences(lambda _: (0, 1, 2, 3), 0)
    about = (EPOCH, STEP, 3)
    each = rounds.round(about)
    each.is_due = True
    assert each.say(True) is Say.PART
    each.parts.add(0)
    each.parts.add(1)
    assert each.say(True) is None
    assert each.lacking == (2,)
    each.parts.add(2)
    assert each.say(False) is None
    assert each.say(True) is Say.HAVE_NOT


def test_a_bots_session_never_states_anything() -> None:
    each = Absences(lambda _: (0, 1, 2), None).round((EPOCH, STEP, 2))
    each.is_due = each.holds = True
    each.parts |= {0, 1}
    assert each.say(True) is None
    each.said.update({0: False, 1: False})
    assert each.is_certified
    assert not each.counts


# --- each rule is needed --------------------------------------------------------------------------------


def breaks(start: World) -> bool:
    """Whether some order of messages counts a certified contribution, or certifies two absences."""
    for world in explore(start):
        try:
            check(world)
        except AssertionError:
            return True
    return False


def test_a_late_contribution_that_counts_after_have_not_breaks_agreement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(AbsenceRound, "counts", property(lambda each: not each.is_certified))
    assert breaks(World(3, late=(2,), silent=(2,), whole=False))


def test_two_have_nots_in_one_epoch_break_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two keepers that both go missing are then both certified absent in one step."""
    start = World(4, late=(2, 3), silent=(), whole=True)
    start.letters = frozenset()
    for keeper in start.keepers.values():
        keeper.holds = {keeper.number, 0, 1}
    assert not breaks(copy.deepcopy(start))
    monkeypatch.setattr(Absences, "may_deny", lambda _rounds, _about: True)
    assert breaks(start)


def test_what_was_stated_is_never_forgotten() -> None:
    """A step can be taken back: who is asked about an old one again must not say something else."""
    rounds = Absences(lambda _: (0, 1, 2), 0)
    for step in (STEP, STEP + 1):
        rounds.round((EPOCH, step, 2)).parts.add(1)
    rounds.hear(Statement(EPOCH, STEP, 2, SKIP, 0, True, b""))
    rounds.forget(STEP + 2)
    assert [about for step in (STEP, STEP + 1) for about, _ in rounds.at(EPOCH, step)] == [(EPOCH, STEP, 2)]
    assert rounds.round((EPOCH, STEP, 2)).own is True
