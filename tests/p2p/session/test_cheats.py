"""Every claim and every contribution, omitted or falsified by one seat in a live game.

The honest seats stop before anyone goes on and name the seat and the step; a stranger finds the same in
the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import pytest

from engine.table import Choose, Coin, Complete, Deed, Disclose, Draw, Mix, Shuffle, Slot
from p2p.deal import Close, Reveal, Secrets, Setup, Task
from p2p.deal.giving import Giver
from p2p.log import EntryFrame, decode_message, encode, pack, unpack
from p2p.sealed import Group, ShuffleWitness, encode_cards, encode_scalar, mix_witness, prove_shuffle, shuffle
from p2p.session import Race
from tests.p2p.cheats import TRUTH, Cheater, Lie, Told, Twist, at_place, with_false_claims
from tests.p2p.harness import SHORT, Ring, make_charter, root_of

CHEATER = 1


class Cheat(NamedTuple):
    lie: Lie
    options: dict[str, str]
    reason: str = ""
    """A part of the sentence that names the fault, where it matters that it is this check which finds it."""
    twist: Twist | None = None
    game: str = "go-fish"


CHEATS: dict[str, Cheat] = {}
LITTLE = {"ranks": "3", "hand_size": "2"}
CARDS = {**LITTLE, "ask_mode": "card"}
NOT_OWN = {**CARDS, "allow_ask_own_card": "false"}


def cheat(name: str, options: dict[str, str] = LITTLE, reason: str = "", twist: Twist | None = None) -> Any:
    def add(lie: Lie) -> Lie:
        assert name not in CHEATS
        CHEATS[name] = Cheat(lie, options, reason, twist)
        return lie

    return add


def held(giver: Giver) -> dict[Slot, Any]:
    """The cheater's own hand."""
    return giver.dealing.hand(giver.position, giver.place.seat, giver.secrets.card_key)


def honest(giver: Giver, task: Task, number: int, deed: Deed | None, **place: Any) -> bytes:
    return at_place(giver, **place).give(task, number, deed)[0]


# --- asks -----------------------------------------------------------------------------------------------


def not_held(giver: Giver, deed: Deed) -> Deed | None:
    """An ask for a rank that the cheater does not hold and the rules would let it ask for."""
    ranks = {face[0] for face in held(giver).values()}
    for rank in giver.position.state.settings.ranks:
        asked = Deed("ask", deed.target, rank)
        if rank not in ranks and giver.position.refuse(giver.place.seat, asked) is None:
            return asked
    return None


@cheat("asks for a rank it does not hold", reason="holds")
def ask_not_held(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Choose) or deed is None:
        return None
    asked = not_held(giver, deed)
    return None if asked is None else with_false_claims(giver, task, number, asked)


@cheat("asks without a proof", reason="1 claims are owed, 0 proofs came")
def ask_without_proof(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return pack([encode(deed), b""]) if isinstance(task, Choose) else None


@cheat("asks with the proof of another rank", reason="holds")
def ask_with_other_proof(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Choose) or deed is None:
        return None
    asked = not_held(giver, deed)
    proof = unpack(honest(giver, task, number, deed))[2]
    return None if asked is None else pack([encode(asked), b"", proof])


@cheat("asks for a card of a rank it does not hold", CARDS, "holds")
def ask_card_not_held(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Choose) or deed is None:
        return None
    ranks = {face[0] for face in held(giver).values()}
    deck = giver.dealing.deck
    for face in deck.faces:
        asked = Deed("ask", deed.target, deck.text(face))
        if face[0] not in ranks and giver.position.refuse(giver.place.seat, asked) is None:
            return with_false_claims(giver, task, number, asked)
    return None


@cheat("asks for its own card where that is forbidden", NOT_OWN, "lacks")
def ask_own_card(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Choose) or deed is None:
        return None
    card = giver.dealing.deck.text(next(iter(held(giver).values())))
    asked = Deed("ask", deed.target, card)
    true = unpack(honest(giver, task, number, deed))[2]
    false = unpack(with_false_claims(giver, task, number, asked))
    rank_too = giver.dealing.deck.parse(card)[0] == giver.dealing.deck.parse(deed.value)[0]
    return pack([false[0], b"", true, false[3]]) if rank_too else None


@cheat("does not prove that the card is not its own", NOT_OWN, "2 claims are owed, 1 proofs came")
def ask_without_second_proof(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return pack(unpack(honest(giver, task, number, deed))[:3]) if isinstance(task, Choose) else None


def _refused(change: Callable[[Giver, Deed], Deed]) -> Lie:
    def lie(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, Choose) or deed is None:
            return None
        return pack([encode(change(giver, deed)), *unpack(honest(giver, task, number, deed))[1:]])

    return lie


for _name, _change in {
    "asks itself": lambda giver, deed: Deed("ask", giver.place.seat, deed.value),
    "asks a seat that is not there": lambda giver, deed: Deed("ask", 5, deed.value),
    "asks a negative seat": lambda giver, deed: Deed("ask", -1, deed.value),
    "asks for no rank": lambda giver, deed: Deed("ask", deed.target, "1"),
    "asks for a rank in another spelling": lambda giver, deed: Deed("ask", deed.target, f" {deed.value}"),
    "asks with groups": lambda giver, deed: Deed("ask", deed.target, deed.value, ((0,),)),
    "does what is no action": lambda giver, deed: Deed("give", deed.target, deed.value),
}.items():
    cheat(_name, reason="rules refuse")(_refused(_change))


@cheat("a decision is no deed", reason="not a valid deed")
def not_a_deed(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return pack([b"\x93\x01\x02\x03", b""]) if isinstance(task, Choose) else None


@cheat("a decision is empty", reason="a deed, an opening and its claims")
def no_decision(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return pack([]) if isinstance(task, Choose) else None


# --- answers --------------------------------------------------------------------------------------------


def asked_for(giver: Giver, task: Disclose) -> list[Slot]:
    """The cards that the cheater has to give."""
    hand, deck = held(giver), giver.dealing.deck
    return [slot for slot in task.slots if deck.matches(hand[slot], task.match)]


def _is_answer(giver: Giver, task: Task) -> bool:
    """An answer to an ask, not the look at a drawn card."""
    return isinstance(task, Disclose) and giver.position.state.phase == "answer"


def _is_reveal(giver: Giver, task: Task) -> bool:
    return isinstance(task, Disclose) and giver.position.state.phase == "reveal"


@cheat("denies a card it holds", reason="lacks")
def deny(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_answer(giver, task) or not asked_for(giver, task):
        return None
    return with_false_claims(giver, task, number, Deed("give"))


@cheat("denies the named card it holds", CARDS, "lacks")
def deny_card(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return deny(giver, task, number, deed)


@cheat("denies where one of several is given", {**SHORT, "give_amount": "one"}, "lacks")
def deny_one(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return deny(giver, task, number, deed)


@cheat("says nothing about the cards it keeps", reason="1 claims are owed, 0 proofs came")
def deny_without_proof(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return pack([encode(Deed("give")), b""]) if _is_answer(giver, task) and deed == Deed("give") else None


@cheat("gives one of two", reason="lacks")
def give_one_of_two(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_answer(giver, task) or len(asked_for(giver, task)) < 2:
        return None
    return with_false_claims(giver, task, number, Deed("give", groups=((asked_for(giver, task)[0].n,),)))


@cheat("gives and does not prove that it kept none", reason="1 claims are owed, 0 proofs came")
def give_without_proof(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_answer(giver, task) or not asked_for(giver, task):
        return None
    parts = unpack(honest(giver, task, number, deed))
    return pack(parts[:2]) if len(parts) > 2 else None


@cheat("gives a card that was not asked for", reason="not asked for")
def give_other(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_answer(giver, task) or asked_for(giver, task):
        return None
    return with_false_claims(giver, task, number, Deed("give", groups=((task.slots[0].n,),)))


@cheat("gives two where one is asked for", {**SHORT, "give_amount": "one"}, "more cards than")
def give_two(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_answer(giver, task) or len(asked_for(giver, task)) < 2:
        return None
    return with_false_claims(
        giver, task, number, Deed("give", groups=(tuple(slot.n for slot in asked_for(giver, task)[:2]),))
    )


@cheat("gives one card twice", reason="does not fit")
def give_twice(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_answer(giver, task) or not asked_for(giver, task):
        return None
    n = asked_for(giver, task)[0].n
    return pack([encode(Deed("give", groups=((n, n),))), *unpack(honest(giver, task, number, deed))[1:]])


@cheat("gives a card that is not its own", reason="does not fit")
def give_foreign(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_answer(giver, task) or not asked_for(giver, task):
        return None
    return pack([encode(Deed("give", groups=((999,),))), *unpack(honest(giver, task, number, deed))[1:]])


def _opened_as(giver: Giver, task: Task, number: int, deed: Deed, slot: Slot, rank: str) -> bytes:
    """The honest body for ``deed`` with the share of one card's rank bent so that it opens to ``rank``."""
    group, at = giver.dealing.group, giver.dealing.deck.at("rank")
    points = giver.dealing.points.points[at]
    true = held(giver)[slot][at]
    deed_bytes, opening, *claims = unpack(with_false_claims(giver, task, number, deed))
    cipher = giver.dealing.cards[slot][at]
    share = group.mul(giver.secrets.card_key, cipher.a)
    bent = group.add(share, group.sub(points[true], points[rank]))
    assert opening.count(share) == 1
    return pack([deed_bytes, opening.replace(share, bent), *claims])


@cheat("opens a card as another", reason="share")
def open_as_other(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_answer(giver, task) or asked_for(giver, task):
        return None
    slot = task.slots[0]
    return _opened_as(giver, task, number, Deed("give", groups=((slot.n,),)), slot, task.match.value)


# --- the drawn card -------------------------------------------------------------------------------------


@cheat("hides a hit", reason="lacks")
def hide_hit(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_reveal(giver, task) or not asked_for(giver, task):
        return None
    return with_false_claims(giver, task, number, Deed("give"))


@cheat("does not prove a miss", reason="1 claims are owed, 0 proofs came")
def miss_without_proof(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return pack([encode(Deed("give")), b""]) if _is_reveal(giver, task) and deed == Deed("give") else None


@cheat("shows a card of its hand as the drawn one", reason="not asked about")
def hit_with_other(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_reveal(giver, task) or asked_for(giver, task):
        return None
    hand, deck = held(giver), giver.dealing.deck
    other = [slot for slot, face in hand.items() if deck.matches(face, task.match)]
    return honest(giver, task, number, Deed("give", groups=((other[0].n,),)))


@cheat("opens the drawn card as a hit", reason="share")
def open_as_hit(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not _is_reveal(giver, task) or asked_for(giver, task):
        return None
    slot = task.slots[0]
    return _opened_as(giver, task, number, Deed("give", groups=((slot.n,),)), slot, task.match.value)


# --- the no-book rule -----------------------------------------------------------------------------------


def _came(giver: Giver, task: Task) -> str:
    """How the fresh cards came into the hand that is settled."""
    state = giver.position.state
    if state.is_dealing:
        return "deal"
    known = [slot in giver.position.table.known for slot in task.fresh]
    if all(known):
        return "hit" if state.phase == "settle" and state.target < 0 else f"received {len(task.fresh)}"
    return "draw" if len(task.fresh) == 1 else "refill"


def _settle(way: str, hides: bool, omits: bool) -> Lie:
    """At a settle of cards that came in by ``way``: hide a group, or omit or imitate the claim."""

    def lie(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, Complete) or _came(giver, task) != way or bool(deed.groups) != hides:
            return None
        if not giver.dealing.claims_on_rest(task, giver.position, ()):
            return None
        if omits:
            return pack([encode(Deed("lay")), b""])
        return with_false_claims(giver, task, number, Deed("lay"))

    return lie


for _way in ("draw", "received 1", "received 2", "received 3"):
    cheat(f"hides a group after: {_way}", SHORT, "at-most")(_settle(_way, True, False))
    if _way != "received 3":  # three received cards always complete a group of four
        cheat(f"leaves out the claim after: {_way}", SHORT, "claims are owed")(_settle(_way, False, True))
        cheat(f"imitates the claim after: {_way}", SHORT, "at-most")(_settle(_way, False, False))

DEALT = {"ranks": "3", "suits": "3", "book_size": "2", "hand_size": "2"}
cheat("hides a dealt group", DEALT, "at-most")(_settle("deal", True, False))
cheat("leaves out the claim after: deal", DEALT, "claims are owed")(_settle("deal", False, True))
cheat("imitates the claim after: deal", DEALT, "at-most")(_settle("deal", False, False))
REFILLS = {**DEALT, "end_mode": "all_books", "refill_count": "5", "ranks": "5"}
cheat("hides a group after: refill", REFILLS, "at-most")(_settle("refill", True, False))
cheat("leaves out the claim after: refill", REFILLS, "claims are owed")(_settle("refill", False, True))


@cheat("lays cards that are no group", DEALT, "no group")
def lay_no_group(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Complete):
        return None
    ranks = {face[0]: slot.n for slot, face in held(giver).items()}
    if len(ranks) < 2:
        return None
    return with_false_claims(giver, task, number, Deed("lay", groups=(tuple(ranks.values())[:2],)))


TWO_GROUPS = {"ranks": "4", "suits": "4", "book_size": "2", "hand_size": "4"}


@cheat("lays one group of two and hides the other", TWO_GROUPS, "at-most")
def lay_one_of_two(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Complete) or len(deed.groups) < 2:
        return None
    return with_false_claims(giver, task, number, Deed("lay", groups=deed.groups[:1]))


@cheat("lays a card twice", SHORT, reason="does not fit")
def lay_twice(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Complete) or not deed.groups:
        return None
    n = deed.groups[0][0]
    return pack([encode(Deed("lay", groups=((n, n, n, n),))), *unpack(honest(giver, task, number, deed))[1:]])


@cheat("lays too few", SHORT, reason="no group")
def lay_three(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Complete) or not deed.groups:
        return None
    return with_false_claims(giver, task, number, Deed("lay", groups=(deed.groups[0][:3],)))


# --- keys, coins, shuffles, shares, mixes ---------------------------------------------------------------


def secrets_of(seat: int, group: Group) -> Secrets:
    return Secrets(root_of(seat), group.order)


def _at(kind: type, **place: Any) -> Lie:
    """The honest body of another place: a proof from elsewhere."""

    def lie(giver: Giver, task: Task, at: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, kind):
            return None
        body = honest(giver, task, at, deed, **place)
        return body or None

    return lie


def _edit(kind: type, change: Callable[[bytes, Group], bytes]) -> Lie:
    """The honest body, changed."""

    def lie(giver: Giver, task: Task, at: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, kind):
            return None
        body = honest(giver, task, at, deed)
        return change(body, giver.dealing.group) if body else None

    return lie


def _part(at: int, change: Callable[[bytes, Group], bytes]) -> Callable[[bytes, Group], bytes]:
    def changed(body: bytes, group: Group) -> bytes:
        parts = unpack(body)
        parts[at] = change(parts[at], group)
        return pack(parts)

    return changed


def _last_scalar_plus_order(data: bytes, group: Group) -> bytes:
    k = int.from_bytes(data[-32:], "little")
    return data[:-32] + encode_scalar(k + group.order)


def _last_scalar_plus_one(data: bytes, group: Group) -> bytes:
    k = int.from_bytes(data[-32:], "little")
    return data[:-32] + encode_scalar((k + 1) % group.order)


def _first_point(value: Callable[[bytes, Group], bytes]) -> Callable[[bytes, Group], bytes]:
    return lambda data, group: value(data[: group.point_size], group) + data[group.point_size :]


def _no_point(_: bytes, group: Group) -> bytes:
    return b"\xff" * group.point_size


def _identity(_: bytes, group: Group) -> bytes:
    return group.identity


def _other_point(point: bytes, group: Group) -> bytes:
    return group.add(point, group.base)


def _longer(data: bytes, _: Group) -> bytes:
    return data + b"\0"


def _shorter(data: bytes, _: Group) -> bytes:
    return data[:-1]


KINDS: dict[str, tuple[type, Callable[..., Any]]] = {
    "keys": (Setup, partial(_part, 1)),
    "shuffle": (Shuffle, partial(_part, 1)),
    "share": (Draw, lambda change: change),
    "ask": (Choose, partial(_part, 2)),
    "mix": (Mix, partial(_part, 1)),
}
for _kind, (_task, _into) in KINDS.items():
    for _how, _place in {
        "another seat": {"seat": 2},
        "another step": {"step": 99},
        "another epoch": {"epoch": 1},
        "another table": {"table_id": bytes(32)},
        "another history": {"head": bytes(32)},
        "another place in the contribution": {"index": 7},
    }.items():
        if (_kind, _how) not in (
            ("keys", "another seat"),
            ("ask", "another seat"),
        ):  # the seat's own keys and hand
            cheat(f"{_kind}: a proof from {_how}", reason="does not hold")(_at(_task, **_place))
    cheat(f"{_kind}: a scalar not below the order", reason="not below the order")(
        _edit(_task, _into(_last_scalar_plus_order))
    )
    cheat(f"{_kind}: a changed scalar", reason="does not hold")(_edit(_task, _into(_last_scalar_plus_one)))
    cheat(f"{_kind}: trailing bytes", reason="bytes")(_edit(_task, _into(_longer)))
    cheat(f"{_kind}: a byte missing", reason="bytes")(_edit(_task, _into(_shorter)))

for _kind, (_task, _number) in {"keys": (Setup, 0), "shuffle": (Shuffle, 0), "mix": (Mix, 0)}.items():
    cheat(f"{_kind}: no point", reason="not")(_edit(_task, _part(_number, _first_point(_no_point))))
    cheat(f"{_kind}: the identity")(_edit(_task, _part(_number, _first_point(_identity))))
    cheat(f"{_kind}: another point")(_edit(_task, _part(_number, _first_point(_other_point))))
cheat("share: no point", reason="not")(_edit(Draw, _first_point(_no_point)))
cheat("share: the identity", reason="identity")(_edit(Draw, _first_point(_identity)))
cheat("share: wrong", reason="share")(_edit(Draw, _first_point(_other_point)))
cheat("share: none")(_edit(Draw, lambda _body, _group: b""))
cheat("share: those of two cards swapped", reason="share")(
    _edit(
        Draw,
        lambda body, group: (
            body[group.point_size : 2 * group.point_size]
            + body[: group.point_size]
            + body[2 * group.point_size :]
        ),
    )
)
cheat("keys: a commitment of 31 bytes", reason="32 bytes")(_edit(Setup, _part(4, _shorter)))
cheat("keys: a part too many", reason="five parts")(
    _edit(Setup, lambda body, _group: pack([*unpack(body), b""]))
)
cheat("keys: a payload key without its proof", reason="does not hold")(
    _edit(Setup, _part(2, _first_point(_other_point)))
)


@cheat("keys: another seat's, with its proofs", reason="does not hold")
def mirrored_keys(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Setup):
        return None
    place = at_place(giver, seat=0).place
    return Giver(giver.dealing, giver.position, place, secrets_of(0, giver.dealing.group), giver.fresh).give(
        task, number, deed
    )[0]


@cheat("coin: a short commitment", reason="32 bytes")
def short_commitment(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return bytes(31) if isinstance(task, Coin) and number == 0 else None


@cheat("coin: opened to another value", reason="another value")
def other_coin(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Coin) or number != 1:
        return None
    body = honest(giver, task, number, deed)
    return bytes([body[0] ^ 1]) + body[1:]


@cheat("coin: a longer opening", reason="32 bytes each")
def long_coin(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return honest(giver, task, number, deed) + b"\0" if isinstance(task, Coin) and number == 1 else None


def _shuffled(change: Callable[..., Any]) -> Lie:
    """A shuffle whose output is not what its proof was made for."""

    def lie(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, Shuffle):
            return None
        dealing, group = giver.dealing, giver.dealing.group
        inputs = dealing.shuffle_inputs(giver.position, task.zone)
        witness = dealing.joint_shuffle_witness(giver.place, giver.secrets.seed, task.zone, len(inputs))
        outputs, witness = change(giver, inputs, witness)
        header = at_place(giver).place.header("shuffle")
        proof = prove_shuffle(
            group, header, dealing.joint, inputs, outputs, witness, giver.secrets.seed, giver.fresh
        )
        return pack([encode_cards(outputs), proof])

    return lie


def _duplicate(giver: Giver, inputs: Any, witness: ShuffleWitness) -> Any:
    twice = ShuffleWitness((witness.permutation[1], *witness.permutation[1:]), witness.remasks)
    return shuffle(giver.dealing.group, giver.dealing.joint, inputs, twice), witness


def _same_mask(giver: Giver, inputs: Any, witness: ShuffleWitness) -> Any:
    outputs = shuffle(giver.dealing.group, giver.dealing.joint, inputs, witness)
    return (outputs[1], *outputs[1:]), witness


def _replaced(giver: Giver, inputs: Any, witness: ShuffleWitness) -> Any:
    group = giver.dealing.group
    outputs = shuffle(group, giver.dealing.joint, inputs, witness)
    first = outputs[0][0]
    return ((first._replace(b=group.add(first.b, group.base)), *outputs[0][1:]), *outputs[1:]), witness


def _crossed(giver: Giver, inputs: Any, witness: ShuffleWitness) -> Any:
    """Ranks and suits of two cards recombined: a card that is twice there, and one that is gone."""
    outputs = shuffle(giver.dealing.group, giver.dealing.joint, inputs, witness)
    (r0, s0), (r1, s1), *rest = outputs
    return ((r0, s1), (r1, s0), *rest), witness


def _unmasked(giver: Giver, inputs: Any, witness: ShuffleWitness) -> Any:
    zero = ShuffleWitness(tuple(range(len(inputs))), ((0, 0),) * len(inputs))
    return inputs, zero


def _one_unmasked(giver: Giver, inputs: Any, witness: ShuffleWitness) -> Any:
    some = ShuffleWitness(witness.permutation, ((0, witness.remasks[0][1]), *witness.remasks[1:]))
    return shuffle(giver.dealing.group, giver.dealing.joint, inputs, some), some


for _name, _change_shuffle, _reason in (
    ("a card twice", _duplicate, "does not hold"),
    ("a card twice with one mask", _same_mask, "same mask"),
    ("a card replaced", _replaced, "does not hold"),
    ("two cards crossed", _crossed, "does not hold"),
    ("nothing changed", _unmasked, "kept its mask"),
    ("one mask kept", _one_unmasked, "kept its mask"),
):
    cheat(f"shuffle: {_name}", reason=_reason)(_shuffled(_change_shuffle))
cheat("shuffle: a card too few", reason="")(
    _edit(Shuffle, _part(0, lambda data, group: data[: -4 * group.point_size]))
)
cheat("shuffle: no proof", reason="output and its proof")(
    _edit(Shuffle, lambda body, _group: pack(unpack(body)[:1]))
)


@cheat("mix: a card of the hand twice", reason="does not hold")
def mix_twice(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Mix):
        return None
    dealing, key = giver.dealing, giver.dealing.keys[giver.place.seat].card
    inputs = dealing.zone_cards(giver.position, task.zone)
    header, secret = at_place(giver).place.header("mix"), encode_scalar(giver.secrets.card_key)
    witness = mix_witness(dealing.group, giver.fresh, secret, header, key, inputs)
    twice = ShuffleWitness((witness.permutation[1], *witness.permutation[1:]), witness.remasks)
    outputs = shuffle(dealing.group, key, inputs, twice)
    proof = prove_shuffle(dealing.group, header, key, inputs, outputs, witness, secret, giver.fresh)
    return pack([encode_cards(outputs), proof])


# --- the end, and the shape of contributions ------------------------------------------------------------


@cheat("closes with another outcome", reason="another outcome")
def other_outcome(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    if not isinstance(task, Close):
        return None
    return encode(("all-books", tuple([9] * giver.position.seats), (giver.place.seat,)))


@cheat("reveals another seed", reason="seed that it had not committed to")
def other_seed(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return pack([bytes(32), encode_scalar(giver.secrets.card_key)]) if isinstance(task, Reveal) else None


@cheat("reveals another key", reason="not its card key")
def other_key(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return pack([giver.secrets.seed, encode_scalar(5)]) if isinstance(task, Reveal) else None


@cheat("reveals its key in another form", reason="not its card key")
def other_form(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    key = giver.secrets.card_key + giver.dealing.group.order
    return pack([giver.secrets.seed, key.to_bytes(32, "little")]) if isinstance(task, Reveal) else None


@cheat("reveals too little", reason="32 bytes each")
def short_reveal(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    return pack([giver.secrets.seed]) if isinstance(task, Reveal) else None


def _answers(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes | None:
    """In a game of two an answer "none" and the share of the card drawn are one contribution."""
    return TRUTH if _is_answer(giver, task) and deed == Deed("give") else None


TWISTS: dict[str, tuple[str, Twist]] = {
    "too few rounds": ("fewer rounds", lambda bodies: bodies[:-1]),
    "too many rounds": ("more rounds", lambda bodies: [*bodies, bodies[-1]]),
    "no round": ("fewer rounds", lambda bodies: []),
    "rounds in another order": ("", lambda bodies: bodies[::-1]),
    "an empty round": ("", lambda bodies: [*bodies[:-1], b""]),
}
cheat("two rounds where many seats owe one", reason="more rounds", twist=lambda bodies: bodies * 2)(_at(Coin))


LONGEST = 120.0
"""Seconds of a race in which a lie may find its place."""


def play_some(ring: Ring, seat: int, race: Race) -> None:
    """In a race now and then a card, at random."""
    if len(race.actions) > 1 and ring.rng.random() < 0.35:
        ring.run(seat, ring.sessions[seat].act(ring.now, ring.rng.choice(race.actions[1:])))


def games(cheat: Cheat, group: Group, seats: int) -> Iterator[tuple[Ring, int]]:
    """Games in which the lie was told, and at which step."""
    charter, _ = make_charter(group, seats, cheat.game, cheat.options)
    for seed in range(150):
        told = Told()
        maker = partial(Cheater, cheat.lie, told, twist=cheat.twist)
        ring = Ring(
            group,
            seats,
            seed=seed,
            salt=bytes([seed]) if seed else b"",
            charter=charter,
            makers={CHEATER: maker},
            play=play_some,
        )
        ring.play()
        # A race needs its clock. The first letter after the lie has been read when it is looked at.
        ring.run_clock(lambda: told.step is not None or all(each.is_over for each in ring.sessions), LONGEST)  # noqa: B023
        if told.step is not None:
            yield ring, told.step
    raise AssertionError("the lie never had its place")


def check_named(ring: Ring, step: int, reason: str, cheater: int = CHEATER) -> None:
    """Every honest seat stopped at ``step``, names the cheater, and its record alone convinces a stranger."""
    assert ring.drops == []
    for seat, session in enumerate(ring.sessions):
        if seat == cheater:
            continue
        (fault,) = ring.faults(seat)
        assert (fault.seat, fault.step) == (cheater, step)
        assert reason in fault.reason
        assert session.is_over
        assert not session.is_closed or step >= session.history.step
        report = ring.verdict(seat)
        assert (report.verdict, report.seat, report.step) == ("cheated", cheater, step)
        assert not report.finished
    for sender, _, data in ring.sent:
        message = decode_message(data)
        if isinstance(message, EntryFrame) and sender != cheater:
            assert message.step <= step, "an honest seat went on after the lie"


@pytest.mark.parametrize("name", CHEATS)
def test_every_lie_is_stopped_and_named(name: str, small: Group) -> None:
    cheat = CHEATS[name]
    ring, step = next(games(cheat, small, 3))
    check_named(ring, step, cheat.reason)


@pytest.mark.parametrize("name", TWISTS)
def test_every_number_of_rounds_but_the_owed_one_is_named(name: str, small: Group) -> None:
    reason, twist = TWISTS[name]
    ring, step = next(games(Cheat(_answers, LITTLE, reason, twist), small, 2))
    check_named(ring, step, reason)


REAL = (
    "asks for a rank it does not hold",
    "denies a card it holds",
    "hides a hit",
    "hides a dealt group",
    "shuffle: a card twice",
    "mix: a card of the hand twice",
    "share: wrong",
    "keys: the identity",
    "keys: no point",
    "shuffle: no point",
    "share: no point",
    "ask: a scalar not below the order",
)


@pytest.mark.parametrize("name", REAL)
def test_lies_in_the_real_group(name: str, real: Group) -> None:
    cheat = CHEATS[name]
    ring, step = next(games(cheat, real, 3))
    check_named(ring, step, cheat.reason)
