"""What follows from checked contributions: the dealing after a round, and the result of an operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from engine.match import Position
from engine.table import (
    Choose,
    Coin,
    Complete,
    Completed,
    Deeds,
    Disclose,
    Done,
    Draw,
    HandOver,
    Mix,
    Move,
    Number,
    Partial,
    Pick,
    Picked,
    Result,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    Tick,
    Ticked,
)

from ..sealed import Card, Group, trivial
from .base import Checked, Close, Decision, Escrow, Keys, Recover, Reveal, Setup, Task
from .drawing import Draws, drawn_card, is_complete, with_shares
from .picks import Picking
from .placing import moved, picking, relocated, renumbered, ticking
from .recovering import recovered
from .rounds import owner_of
from .ticks import ticked

if TYPE_CHECKING:
    from .sealed import Sealed


def fold(
    dealing: Sealed, task: Task, number: int, position: Position, checked: Mapping[int, Checked]
) -> Sealed:
    """The dealing after a round. See ``Dealing.fold``."""
    match task:
        case Setup():
            keys: tuple[Keys, ...] = tuple(checked[seat] for seat in sorted(checked))
            joint = dealing.group.sum([key.card for key in keys])
            if joint == dealing.group.identity:
                raise ValueError("the card keys cancel each other out; start the game again")
            return replace(dealing, keys=keys, joint=joint)
        case Escrow():
            if number == 0:
                return replace(dealing, stash=dict(checked))
            return replace(dealing, escrow=dealing.stash, stash=None)
        case Recover():
            return recovered(dealing, task, checked)
        case Shuffle():
            (outputs,) = checked.values()
            return replace(dealing, stash=outputs)
        case Close() | Reveal():
            return dealing
        case Draw(draws):
            return replace(dealing, begun=with_shares(dealing, draws, checked))
        case Tick():
            return ticking(dealing, task, number, checked, lambda it: _with_shares(it, task.draws, checked))
        case Pick():
            return picking(dealing, dealing.rounds(task, position)[number].kind, checked)
        case _:
            return replace(dealing, stash=checked)


def _with_shares(dealing: Sealed, draws: Draws, checked: Mapping[int, Checked]) -> Sealed:
    """The shares that came along with the commitments of a tick."""
    shares = {seat: found.shares for seat, found in checked.items()}
    return replace(dealing, begun=with_shares(dealing, draws, shares))


def finish(dealing: Sealed, task: Task, position: Position) -> tuple[Result, Sealed]:
    """The result of a task. See ``Dealing.finish``."""
    match task:
        case Coin(n):
            number = dealing.coin_result(n)
            return Number(number), replace(dealing, stash=None, coins=dealing.coins + 1)
        case Shuffle(zone):
            return Done(), _renumbered(dealing, position, zone, dealing.stash)
        case Mix(zone):
            mixed = next(iter(dealing.stash.values())) if dealing.stash else None
            return Done(), _renumbered(dealing, position, zone, mixed)
        case Draw(draws):
            return Done(), _drawn(dealing, task, position, draws)
        case Tick():
            drawn = tuple((slot, seat) for slot, seat in task.draws if is_complete(dealing, slot, seat))
            result = ticked(dealing, task, drawn)
            opened = _opened(dealing, dict(zip(result.slots, result.faces, strict=True)))
            return result, _drawn(opened, result, position, result.drawn)
        case Show():
            return _shown(dealing, task, position)
        case Move():
            return Done(), moved(dealing, task, position, partial(_is_public, dealing.group))
        case HandOver() | Return():
            return Done(), relocated(dealing, task, position, _handed_over(dealing, task))
        case Pick(_, zone):
            picking: Picking = dealing.stash or Picking()
            picked = tuple(Slot(zone, n) for n in picking.positions)
            return Picked(picked), _renumbered(dealing, position, zone, picking.mixed)
        case Choose(seats):
            return _decided(dealing, seats)
        case Disclose(seat):
            shown: Shown = dealing.stash[seat]
            return shown, _opened(dealing, dict(zip(shown.slots, shown.faces, strict=True)))
        case Complete(seat):
            laid: Completed = dealing.stash[seat] if dealing.stash else Completed((), ())
            faces = {
                s: f
                for g, fs in zip(laid.groups, laid.faces, strict=True)
                for s, f in zip(g, fs, strict=True)
            }
            return laid, _opened(dealing, faces)
        case _:
            raise NotImplementedError(f"sealed dealing finishes no {type(task).__name__}")


def _decided(dealing: Sealed, seats: tuple[int, ...]) -> tuple[Deeds, Sealed]:
    seats = tuple(seat for seat in seats if seat in dealing.stash)  # others may have left meanwhile
    decisions: list[Decision] = [dealing.stash[seat] for seat in seats]
    faces = {slot: face for decision in decisions for slot, face in decision.faces.items()}
    deeds = tuple((seat, decision.deed) for seat, decision in zip(seats, decisions, strict=True))
    return Deeds(deeds, tuple(faces), tuple(faces.values())), _opened(dealing, faces)


def _renumbered(dealing: Sealed, position: Position, zone: str, mixed: tuple[Card, ...] | None) -> Sealed:
    """The zone numbered anew, with the cards as they came out of a shuffle or mix, if there was any."""
    return renumbered(dealing, position, zone, dealing.zone_cards(position, zone) if mixed is None else mixed)


def _drawn(dealing: Sealed, task: Draw | Ticked, position: Position, draws: Draws) -> Sealed:
    """Every other seat's share comes off each drawn card: what stays is masked by the drawer's key."""
    changed = {slot: drawn_card(dealing, slot, drawer) for slot, drawer in draws}
    return relocated(dealing, task, position, changed)


def _shown(dealing: Sealed, task: Show, position: Position) -> tuple[Result, Sealed]:
    places = dealing.places(task.attributes)
    given = {seat: iter(shares) for seat, shares in (dealing.stash or {}).items()}
    faces: dict[Slot, Partial] = {}
    for slot in task.slots:
        face: list[str | None] = [None] * len(dealing.deck.attributes)
        for at in places:
            cipher = dealing.cards[slot][at]
            if cipher.a == dealing.group.identity:
                point = cipher.b
            else:
                point = dealing.group.sub(
                    cipher.b, dealing.group.sum([next(shares) for shares in given.values()])
                )
            face[at] = dealing.value_at(at, point)
        faces[slot] = tuple(face)
    return Shown(tuple(faces), tuple(faces.values())), _opened(dealing, faces)


def _opened(dealing: Sealed, faces: Mapping[Slot, Partial]) -> Sealed:
    """What was opened becomes (identity, M): from now on it is public and no share is owed for it."""
    cards = dict(dealing.cards)
    for slot, face in faces.items():
        cards[slot] = tuple(
            cipher if value is None else trivial(dealing.group, points[value])
            for cipher, value, points in zip(cards[slot], face, dealing.points.points, strict=True)
        )
    return replace(dealing, cards=cards, stash=None)


def _handed_over(dealing: Sealed, task: HandOver | Return) -> dict[Slot, Card]:
    if task.slots and owner_of(task.slots) in dealing.gone:  # they lie under the joint key already
        return {slot: dealing.cards[slot] for slot in task.slots}
    outputs = iter(next(iter(dealing.stash.values())) if dealing.stash else ())
    return {
        slot: tuple(c if c.a == dealing.group.identity else next(outputs) for c in dealing.cards[slot])
        for slot in task.slots
    }


def _is_public(group: Group, card: Card) -> bool:
    return all(cipher.a == group.identity for cipher in card)
