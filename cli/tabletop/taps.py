"""From events of `hardware` to touches: what the tag is, and what the pad is for. Pure."""

from __future__ import annotations

from hardware.events import (
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
from hardware.pads import Pads
from hardware.readers import Unclear
from hardware.tags import Ambiguous, Book, Tag
from hardware.uids import Uid

from ..language import said
from ..translation import gettext as _
from .base import Kind, Lift, Touch, Trouble

News = Touch | Lift | Trouble


def meaning(event: Event, book: Book, pads: Pads) -> News | None:
    """What an event means at this table; ``None`` for one that means nothing to a player."""
    role = pads.get(event.place)
    match event:
        case Placed(uid, place, at) | Tapped(uid, place, at):
            found = book.find(uid)
            if isinstance(found, Ambiguous):
                names = [tag.name for tag in found.tags[:2]]
                why = _("This reader cannot tell {first} from {second}: use another one.")
                return Trouble(Kind.UNCLEAR, place, role, why.format(first=names[0], second=names[1]))
            tag = None if found is None else found.tag
            return Touch(uid, tag, place, role, at, isinstance(event, Placed))
        case Removed(uid, place, at):
            return Lift(uid, tag_of(book, uid), place, role, at)
        case Once(place=place):
            return Trouble(Kind.UNCLEAR, place, role, _("This tag is not enrolled: tap it again to be sure."))
        case Refused(place=place, flaw=flaw):
            return Trouble(Kind.REFUSED, place, role, said(flaw.value))
        case Disturbed(place=place, why=why):
            return Trouble(Kind.DISTURBED, place, role, said(why))
        case Undisturbed(place=place):
            return Trouble(Kind.UNDISTURBED, place, role)
        case Unsure(place=place, why=why):
            return Trouble(Kind.UNSURE, place, role, said(why))
        case Settled(place=place):
            return Trouble(Kind.SETTLED, place, role)


def pad_event(trouble: Trouble) -> Event | None:
    """The event of a pad that a trouble was made of; ``None`` for one that is about a single tag."""
    match trouble.kind:
        case Kind.UNSURE:
            return Unsure(trouble.place, trouble.why)
        case Kind.SETTLED:
            return Settled(trouble.place)
        case Kind.DISTURBED:
            return Disturbed(trouble.place, trouble.why)
        case Kind.UNDISTURBED:
            return Undisturbed(trouble.place)
        case _:
            return None


def tag_of(book: Book, uid: Uid) -> Tag | None:
    """The tag that a reader means by ``uid``, if it means exactly one."""
    found = book.find(uid)
    return None if found is None or isinstance(found, Ambiguous) else found.tag


def unclear(reading: Unclear, reader: str, pads: Pads) -> Trouble:
    """A tag that was read, but not for certain which."""
    place = Place(reader, reading.antenna)
    return Trouble(Kind.UNCLEAR, place, pads.get(place), said(reading.why))
