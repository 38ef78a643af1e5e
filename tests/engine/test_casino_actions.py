"""Casino: its actions as text, and whatever seats sign: only what is legal stands."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Action,
    BadAction,
    IllegalAction,
    Open,
    Outcome,
    Position,
    Reason,
    Stream,
    View,
    action_text,
    seat_letters,
)
from engine.games.casino import Casino
from engine.table import (
    Choose,
    Deed,
)
from tests.engine.casino_rules import LABELS, RULES, Covered

# --- texts ---


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("draw deck two", Action("draw deck", value="2")),
        ("DRAW POOL qs 4d", Action("draw pool", cards=("4D", "QS"))),
        ("take p2 Table hand", Action("take", 1, cards=("hand", "table"))),
        ("take P2 9h Hand 8d table", Action("take", 1, cards=("8D", "table", "9H", "hand"))),
        ("fill 10h", Action("fill", cards=("TH",))),
        ("swap 4D=4S qs=5c", Action("swap", cards=("4D=4S", "QS=5C"))),
        ("keep", Action("keep")),
        ("keep KC 2C", Action("keep", cards=("2C", "KC"))),
        ("discard", Action("discard")),
        ("hand back", Action("hand back")),
        ("hand back P1", Action("hand back", 0)),
        ("hand back QS 4D", Action("hand back", cards=("QS", "4D"))),
        ("expose", Action("expose")),
        ("conceal", Action("conceal")),
        ("pass", Action("pass")),
    ],
)
def test_texts_of_actions(text: str, action: Action) -> None:
    position = Position.start(RULES, {}, 3)
    assert position.parse(text, LABELS) == action
    assert position.parse(action_text(action, LABELS), LABELS) == action


@pytest.mark.parametrize(
    "text",
    [
        "", "draw", "draw deck", "draw deck 3", "draw deck 0", "draw pool", "draw pool QS QS",
        "draw pool 2C 3C 4C", "take", "take P1", "take P9 hand", "take P1 hand hand hand", "take P1 9H",
        "take P1 9H hand 9H hand",
        "take P1 hand 9H", "fill", "fill 2C 3C", "swap", "swap QS", "swap QS=5C QS=4C", "swap QS=5C 4D=5C",
        "swap QS=5C 4D=4S 2C=3C", "keep 99", "keep 2C 2C", "discard QS", "hand", "hand over", "hand back a b",
        "hand back X", "expose 2C", "swap QS=", "\x00", "take P1 " + "hand " * 1000,
    ],
)  # fmt: skip
def test_what_is_no_action_is_refused_with_one_sentence(text: str) -> None:
    position = Position.start(RULES, {}, 3)
    with pytest.raises(BadAction) as caught:
        position.parse(text, LABELS)
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 200


# --- signed garbage ---


@lru_cache(maxsize=4)
def decisions(rules: type[Casino]) -> tuple[tuple[Position, int, View[Any]], ...]:
    """Decisions of each kind, from games with all options that change what may be done."""
    found: dict[str, list[tuple[Position, int, View[Any]]]] = {}
    for number in range(6):
        options = {"dealer_takes_from": "split" if number % 2 else "one", "end": "finish_round"}
        rng = Stream("garbage", number)
        position = Position.start(rules(), options, 2 + number % 3)
        dealer = Open(position, rng)
        while not isinstance(op := position.pending, Outcome):
            if not isinstance(op, Choose):
                position, _ = position.feed(dealer.resolve(position))
                continue
            deeds = []
            for seat in op.seats:
                view = dealer.view(position, seat)
                found.setdefault(position.state.phase, []).append((position, seat, view))
                action = rng.choice(position.rules.legal(view))
                deeds.append((seat, position.rules.deed(view, action)))
            position, _ = position.feed(dealer.decided(position, deeds))
    assert set(found) == {"ready", "draw", "again", "fill", "swap", "keep", "discard"}
    return tuple(each for kept in found.values() for each in kept[:: max(1, len(kept) // 12)])


NUMBERS = st.one_of(st.integers(-2, 12), st.integers())
DEEDS = st.builds(
    Deed,
    verb=st.one_of(st.sampled_from(RULES.info.verbs), st.text(max_size=5)),
    target=NUMBERS,
    value=st.one_of(
        st.sampled_from(
            ["", "1", "2", "3", "hand", "table", "hand,table", "table,hand", "hand,hand", ",", "hand,"]
        ),
        st.text(max_size=5),
    ),
    groups=st.lists(st.lists(NUMBERS, max_size=5).map(tuple), max_size=3).map(tuple),
    shown=st.lists(NUMBERS, max_size=3).map(tuple),
)


@st.composite
def nearly_right(draw: Any, position: Position, view: View[Any]) -> Deed:
    """A deed of which one part is replaced by that of another one, or by garbage."""
    rules = position.rules
    deed = rules.deed(view, draw(st.sampled_from(rules.legal(view))))
    other = draw(st.one_of(DEEDS, st.sampled_from(rules.legal(view)).map(lambda a: rules.deed(view, a))))
    fields = ["verb", "target", "value", "groups", "shown"]
    changed = draw(st.sets(st.sampled_from(fields), max_size=3))
    return Deed(*[getattr(other if field in changed else deed, field) for field in fields])


@pytest.mark.parametrize("rules", [Casino, Covered])
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_only_legal_deeds_stand(rules: type[Casino], data: st.DataObject) -> None:
    """Whatever is signed, it is refused with a reason unless it is the deed of a legal action."""
    position, seat, view = data.draw(st.sampled_from(decisions(rules)))
    deed = data.draw(st.one_of(DEEDS, nearly_right(position, view)))
    slots = position.slots_shown(seat, deed)
    shown = {slot: view.hand[slot] for slot in slots or ()}
    reason = position.refuse(seat, deed, shown)
    is_legal = deed in [position.rules.deed(view, action) for action in Casino().legal(view)]
    assert isinstance(reason, Reason) != is_legal
    other = (seat + 1) % position.seats
    if other not in position.pending.seats:
        assert position.refuse(other, deed, {}) == Reason("not-your-turn")


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_only_legal_actions_become_deeds(data: st.DataObject) -> None:
    """Every text is no action, or is refused with a reason, or stands for a legal deed."""
    position, _, view = data.draw(st.sampled_from(decisions(Covered)))
    labels = seat_letters(position.seats)
    words = ["deck", "pool", "hand", "table", "back", "1", "2", *labels]
    words += [position.deck.text(face) for face in view.hand.values()]
    words += [f"{one}={other}" for one in words[-2:] for other in ("2C", "KD", words[-1])]
    verb = data.draw(st.sampled_from([*RULES.info.verbs, "x"]))
    rest = data.draw(st.lists(st.one_of(st.sampled_from(words), st.text(max_size=4)), max_size=5))
    try:
        deed = position.rules.deed(view, position.parse(" ".join([verb, *rest]), labels))
    except (BadAction, IllegalAction):
        return
    assert deed in [position.rules.deed(view, action) for action in Casino().legal(view)]


@settings(max_examples=200, deadline=None)
@given(data=st.data(), text=st.text(max_size=30))
def test_any_text_is_an_action_or_refused(data: st.DataObject, text: str) -> None:
    position = Position.start(RULES, {}, 3)
    try:
        action = position.parse(text, LABELS)
    except BadAction:
        return
    assert position.parse(action_text(action, LABELS), LABELS) == action


def test_the_reasons_are_those_of_the_table_in_the_documentation() -> None:
    """Each has its row, and each was met above or in a scenario."""
    root = Path(__file__).resolve().parents[2]
    table = (root / "docs" / "scenarios.md").read_text("utf-8")
    sources = "".join(path.read_text("utf-8") for path in (root / "engine" / "games").glob("casino*.py"))
    for reason in set(re.findall(r'Reason\(\s*"([a-z-]+)"', sources)) | {"not-taken-from", "no-such-seat"}:
        assert f"| `{reason}` |" in table, reason
