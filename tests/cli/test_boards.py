"""Every game on the screen: whole games told, and every legal action typed as the screen writes it."""

from __future__ import annotations

from collections import Counter

import pytest

from cli.boards import BOARDS, GameBoard
from cli.lines import NotUnderstood, read_line
from cli.presenter import JUST_ABOVE
from engine.contract import Action
from engine.registry import games
from engine.table import hand_of
from p2p.session import GameOver, Happened, YourMove
from tests.cli.open_table import NAMES, OpenTable

PLAYED = tuple(games())
MOST = 600
"""Tellings of one game that are looked at; a race ends by bots that play at random long before."""


MOST_ASKED = 60
"""Decisions of one game whose actions are all looked at: the later ones are no different."""


def some(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """The first ones, and some of all the others."""
    return (*actions[:6], *actions[6 :: max(1, len(actions) // 12)])


def as_typed(table: OpenTable, action: object) -> object:
    return read_line(table.show.action(action), table.show.game, table.view(), table.show.actions)


@pytest.mark.parametrize("me", range(len(NAMES)))
@pytest.mark.parametrize("name", PLAYED)
def test_a_whole_game_is_told_and_every_action_can_be_typed_as_it_is_shown(name: str, me: int) -> None:
    table, asked = OpenTable(name, seed=me, me=me), 0
    for telling, lines in table.play():
        assert all(line.text and line.text.isprintable() for line in lines)
        if lines and asked < MOST_ASKED:
            board = table.show.board(table.view())
            assert all(line.isprintable() for line in table.show.table_lines(board))
        if isinstance(telling, YourMove):
            asked += 1
            above = [line.text for line in table.show.log[-JUST_ABOVE:]]
            assert lines or table.show.hand_line(table.view()) in above
            for action in some(telling.actions) if asked < MOST_ASKED else ():
                if action.verb != "wait":
                    assert as_typed(table, action) == action, table.show.action(action)
            assert table.show.game.prompt(table.view(), telling.actions, None).endswith("> ")
            assert all(line.isprintable() for line in table.show.hints(table.view()))
    assert isinstance(telling, GameOver)
    assert asked


@pytest.mark.parametrize("name", PLAYED)
def test_every_card_that_comes_into_ones_hand_is_named(name: str) -> None:
    table, came = OpenTable(name, seed=4, me=1), 0
    before: Counter[str] = Counter()
    for telling, lines in table.play(MOST):
        view = table.view()
        hand = Counter(view.deck.text(face) for face in view.hand.values())
        public = Counter(view.deck.text(face) for face in view.known.get(hand_of(1), ()))
        text = " ".join(line.text for line in lines)
        for card in hand - before - public:
            came += 1
            assert isinstance(telling, Happened)
            assert table.show.game.card(card) in text, (card, text)
        before = hand
    assert came >= 5


@pytest.mark.parametrize("name", PLAYED)
def test_the_generic_board_is_enough_to_play_a_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a game from elsewhere: hints from the legal actions, lines read by the game itself."""
    monkeypatch.delitem(BOARDS, name, raising=False)
    table, asked = OpenTable(name, seed=5), 0
    assert type(table.show.game) is GameBoard
    for telling, lines in table.play(MOST):
        assert all(line.text.isprintable() for line in lines)
        table.show.table_lines(table.show.board(table.view()))
        if isinstance(telling, YourMove):
            asked += 1
            for action in telling.actions[:20]:
                assert as_typed(table, action) == action
            assert table.show.hints(table.view())
    assert asked


@pytest.mark.parametrize("name", PLAYED)
def test_any_words_are_read_or_refused_with_a_printable_sentence(name: str) -> None:
    table = OpenTable(name, seed=2)
    words = [
        "9",
        "0",
        "99999",
        "red",
        "Ben",
        "via",
        "star",
        "+",
        "=",
        "*",
        "QS=5C",
        "mask",
        "\x1b",
        "é",
        "ten",
    ]
    seen, said = set(), []
    for telling, _ in table.play(MOST):
        if not isinstance(telling, YourMove):
            continue
        verbs = frozenset(action.verb for action in telling.actions)
        if verbs in seen:
            continue
        seen.add(verbs)
        for verb in (*verbs, ""):
            for first in words:
                for second in ("", "9", "mask", "+"):
                    try:
                        read_line(f"{verb} {first} {second}", table.show.game, table.view(), telling.actions)
                    except NotUnderstood as problem:
                        said.append(str(problem))
    assert seen
    assert all(sentence and sentence.isprintable() for sentence in said)
