"""Playing with blanks: unprinted cards with tags, each bound to a sealed card when it is drawn.

The cards stay sealed, so nobody has to be trusted; what lies on the pads follows the game, and the game waits
while it does not. Asking and whatever else is decided by tapping goes as with one's own cards as keys
(``controller``): a blank counts as the card that it stands for. ``blank_table`` is what this mode is made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from engine.contract import Action, Reason, View
from engine.table import Zone, is_whole
from hardware.events import Event, Placed, Removed, Tapped
from hardware.pads import POOL, Role, RoleKind
from hardware.tags import Kind as TagKind
from hardware.tags import Tag
from p2p.session import Happened, Telling, Unplayed

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
from .blank_binding import OPEN
from .blank_kept import from_bytes, to_bytes
from .blank_keys import BlankKeys
from .blank_ready import check_blanks, looking
from .blank_table import BlankTable, Decided, Save, Spoken
from .blank_table import Output as TableOutput
from .guess import is_decision
from .peeking import Peeking
from .taps import pad_event
from .words import OK, command_word

OPEN_ZONES: Final[tuple[Zone, ...]] = ("table", "pool")
"""Zones of games (Casino) whose cards lie open and may come into a hand again."""

A_HAND: Final = 5
"""Tags that a pad has to tell apart in order to show a hand: most games deal five cards. On others blanks are
held one by one."""


class BlankMode(Mode):
    """See the module's text."""

    name: ClassVar[str] = "blank"

    def __init__(self, setting: Setting) -> None:
        """Raises ``Failure`` where there are no blanks, two with one number, or a player has no pad."""
        super().__init__(setting)
        numbers = {tag.uid: tag.name for tag in setting.book.of(TagKind.BLANK)}
        check_blanks(setting.book, setting.pads, [setting.names[seat] for seat in setting.local])
        self._table = BlankTable(
            setting.pads,
            numbers,
            {seat: setting.names[seat] for seat in setting.local},
            setting.glyphs.card,
            from_bytes(setting.kept) if setting.kept else None,
            [place for place in setting.pads if setting.most_tags.get(place, A_HAND) < A_HAND],
            has_open=POOL in setting.pads.roles and setting.rules.info.id == "casino",
            shows_faces=not setting.is_common,
        )
        self._keys = BlankKeys(setting)
        self._views: dict[int, View[Any]] = {}
        self._actions: dict[int, tuple[Action, ...]] = {}
        self._heard: list[Any] = []
        self._lit: frozenset[Role] = frozenset()
        self._peeking = Peeking(setting, self._hand)

    # --- the table and the game ---------------------------------------------------------------------

    def opened(self, now: float) -> Outputs:
        """What is trusted, and what blanks are for."""
        lines = [
            _(
                "The cards are blank: which blank is which card, only its player's screen says. The cards "
                "of the game stay sealed, and nobody has to be trusted; a reader can follow a blank, which "
                "shows how long it has been in a hand."
            )
        ]
        if self.setting.is_common:
            lines.append(self._how_to_look())
        return [*(Say(line) for line in lines), *self._out(now, self._table.tick(now))]

    @property
    def wake(self) -> float | None:
        """See ``Mode``."""
        times = (self._table.wake, self._keys.wake, self._peeking.wake)
        return min((time for time in times if time is not None), default=None)

    @property
    def to_do(self) -> tuple[str, ...]:
        """See ``Mode``."""
        return self._table.still_to_do() or self._keys.to_do

    def asked(
        self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...], seconds: float | None
    ) -> Outputs:
        """See ``Mode``."""
        self._actions[seat] = actions
        outputs = [*self._game(now, seat, view), *self._out(now, self._table.asked(now, seat, actions))]
        return [*outputs, *self._gated(self._keys.asked(now, seat, view, actions, seconds))]

    def raced(self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...]) -> Outputs:
        """See ``Mode``."""
        self._actions[seat] = actions
        outputs = [*self._game(now, seat, view), *self._out(now, self._table.asked(now, seat, actions, True))]
        return [*outputs, *self._gated(self._keys.raced(now, seat, view, actions))]

    def told(self, now: float, seat: int, telling: Telling, view: View[Any]) -> Outputs:
        """See ``Mode``."""
        if isinstance(telling, Happened) and seat == self.setting.local[0]:
            self._heard += telling.events
        if isinstance(telling, Unplayed):
            self._table.refused(seat, telling.action.cards)
        return [*self._game(now, seat, view), *self._gated(self._keys.told(now, seat, telling, view))]

    def acted(self, now: float, seat: int, action: Action) -> Outputs:
        """See ``Mode``."""
        if action.verb not in self.setting.rules.info.wishes or action in self._actions.get(seat, ()):
            self._table.decided(seat)
        return [*self._keys.acted(now, seat, action), *self._out(now, self._table.tick(now))]

    def refused(self, now: float, seat: int, action: Action, reason: Reason) -> Outputs:
        """See ``Mode``."""
        self._table.refused(seat, action.cards)
        return [*self._keys.refused(now, seat, action, reason), *self._out(now, self._table.tick(now))]

    def typed(self, now: float, line: str) -> Outputs | None:
        """``blanks`` and ``lost NUMBER``; and no decision is taken while the pads differ from the game."""
        word, _space, rest = line.strip().casefold().partition(" ")
        if word in pgettext("typed", "blanks").split("|") and not rest:
            return self._listed()
        if word in pgettext("typed", "lost").split("|"):
            found = self._table.lost(now, rest.strip())
            if found is None:
                return [Say(_("There is no blank {number}.").format(number=rest.strip()[:20] or "?"))]
            return self._out(now, found)
        for seat, view in self._views.items():
            actions = self._actions.get(seat, ())
            if not self._table.may_decide(seat) and is_decision(self.setting, seat, view, actions, line):
                return self._first(seat)
        return self._keys.typed(now, line)

    def ticked(self, now: float) -> Outputs:
        """See ``Mode``."""
        outputs = self._peeking.ticked(now)
        keys = self._keys.ticked(now) if self._keys.wake is not None and self._keys.wake <= now else NOTHING
        return [*outputs, *self._out(now, self._table.tick(now)), *keys]

    # --- the pads -------------------------------------------------------------------------------------

    def found(self, now: float, touch: Touch) -> Outputs:
        """See ``Mode``. Tokens and commands that were left lying say nothing."""
        return self.touched(now, touch) if touch.tag and touch.tag.kind is TagKind.BLANK else NOTHING

    def touched(self, now: float, touch: Touch) -> Outputs:
        """See ``Mode``."""
        tag = touch.tag
        if tag is not None and tag.kind is TagKind.BLANK:
            event: Event = (
                Placed(tag.uid, touch.place, touch.at, True)
                if touch.stays
                else Tapped(tag.uid, touch.place, touch.at, True)
            )
            outputs = self._out(now, self._table.tag(now, event))
            is_key = touch.role is None or touch.role.kind in (RoleKind.ASK, RoleKind.HUB)
            return [*outputs, *self._key(now, touch, tag)] if is_key else outputs
        if tag is not None and tag.kind is TagKind.PLAYER and self._is_peek(touch, tag):
            return self._peeked(now, touch, tag)
        if tag is not None and tag.kind is TagKind.COMMAND and command_word(tag.name) == OK:
            moved = [each for seat in self.setting.local for each in self._table.confirm(now, seat)]
            if moved:
                return self._out(now, moved)
        return self._gated(self._keys.touched(now, touch))

    def lifted(self, now: float, lift: Lift) -> Outputs:
        """See ``Mode``."""
        tag = lift.tag
        if tag is None:
            return NOTHING
        if tag.kind is TagKind.PLAYER and (ended := self._peeking.lifted(lift)):
            return ended
        if tag.kind is not TagKind.BLANK:
            return self._keys.lifted(now, lift)
        return self._out(now, self._table.tag(now, Removed(tag.uid, lift.place, lift.at)))

    def troubled(self, now: float, trouble: Trouble) -> Outputs:
        """See ``Mode``."""
        event = pad_event(trouble)
        if event is None:
            return self._keys.troubled(now, trouble)
        return [*self._peeking.troubled(trouble), *self._out(now, self._table.tag(now, event))]

    # --- helpers --------------------------------------------------------------------------------------

    def _game(self, now: float, seat: int, view: View[Any]) -> list[Output]:
        """Where all seats at this table have come equally far, the blanks follow."""
        self._views[seat] = view
        views = list(self._views.values())
        if len(views) < len(self.setting.local) or any(each.state != view.state for each in views):
            return []
        text = view.deck.text
        hands: dict[int, Sequence[str]] = {
            each: [text(face) for face in own.hand.values()] for each, own in self._views.items()
        }
        table = view.state.table
        faces = [table.known.get(slot) for zone in OPEN_ZONES for slot in table.slots(zone)]
        hands[OPEN] = [text(face) for face in faces if face is not None and is_whole(face)]
        events, self._heard = self._heard, []
        return self._out(now, self._table.game(now, hands, events))

    def _out(self, now: float, outputs: Iterable[TableOutput]) -> list[Output]:
        """What the table wants, in the terms of a mode; with the lights, and what a player looks at."""
        found: list[Output] = []
        has_news = False
        for output in outputs:
            match output:
                case Spoken(lines, seat):
                    found += [Say(line, seat) for line in lines]
                    has_news = has_news or seat == self._peeking.seat
                case Decided(seat, action):
                    found.append(Act(seat, action))
                case Save(binding):
                    found.append(Keep(to_bytes(binding)))
                    has_news = True
        found += self._peeking.again(has_news)
        lit, before = self._table.attention, self._lit
        self._lit = lit
        found += [Signal(place, Feedback.ATTENTION) for role in lit - before for place in self._places(role)]
        found += [Signal(place, Feedback.ACCEPTED) for role in before - lit for place in self._places(role)]
        return found

    def _places(self, role: Role) -> Sequence[Any]:
        return self.setting.pads.places(role)

    def _gated(self, outputs: Outputs) -> list[Output]:
        """Decisions made by tapping wait until the table is right."""
        found: list[Output] = []
        for output in outputs:
            if isinstance(output, Act) and not self._table.may_decide(output.seat):
                self._keys.forget(output.seat)
                found += self._first(output.seat)
            else:
                found.append(output)
        return found

    def _first(self, seat: int) -> list[Output]:
        """What has to be done before this player can decide."""
        lines = [Say(_("First the table has to be right:")), *map(Say, self._table.what_to_do())]
        return [*lines, *(Signal(place, Feedback.REFUSED) for place in self.setting.places_of(seat))]

    def _key(self, now: float, touch: Touch, tag: Tag) -> list[Output]:
        """A blank on a pad for tapping counts as its card, for its own player."""
        found = self._table.card(tag.uid)
        owner = self.setting.owner(touch.role)
        if found is None:
            text = _("Blank {number} stands for no card.")
        elif found[0] not in (OPEN, owner) and owner is not None:
            text = _("Blank {number} is not yours.")
        else:
            as_card = Tag(tag.uid, TagKind.CARD, found[1])
            owned = Touch(tag.uid, as_card, touch.place, touch.role, touch.at, touch.stays)
            return self._gated(self._keys.touched_blank(now, owned, found[0], tag.name))
        return [Say(text.format(number=tag.name)), Signal(touch.place, Feedback.REFUSED)]

    # --- who may look -----------------------------------------------------------------------------------

    def _listed(self) -> Outputs:
        """The blanks of the only player at this screen."""
        if self.setting.is_common:
            return [Say(self._how_to_look())]
        lines = self._table.hand_lines(self.setting.local[0]) or (_("You have no blanks."),)
        return [Say(line, self.setting.local[0]) for line in lines]

    def _is_peek(self, touch: Touch, tag: Tag) -> bool:
        """Whether a token on the hub asks to see its player's cards, rather than for somebody's answer."""
        if not self.setting.is_common or touch.role is None or touch.role.kind is not RoleKind.HUB:
            return False
        seat = self.setting.seat_of_token(tag)
        if seat not in self.setting.local:
            return False
        askers = [
            asker for asker in self._keys.asked_seats if not self.setting.pads.ask(self.setting.names[asker])
        ]
        return seat in askers or not askers

    def _peeked(self, now: float, touch: Touch, tag: Tag) -> Outputs:
        seat = self.setting.seat_of_token(tag)
        assert seat is not None
        return self._peeking.start(now, touch, seat)

    def _hand(self, seat: int) -> tuple[str, ...]:
        return self._table.hand_lines(seat) or (_("You have no blanks."),)

    def _how_to_look(self) -> str:
        return looking(self.setting.pads, can_hide=self.setting.can_hide)


def open_mode(setting: Setting) -> BlankMode:
    """See ``modes.mode_of``."""
    return BlankMode(setting)
