"""Peers that change what their session does: what it sends, to whom, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final

from engine.contract import Action

from ..deal import Progress
from ..log.entry import sign_entry
from ..log.wire import EntryFrame, decode_message, encode_message, frame_of
from ..session import Effect, Send, Session, Timer
from .base import ATTACKER, SEATS, Attack, End, Result, Scene
from .judging import finish
from .table import AttackedTable

OFTEN: Final = 0.3
"""Seconds after which a peer that attacks at any time looks whether it can: some ticks of a race."""


class Bent(Session):
    """Every list of effects passes through ``bend``. ``told`` is the step of the attack, once it is made."""

    told: int | None = None

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """What is done instead."""
        return effects

    def start(self, now: float, *stored: Any) -> list[Effect]:
        """See ``Session``."""
        return self.bend(now, [*super().start(now, *stored), Timer(OFTEN)])

    def link_up(self, now: float, peer: int) -> list[Effect]:
        """See ``Session``."""
        return self.bend(now, super().link_up(now, peer))

    def receive(self, now: float, peer: int, data: bytes) -> list[Effect]:
        """See ``Session``."""
        return self.bend(now, super().receive(now, peer, data))

    def act(self, now: float, action: Action) -> list[Effect]:
        """See ``Session``."""
        return self.bend(now, super().act(now, action))

    def tick(self, now: float) -> list[Effect]:
        """See ``Session``."""
        return self.bend(now, [*super().tick(now), Timer(OFTEN)])

    def done(self, now: float, job_id: int, value: Any) -> list[Effect]:
        """See ``Session``."""
        return self.bend(now, super().done(now, job_id, value))

    def frame(self, step: int, seat: int, body: bytes, epoch: int | None = None) -> bytes:
        """A contribution to a step of the history, signed with this seat's own identity."""
        history = self.history
        head, at = history.heads[step], history.epochs[step] if epoch is None else epoch
        entry = sign_entry(self._identity, history.table_id, at, step, seat, head, body)
        return encode_message(frame_of(entry, head))

    @property
    def is_waiting(self) -> bool:
        """Whether others are busy, and the game is under way."""
        progress = self.history.progress
        return self.history.step > 6 and bool(progress.owed) and self.seat not in progress.owed

    def is_own(self, effect: Effect, step: int | None) -> bool:
        """Whether an effect sends this seat's own contribution to ``step``."""
        if not isinstance(effect, Send) or step is None:
            return False
        message = decode_message(effect.data)
        return isinstance(message, EntryFrame) and (message.seat, message.step) == (self.seat, step)


Make = Callable[[Bent], list[bytes] | None]
"""Frames that a peer sends once; ``None`` while they have no place."""


class Sender(Bent):
    """Sends made-up frames to all others, the first time that it can."""

    make: ClassVar[Make]

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        if self.told is not None or self.is_over or self._must_hear:
            return effects
        frames = self.make()
        if frames is None:
            return effects
        self.told = self.history.step
        return [*effects, *(Send(None, frame) for frame in frames)]


Wanted = Callable[[Progress], bool]
"""Whether the step under way is the one to attack."""


class Withholder(Bent):
    """Makes its contribution to a step and keeps it back: for good, or for ``seconds``."""

    wanted: Wanted
    seconds: float | None = None
    since: float = 0.0

    def _contribute_job(self, *arguments: Any) -> Any:
        if self.told is None and self.wanted(self.history.progress):
            self.told = self.history.step
        return super()._contribute_job(*arguments)

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        held = [effect for effect in effects if self.is_own(effect, self.told)]
        if not held:
            return effects
        self.since = self.since or now
        if self.seconds is not None and now > self.since + self.seconds:
            return effects
        return [effect for effect in effects if effect not in held]


class Forker(Bent):
    """Makes two contributions to one step, and tells one to the first seat and the other one to the last."""

    wanted: Wanted
    second: ClassVar[Callable[[Any, Any], bytes | None]]
    other: bytes | None = None

    def _contribute_job(self, *arguments: Any) -> Any:
        effect: Any = super()._contribute_job(*arguments)
        if self.told is None and self.wanted(self.history.progress):
            body = self.second(effect.job)
            if body is not None:
                self.told = self.history.step
                self.other = self.frame(self.told, self.seat, body)
        return effect

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        last = len(self.charter.seats) - 1
        bent: list[Effect] = []
        for effect in effects:
            if self.other is None or not self.is_own(effect, self.told):
                bent.append(effect)
                continue
            assert isinstance(effect, Send)
            if effect.to != last:
                bent += [replace(effect, to=to) for to in range(last) if effect.to in (None, to)]
            if effect.to in (None, last):
                bent.append(Send(last, self.other))
        return bent


def kind_of(base: type[Bent], **fields: Any) -> type[Bent]:
    """A session class with these fields; functions among them get the session as their first argument."""
    return type(f"This{base.__name__}", (base,), fields)


def play(base: type[Bent], fields: dict[str, Any], scene: Scene) -> Result | None:
    """A game with such a peer; ``None`` where it could not attack."""
    table = AttackedTable(scene, {ATTACKER: kind_of(base, **fields)})
    table.begin()
    session = table.session(ATTACKER)
    assert isinstance(session, Bent)
    table.run_until(lambda: table.is_over or session.told is not None)
    if session.told is None:
        return None
    return finish(table, session.told if scene.attack.end is End.NAMED and not scene.attack.late else None)


def bent(
    name: str,
    tries: str,
    source: str,
    games: dict[str, dict[str, str]],
    base: type[Bent],
    end: End,
    says: str = "",
    late: bool = False,
    reach: int = 0,
    recovery: bool = False,
    seats: int = SEATS,
    leaver: int | None = None,
    **fields: Any,
) -> Attack:
    """An attack by a peer of class ``base``."""
    made = {key: staticmethod(value) if key == "wanted" else value for key, value in fields.items()}
    return Attack(
        name, tries, source, games, partial(play, base, made), end, says, seats, late=late, reach=reach,
        recovery=recovery, leaver=leaver,
    )  # fmt: skip
