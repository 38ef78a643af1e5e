"""Readers beside a real prompt: unplugged and back, typed by a keyboard, at a door, shared by two people."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from cli.main import run
from cli.tabletop.words import COMMAND_TAGS
from engine.registry import game

from .tapping import PATIENCE, ROOT, Pty, Tags, Tapper, arduino, play_go_fish

pytestmark = pytest.mark.network

DECK = game("go-fish").deck(game("go-fish").options({}, 2))
CARDS = [DECK.text(face) for face in DECK.faces]
NAMES = ["Ann", "Ben", "2", "3"]


@pytest.fixture
def reader() -> Iterator[Pty]:
    pty = Pty()
    yield pty
    pty.close()


def tags_in(home: Path, kind: str = "text", copies: int = 1) -> Tags:
    """``copies``: of each token and command tag, for people who tap the same ones again at once."""
    tags = Tags(kind, CARDS, NAMES * copies, [*COMMAND_TAGS] * copies)
    tags.write(home / "tags.toml")
    return tags


def terminal(home: Path, *args: str) -> pexpect.spawn:
    """A capable terminal, with the prompt that edits."""
    env = {
        **os.environ, "SHOAL_HOME": str(home), "SHOAL_LANG": "en", "TERM": "xterm-256color",
        "PROMPT_TOOLKIT_NO_CPR": "1", "LC_ALL": "C.UTF-8",
    }  # fmt: skip
    return pexpect.spawn(
        sys.executable, ["-m", "cli", *args], cwd=str(ROOT), env=env, encoding="utf-8", timeout=PATIENCE,
        dimensions=(50, 200),
    )  # fmt: skip


def test_a_reader_that_is_unplugged_is_told_once_and_comes_back_while_the_keyboard_goes_on(
    tmp_path: Path, reader: Pty
) -> None:
    tags = tags_in(tmp_path)
    link = tmp_path / "reader"
    link.symlink_to(reader.device)
    player = Tapper(
        tmp_path, tags, reader, "play", "go-fish", "--bots", "1", "--name", "Ann", "--plain", "--set",
        "hand_size=10", "--cards", "controller", "--reader", f"{link}:text",
    )  # fmt: skip
    second = Pty()
    try:
        player.expect(r"The reader text is open\.")
        player.expect(r"Your turn\.")
        link.unlink()
        reader.unplug()
        player.expect(r"The reader text does not answer: .*? Type meanwhile; it is looked for\.")
        player.child.sendline("table")
        player.expect(r"Pond: ")
        link.symlink_to(second.device)
        player.expect(r"The reader text is back\.")
        player.reader = second
        player.word("hand")
        player.expect(r"Your hand: ")
        assert player.story.count("does not answer") == 1
        player.word("quit")
        player.expect(r"The game is paused; nothing is lost\.")
        assert player.end() == 0, player.story
    finally:
        player.child.close(force=True)
        second.close()


def test_a_reader_that_types_into_the_prompt_leaves_a_persons_line_alone(tmp_path: Path) -> None:
    tags = tags_in(tmp_path, "rdm6300")
    child = terminal(
        tmp_path, "play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10", "--cards",
        "controller", "--reader", "wedge", "--lines",
    )  # fmt: skip
    try:
        child.expect("Your turn>")
        (books,) = tags.ids["command", "books"]
        child.send("tab")
        child.expect("tab")
        time.sleep(0.6)  # a person's pace is what tells the two apart
        child.send(f"{int.from_bytes(books[1:], 'big'):010d}\r")  # a wedge gives four bytes, in decimal
        child.expect(r"No books yet\.|[A-Z]\w+: [2-9TJQKA]")  # somebody may have been dealt one
        child.send("le\r")
        child.expect(r"Pond: \d+ cards")
        # Half of an id is taken out of the line, and told.
        child.send("tab")
        child.expect("tab")
        time.sleep(0.6)
        child.send("0006102")
        child.expect(r"some of its digits are missing: tap it again")
        child.send("le\r")
        child.expect(r"Pond: \d+ cards")
        # Digits that a person types are a person's.
        for digit in "12345678":
            child.send(digit)
            child.expect(digit)  # the pace is that at which the program reads
            time.sleep(0.4)
        child.send("\r")
        child.expect(r"is no command")
        child.send("quit\r")
        child.expect("nothing is lost")
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)


def test_a_reader_that_types_into_bare_lines_leaves_a_persons_line_alone(tmp_path: Path) -> None:
    tags = tags_in(tmp_path, "rdm6300")
    env = {**os.environ, "SHOAL_HOME": str(tmp_path), "SHOAL_LANG": "en", "PYTHONUNBUFFERED": "1"}
    (books,) = tags.ids["command", "books"]
    text = f"ta{int.from_bytes(books[1:], 'big'):010d}\nble\nquit\n"
    done = subprocess.run(
        [
            sys.executable, "-m", "cli", "play", "go-fish", "--bots", "1", "--name", "Ann", "--cards",
            "controller",
        ],
        input=text, capture_output=True, text=True, cwd=ROOT, env=env, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "No reader is set up. One that types like a keyboard works all the same" in done.stdout
    assert "Pond: " in done.stdout
    assert "is no command" not in done.stdout


def test_without_any_keyboard_the_tags_go_on(tmp_path: Path, reader: Pty) -> None:
    tags = tags_in(tmp_path)
    env = {**os.environ, "SHOAL_HOME": str(tmp_path), "SHOAL_LANG": "en", "PYTHONUNBUFFERED": "1"}
    command = [
        sys.executable, "-m", "cli", "play", "go-fish", "--bots", "1", "--name", "Ann",
        "--set", "hand_size=10", "--cards", "controller", "--reader", f"{reader.device}:text",
    ]  # fmt: skip
    playing = subprocess.Popen(
        command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    try:
        assert playing.stdout is not None
        for line in playing.stdout:
            if line.startswith("Your turn."):
                break
        (table,), (leave,) = tags.ids["command", "table"], tags.ids["command", "quit"]
        reader.say(tags.frame(table))
        for line in playing.stdout:
            if line.startswith("Pond: "):
                break
        reader.say(tags.frame(leave))
        rest = playing.stdout.read()
        assert playing.wait(timeout=PATIENCE) == 0
        assert "The game is paused; nothing is lost." in rest
    finally:
        if playing.poll() is None:
            playing.kill()
            playing.wait()
        if playing.stdout is not None:
            playing.stdout.close()


def test_command_tags_open_the_door_and_start_the_game(tmp_path: Path, reader: Pty) -> None:
    tags = tags_in(tmp_path / "ann")
    host = Tapper(
        tmp_path / "ann", tags, reader, "host", "go-fish", "--seats", "3", "--here-only", "--port", "0",
        "--name", "Ann", "--plain", "--cards", "controller", "--reader", f"{reader.device}:text",
    )  # fmt: skip
    guest = None
    try:
        host.expect(r" join (127\.0\.0\.1:\d+)\D")
        address = host.group()
        guest = terminal(tmp_path / "ben", "join", address, "--name", "Ben", "--plain")
        host.expect(r"Ben, whom you have not met, wants to sit down")
        host.word("yes")
        host.expect(r"At the table, 2 of 3: Ann, Ben")
        host.word("start")
        host.expect(r"Safety words: ")
        host.expect(r"Your hand: ")
        host.word("quit")
        host.expect(r"The game is paused; nothing is lost\.")
        assert host.end() == 0, host.story
    finally:
        host.child.close(force=True)
        if guest is not None:
            guest.close(force=True)


TABLE = """shoal-table = 1

[[reader]]
name = "pads"
kind = "text"
port = "{device}"

[[pad]]
reader = "pads"
antenna = 0
role = "seat:Ann"

[[pad]]
reader = "pads"
antenna = 1
role = "ask:Ben"
"""


class TwoPads(Tapper):
    """Two people with a pad each of one board that prints lines."""

    def tap_at(self, antenna: int, kind: str, name: str) -> None:
        self.tags.frame = lambda uid: b"Reader %d: " % antenna + arduino(uid)
        self.tap(kind, name)


def test_two_people_share_a_screen_that_shows_no_hand_and_go_on_after_a_pause(
    tmp_path: Path, reader: Pty
) -> None:
    tags = tags_in(tmp_path, copies=3)
    (tmp_path / "table.toml").write_text(TABLE.format(device=reader.device))
    small = ("--set", "ranks=3", "--set", "suits=2", "--set", "book_size=2", "--set", "hand_size=1")
    record = tmp_path / "game.shoal"
    player = TwoPads(
        tmp_path, tags, reader, "play", "go-fish", "--bots", "0", "--name", "Ann", "--at-table", "Ben",
        "--plain", "--cards", "controller", *small,
    )  # fmt: skip
    try:
        player.expect(r"(Ann|Ben): it is your turn\.")
        player.word("quit")
        player.expect(r"Next:\s.* resume ([0-9a-f]{8})")
        game_id = player.group()
        assert player.end() == 0, player.story
        assert "Your hand" not in player.story
        assert not re.search(r"[2-9JQKA][♣♦]", player.story), player.story
    finally:
        player.child.close(force=True)
    # Neither the kind of cards nor the readers have to be said again.
    player = TwoPads(tmp_path, tags, reader, "resume", game_id, "--plain", "--record", str(record))
    try:
        asked = {"Ann": 0, "Ben": 1}
        tried, is_open, who = 0, False, ""
        over, opened, turn = (
            r"Everyone has signed the result\.",
            r"The reader pads is open\.",
            r"(Ann|Ben): it is your turn\.",
        )
        while (found := player.expect(over, opened, turn)) > 0:
            is_open = is_open or found == 1
            who = player.group() if found == 2 else who
            if not (is_open and who):
                continue  # what is tapped before a port is open is lost
            for rank in ("2", "3", "4"):  # on a common screen nobody's cards are known
                player.tap_at(asked[who], "player", "Ben" if who == "Ann" else "Ann")
                player.expect(rf"{who}: Tapped: ")
                player.tap_at(asked[who], "card", f"{rank}C")
                tried += 1
                if player.expect(rf"{who} asks (Ann|Ben) for ", r"Tapped so far: ") == 0:
                    break
                player.tap_at(asked[who], "command", "cancel")
            who = ""
        assert player.leave() == 0, player.story
        assert tried
        assert list((tmp_path / "kept").iterdir()) == []
        assert len(list((tmp_path / "people").iterdir())) == 1  # Ben keeps the identity for the next game
    finally:
        player.child.close(force=True)
    assert run(["verify", str(record)]) == 0


def test_two_people_at_a_table_play_with_two_far_away(
    tmp_path: Path, reader: Pty, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mixed game: two seats tap on pads of one board, two more are processes of their own. These cannot win
    it alone: whoever draws has had its turn, and the one to the left is next."""
    home, record = tmp_path / "table", tmp_path / "game.shoal"
    tags = Tags("text", CARDS, ["1", "2", "3", "4"] * 3, [*COMMAND_TAGS] * 3)
    tags.write(home / "tags.toml")
    (home / "table.toml").write_text(TABLE.format(device=reader.device))
    host = TwoPads(
        home, tags, reader, "host", "go-fish", "--seats", "4", "--open", "--here-only", "--port", "0",
        "--name", "Ann", "--at-table", "Ben", "--plain", "--cards", "controller", "--record", str(record),
        "--set", "ranks=5", "--set", "hand_size=3", "--set", "end_mode=all_books",
        "--set", "next_after_miss=left", "--set", "extra_turn_on_drawn_hit=false",
    )  # fmt: skip
    guests = []
    try:
        host.expect(r" join (127\.0\.0\.1:\d+)\D")
        address = host.group()
        for name in ("Cy", "Dora"):
            env = {**os.environ, "SHOAL_HOME": str(tmp_path / name), "SHOAL_LANG": "en"}
            command = [
                sys.executable, "-m", "cli", "join", address, "--name", name, "--auto", "--plain", "--level",
                "random",
            ]  # fmt: skip
            guests.append(
                subprocess.Popen(
                    command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
                )
            )
        pads = {"Ann": 0, "Ben": 1}
        others = {"Ann": ["3", "4", "2"], "Ben": ["4", "3", "1"]}  # far away first
        turn = 0
        while host.expect(r"Everyone has signed the result\.", r"(Ann|Ben): it is your turn\.") == 1:
            who = host.group()
            turn += 1
            for rank in "23456":  # on a common screen nobody's cards are known
                host.tap_at(pads[who], "player", others[who][0])
                while host.expect(rf"{who}: Tapped: ", rf"{who}: That player has no cards") == 1:
                    others[who].append(others[who].pop(0))
                    host.tap_at(pads[who], "player", others[who][0])
                host.tap_at(pads[who], "card", f"{rank}C")
                if host.expect(rf"{who} asks \w+ for ", r"Tapped so far: ") == 0:
                    break
                host.tap_at(pads[who], "command", "cancel")
                host.expect(rf"{who}: Taken back")
        assert host.leave() == 0, host.story
        assert [guest.wait(timeout=PATIENCE) for guest in guests] == [0, 0]
        assert turn
        assert "Your hand" not in host.story
    finally:
        host.child.close(force=True)
        for guest in guests:
            if guest.poll() is None:
                guest.kill()
                guest.wait()
    assert run(["verify", str(record)]) == 0
    assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out


def test_what_does_not_go_together_is_told_before_anything_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path))
    monkeypatch.setenv("SHOAL_LANG", "en")
    play = ("play", "go-fish", "--name", "Ann")
    for args, words in (
        (("--reader", "COM3:text"), "--reader needs cards to read"),
        (("--at-table", "Ben"), "--at-table needs cards one can touch"),
        (("--auto", "--cards", "controller"), "A bot has no hands"),
        (("--cards", "controller", "--at-table", "ANN"), "cannot both be called ANN"),
        (("--cards", "controller", "--at-table", "Ben", "--at-table", "ben"), "cannot both be called ben"),
    ):
        assert run([*play, *args]) == 2, args
        assert words in capsys.readouterr().err
    (tmp_path / "table.toml").write_text("shoal-table = 1\n[[reader]]\nname = 'x'\nkind = 'text'\n")
    assert run([*play, "--cards", "controller"]) == 1
    assert "x needs a port" in capsys.readouterr().err


def test_a_guest_plays_by_taps_at_the_table_of_somebody_else(
    tmp_path: Path, reader: Pty, capsys: pytest.CaptureFixture[str]
) -> None:
    """``join --cards controller``: to the end, verified from the guest's own record."""
    record = tmp_path / "game.shoal"
    small = [
        word for text in ("ranks=3", "suits=2", "book_size=2", "hand_size=1") for word in ("--set", text)
    ]
    host = pexpect.spawn(
        sys.executable,
        ["-m", "cli", "host", "go-fish", "--seats", "2", "--open", "--here-only", "--port", "0", "--name",
         "Ann", "--auto", "--plain", *small],
        cwd=str(ROOT), env={**os.environ, "SHOAL_HOME": str(tmp_path / "ann"), "SHOAL_LANG": "en"},
        encoding="utf-8", timeout=PATIENCE, dimensions=(50, 200),
    )  # fmt: skip
    guest = None
    try:
        host.expect(r" join (127\.0\.0\.1:\d+)\D")
        assert isinstance(host.match, re.Match)
        tags = tags_in(tmp_path / "ben", copies=2)
        guest = Tapper(
            tmp_path / "ben", tags, reader, "join", host.match[1], "--name", "Ben", "--plain", "--cards",
            "controller", "--reader", f"{reader.device}:text", "--record", str(record),
        )  # fmt: skip
        play_go_fish(guest, ["Ann"], random.Random(1))
        assert guest.leave() == 0, guest.story
        host.expect(pexpect.EOF)
    finally:
        host.close(force=True)
        if guest is not None:
            guest.child.close(force=True)
    assert run(["verify", str(record)]) == 0
    assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out
