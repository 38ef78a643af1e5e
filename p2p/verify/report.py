"""What a verified game is reported as: the verdict, and each step with what was proved in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from engine.contract import AnyRules, Event, Outcome
from engine.table import Choose, Coin, Complete, Disclose, Draw, HandOver, Mix, Pick, Show, Shuffle, Tick

from ..deal import Close, Escrow, Printed, Progress, Recover, Reveal, Setup

RulesOf = Callable[[str], AnyRules]


class Report(msgspec.Struct, frozen=True):
    """What the file shows. ``seat`` and ``step`` are set where someone cheated."""

    verdict: str
    reason: str = ""
    seat: int | None = None
    step: int | None = None
    finished: bool = False
    closed: bool = False
    outcome: Outcome | None = None
    players: tuple[str, ...] = ()
    keepers: tuple[int, ...] = ()
    """For each seat the one whose key signs for it: further people at one machine, and bots, share one."""
    game: str = ""
    table_id: bytes = b""
    events: tuple[Event, ...] = ()
    checks: dict[str, int] = {}
    confirmed_by: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    skipped: tuple[tuple[int, int], ...] = ()
    """(step, seat) of every absence in a race that is certified."""
    left: tuple[tuple[int, int], ...] = ()
    """(step, seat) of every seat that left the game, by a certificate or by its keeper's word."""
    unconfirmed: tuple[int, ...] = ()
    """The seats that did not sign the outcome of a game that is closed."""
    certified: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    """(step, keeper, keepers) of every departure by a certificate: who left, and who signed that nothing
    came from it in time."""
    awaited: tuple[int, ...] = ()
    """The seats of which nothing is there for the last step, where the game was stopped before its end."""
    scanner: int | None = None
    """The seat whose machine scanned the cards, where they were printed ones: what was said of hidden cards
    is judged once it has revealed its seed."""

    @property
    def is_judged(self) -> bool:
        """Of a sound record: whether all that was said of hidden cards was judged, by its proofs or by the
        seed of the seat whose machine scanned them. Where it was not, nobody can say that nobody lied."""
        return self.scanner is None or self.scanner in self.revealed


@dataclass(frozen=True, slots=True)
class Proof:
    """A part of a contribution that was verified: whose, and of which kind, as ``Report.checks`` counts
    them."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step that was verified, and how the game stood ``before`` and ``after`` it.

    ``signed`` are the seats whose contributions are there; ``absent`` those that a certificate stands for.
    The last step of a game that was stopped may lack contributions (``is_whole`` is false): it changed
    nothing.
    """

    number: int
    epoch: int
    signed: tuple[int, ...]
    absent: tuple[int, ...]
    proofs: tuple[Proof, ...]
    events: tuple[Event, ...]
    before: Progress
    after: Progress
    is_whole: bool = True

    @property
    def kind(self) -> str:
        """What kind of round it was, as ``Round.kind``; empty after the end of all."""
        now = self.before.round
        return now.kind if now is not None else ""


_COUNTED: dict[type, str] = {
    Setup: "keys",
    Escrow: "escrows",
    Recover: "recoveries",
    Draw: "shares",
    Shuffle: "shuffles",
    Coin: "coins",
    Choose: "decisions",
    Disclose: "answers",
    Complete: "settles",
    Mix: "mixes",
    Show: "openings",
    Pick: "picks",
    HandOver: "hand-overs",
    Tick: "ticks",
    Close: "closings",
    Reveal: "reveals",
}

_COUNTED_PRINTED: dict[str, str] = {
    "scan": "scans",
    "accept": "acceptances",
    "confirm": "confirmations",
    "mix": "mixes",
    "cut-commit": "cuts",
    "cut-open": "cuts",
}


def counted(before: Progress) -> str:
    """What a round counts as."""
    by_task = _COUNTED.get(type(before.task), "moves")
    if not isinstance(before.dealing, Printed) or before.round is None:
        return by_task
    return _COUNTED_PRINTED.get(before.round.kind, by_task)
