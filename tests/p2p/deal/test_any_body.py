"""Whatever a seat signs holds or is its own fault: no body breaks an honest seat's program."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.table import Choose, Complete, Deed, Disclose
from p2p.deal import PeerFault, Place, Progress, check
from p2p.log import Malformed, encode, pack, unpack
from p2p.sealed.testgroup import SmallGroup
from p2p.session.history import History
from tests.p2p.harness import SHORT, Ring

SMALL = SmallGroup()


@lru_cache(maxsize=4)
def moments(mode: str) -> tuple[tuple[Progress, Place, bytes], ...]:
    """Every contribution of a game: the progress before it, its place, and its honest body."""
    options = {**SHORT, "ask_mode": mode, "end_mode": "all_books", "hand_size": "3"}
    ring = Ring(SMALL, 3, options=options)
    ring.play()
    history = History(ring.charter, ring.rules, SMALL)
    found = []
    for entries in ring.sessions[0].history.steps:
        found += [(history.progress, history.place(entry.seat), entry.body) for entry in entries]
        passed = {entry.seat: history.check(entry) for entry in entries}
        history.complete({entry.seat: entry for entry in entries}, passed)
    return tuple(found)


small_numbers = st.integers(-2, 12) | st.sampled_from([2**31, 2**63 - 1, -(2**63)])
deeds = st.builds(
    Deed,
    st.sampled_from(["ask", "give", "lay", "", "x"]) | st.text(max_size=4),
    small_numbers,
    st.sampled_from(["2", "3", "6", "2C", "2c", "T", "10", "", " 2", "2 C"]) | st.text(max_size=4),
    st.lists(st.lists(small_numbers, max_size=5).map(tuple), max_size=3).map(tuple),
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


@pytest.mark.parametrize("mode", ["rank", "card"])
@given(st.data())
@settings(max_examples=400, deadline=None)
def test_any_body_holds_or_blames_its_author(mode: str, data: Any) -> None:
    progress, place, honest = data.draw(st.sampled_from(moments(mode)))
    now = Place(place.table_id, place.epoch, place.step, place.seat, place.head)
    check_any(progress, now, data.draw(bodies(honest)))


@pytest.mark.parametrize("kind", [Choose, Disclose, Complete])
@given(st.data())
@settings(max_examples=200, deadline=None)
def test_any_deed_holds_or_blames_its_author(kind: type, data: Any) -> None:
    of_kind = [m for m in moments("rank") + moments("card") if isinstance(m[0].task, kind)]
    progress, place, honest = data.draw(st.sampled_from(of_kind))
    now = Place(place.table_id, place.epoch, place.step, place.seat, place.head)
    rounds = unpack(honest)
    rounds[0] = pack([encode(data.draw(deeds)), *unpack(rounds[0])[1:]])
    check_any(progress, now, pack(rounds))


def test_the_contribution_of_a_seat_that_owes_nothing_is_its_fault() -> None:
    for progress, place, honest in moments("rank"):
        for seat in {0, 1, 2} - set(progress.owed):
            now = Place(place.table_id, place.epoch, place.step, seat, place.head)
            with pytest.raises(PeerFault, match="nothing is owed") as fault:
                check(progress, now, honest)
            assert fault.value.seat == seat


def test_each_honest_body_holds() -> None:
    for progress, place, honest in moments("rank") + moments("card"):
        now = Place(place.table_id, place.epoch, place.step, place.seat, place.head)
        assert len(check(progress, now, honest).checked) == len(unpack(honest))
