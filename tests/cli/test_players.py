"""players, games and doctor on a store that has something in it; verdicts that no sound game gives."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cli.errors import explain
from engine.contract import Outcome
from p2p.identity import fingerprint
from p2p.io.store import Store, StoreFull
from p2p.link import KnownPlayer
from p2p.log.record import MAGIC
from p2p.verify import Report

BEN = KnownPlayer("Ben", b"\x01" * 32, 1_700_000_000)


@pytest.fixture
def met(home: Path) -> Path:
    """A home that knows Ben and Zoe."""
    with Store.open(home) as store:
        store.create_identity(bytes(32), "Ann")
        store.remember(BEN)
        store.remember(KnownPlayer("Zoe", b"\x02" * 32, 1_700_000_000))
    return home


def test_players_are_listed_with_words_and_date(shoal, met: Path) -> None:
    out = shoal("players").out
    assert out.startswith("Your own key: ")
    assert f"Ben  met 2023-11-14, not verified  key: {' '.join(fingerprint(BEN.public))}" in out
    facts = json.loads(shoal("players", "--json").out)
    assert [each["name"] for each in facts] == ["Ben", "Zoe"]
    assert facts[0]["key"] == BEN.public.hex()


def test_rename_verify_forget(shoal, met: Path) -> None:
    assert shoal("players", "verify", "ben").code == 0
    assert shoal("players", "rename", "BEN", "Ben from work").out == "Ben is Ben from work now.\n"
    facts = json.loads(shoal("players", "--json").out)
    assert (facts[0]["name"], facts[0]["verified"]) == ("Ben from work", True)
    assert shoal("players", "forget", "Zoe").out == "Zoe is forgotten.\n"
    assert len(json.loads(shoal("players", "--json").out)) == 1


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("rename", "Yan", "X"), 2, 'You know no player called "Yan".'),
        (("rename", "Ben", "Zoe"), 6, "already stored"),
        (("rename", "Ben", "x" * 300), 2, "too long"),
        (("rename", "Ben", "a\x1bb"), 2, "control characters"),
        (("verify", "\x1b[2J"), 2, "You know no player"),
        (("frget", "Ben"), 2, "frget"),
    ],
)
def test_players_that_cannot_be_changed(
    shoal, met: Path, args: tuple[str, ...], code: int, sentence: str
) -> None:
    ran = shoal("players", *args)
    assert ran.code == code
    assert sentence in ran.err
    assert "\x1b" not in ran.err


def test_an_empty_home(shoal) -> None:
    assert "met nobody yet" in shoal("players").out
    assert "No games" in shoal("games").out
    assert json.loads(shoal("games", "--json").out) == []
    for args in (("resume",), ("resume", "abcd"), ("export", "abcd")):
        ran = shoal(*args)
        assert ran.code == 2
        assert ran.err.startswith("Error: ")


@pytest.mark.parametrize("name", ["", " ", "x" * 33, "a\tb", "a\u202eb"])
def test_names_that_nobody_can_have(shoal, name: str) -> None:
    for args in (("play", "go-fish"), ("host", "go-fish"), ("join", "127.0.0.1:9")):
        ran = shoal(*args, "--name", name)
        assert ran.code == 2
        assert "name" in ran.err.lower()


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("play", "go-fish", "--bots", "0"), "from 1 to 5"),
        (("play", "go-fish", "--bots", "6"), "from 1 to 5"),
        (("play", "go-fish", "--level", "genius"), "random, careful"),
        (("play", "go-fish", "--record", "/nowhere/game.shoal"), "folder that exists"),
        (("play", "go-fish", "--reveal", "maybe"), "--reveal"),
        (
            ("host", "go-fish", "--seats", "3", "--bots", "2"),
            "You, 2 bots and a guest need 4",
        ),
        (("host", "go-fish", "--start-when", "5"), "from 2 to 4"),
        (("host", "go-fish", "--port", "70000"), "--port"),
        (("verify", "/nowhere.shoal"), "cannot be read"),
        (("verify",), "FILE"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_refused_arguments(shoal, args: tuple[str, ...], sentence: str) -> None:
    ran = shoal(*args)
    assert ran.code == 2
    assert sentence in ran.err


def test_a_full_disk_has_its_exit_code() -> None:
    failure = explain(ExceptionGroup("tasks", [StoreFull(path="/x")]))
    assert failure is not None
    assert failure.code == 6
    assert "full" in failure.message


@pytest.mark.network
def test_doctor(shoal, home: Path, tmp_path: Path) -> None:
    ran = shoal("doctor", "--json")
    found = {each["name"]: each["state"] for each in json.loads(ran.out)}
    assert list(found) == [
        "python",
        "libsodium",
        "packages",
        "data",
        "port",
        "addresses",
        "mdns",
        "terminal",
        "serial",
        "mqtt",
    ]
    assert found["python"] == found["data"] == "ok"
    assert ran.code == ("problem" in found.values())


@pytest.mark.network
def test_doctor_says_how_to_get_what_readers_need(shoal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "serial", None)
    monkeypatch.setitem(sys.modules, "aiomqtt", None)
    ran = shoal("doctor", "--json")
    found = {each["name"]: (each["state"], each["detail"]) for each in json.loads(ran.out)}
    for name, package in (("serial", "pyserial>="), ("mqtt", "aiomqtt>=")):
        state, detail = found[name]
        assert state == "warning"
        assert f'{sys.executable} -m pip install "{package}' in detail


@pytest.mark.network
def test_doctor_finds_a_data_folder_that_cannot_be(shoal, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = shoal("--home", str(tmp_path / "file" / "home"), "doctor")
    assert ran.code == 1
    assert "problem  data" in ran.out


VERDICTS = [
    (Report("damaged", "the file is truncated"), 1, "DAMAGED: the file is truncated. The file was changed"),
    (
        Report("cheated", "a claim does not hold", 1, 41, players=("Ann", "Ben"), table_id=bytes(32)),
        4,
        "CHEATED: Ben cheated at step 41: a claim does not hold. Ben loses",
    ),
    (
        Report(
            "sound", players=("Ann", "Ben"), table_id=bytes(32), confirmed_by=(0,),
            outcome=Outcome("stock-empty", (2, 2), (0, 1)),
        ),
        0,
        "Not confirmed by Ben.\nSOUND so far",
    ),
    (
        Report(
            "sound", players=("Ann", "Ben"), table_id=bytes(32), finished=True, closed=True,
            outcome=Outcome("left", (0, 0), ()), left=((9, 0), (9, 1)), unconfirmed=(0, 1), keepers=(0, 1),
        ),
        0,
        "All have left the game, so nobody was there to sign the result.\nSOUND",
    ),
    (
        Report(
            "sound", players=("Ann", "Ben", "Cem"), table_id=bytes(32), finished=True, closed=True,
            outcome=Outcome("left", (0, 0, 0), ()), left=((9, 1),), confirmed_by=(0,), unconfirmed=(1,),
            keepers=(0, 1, 2),
        ),
        0,
        "Ben had left, and signed no result.\nNot confirmed by Cem.\nSOUND",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("report", "code", "sentence"),
    VERDICTS,
    ids=["damaged", "cheated", "unconfirmed", "deserted", "one-left"],
)
def test_verdicts(
    shoal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: Report, code: int, sentence: str
) -> None:
    """What people and scripts read of each verdict; that verify finds it is tested with verify."""
    (tmp_path / "game.shoal").write_bytes(MAGIC)
    monkeypatch.setattr("cli.commands.verify.verify", lambda *args: report)
    ran = shoal("verify", str(tmp_path / "game.shoal"))
    assert (ran.code, sentence in ran.out) == (code, True)
    facts = json.loads(shoal("verify", str(tmp_path / "game.shoal"), "--json").out)
    assert (facts["verdict"], facts["seat"], facts["step"]) == (report.verdict, report.seat, report.step)


def test_a_file_that_is_no_record_is_called_so(shoal, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("milk, bread")
    ran = shoal("verify", str(tmp_path / "notes.txt"))
    assert (ran.code, ran.out) == (1, f"{tmp_path / 'notes.txt'} is not a Shoal game file.\n")
