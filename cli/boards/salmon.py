"""Discount Salmon on the screen: a fish and its problems, numbered cards, and a race that can be typed.

Cards keep their number in the hand as long as they are there, and a new card takes the number of one that
left: what was read is still right when it is typed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any, ClassVar, Final

from msgspec import structs

from engine.contract import Action, AnyRules, Event, Outcome, View
from engine.games.salmon_cards import ANDREW, BLENDER, CURES, CURSES, judged
from engine.table import STOCK, Tick, Zone

from ..language import N_
from ..speech.verbs import in_own_words
from ..speech.words import KINDS, PROBLEMS
from ..text import Glyphs
from ..translation import gettext as _
from ..translation import ngettext
from .generic import GameBoard, HandGroup, Pile
from .salmon_hand import NumberedHand
from .words import NotUnderstood

PLAY: Final = "play"
DROP: Final = "drop"
FLIP: Final = "flip"
PASS: Final = "pass"  # noqa: S105  # a word of the game
WAIT: Final = "wait"

LAKE: Final = "lake"

SHOW: Final = "show"
RACE: Final = "race"
OVER: Final = "over"
BEFORE: Final = frozenset({"first", "shuffle lake", "shuffle", "deal"})
"""Phases of the rules before the first fish."""

COUNTED: Final = 3
"""Seconds of silence that are counted down: enough to decide, and few lines."""

INVALID: Final = "invalid"
LATE: Final = "late"
REFILL: Final = "refill"


class SalmonBoard(GameBoard):
    """Flips, races and redraws."""

    commands: ClassVar[Mapping[str, str]] = {"effects": N_("what each card does to a fish")}
    usage: ClassVar[tuple[str, ...]] = (
        N_("1 or makeup plays that card, 1 3 or per mak two of them in this order"),
        N_("flip, or flip 7 for the seventh fish"),
        N_("drop 1 2 puts two cards away"),
        N_("pass, where players take turns"),
    )

    def __init__(self, rules: AnyRules, names: Sequence[str], me: int, glyphs: Glyphs) -> None:
        super().__init__(rules, names, me, glyphs)
        self.numbered: Final = NumberedHand(self.name)
        self._counted = COUNTED + 1
        self._knows_how = False

    # --- what there is to see -----------------------------------------------------------------------

    def hand(self, view: View[Any]) -> tuple[HandGroup, ...]:
        """Each card under its number."""
        cards = enumerate(self.numbered.places(view), 1)
        return tuple(HandGroup(str(number), (self.name(text),)) for number, text in cards if text)

    def hand_line(self, view: View[Any]) -> str:
        """``1 perfume  2 makeup  3 sun``."""
        cards = "  ".join(f"{group.value} {group.cards[0]}" for group in self.hand(view))
        return _("Your hand: {cards}").format(cards=cards or _("no cards"))

    def name(self, text: str) -> str:
        """A card as people call it."""
        return self.glyphs.card(text)

    def problems(self, view: View[Any]) -> tuple[str, ...]:
        """The unsolved problems of the fish in play."""
        found: tuple[str, ...] = view.state.problems
        return found

    def problem_names(self, view: View[Any]) -> str:
        """The same, as they are called."""
        return ", ".join(_(PROBLEMS.get(each, each)) for each in self.problems(view))

    def zone_name(self, zone: Zone) -> str:
        """See ``GameBoard``."""
        names = {LAKE: _("Lake"), STOCK: _("Cards")}
        return names.get(zone) or super().zone_name(zone)

    def piles(self, view: View[Any]) -> tuple[Pile, ...]:
        """The fish that are left, and all modifiers that can still be drawn, however they are piled."""
        table = view.state.table
        drawn = [zone for zone in table.zones if zone.startswith("pile")]
        modifiers = sum(table.size(zone) for zone in drawn)
        return (
            Pile(_("Lake"), table.size(LAKE)),
            Pile(_("To draw"), modifiers),
        )

    def facts(self, view: View[Any]) -> tuple[str, ...]:
        """The fish in play, and what has been played on it."""
        problems = self.problem_names(view)
        if not problems:
            return ()
        played = ", ".join(f"{self.names[seat]}: {self.name(card)}" for seat, card in view.state.stack)
        stack = (_("Played on it: {cards}").format(cards=played),) if played else ()
        return (_("The fish is {problems}.").format(problems=problems), *stack)

    def decided(self, outcome: Outcome, view: View[Any]) -> str:
        """Curses decide between equals in fish, then cures."""
        won, winners = view.state.won, outcome.winners
        if len(winners) != 1:
            return ""  # that they are equal in everything is said with who wins
        winner = winners[0]
        fish = [seat for seat in range(len(won)) if outcome.scores[seat] == outcome.scores[winner]]
        if len(fish) < 2:
            return ""
        if sum(won[seat].negative == won[winner].negative for seat in fish) < 2:
            return _("Level in fish: then the most curses among the cards won decide.")
        return _("Level in fish and in curses: then the most cures among the cards won decide.")

    def laid(self, view: View[Any], seat: int) -> str:
        """How many fish a seat has."""
        score = self.rules.report(view.state).scores[seat]
        return ngettext("{n} fish", "{n} fish", score).format(n=score)

    def won(self, view: View[Any], seat: int) -> str:
        """What decides between equals."""
        won = view.state.won[seat]
        curses = ngettext("{n} curse", "{n} curses", won.negative).format(n=won.negative)
        cures = ngettext("{n} cure", "{n} cures", won.positive).format(n=won.positive)
        return _("{curses}, {cures}").format(curses=curses, cures=cures)

    def note(self, view: View[Any], seat: int) -> str:
        """Who has the deep fryer."""
        return _("deep fryer") if view.state.fryer == seat else ""

    def held(self, known: Sequence[str]) -> str:
        """Cards that came back into a hand after all had seen them."""
        return ", ".join(self.name(text) for text in known if "?" not in text)

    def answer(self, command: str, view: View[Any]) -> tuple[str, ...]:
        """What each card does, the cards of one kind in a line."""
        return (
            _("Cures: {cards}").format(cards=self._effects(CURES)),
            _("Curses: {cards}").format(cards=self._effects(CURSES)),
            _("{card}: solves all problems, and the fish is yours").format(card=self.name(BLENDER)),
            _("{card}: runs away with the fish, nobody gets it").format(card=self.name(ANDREW)),
        )

    def _effects(self, table: Mapping[str, str]) -> str:
        return ", ".join(f"{self.name(card)} ({_(PROBLEMS[problem])})" for card, problem in table.items())

    # --- what happened ------------------------------------------------------------------------------

    def lines(self, events: Sequence[Event]) -> tuple[tuple[Event, ...], ...]:
        """One line for each play, with what became of its cards; no line for hands that are filled up."""
        found: list[list[Event]] = []
        for event in events:
            if event.verb == REFILL:
                continue
            follows = event.verb in (INVALID, LATE) and found and found[-1][0].seat == event.seat
            if follows and found[-1][-1].verb == event.verb == INVALID:
                found[-1][-1] = structs.replace(event, words=(*found[-1][-1].words, *event.words))
            elif follows and found[-1][0].verb == PLAY:
                found[-1].append(event)
            else:
                found.append([event])
        return tuple(_without_repetition(group) for group in found)

    def remark(self, events: Sequence[Event], view: View[Any]) -> str:
        """What is left to solve, while the fish is in play."""
        problems = self.problem_names(view)
        if not problems or not any(event.verb == PLAY for event in events):
            return ""
        return _("Now: {problems}.").format(problems=problems)

    def new_line(self, view: View[Any], new: Counter[str], cards: Iterable[str]) -> str:
        """New cards with their numbers."""
        left, named = Counter(new), []
        for number, text in enumerate(self.numbered.places(view), 1):
            if left[text] > 0:
                left[text] -= 1
                named.append(f"{number} {self.name(text)}")
        return _("New: {cards}").format(cards="  ".join(named))

    def ticked(self, view: View[Any]) -> tuple[str, ...]:
        """A countdown of the last seconds before a stalemate, one line each."""
        settings = view.state.settings
        left = ceil((settings.patience - view.state.silence) * settings.tick_ms / 1000)
        if left > COUNTED or not view.state.problems or not view.state.silence:
            self._counted = COUNTED + 1
            return ()
        if left >= self._counted or left < 1:
            return ()
        self._counted = left
        return (ngettext("Stalemate in {n} second", "Stalemate in {n} seconds", left).format(n=left),)

    # --- what there is to decide --------------------------------------------------------------------

    def asked(self, view: View[Any], actions: Sequence[Action], seconds: float | None) -> tuple[str, ...]:
        """See ``GameBoard``."""
        verbs = {action.verb for action in actions}
        if FLIP in verbs:
            text = _("Flip a fish: flip, or flip 1 to {n}.").format(n=len(actions))
            return (self._timed(text, seconds),)
        if DROP in verbs:
            most = max(actions, key=lambda action: len(action.cards))
            text = ngettext("Put a card away: {sample}.", "Put {n} cards away: {sample}.", len(most.cards))
            text = text.format(n=len(most.cards), sample=self._numbers(view, most))
            return (self._timed(text, seconds), self.hand_line(view))
        if isinstance(self.rules.pending(view.state), Tick):
            return (self.hand_line(view), *self._how_to_race())
        problems = self.problem_names(view)
        text = _("Your turn: play cards, or pass. The fish is {problems}.").format(problems=problems)
        return (text, self.hand_line(view))

    def _how_to_race(self) -> tuple[str, ...]:
        """Told with the first fish alone: later there is no time to read."""
        if self._knows_how:
            return ()
        self._knows_how = True
        return (
            _("Everybody plays at once: type numbers of cards, or how their names begin, and Enter."),
            _("effects says what each card does, hint which ones count now."),
        )

    def _timed(self, text: str, seconds: float | None) -> str:
        if seconds is None:
            return text
        return f"{text} " + _("After {n:.0f} seconds it is done for you.").format(n=seconds)

    def _numbers(self, view: View[Any], action: Action) -> str:
        """An action with the numbers of its cards, as it is typed fastest."""
        numbers = self.numbered.numbers(view, action.cards)
        return self.action(action) if numbers is None else " ".join([in_own_words(action.verb), *numbers])

    def _number(self, view: View[Any], action: Action) -> str:
        """The number of the only card that an action plays, which is enough to play it."""
        return self._numbers(view, action).removeprefix(in_own_words(action.verb)).strip()

    def prompt(self, view: View[Any], actions: Sequence[Action], left: float | None) -> str:
        """The problems of the fish, which is what a player needs to see while typing."""
        verbs = {action.verb for action in actions}
        for verb, text in ((FLIP, _("Flip")), (DROP, _("Put away"))):
            if verb in verbs:
                return (
                    f"{text}> " if left is None else _("{text}, {n:.0f} s left> ").format(text=text, n=left)
                )
        problems = self.problem_names(view)
        if problems and verbs == {WAIT}:
            return _("{problems}, no plays left> ").format(problems=problems)
        return f"{problems}> " if problems else super().prompt(view, actions, left)

    def hints(self, view: View[Any], actions: Sequence[Action]) -> tuple[str, ...]:
        """How to type what can be done; not every order of cards."""
        verbs = {action.verb for action in actions}
        if FLIP in verbs:
            verb = in_own_words(FLIP)
            return (verb, _("{verb} 1 up to {verb} {n}").format(verb=verb, n=len(actions)))
        if DROP in verbs:
            most = max(actions, key=lambda action: len(action.cards))
            return (self.hand_line(view), self._numbers(view, most))
        if PLAY not in verbs:
            return (_("You may play no more cards on this fish."),)
        count = max(len(action.cards) for action in actions if action.verb == PLAY)
        singles = [action for action in actions if action.verb == PLAY and len(action.cards) == 1]
        counting = [each for each in singles if judged(each.cards[0], self.problems(view)) is not None]
        single = (counting or singles)[0]
        number = self._number(view, single)
        lines = [
            self.hand_line(view),
            self._that_count(view, counting),
            ngettext(
                "{number} or {name} plays that card; you may play one more.",
                "{number} or {name} plays that card; name up to {n} in their order.",
                count,
            ).format(number=number, name=self.name(single.cards[0]), n=count),
        ]
        if view.state.phase == RACE and view.state.is_first_tick:
            lines.insert(0, self._look(view))
        return (*lines, in_own_words(PASS)) if PASS in verbs else tuple(lines)

    def _that_count(self, view: View[Any], counting: Sequence[Action]) -> str:
        """Which cards would not be wasted on the fish as it is now."""
        if not counting:
            return _("None of your cards counts on this fish as it is now.")
        cards = "  ".join(f"{self._number(view, each)} {self.name(each.cards[0])}" for each in counting)
        return _("Cards that count on this fish now: {cards}").format(cards=cards)

    def idle(self, view: View[Any]) -> str:
        """What is going on between races, and in one from which this seat is out."""
        state = view.state
        if state.phase == OVER or state.settings.takes_turns:
            return super().idle(view)
        if state.phase in BEFORE:
            return _("The cards are still being shuffled and dealt.")
        if state.phase == DROP:
            return _("The others are still putting cards away; then the next fish is flipped.")
        if self.problems(view):
            return self._idle_at_fish(view)
        if state.phase == SHOW or (state.phase == FLIP and state.flipper == self.me and not state.chores):
            return _("The next fish is being flipped; the race for it begins in a moment.")
        if state.phase == FLIP and state.flipper != self.me:
            return _("Between two fish: {who} flips the next one, then everybody plays at once.").format(
                who=self.names[state.flipper]
            )
        return _("Between two fish: the hands are being made ready for the next one.")

    def _idle_at_fish(self, view: View[Any]) -> str:
        state = view.state
        if state.racers and self.me not in state.racers:
            return _("You are out for this fish.")
        if state.is_first_tick:
            return self._look(view)
        return _("The plays are being judged; wait a moment.")

    def _look(self, view: View[Any]) -> str:
        """Said in the pause after a flip, in which cards may be typed and are played first."""
        text = _("A moment to look: the fish is {problems}. The race begins right after it.")
        return text.format(problems=self.problem_names(view))

    def too_early(self, view: View[Any]) -> str:
        """The same: nobody waits for a turn here, unless it is played by turns."""
        return super().too_early(view) if view.state.settings.takes_turns else self.idle(view)

    def _is_spent(self, actions: Sequence[Action]) -> bool:
        return all(action.verb == WAIT for action in actions)

    def sample(self, actions: Sequence[Action]) -> str:
        """A play rather than a wait or a pass."""
        if actions[0].verb == FLIP:
            return in_own_words(FLIP)
        likely = (action for action in actions if action.verb not in (WAIT, PASS) and not action.value)
        return self.action(next(likely, actions[0]))

    def completions(self, actions: Sequence[Action]) -> list[str]:
        """Single cards are enough."""
        return [self.action(action) for action in actions if len(action.cards) < 2 and action.verb != WAIT]

    def action(self, action: Action) -> str:
        """Cards by their names in the language chosen; in English with hyphens, as the rules write them."""
        names = [(text, self.name(text)) for text in action.cards]
        cards = tuple(text if name == KINDS.get(text) else name for text, name in names)
        return super().action(structs.replace(action, value=in_own_words(action.value), cards=cards))

    # --- what is typed ------------------------------------------------------------------------------

    def read(self, verb: str, words: list[str], view: View[Any], actions: Sequence[Action]) -> Action:
        """See ``GameBoard``."""
        if not any(action.verb == verb for action in actions):
            if isinstance(self.rules.pending(view.state), Tick) and (verb == PLAY or self._is_spent(actions)):
                raise NotUnderstood(_("You may play no more cards on this fish."))
            raise NotUnderstood(
                _("Not now. For example, you can type: {sample}").format(sample=self.sample(actions))
            )
        if verb not in (PLAY, DROP) or words[:1] == ["down"]:
            return self.parse(view, " ".join([verb, *words]), actions)
        if not words:
            raise NotUnderstood(_("Which cards? For example: {sample}").format(sample=self.sample(actions)))
        cards = self.numbered.read(words, view)
        if verb == DROP:  # the order in which cards are put away means nothing; numbers need not be in order
            cards = tuple(map(view.deck.text, view.deck.sorted(map(view.deck.parse, cards))))
        return Action(verb, cards=cards)

    def short(self, words: list[str], view: View[Any], actions: Sequence[Action]) -> Action | None:
        """Numbers or names alone play these cards, or put them away; a number alone flips."""
        verbs = {action.verb for action in actions}
        head = words[0].casefold()
        if head in ("p", "pl") and len(words) > 1 and PLAY in verbs:
            return self.read(PLAY, words[1:], view, actions)
        if FLIP in verbs and head.isdecimal():
            return self.read(FLIP, words, view, actions)
        verb = PLAY if PLAY in verbs else DROP if DROP in verbs else ""
        if not verb or not self.numbered.may_begin(words, view):
            if {WAIT} == verbs and self.numbered.may_begin(words, view):
                raise NotUnderstood(_("You may play no more cards on this fish."))
            return None
        return self.read(verb, words, view, actions)

    def guess(self, words: Sequence[str], view: View[Any], actions: Sequence[Action]) -> str | None:
        """A card that is typed while there is nothing to play it on."""
        if actions or not self.numbered.may_begin(words, view):
            return None
        return self.too_early(view)


def _without_repetition(group: list[Event]) -> tuple[Event, ...]:
    """A play of which every card was wasted, or came too late, is told once."""
    if len(group) == 2 and sorted(group[0].words) == sorted(group[1].words):
        return (group[1],)
    return tuple(group)
