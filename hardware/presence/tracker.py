"""The tracker of all places: what each reading, and the passing of time, means."""

from __future__ import annotations

from collections.abc import Callable

from ..events import (
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
from ..readers.base import (
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
from ..uids import Flaw, Uid, flaws
from .memory import MISSES, REARM, HeardTag, Pad

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
"""So that a card that lies between two antennas does not go to and fro with every reading."""

SMOOTH = 0.3
"""Weight of a new strength in the running mean: the last five readings or so count."""

ROUNDS = 5
"""Failed rounds in a row before people are told: one or two happen whenever a hand passes."""


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
        self._pads: dict[Place, Pad] = {}
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
        self._next = min((at for pad in self._pads.values() for at in pad.deadlines()), default=None)
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

    def _pad(self, reader: str, antenna: int) -> tuple[Place, Pad]:
        place = Place(reader, antenna)
        pad = self._pads.get(place)
        if pad is None:
            pad = self._pads[place] = Pad(self._profiles[reader])
        return place, pad

    def _of(self, reader: str) -> list[tuple[Place, Pad]]:
        return [(place, pad) for place, pad in self._pads.items() if place.reader == reader]

    def _at_latest(self, at: float) -> None:
        if self._next is None or at < self._next:
            self._next = at

    # Doubt: between a lost link or a restart and the time when all that lies there has been seen again.

    def _doubt(self, place: Place, pad: Pad, why: str) -> list[Event]:
        if pad.profile.presence is Presence.EDGE:
            return []  # nothing lies there anyway
        fresh = not pad.unsure
        pad.unsure, pad.settles = True, None
        for tag in pad.tags.values():
            tag.doubted = True
        return [Unsure(place, why)] if fresh else []

    def _settle(self, pad: Pad, now: float) -> None:
        pad.believed = False
        if pad.unsure:
            pad.settles = now + max(SETTLE, pad.hold)
            self._at_latest(pad.settles)

    def _settled(self, place: Place, pad: Pad, now: float) -> list[Event]:
        pad.unsure, pad.settles = False, None
        events: list[Event] = []
        for tag in list(pad.tags.values()):
            if tag.present and tag.doubted and not pad.believed:
                events += self._remove(place, pad, tag, now)
        return [*events, Settled(place)]

    # Rounds that failed.

    def _failed(self, place: Place, pad: Pad, why: str) -> list[Event]:
        pad.failed += 1
        if pad.failed < ROUNDS or pad.disturbed:
            return []
        pad.disturbed = True
        return [Disturbed(place, f"Nothing certain is read here ({why}): do cards overlap?")]

    def _succeeded(self, place: Place, pad: Pad) -> list[Event]:
        pad.failed = 0
        if not pad.disturbed:
            return []
        pad.disturbed = False
        return [Undisturbed(place)]

    # Tags that are seen.

    def _seen(self, place: Place, pad: Pad, seen: Seen, now: float) -> list[Event]:
        uid, strength = seen.uid, seen.strength
        known = self._known(uid)
        if known is None and Flaw.EMPTY in flaws(uid):
            return []
        uid = known or uid
        tag = pad.tags.get(uid.data)
        if tag is None:
            tag = pad.heard(uid, now)
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
            if not pad.enough(tag, known is not None):
                return [Once(uid, place)] if counts else []
            return self._tapped(place, tag, known is not None, quiet, now)
        if tag.present or not pad.enough(tag, known is not None):
            return []
        return self._placed(place, tag, known is not None, now)

    def _tapped(self, place: Place, tag: HeardTag, known: bool, quiet: float, now: float) -> list[Event]:
        if tag.tapped and quiet < REARM:
            return []
        tag.tapped = True
        return [*self._taken_from(tag.uid, place, now), Tapped(tag.uid, place, now, known)]

    def _taken_from(self, uid: Uid, place: Place, now: float) -> list[Event]:
        owner = self._owners.get(uid.data)
        if owner is None or owner == place:
            return []
        pad = self._pads[owner]
        return self._remove(owner, pad, pad.tags[uid.data], now, heir=False)

    def _placed(self, place: Place, tag: HeardTag, known: bool, now: float) -> list[Event]:
        owner = self._owners.get(tag.uid.data)
        events: list[Event] = []
        if owner is not None and owner != place:
            if not self._takes_over(tag, self._pads[owner], now):
                return []
            events = self._taken_from(tag.uid, place, now)
        tag.present, tag.since = True, now
        self._owners[tag.uid.data] = place
        return [*events, Placed(tag.uid, place, now, known)]

    def _takes_over(self, new: HeardTag, pad: Pad, now: float) -> bool:
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

    def _expire(self, place: Place, pad: Pad, now: float) -> list[Event]:
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

    def _remove(self, place: Place, pad: Pad, tag: HeardTag, now: float, heir: bool = True) -> list[Event]:
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
            and pad.enough(tag, known)
        ]
        if not heirs:
            return []
        *_, place, tag = min(heirs, key=lambda heir: heir[:2])
        return self._placed(place, tag, known, now)
