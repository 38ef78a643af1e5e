"""Where each card of a printed deck belongs: its tag, and the zone of the game that the card is in. Pure.

The table's machine knows the face of every card that was scanned. Cards with equal faces are equal, also on a
real table: which of their tags stands for which of them is chosen here, and may be exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from engine.table import Zone
from hardware.uids import Uid

__all__ = ["OPEN_DRAW", "Contents", "Ledger", "Moved"]

Contents = Mapping[Zone, Counter[str]]
"""The cards of each zone that were scanned or lie open, by their texts."""

OPEN_DRAW: Zone = ""
"""In place of a zone: the card is laid face up, wherever the game puts it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A card that changes its zone; ``to`` is ``None`` where it goes back into a pack that nobody knows."""

    uid: Uid
    card: str
    source: Zone
    to: Zone | None


class Ledger:
    """See the module's text. Mutable."""

    def __init__(self, faces: Mapping[Uid, str], kept: Mapping[Uid, Zone] | None = None) -> None:
        """``faces`` is what is printed on the card of each tag; ``kept`` the zones of an earlier run."""
        self._faces = dict(faces)
        self.faces: Mapping[Uid, str] = self._faces
        self._zones = {uid: zone for uid, zone in (kept or {}).items() if uid in self._faces}

    @property
    def zones(self) -> Mapping[Uid, Zone]:
        """The zone of each card that is in play."""
        return self._zones

    def face(self, uid: Uid) -> str:
        """What is printed on a card."""
        return self._faces[uid]

    def zone(self, uid: Uid) -> Zone | None:
        """The zone of a card; ``None`` while it is in a pack."""
        return self._zones.get(uid)

    def of(self, zone: Zone) -> tuple[Uid, ...]:
        """The cards of a zone."""
        return tuple(uid for uid, there in self._zones.items() if there == zone)

    def follow(
        self,
        contents: Contents,
        dealt: Mapping[Uid, Zone],
        lies: Callable[[Uid, Zone], bool] = lambda _uid, _zone: False,
    ) -> tuple[list[Moved], list[Uid]]:
        """The game has gone on: the cards that change their zone, and those that have come into play.

        ``dealt`` are the cards that were tapped, with the zones that they were tapped for; ``lies`` says
        whether a tag lies where the cards of a zone do, which decides between equal ones.
        """
        need = {zone: Counter(cards) for zone, cards in contents.items()}
        before = dict(self._zones)
        sure_first = sorted(before, key=lambda uid: not lies(uid, before[uid]))
        loose = [uid for uid in sure_first if not _taken(need, before[uid], self._faces[uid])]
        moved = [self._moved(uid, need, lies) for uid in loose]
        come = self._come(need, dealt, lies)
        for uid in come:  # dealt, and on its way already
            source = dealt.get(uid, OPEN_DRAW)
            if source != self._zones[uid] and uid in dealt:
                moved.append(Moved(uid, self._faces[uid], source, self._zones[uid]))
        return moved, come

    def exchange(self, one: Uid, other: Uid) -> None:
        """Two cards with equal faces: each is taken for the other."""
        assert self._faces[one] == self._faces[other]
        zone, other_zone = self._zones.pop(one, None), self._zones.pop(other, None)
        if other_zone is not None:
            self._zones[one] = other_zone
        if zone is not None:
            self._zones[other] = zone

    def settle(
        self, lies: Callable[[Uid, Zone], bool], zones: Collection[Zone], but: Collection[Uid] = ()
    ) -> None:
        """Of cards with equal faces each is where it lies, as far as the ``zones`` have pads that tell."""
        for uid in list(self._zones):
            zone = self._zones[uid]
            if zone not in zones or lies(uid, zone) or uid in but:
                continue
            for other in [other for other in self._zones if self._faces[other] == self._faces[uid]]:
                if self._zones[other] != zone and other not in but and lies(other, zone):
                    self.exchange(uid, other)
                    break

    def _moved(self, uid: Uid, need: Mapping[Zone, Counter[str]], lies: Callable[[Uid, Zone], bool]) -> Moved:
        face, source = self._faces[uid], self._zones[uid]
        candidates = [zone for zone, cards in need.items() if cards[face] > 0]
        to = min(candidates, key=lambda zone: (not lies(uid, zone), _way(source, zone)), default=None)
        if to is None:
            del self._zones[uid]
        else:
            need[to][face] -= 1
            self._zones[uid] = to
        return Moved(uid, face, source, to)

    def _come(
        self,
        need: Mapping[Zone, Counter[str]],
        dealt: Mapping[Uid, Zone],
        lies: Callable[[Uid, Zone], bool],
    ) -> list[Uid]:
        """Tags for the cards that have none yet: those tapped for them, or (when a game goes on and nothing
        was kept) any free ones with these faces."""
        come = []
        for zone, cards in need.items():
            for face in [face for face, count in cards.items() for _ in range(count)]:
                free = [uid for uid in self._faces if self._faces[uid] == face and uid not in self._zones]

                def rank(uid: Uid, zone: Zone = zone) -> tuple[int, bool]:
                    wish = dealt.get(uid)
                    return (0 if wish == zone else 1 if wish == OPEN_DRAW else 2), not lies(uid, zone)

                if free:
                    best = min(free, key=rank)
                    self._zones[best] = zone
                    come.append(best)
        return come


def _way(source: Zone, to: Zone) -> int:
    """How likely it is that a card goes this way, and not its equal: what lies before a seat comes from that
    seat."""
    seat, other = source.partition(".")[2], to.partition(".")[2]
    if not other or to.startswith("hand."):
        return 1
    return 0 if seat == other else 2


def _taken(need: Mapping[Zone, Counter[str]], zone: Zone, face: str) -> bool:
    """Take a card of what a zone needs, if it needs it."""
    cards = need.get(zone)
    if cards is None or cards[face] <= 0:
        return False
    cards[face] -= 1
    return True
