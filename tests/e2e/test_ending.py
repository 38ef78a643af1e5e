"""What may be done after a game, in the real program: by keys on the full screen, by words in lines."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.screen_player import GAME as GAME_TIME
from tests.e2e.screen_player import ROOT, ScreenPlayer, Start

pytestmark = pytest.mark.network

SMALL = ("--set", "ranks=4", "--set", "suits=2", "--set", "book_size=2", "--set", "hand_size=2")
GAME = ("play", "go-fish", "--bots", "1", "--name", "Ann", *SMALL)


def close_panel(player: ScreenPlayer) -> None:
    player.press("\x1b")
    player.wait(lambda text: not text.startswith((" Hands", " Verdict", " proofs")), "the table")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
def test_each_choice_by_one_key(start: Start, tmp_path: Path, size: tuple[int, int]) -> None:
    player = start(*GAME, columns=size[0], rows=size[1])
    player.play()
    player.see("[6] proofs")
    player.press("2")
    assert re.search(r"dealt: \S+", player.see("left at the end"))
    close_panel(player)
    player.press("4")
    player.see("Go Fish, played by Ann")
    player.press("\x1b[6~")  # PageDown
    player.see("SOUND")
    close_panel(player)
    player.press("6")
    player.see("Schnorr")
    close_panel(player)
    player.press("5")
    player.see("Step 0")
    player.press("n")
    player.see("Step 1")
    player.press("q")
    player.see("q leaves the table.")
    player.press("3")
    player.see("Save the record where?")
    player.press("\x1b")
    player.see("Not saved.")
    player.press("3")
    player.see("Save the record where?")
    player.press(f"{tmp_path / 'mine.shoal'}\r")
    player.wait(lambda _text: (tmp_path / "mine.shoal").exists(), "the file")
    player.press('"good game\r')
    player.see("You: good game")
    player.press("\r\x1b")  # neither leaves
    player.press("q")
    assert player.end() == 0
    after = player.written[player.written.rfind("\x1b[?1049l") :]
    for part in ("books", "Ann was dealt: ", "Record:", "good game"):
        assert part in after, "it stays when the screen has gone"


@pytest.mark.slow
def test_the_count_of_proofs_goes_on_after_a_pause(start: Start) -> None:
    player = start("play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10")
    counts = re.findall(r"✓ (\d+) proved", player.see("Whom?"))
    player.press("quit\r")
    assert player.end() == 0
    player = start("resume")
    again = re.findall(r"✓ (\d+) proved", player.see("Whom?"))
    assert int(again[0]) >= int(counts[0]) >= 10
    player.press("proofs\r")
    player.see("shuffles: no card was added")
    player.press("\x03")
    assert player.end() == 130


@pytest.mark.slow
def test_the_same_by_words(start: Start, tmp_path: Path) -> None:
    player = start(*GAME, "--plain")
    _play_in_lines(player)
    assert "Ann was dealt: " in player.written
    player.press("verify\r")
    player.see("SOUND: nobody lied")
    player.press("hands\r")
    player.see("left at the end")
    player.press(f"save {tmp_path / 'mine.shoal'}\r")
    player.see("Saved:")
    player.press("replay\r")
    player.see("Step 0>")
    player.press("quit\r")
    player.press("le\r")
    assert player.end() == 0
    assert (tmp_path / "mine.shoal").read_bytes().startswith(b"SHOAL")


def _play_in_lines(player: ScreenPlayer) -> None:
    """Ask for the first rank of the hand that was shown last, on each turn, to the end of the game."""
    end, asked = time.monotonic() + GAME_TIME, ""
    while "What now?" not in player.text:
        assert time.monotonic() < end, player.text
        hands = re.findall(r"^Your hand: (\d)", player.text, re.MULTILINE)
        if hands and player.text != asked and player.text.rstrip().endswith("Your turn>"):
            asked = player.text
            player.press(f"ask Coral {hands[-1]}\r")
        assert player.read(), player.written[-2000:]


def test_a_script_is_asked_nothing(tmp_path: Path) -> None:
    home = {"SHOAL_HOME": str(tmp_path / "home"), "SHOAL_LANG": "en", "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-m", "cli", *GAME, "--auto"],
        cwd=ROOT, env=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert "Anyone can check it:" in done.stdout
    assert "What now?" not in done.stdout
