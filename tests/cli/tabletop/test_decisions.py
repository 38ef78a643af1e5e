"""A screen for everybody says what is to be decided, and tells nothing of a hand by it."""

from __future__ import annotations

from collections import defaultdict

import pytest

from cli.tabletop.controller import Controller
from cli.tabletop.decisions import WHAT, is_held_back, kind_of
from engine.registry import game
from engine.table import Choose

from .rig import said, setting_of
from .test_every_action import GAMES, NAMES, decisions

EVERYBODY = tuple(range(len(NAMES)))


def controller(game_name: str, options: dict[str, str]) -> Controller:
    rules = game(game_name)
    deck = rules.deck(rules.options(options, len(NAMES)))
    return Controller(setting_of(rules, deck, NAMES, EVERYBODY, is_common=True))


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_of_a_decision_follows_from_its_kind_alone(name: str) -> None:
    """Whether somebody can lay a pair, say, is seen in no word."""
    game_name, options = GAMES[name]
    rules = game(game_name)
    told = defaultdict(set)
    for seed in range(3):
        for seat, view, actions, is_race in decisions(rules, options, seed):
            mode = controller(game_name, dict(options))
            asked = mode.raced(100.0, seat, view, actions) if is_race else ()
            text = said(asked or mode.asked(100.0, seat, view, actions, None))
            kind = kind_of(rules, view)
            if kind == "give":
                assert f"{NAMES[view.state.turn]} asks you for " in text
            else:
                is_dealer = game_name == "casino" and view.state.dealer == seat
                told[kind, is_dealer].add(text.removeprefix(f"{NAMES[seat]}: it is your turn. "))
    assert told
    for (kind, _is_dealer), texts in told.items():
        (text,) = texts
        assert text.startswith(WHAT[game_name][kind]), (kind, text)


def test_a_decision_that_is_told_after_a_fixed_time_is_said_to_be_noted() -> None:
    rules, seen = game("one-fish"), set()
    for seat, view, actions, _is_race in decisions(rules, {"stars": "4"}, 1):
        mode = controller("one-fish", {"stars": "4"})
        mode.asked(100.0, seat, view, actions, None)
        text = said(mode.acted(101.0, seat, actions[0]))
        op = rules.pending(view.state)
        is_hidden = not isinstance(op, Choose) or op.delayed
        assert is_hidden == is_held_back(rules, view)
        assert text == (f"{NAMES[seat]}: that is noted, and told in a moment." if is_hidden else "")
        seen.add(is_hidden)
    assert seen == {True, False}
