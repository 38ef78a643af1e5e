"""Keys in escrow, and the cards of those who left: what the others owe, do and check (design, section 5).

Every seat splits its card key among the other keepers, each of which accepts its share or shows that it does
not open. Once a keeper has left with its seats, no key of theirs is put together. Each of the others takes
its part of their layers off the cards in the piles, and moves its part of their hands under the key of those
who stay, so that nobody has seen them. A card that was on its way to a leaver counts as one of its hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from engine.table import Slot, hand_of, owner

from ..log.codec import Malformed, pack, unpack
from ..sealed import (
    Ciphertext,
    Point,
    Receiver,
    SealedShare,
    is_justified,
    prove_complaint,
    prove_escrow,
    prove_hand_over,
    prove_shares,
    read_share,
    verify_escrow,
    verify_hand_over,
    verify_shares,
)
from .base import PeerFault, Place, Recover, Secrets

if TYPE_CHECKING:
    from .sealed import Sealed

At = tuple[Slot, int]
"""A ciphertext: its slot and the place of its attribute."""


def receivers_of(dealing: Sealed, seat: int) -> tuple[Receiver, ...]:
    """The keepers among which the key of ``seat`` is split."""
    others = [keeper for keeper in dealing.keepers_there if keeper != dealing.keepers[seat]]
    return tuple(Receiver(keeper, dealing.keys[keeper].payload) for keeper in others)


# --- escrow -------------------------------------------------------------------------------------------------


def give_escrow(
    dealing: Sealed, place: Place, secrets: Secrets, fresh: bytes
) -> tuple[bytes, tuple[SealedShare, ...]]:
    """A seat's key in sealed shares."""
    receivers, header = receivers_of(dealing, place.seat), place.header("escrow")
    found, body = prove_escrow(dealing.group, header, secrets.card_key, receivers, fresh)
    return body, found


def check_escrow(dealing: Sealed, place: Place, body: bytes) -> tuple[SealedShare, ...]:
    """See ``give_escrow``. Raises ``Malformed`` or ``ProofRejected``."""
    receivers, key = receivers_of(dealing, place.seat), dealing.keys[place.seat].card
    return verify_escrow(dealing.group, place.header("escrow"), key, receivers, body)


def give_acceptance(
    dealing: Sealed, place: Place, secrets: Secrets, fresh: bytes
) -> tuple[bytes, PeerFault | None]:
    """Nothing where each share for this keeper opens; else the complaint about the first that does not."""
    for seat, share in _shares_for(dealing.stash, place.seat):
        if read_share(dealing.group, share, secrets.payload_key) is None:
            key = dealing.keys[place.seat].payload
            header = place.header("complaint")
            complaint = prove_complaint(dealing.group, header, secrets.payload_key, key, share, fresh)
            return pack([bytes([seat]), complaint]), _bad_share(seat, share)
    return b"", None


def check_acceptance(dealing: Sealed, place: Place, body: bytes) -> None:
    """See ``give_acceptance``. Raises ``Malformed`` or ``ProofRejected`` for what says nothing, and
    ``PeerFault`` for whoever is at fault."""
    if not body:
        return
    parts = unpack(body)
    about = dict(_shares_for(dealing.stash, place.seat))
    if len(parts) != 2 or len(parts[0]) != 1 or parts[0][0] not in about:
        raise Malformed("this is no acceptance and no complaint about a share")
    seat, key = parts[0][0], dealing.keys[place.seat].payload
    if is_justified(dealing.group, place.header("complaint"), key, about[seat], parts[1]):
        raise _bad_share(seat, about[seat])
    raise PeerFault(place.seat, "complained of a share that opens")


def _bad_share(seat: int, share: SealedShare) -> PeerFault:
    return PeerFault(seat, "sealed a share of its key that does not open", share.header.step)


def _shares_for(
    escrow: Mapping[int, Sequence[SealedShare]], keeper: int
) -> Iterator[tuple[int, SealedShare]]:
    """The shares sealed to ``keeper``, each with the seat whose key it belongs to."""
    for seat in sorted(escrow):
        for share in escrow[seat]:
            if share.to == keeper:
                yield seat, share


# --- recovery -----------------------------------------------------------------------------------------------


class Recovered(NamedTuple):
    """What one seat gives to a recovery: its own missing shares of cards that were on their way to a leaver;
    and, as its keeper's first seat, for each leaver its part of the layers on the piles and of the hands."""

    own: tuple[Point, ...]
    layers: tuple[tuple[Point, ...], ...] = ()
    parts: tuple[tuple[Ciphertext, ...], ...] = ()


def _on_the_way(dealing: Sealed, leaving: Sequence[int]) -> tuple[At, ...]:
    """The hidden ciphertexts in piles that are addressed to a leaver."""
    return tuple(
        (slot, at)
        for slot, begun in sorted(dealing.begun.items())
        if begun.drawer in leaving
        for at in _hidden_places(dealing, slot)
    )


def _owed(dealing: Sealed, leaving: Sequence[int], seat: int) -> tuple[At, ...]:
    """Those of them for which ``seat`` has not given its share."""
    ways = _on_the_way(dealing, leaving)
    return tuple((slot, at) for slot, at in ways if (seat, at) not in dealing.begun[slot].shares)


def _in_piles(dealing: Sealed, leaving: Sequence[int]) -> tuple[At, ...]:
    """The hidden ciphertexts under the joint key that are on their way to no leaver."""
    addressed = {slot for slot, begun in dealing.begun.items() if begun.drawer in leaving}
    piles = sorted(slot for slot in dealing.cards if owner(slot.zone) is None and slot not in addressed)
    return tuple((slot, at) for slot in piles for at in _hidden_places(dealing, slot))


def _in_hands(dealing: Sealed, leaving: Sequence[int], seat: int) -> tuple[At, ...]:
    """The hidden ciphertexts that count as a leaver's hand and carry the layer of the leaver ``seat``."""
    hand = sorted(slot for slot in dealing.cards if slot.zone == hand_of(seat))
    own = [(slot, at) for slot in hand for at in _hidden_places(dealing, slot)]
    return (*own, *_owed(dealing, leaving, seat))


def _hidden_places(dealing: Sealed, slot: Slot) -> list[int]:
    return [at for at, cipher in enumerate(dealing.cards[slot]) if cipher.a != dealing.group.identity]


def _firsts(dealing: Sealed, where: Sequence[At]) -> tuple[Point, ...]:
    return tuple(dealing.cards[slot][at].a for slot, at in where)


def _bare(dealing: Sealed, where: Sequence[At]) -> tuple[Ciphertext, ...]:
    """The ciphertexts without what they hold: (A, identity)."""
    return tuple(Ciphertext(a, dealing.group.identity) for a in _firsts(dealing, where))


def give_recovery(
    dealing: Sealed, place: Place, task: Recover, secrets: Secrets, fresh: bytes
) -> tuple[bytes, Recovered]:
    """One seat's part of a recovery."""
    group, seats = dealing.group, task.seats
    own_key = dealing.keys[place.seat].card
    own, proof = prove_shares(
        group,
        place.header("share"),
        secrets.card_key,
        own_key,
        _firsts(dealing, _owed(dealing, seats, place.seat)),
        fresh,
    )
    bodies, layers, parts = [b"".join(own) + proof], [], []
    if place.seat == dealing.keepers[place.seat]:
        joint, piles = task_key(dealing, seats), _firsts(dealing, _in_piles(dealing, seats))
        for seat in seats:
            share = _share_of(dealing, seat, place.seat)
            value = read_share(group, share, secrets.payload_key)
            if value is None:
                raise AssertionError("a share was accepted that does not open")
            header = place.header(f"strip/{seat}")
            found, proof = prove_shares(group, header, value, share.public, piles, fresh)
            bodies.append(b"".join(found) + proof)
            layers.append(found)
            header, bare = place.header(f"re-key/{seat}"), _bare(dealing, _in_hands(dealing, seats, seat))
            moved, proof = prove_hand_over(group, header, value, share.public, joint, bare, fresh)
            bodies.append(b"".join(c.a + c.b for c in moved) + proof)
            parts.append(moved)
    return pack(bodies), Recovered(own, tuple(layers), tuple(parts))


def check_recovery(dealing: Sealed, place: Place, task: Recover, body: bytes) -> Recovered:
    """See ``give_recovery``. Raises ``Malformed`` or ``ProofRejected``."""
    group, seats, data = dealing.group, task.seats, unpack(body)
    is_first = place.seat == dealing.keepers[place.seat]
    if len(data) != (1 + 2 * len(seats) if is_first else 1):
        raise Malformed("a part of a recovery is one's own shares, and two lists for each seat that left")
    firsts = _firsts(dealing, _owed(dealing, seats, place.seat))
    own = _decode_shares(dealing, place, "share", dealing.keys[place.seat].card, firsts, data[0])
    layers, parts = [], []
    if is_first:
        joint, piles = task_key(dealing, seats), _firsts(dealing, _in_piles(dealing, seats))
        for number, seat in enumerate(seats):
            key = _share_of(dealing, seat, place.seat).public
            strip = data[1 + 2 * number]
            layers.append(_decode_shares(dealing, place, f"strip/{seat}", key, piles, strip))
            bare, rest = _bare(dealing, _in_hands(dealing, seats, seat)), data[2 + 2 * number]
            moved = decode_pairs(dealing, rest, len(bare))
            header, proof = place.header(f"re-key/{seat}"), rest[2 * group.point_size * len(bare) :]
            verify_hand_over(group, header, key, joint, bare, moved, proof)
            parts.append(moved)
    return Recovered(own, tuple(layers), tuple(parts))


def decode_points(dealing: Sealed, data: bytes, count: int) -> tuple[tuple[Point, ...], bytes]:
    """The first ``count`` points of ``data``, and what comes behind them. Raises ``Malformed``."""
    size = dealing.group.point_size
    points = tuple(dealing.group.decode(data[at : at + size]) for at in range(0, size * count, size))
    return points, data[size * count :]


def decode_pairs(dealing: Sealed, data: bytes, count: int) -> tuple[Ciphertext, ...]:
    """The first ``count`` ciphertexts of ``data``. Raises ``Malformed``."""
    decode, size = dealing.group.decode, dealing.group.point_size
    cuts = range(0, 2 * size * count, 2 * size)
    return tuple(
        Ciphertext(decode(data[at : at + size]), decode(data[at + size : at + 2 * size])) for at in cuts
    )


def _decode_shares(
    dealing: Sealed, place: Place, purpose: str, key: Point, firsts: tuple[Point, ...], data: bytes
) -> tuple[Point, ...]:
    shares, proof = decode_points(dealing, data, len(firsts))
    verify_shares(dealing.group, place.header(purpose), key, firsts, shares, proof)
    return shares


def _share_of(dealing: Sealed, seat: int, keeper: int) -> SealedShare:
    return next(share for share in dealing.escrow[seat] if share.to == keeper)


def task_key(dealing: Sealed, leaving: Sequence[int]) -> Point:
    """The joint key of those who stay."""
    there = [seat for seat in range(len(dealing.keys)) if seat not in {*dealing.gone, *leaving}]
    return dealing.group.sum([dealing.keys[seat].card for seat in there])


def recovered(dealing: Sealed, task: Recover, given: Mapping[int, Recovered]) -> Sealed:
    """The dealing without those who left: all that was under their keys is under that of the others."""
    group, seats = dealing.group, task.seats
    joint = task_key(dealing, seats)
    if joint == group.identity:
        raise ValueError("the keys of those who stay cancel each other out")
    found: dict[Slot, list[Ciphertext]] = {slot: list(card) for slot, card in dealing.cards.items()}
    keepers = [each for _, each in sorted(given.items()) if each.layers or each.parts]
    for number, (slot, at) in enumerate(_in_piles(dealing, seats)):
        layers = [layer[number] for each in keepers for layer in each.layers]
        a, b = found[slot][at]
        found[slot][at] = Ciphertext(a, group.sub(b, group.sum(layers)))
    for slot, at in _on_the_way(dealing, seats):
        shares = [share for (_, n), share in dealing.begun[slot].shares.items() if n == at]
        found[slot][at] = found[slot][at]._replace(b=group.sub(found[slot][at].b, group.sum(shares)))
    for seat, each in given.items():
        for (slot, at), share in zip(_owed(dealing, seats, seat), each.own, strict=True):
            found[slot][at] = found[slot][at]._replace(b=group.sub(found[slot][at].b, share))
    firsts: dict[At, list[Point]] = {}
    for number, seat in enumerate(seats):
        for place, where in enumerate(_in_hands(dealing, seats, seat)):
            slot, at = where
            parts = [each.parts[number][place] for each in keepers]
            firsts.setdefault(where, []).extend(part.a for part in parts)
            total = group.sum([found[slot][at].b, *(part.b for part in parts)])
            found[slot][at] = found[slot][at]._replace(b=total)
    for (slot, at), own in firsts.items():
        found[slot][at] = found[slot][at]._replace(a=group.sum(own))
    begun = {
        slot: each._replace(shares={key: share for key, share in each.shares.items() if key[0] not in seats})
        for slot, each in dealing.begun.items()
        if each.drawer not in seats
    }
    cards = {slot: tuple(card) for slot, card in found.items()}
    gone = dealing.gone | frozenset(seats)
    return replace(dealing, cards=cards, begun=begun, joint=joint, gone=gone, escrow={}, stash=None)
