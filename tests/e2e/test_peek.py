"""Two people at one full screen with the controller: a player's own token shows that player's cards, and
nothing of them is left when it is taken away."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from hardware.events import Place
from hardware.io import save, save_table
from hardware.pads import Pads, seat
from hardware.table_texts import ReaderEntry, TableFile
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid
from tests.cli.hardware_programs import Shoal, emulated
from tests.e2e.screen_player import ScreenPlayer, Start

pytestmark = pytest.mark.network

CARD = re.compile(r"[2-9JQKA][♣♦♥♠]")
HAND = 3
"""Cards of a hand: too few for a book, which would be laid as soon as it is dealt."""

ANTENNA = {"Ann": 0, "Ben": 1}


def _cards_of_hand(text: str) -> list[str]:
    """The cards that stand on the screen as those of a hand."""
    line = next((line for line in text.splitlines() if "Your hand: " in line), "")
    return CARD.findall(line.replace("10", "9"))


def _laid_down(player: ScreenPlayer, reader: Shoal, who: str, antenna: int) -> str:
    """Lay a token down, and again where the port was not open yet; what is on the screen then."""
    end = time.monotonic() + 90.0
    while time.monotonic() < end:
        reader.type(f"place {who} on {antenna}")
        for _ in range(50):
            player.read(0.1)
            if len(_cards_of_hand(player.text)) >= HAND:
                return player.text
        reader.type(f"remove {who}")
    raise AssertionError(player.text)


def test_a_token_shows_a_hand_on_the_common_screen_as_long_as_it_lies_there(
    start: Start, tmp_path: Path
) -> None:
    home, port = tmp_path / "home", tmp_path / "pads"
    home.mkdir()
    tokens = (Tag(Uid(bytes((4, n, 2, 3, 4, 5, 6))), Kind.PLAYER, who) for n, who in enumerate(ANTENNA, 1))
    save(home / "tags.toml", Book(tokens))
    pads = Pads({Place("board", antenna): seat(who) for who, antenna in ANTENNA.items()})
    save_table(home / "table.toml", TableFile((ReaderEntry("board", "shoal", str(port)),), pads))
    reader, _port = emulated(home, "shoal", "--antennas", "2", "--link", str(port))
    with reader:
        player = start(
            "play", "go-fish", "--bots", "0", "--name", "Ann", "--at-table", "Ben", "--cards", "controller",
            "--set", f"hand_size={HAND}",
        )  # fmt: skip
        player.wait(lambda text: re.search(r"^ *(Ann|Ben)>", text, re.MULTILINE), "somebody's turn")
        for who, antenna in ANTENNA.items():
            assert not CARD.search(player.text)
            shown = _laid_down(player, reader, who, antenna)
            assert f"{who}: " in shown
            assert len(_cards_of_hand(shown)) == HAND
            reader.type(f"remove {who}")
            player.wait(lambda text: not CARD.search(text), "nothing of it is left")
        player.press("quit\r")
        assert player.end() == 0
