"""Lies of the gallery for the tests' own tables: ``Cheater`` at a ``Ring``, ``lying`` at a ``Circle``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

from engine.table import Deed
from p2p.attacks.base import Change, Lie, Twist
from p2p.attacks.liar import (
    TRUTH,
    at,
    at_place,
    bent,
    unmasked,
    unmixed,
    with_false_claims,
    with_other_output,
)
from p2p.deal import PeerFault, Task, ordering
from p2p.deal.giving import Giver
from p2p.deal.printed_giving import PrintedGiver
from p2p.session import Session

__all__ = [
    "TRUTH",
    "Change",
    "Cheater",
    "Lie",
    "Told",
    "Twist",
    "at",
    "at_place",
    "bent",
    "lying",
    "unmasked",
    "unmixed",
    "with_false_claims",
    "with_other_output",
]


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
        class Liar(honest):
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


def other_salt(giver: Giver, task: Any, deed: Any, body: bytes) -> bytes:
    return bytes([body[0] ^ 1]) + body[1:]
