"""Sentences of commands that end at once: broken between words on a terminal, whole everywhere else."""

from __future__ import annotations

import shlex

import pytest

from cli import telling
from cli.lobby.news import lines_of, overheard
from cli.telling import tell, tell_beside
from tests.cli.conftest import Shoal

NARROW = 40


@pytest.fixture
def columns(monkeypatch: pytest.MonkeyPatch) -> int:
    """Both outputs are a terminal of this many columns."""
    monkeypatch.setenv("COLUMNS", str(NARROW))
    monkeypatch.setattr(telling, "is_shown", lambda stream: True)
    return NARROW


@pytest.mark.parametrize(
    "args",
    [
        ["play", "salmon"],
        ["play", "go-fish", "--bots", "x"],
        ["replay", "there is no such file anywhere here.shoal"],
        ["players", "verify", "Somebody whom nobody here has ever met"],
        ["host", "go-fish", "--bots", "5", "--seats", "6"],
        ["readers", "--reader", "not a port at all"],
    ],
)
def test_errors_and_next_steps_are_broken_between_words(shoal: Shoal, columns: int, args: list[str]) -> None:
    shown = shoal(*args)
    text = shown.out + shown.err
    assert "Error: " in text
    for line in text.splitlines():
        # A command stays in one piece, for pasting.
        assert len(line) < columns or "shoal " in line or " " not in line.strip(), line


def test_the_lobby_hears_whole_what_is_broken_for_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Error: " + "word " * 20 + "end."
    with overheard() as heard:
        tell(text, err=True)
        tell("short")
    assert lines_of(heard) == (text, "short")
    out, err = capsys.readouterr()
    assert out == "short\n"
    assert err.split() == text.split()
    assert all(len(line) < columns for line in err.splitlines())


def test_what_no_terminal_shows_stays_whole(capsys: pytest.CaptureFixture[str]) -> None:
    text = "word " * 60
    tell(text)
    tell(text, err=True)
    tell_beside("ok  ", text)
    out, err = capsys.readouterr()
    assert out == f"{text}\nok  {text}\n"
    assert err == f"{text}\n"


def test_words_of_a_list_stay_beside_their_head(columns: int, capsys: pytest.CaptureFixture[str]) -> None:
    tell_beside("warning  mqtt  ", "readers on a broker need the package aiomqtt, which is not here")
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("warning  mqtt  readers")
    assert rest
    assert all(line.startswith(" " * 15) and line[15] != " " for line in rest)
    assert all(len(line) < columns for line in (first, *rest))


def test_a_command_in_a_long_line_can_be_pasted(columns: int, capsys: pytest.CaptureFixture[str]) -> None:
    command = "shoal --home /some/where host go-fish --seats 4 --bots 1"
    tell(f"  Next: Give the table more seats, or play without guests: {command}", err=True)
    assert [shlex.split(line) for line in capsys.readouterr().err.splitlines()][-1] == command.split()
