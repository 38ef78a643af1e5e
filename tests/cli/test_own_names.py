"""Names of a user's own deck in sentences: in quotes and never inflected, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cli.choices import chosen_options
from cli.language import choose
from cli.text import Glyphs, Speaker, held_text
from engine.contract import Event, Reason
from engine.registry import game
from tests.cli.open_table import OpenTable

ROOT = Path(__file__).resolve().parents[2]
ANIMALS = ROOT / "examples" / "decks" / "animals.toml"
KINDS = "ant|bear|cat|dog|eagle|fox|goat|horse|lion|owl"
COLOURS = "red|blue|green|black"
CYRILLIC = re.compile("[Ѐ-ӿ]")


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    choose("en")


def told(options: Mapping[str, str], names: tuple[str, ...]) -> list[str]:
    chosen = chosen_options(
        game("go-fish"), [f"{name}={value}" for name, value in options.items()], 3, str(ANIMALS)
    )
    table = OpenTable("go-fish", seed=7, options=chosen, names=names)
    return [line.text for _, lines in table.play() for line in lines if line.kind == "event"]


@pytest.mark.parametrize(("language", "opening", "closing"), [("en", '"', '"'), ("mk", "„", "“")])
@pytest.mark.parametrize("mode", ["rank", "card"])
def test_what_is_asked_for_and_laid_is_quoted(language: str, opening: str, closing: str, mode: str) -> None:
    choose(language)
    lines = told({"ask_mode": mode}, ("Ана", "Бен", "Цвета"))
    asks = [line for line in lines if re.search(r"\b(asks?|бараш?)\b", line, re.IGNORECASE)]
    named = KINDS if mode == "rank" else f"(?:{COLOURS})-(?:{KINDS})"
    assert len(asks) > 10
    assert [line for line in asks if not re.search(f"{opening}(?:{named}){closing}", line)] == []
    laid = [line for line in lines if "book of" in line or "комплет" in line]
    assert [line for line in laid if not re.search(f"{opening}(?:{KINDS}){closing}", line)] == []
    if language == "mk":
        assert [line for line in lines if not CYRILLIC.search(line)] == []


def test_cards_stay_as_they_are_and_the_usual_ranks_are_inflected() -> None:
    say = Speaker(("Ann", "Ben"), 0, Glyphs(), "go-fish")
    assert say.event(Event("give", 1, words=("red-lion", "blue-lion"))) == "Ben gives red-lion blue-lion."
    assert say.event(Event("ask", 1, 0, ("9",))) == "Ben asks you for nines."
    assert say.event(Event("ask", 1, 0, ("9D",))) == "Ben asks you for 9♦."
    assert say.event(Event("ask", 1, 0, ("ox",))) == 'Ben asks you for "ox".'
    assert say.event(Event("book", 1, words=("ox",))) == 'Ben lays a book of "ox".'
    assert say.reason(Reason("rank-laid", ("ox",))) == 'All "ox" are laid already.'
    assert say.reason(Reason("rank-laid", ("9",))) == "All nines are laid already."
    assert (
        held_text(["red-lion", "?-lion", "?-ox", "?-ox"]) == 'red-lion, 1 more card "lion" and 2 cards "ox"'
    )
    assert Speaker(("Ann", "Ben"), 0, Glyphs(ascii_only=True), "go-fish").asked("XB") == "black joker"
