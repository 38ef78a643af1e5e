"""A printed deck on the table: the cards that people hold are the cards of the game.

They are dealt by tapping them, one by one, and this machine scans them for all players; those of people far
away lie face down on their pads or in boxes of their own. People at the table decide by tapping their own
cards, as with cards that are keys (``controller``). What has to be moved is said, and what lies otherwise
than it should; nothing that is said on the common screen tells a hidden face.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from engine.cards import Face, InvalidCard
from engine.contract import Action, Reason, View
from engine.table import Slot, Tick, hand_of
from hardware.events import Event, Place, Placed, Removed, Tapped
from hardware.pads import Role, RoleKind
from hardware.tags import Kind as TagKind
from hardware.uids import Uid
from p2p.session import CutWanted, ScanRefused, ScanWanted, Telling

from ..text import joined
from ..translation import gettext as _
from ..translation import pgettext
from .base import (
    NOTHING,
    Act,
    Feedback,
    Keep,
    Lift,
    Mode,
    Output,
    Outputs,
    Say,
    Setting,
    Signal,
    Touch,
    Trouble,
)
from .controller import BOUNCE
from .controller_texts import tokens_line
from .guess import is_decision
from .printed_dealing import Dealer, Draw
from .printed_faces import faces_of
from .printed_following import Following
from .printed_kept import Kept, from_bytes, to_bytes
from .printed_keys import PrintedKeys
from .printed_ledger import Ledger
from .printed_places import Places, holder
from .printed_scanning import Scanning
from .taps import pad_event
from .words import CANCEL, FOUND, OK, command_word

_NOWHERE: Final = Place("")
"""Where a card is that somebody has typed."""

TAPPED_OPEN: Final = frozenset({"pool", "table"})
"""Zones (of Casino) whose open cards players tap in order to decide."""


class PrintedMode(Mode):
    """See the module's text."""

    name: ClassVar[str] = "printed"

    def __init__(self, setting: Setting) -> None:
        """Raises ``Failure`` where a card of the deck has no tag."""
        super().__init__(setting)
        kept = from_bytes(setting.kept) if setting.kept else Kept()
        self._places = Places(setting)
        self._faces = faces_of(setting.book, setting.deck, setting.glyphs)
        self._scan = Scanning(setting, self._places, Dealer(kept.draws()), kept.cuts)
        ledger = Ledger(self._faces, kept.places())
        self._follow = Following(setting, self._places, ledger, self._scan.dealer.zones)
        self._keys = PrintedKeys(setting)
        self._views: dict[int, View[Any]] = {}
        self._actions: dict[int, tuple[Action, ...]] = {}
        self._touched: dict[tuple[Uid, Any], float] = {}
        self._saved = kept

    # --- the game -----------------------------------------------------------------------------------------

    def opened(self, now: float) -> Outputs:
        """How it is played; what is trusted is told to all players by the game itself."""
        lines = [
            _(
                "The printed deck on this table is the deck of the game. Cards are dealt by tapping them, "
                "one by one, as the screen asks for them; what you tap of your own cards is what you play."
            ),
            *self._about_the_others(),
            tokens_line(self.setting),
        ]
        return [Say(line) for line in lines]

    def _about_the_others(self) -> list[str]:
        far = [seat for seat in range(len(self.setting.names)) if seat not in self.setting.local]
        if not far:
            return []
        names = joined([self.setting.names[seat] for seat in far])
        places = joined([self._places.name(f"hand.{seat}") for seat in far])
        text = _("Cards of {names} lie face down, and nobody here looks at them: {places}.")
        return [text.format(names=names, places=places)]

    @property
    def wake(self) -> float | None:
        """See ``Mode``."""
        times = (self._follow.wake, self._keys.wake)
        return min((time for time in times if time is not None), default=None)

    @property
    def to_do(self) -> tuple[str, ...]:
        """See ``Mode``."""
        return (*self._follow.what_to_do(), *self._scan.to_do) or self._keys.to_do

    @property
    def tapped(self) -> tuple[Draw, ...]:
        """See ``Mode``."""
        return self._scan.dealer.tapped

    def saw(self, now: float, view: View[Any], cards: tuple[tuple[Slot, Face], ...]) -> Outputs:
        """See ``Mode``."""
        self._scan.look(view)
        out, come = self._follow.saw(now, view, cards)
        self._scan.dealt(come)
        return [*self._keeping(), *out]

    def told(self, now: float, seat: int, telling: Telling, view: View[Any]) -> Outputs:
        """See ``Mode``."""
        self._views[seat] = view
        out: list[Output] = []
        if seat == self.setting.local[0]:
            match telling:
                case CutWanted():
                    out += self._scan.cut(telling)
                case ScanWanted(draws):
                    self._scan.dealer.want(draws)
                    self._offer_lying()
                    out += self._scan.go_on()
                case _:
                    pass
        return [*self._keeping(), *out, *self._keys.told(now, seat, telling, view)]

    def asked(
        self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...], seconds: float | None
    ) -> Outputs:
        """See ``Mode``."""
        self._views[seat], self._actions[seat] = view, actions
        return self._keys.asked(now, seat, view, actions, seconds)

    def raced(self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...]) -> Outputs:
        """See ``Mode``."""
        self._views[seat], self._actions[seat] = view, actions
        return self._keys.raced(now, seat, view, actions)

    def acted(self, now: float, seat: int, action: Action) -> Outputs:
        """See ``Mode``."""
        self._follow.chose(seat, action)
        return [*self._keys.acted(now, seat, action), *self._follow.look(now)]

    def refused(self, now: float, seat: int, action: Action, reason: Reason) -> Outputs:
        """See ``Mode``."""
        return self._keys.refused(now, seat, action, reason)

    def scan_refused(self, now: float, faces: tuple[str, ...], refusal: ScanRefused) -> Outputs:
        """See ``Mode``."""
        return [*self._scan.refused(faces, refusal, self._faces.__getitem__), *self._keeping()]

    def ticked(self, now: float) -> Outputs:
        """See ``Mode``."""
        keys = self._keys.ticked(now) if self._keys.wake is not None and self._keys.wake <= now else NOTHING
        return [*self._follow.look(now), *keys]

    def _offer_lying(self) -> None:
        """Cards that lie on a player's pad already are taken for those that are wanted there."""
        dealer = self._scan.dealer
        for seat in {seat for _slot, seat in dealer.open if seat >= 0 and not self._scan.is_cutting}:
            role = self._places.role(hand_of(seat))
            for uid in self._follow.physical.on(role) if role is not None else ():
                is_free = uid in self._faces and self._follow.ledger.zone(uid) is None
                if is_free and uid not in dealer.given.values():
                    dealer.take(uid, seat)

    # --- what is typed ------------------------------------------------------------------------------------

    def typed(self, now: float, line: str) -> Outputs | None:
        """``ok``, ``found``, ``anew``, ``tap CARD``; and no decision is taken while the table is wrong."""
        word, _space, rest = line.strip().casefold().partition(" ")
        if word == OK and not rest:
            return self._confirm()
        if word in (FOUND, *pgettext("typed", "found").split("|")) and not rest and self._follow.is_seeking:
            return self._follow.skip()
        is_anew = word in ("anew", CANCEL, *pgettext("typed", "anew").split("|")) and not rest
        if is_anew and self._scan.dealer.wanted:
            return [*self._scan.anew(), *self._keeping()]
        if word in ("tap", *pgettext("typed", "tap").split("|")) and rest:
            return self._typed_card(now, rest)
        for seat, view in self._views.items():
            actions = self._actions.get(seat, ())
            if is_decision(self.setting, seat, view, actions, line) and (lines := self._in_the_way(seat)):
                return self._first(seat, lines)
        return None

    def _confirm(self) -> list[Output] | None:
        """What ``ok`` confirms at this table, if it is not somebody's decision."""
        if self._scan.is_cutting:
            return [*self._scan.confirm(), *self._keeping()]
        if self._follow.is_seeking and not self._keys.has_begun:
            # Not that it is found: an ``ok`` too much would leave a card where it does not belong.
            return [Say(line) for line in self._follow.looked_for()]
        return None

    def _typed_card(self, now: float, text: str) -> Outputs:
        """A card whose tag is not read, by its name: as if it had been tapped."""
        try:
            name = self.setting.deck.text(self.setting.deck.parse(text))
        except InvalidCard:
            return [Say(_("{card} is not a card of this game.").format(card=text[:20]))]
        same = [tag for tag in self.setting.book.of(TagKind.CARD) if self._faces.get(tag.uid) == name]
        busy = {*self._follow.ledger.zones, *self._scan.dealer.given.values()}
        tag = next((tag for tag in same if tag.uid not in busy), same[0])
        return self._card(now, Touch(tag.uid, tag, _NOWHERE, None, now), tag.uid)

    # --- the pads -----------------------------------------------------------------------------------------

    def found(self, now: float, touch: Touch) -> Outputs:
        """See ``Mode``. Cards that lie there say nothing; they are dealt, or are wanted soon."""
        if touch.tag is None or touch.tag.uid not in self._faces:
            return NOTHING
        return self._follow.event(now, Placed(touch.tag.uid, touch.place, touch.at, True))

    def touched(self, now: float, touch: Touch) -> Outputs:
        """See ``Mode``."""
        tag = touch.tag
        uid = touch.uid if tag is None else tag.uid
        before = self._touched.get((uid, touch.place))
        is_again = before is not None and touch.at - before < BOUNCE
        if not is_again:  # or whoever taps again and again would never be heard
            self._touched[uid, touch.place] = touch.at
        if tag is not None and uid in self._faces:
            out = self._follow.event(now, _arrival(touch, uid))
            return out if is_again else [*out, *self._card(now, touch, uid)]
        if is_again:
            return NOTHING
        if tag is not None and tag.kind is TagKind.COMMAND:
            word = command_word(tag.name)
            found = self._confirm() if word == OK else None
            if word == FOUND and self._follow.is_seeking:
                found = self._follow.skip()
            # On a player's own pad it takes back what that player has tapped, or nothing.
            is_dealers = self._scan.dealer.wanted and not self._keys.has_begun
            if word == CANCEL and is_dealers and self.setting.owner(touch.role) is None:
                found = [*self._scan.anew(), *self._keeping()]
            if found is not None:
                return [*found, Signal(touch.place, Feedback.ACCEPTED)]
        return self._gated(self._keys.touched(now, touch))

    def lifted(self, now: float, lift: Lift) -> Outputs:
        """See ``Mode``."""
        if lift.tag is None or lift.tag.uid not in self._faces:
            return NOTHING
        uid, tried = lift.tag.uid, None
        if lift.role in self._places.lying:
            touch = Touch(uid, lift.tag, lift.place, lift.role, lift.at)
            tried = self._follow.tried(touch, uid, is_lifted=True)
        return [*(tried or ()), *self._follow.event(now, Removed(uid, lift.place, lift.at))]

    def troubled(self, now: float, trouble: Trouble) -> Outputs:
        """See ``Mode``."""
        event = pad_event(trouble)
        if event is None:
            return self._keys.troubled(now, trouble)
        return self._follow.event(now, event)

    def _card(self, now: float, touch: Touch, uid: Uid) -> Outputs:
        """A card of the deck was tapped, or put on a pad."""
        zone = self._follow.ledger.zone(uid)
        pad = touch.role if touch.role is not None and touch.role.kind is RoleKind.SEAT else None
        is_lying = touch.role in self._places.lying
        seat = self._places.seat_of(pad)
        if zone is None:
            return self._fresh(touch, uid, pad, is_lying)
        is_home = pad is not None and seat == holder(zone)
        if is_home and (self._follow.came_home(uid) or is_lying):
            return NOTHING
        if self._follow.was_found(now, uid):
            return NOTHING if is_lying else self._follow.found_before(touch, uid)
        if is_lying and touch.role == self._places.role(zone):
            return NOTHING
        tried = self._follow.tried(touch, uid)
        if tried is not None:
            return tried
        return NOTHING if is_lying else self._in_play(now, touch, uid, zone)

    def _fresh(self, touch: Touch, uid: Uid, pad: Role | None, is_lying: bool) -> Outputs:
        """A card that is in no hand: it is dealt, if one is wanted."""
        wish = self._scan.dealer.zones().get(uid)
        if wish is not None:
            if pad is not None and self._places.seat_of(pad) == holder(wish):
                return NOTHING
            text = _("That card was tapped already: take the next one.")
            return [Say(text), Signal(touch.place, Feedback.REFUSED)]
        return [*self._scan.take(touch, uid, pad), *self._keeping()]

    def _in_play(self, now: float, touch: Touch, uid: Uid, zone: str) -> Outputs:
        """A card that is in somebody's hand, or lies open: part of a decision, or a mistake."""
        asked = self._keys.asked_seats
        if holder(zone) is None and zone not in TAPPED_OPEN:
            zone = self._follow.taken_for(uid, asked) or zone
        seat = holder(zone)
        if seat is None and zone not in TAPPED_OPEN:
            return self._no(touch, _("That card lies in nobody's hand: nothing is played with it."))
        if seat in self.setting.local or seat is None:
            if self._scan.dealer.open and not (asked if seat is None else seat in asked):
                return self._no(touch, _("That card is in play already: take the next one from the pile."))
            self._follow.tapped(uid)
            return self._gated(self._keys.touched_card(now, touch, seat))
        text = _("That card belongs to {who}.").format(who=self.setting.names[seat])
        return self._no(touch, text)

    # --- who has to wait ------------------------------------------------------------------------------------

    def _in_the_way(self, seat: int) -> tuple[str, ...]:
        """What has to be done before this seat may decide. A race waits for nobody."""
        view = self._views.get(seat)
        if view is not None and isinstance(self.setting.rules.pending(view.state), Tick):
            return ()
        first = (self._scan.first(),) if self._scan.is_cutting else ()
        return (*first, *self._follow.what_to_do())

    def _gated(self, outputs: Outputs) -> list[Output]:
        """Decisions made by tapping wait until the table is right."""
        found: list[Output] = []
        for output in outputs:
            lines = self._in_the_way(output.seat) if isinstance(output, Act) else ()
            if isinstance(output, Act) and lines:
                self._keys.forget(output.seat)
                found += self._first(output.seat, lines)
            else:
                found.append(output)
        return found

    def _first(self, seat: int, lines: Sequence[str]) -> list[Output]:
        lights = [Signal(place, Feedback.REFUSED) for place in self.setting.places_of(seat)]
        return [Say(_("First the table has to be right:")), *map(Say, lines), *lights]

    @staticmethod
    def _no(touch: Touch, text: str) -> list[Output]:
        return [Say(text), Signal(touch.place, Feedback.REFUSED)]

    def _keeping(self) -> list[Output]:
        """What has to be on the disk, where it has changed."""
        zones = tuple((uid.data.hex(), zone) for uid, zone in self._follow.ledger.zones.items())
        given = tuple((*slot, seat, uid.data.hex()) for (slot, seat), uid in self._scan.dealer.given.items())
        kept = Kept(zones, given, self._scan.cuts)
        if kept == self._saved:
            return []
        self._saved = kept
        return [Keep(to_bytes(kept))]


def _arrival(touch: Touch, uid: Uid) -> Event:
    if touch.stays:
        return Placed(uid, touch.place, touch.at, True)
    return Tapped(uid, touch.place, touch.at, True)


def open_mode(setting: Setting) -> PrintedMode:
    """See ``modes.mode_of``."""
    return PrintedMode(setting)
