"""Lies about who has left, and by those who have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from ..deal import Close, Progress
from ..log.absence import DEPARTURE, sign_statement
from ..log.codec import pack
from ..log.wire import Missing, StatementFrame, decode_message, encode_message, frame_of_statement
from ..session import Effect, GivenUp, Kept, Send, Timer
from .base import ATTACKER, Attack, End, Result, Scene
from .bending import OFTEN, Bent, Forker, Sender, Withholder, bent, kind_of
from .escrow import ALL_OF_FOUR, FOUR, LEAVER
from .games import ALL
from .judging import PATIENCE, finish, lie, result
from .liar import at
from .table import AttackedTable

AGREED: Final = 200.0
"""Seconds of the world in which a departure is agreed on: more than the grace time of a table."""

# --- whether somebody has left ------------------------------------------------------------------------------


class Refuser(Bent):
    """Takes no part in agreeing that a seat has left."""

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        held = [effect for effect in effects if isinstance(effect, Send) and _is_about_absence(effect.data)]
        if held:
            self.told = self.history.step
        return [effect for effect in effects if effect not in held]


def _is_about_absence(data: bytes) -> bool:
    return isinstance(decode_message(data), Missing | StatementFrame)


class Pretender(Refuser):
    """Signs that it holds what the leaver owes, and has nothing to show."""

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        effects = super().bend(now, effects)
        if self.told is None:
            return effects
        return [*effects, Send(None, _stated(self, LEAVER, True)), Timer(OFTEN)]


def _stated(session: Bent, keeper: int, have: bool) -> bytes:
    history = session.history
    about, identity = (history.epoch, history.step, keeper), session._identity  # noqa: SLF001  # its own
    said = sign_statement(identity, history.table_id, history.head, about, DEPARTURE, session.seat, have)
    return encode_message(frame_of_statement(said, history.head))


class Wavering(Refuser):
    """Signs for one seat that the leaver's contribution is here, and for another that it is not."""

    has_said = False

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        effects = super().bend(now, effects)
        if self.told is None or self.has_said:
            return effects
        self.has_said = True
        return [*effects, Send(0, _stated(self, LEAVER, True)), Send(FOUR - 2, _stated(self, LEAVER, False))]


def _departing(kind: type[Bent], names: Callable[[Any], bool], scene: Scene) -> Result | None:
    """The others wait for the leaver, and all of them see who keeps it from being left out."""
    table = AttackedTable(scene, {ATTACKER: kind_of(kind)})
    table.begin()
    session = table.session(ATTACKER)
    assert isinstance(session, Bent)
    if not table.run_until(lambda: table.is_over or session.told is not None, AGREED) or table.is_over:
        return None
    step = session.told
    table.run_until(lambda: table.is_over, PATIENCE)
    if scene.attack.end is End.NAMED:
        return finish(table, step)
    honest = [table.session(seat.number) for seat in table.honest]
    waits = all(set(each.awaited) == {LEAVER} for each in honest)
    by_all = all(any(map(names, table.told[each.seat])) for each in honest)
    sound = all(table.verdict(each.seat).verdict == "sound" for each in honest)
    return result(
        scene,
        End.AWAITED if waits and by_all and sound else End.WORKS,
        step=step,
        blamed=ATTACKER,
        blamed_by_all=by_all,
        where="departure",
    )


def _departure(
    name: str, tries: str, source: str, kind: type[Bent], names: Callable[[Any], bool], end: End = End.AWAITED
) -> Attack:
    says = "two different statements" if end is End.NAMED else ""
    return Attack(
        f"departure-{name}", tries, source, ALL_OF_FOUR, partial(_departing, kind, names), end, says, FOUR,
        recovery=True, leaver=LEAVER,
    )  # fmt: skip


def _left_out(scene: Scene) -> Result | None:
    """A seat that stalls is given up by all, and sends what it owed once it is out."""
    table = AttackedTable(
        scene, {ATTACKER: kind_of(Withholder, wanted=staticmethod(_is_dealt), seconds=AGREED)}
    )
    table.begin()
    session = table.session(ATTACKER)
    assert isinstance(session, Bent)
    table.run_until(lambda: table.is_over or session.told is not None)
    if session.told is None or table.is_over:
        return None
    table.run_until(lambda: table.is_over, 1.0)
    table.give_up(ATTACKER)
    return finish(table, None)


def _is_dealt(progress: Progress) -> bool:
    return progress.is_playing and all(progress.position.table.size(f"hand.{n}") for n in range(FOUR - 1))


# --- one's own word -----------------------------------------------------------------------------------------


def _farewell_of(seat: Callable[[Bent], int]) -> Any:
    def make(session: Bent) -> list[bytes] | None:
        if not session.is_waiting:
            return None
        return [session.frame(session.history.step, seat(session), pack([]))]

    return make


class Ghost(Bent):
    """Resigns, and contributes to the game afterwards as if it had not."""

    has_left = False

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        progress = self.history.progress
        if not self.has_left and _is_dealt(progress) and not self._must_hear:
            self.has_left = True
            return [*effects, *self.farewell(now)]
        if self.told is None and self.seat in progress.gone and progress.owed:
            self.told = self.history.step
            return [*effects, Send(None, self.frame(self.told, self.seat, pack([b"x"])))]
        return effects


ATTACKS: Final[tuple[Attack, ...]] = (
    _departure(
        "refused",
        "Takes no part in agreeing that a seat is gone that is gone.",
        "CHEATS 33",
        Refuser,
        lambda what: isinstance(what, GivenUp) and what.lacking == (ATTACKER,),
    ),
    _departure(
        "false-have",
        "Signs that it holds what a seat owes that is gone, and shows nothing.",
        "CHEATS 33",
        Pretender,
        lambda what: isinstance(what, Kept) and what.by == (ATTACKER,),
    ),
    _departure(
        "contradiction",
        "Signs for one seat that somebody is gone, and for another one the opposite.",
        "CHEATS 30, 33",
        Wavering,
        lambda what: False,
        End.NAMED,
    ),
    Attack(
        "late-after-departure",
        "Stalls, and sends what it owed once all others have certified that it has left.",
        "CHEATS 18, 30, 33",
        ALL,
        _left_out,
        End.SKIPPED,
        recovery=True,
    ),
    bent(
        "speaks-after-leaving",
        "Resigns, and contributes afterwards, to void the game of the others.",
        "CHEATS 31, 33",
        ALL,
        Ghost,
        End.IGNORED,
        recovery=True,
    ),
    bent(
        "farewell-as-another",
        "Resigns in another seat's name.",
        "CHEATS 31",
        ALL,
        Sender,
        End.CUT,
        "without a valid signature",
        make=_farewell_of(lambda session: session.history.progress.owed[0]),
    ),
    bent(
        "farewell-out-of-turn",
        "Resigns where it owes nothing.",
        "CHEATS 31",
        ALL,
        Sender,
        End.NAMED,
        "nothing is owed",
        make=_farewell_of(lambda session: session.seat),
    ),
    bent(
        "fork-farewell",
        "Plays on for one seat, and resigns for another.",
        "CHEATS 30, 33",
        ALL,
        Forker,
        End.NAMED,
        "signed two different",
        reach=2,
        wanted=_is_dealt,
        second=lambda session, job: pack([]),
    ),
    lie(
        "farewell-at-close",
        "Resigns instead of signing that it has lost.",
        "CHEATS 18, 40",
        ALL,
        at(Close, lambda giver, task, deed, body: b""),
        twist=lambda bodies: [],
        says="fewer rounds",
    ),
)
