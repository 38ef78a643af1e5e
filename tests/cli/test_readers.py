"""``shoal readers``: the list, what is on a port, taps as they happen, and emulated readers."""

import json
import os
import socket
from pathlib import Path

import pytest

import cli.commands.readers as readers_command
from hardware.io import Port, save
from hardware.table_texts import ReaderEntry
from hardware.tags import Book, Kind, Tag
from hardware.uids import parse

from .conftest import Shoal as Run
from .hardware_programs import Shoal, emulated

NINE = "04A3C6CAE26180"
OTHER = "0463F80A4F5381"


@pytest.fixture
def book(home: Path) -> None:
    tags = [Tag(parse(NINE), Kind.CARD, "9S"), Tag(parse("13005D1DA5"), Kind.PLAYER, "Ben")]
    save(home / "tags.toml", Book(tags))


# --- the list -----------------------------------------------------------------------------------------------


def test_ports_are_listed_with_the_name_that_stays(
    shoal: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, opened = tmp_path / "closed", tmp_path / "opened"
    closed.touch(0o600)
    opened.touch()
    ports = [
        Port(str(opened), 0x1A86, 0x7523, None, "1-1", "USB Serial"),
        Port(str(closed), 0x2341, 0x0043, "853", "1-2"),
    ]
    monkeypatch.setattr(readers_command, "list_ports", lambda: ports)
    real = os.access
    monkeypatch.setattr(
        readers_command.os, "access", lambda path, mode: path == str(opened) and real(path, mode)
    )
    home.mkdir()
    (home / "table.toml").write_text(
        'shoal-table = 1\n[[reader]]\nname = "uno"\nkind = "text"\nport = "usb:2341:0043:853"\n', "utf-8"
    )
    lines = shoal("readers").out.splitlines()
    assert lines[0] == f"{opened} (USB Serial, 1a86:7523)  usb:1a86:7523"
    assert lines[1] == f"{closed} (Arduino, 2341:0043)  usb:2341:0043:853"
    assert lines[2].startswith(f"  You may not open {closed}: ")
    assert lines[3] == "Reader of the table: uno (text)  usb:2341:0043:853"
    found = json.loads(shoal("readers", "--json").out)
    assert [(port["name"], port["allowed"], port["reader"]) for port in found["ports"]] == [
        ("usb:1a86:7523", True, None),
        ("usb:2341:0043:853", False, "uno"),
    ]
    assert found["readers"] == [{"name": "uno", "kind": "text", "port": "usb:2341:0043:853", "options": {}}]


def test_without_ports_the_next_step_is_named(shoal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers_command, "list_ports", list)
    out = shoal("readers").out
    assert "No serial port is there" in out
    assert "readers emulate shoal" in out


def test_a_damaged_table_is_named_with_the_line(shoal: Run, home: Path) -> None:
    home.mkdir()
    (home / "table.toml").write_text('shoal-table = 1\n[[reader]]\nname = "a"\n', "utf-8")
    ran = shoal("readers")
    assert ran.code == 1
    assert ran.err.startswith("Error: table.toml, line 2: a reader needs a kind, a text of 1 to 40")


@pytest.mark.parametrize(
    ("args", "code", "why"),
    [
        (["--reader", "usb:12"], 2, "usb:12 is no port"),
        (["--reader", "/dev/none-such"], 5, "There is no port /dev/none-such: is the reader plugged in?"),
        (["--watch"], 5, "There is no reader to watch."),
        (["emulate", "lake"], 2, "'lake' is not one of"),
        (["emulate", "pn532", "--antennas", "2"], 2, "A pn532 has one antenna."),
        (["emulate", "text", "--script", "none.txt"], 2, "none.txt cannot be read"),
        (["emulate", "text", "--listen", "4000"], 2, "4000 is no address to listen at."),
        (["emulate", "text", "--listen", "a:1", "--link", "x"], 2, "A TCP port needs no link"),
    ],
)
def test_what_cannot_be_done_is_told(shoal: Run, args: list[str], code: int, why: str) -> None:
    ran = shoal("readers", *args)
    assert (ran.code, why in ran.err) == (code, True), ran


# --- what is on a port --------------------------------------------------------------------------------------


def test_a_port_is_asked_what_it_is(home: Path) -> None:
    reader, port = emulated(home, "shoal")
    with reader:
        with Shoal(home, "readers", "--reader", port) as asked:
            asked.says("At 115200 baud, asked for a Shoal reader: shoal-emulator 1.0.0 answered.")
            asked.says(f"{port} is a reader of the kind shoal.")
            assert asked.end() == 0
        with Shoal(home, "readers", "--reader", port, "--json") as asked:
            assert asked.event(kind="shoal")["port"] == port
            assert asked.end() == 0


@pytest.mark.parametrize(
    ("options", "told", "watched"),
    [
        ({"baud-rate": 9600}, "a reader of the kind text, at 9600 baud.", "--reader /dev/ttyX9"),
        ({}, "a reader of the kind text.", "--reader /dev/ttyX9:text"),
    ],
)
def test_the_command_that_watches_a_reader_finds_its_speed(
    shoal: Run,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, bool | int | str],
    told: str,
    watched: str,
) -> None:
    async def found(*_args: object) -> list[ReaderEntry]:
        return [ReaderEntry("nano", "text", "/dev/ttyX9", options)]

    monkeypatch.setattr(readers_command, "entries_of", found)
    ran = shoal("readers", "--reader", "/dev/ttyX9")
    assert f"/dev/ttyX9 is {told}\n" in ran.out
    assert f"readers --watch {watched}\n" in ran.out


@pytest.mark.slow
def test_what_is_not_known_is_told_with_what_was_seen(home: Path) -> None:
    reader, port = emulated(home, "text")
    with reader, Shoal(home, "readers", "--reader", port) as asked:
        asked.says("At 9600 baud, listened: nothing came.")
        asked.says(f"Error: No reader that Shoal knows was found on {port}.")
        assert asked.end() == 5


# --- watching -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("book")
def test_taps_are_shown_with_what_the_tag_is(home: Path, tmp_path: Path) -> None:
    (home / "table.toml").write_text(
        f'shoal-table = 1\n[[reader]]\nname = "pads"\nkind = "shoal"\nport = "{tmp_path / "link"}"\n'
        '[[pad]]\nreader = "pads"\nantenna = 1\nrole = "seat:Ben"\n',
        "utf-8",
    )
    reader, _ = emulated(home, "shoal", "--antennas", "2", "--link", str(tmp_path / "link"))
    with reader, Shoal(home, "readers", "--watch", "--json") as watch:
        assert watch.event(event="connected")["reader"] == "pads"
        watch.says("with 2 antennas")
        reader.type("place 9S on 1")
        placed = watch.event(event="placed")
        placed.pop("time")
        assert placed == {
            "event": "placed", "reader": "pads", "antenna": 1, "role": "seat:Ben",
            "uid": f"tag:{NINE}", "tag": {"kind": "card", "name": "9S"},
        }  # fmt: skip
        reader.type("remove 9♠", f"place {OTHER} on 0")
        assert watch.event(event="removed")["tag"]["name"] == "9S"
        assert "tag" not in watch.event(event="placed")
        reader.type("unplug")
        watch.event(event="lost")
        watch.event(event="unsure")
        reader.type("replug")
        watch.event(event="connected")
        watch.event(event="settled")
        watch.interrupt()
        assert watch.end() == 130


@pytest.mark.usefixtures("book")
def test_taps_are_shown_as_plain_lines(home: Path) -> None:
    reader, port = emulated(home, "shoal")
    with reader, Shoal(home, "readers", "--watch", "--reader", f"{port}:shoal") as watch:
        watch.says("Watching shoal; Ctrl-C ends it.")
        watch.says("with one antenna")
        reader.type("tap Ben", f"tap {OTHER}", "tap 08112233")
        assert watch.says("Ben was laid down")[8:] == "  shoal/0  Ben was laid down"
        watch.says("Ben was taken away")
        watch.says(f"the unknown tag iso14443a:{OTHER} was laid down")
        watch.says("This is a phone or bank card, which shows another id each time.")
        watch.interrupt()
        assert watch.end() == 130


@pytest.mark.usefixtures("book")
def test_a_keyboard_reader_is_watched_too(home: Path) -> None:
    with Shoal(home, "readers", "--watch", "--reader", "keyboard", "--json") as watch:
        watch.type("0006102437", "hello", "13005D1DA5")
        assert watch.event(event="tapped")["tag"]["name"] == "Ben"
        assert watch.event(event="tapped")["tag"]["name"] == "Ben"
        assert watch.process.stdin is not None
        watch.process.stdin.close()
        assert watch.end() == 0


# --- emulating ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("book")
def test_a_script_drives_a_reader_and_then_lines_do(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "game.txt"
    script.write_text("place Ben   # a token\n0.1 remove Ben\nplace 9S\n", "utf-8")
    with Shoal(home, "readers", "emulate", "shoal", "--script", str(script)) as reader:
        port = reader.says("is at /dev/").rpartition(" ")[2]
        assert Path(port).is_char_device()
        reader.says(f"{port}:shoal")
        reader.says("Ben lies on antenna 0.")
        reader.says("Ben was taken away.")
        reader.says("9♠ lies on antenna 0.")
        reader.type("jump", "help", "remove 9S", "quit")
        reader.says("'jump' is no command, no enrolled tag and no id of a tag; help lists the commands.")
        reader.says("tap tags that nobody has yet, one after the other")
        reader.says("9♠ was taken away.")
        assert reader.end() == 0


def test_a_wrong_script_is_told_before_anything_happens(shoal: Run, tmp_path: Path) -> None:
    script = tmp_path / "game.txt"
    script.write_text("tap 04A3C6CAE26180\n\ntap 9S\n", "utf-8")
    ran = shoal("readers", "emulate", "text", "--script", str(script))
    assert (ran.code, ran.err.splitlines()[0]) == (
        2, "Error: line 3: '9S' is no command, no enrolled tag and no id of a tag; help lists the commands.",
    )  # fmt: skip


def test_on_tcp_the_bytes_are_those_of_the_reader(home: Path) -> None:
    reader, port = emulated(home, "rdm6300", "--listen", "127.0.0.1:0")
    with reader:
        host, number = port.removeprefix("socket://").split(":")
        with socket.create_connection((host, int(number)), timeout=60) as line:
            reader.type("place 13005D1DA5")
            data = b""
            while len(data) < 28:
                data += line.recv(64)
        assert data[:28] == b"\x0213005D1DA5F6\x03" * 2
        reader.type("quit")
        assert reader.end() == 0


def test_where_there_are_no_pseudo_terminals_the_other_way_is_named(
    shoal: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "openpty")
    ran = shoal("readers", "emulate", "text")
    assert (ran.code, "use a TCP port with --listen HOST:PORT." in ran.err) == (5, True)


def test_nothing_of_a_system_without_terminals_is_imported() -> None:
    """Windows has neither pty nor termios nor tty; the modules must be importable there."""
    import subprocess
    import sys

    code = (
        "import sys\n"
        "for name in ('pty', 'tty', 'termios', 'fcntl', 'grp', 'pwd'): sys.modules[name] = None\n"
        "import hardware.io.emulators, hardware.emulators, hardware.pads, hardware.table_texts, hardware.io\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
