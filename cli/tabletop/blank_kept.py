"""What of the blanks is kept on the disk, as bytes: which blank is which card. Pure."""

from __future__ import annotations

import msgspec

from hardware.uids import Uid

from .blank_binding import Binding, Bond

__all__ = ["from_bytes", "to_bytes"]


class _Kept(msgspec.Struct, frozen=True):
    """Bonds as uid, seat and card; ways as giver and taker; played blanks as uid and verb."""

    bonds: tuple[tuple[bytes, int, str], ...]
    ways: tuple[tuple[int, int], ...] = ()
    played: tuple[tuple[bytes, str], ...] = ()


def to_bytes(binding: Binding) -> bytes:
    """The same binding always gives the same bytes."""
    return msgspec.json.encode(
        _Kept(
            tuple((bond.uid.data, bond.seat, bond.card) for bond in binding.bonds),
            tuple(sorted(binding.ways)),
            tuple((uid.data, verb) for uid, verb in binding.played),
        )
    )


def from_bytes(data: bytes) -> Binding | None:
    """The binding, or ``None`` where that is none: then blanks are taken for all cards anew."""
    try:
        kept = msgspec.json.decode(data, type=_Kept)
        return Binding(
            tuple(Bond(Uid(uid), seat, card) for uid, seat, card in kept.bonds),
            frozenset(kept.ways),
            tuple((Uid(uid), verb) for uid, verb in kept.played),
        )
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
