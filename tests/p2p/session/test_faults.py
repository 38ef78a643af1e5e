"""Equivocation, forks, frames that blame nobody, and signed contributions that stand nowhere."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engine.table import Choose, Coin, Deed, Shuffle
from p2p.deal import Reveal, Setup, Task
from p2p.deal.giving import Giver
from p2p.identity import verify as is_valid
from p2p.identity.keys import _L, _P, _labelled, _multiply
from p2p.log import (
    Chat,
    Entry,
    EntryFrame,
    Equivocation,
    Want,
    decode_message,
    encode_message,
    frame_of,
    is_equivocation,
    pack,
    sign_entry,
    signed_bytes,
    unpack,
)
from p2p.sealed import Group, commit
from p2p.session import Fault, Paused, Send, Session, Talk, Tell
from tests.p2p.cheats import Cheater, Told, at_place
from tests.p2p.harness import SHORT, TINY, Ring

LITTLE = {"ranks": "3", "hand_size": "2"}
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


def drops(effects: list[Any]) -> list[int]:
    return [effect.peer for effect in effects if hasattr(effect, "peer")]


def test_frames_without_a_valid_signature_cut_their_own_link_and_blame_nobody(small: Group) -> None:
    ring = Ring(small, 3, options=LITTLE)
    ring.play_until(lambda: ring.sessions[0].history.step >= 6)
    session, head = ring.sessions[0], ring.sessions[0].history.head
    step = session.history.step
    known = session.history.steps[2][0]
    frames = [
        b"",
        b"\xc0",
        b"\x91\xa5entry",
        b"\xff" * 40,
        bytes(300_000),
        encode_message(Chat("x" * 500)) + b"\0",
        encode_message(EntryFrame(0, step, head[:8], 1, b"", bytes(64))),
        encode_message(EntryFrame(0, step, head[:8], 5, b"", bytes(64))),
        # Another seat's true signature under one's own number, and under another step's.
        encode_message(EntryFrame(0, 2, session.history.heads[2][:8], 5, known.body, known.signature)),
        encode_message(EntryFrame(0, 3, session.history.heads[3][:8], 1, known.body, known.signature)),
        encode_message(EntryFrame(0, 2, session.history.heads[2][:8], known.seat, b"y", known.signature)),
    ]
    for frame in frames:
        assert drops(session.receive(0.0, 2, frame)) == [2], frame
    assert session.fault is None
    assert session.history.head == head


def test_a_frame_of_an_unknown_epoch_is_asked_about_and_blames_nobody(small: Group) -> None:
    ring = Ring(small, 3, options=LITTLE)
    ring.play_until(lambda: ring.sessions[0].history.step >= 6)
    session, step = ring.sessions[0], ring.sessions[0].history.step
    frame = encode_message(EntryFrame(1, step, session.history.head[:8], 1, b"", bytes(64)))
    assert session.receive(0.0, 2, frame) == [Send(2, encode_message(Want(0, step)))]
    assert session.receive(0.0, 2, frame) == []
    assert session.fault is None


def test_a_false_early_frame_neither_crowds_out_the_true_one_nor_blames_its_seat(small: Group) -> None:
    """Frames for later steps cannot be verified yet: they are kept by link."""
    ring = Ring(small, 3, options=LITTLE)
    ring.play_until(lambda: ring.sessions[0].history.step >= 8)
    full = ring.sessions[0].history
    step = next(n for n, entries in enumerate(full.steps) if [entry.seat for entry in entries] == [1])
    late = Session(ring.charter, ring.rules, small, 0, ring.identities[0], ring.roots[0], bytes(32))
    late.start(0.0, tuple(entry for entries in full.steps[:step] for entry in entries))
    following = full.steps[step + 1]
    assert [entry.seat for entry in following] == [2]
    false = EntryFrame(0, step + 1, full.heads[step + 1][:8], 2, b"false", bytes(64))
    late.receive(0.0, 1, encode_message(false))
    true = [frame_of(full.steps[n][0], full.heads[n]) for n in (step + 1, step)]
    work = [late.receive(0.0, 2, encode_message(frame)) for frame in true]
    dropped: list[int] = []
    while work:
        for effect in work.pop(0):
            if hasattr(effect, "job"):
                work.append(late.done(0.0, effect.id, effect.job.run()))
            dropped += drops([effect])
    assert late.history.step == step + 2
    assert dropped == [1]
    assert late.fault is None


def test_early_frames_are_bounded(small: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.session.ahead.MAX_KEPT", 10_000)
    ring = Ring(small, 3, options=LITTLE)
    session = ring.sessions[0]
    session.start(0.0)
    for number in range(500):
        frame = EntryFrame(0, 1 + number % 80, bytes(8), 1, number.to_bytes(4, "big") * 100, bytes(64))
        session.receive(0.0, 1, encode_message(frame))
        session.receive(0.0, 1, encode_message(frame))
    kept = sum(len(frame.body) for frames in session._ahead._frames.values() for _, frame in frames)
    assert 7_000 < kept <= 10_000
    assert all(step <= 64 for step, frames in session._ahead._frames.items() if frames)
    assert session.fault is None


@pytest.mark.parametrize("seed", range(6))
def test_lost_doubled_delayed_and_reordered_frames_only_cost_time(small: Group, seed: int) -> None:
    rng = random.Random(seed)
    late: list[tuple[int, int, bytes]] = []

    def deliver(sender: int, to: int, data: bytes) -> list[bytes]:
        fate = rng.random()
        if fate < 0.15:
            late.append((sender, to, data))
            return []
        if fate < 0.25:
            return []
        if fate < 0.35:
            return [data, data]
        if fate < 0.5 and late:
            other = rng.randrange(len(late))
            if late[other][:2] == (sender, to):
                return [data, late.pop(other)[2]]
        return [data]

    ring = Ring(small, 3, options=SHORT, seed=seed, deliver=deliver)
    ring.play()
    for _ in range(400):
        if all(session.is_over for session in ring.sessions):
            break
        rng.shuffle(late)
        ring.mail += [late.pop() for _ in range(len(late) // 2)]
        ring.tick(30.0)
    assert all(session.is_over for session in ring.sessions)
    assert ring.drops == []
    assert not any(ring.faults(seat) for seat in range(3))
    assert len({session.history.head for session in ring.sessions}) == 1
    assert ring.verdict(seed % 3).finished


def test_every_frame_again_after_the_end_changes_nothing(small: Group) -> None:
    ring = Ring(small, 3, options=LITTLE)
    ring.play()
    heads = [session.history.head for session in ring.sessions]
    for sender, to, data in list(ring.sent):
        for other in range(3) if to is None else (to,):
            if other != sender:
                ring.run(other, ring.sessions[other].receive(9.0, sender, data))
    ring.pump()
    assert [session.history.head for session in ring.sessions] == heads
    assert ring.drops == []
    assert all(session.fault is None and session.is_over for session in ring.sessions)


def test_a_false_hint_of_the_head_blames_nobody_and_a_true_one_is_taken_later(small: Group) -> None:
    ring = Ring(small, 3, options=LITTLE)
    lied: set[int] = set()

    def deliver(sender: int, _to: int, data: bytes) -> list[bytes]:
        message = decode_message(data)
        if isinstance(message, EntryFrame) and sender == 2 and message.step not in lied:
            lied.add(message.step)
            return [encode_message(EntryFrame(0, message.step, bytes(8), 2, message.body, message.signature))]
        return [data]

    ring.deliver = deliver
    ring.play()
    for _ in range(30):
        ring.tick(30.0)
    assert lied
    assert ring.drops == []
    assert all(session.is_over and session.fault is None for session in ring.sessions)


def test_talk_and_pauses_are_told_and_leave_no_trace(small: Group) -> None:
    ring = Ring(small, 2, options=TINY)
    ring.start()
    ring.run(0, ring.sessions[0].say("hello"))
    ring.run(0, ring.sessions[0].pause())
    ring.pump()
    assert Talk(0, "hello") in ring.told[1]
    assert Paused(0) in ring.told[1]
    assert (
        Session(  # the same table without a word spoken has the same first head
            ring.charter, ring.rules, small, 0, ring.identities[0], ring.roots[0], bytes(32)
        ).history.head
        == ring.sessions[1].history.heads[0]
    )


def test_only_its_holder_takes_a_seat(small: Group) -> None:
    ring = Ring(small, 2, options=TINY)
    with pytest.raises(ValueError, match="does not hold"):
        Session(ring.charter, ring.rules, small, 0, ring.identities[1], ring.roots[0], bytes(32))


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
