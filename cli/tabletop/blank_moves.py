"""What moving one's own blanks means: a decision, where one is asked for. And which way cards go, by what is
said in public. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.contract import Action, Event

__all__ = ["BY_MOVING", "GIVE", "Move", "Ways", "card_texts", "meant"]

GIVE: Final = "give"
"""The verb of cards that go to another player."""

BY_MOVING: Final = frozenset({GIVE, "lay", "play", "drop"})
"""Verbs of actions that consist of cards of one's own hand which leave it at once, in all games."""


def card_texts(action: Action) -> Counter[str]:
    """The cards of an action, those of pairs one by one."""
    return Counter(card for text in action.cards for card in text.split("+"))


@dataclass(frozen=True, slots=True)
class Move:
    """What moved blanks mean. ``action`` is what they amount to, if they do; ``may_grow``: with further cards
    they amount to another action. ``fits``: they are, or may become, an action at all."""

    fits: bool
    action: Action | None = None
    may_grow: bool = False


def meant(actions: Iterable[Action], moved: Sequence[str]) -> Move:
    """What it means that the cards ``moved`` have left a hand whose player may do ``actions``.

    Of actions with the same cards, such as two ways to pair them, the first one is taken; one that says more
    than the cards (to drop them face down) is none of them.
    """
    if not moved:
        return Move(fits=True)
    gone = Counter(moved)
    exact: Action | None = None
    may_grow = False
    for action in actions:
        if action.verb in BY_MOVING and not action.value:
            cards = card_texts(action)
            if cards == gone:
                exact = exact or action
            elif cards > gone:
                may_grow = True
    return Move(exact is not None or may_grow, exact, may_grow)


@dataclass(slots=True)
class Ways:
    """Between which hands cards go, read off the public events. Mutable."""

    _asker: int = -1
    _taken: list[int] = field(default_factory=list)

    def hear(self, events: Iterable[Event]) -> list[tuple[int, int]]:
        """Giver and receiver of every hand-over in ``events``."""
        found = []
        for event in events:
            match event.verb:
                case "ask":
                    self._asker = event.seat
                case "give" if self._asker >= 0:
                    found.append((event.seat, self._asker))
                case "take":
                    self._taken.append(event.target)
                    found.append((event.target, event.seat))
                case "hand back":
                    found += [(event.seat, patron) for patron in self._taken]
                    self._taken.clear()
                case "draw deck" | "draw pool" | "discard":
                    self._taken.clear()
                case _:
                    pass
        return found
