"""From noisy readings to clean events: which tag was placed where, removed, or tapped. Pure; the clock is an
argument.

A **place** is one antenna of one reader. For each place and tag:

```
            seen (enough)                     hold-off over, or reported gone
  heard ---------------------> present ----------------------------------------> gone
    |  not again in time          |   ^
    +---------> gone              |   | seen again, or the time to settle is over (then: gone)
                                  v   |
                                 unsure      the link is lost, the reader restarted, the antenna is deaf
```

- A tag of the book counts on its first reading; an unknown one needs two equal readings close together,
because the
  checksums of simple readers let noise through.
- Silence removes a tag only after the hold-off; a failed round never does.
- A tag is at one place at most. Where two antennas hear it, it stays where it was first, until that antenna
misses
  it or hears it much weaker.
- At readers that report a tag once and no departure, a reading is a **tap** and leaves nothing present.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from .events import (
    Disturbed,
    Event,
    Once,
    Place,
    Placed,
    Refused,
    Removed,
    Settled,
    Tapped,
    Undisturbed,
    Unsure,
)
from .readers.base import (
    Failed,
    Gone,
    Health,
    LinkLost,
    LinkUp,
    Listing,
    Presence,
    Profile,
    Reading,
    Restarted,
    Seen,
)
from .uids import Flaw, Uid, flaws

__all__ = [
    "Disturbed",
    "Event",
    "Once",
    "Place",
    "Placed",
    "Refused",
    "Removed",
    "Settled",
    "Tapped",
    "Tracker",
    "Undisturbed",
    "Unsure",
]

HOLD = 0.4
"""Seconds without a tag before it has gone, and at least `MISSES` rounds: one reading in sixteen was seen to
fail, and waking a tag that lies still fails every second time (P-2)."""

MISSES = 3

CLOSE = 0.25
"""Seconds within which an unknown tag must be read twice, and at least 2.5 periods of its reader (P-4)."""

CLOSE_TAPS = 5.0
"""The same at a reader that reports a tag once: time to lift it and tap again."""

REARM = 0.8
"""Seconds without a tag before another reading of it is another tap. Programs that repeat do so every 0.5
s."""

SETTLE = 1.0
"""Seconds after a restart in which the tags that still lie there are seen again, and at least the
hold-off."""

HANDOVER = 0.2
"""Seconds, and at least `MISSES` periods, that the old antenna must miss a tag before the new one has it."""

LOUDER = 6
"""Decibels, a doubling of the field, by which another antenna must hear a tag better to take it over; it
needs `LOUD_READINGS` for that, and the tag must have been where it is for `STAY` seconds (P-19)."""

LOUD_READINGS = 3
STAY = 1.0
SMOOTH = 0.3
"""Weight of a new strength in the running mean: the last five readings or so count."""

ROUNDS = 5
"""Failed rounds in a row before people are told: one or two happen whenever a hand passes."""

MOST_HEARD = 256
"""Tags remembered at one place: four decks. Beyond that the one that was silent longest is dropped."""


@dataclass(slots=True)
class _Tag:
    uid: Uid
    first: float
    last: float
    readings: int = 0
    misses: int = 0
    strength: float | None = None
    present: bool = False
    since: float = 0.0
    tapped: bool = False
    doubted: bool = False


@dataclass(slots=True)
class _Pad:
    profile: Profile
    tags: dict[bytes, _Tag] = field(default_factory=dict)
    failed: int = 0
    disturbed: bool = False
    unsure: bool = False
    settles: float | None = None
    believed: bool = False
    """Nobody will say again what lies here, and a card rarely moves in the seconds of a lost link: its tags
    stay when the link is back, until they are seen elsewhere."""

    @property
    def hold(self) -> float:
        return max(HOLD, MISSES * self.profile.period)

    @property
    def close(self) -> float:
        if self.profile.presence is Presence.EDGE:
            return CLOSE_TAPS
        return max(CLOSE, 2.5 * self.profile.period)

    @property
    def memory(self) -> float:
        """Seconds that a tag is remembered which is not present."""
        return max(self.close, self.hold, REARM)


def _nobody(_uid: Uid) -> Uid | None:
    return None


class Tracker:
    """All places of a table.

    ``known`` answers with the uid of the book for whatever spelling of it a reader has, and ``None`` for a
    tag that is not in the book.
    """

    def __init__(self, known: Callable[[Uid], Uid | None] = _nobody) -> None:
        self._known = known
        self._profiles: dict[str, Profile] = {}
        self._pads: dict[Place, _Pad] = {}
        self._owners: dict[bytes, Place] = {}
        self._next: float | None = None

    @property
    def wake(self) -> float | None:
        """When `tick` wants to be called."""
        return self._next

    def add(self, reader: str, profile: Profile) -> None:
        """Name a reader before its first reading; again after another kind of reader has taken its name."""
        self._profiles[reader] = profile

    def present(self, place: Place) -> tuple[Uid, ...]:
        """The tags that lie at a place, in the order of their arrival."""
        pad = self._pads.get(place)
        tags = [tag for tag in pad.tags.values() if tag.present] if pad else []
        return tuple(tag.uid for tag in sorted(tags, key=lambda tag: tag.since))

    def where(self, uid: Uid) -> Place | None:
        """Where a tag lies."""
        return self._owners.get((self._known(uid) or uid).data)

    def is_sure(self, place: Place) -> bool:
        """Whether what `present` says of a place can be relied on."""
        pad = self._pads.get(place)
        return pad is None or not pad.unsure

    def take(self, reader: str, reading: Reading, now: float) -> list[Event]:
        """What a reading of ``reader`` means. ``KeyError`` for a reader that was not added."""
        events = self.tick(now)
        match reading:
            case Seen():
                place, pad = self._pad(reader, reading.antenna)
                events += self._succeeded(place, pad)
                events += self._seen(place, pad, reading, now)
            case Listing():
                events += self._listed(reader, reading, now)
            case Gone(uid=uid, antenna=antenna):
                events += self._reported_gone(reader, uid, antenna, now)
            case Failed(why=why, antenna=antenna):
                events += self._failed(*self._pad(reader, antenna), why)
            case Health(well=well, why=why, antenna=antenna):
                place, pad = self._pad(reader, antenna)
                if well:
                    self._settle(pad, now)
                else:
                    events += self._doubt(place, pad, why)
            case Restarted(why=why):
                for place, pad in self._of(reader):
                    events += self._doubt(place, pad, why)
                    self._settle(pad, now)
            case LinkLost(why=why):
                for place, pad in self._of(reader):
                    events += self._doubt(place, pad, why)
            case LinkUp(continued=continued) if not self._profiles[reader].commanded:
                # One that must be asked says that it is well as soon as it answers.
                for _place, pad in self._of(reader):
                    self._settle(pad, now)
                    pad.believed = continued and pad.profile.presence is Presence.REPORTED
            case _:
                pass
        return events

    def tick(self, now: float) -> list[Event]:
        """What the passing of time means."""
        if self._next is None or now < self._next:
            return []
        events: list[Event] = []
        for place, pad in list(self._pads.items()):
            events += self._expire(place, pad, now)
        self._next = min((at for pad in self._pads.values() for at in _deadlines(pad)), default=None)
        return events

    def resume(self, now: float) -> None:
        """The program itself stood still (a machine that slept): what was not heard meanwhile has not
        gone."""
        for pad in self._pads.values():
            for tag in pad.tags.values():
                if tag.present:
                    tag.last = now
            if pad.settles is not None:
                pad.settles = now + max(SETTLE, pad.hold)
        self._next = now

    def _pad(self, reader: str, antenna: int) -> tuple[Place, _Pad]:
        place = Place(reader, antenna)
        pad = self._pads.get(place)
        if pad is None:
            pad = self._pads[place] = _Pad(self._profiles[reader])
        return place, pad

    def _of(self, reader: str) -> list[tuple[Place, _Pad]]:
        return [(place, pad) for place, pad in self._pads.items() if place.reader == reader]

    def _at_latest(self, at: float) -> None:
        if self._next is None or at < self._next:
            self._next = at

    # Doubt: between a lost link or a restart and the time when all that lies there has been seen again.

    def _doubt(self, place: Place, pad: _Pad, why: str) -> list[Event]:
        if pad.profile.presence is Presence.EDGE:
            return []  # nothing lies there anyway
        fresh = not pad.unsure
        pad.unsure, pad.settles = True, None
        for tag in pad.tags.values():
            tag.doubted = True
        return [Unsure(place, why)] if fresh else []

    def _settle(self, pad: _Pad, now: float) -> None:
        pad.believed = False
        if pad.unsure:
            pad.settles = now + max(SETTLE, pad.hold)
            self._at_latest(pad.settles)

    def _settled(self, place: Place, pad: _Pad, now: float) -> list[Event]:
        pad.unsure, pad.settles = False, None
        events: list[Event] = []
        for tag in list(pad.tags.values()):
            if tag.present and tag.doubted and not pad.believed:
                events += self._remove(place, pad, tag, now)
        return [*events, Settled(place)]

    # Rounds that failed.

    def _failed(self, place: Place, pad: _Pad, why: str) -> list[Event]:
        pad.failed += 1
        if pad.failed < ROUNDS or pad.disturbed:
            return []
        pad.disturbed = True
        return [Disturbed(place, f"Nothing certain is read here ({why}): do cards overlap?")]

    def _succeeded(self, place: Place, pad: _Pad) -> list[Event]:
        pad.failed = 0
        if not pad.disturbed:
            return []
        pad.disturbed = False
        return [Undisturbed(place)]

    # Tags that are seen.

    def _seen(self, place: Place, pad: _Pad, seen: Seen, now: float) -> list[Event]:
        uid, strength = seen.uid, seen.strength
        known = self._known(uid)
        if known is None and Flaw.EMPTY in flaws(uid):
            return []
        uid = known or uid
        tag = pad.tags.get(uid.data)
        if tag is None:
            tag = self._heard(pad, uid, now)
        elif known is None and not (tag.present or tag.tapped) and now > tag.first + pad.close:
            tag.first, tag.readings = now, 0
        quiet = now - tag.last
        # Frames that were held up and came together are one reading, and so are two lines about it.
        counts = tag.readings == 0 or quiet > 0
        tag.readings += counts
        tag.last, tag.misses, tag.doubted = now, 0, False
        if strength is not None:
            old = tag.strength
            tag.strength = strength if old is None else old + SMOOTH * (strength - old)
        self._at_latest(now + pad.memory if not tag.present else now + pad.hold)
        if known is None and Flaw.RANDOM in flaws(uid):
            return [Refused(uid, place, Flaw.RANDOM)] if tag.readings == 1 and quiet <= 0 and counts else []
        if seen.tap or pad.profile.presence is Presence.EDGE:
            if not self._enough(pad, tag, known is not None):
                return [Once(uid, place)] if counts else []
            return self._tapped(place, tag, known is not None, quiet, now)
        if tag.present or not self._enough(pad, tag, known is not None):
            return []
        return self._placed(place, tag, known is not None, now)

    def _heard(self, pad: _Pad, uid: Uid, now: float) -> _Tag:
        if len(pad.tags) >= MOST_HEARD:
            silent = min(
                (key for key, tag in pad.tags.items() if not tag.present),
                key=lambda key: pad.tags[key].last,
                default=None,
            )
            if silent is not None:
                del pad.tags[silent]
        tag = pad.tags[uid.data] = _Tag(uid, now, now)
        return tag

    def _tapped(self, place: Place, tag: _Tag, known: bool, quiet: float, now: float) -> list[Event]:
        if tag.tapped and quiet < REARM:
            return []
        tag.tapped = True
        return [*self._taken_from(tag.uid, place, now), Tapped(tag.uid, place, now, known)]

    def _enough(self, pad: _Pad, tag: _Tag, known: bool) -> bool:
        # A reader that reports arrivals and departures has made sure of them.
        return known or tag.readings >= 2 or pad.profile.presence is Presence.REPORTED

    def _taken_from(self, uid: Uid, place: Place, now: float) -> list[Event]:
        owner = self._owners.get(uid.data)
        if owner is None or owner == place:
            return []
        pad = self._pads[owner]
        return self._remove(owner, pad, pad.tags[uid.data], now, heir=False)

    def _placed(self, place: Place, tag: _Tag, known: bool, now: float) -> list[Event]:
        owner = self._owners.get(tag.uid.data)
        events: list[Event] = []
        if owner is not None and owner != place:
            if not self._takes_over(tag, self._pads[owner], now):
                return []
            events = self._taken_from(tag.uid, place, now)
        tag.present, tag.since = True, now
        self._owners[tag.uid.data] = place
        return [*events, Placed(tag.uid, place, now, known)]

    def _takes_over(self, new: _Tag, pad: _Pad, now: float) -> bool:
        """Whether a tag moves from the place ``pad`` to where it is heard now."""
        old = pad.tags[new.uid.data]
        if old.doubted:
            return True
        if pad.profile.presence is not Presence.REPORTED:
            patience = max(HANDOVER, MISSES * pad.profile.period)
            if now - old.last >= patience:
                return True
        if new.strength is None or old.strength is None:
            return False
        loud = new.strength >= old.strength + LOUDER
        return loud and new.readings >= LOUD_READINGS and now - old.since >= STAY

    # Tags that are no longer seen.

    def _listed(self, reader: str, listing: Listing, now: float) -> list[Event]:
        place, pad = self._pad(reader, listing.antenna)
        events = self._succeeded(place, pad)
        here: dict[bytes, None] = {}
        for uid in listing.uids:
            here[(self._known(uid) or uid).data] = None
            events += self._seen(place, pad, Seen(uid), now)
        for key, tag in list(pad.tags.items()):
            if key in here or (tag.present and tag.doubted and listing.final):
                continue
            tag.misses += 1
            over = tag.misses >= MISSES and now >= tag.last + pad.hold
            if tag.present and (listing.final or (over and not pad.unsure)):
                events += self._remove(place, pad, tag, now)
            elif listing.final:
                del pad.tags[key]
        if listing.final and pad.unsure:
            pad.believed = False
            if not any(tag.present and tag.doubted for tag in pad.tags.values()):
                events += self._settled(place, pad, now)
            elif pad.settles is None:
                # A reader that has just started needs a moment to read what lies there again.
                self._settle(pad, now)
        return events

    def _reported_gone(self, reader: str, uid: Uid | None, antenna: int, now: float) -> list[Event]:
        place, pad = self._pad(reader, antenna)
        key = None if uid is None else (self._known(uid) or uid).data
        events: list[Event] = []
        for each, tag in list(pad.tags.items()):
            if key in {None, each}:
                if tag.present:
                    events += self._remove(place, pad, tag, now)
                else:
                    del pad.tags[each]
        return events

    def _expire(self, place: Place, pad: _Pad, now: float) -> list[Event]:
        events: list[Event] = []
        if pad.settles is not None and now >= pad.settles:
            events += self._settled(place, pad, now)
        for key, tag in list(pad.tags.items()):
            if not tag.present:
                if pad.profile.presence is not Presence.REPORTED and now >= tag.last + pad.memory:
                    del pad.tags[key]
            elif pad.profile.presence is Presence.REPEATED and not pad.unsure and now >= tag.last + pad.hold:
                events += self._remove(place, pad, tag, now)
        return events

    def _remove(self, place: Place, pad: _Pad, tag: _Tag, now: float, heir: bool = True) -> list[Event]:
        del pad.tags[tag.uid.data]
        self._owners.pop(tag.uid.data, None)
        events: list[Event] = [Removed(tag.uid, place, now)]
        return events + self._inherit(tag.uid, now) if heir else events

    def _inherit(self, uid: Uid, now: float) -> list[Event]:
        """A tag that has left one place may have been heard at another all along: at the loudest, then
        longest."""
        known = self._known(uid) is not None
        heirs = [
            (-(tag.strength if tag.strength is not None else -999.0), tag.first, place, tag)
            for place, pad in self._pads.items()
            if (tag := pad.tags.get(uid.data)) is not None
            and pad.profile.presence is not Presence.EDGE
            and tag.misses == 0
            and (now < tag.last + pad.hold or pad.profile.presence is Presence.REPORTED)
            and self._enough(pad, tag, known)
        ]
        if not heirs:
            return []
        *_, place, tag = min(heirs, key=lambda heir: heir[:2])
        return self._placed(place, tag, known, now)


def _deadlines(pad: _Pad) -> Iterable[float]:
    if pad.settles is not None:
        yield pad.settles
    for tag in pad.tags.values():
        if not tag.present:
            if pad.profile.presence is not Presence.REPORTED:
                yield tag.last + pad.memory
        elif pad.profile.presence is Presence.REPEATED and not pad.unsure:
            yield tag.last + pad.hold
