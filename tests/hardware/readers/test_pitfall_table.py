"""The table of pitfalls in docs/readers.md, and the tests it promises."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ROW = re.compile(r"^\| (P-\d\d) \| .+ \| (.+) \| (.*) \|$", re.MULTILINE)
ELSEWHERE = {"P-40": "dependencies.md"}


def named() -> set[str]:
    names = set()
    for file in (ROOT / "tests" / "hardware").rglob("test_*.py"):
        for test in re.findall(r"def (test_p\d\d\w*)\(", file.read_text("utf-8")):
            names |= {f"P-{number}" for number in re.findall(r"(?:^test|(?<=\d))_p(\d\d)(?=_)", test)}
    return names


def test_each_pitfall_is_in_the_table_and_has_a_test() -> None:
    rows = {
        number: (done, where)
        for number, done, where in ROW.findall((ROOT / "docs" / "readers.md").read_text("utf-8"))
    }
    every = {f"P-{n:02}" for n in range(1, 44)}
    assert set(rows) == every
    assert [number for number, (done, _) in rows.items() if done.startswith("not yet")] == []
    assert {number: where for number, (_, where) in rows.items() if number in ELSEWHERE} == ELSEWHERE
    assert every - set(ELSEWHERE) <= named()
    assert "asyncio-mqtt" not in (ROOT / "pyproject.toml").read_text("utf-8")
