"""The same actions on the same deck give the same events and the same result, sealed or open.

What chance decides in the sealed game (the order of a deck, a joint number, the order of a tick, blind picks)
is read from it with all keys, and given to the open one.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any
from unittest import mock

import pytest

from engine.cards import Face
from engine.contract import Action, BadOption, Event, Outcome
from engine.match import Position
from engine.open import Open
from engine.registry import game, games
from engine.rng import Stream
from engine.table import (
    Choose,
    Coin,
    Complete,
    Deed,
    Disclose,
    Draw,
    HandOver,
    Mix,
    Move,
    Number,
    Pick,
    Picked,
    Result,
    Show,
    Shuffle,
    Slot,
    Tick,
    Ticked,
    numbered,
)
from p2p.deal import Progress
from p2p.sealed import Group
from tests.p2p.deal.circle import Circle
from tests.p2p.harness import SHORT, Ring

OTHER_VALUES = {
    "hand_size": ["auto", "1", "3"],
    "ranks": ["4", "6", "13"],
    "suits": ["2", "3", "4"],
}
"""Options of Go Fish with ranges: some of their values."""

SEATS = {"go-fish": (2, 3, 4), "one-fish": (2, 3, 6), "casino": (3, 4, 6), "discount-salmon": (2, 3, 5)}


def values_of(name: str) -> dict[str, list[str]]:
    """The values of each option that are tried."""
    found = {}
    for option in game(name).info.options:
        values = list(option.values)
        if option.lowest is not None and option.highest is not None:
            values += [str(option.lowest), str(option.highest)]
        found[option.name] = OTHER_VALUES.get(option.name, values) if name == "go-fish" else values
    return found


def allowed(name: str, options: dict[str, str], seats: int) -> bool:
    try:
        game(name).options(options, seats)
    except BadOption:
        return False
    return True


def pairwise(name: str) -> list[tuple[int, dict[str, str]]]:
    """Option sets in which every pair of values that can go together does so. Greedy, from one seed."""
    rng = random.Random(1)
    values = values_of(name)
    names = sorted(values)
    open_pairs = {((a, x), (b, y)) for a, b in combinations(names, 2) for x in values[a] for y in values[b]}
    rows: list[tuple[int, dict[str, str]]] = []
    tries = 0
    while open_pairs and tries < 3_000:
        tries += 1
        (a, x), (b, y) = rng.choice(sorted(open_pairs))
        best: tuple[int, int, dict[str, str]] | None = None
        for _ in range(12):
            seats = rng.choice(seats_of(name))
            row = {each: rng.choice(values[each]) for each in names} | {a: x, b: y}
            if allowed(name, row, seats):
                won = sum(pair in open_pairs for pair in combinations(sorted(row.items()), 2))
                best = max(best or (0, 0, {}), (won, seats, row), key=lambda each: each[0])
        if best is not None and best[0]:
            _, seats, row = best
            rows.append((seats, row))
            open_pairs -= set(combinations(sorted(row.items()), 2))
    return rows or [(seats, {}) for seats in seats_of(name)]


def seats_of(name: str) -> tuple[int, ...]:
    info = game(name).info
    return SEATS.get(name, (info.least_seats, info.most_seats))


class Recording(Circle):
    """Decides at random and writes it down, and keeps what is needed to play the game again."""

    def __init__(
        self, group: Group, name: str, seats: int, options: Mapping[str, str], seed: int, **more: Any
    ) -> None:
        super().__init__(group, game(name), seats, options=options, salt=bytes([seed]), **more)
        self.rng = random.Random(seed)
        self.script: list[tuple[int, Action]] = []
        self.tick_deeds: dict[int, Deed] = {}
        self.at: dict[int, Progress] = {}
        self.fed: dict[int, tuple[Position, Position, Result, tuple[Event, ...]]] = {}

    def choose(self, progress: Progress, seat: int) -> Deed:
        position, held = progress.position, self.hand(seat, progress)
        if isinstance(progress.task, Tick) and progress.number == 1:
            return self.tick_deeds[seat]
        choices = position.choices(seat, held)
        action = self.rng.choice(choices)
        if isinstance(progress.task, Choose | Tick) or len(choices) > 1:
            self.script.append((seat, action))
        deed = self.tick_deeds[seat] = position.deed(seat, held, action)
        return deed

    def observe(self, progress: Progress, place: Any, found: Any) -> None:
        super().observe(progress, place, found)
        self.at.setdefault(id(progress.position), progress)

    def play(self) -> Recording:
        feed = Position.feed

        def noted(position: Position, result: Result) -> tuple[Position, tuple[Event, ...]]:
            following, events = feed(position, result)
            self.fed[id(following)] = following, position, result, events
            return following, events

        with mock.patch.object(Position, "feed", noted):
            super().play()
        return self

    def story(self) -> list[tuple[Position, Result, tuple[Event, ...], Position]]:
        """Each operation: the position before it, its result, its events, and the position after it."""
        found, position = [], self.progress.position
        while id(position) in self.fed:
            after, before, result, events = self.fed[id(position)]
            found.append((before, result, events, after))
            position = before
        return found[::-1]

    def read(self, position: Position) -> dict[Slot, Face]:
        """Every card at a position where something is owed."""
        return self.faces(self.at[id(position)])


class Coins:
    """Joint numbers and hidden positions, told when they are needed."""

    def __init__(self) -> None:
        self.next: deque[int] = deque()

    def __iter__(self) -> Coins:
        return self

    def __next__(self) -> int:
        return self.next.popleft()


class Replay:
    """The recorded game once more, by the open dealing."""

    def __init__(self, recording: Recording, seats: int, rules: Any, options: Mapping[str, str]) -> None:
        self.recording = recording
        self.script = iter(recording.script)
        self.coins = Coins()
        self.position = Position.start(rules, options, seats)
        self.dealing = Open(
            self.position, Stream(b"mixes are of no consequence"), first_deck(self.position), coins=self.coins
        )
        self.events: list[Event] = []

    def play(self) -> Replay:
        for before, sealed, _, after in self.recording.story():
            assert type(self.position.pending) is type(before.pending)
            result = self.result(sealed, after)
            self.position, new = self.position.feed(result)
            self.events += new
        assert isinstance(self.position.pending, Outcome)
        assert next(self.script, None) is None
        return self

    def result(self, sealed: Result, after: Position) -> Result:
        """The result of the pending operation, chance as in the sealed game."""
        op = self.position.pending
        if isinstance(op, Choose | Tick):
            deeds = dict(self.deed_of(seat) for seat in op.seats)
            order = [seat for seat, _ in sealed.deeds] if isinstance(sealed, Ticked) else list(op.seats)
            return self.dealing.decided(self.position, [(seat, deeds[seat]) for seat in order], in_order=True)
        if isinstance(op, Coin) and isinstance(sealed, Number):
            self.coins.next.append(sealed.value)
        if isinstance(op, Pick) and isinstance(sealed, Picked):
            self.coins.next += self.places(op, sealed, after)
        result = self.dealing.resolve(self.position, self.decide)
        if isinstance(op, Shuffle):
            faces = self.order(after)
            slots = numbered(op.zone, self.position.table.size(op.zone))
            self.dealing._faces.update((slot, faces[slot]) for slot in slots)
        return result

    def order(self, after: Position) -> dict[Slot, Face]:
        """The cards of a pile that was just shuffled."""
        return self.recording.read(after)

    def deed_of(self, seat: int) -> tuple[int, Deed]:
        who, action = next(self.script)
        assert who == seat
        hand = self.dealing.hand(self.position.table, seat)
        assert action in self.position.choices(seat, hand)
        return seat, self.position.deed(seat, hand, action)

    def decide(self, position: Position, seat: int, choices: tuple[Action, ...]) -> Action:
        who, action = next(self.script)
        assert who == seat
        assert action in choices
        return action

    def places(self, op: Pick, sealed: Picked, after: Position) -> list[int]:
        """Where the cards that were picked in the sealed game lie in this one."""
        left = dict(enumerate(self.dealing.faces(self.position.table, op.zone)))
        faces, found = self.recording.read(after) if sealed.slots else {}, []
        for slot in sealed.slots:
            at = next(at for at, face in left.items() if face == faces[slot])
            del left[at]
            found.append(at)
        return found

    def zones(self) -> dict[str, Counter[Face]]:
        """The cards of every zone at the end."""
        table = self.position.table
        return {zone: Counter(self.dealing.faces(table, zone)) for zone in table.zones if table.size(zone)}


def first_deck(position: Position) -> dict[str, list[Face]]:
    """The zones of the start, filled in order."""
    deck, table = position.deck, position.table
    faces = iter([deck.faces[card] for card in deck.cards])
    return {zone: [next(faces) for _ in table.slots(zone)] for zone in table.zones}


def in_any_order(event: Event) -> tuple[Any, ...]:
    """An event; cards that lie face up in a mixed hand may be named in either order."""
    return event.verb, event.seat, event.target, sorted(event.words)


def check_equal(group: Group, name: str, seats: int, options: Mapping[str, str], seed: int) -> Recording:
    recording = Recording(group, name, seats, options, seed).play()
    replay = Replay(recording, seats, game(name), options).play()
    told = [event for _, _, events, _ in recording.story() for event in events]
    assert [in_any_order(event) for event in told] == [in_any_order(event) for event in replay.events]
    progress = recording.progress
    assert progress.outcome == replay.position.pending
    zones: dict[str, Counter[Face]] = {}
    for slot, face in recording.faces().items():
        zones.setdefault(slot.zone, Counter())[face] += 1
    assert zones == replay.zones()
    assert progress.position.facts.all_held() == replay.position.facts.all_held()
    return recording


ROWS = pairwise("go-fish")


def test_the_rows_cover_every_pair_that_can_be() -> None:
    covered = {pair for _, row in ROWS for pair in combinations(sorted(row.items()), 2)}
    for (a, x), (b, y) in (
        (("give_amount", "one"), ("ask_mode", "rank")),
        (("end_mode", "all_books"), ("refill_count", "7")),
        (("allow_ask_own_card", "false"), ("ask_mode", "card")),
        (("book_size", "2"), ("deck", "54")),
        (("deck", "104"), ("scoring", "by_rank")),
        (("next_after_miss", "left"), ("refill_when", "own_turn")),
    ):
        assert tuple(sorted(((a, x), (b, y)))) in covered
    assert len(ROWS) < 60


def rows() -> Iterator[Any]:
    for name in games():
        for number, (seats, options) in enumerate(ROWS if name == "go-fish" else pairwise(name)):
            rules = game(name)
            is_big = len(rules.deck(rules.options(options, seats))) > 60
            marks = [pytest.mark.slow] if is_big and number > 1 else []
            yield pytest.param(name, seats, options, number, id=f"{name}-{number}", marks=marks)


@pytest.mark.parametrize(("name", "seats", "options", "seed"), list(rows()))
def test_sealed_equals_open(name: str, seats: int, options: dict[str, str], seed: int, small: Group) -> None:
    check_equal(small, name, seats, options, seed)


@pytest.mark.parametrize(
    "options", [SHORT, {**SHORT, "give_amount": "one", "end_mode": "all_books"}], ids=str
)
def test_sealed_equals_open_in_the_real_group(real: Group, options: dict[str, str]) -> None:
    check_equal(real, "go-fish", 3, {**options, "ranks": "3", "hand_size": "2"}, 4)


MET: dict[str, set[type]] = {
    "go-fish": {Disclose, Complete, Mix, Move, Draw},
    "one-fish": {Disclose, HandOver, Mix, Move, Draw},
    "casino": {Pick, HandOver, Complete, Mix, Move, Draw, Show},
    "discount-salmon": {Tick, Show, Move, Draw},
}


@pytest.mark.parametrize("name", games())
def test_every_operation_of_a_game_is_met(name: str, small: Group) -> None:
    """The games that are compared use what only they need."""
    met: set[type] = set()
    attributes, is_at_once, draws = set(), False, 0
    for seed in range(4):
        recording = check_equal(small, name, seats_of(name)[1], {}, 70 + seed)
        for before, result, _, _ in recording.story():
            op = before.pending
            met.add(type(op))
            attributes |= set(op.attributes) if isinstance(op, Disclose) else set()
            is_at_once |= isinstance(op, Show) and op.at_once
            draws += len(result.drawn) if isinstance(result, Ticked) else 0
    assert met >= MET.get(name, set()) | {Choose, Shuffle}
    assert attributes == ({"number"} if name == "one-fish" else set())
    assert is_at_once == (name == "discount-salmon")
    assert (draws > 0) == (name == "discount-salmon")


def test_the_joint_number_is_the_hash_of_all_values(small: Group) -> None:
    """Every seat can come first, and each one's value changes the result."""
    firsts = set()
    for number in range(12):
        ring = Ring(small, 3, options={"ranks": "3", "hand_size": "2"}, salt=bytes([number]))
        ring.play()
        firsts.add(next(event.seat for event in ring.events(0) if event.verb == "first"))
    assert firsts == {0, 1, 2}
