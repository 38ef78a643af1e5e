"""The same actions on the same deck give the same events and the same result, sealed or open."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from engine.contract import Action, BadOption, Outcome
from engine.games.go_fish_options import INFO
from engine.match import Position
from engine.open import Open
from engine.registry import game
from engine.rng import Stream
from engine.table import STOCK, Choose, Deeds, Disclose
from p2p.sealed import Group
from p2p.session import YourMove
from tests.p2p.harness import SHORT, Ring

RULES = game("go-fish")
VALUES = {
    option.name: list(option.values)
    for option in INFO.options
    if option.name not in ("hand_size", "ranks", "suits")
} | {"hand_size": ["auto", "1", "3"], "ranks": ["4", "6", "13"], "suits": ["2", "3", "4"]}


def allowed(options: dict[str, str], seats: int) -> bool:
    try:
        RULES.options(options, seats)
    except BadOption:
        return False
    return True


def pairwise() -> list[tuple[int, dict[str, str]]]:
    """Option sets in which every pair of values that can go together does so. Greedy, from one seed."""
    rng = random.Random(1)
    names = sorted(VALUES)
    open_pairs = {((a, x), (b, y)) for a, b in combinations(names, 2) for x in VALUES[a] for y in VALUES[b]}
    rows: list[tuple[int, dict[str, str]]] = []
    tries = 0
    while open_pairs and tries < 3_000:
        tries += 1
        (a, x), (b, y) = rng.choice(sorted(open_pairs))
        best: tuple[int, int, dict[str, str]] | None = None
        for _ in range(12):
            seats = rng.choice((2, 3, 4))
            row = {name: rng.choice(VALUES[name]) for name in names} | {a: x, b: y}
            if allowed(row, seats):
                won = sum(pair in open_pairs for pair in combinations(sorted(row.items()), 2))
                best = max(best or (0, 0, {}), (won, seats, row), key=lambda each: each[0])
        if best is not None and best[0]:
            _, seats, row = best
            rows.append((seats, row))
            open_pairs -= set(combinations(sorted(row.items()), 2))
    return rows


ROWS = pairwise()


class Recording(Ring):
    """Writes down every decision in order, and the order of the deck once it is dealt."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, choose=self.decide, **named)
        self.actions: list[tuple[int, Action]] = []

    def decide(self, move: YourMove, rng: random.Random) -> Action:
        action = rng.choice(move.actions)
        self.actions.append((move.view.seat, action))
        return action

    def shuffled(self) -> list[Any]:
        """The stock after the joint shuffle, read with every seat's key."""
        self.deck_order: list[Any] = []

        def look() -> bool:
            progress = self.sessions[0].history.progress
            if self.deck_order or not progress.dealing.keys or progress.position.state.phase != "deal":
                return bool(self.deck_order)
            group = self.group
            key = sum(self.secrets(seat).card_key for seat in range(len(self.sessions)))
            for card in progress.dealing.zone_cards(progress.position, STOCK):
                points = [group.sub(c.b, group.mul(key, c.a)) for c in card]
                values = progress.dealing.points.values
                self.deck_order.append(tuple(values[at][point] for at, point in enumerate(points)))
            return True

        assert self.play_until(look)
        self.pump()
        return self.deck_order


def played_open(
    ring: Recording, seats: int, order: list[Any], first: int
) -> tuple[list[Any], Outcome, list[Any]]:
    """The same game by the open dealing: events, outcome, and the hands at the end."""
    position = Position.start(ring.rules, dict(ring.charter.options), seats)
    dealing = Open(position, Stream(b"mixes are of no consequence"), order=order, coins=[first])
    script = iter(ring.actions)
    events: list[Any] = []

    def decide(now: Position, seat: int, choices: tuple[Action, ...]) -> Action:
        if isinstance(now.pending, Disclose) and now.pending.most is not None:
            return answers.pop(0)
        return choices[0]

    answers: list[Action] = []
    while not isinstance(position.pending, Outcome):
        op = position.pending
        if isinstance(op, Choose):
            seat, action = next(script)
            assert op.seats == (seat,)
            result: Any = Deeds(((seat, position.deed(seat, dealing.hand(position.table, seat), action)),))
        else:
            if isinstance(op, Disclose) and op.most is not None:
                seat, action = next(script)
                assert seat == op.seat
                answers.append(action)
            result = dealing.resolve(position, decide)
            answers.clear()
        position, new = position.feed(result)
        events += new
    assert next(script, None) is None
    hands = [sorted(dealing.hand(position.table, seat).values()) for seat in range(seats)]
    return events, position.pending, hands


def first_seat(ring: Recording) -> int:
    """The joint random number: whose turn came first."""
    return next(event.seat for event in ring.events(0) if event.verb == "first")


def check_equal(group: Group, seats: int, options: dict[str, str], seed: int) -> None:
    ring = Recording(group, seats, options=options, seed=seed, salt=bytes([seed]))
    order = ring.shuffled()
    deck = ring.rules.deck(dict(ring.charter.options))
    assert sorted(order) == sorted(deck.faces[card] for card in deck.cards)
    events, outcome, hands = played_open(ring, seats, order, first_seat(ring))
    progress = ring.sessions[0].history.progress
    assert ring.events(0) == events
    assert progress.outcome == outcome
    for seat in range(seats):
        own = progress.dealing.hand(progress.position, seat, ring.secrets(seat).card_key)
        assert sorted(own.values()) == hands[seat]


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
    for number, (seats, options) in enumerate(ROWS):
        big = len(RULES.deck(RULES.options(options, seats))) > 60
        yield pytest.param(seats, options, number, id=f"{number}", marks=[pytest.mark.slow] if big else [])


@pytest.mark.parametrize(("seats", "options", "seed"), list(rows()))
def test_sealed_equals_open(small: Group, seats: int, options: dict[str, str], seed: int) -> None:
    check_equal(small, seats, options, seed)


@pytest.mark.parametrize(
    "options", [SHORT, {**SHORT, "give_amount": "one", "end_mode": "all_books"}], ids=str
)
def test_sealed_equals_open_in_the_real_group(real: Group, options: dict[str, str]) -> None:
    check_equal(real, 3, {**options, "ranks": "3", "hand_size": "2"}, 4)


def test_the_joint_number_is_the_hash_of_all_values(small: Group) -> None:
    """Every seat can come first, and each one's value changes the result."""
    firsts = set()
    for number in range(12):
        ring = Ring(small, 3, options={"ranks": "3", "hand_size": "2"}, salt=bytes([number]))
        ring.play()
        firsts.add(next(event.seat for event in ring.events(0) if event.verb == "first"))
    assert firsts == {0, 1, 2}
