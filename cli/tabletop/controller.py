"""A player's own tagged deck as an input device: tokens, cards and command tags narrow down what is legal.

What is tapped is an *entry*. It is sent when only one action is left and nothing of it is missing; otherwise
``ok`` confirms it, once it is clear. An entry that could be a slip is never sent by itself: the same tag
twice needs ``ok``, a tag that bounces counts once, what was begun and left is forgotten, and a tap that came
before the question is no answer to it. In a race each card is played as it is tapped.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from .controller_entry import Answers, Entry
from .controller_texts import how_to_tap, missing_tags, missing_tokens, tokens_line
from .controller_voice import Voice
from .decisions import how_to_decide, is_held_back, kind_of, what_to_decide
from .scripts import Card, Tap, Token, Word
from .words import CANCEL, OK, SCREEN_WORDS, command_word

PATIENCE: Final = 30.0
"""Seconds after which what was begun is forgotten: longer than one looks for a card, and shorter than it
takes to forget that something was begun."""

BOUNCE: Final = 1.0
"""Seconds from a tap that counts in which the same tag on the same pad is the same tap: a hand that trembles,
or a reader that lost the tag for a moment. Nobody taps one card twice on purpose so fast."""

LONGEST_STEP: Final = 100
"""Characters of what is said of how to tap beside what has to be decided, all the time: a line or two."""


class Controller(Mode):
    """See the module's text."""

    name: ClassVar[str] = "controller"

    def __init__(self, setting: Setting, voice: Voice | None = None) -> None:
        super().__init__(setting)
        self._entries: dict[int, Entry] = {}
        self._views: dict[int, View[Any]] = {}
        self._voice = voice or Voice(setting)
        self._answers = Answers(setting, self._voice)
        self._touched: dict[tuple[Uid, Place], float] = {}
        self._explained: set[tuple[int, str]] = set()

    # --- what the game tells ------------------------------------------------------------------------

    @property
    def wake(self) -> float | None:
        """See ``Mode``."""
        begun = [entry.last + PATIENCE for entry in self._entries.values() if entry.is_begun]
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
        self._entries[seat] = Entry(view, actions, now)
        out: list[Output] = [Signal(place, Feedback.ATTENTION) for place in self.setting.places_of(seat)]
        return [*out, *self._explain(seat, view, actions, seconds)]

    def raced(self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...]) -> Outputs:
        """See ``Mode``."""
        before = self._entries.get(seat)
        self._entries[seat] = Entry(view, actions, now, is_race=True)
        if before is not None and before.is_race:
            self._entries[seat].again = before.again
            self._entries[seat].last = before.last
            return NOTHING
        self._answers.race_begins(seat)
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
                noted = [self._voice.say(seat, _("that is noted, and told in a moment."))]
        here = self._voice.places.get(seat)
        others = [place for place in self.setting.places_of(seat) if place != here]
        dark = [Signal(each, Feedback.OFF) for each in others]
        return [*noted, *self._voice.light(seat, Feedback.ACCEPTED), *dark]

    def refused(self, now: float, seat: int, action: Action, reason: Reason) -> Outputs:
        """See ``Mode``."""
        entry = self._entries.get(seat)
        if entry is not None:
            entry.clear()
        self._answers.refused(seat, action)
        return self._voice.no(seat, self.setting.speakers[seat].reason(reason))

    def ticked(self, now: float) -> Outputs:
        """An entry that nobody goes on with is forgotten."""
        out: list[Output] = []
        for seat, entry in self._entries.items():
            if entry.is_begun and now >= entry.last + PATIENCE:
                text = _("What was begun is forgotten: {taps}. Begin again.")
                again = "" if entry.again is None else self._voice.named(entry.again)
                text = text.format(taps=self._voice.tapped(entry.taps) or again)
                entry.clear()
                out += [self._voice.say(seat, text), *self._voice.light(seat, Feedback.OFF)]
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
            told = [self._voice.say(seat, " ".join(filter(None, sentences)))]
        else:
            how = self._how(how_to_tap(game, verbs)) if new else ""
            told = [Say(how, seat)] if how else []
        # Whom one may ask all know; of somebody without a token it is told before a tap is tried in vain.
        has_targets = any(action.target >= 0 for action in actions)
        lacking = missing_tokens(self.setting, seat) if new and how and has_targets else ""
        return [*told, Say(lacking, EVERYBODY if self.setting.is_common else seat)] if lacking else [*told]

    def _next_step(self, seat: int, entry: Entry) -> str:
        """What has to be decided, and what is to be tapped next; nothing of it depends on the hand."""
        if entry.taps:
            return self._answers.next_tap(entry)
        rules = self.setting.rules
        what = what_to_decide(self.setting, seat, entry.view, None)
        verbs = tuple(dict.fromkeys(action.verb for action in entry.actions))
        how = how_to_decide(rules.info.id, kind_of(rules, entry.view), verbs)
        how = self._how(how if len(how) <= LONGEST_STEP else self._answers.lacking(entry))
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
        self._voice.places[seat] = touch.place
        entry = self._entries.get(seat)
        if word and word in SCREEN_WORDS and not (entry is not None and entry.goes_on_with(word)):
            return self._command(now, seat, entry, word)
        if word and word in self.setting.rules.info.wishes:
            return self._wish(seat, word)
        if entry is None:
            return self._voice.no(seat, _("It is not your turn."))
        if touch.at < entry.asked_at:
            return self._voice.no(seat, _("That tap came before the question: look, and tap again."))
        entry.last = now
        if word == OK:
            return self._answers.confirm(seat, entry)
        if word == CANCEL:
            return self._answers.cancel(seat, entry)
        tap = self._tap_of(touch.tag, word)
        if isinstance(tap, str):
            return self._voice.no(seat, tap)
        return self._answers.tap(seat, entry, tap, touch.uid)

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

    def _command(self, now: float, seat: int, entry: Entry | None, word: str) -> Outputs:
        """A command of the screen; what has been tapped stays, and whoever looks for help is not late."""
        if entry is not None and entry.is_begun:
            entry.last = now
        return [Typed(word), *self._voice.light(seat, Feedback.ACCEPTED)]

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

    def _wish(self, seat: int, word: str) -> Outputs:
        view = self._views.get(seat)
        if view is None:
            return self._voice.no(seat, _("The game has not begun."))
        try:
            return [Act(seat, self.setting.boards[seat].wish(word, view))]
        except NotUnderstood as problem:
            return self._voice.no(seat, str(problem))


def open_mode(setting: Setting) -> Controller:
    """See ``modes.mode_of``."""
    from .controller_shared import SharedController  # it is made of this module

    return SharedController(setting) if setting.is_common else Controller(setting)
