"""What people have to do with the cards of a printed deck, because the game has gone on; and which card it
is, where nobody at the table may know it. Pure.

A card that lies face down, or that was taken out of a hand without being chosen by its owner, is **found**:
the cards there are tapped one by one, and the screen says which is the one, and never what is on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from engine.table import Zone
from hardware.pads import Role
from hardware.uids import Uid

from ..translation import gettext as _
from ..translation import ngettext
from .printed_ledger import OPEN_DRAW, Moved
from .printed_places import Places

__all__ = ["NamedCards", "Orders", "piled"]


DRAWN_FROM: Final = frozenset({OPEN_DRAW, "stock", "lake", "pile.A", "pile.B"})
LAID_OPEN: Final = frozenset({"table", "fish", "stock", "lake"})
"""Zones in which a card lies that was just drawn and laid face up."""


class NamedCards:
    """Cards of a printed deck in words that everybody may hear: those that all can see by their faces."""

    def __init__(self, name: Callable[[Uid], str], is_public: Callable[[Uid], bool]) -> None:
        self._name = name
        self._is_public = is_public

    def tags(self, uids: Sequence[Uid]) -> str:
        """See `physical_words.Naming`."""
        named = [self._name(uid) for uid in uids if self._is_public(uid)]
        hidden = len(uids) - len(named)
        if hidden:
            named.append(ngettext("{n} card", "{n} cards", hidden).format(n=hidden))
        return " ".join(named)

    def few(self, role: Role, count: int) -> str:
        """See `physical_words.Naming`. New cards are asked for one by one elsewhere."""
        raise NotImplementedError


class Orders:
    """Makes the orders of one table."""

    def __init__(self, places: Places, names: NamedCards) -> None:
        self._places: Final = places
        self._names: Final = names

    def of(
        self, moved: Iterable[Moved], public: Collection[Uid], chosen: Mapping[Zone, Counter[str]]
    ) -> tuple[list[str], dict[Uid, Zone]]:
        """Sentences for cards that change their place, and those that have to be found, with where they lie.

        ``public`` are cards that all could see before or can see now, ``chosen`` those that their own player
        has just chosen, who needs no order for what is in its own hand.
        """
        ways: dict[tuple[Zone, Zone | None, bool], list[Moved]] = {}
        left = {zone: Counter(cards) for zone, cards in chosen.items()}
        for each in moved:
            if self._is_done(each, left):
                continue
            is_known = each.uid in public and not self._places.is_box(each.source)
            by_owner = self._places.is_local(each.source) and _take(left, each)
            ways.setdefault((each.source, each.to, not (is_known or by_owner)), []).append(each)
        lines: list[str] = []
        sought: dict[Uid, Zone] = {}
        for (source, to, must_find), cards in ways.items():
            lines.append(self._line(source, to, cards, must_find))
            if must_find:
                sought |= dict.fromkeys((each.uid for each in cards), source)
        return lines, sought

    def _is_done(self, moved: Moved, chosen: Mapping[Zone, Counter[str]]) -> bool:
        """Whether a card is where it belongs without an order: it was laid open as it was drawn, or its
        player has laid it down in order to decide, where no pad would tell."""
        if moved.source in DRAWN_FROM and moved.to in LAID_OPEN:
            return True
        is_watched = self._places.role(moved.source) is not None or self._places.role(moved.to) is not None
        to_hand = moved.to is not None and (self._places.is_local(moved.to) or self._places.is_box(moved.to))
        if is_watched or to_hand or not self._places.is_local(moved.source):
            return False
        return chosen.get(moved.source, Counter())[moved.card] > 0

    def _line(self, source: Zone, to: Zone | None, cards: Sequence[Moved], must_find: bool) -> str:
        what = self._names.tags([each.uid for each in cards])
        fields = {"what": what, "source": self._places.name(source), "to": self._places.name(to)}
        text = _("Move {what} from {source} to {to}.").format(**fields)
        if not must_find:
            return text
        if self._places.is_local(source):
            how = _("Tap the cards of that hand one by one until it is found.")
        elif self._places.role(source) is not None:
            how = _("Lift or tap the cards there one by one, without looking, until it is found.")
        else:
            how = _("Tap the cards there one by one, without looking, until it is found.")
        return f"{text} {how}"


def piled(before: Mapping[Zone, int], now: Mapping[Zone, int], places: Places) -> list[str]:
    """Orders for cards that nobody has seen and that go from one pile to another, by how many lie where."""
    change = {zone: now.get(zone, 0) - before.get(zone, 0) for zone in {*before, *now}}
    grown = [zone for zone in sorted(change) if change[zone] > 0]
    source = min(change, key=lambda zone: change[zone], default=None)
    if not grown or source is None or change[source] >= 0:
        return []
    text = ngettext(
        "Move {n} card face down from {source} to {to}.",
        "Move {n} cards face down from {source} to {to}.",
        sum(change[zone] for zone in grown),
    )
    return [text.format(n=change[zone], source=places.name(source), to=places.name(zone)) for zone in grown]


def _take(left: Mapping[Zone, Counter[str]], moved: Moved) -> bool:
    cards = left.get(moved.source)
    if cards is None or cards[moved.card] <= 0:
        return False
    cards[moved.card] -= 1
    return True
