"""One seat's session at a table: messages, decisions, timers and finished work in; effects out. No I/O.

Each class adds to the one before it: ``steps`` has the step under way, ``contributing`` this seat's part of
it, ``judging`` says what is worth what the others signed, ``hearing`` has all that comes from them, and here
are the player, the clock and the record.

Rules that keep it honest and safe:

1. A contribution is made once. It is persisted before it is sent, and after a restart the stored one is sent
again.
2. Effects are carried out strictly in order, and what follows a ``Persist`` waits until that is durable.
3. A frame without a valid signature blames its link only. A signed contribution that the protocol rejects
blames its author; two different ones for one step are an equivocation.
4. What builds on an unknown history is kept and its sender asked for the steps in between.
5. Nothing is signed before every other seat has handed over what it holds: our store may be an old copy.
6. Where a keeper is missing, the others agree on it in an absence round (``absence``), and go on in a new
epoch: in a race after two seconds, otherwise when its links are gone for as long as the charter says, or when
their players will not wait any longer. Whoever has come further without them takes those steps back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import Face
from engine.contract import Action, IllegalAction, Reason, View
from engine.table import Slot, Tick

from ..log.absence import DEPARTURE, Statement
from ..log.entry import Entry
from ..log.record import Record
from ..log.wire import Chat, Pause, encode_message
from .asking import ASK_AGAIN
from .effects import Effect, Send, Tell, Timer, Waiting
from .hearing import Hearing
from .recording import game_record, last_records
from .ticks import LAG_TOLD, CommittedDeed


class Session(Hearing):
    """See the module's text. ``root`` is this seat's secret of the game, ``entropy`` 32 fresh bytes of this
    start.

    Answers whose choice hangs on hidden cards are given ``answer_delay`` seconds after they are due, whatever
    the hand holds. 0 is for tables where nobody's secret is at stake: what is forced then goes at once, and a
    choice waits for its player. ``waits`` is for people: what is always asked, such as whether to lay a pair,
    is held back as long and then waits for the player; a bot's is decided by then.

    Without a ``root`` the secret is lost: the seat leaves the game with the next contribution that it owes,
    for which its identity is enough, and makes none but that and the close.

    ``rebuilds``: this seat's store was lost or is an old copy, and its player says that no other program
    plays the seat. What the others hold of it is taken as its own then, until all of them have been heard at
    one step.
    """

    # --- what the outside asks ------------------------------------------------------------------------------

    def record(self) -> bytes:
        """The game file as it stands.

        Where all of the step under way is here and what follows is not worked out yet, its last contribution
        is left out: a step that is whole is one that has ended.
        """
        return game_record(self.history, self._recorded, self.fault)

    def last_records(self) -> list[Record]:
        """What the record holds besides the charter and complete steps."""
        return last_records(self.history, self._recorded, self.fault)

    @property
    def _recorded(self) -> tuple[Entry, ...]:
        held = tuple(entry for entry in self.held if self._desk.counts(entry.seat))
        return held if self.awaited else held[:-1]

    def view(self) -> View[Any]:
        """What this seat knows now."""
        return self._sight.view(self._decider.asking or self.history.progress)

    def view_after(self, step: int) -> View[Any]:
        """What this seat held in its hand after a step that ``restore`` folded."""
        progress = self.history.restored_to[step]
        return progress.position.view(self.seat, self._sight.hand(progress))

    @property
    def is_rebuilding(self) -> bool:
        """Whether this seat still takes from others what it has signed itself."""
        return self._rebuilds

    @property
    def rebuilding(self) -> Mapping[int, tuple[int, ...]]:
        """The seats that can sign nothing now since their stores were lost, this one too, and which seats
        each waits for."""
        return self._rebuilding.waiting

    def start(
        self,
        now: float,
        stored: tuple[Entry, ...] = (),
        statements: tuple[Statement, ...] = (),
        committed: CommittedDeed | None = None,
    ) -> list[Effect]:
        """Begin, or go on after a restart with what this seat's own store holds: contributions, statements of
        absence rounds, and the deed behind the last commitment of a race.
        """
        self._restore(stored, statements, committed)
        self._reach.start(now, self._others)
        opening = self._opening()
        if self.fault is not None:
            return opening
        return [*opening, *self._begin_step(now, news=True), *self._advance(now)]

    def act(self, now: float, action: Action) -> list[Effect]:
        """The player's decision, a wish for later, or a play in a race. Raises ``IllegalAction``; nothing has
        changed then.

        A play in a race is queued, and committed to at the next tick.
        """
        progress = self.history.progress
        if self._decider.wish(progress, action):
            return []
        if isinstance(progress.task, Tick):
            if self.is_over or self.seat not in progress.task.seats:
                raise IllegalAction(Reason("not-your-turn"))
            self._racer.act(progress, action)
            return []
        return [self._contribute_job()] if self._decider.act(now, action) else []

    def scan(self, now: float, faces: Sequence[Face]) -> list[Effect]:
        """Printed cards that were tapped, for the first places of the last ``ScanWanted``.

        Raises ``ScanRefused``; nothing has changed then. A draw is contributed once all its cards are there;
        a race takes what is there with the next tick.
        """
        if self.is_over:
            return []
        told = self._scans.take(self.history.progress, faces)
        return [*told, *self._own_turn(now)]

    def scan_anew(self, now: float) -> list[Effect]:
        """Forget the cards that were tapped and not contributed yet, and ask for them again."""
        return [] if self.is_over else self._scans.anew(self.history.progress)

    def seen(self) -> tuple[tuple[Slot, Face], ...]:
        """For the seat that scans a printed deck: where each card that was scanned or lies open is, and its
        face. Empty for everybody else."""
        progress = self._decider.asking or self.history.progress
        return self._scans.seen(progress) if self._has_secrets else ()

    def say(self, text: str) -> list[Effect]:
        """A line of chat to everyone."""
        return [Send(None, encode_message(Chat(text)))]

    def pause(self) -> list[Effect]:
        """Tell the others that this player stops for now."""
        return [Send(None, encode_message(Pause()))]

    def farewell(self, now: float) -> list[Effect]:
        """This seat's player leaves the game, with all its seats: with the next contribution that this one
        owes. A wish of this run of the program: after a restart it has to be said again."""
        self._says_farewell = True
        self._decider.reset()
        return [] if self.is_over else self._own_turn(now)

    def give_up(self, now: float, seat: int) -> list[Effect]:
        """This seat's player will not wait any longer for ``seat``, though it is linked: take part in a round
        about its departure, once it has been waited for as long as the charter says. All others have to say
        the same."""
        self._desk.given_up.add(self.charter.seats[seat].keeper)
        return [] if self.is_over else [*self._departures(now), *self._advance(now)]

    def tick(self, now: float) -> list[Effect]:
        """Time has passed: ask again for what is missing, and give an answer whose time has come."""
        effects: list[Effect] = []
        self._reach.look(now)
        if self.is_over:
            return effects
        if self._decider.is_due(now):
            effects.append(self._contribute_job())
        missing = self._must_hear | set(self.awaited)
        if (missing - {self.seat} or self._pending) and self._questions.are_due(now):
            effects += self._questions.repeat(now, self._reach.linked)
            if missing:
                effects.append(Tell(Waiting(tuple(sorted(missing)), self._step_since)))
        effects.append(Timer(ASK_AGAIN))
        if self._has_waited(now):
            effects += [*self._spoken(self._desk.turn(self._verified)), *self._own_turn(now)]
        effects += self._rebuilding.wait_for(self._unanswering(now))
        if said := self._departures(now):
            effects += [*said, *self._advance(now)]
        if isinstance(self.history.progress.task, Tick):
            effects += self._race_on(now)
        return effects

    def done(self, now: float, job_id: int, value: Any) -> list[Effect]:
        """A job's result, or the exception it raised."""
        if self.fault is not None:
            return []
        return [*self._finished(now, job_id, value), *self._settled()]

    def _finished(self, now: float, job_id: int, value: Any) -> list[Effect]:
        if job_id == self._fold:
            return self._folded(now, value)
        if job_id in self._void_jobs:
            return self._void_checked(self._void_jobs.pop(job_id), value)
        if job_id not in self._jobs:
            return []
        entry = self._jobs.pop(job_id)
        return self._contributed(now, value) if entry is None else self._checked(now, entry, value)

    def _departures(self, now: float) -> list[Effect]:
        """Take part in rounds about keepers that have been away, and awaited, for as long as the charter
        says."""
        self._reach.look(now)
        grace = self.charter.grace
        if not self._desk.may_sign or not self._reach.has_lasted(now, grace):
            return []
        awaited, given_up = {self.charter.seats[seat].keeper for seat in self.awaited}, self._desk.given_up
        away = [each for each in awaited if each in given_up or self._is_away(each, now - grace)]
        if not self._desk.mark_due(away, DEPARTURE):
            return []
        said = [*self._desk.repeat(), *self._spoken(self._desk.turn(self._verified))]
        return [*said, *self._desk.news()]

    def _race_on(self, now: float) -> list[Effect]:
        """Commit when the time has come; tell who lags; and see who is absent."""
        progress, began = self.history.progress, self._step_since
        effects = self._own_turn(now)
        awaited = tuple(seat for seat in self.awaited if seat != self.seat)
        if not awaited or self.seat in self.awaited:
            return effects
        effects += self._racer.lagging(progress, began, now, awaited)
        absent_at = self._racer.absent_at(progress, began)
        if now < absent_at:
            return [*effects, Timer(min(absent_at - now, LAG_TOLD))]
        effects += self._desk.repeat()
        self._desk.mark_due(awaited)
        return [*effects, *self._spoken(self._desk.turn(self._verified)), *self._advance(now)]
