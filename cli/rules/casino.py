"""Casino Go Fish in our own words."""

from __future__ import annotations

from typing import Final

from ..language import N_
from .base import GameText

CASINO: Final = GameText(
    title=N_("Casino Go Fish"),
    summary=N_("The Dealer against all Patrons: who lays more sets of four?"),
    usual=N_("all Patrons together play against the Dealer, who also wins ties."),
    paragraphs=(
        (
            N_("Setting up"),
            N_(
                "Two to six play with 52 cards: one is the Dealer, drawn by lot, the others are Patrons. "
                "Everyone gets five cards; the rest is the deck. The Patron on the Dealer's left goes first, "
                "then the others clockwise; the Dealer is last in every round."
            ),
        ),
        (
            N_("1. Draw"),
            N_(
                "Take one or two cards from one place: the deck, or the pool, from which you choose. They "
                "lie face up in front of you. The Dealer may instead take one or two cards from the hidden "
                "hand of one Patron, each face up or straight into the hand."
            ),
        ),
        (
            N_("2. Swap"),
            N_(
                "If your hand has fewer than five cards, fill it from those you drew. Then a Patron may swap "
                "cards of the hand for drawn ones, like for like: of the same colour, red or black, or of "
                "the same number. The Dealer may swap as it likes."
            ),
        ),
        (
            N_("3. Discard"),
            N_(
                "What is left over goes to the pool, for those who come after you. The Dealer may hand it "
                "back to the Patron it was taken from. Before the Dealer's own turn the whole pool goes to "
                "the pile, and is out of play."
            ),
        ),
        (
            N_("Sets"),
            N_(
                "Four cards of one number in your hand are laid at once, and you draw back to five from "
                "the deck. Jack, queen, king and ace count as numbers."
            ),
        ),
        (
            N_("Talking with cards"),
            N_(
                "Between turns a Patron may lay the whole hand open for everyone, the Dealer included: type "
                "expose. With conceal the cards that come later are hidden again."
            ),
        ),
        (
            N_("The end"),
            N_(
                "When the deck is used up, the turn under way is finished. The sets of all Patrons together "
                "are compared with those of the Dealer."
            ),
        ),
    ),
    options={
        "dealer": N_("who is the Dealer"),
        "scoring": N_("whose sets are compared with the Dealer's"),
        "tie": N_("what a tie is"),
        "dealer_takes_from": N_("how many Patrons the Dealer may take from in one turn"),
        "end": N_("when the game ends"),
    },
    values={
        ("dealer", "random"): N_("drawn by lot; a number is a place at the table"),
        ("scoring", "team"): N_("those of all Patrons together"),
        ("scoring", "individual"): N_("those of the best Patron alone"),
        ("tie", "dealer_wins"): N_("the Dealer wins; many games end level, most of them without a set"),
        ("tie", "push"): N_("a shared win"),
        ("dealer_takes_from", "one"): N_("one"),
        ("dealer_takes_from", "split"): N_("two, one card from each, handed back to each"),
        ("end", "after_turn"): N_("when the turn is finished in which the deck runs out"),
        ("end", "finish_round"): N_("when everyone has had as many turns"),
    },
    rulings=(
        N_("Two to six can play; the inventors played with three."),
        N_("You take at least one card, and never from two places."),
        N_(
            "Cards taken from a hidden hand are taken blindly: the Dealer's choice is fixed first, then the "
            "Patron shuffles the hand."
        ),
        N_("A card is swapped once only, and no card that was swapped in goes out again."),
        N_("Sets are laid by themselves, also when it is not your turn."),
        N_("The pile is never shuffled back."),
        N_(
            "If no card left the deck in a whole round, the Dealer's turn ends with the top card burnt, so "
            "that every game ends."
        ),
        N_("Patrons cannot talk in private here: showing the hand is the way to share."),
    ),
)
