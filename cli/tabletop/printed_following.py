"""The cards of a printed deck follow the game: what is to be moved, which card it is where nobody may know
it, and what lies otherwise than it should. Pure; the clock is an argument."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.cards import Face
from engine.contract import Action, View
from engine.table import Slot, Zone, hand_of, is_whole
from hardware.events import Event
from hardware.pads import POOL, Role
from hardware.uids import Uid

from ..translation import gettext as _
from .base import Feedback, Output, Say, Setting, Signal, Touch
from .physical import Expected, Missing, Physical, Recovery, Surplus, Told
from .physical_words import pad_name, put_right, right_again
from .printed_ledger import Contents, Ledger
from .printed_orders import NamedCards, Orders, piled
from .printed_places import Places

__all__ = ["Following"]

TIME_TO_MOVE: Final = 8.0
"""Seconds that a card which the game has just moved may take to its new pad before it is asked for again: the
order for it was told, and several may have to be found."""

ON_ITS_WAY: Final = 4.0
"""Seconds in which a card that was found may touch other pads without being asked for: as long as it takes to
carry it across a table."""


class Following:
    """See the module's text. Mutable."""

    def __init__(
        self, setting: Setting, places: Places, ledger: Ledger, dealt: Callable[[], Mapping[Uid, Zone]]
    ) -> None:
        """``dealt``: the cards that were tapped and are not in play yet, with the zones they are for."""
        self.ledger: Final = ledger
        self._dealt = dealt
        self.physical: Final = Physical(setting.pads)
        self._setting = setting
        self._places = places
        self._recovery = Recovery(self.physical)
        self._names = NamedCards(self._face, self._is_open)
        self._orders = Orders(places, self._names)
        self._public: set[Uid] = set()
        self._seen: set[Uid] = set()
        # Where each card lies until it is found, whatever the game does with it meanwhile.
        self._sought: dict[Uid, Zone] = {}
        self._moving: dict[Uid, float] = {}
        self._tapped: set[Uid] = set()
        self._coming: set[Uid] = set()
        self._found_at: dict[Uid, float] = {}
        self._chosen: dict[Zone, Counter[str]] = {}
        self._contents: dict[Zone, Counter[str]] | None = None
        self._unseen: dict[Zone, int] = {}
        self._complained = False

    # --- the game ---------------------------------------------------------------------------------------

    def saw(
        self,
        now: float,
        view: View[Any],
        cards: Sequence[tuple[Slot, Face]],
    ) -> tuple[list[Output], list[Uid]]:
        """The game has gone on: what is to be done, and the cards that have come into play."""
        contents: dict[Zone, Counter[str]] = {}
        for slot, face in cards:
            contents.setdefault(slot.zone, Counter())[view.deck.text(face)] += 1
        unseen = _unseen(view, contents)
        if contents == self._contents and unseen == self._unseen:
            self._public = self._known(view)
            return [], []
        is_first = self._contents is None
        before, self._contents, self._unseen = self._unseen, contents, unseen
        self._seen = self._public
        moved, come = self.ledger.follow(contents, self._dealt(), self._lies)
        self._public = self._known(view)
        fresh = [move for move in moved if move.uid not in self._sought]
        lines, sought = self._orders.of(fresh, self._public | self._seen, self._chosen)
        self._seen = set()
        if moved:
            self._chosen.clear()
        if not is_first:
            lines += piled(before, unseen, self._places)
        for each in [*(move.uid for move in moved), *come]:
            self._moving[each] = now + TIME_TO_MOVE
            self._coming.add(each)
        self._sought |= sought
        return [*map(Say, lines), *self.look(now, is_news=True)], come

    def chose(self, seat: int, action: Action) -> None:
        """A player of this table has decided, with these cards of its own."""
        words = [word for text in action.cards for word in text.replace("=", "+").split("+")]
        self._chosen[hand_of(seat)] = Counter(words)
        self._tapped.clear()

    def _known(self, view: View[Any]) -> set[Uid]:
        """The cards whose faces all can see."""
        known: dict[Zone, Counter[str]] = {}
        for slot, face in view.state.table.known.items():
            if is_whole(face):
                known.setdefault(slot.zone, Counter())[view.deck.text(face)] += 1
        found = set()
        for uid, zone in self.ledger.zones.items():
            face = self.ledger.face(uid)
            if known.get(zone, Counter())[face] > 0:
                known[zone][face] -= 1
                found.add(uid)
        return found

    # --- the pads ---------------------------------------------------------------------------------------

    def event(self, now: float, event: Event) -> list[Output]:
        """Something happened on a pad."""
        self.physical.take(event)
        return self.look(now)

    def tapped(self, uid: Uid) -> None:
        """A card was held to a pad in order to tap it, and is on its way back."""
        self._tapped.add(uid)

    def taken_for(self, uid: Uid, seats: Sequence[int]) -> Zone | None:
        """A card that should be out of play is tapped by somebody who holds the same one: of two that are
        equal the other one was laid down. The hand that it is in, then."""
        for seat in seats:
            for other in self.ledger.of(hand_of(seat)):
                if self.ledger.face(other) == self.ledger.face(uid) and not self._lies(other, hand_of(seat)):
                    self.ledger.exchange(uid, other)
                    return hand_of(seat)
        return None

    def came_home(self, uid: Uid) -> bool:
        """Whether a card that has just gone to a hand is touched at its pad for the first time. It is on its
        way no more."""
        self._found_at.pop(uid, None)
        if uid in self._coming:
            self._coming.discard(uid)
            return True
        return False

    def was_found(self, now: float, uid: Uid) -> bool:
        """Whether a card has just been lifted and found, so that it is on its way; not where one is looked
        for again meanwhile at the place it goes to."""
        is_late = self._found_at.pop(uid, now - ON_ITS_WAY) <= now - ON_ITS_WAY
        place = self._sought.get(uid, self.ledger.zone(uid))
        return not is_late and place not in self._sought.values()

    def found_before(self, touch: Touch, uid: Uid) -> list[Output]:
        """A card that was just found is tapped while others are looked for: it was put where those lie, by
        somebody who was told to move it there first."""
        if not self.is_seeking:
            return []
        return self._no(touch, self._elsewhere(uid))

    @property
    def wake(self) -> float | None:
        """When ``look`` wants to be called."""
        times = [time for time in (self._recovery.wake, *self._moving.values()) if time is not None]
        return min(times, default=None)

    def look(self, now: float, is_news: bool = False) -> list[Output]:
        """Compare what lies on the pads with what should lie there."""
        self.ledger.settle(self._lies, self._places.roles, self._sought)
        places = {}
        for uid, zone in self.ledger.zones.items():
            role = self._places.role(zone)
            if role is not None:
                places[uid] = role
                if self.physical.where(uid) == role:
                    self._moving.pop(uid, None)
                    self._tapped.discard(uid)
        self._moving = {uid: due for uid, due in self._moving.items() if due > now}
        loose = {*self._moving, *self._tapped, *self._sought, *self._dealt()}
        tags = [uid for uid in self.ledger.faces if uid not in loose]
        expected = Expected(tags, places, self._places.lying, loose=loose)
        told = self._recovery.look(now, expected, is_news)
        if told is None and self._complained and self._recovery.is_right:
            told = Told(())  # put right by way of another difference, which was not told
        return [] if told is None else self._tell(told)

    def _tell(self, told: Told) -> list[Output]:
        if not told.differences:
            complained, self._complained = self._complained, False
            return [Say(right_again())] if complained else []
        self._complained = True
        lines = list(put_right(told.differences, self._names))
        if any(self._is_hidden(each) for each in told.differences):
            lines.append(
                _("Where it could be several cards, lift them one by one: it is said which is meant.")
            )
        return [*map(Say, lines)]

    def _is_hidden(self, difference: object) -> bool:
        """Whether nobody knows which of the cards on a pad a difference is about."""
        match difference:
            case Missing(uid, now=Role()) | Surplus(uid):
                return not self._is_open(uid)
            case _:
                return False

    # --- what is wrong, and what is looked for ------------------------------------------------------------

    def what_to_do(self) -> tuple[str, ...]:
        """What has to be done before somebody at this table can decide; nothing where all is well."""
        return (*put_right(self._recovery.told, self._names), *self.looked_for())

    def looked_for(self) -> tuple[str, ...]:
        """Which cards are looked for, and where."""
        text = _(
            "Tap the cards of {source} one by one: {what} is looked for. "
            "found: it is where it belongs already."
        )
        by_source: dict[Zone, list[Uid]] = {}
        for uid, source in self._sought.items():
            by_source.setdefault(source, []).append(uid)
        return tuple(
            text.format(source=self._places.name(source), what=self._names.tags(uids))
            for source, uids in by_source.items()
        )

    @property
    def is_seeking(self) -> bool:
        """Whether cards are looked for."""
        return bool(self._sought)

    def skip(self) -> list[Output]:
        """Those who look for a card say that it is where it belongs."""
        self._sought.clear()
        return [Say(_("Then it counts as found."))]

    def tried(self, touch: Touch, uid: Uid, is_lifted: bool = False) -> list[Output] | None:
        """A card was tapped, or lifted off its pad: whether it is one that is looked for. ``None`` where that
        is not asked."""
        place = self._sought.get(uid, self.ledger.zone(uid))
        match = uid if uid in self._sought else self._equal(uid, place)
        if match is not None:
            if is_lifted:
                self._found_at[uid] = touch.at
            return self._found(touch, uid, match)
        if place in self._sought.values():
            return self._no(touch, _("That is not it: put it back."))
        if not is_lifted or touch.role is None:
            return None
        if any(self._places.role(source) == touch.role for source in self._sought.values()):
            return self._no(touch, self._elsewhere(uid))
        return self._corrected(touch, uid)

    def _equal(self, uid: Uid, place: Zone | None) -> Uid | None:
        """A card that is sought and that is the same as ``uid``, which lies where it is looked for."""
        return next(
            (
                each
                for each, source in self._sought.items()
                if source == place and self.ledger.face(each) == self.ledger.face(uid)
            ),
            None,
        )

    def _found(self, touch: Touch, uid: Uid, match: Uid) -> list[Output]:
        del self._sought[match]
        if match != uid:
            self.ledger.exchange(uid, match)
        self._coming.add(uid)
        self._moving[uid] = touch.at + TIME_TO_MOVE
        text = _("That is it: it goes to {place}.").format(place=self._places.name(self.ledger.zone(uid)))
        return [Say(text), Signal(touch.place, Feedback.ACCEPTED)]

    def _corrected(self, touch: Touch, uid: Uid) -> list[Output] | None:
        """A card is lifted from a pad on which one lies that does not belong there."""
        wrong = {
            each.uid
            for each in self._recovery.told
            if (isinstance(each, Surplus) and each.role == touch.role)
            or (isinstance(each, Missing) and each.now == touch.role)
        }
        if not wrong or all(map(self._is_open, wrong)):
            return None
        if uid in wrong:
            role = self._places.role(self.ledger.zone(uid))
            place = pad_name(role) if role is not None else self._places.name(self.ledger.zone(uid))
            return [Say(_("That is it: it goes to {place}.").format(place=place))]
        return self._no(touch, _("That is not it: put it back."))

    # --- helpers ----------------------------------------------------------------------------------------

    def _lies(self, uid: Uid, zone: Zone) -> bool:
        role = self._places.role(zone)
        return role is not None and self.physical.where(uid) == role

    def _is_open(self, uid: Uid) -> bool:
        """Whether all can see a card, or have just seen it."""
        return uid in self._public or uid in self._seen or self.physical.where(uid) == POOL

    def _elsewhere(self, uid: Uid) -> str:
        return _("Not that one, but it goes to {place}.").format(
            place=self._places.name(self.ledger.zone(uid))
        )

    def _face(self, uid: Uid) -> str:
        return self._setting.glyphs.card(self.ledger.face(uid))

    @staticmethod
    def _no(touch: Touch, text: str) -> list[Output]:
        return [Say(text), Signal(touch.place, Feedback.REFUSED)]


def _unseen(view: View[Any], contents: Contents) -> dict[Zone, int]:
    """How many cards of each pile nobody has scanned, hands apart; of those under way to a hand, too."""
    sizes = {zone: len(slots) for zone, slots in view.state.table.zones.items()}
    return {
        zone: size - sum(contents.get(zone, Counter()).values())
        for zone, size in sizes.items()
        if not zone.startswith("hand.")
    }
