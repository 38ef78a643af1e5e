"""Those who watch are told what the players are told, step by step."""

from __future__ import annotations

from typing import Any

import pytest

from cli.boards import BOARDS
from cli.presenter import Presenter
from cli.text import Glyphs
from cli.watching.told import begins, told_of
from engine.registry import game
from engine.table import Tick
from p2p.log import read_game
from p2p.sealed.testgroup import SmallGroup
from p2p.session import Contributed, Finished, GameOver, Happened, Left, Skipped, Stage
from p2p.verify import Step, Verifier
from tests.p2p.harness import SHORT, TINY, Ring
from tests.p2p.session.absences import racing

SMALL = SmallGroup()
PUBLIC = (Happened, Stage, GameOver, Finished, Skipped, Left)
"""What players are told of the game, and not of their own part in it or of links."""


def steps_of(ring: Ring, seat: int) -> tuple[Verifier, list[Step]]:
    file = read_game(ring.record(seat))
    verifier, steps = Verifier(file.charter, ring.rules, SMALL), list[Step]()
    assert verifier.judge(file, took=steps.append).verdict == "sound"
    return verifier, steps


def told_by(ring: Ring, seat: int) -> list[Any]:
    return [what for what in ring.told[seat] if isinstance(what, PUBLIC)]


def first_of(ring: Ring) -> list[Any]:
    return begins(Verifier(ring.charter, ring.rules, SMALL).history.progress, 0)


@pytest.mark.parametrize("reveal", ["end", "never"])
@pytest.mark.parametrize("options", [TINY, SHORT], ids=["tiny", "short"])
def test_a_game_is_told_as_its_players_are(options: dict[str, str], reveal: str) -> None:
    ring = Ring(SMALL, 3, options=options, reveal=reveal)
    ring.play()
    _, steps = steps_of(ring, 0)
    told = first_of(ring) + [what for step in steps for what in told_of(step)]
    assert [what for what in told if not isinstance(what, Contributed)] == unique_ends(told_by(ring, 0))


def unique_ends(told: list[Any]) -> list[Any]:
    """A session says at each step after the end that it is over; that is told once to those who watch."""
    return [what for at, what in enumerate(told) if not isinstance(what, GameOver) or what not in told[:at]]


def test_a_race_is_told_as_its_players_are() -> None:
    ring = racing(SMALL, 3)
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 300)
    _, steps = steps_of(ring, 0)
    assert any(isinstance(step.before.task, Tick) for step in steps)
    told = first_of(ring) + [what for step in steps for what in told_of(step)]
    assert [what for what in told if not isinstance(what, Contributed)] == unique_ends(told_by(ring, 0))


@pytest.mark.parametrize("name", BOARDS)
def test_a_presenter_without_a_seat_shows_the_public_view_alone(name: str) -> None:
    """What a spectator reads of any game names no card that the public does not know: it is made of the
    public view, and of nothing else."""
    rules = game(name)
    seats = max(2, rules.info.least_seats)
    ring = Ring(SMALL, seats, rules=rules, options={})
    ring.start()
    for _ in range(400):
        if not ring.mail:
            break
        next(ring.steps())
    verifier = Verifier(ring.charter, rules, SMALL)
    show = Presenter(rules, [f"P{seat}" for seat in range(seats)], -1, Glyphs())
    history = ring.sessions[0].history
    view = verifier.history.progress.position.view(-1, {})
    for what in begins(verifier.history.progress, 0):
        show.hear(what, view)
    for number, entries in enumerate(history.steps):
        step = verifier.take(entries, history.certificates.get(number))
        assert step is not None
        view = step.after.position.view(-1, {})
        assert not view.hand
        for what in told_of(step):
            show.hear(what, view)
        assert show.actions == ()
    board = show.board(view)
    assert show.table_lines(board)
    assert board.hand == ()
