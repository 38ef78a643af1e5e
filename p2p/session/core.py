"""One seat's session at a table: messages, decisions, timers and finished work in; effects out. No I/O.

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
from engine.contract import Action, AnyRules, IllegalAction, Reason, View
from engine.table import Slot, Tick

from ..identity import Identity
from ..log.absence import DEPARTURE, LEAST_KEEPERS, Certificate, Statement, seats_of
from ..log.charter import Charter
from ..log.codec import Malformed
from ..log.entry import Entry
from ..log.record import Record
from ..log.wire import (
    HEAD_HINT,
    MAX_STEP,
    Chat,
    EntryFrame,
    Have,
    Message,
    Missing,
    Pause,
    Rebuilding,
    StatementFrame,
    Want,
    Watchers,
    decode_message,
    encode_message,
    frame_of,
    frame_of_statement,
)
from ..sealed import Group
from .ahead import Ahead
from .effects import Drop, Effect, GivenUp, Kept, Paused, Send, Stale, Talk, Tell, Timer, Waiting, Watched
from .reach import Reach
from .rebuilding import RebuildDesk
from .recording import game_record, last_records
from .rounds import Contradicted, Foreign, Forged
from .steps import ASK_AGAIN, Steps
from .ticks import LAG_TOLD, CommittedDeed

ASK_AT_MOST = 30.0
"""Seconds between two such questions at most: they double while a player simply thinks."""

MAX_REPLY = 1 << 20
"""Bytes sent in answer to one ``Want``; who lacks more asks again. Keeps one reader from filling our
memory."""


class Session(Steps):
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

    def __init__(
        self,
        charter: Charter,
        rules: AnyRules,
        group: Group,
        seat: int,
        identity: Identity,
        root: bytes | None,
        entropy: bytes,
        *,
        answer_delay: float = 3.0,
        waits: bool = True,
        rebuilds: bool = False,
    ) -> None:
        super().__init__(charter, rules, group, seat, identity, root, entropy, answer_delay, waits)
        self._rebuilds = rebuilds
        self._rebuilding = RebuildDesk(seat)
        self._ahead = Ahead()
        self._reach = Reach()
        self._given_up: set[int] = set()
        self._told_of: set[GivenUp | Kept] = set()
        self._others = frozenset(range(len(charter.seats))) - {seat}
        self._must_hear = set(self._others)
        self._further: dict[int, int] = {}
        self._asked_at = 0.0
        self._asked_past: set[tuple[int, int]] = set()
        self._reading: dict[int, int] = {}
        self._wanted: dict[int, tuple[int, int]] = {}
        self._ask_delay = ASK_AGAIN
        self._watchers: tuple[str, ...] = ()

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
        return self._own_view(self._decider.asking or self.history.progress)

    def view_after(self, step: int) -> View[Any]:
        """What this seat held in its hand after a step that ``restore`` folded."""
        progress = self.history.restored_to[step]
        return progress.position.view(self.seat, self._own_hand(progress))

    @property
    def is_rebuilding(self) -> bool:
        """Whether this seat still takes from others what it has signed itself."""
        return self._rebuilds

    @property
    def rebuilding(self) -> Mapping[int, tuple[int, ...]]:
        """The seats that can sign nothing now since their stores were lost, this one too, and which seats
        each waits for."""
        return self._rebuilding.waiting

    @property
    def out_of_reach(self) -> frozenset[int]:
        """The seats to which there is no link now."""
        return self._reach.unlinked

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

    def link_up(self, now: float, peer: int) -> list[Effect]:
        """A link to ``peer`` is there: tell it how far we are, which also asks for what we lack."""
        self._reach.up(peer)
        watched: list[Effect] = [self._watched(peer)] if self._watchers else []
        return [self._want(peer), *watched, *self._rebuilding.greet(peer)]

    def link_down(self, now: float, peer: int) -> list[Effect]:
        """The link to ``peer`` is gone."""
        self._reach.down(now, peer)
        self._rebuilding.lose(peer)
        return []

    def receive(self, now: float, peer: int, data: bytes) -> list[Effect]:
        """One frame from the link of ``peer``."""
        try:
            message = decode_message(data)
        except Malformed as error:
            return [Drop(peer, str(error))]
        return self._dispatch(now, peer, message)

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

    def watched(self, names: tuple[str, ...]) -> list[Effect]:
        """Tell everyone, this seat's player too, who watches at this seat now."""
        self._watchers = names
        return [self._watched(None), Tell(Watched(self.seat, names))]

    def _watched(self, to: int | None) -> Send:
        return Send(to, encode_message(Watchers(self._watchers)))

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
        self._given_up.add(self.charter.seats[seat].keeper)
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
        if now - self._asked_at >= self._ask_delay and missing - {self.seat}:
            self._asked_at = now
            self._ask_delay = min(2 * self._ask_delay, ASK_AT_MOST)
            effects += self._want_all()
            effects.append(Tell(Waiting(tuple(sorted(missing)), self._step_since)))
        effects += self._rebuilding.wait_for(self._must_hear if self._rebuilds else ())
        effects.append(Timer(ASK_AGAIN))
        if self._has_waited(now):
            effects += [*self._spoken(self._desk.turn(self._verified)), *self._own_turn(now)]
        if said := self._departures(now):
            effects += [*said, *self._advance(now)]
        if isinstance(self.history.progress.task, Tick):
            effects += self._race_on(now)
        return effects

    def done(self, now: float, job_id: int, value: Any) -> list[Effect]:
        """A job's result, or the exception it raised."""
        if self.fault is not None:
            return []
        if job_id == self._fold:
            return self._folded(now, value)
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
        awaited = {self.charter.seats[seat].keeper for seat in self.awaited}
        away = [
            keeper for keeper in awaited if keeper in self._given_up or self._is_away(keeper, now - grace)
        ]
        if not self._desk.mark_due(away, DEPARTURE):
            return []
        said = [*self._desk.repeat(), *self._spoken(self._desk.turn(self._verified))]
        return [*said, *self._about_departures()]

    def _about_departures(self) -> list[Effect]:
        """Tell how the rounds about departures stand, where that is news."""
        news = [each for each in self._desk.departures() if each not in self._told_of]
        self._told_of.update(news)
        return [Tell(each) for each in news]

    def _is_away(self, keeper: int, since: float) -> bool:
        """Whether no link to any seat of ``keeper`` was there after ``since``."""
        return self._reach.are_away(seats_of(self.charter, keeper), since)

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

    # --- messages -------------------------------------------------------------------------------------------

    def _dispatch(self, now: float, peer: int, message: Message) -> list[Effect]:
        match message:
            case EntryFrame():
                return self._on_entry(now, peer, message)
            case Want():
                return self._on_want(peer, message)
            case Have():
                return self._on_have(now, peer, message)
            case Missing():
                return self._on_missing(now, peer, message)
            case StatementFrame():
                return self._on_statement(now, peer, message)
            case Chat(text):
                return [Tell(Talk(peer, text))]
            case Pause():
                return [Tell(Paused(peer))]
            case Rebuilding():
                return self._rebuilding.hear(peer, message, len(self.charter.seats))
            case Watchers(names):
                return [Tell(Watched(peer, names))]

    def _on_want(self, peer: int, message: Want) -> list[Effect]:
        """All that is held from a step on, up to a bound; evidence of a fault; and how far that goes."""
        effects: list[Effect] = []
        history = self.history
        size, following = 0, message.step
        for number in range(history.asked_from(message.epoch, message.step), history.step + 1):
            entries = history.steps[number] if number < history.step else self.held
            head = history.heads[number]
            frames: list[Message] = [frame_of(entry, head) for entry in entries]
            frames += [frame_of_statement(each, head) for each in self._desk.statements_at(number)]
            for frame in frames:
                data = encode_message(frame)
                size += len(data)
                effects.append(Send(peer, data))
            following = number + 1
            if size > MAX_REPLY:
                break
        if message.step <= history.step:  # one that comes from further on knows them
            effects += [Send(peer, encode_message(frame)) for frame in self._ahead.of(peer)]
        if self.fault is not None:
            effects += self._evidence(self.fault, peer)
        have = Have(history.epoch, following, history.step, history.head[:HEAD_HINT])
        return [*effects, Send(peer, encode_message(have))]

    def _on_have(self, now: float, peer: int, message: Have) -> list[Effect]:
        """``peer`` has answered: read on in its other history, and sign once no seat is further than we."""
        before = self._reading.pop(peer, None)
        if before is not None and before < message.following <= min(message.step, self.history.step):
            self._reading[peer] = message.following
            return [Send(peer, encode_message(Want(self.history.epoch, message.following)))]
        if message.step <= self.history.step and message.epoch >= self.history.epochs[message.step]:
            if message.epoch > self.history.epochs[message.step]:
                return self._ask_once(peer)
            if not self._is_ours(message.step, message.head):
                return self._other_history(peer, message.step)
        if peer not in self._must_hear:
            return []
        if self._rebuilds and message.step < self.history.step:
            return []  # it may keep something of ours for a later step; it is asked again
        if message.step > self.history.step:
            self._further[peer] = message.step
            return []
        if message.following <= message.step:
            return [self._want(peer)]
        self._must_hear.discard(peer)
        if self._must_hear:
            return []
        self._all_heard()
        heard = self._rebuilding.wait_for(())
        return [*heard, *self._spoken(self._desk.turn(self._verified)), *self._own_turn(now)]

    def _on_entry(self, now: float, peer: int, frame: EntryFrame) -> list[Effect]:
        if self.fault is not None:
            return []
        if frame.seat >= len(self.charter.seats):
            return [Drop(peer, "a contribution of an unknown seat")]
        if frame.step > self.history.step:
            return self._keep(peer, frame)
        if frame.epoch != self.history.epochs[frame.step]:
            return self._other_epoch(peer, frame)
        if not self._is_ours(frame.step, frame.head):
            return self._other_history(peer, frame.step) if frame.step == self.history.step else []
        entry = frame.entry
        known = self._known(entry)
        if known is not None and known.body == entry.body:
            return []
        if not self.history.is_signed(entry):
            return [Drop(peer, "a contribution without a valid signature")]
        head = self.history.heads[entry.step]
        if self.history.is_void(entry.step, entry.seat) or self._is_void_now(entry):
            return []
        if known is None and entry.seat in self.history.progress.gone:
            return []  # whoever has left the game cannot void it by going on
        if known is not None:
            reason = "signed two different contributions to one step"
            return self._convict(entry.seat, entry.step, reason, (known, entry), head)
        if entry.step < self.history.step or entry.seat not in self.history.progress.owed:
            reason = "contributed where nothing is owed"
            return self._convict(entry.seat, entry.step, reason, (entry,), head)
        if entry.seat == self.seat and not self._rebuilds:
            return self._own_from_elsewhere(entry.step)
        return self._take(now, entry)

    def _all_heard(self) -> None:
        """Nobody holds anything of this seat at this step that it does not know: it may sign."""
        self._must_hear = set()
        self._rebuilds = self._rebuilds and bool(self._ahead.of(self.seat))
        self._desk.may_sign = not self._stale

    def _is_void_now(self, entry: Entry) -> bool:
        """Whether a certificate stands for this contribution to the step under way."""
        return entry.step == self.history.step and self._is_absent(entry.seat)

    def _other_epoch(self, peer: int, frame: EntryFrame | Missing | StatementFrame) -> list[Effect]:
        """``peer`` has not heard of a certificate, and will ask us; or we have not, and ask it."""
        return self._ask_once(peer) if frame.epoch > self.history.epochs[frame.step] else []

    def _own_from_elsewhere(self, step: int) -> list[Effect]:
        """Someone holds what we signed and our store does not: the store is older than the game."""
        self._stale = True
        self._desk.may_sign = False
        return [Tell(Stale(step))]

    def _known(self, entry: Entry) -> Entry | None:
        if entry.step == self.history.step:
            return self._held.get(entry.seat)
        return next((known for known in self.history.steps[entry.step] if known.seat == entry.seat), None)

    def _keep(self, peer: int, frame: EntryFrame) -> list[Effect]:
        """A step we have not reached: keep the contribution (bounded) and ask for what lies between."""
        if frame.epoch < self.history.epoch:
            return []
        self._ahead.keep(self.history.step, peer, frame)
        return [] if frame.step - self.history.step == 1 else self._ask_once(peer)

    # --- absence rounds -------------------------------------------------------------------------------------

    def _on_missing(self, now: float, peer: int, message: Missing) -> list[Effect]:
        strange = self._stranger(peer, message)
        if strange is not None or self.fault is not None:
            return strange or []
        effects = self._spoken(self._desk.hear_missing(peer, message, self._verified))
        return [*effects, *self._about_departures(), *self._advance(now)]

    def _on_statement(self, now: float, peer: int, message: StatementFrame) -> list[Effect]:
        strange = self._stranger(peer, message)
        if strange is not None or self.fault is not None:
            return strange or []
        statement = message.statement
        match self._desk.hear(statement, self._verified):
            case Forged():
                return [Drop(peer, "a statement without a valid signature")]
            case Foreign() if self._rebuilds:
                return [*self._save(), *self._desk.adopt(statement)]
            case Foreign():
                return self._own_from_elsewhere(statement.step)
            case Contradicted(known):
                reason, head = (
                    "made two different statements in one round",
                    self.history.heads[statement.step],
                )
                both = (known, statement)
                return self._convict(statement.author, statement.step, reason, (), head, both)
            case said:
                effects = self._spoken(said)
                if statement.step == self.history.step:
                    return [*effects, *self._about_departures(), *self._advance(now)]
                overruled = self._desk.overruled()
                return effects if overruled is None else [*effects, *self._rewind(now, overruled)]

    def _stranger(self, peer: int, message: Missing | StatementFrame) -> list[Effect] | None:
        """What to do with a message that does not speak of our history; ``None`` where it does."""
        history = self.history
        if message.step > history.step:
            return self._ask_once(peer)
        if message.epoch != history.epochs[message.step]:
            return self._other_epoch(peer, message)
        if not self._is_ours(message.step, message.head):
            return self._other_history(peer, message.step) if message.step == history.step else []
        return None

    # --- asking ---------------------------------------------------------------------------------------------

    def _is_ours(self, step: int, hint: bytes) -> bool:
        """Whether ``hint`` is that of our own history before ``step``."""
        return hint == self.history.heads[step][:HEAD_HINT]

    def _other_history(self, peer: int, step: int) -> list[Effect]:
        """``peer`` stands on another history: ask for it from the start, so that the fork's author shows."""
        if (peer, step) in self._asked_past:
            return []
        self._asked_past.add((peer, step))
        self._reading[peer] = 0
        return [Send(peer, encode_message(Want(self.history.epoch, 0)))]

    def _ask_once(self, peer: int) -> list[Effect]:
        """Ask ``peer`` for what follows our step, once per step: a lost answer is asked for again by
        ``tick``."""
        at = (self.history.epoch, self.history.step)
        if self._wanted.get(peer) == at:
            return []
        self._wanted[peer] = at
        return [self._want(peer)]

    def _want(self, peer: int) -> Send:
        return Send(peer, encode_message(Want(self.history.epoch, self.history.step)))

    def _want_all(self) -> list[Effect]:
        return [self._want(peer) for peer in self._reach.linked]

    # --- steps ----------------------------------------------------------------------------------------------

    def _begin_step(self, now: float, news: bool) -> list[Effect]:
        """Begin a step, look at what came early for it, and take one's own turn."""
        self._asked_at = now
        self._reach.begin_step(now)
        self._ask_delay = ASK_AGAIN
        self._given_up.clear()
        self._told_of.clear()
        effects = super()._begin_step(now, news)
        if self.history.progress.task is None:
            return effects
        if self._rebuilds:
            self._must_hear = set(self._others)
            effects += self._want_all()
        self._hear_not(self.history.progress.gone)
        for peer, frame in self._ahead.take(self.history.step):
            effects += self._on_entry(now, peer, frame)
        effects += [self._want(peer) for peer in sorted(self._must_hear) if self._has_caught_up(peer)]
        return [*effects, *self._own_turn(now)]

    def _hear_not(self, gone: frozenset[int]) -> None:
        """Those who have left the game need not be heard before this seat signs: they may never come back."""
        if self._must_hear & gone:
            self._must_hear -= gone
            if not self._must_hear:
                self._all_heard()

    def _has_waited(self, now: float) -> bool:
        """Whether all that this seat still has to hear have been away for the grace time, and it has heard
        others: it goes on without them then. Where one of them alone knows of a contribution of ours that our
        store has lost, we might sign another one; but they may never come back. Where a loss is known, all
        are waited for."""
        since = now - self.charter.grace
        missing = self._must_hear
        others = len(self.charter.seats) - 1 - len(missing)
        if (
            self._rebuilds
            or not missing
            or not others
            or len(self.history.keepers_at(self.history.step)) < LEAST_KEEPERS
        ):
            return False
        if not all(self._is_away(self.charter.seats[seat].keeper, since) for seat in missing):
            return False
        self._all_heard()
        return True

    def _has_caught_up(self, peer: int) -> bool:
        """Whether we have come as far as ``peer`` said that it was, which is then asked once more."""
        if self._further.get(peer, MAX_STEP) > self.history.step:
            return False
        del self._further[peer]
        return True

    def _own_turn(self, now: float) -> list[Effect]:
        """Contribute what is owed, once every other seat has handed over what it holds."""
        return [] if self._must_hear else self._contribute(now)

    def _rewind(self, now: float, certificate: Certificate) -> list[Effect]:
        """Take steps back, and ask all for what followed instead."""
        effects = super()._rewind(now, certificate)
        return [*effects, *self._want_all()]
