"""Two people with a reader each and no keyboard: from the door of the table to the result, and once more."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.main import run
from cli.tabletop.words import COMMAND_TAGS

from .small_decks import cards_of
from .tapping import Pty, Tags, Tapper, play_go_fish

pytestmark = pytest.mark.network

OPTIONS = ("ranks=3", "suits=2", "book_size=2", "hand_size=1")


@pytest.fixture
def readers() -> Iterator[tuple[Pty, Pty]]:
    both = Pty(), Pty()
    yield both
    for each in both:
        each.close()


def at_table(home: Path, reader: Pty, *args: str) -> Tapper:
    tags = Tags("text", cards_of("go-fish", 2, OPTIONS), ["1", "2"], COMMAND_TAGS)
    tags.write(home / "tags.toml")
    return Tapper(
        home, tags, reader, *args, "--plain", "--cards", "controller", "--reader", f"{reader.device}:text"
    )


def play_both(host: Tapper, guest: Tapper) -> None:
    """Each at its own table, at the same time."""
    failed: list[BaseException] = []

    def play_guest() -> None:
        try:
            play_go_fish(guest, ["1"], random.Random(2))
        except BaseException as error:  # noqa: BLE001  # told below, in the thread that counts
            failed.append(error)

    beside = threading.Thread(target=play_guest)
    beside.start()
    try:
        play_go_fish(host, ["2"], random.Random(1))
    finally:
        beside.join()
    assert not failed, failed


def test_the_door_the_game_and_another_one_without_a_keyboard(
    tmp_path: Path, readers: tuple[Pty, Pty], capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.shoal"
    settings = [word for option in OPTIONS for word in ("--set", option)]
    host = at_table(
        tmp_path / "ann", readers[0], "host", "go-fish", "--seats", "2", "--here-only", "--port", "0",
        "--name", "Ann", "--record", str(record), *settings,
    )  # fmt: skip
    guest = None
    try:
        host.expect(r" join (127\.0\.0\.1:\d+)\D")
        guest = at_table(tmp_path / "ben", readers[1], "join", host.group(), "--name", "Ben")
        host.expect(r"Ben, whom you have not met, wants to sit down")
        host.word("ok")  # says nothing to a question of trust
        host.expect(r"Please answer yes or no")
        host.word("yes")
        guest.expect(r"Type ready, or press Enter")
        guest.tap("card", "2C")
        guest.expect(r"No game is being played now\.")
        guest.word("ok")
        guest.expect(r"You are ready\.")
        play_both(host, guest)
        for player in (guest, host):
            player.expect(r"What now\?")
            player.word("rematch")
        # The next game begins by itself: all have said that they want it.
        found = [player.expect(r"Your hand: ") for player in (host, guest)]
        assert found == [0, 0]
        host.word("quit")
        host.expect(r"The game is paused; nothing is lost\.")
        assert host.end() == 0, host.story
        assert not re.search(r"is no command", host.story + guest.story), host.story + guest.story
    finally:
        host.child.close(force=True)
        if guest is not None:
            guest.child.close(force=True)
    assert run(["verify", str(record)]) == 0
    assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out
