"""Blind picks from a hand of sealed cards: nobody can choose, and who tries is caught."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.table import (
    HandOver,
    Pick,
    Picked,
    Show,
)
from p2p.deal.giving import Giver
from p2p.deal.hidden import Origin
from p2p.deal.picks import positions_from
from p2p.sealed import Group
from tests.p2p.cheats import (
    Told,
    at,
    at_place,
    other_salt,
    unmasked,
    unmixed,
    with_other_output,
)
from tests.p2p.deal.circle import DECK, Circle, Script, dealt, held, held_now, trivial_places


def picking(size: int, count: int) -> Script:
    return Script(
        *dealt(2, size, 0), Pick(0, "hand.1", count), lambda state: HandOver(state.results[2].slots, 0)
    )


@pytest.mark.parametrize(("size", "count"), [(5, 2), (5, 5), (2, 1), (1, 1), (4, 0)])
def test_a_pick_takes_cards_that_nobody_could_choose(size: int, count: int, small: Group) -> None:
    circle = Circle(small, picking(size, count), 3).play()
    picked = circle.results[2]
    assert isinstance(picked, Picked)
    assert len(set(picked.slots)) == count
    assert {slot.zone for slot in picked.slots} <= {"hand.1"}
    assert all(0 <= slot.n < size for slot in picked.slots)
    expected = [] if count == 0 else ["pick-commit", *(["mix"] if size > 1 else []), "pick-open"]
    kinds = [kind for kind, _, _ in circle.bodies if kind in ("pick-commit", "mix", "pick-open")]
    assert kinds == (expected if size > 1 else expected[:1])  # in one contribution where nobody comes between
    assert len(circle.hand(0)) == 2 + count
    assert Counter(circle.faces().values()) == Counter(DECK.faces[card] for card in DECK.cards)


def test_a_pick_mixes_a_hand_of_public_cards(small: Group) -> None:
    steps = (*dealt(0, 4), lambda state: Show(held(state, 1)), Pick(0, "hand.1", 2))
    circle = Circle(small, Script(*steps), 2).play()
    for slot in held_now(circle, 1):
        assert trivial_places(circle, slot) == [False, False]
    assert not circle.progress.position.table.known


def test_picked_positions_are_uniform_and_never_the_same_twice(small: Group) -> None:
    """Of 5 cards 2: all 20 pairs come, each place first about equally often; two picks differ."""
    found: Counter[tuple[int, ...]] = Counter()
    for step in range(4000):
        salt, positions = positions_from(Origin(bytes(32), 0, step, 1, "pick", 0), b"s" * 32, 5, 2)
        assert len(salt) == 32
        found[positions] += 1
    assert len(found) == 20
    assert all(130 < count < 275 for count in found.values())
    origins = [
        Origin(bytes(32), 0, 0, 0, "pick", 0),
        Origin(b"\1" * 32, 0, 0, 0, "pick", 0),
        Origin(bytes(32), 1, 0, 0, "pick", 0),
        Origin(bytes(32), 0, 1, 0, "pick", 0),
        Origin(bytes(32), 0, 0, 1, "pick", 0),
        Origin(bytes(32), 0, 0, 0, "tick", 0),
        Origin(bytes(32), 0, 0, 0, "pick", 1),
    ]
    streams = {origin.stream(b"s" * 32).read(32) for origin in origins}
    commitments = {origin.commit(bytes(32), b"") for origin in origins}
    assert len(streams) == len(commitments) == len(origins)


def with_positions(*positions: int, size: int = 2) -> Any:
    """Opens other positions than were committed to."""

    def change(giver: Giver, task: Any, deed: Any, body: bytes) -> bytes:
        return body[:32] + b"".join(at.to_bytes(size, "big") for at in positions)

    return change


def committed_to(*positions: int) -> Any:
    """Commits to these positions, with the salt that it will open."""

    def change(giver: Giver, task: Any, deed: Any, body: bytes) -> bytes:
        origin = at_place(giver).place.origin("pick")
        salt = origin.stream(giver.secrets.seed).read(32)
        return origin.commit(salt, b"".join(at.to_bytes(2, "big") for at in positions))

    return change


PICKS: dict[str, tuple[int, int, Any, str]] = {
    "a commitment of 33 bytes": (0, 0, lambda giver, task, deed, body: body + b"\0", "32 bytes"),
    "positions it had not committed to": (0, 2, with_positions(0, 1), "to other positions"),
    "another salt": (0, 2, other_salt, "to other positions"),
    "nothing": (0, 2, lambda giver, task, deed, body: b"", "to other positions"),
    "the owner leaves the cards as they are": (
        1,
        1,
        lambda giver, task, deed, body: unmixed(giver, task, body),
        "kept its mask",
    ),
    "the owner shows its cards": (
        1,
        1,
        lambda giver, task, deed, body: unmasked(giver, body),
        "identity",
    ),
    "the owner mixes in another card": (
        1,
        1,
        lambda giver, task, deed, body: with_other_output(giver, body),
        "does not hold",
    ),
}


@pytest.mark.parametrize("name", PICKS)
def test_false_picks(name: str, small: Group) -> None:
    seat, number, change, reason = PICKS[name]
    circle = Circle(small, picking(5, 2), 3, lies={seat: at(Pick, change, number)})
    fault = circle.fault()
    assert fault.seat == seat
    assert reason in fault.reason


@pytest.mark.parametrize("positions", [(1, 1), (0, 5), (0, 65535), (0,), (0, 1, 2), ()], ids=str)
def test_positions_that_are_no_cards_are_refused_when_opened(
    positions: tuple[int, ...], small: Group
) -> None:
    """Committed to and opened alike: the positions themselves are wrong."""
    circle = Circle(small, picking(5, 2), 3, lies={0: at(Pick, committed_to(*positions), 0)})
    while circle.progress.round.kind != "pick-open":
        circle.one_step()
    circle.lies[0] = (at(Pick, with_positions(*positions), 2), Told())
    fault = circle.fault()
    assert (fault.seat, "2 different ones of 5 cards" in fault.reason) == (0, True)


def test_an_all_public_hand_mixed_by_not_mixing_is_refused(small: Group) -> None:
    """Identity outputs: the cards stay as everybody sees them."""
    steps = (*dealt(0, 4), lambda state: Show(held(state, 1)), Pick(0, "hand.1", 2))
    lie = at(Pick, lambda giver, task, deed, body: unmixed(giver, task, body), 1)
    fault = Circle(small, Script(*steps), 2, lies={1: lie}).fault()
    assert fault.seat == 1


def test_picks_that_cannot_be_are_no_seats_fault(small: Group) -> None:
    for pick in (Pick(0, "hand.1", 3), Pick(0, "hand.1", -1), Pick(0, "stock", 1)):
        with pytest.raises(ValueError, match="cannot be picked"):
            Circle(small, Script(*dealt(0, 2), pick), 2).play()
