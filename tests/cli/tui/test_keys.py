"""Moves by keys: every legal action can be reached, and what is sent is read as that action."""

from __future__ import annotations

from typing import Any

import pytest

from cli.lines import read_line
from cli.tui.keys import ENTER, Chooser
from engine.contract import Action
from p2p.session import YourMove
from tests.cli.open_table import OpenTable

GAMES = [
    ("go-fish", {}), ("go-fish", {"ask_mode": "card"}), ("one-fish", {}), ("casino", {}),
    ("discount-salmon", {}),
]  # fmt: skip
MOST = 400
"""Lines that are tried of one decision."""


def lines_of(chooser: Chooser, keys: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    """All lines that keys lead to, each with its keys."""
    found: list[tuple[tuple[str, ...], str]] = []
    todo: list[tuple[str, ...]] = [keys]
    seen = set()
    while todo and len(found) < MOST:
        path = todo.pop(0)
        chooser.reset()
        for key in path:
            assert chooser.press(key) == ""
        choice = chooser.choice
        shown = (choice.chosen, tuple((option.key, option.label) for option in choice.options))
        if shown in seen:
            continue
        seen.add(shown)
        for option in choice.options:
            chooser.reset()
            for key in path:
                chooser.press(key)
            line = chooser.press(option.key)
            assert line is not None
            if line:
                found.append(((*path, option.key), line))
            else:
                todo.append((*path, option.key))
    chooser.reset()
    return found


def decisions(
    name: str, options: dict[str, str], seed: int, most: int
) -> list[tuple[Any, Any, tuple[Action, ...]]]:
    table = OpenTable(name, seed=seed, options=options)
    found = []
    for telling, _lines in table.play():
        if isinstance(telling, YourMove):
            found.append((table.show.game, telling.view, telling.actions))
            if len(found) >= most:
                break
    return found


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_keys_reach_every_action(name: str, options: dict[str, str], seed: int) -> None:
    for game, view, actions in decisions(name, options, seed, 25):
        chooser = Chooser(game, actions)
        if chooser.is_empty:
            assert name == "discount-salmon"  # figures are the numbers of cards there, and are typed
            continue
        found = lines_of(chooser)
        reached = {read_line(line, game, view, actions) for _keys, line in found}
        assert reached <= set(actions)
        is_any = len(found) == 1  # one of many equal ones
        if not is_any and len(found) < MOST:
            assert reached == set(actions)


@pytest.mark.parametrize("name", ["go-fish", "one-fish"])
def test_an_ask_takes_two_keys(name: str) -> None:
    asks = [each for each in decisions(name, {}, 3, 20) if all(action.verb == "ask" for action in each[2])]
    assert asks
    for game, _view, actions in asks:
        lengths = {len(keys) for keys, line in lines_of(Chooser(game, actions)) if "via" not in line}
        assert lengths <= {1, 2}


def test_figures_alone_choose_first() -> None:
    """Letters on an empty line begin a command."""
    for name, options in GAMES:
        for game, _view, actions in decisions(name, options, 4, 15):
            for option in Chooser(game, actions).options():
                assert option.key == ENTER or option.key.isdecimal()


def test_back_undoes_one_choice_after_the_other() -> None:
    (game, _view, actions), *_ = decisions("go-fish", {}, 1, 1)
    chooser = Chooser(game, actions)
    first = chooser.choice
    assert first.question == "Whom?"
    assert not chooser.back()
    assert chooser.press("2") == ""
    assert chooser.choice.chosen == "ask Ben"
    assert chooser.press("x") is None
    assert chooser.back()
    assert chooser.choice == first


def test_the_mark_moves_over_the_choices() -> None:
    (game, _view, actions), *_ = decisions("go-fish", {}, 1, 1)
    chooser = Chooser(game, actions)
    assert chooser.press(ENTER) is None
    assert chooser.move(1)
    assert chooser.choice.at == 0
    assert chooser.move(-1)
    assert chooser.choice.at == len(chooser.options()) - 1
    assert chooser.press(ENTER) == ""
    assert chooser.choice.chosen == "ask Cy"


def test_further_choices_stand_on_further_pages() -> None:
    (game, _view, _actions), *_ = decisions("casino", {}, 1, 1)
    actions = [Action("keep", cards=(f"{rank}C",)) for rank in "23456789TJQKA"]
    chooser = Chooser(game, actions)
    assert [option.key for option in chooser.options()] == [*"123456789", "0"]
    assert chooser.press("0") == ""
    assert [option.label for option in chooser.options()] == ["J♣", "Q♣", "K♣", "A♣", "more"]
    assert chooser.press("4") == "keep AC"
