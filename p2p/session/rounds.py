"""A seat's part in absence rounds: the pure machine of ``absence`` with signatures, history and effects."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ..identity import Identity
from ..log.absence import (
    DEPARTURE,
    LEAST_KEEPERS,
    SKIP,
    About,
    Certificate,
    Statement,
    certificate_of,
    keepers,
    seats_of,
    sign_statement,
)
from ..log.entry import Entry
from ..log.wire import HEAD_HINT, Missing, encode_message, frame_of, frame_of_statement
from .absence import AbsenceRound, Absences, Say
from .effects import Effect, GivenUp, Kept, Persist, Send, Tell
from .history import MAX_REWIND, History


@dataclass(frozen=True, slots=True)
class Contradicted:
    """A keeper made another statement before: both are evidence."""

    known: Statement


@dataclass(frozen=True, slots=True)
class Forged:
    """The statement is not signed by its author, or not on this history: its link is to blame."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """The statement is this seat's own, and its store does not know it."""


class AbsenceDesk:
    """What one seat says and knows about missing contributions. Changes only itself; the session acts."""

    def __init__(self, history: History, seat: int, identity: Identity) -> None:
        charter = history.charter
        self._history = history
        self._identity = identity
        self._keeper = charter.seats[seat].keeper
        is_first = self._keeper == seat and len(keepers(charter)) >= LEAST_KEEPERS
        self._absences = Absences(history.keepers_at, seat if is_first else None)
        self._is_first = is_first
        self.may_sign = False
        """Whether this seat knows that its own store is no old copy: until then it states nothing."""
        self.given_up: set[int] = set()
        """The keepers that this seat's player will not wait for any longer, at the step under way."""
        self._told: set[GivenUp | Kept] = set()
        self._aside: dict[int, Statement] = {}

    @property
    def _speaks(self) -> bool:
        """Whether this seat states anything now: for its keeper, while that and two more are in the game."""
        there = self._history.keepers_at(self._history.step)
        return self._is_first and self._keeper in there and len(there) >= LEAST_KEEPERS

    def restore(self, statements: Collection[Statement]) -> None:
        """Take what was stored before a restart."""
        self._absences.restore(statements)

    # --- about the step under way ---------------------------------------------------------------------------

    def begin_step(self) -> None:
        """What was said and told of the step before does not hold for this one."""
        self.given_up.clear()
        self._told.clear()

    def counts(self, seat: int) -> bool:
        """Whether what ``seat`` contributed to the step under way may be built on."""
        return self._absences.counts(self._about(self._history.charter.seats[seat].keeper))

    def certificate(self) -> Certificate | None:
        """The certificate of an absence at the step under way."""
        return self._certificate_at(self._history.epoch, self._history.step)

    def mark_due(self, awaited: Collection[int], purpose: str = SKIP) -> bool:
        """The seats ``awaited`` have been missing for long: take part in a round about each keeper whose
        absence has this ``purpose`` now. Whether there is one.
        """
        charter, is_any = self._history.charter, False
        for keeper in sorted({charter.seats[seat].keeper for seat in awaited} - {self._keeper}):
            if self._speaks and self._history.purpose(keeper) == purpose:
                self._absences.round(self._about(keeper)).is_due = is_any = True
        return is_any

    def turn(self, passed: Mapping[int, Entry]) -> list[Effect]:
        """Say what is due at the step under way, where these contributions are here and hold."""
        effects: list[Effect] = []
        for about, found in self._absences.at(self._history.epoch, self._history.step):
            found.holds = all(seat in passed for seat in self._history.missing_seats(about[2]))
            effects += self._say(about, found, passed)
        return effects

    def repeat(self) -> list[Effect]:
        """Say again what was said about the step under way, while it is not decided: a link may have lost it.

        Whoever holds the contribution answers a ``Missing`` with what decides.
        """
        effects: list[Effect] = []
        for about, found in self._absences.at(self._history.epoch, self._history.step):
            if (found.own is False and not found.is_present) or (
                found.own is None and self._keeper in found.parts
            ):
                effects.append(self._missing(about))
            effects += [self._frame(None, each) for each in self._own(about)]
        return effects

    def news(self) -> list[Effect]:
        """Tell how the rounds about departures stand, where that was not told yet."""
        news = [each for each in self._departures() if each not in self._told]
        self._told.update(news)
        return [Tell(each) for each in news]

    def _departures(self) -> tuple[GivenUp | Kept, ...]:
        """How the rounds about departures at the step under way stand, in which somebody takes part."""
        found: list[GivenUp | Kept] = []
        for (_, _, keeper), each in self._absences.at(self._history.epoch, self._history.step):
            by = tuple(sorted(each.parts | each.said.keys()))
            if not by or self._history.purpose(keeper) != DEPARTURE:
                continue
            holding = tuple(author for author in sorted(each.said) if each.said[author])
            found.append(Kept(keeper, holding) if holding else GivenUp(keeper, by, each.lacking))
        return tuple(found)

    # --- what others say ------------------------------------------------------------------------------------

    def hear_missing(self, peer: int, message: Missing, passed: Mapping[int, Entry]) -> list[Effect]:
        """A keeper misses a contribution to a step that is under way here, or over: help it, or join it."""
        charter, history = self._history.charter, self._history
        about = (message.epoch, message.step, message.keeper)
        speaks = charter.seats[peer].keeper == peer != message.keeper
        there = history.keepers_at(message.step)
        if not speaks or not {peer, message.keeper} <= set(there) or not history.is_recent(message.step):
            return []
        if message.step < history.step and message.step in history.certificates:
            return [self._frame(peer, each) for each in self._absences.statements(about)]
        if message.step < history.step and not self._was_given(about):
            return []
        self._absences.forget(history.step - MAX_REWIND)
        found = self._absences.round(about)
        again = bool(found.said)
        found.parts.add(peer)
        effects = self._turn_at(about, passed)
        if again and (found.own is not None or found.is_present):
            effects += self._present(peer, about, passed) if found.is_present else []
            effects += [self._frame(peer, each) for each in self._absences.statements(about)]
        return effects

    def hear(
        self, peer: int, statement: Statement, passed: Mapping[int, Entry]
    ) -> list[Effect] | Contradicted | Forged | Foreign:
        """A statement about a step that is under way here, or over, from the link of ``peer``.

        Of those that decide nothing the last one of each link is remembered: two in a row that contradict
        each other are evidence at any step, also where somebody else is alone in still asking for them.
        """
        history = self._history
        known = self._absences.known(statement) or self._set_aside(peer, statement)
        if known is not None and not known.contradicts(statement):
            return []
        if not history.is_stated(statement):
            return Forged()
        if known is not None:
            return Contradicted(known)
        if statement.author == self._keeper and self._speaks:
            return Foreign()
        if not self._is_expected(statement):
            self._aside[peer] = statement
            return []
        self._absences.hear(statement)
        return self._turn_at(statement.about, passed)

    def adopt(self, statement: Statement) -> list[Effect]:
        """Take a statement of this seat that its store has lost: it is bound by it as before."""
        self._absences.hear(statement)
        return [Persist((), (statement,))]

    def overruled(self) -> Certificate | None:
        """A certificate that a step which is over here did not take into account: it has to be taken back."""
        history = self._history
        for step in range(max(0, history.step - MAX_REWIND), history.step):
            if step not in history.certificates:
                found = self._certificate_at(history.epochs[step], step)
                if found is not None:
                    return found
        return None

    def statements_at(self, step: int) -> tuple[Statement, ...]:
        """All that was stated about a step, to tell those who ask for it."""
        epoch = self._history.epochs[step]
        return tuple(
            statement
            for about, _ in self._absences.at(epoch, step)
            for statement in self._absences.statements(about)
        )

    # --- helpers --------------------------------------------------------------------------------------------

    def _set_aside(self, peer: int, statement: Statement) -> Statement | None:
        found = self._aside.get(peer)
        return found if found is not None and found.place == statement.place else None

    def _about(self, keeper: int) -> About:
        return (self._history.epoch, self._history.step, keeper)

    def _was_given(self, about: About) -> bool:
        """Whether a step that is over here holds contributions of the keeper."""
        seats = seats_of(self._history.charter, about[2])
        return any(entry.seat in seats for entry in self._history.steps[about[1]])

    def _is_expected(self, statement: Statement) -> bool:
        """Whether the state asks for such a statement: the keeper owes something, the purpose is right.

        One that the state does not ask for is left aside. It decides nothing, and names nobody as absent.
        """
        history = self._history
        if statement.step == history.step:
            fits = statement.purpose == history.purpose(statement.keeper)
            return fits and bool(history.missing_seats(statement.keeper))
        return history.is_recent(statement.step) and self._was_given(statement.about)

    def _turn_at(self, about: About, passed: Mapping[int, Entry]) -> list[Effect]:
        if about[1] == self._history.step:
            return self.turn(passed)
        found = self._absences.round(about)
        found.holds = True  # a step that is over with the keeper's contributions
        return self._say(about, found, passed)

    def _say(self, about: About, found: AbsenceRound, passed: Mapping[int, Entry]) -> list[Effect]:
        effects: list[Effect] = []
        while self.may_sign and (said := found.say(self._absences.may_deny(about))) is not None:
            if said is Say.PART:
                found.parts.add(self._keeper)
                effects.append(self._missing(about))
                continue
            history, head = self._history, self._history.heads[about[1]]
            purpose = history.purpose(about[2], about[1])
            own = sign_statement(
                self._identity, history.table_id, head, about, purpose, self._keeper, said is Say.HAVE
            )
            self._absences.hear(own)
            # A "have" binds for good: what it speaks of must outlive a crash with it.
            given = self._given(about, passed) if own.have else ()
            effects.append(Persist(given, (own,)))
            effects += [Send(None, encode_message(frame_of(entry, head))) for entry in given]
            effects.append(self._frame(None, own))
        return effects

    def _present(self, to: int, about: About, passed: Mapping[int, Entry]) -> list[Effect]:
        head = self._history.heads[about[1]]
        return [Send(to, encode_message(frame_of(each, head))) for each in self._given(about, passed)]

    def _given(self, about: About, passed: Mapping[int, Entry]) -> tuple[Entry, ...]:
        """The contributions that a "have" speaks of."""
        history, (_, step, keeper) = self._history, about
        entries = passed.values() if step == history.step else history.steps[step]
        seats = seats_of(history.charter, keeper)
        return tuple(each for each in entries if each.seat in seats)

    def _own(self, about: About) -> tuple[Statement, ...]:
        return tuple(each for each in self._absences.statements(about) if each.author == self._keeper)

    def _missing(self, about: About) -> Send:
        epoch, step, keeper = about
        hint = self._history.heads[step][:HEAD_HINT]
        return Send(None, encode_message(Missing(epoch, step, hint, keeper)))

    def _frame(self, to: int | None, statement: Statement) -> Send:
        head = self._history.heads[statement.step]
        return Send(to, encode_message(frame_of_statement(statement, head)))

    def _certificate_at(self, epoch: int, step: int) -> Certificate | None:
        for about, found in self._absences.at(epoch, step):
            if found.is_certified:
                gone = self._history.gone[step]
                certificate = certificate_of(self._history.charter, self._absences.statements(about), gone)
                if certificate is not None:
                    return certificate
        return None
