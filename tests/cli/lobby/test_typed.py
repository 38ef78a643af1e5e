"""The lobby by typed words: each word, what is said to what cannot be, and that nothing is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import click
import pytest

from cli.errors import Failure
from cli.lobby.model import MENU
from cli.lobby.state import Facts
from cli.lobby.tables import Table
from cli.lobby.typed import SYNONYMS, WORDS, Left, TypedLobby
from cli.main import shoal
from cli.options import Settings
from p2p.io.mdns import Advert
from tests.cli.lobby.stage import LOST, PAUSED, TABLES, facts, table


class FakeConsole:
    """Lines that are typed, and all that is written."""

    is_interactive = True
    prompt = "> "
    prompt_is_shown = False
    taps = None

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.written: list[str] = []
        self.words: Callable[[], Iterable[str]] = tuple

    def put(self, line: str) -> None:
        self.lines.insert(0, line)

    def private(self, lines: Sequence[str]) -> bool:
        return False

    def write(self, text: str) -> None:
        self.written.append(text)

    async def read(self) -> str | None:
        return self.lines.pop(0) if self.lines else None


class FakeMachine:
    """A disk with what a test puts on it."""

    def __init__(self, found: Facts, seen: Sequence[Table] = ()) -> None:
        self.found = found
        self.seen = list(seen)
        self.written: list[tuple[str, str, str | None]] = []

    def read(self) -> Facts:
        return self.found

    def keep_name(self, name: str) -> None:
        if not name.isalpha():
            raise Failure("The name is no name.")
        self.found = replace(self.found, name=name)

    def write(self, table: str, key: str, value: str | None) -> str:
        if key == "fur":
            raise Failure("There is no setting fur.")
        self.written.append((table, key, value))
        return f"{key} is now {value}."

    def tables(self, adverts: Sequence[Advert]) -> list[Table]:
        return self.seen


async def talk(
    *lines: str, found: Facts | None = None, seen: Sequence[Table] = TABLES
) -> tuple[tuple[str, ...] | None, str]:
    """The command that comes of lines (``None`` for leaving), and all that was written."""
    console, machine = FakeConsole(*lines), FakeMachine(found or facts(), seen)
    lobby = TypedLobby(console, machine)
    lobby._facts = machine.found
    lobby._heard(())
    try:
        words: tuple[str, ...] | None = await lobby.talk(is_first=True)
    except Left:
        words = None
    return words, "\n".join(console.written)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["1"], ("join", "192.0.2.7:7467")),
        (["join 192.0.2.9"], ("join", "192.0.2.9")),
        (["join 'Ann Lee'"], ("join", "Ann Lee")),
        (["c"], PAUSED.words),
        (["continue 1"], PAUSED.words),
        (["resume 3fa2"], ("resume", "3fa2")),
        (["practice", "", ""], ("play", "go-fish")),
        (["p casino", ""], ("play", "casino")),
        (
            ["host 3", "seats 3", "ask_mode card", ""],
            ("host", "go-fish", "--seats", "3", "--set", "ask_mode=card"),
        ),
        (["host go-fish --seats 2"], ("host", "go-fish", "--seats", "2")),
        (["replay 1"], ("replay", "/records/casino.shoal")),
        (["replay game.shoal"], ("replay", "game.shoal")),
        (["watch Ann"], ("watch", "Ann")),
        (["verify game.shoal"], ("verify", "game.shoal")),
        (["config path"], ("config", "path")),
        (["rules old-maid"], ("rules", "old-maid")),
        (["quit"], None),
        ([], None),
        (["host", "cancel", "q"], None),
        (["host go-fish", "seats 2"], None),
    ],
)  # fmt: skip
async def test_what_lines_start(lines: list[str], words: tuple[str, ...] | None) -> None:
    assert (await talk(*lines))[0] == words


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["3"], "Every seat of that table is taken."),
        (["4"], "That is your own table"),
        (["9"], "No table has the figure 9."),
        (["tables"], "Table 1: Ben's table of Go Fish, 2 of 4 seats taken, a player you have met"),
        (["tables"], "WARNING: not the key of the player you know by that name"),
        (["continue 7"], "Which one? Type its number."),
        (["games"], "1: Casino Go Fish with Coral, Finn"),
        (["host 9", "x"], "host"),
        (["host go-fish", "list"], "ask_mode is a rank. What is asked for. It may be rank: a rank; card:"),
        (["host go-fish", "seats 9"], "seats can be a number from 2 to 6."),
        (["host go-fish", "seats"], "seats is 4. How many play, bots included."),
        (["host go-fish", "fur 9"], "There is no option fur; list shows them."),
        (["host go-fish", "deck 54"], "There are only two jokers, so deck=54 needs book_size=2."),
        (["host go-fish", "deck 54", ""], "There are only two jokers, so deck=54 needs book_size=2."),
        (["host go-fish", "cancel"], "Nothing was started."),
        (["settings"], "bell is yes (default)."),
        (["set bell no"], "bell is now no."),
        (["set name"], "Type it like this: set name Ann"),
        (["unset"], "Type it like this: unset name"),
        (["set fur x"], "There is no setting fur."),
        (["rules"], "go-fish: Go Fish."),
        (["rules go-fish"], "Collect groups of four"),
        (["help"], "take a setting out of the file"),
        (["nonsense"], '"nonsense" is no command; help lists them.'),
        (["join 'Ann"], "A quotation mark is missing."),
    ],
)
async def test_what_is_said(lines: list[str], said: str) -> None:
    words, written = await talk(*lines)
    assert said in (written if words is None else " ".join(words))


async def test_the_first_run_asks_for_a_name_until_it_is_one() -> None:
    words, written = await talk("12", "Eve", "quit", found=Facts("", "Vera"))
    assert words is None
    assert "Enter alone takes Vera." in written
    assert "The name is no name." in written
    assert "You are Eve." in written
    assert "You are Vera." in (await talk("", "quit", found=Facts("", "Vera")))[1]


async def test_several_games_that_wait_and_none() -> None:
    several = replace(facts(), paused=(PAUSED, LOST))
    assert (await talk("continue", "continue 2", found=several))[0] == LOST.words
    nothing = replace(facts(), paused=(), finished=())
    written = (await talk("continue", "games", found=nothing, seen=()))[1]
    assert "No game waits to go on." in written
    assert "No game has been finished here yet." in written


async def test_who_finds_no_seat_may_look_on() -> None:
    full = table("Eve", taken=4, is_watched=True)
    words, written = await talk("1", seen=(full,))
    assert words == ("watch", "192.0.2.7:7467")
    assert "Type 1 to look on." in written


async def test_at_the_table_of_a_game_of_ones_own_it_goes_on() -> None:
    full = table("Eve", taken=4, is_watched=True, own_game=("resume", "3fa2c81d"))
    words, written = await talk("1", seen=(full,))
    assert words == ("resume", "3fa2c81d")
    assert "Type 1 to go on with your game there." in written


async def test_a_table_that_goes_is_told() -> None:
    console, machine = FakeConsole(), FakeMachine(facts(), TABLES[:1])
    lobby = TypedLobby(console, machine)
    lobby._facts = facts()
    lobby._heard(())
    lobby._heard(())
    machine.seen = []
    lobby._heard(())
    assert [line.partition(":")[0] for line in console.written] == ["Table 1", "Table 1 has gone"]


def test_all_that_a_letter_does_has_a_word() -> None:
    letters = set(MENU) - {"a"}  # the address is typed behind join
    assert {SYNONYMS[letter] for letter in letters} <= set(WORDS)
    assert "join" in WORDS


@pytest.mark.parametrize(("name", "command"), [("plain", "play"), ("lines", "host"), ("plain", "join")])
def test_the_manner_may_be_chosen_before_the_command(name: str, command: str) -> None:
    for chosen in (True, False):
        args = [f"--{name}"] * chosen
        group = shoal.make_context("shoal", [*args, command, "go-fish"], obj=Settings())
        group.invoked_subcommand = command
        assert isinstance(shoal, click.Group)
        shoal.resolve_command(group, [command, "go-fish"])
        assert group.default_map is not None
        assert group.default_map[command].get(name, False) is chosen
