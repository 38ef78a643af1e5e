"""``shoal attack``: what it prints, and when it fails."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.commands import attack as gallery
from cli.main import run
from p2p.attacks import ATTACKS, End, Result

KEYS = {"name", "game", "stopped", "step", "blamed", "blamed_by_all", "verify_convinced"}
PAGE = Path(__file__).resolve().parents[3] / "docs" / "attacks.md"
ROW = re.compile(r"^\| `([a-z0-9-]+)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) \| (yes)? ?\|$", re.MULTILINE)


def test_an_attack_is_tried_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["attack", "--quick", "key-identity", "--game", "go-fish"]) == 0
    said = capsys.readouterr().out
    assert "key-identity  go-fish  named by all at step 0, seat 2, the record proves it" in said
    assert "1 attack, tried at 1 table: all stopped." in said


def test_the_facts_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["attack", "--quick", "--json", "key-identity", "host-twice", "--game", "casino"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [set(each) for each in found] == [KEYS, KEYS]
    assert found[0] == {
        "name": "key-identity", "game": "casino", "stopped": True, "step": 0, "blamed": 1,
        "blamed_by_all": True, "verify_convinced": True,
    }  # fmt: skip
    assert (found[1]["stopped"], found[1]["step"], found[1]["blamed"]) == (True, None, None)


def test_the_real_group_is_used_unless_told_otherwise(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    def seen(attack: Any, game: str, group: Any) -> Result:
        names.append(group.name)
        return Result(attack.name, game, End.NAMED, True)

    monkeypatch.setattr(gallery, "run", seen)
    for more in ([], ["--quick"]):
        assert run(["attack", "key-identity", "--game", "go-fish", *more]) == 0
    assert names == ["ristretto255", "test-group"]


@pytest.mark.parametrize("error", [False, True])
def test_an_attack_that_works_ends_with_code_1_and_is_told_loudly(
    error: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def works(attack: Any, game: str, group: Any) -> Result:
        if error:
            raise ValueError("brought down")
        return Result(attack.name, game, End.WORKS, False, said="brought down")

    monkeypatch.setattr(gallery, "run", works)
    assert run(["attack", "--quick", "key-identity", "--game", "go-fish"]) == 1
    said = capsys.readouterr().out
    assert "FAILED" in said
    assert "IT WORKS" in said
    assert "brought down" in said
    assert "1 NOT STOPPED" in said
    assert run(["attack", "--quick", "--json", "key-identity", "--game", "go-fish"]) == 1


def test_the_list_tries_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["attack", "--list"]) == 0
    said = capsys.readouterr().out
    assert all(name in said and attack.tries in said for name, attack in ATTACKS.items())
    assert run(["attack", "--list", "--json", "--game", "discount-salmon"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in rows} == {n for n, a in ATTACKS.items() if "discount-salmon" in a.games}


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["false-go-fsh"], "did you mean"),
        (["\x1b[2J"], "There is no attack"),
        (["steals-other-slot", "--game", "go-fish"], "they do to casino"),
        (["--game", "chess"], "chess"),
    ],
)
def test_what_there_is_not_is_said_in_a_sentence(
    words: list[str], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["attack", *words]) == 2
    told = capsys.readouterr()
    assert shown in told.err
    assert "\x1b" not in told.err
    assert told.out == ""


def test_every_end_has_its_words() -> None:
    assert set(gallery.ENDS) == set(End)


def test_the_page_has_a_row_for_each_attack() -> None:
    """``shoal attack --quick --table`` makes them; the ends themselves are those of the gallery's tests."""
    rows = {row[0]: row for row in ROW.findall(PAGE.read_text("utf-8"))}
    assert set(rows) == set(ATTACKS)
    for name, attack in ATTACKS.items():
        _, tries, games, source, where, _proved = rows[name]
        assert (tries, games, source) == (attack.tries, ", ".join(attack.games), attack.source)
        assert {part.partition(" (")[0] for part in where.split("; ")} == {gallery.ENDS[attack.end]}
