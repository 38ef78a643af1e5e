"""One Fish on the screen: colours and numbers, stars, and pairs to lay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from msgspec import structs

from engine.cards import Deck, InvalidCard
from engine.contract import Action, View
from engine.table import STOCK, Zone, hand_of

from ..language import N_, either
from ..speech.verbs import in_english, in_own_words
from ..speech.words import COLOURS, colour_letter, count_name, rank_name, ranks_name
from ..translation import gettext as _
from ..translation import ngettext
from .generic import GameBoard, HandGroup, is_of_cards
from .words import SMALL_WORDS, NotUnderstood, card, find_seat, target, value

ASK: Final = "ask"
PICK: Final = "pick"
LAY: Final = "lay"
DECLINE: Final = "decline"
STAR: Final = "*"
VIA: Final = " via star"

FISH: Final = {"fish", "fishes", "card", "cards"}
WITH: Final = {"via", "with", "using", "by"}
STARS: Final = {"star", "stars", STAR, "*s"}

NAMES: Final = frozenset(name for name, _asked in COLOURS.values())
"""Colours as an ask names them."""

FEW_PAIRS: Final = 8
"""Ways to lay that are shown without being asked for: two lines of a narrow terminal."""


class OneFishBoard(GameBoard):
    """Asks for a colour or a number; picks from the pond; lays pairs."""

    refusals: ClassVar[frozenset[str]] = frozenset({DECLINE})
    usage: ClassVar[tuple[str, ...]] = (
        N_("ask {name} blue, ask {name} 3, ask {name} 3 via star"),
        N_("pick, or pick 7 for the seventh card of the pond"),
        N_("lay R2+G2, or decline"),
        N_("give B1, where you may choose"),
    )

    # --- what there is to see -----------------------------------------------------------------------

    def zone_name(self, zone: Zone) -> str:
        """See ``GameBoard``."""
        return _("Pond") if zone == STOCK else super().zone_name(zone)

    def hand(self, view: View[Any]) -> tuple[HandGroup, ...]:
        """By colour, in the order of the deck; the stars last."""
        at = view.deck.at("colour")
        colours = view.deck.values("colour")
        public = Counter(face[at] for face in view.known.get(hand_of(self.me), ()))
        found: dict[str, list[str]] = {}
        for face in sorted(
            view.hand.values(), key=lambda face: (colours.index(face[at]), view.deck.index(face))
        ):
            found.setdefault(face[at], []).append(self.glyphs.face(view.deck, face))
        return tuple(HandGroup(colour, tuple(cards), public[colour]) for colour, cards in found.items())

    def hand_line(self, view: View[Any]) -> str:
        """``Your hand: red R2 R5   blue B1   star *``."""
        parts = [f"{self._colour(group)} {' '.join(group.cards)}" for group in self.hand(view)]
        return _("Your hand: {cards}").format(cards="   ".join(parts) or _("no cards"))

    def _colour(self, group: HandGroup) -> str:
        if group.value == STAR:
            return ngettext("star", "stars", len(group.cards))
        names = {"R": _("red"), "B": _("blue"), "Y": _("yellow"), "G": _("green")}
        return names.get(group.value, group.value)

    def laid(self, view: View[Any], seat: int) -> str:
        """How many cards lie in pairs before a seat; always said, since they are what counts."""
        score = self.rules.report(view.state).scores[seat]
        return ngettext("{n} card laid", "{n} cards laid", score).format(n=score)

    def won(self, view: View[Any], seat: int) -> str:
        """The score says it all."""
        return ""

    def held(self, known: Sequence[str]) -> str:
        """``R2, one star, two twos, one red``: whole cards, and those of which the number or the colour is
        known."""
        parts = [text for text in known if "?" not in text and text != STAR]
        stars = [text for text in known if text == STAR]
        if stars:
            name = self._colour(HandGroup(STAR, tuple(stars)))
            parts.append(_("{n} {rank}").format(n=count_name(len(stars)), rank=name))
        for text, count in Counter(text for text in known if "?" in text and text != "?").items():
            seen = text.replace("?", "")
            if seen.isdecimal():
                name = rank_name(seen) if count == 1 else ranks_name(seen)
            else:
                letter = next((each for each in COLOURS if colour_letter(each) == seen), seen)
                name = self._colour(HandGroup(letter, (text,)))
            parts.append(_("{n} {rank}").format(n=count_name(count), rank=name))
        return ", ".join(parts)

    # --- what there is to decide --------------------------------------------------------------------

    def asked(self, view: View[Any], actions: Sequence[Action], seconds: float | None) -> tuple[str, ...]:
        """See ``GameBoard``."""
        hand = self.hand_line(view)
        verbs = {action.verb for action in actions}
        if ASK in verbs:
            head = _("Your turn: ask somebody for a colour or a number.")
            return (head, hand)
        if PICK in verbs:
            return (_("Pick a card: pick, or pick N with N up to {n}.").format(n=len(actions)),)
        if DECLINE in verbs or LAY in verbs:
            return self._asked_to_lay(actions, seconds, hand)
        text = _("Choose which card to give.")
        if seconds is not None:
            text = _("Choose which card to give; after {n:.0f} seconds the lowest one goes.").format(
                n=seconds
            )
        return (text, *(f"  {line}" for line in self.hints(view, actions)))

    def _asked_to_lay(self, actions: Sequence[Action], seconds: float | None, hand: str) -> tuple[str, ...]:
        pairs = [action for action in actions if action.verb == LAY]
        may_decline = len(pairs) < len(actions)
        if not may_decline:
            head = _("Lay at least one pair with what you got.")
        elif pairs:
            head = _("You may lay a pair with the card you picked.")
        else:
            head = _("The card you picked goes with nothing you hold: decline.")
        if seconds is not None:
            rest = _("After {n:.0f} seconds it is: {sample}").format(
                n=seconds, sample=self.action(actions[0])
            )
            head = f"{head} {rest}"
        shown = [f"  {self.action(action)}" for action in pairs[:FEW_PAIRS]]
        if len(pairs) > FEW_PAIRS:
            shown.append("  " + _("and {n} more ways; hint lists them").format(n=len(pairs) - FEW_PAIRS))
        return (head, hand, *shown)

    def prompt(self, view: View[Any], actions: Sequence[Action], left: float | None) -> str:
        """See ``GameBoard``."""
        verbs = {action.verb for action in actions}
        if verbs & {LAY, DECLINE}:
            text = _("Lay or decline") if DECLINE in verbs else _("Lay")
            return f"{text}> " if left is None else _("{text}, {n:.0f} s left> ").format(text=text, n=left)
        if PICK in verbs and left is None:
            return _("Pick> ")
        if ASK not in verbs and left is None:
            return _("Give> ")
        return super().prompt(view, actions, left)

    def value(self, text: str) -> str:
        """Colours as they are called in the language chosen, which are understood when they are typed."""
        bare = text.removesuffix(VIA)
        star = " ".join(["", *map(in_own_words, VIA.split())]) if text.endswith(VIA) else ""
        return (_(bare) if bare in NAMES else bare) + star

    def action(self, action: Action) -> str:
        """Cards with the letters that stand on them."""
        cards = tuple("+".join(map(self.glyphs.card, each.split("+"))) for each in action.cards)
        return super().action(structs.replace(action, cards=cards))

    def hints(self, view: View[Any], actions: Sequence[Action]) -> tuple[str, ...]:
        """Asks by player; what needs a star in a line of its own."""
        if actions[0].verb == PICK:
            last = actions[-1].value
            verb = in_own_words(PICK)
            return (verb, _("{verb} 1 up to {verb} {n}").format(verb=verb, n=last))
        if actions[0].verb != ASK:
            return tuple(self.action(action) for action in actions)
        lines = []
        for seat in dict.fromkeys(action.target for action in actions):
            values = [action.value for action in actions if action.target == seat]
            plain = " | ".join(self.value(each) for each in values if not each.endswith(VIA))
            if plain:
                lines.append(f"{in_own_words(ASK)} {self.names[seat]} {plain}")
        starred = [action for action in actions if action.value.endswith(VIA)]
        if starred:
            sample = self.action(starred[0])
            lines.append(_("With your star you may ask for anything: {sample}").format(sample=sample))
        return tuple(lines)

    # --- what is typed ------------------------------------------------------------------------------

    def read(self, verb: str, words: list[str], view: View[Any], actions: Sequence[Action]) -> Action:
        """See ``GameBoard``."""
        sample = self.sample(actions)
        if not any(action.verb == verb for action in actions):
            raise NotUnderstood(_("Not now. For example, you can type: {sample}").format(sample=sample))
        if verb == LAY:
            return self.parse(view, f"{LAY} {_pairs(view.deck, words)}", actions)
        if is_of_cards(actions):
            return Action(verb, cards=self.read_cards(view, words))
        if verb != ASK:
            return self.parse(view, " ".join([verb, *words]), actions)
        if not words:
            raise NotUnderstood(_("Whom, and for what? For example: {sample}").format(sample=sample))
        guess = self.guess(words, view, actions)
        try:
            seat, rest = target(words, self.names, self.me)
        except NotUnderstood:
            if guess is None:
                raise
            raise NotUnderstood(guess) from None
        if seat == self.me:
            raise NotUnderstood(_("You cannot ask yourself; ask {names}.").format(names=self.others()))
        wanted, is_starred = _wanted(view.deck, rest)
        if not wanted:
            raise NotUnderstood(_("For what? For example: {sample}").format(sample=sample))
        text = " ".join([ASK, self.labels[seat], *wanted]) + (VIA if is_starred else "")
        return self.parse(view, text, actions)

    def guess(self, words: Sequence[str], view: View[Any], actions: Sequence[Action]) -> str | None:
        """The player who left out the verb, or the player to ask, or wrote them in another order."""
        if actions and actions[0].verb != ASK:
            return None
        rest, seat = [], -1
        for word in words:
            there = (
                find_seat(word, self.names) if not word.isdecimal() and not _one(view.deck, word) else None
            )
            if there is not None and there != self.me and seat < 0:
                seat = there
            else:
                rest.append(word)
        wanted, is_starred = _wanted(view.deck, rest)
        if len(wanted) != 1 or not _one(view.deck, wanted[0]):
            return None
        if not actions:
            return _("It is not your turn; wait, or talk with: chat TEXT") if seat >= 0 else None
        possible = sorted({action.target for action in actions})
        named_value = self.value(wanted[0] + (VIA if is_starred else ""))
        if seat < 0 and len(possible) > 1:
            sample = f"{in_own_words(ASK)} {self.names[possible[0]]} {named_value}"
            named = either([self.names[each] for each in possible])
            return _("Whom, {names}? For example: {sample}").format(names=named, sample=sample)
        asked = self.names[seat if seat >= 0 else possible[0]]
        return _("Did you mean: {sample}").format(sample=f"{in_own_words(ASK)} {asked} {named_value}")


def _one(deck: Deck, word: str) -> str | None:
    """The colour or the number that a word names, as the rules write it."""
    return value(deck, "number", [word]) or value(deck, "colour", [word])


def _wanted(deck: Deck, words: Sequence[str]) -> tuple[list[str], bool]:
    """The words that say what is asked for, in the singular, and whether a star is shown with it."""
    found, is_starred = [], False
    kept = [word for word in words if word.casefold() not in SMALL_WORDS | FISH | {"my", "and"}]
    plain = [in_english(word.casefold().strip(",.")) for word in kept]
    for number, folded in enumerate(plain):
        following = plain[number + 1] if number + 1 < len(plain) else ""
        if folded in WITH and following in STARS:
            is_starred = True
        elif not (folded in STARS and is_starred):
            found.append(_singular(deck, folded))
    return found, is_starred


def _singular(deck: Deck, word: str) -> str:
    """``red`` for ``reds``, ``3`` for ``threes``; other words as they are."""
    number = value(deck, "number", [word])
    if number is not None:
        return number
    colours = (text for text in (word, word.removesuffix("s")) if _is_colour(deck, text))
    return next(colours, word)


def _is_colour(deck: Deck, word: str) -> bool:
    try:
        deck.parse_value("colour", word)
    except InvalidCard:
        return False
    return True


def _pairs(deck: Deck, words: Sequence[str]) -> str:
    """Pairs with their plus signs; two cards alone are one pair without it."""
    text = " ".join(words).replace("+", " + ")
    if "+" in text:
        return text
    parts = [word for word in text.split() if word.casefold() not in SMALL_WORDS | {"and", "with"}]
    for count in range(1, len(parts)):
        first, second = card(deck, parts[:count]), card(deck, parts[count:])
        if first and second:
            return f"{first}+{second}"
    return text
