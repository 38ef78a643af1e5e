"""A seat that follows the protocol except for its lies, each told the first time that it can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from engine.cards import Face
from engine.table import Claim, Complete, Deed, Disclose, Slot, hand_of

from ..deal import AnyDealing, PeerFault, Printed, Progress, Sealed, Task
from ..deal.claims import PURPOSES, statement_of
from ..deal.common import Common
from ..deal.giving import Giver
from ..deal.printed_giving import PrintedGiver
from ..log.codec import encode, pack, unpack
from ..sealed import (
    Branch,
    Group,
    Point,
    Xof,
    claim_proof_size,
    encode_cards,
    prove_shares,
)
from ..sealed.group import encode_proof
from ..session import Session
from ..session.jobs import ContributeJob
from .base import Change, Lie, Twist

TRUTH: Final = b"truth"
"""Told as a lie: the honest body, in a contribution that is to be twisted."""


@dataclass(slots=True)
class Told:
    """Where the lies were told, in order."""

    steps: list[int] = field(default_factory=list)

    @property
    def step(self) -> int | None:
        """The step of the first one."""
        return self.steps[0] if self.steps else None


@dataclass(slots=True)
class Teller:
    """The lies of one seat. The next one is told once all before it were."""

    lies: tuple[Lie, ...]
    told: Told = field(default_factory=Told)

    @property
    def is_done(self) -> bool:
        """Whether every lie was told."""
        return len(self.told.steps) == len(self.lies)

    def give(self, giver: Any, task: Task, number: int, deed: Deed | None) -> tuple[bytes, Any]:
        """The body of a round and what the liar goes on with: what its body says where it holds at all, else
        the truth."""
        false = None if self.is_done else self.lies[len(self.told.steps)](giver, task, number, deed)
        if false is not None:
            self.told.steps.append(giver.place.step)
        if false is None or false == TRUTH:
            return _honest(giver, task, number, deed)
        before = replace(giver.place)
        _, found = _honest(giver, task, number, deed)
        try:
            return false, giver.dealing.check(task, number, giver.position, before, false)
        except PeerFault:
            return false, found


def _honest(giver: Any, task: Task, number: int, deed: Deed | None) -> tuple[bytes, Any]:
    given: tuple[bytes, Any] = giver.give(task, number, deed)
    return given


@dataclass(frozen=True, slots=True)
class LyingGiver:
    """Makes the contributions of a liar, as ``honest`` would make true ones."""

    honest: Any
    teller: Teller

    def give(self, task: Task, number: int, deed: Deed | None) -> tuple[bytes, Any]:
        """See ``Giver.give``."""
        return self.teller.give(self.honest, task, number, deed)


class Lying(Common):
    """A deal whose contributions are those of a liar."""

    __slots__ = ()
    teller: Teller | None

    def giver(self, *arguments: Any) -> Any:
        """See ``Common.giver``."""
        assert self.teller is not None
        return LyingGiver(super().giver(*arguments), self.teller)


@dataclass(frozen=True, slots=True)
class LyingSealed(Lying, Sealed):
    """The same with sealed cards."""

    teller: Teller | None = None


@dataclass(frozen=True, slots=True)
class LyingPrinted(Lying, Printed):
    """The same with printed cards."""

    teller: Teller | None = None


def _own(dealing: AnyDealing, honest: type[Sealed | Printed]) -> dict[str, Any]:
    return {each.name: getattr(dealing, each.name) for each in fields(honest)}


def _lying(dealing: AnyDealing, teller: Teller) -> AnyDealing:
    if isinstance(dealing, Printed):
        return LyingPrinted(**_own(dealing, Printed), teller=teller)
    return LyingSealed(**_own(dealing, Sealed), teller=teller)


def _truthful(dealing: AnyDealing) -> AnyDealing:
    kind = Printed if isinstance(dealing, Printed) else Sealed
    made: AnyDealing = kind(**_own(dealing, kind))
    return made


@dataclass(frozen=True, slots=True)
class LyingJob:
    """One contribution of a liar."""

    honest: ContributeJob
    teller: Teller
    twist: Twist | None

    def run(self) -> Any:
        """See ``ContributeJob.run``."""
        before = len(self.teller.told.steps)
        progress = self.honest.progress
        lying = replace(progress, dealing=_lying(progress.dealing, self.teller))
        body, passed = replace(self.honest, progress=lying, place=replace(self.honest.place)).run()
        if passed.after is not None:
            after: Progress = replace(passed.after, dealing=_truthful(passed.after.dealing))
            passed = replace(passed, after=after)
        if self.twist is not None and len(self.teller.told.steps) > before:
            body = pack(self.twist(unpack(body)))
        return body, passed


class Liar(Session):
    """Tells the lies of ``teller``; ``twist`` changes the list of rounds of a contribution that holds one."""

    teller: Teller
    twist: Twist | None = None

    def _contribute_job(self, *arguments: Any) -> Any:
        effect: Any = super()._contribute_job(*arguments)
        return (
            effect
            if self.teller.is_done
            else replace(effect, job=LyingJob(effect.job, self.teller, self.twist))
        )


def liar(lies: Sequence[Lie], twist: Twist | None = None) -> type[Liar]:
    """The session of a seat that tells these lies."""
    return type("ThisLiar", (Liar,), {"teller": Teller(tuple(lies)), "twist": staticmethod(twist or _same)})


def _same(bodies: list[bytes]) -> list[bytes]:
    return bodies


# --- what lies are made of ----------------------------------------------------------------------------------


def at_place(giver: Any, **changed: Any) -> Any:
    """An honest giver at the same place, or with some of the place changed."""
    kind: Any = PrintedGiver if isinstance(giver, PrintedGiver) else Giver
    own = {each.name: getattr(giver, each.name) for each in fields(kind)}
    return kind(**own | {"place": replace(giver.place, **changed)})


def honest(giver: Any, task: Task, number: int, deed: Deed | None, **place: Any) -> bytes:
    """The honest body."""
    body: bytes = at_place(giver, **place).give(task, number, deed)[0]
    return body


def held(giver: Any) -> dict[Slot, Face]:
    """The liar's own hand."""
    hand: dict[Slot, Face] = giver.dealing.own_hand(giver.position, giver.place.seat, giver.secrets)
    return hand


def at(kind: type, change: Change, number: int | None = None) -> Lie:
    """``change`` at the first such operation, or at one of its rounds."""

    def lie(giver: Giver, task: Task, now: int, deed: Any) -> bytes | None:
        if not isinstance(task, kind) or number not in (None, now):
            return None
        return change(giver, task, deed, honest(giver, task, now, deed))

    return lie


def imitation(group: Group, fresh: bytes, branches: Sequence[Branch], least: int) -> bytes:
    """A claim's proof of the right size and of valid points and scalars, which proves nothing."""
    if least <= 0:
        return b""
    if len(branches) < least:
        return bytes(32)
    stream = Xof("attack/imitation", fresh, len(branches).to_bytes(2, "big"))
    unequal = sum(branch.kind == "ne" for branch in branches)
    scalars = (claim_proof_size(group, branches, least) - unequal * group.point_size) // 32
    points = [group.mul_base(stream.scalar(group.order)) for _ in range(unequal)]
    return encode_proof(points, stream.scalars(group.order, scalars))


def with_false_claims(giver: Any, task: Task, number: int, deed: Deed) -> bytes:
    """The body for ``deed``, every claim with an imitated proof. Printed cards need no proof to lie with."""
    if isinstance(giver, PrintedGiver):
        return honest(giver, task, number, deed)
    dealing, position, seat = giver.dealing, giver.position, giver.place.seat
    if isinstance(task, Disclose | Complete):
        slots = dealing.slots_of(seat, deed)
        places, claims = dealing.places_shown(task), dealing.claims_on_rest(task, position, slots)
    else:
        slots = tuple(Slot(hand_of(seat), n) for n in deed.shown)
        places, claims = None, position.claims(seat, deed)
    opening = opened(at_place(giver), dealing.firsts(slots, places))
    return pack([encode(deed), opening, *imitated(giver, claims)])


def imitated(giver: Giver, claims: Sequence[Claim]) -> list[bytes]:
    """Proofs of ``claims`` that prove nothing."""
    assert set(map(type, claims)) <= set(PURPOSES)
    statements = [statement_of(giver.dealing, giver.position, claim) for claim in claims]
    return [imitation(giver.dealing.group, giver.fresh, branches, least) for branches, least in statements]


def opened(giver: Giver, firsts: tuple[Point, ...], purpose: str = "open") -> bytes:
    """Shares of ``firsts`` by the liar's card key, with a proof that holds."""
    if not firsts:
        return b""
    seat, header = giver.place.seat, giver.place.header(purpose)
    public, secret = giver.dealing.keys[seat].card, giver.secrets.card_key
    shares, proof = prove_shares(giver.dealing.group, header, secret, public, firsts, giver.fresh)
    return b"".join(shares) + proof


def bent(giver: Any, data: bytes) -> bytes:
    """Points and what follows, the first of them another one."""
    group, size = giver.dealing.group, giver.dealing.group.point_size
    point: bytes = group.add(group.decode(data[:size]), group.base)
    return point + data[size:]


def unmixed(giver: Any, task: Any, body: bytes) -> bytes:
    """A mix whose outputs are the cards as they lay there."""
    return pack([encode_cards(giver.dealing.zone_cards(giver.position, task.zone)), unpack(body)[1]])


def unmasked(giver: Any, body: bytes) -> bytes:
    """A mix that shows a card."""
    outputs, proof = unpack(body)
    return pack([giver.dealing.group.identity + outputs[giver.dealing.group.point_size :], proof])


def with_other_output(giver: Any, body: bytes) -> bytes:
    """A mix of which one card is another."""
    outputs, proof = unpack(body)
    return pack([bent(giver, outputs), proof])
