"""Lies about cards that are laid or swapped in: One Fish pairs, Casino swaps and sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from engine.table import Choose, Complete, Deed

from ..deal.giving import Giver
from ..log.codec import encode, pack, unpack
from .answers import bends_opening
from .base import Attack, Change, Lie
from .games import CASINO, DEALER, FISH, LAID, ONE_FISH
from .judging import lie
from .liar import at, held, honest, with_false_claims


def laying(change: Change) -> Lie:
    """At a decision that opens cards."""
    return at(Choose, lambda g, task, deed, body: change(g, task, deed, body) if deed.shown else None)


def _shows(numbers: Callable[[Giver, Deed], tuple[int, ...]]) -> Change:
    """Names other cards of the hand than it opens."""

    def change(giver: Giver, task: Any, deed: Deed, body: bytes) -> bytes | None:
        false = replace(deed, shown=numbers(giver, deed))
        if false == deed or _hidden(giver, false) not in (0, _hidden(giver, deed)):
            return None
        return pack([encode(false), *unpack(body)[1:]])

    return change


def _hidden(giver: Any, deed: Deed) -> int:
    """How many shares open the cards of a deed; none of cards that it does not hold."""
    slots = [slot for slot in held(giver) if slot.n in deed.shown]
    return len(giver.dealing.firsts(tuple(slots))) if len(slots) == len(deed.shown) else 0


def _swapped(giver: Any, deed: Deed) -> tuple[int, ...]:
    other = [slot.n for slot in held(giver) if slot.n not in deed.shown]
    return (*deed.shown[:-1], other[0]) if other else deed.shown


def _no_pair(giver: Giver, task: Any, deed: Deed, body: bytes) -> bytes | None:
    numbers = _swapped(giver, deed)
    false = replace(deed, shown=numbers)
    shown = {slot: face for slot, face in held(giver).items() if slot.n in numbers}
    if len(shown) < len(numbers) or giver.position.refuse(giver.place.seat, false, shown) is None:
        return None
    return honest(giver, task, 0, false)


def _settles(change: Change) -> Lie:
    """At a settle that owes a claim."""

    def changed(giver: Giver, task: Complete, deed: Deed, body: bytes) -> bytes | None:
        owed = giver.dealing.claims_on_rest(task, giver.position, ())
        return change(giver, task, deed, body) if owed else None

    return at(Complete, changed)


def _other_slot(giver: Any, deed: Deed) -> tuple[int, ...]:
    return (*deed.shown[:-1], 99)


ATTACKS: Final[tuple[Attack, ...]] = (
    lie(
        "lays-foreign-card",
        "Lays or swaps a card that is not in its hand.",
        "CHEATS 27, PP-13",
        LAID,
        laying(_shows(_other_slot)),
        says="not in its",
    ),
    lie(
        "lays-one-card-twice",
        "Lays one card as both cards of a pair.",
        "CHEATS 3, 21",
        {ONE_FISH: FISH},
        laying(_shows(lambda giver, deed: (deed.shown[0],) * len(deed.shown))),
        says="not in its hand",
    ),
    lie(
        "swapped-after-commit",
        "Opens one card and names another, to swap it at the last moment.",
        "CHEATS 23",
        LAID,
        laying(_shows(_swapped)),
        says="does not hold",
    ),
    lie(
        "lays-as-other",
        "Opens a card that it lays as another one.",
        "CHEATS 23, 38",
        LAID,
        laying(bends_opening),
        says="does not hold",
    ),
    lie(
        "lays-no-pair",
        "Lays two cards, truly opened, that are no pair.",
        "OF-PAIRATTR, B18",
        {ONE_FISH: FISH},
        laying(_no_pair),
        says="rules refuse",
    ),
    lie(
        "hidden-set",
        "Imitates the proof that it completed no set, so that it may hold one back.",
        "CHEATS 24, PP-06",
        {CASINO: DEALER},
        _settles(lambda g, task, deed, body: with_false_claims(g, task, 0, Deed("lay"))),
        says="at-most",
    ),
    lie(
        "no-set-without-proof",
        "Leaves out the proof that it completed no set.",
        "CHEATS 24, PP-06",
        {CASINO: DEALER},
        _settles(lambda g, task, deed, body: pack(unpack(body)[:2]) if len(unpack(body)) > 2 else None),
        says="claims are owed",
    ),
)
