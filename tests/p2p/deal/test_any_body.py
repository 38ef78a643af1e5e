"""Whatever a seat signs holds or is its own fault: no body breaks an honest seat's program."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.registry import game, games
from engine.table import (
    Choose,
    Complete,
    Deed,
    Disclose,
    HandOver,
    Match,
    Move,
    Pick,
    Return,
    Show,
    Shuffle,
    Tick,
    hand_of,
)
from p2p.deal import PeerFault, Place, Progress, check
from p2p.log import Malformed, encode, pack, unpack
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.deal.circle import Circle, Script, dealt, held
from tests.p2p.deal.test_sealed_equals_open import Recording
from tests.p2p.harness import SHORT

SMALL = SmallGroup()


GAMES: dict[str, tuple[str, int, dict[str, str]]] = {
    "rank": ("go-fish", 3, {**SHORT, "ask_mode": "rank", "end_mode": "all_books", "hand_size": "3"}),
    "card": ("go-fish", 3, {**SHORT, "ask_mode": "card", "end_mode": "all_books", "hand_size": "3"}),
    **{name: (name, game(name).info.least_seats, {}) for name in games() if name != "go-fish"},
}
SCRIPT = (
    *dealt(4, 4, 4),
    Choose((0, 1, 2), "act"),
    lambda state: Tick((0, 1, 2), ((state.table.slots("stock")[0], 1),)),
    Pick(0, "hand.1", 2),
    lambda state: HandOver(state.results[-1].slots, 0),
    lambda state: Show(state.table.slots("stock")[:1], at_once=True),
    lambda state: Show(held(state, 0, 0)),
    lambda state: Disclose(0, held(state, 0), Match("rank", "3"), None, ("rank",)),
    lambda state: Move(held(state, 2, 0, 1), "down.2"),
    lambda state: Return(state.table.slots("down.2"), "stock"),
    Shuffle("stock"),
)


@lru_cache(maxsize=16)
def moments(name: str) -> tuple[tuple[Progress, Place, bytes], ...]:
    """Every contribution of a game: the progress before it, its place, and its honest body."""
    if name == "script":
        return tuple(Circle(SMALL, Script(*SCRIPT), 3, decide=opening).play().moments)
    return tuple(Recording(SMALL, *GAMES[name], 3).play().moments)


def opening(circle: Circle, progress: Progress, seat: int) -> Deed:
    """Every seat opens the first card of its hand."""
    return Deed("do", shown=(progress.position.table.slots(hand_of(seat))[0].n,))


VERBS = sorted(
    {"give", "lay", "", "x", "do", "hold", "pair", "wait"} | {v for g in games() for v in game(g).info.verbs}
)
small_numbers = st.integers(-2, 12) | st.sampled_from([2**31, 2**63 - 1, -(2**63)])
deeds = st.builds(
    Deed,
    st.sampled_from(VERBS) | st.text(max_size=4),
    small_numbers,
    st.sampled_from(["2", "3", "6", "2C", "2c", "T", "10", "", " 2", "2 C", "* 3", "red", "B1", "QS=5C"])
    | st.text(max_size=4),
    st.lists(st.lists(small_numbers, max_size=5).map(tuple), max_size=3).map(tuple),
    st.lists(small_numbers, max_size=4).map(tuple),
)
parts = st.binary(max_size=80) | deeds.map(encode)


@st.composite
def bodies(draw: Any, honest: bytes) -> bytes:
    """The honest rounds with some of them, or some of their parts, exchanged, left out, or added."""
    rounds = list(unpack(honest))
    at = draw(st.integers(0, len(rounds) - 1))
    try:
        inner = list(unpack(rounds[at]))
    except Malformed:
        inner = [rounds[at]]
    kind = draw(st.sampled_from(["part", "part", "round", "rounds", "drop", "bytes"]))
    if kind == "part" and inner:
        inner[draw(st.integers(0, len(inner) - 1))] = draw(parts)
        rounds[at] = pack(inner)
    elif kind == "round":
        rounds[at] = draw(parts | st.lists(parts, max_size=6).map(pack))
    elif kind == "rounds":
        rounds.insert(at, draw(parts))
    elif kind == "drop":
        del rounds[at]
    else:
        return draw(st.binary(max_size=60))
    return pack(rounds)


def check_any(progress: Progress, place: Place, body: bytes) -> None:
    faults = []
    try:
        check(progress, place, body)
    except PeerFault as fault:
        faults.append(fault)
    assert all(fault.seat == place.seat and "\n" not in fault.reason for fault in faults)


ALL = [*GAMES, "script"]


@pytest.mark.parametrize("mode", ALL)
@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_body_holds_or_blames_its_author(mode: str, data: Any) -> None:
    progress, place, honest = data.draw(st.sampled_from(moments(mode)))
    now = Place(place.table_id, place.epoch, place.step, place.seat, place.head)
    check_any(progress, now, data.draw(bodies(honest)))


KINDS = [
    (mode, kind)
    for mode in ALL
    for kind in (Choose, Disclose, Complete)
    if kind is Choose or mode in ("rank", "card")
]


@pytest.mark.parametrize(("mode", "kind"), KINDS)
@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_deed_holds_or_blames_its_author(mode: str, kind: type, data: Any) -> None:
    of_kind = [m for m in moments(mode) if isinstance(m[0].task, kind)]
    progress, place, honest = data.draw(st.sampled_from(of_kind))
    now = Place(place.table_id, place.epoch, place.step, place.seat, place.head)
    rounds = unpack(honest)
    rounds[0] = pack([encode(data.draw(deeds)), *unpack(rounds[0])[1:]])
    check_any(progress, now, pack(rounds))


def test_the_contribution_of_a_seat_that_owes_nothing_is_its_fault() -> None:
    idle = 0
    for progress, place, honest in moments("rank"):
        for seat in {0, 1, 2} - set(progress.owed):
            idle += 1
            now = Place(place.table_id, place.epoch, place.step, seat, place.head)
            with pytest.raises(PeerFault, match="nothing is owed") as fault:
                check(progress, now, honest)
            assert fault.value.seat == seat
    assert idle > 20


@pytest.mark.parametrize("mode", ["rank", "card", "script"])
def test_each_honest_body_holds(mode: str) -> None:
    for progress, place, honest in moments(mode):
        now = Place(place.table_id, place.epoch, place.step, place.seat, place.head)
        assert len(check(progress, now, honest).checked) == len(unpack(honest))
