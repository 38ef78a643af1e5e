"""``shoal table``: pads to roles by tapping, with the real program and emulated readers."""

import json
from pathlib import Path

import pytest

from cli.hardware_setup import roles_for
from hardware.events import Place
from hardware.io import load_table
from hardware.pads import DISCARD, HUB, POND, POOL, ask, seat

from .conftest import Shoal as Run
from .hardware_programs import Shoal, emulated, tapped

TAG = "04A3C6CAE26180"
PLAYERS = ("--player", "Ana", "--player", "Ben")


def laid(reader: Shoal, antenna: int) -> None:
    """Something lies on the last antenna before the reader is opened: as soon as that is told, the reader has
    told what lies on all of them, and from then on a tap is a tap."""
    reader.type(f"place 0463F80A4F5381 on {antenna}")
    reader.says(f"lies on antenna {antenna}")


def test_each_pad_is_tapped_once_and_the_table_is_kept(home: Path, tmp_path: Path) -> None:
    link = str(tmp_path / "reader")
    reader, _ = emulated(home, "shoal", "--antennas", "5", "--link", link)
    with reader:
        laid(reader, 4)
        with Shoal(home, "table", "setup", *PLAYERS, "--reader", f"{link}:shoal") as setup:
            setup.says("with 5 antennas")
            setup.says("a tag lay there already")
            tapped(reader, f"tap {TAG} on 3", setup, "shoal, antenna 3 is Ana's pad.")
            setup.says("Tap any tag on Ben's pad (seat:Ben).")
            reader.type(f"tap {TAG} on 3")
            setup.says("That is Ana's pad (seat:Ana): tap on another one, or type seat:Ana to")
            reader.says("Antenna 3: light red, with two beeps.")
            reader.type("tap 08112233 on 1")  # any tag will do, a telephone too
            setup.says("shoal, antenna 1 is Ben's pad.")
            setup.says("Tap any tag on the pond (pond).")
            setup.interrupt()
            assert setup.end() == 130
            assert "Stopped. What was tapped is kept: the same command goes on from here." in setup.lines
        assert dict(load_table(home / "table.toml").pads) == {
            Place("shoal", 3): seat("Ana"),
            Place("shoal", 1): seat("Ben"),
        }
        with Shoal(home, "table", "setup", *PLAYERS, "--json") as setup:  # the reader is known by now
            assert setup.event(event="next") == {"event": "next", "role": "pond", "left": 3}
            setup.event(event="lay-there")
            assert json.loads(tapped(reader, f"tap {TAG} on 0", setup, '"assigned"')) == {
                "event": "assigned", "role": "pond", "reader": "shoal", "antenna": 0,
            }  # fmt: skip
            setup.type("skip")
            setup.event(event="next", role="hub")
            reader.type(f"tap {TAG} on 2")
            setup.event(event="assigned", role="hub")
            setup.event(event="next", role="discard", left=1)  # it was put off until the end
            setup.type("skip")
            assert setup.end() == 0
    table = load_table(home / "table.toml")
    assert table.readers[0].port == link
    assert list(table.pads.values()) == [seat("Ana"), seat("Ben"), POND, HUB]


def test_words_on_the_way_take_back_and_choose_anew(home: Path, tmp_path: Path) -> None:
    link = str(tmp_path / "reader")
    reader, _ = emulated(home, "shoal", "--antennas", "4", "--link", link)
    with reader:
        laid(reader, 3)
        with Shoal(home, "table", "setup", *PLAYERS, "--reader", f"{link}:shoal") as setup:
            setup.says("a tag lay there already")
            reader.type(f"tap {TAG} on 0")
            setup.says("antenna 0 is Ana's pad.")
            setup.type("back")
            setup.says("Tap any tag on Ana's pad")
            reader.type(f"tap {TAG} on 1")
            setup.says("antenna 1 is Ana's pad.")
            setup.type("lake")
            setup.says('"lake" is no role of a pad')
            setup.type("Seat: Ana")
            setup.says("Tap any tag on Ana's pad")
            reader.type(f"tap {TAG} on 2")
            setup.says("antenna 2 is Ana's pad.")
            setup.says("Tap any tag on Ben's pad")
            setup.type("quit")
            assert setup.end() == 0
    assert dict(load_table(home / "table.toml").pads) == {Place("shoal", 2): seat("Ana")}


def test_what_is_skipped_is_asked_again_at_the_end_and_back_takes_a_skip_back(home: Path) -> None:
    reader, port = emulated(home, "shoal", "--antennas", "5")
    with reader:
        laid(reader, 4)
        with Shoal(home, "table", "setup", *PLAYERS, "--reader", f"{port}:shoal") as setup:
            setup.says("a tag lay there already")
            setup.type("back")
            setup.says("There is nothing to take back")
            setup.type("skip")
            setup.says("Tap any tag on Ben's pad")
            setup.type("back")
            setup.says("Tap any tag on Ana's pad")
            setup.type("skip")
            for antenna, (pad, following) in enumerate(
                [
                    ("Ben's pad", "the pond"),
                    ("the pond", "the discard pile"),
                    ("the discard pile", "the pad on"),
                ]
            ):
                reader.type(f"tap {TAG} on {antenna}")
                setup.says(f"antenna {antenna} is {pad}.")
                setup.says(f"Tap any tag on {following}")
            setup.type("skip")  # the hub is the last one that was not asked for before: it goes for good
            setup.says("Tap any tag on Ana's pad")
            reader.type(f"tap {TAG} on 3")
            setup.says("antenna 3 is Ana's pad.")
            assert setup.end() == 0
            told = " ".join(setup.lines)
            assert "Without a pad: the pad on which everybody taps (hub)." in told
            assert "table setup --role hub" in told
            assert "Players who share a screen need the pad on which everybody taps" in told
    assert list(load_table(home / "table.toml").pads.values()) == [seat("Ben"), POND, DISCARD, seat("Ana")]


def test_a_tag_that_lay_there_before_chooses_no_pad(home: Path) -> None:
    reader, port = emulated(home, "shoal", "--antennas", "2")
    with reader:
        reader.type(f"place {TAG} on 1")
        reader.says("lies on antenna 1")
        with Shoal(home, "table", "setup", "--mode", "controller", "--reader", f"{port}:shoal") as setup:
            setup.says("a tag lay there already; lift it, and tap on the pad that is asked for.")
            reader.type("tap 0463F80A4F5381 on 0")
            setup.says("antenna 0 is the pad on which everybody taps.")
            assert setup.end() == 0
    assert dict(load_table(home / "table.toml").pads) == {Place("shoal", 0): HUB}


def test_a_keyboard_reader_can_be_a_pad(home: Path) -> None:
    args = ("--mode", "controller", "--reader", "keyboard", "--json")
    with Shoal(home, "table", "setup", *args) as setup:
        setup.event(event="next", role="hub")
        setup.type("0006102437")
        setup.event(event="assigned", role="hub", reader="wedge", antenna=0)
        assert setup.end() == 0
    table = load_table(home / "table.toml")
    assert [(entry.name, entry.kind) for entry in table.readers] == [("wedge", "wedge")]


TABLE = """\
shoal-table = 1

[[reader]]
name = "nano"
kind = "text"
port = "usb:1a86:7523"
baud-rate = 115200

[[pad]]
reader = "nano"
antenna = 2
role = "seat:Ben"
"""


@pytest.fixture
def table(home: Path) -> Path:
    home.mkdir()
    (home / "table.toml").write_text(TABLE, "utf-8")
    return home / "table.toml"


@pytest.mark.usefixtures("table")
def test_the_table_is_shown(shoal: Run) -> None:
    assert shoal("table", "show").out.splitlines() == [
        "nano  text  usb:1a86:7523  baud-rate=115200",
        "  seat:Ben: Ben's pad  nano, antenna 2",
    ]
    assert json.loads(shoal("table", "show", "--json").out) == {
        "readers": [
            {"name": "nano", "kind": "text", "port": "usb:1a86:7523", "options": {"baud-rate": 115200}}
        ],
        "pads": [{"reader": "nano", "antenna": 2, "role": "seat:Ben"}],
    }


def test_an_empty_table_says_how_to_begin(shoal: Run) -> None:
    assert "table setup" in shoal("table", "show").out


@pytest.mark.parametrize(
    ("args", "code", "why"),
    [
        ([], 2, "Who sits at this table?"),
        (["--mode", "lake"], 2, "'lake' is not one of"),
        (["--role", "lake"], 2, '"lake" is no role of a pad'),
        (["--player", "  "], 2, "needs the name of a player"),
        (["--game", "lake", "--player", "Ana"], 2, "lake"),
        (["--player", "Ana"], 5, "No reader is named, and the table has none yet."),
    ],
)
def test_what_is_missing_is_told(shoal: Run, args: list[str], code: int, why: str) -> None:
    ran = shoal("table", "setup", *args)
    assert (ran.code, why in ran.err) == (code, True), ran


def test_all_set_up_says_how_to_choose_anew(shoal: Run, table: Path) -> None:
    table.write_text(TABLE.replace("seat:Ben", "ask:Ben"), "utf-8")
    ran = shoal("table", "setup", "--mode", "controller", "--player", "Ben")
    assert (ran.code, "All pads are set up already." in ran.err, "--redo" in ran.err) == (2, True, True)


def test_roles_depend_on_the_mode_and_the_game() -> None:
    assert roles_for("controller", []) == [HUB]
    assert roles_for("controller", ["Ana"]) == [ask("Ana")]
    assert roles_for("blank", ["Ana", "Ben"]) == [seat("Ana"), seat("Ben"), POND, DISCARD, HUB]
    assert roles_for("printed", ["Ana"], "casino") == [seat("Ana"), POND, DISCARD, POOL, HUB]
