"""What a table with a printed deck keeps on its machine, to go on after its program has ended. Pure."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.table import Slot, Zone
from hardware.uids import Uid

from .printed_dealing import Draw

__all__ = ["Kept", "from_bytes", "to_bytes"]


class Kept(msgspec.Struct, frozen=True):
    """The zones of the cards in play, the cards that were tapped and not dealt, and the cuts that were made:
    zone, how many cards on top went beneath, of how many."""

    zones: tuple[tuple[str, Zone], ...] = ()
    given: tuple[tuple[Zone, int, int, str], ...] = ()
    cuts: tuple[tuple[Zone, int, int], ...] = ()

    def places(self) -> dict[Uid, Zone]:
        """The zone of each tag."""
        return {Uid(bytes.fromhex(uid)): zone for uid, zone in self.zones}

    def draws(self) -> dict[Draw, Uid]:
        """The tag that was tapped for each draw."""
        return {(Slot(zone, n), seat): Uid(bytes.fromhex(uid)) for zone, n, seat, uid in self.given}


_NOTHING: Final = Kept()


def to_bytes(kept: Kept) -> bytes:
    """As it is written to the disk."""
    return msgspec.json.encode(kept)


def from_bytes(data: bytes) -> Kept:
    """As it was read; nothing where it cannot be: cards are then known by their faces, and asked for anew."""
    try:
        kept = msgspec.json.decode(data, type=Kept)
        kept.places(), kept.draws()
    except (msgspec.DecodeError, ValueError, RecursionError):
        return _NOTHING
    return kept
