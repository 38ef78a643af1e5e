"""A seat has lost its store and takes back from the others what it signed: one of them lies to it.

The seat that lies has to be worth nothing while another one is honest: nobody signs a second version of
anything, and nobody is blamed for what somebody else made up.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import msgspec

from ..log.wire import EntryFrame, Have, decode_message, encode_message
from ..session import Effect, Send, Session
from .base import ATTACKER, Attack, End, Result, Scene
from .bending import Bent, kind_of
from .games import ALL
from .judging import finish
from .table import AttackedTable

VICTIM: Final = 2
"""The seat whose store is lost."""

LOST_AT: Final = 14
"""The step from which it may be: cards are dealt, and there is something of every seat to hand over."""


class Robber(Bent):
    """Bends what it hands over to the seat that rebuilds, once that has lost its store."""

    is_armed = False

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        if not self.is_armed:
            return effects
        bent: list[Effect] = []
        for effect in effects:
            if isinstance(effect, Send) and effect.to == VICTIM:
                frame = self.changed(effect.data)
                bent += [] if frame is None else [Send(VICTIM, frame)]
                self.told = self.history.step if frame != effect.data else self.told
            else:
                bent.append(effect)
        return bent

    def changed(self, frame: bytes) -> bytes | None:
        """What is sent in place of a frame; ``None`` for nothing."""
        raise NotImplementedError


class Withholder(Robber):
    """Hands over nothing that the other one signed."""

    def changed(self, frame: bytes) -> bytes | None:
        """See ``Robber``."""
        message = decode_message(frame)
        return None if isinstance(message, EntryFrame) and message.seat == VICTIM else frame


class Denier(Robber):
    """Says that the game has hardly begun, and hands over nothing of it."""

    def changed(self, frame: bytes) -> bytes | None:
        """See ``Robber``."""
        message = decode_message(frame)
        if isinstance(message, Have):
            first = self.history.heads[0]
            return encode_message(
                msgspec.structs.replace(message, epoch=0, following=0, step=0, head=first[:8])
            )
        return None if isinstance(message, EntryFrame) and message.step < self.history.step else frame


class Forger(Robber):
    """Hands over something else than the other one signed, once."""

    def changed(self, frame: bytes) -> bytes | None:
        """See ``Robber``."""
        message = decode_message(frame)
        if self.told is not None or not isinstance(message, EntryFrame) or message.seat != VICTIM:
            return frame
        return encode_message(msgspec.structs.replace(message, body=message.body + b"\0"))


class Reviser(Robber):
    """Hands over another version of what it did itself, with a true signature, once."""

    def changed(self, frame: bytes) -> bytes | None:
        """See ``Robber``."""
        message = decode_message(frame)
        if self.told is not None or not isinstance(message, EntryFrame) or message.seat != ATTACKER:
            return frame
        if message.step >= self.history.step - 1:
            return frame
        return self.frame(message.step, ATTACKER, message.body + b"\0")


def _may_be_lost(session: Session) -> bool:
    """Whether a store may be lost without more: in a race the deed behind a commitment goes with it, and the
    seat is out for the fish, whoever lies."""
    now = session.history.progress.round
    return session.history.step >= LOST_AT and now is not None and not now.kind.startswith("tick")


def _rebuild(kind: type[Robber], scene: Scene) -> Result | None:
    """A game in whose middle a seat loses its store; ``None`` where the liar was not asked for anything."""
    table = AttackedTable(scene, {ATTACKER: kind_of(kind)})
    table.begin()
    sessions = [table.session(seat.number) for seat in table.seats]
    table.run_until(lambda: table.is_over or all(map(_may_be_lost, sessions)))
    robber: Any = sessions[ATTACKER]
    robber.is_armed = True
    if not table.is_over:
        table.lose_store(VICTIM)
        table.run_until(lambda: table.is_over or robber.told is not None)
    return None if robber.told is None else finish(table, None)


def _robber(name: str, tries: str, source: str, kind: type[Robber], end: End, says: str = "") -> Attack:
    late = end is End.NAMED
    return Attack(f"rebuild-{name}", tries, source, ALL, partial(_rebuild, kind), end, says, late=late)


ATTACKS: Final[tuple[Attack, ...]] = (
    _robber(
        "withheld",
        "Hands a seat that lost its store nothing of what that one signed, so that it signs anew.",
        "CHEATS 30",
        Withholder,
        End.IGNORED,
    ),
    _robber(
        "denied",
        "Tells a seat that lost its store that the game has hardly begun.",
        "CHEATS 30, 33",
        Denier,
        End.AWAITED,
    ),
    _robber(
        "forged",
        "Hands a seat that lost its store something else than that one signed.",
        "CHEATS 31, 40",
        Forger,
        End.CUT,
        "without a valid signature",
    ),
    _robber(
        "revised",
        "Hands a seat that lost its store another version of what it did itself.",
        "CHEATS 30, 40",
        Reviser,
        End.NAMED,
    ),
)
