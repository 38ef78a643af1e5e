"""Several people at one full screen, in a real pseudo-terminal: nobody's cards are shown unasked."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.e2e.screen_player import GAME, ScreenPlayer, Start
from tests.e2e.test_tabletop_wiring import tags_in

pytestmark = [pytest.mark.network, pytest.mark.soak]

SMALL = ("--set", "ranks=3", "--set", "suits=4", "--set", "book_size=4", "--set", "hand_size=3")
CARD = re.compile(r"[2-9JQKA][♣♦♥♠]")


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
def test_a_game_for_two_at_one_screen(start: Start, tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "home").mkdir()
    tags = tags_in(tmp_path / "home", "rdm6300")
    player = start(
        "play", "go-fish", "--bots", "0", "--name", "Ann", "--at-table", "Ben", "--cards", "controller",
        "--reader", "wedge", *SMALL, columns=size[0], rows=size[1],
    )  # fmt: skip
    text = player.wait(lambda text: re.search(r"^(Ann|Ben)>", text, re.MULTILINE), "somebody's turn")
    turn = re.findall(r"^(Ann|Ben)>", text, re.MULTILINE)[-1]
    player.press("hand\r")
    player.see(f"It is the turn of {turn}.")
    for keys in ("hint\r", "table\r", "?", "\x1bOQ"):
        player.press(keys)
        player.read(0.5)
        player.press("\x1b")
        time.sleep(0.3)  # a key right after Esc would be one with Alt
    (uid,) = tags.ids["command", "hand"]
    player.press("words\r")
    player.wait(lambda text: "It is the turn of" not in text, "another answer")
    player.press(f"{int.from_bytes(uid[1:], 'big'):010d}\r")  # the same by a tag
    player.see("It is the turn of")
    assert not CARD.search(player.written), "no card of a hand stands on the screen"
    _play(player)
    player.press("\x1b")
    player.see("q leaves the table.")
    player.press("q")
    assert player.end() == 0


def _play(player: ScreenPlayer) -> None:
    """Whoever has the turn asks for one rank after the other, until there is a result."""
    end = time.monotonic() + GAME
    while "q leaves" not in player.text:
        assert time.monotonic() < end, player.text
        for rank in ("2", "3", "4"):
            turn = re.findall(r"^ *(Ann|Ben)>", player.text, re.MULTILINE)
            if turn:
                other = "Ben" if turn[-1] == "Ann" else "Ann"
                player.press(f"{turn[-1]}: ask {other} {rank}\r")
            assert player.read(0.5), player.written[-2000:]
