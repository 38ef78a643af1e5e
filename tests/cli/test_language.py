"""One catalogue for all texts: complete in both languages, chosen before anything is said."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cli.language import CLICK_TEXTS, LANGUAGES, wanted
from cli.rules import TEXTS
from cli.text import duration
from cli.translation import FOLDER
from engine.registry import game, games

pytestmark = pytest.mark.usefixtures("english_again")

ROOT = Path(__file__).resolve().parents[2]
CYRILLIC = re.compile("[Ѐ-ӿ]")
FIELD = re.compile(r"\{\w*(?:[!:][^{}]*)?\}")

# Entries that are the same in both languages: names, what one types, and patterns of fields.
SAME = {
    "N", "id", "libsodium", "mqtt", "Python", "mDNS", "{name}: {cards}", "{colour} {number}", "{n} {rank}",
    "{n} × {card}", "{mark} {n} {name}  {cards}", "{error}.", "{lower}.", "{curses}, {cures}",
    "  {verb} 1 or {verb} {n}   ({size} cards)",
}  # fmt: skip


@pytest.fixture(scope="module")
def messages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("shoal_messages", ROOT / "scripts" / "messages.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = script
    spec.loader.exec_module(script)
    return script


@pytest.fixture(scope="module")
def entries(messages: ModuleType) -> list[tuple[str, list[str], list[str], bool]]:
    """Context, the texts of a message, those of its translation, and whether it is fuzzy."""
    catalogue = messages.read_translation(FOLDER / "mk" / "LC_MESSAGES" / "shoal.po")
    return [
        (
            each.context or "",
            list(each.id) if isinstance(each.id, tuple) else [each.id],
            list(each.string) if isinstance(each.string, tuple) else [each.string],
            each.fuzzy,
        )
        for each in catalogue
        if each.id
    ]


# --- the catalogue ------------------------------------------------------------------------------------------


def test_the_files_of_the_catalogue_are_current(messages: ModuleType) -> None:
    """`make messages` would change nothing: the .pot is that of the source, and each .mo that of its .po."""
    stale = [path.name for path, data in messages.files().items() if path.read_bytes() != data]
    assert stale == []


def test_nothing_is_missing_fuzzy_or_copied(entries: list[tuple[str, list[str], list[str], bool]]) -> None:
    assert len(entries) > 900
    assert [ids[0] for _, ids, texts, _ in entries if not all(texts)] == []
    assert [ids[0] for _, ids, _, is_fuzzy in entries if is_fuzzy] == []
    copied = [ids[0] for _, ids, texts, _ in entries if ids[0] == texts[0] and re.search("[A-Za-z]", ids[0])]
    assert [each for each in copied if each not in SAME] == []
    latin = [texts[0] for _, _, texts, _ in entries if not CYRILLIC.search(texts[0])]
    with_words = [each for each in latin if re.search("[A-Za-z]", FIELD.sub("", each))]
    assert [each for each in with_words if each not in SAME] == []


def test_the_fields_of_each_translation_are_those_of_the_text(
    entries: list[tuple[str, list[str], list[str], bool]],
) -> None:
    wrong = []
    for _, ids, texts, _ in entries:
        allowed = {field for each in ids for field in FIELD.findall(each)}
        needed = set(FIELD.findall(ids[-1]))
        for number, text in enumerate(texts):
            found = set(FIELD.findall(text))
            if not found <= allowed or (number == len(texts) - 1 and not needed <= found):
                wrong.append(ids[0])
    assert wrong == []


def test_spaces_and_marks_at_the_ends_are_kept(entries: list[tuple[str, list[str], list[str], bool]]) -> None:
    """A prompt keeps its space, a sentence its full stop."""
    ends = re.compile(r"^(\s*).*?([.?!>:…]?\s*)$", re.DOTALL)
    wrong = []
    for _, ids, texts, _ in entries:
        for one, other in zip(ids[-1:], texts[-1:], strict=True):
            here, there = ends.fullmatch(one), ends.fullmatch(other)
            assert here
            assert there
            if here.groups() != there.groups():
                wrong.append((one, other))
    assert wrong == []


def test_plurals_are_those_of_macedonian(macedonian: None) -> None:
    said = {n: duration(n).partition(" ")[2] for n in (1, 2, 5, 11, 12, 21, 22, 101, 111)}
    assert said == {
        1: "секунда", 2: "секунди", 5: "секунди", 11: "секунди", 12: "секунди", 21: "секунда", 22: "секунди",
        101: "секунда", 111: "секунди",
    }  # fmt: skip


def test_click_still_says_what_is_translated_for_it() -> None:
    import click

    source = "".join(path.read_text("utf-8") for path in Path(click.__file__).parent.glob("*.py"))
    assert [text for text in CLICK_TEXTS if text not in source] == []


def test_no_message_of_the_engine_escapes_the_catalogue() -> None:
    """Errors for players are made with ``Message``, and from a text that can be found in the source."""
    plain, hidden = [], []
    for path in sorted((ROOT / "engine").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        constants = {
            each.targets[0].id
            for each in tree.body
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.func, ast.Name):
                continue
            first, where = node.args[0], f"{path.name}:{node.lineno}"
            is_text = isinstance(first, ast.JoinedStr) or (
                isinstance(first, ast.Constant) and isinstance(first.value, str)
            )
            if node.func.id in ERRORS and is_text:
                plain.append(where)
            if node.func.id == "Message" and not (
                (isinstance(first, ast.Constant) and first.value)
                or (isinstance(first, ast.Name) and first.id in constants)
                or ast.unparse(first) in NAMED_ELSEWHERE
            ):
                hidden.append(where)
    assert plain == []
    assert hidden == []


ERRORS = {"BadAction", "BadOption", "BadSetup", "InvalidCard", "UnknownBot", "UnknownGame"}
NAMED_ELSEWHERE = {"template", "info.title", "attribute", "attribute.name"}
"""Titles are in cli/rules, attributes in cli/speech/words.py."""


# --- which language -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "environ", "language", "is_by_name"),
    [
        ([], {}, "en", False),
        ([], {"LANG": "mk_MK.UTF-8"}, "mk", False),
        ([], {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "mk_MK"}, "mk", False),
        ([], {"LANG": "mk_MK.UTF-8", "LC_ALL": "C"}, "en", False),
        ([], {"LANG": "de_DE.UTF-8", "LANGUAGE": "sr:mk:en"}, "mk", False),
        ([], {"LANG": "C", "LANGUAGE": "mk"}, "en", False),
        ([], {"LANG": "mkd_XX"}, "en", False),
        ([], {"LANG": "mk_MK.UTF-8", "SHOAL_LANG": "en"}, "en", True),
        (["--lang", "mk", "games"], {"SHOAL_LANG": "en"}, "mk", True),
        (["rules", "--lang=mk"], {}, "mk", True),
        (["rules", "--", "--lang=mk"], {}, "en", False),
        (["--lang"], {}, "en", False),
        (["--lang", "xx"], {"LANG": "mk_MK"}, "en", True),
    ],
)
def test_the_language_is_found(
    args: list[str], environ: dict[str, str], language: str, is_by_name: bool
) -> None:
    assert wanted(args, environ) == (language, is_by_name)


def test_commands_speak_the_language(shoal, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Лови риба" in shoal("--lang", "mk", "rules", "go-fish").out
    assert "Лови риба" in shoal("rules", "go-fish", "--lang", "mk").out
    assert "Go Fish" in shoal("rules", "go-fish").out
    monkeypatch.setenv("LANG", "mk_MK.UTF-8")
    assert "Лови риба" in shoal("rules", "go-fish").out
    assert "Go Fish" in shoal("--lang", "en", "rules", "go-fish").out
    assert "Опции" in shoal("--help").out
    assert "Нема игра „go-fihs“; дали мислеше go-fish" in shoal("play", "go-fihs").err
    assert "--set" in shoal("play", "--help").out


@pytest.mark.parametrize(
    ("args", "environ", "first"),
    [
        ([], {"LANG": "mk_MK.UTF-8"}, "Лови риба"),
        ([], {"LANG": "mk_MK.UTF-8", "PYTHONIOENCODING": "ascii"}, "Go Fish"),  # no letters for it
        (["--lang", "mk"], {"LANG": "C", "PYTHONIOENCODING": "ascii"}, "Лови риба"),  # asked for by name
    ],
)
def test_the_output_must_have_the_letters(args: list[str], environ: dict[str, str], first: str) -> None:
    command = [sys.executable, "-m", "cli", *args, "rules", "go-fish"]
    ran = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, check=True)
    assert ran.stdout.decode("utf-8").startswith(f"{first}, ")


def test_an_unknown_language_is_refused_with_those_there_are(shoal) -> None:
    ran = shoal("--lang", "klingon", "rules")
    assert ran.code == 2
    assert all(each in ran.err for each in LANGUAGES)


@pytest.mark.parametrize("name", games())
def test_the_rules_of_each_game_are_whole_in_both_languages(shoal, name: str) -> None:
    text, info = TEXTS[name], game(name).info
    assert set(text.options) == {option.name for option in info.options}
    for option in info.options:
        told = {value for each, value in text.values if each == option.name}
        assert told <= set(option.values)
        assert len(option.values) == 1 or set(option.values) <= told | {text.options[option.name]}, (
            option.name
        )
    english = shoal("rules", name, "--lang", "en").out
    macedonian = shoal("rules", name, "--lang", "mk").out
    assert english.count("\n\n") == macedonian.count("\n\n")
    assert [line for line in macedonian.splitlines() if line.strip() and not CYRILLIC.search(line)] == []
