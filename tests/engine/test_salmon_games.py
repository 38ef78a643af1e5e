"""Whole games of Discount Salmon: how a fish is judged, how they end, and the generic checks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BadOption, Stream, bot
from engine.games.salmon import DiscountSalmon
from engine.games.salmon_cards import ANDREW, BLENDER, CURES, CURSES, MODIFIERS, PROBLEMS, judged
from engine.simulate import play_game
from engine.testing import check_game, option_sets, transcript
from tests.engine.salmon_race import RULES, Race

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "engine"


# --- judging ------------------------------------------------------------------------------------------------

cards = st.sampled_from(sorted(MODIFIERS - {ANDREW}))
problem_sets = st.sets(st.sampled_from(PROBLEMS), min_size=1)


@given(problem_sets, st.lists(cards, max_size=20))
def test_a_replay_of_the_accepted_stack_gives_the_same_problems(start: set[str], played: list[str]) -> None:
    """Against a plain set: a card is accepted when it changes the problems, and only then."""
    now = tuple(p for p in PROBLEMS if p in start)
    model, accepted = set(start), []
    for card in played:
        if not now:
            break
        left = judged(card, now)
        before = set(model)
        if card == BLENDER:
            model.clear()
        elif card in CURES:
            model.discard(CURES[card])
        else:
            model.add(CURSES[card])
        assert (left is not None) == (model != before)
        if left is not None:
            accepted.append(card)
            now = left
        assert set(now) == model
        assert list(now) == sorted(now, key=PROBLEMS.index)
    again = tuple(p for p in PROBLEMS if p in start)
    for card in accepted:
        replayed = judged(card, again)
        assert replayed is not None
        again = replayed
    assert again == now


# --- whole games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", ["realtime", "turns"])
@pytest.mark.parametrize("seats", [2, 5])
def test_fish_and_cards_of_a_whole_game(pace: str, seats: int) -> None:
    """What the events tell adds up to the scores."""
    rules = DiscountSalmon()
    for seed in range(5):
        options = rules.options({"pace": pace}, seats)
        outcome, events = play_game(rules, options, seats, [bot("random")] * seats, Stream(seed))
        verbs = Counter(event.verb for event in events)
        ended = verbs["claim"] + verbs["stale claim"] + verbs["eaten"]
        assert verbs["flip"] == ended <= 25
        assert (outcome.reason == "lake-empty") == (ended == 25)
        won = Counter(event.seat for event in events if event.verb in ("claim", "stale claim"))
        assert outcome.scores == tuple(won[seat] for seat in range(seats))
        best = max(outcome.scores)
        assert all(outcome.scores[seat] == best for seat in outcome.winners)


def test_a_waiting_table_comes_to_an_end() -> None:
    """Only the fryer wins fish where nobody plays."""
    rules = DiscountSalmon()
    options = rules.options({"stale_seconds": "1", "tick_ms": "1000"}, 3)
    outcome, events = play_game(rules, options, 3, [lambda view, legal, rng: legal[0]] * 3, Stream(1))
    assert sum(outcome.scores) == sum(event.verb == "flip" for event in events)
    assert {event.words for event in events if event.verb == "drop"} == {("2",)}
    assert max(outcome.scores) - min(outcome.scores) <= 1


def test_invalid_cards_cannot_be_played_for_ever() -> None:
    """Cards that come back, any number of times: the turns without a valid card are counted."""
    rules = DiscountSalmon()
    chosen = {"pace": "turns", "allowance": "per_batch", "invalid_cards": "return_to_hand"}
    race = Race(
        'fish = "ugly"\nturn = "A"\n'
        'hands = { A = "lotion lotion lotion lotion lotion", B = "perfume perfume", C = "?" }',
        **chosen,
    )
    plays = 0
    while race.facts["problems"]:
        seat = race.state.turn
        race.choose(("A: play lotion", "B: play perfume", "C: pass")[seat])
        race.finish()
        plays += 1
    assert plays == 30
    assert "A: stale claim" in race.told
    assert rules.options(chosen, 3)["allowance"] == "per_batch"


@pytest.mark.parametrize("pace", ["realtime", "turns"])
def test_every_pair_of_options_plays_soundly(pace: str) -> None:
    sets = option_sets(RULES, 2)
    assert any(options["pace"] == pace and options["allowance"] == "per_batch" for options in sets)
    assert check_game(_Paced(pace), games=1, seed=3, seats=(3,)) >= 15


class _Paced(DiscountSalmon):
    """The game with one pace only."""

    def __init__(self, pace: str) -> None:
        self._pace = pace

    def options(self, chosen: Any, seats: int) -> Any:
        if chosen.get("pace", self._pace) != self._pace:
            raise BadOption("This is the other pace.")
        return super().options({**chosen, "pace": self._pace}, seats)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4, 5])
def test_every_pair_of_options_plays_soundly_at_every_table(seats: int) -> None:
    assert check_game(RULES, games=2, seed=4, seats=(seats,)) > 60


@pytest.mark.parametrize(("pace", "seed"), [("realtime", 281), ("turns", 334)])
def test_the_transcript_of_a_game(pace: str, seed: int) -> None:
    """Games with all that can happen: a claim, a cat, a stalemate, discards open and face down.

    To renew it after an intended change: write these lines to the file, and read the difference.
    """
    lines = list(transcript(RULES, {"pace": pace}, 2, [bot("random")] * 2, seed))
    assert lines == (GOLDEN / f"salmon_{pace}.txt").read_text("utf-8").splitlines()
