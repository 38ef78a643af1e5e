"""What keys and news make of the lobby."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cli.lobby.draw import draw
from cli.lobby.model import MENU, step
from cli.lobby.state import (
    Address,
    Event,
    Facts,
    Filling,
    Games,
    Key,
    Learnt,
    Leave,
    Main,
    Naming,
    Paste,
    Reading,
    Refused,
    Rename,
    Rules,
    Run,
    Seen,
    Settings,
    State,
    Tick,
    Write,
)
from cli.lobby.tables import Host, Table
from cli.tui.canvas import plain, row_width
from tests.cli.lobby.stage import LOST, PAUSED, TABLES, facts, happen, press, state, table


def test_a_figure_sits_down_at_that_table() -> None:
    _after, effects = press(state(TABLES), "1")
    assert effects == (Run(("join", "192.0.2.7:7467")),)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("3", "Every seat of that table is taken."),
        ("4", "That is your own table, opened by another window of yours."),
        ("9", "No table has the figure 9."),
        ("0", "No table has the figure 0."),
        ("x", "No such key here; ? shows help."),
        ("enter", "Choose by a figure or a letter, or with the arrows."),
    ],
)
def test_what_cannot_be_is_said(key: str, said: str) -> None:
    after, effects = press(state(TABLES), key)
    assert (after.notice, effects) == (said, ())
    assert press(after, "escape")[0].notice == ""


def test_who_finds_no_seat_may_look_on() -> None:
    full = table("Eve", taken=4, is_watched=True)
    assert press(state((full,)), "1")[1] == (Run(("watch", "192.0.2.7:7467")),)
    assert "look on" in str(draw(state((full,)), 80, 24))


@pytest.mark.parametrize("host", [Host.STRANGER, Host.KNOWN])
def test_where_only_acquaintances_look_on_the_list_says_so(host: Host) -> None:
    full = table("Eve", taken=4, is_watched=True, is_for_friends=True, acquaintance=host)
    shown = str(draw(state((full,)), 80, 24))
    assert "look on" in shown
    assert ("look on if they know you" in shown) == (host is Host.STRANGER)


def test_at_the_table_of_a_game_of_ones_own_it_goes_on() -> None:
    full = table("Eve", taken=4, is_watched=True, own_game=("resume", "3fa2c81d"))
    assert press(state((full,)), "1")[1] == (Run(("resume", "3fa2c81d")),)
    shown = str(draw(state((full,)), 80, 24))
    assert "go on" in shown
    assert "look on" not in shown


def test_a_table_that_just_went_is_not_another_one() -> None:
    before = step(state(TABLES), Seen(TABLES[1:], 10.0))[0]
    after, effects = press(before, "1")
    assert (after.notice, effects) == ("That table has gone.", ())
    later = step(before, Tick(20.0))[0]
    assert len(later.tables) == len(TABLES) - 1


def test_the_mark_moves_over_tables_and_letters() -> None:
    before = state(TABLES[:1])
    assert press(before, "down", "enter")[1] == (Run(("join", "192.0.2.7:7467")),)
    assert isinstance(press(before, "down", "down", "down", "enter")[0].page, Filling)
    assert press(before, "up", "enter")[1] == (Leave(),)
    assert press(before, "up", "down", "enter")[1] == (Run(("join", "192.0.2.7:7467")),)
    gone = step(press(before, "down")[0], Seen((), 1.0))[0]
    assert press(gone, "enter")[1] == ()


def test_hosting_and_practice_are_two_keys() -> None:
    assert press(state(), "h", "enter")[1] == (Run(("host", "go-fish")),)
    assert press(state(), "p", "enter")[1] == (Run(("play", "go-fish")),)
    assert press(state(), "х", "enter")[1] == (Run(("host", "go-fish")),), "on a Macedonian keyboard"


def test_a_form_is_filled_in_by_keys() -> None:
    after, effects = press(state(), "h", "down", "3", "down", "right", "end", "home", "enter")
    assert effects == (Run(("host", "go-fish", "--seats", "3", "--bots", "1")),)
    assert after.page == Main()
    assert press(state(), "h", "right", "enter")[1] == (Run(("host", "one-fish")),)


def test_a_form_that_the_rules_refuse_does_not_start() -> None:
    keys = ["h", *["down"] * 9, "right", "enter"]
    after, effects = press(state(), *keys)
    assert effects == ()
    assert isinstance(after.page, Filling)
    assert after.page.form.field.key == "book_size"
    shown = str(draw(after, 80, 24))
    assert shown.count("There are only two jokers") == 1
    assert "Cards of one rank that make a book" in shown
    assert isinstance(after.page, Filling)
    assert press(after, "escape")[0].page == Main("h")


def test_going_on() -> None:
    assert press(state(), "c")[1] == (Run(("resume", "3fa2c81d")),)
    none = replace(facts(), paused=())
    assert press(state(facts=none), "c")[0].notice == "No game waits to go on."
    several = replace(facts(), paused=(PAUSED, LOST))
    assert press(state(facts=several), "c")[0].page == Games(finished=False)
    assert press(state(facts=several), "c", "2")[1] == (Run(LOST.words),)
    assert press(state(facts=several), "c", "down", "down", "enter")[1] == (Run(LOST.words),)
    assert press(state(facts=several), "c", "7")[0].notice == "No game has the figure 7."


def test_replaying() -> None:
    assert press(state(), "g", "enter")[1] == (Run(("replay", "/records/casino.shoal")),)
    none = replace(facts(), finished=())
    assert press(state(facts=none), "g")[0].notice == "No game has been finished here yet."


def test_an_address_is_never_an_option() -> None:
    keys = [*"--help", "enter"]
    assert press(state(), "a", *keys)[1] == (Run(("join", "--", "--help")),)
    assert press(state(), "a", "enter")[0].notice == "Type the address that the host's screen shows."
    typed = happen(state(), Key("a"), Paste(" 192.0.2.9:7467\n"), Key("enter"))
    assert typed[1] == (Run(("join", "--", "192.0.2.9:7467")),)


def test_the_first_run_asks_for_a_name_and_nothing_else() -> None:
    first = State(Naming(press(state(), "a")[0].page.line), facts=None)
    assert press(first, *"Ann", "enter")[1] == (Rename("Ann"),)
    refused = happen(first, Refused("The name is empty; give one of 1 to 32 characters."))[0]
    assert "The name is empty" in str(refused.page)
    nameless = Facts("", "Vera")
    asked = happen(State(), Learnt(nameless))[0]
    assert press(asked, "enter")[1] == (Rename("Vera"),)
    assert happen(asked, Learnt(facts()))[0].page == Main()
    assert press(asked, "q")[1] == (), "a name may have a q"
    assert press(asked, "escape")[1] == (Leave(),)


def test_settings_are_changed_and_removed() -> None:
    shown = press(state(), "s")[0]
    names = [each.key for each in facts().settings]
    bell = ["down"] * names.index("bell")
    assert press(shown, *bell, "right")[1] == (Write("", "bell", "no"),)
    lang = ["down"] * names.index("lang")
    fixed, effects = press(shown, *lang, "enter")
    assert (effects, fixed.notice[:23]) == ((), "lang comes from outside")
    assert press(shown, "enter", "c-u", *"Eve", "enter")[1] == (Write("", "name", "Eve"),)
    assert press(shown, "enter", "enter")[1] == ()
    assert press(shown, "d")[0].notice == "name is not set in the file."
    own = replace(facts(), settings=(replace(facts().settings[0], raw="Eve", is_in_file=True),))
    shown = press(state(facts=own), "s")[0]
    assert press(shown, "d")[1] == (Write("", "name", None),)
    assert press(shown, "enter", "c-u", "enter")[1] == (Write("", "name", None),)
    told = happen(shown, Learnt(facts(), "name is not set any more."))[0]
    assert told.notice == "name is not set any more."


def test_rules_and_help_are_read_and_closed() -> None:
    read = press(state(), "r", "3")[0]
    assert isinstance(read.page, Reading)
    assert read.page.title == "Go Fish"
    assert press(read, "escape")[0].page == Rules(2)
    for page in ("", "s", "r", "g"):
        before = press(state(), page)[0] if page else state()
        helped = press(before, "?")[0]
        assert isinstance(helped.page, Reading)
        assert press(helped, "escape")[0].page == before.page
    assert press(press(state(), "h", "?")[0], "escape")[0].page == press(state(), "h")[0].page


def test_a_long_text_is_wound_to_its_end_and_not_beyond() -> None:
    text = "\n".join(f"line {n}" for n in range(100))
    read = state(page=Reading("Long", text, Main()), rows=24)
    down = press(read, *["pagedown"] * 50)[0]
    assert "line 99" in str(draw(down, 80, 24))
    assert press(down, *["pageup"] * 50)[0].page == read.page


def test_what_happened_last_can_be_read() -> None:
    assert press(state(), "n")[0].notice.startswith("No such key")
    read = press(state(news=("Ann wins.", "Record: x")), "n")[0].page
    assert isinstance(read, Reading)
    assert read.text == "Ann wins.\nRecord: x"


def test_pasted_text_chooses_nothing() -> None:
    for keys in ("", "s", "r", "g", "h"):
        before = press(state(TABLES), keys)[0] if keys else state(TABLES)
        after, effects = happen(before, Paste("1\nq\nh\n"))
        assert effects == ()
        assert type(after.page) is type(before.page)


@pytest.mark.parametrize("key", ["c-c", "c-d"])
def test_control_c_leaves_from_everywhere(key: str) -> None:
    for page in (Main(), Address(), Settings(), Rules(), Games(finished=True), Reading("", "", Main())):
        assert press(state(page=page), key)[1] == (Leave(),)
    assert press(State(), key)[1] == (Leave(),)


KEYS = [
    *"0123456789abcdefghijklmnopqrstuvwxyz?\"' ♠王шХ", *MENU, "up", "down", "left", "right", "enter",
    "escape",
    "backspace", "delete", "home", "end", "pageup", "pagedown", "tab", "s-tab", "f1", "f5", "c-u", "c-k",
    "c-a", "<any>",
]  # fmt: skip
SIZES = ((1, 1), (2, 1), (1, 5), (7, 3), (20, 8), (40, 15), (80, 24), (200, 60))


@pytest.mark.parametrize("seed", range(20))
def test_any_key_at_any_time_at_any_size(seed: int) -> None:
    chance = random.Random(seed)
    now, one = 0.0, state(TABLES, news=("Ann wins.",) * 30)
    many = tuple(table(f"P{n}" * chance.randrange(1, 9)) for n in range(30))
    for _ in range(400):
        now += chance.random()
        events: list[Event] = [Key(chance.choice(KEYS))] * 6
        events += [
            Seen(tuple(chance.sample(many, chance.randrange(31))), now), Tick(now), Learnt(facts(), "x"),
            Refused("No."), Paste(chance.choice(("x" * 5000, "12", "\x1b[2J"))), Seen((), now, "Broken."),
        ]  # fmt: skip
        one, _effects = step(one, chance.choice(events))
        columns, rows = chance.choice(SIZES)
        drawn = draw(one, columns, rows)
        assert len(drawn) == rows
        assert all(row_width(row) <= columns for row in drawn)


@pytest.mark.parametrize("found", [(), TABLES])
@pytest.mark.parametrize("size", [(40, 15), (60, 15), (80, 24)])
def test_why_something_failed_is_seen_at_any_size(found: tuple[Table, ...], size: tuple[int, int]) -> None:
    news = ("Looking for the table.", "Error: nonsense.example is unknown here.")
    rows = [plain(row) for row in draw(state(found, news=news), *size)]
    assert any("nonsense.example" in row for row in rows)


def test_free_rows_are_used_for_what_would_be_cut() -> None:
    made = press(state(), "r")[0]
    text = " ".join(" ".join(plain(row) for row in draw(made, 90, 15)).split())
    assert all(one.summary in text for one in facts().games)
    text = " ".join(" ".join(plain(row) for row in draw(state(), 40, 23)).split())
    assert "join a table that does not appear here by itself" in text
    assert len(draw(state(), 40, 23)) == 23
