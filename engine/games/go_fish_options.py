"""The options of Go Fish (rules, section 1.6), which of them cannot go together, and what they amount to."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..cards import Deck
from ..contract import BadOption, GameInfo, Option
from ..deck_files import load_deck
from ..message import Message
from ..options import complete_options, refuse_beside_own_deck
from ..own_deck import OwnDeck, own_deck_of

INFO = GameInfo(
    id="go-fish",
    version=1,
    title="Go Fish",
    least_seats=2,
    most_seats=6,
    options=(
        Option("ask_mode", ("rank", "card")),
        Option("allow_ask_own_card", ("true", "false")),
        Option("end_mode", ("first_out_or_stock", "all_books")),
        Option("next_after_miss", ("asked_player", "left")),
        Option("book_size", ("4", "2")),
        Option("deck", ("52", "54", "104")),
        Option("give_amount", ("all", "one")),
        Option("extra_turn_on_drawn_hit", ("true", "false")),
        Option("hand_size", ("auto",), 1, 51),
        Option("ranks", ("13",), 3, 13),
        Option("suits", ("4",), 2, 4),
        Option("scoring", ("count", "by_rank")),
        Option("refill_when", ("now", "own_turn")),
        Option("refill_count", ("1", "5", "7")),
    ),
    verbs=("first", "ask", "give", "go fish", "none", "draw", "show", "book", "refill", "over", "lay"),
    targeted=("ask",),
    takes_own_deck=True,
)

POINTS = {
    **{str(n): n for n in range(2, 10)},
    "T": 10, "J": 11, "Q": 12, "K": 13, "A": 15, "X": 2,
}  # fmt: skip
"""What a laid group counts with ``scoring = by_rank``."""

PATIENCE_RANK = 20
"""Asks in a row per seat without progress that end the game (GF-K6).

The longest seen in 10,000 random games is 70.
"""

PATIENCE_CARD = 100
"""The same where single cards are asked for, which may go back and forth: hit in 1 of 3,000 random games."""

_DECKS = {"52": "standard", "54": "standard-54", "104": "standard-104"}


class Settings(msgspec.Struct, frozen=True):
    """The options as the game uses them. ``rank`` is the attribute asked for: the deck's first one."""

    deck: Deck
    rank: str
    ranks: tuple[str, ...]
    rank_copies: Mapping[str, int]
    card_texts: frozenset[str]
    is_card_mode: bool
    may_ask_own: bool
    plays_on: bool
    passes_left: bool
    gives_one: bool
    hit_repeats: bool
    scores_ranks: bool
    refills_on_own_turn: bool
    refill_count: int
    hand_size: int
    book_size: int
    most_books: int
    patience: int

    def copies(self, rank: str) -> int:
        """How many cards of a rank the deck has."""
        return self.rank_copies[rank]


def deck_of(options: Mapping[str, str]) -> Deck:
    """The deck that full options ask for."""
    own = own_deck_of(options)
    if own is not None:
        return own.deck
    limits = tuple(
        (attribute, int(options[name]))
        for attribute, name, most in (("rank", "ranks", "13"), ("suit", "suits", "4"))
        if options[name] != most
    )
    return load_deck(_DECKS[options["deck"]], limits)


def checked_options(chosen: Mapping[str, str], seats: int) -> dict[str, str]:
    """All options with defaults filled in. Raises ``BadOption`` with one sentence."""
    options = complete_options(INFO, chosen, seats)
    own = own_deck_of(chosen)
    if own is not None:
        _check_own_deck(own, options)
    for refusal in (_refused_deck, _refused_variant):
        sentence = refusal(options)
        if sentence:
            raise BadOption(sentence)
    size, cards = _hand_size(options, seats), len(deck_of(options))
    if size * seats >= cards:
        raise BadOption(
            Message(
                "Dealing {size} cards to each of {seats} players leaves no stock of {cards} cards; "
                "choose a smaller hand_size.",
                size=size,
                seats=seats,
                cards=cards,
            )
        )
    return options


def _check_own_deck(own: OwnDeck, options: Mapping[str, str]) -> None:
    """The first attribute takes the place of ranks: books of each of its values must be possible."""
    refuse_beside_own_deck(INFO, options, ("deck", "ranks", "suits"))
    rank = own.deck.attributes[0].name
    own.need_copies(rank, int(options["book_size"]))
    if options["ask_mode"] == "card":
        own.need_single_cards()
    if options["scoring"] == "by_rank":
        own.need_values(rank, tuple(POINTS))


def _refused_deck(options: Mapping[str, str]) -> Message | None:
    if options["deck"] == "54" and options["book_size"] != "2":
        return Message("There are only two jokers, so deck=54 needs book_size=2.")
    if options["deck"] != "52" and options["ask_mode"] == "card":
        return Message("deck={deck} cannot be played with ask_mode=card.", deck=options["deck"])
    if int(options["suits"]) < int(options["book_size"]):
        return Message(
            "With suits={suits} no rank has four cards; choose book_size=2.", suits=options["suits"]
        )
    return None


def _refused_variant(options: Mapping[str, str]) -> Message | None:
    if options["allow_ask_own_card"] == "false" and options["ask_mode"] != "card":
        return Message("allow_ask_own_card=false needs ask_mode=card: only there a single card is asked for.")
    if options["end_mode"] != "all_books":
        for name, default in (("refill_when", "now"), ("refill_count", "1")):
            if options[name] != default:
                return Message(
                    "{name}={value} needs end_mode=all_books: otherwise an empty hand ends the game.",
                    name=name,
                    value=options[name],
                )
    return None


def _hand_size(options: Mapping[str, str], seats: int) -> int:
    if options["hand_size"] == "auto":
        return 7 if seats == 2 else 5
    return int(options["hand_size"])


def settings_of(options: Mapping[str, str], seats: int) -> Settings:
    """What full, checked options amount to at a table of ``seats``."""
    deck = deck_of(options)
    rank = deck.attributes[0].name
    ranks = deck.values(rank)
    copies = {value: sum(deck.faces[card][0] == value for card in deck.cards) for value in ranks}
    book_size = int(options["book_size"])
    is_card_mode = options["ask_mode"] == "card"
    return Settings(
        deck=deck,
        rank=rank,
        ranks=ranks,
        rank_copies=copies,
        card_texts=frozenset(map(deck.text, deck.faces)),
        is_card_mode=is_card_mode,
        may_ask_own=options["allow_ask_own_card"] == "true",
        plays_on=options["end_mode"] == "all_books",
        passes_left=options["next_after_miss"] == "left",
        # One card is all there is to give where a card is asked for.
        gives_one=options["give_amount"] == "one" and not is_card_mode,
        hit_repeats=options["extra_turn_on_drawn_hit"] == "true",
        scores_ranks=options["scoring"] == "by_rank",
        refills_on_own_turn=options["refill_when"] == "own_turn",
        refill_count=int(options["refill_count"]),
        hand_size=_hand_size(options, seats),
        book_size=book_size,
        most_books=sum(count // book_size for count in copies.values()),
        patience=(PATIENCE_CARD if is_card_mode else PATIENCE_RANK) * seats,
    )
