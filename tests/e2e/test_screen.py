"""The full screen of the real program in a real pseudo-terminal, played by keys alone."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.screen_player import ScreenPlayer, Start
from tests.e2e.test_tabletop_wiring import tags_in

pytestmark = pytest.mark.network

SMALL = ("--set", "ranks=4", "--set", "suits=2", "--set", "book_size=2", "--set", "hand_size=2")
ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"


def is_restored(player: ScreenPlayer) -> bool:
    """Whether the last thing said about the screen was to leave it, and the cursor is there again."""
    text = player.written
    return text.rfind(NORMAL) > text.rfind(ALTERNATE) >= 0 and text.rfind("\x1b[?25h") > text.rfind(
        "\x1b[?25l"
    )


def test_a_whole_game_of_go_fish_by_keys(start: Start) -> None:
    player = start("play", "go-fish", "--bots", "1", "--name", "Ann", *SMALL)
    player.play()
    assert re.search(r"win|wins|share", player.text)
    assert "q leaves the table." in player.text
    player.press("q")
    assert player.end() == 0
    assert is_restored(player)
    after = player.written[player.written.rfind(NORMAL) :]
    for part in ("Ann", "books", "Record:", "Anyone can check it:"):
        assert part in after, "the result stays when the screen has gone"


def salmon(text: str) -> str:
    """What is typed while no key chooses anything: cards to put away, and now and then one to play."""
    put = re.search(r"away: (drop [\d ]+)\.", text)
    if put:
        return f"{put.group(1)}\r"
    return "1\r" if "The fish is" in text else ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "other"),
    [
        ("one-fish", (), lambda _text: ""),
        ("casino", (), lambda _text: ""),
        ("discount-salmon", ("--set", "stale_seconds=2"), salmon),
    ],
)
def test_a_whole_game_of_the_others_by_keys(
    start: Start, game: str, options: tuple[str, ...], other: Callable[[str], str]
) -> None:
    player = start("play", game, "--bots", "2", "--name", "Ann", *options)
    player.play(other)
    player.press("q")
    assert player.end() == 0
    assert is_restored(player)


def test_typing_goes_on_as_in_the_plain_mode(start: Start) -> None:
    player = start("play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10")
    player.see("Whom?")
    player.press("as")
    player.press("\t")
    player.see("> ask")
    player.press(" Co\t")
    player.see("ask Coral")
    player.press(" joker\r")
    player.see("is not one rank of this deck")
    player.press('"good luck\r')
    player.see("You: good luck")
    player.press("nonsense\r")
    player.see("is no command")
    player.press("?")
    player.see("Esc closes")
    player.press("\x1b")
    player.wait(lambda text: "Esc closes" not in text, "the panel closed")
    player.press("\x1bOQ")  # F2
    player.see("proofs of Schnorr")
    player.press("\x1b")
    player.wait(lambda text: "Esc closes" not in text, "the panel closed")
    player.press("2")
    player.see("for what?")
    player.press("\x1b")
    player.wait(lambda text: "for what?" not in text, "the step back")
    player.press("quit\r")
    assert player.end() == 0
    assert is_restored(player)
    assert "The game is paused; nothing is lost." in player.written
    again = start("resume")
    again.see("Whom?")
    again.press("\x03")
    assert again.end() == 130
    assert is_restored(again)


def test_nothing_is_written_while_nothing_changes(start: Start) -> None:
    player = start("play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10", NO_COLOR="1")
    player.see("Whom?")
    assert "\x07" in player.written, "the bell rings"
    for _ in range(4):
        player.read(0.5)
    before = len(player.written)
    for _ in range(4):
        player.read(0.5)
    assert player.written[before:] == ""
    looks = {part for codes in re.findall(r"\x1b\[([\d;]*)m", player.written) for part in codes.split(";")}
    assert {"1", "7"} <= looks, "bold and reversed text stay"
    assert not looks & {"38", "48", *map(str, (*range(30, 38), *range(40, 48), *range(90, 98)))}


def test_sigterm_gives_the_terminal_back(start: Start) -> None:
    player = start("play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10", "--no-bell")
    player.see("Whom?")
    assert "\x07" not in player.written
    player.child.kill(15)
    assert player.end() == 130
    assert is_restored(player)


def test_it_is_stopped_and_continued(start: Start) -> None:
    player = start("play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10")
    player.see("Whom?")
    for how in ("\x1a", None):
        if how:
            player.press(how)
        else:
            player.child.kill(signal.SIGTSTP)
        left = player.written.count(NORMAL)
        player.wait(lambda _text, left=left: player.written.count(NORMAL) > left, "the normal screen")
        _wait_stopped(player.child.pid)
        os.kill(player.child.pid, signal.SIGCONT)
        player.see("Whom?")
    player.press("quit\r")
    assert player.end() == 0
    assert is_restored(player)


def _wait_stopped(pid: int) -> None:
    """Until the system says that a process stands still."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] == "T":
            return
        time.sleep(0.02)
    raise AssertionError("it never stopped")


def test_a_reader_that_types_leaves_a_persons_line_alone(start: Start, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    tags = tags_in(tmp_path / "home", "rdm6300")
    player = start(
        "play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10", "--cards", "controller",
        "--reader", "wedge",
    )  # fmt: skip
    player.see("Whom?")
    (books,) = tags.ids["command", "books"]
    player.press("tab")
    player.see("> tab")
    time.sleep(0.6)  # a person's pace is what tells the two apart
    player.press(f"{int.from_bytes(books[1:], 'big'):010d}\r")
    player.wait(lambda text: re.search(r"^(No books yet\.|(Ann|Coral): )", text, re.MULTILINE), "the books")
    player.wait(lambda text: text.rstrip().endswith("> tab"), "what the person typed")
    player.press("le\r")
    player.see("has the turn")
    player.press("\x1b")
    player.wait(lambda text: "Esc closes" not in text, "the panel closed")
    player.press("\x1b[C\r")  # the mark chooses, since figures are a reader's
    player.see("for what?")
    player.press("\x1b")  # back, since Q is a rank here
    player.wait(lambda text: "for what?" not in text, "the step back")
    player.press("quit\r")
    assert player.end() == 0


def test_a_pasted_book(start: Start) -> None:
    player = start("play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10")
    player.see("Whom?")
    text = "all work and no play\n" * 50_000
    player.press("\x1b[200~" + text + "\x1b[201~")
    player.see("all work")
    player.press("\x1b")
    player.wait(lambda text: "all work" not in text and "Whom?" in text, "an empty line")
    player.press("quit\r")
    assert player.end() == 0
    assert is_restored(player)
