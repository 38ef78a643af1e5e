"""Roles, pads, and the table file: every wrong file is answered with the line and what is wrong there."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.events import Place
from hardware.io import load_table, save_table, serial_link
from hardware.pads import (
    DISCARD,
    HUB,
    POND,
    POOL,
    BadPads,
    BadRole,
    Pads,
    Role,
    RoleKind,
    ask,
    is_name,
    is_same_name,
    parse_role,
    seat,
)
from hardware.table_texts import BadTable, ReaderEntry, TableFile, from_toml, to_toml

NAMES = st.text(min_size=1, max_size=40).filter(is_name)
ROLES = st.one_of(st.sampled_from([POND, DISCARD, POOL, HUB]), st.builds(seat, NAMES), st.builds(ask, NAMES))

TABLE = """\
# Mine.
shoal-table = 1

[[reader]]
name = "nano"
kind = "text"
port = "usb:1a86:7523"
baud-rate = 115200
pattern = '(?P<uid>[0-9A-F]+)'

[[reader]]
name = "kitchen"
kind = "tasmota"
topic = "tele/kitchen/SENSOR"
retain = false

[[pad]]
reader = "nano"
role = "seat:Ben"

[[pad]]
reader = "nano"
antenna = 1
role = "Pond"
"""


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("pond", POND),
        (" Discard ", DISCARD),
        ("POOL", POOL),
        ("hub", HUB),
        ("seat:Ben", seat("Ben")),
        ("Seat : Ana Marija", seat("Ana Marija")),
        ("ask:ЃОРЃИ", ask("ЃОРЃИ")),
        ("seat:a:b", seat("a:b")),
        ("seat:Ze\u0301", seat("Z\u00e9")),
    ],
)
def test_a_role_is_read(text: str, role: Role) -> None:
    assert parse_role(text) == role


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", '"" is no role of a pad; there are pond, discard, pool, seat:NAME, ask:NAME, hub.'),
        ("lake", '"lake" is no role'),
        ("seat", "seat: needs the name of a player"),
        ("seat: ", "seat: needs the name of a player"),
        ("ask:" + "x" * 41, "ask: needs the name of a player, 1 to 40 printable characters"),
        ("ask:a\tb", "ask: needs the name"),
        ("pond:Ben", "A pad that is the pond belongs to nobody: write pond alone."),
        ("hub:", "A pad that is the hub belongs to nobody"),
        ("\x1b[2J" * 20, '"?[2J?[2J'),
    ],
)
def test_a_text_that_is_no_role_is_told_why(text: str, why: str) -> None:
    with pytest.raises(BadRole) as caught:
        parse_role(text)
    assert why in str(caught.value)
    assert str(caught.value).isprintable()


@given(ROLES)
def test_the_text_of_a_role_is_read_back(role: Role) -> None:
    again = parse_role(str(role))
    assert again.kind == role.kind
    assert is_same_name(again.name, role.name)


def test_pads_are_looked_up_both_ways() -> None:
    first, second, third = Place("nano", 0), Place("nano", 1), Place("uno", 0)
    pads = Pads([(first, seat("Ben")), (second, POND), (third, seat("Ben"))])
    assert pads[first] == seat("Ben")
    assert pads.get(Place("uno", 7)) is None
    assert pads.places(seat("Ben")) == (first, third)
    assert pads.seat("bEN") == (first, third)
    assert pads.ask("Ben") == ()
    assert (pads.place(POND), pads.place(HUB)) == (second, None)
    assert pads.roles == (seat("Ben"), POND)
    assert (pads.players, pads.readers) == (("Ben",), ("nano", "uno"))


def test_pads_never_change() -> None:
    given = {Place("nano"): POND}
    pads = Pads(given)
    given[Place("nano", 1)] = HUB
    assert list(pads.items()) == [(Place("nano"), POND)]
    assert not hasattr(pads, "__setitem__")
    assert len({pads, Pads({Place("nano"): POND})}) == 1


@pytest.mark.parametrize(
    ("pads", "why"),
    [
        ([(Place("n"), POND), (Place("n"), HUB)], "Antenna 0 of n is pond and hub"),
        ([(Place("n"), seat("Ben")), (Place("n", 1), ask("ben"))], "Ben and ben are one name"),
        ([(Place("n", 256), POND)], "Antennas are numbered 0 to 255, not 256."),
        ([(Place(" n"), POND)], '" n" is no name of a reader'),
        ([(Place("n", n), HUB) for n in range(101)], "at most 100 pads"),
    ],
)
def test_impossible_pads_are_refused(pads: list[tuple[Place, Role]], why: str) -> None:
    with pytest.raises(BadPads, match=why):
        Pads(pads)


def test_a_table_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, "utf-8")
    table = load_table(path)
    assert [(entry.name, entry.kind, entry.port, entry.line) for entry in table.readers] == [
        ("nano", "text", "usb:1a86:7523", 4),
        ("kitchen", "tasmota", "", 11),
    ]
    assert table.readers[0].options == {"baud-rate": 115200, "pattern": "(?P<uid>[0-9A-F]+)"}
    assert table.readers[1].options == {"topic": "tele/kitchen/SENSOR", "retain": False}
    assert dict(table.pads) == {Place("nano", 0): seat("Ben"), Place("nano", 1): POND}


def test_a_table_file_is_written_whole_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "new" / "table.toml"
    assert load_table(path) == TableFile()
    table = from_toml(TABLE)
    save_table(path, table)
    text = path.read_text("utf-8")
    assert load_table(path) == table
    save_table(path, load_table(path))
    assert path.read_text("utf-8") == text
    assert [each.name for each in path.parent.iterdir()] == ["table.toml"]
    assert path.stat().st_mode & 0o077 == 0


OPTIONS = st.dictionaries(
    st.text(max_size=8).filter(lambda key: key not in {"name", "kind", "port"}),
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
        st.integers(-(2**63), 2**63 - 1),
        st.booleans(),
        st.floats(allow_nan=False),
    ),
    max_size=3,
)


@given(st.data())
def test_any_table_is_read_back(data: st.DataObject) -> None:
    names = data.draw(st.lists(NAMES, unique=True, max_size=4))
    entries = [
        ReaderEntry(name, data.draw(NAMES), data.draw(st.sampled_from(["", "COM3"])), data.draw(OPTIONS))
        for name in names
    ]
    places = st.builds(Place, st.sampled_from(names), st.integers(0, 255)) if names else st.nothing()
    roles = st.sampled_from([POND, DISCARD, POOL, HUB, seat("Ben"), ask("Ben")])
    pads = data.draw(st.dictionaries(places, roles, max_size=5)) if names else {}
    table = TableFile(tuple(entries), Pads(pads))
    assert from_toml(to_toml(table)) == table


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("shoal-table = 1", "shoal-table = 2", "needs the line shoal-table = 1"),
        ('kind = "text"', "kind = 3", "line 6: a reader needs a kind, a text"),
        ('kind = "text"', "", "line 4: a reader needs a kind"),
        ('name = "kitchen"', 'name = "nano"', "line 12: another reader is called nano already."),
        ('port = "usb:1a86:7523"', "port = 5", "line 7: port must be a text"),
        ("retain = false", "retain = [1]", "line 15: retain must be a text, a number, true or false."),
        ('role = "seat:Ben"', 'role = "seat"', "line 19: seat: needs the name of a player"),
        ('role = "seat:Ben"', 'role = "lake"', 'line 19: "lake" is no role of a pad'),
        ('role = "seat:Ben"', "", "line 17: a pad needs a role"),
        ("antenna = 1", "antenna = 0", "line 23: antenna 0 of nano has a role already."),
        ("antenna = 1", "antenna = 300", "line 21: Antennas are numbered 0 to 255"),
        ("antenna = 1", "antenna = true", "line 23: antenna must be a number"),
        ("antenna = 1", "antena = 1", "line 23: a pad has reader, antenna, role, and no 'antena'."),
        ("antenna = 1", "antenna = ", "line 23: invalid value"),
        ('role = "Pond"', 'role = "Pond', "line 24: "),
        ("antenna = 1", 'reader = "uno"', "line 23: cannot overwrite a value"),
        ('reader = "nano"\nrole', 'reader = "u"\nrole', "line 18: reader must be one of those above: k"),
        ("# Mine.", "mode = 1", "'mode' stands for nothing here"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(old: str, new: str, why: str, tmp_path: Path) -> None:
    assert old in TABLE
    path = tmp_path / "table.toml"
    path.write_text(TABLE.replace(old, new, 1), "utf-8")
    with pytest.raises(BadTable) as caught:
        load_table(path)
    assert str(caught.value).startswith("table.toml, ")
    assert why in str(caught.value)


def test_a_table_in_another_form_names_no_wrong_line() -> None:
    text = 'shoal-table = 1\nreader = [{name = "a", kind = "text"}]\npad = [{reader = "b", role = "pond"}]\n'
    with pytest.raises(BadTable, match=r"^pad 1: reader must be one of those above: a\.$"):
        from_toml(text)
    text = 'shoal-table = 1\n[[reader]]\nname = "a"\nkind = """\n[[reader]]\n"""\n'
    with pytest.raises(BadTable, match=r"^reader 1: a reader needs a kind"):
        from_toml(text)


@pytest.mark.parametrize(
    "text", ["", "\0", "[" * 5000, "a = " + "9" * 5000, "x" * 200_001, "reader = 1\nshoal-table=1"]
)
def test_what_is_no_table_is_one_sentence(text: str) -> None:
    with pytest.raises(BadTable) as caught:
        from_toml(text)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadTable, match=r"^table\.toml is no text\.$"):
        load_table(path)


def test_tables_are_changed_by_making_new_ones() -> None:
    table = from_toml(TABLE)
    slower = ReaderEntry("nano", "text", "COM3", {"baud-rate": 9600})
    changed = table.with_reader(slower)
    assert [entry.name for entry in changed.readers] == ["nano", "kitchen"]
    assert changed.reader("nano") == slower
    assert changed.pads == table.pads
    with pytest.raises(BadTable, match="reader nano, which the table does not have"):
        TableFile(()).with_pads(table.pads)
    with pytest.raises(BadTable, match="Two readers are called a"):
        TableFile((ReaderEntry("a", "text"), ReaderEntry("a", "text")))


def test_an_entry_becomes_a_link() -> None:
    options = {"baud-rate": 115200, "presence": "repeated", "technology": "em4100", "pattern": "(?P<uid>.*)"}
    link = serial_link(ReaderEntry("nano", "text", "usb:1a86:7523", options))
    assert (link.name, link.baud_rate, str(link.port)) == ("nano", 115200, "usb:1a86:7523")
    assert link.reader.profile.presence.value == "repeated"
    assert serial_link(ReaderEntry("lf", "rdm6300", "COM3")).baud_rate == 9600


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (ReaderEntry("a", "tasmota", "COM3", line=4), "line 4: tasmota is no kind of reader on a port"),
        (ReaderEntry("a", "text", line=4), "line 4: a needs a port"),
        (ReaderEntry("a", "text", "usb:12"), "usb:12 is no port"),
        (
            ReaderEntry("a", "text", "COM3", {"pattern": "("}),
            "The pattern cannot be used: a closing",
        ),
        (ReaderEntry("a", "text", "COM3", {"pattern": 3}), "pattern must be a text."),
        (ReaderEntry("a", "text", "COM3", {"topic": "x"}), "topic is no option of a reader on a port"),
        (ReaderEntry("a", "text", "COM3", {"dtr": 1}), "dtr must be true or false."),
        (ReaderEntry("a", "text", "COM3", {"baud-rate": 7}), "baud-rate must be a number"),
        (ReaderEntry("a", "text", "COM3", {"presence": "x"}), "presence must be one of repeated, polled"),
    ],
)
def test_an_entry_that_cannot_be_opened_is_told_why(entry: ReaderEntry, why: str) -> None:
    with pytest.raises(BadTable) as caught:
        serial_link(entry)
    assert why in str(caught.value)


def test_every_kind_of_role_has_a_text() -> None:
    assert [str(Role(kind, "Ben" if kind.has_name else "")) for kind in RoleKind] == [
        "pond", "discard", "pool", "seat:Ben", "ask:Ben", "hub",
    ]  # fmt: skip
