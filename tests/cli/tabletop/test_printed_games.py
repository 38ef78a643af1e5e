"""Whole games with a printed deck, of all four kinds, with people who do what they are told: in front of
everybody lie the cards that the game says, and the record is sound."""

from __future__ import annotations

import pytest

from p2p.sealed.testgroup import SmallGroup
from tests.cli.tabletop import printed_table
from tests.cli.tabletop.printed_world import World

SMALL = SmallGroup()

GAMES = [
    ("go-fish", 2, (0,), {}, False),
    ("go-fish", 4, (0, 2), {"end_mode": "all_books", "give_amount": "one"}, True),
    ("go-fish", 6, (0, 1), {}, False),
    ("one-fish", 2, (0,), {}, True),
    ("one-fish", 6, (0, 3, 5), {}, False),
    ("casino", 3, (0, 1), {}, True),
    ("casino", 6, (0, 5), {}, False),
    ("discount-salmon", 2, (0,), {}, False),
    ("discount-salmon", 5, (0, 2, 3), {}, True),
    ("discount-salmon", 5, (0, 4), {"pace": "turns"}, True),
]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOAL_LANG", "en")


@pytest.mark.parametrize(("name", "seats", "local", "options", "has_pads"), GAMES)
def test_people_who_follow_the_words(
    name: str, seats: int, local: tuple[int, ...], options: dict[str, str], has_pads: bool
) -> None:
    world = World(SMALL, name, seats, local, options, seed=seats, has_pads=has_pads)
    world.play()
    assert [session.fault for session in world.sessions] == [None] * seats
    report = world.verdict(0)
    assert (report.verdict, report.finished) == ("sound", True)
    assert world.by_taps > 0


@pytest.mark.parametrize("seed", [0, 2])
def test_people_who_play_a_card_as_soon_as_they_have_it(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that was found and is tapped again within seconds, to play it or because it is looked for once
    more, is no card that touches a pad on its way."""
    monkeypatch.setattr(printed_table, "STEP", 1.1)
    world = World(SMALL, "one-fish", 4, (0, 1), seed=seed, has_pads=True)
    world.play()
    report = world.verdict(0)
    assert (report.verdict, report.finished) == ("sound", True)
