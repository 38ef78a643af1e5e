"""docs/bots.md keeps what is asked of the bots, and the command that writes its figures works."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")

ROW = re.compile(
    r"\| (?P<seats>\d) \| `(?P<one>\w+)` \| `(?P<other>\w+)` \| (?P<games>[\d,]+) \| \*\*[\d.]+%\*\* "
    r"\| (?P<low>[\d.]+)% to [\d.]+% \| (?P<fair>[\d.]+)% \|"
)
TIME = re.compile(r"\| (?P<bot>`\w+`) \| [\d,]+ \| (?P<mean>[\d.]+) ms \| (?P<longest>[\d.]+) ms \|")


def test_every_level_is_better_than_the_one_below() -> None:
    """In every game, at 2, 3 and the most seats: the whole interval lies above what equals would win."""
    for title, most in (
        ("Go Fish", 6),
        ("One Fish", 6),
        ("Casino Go Fish", 6),
        ("Discount Salmon, `pace=turns`", 5),
        ("Discount Salmon, `pace=realtime`", 5),
    ):
        _, _, after = DOCUMENT.partition(f"\n### {title}\n")
        part = re.split(r"\n##", after)[0]
        rows = [match.groupdict() for match in ROW.finditer(part)]
        pairs = [("careful", "random"), ("sharp", "careful")]
        expected = [(seats, *pair) for seats in (2, 3, most) for pair in pairs]
        assert [(int(row["seats"]), row["one"], row["other"]) for row in rows] == expected
        for row in rows:
            assert float(row["low"]) > float(row["fair"]), (title, row)
            assert int(row["games"].replace(",", "")) >= 1000


def test_sharp_thinks_fast_enough() -> None:
    times = [match.groupdict() for match in TIME.finditer(DOCUMENT) if match["bot"] == "`sharp`"]
    assert len(times) == 6
    assert all(float(time["mean"]) <= 10 and float(time["longest"]) <= 100 for time in times)


@pytest.mark.slow
def test_the_command_prints_the_tables() -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/win_rates.py", "--games", "2", "--print"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(ROW.findall(done.stdout)) == 32
    assert len(TIME.findall(done.stdout)) == 18
