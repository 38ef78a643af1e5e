"""How a person taps an action, written down without looking at how taps are understood."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Deck, InvalidCard
from engine.contract import Action
from engine.rng import Stream

COLOURS = {"red": "R", "blue": "B", "yellow": "Y", "green": "G"}

Tapped = tuple[str, str]
"""The kind of a tag (``player``, ``card``, ``command``) and its name."""


def taps_for(
    game: str, deck: Deck, action: Action, actions: Sequence[Action], names: Sequence[str], rng: Stream
) -> list[Tapped]:
    """One way to tap an action, as docs/table.md tells it, with ``ok`` at the end."""
    found: list[Tapped] = []
    if action.target >= 0:
        found.append(("player", names[action.target]))
    if game == "go-fish" and action.verb == "ask":
        cards = [deck.text(face) for face in deck.faces if action.value in (face[0], deck.text(face))]
        found.append(("card", rng.choice(cards)))
        rng.shuffle(found)
    elif game == "one-fish" and action.verb == "ask":
        found += _fish_asked(deck, action.value, rng)
        rng.shuffle(found)
    elif action.verb in ("pick", "flip"):
        found += [("command", digit) for digit in action.value] + [("command", action.verb)]
    elif action.verb == "draw deck":
        found += [("command", "deck"), ("command", action.value)]
        rng.shuffle(found)
    elif action.verb == "hand back":
        found += [("command", "back"), *(("card", card) for card in action.cards)]
    elif action.verb == "take":
        found += [_word(deck, word) for word in action.cards]
    elif any(joint in word for word in action.cards for joint in "+=") and game in ("one-fish", "casino"):
        pairs = [word.replace("=", "+").split("+") for word in action.cards]
        for pair in pairs:
            rng.shuffle(pair)
        rng.shuffle(pairs)
        found += [("card", card) for pair in pairs for card in pair]
    elif action.value == "down":
        found.append(("command", "down"))
        found += [("card", card) for card in action.cards]
    elif action.cards:
        cards = list(action.cards)
        if action.verb != "play":
            rng.shuffle(cards)
        found += [("card", card) for card in cards]
    else:
        found.append(("command", action.verb))
    return found


def _fish_asked(deck: Deck, value: str, rng: Stream) -> list[Tapped]:
    value, _space, star = value.partition(" via ")
    at = deck.at("colour" if value in COLOURS else "number")
    cards = [deck.text(face) for face in deck.faces if face[at] == COLOURS.get(value, value)]
    stars: list[Tapped] = [rng.choice([("card", "*"), ("command", "star")])] if star else []
    kind = "colour" if value in COLOURS else "number"
    return rng.choice(
        [
            [("card", rng.choice(cards)), ("command", kind), *stars],
            [("command", value), *stars],
        ]
    )


def _word(deck: Deck, word: str) -> Tapped:
    try:
        return "card", deck.text(deck.parse(word))
    except InvalidCard:
        return "command", word
