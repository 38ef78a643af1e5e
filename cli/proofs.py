"""What has been proved to this machine so far, and by which proof: both front ends say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from p2p.session import Happened, Stage, Telling

from .translation import gettext as _
from .translation import ngettext

LONG: Final = frozenset({"keys", "coin-commit", "shuffle", "close", "reveal"})
"""Rounds that take long enough to say who is working; dealing is one too, the draws of a turn are not."""


@dataclass(slots=True)
class Work:
    """A long task of the whole table: ``done`` of ``of`` rounds, who owes this one, who has done a part."""

    kind: str
    text: str
    owed: tuple[int, ...]
    done: int
    of: int
    contributed: set[int] = field(default_factory=set)

    @classmethod
    def following(cls, before: Work | None, stage: Stage, text: str) -> Work:
        """The work of a stage; who did a part of the same task stays marked."""
        goes_on = before is not None and before.kind == stage.kind and stage.done > 0
        done_by = {*before.contributed, *before.owed} if before is not None and goes_on else set()
        return cls(stage.kind, text, stage.owed, stage.done, stage.of, done_by)


class Ledger:
    """Counts what was verified: what is told of, or by the transcript, where there is one."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.claims: Counter[str] = Counter()
        self._followed: int | None = None

    def hear(self, telling: Telling) -> None:
        """A telling of the session; what it brings has been verified."""
        if self._followed is None and isinstance(telling, Happened):
            self.kinds.update(kind for _seat, kind in telling.proved)

    def follow(self, proved: Sequence[tuple[str, int]]) -> None:
        """Count by the transcript (``History.proved``), which has what was stored before this program was
        started, and the steps of a race that nobody is told of, too."""
        if self._followed is None or len(proved) < self._followed:  # steps were taken back
            self.kinds.clear()
            self._followed = 0
        for kind, count in proved[self._followed :]:
            self.kinds[kind] += count
        self._followed = len(proved)

    def claim(self, proof: str) -> None:
        """What a line of the game's story says was proved along with it."""
        if proof:
            self.claims[proof.split(" ", 1)[-1]] += 1

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.kinds.values())

    def lines(self) -> tuple[str, ...]:
        """One line for each kind, and which proof it was."""
        kinds = self.kinds
        other = self.total - sum(kinds[kind] for kind in ("keys", "shuffle", "mix", "shares", "hand-over"))
        found = [
            (kinds["keys"], _keys(kinds["keys"])),
            (kinds["shuffle"], _shuffles(kinds["shuffle"])),
            (kinds["mix"], _mixes(kinds["mix"])),
            (kinds["shares"], _shares(kinds["shares"])),
            (kinds["hand-over"], _hand_overs(kinds["hand-over"])),
            (other, _others(other)),
        ]
        lines = [text for count, text in found if count]
        if not lines:
            return (_("Nothing has been proved yet: the game is just beginning."),)
        claims = [f"  {count}  {proof}" for proof, count in self.claims.most_common()]
        head = _("{n} proved since the game began, each checked by this program before it was shown:")
        if claims:
            lines += [_("Of what was said at the table:"), *claims]
        tail = _(
            "A proof that does not hold stops the game and names the player. verify checks a record again."
        )
        return (
            head.format(n=self.total),
            *(f"  {line}" if not line.startswith("  ") else line for line in lines),
            tail,
        )


def _keys(n: int) -> str:
    return ngettext(
        "{n} key: its player knows the secret of it (proof of Schnorr).",
        "{n} keys: each player knows the secret of the own one (proofs of Schnorr).",
        n,
    ).format(n=n)


def _shuffles(n: int) -> str:
    return ngettext(
        "{n} shuffle: no card was added, lost or exchanged (proof of Terelius and Wikström).",
        "{n} shuffles: no card was added, lost or exchanged (proofs of Terelius and Wikström).",
        n,
    ).format(n=n)


def _mixes(n: int) -> str:
    return ngettext(
        "{n} hand mixed anew: the same cards in another order (the same proof as for a shuffle).",
        "{n} hands mixed anew: the same cards in another order (the same proof as for a shuffle).",
        n,
    ).format(n=n)


def _shares(n: int) -> str:
    return ngettext(
        "{n} contribution to opening cards: made with the right key (proof of Chaum and Pedersen).",
        "{n} contributions to opening cards: made with the right keys (proofs of Chaum and Pedersen).",
        n,
    ).format(n=n)


def _hand_overs(n: int) -> str:
    return ngettext(
        "{n} hand-over: the very cards, under another key (proof of equal logarithms).",
        "{n} hand-overs: the very cards, under another key (proofs of equal logarithms).",
        n,
    ).format(n=n)


def _others(n: int) -> str:
    return ngettext(
        "{n} signed step of the game, with a proof of every hidden statement in it (Cramer, Damgård, "
        "Schoenmakers).",
        "{n} signed steps of the game, with a proof of every hidden statement in them (Cramer, Damgård, "
        "Schoenmakers).",
        n,
    ).format(n=n)


__all__ = ["LONG", "Ledger", "Work"]
