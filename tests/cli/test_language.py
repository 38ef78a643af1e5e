"""One catalogue for all texts: complete in both languages, chosen before anything is said."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from cli.driver import BOT_NAMES
from cli.language import CLICK_TEXTS, LANGUAGES, choose, said, said_of, speaking, wanted
from cli.lines import NotUnderstood, read_line
from cli.lobby.typed import WORDS as LOBBY_WORDS
from cli.replay.control import WORDS as REPLAY_WORDS
from cli.replay.control import Controller
from cli.rules import TEXTS, title_of
from cli.rules.base import game_text
from cli.speech import SPEECHES
from cli.speech.base import plugged_in
from cli.speech.sentences import recognised, templates
from cli.speech.verbs import commanded_in_english, in_english, in_own_words
from cli.speech.words import typed_in_english
from cli.text import Glyphs, Speaker, duration
from cli.translation import DOMAIN, FOLDER, catalogue_of, gettext, ngettext, pgettext, spoken
from engine.cards import InvalidCard
from engine.contract import BadOption, Event, GameInfo, Outcome, Reason
from engine.deck_files import load_deck
from engine.message import Message
from engine.registry import game, games
from engine.text import action_text
from p2p.io.database import StoreFull
from p2p.session import YourMove
from tests.cli.open_table import OpenTable
from tests.cli.race_table import ReadRace
from tests.cli.test_race_lines import RaceTable

ROOT = Path(__file__).resolve().parents[2]
CYRILLIC = re.compile("[Ѐ-ӿ]")
FIELD = re.compile(r"\{\w*(?:[!:][^{}]*)?\}")

# Entries that are the same in both languages: names, what one types, and patterns of fields.
SAME = {
    "N", "id", "libsodium", "mqtt", "Python", "mDNS", "{name}: {cards}", "{colour} {number}", "{n} {rank}",
    "{n} × {card}", "{mark} {n} {name}  {cards}", "{error}.", "{lower}.", "{curses}, {cures}",
    "  {verb} 1 or {verb} {n}   ({size} cards)",
}  # fmt: skip


@pytest.fixture(autouse=True)
def english_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tests choose a language for the whole process; give it back as it was found."""
    for name in ("LANGUAGE", "LANG", "LC_ALL", "LC_MESSAGES", "SHOAL_LANG"):
        monkeypatch.delenv(name, raising=False)
    yield
    choose("en")


@pytest.fixture
def macedonian() -> None:
    choose("mk")


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


# --- what the engine and peers say --------------------------------------------------------------------------


def test_the_header_of_the_catalogue_is_no_text(macedonian: None) -> None:
    """It stands there under the empty text, which a game of others, or one without words, may have."""
    assert gettext("") == ""
    assert gettext("Options") == "Опции"
    assert catalogue_of(DOMAIN, str(FOLDER), "mk").info()["language"] == "mk"


def test_a_text_is_looked_up_in_the_language_spoken_at_that_moment() -> None:
    """One within another, each given back; what has no translation is said as it was written."""
    said_in = []
    with speaking("mk"):
        with speaking("en"):
            said_in.append(
                (gettext("Options"), ngettext("{n} card", "{n} cards", 2), pgettext("lobby", "Host"))
            )
        said_in.append((gettext("Options"), ngettext("{n} card", "{n} cards", 2), pgettext("lobby", "Host")))
        assert gettext("Nobody ever wrote this.") == "Nobody ever wrote this."
    assert said_in == [("Options", "{n} cards", "Host"), ("Опции", "{n} карти", "Домаќин")]
    choose("en")
    assert spoken() == "en"
    assert ngettext("{n} card", "{n} cards", 1) == "{n} card"


def test_the_standard_library_is_used_as_it_is() -> None:
    """Texts are looked up in one place, and nothing of ``gettext`` is replaced for click and others."""
    importing = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "cli").rglob("*.py"))
        if re.search(r"^\s*(?:import|from) gettext\b", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert importing == ["cli/translation.py"]
    script = (
        "import gettext, sys; found = (gettext.find, gettext.gettext, gettext.GNUTranslations.gettext);"
        "from cli.language import choose; choose('mk'); import click.core;"
        "assert found == (gettext.find, gettext.gettext, gettext.GNUTranslations.gettext);"
        "sys.stdout.buffer.write(click.core._('Options').encode())"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=True)
    assert ran.stdout.decode() == "Опции"


def test_a_message_of_the_engine_is_said_with_its_fields(macedonian: None) -> None:
    with pytest.raises(BadOption) as caught:
        game("go-fish").options({"book_size": "9"}, 3)
    assert str(caught.value) == 'book_size can be 4 or 2, not "9".'
    assert said_of(caught.value) == 'book_size може да биде 4 или 2, не "9".'
    with pytest.raises(InvalidCard) as other:
        load_deck("standard").parse_value("rank", "14")
    assert said_of(other.value).startswith('"14" го нема во овој шпил (вредност)')
    assert said(Message("{x} is new", x="{y}")) == "{y} is new"


def test_sentences_of_peers_are_recognised(macedonian: None) -> None:
    assert said("The host closed the table before the game began.") == (
        "Домаќинот ја затвори масата пред да почне играта."
    )
    assert said("step 7 lacks a contribution") == "на чекорот 7 му недостига придонес"
    assert said("the charter cannot be read: options are sorted by name, each once") == (
        "повелбата не може да се прочита: опциите се подредени по име, секоја еднаш"
    )
    assert "/x" in said_of(StoreFull(path="/x"))
    assert CYRILLIC.search(said_of(StoreFull(path="/x")))
    assert said("Something nobody ever wrote.") == "Something nobody ever wrote."
    assert said("x" * 100_000) == "x" * 100_000


def test_every_sentence_of_a_peer_is_recognised_with_its_own_words(macedonian: None) -> None:
    translate = gettext
    wrong = []
    for template in templates():
        filled = FIELD.sub("17", template)
        if recognised(filled) != FIELD.sub("17", translate(template)):
            wrong.append(template)
    assert wrong == []


def test_in_english_a_sentence_of_a_peer_stays_as_it_is() -> None:
    choose("en")
    assert said("step 7 lacks a contribution") == "step 7 lacks a contribution"


def test_cards_may_be_typed_in_macedonian(macedonian: None) -> None:
    assert typed_in_english(["деветки", "Бен"]) == ["9", "Бен"]
    assert typed_in_english(["рибин", "костим", "парфем"]) == ["fish-costume", "perfume"]
    assert typed_in_english(["Ц2+З2", "црвена"]) == ["R2+G2", "red"]
    assert typed_in_english(["дама", "срце", "К"]) == ["Q", "H", "K"]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("прашај Бен деветки", "ask Бен деветки"), ("Помош", "help"), ("рака", "hand"),
        ("врати", "hand back"),
        ("влечи шпил 2", "draw deck 2"), ("одземи Бен рака маса", "take Бен hand table"),
        ("кажи рака и  маса", "chat рака и  маса"), ("ask Бен 9", "ask Бен 9"), ("парфем", "парфем"),
        ("", ""),
    ],
)  # fmt: skip
def test_commands_may_be_typed_in_macedonian(macedonian: None, typed: str, read: str) -> None:
    assert commanded_in_english(typed) == read


async def test_the_lobby_and_a_replay_are_led_by_words_in_macedonian(macedonian: None) -> None:
    """Each word that is shown is understood, and so is the English one."""
    replay: Any = SimpleNamespace(report=None, names=("Ана",))
    controller = Controller(replay)
    for word in REPLAY_WORDS:
        assert controller._word(word) == controller._word(in_own_words(word)) == word
        assert word in ("public", "all") or controller._word(in_own_words(word)[:3]) == word
    for word in LOBBY_WORDS:
        assert CYRILLIC.search(in_own_words(word)), word
        assert in_english(in_own_words(word).upper()) == word


def test_no_word_of_macedonian_means_two_commands(macedonian: None) -> None:
    spoken = [name for each in read_po_typed() for name in each.split("|")]
    assert len(spoken) > 30
    assert len(set(spoken)) == len(spoken)
    assert typed_in_english(spoken) == spoken, "none is a card, too"


def read_po_typed() -> list[str]:
    with (FOLDER / "mk" / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return [entry.string for entry in read_po(file) if entry.context == "typed"]


def test_what_cannot_be_done_is_quoted_as_it_was_typed(macedonian: None) -> None:
    table = OpenTable("go-fish", seed=5, names=("Ана", "Бен", "Цвета"))
    next(what for what, _ in table.play() if isinstance(what, YourMove))
    answers = {}
    for typed in ("земи 3", "Зоки", "прашај Бен црвени"):
        with pytest.raises(NotUnderstood) as caught:
            read_line(typed, table.show.game, table.view(), table.show.actions)
        answers[typed] = str(caught.value)
    assert answers["земи 3"].startswith("„земи“ не е команда")
    assert answers["Зоки"].startswith("„Зоки“ не е команда")
    assert answers["прашај Бен црвени"].startswith("„црвени“ го нема во овој шпил (вредност)")


def test_what_is_known_of_a_fish_is_named_in_macedonian(macedonian: None) -> None:
    board = OpenTable("one-fish", seed=5).show.game
    assert board.held(["Ж?", "?2", "?2", "Ц4", "*"]) == "Ц4, 1 ѕвезда, 1 жолта, 2 двојки"


def test_in_english_no_command_is_changed() -> None:
    choose("en")
    assert commanded_in_english("ask Ben 9") == "ask Ben 9"
    assert commanded_in_english("прашај Бен 9") == "прашај Бен 9"


def test_in_english_words_are_left_to_the_engine() -> None:
    choose("en")
    assert typed_in_english(["nines", "fish", "costume"]) == ["nines", "fish", "costume"]


# --- games of others ----------------------------------------------------------------------------------------


class Foreign:
    """A game of others, as far as its words go."""

    info = GameInfo("old-maid", 1, "Old Maid", 2, 6, (), ("first", "draw", "over"))
    words: ClassVar[dict[str, object]] = {
        "events": {"draw": ("{who} draws from {target}.", "You draw from {target}.")},
        "reasons": {"not-held": "You do not hold {card}."},
        "endings": {"all-paired": "All pairs are laid"},
        "summary": "Do not keep the old maid.",
        "values": {"pairs": {"rank": "two of a rank"}},
    }
    locale: Path


def test_a_game_of_others_brings_its_words_and_its_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, macedonian: None
) -> None:
    catalogue = Catalog(locale="mk")
    catalogue.add("{who} draws from {target}.", "{who} влече од {target}.")
    catalogue.add("Do not keep the old maid.", "Не ја задржувај старата мома.")
    folder = tmp_path / "mk" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "old-maid.mo").open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(Foreign, "locale", tmp_path, raising=False)
    speech = plugged_in(Foreign)
    monkeypatch.setattr("cli.text.speech_of", lambda _name: speech)
    say = Speaker(("Ана", "Бен", "Цвета"), 0, Glyphs(), "old-maid")
    assert say.event(Event("draw", 1, 2)) == "Бен влече од Цвета."
    assert say.event(Event("draw", 0, 2)) == "You draw from Цвета."  # not translated by its authors
    assert say.event(Event("first", 1)) == "Бен почнува."  # ours
    assert say.ending("all-paired") == "All pairs are laid"
    assert say.reason(Reason("no-cards")) == "Тој играч нема карти."
    monkeypatch.setattr("cli.rules.base.game", lambda _name: Foreign)
    text = game_text("old-maid")
    assert text.lookup(text.summary) == "Не ја задржувај старата мома."
    assert text.values["pairs", "rank"] == "two of a rank"


def test_a_game_without_words_is_shown_by_its_own_texts(macedonian: None) -> None:
    say = Speaker(("Ана", "Бен"), 0, Glyphs(), "unheard-of")
    assert say.event(Event("swim", 1, words=("far",))) == "Бен: swim far"
    assert say.ending("far") == "Играта заврши (far)"


# --- whole games --------------------------------------------------------------------------------------------

GAMES = [
    ("go-fish", {}),
    ("go-fish", {"ask_mode": "card", "end_mode": "all_books"}),
    ("go-fish", {"deck": "54", "book_size": "2", "give_amount": "one"}),
    ("one-fish", {}),
    ("casino", {}),
    ("casino", {"dealer_takes_from": "split", "scoring": "individual"}),
    ("discount-salmon", {}),
    ("discount-salmon", {"pace": "turns"}),
]
NAMES = re.compile("|".join(BOT_NAMES))


def only_latin(lines: Iterable[str]) -> list[str]:
    """Lines with words, and none of them in Macedonian. Names of players count for nothing."""
    bare = [NAMES.sub("", line) for line in lines]
    return [line for line in bare if re.search("[A-Za-z]{2}", line) and not CYRILLIC.search(line)]


VERBS = re.compile(
    r"\b(?:ask|give|lay|decline|pick|draw|take|fill|swap|keep|pass|discard|hand back|drop|flip|play|via|star"
    r"|hint|help|chat|resign|quit|table|effects|expose|conceal)\b"
)
"""Words that are typed: in Macedonian others are shown for them."""


@pytest.mark.parametrize(("name", "options"), GAMES, ids=lambda value: "-".join(value) if value else "")
@pytest.mark.parametrize("me", [0, 1])
def test_a_whole_game_has_no_line_in_latin_letters(
    macedonian: None, name: str, options: dict[str, str], me: int
) -> None:
    table = OpenTable(name, seed=5, me=me, options=options, names=("Ана", "Бен", "Цвета"))
    told = [str(line) for _, lines in table.play() for line in lines]
    view = table.view()
    told += [*table.show.table_lines(table.show.board(view)), *table.show.hints(view)]
    assert len(told) > 50
    assert only_latin(told) == []
    assert [line for line in told if VERBS.search(line)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "options"), GAMES, ids=lambda value: "-".join(value) if value else "")
@pytest.mark.parametrize("me", [0, 1])
def test_every_move_is_read_as_it_is_shown(
    language: str, name: str, options: dict[str, str], me: int
) -> None:
    """What hints, samples and the completion show, in either language, is the very move when it is typed; so
    is the English form in every language."""
    with speaking(language):
        table = OpenTable(name, seed=7, me=me, options=options, names=("Ана", "Бен", "Цвета"))
        game, seen = table.show.game, 0
        for telling, _lines in table.play():
            if not isinstance(telling, YourMove):
                continue
            view, actions = table.view(), telling.actions
            for action in {*actions[:8], *actions[-8:]}:
                text, seen = game.action(action), seen + 1
                assert read_line(text, game, view, actions) == action, text
                english = action_text(action, game.names)
                assert read_line(english, game, view, actions) == action, english
                assert language == "en" or action.verb == "wait" or not VERBS.search(text)
            assert game.hints(view, actions)
        assert seen > 5


RACES = [(2, "lake-empty"), (5, "piles-empty")]
TROUBLE = {
    "play", "invalid", "deferred", "late", "claim", "stale claim", "eaten", "fryer", "absent", "drop",
    "refill",
}  # fmt: skip


@pytest.mark.parametrize(("seed", "ending"), RACES, ids=[ending for _, ending in RACES])
def test_a_whole_race_has_no_line_in_latin_letters(macedonian: None, seed: int, ending: str) -> None:
    """In real time between real sessions, one of them now and then late or out of reach: every line at every
    seat, the countdown, prompts and hints, and the answers to what is typed at a bad time."""
    race = ReadRace(
        ("Ана", "Бен", "Цвета"), seed, share=0.6, waste=0.3,
        options={"allowance": "per_batch", "invalid_cards": "return_to_hand", "stale_seconds": "2"},
    )  # fmt: skip
    race.play_with_trouble()
    assert {event.words for event in race.events(0) if event.verb == "over"} == {(ending,)}
    assert TROUBLE - race.verbs == set()
    assert {"Race", "Lagging", "Skipped", "Undone"} <= race.kinds
    for seat, lines in enumerate(race.lines):
        assert len(lines) > 300
        assert only_latin(lines) == [], seat
        assert [line for line in lines if "{" in line or "}" in line] == []
    told = "\n".join(race.lines[0])
    for words in ("Застој за 2 секунди", "Застој за 1 секунда", "Рибата е: ", "Фритезата сега е кај тебе."):
        assert words in told


def test_the_answers_between_races_are_in_macedonian(macedonian: None) -> None:
    view = RaceTable()
    states: list[dict[str, Any]] = [
        {"problems": ("dry",), "is_first_tick": True},
        {"problems": ("dry",), "is_first_tick": False},
        {"problems": ("dry",), "racers": (1,), "is_first_tick": False},
        *({"problems": (), "phase": phase} for phase in ("first", "shuffle", "deal", "show", "drop")),
        *({"problems": (), "phase": "flip", "flipper": seat} for seat in (0, 1)),
    ]
    for state in states:
        (said_of_state,) = view.show.hints(view.at(**state))
        assert CYRILLIC.search(said_of_state), state
        assert only_latin([said_of_state]) == []


def test_a_shared_win_is_told_to_those_who_share_it_and_to_the_others(macedonian: None) -> None:
    outcome = Outcome("lake-empty", (3, 3, 0), (0, 1))
    for name in SPEECHES:
        mine, theirs = (
            Speaker(("Ана", "Бен", "Цвета"), me, Glyphs(), name).winners(outcome) for me in (0, 2)
        )
        assert mine.startswith(("Ја делиш победата со Бен", "Победуваш заедно со Бен"))
        assert theirs.startswith(("Ана и Бен ја делат победата", "Ана и Бен победуваат заедно"))


def test_every_sentence_of_every_game_is_made_in_macedonian(macedonian: None) -> None:
    """Events with any words, for the player and for others; refusals, endings, proofs."""
    names = ("Ана", "Бен")
    for name, speech in SPEECHES.items():
        say = Speaker(names, 0, Glyphs(), name)
        assert CYRILLIC.search(title_of(name))
        for key in speech.events:
            verb, *words = key.split(" ") if key not in game(name).info.verbs else [key]
            for more in ((), ("9H",), ("2",), ("R2", "?3"), ("QS=5C",), ("ugly", "toxic")):
                for seat in (0, 1):
                    text = say.event(Event(verb, seat, 1 - seat, (*words, *more)))
                    assert CYRILLIC.search(text), (key, more)
                    assert "{" not in text
        for reason in speech.reasons:
            assert CYRILLIC.search(say.reason(Reason(reason, ("9", "2")))), reason
        for ending in speech.endings:
            assert CYRILLIC.search(say.ending(ending))
        for proof in speech.proofs:
            assert CYRILLIC.search(say.proof(Event(proof.rstrip(" ?"), 1, 0, ("?2",)))), proof


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ["go-fish", "--set", "ranks=4"],
        ["one-fish"],
        ["casino"],
        ["discount-salmon", "--set", "pace=turns"],
        ["discount-salmon", "--set", "tick_ms=50", "--set", "stale_seconds=1", "--reaction", "0.1"],
    ],
    ids=["go-fish", "one-fish", "casino", "discount-salmon-by-turns", "discount-salmon"],
)
def test_a_sealed_automatic_game_is_played_in_macedonian(shoal, tmp_path: Path, options: list[str]) -> None:
    record = tmp_path / "игра.shoal"
    arguments = ["--lang", "mk", "--bots", "1", "--level", "random", "--auto", "--plain", "--name", "Ана"]
    ran = shoal("play", *options, *arguments, "--record", str(record))
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert len(lines) > 20
    assert only_latin(lines) == []
    checked = shoal("verify", str(record), "--events", "--lang", "mk")
    assert checked.code == 0
    assert only_latin(checked.out.splitlines()) == []
    assert "ИСПРАВНО" in checked.out
