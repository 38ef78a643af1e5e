"""What guests and host tell each other while a table fills, besides who sits: who is ready, and talk.

Nothing here counts: no charter holds it, and a table may start without anybody being ready. Marks and talk
stop with the proposal.
"""

from __future__ import annotations

import msgspec

from ..identity import PUBLIC_SIZE
from ..log.wire import MAX_CHAT

MAX_TALK = MAX_CHAT
"""Characters of one line of talk, as at the table."""


class Ready(msgspec.Struct, frozen=True, array_like=True, tag="ready", forbid_unknown_fields=True):
    """A seated guest's player is ready to begin, or is not any more."""

    is_ready: bool


class Marks(msgspec.Struct, frozen=True, array_like=True, tag="ready seats", forbid_unknown_fields=True):
    """Who is ready, from the host: one mark for each line of the roster sent last, in its order."""

    ready: tuple[bool, ...]


class Say(msgspec.Struct, frozen=True, array_like=True, tag="say", forbid_unknown_fields=True):
    """A seated guest says something to all."""

    text: str


class Said(msgspec.Struct, frozen=True, array_like=True, tag="said", forbid_unknown_fields=True):
    """The host passes on what the one of the identity ``public`` says, itself included; nobody has signed
    it."""

    public: bytes
    text: str


def is_well_formed(message: Ready | Marks | Say | Said, most_seats: int) -> bool:
    """Whether the sizes are right."""
    match message:
        case Say(text):
            return 0 < len(text) <= MAX_TALK
        case Said(public, text):
            return len(public) == PUBLIC_SIZE and 0 < len(text) <= MAX_TALK
        case Marks(ready):
            return 0 < len(ready) <= most_seats
        case _:
            return True
