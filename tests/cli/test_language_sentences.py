"""What the engine, peers and games of others say, and what is typed, in either language."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from cli.language import choose, said, said_of, speaking
from cli.lines import NotUnderstood, read_line
from cli.lobby.typed import WORDS as LOBBY_WORDS
from cli.replay.control import WORDS as REPLAY_WORDS
from cli.replay.control import Controller
from cli.rules.base import game_text
from cli.speech.base import plugged_in
from cli.speech.sentences import recognised, templates
from cli.speech.verbs import commanded_in_english, in_english, in_own_words
from cli.speech.words import typed_in_english
from cli.text import Glyphs, Speaker
from cli.translation import DOMAIN, FOLDER, catalogue_of, gettext, ngettext, pgettext, spoken
from engine.cards import InvalidCard
from engine.contract import BadOption, Event, GameInfo, Reason
from engine.deck_files import load_deck
from engine.message import Message
from engine.registry import game
from p2p.io.database import StoreFull
from p2p.session import YourMove
from tests.cli.open_table import OpenTable

pytestmark = pytest.mark.usefixtures("english_again")

ROOT = Path(__file__).resolve().parents[2]
CYRILLIC = re.compile("[Ѐ-ӿ]")
FIELD = re.compile(r"\{\w*(?:[!:][^{}]*)?\}")


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
