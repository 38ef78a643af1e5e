"""Facts about seats that games share: what is dealt to them, who comes next, who has left, who has won."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any

from ..contract import BadAction
from ..message import Message, printable
from ..table import Draw, Slot, Table, Zone, hand_of


def books_of(seat: int) -> Zone:
    """Where a seat's laid groups lie."""
    return f"books.{seat}"


def deal(slots: Iterable[Slot], seats: int, count: int) -> Draw:
    """``count`` cards for each seat, one at a time from the first seat on, as far as ``slots`` go."""
    order = [seat for _ in range(count) for seat in range(seats)]
    return Draw(tuple(zip(slots, order, strict=False)))


@lru_cache(maxsize=64)
def clockwise(seats: int, first: int) -> tuple[int, ...]:
    """All seats, ``first`` first."""
    return tuple([(first + n) % seats for n in range(seats)])


def present(seats: int, seat: int, gone: Collection[int]) -> int:
    """The first seat from this one on that has not left; not all have."""
    return next(other for other in clockwise(seats, seat) if other not in gone)


def leavers(table: Table, gone: Sequence[int]) -> list[int]:
    """Seats that have left, with cards that are still to go back."""
    return [seat for seat in gone if table.size(hand_of(seat))]


def winners(scores: Sequence[Any], gone: Collection[int]) -> tuple[int, ...]:
    """The seats with the highest score of those that have not left; all of them where they tie."""
    staying = [seat for seat in range(len(scores)) if seat not in gone]
    best = max([scores[seat] for seat in staying])
    return tuple([seat for seat in staying if scores[seat] == best])


def seat_named(word: str, labels: tuple[str, ...]) -> int:
    """The seat with this label, or the only one whose label differs in case; else ``BadAction``."""
    if word in labels:
        return labels.index(word)
    folded = [label.casefold() for label in labels]
    if folded.count(word.casefold()) != 1:
        raise BadAction(
            Message(
                "There is no player {name} here; there are {names}.",
                name=printable(word, 30),
                names=", ".join(labels),
            )
        )
    return folded.index(word.casefold())
