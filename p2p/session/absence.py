"""Absence rounds: how the keepers agree, without a server, that a contribution is missing (design, 6).

A pure machine for one seat; the session feeds it what it heard and does what it asks for. Its rules:

1. A keeper takes part once the contribution has been missing here for a while, and says so to all.
2. It states "have not" only when every other keeper takes part, and only if no earlier "have not" of this
epoch is undecided. So a keeper that cannot be reached keeps all others from stating anything.
3. It states "have" as soon as it holds the contribution and somebody else takes part, unless it has stated
the opposite. One valid "have" decides that the contribution counts.
4. Where it has stated "have not", a contribution that comes late does not count until a "have" of another
keeper is there. "Have not" of all is the certificate.

From 3 and 4: no keeper counts a contribution whose absence is certified, whatever the order of messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from ..log.absence import About, Statement


class Say(Enum):
    """What a seat has to tell all others in a round."""

    PART = "takes part"
    HAVE = "have"
    HAVE_NOT = "have not"


@dataclass(slots=True)
class AbsenceRound:
    """One round as one seat sees it. ``others`` are all keepers but the missing one.

    ``me`` is this seat's keeper if this seat speaks for it, else ``None``: a bot's session hears and never
    states.
    """

    others: tuple[int, ...]
    me: int | None
    is_due: bool = False
    holds: bool = False
    parts: set[int] = field(default_factory=set)
    said: dict[int, bool] = field(default_factory=dict)

    @property
    def own(self) -> bool | None:
        """What this seat has stated."""
        return None if self.me is None else self.said.get(self.me)

    @property
    def is_present(self) -> bool:
        """Whether a keeper has stated "have": the contribution counts."""
        return any(self.said.values())

    @property
    def is_certified(self) -> bool:
        """Whether all have stated "have not"."""
        return len(self.said) == len(self.others) and not self.is_present

    @property
    def counts(self) -> bool:
        """Whether the contribution, if it is here, may be built on."""
        if self.own is False:
            return self.is_present
        return not self.is_certified

    @property
    def lacking(self) -> tuple[int, ...]:
        """The keepers of which nothing was heard in this round."""
        return tuple(each for each in self.others if each not in self.parts and each not in self.said)

    def say(self, may_deny: bool) -> Say | None:
        """What to say now. ``may_deny``: no other "have not" of this epoch is undecided."""
        me = self.me
        if me is None or me not in self.others or me in self.said:
            return None
        if self.holds:
            asked = any(each != me for each in (*self.parts, *self.said))
            return Say.HAVE if asked else None
        if not self.is_due or self.is_present:
            return None
        if me not in self.parts:
            return Say.PART
        return Say.HAVE_NOT if may_deny and not self.lacking else None


class Absences:
    """All rounds that one seat knows of, and the statements in them."""

    def __init__(self, keepers_at: Callable[[int], tuple[int, ...]], me: int | None) -> None:
        """``keepers_at`` gives the keepers that are in the game at a step."""
        self._keepers_at = keepers_at
        self._me = me
        self._rounds: dict[tuple[int, int], dict[int, AbsenceRound]] = {}
        self._statements: dict[About, dict[int, Statement]] = {}

    def round(self, about: About) -> AbsenceRound:
        """The round about (epoch, step, keeper)."""
        epoch, step, keeper = about
        here = self._rounds.setdefault((epoch, step), {})
        found = here.get(keeper)
        if found is None:
            others = tuple(each for each in self._keepers_at(step) if each != keeper)
            found = here[keeper] = AbsenceRound(others, self._me)
        return found

    def at(self, epoch: int, step: int) -> tuple[tuple[About, AbsenceRound], ...]:
        """The rounds about one step, in order of keepers."""
        here = self._rounds.get((epoch, step), {})
        return tuple(((epoch, step, keeper), here[keeper]) for keeper in sorted(here))

    def known(self, statement: Statement) -> Statement | None:
        """What the same author has stated in the same round."""
        return self._statements.get(statement.about, {}).get(statement.author)

    def hear(self, statement: Statement) -> None:
        """Take a valid statement, one's own too. The first of an author stays."""
        self._statements.setdefault(statement.about, {}).setdefault(statement.author, statement)
        self.round(statement.about).said.setdefault(statement.author, statement.have)

    def statements(self, about: About) -> tuple[Statement, ...]:
        """All statements in a round, in order of authors."""
        known = self._statements.get(about, {})
        return tuple(known[author] for author in sorted(known))

    def may_deny(self, about: About) -> bool:
        """Whether this seat may state "have not": none of its other ones in this epoch is undecided.

        A step that is over and left the epoch as it was, was decided by a "have".
        """
        epoch, step, _ = about
        return not any(
            other != about and each.own is False and not each.is_present
            for other, each in self.at(epoch, step)
        )

    def counts(self, about: About) -> bool:
        """Whether contributions of the keeper may be built on, as far as this seat knows."""
        found = self._rounds.get(about[:2], {}).get(about[2])
        return found is None or found.counts

    def forget(self, before: int) -> None:
        """Drop the rounds about steps before ``before``, but for certified ones, which others ask for, and
        those with a statement of this seat: after a step was taken back it could be asked for another one.
        """
        for epoch, step in [at for at in self._rounds if at[1] < before]:
            here = self._rounds[epoch, step].values()
            if not any(each.is_certified or each.own is not None for each in here):
                for keeper in self._rounds.pop((epoch, step)):
                    self._statements.pop((epoch, step, keeper), None)

    def restore(self, statements: Iterable[Statement]) -> None:
        """Take what was stored before a restart."""
        for statement in statements:
            self.hear(statement)
