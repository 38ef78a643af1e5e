"""One Fish: nothing about a declined pair tells whether there was one to lay (rule OF, "no tell")."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from engine.contract import Action
from engine.registry import game
from engine.table import Choose, hand_of
from p2p.log import EntryFrame, decode_message
from p2p.sealed import Group
from p2p.session import YourMove
from tests.p2p.harness import Ring

DELAY = 1.0
STEPS = 1000
"""Declined pairs to look at (design, section 10)."""


def seldom_lays(move: YourMove, rng: random.Random) -> Action:
    """Declines what it could lay in two of three cases."""
    if move.actions[0].verb == "decline" and rng.random() < 2 / 3:
        return move.actions[0]
    return rng.choice(move.actions)


def declined_steps(group: Group, seed: int) -> list[tuple[tuple[object, ...], bool, int, float]]:
    """Of one game, for each pair declined: the public facts, whether there was one, bytes, and seconds."""
    asked: dict[tuple[int, int], tuple[tuple[object, ...], bool, float]] = {}

    def choose(move: YourMove, rng: random.Random) -> Action:
        action = seldom_lays(move, rng)
        seat, step = move.view.seat, ring.sessions[move.view.seat].history.step
        op = ring.sessions[seat].history.progress.task
        if action.verb == "decline" and isinstance(op, Choose):
            table = move.view.state.table
            facts = (seat, *(table.size(zone) for zone in ("stock", *map(hand_of, range(3)))))
            asked[seat, step] = (facts, len(move.actions) > 1, ring.now)
        return action

    ring = Ring(group, 3, seed=seed, rules=game("one-fish"), choose=choose, answer_delay=DELAY)
    found = []
    sent_at: dict[tuple[int, int], tuple[int, float]] = {}
    seen = 0

    def is_over() -> bool:
        nonlocal seen
        for sender, _, data in ring.sent[seen:]:
            message = decode_message(data)
            if isinstance(message, EntryFrame) and message.seat == sender:
                sent_at.setdefault((sender, message.step), (len(message.body), ring.now))
        seen = len(ring.sent)
        return all(session.is_over for session in ring.sessions)

    ring.start()
    assert ring.run_clock(is_over, 100_000.0)
    for place, (facts, had_one, since) in asked.items():
        size, at = sent_at[place]
        found.append((facts, had_one, size, round(at - since, 6)))
    return found


@pytest.mark.slow
def test_a_declined_pair_and_none_look_the_same(small: Group) -> None:
    found: list[tuple[tuple[object, ...], bool, int, float]] = []
    seed = 0
    while len(found) < STEPS:
        found += declined_steps(small, seed)
        seed += 1
    assert {seconds for *_, seconds in found} == {DELAY}
    sizes: dict[tuple[object, ...], set[int]] = defaultdict(set)
    both: dict[tuple[object, ...], set[bool]] = defaultdict(set)
    for facts, had_one, size, _ in found:
        sizes[facts].add(size)
        both[facts].add(had_one)
    assert sum(had_one for _, had_one, *_ in found) > STEPS / 20
    assert any(len(kinds) == 2 for kinds in both.values())
    assert all(len(each) == 1 for each in sizes.values())
