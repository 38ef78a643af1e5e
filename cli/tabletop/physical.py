"""What lies on the pads, against what the game says ought to lie there. Pure; the clock is an argument.

`Physical` follows the events of `hardware.presence`, `compare` finds the differences from an `Expected`
table, and `Recovery` decides when they are told: a card that is lifted and put back, or is on its way from
one pad to another, is worth no sentence, but nothing is decided by a table that is not right. How cards are
dealt plays no part here; words for differences are in `physical_words`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from hardware.events import (
    Disturbed,
    Event,
    Place,
    Placed,
    Removed,
    Settled,
    Tapped,
    Undisturbed,
    Unsure,
)
from hardware.pads import Pads, Role
from hardware.uids import Uid

__all__ = [
    "NEWS",
    "PATIENCE",
    "Difference",
    "Doubt",
    "Expected",
    "Few",
    "Missing",
    "Physical",
    "Recovery",
    "Surplus",
    "Told",
    "compare",
]

PATIENCE: Final = 2.5
"""Seconds that a difference stands before it is told: a card passed across a table takes less, and a reader
that starts anew takes a second to see again what lies on it (`hardware.presence.tracker.SETTLE`)."""

NEWS: Final = 0.3
"""Seconds until a difference is told that comes from the game itself: a card that is drawn and laid at once
shall not be asked for in between."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A tag does not lie where it belongs. ``now`` is the pad on which it lies instead, if it lies on one.
    ``was_there``: it lay where it belongs before, so that it goes *back*."""

    uid: Uid
    role: Role
    now: Role | None = None
    was_there: bool = False


@dataclass(frozen=True, slots=True)
class Surplus:
    """A tag lies on a pad and belongs on none."""

    uid: Uid
    role: Role


@dataclass(frozen=True, slots=True)
class Few:
    """So many further tags have to come to a pad, any that are free."""

    role: Role
    count: int


@dataclass(frozen=True, slots=True)
class Doubt:
    """What lies on a pad is not known. ``overlap``: nothing certain is read; otherwise its reader is not
    heard or has just started."""

    role: Role
    overlap: bool


Difference: TypeAlias = Missing | Surplus | Few | Doubt


@dataclass(frozen=True, slots=True)
class Expected:
    """What ought to lie on the pads.

    ``tags`` are all tags the comparison is about; others, such as tokens, may lie anywhere. ``places`` says
    where some of them belong, ``checked`` are the pads on which nothing else of ``tags`` may lie, and
    ``wanted`` how many further tags have to come to a pad.
    """

    tags: Collection[Uid]
    places: Mapping[Uid, Role]
    checked: Collection[Role]
    wanted: Mapping[Role, int] = field(default_factory=dict)
    loose: Collection[Uid] = ()


class Physical:
    """Which tag lies on which pad. Mutable; `take` it every event.

    Places in ``taps`` cannot hold several tags, or cannot tell whether a tag stays: a tag that was held to
    one is taken to lie there until it is seen elsewhere. A reader that reports taps only needs no mention.
    """

    def __init__(self, pads: Pads, taps: Collection[Place] = ()) -> None:
        self._pads = pads
        self._taps = frozenset(taps)
        self._at: dict[Uid, Place] = {}
        self._unsure: dict[Place, bool] = {}

    def take(self, event: Event) -> None:
        """What an event of `hardware.presence` says."""
        match event:
            case Placed(uid, place) | Tapped(uid, place):
                self._at.pop(uid, None)  # the latest arrival comes last
                self._at[uid] = place
            case Removed(uid, place) if self._at.get(uid) == place and place not in self._taps:
                del self._at[uid]
            case Unsure(place):
                self._unsure[place] = False
            case Disturbed(place):
                self._unsure.setdefault(place, True)
            case Settled(place):
                self._unsure.pop(place, None)
            case Undisturbed(place) if self._unsure.get(place):
                del self._unsure[place]
            case _:
                pass

    def start(self, present: Mapping[Place, Sequence[Uid]], unsure: Iterable[Place] = ()) -> None:
        """Take a snapshot of all places for the truth, as when a game is resumed. What lies at places in
        ``unsure`` is not known yet; what was tapped before is forgotten, unless it is in the snapshot."""
        self._at = {uid: place for place, uids in present.items() for uid in uids}
        self._unsure = dict.fromkeys(unsure, False)

    def put(self, uid: Uid, role: Role) -> None:
        """Take a tag to lie on a pad whose readers cannot tell (``taps``), from what was kept of an earlier
        run. A pad that can tell is believed instead."""
        place = self._pads.place(role)
        if place in self._taps and uid not in self._at:
            self._at[uid] = place

    def on(self, role: Role) -> tuple[Uid, ...]:
        """The tags on a pad, in the order of their arrival."""
        places = self._pads.places(role)
        return tuple(uid for uid, place in self._at.items() if place in places)

    def where(self, uid: Uid) -> Role | None:
        """The pad on which a tag lies."""
        place = self._at.get(uid)
        return None if place is None else self._pads.get(place)

    def is_sure(self, role: Role) -> bool:
        """Whether what lies on a pad is known."""
        return not any(place in self._unsure for place in self._pads.places(role))

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The pads of which it is not known what lies there, each once."""
        found: dict[Role, bool] = {}
        for place, overlap in self._unsure.items():
            role = self._pads.get(place)
            if role is not None:
                found[role] = found.get(role, True) and overlap
        return tuple(Doubt(role, overlap) for role, overlap in found.items())


def compare(
    physical: Physical, expected: Expected, settled: Mapping[Uid, Role] | None = None
) -> tuple[Difference, ...]:
    """All differences: doubts first, then tags in the wrong place, then tags that have to come.

    Of a pad in doubt nothing else is said, since what is missing there may lie there. ``settled`` is where
    tags lay when they last lay right.
    """
    doubts = physical.doubts
    dark = {doubt.role for doubt in doubts}
    found: list[Difference] = [
        doubt for doubt in doubts if doubt.role in {*expected.checked, *expected.places.values()}
    ]
    before = settled or {}
    for uid, role in expected.places.items():
        now = physical.where(uid)
        if now != role and uid not in expected.loose and role not in dark and now not in dark:
            found.append(Missing(uid, role, now, before.get(uid) == role))
    for role in expected.checked:
        if role not in dark:
            strangers = [uid for uid in physical.on(role) if uid in expected.tags]
            strangers = [uid for uid in strangers if uid not in expected.places and uid not in expected.loose]
            found += [Surplus(uid, role) for uid in strangers]
    found += [Few(role, count) for role, count in expected.wanted.items() if count and role not in dark]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be said now: all ``differences`` that have stood for long enough, those that were not told
    before among them as ``news``, or (none) that the table is right again."""

    differences: tuple[Difference, ...]
    news: tuple[Difference, ...] = ()


class Recovery:
    """Compares after every event, and says when there is something to say. Mutable.

    Call `look` whenever something has changed and at `wake`. While `is_right` is false nothing may be decided
    from this table.
    """

    def __init__(
        self, physical: Physical, patience: float = PATIENCE, settled: Mapping[Uid, Role] | None = None
    ) -> None:
        """``settled`` is where tags lay right when the program ended, if this is a game that goes on."""
        self.physical: Final = physical
        self._patience = patience
        self._due: dict[Difference, float] = {}
        self._told: tuple[Difference, ...] = ()
        self._settled: dict[Uid, Role] = dict(settled or {})
        self._has_complained = False

    @property
    def differences(self) -> tuple[Difference, ...]:
        """All there are now, told or not."""
        return tuple(self._due)

    @property
    def told(self) -> tuple[Difference, ...]:
        """Those of them that have been told."""
        return tuple(difference for difference in self._told if difference in self._due)

    @property
    def is_right(self) -> bool:
        """Whether the table is as it ought to be, as of the last `look`."""
        return not self._due

    @property
    def wake(self) -> float | None:
        """When `look` wants to be called again."""
        return min((due for each, due in self._due.items() if each not in self._told), default=None)

    def look(self, now: float, expected: Expected, is_news: bool = False) -> Told | None:
        """Compare. ``is_news``: what is different now and was not before comes from the game, not from
        people, and is told almost at once."""
        found = compare(self.physical, expected, self._settled)
        due = now + (NEWS if is_news else self._patience)
        self._come_down(found)
        self._due = {difference: self._due.get(difference, due) for difference in found}
        for uid, role in expected.places.items():
            if self.physical.where(uid) == role:
                self._settled[uid] = role
        ripe = self._ripe(now)
        if not found and self._has_complained:
            # Also where it was put right by way of another difference, too short for words.
            self._told, self._has_complained = (), False
            return Told(())
        if ripe == self._told:
            return None
        news = tuple(each for each in ripe if each not in self._told)
        self._told = ripe
        # Where some of it has been put right and the rest has been told, people are at work.
        self._has_complained = self._has_complained or bool(news)
        return Told(ripe, news) if news else None

    def _ripe(self, now: float) -> tuple[Difference, ...]:
        """What is to be told, and has been. Tags that go the same way are told along in the same sentence:
        a hand takes a moment from one to the next."""
        news = [each for each, at in self._due.items() if now >= at and each not in self._told]
        ways = {_way(each) for each in news} - {None}
        soon = now + self._patience / 2
        return tuple(
            each
            for each, at in self._due.items()
            if each in self._told or now >= at or (soon >= at and _way(each) in ways)
        )

    def _come_down(self, found: Iterable[Difference]) -> None:
        """Where some of the tags that were wanted have come, the rest are no news."""
        fewer = {each.role: each for each in found if isinstance(each, Few)}
        for before in [each for each in self._due if isinstance(each, Few)]:
            now = fewer.get(before.role)
            if now is not None and now.count < before.count:
                self._due[now] = self._due.pop(before)
                self._told = tuple(now if each == before else each for each in self._told)


def _way(difference: Difference) -> tuple[Role | None, Role | None, bool] | None:
    """From where to where a tag has to go, and whether back; ``None`` for what no two tags share."""
    match difference:
        case Missing(_, role, now, was_there):
            return now, role, was_there
        case Surplus(_, role):
            return role, None, False
        case _:
            return None
