"""Real programs watch a game of real programs: late, on every kind of screen, killed, stopped, moved on."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
from pathlib import Path

import pytest

from cli.main import run
from tests.e2e.program import Program
from tests.e2e.screen_player import ScreenPlayer, Start

pytestmark = [pytest.mark.slow, pytest.mark.network]

SHORT = (
    "--set", "ranks=6", "--set", "hand_size=4", "--set", "end_mode=all_books",
    "--set", "next_after_miss=left", "--set", "extra_turn_on_drawn_hit=false",
)  # fmt: skip
"""A game that bots cannot end before a person has had a turn: whoever draws has had its own, and the one to
the left is next."""
HERE = ("--here-only", "--port", "0", "--open")


def table(tmp_path: Path, programs: list[Program], *options: str) -> tuple[Program, Program, str]:
    """Ann plays herself, Ben by a bot, and a bot is there; it is Ann's turn, or the game waits for her."""
    ann = Program(tmp_path / "ann", "host", "go-fish", "--name", "Ann", "--seats", "3", "--bots", "1",
                  *SHORT, *HERE, *options)  # fmt: skip
    programs.append(ann)
    address = ann.sees(r" join (127\.0\.0\.1:\d+)")[1]
    ben = Program(tmp_path / "ben", "join", address, "--name", "Ben", "--auto")
    programs.append(ben)
    ann.sees(r"Safety words: (.*)")
    ann.sees(r"(?m)^Your turn|Whom|You go first|goes first")
    return ann, ben, address


def test_late_on_every_screen_to_the_end_at_another_players_program(
    tmp_path: Path, programs: list[Program]
) -> None:
    ann, ben, address = table(tmp_path, programs, "--watchers", "any")
    record = tmp_path / "gus.shoal"
    gus = Program(tmp_path / "gus", "watch", address, "--name", "Gus", "--record", str(record))
    eve = Program(tmp_path / "eve", "watch", address, "--name", "Eve")
    ida = Program(tmp_path / "ida", "watch", address, "--name", "Ida")
    joe = Program(tmp_path / "joe", "watch", address, "--name", "Joe", "--json")
    programs += [gus, eve, ida, joe]
    gus.sees(r"all of them are verified")
    words = ann.sees(r"Safety words: (.*)")[1].split()
    assert gus.sees(r"Safety words: (.*)")[1].split() == words
    for name in ("Gus", "Eve", "Ida", "Joe"):
        ann.sees(f"{name} watches, and sees what everybody sees")
        ben.sees(f"{name} watches, and sees what everybody sees")
    with contextlib.closing(ScreenPlayer(tmp_path / "lee", "watch", address, "--name", "Lee")) as lee:
        lee.see("all of them are verified")
        lee.see("1 Ann")
        lee.press("chat play the nine\r")
        lee.see("say and play nothing")
        ann.sees("Lee watches")
        lee.press("quit\r")
        assert lee.end() == 0
    ann.sees("Lee watches no more")

    eve.process.kill()
    ann.sees("Eve watches no more")
    os.kill(ida.process.pid, signal.SIGSTOP)  # a lid that is closed: neither reads nor speaks
    gus.types("log")
    gus.types("say it was the nine")
    gus.sees("say and play nothing")
    ann.types("table")
    ann.sees(r"Watched by .*Gus")

    ann.types("quit")
    assert ann.ends() == 0
    again = Program(tmp_path / "ann", "resume", "--auto")
    programs.append(again)
    assert again.ends() == 0
    assert ben.ends() == 0
    gus.sees("is gone")
    gus.sees(r"'s program goes on")
    gus.sees("SOUND: nobody lied")
    assert gus.ends() == joe.ends() == 0
    assert "nine" not in again.text + ben.text, "what a spectator types is heard by nobody"
    theirs = re.search(r"Record: (\S+)", ben.text)
    assert theirs is not None
    assert record.read_bytes() == Path(theirs[1]).read_bytes()
    lines = [json.loads(line) for line in joe.text.splitlines()]
    assert {"Ann", "Ben"} < set(lines[0]["players"])
    assert lines[-1]["verdict"] == "sound"
    assert lines[-1]["finished"]
    assert lines[-1]["is_whole"]
    steps = [line["step"] for line in lines[1:-1] if "step" in line]
    assert steps == list(range(len(steps)))
    assert run(["verify", str(record)]) == 0


def test_a_stranger_is_sent_away_and_the_game_goes_on(tmp_path: Path, programs: list[Program]) -> None:
    ann, _ben, address = table(tmp_path, programs)
    eve = Program(tmp_path / "eve", "watch", address, "--name", "Eve")
    programs.append(eve)
    assert eve.ends() == 3
    assert "Error: Ann lets only people watch who have played with Ann before." in eve.text
    assert "  Next: " in eve.text
    assert "Eve" not in ann.text


def test_one_who_comes_first_waits_for_the_game(tmp_path: Path, programs: list[Program]) -> None:
    ann = Program(tmp_path / "ann", "host", "go-fish", "--name", "Ann", "--seats", "2", *SHORT, *HERE,
                  "--watchers", "any", "--auto")  # fmt: skip
    programs.append(ann)
    address = ann.sees(r" join (127\.0\.0\.1:\d+)")[1]
    gus = Program(tmp_path / "gus", "watch", address, "--name", "Gus")
    programs.append(gus)
    gus.sees("Waiting for the game to begin")
    ben = Program(tmp_path / "ben", "join", address, "--name", "Ben", "--auto")
    programs.append(ben)
    assert ann.ends() == ben.ends() == gus.ends() == 0
    assert "SOUND: nobody lied" in gus.text


def test_a_game_that_all_pause_is_told_of_and_goes_on_for_those_who_watch(
    tmp_path: Path, programs: list[Program], start_at: Start
) -> None:
    ann, ben, address = table(tmp_path, programs, "--watchers", "any")
    gus = Program(tmp_path / "gus", "watch", address, "--name", "Gus", "--json")
    programs.append(gus)
    gus.sees('"step"')
    lee = start_at(tmp_path / "lee", "watch", address, "--name", "Lee")
    lee.see("all of them are verified")
    ann.types("quit")
    assert ann.ends() == 0
    lee.see("Ann has paused the game; it waits until Ann comes back.")
    gus.sees(r'\{"paused": 0\}')
    ben.process.send_signal(signal.SIGINT)
    assert ben.ends() == 130
    gus.sees(r'\{"paused": 2\}')
    lee.see("It goes on here as soon as a player's program can be reached; quit stops")
    ann, ben = Program(tmp_path / "ann", "resume"), Program(tmp_path / "ben", "resume", "--auto")
    programs += [ann, ben]
    ann.sees("Gus watches")
    ann.sees("Lee watches")
    ann.types("resign")
    ann.types("yes")
    assert ann.ends() == ben.ends() == 0
    lee.see("SOUND: nobody lied")
    assert gus.ends() == 0
    last = json.loads(gus.text.splitlines()[-1])
    assert (last["verdict"], last["is_whole"]) == ("sound", True)


def test_where_all_programs_are_killed_it_says_so(
    tmp_path: Path, programs: list[Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, address = table(tmp_path, programs, "--watchers", "any")
    gus = Program(tmp_path / "gus", "watch", address, "--name", "Gus")
    programs.append(gus)
    gus.sees("all of them are verified")
    ann.process.kill()
    ben.process.kill()
    gus.sees("is gone")
    gus.types("quit")
    gus.sees("You stopped watching after")
    assert gus.ends() == 0
