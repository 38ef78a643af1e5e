"""What the documents say that the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from cli.commands.verify import WIDTH, report_lines
from engine.contract import Outcome
from p2p.verify import Report

ROOT = Path(__file__).resolve().parents[2]


def test_the_record_in_the_readme_is_told_as_verify_tells_it() -> None:
    """All but what another game changes, the four safety words."""
    readme = (ROOT / "README.md").read_text("utf-8")
    (shown,) = [block for block in readme.split("```\n") if "Safety words: " in block]
    counted = re.search(r"Checked: ((?:.|\n  )*)", shown)
    assert counted is not None
    checks = {}
    for each in " ".join(counted[1].split()).split(", "):
        number, kind = each.split(" ")
        checks[kind] = int(number)
    outcome = Outcome("stock-empty", (1, 0, 2, 2), (2, 3))
    report = Report(
        "sound", players=("Ann", "Coral", "Finn", "Marina"), keepers=(0, 0, 0, 0), game="go-fish",
        table_id=bytes(32), finished=True, closed=True, outcome=outcome, checks=checks,
        confirmed_by=(0, 1, 2, 3), revealed=(0, 1, 2, 3),
    )  # fmt: skip
    told = [line for line in report_lines(report, {}) if not line.startswith("Safety words: ")]
    whole = re.sub(r"\n  (?=recomputed)", " ", shown)
    assert [line for line in whole.splitlines() if not line.startswith("Safety words: ")] == told
    assert max(map(len, shown.splitlines())) <= WIDTH


@pytest.mark.parametrize(
    "words", ["look on", "look on if they know you", "OTHER KEY", "not met yet", "your own"]
)
def test_what_the_lobby_writes_beside_a_table_is_named_as_it_is(words: str) -> None:
    assert f"`{words}`" in (ROOT / "docs" / "lobby.md").read_text("utf-8")
    with (ROOT / "cli" / "locale" / "shoal.pot").open("rb") as file:
        assert words in read_po(file)
