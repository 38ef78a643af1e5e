"""Those who watch and have no seat: they speak, come uninvited, or look for more than the record holds.

Nobody at these tables cheats. Their programs treat one who watches as the real ones do (``Visit``,
``refusal``, ``Feed``); whatever it does, the game has to take the course that it takes without it, to the
last byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from ..identity import Identity
from ..link.known import KnownPlayer
from ..log.absence import DEPARTURE, sign_statement
from ..log.charter import ACQUAINTED, ANYBODY, NOBODY_WATCHES
from ..log.codec import encode, pack
from ..log.entry import sign_entry
from ..log.wire import Chat, Missing, Want, encode_message, frame_of, frame_of_statement
from ..session import Session
from ..session.watching import Feed, Visit, Watch, ending, refusal
from ..verify import Due, Ended, Follower
from .base import Attack, End, Result, Scene
from .files import honest_game
from .games import ALL
from .judging import result
from .table import AttackedTable

STRANGER: Final = Identity(bytes([77]) * 32)
"""Who has no seat at any attacked table."""

ARRIVAL: Final = 6
"""The step of the game at which spectators come: cards are being dealt then."""

SPEAKS: Final = ARRIVAL + 8
"""The step from which they speak: players decide by then, and the shortest game has twice as many."""


class Window:
    """One who watches at one seat, and that seat's program, as far as it deals with the one who watches."""

    def __init__(self, table: AttackedTable, session: Session, request: Watch) -> None:
        self.follower = Follower(lambda _id: table.rules, table.group)
        self.cut: str | None = None
        """Why the program has cut the link, once it has."""
        self.is_whole = False
        self._watch = table.watch
        self._session = session
        self._visit = Visit()
        self._feed: Feed | None = None
        self.follower.begin_feed()
        self.say(encode(request))

    def say(self, frame: bytes) -> None:
        """A frame over the spectator's link."""
        if self.cut is not None:
            return
        self.cut = self._visit.hear(frame)
        if self._feed is None and self._visit.request is not None:
            self._feed = Feed(self._visit.request)
            self._show(self._feed.opening(self._session.history, {}))

    def look(self) -> None:
        """All that there is to see by now."""
        if self._feed is None or self.cut is not None or self.is_whole:
            return
        while frames := self._feed.following(self._session.history):
            self._show(frames)
        if self._session.is_over:
            self._show(ending(self._session.last_records()))

    def _show(self, frames: list[bytes]) -> None:
        """What is sent holds no secret, and the spectator verifies it."""
        for frame in frames:
            self._watch.shown(self._session, frame)
            for heard in self.follower.hear(frame):
                if isinstance(heard, Due):
                    self.follower.verify(heard)
                if isinstance(heard, Ended):
                    _, report = self.follower.conclude()
                    self.is_whole = report.finished


Speak = Callable[[Session], bytes]
"""What a spectator says, in the middle of a game."""

Ask = Callable[[Session], Watch]
"""How it asks to watch."""


def _politely(_session: Session) -> Watch:
    return Watch("Gus", 0, b"")


def _at_table(speak: Speak | None, ask: Ask, scene: Scene) -> Result | None:
    """One spectator at each seat, who speaks or not, and one more who only watches."""
    table = AttackedTable(scene, {})
    windows: list[Window] = []
    table.begin()
    sessions = [table.session(seat.number) for seat in table.seats]

    def arrive() -> bool:
        return all(session.history.step >= ARRIVAL for session in sessions)

    def look() -> bool:
        for window in windows:
            window.look()
        return table.is_over

    def has_place() -> bool:
        at = [session.history for session in sessions]
        return look() or all(each.step >= SPEAKS and each.progress.owed for each in at)

    table.run_until(arrive)
    windows += [Window(table, session, ask(session)) for session in sessions]
    quiet = Window(table, sessions[0], _politely(sessions[0]))
    windows.append(quiet)
    table.run_until(has_place)
    if table.is_over:
        return None
    step = sessions[0].history.step
    if speak is not None:
        for window, session in zip(windows, sessions, strict=False):
            window.say(speak(session))
    table.run_until(look)
    look()
    return _judged(table, windows, quiet, step if speak is not None else None)


def _judged(table: AttackedTable, windows: list[Window], quiet: Window, step: int | None) -> Result:
    """The game is the one that nobody watched; who speaks is cut off at every seat, and who only looks has
    seen what the record holds."""
    undisturbed = honest_game(table.scene)
    speakers = [window for window in windows if window is not quiet]
    same = all(
        table.session(seat.number).record() == undisturbed.session(seat.number).record()
        for seat in table.seats
    )
    if not same or table.cuts or any(table.faults.values()):
        return result(table.scene, End.WORKS, step=step, said="the game took another course")
    watching = [window for window in windows if window.cut is None]
    record = table.session(0).record()
    if not all(window.is_whole and window.follower.record() == record for window in watching):
        return result(table.scene, End.WORKS, step=step, said="who only looks does not see the record")
    said = {window.cut for window in speakers}
    if step is None:
        return result(table.scene, End.IGNORED)
    if None in said:
        return result(table.scene, End.WORKS, step=step, said="what a spectator says is heard")
    is_right = all(table.scene.attack.says in str(each) for each in said)
    return result(table.scene, End.CUT, step=step, said=min(map(str, said)), is_right=is_right)


# --- what they say ------------------------------------------------------------------------------------------


def _contribution(session: Session) -> bytes:
    """In place of one that is owed, and signed with the spectator's own key."""
    history = session.history
    place = history.table_id, history.epoch, history.step, history.progress.owed[0]
    return encode_message(frame_of(sign_entry(STRANGER, *place, history.head, pack([b"x"])), history.head))


def _copied(session: Session) -> bytes:
    """A true contribution, which it was shown."""
    history = session.history
    return encode_message(frame_of(history.entries[-1], history.heads[history.entries[-1].step]))


def _statement(session: Session) -> bytes:
    """That somebody is gone, in the name of another seat."""
    history = session.history
    about = history.epoch, history.step, 0
    stated = sign_statement(STRANGER, history.table_id, history.head, about, DEPARTURE, 2, False)
    return encode_message(frame_of_statement(stated, history.head))


def _question(session: Session) -> bytes:
    """The question that begins an absence round."""
    history = session.history
    return encode_message(Missing(history.epoch, history.step, history.head[:8], 0))


def _wants_all(_session: Session) -> bytes:
    """The whole history, as a seat may ask for it, again and again."""
    return encode_message(Want(0, 0))


def _speaker(name: str, tries: str, source: str, speak: Speak) -> Attack:
    return Attack(
        f"spectator-{name}", tries, source, ALL, partial(_at_table, speak, _politely), End.CUT,
        "nothing to say",
    )  # fmt: skip


SPEAKERS: Final = (
    _speaker(
        "contributes",
        "Watches, and contributes in a seat's name to what is owed.",
        "CHEATS 31",
        _contribution,
    ),
    _speaker("repeats", "Watches, and sends a true contribution of a seat again.", "CHEATS 14, 31", _copied),
    _speaker("states-absence", "Watches, and states that a seat is gone.", "CHEATS 31, 33", _statement),
    _speaker(
        "asks-for-absence", "Watches, and asks all others whether a seat is gone.", "CHEATS 33", _question
    ),
    _speaker(
        "chats",
        "Watches, and tells a player what to ask for.",
        "CHEATS 31",
        lambda _: encode_message(Chat("nine")),
    ),
    _speaker("wants-all", "Watches, and asks for what only seats are sent.", "CHEATS 28, 37", _wants_all),
    _speaker(
        "asks-twice",
        "Watches, and asks once more, to be sent all again.",
        "CHEATS 37",
        lambda _: encode(_politely(_)),
    ),
    _speaker("garbage", "Watches, and sends bytes that are no message.", "CHEATS 37", lambda _: b"\xc1" * 64),
)


# --- how they come ------------------------------------------------------------------------------------------


def _ahead(session: Session) -> Watch:
    """As one who has seen steps that are still to come."""
    return Watch("Gus", session.history.step + 100, bytes(32))


def _elsewhere(session: Session) -> Watch:
    """As one who has seen another history."""
    return Watch("Gus", session.history.step, bytes(32))


def _silent(name: str, tries: str, source: str, ask: Ask) -> Attack:
    return Attack(f"spectator-{name}", tries, source, ALL, partial(_at_table, None, ask), End.IGNORED)


def _refused(scene: Scene, attempts: Callable[[Session], Iterator[str | None]]) -> Result:
    """Each attempt is refused with a sentence, at a table whose cards are dealt."""
    table = AttackedTable(scene, {})
    table.begin()
    table.run_until(lambda: table.session(0).history.step >= ARRIVAL)
    said = list(attempts(table.session(0)))
    return result(scene, End.REFUSED if said and all(said) else End.WORKS, said=said[0] or "")


def _uninvited(session: Session) -> Iterator[str | None]:
    """Where nobody watches, and where only those do who have played here."""
    met = [KnownPlayer("Dee", Identity(bytes([78]) * 32).public, 0)]
    for policy in (NOBODY_WATCHES, ACQUAINTED):
        yield refusal(policy, met, "Gus", STRANGER.public, owner="Ann")


def _as_a_player(session: Session) -> Iterator[str | None]:
    """Under the name of one who sits here, in other letters, or with what does not show."""
    seated = [KnownPlayer(each.name, each.public, 0) for each in session.charter.seats]
    name = seated[0].petname
    for false in (name, name.upper(), name + "\u200b", f" {name}"):
        yield refusal(ANYBODY, (), false, STRANGER.public, seated, owner="Ann")


def _first_words(_session: Session) -> Iterator[str | None]:
    """What is no request: nothing, nonsense, a request of the wrong sizes, and what a seat says."""
    long = encode(Watch("G" * 1000, 0, b""))
    for frame in (b"", b"\xc1", encode_message(Want(0, 0)), long, encode(Watch("Gus", 5, b"short"))):
        yield Visit().hear(frame)


ARRIVALS: Final = (
    _silent(
        "at-every-seat", "Watches at all seats at once, to learn what none of them tells.", "PP-10", _politely
    ),
    _silent(
        "ahead", "Says that it has seen steps to come, to be sent more than there is.", "CHEATS 37", _ahead
    ),
    _silent("elsewhere", "Says that it has seen another history.", "CHEATS 30, 37", _elsewhere),
    *(
        Attack(f"spectator-{name}", tries, source, ALL, partial(_refused, attempts=attempts), End.REFUSED)
        for name, tries, source, attempts in (
            ("uninvited", "Watches where nobody may, or only those who were met.", "CHEATS 28", _uninvited),
            ("as-player", "Watches under the name of one who plays.", "CHEATS 31", _as_a_player),
            ("no-request", "Says anything else than that it wants to watch.", "CHEATS 37", _first_words),
        )
    ),
)

ATTACKS: Final[tuple[Attack, ...]] = (*SPEAKERS, *ARRIVALS)
