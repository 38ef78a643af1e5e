"""What convicts a seat: two statements about a step, contributions that stand nowhere, false reveals."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import pytest

from engine.table import Coin, Deed, Shuffle
from p2p.deal import Reveal, Setup, Task
from p2p.deal.giving import Giver
from p2p.identity import verify as is_valid
from p2p.identity.keys import _L, _P, _labelled, _multiply
from p2p.log import (
    Entry,
    EntryFrame,
    Equivocation,
    encode_message,
    frame_of,
    is_equivocation,
    pack,
    sign_entry,
    signed_bytes,
    unpack,
)
from p2p.sealed import Group, commit
from p2p.session import Fault, Session, Tell
from tests.p2p.cheats import Cheater, Told, at_place
from tests.p2p.harness import LITTLE, TINY, Ring


def second_statement(ring: Ring, known: Entry) -> EntryFrame:
    """Another body that the author of ``known`` signed for the same step."""
    head = ring.sessions[0].history.heads[known.step]
    table_id = ring.charter.table_id
    identity = ring.identities[known.seat]
    return frame_of(sign_entry(identity, table_id, 0, known.step, known.seat, head, known.body + b"x"), head)


@pytest.mark.parametrize("back", [0, 1, 3, 5])
def test_a_second_statement_about_any_step_is_an_equivocation(small: Group, back: int) -> None:
    ring = Ring(small, 3, options=LITTLE)
    session = ring.sessions[0]

    def others() -> list[Entry]:
        step = session.history.step - back
        return [e for e in (session.held if back == 0 else session.history.steps[step]) if e.seat != 0]

    assert ring.play_until(lambda: session.history.step >= 8 and bool(others()))
    step, known = session.history.step - back, others()[0]
    ring.run(0, session.receive(0.0, 2, encode_message(second_statement(ring, known))))
    ring.pump()
    for seat in range(3):
        if seat != known.seat:
            (fault,) = ring.faults(seat)
            assert (fault.seat, fault.step, len(fault.evidence)) == (known.seat, step, 2)
            report = ring.verdict(seat)
            assert (report.verdict, report.seat, report.step) == ("cheated", known.seat, step)


def another_signature(identity_seed: bytes, purpose: str, data: bytes) -> bytes:
    """A second valid Ed25519 signature over the same bytes: RFC 8032, 5.1.6, with another nonce."""
    base_y = 4 * pow(5, -1, _P) % _P
    base_x = 15112221349535400772501151409588531511454012693041857206046113283949847762202
    base = (base_x, base_y, 1, base_x * base_y % _P)

    def encoded(point: Any) -> bytes:
        inverse = pow(point[2], -1, _P)
        x, y = point[0] * inverse % _P, point[1] * inverse % _P
        return (y | (x & 1) << 255).to_bytes(32, "little")

    wide = bytearray(hashlib.sha512(identity_seed).digest()[:32])
    wide[0] &= 248
    wide[31] = wide[31] & 127 | 64
    secret, nonce = int.from_bytes(wide, "little"), 123456789
    message = _labelled(purpose, data)
    first = encoded(_multiply(nonce, base))
    public = encoded(_multiply(secret, base))
    k = int.from_bytes(hashlib.sha512(first + public + message).digest(), "little")
    return first + ((nonce + k * secret) % _L).to_bytes(32, "little")


def test_two_signatures_over_the_same_bytes_are_one_statement(small: Group) -> None:
    ring = Ring(small, 3, options=LITTLE)
    ring.play_until(lambda: ring.sessions[0].history.step >= 5)
    history = ring.sessions[0].history
    known = history.steps[2][0]
    data = signed_bytes(history.table_id, 0, 2, known.seat, history.heads[2], known.body)
    signature = another_signature(bytes([known.seat + 1]) * 32, "entry", data)
    again = Entry(0, 2, known.seat, known.body, signature)
    assert signature != known.signature
    assert is_valid(ring.identities[known.seat].public, "entry", data, signature)
    assert history.is_signed(again)
    assert not is_equivocation(ring.charter, history.table_id, Equivocation(history.heads[2], known, again))
    assert ring.sessions[1].receive(0.0, 2, encode_message(frame_of(again, history.heads[2]))) == []
    ring.pump()
    assert all(session.is_over and session.fault is None for session in ring.sessions)


def test_a_contribution_out_of_turn_is_named_at_once_or_when_its_step_comes(small: Group) -> None:
    for ahead in (False, True):
        ring = Ring(small, 3, options=LITTLE)
        history = ring.sessions[1].history
        assert ring.play_until(lambda at=history: at.progress.owed == (0,) and at.step > 6)
        entry = sign_entry(
            ring.identities[2], history.table_id, 0, history.step, 2, history.head, pack([b"x"])
        )
        if ahead:  # seat 0 hears it before it knows that the step has begun
            behind = Session(ring.charter, ring.rules, small, 0, ring.identities[0], ring.roots[0], bytes(32))
            behind.start(0.0, tuple(e for step in history.steps[:-1] for e in step))
            effects = behind.receive(0.0, 2, encode_message(frame_of(entry, history.head)))
            assert not any(isinstance(effect, Tell) for effect in effects)
            for last in history.steps[-1]:
                data = encode_message(frame_of(last, history.heads[-2]))
                for effect in behind.receive(0.0, 1, data):
                    if hasattr(effect, "job"):
                        effects = behind.done(0.0, effect.id, effect.job.run())
            (fault,) = [e.what for e in effects if isinstance(e, Tell) and isinstance(e.what, Fault)]
            assert (fault.seat, fault.step) == (2, history.step)
            continue
        ring.run(1, ring.sessions[1].receive(0.0, 2, encode_message(frame_of(entry, history.head))))
        ring.pump()
        (fault,) = ring.faults(1)
        assert (fault.seat, fault.step, fault.reason) == (
            2,
            history.step,
            "contributed where nothing is owed",
        )
        report = ring.verdict(1)
        assert (report.verdict, report.seat, report.step) == ("cheated", 2, history.step)


def test_a_contribution_to_a_past_step_of_another_seat_convinces_a_stranger_too(small: Group) -> None:
    ring = Ring(small, 3, options=LITTLE)
    ring.play_until(lambda: ring.sessions[1].history.step >= 10)
    history = ring.sessions[1].history
    step = next(n for n, entries in enumerate(history.steps) if [e.seat for e in entries] == [0])
    head = history.heads[step]
    entry = sign_entry(ring.identities[2], history.table_id, 0, step, 2, head, pack([b"x"]))
    ring.run(1, ring.sessions[1].receive(0.0, 2, encode_message(frame_of(entry, head))))
    (fault,) = ring.faults(1)
    assert (fault.seat, fault.step) == (2, step)
    report = ring.verdict(1)
    assert (report.verdict, report.seat, report.step) == ("cheated", 2, step)


def test_only_its_holder_takes_a_seat(small: Group) -> None:
    ring = Ring(small, 2, options=TINY)
    with pytest.raises(ValueError, match="does not hold"):
        Session(ring.charter, ring.rules, small, 0, ring.identities[1], ring.roots[0], bytes(32))


def test_whoever_was_away_hears_of_the_fault_later(small: Group) -> None:
    def deliver(_sender: int, to: int, data: bytes) -> list[bytes]:
        return [] if to == 2 and any(ring.faults(seat) for seat in (0, 1)) and not back else [data]

    back: list[bool] = []
    ring = Ring(small, 3, options=LITTLE, deliver=deliver)
    ring.play_until(lambda: ring.sessions[0].history.step >= 9)
    step = ring.sessions[0].history.step - 2
    known = next(iter(ring.sessions[0].history.steps[step]))
    other = second_statement(ring, known)
    ring.run(0, ring.sessions[0].receive(0.0, 1, encode_message(other)))
    ring.pump()
    assert ring.faults(0)
    assert ring.faults(1)
    assert not ring.faults(2)
    back.append(True)
    ring.run(2, ring.sessions[2].link_up(0.0, 1))
    ring.pump()
    assert [(fault.seat, fault.step) for fault in ring.faults(2)] == [(known.seat, step)]


# --- what only the reveal, or a copied commitment, shows ------------------------------------------------


def test_a_copied_coin_commitment_cannot_be_opened(small: Group) -> None:
    """CHEATS 16: committing to another's value gives nothing, since commitments are bound to their seat."""

    def copy(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, Coin) or number:
            return None
        value, salt = giver.dealing.coin_secret(ring.secrets(0).seed)
        return commit(giver.place.table_id, 0, "coin", value, salt)

    def open_copied(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, Coin) or number != 1:
            return None
        value, salt = giver.dealing.coin_secret(ring.secrets(0).seed)
        return value + salt

    class Copier(Cheater):
        def _contribute_job(self) -> Any:
            if told.step is not None and self._lie is copy:
                self._lie, self._told = open_copied, opened
            return super()._contribute_job()

    told, opened = Told(), Told()
    ring = Ring(small, 3, options=LITTLE, makers={1: partial(Copier, copy, told)})
    ring.play()
    assert told.step is not None
    assert opened.step == told.step + 1
    for seat in (0, 2):
        (fault,) = ring.faults(seat)
        assert (fault.seat, fault.step) == (1, opened.step)
        report = ring.verdict(seat)
        assert (report.verdict, report.seat, report.step) == ("cheated", 1, opened.step)


def _without_its_seed(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    """A valid shuffle that is not the one its seed gives: in the order it chose."""
    if not isinstance(task, Shuffle):
        return None
    other = Giver(
        giver.dealing,
        giver.position,
        at_place(giver).place,
        giver.secrets.__class__(bytes(32), giver.dealing.group.order),
        giver.fresh,
    )
    return other.give(task, number, deed)[0]


def test_a_shuffle_that_its_seed_does_not_give_is_named_by_the_file(small: Group) -> None:
    told = Told()
    ring = Ring(small, 3, options=LITTLE, makers={1: partial(Cheater, _without_its_seed, told)})
    ring.play()
    assert told.step is not None
    assert all(session.is_over and session.fault is None for session in ring.sessions)
    report = ring.verdict(0)
    assert (report.verdict, report.seat, report.step) == ("cheated", 1, told.step)
    assert "seed" in report.reason


def test_without_a_reveal_such_a_shuffle_is_a_valid_shuffle(small: Group) -> None:
    told = Told()
    ring = Ring(
        small, 3, options=LITTLE, reveal="never", makers={1: partial(Cheater, _without_its_seed, told)}
    )
    ring.play()
    assert told.step is not None
    assert ring.verdict(0).finished


def test_a_copied_seed_commitment_is_accepted_and_can_never_be_revealed(small: Group) -> None:
    def copy(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, Setup):
            return None
        parts = unpack(at_place(giver).give(task, number, deed)[0])
        return pack([*parts[:4], giver.dealing.seed_commitment(0, ring.secrets(0).seed)])

    told = Told()
    ring = Ring(small, 3, options=LITTLE, makers={1: partial(Cheater, copy, told)})
    ring.play()
    assert told.step == 0
    for seat in (0, 2):
        (fault,) = ring.faults(seat)
        assert fault.seat == 1
        assert "seed" in fault.reason
        assert isinstance(ring.sessions[seat].history.progress.task, Reveal)
