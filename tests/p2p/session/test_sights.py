"""What the giver of a hidden card still knows of it, and nobody else: One Fish and Casino, sealed."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.contract import Action
from engine.registry import game
from engine.table import hand_of, owner
from p2p.sealed import Group
from p2p.session import YourMove
from tests.p2p.harness import Ring


def gives_hidden_cards(move: YourMove, rng: random.Random) -> Action:
    """Hidden cards change hands as often as the rules let them."""
    liked = [each for each in move.actions if each.verb in ("take", "hand back") or each.value.isdecimal()]
    covered = [each for each in move.actions if each.verb != "expose"]
    return rng.choice(liked or covered)


@pytest.mark.parametrize("name", ["one-fish", "casino"])
def test_who_gave_a_hidden_card_knows_it_and_no_third_seat_does(name: str, small: Group) -> None:
    ring = Ring(small, 3, seed=4, rules=game(name), choose=gives_hidden_cards)
    known_alone = 0
    ring.start()
    for _ in ring.steps():
        if len({session.history.step for session in ring.sessions}) == 1:
            known_alone += look_at_all_views(ring)
    assert all(session.is_over for session in ring.sessions)
    assert known_alone > 0


def look_at_all_views(ring: Ring) -> int:
    """Checks what every seat knows of the others' hands; how many cards are known to their giver alone."""
    progress = ring.sessions[0].history.progress
    givers = {owner(op.slots[0].zone) for op in (each.op for each in progress.trail) if hasattr(op, "to")}
    public = progress.position.view(-1, {}).known
    hands = [
        Counter(progress.dealing.hand(progress.position, seat, ring.secrets(seat).card_key).values())
        for seat in range(len(ring.sessions))
        if progress.dealing.keys
    ]
    alone = 0
    for session in ring.sessions:
        known = session.view().known
        for other, hand in enumerate(hands):
            whole = Counter(face for face in known.get(hand_of(other), ()) if None not in face)
            assert not whole - hand, "a seat knows what is not true"
            beyond = whole - Counter(public.get(hand_of(other), ()))
            if other != session.seat and beyond:
                assert session.seat in givers
                alone += beyond.total()
    return alone
