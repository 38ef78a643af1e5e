"""One Fish Two Fish Red Fish Go Fish in our own words."""

from __future__ import annotations

from typing import Final

from ..language import N_
from .base import GameText

ONE_FISH: Final = GameText(
    title=N_("One Fish Two Fish Red Fish Go Fish"),
    summary=N_("Ask for a colour or a number, and lay pairs of fish that match."),
    usual=N_("ask for a colour or a number, lay pairs, and whoever has laid the most cards wins."),
    paragraphs=(
        (
            N_("Setting up"),
            N_(
                "Two to six play with 50 cards: fish in red, blue, yellow and green, numbered 1 to 6, two of "
                "each, and two stars. Everyone gets five cards; the rest is the pond. Who goes "
                "first is drawn "
                "by lot, or is the youngest, if you say who that is."
            ),
        ),
        (
            N_("A turn"),
            N_(
                "Ask one player for a number or for a colour, never for both. You must hold a fish with it "
                "yourself. Asked for a colour, a player gives one such fish and chooses which; asked for a "
                "number, all of them. Then you lay a pair: a fish you received and one of yours, alike in "
                "what you asked for. After a number you may lay more pairs, each with a received fish in it. "
                "You have another turn."
            ),
        ),
        (
            N_("Going fishing"),
            N_(
                'A player who has none says "One fish, two fish, red fish, go fish!", and you pick a card '
                "from the pond. If it is what you asked for, you show it, lay a pair and have another turn. "
                "If not, you may lay it with a fish of yours that has its colour or its number, or keep it; "
                "then it is the turn of the player on your left."
            ),
        ),
        (
            N_("Stars"),
            N_(
                "A star matches any fish, but only one that you asked for with it: show the star, ask for "
                "anything you like, and lay it with what you receive or pick. If you get something else, the "
                "star stays with you. Nobody can ask for a star, and two stars are no pair."
            ),
        ),
        (
            N_("Without cards"),
            N_("Whoever has no cards left takes five new ones, as long as the pond lasts."),
        ),
        (
            N_("The end"),
            N_(
                "When the pond is empty, play goes on without picking, until nobody can make a pair. Whoever "
                "has laid the most cards wins; a tie is a shared win."
            ),
        ),
    ),
    options={
        "stars": N_("star cards in the deck"),
        "first": N_("who goes first"),
    },
    values={
        ("stars", "1"): N_("one star"),
        ("stars", "2"): N_("two stars"),
        ("stars", "3"): N_("three stars"),
        ("stars", "4"): N_("four stars"),
        ("first", "random"): N_("drawn by lot; a number is the place of the youngest at the table"),
    },
    rulings=(
        N_("The deck is ours: the old rules do not say how many fish there are of each kind."),
        N_("Pairs that happen to lie in your hand are not laid, not even when they were dealt."),
        N_("The pair you must lay is alike in what you asked for, not in anything else."),
        N_("A star is shown when you ask with it, and laid with what you asked for."),
        N_("Whoever gives the last card away takes five new ones, too."),
        N_("Whether you could have laid a pair after a miss, nobody is told."),
        N_(
            "It is over when nobody holds cards, or when the pond is empty and only one player holds cards "
            "or two asks for each player have failed in a row."
        ),
    ),
)
