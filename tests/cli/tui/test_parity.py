"""What the full screen shows is said in the plain mode, too: every phase of every game, in both languages.

Two ways: the facts of a moment as data, each as one whole text; and every word that is drawn, whatever it
comes from. Words that are no facts are listed one by one with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import pytest

from cli.language import LANGUAGES, N_, speaking
from cli.story import Line
from cli.translation import gettext as _
from cli.tui.canvas import clean, plain
from cli.tui.keys import Chooser
from cli.tui.layout import draw
from cli.tui.scene import Scene, scene_of
from cli.tui.sheet import Sheet
from p2p.session import GameOver, YourMove
from tests.cli.open_table import OpenTable
from tests.cli.tui.stage import Seen, positions

SIZE = (112, 90)
"""As roomy as it is with the log below the table, so that each text is in one piece."""

WAITED = 75

KEYS = {
    N_("help"): "names the key ?; the plain mode has the word help",
    N_("proofs"): "names the key F2; the plain mode has the word proofs",
    N_("suits"): "names the key F4, which only changes how suits look on the full screen",
    N_("log"): "names the key PageUp; the plain mode has the word log",
    N_("pause"): "names the keys Ctrl-C; the plain mode has the word quit",
    N_("leave"): "names the keys Ctrl-C after the end; the plain mode has the word leave",
    N_("back"): "names the key Esc: a step of choosing is taken back, where a line is simply typed anew",
    N_("command"): "names the key / that begins a typed line; in the plain mode every line is one",
    N_("more"): "names the key 0 that shows further choices; hint lists all of them",
    N_("What happened"): "heads the log beside the table, where the plain mode is one log",
    N_("Whom?"): "a step of choosing by keys; in the plain mode the whole move is one line",
    N_("for what?"): "the same",
    N_("Which suit?"): "the same",
    N_("that is all"): "the same: what is chosen so far is the whole move",
    N_("with a star"): "the same: a step of ask NAME N via star",
    N_("TURN"): "a fact of its own, see test_whose_turn_it_is: the plain mode marks it by a star",
    N_("YOUR TURN"): "the same",
    N_("{n} card"): "a number of cards, which facts() compares",
    N_("{n} cards"): "the same",
}
"""What stands on the full screen and is no fact of the game -> why."""

SIGNS = "Esc PgUp PgDn Enter F1 F2 F4 F8 F9 C"
"""What is printed on keys."""


NAMES = tuple(dict(positions()))
"""All positions that are drawn for the snapshots."""


@lru_cache(maxsize=256)
def seen_at(language: str, name: str) -> Seen:
    with speaking(language):
        return dict(positions())[name]()


def scene_at(seen: Seen) -> Scene:
    show, view = seen.table.show, seen.view or seen.table.view()
    waiting = getattr(seen, "awaited", ())
    missing = getattr(seen, "missing", {})
    return scene_of(show, view, show.board(view, waiting, missing), seen.actions, seen.left)


def log_of(seen: Seen) -> list[Line]:
    return [line for _telling, lines in seen.tellings for line in lines]


def drawn(seen: Seen, scene: Scene) -> list[str]:
    """The rows of the screen, without its title."""
    chooser = Chooser(scene.game, seen.actions)
    choice = None if chooser.is_empty else chooser.choice
    sheet = Sheet(scene, log_of(seen), choice=choice, waited=WAITED if scene.waiting else 0)
    return [plain(row) for row in draw(sheet, *SIZE)][1:]


@lru_cache(maxsize=256)
def said_at(language: str, name: str) -> list[str]:
    seen = seen_at(language, name)
    return said(seen, scene_at(seen))


def said(seen: Seen, scene: Scene) -> list[str]:
    """All that the plain mode says at that moment, or has said, or says when it is asked."""
    show, view = seen.table.show, seen.view or seen.table.view()
    lines = [
        *map(str, log_of(seen)), *map(str, show.passing(view)), *show.table_lines(scene.board),
        show.hand_line(view), *show.hints(view), *show.ledger.lines(), show.game.idle(view),
        *(show.game.action(action) for action in seen.actions),
    ]  # fmt: skip
    if seen.actions:
        lines += show.game.asked(view, seen.actions, seen.left)
        lines.append(show.game.prompt(view, seen.actions, seen.left))
    if scene.waiting:
        lines += [show.say.waiting(scene.waiting), show.say.waited(scene.waiting, WAITED)]
    for command in show.game.commands:
        lines += show.answer(command, view)
    return lines


def facts(scene: Scene, log: Sequence[Line]) -> list[str]:
    """What there is to know, as whole texts."""
    found = [scene.hand_line, *scene.question, *scene.result, scene.waiting_text, scene.remedy]
    found += [scene.extras.headline, *scene.board.facts, *scene.extras.steps]
    found += [scene.extras.gauge.text] if scene.extras.gauge is not None else []
    found += [str(scene.proofs)] if scene.proofs else []
    for player in (scene.me, *scene.others):
        if player is not None:
            found += [player.name, player.laid, player.note, player.known]
            found.append(f"{player.cards:2}" if not scene.is_over else str(player.cards))
    for pile in () if scene.is_over else scene.board.piles:  # the result lies where they lay
        found += [pile.name, *pile.cards] if pile.cards else [pile.name, str(pile.size) if pile.size else ""]
    found += [part for line in log for part in (line.text.strip(), line.proof)]
    found += [scene.work.text] if scene.work is not None else []
    found += [] if scene.actions or scene.waiting or scene.is_over or scene.work else [scene.idle]
    return [text for text in found if text]


def words_of(lines: Sequence[str]) -> set[str]:
    text = re.sub(r"[\w-]*…", "", " ".join(lines))  # a name that is too long for its box
    return set(re.findall(r"[\w♠♥♦♣*]+", text))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_fact_is_said(name: str, language: str) -> None:
    seen = seen_at(language, name)
    with speaking(language):
        scene = scene_at(seen)
        plain_mode = said_at(language, name)
        for fact in facts(scene, log_of(seen)):
            assert any(fact in line for line in plain_mode), fact


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_word_that_is_drawn_is_said_or_names_a_key(name: str, language: str) -> None:
    seen = seen_at(language, name)
    with speaking(language):
        scene = scene_at(seen)
        rows = drawn(seen, scene)
        keys = words_of([*map(_, KEYS), SIGNS])
        chooser = Chooser(scene.game, seen.actions)
        keys |= set() if chooser.is_empty else {option.shown for option in chooser.choice.options}
        unsaid = words_of(rows) - words_of(said_at(language, name)) - keys
        assert not unsaid


@pytest.mark.parametrize("name", NAMES)
def test_every_fact_is_drawn(name: str) -> None:
    """So that the list of facts is no shorter than what is drawn, nor longer."""
    seen = seen_at("en", name)
    scene = scene_at(seen)
    text = " ".join(" ".join(drawn(seen, scene)).split())
    hand = {scene.hand_line} | ({scene.idle} if scene.is_racing else set())
    for fact in facts(scene, ()):
        if fact not in hand and not fact.strip().isdecimal():
            missing = [word for word in clean(fact).removesuffix(".").split() if word not in text]
            assert not missing, fact
    for token in scene.hand:
        assert not [card for card in token.cards if clean(card) not in text]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_whose_turn_it_is(name: str, language: str) -> None:
    seen = seen_at(language, name)
    with speaking(language):
        scene = scene_at(seen)
        lines = seen.table.show.table_lines(scene.board)
        rows = drawn(seen, scene)
        for player in (scene.me, *scene.others):
            assert player is not None
            (line,) = [each for each in lines if re.match(rf"[* ] {player.number} ", each)]
            assert line.startswith("*") == player.is_turn
            marked = [
                row for row in rows if re.search(rf"► {player.number} {re.escape(player.name[:8])}", row)
            ]
            assert bool(marked) == player.is_turn
            assert str(player.cards) in line
            assert player.name in line
        word = _("YOUR TURN") if scene.me is not None and scene.me.is_turn else _("TURN")
        assert any(word in row for row in rows) == any(p.is_turn for p in (scene.me, *scene.others) if p)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["go-fish", "one-fish", "casino", "discount-salmon"])
def test_no_phase_is_left_out(game: str, language: str) -> None:
    """Every phase of the rules that whole games come through, each once."""
    met: set[object] = set()
    with speaking(language):
        for seed in range(3):
            table = OpenTable(game, seed=seed)
            tellings = []
            for told in table.play():
                tellings.append(told)
                telling = told[0]
                actions = telling.actions if isinstance(telling, YourMove) else ()
                phase = (
                    type(telling), getattr(table.position.state, "phase", ""),
                    frozenset(action.verb for action in actions), bool(table.view().hand),
                )  # fmt: skip
                if phase in met:
                    continue
                met.add(phase)
                seen = Seen(table, tellings[-12:], tuple(actions), getattr(telling, "seconds", None))
                scene = scene_at(seen)
                rows, plain_mode = drawn(seen, scene), said(seen, scene)
                keys = words_of([*map(_, KEYS), SIGNS])
                chooser = Chooser(scene.game, seen.actions)
                keys |= set() if chooser.is_empty else {each.shown for each in chooser.choice.options}
                unsaid = words_of(rows) - words_of(plain_mode) - keys
                assert not unsaid, phase
                for fact in facts(scene, log_of(seen)):
                    assert any(fact in line for line in plain_mode), (phase, fact)
    assert any(isinstance(kind, tuple) and kind[0] is GameOver for kind in met)
    assert len(met) >= 8


REMEDY = "You can talk (chat TEXT), pause (quit), or go on without Cy: give up Cy"


@pytest.mark.parametrize("size", [(80, 23), (40, 14)])
@pytest.mark.parametrize("name", ["one-fish-waiting", "go-fish-away", "casino-shuffle", "casino-waiting"])
def test_who_is_waited_for_how_long_and_what_can_be_done(name: str, size: tuple[int, int]) -> None:
    """For a turn, for somebody out of reach, for a shuffle and its proof."""
    seen = seen_at("en", name)
    show = seen.table.show
    scene = replace(scene_at(seen), waiting=(2,), waiting_text=show.say.waiting((2,)), remedy=REMEDY)

    def shown(waited: int) -> str:
        rows = draw(Sheet(scene, log_of(seen), waited=waited), *size)
        return " ".join(" ".join(map(plain, rows)).split())

    assert f"Waiting for Cy (12 s) {REMEDY}" in shown(12)
    assert show.say.waited((2,), 12) == "Waiting for Cy (12 s)"
    short = shown(1)
    assert ("Waiting for Cy. " in short) == (scene.work is None), "a shuffle says who is at work"
    assert "(1 s)" not in short


def test_a_race_counts_nobody_and_a_game_that_is_over_waits_for_nobody() -> None:
    for name in ("discount-salmon-race", "go-fish-end"):
        assert scene_at(seen_at("en", name)).waiting == ()
