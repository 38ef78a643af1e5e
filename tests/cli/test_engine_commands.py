"""rules, simulate and scenario: what they print, and every way to get them wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.rules import TEXTS
from engine.registry import game, games

ROOT = Path(__file__).resolve().parents[2]


def test_the_games_are_listed(shoal) -> None:
    ran = shoal("rules")
    assert ran.code == 0
    assert "go-fish  Go Fish, 2 to 6 players." in ran.out.splitlines()


def test_the_rules_name_every_option_with_its_values(shoal) -> None:
    page = shoal("rules", "go-fish").out
    for option in game("go-fish").info.options:
        assert f"  {option.name}: " in page
        assert all(f"      {value}" in page for value in option.values)
    assert all(len(line) <= 80 for line in page.splitlines())


def test_the_options_alone(shoal) -> None:
    page = shoal("rules", "go-fish", "--options").out
    assert page.startswith("  ask_mode: ")
    assert page.rstrip() in shoal("rules", "go-fish").out


@pytest.mark.parametrize("name", games())
def test_texts_and_options_agree(name: str) -> None:
    options = {option.name: option for option in game(name).info.options}
    text = TEXTS[name]
    assert set(text.options) == set(options)
    assert all(value in options[option].values for option, value in text.values)


def test_the_rules_as_json(shoal) -> None:
    facts = json.loads(shoal("rules", "go-fish", "--json").out)
    assert facts["options"]["book_size"] == {
        "default": "4",
        "values": ["4", "2"],
        "lowest": None,
        "highest": None,
    }
    assert facts in json.loads(shoal("rules", "--json").out)


@pytest.mark.parametrize("args", [["rules"], ["simulate"], ["play"], ["host"]])
def test_an_unknown_game_names_the_nearest(shoal, args: list[str]) -> None:
    ran = shoal(*args, "go-fihs")
    assert ran.code == 2
    assert 'There is no game "go-fihs"; did you mean go-fish' in ran.err
    assert ran.err.count("\n") == 2


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--set", "ask_mod=card"], "did you mean ask_mode?"),
        (["--set", "ask_mode=loud"], "ask_mode can be rank or card"),
        (["--set", "ask_mode"], "name=value"),
        (["--set", "deck=54"], "book_size=2"),
        (["--set", "deck=104", "--set", "ask_mode=card"], "cannot be played with ask_mode=card"),
        (["--set", "ask_mode=card", "--set", "ask_mode=rank"], "set twice"),
        (["--set", "hand_size=13"], "leaves no stock"),
        (["--set", "refill_count=5"], "end_mode=all_books"),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "play", "host"])
def test_refused_options(shoal, command: str, args: list[str], sentence: str) -> None:
    ran = shoal(command, "go-fish", *args)
    assert ran.code == 2
    assert sentence in ran.err


@pytest.mark.parametrize("seats", ["1", "7", "0", "-3"])
@pytest.mark.parametrize("command", ["simulate", "host"])
def test_refused_seat_counts(shoal, command: str, seats: str) -> None:
    ran = shoal(command, "go-fish", "--seats", seats)
    assert ran.code == 2
    assert f"2 to 6 players, not {seats}" in ran.err


def test_simulation_as_json_has_exactly_these_keys(shoal) -> None:
    args = ("simulate", "go-fish", "--seats", "3", "--games", "30", "--seed", "7", "--json")
    first, second = json.loads(shoal(*args).out), json.loads(shoal(*args).out)
    assert list(first) == ["games", "seconds", "games_per_second", "wins", "ties", "digest"]
    assert first["games"] == 30
    assert sum(first["wins"]) >= 30
    assert len(bytes.fromhex(first["digest"])) == 32
    assert first["digest"] == second["digest"]
    other = json.loads(shoal(*args[:7], "8", "--json").out)
    assert other["digest"] != first["digest"]


def test_simulation_in_processes_finds_the_same(shoal, monkeypatch: pytest.MonkeyPatch) -> None:
    args = ("simulate", "go-fish", "--games", "130", "--json", "--set", "ranks=4", "--set", "hand_size=2")
    alone = json.loads(shoal(*args).out)
    monkeypatch.setattr("cli.commands.simulate.FEW", 1)
    spread = json.loads(shoal(*args).out)
    assert {**alone, "seconds": 0, "games_per_second": 0} == {**spread, "seconds": 0, "games_per_second": 0}


def test_simulation_for_people(shoal) -> None:
    out = shoal("simulate", "go-fish", "--seats", "2", "--games", "10", "--bots", "careful,random").out
    assert "seat 1 (careful): " in out
    assert "seat 2 (random): " in out


@pytest.mark.parametrize(
    "args", [["--bots", "clever"], ["--games", "0"], ["--games", "many"], ["--seed", "x"]], ids=str
)
def test_refused_simulations(shoal, args: list[str]) -> None:
    ran = shoal("simulate", "go-fish", *args)
    assert ran.code == 2
    assert ran.out == ""


def test_scenarios_pass(shoal) -> None:
    ran = shoal("scenario", str(ROOT / "tests" / "scenarios" / "go_fish.toml"))
    assert ran.code == 0
    assert " passed, 0 failed" in ran.out


SCENARIO = """\
[[scenario]]
id = "one"
game = "go-fish"
seats = ["A", "B"]
hands = { A = "9H KD", B = "9C 4D" }
turn = "A"
[[scenario.play]]
do = "A: ask B 9"
expect = { hands = { A = "%s" } }
"""


def test_a_failing_scenario_is_named_with_its_line(shoal, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(SCENARIO % "9H 9C KD")
    bad.write_text(SCENARIO % "9H 9D KD")
    ran = shoal("scenario", str(good), str(bad), "--verbose")
    assert ran.code == 1
    assert f"{good}:1: one: passed" in ran.out
    assert f"{bad}:9: one: " in ran.out
    assert "1 passed, 1 failed" in ran.out


@pytest.mark.parametrize(
    ("content", "code", "sentence"),
    [
        (None, 2, "cannot be read"),
        (b"\xff\xfe", 2, "not a text file"),
        (b"[[scenario]]\nid = 3", 1, "line 1"),
        (b"x = ", 1, "line 1"),
    ],
)
def test_scenario_files_that_are_none(
    shoal, tmp_path: Path, content: bytes | None, code: int, sentence: str
) -> None:
    path = tmp_path / "file.toml"
    if content is not None:
        path.write_bytes(content)
    ran = shoal("scenario", str(path))
    assert ran.code == code
    assert sentence in ran.err


def test_what_a_scenario_file_says_is_not_done_to_the_terminal(shoal, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    text = (
        '[[scenario]]\nid = "x\\u001b[2J"\ngame = "one-fish"\nseats = ["A", "B"]\nhands = { A = "R2" }\n'
        'turn = "A"\n[[scenario.play]]\ndo = "A\\u009b2J: ask B 2"\n'
    )
    path.write_text(text)
    told = shoal("scenario", str(path))
    path.write_text(text.replace('turn = "A"', 'turn = "\\u001b]0;x\\u0007"'))
    refused = shoal("scenario", str(path))
    assert (told.code, refused.code) == (1, 1)
    assert all(c.isprintable() or c == "\n" for c in told.out + refused.err)
    assert "line 6: there is no seat" in refused.err


@pytest.mark.parametrize("seconds", ["nan", "-nan", "inf", "0", "61", "x"])
def test_a_reaction_that_is_no_time(shoal, seconds: str) -> None:
    ran = shoal("play", "discount-salmon", "--bots", "1", "--auto", "--reaction", seconds)
    assert ran.code == 2
    assert "--reaction" in ran.err
