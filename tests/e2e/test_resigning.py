"""Who plays against bots alone resigns: the game ends at once, for the player and who reads it later."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.program import PATIENCE, ROOT, Program

pytestmark = [pytest.mark.slow, pytest.mark.network]


def shoal(home: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """A command that has to end by itself."""
    env = {**os.environ, "SHOAL_HOME": str(home), "SHOAL_LANG": "en"}
    return subprocess.run(
        [sys.executable, "-m", "cli", *args],
        capture_output=True, text=True, cwd=ROOT, env=env, timeout=PATIENCE, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["go-fish", "casino", "one-fish", "discount-salmon"])
def test_a_game_against_bots_ends_when_its_only_person_resigns(
    name: str, tmp_path: Path, programs: list[Program]
) -> None:
    ann = Program(tmp_path, "play", name, "--bots", "2", "--name", "Ann", "--reaction", "60")
    programs.append(ann)
    ann.sees(r"Your hand|Shuffling")
    for said in ("no", "nonsense", ""):
        before = ann.text.count("Nothing changes.")
        ann.types("resign")
        ann.sees(
            rf"(?s)(Nothing changes\..*){{{before}}}You leave this game for good, with your bots "
            r"\w+ and \w+\. The game then ends, and nobody wins: nobody is left to play\. Type yes to do it;"
        )
        ann.types(said)
        ann.sees(rf"(?s)(Nothing changes\..*?){{{before + 1}}}")
    ann.types("resign")
    ann.types("yes")
    ann.sees("Nobody wins")
    assert ann.ends() == 0
    number = re.findall(r"-([0-9a-f]{8})\.shoal", ann.text)[-1]
    assert "You may watch" not in ann.text
    assert "has signed the result" not in ann.text

    (entry,) = json.loads(shoal(tmp_path, "games", "--json").stdout)
    assert (entry["id"], entry["state"]) == (number, "finished")
    facts = json.loads(shoal(tmp_path, "verify", number, "--json").stdout)
    assert (facts["verdict"], facts["finished"], facts["outcome"]["reason"]) == ("sound", True, "left")
    assert [each["seat"] for each in facts["left"]] == [0, 1, 2]
    target = tmp_path / "again.shoal"
    assert shoal(tmp_path, "export", number, str(target)).returncode == 0
    Path(entry["record"]).unlink()  # as if it had been stopped before it was written
    target.unlink()
    assert shoal(tmp_path, "export", number, str(target)).returncode == 0
    assert "SOUND: nobody lied" in shoal(tmp_path, "verify", str(target)).stdout
    assert shoal(tmp_path, "replay", str(target), "--plain").returncode == 0
    assert "That game is over." in shoal(tmp_path, "resume", number).stderr
