"""Late, missing and copied contributions, and the ticks and flips of Discount Salmon."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from engine.table import Choose, Coin, Disclose, Draw, Show, Shuffle, Tick

from ..deal import Close, Progress, Reveal, Setup, Task
from ..deal.giving import Giver
from ..log.codec import pack, unpack
from ..log.entry import Entry
from ..sealed import prove_shares
from ..session import Effect, Timer
from .base import ATTACKER, Attack, Change, End, Lie, Result, Scene
from .bending import Bent, Withholder, bent
from .games import ALL, BOTH, COINED, ONLY_SALMON
from .judging import finish, lie, result
from .liar import Liar, Teller, at, at_place, held
from .liar import bent as bent_point
from .table import AttackedTable

LATE: Final = 20.0
"""Seconds that a contribution comes late outside of a race: several questions of the others are over."""


def during(kind: Any, number: int | None = None) -> Callable[[Progress], bool]:
    """The steps of such a task, or one of their rounds."""

    def wanted(progress: Progress) -> bool:
        return isinstance(progress.task, kind) and number in (None, progress.number)

    return wanted


def _flips(number: int) -> Callable[[Progress], bool]:
    def wanted(progress: Progress) -> bool:
        return isinstance(progress.task, Show) and progress.task.at_once and progress.number == number

    return wanted


def _withheld() -> tuple[Attack, ...]:
    rows: tuple[tuple[str, str, str, dict[str, dict[str, str]], Any], ...] = (
        ("keys", "Never sends its keys", "CHEATS 18, 33", ALL, during(Setup)),
        (
            "coin",
            "Has seen the others' numbers and never opens its own",
            "CHEATS 18",
            COINED,
            during(Coin, 1),
        ),
        ("shuffle", "Never hands the deck on", "CHEATS 33", ALL, during(Shuffle)),
        (
            "share",
            "Never gives its share of a card that another draws",
            "CHEATS 33, PP-08",
            ALL,
            during(Draw),
        ),
        ("answer", "Never answers an ask", "CHEATS 33, PP-07", BOTH, during(Disclose)),
        ("decision", "Never decides when it is its turn", "CHEATS 33, B9", ALL, during(Choose)),
        (
            "flip",
            "Has seen the others' shares of a fish and keeps its own",
            "CHEATS 18",
            ONLY_SALMON,
            _flips(1),
        ),
        ("close", "Never signs the outcome, having lost", "CHEATS 18, 33", ALL, during(Close)),
        ("reveal", "Never reveals its seed and key", "CHEATS 18", ALL, during(Reveal)),
    )
    missing = [
        bent(f"missing-{name}", f"{tries}.", source, games, Withholder, End.AWAITED, wanted=wanted)
        for name, tries, source, games, wanted in rows
    ]
    late = [
        bent(
            f"late-{name}",
            f"{tries} until much later.",
            source,
            games,
            Withholder,
            End.IGNORED,
            wanted=wanted,
            seconds=LATE,
        )
        for name, tries, source, games, wanted in rows
    ]
    return (*missing, *late)


# --- copies -------------------------------------------------------------------------------------------------


class Mirror(Liar):
    """Waits for another seat's commitment and sends the same, then waits for its opening and copies that."""

    of = 0
    kind: type = Coin

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.teller = Teller((self._copy(0), self._copy(1)))

    @property
    def _copies_now(self) -> bool:
        progress = self.history.progress
        task: Any = progress.task
        return isinstance(task, self.kind) and getattr(task, "at_once", True)

    def _contribute(self, now: float) -> list[Effect]:
        if self._copies_now and not self.teller.is_done and self.of not in self._held:
            return []
        return super()._contribute(now)

    def _take(self, now: float, entry: Entry) -> list[Effect]:
        taken = super()._take(now, entry)
        return [*taken, *self._own_turn(now)] if self._copies_now and entry.seat == self.of else taken

    def _copy(self, number: int) -> Lie:
        def tell(giver: Giver, task: Task, now: int, deed: Any) -> bytes | None:
            if now != number or self.of not in self._held or not self._copies_now:
                return None
            theirs = unpack(self._held[self.of].body)[0]
            if number or not isinstance(task, Tick):
                return theirs
            own = unpack(at_place(giver).give(task, now, deed)[0])
            return pack([unpack(theirs)[0], own[1]])

        return tell


def _mirrored(kind: type, scene: Scene) -> Result | None:
    table = AttackedTable(scene, {ATTACKER: type("ThisMirror", (Mirror,), {"kind": kind})})
    table.begin()
    table.run_until(lambda: table.is_over)
    session = table.session(ATTACKER)
    assert isinstance(session, Mirror)
    if not session.teller.is_done:
        return None
    return finish(table, session.teller.told.steps[-1])


def mirror(name: str, what: str, kind: type, games: dict[str, dict[str, str]], says: str) -> Attack:
    """Another seat's commitment, and then its opening, under one's own name."""
    tries = f"Copies another's commitment to {what}, and then its opening."
    return Attack(f"mirrored-{name}", tries, "CHEATS 16", games, partial(_mirrored, kind), says=says)


# --- ticks and flips ----------------------------------------------------------------------------------------


class Slow(Bent):
    """Commits to its deeds a second after everyone else, to see more of what is played."""

    wait = 1.0

    def _contribute_to_tick(self, now: float, progress: Progress) -> list[Effect]:
        due = self._racer.due(progress, self._step_since) + self.wait
        if progress.number == 0 and now < due:
            return [Timer(due - now)]
        self.told = self.history.step
        return super()._contribute_to_tick(now, progress)


def _slowly(scene: Scene) -> Result | None:
    """Its plays are deferred, by all and in the record; those of nobody else are."""
    table = AttackedTable(scene, {ATTACKER: Slow})
    table.begin()
    table.run_until(lambda: table.is_over)
    found = finish(table, None)
    late = [
        [event.seat for event in table.verdict(seat.number).events if event.verb == "deferred"]
        for seat in table.honest
    ]
    if not any(late):
        return None
    ours = all(seats and set(seats) == {ATTACKER} for seats in late)
    return result(
        scene,
        End.MARKED if ours and found.end is End.IGNORED else End.WORKS,
        blamed=ATTACKER,
        blamed_by_all=ours,
        verify_convinced=ours,
        step=table.session(ATTACKER).told,  # type: ignore[attr-defined]  # it is ``Slow``
    )


def at_once(number: int, change: Change) -> Lie:
    """At the flip of a fish."""
    return at(Show, lambda g, task, d, body: change(g, task, d, body) if task.at_once else None, number)


def opening(change: Callable[[Giver, Tick, Any, list[bytes]], bytes | None]) -> Lie:
    """At the second round of a tick."""
    return at(Tick, lambda g, task, deed, body: change(g, task, deed, unpack(body)), 1)


def committing(change: Callable[[Giver, Tick, Any, list[bytes]], bytes | None]) -> Lie:
    """At a first round of a tick that carries shares."""
    return at(
        Tick,
        lambda g, task, deed, body: change(g, task, deed, unpack(body)) if unpack(body)[1] else None,
        0,
    )


def _plays_instead(giver: Giver, task: Tick, deed: Any, parts: list[bytes]) -> bytes | None:
    """Having seen the others' deeds, another one than it had committed to."""
    hand, seat = held(giver), giver.place.seat
    for action in giver.position.choices(seat, hand):
        other = giver.position.deed(seat, hand, action)
        if other != deed:
            body: bytes = at_place(giver).give(task, 1, other)[0]
            return body
    return None


def _less_shares(giver: Giver, task: Tick, deed: Any, parts: list[bytes]) -> bytes | None:
    """Shares of all cards but the last, with a proof that holds for them."""
    seat, place = giver.place.seat, at_place(giver).place
    owed = giver.dealing.owed_shares(task.draws, seat)
    if len(owed) < 2:
        return None
    place.origin("tick")
    key = giver.dealing.keys[seat].card
    shares, proof = prove_shares(
        giver.dealing.group, place.header("share"), giver.secrets.card_key, key, owed[:-1], giver.fresh
    )
    return pack([parts[0], b"".join(shares) + proof])


def _salmon(name: str, tries: str, source: str, told: Lie, says: str = "") -> Attack:
    return lie(name, tries, source, ONLY_SALMON, told, says=says)


TICKS: Final = (
    Attack(
        "tick-late-commit",
        "Commits to its plays a second after all others, to see what they do first.",
        "CHEATS 18, design 6",
        ONLY_SALMON,
        _slowly,
        End.MARKED,
    ),
    bent(
        "tick-no-commit",
        "Commits to nothing in a tick, so that the others have to wait.",
        "CHEATS 18, PP-12",
        ONLY_SALMON,
        Withholder,
        End.SKIPPED,
        wanted=during(Tick, 0),
    ),
    bent(
        "tick-no-open",
        "Does not open its deed once it has seen those of the others.",
        "CHEATS 18, PP-12",
        ONLY_SALMON,
        Withholder,
        End.SKIPPED,
        wanted=during(Tick, 1),
    ),
    bent(
        "late-after-certificate",
        "Sends its opening once the others have certified that it is missing.",
        "CHEATS 18, 30",
        ONLY_SALMON,
        Withholder,
        End.SKIPPED,
        wanted=during(Tick, 1),
        seconds=6.0,
    ),
    _salmon(
        "tick-other-deed",
        "Opens another deed than it committed to, having seen those of the others.",
        "CHEATS 18, PP-11",
        opening(_plays_instead),
        "to another deed",
    ),
    _salmon(
        "tick-other-salt",
        "Opens with another salt, to steer the order of the tick.",
        "CHEATS 17, 18",
        opening(lambda giver, task, deed, parts: pack([bytes(32), *parts[1:]])),
        "to another deed",
    ),
    _salmon(
        "tick-marks-itself",
        "Sets the mark of its own seat.",
        "CHEATS 34",
        opening(lambda giver, task, deed, parts: pack([*parts[:2], bytes([1 << ATTACKER]), parts[3]])),
        "cannot be marked",
    ),
    _salmon(
        "tick-unopened-play",
        "Plays a card and does not open it.",
        "CHEATS 23",
        opening(lambda giver, task, deed, parts: pack([*parts[:3], b""]) if deed.shown else None),
    ),
    _salmon(
        "tick-plays-as-other",
        "Plays a card as another one.",
        "CHEATS 23",
        opening(
            lambda g, task, deed, parts: pack([*parts[:3], bent_point(g, parts[3])]) if deed.shown else None
        ),
        "does not hold",
    ),
    _salmon(
        "tick-no-refill-share",
        "Gives no share of another's refill.",
        "CHEATS 22, PP-08",
        committing(lambda g, task, deed, parts: pack([parts[0], b""])),
    ),
    _salmon(
        "tick-refill-share-too-few",
        "Gives the shares of all refills but one.",
        "CHEATS 22, PP-08",
        committing(_less_shares),
    ),
    _salmon(
        "tick-wrong-refill-share",
        "Gives a wrong share of another's refill.",
        "CHEATS 22, 38",
        committing(lambda giver, task, deed, parts: pack([parts[0], bent_point(giver, parts[1])])),
        "does not hold",
    ),
    _salmon(
        "tick-short-commitment",
        "Commits to its deed with a byte too few.",
        "CHEATS 17, 37",
        at(Tick, lambda giver, task, deed, body: pack([unpack(body)[0][1:], unpack(body)[1]]), 0),
        "32 bytes",
    ),
    _salmon(
        "flip-other-share",
        "Opens the fish with another share than it committed to.",
        "CHEATS 18, 22",
        at_once(1, lambda giver, task, deed, body: body[:32] + bent_point(giver, body[32:])),
        "to other shares",
    ),
    _salmon(
        "flip-other-salt",
        "Opens its share of the fish with another salt.",
        "CHEATS 17",
        at_once(1, lambda giver, task, deed, body: bytes(32) + body[32:]),
        "to other shares",
    ),
    _salmon(
        "flip-imitated-proof",
        "Imitates the proof of its share of the fish.",
        "CHEATS 22",
        at_once(1, lambda g, task, deed, body: body[:-64] + bytes([1]) + bytes(31) + bytes([1]) + bytes(31)),
        "does not hold",
    ),
    _salmon(
        "flip-uncommitted",
        "Commits to no share of the fish, to see those of the others first.",
        "CHEATS 18",
        at_once(0, lambda giver, task, deed, body: b""),
        "32 bytes",
    ),
)

MIRRORS: Final = (
    mirror("coin", "a joint number", Coin, COINED, "another value"),
    mirror("tick", "a deed of a tick", Tick, ONLY_SALMON, "to another deed"),
    mirror("flip", "its share of a fish", Show, ONLY_SALMON, "to other shares"),
)

ATTACKS: Final[tuple[Attack, ...]] = (*_withheld(), *TICKS, *MIRRORS)
