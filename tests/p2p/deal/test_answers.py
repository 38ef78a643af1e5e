"""Answers and hand-overs that open some attributes of sealed cards, and those that are caught."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace as changed

from engine.table import (
    Complete,
    Deed,
    Disclose,
    Done,
    Draw,
    HandOver,
    Match,
    Mix,
    Move,
    Show,
    Shown,
    Shuffle,
)
from p2p.deal.giving import Giver
from p2p.log import encode, pack, unpack
from p2p.sealed import Group
from tests.p2p.cheats import (
    at,
    at_place,
    bent,
    with_false_claims,
)
from tests.p2p.deal.circle import (
    DECK,
    RANK_ASK,
    Circle,
    Script,
    dealt,
    held,
    held_now,
    trivial_places,
)


def test_an_answer_opens_only_the_attribute_and_the_cards_go_on_hidden(small: Group) -> None:
    for salt in range(6):
        circle = Circle(small, Script(*RANK_ASK), 3, salt=bytes([salt])).play()
        shown, handed, _, again = circle.results[2:]
        before = circle.before(Disclose)
        threes = [slot for slot, face in circle.hand(1, before).items() if face[0] == "3"]
        assert shown == Shown(tuple(threes), (("3", None),) * len(threes))
        assert handed == Done()
        faces = Counter(circle.faces(before).values())
        assert Counter(circle.faces().values()) == faces
        kept = [face for slot, face in circle.faces().items() if slot.zone == "hand.1"]
        assert "3" not in {face[0] for face in kept}
        after = [slot for slot in circle.progress.dealing.cards if slot.zone == "hand.2"]
        assert len(after) == 4 + len(threes)
        for slot in after:
            known = slot in again.slots
            assert trivial_places(circle, slot) == [known, False]
        if len(threes) > 1:
            return
    raise AssertionError("no deal gave two threes")


def test_public_attributes_just_move(small: Group) -> None:
    circle = Circle(small, Script(*RANK_ASK[:4]), 3).play()
    shown = circle.results[2]
    entered = [slot for slot in circle.progress.dealing.cards if slot.zone == "hand.2" and slot.n >= 4]
    assert len(entered) == len(shown.slots) > 0
    for slot in entered:
        assert trivial_places(circle, slot) == [True, False]
        assert circle.progress.position.table.known[slot] == ("3", None)
    body = unpack(next(body for _, seat, body in circle.bodies if seat == 1 and len(unpack(body)) == 2))[1]
    assert len(body) == len(shown.slots) * 2 * small.point_size + 3 * 32


def test_a_mix_hides_every_place_of_a_partly_public_hand(small: Group) -> None:
    steps = (
        *dealt(0, 4),
        lambda state: Show(held(state, 1, 0)),
        lambda state: Show(held(state, 1, 1), ("rank",)),
        lambda state: Show(held(state, 1, 2), ("suit",)),
        Mix("hand.1"),
    )
    circle = Circle(small, Script(*steps), 2).play()
    before = circle.before(Mix)
    cards = [c for slot, c in circle.progress.dealing.cards.items() if slot.zone == "hand.1"]
    old = {c.a for card in before.dealing.cards.values() for c in card}
    new = [c.a for card in cards for c in card]
    assert len(set(new)) == len(new) == 8
    assert not old & set(new)
    assert not circle.progress.position.table.known
    assert Counter(circle.hand(1).values()) == Counter(circle.hand(1, before).values())


def test_claims_over_partly_public_cards(small: Group) -> None:
    """What is public already counts without a proof, hidden cards need one."""
    steps = (
        *dealt(0, 3),
        lambda state: Show(held(state, 1, 0, 1), ("rank",)),
        lambda state: Disclose(1, held(state, 1), Match("rank", "6"), None, ("rank",)),
        lambda state: Show(held(state, 1)),
        lambda state: Disclose(1, held(state, 1), Match("rank", "5")),
    )
    circle = Circle(small, Script(*steps), 2).play()
    faces = circle.hand(1)
    for result, rank in ((circle.results[3], "6"), (circle.results[5], "5")):
        assert [f[0] for f in result.faces] == [f[0] for f in faces.values() if f[0] == rank]


def threes(giver: Giver) -> list[int]:
    key = giver.secrets.card_key
    hand = giver.dealing.hand(giver.position, giver.place.seat, key)
    return [slot.n for slot, face in hand.items() if face[0] == "3"]


def keeps_one(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
    own = threes(giver)
    return with_false_claims(giver, task, 0, Deed("give", groups=(tuple(own[1:]),) if own[1:] else ()))


def gives_another(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
    own = threes(giver)
    other = next(slot.n for slot in task.slots if slot.n not in own)
    return with_false_claims(giver, task, 0, Deed("give", groups=((*own, other),)))


def opens_the_suit(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
    whole = at_place(giver).give(changed(task, attributes=("suit",)), 0, deed)[0]
    return pack([unpack(body)[0], unpack(whole)[1], *unpack(body)[2:]])


def opens_all(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
    return at_place(giver).give(changed(task, attributes=()), 0, deed)[0]


ANSWERS: dict[str, tuple[Any, str]] = {
    "keeps one back": (keeps_one, "lacks"),
    "gives a card of another rank": (gives_another, "not asked for"),
    "opens the suit instead": (opens_the_suit, "does not hold"),
    "opens the suit too": (opens_all, ""),
    "bends a share": (
        lambda giver, task, deed, body: pack(
            [unpack(body)[0], bent(giver, unpack(body)[1]), *unpack(body)[2:]]
        ),
        "does not hold",
    ),
    "shows cards in the wrong field": (
        lambda giver, task, deed, body: pack([encode(Deed("give", shown=deed.groups[0])), *unpack(body)[1:]]),
        "does not fit",
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_false_answers_with_attributes(name: str, small: Group) -> None:
    change, reason = ANSWERS[name]
    circle = Circle(small, Script(*RANK_ASK[:3]), 3, lies={1: at(Disclose, change)})
    fault = circle.fault()
    assert fault.seat == 1
    assert reason in fault.reason


def other_receiver(giver: Giver, task: HandOver, deed: Any, body: bytes) -> bytes:
    return at_place(giver).give(changed(task, to=0), 0, None)[0]


HAND_OVERS: dict[str, tuple[Any, str]] = {
    "to another key": (other_receiver, "does not hold"),
    "another first component": (lambda giver, task, deed, body: bent(giver, body), "does not hold"),
    "the mask taken off": (
        lambda giver, task, deed, body: giver.dealing.group.identity + body[giver.dealing.group.point_size :],
        "identity",
    ),
    "too short": (lambda giver, task, deed, body: body[:-1], "bytes"),
    "the proof of another place": (
        lambda giver, task, deed, body: at_place(giver, step=99).give(task, 0, None)[0],
        "does not hold",
    ),
}


@pytest.mark.parametrize("name", HAND_OVERS)
def test_false_hand_overs(name: str, small: Group) -> None:
    change, reason = HAND_OVERS[name]
    circle = Circle(small, Script(*RANK_ASK[:4]), 3, lies={1: at(HandOver, change)})
    fault = circle.fault()
    assert fault.seat == 1
    assert reason in fault.reason


def test_a_partly_public_card_is_drawn_with_shares_of_the_rest(small: Group) -> None:
    steps = (
        Shuffle("stock"),
        lambda state: Show(state.table.slots("stock")[:1], ("rank",)),
        lambda state: Show(state.table.slots("stock")[1:2]),
        lambda state: Draw(tuple((slot, 1) for slot in state.table.slots("stock")[:3])),
        lambda state: Show(held(state, 1, 0)),
    )
    circle = Circle(small, Script(*steps), 2).play()
    shares = [unpack(body)[0] for kind, _, body in circle.bodies if kind == "shares"]
    assert [len(each) for each in shares] == [3 * small.point_size + 64]
    assert [trivial_places(circle, slot) for slot in held_now(circle, 1)] == [
        [True] * 2,
        [True] * 2,
        [False] * 2,
    ]
    assert circle.results[-1].faces == (circle.hand(1)[held_now(circle, 1)[0]],)
    assert Counter(circle.faces().values()) == Counter(DECK.faces[card] for card in DECK.cards)


def test_public_cards_are_handed_over_without_a_word(small: Group) -> None:
    steps = (
        *dealt(3, 0),
        lambda state: Show(held(state, 0, 0, 1)),
        lambda state: HandOver(held(state, 0, 0), 1),
        lambda state: Move(held(state, 0, 0), "hand.1"),
    )
    circle = Circle(small, Script(*steps), 2).play()
    assert not any(kind == "hand-over" for kind, _, _ in circle.bodies)
    known = circle.progress.position.table.known
    assert {slot: known[slot] for slot in held_now(circle, 1)} == circle.hand(1)
    assert len(circle.hand(1)) == 2


@pytest.mark.parametrize("public", [(), ("rank",), ("suit",), ("rank", "suit")], ids=str)
def test_no_group_is_proved_over_cards_of_any_publicity(public: tuple[str, ...], small: Group) -> None:
    """The no-book claim where the first two of five cards are public in part, in whole, or not at all."""
    for salt in range(8):
        steps = (
            *dealt(5, 0),
            lambda state: Show(held(state, 0, 0, 1), public) if public else Show(()),
            lambda state: Complete(0, "rank", 2, held(state, 0)),
        )
        circle = Circle(small, Script(*steps), 2, salt=bytes([salt])).play()
        laid = circle.results[-1]
        ranks = Counter(face[0] for face in circle.hand(0).values())
        assert len(laid.groups) == sum(count // 2 for count in ranks.values())
