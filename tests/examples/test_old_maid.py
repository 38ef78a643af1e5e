"""The example package: short, without cryptography, sound by its own tests, and no part of the wheel."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cli.boards import GameBoard, NotUnderstood
from cli.speech.base import plugged_in
from cli.text import Glyphs, Speaker
from engine import Action, BadOption, Open, Outcome, Position, Stream
from engine.table import Choose

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "old_maid"
GAME = EXAMPLE / "shoal_old_maid" / "game.py"


def test_the_game_is_one_short_module_of_the_engine_alone() -> None:
    text = GAME.read_text("utf-8")
    assert len(text.splitlines()) <= 200
    imported = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported.add((node.module or "").partition(".")[0])
    assert imported == {"__future__", "collections", "engine", "importlib", "msgspec", "typing"}


def _installed(folder: Path) -> Path:
    """A folder that has of the package what an installer would write for its entry point."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n", "utf-8")
    ((group, entries),) = project["entry-points"].items()
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def test_its_own_tests_pass_in_a_fresh_process(tmp_path: Path) -> None:
    """As its author would run them, with the game found by its entry point."""
    paths = (_installed(tmp_path), EXAMPLE, ROOT)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio", "tests"],
        cwd=EXAMPLE, env=env, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_catalogue_is_compiled_and_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    locale = EXAMPLE / "shoal_old_maid" / "locale" / "mk" / "LC_MESSAGES"
    from babel.messages.mofile import read_mo
    from babel.messages.pofile import read_po

    with (locale / "old-maid.po").open("rb") as source, (locale / "old-maid.mo").open("rb") as compiled:
        written, there = read_po(source), read_mo(compiled)
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from shoal_old_maid.words import INFO, WORDS

    said = {text for text in _texts(WORDS) if text != INFO.id} | {INFO.title}
    assert said - {"13"} == {message.id for message in written if message.id}
    assert all(message.string == there[message.id].string for message in written if message.id)


def _texts(value: object) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(*map(_texts, value.values()))
    assert isinstance(value, list | tuple)
    return set().union(*map(_texts, value))


def test_what_is_typed_on_the_board_of_games_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one player can be meant, so the name may be left out; a number alone is a place in that hand."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from shoal_old_maid.game import OldMaid

    rules = OldMaid()
    position = Position.start(rules, {}, 3)
    dealer = Open(position, Stream(5))
    while not isinstance(position.pending, Choose):
        position, _ = position.feed(dealer.resolve(position))
    (seat,) = position.pending.seats
    view = dealer.view(position, seat)
    actions = rules.legal(view)
    names = ("Ann", "Ben", "Cid")
    board = GameBoard(rules, names, seat, Glyphs())
    neighbour = names[(seat + 1) % 3]
    for typed, place in (
        ("", "1"),
        ("2", "2"),
        (neighbour.lower(), "1"),
        (f"{neighbour} 3", "3"),
        (neighbour[:1], "1"),
    ):
        assert board.read("draw", typed.split(), view, actions) == Action("draw", (seat + 1) % 3, place)
    for typed in ("x", f"{neighbour} x", "2 3 4"):
        with pytest.raises(NotUnderstood):
            board.read("draw", typed.split(), view, actions)
    assert board.asked(view, actions, None)[-1].startswith(f"  draw {neighbour} 1   (hint ")


def test_a_game_that_takes_no_own_deck_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from shoal_old_maid.game import OldMaid

    with pytest.raises(BadOption, match="Old Maid is not played with a deck of one's own"):
        OldMaid().options({"own_deck": 'id = "x"'}, 3)


def test_those_who_win_together_are_named_in_the_words_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from shoal_old_maid.game import OldMaid

    speech = plugged_in(OldMaid())
    monkeypatch.setattr("cli.text.speech_of", lambda _name: speech)
    outcome = Outcome("all-paired", (1, 0, 1), (0, 2))
    names = ("Ann", "Ben", "Cid")
    assert Speaker(names, 1, Glyphs(), "old-maid").winners(outcome) == "Ann and Cid win together."
    assert Speaker(names, 2, Glyphs(), "old-maid").winners(outcome) == "You win together with Ann."
