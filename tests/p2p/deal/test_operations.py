"""Every operation on sealed cards: what it results in, what stays hidden, and what is caught."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace as changed

from engine.table import (
    STOCK,
    Choose,
    Complete,
    Deed,
    Deeds,
    Disclose,
    Done,
    Draw,
    HandOver,
    Match,
    Mix,
    Move,
    Pick,
    Picked,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    hand_of,
)
from p2p.deal import PeerFault, Progress
from p2p.deal.giving import Giver
from p2p.deal.hidden import Origin
from p2p.deal.picks import positions_from
from p2p.log import encode, pack, unpack
from p2p.sealed import Group, prove_shares
from tests.p2p.cheats import (
    Told,
    at,
    at_place,
    bent,
    lying,
    unmasked,
    unmixed,
    with_false_claims,
    with_other_output,
)
from tests.p2p.deal.circle import DECK, Circle, Script, ScriptState, dealt, held


def trivial_places(circle: Circle, slot: Slot) -> list[bool]:
    """Which attributes of a card are public in the state of the deal."""
    return [cipher.a == circle.group.identity for cipher in circle.progress.dealing.cards[slot]]


def all_of(seat: int, verb: str = "do") -> Any:
    """A deed that opens the first ``seat`` + 1 cards of the hand."""

    def decide(circle: Circle, progress: Progress, who: int) -> Deed:
        slots = progress.position.table.slots(hand_of(who))
        return Deed(verb, shown=tuple(slot.n for slot in slots[: who + 1]))

    return decide


# --- decisions that open cards ----------------------------------------------------------------------------


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


def held_now(circle: Circle, seat: int) -> tuple[Slot, ...]:
    return circle.progress.position.table.slots(hand_of(seat))


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


# --- answers that open some attributes --------------------------------------------------------------------


def ask(state: ScriptState, seat: int, rank: str, most: int | None = None) -> Disclose:
    return Disclose(seat, held(state, seat), Match("rank", rank), most, ("rank",))


RANK_ASK = (
    *dealt(0, 8, 4),
    lambda state: ask(state, 1, "3"),
    lambda state: HandOver(state.results[2].slots, 2),
    Mix("hand.2"),
    lambda state: ask(state, 2, "3"),
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


# --- cards that are shown at once -------------------------------------------------------------------------

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


def other_salt(giver: Giver, task: Any, deed: Any, body: bytes) -> bytes:
    return bytes([body[0] ^ 1]) + body[1:]


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


# --- blind picks ------------------------------------------------------------------------------------------


def picking(size: int, count: int) -> Script:
    return Script(
        *dealt(2, size, 0), Pick(0, "hand.1", count), lambda state: HandOver(state.results[2].slots, 0)
    )


@pytest.mark.parametrize(("size", "count"), [(5, 2), (5, 5), (2, 1), (1, 1), (4, 0)])
def test_a_pick_takes_cards_that_nobody_could_choose(size: int, count: int, small: Group) -> None:
    circle = Circle(small, picking(size, count), 3).play()
    picked = circle.results[2]
    assert isinstance(picked, Picked)
    assert len(set(picked.slots)) == count
    assert {slot.zone for slot in picked.slots} <= {"hand.1"}
    assert all(0 <= slot.n < size for slot in picked.slots)
    expected = [] if count == 0 else ["pick-commit", *(["mix"] if size > 1 else []), "pick-open"]
    kinds = [kind for kind, _, _ in circle.bodies if kind in ("pick-commit", "mix", "pick-open")]
    assert kinds == (expected if size > 1 else expected[:1])  # in one contribution where nobody comes between
    assert len(circle.hand(0)) == 2 + count
    assert Counter(circle.faces().values()) == Counter(DECK.faces[card] for card in DECK.cards)


def test_a_pick_mixes_a_hand_of_public_cards(small: Group) -> None:
    steps = (*dealt(0, 4), lambda state: Show(held(state, 1)), Pick(0, "hand.1", 2))
    circle = Circle(small, Script(*steps), 2).play()
    for slot in held_now(circle, 1):
        assert trivial_places(circle, slot) == [False, False]
    assert not circle.progress.position.table.known


def test_picked_positions_are_uniform_and_never_the_same_twice(small: Group) -> None:
    """Of 5 cards 2: all 20 pairs come, each place first about equally often; two picks differ."""
    found: Counter[tuple[int, ...]] = Counter()
    for step in range(4000):
        salt, positions = positions_from(Origin(bytes(32), 0, step, 1, "pick", 0), b"s" * 32, 5, 2)
        assert len(salt) == 32
        found[positions] += 1
    assert len(found) == 20
    assert all(130 < count < 275 for count in found.values())
    origins = [
        Origin(bytes(32), 0, 0, 0, "pick", 0),
        Origin(b"\1" * 32, 0, 0, 0, "pick", 0),
        Origin(bytes(32), 1, 0, 0, "pick", 0),
        Origin(bytes(32), 0, 1, 0, "pick", 0),
        Origin(bytes(32), 0, 0, 1, "pick", 0),
        Origin(bytes(32), 0, 0, 0, "tick", 0),
        Origin(bytes(32), 0, 0, 0, "pick", 1),
    ]
    streams = {origin.stream(b"s" * 32).read(32) for origin in origins}
    commitments = {origin.commit(bytes(32), b"") for origin in origins}
    assert len(streams) == len(commitments) == len(origins)


def with_positions(*positions: int, size: int = 2) -> Any:
    """Opens other positions than were committed to."""

    def change(giver: Giver, task: Any, deed: Any, body: bytes) -> bytes:
        return body[:32] + b"".join(at.to_bytes(size, "big") for at in positions)

    return change


def committed_to(*positions: int) -> Any:
    """Commits to these positions, with the salt that it will open."""

    def change(giver: Giver, task: Any, deed: Any, body: bytes) -> bytes:
        origin = at_place(giver).place.origin("pick")
        salt = origin.stream(giver.secrets.seed).read(32)
        return origin.commit(salt, b"".join(at.to_bytes(2, "big") for at in positions))

    return change


PICKS: dict[str, tuple[int, int, Any, str]] = {
    "a commitment of 33 bytes": (0, 0, lambda giver, task, deed, body: body + b"\0", "32 bytes"),
    "positions it had not committed to": (0, 2, with_positions(0, 1), "to other positions"),
    "another salt": (0, 2, other_salt, "to other positions"),
    "nothing": (0, 2, lambda giver, task, deed, body: b"", "to other positions"),
    "the owner leaves the cards as they are": (
        1,
        1,
        lambda giver, task, deed, body: unmixed(giver, task, body),
        "kept its mask",
    ),
    "the owner shows its cards": (
        1,
        1,
        lambda giver, task, deed, body: unmasked(giver, body),
        "identity",
    ),
    "the owner mixes in another card": (
        1,
        1,
        lambda giver, task, deed, body: with_other_output(giver, body),
        "does not hold",
    ),
}


@pytest.mark.parametrize("name", PICKS)
def test_false_picks(name: str, small: Group) -> None:
    seat, number, change, reason = PICKS[name]
    circle = Circle(small, picking(5, 2), 3, lies={seat: at(Pick, change, number)})
    fault = circle.fault()
    assert fault.seat == seat
    assert reason in fault.reason


@pytest.mark.parametrize("positions", [(1, 1), (0, 5), (0, 65535), (0,), (0, 1, 2), ()], ids=str)
def test_positions_that_are_no_cards_are_refused_when_opened(
    positions: tuple[int, ...], small: Group
) -> None:
    """Committed to and opened alike: the positions themselves are wrong."""
    circle = Circle(small, picking(5, 2), 3, lies={0: at(Pick, committed_to(*positions), 0)})
    while circle.progress.round.kind != "pick-open":
        circle.one_step()
    circle.lies[0] = (at(Pick, with_positions(*positions), 2), Told())
    fault = circle.fault()
    assert (fault.seat, "2 different ones of 5 cards" in fault.reason) == (0, True)


def test_an_all_public_hand_mixed_by_not_mixing_is_refused(small: Group) -> None:
    """Identity outputs: the cards stay as everybody sees them."""
    steps = (*dealt(0, 4), lambda state: Show(held(state, 1)), Pick(0, "hand.1", 2))
    lie = at(Pick, lambda giver, task, deed, body: unmixed(giver, task, body), 1)
    fault = Circle(small, Script(*steps), 2, lies={1: lie}).fault()
    assert fault.seat == 1


def test_picks_that_cannot_be_are_no_seats_fault(small: Group) -> None:
    for pick in (Pick(0, "hand.1", 3), Pick(0, "hand.1", -1), Pick(0, "stock", 1)):
        with pytest.raises(ValueError, match="cannot be picked"):
            Circle(small, Script(*dealt(0, 2), pick), 2).play()


# --- zones ------------------------------------------------------------------------------------------------


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
