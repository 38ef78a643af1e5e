"""A bot of one's own whose store is damaged or gone: the game would wait for it for ever, so it is said."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.commands import doctor
from cli.options import Settings
from tests.cli.test_sealed_commands import SMALL, shoal

pytestmark = pytest.mark.network

NAME = "shoal.sqlite3"


@pytest.fixture(scope="module")
def paused(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("own") / "home"
    assert shoal(home, "play", "go-fish", "--bots", "2", "--name", "Ann", *SMALL, text="quit\n")[0] == 0
    return home


@pytest.fixture
def home(paused: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(paused, tmp_path / "home"))


def first_bot(home: Path) -> tuple[Path, str]:
    folder = min((home / "bots").iterdir())
    return folder, json.loads((folder / "bot.json").read_text())["name"]


def empty(folder: Path) -> None:
    for each in folder.glob(f"{NAME}*"):
        each.unlink()
    (folder / NAME).touch()


def overwrite(folder: Path) -> None:
    for each in folder.glob(f"{NAME}*"):
        each.unlink()
    (folder / NAME).write_bytes(os.urandom(20_000))


def overwrite_all(folder: Path) -> None:
    for each in [path for path in folder.rglob("*") if path.is_file()]:
        each.write_bytes(os.urandom(20_000))


def state(home: Path) -> str:
    (entry,) = json.loads(shoal(home, "games", "--json")[1])
    return str(entry["state"])


def doctors_word(home: Path) -> str:
    return doctor._data(Settings(home=str(home))).state


@pytest.mark.parametrize("harm", [empty, overwrite])
def test_the_lost_store_of_a_bot_is_named_and_rebuilt(home: Path, harm: Callable[[Path], None]) -> None:
    folder, name = first_bot(home)
    harm(folder)
    assert state(home) == "lost"
    assert doctors_word(home) == "problem"
    code, out, err = shoal(home, "resume", "--auto")
    assert (code, out) == (6, "")
    assert name in err
    assert "--rebuild" in err
    code, out, err = shoal(home, "resume", "--rebuild", "--auto")
    assert (code, err) == (0, ""), out
    assert "Everyone has signed the result." in out


@pytest.mark.parametrize("harm", [shutil.rmtree, overwrite_all])
def test_a_bot_that_cannot_come_back_is_named_and_the_game_can_be_stopped(
    home: Path, harm: Callable[[Path], None]
) -> None:
    folder, name = first_bot(home)
    harm(folder)
    assert doctors_word(home) == "problem"
    assert state(home) == "gone"
    for option in ((), ("--rebuild",), ("--resign",)):
        code, out, err = shoal(home, "resume", "--auto", *option)
        assert code == 6, out
        assert name in err
    code, _out, err = shoal(home, "games", "--stop", err.split("games --stop ")[1].split()[0], "--yes")
    assert (code, err) == (0, "")
    assert state(home) == "stopped"


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_bytes(b"\0" * 40)])
def test_the_small_file_of_a_bot_is_made_anew(home: Path, harm: Callable[[Path], object]) -> None:
    """Its store and key are whole, so nothing is lost but how well it plays."""
    folder, name = first_bot(home)
    harm(folder / "bot.json")
    assert state(home) == "paused"
    code, out, err = shoal(home, "resume", "--auto", "--level", "sharp")
    assert (code, err) == (0, ""), out
    told = " ".join(out.split())
    assert f"bot.json was damaged; it is made anew, and {name} goes on at the level sharp." in told
    assert "Everyone has signed the result." in out
    assert not list((home / "bots").iterdir())


def test_the_lost_store_and_small_file_of_a_bot_are_rebuilt_by_its_key(home: Path) -> None:
    folder, name = first_bot(home)
    overwrite(folder)
    (folder / "bot.json").write_bytes(b"")
    assert state(home) == "lost"
    code, out, err = shoal(home, "resume", "--rebuild", "--auto")
    assert (code, err) == (0, ""), out
    assert name in out
    assert "Everyone has signed the result." in out


def test_a_game_whose_seats_are_whole_is_nothing_to_speak_of(home: Path) -> None:
    assert state(home) == "paused"
    assert doctors_word(home) == "ok"
