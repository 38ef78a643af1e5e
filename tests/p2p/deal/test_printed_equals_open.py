"""The same actions on the same deck give the same events and the same result, printed or open."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from engine.cards import Face
from engine.match import Position
from engine.registry import game, games
from engine.table import Draw, Result, Shuffle, Slot, Tick, Ticked, numbered
from p2p.sealed import Group
from tests.p2p.deal.circle import Circle
from tests.p2p.deal.test_sealed_equals_open import MET, Recording, Replay, in_any_order, seats_of

Wanted = tuple[tuple[Slot, int], ...]


def by_and_by(circle: Circle, wanted: Wanted) -> tuple[Face, ...]:
    """All that is wanted; in a race not more than one card, and often none."""
    if isinstance(circle.progress.task, Tick):
        wanted = wanted[: random.Random(circle.step).randrange(2)]
    return circle.tap(wanted)


class PrintedReplay(Replay):
    """The recorded game by the open dealing, its piles in the order in which their cards were tapped."""

    def result(self, sealed: Result, after: Position) -> Result:
        """The cards drawn in a tick are those that were tapped by then."""
        op = self.position.pending
        if not isinstance(op, Tick) or not isinstance(sealed, Ticked):
            return super().result(sealed, after)
        deeds = dict(self.deed_of(seat) for seat in op.seats)
        tapped = msgspec.structs.replace(op, draws=sealed.drawn)
        there: Any = SimpleNamespace(pending=tapped, table=self.position.table)
        return self.dealing.decided(there, [(seat, deeds[seat]) for seat, _ in sealed.deeds], in_order=True)

    def order(self, after: Position) -> dict[Slot, Face]:
        story = self.recording.story()
        number = next(n for n, each in enumerate(story) if each[3] is after)
        op = story[number][0].pending
        assert isinstance(op, Shuffle)
        slots = numbered(op.zone, after.table.size(op.zone))
        now = dict(zip(slots, slots, strict=True))
        found: dict[Slot, Face] = {}
        for before, result, _, _ in story[number + 1 :]:
            moved = dict(before.table.relocations(result if isinstance(result, Ticked) else before.pending))
            for first, slot in list(now.items()):
                face = self.recording.taps.get((id(before), slot))
                if face is not None:
                    found[first] = face
                now[first] = moved.get(slot, slot)
        left = Counter(self.dealing.faces(self.position.table, op.zone)) - Counter(found.values())
        unseen = left.elements()
        return {slot: found[slot] if slot in found else next(unseen) for slot in slots}


def check_equal(group: Group, name: str, seats: int, options: dict[str, str], seed: int, scanner: int) -> Any:
    recording = Recording(group, name, seats, options, seed, scanner=scanner, tapped=by_and_by).play()
    replay = PrintedReplay(recording, seats, game(name), options).play()
    told = [event for _, _, events, _ in recording.story() for event in events]
    assert [in_any_order(event) for event in told] == [in_any_order(event) for event in replay.events]
    progress = recording.progress
    assert progress.outcome == replay.position.pending
    seen: dict[str, Counter[Face]] = {}
    for slot, face in recording.faces().items():
        seen.setdefault(slot.zone, Counter())[face] += 1
    for zone, cards in replay.zones().items():
        assert seen.get(zone, Counter()) <= cards
        assert cards.total() == progress.position.table.size(zone)
    assert progress.position.facts.all_held() == replay.position.facts.all_held()
    return recording


ROWS: list[tuple[str, int, dict[str, str]]] = [
    ("go-fish", 2, {}),
    ("go-fish", 6, {}),
    ("go-fish", 3, {"ask_mode": "card", "ranks": "6", "hand_size": "4"}),
    ("go-fish", 3, {"give_amount": "one", "ranks": "5", "hand_size": "4", "end_mode": "all_books"}),
    ("go-fish", 4, {"deck": "104", "hand_size": "3"}),
    ("go-fish", 3, {"book_size": "2", "refill_count": "7", "end_mode": "all_books"}),
    ("one-fish", 2, {}),
    ("one-fish", 6, {}),
    ("casino", 3, {}),
    ("casino", 6, {}),
    ("casino", 4, {"dealer_takes_from": "split"}),
    ("discount-salmon", 2, {}),
    ("discount-salmon", 5, {}),
    ("discount-salmon", 2, {"pace": "turns"}),
    ("discount-salmon", 5, {"pace": "turns"}),
]


@pytest.mark.parametrize("row", range(len(ROWS)), ids=lambda row: f"{ROWS[row][0]}-{row}")
def test_printed_equals_open(row: int, small: Group) -> None:
    name, seats, options = ROWS[row]
    check_equal(small, name, seats, options, row, row % seats)


@pytest.mark.parametrize("name", games())
def test_every_operation_of_a_game_is_met(name: str, small: Group) -> None:
    """The games that are compared use what only they need, and cards come by and by in a race."""
    met: set[type] = set()
    drawn = waited = 0
    seats = seats_of(name)[1]
    wanted = MET.get(name, set()) | {Shuffle, Draw}
    for seed in range(12):
        if seed > 1 and met >= wanted:
            break
        recording = check_equal(small, name, seats, {}, 70 + seed, seed % 2)
        for before, result, _, _ in recording.story():
            met.add(type(before.pending))
            if isinstance(result, Ticked):
                drawn += len(result.drawn)
                waited += len(before.pending.draws) - len(result.drawn)
    assert met >= wanted
    assert (drawn > 0) == (waited > 0) == (name == "discount-salmon")
