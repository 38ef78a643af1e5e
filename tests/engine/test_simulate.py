"""Simulations are the same everywhere, however the work is split."""

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from engine import BadOption, UnknownBot, UnknownGame, simulate

ROOT = Path(__file__).resolve().parents[2]
FIXED = {
    "games": 70,
    "wins": [25, 20, 28, 27],
    "ties": 20,
    "digest": "1220a92ca465b0c30648ec042c745d036e8ebc556685804325882a7c33e838ef",
}


def test_figures_never_change() -> None:
    """A change here means that recorded simulations cannot be repeated, or that the rules have changed."""
    assert simulate("go-fish", 4, 70, 7) == FIXED


def test_any_split_gives_the_same_figures() -> None:
    with ThreadPoolExecutor(2) as pool:
        assert simulate("go-fish", 4, 70, 7, jobs=pool.map) == FIXED
    with ProcessPoolExecutor(2) as pool:
        assert simulate("go-fish", 4, 70, 7, jobs=pool.map) == FIXED


def test_neither_hash_seed_nor_optimisation_changes_anything() -> None:
    code = "from engine import simulate; print(simulate('go-fish', 4, 70, 7)['digest'])"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-O", "-c", code],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == FIXED["digest"]


def test_every_argument_counts() -> None:
    digests = [
        simulate("go-fish", 4, 10, 7)["digest"],
        simulate("go-fish", 4, 10, 8)["digest"],
        simulate("go-fish", 4, 11, 7)["digest"],
        simulate("go-fish", 3, 10, 7)["digest"],
        simulate("go-fish", 4, 10, 7, {"end_mode": "all_books"})["digest"],
        simulate("go-fish", 4, 10, 7, bots=("careful",))["digest"],
    ]
    assert len(set(digests)) == len(digests)


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownGame):
        simulate("go-fsh", 4, 1, 1)
    with pytest.raises(BadOption):
        simulate("go-fish", 9, 1, 1)
    with pytest.raises(UnknownBot):
        simulate("go-fish", 4, 1, 1, bots=("clever",))
