"""Every sentence a player reads about a game, made from ids and fields. Nothing else turns ids into words.

Sentences are looked up with ``_``, in the gettext catalogue; a template marked with ``N_`` is looked up where
it is used. Verbs of plug-in games that are unknown here are shown in their own text form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from gettext import gettext as _
from gettext import ngettext
from typing import Final

from engine.cards import Deck
from engine.contract import Event, Outcome, Reason
from engine.table import Partial
from engine.text import event_text

SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
LETTERS: Final = {glyph: letter for letter, glyph in SUITS.items()}
"""Suits as people may paste them, back to letters. Never with a variation selector, which terminals draw
two wide."""


def N_(message: str) -> str:
    """Marks a template for the catalogue; it is translated where it is used."""
    return message


RANKS: Final = {
    "2": (N_("two"), N_("twos")),
    "3": (N_("three"), N_("threes")),
    "4": (N_("four"), N_("fours")),
    "5": (N_("five"), N_("fives")),
    "6": (N_("six"), N_("sixes")),
    "7": (N_("seven"), N_("sevens")),
    "8": (N_("eight"), N_("eights")),
    "9": (N_("nine"), N_("nines")),
    "T": (N_("ten"), N_("tens")),
    "J": (N_("jack"), N_("jacks")),
    "Q": (N_("queen"), N_("queens")),
    "K": (N_("king"), N_("kings")),
    "A": (N_("ace"), N_("aces")),
    "X": (N_("joker"), N_("jokers")),
}

# Verb of an event -> the sentence about somebody else, and about you.
EVENTS: Final = {
    "first": (N_("{who} goes first."), N_("You go first.")),
    "ask": (N_("{who} asks {target} for {what}."), N_("You ask {target} for {what}.")),
    "give": (N_("{who} gives {cards}."), N_("You give {cards}.")),
    "go fish": (N_("{who} says: Go fish!"), N_("You say: Go fish!")),
    "none": (
        N_("{who} has none, and there is nothing left to draw."),
        N_("You have none; the pond is empty."),
    ),
    "draw": (N_("{who} draws a card."), N_("You draw {drawn}.")),
    "show": (N_("{who} drew just that: {cards}."), N_("You drew just that: {cards}.")),
    "book": (N_("{who} lays the {ranks}."), N_("You lay the {ranks}.")),
    "refill": (N_("{who} had no cards and draws {count}."), N_("You had no cards and draw {drawn}.")),
}

ENDINGS: Final = {
    "hand-empty": N_("Someone has no cards left"),
    "stock-empty": N_("The pond is empty"),
    "all-books": N_("Every book is laid"),
    "no-progress": N_("Nothing has moved for a long time"),
    "nobody-to-ask": N_("There is nobody left to ask"),
}

REASONS: Final = {
    "not-your-turn": N_("It is not your turn."),
    "no-such-action": N_("That is not possible now."),
    "no-such-seat": N_("There is no such player."),
    "own-seat": N_("You cannot ask yourself."),
    "no-cards": N_("That player has no cards."),
    "no-such-rank": N_("This deck has no such rank."),
    "no-such-card": N_("This deck has no such card."),
    "rank-laid": N_("The {ranks} are all laid already."),
    "malformed": N_("That is not possible."),
    "not-held": N_("You hold no {rank}, so you may not ask for one."),
    "own-card": N_("You hold {card} yourself, and at this table you may not ask for it."),
    "must-give": N_("These are not the cards you have to give."),
    "must-lay": N_("These are not the cards you have to lay."),
    "not-possible": N_("That is not possible now."),
}

# Kind of a round -> what somebody is doing. Those without {who} are done by all at once.
STAGES: Final = {
    "keys": N_("Exchanging keys"),
    "coin-commit": N_("Drawing lots for who goes first"),
    "coin-open": N_("Drawing lots for who goes first"),
    "shuffle": N_("Shuffling: {who}, {done} of {of}"),
    "shares": N_("Dealing"),
    "close": N_("Signing the result"),
    "reveal": N_("Opening the seeds, so that anyone can recompute the shuffles"),
}

PROVED: Final = {
    "ask": N_("proved: holds one"),
    "give": N_("proved: that is all"),
    "go fish": N_("proved: holds none"),
    "none": N_("proved: holds none"),
}
"""What the proof that came with an event says; it has been verified when the event is shown."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """How cards and marks are written: with suit symbols, or (``ascii_only``) with letters."""

    ascii_only: bool = False

    @property
    def check(self) -> str:
        """The mark of something proved."""
        return "+" if self.ascii_only else "✓"

    def card(self, text: str) -> str:
        """A card's text form for people: ``9♠``, ``10♥``; unknown parts stay ``?``."""
        if len(text) == 2 and text[0] == "T":
            text = "10" + text[1]
        if text == "XB":
            return _("black joker")
        if text == "XR":
            return _("red joker")
        if self.ascii_only or not text or text[:-1] not in _RANK_TEXTS:
            return text
        return text[:-1] + SUITS.get(text[-1], text[-1])

    def cards(self, texts: Iterable[str]) -> str:
        """Several cards."""
        return " ".join(self.card(text) for text in texts)

    def face(self, deck: Deck, partial: Partial) -> str:
        """A face, perhaps partly known."""
        return self.card(deck.text(partial))


def typed_card(text: str) -> str:
    """A card or rank as people type it: ``10H`` and ``10`` instead of ``TH`` and ``T``."""
    return "10" + text[1:] if text[:1] == "T" and len(text) <= 2 else text


def held_text(known: Sequence[str]) -> str:
    """What is known of a hand, from cards as ``Glyphs.face`` writes them: ``9♦ 9♠ and one more nine``.

    Of a card such as ``9?`` only the rank is known; nothing is said of cards of which nothing is.
    """
    whole = [card for card in known if not card.endswith("?")]
    parts = [" ".join(whole)] if whole else []
    for value, count in Counter(card[:-1] for card in known if card.endswith("?") and card != "?").items():
        rank = RANK_OF.get(value, value)
        named = rank_name(rank) if count == 1 else ranks_name(rank)
        has_more = any(card.startswith(value) for card in whole)
        text = _("{n} more {rank}") if has_more else _("{n} {rank}")
        parts.append(text.format(n=rank_name(str(count)) if count > 1 else _("one"), rank=named))
    return joined(parts)


def joined(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return _("{some} and {last}").format(some=", ".join(parts[:-1]), last=parts[-1])


RANK_OF: Final = {"10": "T"}
_RANK_TEXTS = {*"23456789JQKA?", "10"}


def rank_name(value: str) -> str:
    """``nine``; other values as they are."""
    return _(RANKS[value][0]) if value in RANKS else value


def ranks_name(value: str) -> str:
    """``nines``; other values as they are."""
    return _(RANKS[value][1]) if value in RANKS else value


@dataclass(frozen=True, slots=True)
class Speaker:
    """Makes sentences for the player of seat ``me`` (-1: an onlooker) at a table of ``names``."""

    names: tuple[str, ...]
    me: int
    glyphs: Glyphs

    def name(self, seat: int) -> str:
        """A seat's name, ``you`` for one's own."""
        return _("you") if seat == self.me else self.names[seat]

    def event(self, event: Event, drawn: Sequence[str] = ()) -> str:
        """What happened. ``drawn`` are the cards that the player alone saw, as texts."""
        if event.verb == "over":
            return self.ending(event.words[0] if event.words else "") + "."
        templates = EVENTS.get(event.verb)
        if templates is None:
            return event_text(event, self.names)
        first = event.words[0] if event.words else ""
        return _(templates[event.seat == self.me]).format(
            who=self.names[event.seat] if event.seat >= 0 else "",
            target=self.name(event.target) if event.target >= 0 else "",
            what=self.asked(first),
            cards=self.glyphs.cards(event.words),
            ranks=ranks_name(first),
            count=first,
            drawn=self.glyphs.cards(drawn) if drawn else _("a card"),
        )

    def proof(self, event: Event) -> str:
        """What was proved along with an event; empty where nothing hidden was said."""
        template = PROVED.get(event.verb)
        return f"{self.glyphs.check} {_(template)}" if template else ""

    def asked(self, value: str) -> str:
        """What an ask names: ``nines``, or a card."""
        return ranks_name(value) if value in RANKS else self.glyphs.card(value)

    def reason(self, reason: Reason) -> str:
        """Why an action is refused."""
        first = reason.words[0] if reason.words else ""
        template = REASONS.get(reason.id)
        if template is None:
            return _("The rules refuse that ({reason}).").format(reason=" ".join((reason.id, *reason.words)))
        return _(template).format(
            rank=rank_name(first), ranks=ranks_name(first), card=self.glyphs.card(first)
        )

    def stage(self, kind: str, owed: Sequence[int], done: int, of: int) -> str:
        """What the table is busy with; empty for the steps of a turn, which take no time worth a line."""
        template = STAGES.get(kind)
        if template is None:
            return ""
        who = self.name(owed[0]) if owed else ""
        return _(template).format(who=who, done=done + 1, of=of)

    def ending(self, reason: str) -> str:
        """Why the game is over, without a full stop."""
        return (
            _(ENDINGS[reason])
            if reason in ENDINGS
            else _("The game is over ({reason})").format(reason=reason)
        )

    def winners(self, outcome: Outcome) -> str:
        """Who won, and what a tie means."""
        if not outcome.winners:
            return _("Nobody wins.")
        if len(outcome.winners) == 1:
            winner = outcome.winners[0]
            return _("You win!") if winner == self.me else _("{who} wins.").format(who=self.names[winner])
        who = self.listed(outcome.winners)
        score = outcome.scores[outcome.winners[0]]
        return _("{who} share the win with {score} each: the rules know no tie-break.").format(
            who=who[:1].upper() + who[1:], score=score
        )

    def listed(self, seats: Sequence[int]) -> str:
        """``Ben``, ``Ben and you``, ``Ann, Ben and you``."""
        return joined([self.name(seat) for seat in seats])

    def waiting(self, seats: Sequence[int], away: Sequence[int] = ()) -> str:
        """Who is waited for; ``away`` are those of them whose link is gone."""
        if away and len(seats) == len(away):
            who = ngettext("{who}, who is out of reach", "{who}, who are out of reach", len(away))
            return _("Waiting for {who}.").format(who=who.format(who=self.listed(seats)))
        return _("Waiting for {who}.").format(who=self.listed(seats))

    def away(self, seat: int, seconds: float, is_my_turn: bool = False) -> str:
        """A player's link is gone. On one's own turn the game goes on as far as it needs nothing of that
        player: an ask may be answered, a draw needs a share of everyone."""
        text = (
            _("{who} has been out of reach for {time}. You can play on; the next draw needs {who}.")
            if is_my_turn
            else _("{who} has been out of reach for {time}; the game waits.")
        )
        return text.format(who=self.names[seat], time=duration(seconds))

    def missed(self, seats: Sequence[int]) -> str:
        """On one's own turn, who is out of reach and what that means."""
        text = ngettext(
            "{who} is out of reach: you can play on, but the next draw waits until {who} is back.",
            "{who} are out of reach: you can play on, but the next draw waits until {who} are back.",
            len(seats),
        )
        return text.format(who=self.listed(seats))

    def back(self, seat: int) -> str:
        """A player's link is there again."""
        return _("{who} is back.").format(who=self.names[seat])

    def paused(self, seat: int) -> str:
        """A player says that it stops for now."""
        return _("{who} has paused the game; it waits until {who} comes back.").format(who=self.names[seat])

    def cheated(self, seat: int, step: int, reason: str) -> str:
        """A proven fault. ``reason`` comes from the check that failed, in English."""
        return _("{who} cheated at step {step}: {reason}. {who} loses; the rest of the game is void.").format(
            who=self.names[seat], step=step, reason=reason
        )


def duration(seconds: float) -> str:
    """A span of time in one unit."""
    whole = int(seconds)
    if whole < 120:
        return ngettext("{n} second", "{n} seconds", whole).format(n=whole)
    return ngettext("{n} minute", "{n} minutes", whole // 60).format(n=whole // 60)


def printable(text: str, most: int = 500) -> str:
    """Text from another player, safe to show: no control or invisible characters, bounded."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    return clean if len(clean) <= most else clean[:most] + "…"
