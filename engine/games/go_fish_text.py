"""The text of an ask."""

from __future__ import annotations

from ..cards import InvalidCard
from ..contract import Action, BadAction
from ..message import Message, message_of
from .go_fish_options import Settings
from .seats import seat_named


def parse_ask(settings: Settings, text: str, labels: tuple[str, ...]) -> Action:
    """``ask B 9`` or ``ask B 9D``, in either case. Raises ``BadAction`` with one sentence."""
    wanted = "ask B 9D" if settings.is_card_mode else "ask B 9"
    words = text.split()
    if not words or words[0].lower() != "ask":
        raise BadAction(Message('A turn is an ask, such as "{sample}".', sample=wanted))
    if len(words) != 3:
        raise BadAction(
            Message('An ask names a player and a card, such as "{sample}".', sample=wanted)
            if settings.is_card_mode
            else Message('An ask names a player and a rank, such as "{sample}".', sample=wanted)
        )
    target = seat_named(words[1], labels)
    try:
        if settings.is_card_mode:
            return Action("ask", target, settings.deck.text(settings.deck.parse(words[2])))
        return Action("ask", target, settings.deck.parse_value(settings.rank, words[2]))
    except InvalidCard as error:
        raise BadAction(message_of(error)) from None
