"""What may be done after a game: the choices, the hands laid open, and the acts on a real record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.boards import NotUnderstood
from cli.console import Left
from cli.ending import EndChoice, Ending, stays
from cli.ending_record import RecordActs
from cli.errors import Failure
from cli.files import write_bytes
from cli.laid_open import all_lines, held_by_all, start_lines
from cli.story import Line
from cli.text import Glyphs
from p2p.io.sodium import load_group
from tests.cli.replay.records import GAMES, record, replay_of


class Typed:
    """A console whose lines come from a list, and the screen of a game that is over behind it."""

    is_interactive = True
    prompt_is_shown = True
    taps = None

    def __init__(self, *lines: str | None) -> None:
        self.prompt = ""
        self.words: Callable[[], Iterable[str]] = tuple
        self.shown: list[str] = []
        self.obeyed: list[str] = []
        self._lines = list(lines)

    def write(self, text: str) -> None:
        self.shown += text.split("\n")

    def put(self, line: str) -> None:
        self._lines.append(line)

    def private(self, lines: Sequence[str]) -> bool:
        return not lines

    async def read(self) -> str | None:
        await asyncio.sleep(0)
        return self._lines.pop(0) if self._lines else None

    # --- the screen ---------------------------------------------------------------------------------

    async def obey(self, line: str) -> None:
        if line == "quit":
            raise Left
        if line == "nonsense":
            raise NotUnderstood("that is nothing")
        self.obeyed.append(line)

    async def listen_on(self) -> None:
        await asyncio.Event().wait()

    def reply(self, text: str) -> None:
        self.write(text)

    def tell(self, lines: Iterable[Line]) -> None:
        self.shown += [str(line) for line in lines]

    def page(self, title: str, lines: Sequence[str]) -> None:
        self.shown += [f"[{title}]", *lines]


class Shown(Typed):
    """The same with choices that stand on the screen."""

    suits = "two"

    def __init__(self, *lines: str | None) -> None:
        super().__init__(*lines)
        self.offered: list[tuple[EndChoice, ...]] = []

    def offer(self, choices: Sequence[EndChoice]) -> None:
        self.offered.append(tuple(choices))

    async def lend(self, use: Callable[[Any, Any], Any]) -> None:
        self.write("lent")


def done(console: Typed, *more: tuple[EndChoice, Any]) -> Ending:
    ending = Ending(console, console)
    for choice, act in more:
        ending.add(choice, act)
    asyncio.run(asyncio.wait_for(ending.run(), 60))
    return ending


AGAIN = EndChoice("1", "rematch", "rematch", "another game at this table")
LOOK = EndChoice("2", "look", "look")


def act(console: Typed, word: str, is_left: bool = False) -> Any:
    async def acted(rest: str) -> bool:
        console.write(f"{word}({rest})")
        return is_left

    return acted


class Instant(Typed):
    """Lines that are there already when they are asked for; with none of them nobody types."""

    async def read(self) -> str | None:
        if not self._lines:
            await asyncio.Event().wait()
        return self._lines.pop(0)


@pytest.mark.parametrize("lines", [("leave",), ("quit",), (None,), ("look", "quit")])
def test_who_leaves_in_the_moment_in_which_the_next_game_opens_has_left(
    lines: tuple[str | None, ...],
) -> None:
    console = Instant(*lines)
    ending = Ending(console, console)
    ending.finish()
    asyncio.run(asyncio.wait_for(ending.run(), 60))
    assert ending.is_left
    assert not console._lines


def test_nobody_has_left_who_goes_to_the_next_game() -> None:
    console = Instant()
    ending = Ending(console, console)
    ending.finish()
    asyncio.run(asyncio.wait_for(ending.run(), 60))
    assert not ending.is_left


def test_choices_are_made_by_key_by_word_and_by_its_beginning() -> None:
    console = Typed("2", "look around", "lo", "", "never mind", "nonsense", "help", "leave", "look")
    done(console, (AGAIN, act(console, "rematch")), (LOOK, act(console, "look")))
    assert console.shown == [
        "The game is over. What now?",
        "  rematch  another game at this table",
        "  look     look",
        "  leave    leave the table",
        "look()",
        "look(around)",
        "look()",
        "that is nothing",
        "[help]",
        "The game is over. What now?",
        "  rematch  another game at this table",
        "  look     look",
        "  leave    leave the table",
    ]
    assert console.obeyed == ["never mind"]


@pytest.mark.parametrize("end", ["quit", None, "rematch"])
def test_it_ends_by_leaving_by_the_end_of_input_and_by_an_act_that_leaves(end: str | None) -> None:
    console = Typed("chat bye", end, "look")
    done(console, (AGAIN, act(console, "rematch", is_left=True)), (LOOK, act(console, "look")))
    assert console.obeyed == ["chat bye"]
    assert "look()" not in console.shown


def test_choices_come_and_go_while_they_are_shown() -> None:
    console = Shown("rematch", "rematch", "leave")

    async def withdraw(_rest: str) -> bool:
        ending.remove("rematch")
        return False

    ending = Ending(console, console)
    ending.add(LOOK, act(console, "look"))
    ending.add(AGAIN, withdraw)
    asyncio.run(asyncio.wait_for(ending.run(), 60))
    words = [[choice.word for choice in choices] for choices in console.offered]
    assert words[0] == ["rematch", "look", "leave"]
    assert words[-2] == ["look", "leave"]
    assert words[-1] == []
    assert console.obeyed == ["rematch"], "what is offered no more is no choice"
    replaced = Ending(console, console)
    replaced.add(LOOK, act(console, "look"))
    replaced.add(EndChoice("2", "other", "other"), act(console, "other"))
    assert [choice.word for choice in replaced.choices] == ["other", "leave"]


def test_a_choice_from_elsewhere_is_like_a_typed_one() -> None:
    console = Typed()
    ending = Ending(console, console)
    ending.add(AGAIN, act(console, "rematch", is_left=True))
    ending.choose("rematch")
    asyncio.run(asyncio.wait_for(ending.run(), 60))
    assert console.shown[-1] == "rematch()"


def test_only_a_person_at_a_terminal_is_asked() -> None:
    console = Typed()
    assert stays(console, "")
    assert not stays(console, "careful")
    console.is_interactive = False
    assert not stays(console, "")


# --- the record ---------------------------------------------------------------------------------------------


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "records" / "game.shoal"
    path.parent.mkdir()
    path.write_bytes(record("go-fish", group=load_group()))
    return path


def after(console: Typed, path: Path) -> None:
    """Everything that is typed, after the hands are open."""

    async def run() -> None:
        ending = Ending(console, console)
        acts = RecordActs(ending, path, Glyphs())
        await acts.lay_open()
        assert acts._opening is not None
        await asyncio.wait_for(acts._opening, 60)
        await ending.run()
        await acts.close()

    asyncio.run(run())


def test_hands_are_told_at_once_and_shown_in_full(written: Path) -> None:
    console = Typed("hands", "proofs")
    after(console, written)
    assert [line.partition(" was dealt: ")[0] for line in console.shown[:2]] == ["Ann", "Ben"]
    at = console.shown.index("[Hands]")
    assert console.shown[at + 1] == "Ann"
    assert console.shown[at + 2].startswith("  dealt: ")
    assert console.obeyed == ["proofs"]


def test_the_record_is_saved_where_it_is_wanted(written: Path, tmp_path: Path) -> None:
    there, folder = tmp_path / "mine.shoal", tmp_path / "folder"
    folder.mkdir()
    console = Typed(
        f"save {there}", "save", str(folder), "save", "back", f"save {there}", f"save {tmp_path / 'no' / 'x'}"
    )
    after(console, written)
    assert there.read_bytes() == (folder / "game.shoal").read_bytes() == written.read_bytes()
    saved = [line for line in console.shown if str(tmp_path) in line or line == "Not saved."]
    assert saved[0] == f"Saved: {there}"
    assert saved[1] == f"Saved: {folder / 'game.shoal'}"
    assert saved[2] == "Not saved."
    assert saved[3] == f"{there} is there already; nothing was written."
    assert "cannot be written" in saved[4]


def test_what_cannot_be_a_file_is_said_and_nothing_ends(written: Path) -> None:
    """No such home folder; a name longer than names may be; one with a zero byte."""
    console = Typed("save ~nobody-of-this-name/x", f"save {'x' * 300}", "save a\x00b")
    after(console, written)
    assert sum("cannot be written" in line for line in console.shown) == 3


def test_a_record_for_which_there_is_no_room_leaves_no_part_behind(written: Path, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(Failure, match="cannot be written"):
            write_bytes(tmp_path / "mine.shoal", written.read_bytes())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not (tmp_path / "mine.shoal").exists()


def test_enter_alone_saves_where_it_is_proposed(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    console = Typed("save", "")
    after(console, written)
    assert f"Enter alone: {tmp_path / 'game.shoal'}; back: not at all" in console.shown
    assert (tmp_path / "game.shoal").read_bytes() == written.read_bytes()


def test_it_is_the_file_that_is_verified(written: Path) -> None:
    console = Typed("verify")
    after(console, written)
    assert console.shown[-1] == "SOUND: nobody lied, and the result is right."
    data = bytearray(written.read_bytes())
    data[len(data) // 2] ^= 1
    written.write_bytes(bytes(data))
    console = Typed("verify", "hands")
    after(console, written)
    assert any(line.startswith("DAMAGED: ") for line in console.shown)
    written.unlink()
    console = Typed("verify", "replay")
    after(console, written)
    assert "cannot be read" in console.shown[-3]


def test_it_is_replayed_and_the_choices_come_back(written: Path) -> None:
    console = Typed("replay", "end", "quit", "leave")
    after(console, written)
    assert "Verdict" in console.shown
    assert console.shown[-1] == "  leave   leave the table"
    assert console.prompt == "> "
    shown = Shown("replay")
    after(shown, written)
    assert shown.shown[-1] == "lent"


@pytest.mark.parametrize(("name", "scanner"), [*((name, None) for name in GAMES), ("go-fish", 1)])
def test_the_hands_laid_open_are_those_that_were_played(name: str, scanner: int | None) -> None:
    replay = replay_of(record(name, scanner=scanner))
    held = held_by_all(replay)
    assert [each.seat for each in held] == [0, 1, 2]
    last = len(replay) - 1
    for each in held:
        assert each.start
        assert each.left == replay.hands(last, (each.seat,))[0].shown
        ever: set[str] = set()
        for at in range(len(replay)):
            ever |= set(" ".join(replay.hands(at, (each.seat,))[0].shown).split())
        assert set(" ".join((*each.start, *each.later)).split()) == ever
    lines = all_lines(replay, held)
    assert [line for line in lines if not line.startswith(" ")] == ["Ann", "Ben", "Cy"]


def test_hands_that_were_not_revealed_stay_closed() -> None:
    replay = replay_of(record("go-fish", reveal="never"))
    told = ("The hands stay closed: this table was opened with --reveal never.",)
    assert held_by_all(replay) == ()
    assert start_lines(replay, ()) == all_lines(replay, ()) == told
    replay = replay_of(record("go-fish"))
    assert start_lines(replay, held_by_all(replay)[1:])[-1] == (
        "Not revealed, so it stays closed: the hand of Ann."
    )
    assert start_lines(replay, held_by_all(replay)[2:])[-1] == (
        "Not revealed, so they stay closed: the hands of Ann and Ben."
    )
