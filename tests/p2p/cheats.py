"""A seat that follows the protocol except for one lie, told the first time it can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any
from unittest import mock

from engine.table import Deed
from p2p.deal import PeerFault, Task
from p2p.deal import progress as ordering
from p2p.deal.giving import Giver
from p2p.deal.printed_giving import PrintedGiver
from p2p.log import pack, unpack
from p2p.sealed import Branch, Group, Header, Point, Xof, claim_proof_size, encode_cards
from p2p.sealed.group import encode_proof
from p2p.session import Session

Lie = Callable[[Giver, Task, int, Deed | None], bytes | None]
"""The false body of a round, or ``None`` where the lie has no place."""

TRUTH = b"truth"
"""Told as a lie: the honest body, in a contribution that is to be twisted."""

Twist = Callable[[list[bytes]], list[bytes]]
"""What becomes of the rounds of the contribution that holds the lie."""


@dataclass
class Told:
    """Where the lie was told."""

    step: int | None = None


class Cheater(Session):
    """Tells ``lie`` once; ``twist`` changes the list of rounds of one contribution that ``lie`` picked."""

    def __init__(
        self, lie: Lie | None, told: Told, *arguments: Any, twist: Twist | None = None, **named: Any
    ):
        super().__init__(*arguments, **named)
        self._lie = lie
        self._told = told
        self._twist = twist

    def _contribute_job(self, *arguments: Any) -> Any:
        effect: Any = super()._contribute_job(*arguments)
        return replace(effect, job=_LyingJob(effect.job, self._lie, self._told, self._twist))


@dataclass
class _LyingJob:
    job: Any
    lie: Lie | None
    told: Told
    twist: Twist | None

    def run(self) -> Any:
        with lying(self.lie, self.told, self.twist):
            return self.job.run()


@contextmanager
def lying(lie: Lie | None, told: Told, twist: Twist | None = None) -> Iterator[None]:
    """What is contributed meanwhile holds ``lie``, the first time that it has its place."""
    if told.step is not None or lie is None:
        yield
        return

    def liar(honest: Any) -> Any:
        class Liar(honest):  # type: ignore[misc]
            __slots__ = ()

            def give(self, task: Task, number: int, deed: Deed | None) -> tuple[bytes, Any]:
                if told.step is None:
                    false = lie(self, task, number, deed)
                    if false is not None:
                        told.step = self.place.step
                    if false not in (None, TRUTH):
                        return false, _found(self, task, number, deed, false)
                found: tuple[bytes, Any] = super().give(task, number, deed)
                return found

        return Liar

    packing = ordering.pack

    def twisted(bodies: list[bytes]) -> bytes:
        return packing(twist(bodies) if twist is not None and told.step is not None else bodies)

    with (
        mock.patch("p2p.deal.sealed.Giver", liar(Giver)),
        mock.patch("p2p.deal.printed.PrintedGiver", liar(PrintedGiver)),
        mock.patch.object(ordering, "pack", twisted),
    ):
        yield


def _found(giver: Giver, task: Task, number: int, deed: Deed | None, body: bytes) -> Any:
    """What the liar goes on with: what its body says where it holds at all, else the truth."""
    try:
        return giver.dealing.check(
            task, number, giver.position, replace(giver.place, index=giver.place.index), body
        )
    except PeerFault:
        return at_place(giver).give(task, number, deed)[1]


def imitation(
    group: Group,
    header: Header,
    public: Point,
    secret: int,
    branches: tuple[Branch, ...],
    least: int,
    fresh: bytes,
) -> bytes:
    """A claim's proof of the right size and of valid points and scalars, which proves nothing."""
    if least <= 0:
        return b""
    if len(branches) < least:
        return bytes(32)
    stream = Xof("test/imitation", fresh, header.purpose.encode())
    unequal = sum(branch.kind == "ne" for branch in branches)
    scalars = (claim_proof_size(group, branches, least) - unequal * group.point_size) // 32
    points = [group.mul_base(stream.scalar(group.order)) for _ in range(unequal)]
    return encode_proof(points, stream.scalars(group.order, scalars))


def with_false_claims(giver: Giver, task: Task, number: int, deed: Deed | None) -> bytes:
    """The body for ``deed``, every claim with an imitated proof."""
    with mock.patch("p2p.deal.claims.prove_claim", imitation):
        return at_place(giver).give(task, number, deed)[0]


def at_place(giver: Giver, **changed: Any) -> Giver:
    """An honest giver at the same place, or with some of the place changed."""
    honest: Any = PrintedGiver if isinstance(giver, PrintedGiver) else Giver
    own = {each.name: getattr(giver, each.name) for each in fields(honest)}
    made: Giver = honest(**own | {"place": replace(giver.place, **changed)})
    return made


Change = Callable[[Giver, Any, Any, bytes], bytes | None]
"""A false body from the giver, the task, the deed and the honest body; ``None`` where it has no place."""


def at(kind: type, change: Change, number: int | None = None) -> Lie:
    """``change`` at the first such operation, or at one of its rounds."""

    def lie(giver: Giver, task: Task, now: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, kind) or number not in (None, now):
            return None
        return change(giver, task, deed, at_place(giver).give(task, now, deed)[0])

    return lie


def bent(giver: Giver, data: bytes) -> bytes:
    """Points and what follows, the first of them another one."""
    group, size = giver.dealing.group, giver.dealing.group.point_size
    return group.add(group.decode(data[:size]), group.base) + data[size:]


def unmixed(giver: Giver, task: Any, body: bytes) -> bytes:
    """A mix whose outputs are the cards as they lay there."""
    return pack([encode_cards(giver.dealing.zone_cards(giver.position, task.zone)), unpack(body)[1]])


def unmasked(giver: Giver, body: bytes) -> bytes:
    """A mix that shows a card."""
    outputs, proof = unpack(body)
    return pack([giver.dealing.group.identity + outputs[giver.dealing.group.point_size :], proof])


def with_other_output(giver: Giver, body: bytes) -> bytes:
    """A mix of which one card is another."""
    outputs, proof = unpack(body)
    return pack([bent(giver, outputs), proof])
