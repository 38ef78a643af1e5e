"""Under which name a player sits: asked once at a terminal, remembered, and never asked elsewhere."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.choices import chosen_options, player_name
from cli.errors import Failure
from cli.folders import Folders
from engine.registry import game
from p2p.io.store import Store


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folders:
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    return Folders(tmp_path)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answers that a person gives."""
    answers: list[str] = []
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: answers.pop(0))
    return answers


def test_without_a_terminal_it_is_the_login_name(at: Folders) -> None:
    assert player_name(None, at, may_ask=True) == "Ann"


def test_for_root_it_is_a_word_from_the_platform(at: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    monkeypatch.setattr("platform.node", lambda: "laptop.example")
    assert player_name(None, at, may_ask=True) == "Laptop"
    monkeypatch.setattr("platform.node", lambda: "")
    assert player_name(None, at, may_ask=True) == "Player"


def test_a_person_is_asked_until_the_answer_is_a_name(at: Folders, terminal: list[str]) -> None:
    terminal += ["x" * 40, " Zoe "]
    assert player_name(None, at, may_ask=True) == "Zoe"
    assert terminal == []


def test_enter_keeps_the_name_that_is_offered(at: Folders, terminal: list[str]) -> None:
    terminal += [""]
    assert player_name(None, at, may_ask=True) == "Ann"


def test_nobody_is_asked_twice_or_with_a_name_or_where_a_bot_plays(at: Folders, terminal: list[str]) -> None:
    assert player_name("Ben", at, may_ask=True) == "Ben"
    assert player_name(None, at, may_ask=False) == "Ann"
    with Store.open(at.data) as store:
        store.create_identity(bytes(32), "Zoe")
    assert player_name(None, at, may_ask=True) == "Zoe"


@pytest.mark.parametrize(
    ("by_bots", "hint"), [(False, "--seats takes a number from 2 to 5."), (True, "--bots")]
)
def test_too_many_players_are_refused_with_what_was_chosen(by_bots: bool, hint: str) -> None:
    with pytest.raises(Failure, match="Discount Salmon is for 2 to 5 players, not 6") as caught:
        chosen_options(game("discount-salmon"), (), 6, by_bots=by_bots)
    assert hint in caught.value.hint
    if by_bots:
        assert caught.value.hint == "--bots takes a number from 1 to 4."
