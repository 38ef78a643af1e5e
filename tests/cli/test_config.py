"""Settings from flags, the environment and the file, and who wins."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from p2p.io.store import Store
from tests.cli.conftest import Shoal
from tests.cli.lobby.stage import facts


@pytest.fixture
def file(home: Path) -> Path:
    """Where the configuration of this test is."""
    home.mkdir()
    return home / "config.toml"


def sources(out: str) -> dict[str, tuple[object, str]]:
    return {name: (each["value"], each["from"]) for name, each in json.loads(out)["settings"].items()}


def test_a_flag_goes_before_the_environment_and_that_before_the_file(
    shoal: Shoal, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('level = "random"\nbots = 2\n[play]\nreveal = "never"\n', "utf-8")
    monkeypatch.setenv("SHOAL_LEVEL", "sharp")
    found = sources(shoal("config", "show", "play", "go-fish", "--bots", "4", "--json").out)
    assert found["bots"] == (4, "flag")
    assert found["level"] == ("sharp", "environment")
    assert found["reveal"] == ("never", "file")
    assert found["auto"] == (False, "default")
    found = sources(shoal("config", "show", "host", "go-fish", "--json").out)
    assert (found["bots"], found["reveal"]) == ((2, "file"), ("end", "default"))


def test_a_command_uses_what_the_file_says(shoal: Shoal, file: Path) -> None:
    file.write_text("[simulate]\ngames = 7\nseed = 3\njson = true\n", "utf-8")
    found = json.loads(shoal("simulate", "go-fish").out)
    assert found["games"] == 7
    assert json.loads(shoal("simulate", "go-fish", "--games", "4").out)["games"] == 4


def test_the_language_may_stand_in_the_file(
    shoal: Shoal, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('lang = "mk"\n', "utf-8")
    monkeypatch.delenv("SHOAL_LANG")
    assert "Правила" in shoal("rules").out or "игра" in shoal("rules").out
    monkeypatch.setenv("SHOAL_LANG", "en")
    assert "игра" not in shoal("rules").out


def test_setting_keeps_comments_and_other_settings(shoal: Shoal, file: Path) -> None:
    file.write_text('# mine\nname = "Ann" # me\n\n[host]\nport = 7470 # free\n', "utf-8")
    assert shoal("config", "set", "name", "Anna").code == 0
    assert shoal("config", "set", "ascii", "yes").code == 0
    assert shoal("config", "set", "--for", "host", "seats", "3").code == 0
    assert shoal("config", "unset", "--for", "host", "port").code == 0
    text = file.read_text("utf-8")
    assert text.startswith('# mine\nname = "Anna" # me\nascii = true\n')
    assert "seats = 3" in text
    assert "port" not in text
    found = json.loads(shoal("config", "--json").out)
    assert (found["all"], found["tables"]) == ({"name": "Anna", "ascii": True}, {"host": {"seats": 3}})
    assert re.search(r"\n  name +Anna +file\n", shoal("config").out)
    assert re.search(r"\n  \[host\] seats +3 +file\n", shoal("config").out)


def test_all_settings_of_the_lobby_are_listed_with_where_they_come_from(
    shoal: Shoal, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('level = "random"\n[host]\nport = 7470\n', "utf-8")
    monkeypatch.setenv("SHOAL_SUITS", "four")
    rows = [re.split(r" {2,}", line.strip()) for line in shoal("config", "--ascii").out.splitlines()[1:-1]]
    found = {name: (value, where) for name, value, where in rows}
    assert {each.key for each in facts().settings} <= {*found, "port"}
    assert len(found) >= 19
    assert found["level"] == ("random", "file")
    assert found["[host] port"] == ("7470", "file")
    assert found["suits"] == ("four", "environment, SHOAL_SUITS")
    assert found["ascii"] == ("yes", "command line")
    assert found["grace"][1] == "default"


def test_the_first_setting_makes_the_file(shoal: Shoal, home: Path) -> None:
    assert shoal("config", "set", "for-nobody", "x").code == 2
    assert not (home / "config.toml").exists()
    assert shoal("config", "set", "name", "Ann").code == 0
    assert Path(shoal("config", "path").out.strip()) == home / "config.toml"
    assert (home / "config.toml").read_text("utf-8") == 'name = "Ann"\n'


def test_a_folder_of_a_player_who_is_not_here_is_taken_as_it_is_typed(
    shoal: Shoal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a shell takes it; ``Path.expanduser`` raises."""
    monkeypatch.chdir(tmp_path)
    for command in (("config", "path"), ("games",), ("play", "no-game")):
        ran = shoal("--home", "~nobody-of-this-name/x", *command)
        assert "Traceback" not in ran.err
        assert ran.code == (2 if command[0] == "play" else 0)
    assert (tmp_path / "~nobody-of-this-name" / "x").is_dir()


@pytest.mark.parametrize(
    ("text", "args", "code", "shown"),
    [
        ("name = ", ("rules",), 2, "not TOML"),
        ("name = [1]", ("rules",), 2, "name needs"),
        ('home = "x"', ("rules",), 2, "home cannot be set"),
        ("[play]\ndebug = true", ("rules",), 2, "debug cannot be set"),
        ("[rules]\nbots = 1", ("rules",), 2, "[rules] has no setting bots"),
        ('bots = "many"', ("play", "go-fish"), 2, "The value stands in"),
        ("x = 1\n" * 20_000, ("rules",), 2, "larger"),
    ],
    ids=["syntax", "type", "home", "debug", "unknown", "value", "size"],
)
def test_mistakes_in_the_file_are_told_in_a_sentence(
    shoal: Shoal, file: Path, text: str, args: tuple[str, ...], code: int, shown: str
) -> None:
    file.write_text(text, "utf-8")
    ran = shoal(*args)
    assert ran.code == code
    assert shown in ran.err
    assert str(file) in ran.err


def test_a_file_in_another_encoding(shoal: Shoal, file: Path) -> None:
    file.write_bytes(b'name = "Andr\xe9"')
    ran = shoal("rules")
    assert (ran.code, "not in UTF-8" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (("set", "home", "/x"), "There is no setting home"),
        (("set", "bots", "many"), "many"),
        (("set", "name", "Ann", "Lee"), "one value"),
        (("set", "--for", "nothing", "name", "Ann"), 'There is no command "nothing"'),
        (("unset", "name"), "is not set"),
        (("show", "nothing"), 'There is no command "nothing"'),
    ],
)
def test_mistakes_in_changing_a_setting(shoal: Shoal, file: Path, args: tuple[str, ...], shown: str) -> None:
    ran = shoal("config", *args)
    assert ran.code == 2
    assert shown in ran.err
    assert not file.exists()


@pytest.mark.parametrize("key", ["name", "plain", "suits"])
def test_a_bad_value_in_the_file_is_mended_by_setting_it(shoal: Shoal, file: Path, key: str) -> None:
    file.write_text(f'{key} = "{"x" * 400}"\n', "utf-8")
    good = {"name": "Ann", "plain": "yes", "suits": "two"}[key]
    assert shoal("config", "set", key, good).code == 0
    assert shoal("config").code == 0


@pytest.mark.parametrize("name", ["", " ", "x" * 400, "a\tb"])
def test_a_bad_name_is_refused_wherever_it_comes_from(shoal: Shoal, file: Path, name: str) -> None:
    assert shoal("config", "set", "name", name).code == 2
    assert not file.exists()
    found = shoal("play", "go-fish", "--name", name, "--auto", "--plain")
    assert (found.code, "'--name': " in found.err) == (2, True)


def test_the_name_that_was_given_once_is_shown_and_where_it_is_kept(shoal: Shoal, home: Path) -> None:
    assert "identity" not in shoal("config").out
    with Store.open(home) as store:
        store.create_identity(bytes(32), "Ann")
    shown = shoal("config").out
    assert re.search(r"name +Ann +kept with your identity", shown)
    assert "config set name Ann" in shown
    assert sources(shoal("config", "--json").out)["name"] == (None, "default")
    assert shoal("config", "set", "name", "Bea").code == 0
    assert re.search(r"name +Bea +file", shoal("config").out)
