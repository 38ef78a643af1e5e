"""Operations on sealed cards: what they result in, what stays hidden, and what is caught."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.table import (
    STOCK,
    Choose,
    Deed,
    Deeds,
    Done,
    Draw,
    HandOver,
    Mix,
    Move,
    Pick,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    hand_of,
)
from p2p.deal import PeerFault, Progress
from p2p.deal.giving import Giver
from p2p.log import encode, pack, unpack
from p2p.sealed import Group, prove_shares
from tests.p2p.cheats import (
    Told,
    at,
    at_place,
    bent,
    lying,
    other_salt,
)
from tests.p2p.deal.circle import (
    DECK,
    RANK_ASK,
    Circle,
    Script,
    ScriptState,
    dealt,
    held,
    held_now,
    trivial_places,
)


def all_of(seat: int, verb: str = "do") -> Any:
    """A deed that opens the first ``seat`` + 1 cards of the hand."""

    def decide(circle: Circle, progress: Progress, who: int) -> Deed:
        slots = progress.position.table.slots(hand_of(who))
        return Deed(verb, shown=tuple(slot.n for slot in slots[: who + 1]))

    return decide


# --- decisions that open cards ------------------------------------------------------------------------------


def opener(circle: Circle, progress: Progress, seat: int) -> Deed:
    """Opens as many cards of the hand as the seat's number, the last ones first."""
    slots = progress.position.table.slots(hand_of(seat))
    return Deed("do", shown=tuple(slot.n for slot in slots[::-1][:seat]))


def test_a_decision_opens_cards(small: Group) -> None:
    circle = Circle(small, Script(*dealt(3, 3, 3), Choose((2, 0, 1), "act")), 3, decide=opener).play()
    (deeds,) = circle.results[2:]
    assert isinstance(deeds, Deeds)
    assert [seat for seat, _ in deeds.deeds] == [2, 0, 1]
    assert deeds.slots == (Slot("hand.2", 2), Slot("hand.2", 1), Slot("hand.1", 2))
    faces = circle.faces()
    assert deeds.faces == tuple(faces[slot] for slot in deeds.slots)
    assert all(circle.progress.position.table.known[slot] == faces[slot] for slot in deeds.slots)
    for slot in faces:
        assert trivial_places(circle, slot) == [slot in deeds.slots] * 2


def test_nothing_is_owed_for_what_is_public(small: Group) -> None:
    """A card shown before is opened again without a share; one with a public rank needs one for its suit."""
    steps = (
        *dealt(2, 2),
        lambda state: Show(held(state, 1, 1)),
        lambda state: Show(held(state, 1, 0), ("rank",)),
        Choose((1,), "act"),
    )
    circle = Circle(small, Script(*steps), 2, decide=all_of(1)).play()
    body = unpack(next(body for kind, _, body in circle.bodies if kind == "act"))[0]
    assert len(unpack(body)[1]) == small.point_size + 2 * 32
    assert circle.results[-1].faces == tuple(circle.faces()[slot] for slot in held_now(circle, 1))


def holder(circle: Circle, progress: Progress, seat: int) -> Deed:
    """Proves that it holds the rank of its first card, and opens the second one."""
    faces = list(circle.hand(seat, progress).items())
    return Deed("hold", value=faces[0][1][0], shown=(faces[1][0].n,))


def test_claims_stand_behind_the_opening(small: Group) -> None:
    circle = Circle(small, Script(*dealt(3, 3), Choose((0, 1), "act")), 2, decide=holder).play()
    bodies = [unpack(unpack(body)[0]) for kind, _, body in circle.bodies if kind == "act"]
    assert [len(parts) for parts in bodies] == [3, 3]
    assert all(len(parts[2]) > 0 for parts in bodies)


ACT = (*dealt(3, 3, 3), Choose((0, 1, 2), "act"))


def false_decision(change: Any) -> Any:
    """The honest decision with its parts changed by ``change(giver, deed, parts)``."""

    def lie(giver: Giver, task: Any, number: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, Choose) or deed is None:
            return None
        return change(giver, deed, unpack(at_place(giver).give(task, number, deed)[0]))

    return lie


DECISIONS: dict[str, tuple[str, Any]] = {
    "a card that is not there": (
        "not in its hand",
        lambda giver, deed, parts: pack([encode(Deed("do", shown=(77,))), *parts[1:]]),
    ),
    "a negative number": (
        "not in its hand",
        lambda giver, deed, parts: pack([encode(Deed("do", shown=(-1,))), *parts[1:]]),
    ),
    "one card twice": (
        "not in its hand",
        lambda giver, deed, parts: pack([encode(Deed("do", shown=(0, 0))), *parts[1:]]),
    ),
    "another card than it opens": (
        "does not hold",
        lambda giver, deed, parts: pack([encode(Deed("do", shown=(0,))), *parts[1:]]),
    ),
    "fewer cards than it opens": (
        "none is owed",
        lambda giver, deed, parts: pack([encode(Deed("do")), *parts[1:]]),
    ),
    "more cards than it opens": (
        "",
        lambda giver, deed, parts: pack([encode(Deed("do", shown=(2, 1))), *parts[1:]]),
    ),
    "a wrong share": ("does not hold", lambda giver, deed, parts: pack([parts[0], bent(giver, parts[1])])),
    "no opening": ("", lambda giver, deed, parts: pack([parts[0], b""])),
    "the opening left out": (
        "a deed, an opening and its claims",
        lambda giver, deed, parts: pack(parts[:1]),
    ),
    "a claim that is not owed": (
        "0 claims are owed, 1 proofs came",
        lambda giver, deed, parts: pack([*parts, b""]),
    ),
    "what the rules refuse": (
        "rules refuse (no-pair)",
        lambda giver, deed, parts: at_place(giver).give(
            giver.position.pending, 0, Deed("pair", shown=deed.shown)
        )[0],
    ),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_false_decisions_blame_their_seat(name: str, small: Group) -> None:
    reason, change = DECISIONS[name]
    circle = Circle(small, Script(*ACT), 3, decide=opener, lies={1: false_decision(change)})
    fault = circle.fault()
    assert fault.seat == 1
    assert reason in fault.reason


def test_a_card_of_another_hand_cannot_be_opened(small: Group) -> None:
    """Slot numbers are those of the own hand, and another's ciphertext does not open with the own key."""

    def swap(giver: Giver, deed: Deed, parts: list[bytes]) -> bytes:
        dealing, place = giver.dealing, at_place(giver).place
        firsts, key = dealing.firsts((Slot("hand.2", 2),)), dealing.keys[1].card
        header = place.header("open")
        shares, proof = prove_shares(dealing.group, header, giver.secrets.card_key, key, firsts, giver.fresh)
        return pack([parts[0], b"".join(shares) + proof])

    circle = Circle(small, Script(*ACT), 3, decide=opener, lies={1: false_decision(swap)})
    fault = circle.fault()
    assert (fault.seat, "does not hold" in fault.reason) == (1, True)


# --- cards that are shown at once ---------------------------------------------------------------------------

AT_ONCE = (Shuffle("stock"), lambda state: Show(state.table.slots("stock")[:2], at_once=True))


def test_cards_shown_at_once_take_two_rounds(small: Group) -> None:
    circle = Circle(small, Script(*AT_ONCE), 3).play()
    kinds = [kind for kind, _, _ in circle.bodies if kind.startswith("show")]
    assert kinds == ["show-commit"] * 3 + ["show-open"] * 3
    commitments = [unpack(body)[0] for kind, _, body in circle.bodies if kind == "show-commit"]
    assert [len(each) for each in commitments] == [32, 32, 32]
    top = [Slot("stock", 0), Slot("stock", 1)]
    assert circle.results[1] == Shown(tuple(top), tuple(circle.faces()[slot] for slot in top))
    plain = Circle(small, Script(AT_ONCE[0], lambda state: Show(state.table.slots("stock")[:2])), 3).play()
    assert plain.results[1] == circle.results[1]
    assert [kind for kind, _, _ in plain.bodies if kind.startswith("show")] == ["show"] * 3


def test_a_hand_and_what_is_public_need_no_commitment(small: Group) -> None:
    steps = (
        *dealt(2, 2),
        lambda state: Show(held(state, 1), at_once=True),
        lambda state: Show(state.table.slots("stock")[:1]),
        lambda state: Show(state.table.slots("stock")[:1], at_once=True),
    )
    circle = Circle(small, Script(*steps), 2).play()
    assert not any(kind.startswith("show-") for kind, _, _ in circle.bodies)
    assert len(circle.results) == 5


AT_ONCE_LIES: dict[str, tuple[int, Any, str]] = {
    "a commitment of 31 bytes": (0, lambda giver, task, deed, body: body[:-1], "32 bytes"),
    "no commitment": (0, lambda giver, task, deed, body: b"", "32 bytes"),
    "another salt": (1, other_salt, "to other shares"),
    "another share": (
        1,
        lambda giver, task, deed, body: body[:32] + bent(giver, body[32:]),
        "to other shares",
    ),
    "no opening": (1, lambda giver, task, deed, body: b"", "to other shares"),
    "a false proof": (1, lambda giver, task, deed, body: body[:-32] + bytes(31) + b"\0", "does not hold"),
}


@pytest.mark.parametrize("name", AT_ONCE_LIES)
def test_false_openings_at_once(name: str, small: Group) -> None:
    number, change, reason = AT_ONCE_LIES[name]
    circle = Circle(small, Script(*AT_ONCE), 3, lies={1: at(Show, change, number)})
    fault = circle.fault()
    assert fault.seat == 1
    assert reason in fault.reason


def test_a_wrong_share_under_its_own_commitment_is_caught_by_its_proof(small: Group) -> None:
    """Committed to and opened alike, but no share of the card."""

    def lie(giver: Giver, task: Any, number: int, deed: Any) -> bytes | None:
        if not isinstance(task, Show):
            return None
        body = at_place(giver).give(task, 1, None)[0] if number == 1 else b""
        firsts = giver.dealing.firsts(task.slots, None)
        group, key = giver.dealing.group, giver.secrets.card_key
        wrong = b"".join(group.add(group.mul(key, first), group.base) for first in firsts)
        if number == 0:
            origin = at_place(giver).place.origin("show")
            return origin.commit(origin.stream(giver.secrets.seed).read(32), wrong)
        return body[:32] + wrong + body[32 + len(wrong) :]

    circle = Circle(small, Script(*AT_ONCE), 3)
    while circle.progress.round.kind != "show-commit":
        circle.one_step()
    own = circle.contribution

    def contribution(seat: int) -> Any:
        with lying(lie if seat == 1 else None, Told()):
            return own(seat)

    circle.contribution = contribution
    circle.lies = {1: (lambda *_: None, Told(0))}
    circle.one_step()
    with pytest.raises(PeerFault, match="seat 1: the proof of a share does not hold"):
        circle.one_step()


# --- zones --------------------------------------------------------------------------------------------------


def test_the_deck_fills_several_zones_in_order(small: Group) -> None:
    zones = {"lake": 6, "stock": 9, "burnt": 5}
    start = Circle(small, Script(zones=zones), 2)
    order = [DECK.faces[card] for card in DECK.cards]
    assert [
        start.faces()[slot] for zone in zones for slot in start.progress.position.table.slots(zone)
    ] == order
    steps = (Shuffle("lake"), Shuffle("stock"), *dealt(2, 2, zone="lake")[1:], *dealt(1, 1)[1:])
    circle = Circle(small, Script(*steps, zones=zones), 2).play()
    lake = set(order[:6])
    drawn = list(circle.hand(0).values()) + list(circle.hand(1).values())
    assert sum(face in lake for face in drawn) == 4
    assert Counter(circle.faces().values()) == Counter(order)


def test_two_shuffles_of_one_seed_share_no_difference(small: Group) -> None:
    """Zones of one size at every step of one seat: neither order nor masks are used again."""
    zones = {"lake": 10, "stock": 10}
    circle = Circle(small, Script(Shuffle("lake"), Shuffle("stock"), Shuffle("lake"), zones=zones), 2)
    dealing, seed = circle.progress.dealing, circle.secrets[0].seed
    places = [circle.place(0)]
    circle.one_step()
    places.append(circle.place(0))
    witnesses = [dealing.joint_shuffle_witness(place, seed, zone, 10) for place in places for zone in zones]
    assert len({witness.permutation for witness in witnesses}) == 4
    masks = [mask for witness in witnesses for row in witness.remasks for mask in row]
    assert len(set(masks)) == len(masks) == 80
    differences = {(b - a) % small.order for a, b in zip(masks[:20], masks[20:40], strict=True)}
    assert len(differences) == 20
    circle.play()


def test_cards_laid_face_down_stay_under_their_key(small: Group) -> None:
    steps = (
        *dealt(3, 3),
        lambda state: Show(held(state, 1, 2), ("rank",)),
        lambda state: Move(held(state, 1, 0, 2), "down.1"),
        Mix("down.1"),
        lambda state: Return(state.table.slots("down.1"), "stock"),
        Shuffle("stock"),
    )
    circle = Circle(small, Script(*steps), 2).play()
    moved = circle.before(Mix)
    assert moved.dealing.cards.keys() >= {Slot("down.1", 0), Slot("down.1", 1)}
    assert moved.position.table.known[Slot("down.1", 1)] == (circle.faces(moved)[Slot("down.1", 1)][0], None)
    assert Counter(circle.faces().values()) == Counter(circle.faces(moved).values())
    assert not [slot for slot in circle.progress.dealing.cards if slot.zone == "down.1"]


def test_hidden_cards_move_to_nobody_else(small: Group) -> None:
    for zone in ("down.0", "hand.0", "pile"):
        with pytest.raises(ValueError, match="only a public card"):
            Circle(small, Script(*dealt(1, 1), lambda state, z=zone: Move(held(state, 1), z)), 2).play()


def test_one_operation_speaks_of_cards_under_one_key(small: Group) -> None:
    def both(state: ScriptState) -> tuple[Slot, ...]:
        return (*held(state, 0), *held(state, 1))

    for step in (lambda state: Show(both(state)), lambda state: HandOver(both(state), 2)):
        with pytest.raises(ValueError, match="different keys"):
            Circle(small, Script(*dealt(1, 1, 0), step), 3).play()


def test_nothing_handed_over_is_nothing_owed(small: Group) -> None:
    circle = Circle(small, Script(*dealt(1, 1), HandOver((), 0), Show(()), Draw(())), 2).play()
    assert circle.results[2:] == (Done(), Shown((), ()), Done())


def test_the_real_group_deals_the_same(real: Group, small: Group) -> None:
    """Every operation once more in the group of the protocol."""
    steps = (*RANK_ASK, Pick(0, "hand.2", 2), lambda state: Show(state.table.slots(STOCK)[:1], at_once=True))
    circle = Circle(real, Script(*steps), 3).play()
    assert Counter(circle.faces().values()) == Counter(DECK.faces[card] for card in DECK.cards)
    assert len(circle.results) == len(steps)
