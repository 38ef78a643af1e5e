"""Sentences: nothing without one, cards and suits as people read them, nothing unsafe from others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.speech import SPEECHES
from cli.speech.base import REASONS
from cli.text import (
    Glyphs,
    Speaker,
    duration,
    held_text,
    printable,
    ranks_name,
)
from engine.contract import Event, Outcome, Reason
from engine.registry import game, games

DOCS = Path(__file__).resolve().parents[2] / "docs" / "scenarios.md"
NAMES = ("Ann", "Ben", "Cy")


NO_EVENTS = {
    "go-fish": {"lay"},
    "one-fish": {"pick"},
    "casino": {"ready", "lay"},
    "discount-salmon": {"wait", "lay"},
}
"""Verbs that are actions only: nothing is said when they are done."""


def speaker(me: int = 0, ascii_only: bool = False, game: str = "go-fish") -> Speaker:
    return Speaker(NAMES, me, Glyphs(ascii_only), game)


SECTIONS = {
    "go-fish": ("Events", "Reasons for a refusal"),
    "one-fish": ("One Fish",),
    "casino": ("Casino Go Fish",),
    "discount-salmon": ("Discount Salmon",),
}
"""Where docs/scenarios.md speaks of each game."""


def documented(name: str, header: str) -> list[str]:
    """The texts in the first column of the tables with that header, in the sections about a game."""
    text = DOCS.read_text("utf-8")
    parts = [text.split(f"## {heading}\n")[1].split("\n## ")[0] for heading in SECTIONS[name]]
    rows = []
    for part in parts:
        for table in re.findall(
            rf"^\| {re.escape(header)} \|.*\n\|[-|]+\n((?:\|.*\n?)*)", part, re.MULTILINE
        ):
            rows += [line.split("|")[1] for line in table.splitlines()]
    return [found for row in rows for found in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize("name", games())
def test_every_event_has_a_sentence(name: str) -> None:
    events = SPEECHES[name].events
    verbs = set(game(name).info.verbs) - NO_EVENTS.get(name, set()) - {"over"}  # "over" has its own texts
    assert {verb for verb in verbs if not any(f"{key} ".startswith(f"{verb} ") for key in events)} == set()


@pytest.mark.parametrize("name", SECTIONS)
def test_every_documented_event_ending_and_reason_has_a_sentence(name: str) -> None:
    speech = SPEECHES[name]
    events = [re.sub(r"^[A-Z]\d?: ", "", text) for text in documented(name, "event")]
    assert len(events) >= 10
    assert [text for text in events if speech.sentence(text) is None and not text.startswith("over ")] == []
    endings = documented(name, "reason of `over`")
    assert endings
    assert [each for each in endings if each not in speech.endings] == []
    reasons = documented(name, "id")
    assert len(reasons) >= 8
    assert [each for each in reasons if speech.reason(each) is None] == []


@pytest.mark.parametrize(
    ("event", "mine", "theirs"),
    [
        (Event("first", 0), "You go first.", "Ann goes first."),
        (Event("ask", 0, 1, ("9",)), "You ask Ben for nines.", "Ann asks you for nines."),
        (Event("ask", 0, 2, ("6",)), "You ask Cy for sixes.", "Ann asks Cy for sixes."),
        (Event("ask", 0, 1, ("9S",)), "You ask Ben for 9♠.", "Ann asks you for 9♠."),
        (Event("give", 0, words=("9C", "TS")), "You give 9♣ 10♠.", "Ann gives 9♣ 10♠."),
        (Event("go fish", 0), "You say: Go fish!", "Ann says: Go fish!"),
        (Event("draw", 0), "You draw a card.", "Ann draws a card."),
        (Event("book", 0, words=("T",)), "You lay a book of tens.", "Ann lays a book of tens."),
        (
            Event("refill", 0, words=("5",)),
            "You had no cards and draw a card.",
            "Ann had no cards and draws 5.",
        ),
        (Event("over", words=("stock-empty",)), "The pond is empty.", "The pond is empty."),
        (Event("swim", 0, words=("far",)), "Ann: swim far", "Ann: swim far"),
    ],
    ids=lambda value: value.verb if isinstance(value, Event) else "",
)
def test_events(event: Event, mine: str, theirs: str) -> None:
    assert speaker(0).event(event) == mine
    assert speaker(1).event(event) == theirs


@pytest.mark.parametrize(
    ("name", "event", "mine", "theirs"),
    [
        (
            "one-fish",
            Event("ask", 0, 1, ("blue",)),
            "You ask Ben for a blue fish.",
            "Ann asks you for a blue fish.",
        ),
        (
            "one-fish",
            Event("ask", 0, 1, ("3", "via", "star")),
            "You show a star and ask Ben for threes.",
            "Ann shows a star and asks you for threes.",
        ),
        ("one-fish", Event("give", 0, words=("?2", "?2")), "You give 2 twos.", "Ann gives 2 twos."),
        ("one-fish", Event("give", 0, words=("?1",)), "You give 1 one.", "Ann gives 1 one."),
        (
            "one-fish",
            Event("lay", 0, words=("R2+G2", "B1+*")),
            "You lay red two + green two, blue one + a star.",
            "Ann lays red two + green two, blue one + a star.",
        ),
        ("one-fish", Event("decline", 0), "You lay nothing.", "Ann lays nothing."),
        ("casino", Event("take", 0, 1, ("2",)), "You take 2 cards from Ben.", "Ann takes 2 cards from you."),
        ("casino", Event("take", 0, 1, ("8D",)), "You take 8♦ from Ben.", "Ann takes 8♦ from you."),
        (
            "casino",
            Event("draw deck", 0, words=("5C", "TS")),
            "You draw 5♣ 10♠ from the deck.",
            "Ann draws 5♣ 10♠ from the deck.",
        ),
        (
            "casino",
            Event("swap", 0, words=("QS=5C", "4D=4S")),
            "You swap Q♠ for 5♣, 4♦ for 4♠.",
            "Ann swaps Q♠ for 5♣, 4♦ for 4♠.",
        ),
        ("casino", Event("set", 0, words=("4",)), "You lay a set of fours.", "Ann lays a set of fours."),
        ("casino", Event("hand back", 0, words=("1",)), "You hand 1 card back.", "Ann hands 1 card back."),
        ("casino", Event("burn", words=("7H",)), "The Dealer burns 7♥.", "The Dealer burns 7♥."),
        (
            "discount-salmon",
            Event("flip", words=("ugly", "not-fish")),
            "The fish is ugly, not a fish.",
            "The fish is ugly, not a fish.",
        ),
        (
            "discount-salmon",
            Event("play", 0, words=("makeup", "nuclear-waste")),
            "You play makeup, nuclear waste.",
            "Ann plays makeup, nuclear waste.",
        ),
        (
            "discount-salmon",
            Event("fryer", target=0),
            "You have the deep fryer now.",
            "Ann has the deep fryer now.",
        ),
        (
            "discount-salmon",
            Event("drop", 0, words=("2",)),
            "You put away 2 cards.",
            "Ann puts away 2 cards.",
        ),
    ],
    ids=lambda value: value.verb if isinstance(value, Event) else "",
)
def test_events_of_the_other_games(name: str, event: Event, mine: str, theirs: str) -> None:
    assert speaker(0, game=name).event(event) == mine
    assert speaker(1, game=name).event(event) == theirs


def test_only_the_drawer_reads_what_was_drawn() -> None:
    assert speaker(0).event(Event("draw", 0), ["9S"]) == "You draw 9♠."


def test_proofs_are_marked() -> None:
    assert speaker().proof(Event("go fish", 1)) == "✓ proved: holds none"
    assert speaker(ascii_only=True).proof(Event("ask", 1, 0, ("9",))) == "+ proved: holds one"
    assert speaker().proof(Event("draw", 1)) == ""
    assert speaker(game="one-fish").proof(Event("give", 1, words=("?2", "?2"))) == "✓ proved: that is all"
    assert speaker(game="one-fish").proof(Event("give", 1, words=("B1",))) == ""
    star = Event("ask", 1, 0, ("3", "via", "star"))
    assert speaker(game="one-fish").proof(star) == "✓ proved: holds a star"
    for speech in SPEECHES.values():
        assert {key.rstrip(" ?") for key in speech.proofs} <= set(speech.events)


@pytest.mark.parametrize(
    ("text", "fancy", "plain"),
    [
        ("9S", "9♠", "9S"),
        ("TH", "10♥", "10H"),
        ("?D", "?♦", "?D"),
        ("9?", "9?", "9?"),
        ("?", "?", "?"),
        ("XB", "black joker", "black joker"),
        ("B1", "B1", "B1"),
        ("", "", ""),
    ],
)
def test_cards(text: str, fancy: str, plain: str) -> None:
    assert Glyphs().card(text) == fancy
    assert Glyphs(ascii_only=True).card(text) == plain


def test_no_variation_selectors() -> None:
    for face in game("go-fish").deck(game("go-fish").options({"deck": "54", "book_size": "2"}, 2)).faces:
        assert "\ufe0f" not in Glyphs().card("".join(face))


@pytest.mark.parametrize(
    ("game_id", "reason"),
    [(name, each) for name, speech in SPEECHES.items() for each in (*speech.reasons, *REASONS, "unheard-of")],
)
def test_refusals_are_one_sentence(game_id: str, reason: str) -> None:
    text = speaker(game=game_id).reason(Reason(reason, ("9",)))
    assert text.endswith((".", ")."))
    assert "{" not in text
    assert text.count(". ") == 0


def test_results() -> None:
    say = speaker(1)
    assert say.winners(Outcome("stock-empty", (1, 2, 0), (1,))) == "You win!"
    assert say.winners(Outcome("stock-empty", (3, 2, 0), (0,))) == "Ann wins."
    shared = say.winners(Outcome("stock-empty", (2, 2, 0), (0, 1)))
    assert shared == "You share the win with Ann: 2 each."
    assert speaker(0).winners(Outcome("x", (0, 0, 0), (0, 1, 2))) == (
        "You share the win with Ben and Cy: 0 each."
    )
    salmon = speaker(0, game="discount-salmon")
    assert salmon.winners(Outcome("x", (3, 3, 0), (0, 1))).endswith("equal in fish, curses and cures.")
    casino = speaker(0, game="casino")  # as a team, so that no score of one of them decides
    assert casino.winners(Outcome("x", (0, 1, 0), (0, 1))) == "You win together with Ben."
    assert casino.winners(Outcome("x", (0, 1, 2), (1, 2))) == "Ben and Cy win together."
    assert say.winners(Outcome("x", (), ())) == "Nobody wins."


def test_shuffling_says_who_and_how_far() -> None:
    assert speaker(1).stage("shuffle", (0,), 1, 4) == "Shuffling: Ann, 2 of 4"
    assert speaker(0).stage("shuffle", (0,), 0, 4) == "Shuffling: you, 1 of 4"
    assert speaker().stage("answer", (0,), 0, 1) == ""


def test_durations() -> None:
    assert [duration(s) for s in (0, 1, 119, 120, 3600)] == [
        "0 seconds",
        "1 second",
        "119 seconds",
        "2 minutes",
        "60 minutes",
    ]


def test_text_of_others_is_made_safe() -> None:
    assert printable("a\x1b[2Jb\x07\u202ec\n") == "a [2Jb  c "
    assert len(printable("x" * 9999)) == 501


def test_plurals() -> None:
    assert ranks_name("6") == "sixes"
    assert ranks_name("blue") == '"blue"'  # of somebody's own deck


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (("9♦", "9♠", "9?"), "9♦ 9♠ and one more nine"),
        (("9♦", "9?", "9?"), "9♦ and two more nines"),
        (("10?", "10?", "3?"), "two tens and one three"),
        (("?", "?"), ""),
        (("4♣",), "4♣"),
    ],
)
def test_partly_known_cards_are_told_in_words(known: tuple[str, ...], text: str) -> None:
    assert held_text(known) == text
