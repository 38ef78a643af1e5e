"""``shoal tags``: the real program with emulated readers on pseudo-terminals, and its lists and files."""

import json
import sys
from pathlib import Path

import pytest

from cli.hardware_enroll import PlainTeller, Walk
from cli.hardware_live import Happened
from cli.text import Glyphs
from hardware.events import Place, Placed
from hardware.io import load
from hardware.tags import Book, Enrolment, Kind
from hardware.uids import parse

from .conftest import Shoal as Run
from .hardware_programs import Shoal, emulated, tapped

FIRST = "04A3C6CAE26180"
SECOND = "0463F80A4F5381"
TINY = """\
id = "tiny"

[[attributes]]
name = "rank"
values = ["1", "2", "3"]

[[attributes]]
name = "colour"
values = ["R"]

[[cards]]
colour = ["R"]
"""


@pytest.fixture
def deck(tmp_path: Path) -> str:
    file = tmp_path / "tiny.toml"
    file.write_text(TINY, "utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("module", "reader"), [("serial", "/dev/nowhere:text"), ("aiomqtt", "mqtt://127.0.0.1/a/b")]
)
@pytest.mark.parametrize(
    "command", [["tags", "enroll"], ["table", "setup", "--mode", "controller"], ["readers", "--watch"]]
)
def test_what_a_reader_needs_and_is_not_installed_is_said_before_anybody_taps(
    shoal: Run, command: list[str], module: str, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    ran = shoal(*command, "--reader", reader)
    assert ran.code == 5
    assert f"{sys.executable} -m pip install" in ran.err
    assert "tap" not in ran.out.lower()


# --- enrolling with readers ---------------------------------------------------------------------------------


def test_a_deck_is_enrolled_tap_by_tap_and_gone_on_with(home: Path, deck: str) -> None:
    reader, port = emulated(home, "shoal", "--seed", "enrol")
    with reader:
        with Shoal(home, "tags", "enroll", "--deck", deck, "--reader", f"{port}:shoal", "--json") as enrol:
            assert enrol.event(event="next")["name"] == "1R"
            enrol.says("with one antenna")
            assert json.loads(tapped(reader, "new 1", enrol, '"enrolled"'))["name"] == "1R"
            reader.type(f"tap {FIRST}")
            assert enrol.event(event="enrolled") | {"uid": 0, "text": ""} == {
                "event": "enrolled", "name": "2R", "uid": 0, "done": 2, "of": 3, "text": "", "warnings": [],
            }  # fmt: skip
            reader.type(f"tap {FIRST}")
            assert enrol.event(event="repeated")["name"] == "2R"
            enrol.interrupt()
            assert enrol.end() == 130
            assert "Stopped: 2 of 3 are enrolled. The same command goes on from here." in enrol.lines
        with Shoal(home, "tags", "enroll", "--deck", deck, "--reader", f"{port}:shoal", "--json") as enrol:
            assert enrol.event(event="next") == {
                "event": "next", "kind": "card", "name": "3R", "done": 2, "of": 3,
            }  # fmt: skip
            enrol.says("with one antenna")
            # A copy of the tag of another card:
            taken = json.loads(tapped(reader, f"tap {FIRST}", enrol, '"taken"'))
            assert "This tag is 2R already. Another card with the same id is a copy" in taken["text"]
            reader.type("tap 08112233")  # a telephone
            assert "phone or bank card" in enrol.event(event="refused")["text"]
            reader.type("tap 8804A3C6")  # what a reader makes of FIRST that stops after three bytes
            assert "cut after three bytes" in enrol.event(event="taken")["text"]
            reader.type("tap 88A1B2C3")
            assert enrol.event(event="enrolled")["warnings"] == [
                "The reader gives only the first three bytes of this tag's id; another tag may look the same."
            ]
            assert enrol.end() == 0
    assert [tag.name for tag in load(home / "tags.toml").of(Kind.CARD)] == ["1R", "2R", "3R"]


@pytest.mark.parametrize(
    ("kind", "tags"),
    [
        ("rdm6300", ["13005D1DA5", "14008EC793"]),
        ("text", [FIRST, SECOND]),
        ("pn532", [FIRST, "45C52583"]),
        ("twn4", [FIRST, SECOND]),
    ],
)
def test_one_tap_each_is_enough_whatever_the_reader(home: Path, kind: str, tags: list[str]) -> None:
    reader, port = emulated(home, kind)
    names = ["--player", "Ana", "--player", "Ben"]
    with (
        reader,
        Shoal(home, "tags", "enroll", *names, "--reader", f"{port}:{kind}", "--json") as enrol,
    ):
        enrol.says("connected")
        # Lines of a board count after a first pause; and a busy machine asks a reader too seldom for a tap.
        reader.type("1 " + f"place {tags[0]}")
        assert enrol.event(event="enrolled")["name"] == "Ana"
        reader.type("remove all", f"place {tags[1]}")
        assert enrol.event(event="enrolled")["name"] == "Ben"
        assert enrol.end() == 0
    assert [tag.uid.data.hex().upper() for tag in load(home / "tags.toml").of(Kind.PLAYER)] == tags


def test_lights_answer_where_the_reader_has_them(home: Path) -> None:
    reader, port = emulated(home, "shoal", "--antennas", "2")
    with (
        reader,
        Shoal(home, "tags", "enroll", "--player", "Ana", "--reader", f"{port}:shoal", "--json") as enrol,
    ):
        enrol.says("with 2 antennas")
        reader.type("tap 08112233 on 1")
        reader.says("Antenna 1: light red, with two beeps.")
        reader.type(f"tap {FIRST} on 1")
        reader.says("Antenna 1: light green, with a short beep.")
        assert enrol.end() == 0


def test_what_lay_there_before_is_no_tap(home: Path, deck: str) -> None:
    reader, port = emulated(home, "pn532")
    with reader:
        reader.type(f"place {FIRST}")
        reader.says("lies on antenna")
        with Shoal(home, "tags", "enroll", "--deck", deck, "--reader", f"{port}:pn532", "--json") as enrol:
            enrol.event(event="lay-there")
            enrol.type("back")
            enrol.event(event="nothing")
            reader.type("remove all", f"place {SECOND}")
            assert enrol.event(event="enrolled")["name"] == "1R"
            enrol.type("back")
            enrol.event(event="next", name="1R")
            enrol.type("quit")
            assert enrol.end() == 0
    assert len(load(home / "tags.toml")) == 0


def test_what_lay_there_before_counts_once_it_was_taken_away(home: Path) -> None:
    reader, port = emulated(home, "shoal")
    asked = ("--player", "Ana", "--reader", f"{port}:shoal", "--json")
    with reader:
        reader.type(f"place {FIRST}")
        reader.says("lies on antenna")
        with Shoal(home, "tags", "enroll", *asked) as enrol:
            enrol.event(event="lay-there")
            reader.type("remove all", f"place {FIRST}")
            assert enrol.event(event="enrolled")["name"] == "Ana"
            assert enrol.end() == 0


async def test_of_two_tags_at_once_neither_is_enrolled(tmp_path: Path) -> None:
    told: list[str] = []
    enrolment = Enrolment(Book(), Kind.BLANK, ["1", "2"])
    walk = Walk([(enrolment, None)], tmp_path / "tags.toml", PlainTeller(told.append, Glyphs()), [])
    for tag, number in ((FIRST, 7), (SECOND, 7), (FIRST, 9), (SECOND, 12)):
        event = Placed(parse(tag), Place("pad"), 0.0, False)
        await walk._happened(Happened(event, lay_there=False, number=number))
        if number == 7 and tag == SECOND:
            assert len(load(tmp_path / "tags.toml")) == 0
            assert "Two tags came at once" in told[-2]
    assert [(tag.name, tag.uid.data.hex().upper()) for tag in load(tmp_path / "tags.toml").tags] == [
        ("1", FIRST), ("2", SECOND),
    ]  # fmt: skip


def test_words_typed_on_the_way(home: Path, deck: str) -> None:
    with Shoal(home, "tags", "enroll", "--deck", deck) as enrol:
        enrol.says("Now tap 1R (1 of 3).")
        enrol.type("skip")
        enrol.says("Now tap 2R (1 of 3).")
        enrol.type(FIRST)
        enrol.says("2R is enrolled.")
        enrol.says("Now tap 3R (2 of 3).")
        enrol.type("2r")  # to correct it
        enrol.says("The tag it had is free again.")
        enrol.says("Now tap 2R (1 of 3).")
        enrol.type(SECOND)
        enrol.says("2R is enrolled.")
        enrol.type(FIRST)
        enrol.says("3R is enrolled.")
        enrol.says("Now tap 1R (3 of 3).")
        enrol.type("back")
        enrol.says("Now tap 3R (2 of 3).")
        enrol.type("what")
        enrol.says('"what" is none of these: skip, back, quit, or what is to be tapped next.')
        enrol.type("quit")
        assert enrol.end() == 0
        assert enrol.lines[-1] == "1 of 3 are enrolled. The same command goes on from here."
    assert [(tag.name, tag.uid.data.hex().upper()) for tag in load(home / "tags.toml").tags] == [
        ("2R", SECOND)
    ]


def test_a_reader_that_types_is_piped_in(home: Path) -> None:
    with Shoal(home, "readers", "emulate", "wedge") as typed:
        typed.type("tap 13005D1DA5", "tap 14008EC793")
        numbers = [typed.until(str.isdecimal) for _ in range(2)]
    assert numbers == ["0006102437", "0009357203"]
    with Shoal(home, "tags", "enroll", "--blanks", "2", "--json") as enrol:
        enrol.type(*numbers)
        assert enrol.end() == 0
    assert [tag.name for tag in load(home / "tags.toml").of(Kind.BLANK)] == ["1", "2"]


def test_a_reader_that_is_pulled_out_is_announced_and_found_again(home: Path, tmp_path: Path) -> None:
    link = str(tmp_path / "reader")
    reader, _port = emulated(home, "shoal", "--link", link)
    with (
        reader,
        Shoal(home, "tags", "enroll", "--player", "Ana", "--reader", f"{link}:shoal", "--json") as enrol,
    ):
        enrol.says("with one antenna")
        reader.type("unplug")
        enrol.says("It is looked for again.")
        reader.type("replug")
        enrol.says("with one antenna")
        assert json.loads(tapped(reader, f"tap {FIRST}", enrol, '"enrolled"'))["name"] == "Ana"
        assert enrol.end() == 0


# --- what is enrolled ---------------------------------------------------------------------------------------

CSV = """\
uid,kind,name
04:A3:C6:CA:E2:61:80,card,9S
0463F80A4F5381,card,TH
13005D1DA5,player,Ben
45C52583,command,ok
"""


@pytest.fixture
def filled(shoal: Run, tmp_path: Path) -> Run:
    file = tmp_path / "deck.csv"
    file.write_text(CSV, "utf-8")
    ran = shoal("tags", "import", str(file))
    assert (ran.code, ran.out) == (0, "4 tags are new; 4 are known now.\n")
    return shoal


def test_tags_are_listed(filled: Run) -> None:
    lines = filled("tags", "list").out.splitlines()
    assert [line.split() for line in lines] == [
        ["9♠", "card", "tag:04A3C6CAE26180"],
        ["10♥", "card", "tag:0463F80A4F5381"],
        ["Ben", "player", "tag:13005D1DA5"],
        ["ok", "command", "tag:45C52583"],
    ]
    assert json.loads(filled("tags", "list", "--json").out)[2] == {
        "uid": "tag:13005D1DA5", "kind": "player", "name": "Ben",
    }  # fmt: skip


def test_nothing_enrolled_says_how_to_begin(shoal: Run) -> None:
    assert "tags enroll" in shoal("tags", "list").out


@pytest.mark.parametrize("form", ["toml", "csv"])
def test_what_is_exported_is_imported_again(filled: Run, tmp_path: Path, form: str) -> None:
    file = tmp_path / f"out.{form}"
    assert filled("tags", "export", str(file)).code == 0
    refused = filled("tags", "export", str(file))
    assert (refused.code, "is there already" in refused.err) == (2, True)
    assert filled("tags", "export", str(file), "--force").code == 0
    assert filled("tags", "export", "-", "--format", form).out == file.read_text("utf-8")
    before = filled("tags", "list", "--json").out
    assert "4 tags are forgotten" in filled("tags", "forget", "all").out
    assert filled("tags", "import", str(file)).code == 0
    assert filled("tags", "list", "--json").out == before
    assert filled("tags", "import", str(file)).out == "0 tags are new; 4 are known now.\n"


def test_a_file_that_contradicts_or_is_damaged_is_refused(filled: Run, tmp_path: Path) -> None:
    file = tmp_path / "more.csv"
    file.write_text("uid,kind,name\n04A3C6CAE26180,card,8S\n", "utf-8")
    ran = filled("tags", "import", str(file))
    assert (ran.code, "One tag is 9S in one book and 8S in the other." in ran.err) == (1, True)
    assert filled("tags", "import", str(file), "--replace").out.startswith("1 tag is new; 1")
    file.write_text("uid,kind,name\nzz,card,8S\n", "utf-8")
    ran = filled("tags", "import", str(file))
    assert (ran.code, "line 2" in ran.err) == (1, True)
    file.write_bytes(b"\xff\xfe\x00")
    assert filled("tags", "import", str(file)).code == 1
    assert filled("tags", "import", str(tmp_path / "none.csv")).code == 2


@pytest.mark.parametrize("wanted", ["Ben", "ben", "0006102437", "005D1DA5", "A51D5D0013", "093,07589"])
def test_a_tag_is_forgotten_by_name_or_any_spelling_of_its_id(filled: Run, wanted: str) -> None:
    assert filled("tags", "forget", wanted).out == "1 tag is forgotten: Ben.\n"
    ran = filled("tags", "forget", wanted)
    assert (ran.code, "or has that id" in ran.err) == (2, True)


def test_a_deck_is_checked(filled: Run, tmp_path: Path) -> None:
    ran = filled("tags", "check")
    assert ran.code == 1
    assert ran.out.splitlines()[:2] == [
        "2 cards, 1 players, 1 commands and 0 blanks have tags.",
        "problem: 50 cards have no tag: 2C, 2D, 2H, 2S, 3C, 3D, 3H, 3S and 42 more.",
    ]
    found = json.loads(filled("tags", "check", "--deck", "go-fish", "--json").out)
    assert (found["ok"], found["tags"]) == (False, 4)
    rows = "".join(
        f"04A3C6CAE2{number:04X},card,{rank}{suit}\n"
        for number, (rank, suit) in enumerate((r, s) for r in "23456789TJQKA" for s in "CDHS")
    )
    file = tmp_path / "all.csv"
    file.write_text("uid,kind,name\n" + rows, "utf-8")
    assert filled("tags", "import", str(file), "--replace").code == 0
    ran = filled("tags", "check")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "The deck is complete.")
    assert "cut after three bytes" in ran.out


def test_what_cannot_be_enrolled_is_told(shoal: Run, tmp_path: Path) -> None:
    for args, why in (
        (["--deck", "lake"], "There is no deck named"),
        (["--command", "jump"], '"jump" is no command that a tag can stand for.'),
        (["--player", " "], "is no name for a tag"),
        (["--from", "9Z"], "9Z"),
        (["--reader", "usb:12"], "usb:12 is no port"),
    ):
        ran = shoal("tags", "enroll", *args)
        assert (ran.code, why in ran.err) == (2, True), ran
    ran = shoal("tags", "enroll", "--reader", str(tmp_path / "none"))
    assert (ran.code, "There is no port" in ran.err) == (5, True), ran


def test_all_enrolled_says_how_to_give_another_tag(filled: Run) -> None:
    ran = filled("tags", "enroll", "--player", "Ben")
    assert (ran.code, "All of that is enrolled already." in ran.err, "tags forget Ben" in ran.err) == (
        2, True, True,
    )  # fmt: skip


def test_players_commands_and_cards_are_one_walk(home: Path, deck: str) -> None:
    reader, port = emulated(home, "shoal", "--seed", "all")
    asked = ["--player", "Ana", "--command", "ok", "--deck", deck]
    with reader, Shoal(home, "tags", "enroll", *asked, "--reader", f"{port}:shoal", "--json") as enrol:
        assert enrol.event(event="next")["name"] == "Ana"
        enrol.says("with one antenna")
        tapped(reader, f"tap {FIRST}", enrol, '"enrolled"')
        assert enrol.event(event="next") == {
            "event": "next", "kind": "command", "name": "ok", "done": 0, "of": 1,
        }  # fmt: skip
        reader.type(f"tap {FIRST}")
        assert enrol.event(event="repeated")["name"] == "Ana"
        enrol.type("back")  # over the border of the two parts
        assert enrol.event(event="next")["name"] == "Ana"
        reader.type(f"tap {SECOND}")
        assert enrol.event(event="enrolled")["name"] == "Ana"
        enrol.event(event="next", name="ok")
        reader.type(f"tap {FIRST}")
        assert enrol.event(event="enrolled")["name"] == "ok"
        enrol.event(event="next", kind="card", name="1R")
        enrol.type("quit")
        assert "2 of 5 are enrolled" in enrol.event(event="stopped")["text"]
        assert enrol.end() == 0
    with Shoal(home, "tags", "enroll", *asked, "--reader", "keyboard", "--json") as enrol:
        assert enrol.event(event="next")["name"] == "1R"  # the parts that are done are passed over
        enrol.type("quit")
        assert enrol.end() == 0
    assert {tag.name: tag.kind for tag in load(home / "tags.toml").tags} == {
        "Ana": Kind.PLAYER,
        "ok": Kind.COMMAND,
    }


def test_a_damaged_book_is_named(shoal: Run, home: Path) -> None:
    home.mkdir()
    (home / "tags.toml").write_text("shoal-tags = 1\n[[tag]]\nuid = 3\ncard = '9S'\n", "utf-8")
    ran = shoal("tags", "list")
    assert (ran.code, ran.err.startswith("Error: tags.toml: tag 1:")) == (1, True)
