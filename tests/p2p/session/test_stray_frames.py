"""Frames that are lost, late, doubled, false or early: they cost time, and blame nobody."""

from __future__ import annotations

import random
from typing import Any

import pytest

from p2p.log import (
    Chat,
    EntryFrame,
    Want,
    decode_message,
    encode_message,
    frame_of,
)
from p2p.sealed import Group
from p2p.session import Paused, Send, Session, Talk
from tests.p2p.harness import LITTLE, SHORT, TINY, Ring


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
