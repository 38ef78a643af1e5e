"""Casino: whole games, with every pair of options, and a golden one."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import (
    Action,
    Open,
    Outcome,
    Position,
    Stream,
    View,
)
from engine.games.casino import Casino
from engine.table import (
    Choose,
    hand_of,
)
from engine.testing import check_game, option_sets, transcript
from tests.engine.casino_rules import RULES, Covered

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "engine" / "casino.txt"
Bot = Callable[[View[Any], Any, Stream], Action]


def games(bot: Bot, count: int, seats: int, **options: str) -> Iterator[tuple[Position, Position, Open]]:
    """Every step of some games: the position before and after it, and the cards after it."""
    for number in range(count):
        rng = Stream("casino", seats, number)
        position = Position.start(RULES, options, seats)
        dealer = Open(position, rng)
        for _ in range(20_000):
            op = position.pending
            if isinstance(op, Outcome):
                break
            before = position
            if isinstance(op, Choose):
                deeds = []
                for seat in op.seats:
                    view = dealer.view(position, seat)
                    deeds.append((seat, RULES.deed(view, bot(view, RULES.legal(view), rng))))
                position, _ = position.feed(dealer.decided(position, deeds))
            else:
                position, _ = position.feed(dealer.resolve(position))
            yield before, position, dealer
        else:
            raise AssertionError("The game does not end.")


def sociable(view: View[Any], legal: Any, rng: Stream) -> Action:
    """Anything, but hands are opened and covered rarely, and the deck is often drawn from."""
    if legal[0].verb == "ready":
        return legal[rng.below(12) == 0]
    if legal[0].verb == "draw deck" and rng.below(3):
        return legal[0]
    return rng.choice(legal)


def collecting(view: View[Any], legal: Any, rng: Stream) -> Action:
    """Takes from the pool, swaps in and keeps what it has most of, so that sets come up."""
    have = Counter(face[0] for face in view.hand.values())

    def worth(action: Action) -> int:
        if action.verb == "draw pool":
            return sum(have[card[0]] for card in action.cards)
        kept = Counter(card[0] for card in action.cards) if action.verb in ("keep", "fill") else Counter(have)
        for out, _, into in (pair.partition("=") for pair in action.cards if action.verb == "swap"):
            kept[out[0]] -= 1
            kept[into[0]] += 1
        return sum(count * count for count in kept.values())

    if legal[0].verb == "draw deck":
        pool = [action for action in legal if action.verb == "draw pool" and worth(action) > 1]
        return max(pool, key=worth) if pool else sociable(view, legal, rng)
    return max(legal, key=worth) if legal[0].verb in ("keep", "fill") else sociable(view, legal, rng)


def stalling(view: View[Any], legal: Any, rng: Stream) -> Action:
    """Never takes a card from the deck if it can help it, and gives everything back."""
    others = [action for action in legal if action.verb not in ("draw deck", "expose", "conceal")]
    return rng.choice(others or legal)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_hands_of_those_who_moved_have_at_most_five_cards_and_no_set(seats: int) -> None:
    sets = 0
    for before, after, dealer in games(collecting, 12, seats, dealer_takes_from="split"):
        if after.state.phase == "ready" and before.state.phase != "ready" and after.state.dealer >= 0:
            for seat in range(seats):
                hand = dealer.faces(after.table, hand_of(seat))
                assert len(hand) <= 5
                assert max(Counter(face[0] for face in hand).values(), default=0) < 4
        sets += isinstance(after.pending, Outcome) and sum(after.pending.scores)
    assert sets > 0


@pytest.mark.parametrize("end", ["after_turn", "finish_round"])
def test_a_game_ends_even_if_nobody_draws_from_the_deck(end: str) -> None:
    """Each round burns a card (CG-BURN), so there are at most as many rounds as the deck has cards."""
    for seats in (2, 4):
        turns = burnt = 0
        for before, after, _ in games(stalling, 1, seats, end=end):
            turns += after.state.turn != before.state.turn
            burnt += after.state.phase == "burnt" and before.state.phase != "burnt"
        assert burnt > 0
        assert turns <= seats * (52 - 5 * seats) + 1


def test_open_hands_are_open_and_others_are_not_told() -> None:
    checked = 0
    for _, after, _ in games(sociable, 6, 4):
        if isinstance(after.pending, Choose) and after.pending.kind == "draw":
            for seat in after.state.exposed:
                assert set(after.table.slots(hand_of(seat))) <= after.table.known.keys()
                checked += 1
            # What others cannot know is not in the public state.
            hidden = {slot for slot in after.table.known if slot.zone == hand_of(after.state.dealer)}
            assert not hidden
    assert checked > 20


@pytest.mark.parametrize("rules", [Casino, Covered])
def test_every_pair_of_options_plays_soundly(rules: type[Casino]) -> None:
    assert check_game(rules(), games=1, seed=1, seats=(3,)) == len(option_sets(RULES, 3))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Casino, Covered])
@pytest.mark.parametrize("seats", [2, 4, 5, 6])
def test_every_pair_of_options_plays_soundly_at_every_table(rules: type[Casino], seats: int) -> None:
    assert check_game(rules(), games=3, seed=2, seats=(seats,)) > 30


def test_the_transcript_of_a_game() -> None:
    """To renew it after an intended change: write these lines to the file, and read the difference."""
    lines = list(transcript(RULES, {"dealer_takes_from": "split", "dealer": "3"}, 3, [collecting] * 3, 23))
    assert lines == GOLDEN.read_text("utf-8").splitlines()
