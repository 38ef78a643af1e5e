"""Whole games in Macedonian: no line in Latin letters, and every move is read as it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cli.driver import BOT_NAMES
from cli.language import LANGUAGES, speaking
from cli.lines import read_line
from cli.rules import title_of
from cli.speech import SPEECHES
from cli.text import Glyphs, Speaker
from engine.contract import Event, Outcome, Reason
from engine.registry import game
from engine.text import action_text
from p2p.session import YourMove
from tests.cli.open_table import OpenTable
from tests.cli.race_table import ReadRace
from tests.cli.test_race_lines import RaceTable

pytestmark = pytest.mark.usefixtures("english_again")

CYRILLIC = re.compile("[Ѐ-ӿ]")

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
