"""Every sentence a player reads about a game, made from ids and fields. Nothing else turns ids into words.

The templates of each game are in ``cli.speech``; they are looked up in the catalogue where they are used.
Events of games that bring no words along are shown in their own text form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import Deck
from engine.contract import Event, Outcome, Reason
from engine.message import printable
from engine.table import Partial
from engine.text import event_text

from .language import N_, said
from .speech import Speech, speech_of
from .speech.words import KINDS, RANKS, colour_letter, count_name, own_name, rank_name, ranks_name
from .translation import gettext as _
from .translation import ngettext, pgettext

__all__ = [
    "LETTERS", "N_", "STAGES", "SUITS", "Glyphs", "Speaker", "counted", "duration", "held_text", "joined",
    "printable", "printable_lines", "rank_name", "ranks_name", "said", "typed_card",
]  # fmt: skip

SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
LETTERS: Final = {glyph: letter for letter, glyph in SUITS.items()}
"""Suits as people may paste them, back to letters. Never with a variation selector, which terminals draw
two wide."""

# Kind of a round -> what somebody is doing. Those without {who} are done by all at once.
STAGES: Final = {
    "keys": N_("Exchanging keys"),
    "coin-commit": N_("Drawing lots for who goes first"),
    "coin-open": N_("Drawing lots for who goes first"),
    "shuffle": N_("Shuffling: {who}, {done} of {of}"),
    "shares": N_("Dealing"),
    "escrow": N_("Splitting the keys, so that the game can go on without a player"),
    "recover": N_("Taking back the cards of those who left"),
    "close": N_("Signing the result"),
    "reveal": N_("Opening the seeds, so that anyone can recompute the shuffles"),
}


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
        if text in KINDS:
            return _(KINDS[text])
        if len(text) == 2 and text[0] in "RBYG" and text[1] in "123456?":
            return colour_letter(text[0]) + text[1]
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

    Of a card such as ``9?`` or ``?-lion`` only the rank is known; nothing is said of cards of which nothing
    is.
    """
    whole = [card for card in known if "?" not in card]
    parts = [" ".join(whole)] if whole else []
    for value, count in Counter(card.strip("?-") for card in known if "?" in card and card != "?").items():
        rank = RANK_OF.get(value, value)
        has_more = any(card.startswith(value) or card.endswith(f"-{value}") for card in whole)
        if rank in RANKS:
            named = rank_name(rank) if count == 1 else ranks_name(rank)
            text = _("{n} more {rank}") if has_more else _("{n} {rank}")
            parts.append(text.format(n=count_name(count), rank=named))
        else:  # from a deck of one's own, whose names have no plural here
            text = (
                ngettext("{n} more card {name}", "{n} more cards {name}", count)
                if has_more
                else ngettext("{n} card {name}", "{n} cards {name}", count)
            )
            parts.append(text.format(n=count, name=own_name(rank)))
    return joined(parts)


def joined(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return _("{some} and {last}").format(some=", ".join(parts[:-1]), last=parts[-1])


RANK_OF: Final = {"10": "T"}
_RANK_TEXTS = {*"23456789JQKA?", "10"}
_STANDARD = re.compile(r"(?:10|[2-9TJQKA?])[CDHS?]|X[BR]")


@dataclass(frozen=True, slots=True)
class Speaker:
    """Makes sentences for the player of seat ``me`` (-1: an onlooker) at a table of ``names``.

    ``game`` is the id of what is played; without one only what all games share is put into words.
    """

    names: tuple[str, ...]
    me: int
    glyphs: Glyphs
    game: str = ""

    @property
    def speech(self) -> Speech:
        """The words of the game."""
        return speech_of(self.game)

    def name(self, seat: int) -> str:
        """A seat's name, ``you`` for one's own, where something is done to that player."""
        return pgettext("object", "you") if seat == self.me else self.names[seat]

    def actor(self, seat: int) -> str:
        """The same, where that player does something."""
        return pgettext("subject", "you") if seat == self.me else self.names[seat]

    def event(self, event: Event, drawn: Sequence[str] = ()) -> str:
        """What happened. ``drawn`` are the cards that the player alone saw, as texts."""
        if event.verb == "over":
            return self.ending(event.words[0] if event.words else "") + "."
        found = self.speech.sentence(_keyed(event))
        if found is None:
            return event_text(event, self.names)
        key, templates = found
        words = _words(event)
        # "via star" stands behind the word that is asked for; all other keys are the beginning of the text.
        words = words[:-2] if key.endswith(VIA_STAR) else words[len(key.split()) - len(event.verb.split()) :]
        first = words[0] if words else ""
        actor = event.seat if event.seat >= 0 else event.target
        return self.speech.lookup(templates[actor == self.me and actor >= 0]).format(
            **{
                "who": self.names[actor] if actor >= 0 else "",
                "target": self.name(event.target) if event.target >= 0 else "",
                "what": self.asked(first),
                "cards": self.glyphs.cards(words),
                "ranks": ranks_name(first),
                "count": first,
                "drawn": self.glyphs.cards(drawn) if drawn else _("a card"),
                **self.speech.fields(key, words, self.glyphs),
            }
        )

    def proof(self, event: Event) -> str:
        """What was proved along with an event; empty where nothing hidden was said."""
        proofs = self.speech.proofs
        text = _keyed(event)
        fitting = [
            key for key in proofs if text == key or text.startswith(key if key[-1] == "?" else f"{key} ")
        ]
        template = proofs[max(fitting, key=len)] if fitting else ""
        return f"{self.glyphs.check} {self.speech.lookup(template)}" if template else ""

    def asked(self, value: str) -> str:
        """What an ask names: ``nines``, or a card; in quotes what somebody's own deck calls it."""
        if value in RANKS:
            return ranks_name(value)
        return self.glyphs.card(value) if _STANDARD.fullmatch(value) else own_name(value)

    def reason(self, reason: Reason) -> str:
        """Why an action is refused."""
        first = reason.words[0] if reason.words else ""
        template = self.speech.reason(reason.id)
        if template is None:
            return _("The rules refuse that ({reason}).").format(reason=" ".join((reason.id, *reason.words)))
        return self.speech.lookup(template).format(
            word=first,
            rank=rank_name(first),
            ranks=ranks_name(first),
            card=self.glyphs.card(first),
            cards=self.glyphs.cards(reason.words),
        )

    def stage(self, kind: str, owed: Sequence[int], done: int, of: int) -> str:
        """What the table is busy with; empty for the steps of a turn, which take no time worth a line."""
        template = STAGES.get(kind)
        if template is None:
            return ""
        who = self.actor(owed[0]) if owed else ""
        return _(template).format(who=who, done=done + 1, of=of)

    def ending(self, reason: str) -> str:
        """Why the game is over, without a full stop."""
        template = self.speech.ending(reason)
        if template is None:
            return _("The game is over ({reason})").format(reason=reason)
        return self.speech.lookup(template)

    def winners(self, outcome: Outcome) -> str:
        """Who won, alone or together."""
        if not outcome.winners:
            return _("Nobody wins.")
        if len(outcome.winners) == 1:
            winner = outcome.winners[0]
            return _("You win!") if winner == self.me else _("{who} wins.").format(who=self.names[winner])
        others = [seat for seat in outcome.winners if seat != self.me]
        template = self.speech.shared[len(others) < len(outcome.winners)]
        return self.speech.lookup(template).format(
            who=self.listed(others), score=outcome.scores[outcome.winners[0]]
        )

    def listed(self, seats: Sequence[int]) -> str:
        """``Ben``, ``Ben and you``, ``Ann, Ben and you``."""
        return joined([self.actor(seat) for seat in seats])

    def waiting(self, seats: Sequence[int], away: Sequence[int] = ()) -> str:
        """Who is waited for; ``away`` are those of them whose link is gone."""
        names = joined([self.name(seat) for seat in seats])
        if away and len(seats) == len(away):
            who = ngettext("{who}, who is out of reach", "{who}, who are out of reach", len(away))
            return _("Waiting for {who}.").format(who=who.format(who=names))
        return _("Waiting for {who}.").format(who=names)

    def waited(self, seats: Sequence[int], seconds: float) -> str:
        """Who is waited for, and for how long already."""
        return counted(self.waiting(seats), seconds)

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
        """A proven fault. ``reason`` comes from the check that failed."""
        return _("{who} cheated at step {step}: {reason}. {who} loses; the rest of the game is void.").format(
            who=self.names[seat], step=step, reason=said(reason)
        )


def counted(waiting: str, seconds: float) -> str:
    """A sentence such as ``Waiting for Ben.`` with the seconds it has been true."""
    return _("{waiting} ({n} s)").format(waiting=waiting.removesuffix("."), n=int(seconds))


def duration(seconds: float) -> str:
    """A span of time in one unit."""
    whole = int(seconds)
    if whole < 120:
        return ngettext("{n} second", "{n} seconds", whole).format(n=whole)
    return ngettext("{n} minute", "{n} minutes", whole // 60).format(n=whole // 60)


def printable_lines(text: str, most: int = 1000) -> str:
    """Lines that may quote a file or an argument, each safe to show."""
    return "\n".join(printable(line, most) for line in text.split("\n"))


VIA_STAR: Final = " via star"


def _words(event: Event) -> tuple[str, ...]:
    return tuple(" ".join(event.words).split())


def _keyed(event: Event) -> str:
    """The text by which a sentence is found: the event's without the seats, ``ask via star`` for any such."""
    text = " ".join((event.verb, *event.words))
    return event.verb + VIA_STAR if text.endswith(VIA_STAR) else text
