"""Outputs that lack the suits get letters, not question marks."""

from __future__ import annotations

import codecs
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.encoding import READABLE, is_ascii_locale, readable

ROOT = Path(__file__).resolve().parents[2]


def test_signs_that_are_lacking_are_written_with_others() -> None:
    codecs.register_error(READABLE, readable)
    assert "9♠ 10♥ ✓ …".encode("ascii", READABLE) == b"9S 10H + ..."
    assert "Zoë ♣".encode("latin-1", READABLE) == "Zoë C".encode("latin-1")
    assert "日".encode("ascii", READABLE) == b"?"
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("ascii", READABLE)


@pytest.mark.parametrize(
    ("environ", "is_ascii"),
    [
        ({}, False),
        ({"LANG": "C"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LANG": "POSIX"}, True),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
        ({"LANG": "de_DE.UTF-8"}, False),
        ({"LC_CTYPE": "C.UTF-8"}, False),
        ({"LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, False),
        ({"LANG": "C", "PYTHONIOENCODING": "utf-8"}, False),
        ({"LANG": "C", "PYTHONUTF8": "1"}, False),
    ],
)
def test_a_locale_without_more_than_ascii_is_obeyed(environ: dict[str, str], is_ascii: bool) -> None:
    assert is_ascii_locale(environ) is is_ascii


def test_lang_c_prints_ascii_alone(tmp_path: Path) -> None:
    env = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "PYTHON"))}
    small = ("--set", "ranks=3", "--set", "suits=2", "--set", "book_size=2", "--set", "hand_size=1")
    done = subprocess.run(
        [sys.executable, "-m", "cli", "play", "go-fish", "--bots", "1", "--auto", *small],
        cwd=ROOT, env={**env, "LANG": "C", "SHOAL_HOME": str(tmp_path)}, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout.isascii()
    assert b"..." in done.stdout
    assert b"+ proved" in done.stdout
    assert b"?" not in done.stdout
