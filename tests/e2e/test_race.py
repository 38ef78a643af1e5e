"""A race typed by hand: two seats on two terminals, each driven by what stands on its own screen."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pexpect
import pytest

from cli.main import run

ROOT = Path(__file__).resolve().parents[2]
CURES = {
    "stinky": "perfume",
    "ugly": "makeup",
    "dry": "lotion",
    "toxic": "antidote",
    "not a fish": "fish costume",
}
FISH = 5
"""Fish that are played for at least before both players leave; more where one of them has had nothing yet
that cures any."""

RACE_TIME = 400
"""Seconds for that on a busy machine; a fish takes at most the silence and the putting away after it."""

pytestmark = [pytest.mark.slow, pytest.mark.network]


class Hand:
    """One player: reads lines as they come, and types what they call for."""

    def __init__(self, home: Path, *args: str) -> None:
        env = {**os.environ, "SHOAL_HOME": str(home), "TERM": "dumb", "LC_ALL": "C.UTF-8", "SHOAL_LANG": "en"}
        env["PYTHONIOENCODING"] = "utf-8"
        self.child = pexpect.spawn(
            sys.executable, ["-m", "cli", *args], cwd=str(ROOT), env=env, encoding="utf-8", timeout=120,
            dimensions=(24, 100), echo=False,
        )  # fmt: skip
        self.lines: list[str] = []
        self.cards: dict[str, str] = {}
        self.tried: set[str] = set()
        self._text = ""

    def look(self, seconds: float) -> None:
        """Read what is there, and act on whole lines."""
        try:
            self._text += self.child.read_nonblocking(4096, seconds)
        except pexpect.TIMEOUT:
            return
        *lines, self._text = re.split(r"\r?\n", self._text)
        for line in lines:
            self.lines.append(line)
            self._answer(line)

    def _answer(self, line: str) -> None:
        if hand := re.search(r"(?:Your hand|New): (.*)", line):
            numbered = dict(part.split(" ", 1) for part in hand[1].split("  ") if " " in part)
            if "Your hand" in line:
                self.cards = numbered
            self.cards |= numbered
        if "Flip a fish" in line:
            self.child.sendline("flip")
        elif "cards away" in line:
            self.child.sendline("drop 1 2")
        if problems := re.search(r"(?:The fish is|Now:) (.*)\.", line):
            self._play(problems[1].split(", "), is_new="The fish is" in line)

    def _play(self, problems: list[str], is_new: bool) -> None:
        """The first cure in the hand, by its number; each once a fish."""
        if is_new:
            self.tried = set()
        for problem in problems:
            cure = CURES[problem]
            number = next((n for n, name in self.cards.items() if name == cure), None)
            if number and problem not in self.tried:
                self.tried.add(problem)
                self.child.sendline(number)
                return

    def plays(self) -> list[str]:
        """What was told of cards that were played by typing their numbers."""
        return [line for line in self.lines if re.search(r"You (play|waste) ", line)]

    def story(self) -> list[str]:
        """What happened to each fish, in words that are the same at every seat."""
        found = []
        for line in self.lines:
            text = line.rpartition("> ")[2]
            if match := re.match(r"The fish is (.*)\.$", text):
                found.append(match[1])
            elif re.match(r"(You|Ann|Ben) gets? the fish|Nobody plays|Andrew the cat.* runs away", text):
                found.append("gone")
        return found


@pytest.fixture
def players(tmp_path: Path):
    common = ("--plain", "--set", "stale_seconds=3")
    host = Hand(
        tmp_path / "ann", "host", "discount-salmon", "--seats", "2", "--open", "--here-only", "--port", "0",
        "--name", "Ann", *common,
    )  # fmt: skip
    host.child.expect(r" join (127\.0\.0\.1:\d+)\D")
    address = host.child.match[1]
    guest = Hand(tmp_path / "ben", "join", address, "--name", "Ben", "--plain")
    guest.child.expect("Type ready, or press Enter")
    guest.child.sendline("ready")
    yield host, guest
    host.child.close(force=True)
    guest.child.close(force=True)


def test_a_race_is_played_by_typing_and_both_screens_tell_the_same(
    players: tuple[Hand, Hand],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    until = time.monotonic() + RACE_TIME
    while any(player.story().count("gone") < FISH or not player.plays() for player in players):
        assert time.monotonic() < until, [player.lines[-20:] for player in players]
        for player in players:
            player.look(0.05)
    stories = [player.story() for player in players]
    shortest = min(map(len, stories))
    assert stories[0][:shortest] == stories[1][:shortest]
    for player in players:
        player.child.sendline("quit")
        player.child.expect("The game is paused; nothing is lost.")
        player.child.expect(pexpect.EOF)
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "ann"))
    capsys.readouterr()
    assert run(["games", "--json"]) == 0
    game_id = re.search(r'"id": "([0-9a-f]+)"', capsys.readouterr().out)
    assert game_id
    record = tmp_path / "race.shoal"
    assert run(["export", game_id[1], str(record)]) == 0
    assert run(["verify", str(record)]) == 0
    assert "SOUND so far" in capsys.readouterr().out
