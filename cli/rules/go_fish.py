"""Go Fish in our own words."""

from __future__ import annotations

from typing import Final

from ..language import N_
from .base import GameText

GO_FISH: Final = GameText(
    # Translators: "Go fish!" is what a player says who holds none of what was asked for: it sends the asker
    # to the pond. The title and the exclamation should be the same words.
    title=N_("Go Fish"),
    summary=N_("Collect groups of four by asking each other for cards."),
    usual=N_(
        "you ask for a rank, four of a rank are a book, and the game ends when someone has no cards or the "
        "pond is empty."
    ),
    paragraphs=(
        (
            N_("Setting up"),
            N_(
                "Two to six play with 52 cards; three to six is best. Everyone gets five cards, "
                "seven when only two play. The rest is the pond, face down. Who goes first is "
                "drawn by lot."
            ),
        ),
        (
            N_("A turn"),
            N_(
                "Ask one player for a rank, for example nines. You must hold at least one card of "
                "that rank. A player who has nines must give you all of them, and you have another "
                'turn. A player who has none says "Go fish!": you draw the top card of the pond. '
                "If it is a nine, you show it and have another turn; otherwise you keep it, and "
                "the player who said it is next."
            ),
        ),
        (
            N_("Books"),
            N_("As soon as you hold four of a rank, they are shown and laid in front of you: a book."),
        ),
        (
            N_("The end"),
            N_(
                "When someone has no cards left, or the pond is empty, most books win. A tie is a shared win."
            ),
        ),
        (
            N_("Variant one: ask_mode=card"),
            N_(
                "Ask for one particular card, such as the nine of spades; you still need a card of "
                "that rank. Only that card is given, and only drawing that very card gives another "
                "turn. You may ask for a card you hold, as a bluff: you will go fish, and your "
                "turn ends."
            ),
        ),
        (
            N_("Variant two: end_mode=all_books"),
            N_(
                "Play on when the pond is empty, until every card is in a book. A failed ask then "
                "simply passes the turn to the player who was asked. While the pond lasts, a "
                "player without cards draws from it."
            ),
        ),
    ),
    options={
        "ask_mode": N_("what is asked for"),
        "allow_ask_own_card": N_("whether you may ask for a card you hold (ask_mode=card only)"),
        "end_mode": N_("when the game ends"),
        "next_after_miss": N_("who is next after a miss"),
        "book_size": N_("cards of one rank that make a book"),
        "deck": N_("cards in the deck"),
        "give_amount": N_("how many matching cards are given"),
        "extra_turn_on_drawn_hit": N_("another turn for drawing what was asked for"),
        "hand_size": N_("cards dealt to each player"),
        "ranks": N_("ranks in the deck, the lowest ones"),
        "suits": N_("suits in the deck"),
        "scoring": N_("what a book counts"),
        "refill_when": N_("when a player without cards draws (end_mode=all_books only)"),
        "refill_count": N_("how many cards that player draws (end_mode=all_books only)"),
    },
    values={
        ("allow_ask_own_card", "true"): N_("you may, as a bluff"),
        ("allow_ask_own_card", "false"): N_("you may not; each ask proves that you do not hold the card"),
        ("book_size", "4"): N_("four of a rank"),
        ("deck", "52"): N_("one pack"),
        ("give_amount", "all"): N_("all of them"),
        ("extra_turn_on_drawn_hit", "true"): N_("yes"),
        ("extra_turn_on_drawn_hit", "false"): N_("no, though the card is shown"),
        ("ranks", "13"): N_("the whole pack"),
        ("suits", "4"): N_("the whole pack"),
        ("refill_count", "1"): N_("one card"),
        ("refill_count", "5"): N_("five cards"),
        ("refill_count", "7"): N_("seven cards"),
        ("ask_mode", "rank"): N_("a rank"),
        ("ask_mode", "card"): N_("one particular card"),
        ("end_mode", "first_out_or_stock"): N_("someone has no cards, or the pond is empty"),
        ("end_mode", "all_books"): N_("every card is in a book"),
        ("next_after_miss", "asked_player"): N_("the player who was asked"),
        ("next_after_miss", "left"): N_("the player to the left"),
        ("book_size", "2"): N_("pairs"),
        ("deck", "54"): N_("with two jokers, a rank of their own; needs book_size=2"),
        ("deck", "104"): N_("two packs; a book is still four"),
        ("give_amount", "one"): N_("one of them, the giver chooses which"),
        ("hand_size", "auto"): N_("seven for two players, otherwise five"),
        ("scoring", "count"): N_("one point"),
        ("scoring", "by_rank"): N_("2 to 10 their number, J 11, Q 12, K 13, A 15, jokers 2"),
        ("refill_when", "now"): N_("at once"),
        ("refill_when", "own_turn"): N_("when its turn comes"),
    },
    rulings=(
        N_("You cannot ask yourself, and there is no passing."),
        N_("A book that was dealt is laid before the first turn and not replaced."),
        N_(
            "The last card of the pond is still drawn, shown if it is what was asked for, and laid "
            "if it makes a book."
        ),
        N_("The end is tested when an ask has been settled completely; further turns are lost."),
        N_("Ties have no tie-break, not even when all tie."),
        N_("By default you may ask for a card you hold, since bluffing is the point of variant one."),
        N_(
            "Many asks in a row without a card drawn or a book laid end the game: 20 for each "
            "player, 100 when single cards are asked for."
        ),
        N_("Without cards and with the pond empty a player is out and is skipped."),
    ),
)
