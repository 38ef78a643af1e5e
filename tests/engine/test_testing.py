"""The generic checks find games that are broken: each of these breaks one thing only."""

from typing import Any

import pytest

from engine import Action, Event, Outcome
from engine.games.go_fish import GoFish
from engine.games.go_fish_state import GoFishState
from engine.table import Completed, Mix, Result, Show
from engine.testing import check_game


class AsksForAnything(GoFish):
    def legal(self, v: Any) -> tuple[Action, ...]:
        return (*super().legal(v), Action("ask", (v.seat + 1) % 3, "2"), Action("ask", (v.seat + 1) % 3, "A"))


class AsksForNothing(GoFish):
    def legal(self, v: Any) -> tuple[Action, ...]:
        return ()


class Undecided(GoFish):
    """Asks for something else every other time."""

    count = 0

    def pending(self, s: GoFishState) -> Any:
        self.count += 1
        return Mix("hand.0") if self.count > 200 and self.count % 2 else super().pending(s)


class KeepsGroups(GoFish):
    """Forgets the groups that are completed during the game."""

    def resume(self, s: GoFishState, r: Result) -> Any:
        is_settling = s.phase == "settle" and not s.is_dealing
        return super().resume(s, Completed((), ()) if is_settling else r)


class NeverEnds(GoFish):
    def pending(self, s: GoFishState) -> Any:
        op = super().pending(s)
        return Mix("hand.0") if isinstance(op, Outcome) else op

    def resume(self, s: GoFishState, r: Result) -> Any:
        return (s, ()) if s.phase == "over" else super().resume(s, r)


class Silent(GoFish):
    """Does not say that the game is over."""

    def resume(self, s: GoFishState, r: Result) -> Any:
        after, events = super().resume(s, r)
        return after, tuple(event for event in events if event.verb != "over")


class Mumbles(GoFish):
    """Says a word that cannot be read back."""

    def resume(self, s: GoFishState, r: Result) -> Any:
        after, events = super().resume(s, r)
        return after, (*events, *(Event("hum", 0) for event in events if event.verb == "draw"))


class Peeks(GoFish):
    """Remembers, outside the state, what it was asked for last."""

    odd = False

    def legal(self, v: Any) -> tuple[Action, ...]:
        self.odd = not self.odd
        return super().legal(v)[:: 1 if self.odd else -1]


class ShowsTwoHands(GoFish):
    """Shows cards of two hands with one operation, which no seat alone can do."""

    def pending(self, s: GoFishState) -> Any:
        op = super().pending(s)
        cards = (*s.table.slots("hand.0")[:1], *s.table.slots("hand.1")[:1])
        return Show(cards) if isinstance(op, Outcome) and len(cards) == 2 else op

    def resume(self, s: GoFishState, r: Result) -> Any:
        return (s, ()) if s.phase == "over" else super().resume(s, r)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (AsksForAnything, "The legal action ask . (2|A) is refused"),
        (AsksForNothing, "A seat has nothing it may do"),
        (Undecided, "The same state asks for different things"),
        (KeepsGroups, "A completed group was left in a hand"),
        (Silent, "The end is not the last event"),
        (Mumbles, "does not begin with a word of this game"),
        (ShowsTwoHands, "One Show speaks of cards of several hands"),
        (Peeks, "A view tells what is hidden"),
    ],
)
def test_a_broken_game_is_found(rules: type[GoFish], words: str) -> None:
    with pytest.raises((AssertionError, ValueError), match=words):
        check_game(rules(), games=1, seed=3, seats=(3,))


def test_a_game_without_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.testing.MOST_OPERATIONS", 2000)
    with pytest.raises(AssertionError, match=r"The game does not end.*\{\}, 3 seats, seed 3"):
        check_game(NeverEnds(), games=1, seed=3, seats=(3,))
