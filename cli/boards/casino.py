"""Casino Go Fish on the screen: the deck, the pool and the pile, three steps to a turn, hands laid open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from msgspec import structs

from engine.contract import Action, Outcome, View
from engine.table import STOCK, Zone, hand_of

from ..language import either
from ..speech.verbs import in_english, in_own_words
from ..text import N_, typed_card
from ..translation import gettext as _
from ..translation import ngettext
from .generic import FEW, GameBoard, Pile
from .words import SMALL_WORDS, NotUnderstood, begun, card, letters, target

DECK: Final = "draw deck"
FROM_POOL: Final = "draw pool"
TAKE: Final = "take"
FILL: Final = "fill"
SWAP: Final = "swap"
KEEP: Final = "keep"
DISCARD: Final = "discard"
BACK: Final = "hand back"
PASS: Final = "pass"  # noqa: S105  # a word of the game

DRAWS: Final = frozenset({DECK, FROM_POOL, TAKE})

POOL: Final = "pool"
PILE: Final = "pile"
DRAWN: Final = "table"

PLACES: Final = ("hand", "table")
"""Where a card goes that the Dealer takes."""

EXAMPLES: Final = 3
"""Swaps of one card that are shown without being asked for; hint lists them all."""


STEP_OF: Final = {
    "draw": 0, "again": 0, "drawn": 0, "picked": 0, "taken": 0, "ready": 0,
    "fill": 1, "filled": 1, "switch": 1, "swap": 1, "keep": 1, "kept": 1, "swapped": 1, "leftovers": 1,
    "discard": 2, "returned": 2,
}  # fmt: skip
"""Phase of the rules -> step of the turn; in all others no turn is under way."""


class CasinoBoard(GameBoard):
    """Draw, swap, discard; take from a Patron; lay the hand open."""

    commands: ClassVar[Mapping[str, str]] = {"sets": N_("the sets laid so far")}
    counts: ClassVar[frozenset[str]] = frozenset({DECK})
    usage: ClassVar[tuple[str, ...]] = (
        N_("draw deck 2, draw pool QS 4D, or as the Dealer: take {name} hand table"),
        N_("fill 5C, swap QS=5C 4D=4S, keep"),
        N_("discard, or as the Dealer: hand back"),
    )
    wishes: ClassVar[Mapping[str, str]] = {
        "expose": N_("lay your hand open for everyone before the next turn"),
        "conceal": N_("hide the cards that come to your open hand"),
    }

    # --- what there is to see -----------------------------------------------------------------------

    def zone_name(self, zone: Zone) -> str:
        """See ``GameBoard``."""
        names = {STOCK: _("Deck"), POOL: _("Pool"), PILE: _("Pile"), DRAWN: _("Drawn")}
        return names.get(zone) or super().zone_name(zone)

    def piles(self, view: View[Any]) -> tuple[Pile, ...]:
        """Deck and pool always; the pile by its size; what was drawn in this turn."""
        table = view.state.table
        pile = Pile(self.zone_name(PILE), table.size(PILE))
        drawn = (self.pile(view, DRAWN),) if table.size(DRAWN) else ()
        return (self.pile(view, STOCK), self.pile(view, POOL), pile, *drawn)

    def laid(self, view: View[Any], seat: int) -> str:
        """The numbers of the sets."""
        sets = self.won(view, seat)
        return _("sets: {sets}").format(sets=sets) if sets else ""

    def won(self, view: View[Any], seat: int) -> str:
        """The numbers alone."""
        return " ".join(map(typed_card, self.rules.report(view.state).books[seat]))

    def note(self, view: View[Any], seat: int) -> str:
        """The Dealer, and who lays the hand open."""
        state = view.state
        parts = [_("Dealer")] if seat == state.dealer else []
        if seat in state.exposed:
            parts.append(_("hand open"))
        return ", ".join(parts)

    def steps(self, view: View[Any]) -> tuple[tuple[str, ...], int]:
        """Draw, swap, discard."""
        state = view.state
        if state.turn < 0 or state.phase not in STEP_OF:
            return (), -1
        return (_("draw"), _("swap"), _("discard")), STEP_OF[state.phase]

    def decided(self, outcome: Outcome, view: View[Any]) -> str:
        """The Dealer against the Patrons; a tie is common here, and not shared."""
        state = view.state
        if not outcome.winners:
            return ""
        dealer = outcome.scores[state.dealer]
        others = [score for seat, score in enumerate(outcome.scores) if seat != state.dealer]
        if state.settings.scores_team:
            patrons, text = (
                sum(others),
                _("Sets of all Patrons together: {patrons}; of the Dealer: {dealer}."),
            )
        else:
            patrons, text = max(others), _("Sets of the best Patron: {patrons}; of the Dealer: {dealer}.")
        text = text.format(patrons=patrons, dealer=dealer)
        if patrons != dealer:
            return text
        if state.settings.dealer_wins_ties:
            return text + " " + _("A tie goes to the Dealer.")
        return text + " " + _("A tie is shared.")

    def answer(self, command: str, view: View[Any]) -> tuple[str, ...]:
        """The sets of everyone."""
        lines = [
            f"{self.names[seat]}: {self.won(view, seat)}"
            for seat in range(len(self.names))
            if self.won(view, seat)
        ]
        return tuple(lines) or (_("No sets yet."),)

    # --- what there is to decide --------------------------------------------------------------------

    def asked(self, view: View[Any], actions: Sequence[Action], seconds: float | None) -> tuple[str, ...]:
        """The step, the cards it is about, and how to type it."""
        verbs = {action.verb for action in actions}
        if verbs & DRAWS:
            return (self._draw_head(verbs), self.hand_line(view), *self._sources(view, actions))
        if FILL in verbs:
            head = _("Your hand is short of a card: which of the drawn ones fills it?")
            return (head, self.hand_line(view), *(f"  {self.action(action)}" for action in actions))
        if SWAP in verbs:
            head = _(
                "Step 2 of 3: swap cards of your hand for drawn ones of the same colour or number, or keep "
                "your hand."
            )
            if self.me == view.state.dealer:
                head = _("Step 2 of 3: swap cards of your hand for any that you drew, or keep your hand.")
            if seconds is not None:
                head += " " + _("After {n:.0f} seconds it is kept.").format(n=seconds)
            return (head, self.hand_line(view), *self._swaps(view, actions, EXAMPLES))
        if KEEP in verbs:
            count = max(len(action.cards) for action in actions)
            if not count:
                text = _("Step 2 of 3: nothing you drew can be swapped: keep.")
                if seconds is not None:
                    text += " " + _("After {n:.0f} seconds it is kept.").format(n=seconds)
                drawn = _("Drawn: {cards}").format(cards=" ".join(self.cards(view, DRAWN)))
                return (text, self.hand_line(view), drawn)
            head = ngettext(
                "Step 2 of 3: which card do you keep?", "Step 2 of 3: which {n} cards do you keep?", count
            ).format(n=count)
            drawn = " ".join(self._left_over(view))
            more = (_("Drawn: {cards}").format(cards=drawn),) if drawn else ()
            return (head, self.hand_line(view), *more, *(f"  {line}" for line in self._keeps(actions)[:1]))
        if DISCARD in verbs:
            return (self._discard_head(view, verbs), *(f"  {self.action(action)}" for action in actions))
        return super().asked(view, actions, seconds)

    def _draw_head(self, verbs: set[str]) -> str:
        if PASS in verbs:
            return _("Take another card from somebody else, or pass.")
        if TAKE in verbs:
            return _("Your turn as the Dealer, step 1 of 3: draw one or two cards, or take them from a hand.")
        return _("Your turn, step 1 of 3: draw one or two cards.")

    def _discard_head(self, view: View[Any], verbs: set[str]) -> str:
        cards = self._left_over(view)
        text = ngettext(
            "Step 3 of 3: {cards} goes into the pool.", "Step 3 of 3: {cards} go into the pool.", len(cards)
        )
        if BACK in verbs:
            text = ngettext(
                "Step 3 of 3: {cards} goes into the pool, or back where it came from.",
                "Step 3 of 3: {cards} go into the pool, or back where they came from.",
                len(cards),
            )
        return text.format(cards=" ".join(cards))

    def _left_over(self, view: View[Any]) -> list[str]:
        """The cards drawn or left over, also those that only their player sees."""
        hidden = [view.hand[slot] for slot in view.state.spare if slot in view.hand]
        cards = [self.glyphs.face(view.deck, face) for face in view.deck.sorted(hidden)]
        return [*self.cards(view, DRAWN), *cards]

    def _sources(self, view: View[Any], actions: Sequence[Action]) -> tuple[str, ...]:
        """A line for each place to draw from, with what is typed for it."""
        lines = []
        if any(action.verb == DECK for action in actions):
            most = max(action.value for action in actions if action.verb == DECK)
            size = view.state.table.size(STOCK)
            left = ngettext("({n} card)", "({n} cards)", size).format(n=size)
            verb = in_own_words(DECK)
            ways = _("{verb} 1 or {verb} {n}").format(verb=verb, n=most)
            lines.append(f"  {verb} 1" if most == "1" or size == 1 else f"  {ways}   {left}")
        pool = [action for action in actions if action.verb == FROM_POOL]
        if pool:
            cards = " ".join(self.cards(view, POOL))
            sample = either(list(dict.fromkeys([self.action(pool[0]), self.action(pool[-1])])))
            lines.append(_("  {sample}   (pool: {cards})").format(sample=sample, cards=cards))
        lines += self._takes(view, actions)
        if any(action.verb == PASS for action in actions):
            lines.append(f"  {in_own_words(PASS)}")
        return tuple(lines)

    def _takes(self, view: View[Any], actions: Sequence[Action]) -> list[str]:
        takes = [action for action in actions if action.verb == TAKE]
        if not takes:
            return []
        lines = []
        for seat in dict.fromkeys(action.target for action in takes):
            theirs = [action for action in takes if action.target == seat]
            line = f"  {self.action(theirs[0])}"
            if len(theirs[-1].cards) > len(theirs[0].cards):
                line += f" | {self.action(theirs[-1])}"
            if seat in view.state.exposed:
                line += "   " + " ".join(
                    self.glyphs.face(view.deck, face) for face in view.known.get(hand_of(seat), ())
                )
            lines.append(line)
        lines.append(_("  (for each card: hand to take it unseen into yours, table to lay it face up)"))
        return lines

    def _swaps(self, view: View[Any], actions: Sequence[Action], most: int | None) -> tuple[str, ...]:
        """For each drawn card the cards of the hand it may take the place of, and an example."""
        fitting: dict[str, list[str]] = {}
        for action in actions:
            if action.verb == SWAP and len(action.cards) == 1:
                mine, _equals, drawn = action.cards[0].partition("=")
                fitting.setdefault(drawn, []).append(mine)
        lines = []
        for drawn, own in fitting.items():
            shown = self.glyphs.cards(own)
            lines.append(_("  {drawn} for: {mine}").format(drawn=self.glyphs.card(drawn), mine=shown))
        drawn_cards = " ".join(self.cards(view, DRAWN))
        swaps = [action for action in actions if action.verb == SWAP]
        shown_swaps = swaps if most is None else swaps[:1]
        samples = [f"  {self.action(action)}" for action in shown_swaps]
        return (_("Drawn: {cards}").format(cards=drawn_cards), *lines, *samples, f"  {in_own_words(KEEP)}")

    def prompt(self, view: View[Any], actions: Sequence[Action], left: float | None) -> str:
        """The step."""
        verbs = {action.verb for action in actions}
        if verbs & DRAWS:
            return _("Draw> ")
        for verb, prompt in ((FILL, _("Fill> ")), (SWAP, _("Swap or keep> ")), (KEEP, _("Keep> "))):
            if verb in verbs:
                text = prompt.removesuffix("> ")
                return prompt if left is None else _("{text}, {n:.0f} s left> ").format(text=text, n=left)
        return _("Discard> ") if DISCARD in verbs else super().prompt(view, actions, left)

    def hints(self, view: View[Any], actions: Sequence[Action]) -> tuple[str, ...]:
        """Everything of the step; the pool's cards and the hands once, not each choice of two."""
        verbs = {action.verb for action in actions}
        if verbs & DRAWS:
            return tuple(line.strip() for line in self._sources(view, actions))
        if SWAP in verbs:
            return tuple(line.strip() for line in self._swaps(view, actions, None))
        if KEEP in verbs:
            return self._keeps(actions)
        return tuple(self.action(action) for action in actions)

    def _keeps(self, actions: Sequence[Action]) -> tuple[str, ...]:
        """The ways to keep cards, if they are few; else one, and from which cards to choose."""
        if len(actions) <= FEW:
            return tuple(self.action(action) for action in actions)
        cards = dict.fromkeys(card for action in actions for card in action.cards)
        first = actions[0]
        shown = _("{sample}, or any other {n} of these: {cards}")
        return (shown.format(sample=self.action(first), n=len(first.cards), cards=self.glyphs.cards(cards)),)

    def number(self, text: str) -> str:
        """``two cards``: how many are drawn."""
        return {"1": _("one card"), "2": _("two cards")}.get(text, text)

    def action(self, action: Action) -> str:
        """Tens as they are typed, in pairs too; where cards go in the language chosen."""
        cards = tuple(
            in_own_words(word) if word in PLACES else "=".join(map(typed_card, word.split("=")))
            for word in action.cards
        )
        return super().action(structs.replace(action, cards=cards))

    # --- what is typed ------------------------------------------------------------------------------

    def read(self, verb: str, words: list[str], view: View[Any], actions: Sequence[Action]) -> Action:
        """See ``GameBoard``."""
        verbs = {action.verb for action in actions}
        is_draw = verb in DRAWS and verbs & DRAWS  # the rules say why one of them is not possible
        if verb not in verbs and not is_draw:
            raise NotUnderstood(
                _("Not now. For example, you can type: {sample}").format(sample=self.sample(actions))
            )
        match verb:
            case "take":
                parts = self._read_take(words, view, actions)
            case "swap":
                parts = self._read_swaps(words, view, actions)
            case "draw pool" | "keep" | "fill":
                parts = list(self.read_cards(view, words)) if words else []
            case _:
                parts = [word for word in words if word.casefold() not in SMALL_WORDS | {"cards", "card"}]
        of_verb = [action for action in actions if action.verb == verb]
        if not parts and any(action.cards for action in of_verb):
            raise NotUnderstood(
                _("Which cards? For example: {sample}").format(sample=self.action(of_verb[0]))
            )
        return self.parse(view, " ".join([verb, *parts]), actions)

    def _read_take(self, words: list[str], view: View[Any], actions: Sequence[Action]) -> list[str]:
        sample = self.sample([action for action in actions if action.verb == TAKE] or actions)
        if not words:
            raise NotUnderstood(_("From whom? For example: {sample}").format(sample=sample))
        seat, rest = target(words, self.names, self.me)
        found = [self.labels[seat]]
        for word in map(in_english, rest):
            places = begun(word, PLACES)
            named = card(view.deck, [word])
            if len(places) != 1 and named is None:
                raise NotUnderstood(
                    _("Say hand or table for each card. For example: {sample}").format(sample=sample)
                )
            found.append(places[0] if len(places) == 1 else named or "")
        return found

    def _read_swaps(self, words: list[str], view: View[Any], actions: Sequence[Action]) -> list[str]:
        """``QS=5C``, ``QS for 5C``, ``QS 5C``, the card of the hand first or last."""
        sample = self.sample([action for action in actions if action.verb == SWAP])
        text = " ".join(letters(word) for word in words).replace("=", " ").replace(",", " ")
        names = [
            word for word in text.split() if word.casefold() not in SMALL_WORDS | {"with", "and", "against"}
        ]
        cards = self.read_cards(view, names) if names else ()
        if not cards or len(cards) % 2:
            raise NotUnderstood(
                _("A swap names a card of your hand and one you drew: {sample}").format(sample=sample)
            )
        mine = {view.deck.text(face) for face in view.hand.values()}
        pairs = []
        for first, second in zip(cards[::2], cards[1::2], strict=True):
            is_turned = first not in mine and second in mine
            pairs.append(f"{second}={first}" if is_turned else f"{first}={second}")
        return pairs

    def wish(self, verb: str, view: View[Any]) -> Action:
        """See ``GameBoard``."""
        is_open = self.me in view.state.exposed
        if self.me == view.state.dealer:
            raise NotUnderstood(_("The Dealer's hand never lies open."))
        if verb == "expose" and is_open:
            raise NotUnderstood(_("Your hand lies open already; conceal hides the cards that come."))
        if verb == "conceal" and not is_open:
            raise NotUnderstood(_("Your hand does not lie open."))
        return super().wish(verb, view)

    def short(self, words: list[str], view: View[Any], actions: Sequence[Action]) -> Action | None:
        """``draw 2``, ``deck 2``, ``pool QS``: the place is clear from what is named."""
        if not any(action.verb in (DECK, FROM_POOL) for action in actions):
            return None
        head, rest = words[0].casefold(), words[1:]
        if head == "draw" and rest:
            head = "deck" if rest[0].isdecimal() or rest[0].casefold() in ("one", "two") else "pool"
        if head == "deck":
            return self.read(DECK, [{"one": "1", "two": "2"}.get(word, word) for word in rest], view, actions)
        if head == "pool":
            return self.read(FROM_POOL, rest, view, actions)
        return None
