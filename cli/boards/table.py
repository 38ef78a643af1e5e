"""The whole table as one seat sees it, as data and in lines."""

from __future__ import annotations

from dataclasses import dataclass

from ..translation import gettext as _
from ..translation import ngettext
from .generic import GameBoard, HandGroup, Pile, SeatBox


@dataclass(frozen=True, slots=True)
class Board:
    """The whole table as one seat sees it. ``step`` is the one under way of the ``steps`` of a turn."""

    seats: tuple[SeatBox, ...]
    piles: tuple[Pile, ...]
    facts: tuple[str, ...]
    hand: tuple[HandGroup, ...]
    is_my_move: bool
    awaited: tuple[int, ...]
    steps: tuple[str, ...] = ()
    step: int = -1


def table_lines(board: Board, game: GameBoard) -> tuple[str, ...]:
    """What lies in the middle, then every player."""
    width = max(len(box.name) for box in board.seats)
    lines = [_pile_line(pile) for pile in board.piles] + list(board.facts)
    if board.steps:
        names = ", ".join(board.steps)
        lines.append(
            _("Steps of a turn: {steps}. Now: {now}.").format(steps=names, now=board.steps[board.step])
        )
    if any(box.is_turn for box in board.seats):
        lines[:1] = [(lines[0] if lines else "") + _("   (* has the turn)")]
    return (*lines, *(_seat_line(box, game, width) for box in board.seats))


def _seat_line(box: SeatBox, game: GameBoard, width: int) -> str:
    line = _("{mark} {n} {name}  {cards}").format(
        mark="*" if box.is_turn else " ",
        n=box.seat + 1,
        name=f"{box.name}{' ' * (width - len(box.name))}",
        cards=_count(box.cards),
    )
    held = "" if box.is_me else game.held(box.known)
    known = _("known to hold {cards}").format(cards=held) if held else ""
    away = f" ({_('out of reach')})" if box.is_away else ""
    parts = ", ".join(part for part in (line, box.laid, box.note, known) if part)
    return parts + (_(" (you)") if box.is_me else "") + away


def _pile_line(pile: Pile) -> str:
    if pile.cards:
        return _("{name}: {cards}").format(name=pile.name, cards=" ".join(pile.cards))
    size = _count(pile.size).strip() if pile.size else _("empty")
    return _("{name}: {cards}").format(name=pile.name, cards=size)


def _count(cards: int) -> str:
    return ngettext("{n:2} card", "{n:2} cards", cards).format(n=cards)
