"""Whatever a seat signs at a table with printed cards holds or is its own fault: no body breaks a program."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.registry import game, games
from p2p.deal import Place, Progress
from p2p.log import encode, pack, unpack
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.deal.circle import Circle, Script
from tests.p2p.deal.test_any_body import SCRIPT, bodies, check_any, deeds, opening
from tests.p2p.deal.test_printed_equals_open import by_and_by
from tests.p2p.deal.test_sealed_equals_open import Recording
from tests.p2p.harness import SHORT

SMALL = SmallGroup()
ALL = [*games(), "script"]


@lru_cache(maxsize=8)
def moments(name: str) -> tuple[tuple[Progress, Place, bytes], ...]:
    """Every contribution of a game: the progress before it, its place, and its honest body."""
    if name == "script":
        played = Circle(SMALL, Script(*SCRIPT), 3, decide=opening, scanner=2).play()
        return tuple(played.moments)
    options = {**SHORT, "hand_size": "3"} if name == "go-fish" else {}
    seats = game(name).info.least_seats
    return tuple(Recording(SMALL, name, seats, options, 3, scanner=1, tapped=by_and_by).play().moments)


@pytest.mark.parametrize("mode", ALL)
@given(st.data())
@settings(max_examples=120, deadline=None)
def test_any_body_holds_or_blames_its_author(mode: str, data: Any) -> None:
    progress, place, honest = data.draw(st.sampled_from(moments(mode)))
    now = Place(place.table_id, place.epoch, place.step, place.seat, place.head)
    check_any(progress, now, data.draw(bodies(honest)))


WORDS = ("accept", "confirm")


@pytest.mark.parametrize("mode", ALL)
@given(st.data())
@settings(max_examples=80, deadline=None)
def test_any_word_and_any_deed_holds_or_blames_its_author(mode: str, data: Any) -> None:
    """Complaints and objections with parts of all sizes, and deeds of all kinds in their places."""
    said = [each for each in moments(mode) if each[0].round and each[0].round.kind in WORDS]
    decided = [each for each in moments(mode) if b"ask" in each[2] or len(unpack(each[2])[0]) > 40]
    progress, place, honest = data.draw(st.sampled_from([*said, *decided]))
    now = Place(place.table_id, place.epoch, place.step, place.seat, place.head)
    rounds = unpack(honest)
    if progress.round and progress.round.kind in WORDS:
        where = st.binary(min_size=2, max_size=2)
        part = st.binary(max_size=40) | st.integers(0, 8).map(lambda n: bytes(34 * n)) | where
        rounds[0] = pack([data.draw(where), *data.draw(st.lists(part, min_size=0, max_size=3))])
    else:
        rounds[0] = pack([encode(data.draw(deeds)), data.draw(st.binary(max_size=70))])
    check_any(progress, now, pack(rounds))
