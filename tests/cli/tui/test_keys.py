"""Moves by keys: every legal action can be reached, and what is sent is read as that action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from cli.boards import board_of
from cli.language import speaking
from cli.lines import read_line
from cli.tui.keys import ENTER, Chooser, Node, Token
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
    all_decisions = decisions(name, options, seed, 25)
    assert len(all_decisions) > 2
    for game, view, actions in all_decisions:
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


def test_the_figure_is_the_number_of_cards() -> None:
    asks = [each for each in decisions("casino", {}, 1, 40) if any(a.verb == "draw deck" for a in each[2])]
    assert asks
    shown = []
    for game, _view, actions in asks:
        draws = [action for action in actions if action.verb == "draw deck"]
        alone, among = Chooser(game, draws), Chooser(game, actions)
        assert alone.choice.question == ""  # the game's own question stands above
        (key,) = [option.key for option in among.options() if option.label == "draw deck"]
        if len(draws) > 1:
            assert among.press(key) == ""
            assert among.choice.question == "How many?"
            shown += [[(option.key, option.label) for option in each.options()] for each in (alone, among)]
            assert among.press("2") == "draw deck 2"
    assert shown
    assert all(each == [("1", "one card"), ("2", "two cards")] for each in shown)


def test_what_no_choice_is_asks_for_a_rank_or_is_refused() -> None:
    (game, view, actions), *_ = decisions("go-fish", {}, 1, 1)
    chooser = Chooser(game, actions)
    assert not chooser.is_refused("9")  # nothing has been chosen: a line may begin with it
    chooser.press("2")
    held = {option.key for option in chooser.options()}
    for key in "23456789tjqka":
        if key not in held | {"t" if "0" in held else ""}:
            assert chooser.press(key) is None
            assert chooser.is_refused(key)
            assert chooser.wish(key) == f"ask Ben {'10' if key == 't' else key.upper()}"
            assert read_line(chooser.wish(key), game, view, actions) not in actions
    assert chooser.is_refused("z")
    assert chooser.wish("z") == ""
    assert not chooser.is_refused("/")
    assert chooser.choice.chosen == "ask Ben"


def test_letters_that_stand_on_the_cards_choose() -> None:
    asks = [each for each in decisions("one-fish", {}, 3, 20) if {a.verb for a in each[2]} == {"ask"}]
    (fish, _view, _actions), *_ = decisions("go-fish", {}, 1, 1)
    with speaking("mk"):
        chosen = {
            (option.shown, option.label)
            for game, _view, actions in asks
            for option in after(game, actions, "2").options()
            if option.token is not None and option.token.kind == "value" and not option.key.isdecimal()
        }
        assert chosen
        for shown, label in chosen:
            assert shown == label[:1].upper()
            assert not shown.isascii()
        for game, _view, actions in asks:
            for option in after(game, actions, "2").options():
                line = after(game, actions, "2").press(option.key)
                assert after(game, actions, "2").press(option.shown) == line
        knave = Action("ask", 1, "J")
        actions = (knave, Action("ask", 1, "9"), Action("ask", 2, "9"))
        assert after(fish, actions, "2").press("ј") == fish.action(knave)


def test_a_star_among_the_choices_takes_no_letter_away_and_pairs_are_shown_as_they_are_written() -> None:
    (fish, view, _actions), *_ = decisions("one-fish", {}, 3, 1)
    asks = tuple(Action("ask", 1, value) for value in ("red", "blue", "3", "green via star", "3 via star"))
    pairs = (Action("lay", cards=("B5+B6",)), Action("lay", cards=("B4+*",)))
    with speaking("mk"):
        asked = after(fish, asks, "2")
        shown = {option.shown: option.label for option in asked.options()}
        assert shown == {"Ц": "црвена", "С": "сина", "3": "3", "*": "со ѕвезда"}
        assert asked.press("с") == "прашај Ben сина"
        assert [option.label for option in Chooser(fish, pairs).options()] == ["С5+С6", "С4+*"]
        for action in (*asks, *pairs):
            assert read_line(fish.action(action), fish, view, (action,)) == action


def after(game: Any, actions: Sequence[Action], key: str) -> Chooser:
    """The choices behind a key."""
    chooser = Chooser(game, actions)
    assert chooser.press(key) == ""
    return chooser


def test_to_decline_is_the_last_choice() -> None:
    offers = [each for each in decisions("one-fish", {}, 1, 60) if {a.verb for a in each[2]} > {"decline"}]
    assert offers
    for game, _view, actions in offers:
        labels = [option.label for option in Chooser(game, actions).options()]
        assert labels.index("decline") == len(labels) - 1


@pytest.mark.parametrize("names", [("Ана", "Петар", "Уна"), ("Ann", "Ben", "Cy")])
@pytest.mark.parametrize("language", ["en", "mk"])
def test_players_are_chosen_by_the_numbers_beside_their_names(language: str, names: tuple[str, ...]) -> None:
    table = OpenTable("go-fish", seed=1)
    move = next(each for each, _lines in table.play() if isinstance(each, YourMove))
    board = board_of(table.rules, names, table.show.me, table.show.say.glyphs)
    with speaking(language):
        options = Chooser(board, move.actions).options()
    assert [option.shown for option in options] == [
        str(seat + 1) for seat in sorted({action.target for action in move.actions})
    ]


def test_a_swap_says_what_goes_for_what() -> None:
    table = OpenTable("casino", seed=1)
    for telling, _lines in table.play():
        if isinstance(telling, YourMove) and any(action.verb == "swap" for action in telling.actions):
            break
    labels = [token.label for token in _all_tokens(Chooser(table.show.game, telling.actions)._root)]
    assert any(" for " in label for label in labels)
    assert not any(" = " in label for label in labels)


def _all_tokens(node: Node) -> Iterator[Token]:
    for token, following in node.next.items():
        yield token
        yield from _all_tokens(following)
