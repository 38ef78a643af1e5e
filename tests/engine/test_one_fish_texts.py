"""What players of One Fish write: asks, lays and picks, and what is refused with one sentence."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Action, BadAction, game
from engine.games.one_fish_text import ASKS, parse_ask, parse_lay, parse_pick
from tests.engine.arranging import LABELS

RULES = game("one-fish")
DECK = RULES.deck(RULES.options({}, 3))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ask B 3", "3"),
        ("ask b THREE", "3"),
        ("ask B b", "blue"),
        ("ask B Blue", "blue"),
        ("ask B 3 via star", "3 via star"),
        ("ASK B RED VIA *", "red via star"),
        ("ask B R2", "R2"),
        ("ask B red two", "R2"),
        ("ask B two, red", "R2"),
        ("ask B 2 and red", "R2"),
        ("ask B 2 & red via star", "R2 via star"),
        ("ask B 2 and red and blue", "R2"),
        ("ask B star", "*"),
    ],
)
def test_asks_are_read(text: str, value: str) -> None:
    assert parse_ask(DECK, text, LABELS) == Action("ask", 1, value)


@pytest.mark.parametrize(
    "text", ["", "ask", "ask B", "ask B 7", "ask B pink", "ask B 2 3", "ask B 3 via net", "ask Z 3", "go B 3"]
)
def test_other_asks_are_refused_with_one_sentence(text: str) -> None:
    with pytest.raises(BadAction) as caught:
        parse_ask(DECK, text, LABELS)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("lay R2+G2", ("R2+G2",)),
        ("lay g2+r2", ("R2+G2",)),
        ("LAY R2 + G2", ("R2+G2",)),
        ("lay R2 G2", ("R2+G2",)),
        ("lay Y5+Y2 G2+R2", ("R2+G2", "Y2+Y5")),
        ("lay red two + green 2 y2+yellow five", ("R2+G2", "Y2+Y5")),
        ("lay star+G3", ("G3+*",)),
        ("lay *+G3 R3+B3", ("R3+B3", "G3+*")),
    ],
)
def test_lays_are_read(text: str, cards: tuple[str, ...]) -> None:
    assert parse_lay(DECK, text) == Action("lay", cards=cards)


@pytest.mark.parametrize(
    "text", ["lay", "lay R2", "lay R2+", "lay +R2", "lay R2+G2 Y2", "lay R2+G2+Y2", "lay R9+G2", "declined"]
)
def test_other_lays_are_refused_with_one_sentence(text: str) -> None:
    with pytest.raises(BadAction) as caught:
        parse_lay(DECK, text)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "text", ["pick x", "pick 1 2", "pick -1", "pick ²", "pick 1000", "draw", "", "pick " + "9" * 5000]
)
def test_other_picks_are_refused_with_one_sentence(text: str) -> None:
    with pytest.raises(BadAction):
        parse_pick(text)
    assert parse_pick("Pick 07") == Action("pick", value="7")
    assert parse_pick("pick") == Action("pick", value="1")


WORDS = st.sampled_from(
    [
        *"ABC",
        *ASKS,
        "ask",
        "lay",
        "pick",
        "decline",
        "via",
        "star",
        "*",
        "+",
        "R2",
        "R2+G2",
        "and",
        "²",
        "\x00",
    ]
)
PHASES = ("ask", "pick", "lay", "lay or decline")


@given(st.sampled_from(PHASES), st.lists(WORDS | st.text(max_size=8), max_size=8).map(" ".join))
def test_any_text_is_an_action_or_refused_with_one_sentence(phase: str, text: str) -> None:
    state = msgspec.structs.replace(RULES.start(RULES.options({}, 3), 3), phase=phase)
    try:
        action = RULES.parse(state, text, LABELS)
    except BadAction as error:
        assert len(str(error)) < 200  # noqa: PT017  # either end is right
    else:
        assert action.verb in ("ask", "pick", "lay", "decline")
