"""What a player has tapped of an answer: when it is sent, what is left, and why a tap is refused. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.contract import Action, View
from hardware.uids import Uid

from ..translation import gettext as _
from .base import Act, Feedback, Outputs, Say, Setting
from .controller_voice import Voice
from .decisions import what_is_lacking
from .guess import may_be_unlisted, named, why_not
from .scripts import STAR, Scripts, Tap, Word

FEW: Final = 6
"""Actions that are listed when several are still possible."""


@dataclass(slots=True)
class Entry:
    """What one local seat is asked, and what of an answer has been tapped."""

    view: View[Any]
    actions: tuple[Action, ...]
    asked_at: float
    is_race: bool = False
    scripts: Scripts | None = None
    taps: list[Tap] = field(default_factory=list)
    uids: list[Uid] = field(default_factory=list)
    last: float = 0.0
    again: Action | None = None
    """In a race: the play of a card whose tag was tapped once more, until ``ok`` confirms it."""

    def clear(self) -> None:
        """Forget what was tapped."""
        self.taps.clear()
        self.uids.clear()
        self.again = None

    @property
    def is_begun(self) -> bool:
        """Whether anything was tapped that waits for more."""
        return bool(self.taps) or self.again is not None

    def goes_on_with(self, word: str) -> bool:
        """Whether a word that is a command of the screen, too, continues what has been tapped."""
        if not self.taps or self.scripts is None:
            return False
        return bool(self.scripts.fitting([*self.taps, Word(word)]))


class Answers:
    """Follows the taps of all local seats from entry to action."""

    def __init__(self, setting: Setting, voice: Voice) -> None:
        self._setting = setting
        self._voice = voice
        self._raced: dict[int, dict[Action, set[Uid]]] = {}
        self._has_stars = any(setting.deck.text(face) == STAR for face in setting.deck.faces)

    # --- taps ---------------------------------------------------------------------------------------

    def tap(self, seat: int, entry: Entry, tap: Tap, uid: Uid) -> Outputs:
        """One more tap of a player who is asked."""
        if entry.scripts is None:
            entry.scripts = Scripts(self._setting.deck, entry.actions)
        if entry.is_race:
            return self._race(seat, entry, entry.scripts, tap, uid)
        return self._go_on(seat, entry, entry.scripts, tap, uid)

    def _go_on(self, seat: int, entry: Entry, scripts: Scripts, tap: Tap, uid: Uid) -> Outputs:
        taps = [*entry.taps, tap]
        left = scripts.fitting(taps)
        if not left and not may_be_unlisted(entry.actions, taps):
            return self._refuse(seat, entry, taps)
        entry.taps.append(tap)
        entry.uids.append(uid)
        is_sure = len(set(entry.uids)) == len(entry.uids)
        if len(left) == 1 and is_sure and scripts.whole(taps) and self._is_closed(left[0]):
            return [Act(seat, left[0])]
        return [self._possible(seat, entry, left), *self._voice.light(seat, Feedback.ATTENTION)]

    def _race(self, seat: int, entry: Entry, scripts: Scripts, tap: Tap, uid: Uid) -> Outputs:
        """Each card is played as it is tapped, in the order of the taps."""
        found = scripts.whole([tap])
        if len(found) != 1:
            return self._voice.no(seat, self._why_not(seat, entry, [tap]))
        raced = self._raced.setdefault(seat, {}).setdefault(found[0], set())
        if uid in raced:
            entry.again = found[0]
            text = _("Tapped again: {action}. ok plays another one.")
            text = text.format(action=self._voice.named(found[0]))
            return [self._voice.say(seat, text), *self._voice.light(seat, Feedback.ATTENTION)]
        raced.add(uid)
        return [Act(seat, found[0])]

    def race_begins(self, seat: int) -> None:
        """Nothing has been played in it."""
        self._raced[seat] = {}

    def refused(self, seat: int, action: Action) -> None:
        """An action did not come about: in a race its card may be tapped again."""
        self._raced.get(seat, {}).pop(action, None)

    def cancel(self, seat: int, entry: Entry) -> Outputs:
        """``cancel`` was tapped."""
        if not entry.is_begun:
            return self._voice.no(seat, _("There is nothing to take back."))
        entry.clear()
        text = _("Taken back: begin again.")
        return [self._voice.say(seat, text), *self._voice.light(seat, Feedback.OFF)]

    def confirm(self, seat: int, entry: Entry) -> Outputs:
        """``ok`` was tapped."""
        if entry.again is not None:
            return [Act(seat, entry.again)]
        if not entry.taps or entry.scripts is None:
            return self._voice.no(seat, _("There is nothing to confirm yet."))
        left = entry.scripts.fitting(entry.taps)
        sure = self._meant(entry, entry.scripts, left)
        if sure is None and not left:
            setting = self._setting
            sure = named(setting.rules, setting.deck, entry.view, entry.actions, entry.taps)
        if sure is not None:
            return [Act(seat, sure)]
        return self._not_yet(seat, entry, left)

    # --- what is done with them ---------------------------------------------------------------------

    def _is_closed(self, action: Action) -> bool:
        """Whether an action may be sent without ``ok``.

        On a common screen not where other cards of the hand could belong to it as well, such as a star or
        another pair: whether it is sent at once would tell whether the hand has any.
        """
        may_grow = bool(action.cards) or (action.target >= 0 and self._has_stars)
        return not (self._setting.is_common and may_grow)

    def _meant(self, entry: Entry, scripts: Scripts, left: Sequence[Action]) -> Action | None:
        """The action that ``ok`` stands for, if it is clear which.

        On a common screen only one that was tapped as a whole: that nothing else is left tells of the hand.
        """
        whole = scripts.whole(entry.taps)
        if len(whole) == 1:
            return whole[0]
        return left[0] if len(left) == 1 and not whole and not self._setting.is_common else None

    def _not_yet(self, seat: int, entry: Entry, left: Sequence[Action]) -> Outputs:
        """Why ``ok`` is too early."""
        if not left:
            return self._refuse(seat, entry, entry.taps)
        if lacking := self.lacking(entry):
            more = "" if self._setting.is_common else self._others(left)
            return self._voice.no(seat, " ".join(filter(None, [self.so_far(entry), lacking, more])))
        if self._setting.is_common:
            text = _("Tapped: {taps}. That is not all yet: go on, or cancel.")
            return self._voice.no(seat, text.format(taps=self._voice.tapped(entry.taps)))
        return [self._possible(seat, entry, left), *self._voice.light(seat, Feedback.REFUSED)]

    def _refuse(self, seat: int, entry: Entry, taps: Sequence[Tap]) -> Outputs:
        kept = _("Tapped so far: {taps}.").format(taps=self._voice.tapped(entry.taps)) if entry.taps else ""
        return self._voice.no(seat, " ".join(filter(None, [self._why_not(seat, entry, taps), kept])))

    # --- in words -----------------------------------------------------------------------------------

    def _why_not(self, seat: int, entry: Entry, taps: Sequence[Tap]) -> str:
        setting = self._setting
        reason = why_not(setting.rules, setting.deck, entry.view, entry.actions, taps)
        return setting.speakers[seat].reason(reason)

    def _possible(self, seat: int, entry: Entry, left: Sequence[Action]) -> Say:
        """What was tapped, what ``ok`` would do, and what else is possible."""
        assert entry.scripts is not None
        if self._setting.is_common:
            # What would be possible, even whether it is clear what ``ok`` would do, depends on the hand.
            return self._voice.say(seat, self.next_tap(entry))
        sentences = [self.so_far(entry)]
        sure = self._meant(entry, entry.scripts, left)
        if sure is not None:
            sentences.append(_("ok: {action}.").format(action=self._voice.named(sure)))
        if not left:
            sentences.append(_("ok, when these are all the pairs."))
        sentences.append(self._others([action for action in left if action != sure]))
        return self._voice.say(seat, " ".join(filter(None, sentences)))

    def so_far(self, entry: Entry) -> str:
        """What was tapped."""
        return _("Tapped: {taps}.").format(taps=self._voice.tapped(entry.taps))

    def next_tap(self, entry: Entry) -> str:
        """What was tapped and what is next, in words that do not depend on the hand."""
        return f"{self.so_far(entry)} {self.lacking(entry) or _('Go on, or ok.')}"

    def lacking(self, entry: Entry) -> str:
        """What ``ok`` would be too early without."""
        return what_is_lacking(self._setting.rules, entry.view, entry.taps)

    def _others(self, left: Sequence[Action]) -> str:
        """What is still possible, if anything."""
        names = [self._voice.named(action) for action in left[: FEW + 1]]
        more = ", …" if len(names) > FEW else ""
        return _("Possible: {actions}").format(actions=", ".join(names[:FEW]) + more) if names else ""
