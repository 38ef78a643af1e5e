"""Blanks: unprinted tags that stand for the sealed cards in the hands of the players at this table. Pure.

A blank is **bound** to a card when its player takes it for a card that was dealt or drawn. Which blank is
which card is that player's secret: a mix of the hand changes nothing of it, since the owner alone knows the
new order, and to everybody else a blank stays one of that hand. Only hands are made of blanks. A card that
leaves a hand for another hand at the table takes its blank along; wherever else it goes, its blank is taken
off the pad and is free for another card.

The binding follows the hands as the game has them, and the pads as they are: each `settle` does what both
agree on, and what is left between them are the differences that `Blanks.expected` leads to. So it does not
matter in which order cards are moved, what happened while the program was not running, or how often it is
called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hardware.pads import Role
from hardware.uids import Uid

from .physical import Expected, Physical

__all__ = ["OPEN", "Binding", "Blanks", "Bond", "Bound", "Freed", "Passed"]

OPEN: Final = -2
"""In place of a seat: the cards that lie open in the middle and may come into a hand again, where a game has
such cards and the table a pad for them. Everybody knows their faces."""

_AWAY: Final = -1
"""In place of a seat: off the pads."""


@dataclass(frozen=True, slots=True)
class Bond:
    """A blank and the card it stands for in the hand of a seat."""

    uid: Uid
    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Binding:
    """What has to survive the program: all bonds, in the order in which they were made; between which hands
    cards are on their way; and the blanks by which a player has decided already while the game still waits
    for others, with the verb of the decision."""

    bonds: tuple[Bond, ...] = ()
    ways: frozenset[tuple[int, int]] = frozenset()
    played: tuple[tuple[Uid, str], ...] = ()

    def of(self, seat: int) -> tuple[Bond, ...]:
        """The blanks of one hand."""
        return tuple(bond for bond in self.bonds if bond.seat == seat)

    def bond(self, uid: Uid) -> Bond | None:
        """What a blank stands for."""
        return next((bond for bond in self.bonds if bond.uid == uid), None)


@dataclass(frozen=True, slots=True)
class Bound:
    """A blank was taken for a card that has come into a hand."""

    bond: Bond


@dataclass(frozen=True, slots=True)
class Passed:
    """A blank has come to another hand, along with its card. ``giver`` is the seat that had it."""

    bond: Bond
    giver: int


@dataclass(frozen=True, slots=True)
class Freed:
    """A blank stands for nothing any more."""

    bond: Bond


@dataclass(frozen=True, slots=True)
class _Leaving:
    """What the hands lack or have too much of, compared with the binding: the blanks that leave (to a seat,
    or off the pads), and the cards of each seat that still need one, in the order of its hand."""

    to: Mapping[Uid, int]
    coming: Mapping[int, tuple[str, ...]]


class Blanks:
    """The blanks of a table. Mutable; `binding` is to be kept whenever `settle` has changed it."""

    def __init__(
        self, numbers: Mapping[Uid, str], seats: Mapping[int, Role], binding: Binding | None = None
    ) -> None:
        """``numbers`` is what is printed on each blank, ``seats`` the pad of each seat that sits at this
        table. Of a ``binding`` that names other blanks or seats, or a blank twice, the rest is taken: then
        new blanks are asked for."""
        self.numbers: Final = dict(numbers)
        self.seats: Final = dict(seats)
        self._hands: dict[int, tuple[str, ...]] = {}
        kept = {
            bond.uid: bond
            for bond in (binding.bonds if binding else ())
            if bond.uid in self.numbers and bond.seat in self.seats
        }
        self.binding = Binding(tuple(kept.values()), binding.ways if binding else frozenset())

    # --- what the game says ---------------------------------------------------------------------------------

    def hand(self, seat: int, cards: Sequence[str]) -> None:
        """The cards in the hand of a seat at this table, as texts in the order of its slots."""
        self._hands[seat] = tuple(cards)

    def passing(self, giver: int, taker: int) -> None:
        """By what was said in public, cards go from one hand to another, now or soon: their blanks go along.

        Only then: where equal cards leave one hand and come into another, that would tell what came.
        """
        if giver in self.seats and taker in self.seats:
            self.binding = replace(self.binding, ways=self.binding.ways | {(giver, taker)})

    def decided(self) -> None:
        """A seat at this table decides: what was on its way has arrived."""
        if self.binding.ways:
            self.binding = replace(self.binding, ways=frozenset())

    # --- what both agree on ---------------------------------------------------------------------------------

    def settle(self, physical: Physical) -> tuple[Bound | Passed | Freed, ...]:
        """Carry out what the hands ask for and the pads show; what was done, in order."""
        plan = self._plan(physical)
        done: list[Bound | Passed | Freed] = []
        bonds = {bond.uid: bond for bond in self.binding.bonds}
        for uid, taker in plan.to.items():
            bond, where = bonds[uid], physical.where(uid)
            if taker != _AWAY and where == self.seats[taker]:
                if physical.is_sure(self.seats[taker]):
                    del bonds[uid]
                    bonds[uid] = replace(bond, seat=taker)
                    done.append(Passed(bonds[uid], bond.seat))
            elif taker == _AWAY and where not in self.seats.values():
                del bonds[uid]
                done.append(Freed(bond))
        for seat, cards in plan.coming.items():
            role = self.seats[seat]
            if not physical.is_sure(role):
                continue
            free = [uid for uid in physical.on(role) if uid in self.numbers and uid not in bonds]
            for uid, card in zip(free, cards, strict=False):
                bonds[uid] = Bond(uid, seat, card)
                done.append(Bound(bonds[uid]))
        if done:
            self.binding = replace(self.binding, bonds=tuple(bonds.values()))
        return tuple(done)

    def expected(self, physical: Physical) -> Expected:
        """What ought to lie where, by the game and the binding."""
        plan = self._plan(physical)
        places = {
            bond.uid: self.seats[plan.to.get(bond.uid, bond.seat)]
            for bond in self.binding.bonds
            if plan.to.get(bond.uid, bond.seat) != _AWAY
        }
        wanted = {self.seats[seat]: len(cards) for seat, cards in plan.coming.items()}
        return Expected(self.numbers, places, tuple(self.seats.values()), wanted)

    @property
    def free(self) -> int:
        """How many blanks stand for nothing."""
        return len(self.numbers) - len(self.binding.bonds)

    def card(self, uid: Uid) -> Bond | None:
        """What a blank stands for, where its card is still in that hand."""
        bond = self.binding.bond(uid)
        return bond if bond and bond.card in self._hands.get(bond.seat, (bond.card,)) else None

    def own(self, seat: int) -> tuple[tuple[str, str], ...]:
        """Number and card of every blank of a hand, for its player alone."""
        return tuple((self.numbers[bond.uid], bond.card) for bond in self.binding.of(seat))

    def lose(self, uid: Uid) -> Bond | None:
        """A blank is lost or broken: another one is asked for in its place."""
        bond = self.binding.bond(uid)
        self.binding = replace(
            self.binding, bonds=tuple(each for each in self.binding.bonds if each.uid != uid)
        )
        self.numbers.pop(uid, None)
        return bond

    # --- helpers --------------------------------------------------------------------------------------------

    def _plan(self, physical: Physical) -> _Leaving:
        """Compare the binding with the hands. Of blanks with equal cards those leave that are moved already,
        so that whichever of them a player takes is the right one."""
        coming: dict[int, Counter[str]] = {}
        leaving: list[Bond] = []
        for seat in self.seats:
            bonds = self.binding.of(seat)
            hand = self._hands.get(seat)
            if hand is None:  # not heard of yet: all stays as it is
                continue
            bound = Counter(bond.card for bond in bonds)
            coming[seat] = Counter(hand) - bound
            for card, count in (bound - Counter(hand)).items():
                alike = [bond for bond in bonds if bond.card == card]
                alike.sort(key=lambda bond: self._closeness(physical, bond))
                leaving += alike[:count]
        to: dict[Uid, int] = {}
        for bond in leaving:
            takers = self._takers(bond.seat)
            taker = next((each for each in takers if coming.get(each, Counter())[bond.card] > 0), _AWAY)
            if taker != _AWAY:
                coming[taker][bond.card] -= 1
            to[bond.uid] = taker
        return _Leaving(
            to, {seat: _in_order(self._hands[seat], count) for seat, count in coming.items() if +count}
        )

    def _closeness(self, physical: Physical, bond: Bond) -> int:
        """How far a blank has come on its way out of the hand, the furthest first."""
        where = physical.where(bond.uid)
        if where == self.seats[bond.seat]:
            return 2
        return 0 if where in [self.seats[taker] for taker in self._takers(bond.seat)] else 1

    def _takers(self, giver: int) -> list[int]:
        """To which hands cards of ``giver`` may be on their way. From and to the middle they always may:
        their faces are no secret."""
        open_too = sorted(self.seats) if giver == OPEN else [OPEN]
        ways = [taker for one, taker in sorted(self.binding.ways) if one == giver]
        return [seat for seat in dict.fromkeys((*ways, *open_too)) if seat in self.seats and seat != giver]


def _in_order(hand: Iterable[str], wanted: Counter[str]) -> tuple[str, ...]:
    """The wanted cards in the order of the hand, of equal ones the last."""
    left, found = Counter(wanted), []
    for card in reversed(tuple(hand)):
        if left[card] > 0:
            left[card] -= 1
            found.append(card)
    return tuple(reversed(found))
