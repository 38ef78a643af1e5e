"""Who is blamed at a table with printed cards, and by whom."""

from __future__ import annotations

from typing import Any
from unittest import mock

import msgspec
import pytest

from engine.table import Choose, Disclose, Draw, Shuffle
from p2p.deal import Reveal
from p2p.deal.printed_giving import PrintedGiver
from p2p.log import (
    encode,
    pack,
    unpack,
)
from p2p.sealed import Group
from p2p.session import (
    Persist,
)
from tests.p2p.cheats import Lie, at
from tests.p2p.deal.printed_circle import complaint
from tests.p2p.deal.test_printed import other_number
from tests.p2p.deal.test_printed_seats import denial, garbled, objection
from tests.p2p.harness import SHORT, Ring
from tests.p2p.session.printed_tables import SOME, asked, lying_table


def cheated(ring: Ring, seat: int, step: int | None, reason: str, but: int = -1) -> None:
    """Every seat names the same one, and so does each record; ``but`` the one that lied in its last word."""
    for other, session in enumerate(ring.sessions):
        if other == but:
            continue
        fault = session.fault
        assert fault is not None, other
        assert (fault.seat, fault.step, fault.reason) == (seat, step, reason)
        report = ring.verdict(other)
        assert (report.verdict, report.seat, report.step) == ("cheated", seat, step)
        assert report.reason == reason


def misfit(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    """The cards that are given opened as others: the last salt is changed."""
    said, opening = unpack(body)
    return pack([said, opening[:-1] + bytes([opening[-1] ^ 1])]) if opening else None


def asks_itself(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    _said, opening = unpack(body)
    return pack([encode(msgspec.structs.replace(deed, target=giver.place.seat)), opening])


REMOTE: list[tuple[str, Lie, str, int]] = [
    ("a forbidden ask", at(Choose, asks_itself, 0), "decided what the rules refuse (own-seat)", 1),
    ("an ask", at(Choose, asked, 0), "said of its cards what is not so (holds)", 1),
    ("no answer", at(Disclose, denial, 0), "said of its cards what is not so (lacks)", 1),
    ("a cut", at(Shuffle, other_number, 1), "opened its coin commitment to another value", 1),
    ("an opening", at(Disclose, misfit, 0), "the opening of a card does not fit its commitment", 1),
    ("a false complaint", at(Draw, complaint, 1), "complained of a card that opens", 1),
    ("another card", garbled(lambda data: data[:-1] + bytes([data[-1] ^ 1])), "", 0),
    ("a false objection", at(Choose, objection, 1), "objected to what is so", 0),
]


SEEN_BY_OTHERS = {"a forbidden ask", "an opening", "a cut"}
"""What the liar's own program does not look at."""


@pytest.mark.parametrize(("what", "lie", "reason", "liar"), REMOTE, ids=[each[0] for each in REMOTE])
def test_a_cheat_is_named_by_all_and_by_every_record(
    what: str, lie: Lie, reason: str, liar: int, small: Group
) -> None:
    for number in range(20):
        ring, told = lying_table(small, liar, lie, salt=bytes([number]), options={**SOME, "ranks": "5"})
        ring.play()
        if told.step is not None:
            break
    assert told.step is not None
    but = liar if what.startswith("a false") or what in SEEN_BY_OTHERS else -1
    cheated(ring, liar, told.step, reason or "sealed what does not open the card", but)


def test_a_lie_that_the_table_hides_is_named_by_all_at_the_end(small: Group) -> None:
    with mock.patch.object(PrintedGiver, "_confirm", return_value=(b"", None)):
        for number in range(20):
            ring, told = lying_table(small, 1, at(Choose, asked, 0), salt=bytes([number]), options=SHORT)
            ring.play()
            if told.step is not None and isinstance(ring.sessions[1].history.progress.task, Reveal):
                break
    assert told.step is not None
    for seat in (1, 2):
        fault = ring.sessions[seat].fault
        assert fault is not None
        assert (fault.seat, fault.step) == (1, told.step)
        report = ring.verdict(seat)
        assert (report.verdict, report.seat, report.step) == ("cheated", 1, told.step)
        assert "holds" in report.reason


def test_a_complaint_outlives_a_crash(small: Group) -> None:
    """Stored and not sent: after the restart the same fault is told, and its record convicts."""
    ring, told = lying_table(small, 0, garbled(lambda data: bytes(34)))

    def crash(seat: int, persist: Persist) -> bool:
        return seat == 1 and any(entry.step == told.step + 1 for entry in persist.entries if told.step)

    ring.crash = crash
    ring.play()
    assert 1 in ring.crashed
    ring.crash = lambda _seat, _persist: False
    ring.told[1].clear()
    ring.restart(1)
    ring.pump()
    fault = ring.sessions[1].fault
    assert fault is not None
    assert (fault.seat, fault.step) == (0, told.step)
    assert ring.verdict(1).seat == 0
    ring.tick(30.0)
    cheated(ring, 0, told.step, "sealed what does not open the card")
