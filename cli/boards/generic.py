"""How a game that is not known here is shown and played: by its report, its zones and its legal actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from engine.contract import Action, AnyRules, BadAction, Event, Outcome, View
from engine.message import message_of
from engine.table import STOCK, Choose, Tick, Zone, hand_of, owner
from engine.text import action_text, seat_letters

from ..language import either, said
from ..speech import speech_of
from ..speech.verbs import in_own_words
from ..speech.words import typed_in_english
from ..text import Glyphs, held_text, printable, typed_card
from ..translation import gettext as _
from ..translation import ngettext
from .words import NotUnderstood, card, find_seat, letters, target

FEW_OFFERED: Final = 4
"""Legal actions that are shown with the question; of more, one as an example."""

FEW: Final = 12
"""Legal actions that are listed one by one; of more, each verb gets a line with an example."""


@dataclass(frozen=True, slots=True)
class HandGroup:
    """Cards of one's own hand that belong together. ``shown`` says how many of them everybody knows of."""

    value: str
    cards: tuple[str, ...]
    shown: int = 0


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards that belong to the whole table. ``cards`` are those whose faces are public, as shown."""

    name: str
    size: int
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatBox:
    """One player as everybody sees it. ``known`` are cards everybody knows to be in that hand; ``laid`` says
    what the player has won or laid, and ``note`` what is special about it now."""

    seat: int
    name: str
    cards: int
    laid: str
    score: int
    is_turn: bool
    is_me: bool
    is_away: bool
    known: tuple[str, ...]
    note: str = ""


class GameBoard:
    """What is particular to one game on the screen and in what is typed. This one serves any game.

    Knows the rules, the names at the table, its own seat and how cards are written, and nothing else: all
    that changes comes in with the view.
    """

    commands: ClassVar[Mapping[str, str]] = {}
    """Words of this game that ask for something to read, and what about."""

    wishes: ClassVar[Mapping[str, str]] = {}
    """Actions that may be wished for at any time, and what they do."""

    usage: ClassVar[tuple[str, ...]] = ()
    """How actions are typed, one line for each kind, for players who wait for their turn. ``{name}`` stands
    for somebody else at the table."""

    counts: ClassVar[frozenset[str]] = frozenset()
    """Verbs after which a value is a number of cards."""

    refusals: ClassVar[frozenset[str]] = frozenset()
    """Verbs that say no to what is offered: the last of the choices, as what is done seldom."""

    def __init__(self, rules: AnyRules, names: Sequence[str], me: int, glyphs: Glyphs) -> None:
        self.rules: Final = rules
        self.names: Final = tuple(names)
        self.labels: Final = seat_letters(len(names))
        self.me: Final = me
        self.glyphs: Final = glyphs

    # --- what there is to see -----------------------------------------------------------------------

    def card(self, text: str) -> str:
        """A card, or a value of one, as it stands in sentences."""
        return self.glyphs.card(text)

    def cards(self, view: View[Any], zone: Zone) -> tuple[str, ...]:
        """The public cards of a zone, in its order."""
        table = view.state.table
        known = [table.known[slot] for slot in table.slots(zone) if slot in table.known]
        return tuple(self.glyphs.face(view.deck, face) for face in known)

    def hand(self, view: View[Any]) -> tuple[HandGroup, ...]:
        """One's own cards, grouped by the first attribute, in deck order."""
        groups: dict[str, list[str]] = {}
        for face in view.deck.sorted(view.hand.values()):
            groups.setdefault(face[0] or "", []).append(self.glyphs.face(view.deck, face))
        public = Counter(face[0] for face in view.known.get(hand_of(self.me), ()))
        return tuple(HandGroup(value, tuple(cards), public[value]) for value, cards in groups.items())

    def hand_line(self, view: View[Any]) -> str:
        """One's own cards in a line, groups set apart."""
        groups = "   ".join(" ".join(group.cards) for group in self.hand(view))
        return _("Your hand: {cards}").format(cards=groups or _("no cards"))

    def piles(self, view: View[Any]) -> tuple[Pile, ...]:
        """The zones of the whole table that hold cards, the stock always among them."""
        table = view.state.table
        zones = [
            zone
            for zone, slots in table.zones.items()
            if owner(zone) is None and "." not in zone and (slots or zone == STOCK)
        ]
        return tuple(self.pile(view, zone) for zone in zones)

    def pile(self, view: View[Any], zone: Zone) -> Pile:
        """One zone of the whole table."""
        return Pile(self.zone_name(zone), view.state.table.size(zone), self._in_sight(view, zone))

    def _in_sight(self, view: View[Any], zone: Zone) -> tuple[str, ...]:
        """The cards of a zone that lie face up; none of one whose cards are not all known."""
        cards = self.cards(view, zone)
        return cards if len(cards) == view.state.table.size(zone) else ()

    def zone_name(self, zone: Zone) -> str:
        """What people call a zone."""
        return _("Stock") if zone == STOCK else zone.capitalize()

    def laid(self, view: View[Any], seat: int) -> str:
        """What a seat has laid or won, in few words; empty where that is nothing."""
        report = self.rules.report(view.state)
        groups = " ".join(typed_card(each) for each in report.books[seat])
        parts = [_("laid: {groups}").format(groups=groups)] if groups else []
        score = report.scores[seat]
        if score and score != len(report.books[seat]):
            parts.append(ngettext("{n} point", "{n} points", score).format(n=score))
        return ", ".join(parts)

    def won(self, view: View[Any], seat: int) -> str:
        """What a seat's score was made with, behind the score itself."""
        return self.laid(view, seat)

    def note(self, view: View[Any], seat: int) -> str:
        """What is special about a seat now; empty for nothing."""
        return ""

    def held(self, known: Sequence[str]) -> str:
        """What everybody knows of a hand, from cards as ``Glyphs.face`` writes them."""
        return held_text(known)

    def facts(self, view: View[Any]) -> tuple[str, ...]:
        """Lines above the players, below the piles: what of this game everybody should see."""
        return ()

    def steps(self, view: View[Any]) -> tuple[tuple[str, ...], int]:
        """The names of the steps of a turn, and which one is under way; nothing in games without them, and
        between turns."""
        return (), -1

    def decided(self, outcome: Outcome, view: View[Any]) -> str:
        """How those became the winners whom the scores alone do not explain; empty where they do."""
        if len(outcome.winners) < 2:
            return ""
        return _("A tie is a shared win: nothing else decides between equals.")

    def score_heading(self, view: View[Any]) -> str:
        """What the scores count."""
        speech = speech_of(self.rules.info.id)
        return speech.lookup(speech.score)

    def answer(self, command: str, view: View[Any]) -> tuple[str, ...]:
        """The lines for one of ``commands``."""
        raise KeyError(command)

    # --- what happened ------------------------------------------------------------------------------

    def lines(self, events: Sequence[Event]) -> tuple[tuple[Event, ...], ...]:
        """The events of a step that are worth telling; those in one tuple share a line."""
        return tuple((event,) for event in events)

    def remark(self, events: Sequence[Event], view: View[Any]) -> str:
        """What to say behind the last line about the events of a step, such as what is left."""
        return ""

    def named(self, event: Event) -> Counter[str]:
        """The cards that an event itself names, so that they need not be named again for who got them."""
        return Counter(event.words)

    def ticked(self, view: View[Any]) -> tuple[str, ...]:
        """Lines for time that has passed in a race, such as a countdown; almost always none."""
        return ()

    def new_line(self, view: View[Any], new: Counter[str], cards: Iterable[str]) -> str:
        """What came into one's hand: ``new`` by texts, ``cards`` as they are written."""
        return _("New in your hand: {cards}").format(cards=" ".join(cards))

    # --- what there is to decide --------------------------------------------------------------------

    def asked(self, view: View[Any], actions: Sequence[Action], seconds: float | None) -> tuple[str, ...]:
        """The lines that ask the player for a decision; the first one stands out."""
        if seconds is not None:
            # Whether there is a choice must not show in how long the answer takes, so there is a time for it
            # in any case.
            text = _("Choose; after {n:.0f} seconds it is: {sample}").format(
                n=seconds, sample=self.action(actions[0])
            )
            return (text, *(f"  {line}" for line in self.hints(view, actions)))
        return (_("Your turn."), self.hand_line(view), *self.offered(actions))

    def offered(self, actions: Sequence[Action]) -> tuple[str, ...]:
        """What is to be done on one's turn, for games whose players cannot be expected to know."""
        if len(actions) <= FEW_OFFERED:
            return tuple(f"  {self.action(action)}" for action in actions)
        return (_("  {sample}   (hint lists what is possible)").format(sample=self.sample(actions)),)

    def prompt(self, view: View[Any], actions: Sequence[Action], left: float | None) -> str:
        """What stands before the cursor while the player is asked; ``left`` are seconds."""
        if left is None:
            return _("Your turn> ")
        return _("Your choice, {n:.0f} s left> ").format(n=left)

    def value(self, text: str) -> str:
        """What an ask names, as one would type it."""
        return typed_card(text)

    def number(self, text: str) -> str:
        """What a choice between numbers of cards says."""
        return text

    def action(self, action: Action) -> str:
        """An action as one would type it in the language chosen."""
        verb, value = in_own_words(action.verb), self.value(action.value)
        cards = tuple(map(typed_card, action.cards))
        return action_text(Action(verb, action.target, value, cards), self.names)

    def sample(self, actions: Sequence[Action]) -> str:
        """One of the actions as one would type it."""
        return self.action(actions[0])

    def completions(self, actions: Sequence[Action]) -> list[str]:
        """Whole lines for the completion of what is being typed."""
        return [self.action(action) for action in actions]

    def help(self, view: View[Any], actions: Sequence[Action]) -> tuple[str, ...]:
        """How to type what is possible now, or what will be."""
        if actions:
            return self.hints(view, actions)
        usage = (_(line).format(name=self.another()) for line in self.usage)
        return tuple(usage) or (_("It is not your turn."),)

    def idle(self, view: View[Any]) -> str:
        """Why there is nothing to decide now, as a sentence."""
        if isinstance(self.rules.pending(view.state), Outcome):
            return _("The game is over.")
        return _("It is not your turn.")

    def too_early(self, view: View[Any]) -> str:
        """What to say to a player who types an action while there is nothing to decide."""
        if isinstance(self.rules.pending(view.state), Outcome):
            return self.idle(view)
        return _("It is not your turn; wait, or talk with: chat TEXT")

    def hints(self, view: View[Any], actions: Sequence[Action]) -> tuple[str, ...]:
        """What may be typed now: every action if they are few, else a line for each verb and target."""
        if len(actions) <= FEW:
            return tuple(self.action(action) for action in actions)
        heads: dict[str, list[str]] = {}
        for action in actions:
            text = self.action(action)
            head = self.action(Action(action.verb, action.target))
            heads.setdefault(head, []).append(text.removeprefix(head).strip())
        return tuple(_listed(head, values) for head, values in heads.items())

    # --- what is typed ------------------------------------------------------------------------------

    def verb(self, line: str, actions: Sequence[Action]) -> tuple[str, str] | None:
        """The verb that a line begins with, the longest one, and the rest as the engine reads it."""
        verbs = {*self.rules.info.verbs, *self.rules.info.wishes, *(action.verb for action in actions)}
        folded = " ".join(line.casefold().split())
        for verb in sorted(verbs, key=len, reverse=True):
            if folded == verb or folded.startswith(verb + " "):
                rest = " ".join(line.split())[len(verb) :].split()
                return verb, " ".join(typed_in_english(rest))
        return None

    def read(self, verb: str, words: list[str], view: View[Any], actions: Sequence[Action]) -> Action:
        """The action that a verb and the words after it name, legal or not. Raises ``NotUnderstood``."""
        if not any(action.verb == verb for action in actions):
            raise NotUnderstood(
                _("Not now. For example, you can type: {sample}").format(sample=self.sample(actions))
            )
        if not isinstance(self.rules.pending(view.state), Choose | Tick):
            return Action(
                verb, cards=self.read_cards(view, words)
            )  # cards to give or to lay, asked by the deal
        return self.parse(view, " ".join([verb, *self.read_words(verb, words, view, actions)]), actions)

    def read_words(
        self, verb: str, words: list[str], view: View[Any], actions: Sequence[Action]
    ) -> list[str]:
        """The words after a verb as the game reads them: players by letters, cards by their texts."""
        found = []
        if verb in self.rules.info.targeted:
            possible = {action.target for action in actions if action.verb == verb}
            # Where only one player can be meant, the name may be left out, and a number is no player.
            if len(possible) == 1 and (len(words) < 2 and not (words and _is_name(words[0], self.names))):
                words = [self.names[min(possible)], *words]
            if not words:
                sample = self.sample(actions)
                raise NotUnderstood(_("Whom? For example: {sample}").format(sample=sample))
            seat, words = target(words, self.names, self.me)
            found.append(self.labels[seat])
        whole = card(view.deck, words) if words else None
        return [*found, whole] if whole is not None else [*found, *map(letters, words)]

    def read_cards(self, view: View[Any], words: Sequence[str]) -> tuple[str, ...]:
        """Cards by name, one or several."""
        whole = card(view.deck, words)
        if whole is not None:
            return (whole,)
        found = []
        for word in words:
            each = card(view.deck, [word])
            if each is None:
                sample = typed_card(view.deck.text(view.deck.faces[0]))
                raise NotUnderstood(
                    _('"{word}" is not a card; a card looks like {sample}.').format(
                        word=printable(word, 20), sample=sample
                    )
                )
            found.append(each)
        return tuple(found)

    def parse(self, view: View[Any], text: str, actions: Sequence[Action]) -> Action:
        """The action of a text in the game's own form. Raises ``NotUnderstood``."""
        try:
            return self.rules.parse(view.state, text, self.labels)
        except BadAction as error:
            problem, sample = said(message_of(error)), self.sample(actions)
            if sample not in problem:
                problem = _("{problem} For example: {sample}").format(problem=problem, sample=sample)
            raise NotUnderstood(problem) from None

    def wish(self, verb: str, view: View[Any]) -> Action:
        """What a player wishes for at a time when it is not asked for. Raises ``NotUnderstood``."""
        return Action(verb)

    def short(self, words: list[str], view: View[Any], actions: Sequence[Action]) -> Action | None:
        """The action of a line without a verb, in games that have such a short form. Raises
        ``NotUnderstood``."""
        return None

    def guess(self, words: Sequence[str], view: View[Any], actions: Sequence[Action]) -> str | None:
        """What somebody may have meant whose line begins with no verb, as a sentence."""
        return None

    def another(self) -> str:
        """Somebody else at the table, for examples."""
        return next((name for seat, name in enumerate(self.names) if seat != self.me), "")

    def others(self) -> str:
        """The other players' names, as alternatives."""
        return either([name for seat, name in enumerate(self.names) if seat != self.me])


def _is_name(word: str, names: Sequence[str]) -> bool:
    return not word.isdecimal() and find_seat(word, names) is not None


def is_of_cards(actions: Sequence[Action]) -> bool:
    """Whether all there is to decide is which cards: those given for an answer, or laid."""
    first = actions[0]
    return first.target < 0 and not first.value and any(action.cards for action in actions)


def _listed(head: str, values: Sequence[str]) -> str:
    shown = [value for value in values if value][:FEW]
    more = len([value for value in values if value]) - len(shown)
    text = f"{head} " + " | ".join(shown) if shown else head
    return text if more <= 0 else text + _(" | and {n} more").format(n=more)
