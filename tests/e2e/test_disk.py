"""The real program on a disk that is full or read-only, twice on one store, and with its clock set back."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TIME = 240
"""Seconds for one command on a busy machine: many times what it needs."""

WHOLE = ("--set", "end_mode=all_books")
"""To the last card: so many steps that what is full in mid-game is full in each of them."""

GAME = ("play", "go-fish", "--bots", "2", "--set", "ranks=6", "--set", "hand_size=3", *WHOLE,
        "--auto", "--plain")  # fmt: skip
YEAR = 365 * 24 * 3600

PYTHON = sys.executable


def _environment(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "SHOAL_HOME": str(home), "SHOAL_LANG": "en", "PYTHONPATH": str(ROOT), **more}


def shoal(home: Path, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
    """One command, to its end."""
    return subprocess.run(
        [PYTHON, "-m", "cli", *args], env=_environment(home, **more), cwd=ROOT, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=TIME, check=False,
    )  # fmt: skip


def error_lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What it complained of: an error and, as a rule, a next step; never a traceback."""
    assert "Traceback" not in done.stderr, done.stderr
    return done.stderr.strip().splitlines()


# --- the disk ---------------------------------------------------------------------------------------------


def mounted(home: Path, size: str, script: str) -> subprocess.CompletedProcess[str]:
    """A shell with a file system of its own at ``home``, which is gone with it; in it ``$SHOAL`` is the
    program."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("NO FULL OR READ-ONLY DISK WAS TESTED: a file system of one's own needs root on Linux")
    probe = subprocess.run(["unshare", "--mount", "true"], capture_output=True, text=True, check=False)
    if probe.returncode:
        pytest.skip(f"NO FULL OR READ-ONLY DISK WAS TESTED: {probe.stderr.strip()}")
    home.mkdir()
    whole = f'mount -t tmpfs -o size={size} tmpfs "$SHOAL_HOME" && SHOAL="{PYTHON} -m cli"\n{script}'
    return subprocess.run(
        ["unshare", "--mount", "/bin/sh", "-c", whole], env=_environment(home), cwd=ROOT,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * TIME, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_a_disk_that_fills_in_mid_game_is_one_sentence_and_the_game_goes_on_later(tmp_path: Path) -> None:
    """The game needs more room than there is; with more, ``resume`` ends it, and nothing was lost."""
    done = mounted(
        tmp_path / "home",
        "1100k",
        f"""
        $SHOAL {" ".join(GAME)} >/dev/null 2>"$SHOAL_HOME.err"; echo "first $?"; cat "$SHOAL_HOME.err"
        mount -o remount,size=64m "$SHOAL_HOME"
        $SHOAL resume --auto --plain --record "$SHOAL_HOME/game.shoal" >/dev/null; echo "second $?"
        $SHOAL verify "$SHOAL_HOME/game.shoal"; echo "third $?"
        """,
    )
    assert "first 6" in done.stdout, done.stdout + done.stderr
    assert re.search(r"The disk that holds .* is full", done.stdout)
    assert "Traceback" not in done.stdout + done.stderr
    assert "second 0" in done.stdout, done.stdout + done.stderr
    assert "SOUND" in done.stdout
    assert "third 0" in done.stdout


def test_a_disk_without_any_room_is_one_sentence(tmp_path: Path) -> None:
    script = """dd if=/dev/zero of="$SHOAL_HOME/ballast" bs=4k 2>/dev/null; $SHOAL play go-fish --auto"""
    done = mounted(tmp_path / "home", "128k", script)
    assert done.returncode == 6, done.stderr
    assert "full" in error_lines(done)[0] or "No space left" in error_lines(done)[0]
    assert len(error_lines(done)) <= 2


@pytest.mark.parametrize("command", ["play go-fish --auto --plain", "games", "resume", "players", "doctor"])
def test_a_read_only_folder_is_one_sentence(tmp_path: Path, command: str) -> None:
    """Made while it could be written to, and read-only afterwards, as on a disk that the system gave up."""
    script = f"""
    $SHOAL games >/dev/null || exit 99
    mount -o remount,ro "$SHOAL_HOME" || exit 98
    $SHOAL {command}"""
    done = mounted(tmp_path / "home", "4m", script)
    if command == "doctor":
        assert done.returncode == 1, done.stderr
        assert re.search(r"problem +data", done.stdout), done.stdout
        return
    assert done.returncode == 6, done.stdout + done.stderr
    assert len(error_lines(done)) <= 2, done.stderr


COMMANDS = (
    "play go-fish --auto --plain",
    "host go-fish --here-only --port 0 --plain",
    "join 127.0.0.1:1 --plain",
    "watch 127.0.0.1:1 --plain",
    "resume --auto --plain",
    'export "$ID" "$SHOAL_HOME/game.shoal"',
    'games --stop "$ID" --yes',
    "players",
    "config set name Zoe",
    "tags enroll --player Ana",
    'tags import "$SHOAL_HOME.toml"',
)
"""All that write. Ids of tags are typed."""

TAG, OTHER_TAG = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7"


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        ('mount -o remount,ro "$SHOAL_HOME"', r"is read-only|Read-only file system|read-only file system"),
        (
            'for size in 4k 1; do dd if=/dev/zero of="$SHOAL_HOME/$size" bs=$size 2>/dev/null; done',
            r"is full|No space left on device",
        ),
    ],
    ids=["read-only", "full"],
)
@pytest.mark.slow
def test_every_command_that_writes_says_what_is_wrong_and_loses_nothing(
    tmp_path: Path, harm: str, reason: str
) -> None:
    """One sentence that names the disk, exit code 6; and once it can be written to again, the game that was
    begun before goes on to its end, with the tags and the settings as they were."""
    runs = "\n".join(
        f'echo "=== {each}"; echo {OTHER_TAG} | $SHOAL {each} 2>&1 >/dev/null; echo "code $?"'
        for each in COMMANDS
    )
    done = mounted(
        tmp_path / "home",
        "16m",
        f"""
        $SHOAL play go-fish --bots 1 --plain --name Ann </dev/null >/dev/null || exit 98
        ID=$($SHOAL games --json | {PYTHON} -c 'import json,sys; print(json.load(sys.stdin)[0]["id"])')
        echo {TAG} | $SHOAL tags enroll --player Ben >/dev/null || exit 99
        sed "s/Ben/Cyd/; s/{TAG}/04A1B2C3D4E5F8/" "$SHOAL_HOME/tags.toml" >"$SHOAL_HOME.toml"
        {harm}
        {runs}
        echo "=== after"
        mount -o remount,rw "$SHOAL_HOME"; rm -f "$SHOAL_HOME/4k" "$SHOAL_HOME/1"
        $SHOAL tags list
        $SHOAL resume --auto --plain --record "$SHOAL_HOME/game.shoal" >/dev/null; echo "resumed $?"
        $SHOAL verify "$SHOAL_HOME/game.shoal"
        """,
    )
    before, _, after = done.stdout.partition("=== after")
    parts = before.split("=== ")[1:]
    assert len(parts) == len(COMMANDS), done.stdout + done.stderr
    for part in parts:
        lines = part.strip().splitlines()
        assert lines[-1] == "code 6", part
        assert re.search(reason, part), part
        assert 3 <= len(lines) <= 4, part  # the command, the sentence, perhaps a next step, and the code
    assert "Ben" in after
    assert "Ana" not in after
    assert "Cyd" not in after
    assert "resumed 0" in after, done.stdout + done.stderr
    assert "SOUND: nobody lied" in after


LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
os.execv(sys.executable, [sys.executable, "-m", "cli", *sys.argv[2:]])
"""
"""The program where no file may grow beyond so many bytes; anybody can have that, root or not."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits there")
def test_files_that_may_grow_no_further_are_one_sentence_and_the_game_goes_on_later(tmp_path: Path) -> None:
    home, record = tmp_path / "home", str(tmp_path / "game.shoal")
    begun = subprocess.run(
        [PYTHON, "-c", LIMITED, str(180 * 1024), *GAME], env=_environment(home), cwd=ROOT,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIME, check=False,
    )  # fmt: skip
    assert begun.returncode == 6, begun.stdout + begun.stderr
    assert re.search(r"The system lets .* grow no further; raise the limit", error_lines(begun)[0])
    assert len(error_lines(begun)) <= 2
    resumed = shoal(home, "resume", "--auto", "--plain", "--record", record)
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert "SOUND: nobody lied" in shoal(home, "verify", record).stdout


# --- two programs -----------------------------------------------------------------------------------------


def _playing(home: Path, *args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [PYTHON, "-m", "cli", *args], env=_environment(home, PYTHONUNBUFFERED="1"), cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def _wait_for(program: subprocess.Popen[str], pattern: str) -> str:
    assert program.stdout is not None
    read = ""
    for line in program.stdout:
        read += line
        if re.search(pattern, line):
            return read
    raise AssertionError(f"it ended without {pattern!r}: {read}")


@pytest.mark.slow
def test_a_seat_that_is_played_already_is_one_sentence_and_the_first_program_plays_on(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = _playing(home, "play", "go-fish", "--bots", "1", "--plain")
    try:
        _wait_for(first, "Your hand")
        second = shoal(home, "resume", "--auto", "--plain")
        assert second.returncode == 6, second.stdout + second.stderr
        assert "Another program plays this seat already" in error_lines(second)[0]
        assert len(error_lines(second)) <= 2
        assert first.poll() is None
        assert first.stdin is not None
        first.stdin.write("quit\n")
        first.stdin.close()
        assert first.wait(TIME) == 0
    finally:
        first.kill()
        first.wait(TIME)
        assert first.stdout is not None
        first.stdout.close()
    third = shoal(home, "resume", "--auto", "--plain")
    assert third.returncode == 0, third.stderr
    assert not list(home.glob("**/*.lock"))


@pytest.mark.slow
def test_a_program_that_was_killed_holds_no_seat(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = _playing(home, "play", "go-fish", "--bots", "1", "--plain")
    _wait_for(first, "Your hand")
    first.kill()
    first.communicate(timeout=TIME)
    assert shoal(home, "resume", "--auto", "--plain").returncode == 0


# --- the clock --------------------------------------------------------------------------------------------

CLOCK = """
import time
_real, _real_ns = time.time, time.time_ns
time.time = lambda: _real() - {back}
time.time_ns = lambda: _real_ns() - {back} * 10**9
"""
"""What Python runs first: the clock of the wall as it is after it was set back. The steady clock goes on."""


@pytest.mark.slow
def test_a_clock_set_back_a_year_changes_neither_a_game_nor_which_was_played_last(tmp_path: Path) -> None:
    home, back = tmp_path / "home", tmp_path / "back"
    back.mkdir()
    (back / "sitecustomize.py").write_text(CLOCK.format(back=YEAR))
    path = os.pathsep.join((str(back), str(ROOT)))
    told = subprocess.run(
        [PYTHON, "-c", "import time; print(time.time())"], env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=True, timeout=TIME,
    )  # fmt: skip
    assert time.time() - float(told.stdout) > YEAR - 60
    whole = shoal(home, *GAME)
    assert whole.returncode == 0, whole.stderr
    begun = _playing(home, "play", "go-fish", "--bots", "1", "--plain")
    _wait_for(begun, "Your hand")
    begun.kill()
    begun.communicate(timeout=TIME)
    record = str(tmp_path / "game.shoal")
    resumed = shoal(home, "resume", "--auto", "--plain", "--record", record, PYTHONPATH=path)
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert "SOUND" in shoal(home, "verify", record, PYTHONPATH=path).stdout
    assert "SOUND" in shoal(home, "verify", record).stdout
    listed = shoal(home, "games")
    years = re.findall(r"\b(20\d\d)-\d\d-\d\d", listed.stdout)
    assert len(years) == 2, listed.stdout
    assert int(years[0]) == int(years[1]) - 1, listed.stdout  # the game played last comes first
