"""What all ways of dealing share: keys, seeds, joint numbers, the close, and what answers and settles owe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.cards import Deck, Face
from engine.contract import Outcome
from engine.match import Position
from engine.table import (
    Claim,
    Complete,
    Completed,
    Deed,
    Disclose,
    Lacks,
    Partial,
    Shown,
    Slot,
    hand_of,
    settle_claims,
)

from ..log.codec import Malformed, decode, encode, pack, unpack
from ..sealed import (
    Group,
    Xof,
    check_commitment,
    commit,
    encode_scalar,
    prove_key,
    public_key,
    verify_key,
)
from .base import COIN_SIZE, Checked, Keys, PeerFault, Place, Secrets, Task


class Common:
    """The common part of the public state of a deal; has no fields of its own."""

    __slots__ = ()

    can_escrow: ClassVar[Any] = False
    """Whether keys are put in escrow now."""
    can_recover: ClassVar[Any] = False
    """Whether the cards of a keeper that leaves now can be recovered."""

    group: Group
    deck: Deck
    table_id: bytes
    keys: tuple[Keys, ...]
    coins: int
    stash: Any
    keepers: tuple[int, ...]

    def giver(
        self, position: Position, place: Place, secrets: Secrets, fresh: bytes, marks: int, faces: Any
    ) -> Any:
        """Who makes one contribution of a seat; ``faces`` are the cards tapped for a scan, in order."""
        raise NotImplementedError

    def prepare(
        self,
        task: Task,
        number: int,
        position: Position,
        place: Place,
        secrets: Secrets,
        deed: Deed | None,
        fresh: bytes,
        marks: int = 0,
        faces: tuple[Face, ...] = (),
    ) -> tuple[bytes, Checked]:
        """See ``Dealing.prepare``."""
        found: tuple[bytes, Checked] = self.giver(position, place, secrets, fresh, marks, faces).give(
            task, number, deed
        )
        return found

    def own_keys(self, seat: int, secrets: Secrets) -> Keys:
        """What a seat publishes of its secrets."""
        return Keys(
            public_key(self.group, secrets.card_key),
            public_key(self.group, secrets.payload_key),
            self.seed_commitment(seat, secrets.seed),
        )

    def seed_commitment(self, seat: int, seed: bytes) -> bytes:
        """The commitment that stands for a seat's seed until the reveal. The seed is its own salt: 32 random
        bytes."""
        return commit(self.table_id, seat, "seed", seed, b"")

    def coin_secret(self, seed: bytes) -> tuple[bytes, bytes]:
        """A seat's value and salt for the coin under way, from its seed alone."""
        stream = Xof("coin/secret", seed, self.table_id, self.coins.to_bytes(4, "big"))
        return stream.read(COIN_SIZE), stream.read(COIN_SIZE)

    def coin_result(self, bound: int) -> int:
        """The joint number below ``bound``, once every seat has opened its value."""
        values = [self.stash[seat] for seat in sorted(self.stash)]
        return Xof("coin/result", self.table_id, self.coins.to_bytes(4, "big"), *values).below(bound)

    def places(self, attributes: tuple[str, ...]) -> tuple[int, ...]:
        """Places of the named attributes in a face; all of them where none is named."""
        if not attributes:
            return tuple(range(len(self.deck.attributes)))
        return tuple(sorted(self.deck.at(name) for name in attributes))

    def places_shown(self, task: Disclose | Complete) -> tuple[int, ...]:
        """The attributes that an answer or a settle opens of the cards it lays."""
        return self.places(task.attributes if isinstance(task, Disclose) else ())

    def claims_on_rest(
        self, task: Disclose | Complete, position: Position, laid: tuple[Slot, ...]
    ) -> tuple[Claim, ...]:
        """The claims owed for the cards that stay (claim table of the design)."""
        gone = set(laid)
        if isinstance(task, Disclose):
            rest = tuple(slot for slot in task.slots if slot not in gone)
            enough = task.most is not None and len(laid) >= task.most
            return () if enough or not rest else (Lacks(rest, task.match),)
        hand = tuple(slot for slot in position.table.slots(hand_of(task.seat)) if slot not in gone)
        at = self.deck.at(task.attribute)
        return settle_claims(hand, task.fresh, task.size, task.attribute, position.table.known, at)

    def close_body(self, position: Position) -> bytes:
        """What every seat signs at the end: the outcome, a function of the history."""
        outcome = position.pending
        assert isinstance(outcome, Outcome)
        return encode((outcome.reason, outcome.scores, outcome.winners))

    @staticmethod
    def slots_of(seat: int, deed: Deed) -> tuple[Slot, ...]:
        """The slots that a deed of an answer or a settle names."""
        return tuple(Slot(hand_of(seat), n) for group in deed.groups for n in group)

    @staticmethod
    def laid(task: Disclose | Complete, deed: Deed, faces: Mapping[Slot, Partial]) -> Shown | Completed:
        """What an answer or a settle says, as the result of its operation."""
        if isinstance(task, Disclose):
            return Shown(tuple(faces), tuple(faces.values()))
        groups = tuple(tuple(Slot(hand_of(task.seat), n) for n in group) for group in deed.groups)
        return Completed(groups, tuple(tuple(faces[slot] for slot in group) for group in groups))


# --- given -----------------------------------------------------------------------------------------------


def give_keys(dealing: Common, place: Place, secrets: Secrets, fresh: bytes) -> tuple[bytes, Keys]:
    """A seat's keys with the proofs that it knows their secrets, and the commitment to its seed."""
    group, keys = dealing.group, dealing.own_keys(place.seat, secrets)
    card_proof = prove_key(group, place.header("key-card"), secrets.card_key, fresh)
    payload_proof = prove_key(group, place.header("key-payload"), secrets.payload_key, fresh)
    return pack([keys.card, card_proof, keys.payload, payload_proof, keys.seed]), keys


def give_coin(dealing: Common, place: Place, secrets: Secrets, number: int) -> tuple[bytes, bytes]:
    """A seat's commitment to its part of a joint number, then the opening."""
    value, salt = dealing.coin_secret(secrets.seed)
    if number == 0:
        commitment = commit(place.table_id, place.seat, "coin", value, salt)
        return commitment, commitment
    return value + salt, value


def give_reveal(secrets: Secrets) -> tuple[bytes, tuple[bytes, int]]:
    """A seat's seed and card key after the close."""
    return pack([secrets.seed, encode_scalar(secrets.card_key)]), (secrets.seed, secrets.card_key)


# --- checked ---------------------------------------------------------------------------------------------


def check_keys(dealing: Common, place: Place, body: bytes) -> Keys:
    """See ``give_keys``. Raises ``Malformed`` or ``ProofRejected``."""
    parts = unpack(body)
    if len(parts) != 5 or len(parts[4]) != 32:
        raise Malformed("keys come as five parts, the last a commitment of 32 bytes")
    card, payload = dealing.group.decode(parts[0]), dealing.group.decode(parts[2])
    verify_key(dealing.group, place.header("key-card"), card, parts[1])
    verify_key(dealing.group, place.header("key-payload"), payload, parts[3])
    return Keys(card, payload, parts[4])


def check_coin(dealing: Common, place: Place, number: int, body: bytes) -> bytes:
    """See ``give_coin``. Raises ``Malformed`` or ``PeerFault``."""
    if number == 0:
        if len(body) != 32:
            raise Malformed("a commitment has 32 bytes")
        return body
    if len(body) != 2 * COIN_SIZE:
        raise Malformed("an opening is a value and a salt of 32 bytes each")
    value, salt = body[:COIN_SIZE], body[COIN_SIZE:]
    if not check_commitment(dealing.table_id, place.seat, "coin", value, salt, dealing.stash[place.seat]):
        raise PeerFault(place.seat, "opened its coin commitment to another value")
    return value


def check_close(dealing: Common, place: Place, position: Position, body: bytes) -> None:
    """Raises ``PeerFault`` unless the seat signs the outcome that the history gives."""
    if body != dealing.close_body(position):
        raise PeerFault(place.seat, "signed another outcome than the history gives")


def check_reveal(dealing: Common, place: Place, body: bytes) -> tuple[bytes, int]:
    """See ``give_reveal``. Raises ``Malformed`` or ``PeerFault``."""
    parts = unpack(body)
    if len(parts) != 2 or len(parts[0]) != 32 or len(parts[1]) != 32:
        raise Malformed("a reveal is a seed and a card key of 32 bytes each")
    seed, key = parts[0], int.from_bytes(parts[1], "little")
    keys = dealing.keys[place.seat]
    if not 0 < key < dealing.group.order or public_key(dealing.group, key) != keys.card:
        raise PeerFault(place.seat, "revealed a key that is not its card key")
    if dealing.seed_commitment(place.seat, seed) != keys.seed:
        raise PeerFault(place.seat, "revealed a seed that it had not committed to")
    return seed, key


def check_laid(
    dealing: Common, position: Position, place: Place, task: Disclose | Complete, data: bytes
) -> tuple[Deed, tuple[Slot, ...]]:
    """The deed of an answer or a settle and the own cards that it lays. Raises ``Malformed``."""
    deed = decode(data, Deed)
    slots = dealing.slots_of(place.seat, deed)
    held = set(position.table.slots(hand_of(place.seat)))
    verb = "give" if isinstance(task, Disclose) else "lay"
    empty_but_groups = (deed.verb, deed.target, deed.value, deed.shown) == (verb, -1, "", ())
    if not empty_but_groups or len(set(slots)) != len(slots) or not held.issuperset(slots):
        raise Malformed("the deed does not fit what was asked")
    return deed, slots


def check_given(
    place: Place,
    task: Disclose,
    deed: Deed,
    matches: Mapping[Slot, bool],
) -> None:
    """The cards given are such as were asked for; ``matches`` says of each whether it is. Raises
    ``Malformed`` or ``PeerFault``."""
    if not set(task.slots).issuperset(matches) or len(deed.groups) != (1 if matches else 0):
        raise Malformed("the answer names cards that were not asked about")
    if task.most is not None and len(matches) > task.most:
        raise PeerFault(place.seat, "gave more cards than were asked for")
    if not all(matches.values()):
        raise PeerFault(place.seat, "gave a card that was not asked for")


def check_groups(
    dealing: Common, place: Place, task: Complete, deed: Deed, faces: Mapping[Slot, Partial]
) -> None:
    """The cards laid are completed groups. Raises ``PeerFault``."""
    at = dealing.deck.at(task.attribute)
    for group in deed.groups:
        values = {faces[Slot(hand_of(place.seat), n)][at] for n in group}
        if len(group) != task.size or len(values) != 1:
            raise PeerFault(place.seat, f"laid cards that are no group of {task.size}")


def check_deed(position: Position, place: Place, data: bytes) -> tuple[Deed, tuple[Slot, ...]]:
    """A decision, and the cards of the own hand that it opens. Raises ``Malformed`` or ``PeerFault``."""
    deed = decode(data, Deed)
    slots = position.slots_shown(place.seat, deed)
    if slots is None:
        raise PeerFault(place.seat, "opened a card that is not in its hand, or one twice")
    return deed, slots


def check_rules(position: Position, place: Place, deed: Deed, faces: Mapping[Slot, Any]) -> None:
    """Raises ``PeerFault`` for a deed that the rules refuse."""
    reason = position.refuse(place.seat, deed, faces)
    if reason is not None:
        raise PeerFault(place.seat, f"decided what the rules refuse ({reason.id})")
