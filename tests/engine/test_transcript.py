"""A whole game, every view after every step, as it was when it was last looked at by a person."""

from pathlib import Path

from engine import bot, game
from engine.testing import transcript

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "engine" / "go_fish.txt"


def test_the_transcript_of_a_game() -> None:
    """To renew it after an intended change: write these lines to the file, and read the difference."""
    options = {"ranks": "6", "hand_size": "4", "end_mode": "all_books"}
    bots = [bot("careful"), bot("random"), bot("careful")]
    lines = list(transcript(game("go-fish"), options, 3, bots, 11))
    assert lines == GOLDEN.read_text("utf-8").splitlines()
