"""Go Fish on the screen: ranks, books and the pond."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from engine.cards import Deck
from engine.contract import Action, Event, Outcome, View
from engine.match import LAY
from engine.table import STOCK, Zone

from ..language import either
from ..speech.verbs import in_own_words
from ..speech.words import ATTRIBUTES
from ..text import N_, printable, typed_card
from ..translation import gettext as _
from .generic import GameBoard, is_of_cards
from .words import SMALL_WORDS, NotUnderstood, card, find_seat, target, value

SHOW: Final = "show"
"""What the rules call it that somebody shows a card that was drawn."""

MOST_WAYS: Final = 13
"""Ways for one player, or to lay, that are listed: every rank, and the lowest of many sets of cards."""


class GoFishBoard(GameBoard):
    """Asks for ranks or for cards."""

    commands: ClassVar[Mapping[str, str]] = {"books": N_("the books laid so far")}
    usage: ClassVar[tuple[str, ...]] = (
        N_("ask {name} 9, or ask {name} 9D where one asks for cards"),
        N_("give 9C or lay 9C 9D 9H 9S, where you may choose"),
    )

    # --- what there is to see -----------------------------------------------------------------------

    def zone_name(self, zone: Zone) -> str:
        """See ``GameBoard``."""
        return _("Pond") if zone == STOCK else super().zone_name(zone)

    def laid(self, view: View[Any], seat: int) -> str:
        """The ranks of the books; always said, since they are what counts."""
        books = self.rules.report(view.state).books[seat]
        return _("books: {books}").format(books=" ".join(map(typed_card, books)) or "-")

    def won(self, view: View[Any], seat: int) -> str:
        """The ranks alone."""
        return " ".join(map(typed_card, self.rules.report(view.state).books[seat]))

    def score_heading(self, view: View[Any]) -> str:
        """Books, unless these count differently."""
        report = self.rules.report(view.state)
        is_count = all(score == len(books) for score, books in zip(report.scores, report.books, strict=True))
        return super().score_heading(view) if is_count else _("points")

    def answer(self, command: str, view: View[Any]) -> tuple[str, ...]:
        """The laid books of everyone."""
        books = self.rules.report(view.state).books
        lines = [
            f"{self.names[seat]}: {' '.join(map(typed_card, books[seat]))}"
            for seat in range(len(self.names))
            if books[seat]
        ]
        return tuple(lines) or (_("No books yet."),)

    # --- what happened ------------------------------------------------------------------------------

    def remark(self, events: Sequence[Event], view: View[Any]) -> str:
        """Whoever draws what was asked for has another turn, at most tables."""
        lucky = next((event.seat for event in events if event.verb == SHOW), -1)
        is_over = isinstance(self.rules.pending(view.state), Outcome)
        if lucky < 0 or is_over or not view.state.settings.hit_repeats:
            return ""
        return (
            _("So you go again.")
            if lucky == self.me
            else _("{who} goes again.").format(who=self.names[lucky])
        )

    # --- what there is to decide --------------------------------------------------------------------

    def asked(self, view: View[Any], actions: Sequence[Action], seconds: float | None) -> tuple[str, ...]:
        """See ``GameBoard``."""
        if not actions[0].cards:
            return (_("Your turn."), self.hand_line(view))
        is_to_lay = actions[0].verb == LAY
        if seconds is None:
            text = _("Choose which cards to lay.") if is_to_lay else _("Choose which cards to give.")
        elif is_to_lay:
            text = _("Choose which cards to lay; after {n:.0f} seconds the lowest ones go.")
        else:
            text = _("Choose which cards to give; after {n:.0f} seconds the lowest ones go.")
        return (text.format(n=seconds), *(f"  {line}" for line in self.hints(view, actions)))

    def hints(self, view: View[Any], actions: Sequence[Action]) -> tuple[str, ...]:
        """The legal moves, one line for each player asked; cards look as they do in the hand."""
        by_target: dict[tuple[str, int], list[str]] = {}
        for action in actions:
            text = self._as_shown(action.value) if action.value else self.glyphs.cards(action.cards)
            by_target.setdefault((action.verb, action.target), []).append(text)
        lines = []
        for (verb, seat), values in by_target.items():
            head = f"{in_own_words(verb)} {self.names[seat]}" if seat >= 0 else in_own_words(verb)
            lines.append(f"{head} " + " | ".join(values[:MOST_WAYS]))
            if len(values) > MOST_WAYS:
                lines.append(_("and {n} other ways").format(n=len(values) - MOST_WAYS))
        sample = actions[0]
        first = typed_card(sample.value or " ".join(sample.cards[:1]))
        if self.glyphs.card(first) != first:
            shown = self.glyphs.card(first)
            lines.append(_("Type {shown} as {typed}.").format(shown=shown, typed=first))
        return tuple(lines)

    def _as_shown(self, text: str) -> str:
        return self.glyphs.card(text) if len(text) > 1 else typed_card(text)

    # --- what is typed ------------------------------------------------------------------------------

    def read(self, verb: str, words: list[str], view: View[Any], actions: Sequence[Action]) -> Action:
        """See ``GameBoard``."""
        sample = self.sample(actions)
        if not any(action.verb == verb for action in actions):
            raise NotUnderstood(_("Not now. For example, you can type: {sample}").format(sample=sample))
        if is_of_cards(actions):
            return Action(verb, cards=self.read_cards(view, words))
        guess = self.guess(words, view, actions)
        if not words:
            raise NotUnderstood(_("Whom, and for what? For example: {sample}").format(sample=sample))
        try:
            seat, rest = target(words, self.names, view.seat)
        except NotUnderstood:
            if guess is None:
                raise
            raise NotUnderstood(guess) from None
        if seat == view.seat:
            raise NotUnderstood(_("You cannot ask yourself; ask {names}.").format(names=self.others()))
        if not rest:
            raise NotUnderstood(_("For what? For example: {sample}").format(sample=sample))
        wanted = _wanted(view.deck, rest, _names_ranks(view.deck, actions))
        if wanted is None:
            raise NotUnderstood(
                guess
                or _("{problem} For example: {sample}").format(
                    problem=_no_value(view.deck, rest, _names_ranks(view.deck, actions)), sample=sample
                )
            )
        return self.parse(view, f"{verb} {self.labels[seat]} {wanted}", actions)

    def guess(self, words: Sequence[str], view: View[Any], actions: Sequence[Action]) -> str | None:
        """The player who left out the verb, or the player to ask, or wrote them in another order."""
        if not words or (actions and not any(action.target >= 0 for action in actions)):
            return None
        names_ranks = not actions or _names_ranks(view.deck, actions)
        seat, wanted = -1, None
        for word in [word for word in words if len(words) == 1 or word.casefold() not in SMALL_WORDS]:
            found = _wanted(view.deck, [word], names_ranks)
            there = find_seat(word, self.names) if not word.isdecimal() else None
            if found is not None and wanted is None:
                wanted = found
            elif there is not None and there != view.seat and seat < 0:
                seat = there
        if wanted is None or (seat < 0 and len(words) > 1):
            return None
        if not actions:
            return _("It is not your turn; wait, or talk with: chat TEXT")
        verb = in_own_words(actions[0].verb)
        possible = sorted({action.target for action in actions})
        if seat < 0 and len(possible) > 1:
            named = either([self.names[each] for each in possible])
            sample = f"{verb} {self.names[possible[0]]} {typed_card(wanted)}"
            return _("Whom, {names}? For example: {sample}").format(names=named, sample=sample)
        asked = seat if seat >= 0 else possible[0]
        return _("Did you mean: {sample}").format(sample=f"{verb} {self.names[asked]} {typed_card(wanted)}")


def _names_ranks(deck: Deck, actions: Sequence[Action]) -> bool:
    """Whether a move names a rank, and no card."""
    return actions[0].value in deck.attributes[0].values


def _wanted(deck: Deck, words: Sequence[str], names_ranks: bool) -> str | None:
    return value(deck, deck.attributes[0].name, words) if names_ranks else card(deck, words)


def _no_value(deck: Deck, words: Sequence[str], names_ranks: bool) -> str:
    """Why the words name nothing that can be asked for."""
    shown = printable(" ".join(words), 20)
    if not names_ranks:
        return _('"{words}" is no card of this deck; name a rank and a suit.').format(words=shown)
    first = deck.attributes[0]
    known = " ".join(typed_card(each) for each in first.values)
    return _('"{words}" is not one {kind} of this deck; there are {known}.').format(
        words=shown, kind=_(first.name) if first.name in ATTRIBUTES else first.name, known=known
    )
