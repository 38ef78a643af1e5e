"""Lies that only One Fish, Casino and Discount Salmon give a chance to tell, in live games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from engine.cards import Face
from engine.table import Choose, Complete, Deed, Disclose, HandOver, Match, Pick, Show, Slot, Tick, hand_of
from p2p.deal import Task
from p2p.deal.giving import Giver
from p2p.log import encode, pack, unpack
from p2p.sealed import Group, prove_shares
from tests.p2p.cheats import (
    Change,
    Lie,
    at,
    at_place,
    bent,
    unmasked,
    unmixed,
    with_false_claims,
    with_other_output,
)
from tests.p2p.session.test_cheats import Cheat, check_named, games

CHEATS: dict[str, Cheat] = {}
DEALER = {"dealer": "2"}
"""The seat that cheats deals."""


def cheat(name: str, lie: Lie, reason: str = "", options: dict[str, str] | None = None) -> None:
    """A row; the game is what stands before the colon."""
    assert name not in CHEATS
    game = {"one fish": "one-fish", "casino": "casino", "salmon": "discount-salmon"}[name.partition(":")[0]]
    CHEATS[name] = Cheat(lie, options or {}, reason, game=game)


def held(giver: Giver) -> dict[Slot, Face]:
    """The cheater's own hand."""
    return giver.dealing.hand(giver.position, giver.place.seat, giver.secrets.card_key)


def matching(giver: Giver, slots: Iterable[Slot], match: Match) -> list[int]:
    """Numbers of the cards among ``slots`` that match."""
    hand = held(giver)
    return [slot.n for slot in slots if giver.dealing.deck.matches(hand[slot], match)]


# --- One Fish -------------------------------------------------------------------------------------------


def ask_not_held(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    """An ask for a number of which the cheater has no card, with an imitated proof."""
    if not isinstance(task, Choose) or deed is None or deed.verb != "ask" or deed.target < 0:
        return None
    seat, hand = giver.place.seat, held(giver)
    for value in ("1", "2", "3", "4", "5", "6"):
        asked = replace(deed, value=value)
        claims = giver.position.claims(seat, asked) if giver.position.refuse(seat, asked) is None else ()
        if claims and not any(giver.dealing.deck.matches(face, claims[0].match) for face in hand.values()):
            return with_false_claims(giver, task, number, asked)
    return None


cheat("one fish: asks for a number it does not hold", ask_not_held, "holds")


def number_give(change: Change, least: int = 1) -> Lie:
    """At an answer to a number of which the cheater holds ``least`` cards or more."""

    def changed(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
        if task.attributes != ("number",) or len(matching(giver, task.slots, task.match)) < least:
            return None
        return change(giver, task, deed, body)

    return at(Disclose, changed)


def keeps_one(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
    own = matching(giver, task.slots, task.match)[1:]
    return with_false_claims(giver, task, 0, Deed("give", groups=(tuple(own),) if own else ()))


def gives_another(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
    own = matching(giver, task.slots, task.match)
    other = [slot.n for slot in task.slots if slot.n not in own]
    return with_false_claims(giver, task, 0, Deed("give", groups=((*own, other[0]),))) if other else None


def opens(*attributes: str) -> Change:
    def change(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
        other = at_place(giver).give(replace(task, attributes=attributes), 0, deed)[0]
        return pack([unpack(body)[0], unpack(other)[1], *unpack(body)[2:]])

    return change


def bends_opening(giver: Giver, task: Any, deed: Deed, body: bytes) -> bytes | None:
    parts = unpack(body)
    return pack([parts[0], bent(giver, parts[1]), *parts[2:]]) if parts[1] else None


cheat("one fish: denies a number it holds", number_give(keeps_one), "lacks")
cheat("one fish: keeps one of two back", number_give(keeps_one, 2), "lacks")
cheat("one fish: gives a card of another number too", number_give(gives_another), "not asked for")
cheat("one fish: opens the colour instead of the number", number_give(opens("colour")), "does not hold")
cheat("one fish: opens number and colour", number_give(opens("number", "colour")))
cheat("one fish: opens another number", number_give(bends_opening), "does not hold")
cheat(
    "one fish: hands over another card",
    at(HandOver, lambda giver, task, deed, body: bent(giver, body)),
    "does not hold",
)
cheat(
    "one fish: hands over a card that it can still read",
    at(
        HandOver,
        lambda giver, task, deed, body: at_place(giver).give(replace(task, to=giver.place.seat), 0, None)[0],
    ),
    "does not hold",
)
cheat(
    "one fish: hands over too little",
    at(HandOver, lambda giver, task, deed, body: body[giver.dealing.group.point_size :]),
)


def laying(change: Change) -> Lie:
    """At a decision that opens cards."""
    return at(Choose, lambda g, task, deed, body: change(g, task, deed, body) if deed.shown else None)


def shows(numbers: Any) -> Change:
    """Names other cards of the hand than it opens."""

    def change(giver: Giver, task: Any, deed: Deed, body: bytes) -> bytes | None:
        false = replace(deed, shown=numbers(giver, deed))
        return None if false == deed else pack([encode(false), *unpack(body)[1:]])

    return change


def swapped(giver: Giver, deed: Deed) -> tuple[int, ...]:
    other = [slot.n for slot in held(giver) if slot.n not in deed.shown]
    return (*deed.shown[:-1], other[0]) if other else deed.shown


cheat(
    "one fish: lays a card that it does not hold",
    laying(shows(lambda g, d: (*d.shown[:-1], 99))),
    "not in its",
)
cheat(
    "one fish: lays one card twice",
    laying(shows(lambda g, d: (d.shown[0],) * len(d.shown))),
    "not in its hand",
)
cheat("one fish: lays another card than it opens", laying(shows(swapped)), "does not hold")
cheat("one fish: opens a card as another", laying(bends_opening), "does not hold")


def lays_no_pair(giver: Giver, task: Any, deed: Deed, body: bytes) -> bytes | None:
    numbers = swapped(giver, deed)
    hand = held(giver)
    false = replace(deed, shown=numbers)
    shown = {slot: face for slot, face in hand.items() if slot.n in numbers}
    if giver.position.refuse(giver.place.seat, false, shown) is None:
        return None
    return at_place(giver).give(task, 0, false)[0]


cheat("one fish: lays what is no pair", laying(lays_no_pair), "rules refuse")

# --- Casino -------------------------------------------------------------------------------------------------


def other_positions(giver: Giver, task: Pick, deed: Any, body: bytes) -> bytes | None:
    """The positions moved by one: other cards of the same hand."""
    size = giver.position.table.size(task.zone)
    places = [int.from_bytes(body[n : n + 2], "big") for n in range(32, len(body), 2)]
    moved = [(place + 1) % size for place in places]
    return None if moved == places else body[:32] + b"".join(n.to_bytes(2, "big") for n in moved)


def owners_mix(change: Change) -> Lie:
    return at(
        Pick, lambda g, t, d, body: change(g, t, d, body) if t.zone == hand_of(g.place.seat) else None, 1
    )


cheat("casino: opens other positions", at(Pick, other_positions, 2), "to other positions", DEALER)
cheat(
    "casino: opens with another salt",
    at(Pick, lambda giver, task, deed, body: bytes(32) + body[32:], 2),
    "to other positions",
    DEALER,
)
cheat("casino: commits to nothing", at(Pick, lambda giver, task, deed, body: b"", 0), "32 bytes", DEALER)
cheat("casino: does not mix its hand", owners_mix(lambda g, t, d, body: unmixed(g, t, body)), "kept its mask")
cheat("casino: shows its hand", owners_mix(lambda g, t, d, body: unmasked(g, body)), "identity")
cheat(
    "casino: mixes another card in",
    owners_mix(lambda g, t, d, body: with_other_output(g, body)),
    "does not hold",
)
cheat(
    "casino: hands over another card",
    at(HandOver, lambda giver, task, deed, body: bent(giver, body)),
    "does not hold",
)
cheat(
    "casino: swaps in a card that it does not hold",
    laying(shows(lambda g, d: (*d.shown[:-1], 99))),
    "not in its",
)
cheat("casino: swaps in another card than it opens", laying(shows(swapped)), "does not hold")
cheat("casino: opens a card as another", laying(bends_opening), "does not hold")


def imitates_claim(giver: Giver, task: Complete, deed: Deed, body: bytes) -> bytes | None:
    owed = giver.dealing.claims_on_rest(task, giver.position, ())
    return with_false_claims(giver, task, 0, Deed("lay")) if owed else None


cheat("casino: imitates the claim that it holds no set", at(Complete, imitates_claim), "at-most")
cheat(
    "casino: leaves out the claim that it holds no set",
    at(Complete, lambda g, t, d, body: pack(unpack(body)[:2]) if len(unpack(body)) > 2 else None),
    "claims are owed",
)

# --- Discount Salmon --------------------------------------------------------------------------------------


def at_once(number: int, change: Change) -> Lie:
    return at(Show, lambda g, task, d, body: change(g, task, d, body) if task.at_once else None, number)


cheat(
    "salmon: opens the fish with another share",
    at_once(1, lambda giver, task, deed, body: body[:32] + bent(giver, body[32:])),
    "to other shares",
)
cheat(
    "salmon: opens the fish with another salt",
    at_once(1, lambda giver, task, deed, body: bytes(32) + body[32:]),
    "to other shares",
)
cheat(
    "salmon: imitates the proof of its share",
    at_once(1, lambda giver, task, deed, body: body[:-64] + bytes([1]) + bytes(31) + bytes([1]) + bytes(31)),
    "does not hold",
)
cheat("salmon: commits to no share", at_once(0, lambda giver, task, deed, body: b""), "32 bytes")


def opening(change: Any) -> Lie:
    """At the second round of a tick: ``change(giver, task, deed, parts)``."""
    return at(Tick, lambda g, task, deed, body: change(g, task, deed, unpack(body)), 1)


def committing(change: Any) -> Lie:
    """At a first round of a tick that carries shares: ``change(giver, task, deed, parts)``."""

    def changed(giver: Giver, task: Tick, deed: Deed, body: bytes) -> bytes | None:
        parts = unpack(body)
        return change(giver, task, deed, parts) if parts[1] else None

    return at(Tick, changed, 0)


def plays_instead(giver: Giver, task: Tick, deed: Deed, parts: list[bytes]) -> bytes | None:
    """Having seen the others' deeds, another one than it had committed to."""
    choices = giver.position.choices(giver.place.seat, held(giver))
    hand = held(giver)
    others = [giver.position.deed(giver.place.seat, hand, action) for action in choices]
    other = next((each for each in others if each != deed), None)
    if other is None:
        return None
    return at_place(giver).give(task, 1, other)[0]


def less_shares(giver: Giver, task: Tick, deed: Deed, parts: list[bytes]) -> bytes | None:
    """Shares of all cards but the last, with a proof that holds for them."""
    seat, place = giver.place.seat, at_place(giver).place
    owed = giver.dealing.owed_shares(task.draws, seat)
    if len(owed) < 2:
        return None
    place.origin("tick")
    shares, proof = prove_shares(
        giver.dealing.group,
        place.header("share"),
        giver.secrets.card_key,
        giver.dealing.keys[seat].card,
        owed[:-1],
        giver.fresh,
    )
    return pack([parts[0], b"".join(shares) + proof])


cheat("salmon: opens another deed than it committed to", opening(plays_instead), "to another deed")
cheat(
    "salmon: opens with another salt",
    opening(lambda giver, task, deed, parts: pack([bytes(32), *parts[1:]])),
    "to another deed",
)
cheat(
    "salmon: calls itself late",
    opening(lambda giver, task, deed, parts: pack([*parts[:2], bytes([2]), parts[3]])),
    "cannot be marked",
)
cheat(
    "salmon: does not open the card that it plays",
    opening(lambda giver, task, deed, parts: pack([*parts[:3], b""]) if deed.shown else None),
)
cheat(
    "salmon: plays a card as another",
    opening(
        lambda giver, task, deed, parts: pack([*parts[:3], bent(giver, parts[3])]) if deed.shown else None
    ),
    "does not hold",
)
cheat("salmon: gives no refill share", committing(lambda g, t, d, parts: pack([parts[0], b""])))
cheat("salmon: gives one refill share too few", committing(less_shares))
cheat(
    "salmon: gives a wrong refill share",
    committing(lambda giver, task, deed, parts: pack([parts[0], bent(giver, parts[1])])),
    "does not hold",
)
cheat(
    "salmon: a commitment of 31 bytes",
    at(Tick, lambda giver, task, deed, body: pack([unpack(body)[0][1:], unpack(body)[1]]), 0),
    "32 bytes",
)


@pytest.mark.parametrize("name", CHEATS)
def test_every_lie_is_stopped_and_named(name: str, small: Group) -> None:
    ring, step = next(games(CHEATS[name], small, 3))
    check_named(ring, step, CHEATS[name].reason)


REAL = (
    "one fish: opens the colour instead of the number",
    "one fish: hands over another card",
    "casino: opens other positions",
    "casino: does not mix its hand",
    "salmon: opens the fish with another share",
    "salmon: opens another deed than it committed to",
)


@pytest.mark.parametrize("name", REAL)
def test_lies_in_the_real_group(name: str, real: Group) -> None:
    ring, step = next(games(CHEATS[name], real, 3))
    check_named(ring, step, CHEATS[name].reason)
