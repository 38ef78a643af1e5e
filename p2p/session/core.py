"""One seat's session at a table: messages, decisions, timers and finished work in; effects out. No I/O.

Rules that keep it honest and safe:

1. A contribution is made once. It is persisted before it is sent, and after a restart the stored one is sent
again.
2. Effects are carried out strictly in order, and what follows a ``Persist`` waits until that is durable.
3. A frame without a valid signature blames its link only. A signed contribution that the protocol rejects
blames
   its author; two different ones for one step are an equivocation.
4. What builds on an unknown history is kept and its sender asked for the steps in between.
5. Nothing is signed before every other seat has handed over what it holds: our store may be an old copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.cards import Face
from engine.contract import Action, AnyRules, Event, IllegalAction, Reason, View
from engine.table import Choose, Deed, Slot, hand_of

from ..deal import Close, NeedsDeed, Passed, PeerFault, Progress, Reveal, Secrets
from ..identity import Identity
from ..log.charter import Charter
from ..log.codec import Malformed
from ..log.entry import Entry, sign_entry
from ..log.wire import (
    HEAD_HINT,
    MAX_STEP,
    Chat,
    EntryFrame,
    Have,
    Message,
    Pause,
    Want,
    decode_message,
    encode_message,
    frame_of,
)
from ..sealed import Group, Xof
from .effects import (
    Contributed,
    Drop,
    Effect,
    Fault,
    Finished,
    GameOver,
    Happened,
    Paused,
    Persist,
    Send,
    Stage,
    Stale,
    Talk,
    Tell,
    Timer,
    Waiting,
    Work,
    YourMove,
)
from .history import History
from .jobs import CheckJob, ContributeJob, FoldJob
from .recording import game_record

ASK_AGAIN = 2.0
"""Seconds a step may stay incomplete before the others are asked for what they hold of it: far above a LAN's
delay."""

ASK_AT_MOST = 30.0
"""Seconds between two such questions at most: they double while a player simply thinks."""

MAX_AHEAD = 64
"""Steps ahead of ours from which contributions are kept: a whole short game caught up in one go, and no
more."""

ENVELOPE = 128
"""Bytes that a kept contribution counts beyond its body: signature, numbers, and what holds them."""

MAX_KEPT = 4 << 20
"""Bytes of unverified contributions to later steps kept for each link: a few answers to a ``Want``."""

MAX_REPLY = 1 << 20
"""Bytes sent in answer to one ``Want``; who lacks more asks again. Keeps one reader from filling our
memory."""


class Session:
    """See the module's text. ``root`` is this seat's secret of the game, ``entropy`` 32 fresh bytes of this
    start.

    Answers whose choice hangs on hidden cards are given ``answer_delay`` seconds after they are due, whatever
    the hand holds. 0 is for tables where nobody's secret is at stake: what is forced then goes at once, and a
    choice waits for its player.
    """

    def __init__(
        self,
        charter: Charter,
        rules: AnyRules,
        group: Group,
        seat: int,
        identity: Identity,
        root: bytes,
        entropy: bytes,
        *,
        answer_delay: float = 3.0,
    ) -> None:
        if charter.seats[seat].public != identity.public:
            raise ValueError("this identity does not hold that seat")
        self.charter = charter
        self.seat = seat
        self.history = History(charter, rules, group)
        self.fault: Fault | None = None
        self._identity = identity
        self._secrets = Secrets(root, group.order)
        self._entropy = Xof("session/fresh", entropy)
        self._answer_delay = answer_delay
        self._held: dict[int, Entry] = {}
        self._passed: dict[int, Passed] = {}
        self._ahead: dict[int, dict[tuple[int, EntryFrame], None]] = {}
        self._kept: Counter[int] = Counter()
        self._linked: set[int] = set()
        self._must_hear = set(range(len(charter.seats))) - {seat}
        self._further: dict[int, int] = {}
        self._jobs: dict[int, Entry | None] = {}
        self._job_count = 0
        self._deeds: list[Deed] = []
        self._fresh = b""
        self._asking: Progress | None = None
        self._answer_at: float | None = None
        self._is_held_back = False
        self._wish: Action | None = None
        self._fold = 0
        self._step_since = self._asked_at = 0.0
        self._stale = False
        self._asked_past: set[tuple[int, int]] = set()
        self._reading: dict[int, int] = {}
        self._wanted: dict[int, int] = {}
        self._ask_delay = ASK_AGAIN

    # --- what the outside asks ------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether nothing more is owed, or a fault ended the game."""
        return self.fault is not None or self.history.progress.task is None

    @property
    def is_closed(self) -> bool:
        """Whether every seat has signed the outcome."""
        return self.history.is_closed

    @property
    def held(self) -> tuple[Entry, ...]:
        """Contributions to the step under way that are here already."""
        return tuple(self._held[seat] for seat in sorted(self._held))

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose contribution to the step under way is not here yet."""
        if self.is_over:
            return ()
        return tuple(seat for seat in self.history.progress.owed if seat not in self._held)

    def record(self) -> bytes:
        """The game file as it stands."""
        return game_record(self.history, self.held, self.fault)

    def view(self) -> View[Any]:
        """What this seat knows now."""
        progress = self._asking or self.history.progress
        return progress.position.view(self.seat, self._own_hand(progress))

    def start(self, now: float, stored: tuple[Entry, ...] = ()) -> list[Effect]:
        """Begin, or go on after a restart with the contributions ``stored`` before (in order, from our own
        store)."""
        self._held, self._passed = self.history.restore(stored)
        return self._begin_step(now)

    def link_up(self, now: float, peer: int) -> list[Effect]:
        """A link to ``peer`` is there: tell it how far we are, which also asks for what we lack."""
        self._linked.add(peer)
        return [self._want(peer)]

    def link_down(self, now: float, peer: int) -> list[Effect]:
        """The link to ``peer`` is gone."""
        self._linked.discard(peer)
        return []

    def receive(self, now: float, peer: int, data: bytes) -> list[Effect]:
        """One frame from the link of ``peer``."""
        try:
            message = decode_message(data)
        except Malformed as error:
            return [Drop(peer, str(error))]
        return self._dispatch(now, peer, message)

    def act(self, now: float, action: Action) -> list[Effect]:
        """The player's decision, or a wish for later. Raises ``IllegalAction``; nothing has changed then."""
        progress = self._asking
        if action.verb in self.history.progress.position.rules.info.wishes and not self._is_legal_now(action):
            self._wish = action
            return []
        if progress is None:
            raise IllegalAction(Reason("not-your-turn"))
        hand = self._own_hand(progress)
        deed = self._legal_deed(progress, hand, action)
        self._asking = None
        self._deeds.append(deed)
        if self._is_held_back and self._answer_at is not None and now < self._answer_at:
            return []
        self._answer_at = None
        return [self._contribute_job()]

    def _is_legal_now(self, action: Action) -> bool:
        progress = self._asking
        if progress is None:
            return False
        return action in progress.position.choices(self.seat, self._own_hand(progress))

    def say(self, text: str) -> list[Effect]:
        """A line of chat to everyone."""
        return [Send(None, encode_message(Chat(text)))]

    def pause(self) -> list[Effect]:
        """Tell the others that this player stops for now."""
        return [Send(None, encode_message(Pause()))]

    def tick(self, now: float) -> list[Effect]:
        """Time has passed: ask again for what is missing, and give an answer whose time has come."""
        effects: list[Effect] = []
        if self.is_over:
            return effects
        if self._answer_at is not None and now >= self._answer_at:
            effects += self._answer_now()
        missing = self._must_hear | set(self.awaited)
        if now - self._asked_at >= self._ask_delay and missing - {self.seat}:
            self._asked_at = now
            self._ask_delay = min(2 * self._ask_delay, ASK_AT_MOST)
            effects += [self._want(peer) for peer in sorted(self._linked)]
            effects.append(Tell(Waiting(tuple(sorted(missing)), self._step_since)))
        effects.append(Timer(ASK_AGAIN))
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
        if entry is None:
            return self._contributed(now, value)
        if isinstance(value, PeerFault):
            return self._convict(entry.seat, value.reason, (entry,), self.history.head)
        if isinstance(value, Exception):
            raise value
        self._passed[entry.seat] = value
        kind = self._kind()
        return [Tell(Contributed(entry.seat, kind)), *self._maybe_complete(now)]

    # --- messages -------------------------------------------------------------------------------------------

    def _dispatch(self, now: float, peer: int, message: Message) -> list[Effect]:
        match message:
            case EntryFrame():
                return self._on_entry(now, peer, message)
            case Want(_, step):
                return self._on_want(peer, step)
            case Have():
                return self._on_have(now, peer, message)
            case Chat(text):
                return [Tell(Talk(peer, text))]
            case Pause():
                return [Tell(Paused(peer))]

    def _on_want(self, peer: int, step: int) -> list[Effect]:
        """All that is held from ``step`` on, up to a bound; evidence of a fault; and how far that goes."""
        effects: list[Effect] = []
        size, following = 0, step
        for number in range(step, self.history.step + 1):
            entries = self.history.steps[number] if number < self.history.step else self.held
            for entry in entries:
                data = encode_message(frame_of(entry, self.history.heads[number]))
                size += len(data)
                effects.append(Send(peer, data))
            following = number + 1
            if size > MAX_REPLY:
                break
        if self.fault is not None:
            effects += self._evidence(self.fault, peer)
        history = self.history
        have = Have(history.epoch, following, history.step, history.head[:HEAD_HINT])
        return [*effects, Send(peer, encode_message(have))]

    def _on_have(self, now: float, peer: int, message: Have) -> list[Effect]:
        """``peer`` has answered: read on in its other history, and sign once no seat is further than we."""
        before = self._reading.pop(peer, None)
        if before is not None and before < message.following <= min(message.step, self.history.step):
            self._reading[peer] = message.following
            return [Send(peer, encode_message(Want(self.history.epoch, message.following)))]
        if message.step <= self.history.step and not self._is_ours(message.step, message.head):
            return self._other_history(peer, message.step)
        if peer not in self._must_hear:
            return []
        if message.step > self.history.step:
            self._further[peer] = message.step
            return []
        if message.following <= message.step:
            return [self._want(peer)]
        self._must_hear.discard(peer)
        return [] if self._must_hear else self._own_turn(now)

    def _on_entry(self, now: float, peer: int, frame: EntryFrame) -> list[Effect]:
        if self.fault is not None:
            return []
        if frame.epoch != self.history.epoch or frame.seat >= len(self.charter.seats):
            return [Drop(peer, "a contribution of an unknown epoch or seat")]
        if frame.step > self.history.step:
            return self._keep(peer, frame)
        if not self._is_ours(frame.step, frame.head):
            return self._other_history(peer, frame.step) if frame.step == self.history.step else []
        entry = frame.entry
        known = self._known(entry)
        if known is not None and known.body == entry.body:
            return []
        if not self.history.is_signed(entry):
            return [Drop(peer, "a contribution without a valid signature")]
        if known is not None:
            head = self.history.heads[entry.step]
            return self._convict(
                entry.seat, "signed two different contributions to one step", (known, entry), head
            )
        if entry.step < self.history.step or entry.seat not in self.history.progress.owed:
            head = self.history.heads[entry.step]
            return self._convict(entry.seat, "contributed where nothing is owed", (entry,), head)
        if entry.seat == self.seat:
            return self._own_from_elsewhere(entry)
        self._held[entry.seat] = entry
        return [self._job(CheckJob(self.history.progress, self.history.place(entry.seat), entry.body), entry)]

    def _own_from_elsewhere(self, entry: Entry) -> list[Effect]:
        """Someone holds a contribution of ours that our store does not: the store is older than the game."""
        self._stale = True
        return [Tell(Stale(entry.step))]

    def _known(self, entry: Entry) -> Entry | None:
        if entry.step == self.history.step:
            return self._held.get(entry.seat)
        return next((known for known in self.history.steps[entry.step] if known.seat == entry.seat), None)

    def _keep(self, peer: int, frame: EntryFrame) -> list[Effect]:
        """A step we have not reached: keep the contribution (bounded) and ask for what lies between.

        Nothing of it can be verified yet, so each link's frames are kept apart: none crowds out another's.
        """
        ahead = frame.step - self.history.step
        size = len(frame.body) + ENVELOPE
        kept = self._ahead.setdefault(frame.step, {}) if ahead <= MAX_AHEAD else None
        if kept is not None and (peer, frame) not in kept and self._kept[peer] + size <= MAX_KEPT:
            kept[peer, frame] = None
            self._kept[peer] += size
        return [] if ahead == 1 else self._ask_once(peer)

    def _take_kept(self, now: float) -> list[Effect]:
        """Look at what came early for the step that begins now."""
        effects: list[Effect] = []
        for peer, frame in self._ahead.pop(self.history.step, {}):
            self._kept[peer] -= len(frame.body) + ENVELOPE
            effects += self._on_entry(now, peer, frame)
        return effects

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
        if self._wanted.get(peer) == self.history.step:
            return []
        self._wanted[peer] = self.history.step
        return [self._want(peer)]

    def _want(self, peer: int) -> Send:
        return Send(peer, encode_message(Want(self.history.epoch, self.history.step)))

    # --- steps ----------------------------------------------------------------------------------------------

    def _begin_step(self, now: float) -> list[Effect]:
        self._step_since = self._asked_at = now
        self._ask_delay = ASK_AGAIN
        progress = self.history.progress
        if progress.task is None:
            return [Tell(Finished())]
        effects: list[Effect] = [Tell(self._stage()), Timer(ASK_AGAIN)]
        if isinstance(progress.task, Close | Reveal) and progress.outcome is not None:
            effects.append(Tell(GameOver(progress.outcome, isinstance(progress.task, Reveal))))
        effects += self._take_kept(now)
        effects += [self._want(peer) for peer in sorted(self._must_hear) if self._has_caught_up(peer)]
        return [*effects, *self._own_turn(now)]

    def _has_caught_up(self, peer: int) -> bool:
        """Whether we have come as far as ``peer`` said that it was, which is then asked once more."""
        if self._further.get(peer, MAX_STEP) > self.history.step:
            return False
        del self._further[peer]
        return True

    def _own_turn(self, now: float) -> list[Effect]:
        progress = self.history.progress
        if self._must_hear or self._stale or self.is_over:
            return []
        if self._asking or self._answer_at is not None or None in self._jobs.values():
            return []
        if self.seat not in progress.owed or self.seat in self._held:
            return []
        self._deeds = []
        self._fresh = self._entropy.read(32)
        if isinstance(progress.task, Choose):
            return self._ask(now, progress)
        return [self._contribute_job()]

    def _ask(self, now: float, progress: Progress) -> list[Effect]:
        """Ask the player, who may have a limited time; or see a wish done.

        Where hidden cards say whether there is a choice, the answer is given after a fixed time in any case.
        """
        hand = self._own_hand(progress)
        actions = progress.position.choices(self.seat, hand)
        task = progress.task
        if isinstance(task, Choose) and task.wish:
            self._deeds.append(progress.position.deed(self.seat, hand, self._wished(actions)))
            return [self._contribute_job()]
        is_hidden = task.delayed if isinstance(task, Choose) else True
        seconds = self._answer_delay if is_hidden else float(task.limit if isinstance(task, Choose) else 0)
        self._answer_at = now + seconds if seconds else None
        self._is_held_back = is_hidden
        timer: list[Effect] = [Timer(seconds)] if seconds else []
        if not isinstance(task, Choose) and len(actions) == 1:
            self._deeds.append(progress.position.deed(self.seat, hand, actions[0]))
            return timer or [self._contribute_job()]
        self._asking = progress
        view = progress.position.view(self.seat, hand)
        return [Tell(YourMove(view, actions, seconds or None)), *timer]

    def _wished(self, actions: tuple[Action, ...]) -> Action:
        """What the player wished for, once it is legal; else the first legal action."""
        wish = self._wish
        if wish is None or wish not in actions:
            return actions[0]
        self._wish = None
        return wish

    def _answer_now(self) -> list[Effect]:
        """The time is up: give the answer decided on, or else the first legal one."""
        self._answer_at = None
        progress = self._asking
        if progress is not None:
            hand = self._own_hand(progress)
            first = progress.position.choices(self.seat, hand)[0]
            self._deeds.append(progress.position.deed(self.seat, hand, first))
            self._asking = None
        return [self._contribute_job()]

    def _legal_deed(self, progress: Progress, hand: Mapping[Slot, Face], action: Action) -> Deed:
        deed = progress.position.deed(self.seat, hand, action)
        # Cards to show may be named in any order; that they are one of the choices has been seen.
        if isinstance(progress.task, Choose):
            shown = {slot: hand[slot] for slot in (Slot(hand_of(self.seat), n) for n in deed.shown)}
            reason = progress.position.refuse(self.seat, deed, shown)
            if reason is not None:
                raise IllegalAction(reason)
            if action not in progress.position.choices(self.seat, hand):
                raise IllegalAction(Reason("not-possible"))
        return deed

    def _contribute_job(self) -> Effect:
        progress, place = self.history.progress, self.history.place(self.seat)
        return self._job(ContributeJob(progress, place, self._secrets, tuple(self._deeds), self._fresh), None)

    def _contributed(self, now: float, value: Any) -> list[Effect]:
        if isinstance(value, NeedsDeed):
            return self._ask(now, value.progress)
        if isinstance(value, Exception):
            raise value
        if self._stale:
            return []
        body, passed = value
        place = self.history.place(self.seat)
        entry = sign_entry(
            self._identity, place.table_id, place.epoch, place.step, place.seat, place.head, body
        )
        self._held[self.seat] = entry
        self._passed[self.seat] = passed
        frame = encode_message(frame_of(entry, place.head))
        return [Persist((entry,)), Send(None, frame), *self._maybe_complete(now)]

    def _maybe_complete(self, now: float) -> list[Effect]:
        progress = self.history.progress
        if self._fold or any(seat not in self._passed for seat in progress.owed):
            return []
        job = FoldJob(progress, dict(self._passed))
        if len(progress.owed) == 1:  # what follows was found along with the check
            return self._complete(now, *job.run())
        self._job_count += 1
        self._fold = self._job_count
        return [Work(self._fold, job)]

    def _folded(self, now: float, value: Any) -> list[Effect]:
        self._fold = 0
        if isinstance(value, Exception):
            raise value
        return self._complete(now, *value)

    def _complete(self, now: float, following: Progress, events: tuple[Event, ...]) -> list[Effect]:
        proved = tuple((seat, self._kind()) for seat in self.history.progress.owed)
        others = tuple(entry for entry in self.held if entry.seat != self.seat)
        self.history.append(self._held, following, self._passed)
        self._held, self._passed = {}, {}
        self._asking = self._answer_at = None
        effects: list[Effect] = [Persist(others)] if others else []
        return [*effects, Tell(Happened(events, proved)), *self._begin_step(now)]

    def _convict(self, seat: int, reason: str, evidence: tuple[Entry, ...], head: bytes) -> list[Effect]:
        """End the game over a proven fault, and hand the evidence to everyone."""
        step = evidence[-1].step
        self.fault = Fault(seat, step, reason, evidence, head)
        return [*self._evidence(self.fault, None), Tell(self.fault)]

    @staticmethod
    def _evidence(fault: Fault, to: int | None) -> list[Effect]:
        return [Send(to, encode_message(frame_of(entry, fault.head))) for entry in fault.evidence]

    # --- helpers --------------------------------------------------------------------------------------------

    def _job(self, job: Any, entry: Entry | None) -> Work:
        self._job_count += 1
        self._jobs[self._job_count] = entry
        return Work(self._job_count, job)

    def _kind(self) -> str:
        now = self.history.progress.round
        return now.kind if now else ""

    def _stage(self) -> Stage:
        progress = self.history.progress
        assert progress.task is not None
        rounds = progress.dealing.rounds(progress.task, progress.position)
        return Stage(
            self.history.step, rounds[progress.number].kind, progress.owed, progress.number, len(rounds)
        )

    def _own_hand(self, progress: Progress) -> dict[Slot, Face]:
        if not progress.dealing.keys:
            return {}
        return progress.dealing.hand(progress.position, self.seat, self._secrets.card_key)
