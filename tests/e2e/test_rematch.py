"""Real programs at real terminals, from the waiting room through a very small game to another one."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.main import run
from p2p.log import read_game
from tests.e2e.screen_player import AGAIN, GAME, LIMIT, ScreenPlayer, Start

pytestmark = pytest.mark.network

SMALL = ("--set", "ranks=3", "--set", "suits=2", "--set", "book_size=2", "--set", "hand_size=1")
HERE = ("--here-only", "--port", "0")
END = "q leaves the table."
CLEAR = "\x15"
"""Ctrl-U: a figure that was pressed for the last screen of a game may stand in the line."""


@pytest.fixture
def start(start_at: Start, tmp_path: Path) -> Start:
    def begin(who: str, *args: str, has_name: bool = True) -> ScreenPlayer:
        return start_at(tmp_path / who, *args, *(("--name", who) if has_name else ()))

    return begin


def address_of(host: ScreenPlayer) -> str:
    host.see("127.0.0.1:")
    found = re.search(r"127\.0\.0\.1:\d+", host.text)
    assert found
    return found.group()


def both(players: list[ScreenPlayer], done: Callable[[str], object]) -> None:
    """Choose what is offered first, each on its own screen, until something is true of all screens."""
    until = time.monotonic() + GAME
    asked: dict[int, tuple[str, float]] = {}
    while not all(done(player.text) for player in players):
        assert time.monotonic() < until, "\n\n".join(player.text for player in players)
        for number, player in enumerate(players):
            assert player.read(0.1), player.written[-3000:]
            below = "\n".join(player.lines[-9:])
            options = player.options()
            before, at = asked.get(number, ("", 0.0))
            if not options or END in below or "pause" not in below:
                continue
            if before != below or time.monotonic() > at + AGAIN:  # the same choice may come twice
                asked[number] = (below, time.monotonic())
                player.press("\r" if options[0] == "Enter" else options[0].lower())


def watch_all(players: list[ScreenPlayer], found: Callable[[ScreenPlayer], object]) -> list[object]:
    """Until something was found on each screen, if only for a moment; what it was."""
    until = time.monotonic() + LIMIT
    seen: dict[int, object] = {}
    while len(seen) < len(players):
        assert time.monotonic() < until, "\n\n".join(player.text for player in players)
        for number, player in enumerate(players):
            assert player.read(0.05), player.written[-3000:]
            if number not in seen and (what := found(player)):
                seen[number] = what
    return [seen[number] for number in range(len(players))]


def words_on(player: ScreenPlayer) -> list[str] | None:
    """The four safety words, as they stand large on the screen."""
    found = [line.replace(" ", "") for line in player.lines if re.fullmatch(r" {4}[A-Z](?: [A-Z])+", line)]
    return found if len(found) == 4 else None


def records(home: Path) -> list[Path]:
    return sorted((home / "records").glob("*.shoal"), key=lambda path: path.stat().st_mtime)


def check(paths: list[Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sound games of the same players, seats and options that are not the same game."""
    monkeypatch.setenv("SHOAL_LANG", "en")
    first, second = paths
    for path in paths:
        capsys.readouterr()
        assert run(["verify", str(path)]) == 0
        assert "SOUND: nobody lied" in capsys.readouterr().out
    one, other = (read_game(path.read_bytes()).charter for path in (first, second))
    assert one.table_id != other.table_id
    assert one.seats == other.seats
    assert one.options == other.options
    assert not set(one.nonces) & set(other.nonces)


def test_two_games_with_the_same_table_on_the_full_screen(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    host = start("Ann", "host", "go-fish", "--seats", "3", *HERE, *SMALL)
    guest = start("Ben", "join", address_of(host))
    host.see("Ben, whom you have not met, wants to sit down")
    guest.see("Waiting for the host to let you in")
    host.press("y")
    guest.see("not ready yet  you")
    host.press("+")
    guest.see("Coral")
    guest.see("All have come.")
    host.press('"good luck\r')
    guest.see("Ann: good luck")
    host.see("Not ready yet: Ben.")
    guest.press("\r")
    words = watch_all([host, guest], words_on)
    assert words[0] == words[1]
    both([host, guest], lambda text: END in text)
    guest.press(f"{CLEAR}1")
    guest.see("Ann opens the next game as soon as all have decided.")
    host.see("Ben wants another game.")
    host.press(f"{CLEAR}1")
    watch_all([host, guest], lambda player: "The same players as before" in player.text)
    both([host, guest], lambda text: END in text)
    for player in (host, guest):
        player.press(f"{CLEAR}q")
        assert player.end() == 0
    for name in ("Ann", "Ben"):
        check(records(tmp_path / name), capsys, monkeypatch)


def test_enter_sends_a_stranger_away_and_quit_closes_the_table(start: Start) -> None:
    host = start("Ann", "host", "go-fish", "--seats", "3", *HERE, *SMALL)
    guest = start("Ben", "join", address_of(host))
    host.see("Let this player in? [y/N]")
    while "Ben, whom" in host.text:  # Enter means nothing right after the question came
        host.press("\r")
        host.read(0.5)
    assert guest.end() == 3
    assert "Ann did not let you in." in guest.written
    host.wait(lambda text: "Ben, whom" not in text, "the question answered")
    host.press("+")
    host.see("Coral")
    host.press("-")
    host.wait(lambda text: "Coral" not in text, "the bot gone")
    for _ in range(4):
        host.read(0.5)
    before = len(host.written)
    for _ in range(4):
        host.read(0.5)
    assert host.written[before:] == "", "nothing is written while nothing changes"
    host.press("quit\r")
    assert host.end() == 0
    assert "The table is closed." in host.written


def test_a_game_against_bots_again(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    player = start("Ann", "play", "go-fish", "--bots", "1", *SMALL, "--record", str(tmp_path / "game.shoal"))
    both([player], lambda text: END in text)
    player.press(f"{CLEAR}1")
    player.wait(lambda text: END not in text and "pause" in text, "the second game")
    both([player], lambda text: END in text)
    player.press(f"{CLEAR}q")
    assert player.end() == 0
    check(records(tmp_path / "Ann"), capsys, monkeypatch)
    assert (tmp_path / "game.shoal").is_file()
    assert (tmp_path / "game-2.shoal").is_file()
    assert not list((tmp_path / "Ann" / "bots").iterdir()), "bots leave nothing behind"


class Plain:
    """Somebody at a terminal without any control codes."""

    def __init__(self, player: ScreenPlayer) -> None:
        self.player = player
        self._at = 0
        self._prompts = 0
        self._hints = 0

    @property
    def new(self) -> str:
        """What was written since the last thing that was waited for."""
        return self.player.written[self._at :]

    def see(self, part: str) -> None:
        """Until something is written that has not been seen before."""
        end = time.monotonic() + LIMIT
        while part not in self.new:
            assert time.monotonic() < end, f"{part} never came:\n{self.player.written[-3000:]}"
            assert self.player.read(), f"ended before {part}:\n{self.player.written[-3000:]}"
        self._at += self.new.index(part) + len(part)

    def say(self, line: str) -> None:
        self.player.press(line + "\r")

    def play(self) -> None:
        """On one's turn ask what can be asked, and do the first of it."""
        self.player.read(0.1)
        if self.new.count("Your turn> ") <= self._prompts:
            return
        hints = re.findall(r"^ask \w+ \w+", self.new, re.MULTILINE)
        self._prompts = self.new.count("Your turn> ")
        if len(hints) > self._hints:
            self._hints = len(hints)
            self.say(hints[-1])
        else:
            self.say("hint")


def play_plain(*players: Plain) -> None:
    """Until all are asked what is to be done after the end."""
    until = time.monotonic() + GAME
    for player in players:
        player._prompts = player._hints = 0
    while not all("What now?" in player.new for player in players):
        assert time.monotonic() < until, "\n".join(player.player.written[-2000:] for player in players)
        for player in players:
            if "What now?" not in player.new:
                player.play()
    for player in players:
        player.see("What now?")


def hosted(start: Start, seats: str, *options: str) -> tuple[Plain, str]:
    """Ann's table in lines, and where it is."""
    host = Plain(start("Ann", "host", "go-fish", "--seats", seats, *HERE, *options, "--plain"))
    host.see("Type start to begin")
    address = re.search(r"127\.0\.0\.1:\d+", host.player.written)
    assert address
    return host, address.group()


def test_the_host_goes_on_with_a_bot_where_a_guest_has_left(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, address = hosted(start, "2", *SMALL)
    guest = Plain(start("Ben", "join", address, "--plain"))
    host.see("Let this player in? [y/N]")
    host.say("y")
    guest.see("Type ready, or press Enter")
    guest.say('"hello')
    host.see("Ben: hello")
    guest.say("ready")
    host.see("Ben is ready.")
    play_plain(host, guest)
    host.say("rematch")
    host.see("Ben has not decided yet.")
    guest.see("Ann wants another game.")
    guest.say("leave")
    assert guest.player.end() == 0
    host.see("Ben has left the table.")
    host.see("At the table, 1 of 2: Ann")
    host.say("bot")
    host.see("At the table, 2 of 2: Ann, Coral (on the host's machine)")
    play_plain(host)
    host.say("leave")
    assert host.player.end() == 0
    capsys.readouterr()
    monkeypatch.setenv("SHOAL_LANG", "en")
    for path in records(tmp_path / "Ann"):
        assert run(["verify", str(path)]) == 0
    assert capsys.readouterr().out.count("SOUND: nobody lied") == 2


def test_those_who_watch_follow_into_the_next_game(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in lines, and one on the full screen by a key; in the end the host leaves, and they are told."""
    host, address = hosted(start, "2", *SMALL, "--open", "--watchers", "any")
    gus = Plain(start("Gus", "watch", address, "--plain", "--record", str(tmp_path / "gus.shoal")))
    gus.see("Waiting for the game to begin")
    lee = start("Lee", "watch", address)
    lee.see("Waiting for the game to begin")
    guest = Plain(start("Ben", "join", address, "--plain"))
    guest.see("Type ready, or press Enter")
    guest.say("ready")
    play_plain(host, guest)
    gus.see("What now?")
    gus.say("on")
    gus.see("Waiting for the game to begin")
    lee.see("[1] watch on")
    lee.press("1")
    lee.wait(lambda text: "[1] watch on" not in text, "the choice taken")
    for player, word in ((guest, "rematch"), (host, "rematch")):
        player.say(word)
    for player in (host, guest):
        player.see("The same players as before")
    play_plain(host, guest)
    gus.see("What now?")
    lee.see("[1] watch on")
    gus.say("on")
    lee.press("1")
    lee.wait(lambda text: "[1] watch on" not in text, "the choice taken")
    for player in (guest, host):
        player.say("leave")
        assert player.player.end() == 0
    gus.see("This table plays no other game:")
    assert gus.player.end() == 0
    assert lee.end() == 0
    check([tmp_path / "gus.shoal", tmp_path / "gus-2.shoal"], capsys, monkeypatch)


def test_a_guest_is_told_that_the_host_has_gone(start: Start) -> None:
    host, address = hosted(start, "2", *SMALL, "--open")
    guest = Plain(start("Ben", "join", address, "--plain"))
    guest.see("Type ready, or press Enter")
    guest.say("")
    play_plain(host, guest)
    host.say("leave")
    assert host.player.end() == 0
    guest.see("Ann has left the table.")
    guest.say("rematch")
    guest.see("Ann, who hosted this table, has left; nobody else can open the next game.")
    guest.say("leave")
    assert guest.player.end() == 0


def test_the_host_does_not_wait_and_who_decides_later_still_finds_the_seat(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, address = hosted(start, "3", *SMALL, "--open")
    guests = []
    for name in ("Ben", "Cid"):
        guests.append(Plain(start(name, "join", address, "--plain")))
        guests[-1].see("Type ready, or press Enter")
        guests[-1].say("ready")
    play_plain(host, *guests)
    ben, cid = guests
    ben.say("rematch")
    ben.see("Ann opens the next game as soon as all have decided.")
    host.see("Ben wants another game.")
    cid.see("Ben wants another game.")
    host.say("rematch")
    host.see("Cid has not decided yet.")
    host.say("begin")
    host.see("At the table, 2 of 3: Ann, Ben")
    cid.see("Ann has opened another game: rematch takes your seat there.")
    cid.say("rematch")
    host.see("At the table, 3 of 3: Ann, Ben, Cid")
    for player in (host, ben, cid):
        player.see("The same players as before")
    play_plain(host, ben, cid)
    for player in (host, ben, cid):
        player.say("leave")
        assert player.player.end() == 0
    check(records(tmp_path / "Cid"), capsys, monkeypatch)


def test_a_game_that_was_resumed_ends_in_another_one_too(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = ("--set", "ranks=6", "--set", "suits=2", "--set", "book_size=2", "--set", "hand_size=3")
    host, address = hosted(start, "2", *seats, "--open")
    guest = Plain(start("Ben", "join", address, "--plain"))
    guest.see("Type ready, or press Enter")
    guest.say("ready")
    for player in (host, guest):
        player.see(" first.")
        player.say("quit")
        assert player.player.end() == 0
    host, guest = (Plain(start(name, "resume", "--plain", has_name=False)) for name in ("Ann", "Ben"))
    guest.say("mute ann")
    guest.see("What Ann says is not shown any more")
    play_plain(host, guest)
    guest.say("rematch")
    host.see("Ben wants another game.")
    host.say("rematch")
    for player in (host, guest):
        player.see("The same players as before")
    guest.say("mute ann")  # who was muted before is muted in this game
    guest.see("What Ann says is shown again.")
    play_plain(host, guest)
    for player in (host, guest):
        player.say("leave")
        assert player.player.end() == 0
    check(records(tmp_path / "Ben"), capsys, monkeypatch)
