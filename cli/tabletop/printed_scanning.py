"""Packs that are shuffled and cut, and cards that are tapped as they are dealt. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from engine.contract import View
from engine.table import Zone
from hardware.pads import Role
from hardware.uids import Uid
from p2p.session import CutWanted, ScanRefused

from ..translation import gettext as _
from ..translation import ngettext
from .base import NOTHING, Feedback, Output, Outputs, Say, ScanAnew, Scanned, Setting, Signal, Touch
from .printed_dealing import Dealer, Draw
from .printed_places import Places

__all__ = ["Scanning"]

Cut = tuple[Zone, int, int]


class Scanning:
    """See the module's text. Mutable."""

    def __init__(self, setting: Setting, places: Places, dealer: Dealer, cuts: Sequence[Cut]) -> None:
        """``cuts`` are those that were made before the program ended, since the last card was dealt."""
        self.dealer: Final = dealer
        self._setting = setting
        self._places = places
        self._piles: dict[Zone, tuple[Any, ...]] = {}
        self._steps: deque[tuple[str, Cut]] = deque()
        self._made: list[Cut] = list(cuts)
        self._said: Draw | None = None
        self._lit: tuple[Any, ...] = ()

    # --- shuffling and cutting --------------------------------------------------------------------------

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts that were made since the last card was dealt."""
        return tuple(self._made)

    @property
    def is_cutting(self) -> bool:
        """Whether a pack has to be shuffled or cut first."""
        return bool(self._steps)

    def cut(self, what: CutWanted) -> Outputs:
        """A pack is to be shuffled and cut. Told again after a restart, it may have been done."""
        cut = (what.zone, what.at, what.of)
        if cut in self._made or any(cut == step for _kind, step in self._steps):
            return NOTHING
        self._steps += [("shuffle", cut), ("cut", cut)]
        return self._next() if len(self._steps) == 2 else NOTHING

    def confirm(self) -> Outputs:
        """The step that was told last is done."""
        _kind, cut = self._steps.popleft()
        if _kind == "cut":
            self._made.append(cut)
        return self._next()

    def first(self) -> str:
        """What has to be done before anything is dealt."""
        kind, (zone, at, of) = self._steps[0]
        fields = {"pile": self._places.name(zone), "n": at, "of": of}
        if kind == "shuffle":
            text = _("Shuffle {pile}: {of} cards, face down. Tap ok, or type it, when that is done.")
        elif at == 0:
            text = _("Do not cut {pile}: the cut that all players have drawn is 0. Tap ok, or type it.")
        else:
            text = ngettext(
                "Cut {pile}: the top card goes beneath. Tap ok, or type it, when that is done.",
                "Cut {pile}: the top {n} cards go beneath. Tap ok, or type it, when that is done.",
                at,
            )
        return text.format(**fields)

    @property
    def to_do(self) -> tuple[str, ...]:
        """The step or the card that the game waits for."""
        if self._steps:
            return (self.first(),)
        left = self.dealer.open
        return (self._wanted(left[0]),) if left else ()

    def _next(self) -> list[Output]:
        self._said = None
        return [Say(self.first())] if self._steps else self.prompt()

    # --- dealing ----------------------------------------------------------------------------------------

    def look(self, view: View[Any]) -> None:
        """The piles as they are now."""
        self._piles = dict(view.state.table.zones)

    def go_on(self) -> list[Output]:
        """What the session wants has changed: hand on what is there, and ask for the next card."""
        if not self.dealer.wanted:
            self._said = None
        return [*self._hand_on(), *self.prompt()]

    def dealt(self, uids: Sequence[Uid]) -> None:
        """Cards have come into play: the packs are not as they were cut any more."""
        if uids:
            self._made.clear()
            self.dealer.dealt(uids)

    def prompt(self) -> list[Output]:
        """Whose card is wanted, where that has changed; with the light of the pad where it goes."""
        left = self.dealer.open
        draw = left[0] if left and not self._steps else None
        lit: tuple[Any, ...] = ()
        if draw is not None and draw[1] >= 0:
            lit = self._setting.pads.seat(self._setting.names[draw[1]])
        out: list[Output] = [Signal(place, Feedback.OFF) for place in self._lit if place not in lit]
        out += [Signal(place, Feedback.ATTENTION) for place in lit if place not in self._lit]
        self._lit = lit
        if draw is not None and draw != self._said:
            out.append(Say(self._wanted(draw)))
        self._said = draw
        return out

    def take(self, touch: Touch, uid: Uid, pad: Role | None) -> Outputs:
        """A card that is in no hand yet was tapped. ``pad``: somebody's pad, if it was put on one."""
        if self._steps:
            return self._no(touch, _("First: {what}").format(what=self.first()))
        left = self.dealer.open
        if not left:
            return self._no(touch, _("No card is to be dealt now: put it back where it was."))
        seat = self._places.seat_of(pad)
        draw = self.dealer.take(uid, seat)
        if draw is None:
            text = _("No card is to be dealt to {who} now. {wanted}")
            name = self._setting.names[seat] if seat is not None else ""
            return self._no(touch, text.format(who=name, wanted=self._wanted(left[0])))
        return [Signal(touch.place, Feedback.ACCEPTED), *self._hand_on(), *self.prompt()]

    def refused(self, faces: Sequence[str], refusal: ScanRefused, face_of: Any) -> Outputs:
        """Cards that were handed on cannot be taken. Nothing that is said names them: they are face down."""
        gone = [uid for uid in self.dealer.given.values() if face_of(uid) in faces]
        draws = self.dealer.refuse(gone)
        self._said = None
        pile = self._places.name(draws[0][0].zone) if draws else ""
        texts = {
            "twice": _("That card cannot be taken: one like it is in play already. Look at its tag."),
            "no-card": _("That card is not of this deck."),
            "other-pile": _("That card does not belong to {pile}: put it back.").format(pile=pile),
        }
        text = texts.get(refusal.kind, _("No card is to be dealt now: put it back where it was."))
        return [Say(text), *self.prompt()]

    def anew(self) -> Outputs:
        """Take back what was tapped and is not dealt yet."""
        if not self.dealer.anew():
            return [Say(_("There is nothing to take back: those cards are dealt."))]
        self._said = None
        return [Say(_("Taken back: tap those cards again, from the first one.")), ScanAnew(), *self.prompt()]

    def _hand_on(self) -> list[Output]:
        ready = self.dealer.ready()
        names = {tag.uid: tag.name for tag in self._setting.book.tags}
        deck = self._setting.deck
        faces = [deck.text(deck.parse(names[self.dealer.given[draw]])) for draw in ready]
        return [Scanned((face,)) for face in faces]

    def _wanted(self, draw: Draw) -> str:
        slot, seat = draw
        pile = self._places.name(slot.zone)
        depth = self.dealer.depth(draw, self._piles.get(slot.zone, ()))
        if seat < 0:
            text = _("Tap a card from {pile} and lay it face up{count}.")
        else:
            text = _("Tap a card from {pile} for {who}, face down{count}.")
        number, of = self.dealer.count(draw)
        count = " " + _("({n} of {of})").format(n=number, of=of) if of > 1 else ""
        who = "" if seat < 0 else self._setting.names[seat]
        text = text.format(pile=pile, who=who, count=count)
        if depth:
            below = ngettext("It lies below {n} other card.", "It lies below {n} other cards.", depth)
            text += " " + below.format(n=depth)
        return text

    @staticmethod
    def _no(touch: Touch, text: str) -> list[Output]:
        return [Say(text), Signal(touch.place, Feedback.REFUSED)]
