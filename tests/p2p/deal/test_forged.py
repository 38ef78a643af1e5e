"""Each check is what finds the lie against it, and the bytes are those of ``docs/protocol.md``.

A forger violates one check only: its contribution is accepted where that check is removed, rejected with it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import pytest

from engine.table import Choose, Deed, Disclose, HandOver, Match, Pick, Show, Shuffle, Tick, Ticked, hand_of
from p2p.deal import Progress
from p2p.deal.giving import Giver
from p2p.log import encode, pack, unpack
from p2p.sealed import Group, prove_shares
from tests.p2p.cheats import Change, Lie, at, at_place, bent, unmixed
from tests.p2p.deal.circle import Circle, Script, Step, dealt, held


def decide(circle: Circle, progress: Progress, seat: int) -> Deed:
    """Every seat opens the first card of its hand."""
    return Deed("do", shown=(progress.position.table.slots(hand_of(seat))[0].n,))


def removed(target: str, value: Any = None) -> AbstractContextManager[Any]:
    """A check that always holds."""
    return mock.patch(target, return_value=value)


TICK: tuple[Step, ...] = (*dealt(2, 2, 2), Tick((0, 1, 2)))
REFILL: tuple[Step, ...] = (*dealt(2, 2, 2), lambda s: Tick((0, 1, 2), ((s.table.slots("stock")[0], 0),)))
AT_ONCE: tuple[Step, ...] = (Shuffle("stock"), lambda s: Show(s.table.slots("stock")[:1], at_once=True))
PICK: tuple[Step, ...] = (*dealt(2, 0, 5), Pick(1, "hand.2", 2))
ANSWER: tuple[Step, ...] = (
    *dealt(2, 8, 2),
    lambda s: Disclose(1, held(s, 1), Match("rank", "3"), None, ("rank",)),
    lambda s: HandOver(s.results[-1].slots, 2),
)

SHARES = "p2p.deal.checking.verify_shares"
OPENED = "p2p.deal.hidden.Committed.is_opened_by"


def parts(change: Any) -> Change:
    """``change(giver, deed, parts)``."""
    return lambda giver, task, deed, body: change(giver, deed, unpack(body))


def other_deed(giver: Giver, deed: Deed, own: list[bytes]) -> bytes:
    return pack([own[0], encode(Deed("wait")), own[2], b""])


def other_positions(giver: Giver, task: Pick, deed: Any, body: bytes) -> bytes:
    places = [int.from_bytes(body[n : n + 2], "big") for n in (32, 34)]
    return body[:32] + b"".join(((place + 1) % 5).to_bytes(2, "big") for place in places)


def positions_twice(giver: Giver, task: Pick, deed: Any, body: bytes) -> bytes:
    return body[:34] + body[32:34]


def share_of_another(giver: Giver, deed: Deed, own: list[bytes]) -> bytes:
    """A true share of a card, with its proof, where that of another card is owed."""
    dealing, place = giver.dealing, at_place(giver).place
    place.origin("tick")
    stock = giver.position.table.slots("stock")
    shares, proof = prove_shares(
        dealing.group,
        place.header("share"),
        giver.secrets.card_key,
        dealing.keys[giver.place.seat].card,
        dealing.firsts((stock[1],)),
        giver.fresh,
    )
    return pack([own[0], b"".join(shares) + proof])


FORGED: dict[str, tuple[tuple[Step, ...], Lie, str, Any]] = {
    "tick: another deed": (TICK, at(Tick, parts(other_deed), 1), OPENED, True),
    "tick: another salt": (
        TICK,
        at(Tick, parts(lambda g, d, own: pack([bytes(32), *own[1:]])), 1),
        OPENED,
        True,
    ),
    "tick: a lag bit of its own": (
        TICK,
        at(Tick, parts(lambda g, d, own: pack([*own[:2], b"\2", own[3]])), 1),
        "p2p.deal.ticks.markable",
        255,
    ),
    "tick: a share of another card": (REFILL, at(Tick, parts(share_of_another), 0), SHARES, None),
    "tick: a deed against the rules": (
        TICK,
        at(Tick, lambda g, t, d, b: false_deed(g, b, 0), 0),
        "engine.match.Position.refuse",
        None,
    ),
    "show: other shares": (
        AT_ONCE,
        at(Show, lambda g, t, d, body: bytes(32) + body[32:], 1),
        OPENED,
        True,
    ),
    "pick: other positions": (PICK, at(Pick, other_positions, 2), OPENED, True),
    "answer: another colour of hand-over": (
        ANSWER,
        at(HandOver, lambda g, t, d, body: bent(g, body)),
        "p2p.deal.checking.verify_hand_over",
        None,
    ),
    "choose: a deed against the rules": (
        (*dealt(2, 2, 2), Choose((0, 1, 2), "act")),
        at(Choose, lambda g, t, d, body: pack([encode(Deed("fly", shown=d.shown)), *unpack(body)[1:]])),
        "engine.match.Position.refuse",
        None,
    ),
}


def false_deed(giver: Giver, body: bytes, number: int) -> bytes | None:
    """The honest first round of a deed that the rules refuse; the second one follows from it."""
    return at_place(giver).give(giver.position.pending, number, Deed("fly"))[0]


def flying(circle: Circle, progress: Progress, seat: int) -> Deed:
    """Seat 1 does what the rules refuse."""
    return Deed("fly") if seat == 1 else Deed("wait")


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_round_is_found_by_its_check_alone(name: str, small: Group) -> None:
    steps, lie, target, value = FORGED[name]
    decision = flying if name == "tick: a deed against the rules" else decide
    told = Circle(small, Script(*steps), 3, decide=decision, lies={1: lie})
    with pytest.raises(Exception, match="seat 1: "):
        told.play()
    free = Circle(small, Script(*steps), 3, decide=decision, lies={1: lie})
    with removed(target, value):
        for _ in until_after(free, steps):
            free.one_step()
    assert free.lies[1][1].step is not None


def until_after(circle: Circle, steps: tuple[Step, ...]) -> Iterator[None]:
    """While the step with the lie, or what follows of its operation, is not over."""
    while circle.lies[1][1].step is None or circle.step <= circle.lies[1][1].step:
        yield


def test_positions_are_checked_beside_their_commitment(small: Group) -> None:
    lie = at(Pick, positions_twice, 2)
    with removed(OPENED, True):
        fault = Circle(small, Script(*PICK), 3, lies={1: lie}).fault()
    assert "not 2 different ones of 5 cards" in fault.reason


def test_the_owner_has_to_mix(small: Group) -> None:
    """Cards as they lay there are refused by their masks, before the proof is looked at."""
    script = Script(*dealt(2, 5, 2), Pick(2, "hand.1", 2))
    lie = at(Pick, lambda giver, task, deed, body: unmixed(giver, task, body), 1)
    fault = Circle(small, script, 3, lies={1: lie}).fault()
    assert "kept its mask" in fault.reason
    with removed("p2p.sealed.shuffle.check_first_components"):
        fault = Circle(small, script, 3, lies={1: lie}).fault()
    assert "does not hold" in fault.reason


# --- the bytes of the document, computed here from nothing but hashlib --------------------------------------


def framed(*pieces: bytes) -> bytes:
    return b"".join(len(piece).to_bytes(8, "big") + piece for piece in pieces)


def number(value: int) -> bytes:
    return value.to_bytes(8, "big")


class Stream:
    """``xof`` of docs/protocol_proofs.md, section 1."""

    def __init__(self, label: str, *pieces: bytes) -> None:
        self.data = hashlib.shake_256(framed(b"shoal/1/" + label.encode(), *pieces)).digest(20_000)
        self.at = 0

    def read(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def below(self, bound: int) -> int:
        while True:
            value = int.from_bytes(self.read(8), "little")
            if value < 2**64 - 2**64 % bound:
                return value % bound

    def permutation(self, count: int) -> list[int]:
        order = list(range(count))
        for i in range(count - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def place_of(circle: Circle, step: int, seat: int, purpose: str, index: int) -> tuple[bytes, ...]:
    return (circle.table_id, number(0), number(step), number(seat), purpose.encode(), number(index))


def rounds_of(circle: Circle, kind: str) -> dict[int, tuple[int, list[bytes]]]:
    """Step and rounds of each seat's contribution that begins with such a round."""
    return {
        place.seat: (place.step, unpack(body))
        for progress, place, body in circle.moments
        if progress.round is not None and progress.round.kind == kind
    }


def test_a_tick_by_the_document(small: Group) -> None:
    circle = Circle(small, Script(*dealt(2, 2, 2), Tick((0, 1, 2))), 3, decide=decide).play()
    commits, opens = rounds_of(circle, "tick-commit"), rounds_of(circle, "tick-open")
    salts = []
    for seat in range(3):
        step, (body,) = commits[seat]
        commitment, shares = unpack(body)
        salt, deed, bits, _ = unpack(opens[seat][1][0])
        where = place_of(circle, step, seat, "tick", 0)
        assert salt == Stream("round/secret", circle.secrets[seat].seed, *where).read(32)
        expected = hashlib.sha256(framed(b"shoal/1/round/commitment", *where, salt, deed)).digest()
        assert (commitment, shares, bits) == (expected, b"", b"\0")
        assert deed == encode(("do", -1, "", (), (0,)))
        salts += [number(seat), salt]
    order = Stream("tick/order", circle.table_id, number(0), number(commits[0][0]), *salts).permutation(3)
    ticked = circle.results[-1]
    assert isinstance(ticked, Ticked)
    assert [seat for seat, _ in ticked.deeds] == order


def test_a_pick_by_the_document(small: Group) -> None:
    circle = Circle(small, Script(*dealt(2, 0, 5), Pick(1, "hand.2", 3)), 3).play()
    step, (commitment,) = rounds_of(circle, "pick-commit")[1]
    _, rounds = rounds_of(circle, "pick-open")[1]
    where = place_of(circle, step, 1, "pick", 0)
    stream = Stream("round/secret", circle.secrets[1].seed, *where)
    salt, places = stream.read(32), []
    while len(places) < 3:
        place = stream.below(5)
        places += [place] if place not in places else []
    value = b"".join(place.to_bytes(2, "big") for place in places)
    assert rounds[0] == salt + value
    assert commitment == hashlib.sha256(framed(b"shoal/1/round/commitment", *where, salt, value)).digest()
    assert [slot.n for slot in circle.results[-1].slots] == places


def test_a_show_at_once_by_the_document(small: Group) -> None:
    circle = Circle(small, Script(*AT_ONCE), 3).play()
    commits, opens = rounds_of(circle, "show-commit"), rounds_of(circle, "show-open")
    for seat in range(3):
        step, (commitment,) = commits[seat]
        body = opens[seat][1][0]
        where = place_of(circle, step, seat, "show", 0)
        size = 2 * small.point_size
        expected = framed(b"shoal/1/round/commitment", *where, body[:32], body[32 : 32 + size])
        assert commitment == hashlib.sha256(expected).digest()
        assert len(body) == 32 + size + 64
