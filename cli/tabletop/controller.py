"""A player's own tagged deck as an input device: tokens, cards and command tags narrow down what is legal.

What is tapped is an *entry*. It is sent when only one action is left and nothing of it is missing; otherwise
``ok`` confirms it, once it is clear. An entry that could be a slip is never sent by itself: the same tag
twice needs ``ok``, a tag that bounces counts once, what was begun and left is forgotten, and a tap that came
before the question is no answer to it. In a race each card is played as it is tapped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from engine.cards import InvalidCard
from engine.contract import Action, Reason, View
from engine.table import Tick
from hardware.events import Place
from hardware.tags import Kind as TagKind
from hardware.tags import Tag
from hardware.uids import Uid
from p2p.session import Happened, Telling

from ..boards import NotUnderstood
from ..text import joined
from ..translation import gettext as _
from .base import (
    EVERYBODY,
    NOTHING,
    Act,
    Feedback,
    Kind,
    Mode,
    Output,
    Outputs,
    Say,
    Setting,
    Signal,
    Touch,
    Trouble,
    Typed,
    is_asked,
)
from .controller_texts import how_to_tap, missing_tags, missing_tokens, tokens_line
from .decisions import how_to_decide, is_held_back, kind_of, what_is_lacking, what_to_decide
from .guess import may_be_unlisted, named, why_not
from .scripts import STAR, Card, Scripts, Tap, Token, Word
from .words import CANCEL, OK, SCREEN_WORDS, command_word

PATIENCE: Final = 30.0
"""Seconds after which what was begun is forgotten: longer than one looks for a card, and shorter than it
takes to forget that something was begun."""

BOUNCE: Final = 1.0
"""Seconds from a tap that counts in which the same tag on the same pad is the same tap: a hand that trembles,
or a reader that lost the tag for a moment. Nobody taps one card twice on purpose so fast."""

LONGEST_STEP: Final = 100
"""Characters of what is said of how to tap beside what has to be decided, all the time: a line or two."""

FEW: Final = 6
"""Actions that are listed when several are still possible."""


@dataclass(slots=True)
class _Entry:
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
        self.taps.clear()
        self.uids.clear()
        self.again = None


class Controller(Mode):
    """See the module's text."""

    name: ClassVar[str] = "controller"

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._entries: dict[int, _Entry] = {}
        self._views: dict[int, View[Any]] = {}
        self._places: dict[int, Place] = {}
        self._touched: dict[tuple[Uid, Place], float] = {}
        self._raced: dict[int, dict[Action, set[Uid]]] = {}
        self._explained: set[tuple[int, str]] = set()
        self._has_stars = any(setting.deck.text(face) == STAR for face in setting.deck.faces)

    # --- what the game tells ------------------------------------------------------------------------

    @property
    def wake(self) -> float | None:
        """See ``Mode``."""
        begun = [entry.last + PATIENCE for entry in self._entries.values() if entry.taps or entry.again]
        return min(begun, default=None)

    @property
    def to_do(self) -> tuple[str, ...]:
        """See ``Mode``. On a common screen: who of those here has to decide what. To a player's own screen
        the game itself says it."""
        if not self.setting.is_common:
            return ()
        asked = ((seat, entry) for seat, entry in self._entries.items() if not entry.is_race)
        return tuple(f"{self.setting.names[seat]}: {self._next_step(seat, entry)}" for seat, entry in asked)

    def opened(self, now: float) -> Outputs:
        """What is trusted, the tokens, and what has no tag."""
        lines = [
            _(
                "Your tagged cards are keys here: what you tap is what you would type. The cards of the game "
                "stay sealed, and nobody has to be trusted."
            ),
            _("This screen is for everybody, so that no cards of a hand are shown on it.")
            if self.setting.is_common
            else "",
            tokens_line(self.setting),
            *missing_tags(self.setting),
        ]
        return [Say(line) for line in lines if line]

    def asked(
        self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...], seconds: float | None
    ) -> Outputs:
        """See ``Mode``."""
        self._views[seat] = view
        self._entries[seat] = _Entry(view, actions, now)
        out: list[Output] = [Signal(place, Feedback.ATTENTION) for place in self.setting.places_of(seat)]
        return [*out, *self._explain(seat, view, actions, seconds)]

    def raced(self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...]) -> Outputs:
        """See ``Mode``."""
        before = self._entries.get(seat)
        self._entries[seat] = _Entry(view, actions, now, is_race=True)
        if before is not None and before.is_race:
            self._entries[seat].again = before.again
            self._entries[seat].last = before.last
            return NOTHING
        self._raced[seat] = {}
        return self._explain(seat, view, actions)

    def told(self, now: float, seat: int, telling: Telling, view: View[Any]) -> Outputs:
        """See ``Mode``. What was asked may have been answered by the passing of time."""
        self._views[seat] = view
        entry = self._entries.get(seat)
        if entry is not None and isinstance(telling, Happened):
            is_race = isinstance(self.setting.rules.pending(view.state), Tick)
            if entry.is_race != is_race or not is_asked(self.setting.rules, seat, view):
                del self._entries[seat]
        return NOTHING

    def acted(self, now: float, seat: int, action: Action) -> Outputs:
        """See ``Mode``."""
        entry, noted = self._entries.get(seat), []
        if entry is not None:
            entry.clear()
            if not entry.is_race and action.verb not in self.setting.rules.info.wishes:
                del self._entries[seat]
            if self.setting.is_common and is_held_back(self.setting.rules, entry.view):
                noted = [self._say(seat, _("that is noted, and told in a moment."))]
        here = self._places.get(seat)
        others = [place for place in self.setting.places_of(seat) if place != here]
        lights = [*self._light(seat, Feedback.ACCEPTED), *(Signal(each, Feedback.OFF) for each in others)]
        return [*noted, *lights]

    def refused(self, now: float, seat: int, action: Action, reason: Reason) -> Outputs:
        """See ``Mode``."""
        entry = self._entries.get(seat)
        if entry is not None:
            entry.clear()
        self._raced.get(seat, {}).pop(action, None)
        return self._no(seat, self.setting.speakers[seat].reason(reason))

    def ticked(self, now: float) -> Outputs:
        """An entry that nobody goes on with is forgotten."""
        out: list[Output] = []
        for seat, entry in self._entries.items():
            if (entry.taps or entry.again) and now >= entry.last + PATIENCE:
                text = _("What was begun is forgotten: {taps}. Begin again.")
                entry_text = self._tapped(entry) if entry.taps else self._named(entry.again)
                entry.clear()
                out += [self._say(seat, text.format(taps=entry_text)), *self._light(seat, Feedback.OFF)]
        return out

    def _explain(
        self, seat: int, view: View[Any], actions: Sequence[Action], seconds: float | None = None
    ) -> list[Output]:
        """How to tap what is asked, the first time; where no other screen says it, whose turn it is and what
        for. On a common screen by the kind of the decision alone: the actions depend on the hand."""
        game, verbs = self.setting.rules.info.id, tuple(dict.fromkeys(action.verb for action in actions))
        kind = kind_of(self.setting.rules, view)
        topics = (kind,) if self.setting.is_common else verbs
        new = [topic for topic in topics if (seat, topic) not in self._explained]
        self._explained.update((seat, topic) for topic in new)
        if self.setting.is_common:
            how = self._how(how_to_decide(game, kind, verbs)) if new else ""
            what = what_to_decide(self.setting, seat, view, seconds)
            sentences = [_("it is your turn."), *what, how]
            told = [self._say(seat, " ".join(filter(None, sentences)))]
        else:
            how = self._how(how_to_tap(game, verbs)) if new else ""
            told = [Say(how, seat)] if how else []
        # Whom one may ask all know; of somebody without a token it is told before a tap is tried in vain.
        has_targets = any(action.target >= 0 for action in actions)
        lacking = missing_tokens(self.setting, seat) if new and how and has_targets else ""
        return [*told, Say(lacking, EVERYBODY if self.setting.is_common else seat)] if lacking else [*told]

    def _next_step(self, seat: int, entry: _Entry) -> str:
        """What has to be decided, and what is to be tapped next; nothing of it depends on the hand."""
        if entry.taps:
            tapped = _("Tapped: {taps}.").format(taps=self._tapped(entry))
            return f"{tapped} {self._lacking(entry) or _('Go on, or ok.')}"
        rules = self.setting.rules
        what = what_to_decide(self.setting, seat, entry.view, None)
        verbs = tuple(dict.fromkeys(action.verb for action in entry.actions))
        how = how_to_decide(rules.info.id, kind_of(rules, entry.view), verbs)
        how = self._how(how if len(how) <= LONGEST_STEP else self._lacking(entry))
        return " ".join(filter(None, [*what, how])) or _("it is your turn.")

    def _how(self, text: str) -> str:
        """How it is tapped, where there is anything to tap."""
        return text if self.setting.book.tags else ""

    # --- what is tapped -----------------------------------------------------------------------------

    def troubled(self, now: float, trouble: Trouble) -> Outputs:
        """A tag that cannot be told is said; what lies on a pad does not matter here."""
        if trouble.kind not in (Kind.REFUSED, Kind.UNCLEAR):
            return NOTHING
        return [Say(trouble.why), Signal(trouble.place, Feedback.REFUSED)]

    def touched(self, now: float, touch: Touch) -> Outputs:
        """See ``Mode``."""
        if self._is_bounce(touch):
            return NOTHING
        if touch.tag is None:
            return [Say(_("This tag is not enrolled.")), Signal(touch.place, Feedback.REFUSED)]
        word = command_word(touch.tag.name) if touch.tag.kind is TagKind.COMMAND else ""
        seat = self._seat_of(touch)
        if seat is None:
            return self._nobodys(touch, word)
        self._places[seat] = touch.place
        entry = self._entries.get(seat)
        if word and word in SCREEN_WORDS and not self._goes_on(entry, word):
            return self._command(now, seat, entry, word)
        if word and word in self.setting.rules.info.wishes:
            return self._wish(seat, word)
        if entry is None:
            return self._no(seat, _("It is not your turn."))
        if touch.at < entry.asked_at:
            return self._no(seat, _("That tap came before the question: look, and tap again."))
        entry.last = now
        if word == OK:
            return self._confirm(seat, entry)
        if word == CANCEL:
            return self._cancel(seat, entry)
        tap = self._tap_of(touch.tag, word)
        if isinstance(tap, str):
            return self._no(seat, tap)
        return (
            self._race(seat, entry, tap, touch.uid)
            if entry.is_race
            else self._go_on(seat, entry, tap, touch.uid)
        )

    def _is_bounce(self, touch: Touch) -> bool:
        """Whether this is the same tap once more; asked once for each touch."""
        key = (touch.uid, touch.place)
        before = self._touched.get(key)
        if before is not None and touch.at - before < BOUNCE:
            return True
        # Only what counts is remembered: whoever taps again and again would never be heard otherwise.
        self._touched[key] = touch.at
        return False

    def _seat_of(self, touch: Touch) -> int | None:
        """Whose tap it is: the owner of the pad, or the only player who can mean it."""
        owner = self.setting.owner(touch.role)
        if owner is not None:
            return owner
        local = self.setting.local
        candidates = local if len(local) == 1 else tuple(seat for seat in local if seat in self._entries)
        return candidates[0] if len(candidates) == 1 else None

    def _goes_on(self, entry: _Entry | None, word: str) -> bool:
        """Whether a word that is a command of the screen, too, continues what has been tapped."""
        if entry is None or not entry.taps or entry.scripts is None:
            return False
        return bool(entry.scripts.fitting([*entry.taps, Word(word)]))

    def _command(self, now: float, seat: int, entry: _Entry | None, word: str) -> Outputs:
        """A command of the screen; what has been tapped stays, and whoever looks for help is not late."""
        if entry is not None and (entry.taps or entry.again):
            entry.last = now
        return [Typed(word), *self._light(seat, Feedback.ACCEPTED)]

    def _nobodys(self, touch: Touch, word: str) -> Outputs:
        if word in SCREEN_WORDS:
            return [Typed(word), Signal(touch.place, Feedback.ACCEPTED)]
        asked = [self.setting.names[seat] for seat in self.setting.local if seat in self._entries]
        if asked:
            text = _("Whose tap is this? {names} can tap now: use the pad of that player.")
            text = text.format(names=joined(asked))
        else:
            text = _("It is nobody's turn at this table.")
        return [Say(text), Signal(touch.place, Feedback.REFUSED)]

    def _tap_of(self, tag: Tag, word: str) -> Tap | str:
        """What a tag stands for at this table, or why it stands for nothing."""
        setting = self.setting
        match tag.kind:
            case TagKind.COMMAND:
                return Word(word)
            case TagKind.PLAYER:
                seat = setting.seat_of_token(tag)
                return (
                    Token(seat) if seat is not None else _("{name} does not sit here.").format(name=tag.name)
                )
            case TagKind.CARD:
                try:
                    return Card(setting.deck.text(setting.deck.parse(tag.name)))
                except InvalidCard:
                    return _("{card} is not a card of this game.").format(card=tag.name)
            case TagKind.BLANK:
                return _("A blank card has no meaning when your cards are keys.")

    # --- an entry -----------------------------------------------------------------------------------

    def _go_on(self, seat: int, entry: _Entry, tap: Tap, uid: Uid) -> Outputs:
        if entry.scripts is None:
            entry.scripts = Scripts(self.setting.deck, entry.actions)
        taps = [*entry.taps, tap]
        left = entry.scripts.fitting(taps)
        if not left and not may_be_unlisted(entry.actions, taps):
            return self._refuse(seat, entry, taps)
        entry.taps.append(tap)
        entry.uids.append(uid)
        is_sure = len(set(entry.uids)) == len(entry.uids)
        if len(left) == 1 and is_sure and entry.scripts.whole(taps) and self._is_closed(left[0]):
            return [Act(seat, left[0])]
        return [self._possible(seat, entry, left), *self._light(seat, Feedback.ATTENTION)]

    def _is_closed(self, action: Action) -> bool:
        """Whether an action may be sent without ``ok``.

        On a common screen not where other cards of the hand could belong to it as well, such as a star or
        another pair: whether it is sent at once would tell whether the hand has any.
        """
        may_grow = bool(action.cards) or (action.target >= 0 and self._has_stars)
        return not (self.setting.is_common and may_grow)

    def _possible(self, seat: int, entry: _Entry, left: Sequence[Action]) -> Say:
        """What was tapped, what ``ok`` would do, and what else is possible."""
        assert entry.scripts is not None
        tapped = _("Tapped: {taps}.").format(taps=self._tapped(entry))
        if self.setting.is_common:
            # What would be possible, even whether it is clear what ``ok`` would do, depends on the hand.
            lacking = self._lacking(entry) or _("Go on, or ok.")
            return self._say(seat, f"{tapped} {lacking}")
        sentences = [tapped]
        sure = self._meant(entry, left)
        if sure is not None:
            sentences.append(_("ok: {action}.").format(action=self._named(sure)))
        if not left:
            sentences.append(_("ok, when these are all the pairs."))
        sentences.append(self._others([action for action in left if action != sure]))
        return self._say(seat, " ".join(filter(None, sentences)))

    def _others(self, left: Sequence[Action]) -> str:
        """What is still possible, if anything."""
        names = [self._named(action) for action in left[: FEW + 1]]
        more = ", …" if len(names) > FEW else ""
        return _("Possible: {actions}").format(actions=", ".join(names[:FEW]) + more) if names else ""

    def _meant(self, entry: _Entry, left: Sequence[Action]) -> Action | None:
        """The action that ``ok`` stands for, if it is clear which.

        On a common screen only one that was tapped as a whole: that nothing else is left tells of the hand.
        """
        assert entry.scripts is not None
        whole = entry.scripts.whole(entry.taps)
        if len(whole) == 1:
            return whole[0]
        return left[0] if len(left) == 1 and not whole and not self.setting.is_common else None

    def _confirm(self, seat: int, entry: _Entry) -> Outputs:
        if entry.again is not None:
            return [Act(seat, entry.again)]
        if not entry.taps or entry.scripts is None:
            return self._no(seat, _("There is nothing to confirm yet."))
        left = entry.scripts.fitting(entry.taps)
        sure = self._meant(entry, left)
        if sure is None and not left:
            setting = self.setting
            sure = named(setting.rules, setting.deck, entry.view, entry.actions, entry.taps)
        if sure is not None:
            return [Act(seat, sure)]
        if not left:
            return self._refuse(seat, entry, entry.taps)
        if lacking := self._lacking(entry):
            tapped = _("Tapped: {taps}.").format(taps=self._tapped(entry))
            more = "" if self.setting.is_common else self._others(left)
            return self._no(seat, " ".join(filter(None, [tapped, lacking, more])))
        if self.setting.is_common:
            text = _("Tapped: {taps}. That is not all yet: go on, or cancel.")
            return self._no(seat, text.format(taps=self._tapped(entry)))
        return [self._possible(seat, entry, left), *self._light(seat, Feedback.REFUSED)]

    def _lacking(self, entry: _Entry) -> str:
        """What ``ok`` would be too early without."""
        return what_is_lacking(self.setting.rules, entry.view, entry.taps)

    def _refuse(self, seat: int, entry: _Entry, taps: Sequence[Tap]) -> Outputs:
        reason = why_not(self.setting.rules, self.setting.deck, entry.view, entry.actions, taps)
        kept = _("Tapped so far: {taps}.").format(taps=self._tapped(entry)) if entry.taps else ""
        return self._no(seat, " ".join(filter(None, [self.setting.speakers[seat].reason(reason), kept])))

    def _cancel(self, seat: int, entry: _Entry) -> Outputs:
        if not entry.taps and entry.again is None:
            return self._no(seat, _("There is nothing to take back."))
        entry.clear()
        return [self._say(seat, _("Taken back: begin again.")), *self._light(seat, Feedback.OFF)]

    def _race(self, seat: int, entry: _Entry, tap: Tap, uid: Uid) -> Outputs:
        """Each card is played as it is tapped, in the order of the taps."""
        if entry.scripts is None:
            entry.scripts = Scripts(self.setting.deck, entry.actions)
        found = entry.scripts.whole([tap])
        if len(found) != 1:
            reason = why_not(self.setting.rules, self.setting.deck, entry.view, entry.actions, [tap])
            return self._no(seat, self.setting.speakers[seat].reason(reason))
        raced = self._raced.setdefault(seat, {}).setdefault(found[0], set())
        if uid in raced:
            entry.again = found[0]
            text = _("Tapped again: {action}. ok plays another one.").format(action=self._named(found[0]))
            return [self._say(seat, text), *self._light(seat, Feedback.ATTENTION)]
        raced.add(uid)
        return [Act(seat, found[0])]

    def _wish(self, seat: int, word: str) -> Outputs:
        view = self._views.get(seat)
        if view is None:
            return self._no(seat, _("The game has not begun."))
        try:
            return [Act(seat, self.setting.boards[seat].wish(word, view))]
        except NotUnderstood as problem:
            return self._no(seat, str(problem))

    # --- in words -----------------------------------------------------------------------------------

    def _tapped(self, entry: _Entry) -> str:
        return " ".join(self._spoken(tap) for tap in entry.taps)

    def _spoken(self, tap: Tap) -> str:
        match tap:
            case Token(seat):
                return self.setting.names[seat]
            case Card(text):
                return self.setting.glyphs.card(text)
            case Word(name):
                return name

    def _named(self, action: Action | None) -> str:
        return "" if action is None else self.setting.boards[self.setting.local[0]].action(action)

    def _say(self, seat: int, text: str) -> Say:
        """A sentence for one player, on whatever screen there is; it must not name hidden cards."""
        if self.setting.is_common:
            return Say(f"{self.setting.names[seat]}: {text}")
        return Say(text, seat)

    def _no(self, seat: int, text: str) -> list[Output]:
        return [self._say(seat, text), *self._light(seat, Feedback.REFUSED)]

    def _light(self, seat: int, feedback: Feedback) -> list[Output]:
        place = self._places.get(seat)
        return [] if place is None else [Signal(place, feedback)]


def open_mode(setting: Setting) -> Controller:
    """See ``modes.mode_of``."""
    from .controller_shared import SharedController  # it is made of this module

    return SharedController(setting) if setting.is_common else Controller(setting)
