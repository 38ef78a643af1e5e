"""Finding commands, errors in one place, exit codes, and a help that appears at once."""

from __future__ import annotations

import errno
import subprocess
import sys
from importlib import import_module
from inspect import cleandoc
from pathlib import Path

import click
import pytest

from cli import errors
from cli.configuration import family
from cli.errors import Failure, Interrupted, explain
from cli.main import COMMANDS, run
from tests.cli.conftest import Shoal

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("engine", "p2p", "zeroconf", "prompt_toolkit", "cryptography", "msgspec", "asyncio")


def test_help_imports_nothing_heavy() -> None:
    code = f"import sys, cli.main; cli.main.run(['--help']); print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Let bots play many games" in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(shoal, name: str) -> None:
    ran = shoal(name, "--help")
    assert ran.code == 0
    assert "Example:" in ran.out
    assert f"shoal {name}" in ran.out
    assert ran.err == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_each_part_of_a_command_has_an_example_of_its_own(name: str) -> None:
    command = import_module(f"cli.commands.{name}").command
    parts = {
        f"shoal {name} {part.name}": cleandoc(part.help or "")
        for part in family(command)
        if part is not command
    }
    assert [each for each, text in parts.items() if f"Example:\n  {each}" not in text] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name: str) -> None:
    command = import_module(f"cli.commands.{name}").command
    undescribed = [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
    assert undescribed == []


def test_no_command_at_all_shows_the_help(shoal) -> None:
    ran = shoal()
    assert ran.code == 0
    assert all(name in ran.out for name in COMMANDS)


@pytest.mark.parametrize(
    ("typed", "meant"), [("plai", "play or replay"), ("veriffy", "verify"), ("jion", "join")]
)
def test_an_unknown_command_names_the_nearest(shoal, typed: str, meant: str) -> None:
    ran = shoal(typed)
    assert ran.code == errors.USAGE
    assert f'There is no command "{typed}"; did you mean {meant}?' in ran.err
    assert ran.out == ""


def test_an_unknown_command_is_repeated_without_control_characters(shoal) -> None:
    ran = shoal("\x1b[31mx" * 20)
    assert ran.code == errors.USAGE
    assert "\x1b" not in ran.err
    assert len(ran.err) < 200


def test_an_unknown_option_says_where_to_look(shoal) -> None:
    ran = shoal("verify", "--fast", "x.shoal")
    assert ran.code == errors.USAGE
    assert "--fast" in ran.err
    assert "shoal verify --help" in ran.err


def test_the_version(shoal) -> None:
    assert shoal("--version").out.startswith("shoal")


def test_every_known_error_exists() -> None:
    """The table names classes as text, so that nothing has to be imported to print an error."""
    for name in errors._KNOWN:
        module, _, kind = name.rpartition(".")
        found = getattr(import_module(module), kind)
        assert issubclass(found, Exception)
        # Where it is defined, not where it is passed on: that is what an error says of itself.
        assert f"{found.__module__}.{found.__qualname__}" == name


def test_a_failure_inside_a_group_is_explained() -> None:
    group = ExceptionGroup("tasks", [Failure("No.", code=errors.NETWORK)])
    failure = explain(group)
    assert failure is not None
    assert failure.code == errors.NETWORK
    assert explain(ExceptionGroup("tasks", [Failure("No."), ZeroDivisionError()])) is None


def test_a_full_disk_is_no_bug() -> None:
    failure = explain(OSError(errno.ENOSPC, "No space left on device", "game.shoal"))
    assert failure is not None
    assert failure.code == errors.STORAGE
    assert "game.shoal" in failure.message
    assert explain(ConnectionResetError()) is None


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr("cli.commands.rules.game", fail)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Failure("Bad thing.", "Do that.", errors.NETWORK), 3),
        (Interrupted("Paused."), 130),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (OSError(errno.ENOSPC, "No space left on device"), 6),
        (OSError(errno.EMFILE, "Too many open files", "x"), 6),
        (MemoryError(), 6),
        (RuntimeError("can't start new thread"), 6),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), 6),
        (ImportError("libx.so: failed to map segment from shared object"), 6),
        (ExceptionGroup("tasks", [MemoryError(), ZeroDivisionError("secret")]), 6),
        (RuntimeError("secret"), 70),
        (ZeroDivisionError("secret"), 70),
    ],
)
def test_exit_codes(shoal, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int) -> None:
    failing(monkeypatch, error)
    ran = shoal("rules", "go-fish")
    assert ran.code == code
    assert "Traceback" not in ran.err
    assert "secret" not in ran.err
    assert ran.err.lstrip().startswith("Error: ") == (code != 130)


def test_what_fails_because_memory_is_short_is_no_bug() -> None:
    try:
        try:
            raise MemoryError
        except MemoryError:
            raise ValueError("no reason supplied")  # noqa: B904  # as it happens in the handling of the first
    except ValueError as error:
        failure = explain(ExceptionGroup("tasks", [error]))
    assert failure is not None
    assert failure.message.startswith("There is not enough free memory")


def test_a_traceback_only_with_debug(shoal, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, ZeroDivisionError("deep down"))
    assert "deep down" in shoal("--debug", "rules", "go-fish").err
    assert "deep down" in shoal("rules", "go-fish", "--debug").err


def test_an_expected_failure_has_no_traceback_with_debug_but_what_led_to_it(
    shoal, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = Failure("Bad thing.", "Do that.", errors.NETWORK)
    failure.__cause__ = ConnectionResetError(errno.ECONNRESET, "Connection\nreset")
    failure.__cause__.__context__ = ValueError("deep down")
    failing(monkeypatch, failure)
    assert shoal("rules", "go-fish").err == "Error: Bad thing.\n  Next: Do that.\n"
    ran = shoal("--debug", "rules", "go-fish")
    assert ran.code == 3
    reset = f"ConnectionResetError: [Errno {errno.ECONNRESET}] Connection reset"
    assert ran.err == (f"Error: Bad thing.\n  Next: Do that.\n  Caused by: {reset}; ValueError: deep down\n")


def test_a_failure_that_hides_its_cause_is_one_sentence_with_debug(
    shoal, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = ExceptionGroup("two", [Failure("Bad thing."), Failure("And another.")])
    failure.exceptions[0].__context__ = ValueError("deep down")
    failure.exceptions[0].__suppress_context__ = True
    failing(monkeypatch, failure)
    assert shoal("rules", "go-fish", "--debug").err == "Error: Bad thing.\n"


def test_home_may_stand_before_or_after_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "unused"))
    for args in (["--home", str(tmp_path / "a"), "games"], ["games", "--home", str(tmp_path / "b")]):
        assert run(args) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
    assert "No games" in capsys.readouterr().out


def test_a_data_folder_that_cannot_be_made(shoal, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    ran = shoal("--home", str(tmp_path / "file" / "home"), "games")
    assert ran.code == errors.STORAGE
    assert "--home" in ran.err


def test_help_is_a_command_too(shoal) -> None:
    assert shoal("help") == shoal("--help")
    assert shoal("help", "play") == shoal("play", "--help")
    assert shoal("help", "paly").code == errors.USAGE


@pytest.mark.parametrize("command", ["play", "host", "simulate"])
def test_without_a_game_the_games_are_named(shoal, command: str) -> None:
    ran = shoal(command)
    assert ran.code == errors.USAGE
    assert "Which game? There are casino, discount-salmon, go-fish, one-fish" in ran.err
    assert f"{command} go-fish" in ran.err


def test_a_wrong_option_leads_to_the_options_of_that_game(shoal) -> None:
    ran = shoal("play", "casino", "--set", "dealer=9")
    assert ran.code == errors.USAGE
    assert "rules casino --options lists the options." in ran.err


@pytest.mark.parametrize(
    "command",
    [["verify"], ["replay"], ["tags", "check", "--deck"], ["scenario"], ["play", "go-fish", "--deck"]],
)
def test_an_endless_path_is_one_sentence(shoal: Shoal, command: list[str]) -> None:
    found = shoal(*command, "x" * 5000)
    assert found.code in (2, 6)
    assert "too long" in found.err.lower()
    assert len(found.err) < 5400
