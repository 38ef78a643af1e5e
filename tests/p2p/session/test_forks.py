"""A seat that tells two halves of the table two histories: both sides find it, and name it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engine.table import Choose
from p2p.deal import Setup, Task
from p2p.deal.giving import Giver
from p2p.log import (
    EntryFrame,
    Equivocation,
    Want,
    decode_message,
    encode_message,
    frame_of,
    is_equivocation,
    pack,
    sign_entry,
)
from p2p.sealed import Group
from p2p.session import Session
from tests.p2p.harness import LITTLE, Ring

FORKER = 3


class Forker(Session):
    """Makes two contributions to one step: the one it sends, and ``other`` for the harness to deliver."""

    def __init__(self, wanted: Callable[[Task], bool], *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.wanted = wanted
        self.other: EntryFrame | None = None

    def _contribute_job(self) -> Any:
        effect: Any = super()._contribute_job()
        job = effect.job
        if self.other is None and self.wanted(job.progress.task):
            body = self._second_body(job)
            if body is not None:
                place = job.place
                entry = sign_entry(
                    self._identity, place.table_id, place.epoch, place.step, place.seat, place.head, body
                )
                self.other = frame_of(entry, place.head)
        return effect

    def _second_body(self, job: Any) -> bytes | None:
        progress, place = job.progress, replace(job.place)
        giver = Giver(progress.dealing, progress.position, place, job.secrets, bytes(range(32)))
        deed = None
        if isinstance(progress.task, Choose):
            (first,) = job.deeds
            hand = progress.dealing.hand(progress.position, self.seat, job.secrets.card_key)
            deeds = [
                progress.position.deed(self.seat, hand, action)
                for action in progress.position.choices(self.seat, hand)
            ]
            others = [deed for deed in deeds if deed != first]
            if not others:
                return None
            deed = others[0]
        return pack([giver.give(progress.task, progress.number, deed)[0]])


def forked(group: Group, wanted: Callable[[Task], bool], second_side: set[int], seats: int = 4) -> Ring:
    """A game in which ``FORKER`` tells one story to ``second_side`` and another to everyone else."""

    def deliver(sender: int, to: int, data: bytes) -> list[bytes]:
        message = decode_message(data)
        forker = ring.sessions[FORKER]
        assert isinstance(forker, Forker)
        other = forker.other
        told = isinstance(message, EntryFrame) and sender == FORKER and other is not None
        if told and to in second_side and (message.step, message.seat) == (other.step, FORKER):
            return [encode_message(other)]
        return [data]

    for seed in range(20):
        ring = Ring(
            group,
            seats,
            seed=seed,
            options=LITTLE,
            makers={FORKER: partial(Forker, wanted)},
            deliver=deliver,
        )
        ring.play()
        for _ in range(3):
            ring.tick(2.0)
        if ring.sessions[FORKER].other is not None:
            return ring
    raise AssertionError("the fork never had its place")


WHERE: dict[str, Callable[[Task], bool]] = {
    "keys": lambda task: isinstance(task, Setup),
    "ask": lambda task: isinstance(task, Choose),
}


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("second_side", [{0}, {1, 2}, {0, 2}], ids=str)
def test_a_fork_names_the_forker_on_both_sides(small: Group, where: str, second_side: set[int]) -> None:
    ring = forked(small, WHERE[where], second_side)
    step = ring.sessions[FORKER].other.step
    for seat in range(3):
        (fault,) = ring.faults(seat)
        assert (fault.seat, fault.step) == (FORKER, step)
        assert len(fault.evidence) == 2
        proof = Equivocation(fault.head, *fault.evidence)
        assert is_equivocation(ring.charter, ring.charter.table_id, proof)
        report = ring.verdict(seat)
        assert (report.verdict, report.seat, report.step) == ("cheated", FORKER, step)
    assert ring.drops == []


def test_a_fork_shows_although_its_author_asks_for_attention_first(small: Group) -> None:
    """A false hint at the step under way must not use up the one question about another history."""
    ring = Ring(small, 3, options=LITTLE)
    ring.play_until(lambda: ring.sessions[0].history.step >= 6)
    session = ring.sessions[0]
    step, head = session.history.step, session.history.head
    lie = EntryFrame(0, step, bytes(8), 1, b"", bytes(64))
    asked = [session.receive(0.0, peer, encode_message(lie)) for peer in (1, 2, 1)]
    assert [[decode_message(send.data) for send in sends] for sends in asked] == [
        [Want(0, 0)],
        [Want(0, 0)],
        [],
    ]
    assert session.history.head == head


def test_a_long_history_is_read_to_the_fork_in_parts(small: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.session.hearing.MAX_REPLY", 10)
    ring = forked(small, WHERE["ask"], {0})
    for seat in range(3):
        assert [fault.seat for fault in ring.faults(seat)] == [FORKER]
