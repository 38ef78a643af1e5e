"""Discount Salmon in our own words."""

from __future__ import annotations

from typing import Final

from ..language import N_
from .base import GameText

DISCOUNT_SALMON: Final = GameText(
    title=N_("Discount Salmon"),
    summary=N_("Cure bad fish faster than the others, or make them worse."),
    usual=N_("everybody plays at once, up to three cards on each fish, and the most fish win."),
    paragraphs=(
        (
            N_("Setting up"),
            N_(
                "Two to five play with 25 fish, which lie face down in the lake, and 81 other cards. "
                "Everyone gets five of those; the rest makes two piles. A player drawn by lot gets the deep "
                "fryer and turns the first fish."
            ),
        ),
        (
            N_("A fish"),
            N_(
                "Every fish has one or two problems: it is stinky, ugly, dry, toxic, or not a fish at all. "
                "Once it is turned, everybody plays at once, up to three cards each, and draws back to five. "
                "Whoever cures the last problem gets the fish and all cards that count on it, and turns the "
                "next one."
            ),
        ),
        (
            N_("Cures"),
            N_(
                "Perfume cures a stinky fish, makeup an ugly one, lotion a dry one, antidote a toxic one, "
                "and the fish costume one that is not a fish. There are ten of each."
            ),
        ),
        (
            N_("Curses"),
            N_(
                "The gym sock makes a fish stinky, the mustache ugly, the sun dry, nuclear waste toxic, and "
                "the dog mask no fish. There are five of each. A card that cures no problem of the fish, or "
                "causes one that it has already, is wasted."
            ),
        ),
        (
            N_("Special cards"),
            N_(
                "The blender solves all problems at once: the fish is yours. Andrew, the hungry cat, runs "
                "away with the fish: nobody gets anything, and you turn the next one. There are "
                "three of each."
            ),
        ),
        (
            N_("Stalemate"),
            N_(
                "When nobody has played a card that counts for five seconds, or nobody may play any more, "
                "the player with the deep fryer gets the fish and passes the fryer to the left. Then "
                "everybody puts two cards away and draws two new ones."
            ),
        ),
        (
            N_("The end"),
            N_(
                "When the lake is empty, or the piles cannot fill every hand. The most fish win; if that is "
                "a tie, more curses among the cards won, then more cures, decide. Still a tie is "
                "a shared win."
            ),
        ),
        (
            N_("How to play fast"),
            N_(
                "Type the beginnings of names, several cards in one line: makeup lotion. Where a race is too "
                "fast for you or for the network, play with pace=turns."
            ),
        ),
    ),
    options={
        "pace": N_("how the players take turns"),
        "tick_ms": N_("length of a tick of the race, in thousandths of a second (pace=realtime only)"),
        "stale_seconds": N_("seconds without a card that counts until a stalemate (pace=realtime only)"),
        "allowance": N_("for what each player has three cards"),
        "invalid_cards": N_("what happens to a wasted card"),
        "finish_on": N_("when the game ends once the piles run out"),
    },
    values={
        ("pace", "realtime"): N_("everybody at once"),
        ("pace", "turns"): N_("one after the other; a stalemate is when all pass"),
        ("tick_ms", "150"): N_("all plays within a tick count as simultaneous"),
        ("stale_seconds", "5"): N_("five seconds"),
        ("allowance", "per_fish"): N_("for the whole fish"),
        ("allowance", "per_batch"): N_("for one line of cards, as often as you like"),
        ("invalid_cards", "discard"): N_("it is gone"),
        ("invalid_cards", "return_to_hand"): N_("it comes back to the hand"),
        ("finish_on", "fish"): N_("when the fish in play is decided"),
        ("finish_on", "immediately"): N_("at once"),
    },
    rulings=(
        N_(
            "How many cards there are of each kind is ours; so are the fish costume, the gym "
            "sock and the dog mask."
        ),
        N_(
            "Order is by ticks; within a tick it is drawn by lot, so that no connection is "
            "better than another."
        ),
        N_("Three cards are for the whole fish, wasted ones included."),
        N_("Wasted cards are put away, since the hand has been filled again."),
        N_("Only a card that counts starts the five seconds anew."),
        N_("Cards that come after the fish is decided were never played, and go back to the hand."),
        N_("A problem that was cured may be caused again."),
        N_("A fish that Andrew takes is out of the game."),
        N_("Whoever gets a fish through the deep fryer turns the next one."),
        N_("The blender counts neither as a cure nor as a curse."),
        N_("A fish in play is always finished first."),
    ),
)
