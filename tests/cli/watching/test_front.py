"""What one who watches reads and may type, in lines: a real game's steps, a scripted console."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any

import pytest

from cli.console import Left
from cli.presenter import Presenter
from cli.text import Glyphs
from cli.watching.front import WORDS, WatchFront
from engine.registry import game
from p2p.io.watching import Found, Judged, Lost, PausedSeat, Seen
from p2p.log import read_game
from p2p.sealed.testgroup import SmallGroup
from p2p.session import Watched
from p2p.verify import Report, Step, Undone, Verifier
from tests.p2p.harness import SHORT, Ring

SMALL = SmallGroup()


class Script:
    """A console that types these lines once the story has been told, and keeps what is written."""

    is_interactive = True
    prompt = ""
    prompt_is_shown = False
    taps = None

    def __init__(self, lines: Sequence[str] = ()) -> None:
        self.lines = list(lines)
        self.told = asyncio.Event()
        self.written: list[str] = []
        self.words: Callable[[], Iterable[str]] = tuple

    def put(self, line: str) -> None:
        raise NotImplementedError

    def private(self, lines: Sequence[str]) -> bool:
        return False

    def write(self, text: str) -> None:
        self.written += text.split("\n")

    async def read(self) -> str | None:
        await self.told.wait()
        if self.lines:
            return self.lines.pop(0)
        return None


class Game:
    """A game that was played, as a spectator sees it: ``reached`` of its steps are there when it comes."""

    def __init__(self, reached: int = 0) -> None:
        ring = Ring(SMALL, 3, options=SHORT)
        ring.play()
        file = read_game(ring.record(0))
        self.verifier = Verifier(file.charter, game("go-fish"), SMALL)
        self.reached = reached
        self.paused: tuple[int, ...] = ()
        self.charter = file.charter
        self.steps: list[Step] = []
        Verifier(file.charter, game("go-fish"), SMALL).judge(file, took=self.steps.append)
        self.report = Verifier(file.charter, game("go-fish"), SMALL).judge(file)


async def shown(watched: Game, seen: Sequence[Seen], typed: Sequence[str] = ()) -> tuple[list[str], Any]:
    console = Script(typed)

    async def feed() -> AsyncIterator[Seen]:
        for each in seen:
            if isinstance(each, Judged) and typed:
                console.told.set()
                await asyncio.Event().wait()
            yield each

    front = WatchFront(watched, console, Glyphs())
    try:
        judged = await asyncio.wait_for(front.watch(feed()), 60)
    except Left:
        judged = None
    return console.written, judged


def whole(watched: Game) -> list[Seen]:
    return [watched.charter, *watched.steps, Judged(watched.report, is_whole=True)]


async def test_a_game_that_is_watched_from_the_start_is_told_line_by_line() -> None:
    watched = Game()
    lines, judged = await shown(watched, whole(watched))
    text = "\n".join(lines)
    assert judged == Judged(watched.report, is_whole=True)
    assert lines[0].startswith("You watch; nobody sees what you type")
    assert lines[1].startswith("Safety words: ")
    assert "asks" in text
    assert "✓ proved: " in text
    assert "Everyone has signed the result." in text
    assert "have been" not in text


async def test_who_comes_late_reads_how_it_stands_and_not_all_that_was() -> None:
    watched = Game(reached=30)
    lines, _ = await shown(watched, whole(watched))
    early, _ = await shown(Game(), whole(watched))
    at = lines.index("The game has been going on for 30 steps; all of them are verified.")
    assert "Pond" in lines[at + 1], "the table follows"
    assert len(lines) < len(early)
    rest = lines[at + 5 :]
    assert rest == early[-len(rest) :], "from then on it is the same story"


async def test_words_are_answered_and_nothing_else_is_done() -> None:
    watched = Game()
    typed = ["table", "log", "proofs", "words", "rules", "help", "?", "", "ask P1 3", "chat hello", "quit"]
    lines, judged = await shown(watched, whole(watched), typed)
    assert judged is None, "quit leaves"
    for word in WORDS:
        assert any(line.startswith(word) for line in lines), word
    assert lines.count("Those who watch say and play nothing; help lists the words that are understood.") == 2
    assert any("four of a rank" in line or "GO FISH" in line.upper() for line in lines), "the rules"


async def test_the_end_of_the_input_leaves() -> None:
    watched = Game()
    console = ["log"]
    _, judged = await shown(watched, whole(watched), console)
    assert judged is None


async def test_what_becomes_of_the_feed_is_said() -> None:
    watched = Game()
    seen: list[Seen] = [
        watched.charter, *watched.steps[:9], Lost("The other side closed the connection."), Found(1),
        Undone(5), *watched.steps[5:], Judged(Report("sound"), is_whole=False),
    ]  # fmt: skip
    watched.verifier = Game().verifier
    lines, judged = await shown(watched, seen)
    text = "\n".join(lines)
    assert "is gone: The other side closed the connection. The others are asked" in text
    assert "P1's program goes on." in text
    assert "what was shown since step 5 did not happen" in text
    assert not judged.is_whole


@pytest.mark.parametrize("is_person", [True, False])
async def test_a_pause_is_told_with_its_player_and_who_can_wait_is_told_so(
    is_person: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Script, "is_interactive", is_person)
    watched = Game()
    watched.paused = (2,)
    seen: list[Seen] = [
        watched.charter, *watched.steps[:9], PausedSeat(2), Lost("The other side closed the connection."),
        Judged(Report("sound"), is_whole=False),
    ]  # fmt: skip
    lines, _ = await shown(watched, seen)
    assert "P2 has paused the game; it waits until P2 comes back." in lines
    text = "\n".join(lines)
    assert ("as soon as a player's program can be reached; quit stops watching." in text) == is_person
    assert ("is gone: " in text) != is_person


# --- what players read of those who watch -------------------------------------------------------------------


@pytest.fixture
def ann() -> Presenter:
    return Presenter(game("go-fish"), ("Ann", "Ben"), 0, Glyphs())


def heard(show: Presenter, seat: int, *names: str) -> list[str]:
    view = a_view()
    return [line.text for line in show.hear(Watched(seat, names), view)]


def a_view() -> Any:
    return Verifier(_charter(), game("go-fish"), SMALL).history.progress.position.view(-1, {})


def _charter() -> Any:
    return Ring(SMALL, 2, options=SHORT).charter


def test_players_read_who_comes_and_goes(ann: Presenter) -> None:
    assert heard(ann, 0, "Gus") == ["Gus watches, and sees what everybody sees."]
    assert heard(ann, 0, "Gus") == []
    assert heard(ann, 1, "Eve") == ["Eve watches, and sees what everybody sees."]
    assert ann.watching == ("Gus", "Eve")
    assert ann.table_lines(ann.board(a_view()))[-1] == "Watched by Gus and Eve."
    assert heard(ann, 0) == ["Gus watches no more."]
    assert heard(ann, 1) == ["Eve watches no more."]
    assert not any("Watched" in line for line in ann.table_lines(ann.board(a_view())))


def test_a_name_does_nothing_to_the_terminal(ann: Presenter) -> None:
    assert "\x1b" not in "".join(heard(ann, 0, "Gus\x1b[2J"))


def test_those_at_a_seat_that_is_out_of_reach_are_forgotten(ann: Presenter) -> None:
    heard(ann, 1, "Gus")
    ann.notice({1: 5.0})
    assert ann.watching == ()
    assert heard(ann, 0, "Gus") == ["Gus watches, and sees what everybody sees."]
