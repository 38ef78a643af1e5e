"""The links to the other seats: what comes over them, and who has to be heard before this seat signs. No I/O.

Rules 4 and 5 of ``core`` are kept here, rule 3 in ``judging``.
"""

from __future__ import annotations

from engine.contract import AnyRules

from ..identity import Identity
from ..log.absence import LEAST_KEEPERS, Certificate, seats_of
from ..log.charter import Charter
from ..log.codec import Malformed
from ..log.wire import (
    HEAD_HINT,
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
from .effects import Drop, Effect, Paused, Send, Talk, Tell, Watched
from .judging import Judging
from .rebuilding import RebuildDesk
from .rounds import Contradicted, Foreign, Forged

MAX_REPLY = 1 << 20
"""Bytes sent in answer to one ``Want``; who lacks more asks again. Keeps one reader from filling our
memory."""


UNANSWERED = 10.0
"""Seconds after the first link to a seat until all are told that this one waits for its answer: far longer
than one takes over a slow line, far shorter than anybody waits before giving somebody up."""


class Hearing(Judging):
    """One seat's steps, with all that comes from the others. ``Session`` says what the arguments mean."""

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
        super().__init__(charter, rules, group, seat, identity, root, entropy, answer_delay, waits, rebuilds)
        self._rebuilding = RebuildDesk(seat)
        self._ahead = Ahead()
        self._others = frozenset(range(len(charter.seats))) - {seat}
        self._must_hear = set(self._others)
        self._watchers: tuple[str, ...] = ()

    # --- links ----------------------------------------------------------------------------------------------

    @property
    def out_of_reach(self) -> frozenset[int]:
        """The seats to which there is no link now."""
        return self._reach.unlinked

    def link_up(self, now: float, peer: int) -> list[Effect]:
        """A link to ``peer`` is there: tell it how far we are, which also asks for what we lack."""
        self._reach.up(now, peer)
        watched: list[Effect] = [self._watched(peer)] if self._watchers else []
        return [self._questions.ask(peer), *watched, *self._rebuilding.greet(peer)]

    def link_down(self, now: float, peer: int) -> list[Effect]:
        """The link to ``peer`` is gone."""
        self._reach.down(now, peer)
        return self._rebuilding.lose(peer)

    def watched(self, names: tuple[str, ...]) -> list[Effect]:
        """Tell everyone, this seat's player too, who watches at this seat now."""
        self._watchers = names
        return [self._watched(None), Tell(Watched(self.seat, names))]

    def _watched(self, to: int | None) -> Send:
        return Send(to, encode_message(Watchers(self._watchers)))

    def receive(self, now: float, peer: int, data: bytes) -> list[Effect]:
        """One frame from the link of ``peer``."""
        try:
            message = decode_message(data)
        except Malformed as error:
            return [Drop(peer, str(error))]
        return [*self._dispatch(now, peer, message), *self._settled()]

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
            frames = [encode_message(frame) for frame in self._frames_at(number)]
            effects += [Send(peer, data) for data in frames]
            size += sum(map(len, frames))
            following = number + 1
            if size > MAX_REPLY:
                break
        if message.step <= history.step:  # one that comes from further on knows them
            effects += [Send(peer, encode_message(frame)) for frame in self._ahead.of(peer)]
        if self.fault is not None:
            effects += self._evidence(self.fault, peer)
        have = Have(history.epoch, following, history.step, history.head[:HEAD_HINT])
        return [*effects, Send(peer, encode_message(have))]

    def _frames_at(self, step: int) -> list[Message]:
        """All that is held of a step."""
        entries = self.history.steps[step] if step < self.history.step else self.held
        head = self.history.heads[step]
        contributions: list[Message] = [frame_of(entry, head) for entry in entries]
        return contributions + [frame_of_statement(each, head) for each in self._desk.statements_at(step)]

    def _on_have(self, now: float, peer: int, message: Have) -> list[Effect]:
        """``peer`` has answered: read on in its other history, and sign once no seat is further than we."""
        self._pending.note(peer, message.step, message.head)
        if more := self._questions.read_on(peer, message):
            return more
        if message.step <= self.history.step and message.epoch >= self.history.epochs[message.step]:
            if message.epoch > self.history.epochs[message.step]:
                return self._questions.ask_once(peer)
            if not self._is_ours(message.step, message.head):
                return self._questions.ask_past(peer, message.step)
        if peer not in self._must_hear:
            return []
        if self._rebuilds and message.step < self.history.step:
            return []  # it may keep something of ours for a later step; it is asked again
        if message.step > self.history.step:
            self._questions.note(peer, message.step)
            return []
        return (
            [self._questions.ask(peer)] if message.following <= message.step else self._handed_over(now, peer)
        )

    def _handed_over(self, now: float, peer: int) -> list[Effect]:
        """``peer`` holds nothing of this step that is not here, too."""
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
            return self._questions.ask_past(peer, frame.step) if frame.step == self.history.step else []
        if frame.seat != self.seat:  # what is kept of ours for a later step, it may not have reached itself
            self._pending.note(peer, frame.step, frame.head)
        return self._judge(now, peer, frame.entry)

    def _other_epoch(self, peer: int, frame: EntryFrame | Missing | StatementFrame) -> list[Effect]:
        """``peer`` has not heard of a certificate, and will ask us; or we have not, and ask it."""
        return self._questions.ask_once(peer) if frame.epoch > self.history.epochs[frame.step] else []

    def _keep(self, peer: int, frame: EntryFrame) -> list[Effect]:
        """A step we have not reached: keep the contribution (bounded) and ask for what lies between."""
        if frame.epoch < self.history.epoch:
            return []
        self._ahead.keep(self.history.step, peer, frame)
        return [] if frame.step - self.history.step == 1 else self._questions.ask_once(peer)

    # --- absence rounds -------------------------------------------------------------------------------------

    def _on_missing(self, now: float, peer: int, message: Missing) -> list[Effect]:
        strange = self._stranger(peer, message)
        if strange is not None or self.fault is not None:
            return strange or []
        effects = self._spoken(self._desk.hear_missing(peer, message, self._verified))
        return [*effects, *self._desk.news(), *self._advance(now)]

    def _on_statement(self, now: float, peer: int, message: StatementFrame) -> list[Effect]:
        strange = self._stranger(peer, message)
        if strange is not None or self.fault is not None:
            return strange or []
        statement = message.statement
        match self._desk.hear(peer, statement, self._verified):
            case Forged():
                return [Drop(peer, "a statement without a valid signature")]
            case Foreign() if self._rebuilds:
                return [*self._save(), *self._desk.adopt(statement)]
            case Foreign():
                return self._own_from_elsewhere(statement.step)
            case Contradicted(known):
                reason = "made two different statements in one round"
                head, both = self.history.heads[statement.step], (known, statement)
                return self._convict(statement.author, statement.step, reason, (), head, both)
            case said:
                effects = self._spoken(said)
                if statement.step == self.history.step:
                    return [*effects, *self._desk.news(), *self._advance(now)]
                overruled = self._desk.overruled()
                return effects if overruled is None else [*effects, *self._rewind(now, overruled)]

    def _stranger(self, peer: int, message: Missing | StatementFrame) -> list[Effect] | None:
        """What to do with a message that does not speak of our history; ``None`` where it does."""
        history = self.history
        if message.step > history.step:
            return self._questions.ask_once(peer)
        if message.epoch != history.epochs[message.step]:
            return self._other_epoch(peer, message)
        if not self._is_ours(message.step, message.head):
            return self._questions.ask_past(peer, message.step) if message.step == history.step else []
        return None

    def _is_ours(self, step: int, hint: bytes) -> bool:
        """Whether ``hint`` is that of our own history before ``step``."""
        return hint == self.history.heads[step][:HEAD_HINT]

    # --- who has to be heard --------------------------------------------------------------------------------

    def _begin_step(self, now: float, news: bool) -> list[Effect]:
        """Begin a step, look at what came early for it, and take one's own turn."""
        self._questions.begin_step(now)
        self._reach.begin_step(now)
        effects = super()._begin_step(now, news)
        if self.history.progress.task is None:
            return effects
        if self._rebuilds:
            self._must_hear = set(self._others)
            effects += self._questions.ask_all(self._reach.linked)
        self._hear_not(self.history.progress.gone)
        for peer, frame in self._ahead.take(self.history.step):
            effects += self._on_entry(now, peer, frame)
        effects += [
            self._questions.ask(peer)
            for peer in sorted(self._must_hear)
            if self._questions.has_caught_up(peer)
        ]
        return [*effects, *self._own_turn(now)]

    def _all_heard(self) -> None:
        """Nobody holds anything of this seat at this step that it does not know: it may sign."""
        self._must_hear = set()
        self._rebuilds = self._rebuilds and bool(self._ahead.of(self.seat))
        self._desk.may_sign = not self._stale

    def _hear_not(self, gone: frozenset[int]) -> None:
        """Those who have left the game need not be heard before this seat signs: they may never come back."""
        if self._must_hear & gone:
            self._must_hear -= gone
            if not self._must_hear:
                self._all_heard()

    def _unanswering(self, now: float) -> set[int]:
        """The seats for whose answer this one waits before it signs anything, where all have to know it: for
        each of them while it rebuilds, else for those that do not give one."""
        if self._rebuilds:
            return self._must_hear
        return {seat for seat in self._must_hear if self._reach.were_there((seat,), now - UNANSWERED)}

    def _has_waited(self, now: float) -> bool:
        """Whether all that this seat still has to hear have been away for the grace time, or have left it
        without an answer for as long, and it has heard others: it goes on without them then. Where one of
        them alone knows of a contribution of ours that our store has lost, we might sign another one; but
        they may never come back, and who keeps the answer back could go as well. Where a loss is known, all
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
        if not all(
            self._is_away(self.charter.seats[seat].keeper, since) or self._reach.were_there((seat,), since)
            for seat in missing
        ):
            return False
        self._all_heard()
        return True

    def _is_away(self, keeper: int, since: float) -> bool:
        """Whether no link to any seat of ``keeper`` was there after ``since``."""
        return self._reach.are_away(seats_of(self.charter, keeper), since)

    def _own_turn(self, now: float) -> list[Effect]:
        """Contribute what is owed, once every other seat has handed over what it holds."""
        return [] if self._must_hear else self._contribute(now)

    def _rewind(self, now: float, certificate: Certificate) -> list[Effect]:
        """Take steps back, and ask all for what followed instead."""
        effects = super()._rewind(now, certificate)
        return [*effects, *self._questions.ask_all(self._reach.linked)]
