"""Two stories, and what was said before: told again, in another order, or in a rematch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

import msgspec

from engine.table import Choose, Coin

from ..deal import Close, Secrets, Setup
from ..log.codec import encode, pack
from ..log.wire import EntryFrame, decode_message, encode_message, frame_of
from ..session import Effect, Send, Timer
from ..session.jobs import ContributeJob
from .base import ATTACKER, Attack, End, Result, Scene
from .bending import OFTEN, Bent, Forker, Sender, bent, kind_of
from .games import ALL, CHOICES, COINED
from .judging import finish
from .table import AttackedTable
from .timing import during

# --- two stories --------------------------------------------------------------------------------------------


def _second(job: ContributeJob, **other: Any) -> bytes:
    again = replace(job, place=replace(job.place), fresh=bytes(range(32)), **other)
    body: bytes = again.run()[0]
    return body


def _other_coin(session: Any, job: ContributeJob) -> bytes:
    return _second(job, secrets=Secrets(bytes(32), session.history.progress.dealing.group.order))


def _other_choice(session: Any, job: ContributeJob) -> bytes | None:
    """Another decision that would be as legal."""
    progress, hand = job.progress, session._sight.hand(job.progress)  # noqa: SLF001  # its own
    actions = progress.position.choices(session.seat, hand)
    deeds = [progress.position.deed(session.seat, hand, action) for action in actions]
    others = [deed for deed in deeds if deed not in job.deeds[:1]]
    return _second(job, deeds=(others[0],)) if others and job.deeds else None


def _other_ending(session: Any, job: ContributeJob) -> bytes:
    scores = [0] * job.progress.position.seats
    scores[ATTACKER] = 9
    return pack([encode(("all-books", tuple(scores), (ATTACKER,)))])


FORKS: Final = (
    bent(
        "fork-keys",
        "Sends one key to one seat and another to the next.",
        "CHEATS 30",
        ALL,
        Forker,
        End.NAMED,
        "signed two different",
        reach=2,
        wanted=during(Setup),
        second=lambda _session, job: _second(job),
    ),
    bent(
        "fork-coin",
        "Commits to one number before one seat and to another before the next.",
        "CHEATS 30",
        COINED,
        Forker,
        End.NAMED,
        "signed two different",
        reach=2,
        wanted=during(Coin, 0),
        second=_other_coin,
    ),
    bent(
        "fork-decision",
        "Tells one seat that it decided this, and another seat that.",
        "CHEATS 30",
        CHOICES,
        Forker,
        End.NAMED,
        "signed two different",
        wanted=during(Choose),
        reach=2,
        second=_other_choice,
    ),
    bent(
        "two-endings",
        "Signs the true outcome for one seat, and for another one that it has won.",
        "CHEATS 30, 40",
        ALL,
        Forker,
        End.NAMED,
        "signed",
        wanted=during(Close),
        reach=2,
        second=_other_ending,
    ),
)

# --- again, and in another order ----------------------------------------------------------------------------


class Replayer(Bent):
    """Sends everything that it has sent and heard again, now and then, to all."""

    often = 12

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._heard: list[bytes] = []
        self._count = 0

    def receive(self, now: float, peer: int, data: bytes) -> list[Effect]:
        """See ``Bent``."""
        self._heard.append(data)
        return super().receive(now, peer, data)

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        self._count += 1
        entries = [effect.data for effect in effects if isinstance(effect, Send)]
        self._heard += [data for data in entries if isinstance(decode_message(data), EntryFrame)]
        if self._count % self.often or not self._heard:
            return effects
        self.told = self.history.step
        again = [data for data in self._heard[-40:] if isinstance(decode_message(data), EntryFrame)]
        return [*effects, *(Send(None, data) for data in again)]


class Reorderer(Bent):
    """Keeps what it has to send for a moment, and sends the last of it first."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._kept: list[Effect] = []
        self._since = 0.0

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        sends = [effect for effect in effects if isinstance(effect, Send)]
        rest = [effect for effect in effects if not isinstance(effect, Send)]
        self._since = self._since if self._kept else now
        self._kept += sends
        if now < self._since + OFTEN:
            return [*rest, Timer(OFTEN)]
        kept, self._kept = self._kept[::-1], []
        if len(kept) > 1:
            self.told = self.history.step
        return [*rest, *kept]


def _through(kind: type[Bent], scene: Scene) -> Result | None:
    """A game to its end."""
    table = AttackedTable(scene, {ATTACKER: kind_of(kind)})
    table.begin()
    table.run_until(lambda: table.is_over)
    session = table.session(ATTACKER)
    assert isinstance(session, Bent)
    return None if session.told is None else finish(table, None)


def _rematch(scene: Scene) -> Result | None:
    """The same players, options and secrets once more, with other nonces: what was signed in the first game
    is sent again by the attacker."""
    first = AttackedTable(scene, {})
    first.begin()
    first.run_until(lambda: first.is_over)
    old = first.session(0).history

    def make(session: Bent) -> list[bytes] | None:
        step = session.history.step
        if step < 5:
            return None
        hint = session.history.heads
        entries = [e for entries in old.steps[: step + 1] for e in entries if e.epoch == 0]
        return [encode_message(frame_of(e, hint[e.step])) for e in entries if e.seat != session.seat]

    table = AttackedTable(scene, {ATTACKER: kind_of(Sender, make=make)})
    nonces = tuple(bytes([byte ^ 1 for byte in nonce]) for nonce in table.charter.nonces)
    table.charter = msgspec.structs.replace(table.charter, nonces=nonces)
    table.begin()
    table.run_until(lambda: table.is_over)
    session = table.session(ATTACKER)
    assert isinstance(session, Bent)
    if session.told is None or table.charter.table_id == first.charter.table_id:
        return None
    return finish(table, None)


AGAIN: Final = (
    Attack(
        "replay",
        "Sends all that was said again, in the middle of the game.",
        "CHEATS 14, 31, PP-09",
        ALL,
        partial(_through, Replayer),
        End.IGNORED,
    ),
    Attack(
        "reorder",
        "Sends what it has to send in another order.",
        "CHEATS 31",
        ALL,
        partial(_through, Reorderer),
        End.IGNORED,
    ),
    Attack(
        "rematch-replay",
        "Sends the contributions of the last game in a rematch with the same options.",
        "CHEATS 14",
        ALL,
        _rematch,
        End.CUT,
    ),
)

ATTACKS: Final[tuple[Attack, ...]] = (*FORKS, *AGAIN)
