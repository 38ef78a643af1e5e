"""The operations of a turn, signed garbage, invariants, the generic checks and a golden game.

The worked examples are scenarios.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Action,
    BadAction,
    BadOption,
    BadSetup,
    IllegalAction,
    Open,
    Outcome,
    Position,
    Reason,
    Stream,
    View,
    action_text,
    game,
    seat_letters,
)
from engine.games.casino import Casino
from engine.games.casino_state import CasinoState
from engine.table import (
    STOCK,
    Choose,
    Coin,
    Complete,
    Deed,
    Draw,
    HandOver,
    Mix,
    Move,
    Op,
    Pick,
    Show,
    Shuffle,
    Slot,
    hand_of,
)
from engine.testing import check_game, option_sets, transcript
from tests.engine.arranging import chosen, kinds, scene, until

RULES = game("casino")
LABELS = ("P1", "P2", "D")
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "engine" / "casino.txt"
FIVE = "P1=9H 8D 7C 6S 5H; D=KC QC JC TC 9C"

Bot = Callable[[View[Any], Any, Stream], Action]


class Covered(Casino):
    """The same rules at a table where nobody opens a hand, so that the Dealer takes blindly."""

    def legal(self, v: View[CasinoState]) -> tuple[Action, ...]:
        return (Action("ready"),) if v.state.phase == "ready" else super().legal(v)


def arranged(hands: str, turn: str, more: str = "", **options: object) -> tuple[Position, Open]:
    """A position at its first decision that is no wish."""
    position, dealer = scene("casino", LABELS, hands, turn, more, chosen(options))
    return run(position, dealer, [])[0], dealer


def run(position: Position, dealer: Open, ops: list[Op]) -> tuple[Position, list[Op]]:
    """All that is not decided, wishes for nothing included, up to the next decision."""
    while not isinstance(op := position.pending, Outcome):
        ops.append(op)
        if not isinstance(op, Choose):
            position, _ = position.feed(dealer.resolve(position))
        elif op.wish:
            deeds = [(seat, Deed("ready")) for seat in op.seats]
            position, _ = position.feed(dealer.decided(position, deeds))
        else:
            break
    return position, ops


def act(position: Position, dealer: Open, text: str) -> tuple[Position, list[Op]]:
    """``P1: draw deck 2``, and the operations that follow."""
    label, _, action = text.partition(": ")
    seat = LABELS.index(label)
    deed = position.deed(seat, dealer.hand(position.table, seat), position.parse(action, LABELS))
    position, _ = position.feed(dealer.decided(position, [(seat, deed)]))
    return run(position, dealer, [])


# --- operations ---


def test_the_deal() -> None:
    position = Position.start(RULES, {}, 3)
    assert position.pending == Coin(3)
    dealer = Open(position, Stream(1))
    _, ops = run(position, dealer, [])
    assert ops[1] == Shuffle(STOCK)
    deal = ops[2]
    assert isinstance(deal, Draw)
    assert [seat for _, seat in deal.draws] == [0, 1, 2] * 5
    assert [slot.n for slot, _ in deal.draws] == list(range(15))
    completes = [op for op in ops if isinstance(op, Complete)]
    assert [(op.seat, op.attribute, op.size, len(op.fresh)) for op in completes] == [
        (seat, "rank", 4, 5) for seat in range(3)
    ]
    assert not [op for op in ops if isinstance(op, Mix)]


def test_a_dealer_who_is_chosen_is_not_drawn() -> None:
    position = Position.start(RULES, {"dealer": "2"}, 3)
    assert position.pending == Shuffle(STOCK)
    position, _ = run(position, Open(position, Stream(1)), [])
    assert (position.state.dealer, position.state.turn) == (1, 2)


def test_a_turn_of_a_patron() -> None:
    position, dealer = arranged("P1=QS 4D 7H 9C 2S", "P1", 'stock = "5C 4S"')
    position, ops = act(position, dealer, "P1: draw deck 2")
    assert kinds(ops) == ["Show", "Move", "Choose"]
    assert ops[1] == Move((Slot(STOCK, 0), Slot(STOCK, 1)), "table")
    assert ops[2] == Choose((0,), "swap")
    position, ops = act(position, dealer, "P1: swap QS=5C 4D=4S")
    assert kinds(ops) == ["Move", "Move", "Complete", "Mix", "Move", "Choose", "Choose"]
    complete = ops[2]
    assert isinstance(complete, Complete)
    assert [slot.n for slot in complete.fresh] == [5, 6]
    assert ops[3] == Mix("hand.0")
    assert isinstance(ops[4], Move)
    assert ops[4].zone == "pool"
    assert ops[5] == Choose((0, 1), "ready", wish=True)
    assert ops[6] == Choose((1,), "draw")


def test_a_patron_with_nothing_to_swap_is_asked_all_the_same() -> None:
    position, dealer = arranged("P1=QS 4S 7C 9C 2S", "P1", 'stock = "5D TH"')
    position, ops = act(position, dealer, "P1: draw deck 2")
    assert ops[-1] == Choose((0,), "swap")
    assert position.choices(0, dealer.hand(position.table, 0)) == (Action("keep"),)


def test_a_hand_that_got_nothing_is_neither_proved_nor_mixed() -> None:
    position, dealer = arranged("P1=QS 4D 7H 9C 2S", "P1", 'stock = "5C 4S"')
    position, _ = act(position, dealer, "P1: draw deck 2")
    _, ops = act(position, dealer, "P1: keep")
    assert kinds(ops) == ["Move", "Choose", "Choose"]


def test_a_blind_steal() -> None:
    position, dealer = arranged(FIVE, "D", "coin = [3, 0]")
    position, ops = act(position, dealer, "D: take P1 table hand")
    assert kinds(ops) == ["Pick", "HandOver", "Show", "Move", "Mix", "Choose"]
    assert ops[0] == Pick(2, "hand.0", 2)
    assert ops[1] == HandOver((Slot("hand.0", 3),), 2)
    assert ops[2] == Show((Slot("hand.0", 0),))
    assert ops[4] == Mix("hand.2")
    assert ops[5] == Choose((2,), "keep")
    position, ops = act(position, dealer, "D: keep 6S 9H KC QC JC")
    assert kinds(ops) == ["Move", "Choose"]  # 9H lay face up; settled only when the hidden leftovers are gone
    position, ops = act(position, dealer, "D: hand back")
    assert kinds(ops)[:5] == ["HandOver", "Complete", "Mix", "Complete", "Mix"]
    assert isinstance(ops[1], Complete)
    assert (ops[1].seat, len(ops[1].fresh)) == (2, 5)
    assert isinstance(ops[3], Complete)
    assert (ops[3].seat, [slot.n for slot in ops[3].fresh]) == (0, [5, 6])


def test_the_kept_cards_of_a_mixed_hand_need_no_second_mix() -> None:
    position, dealer = arranged(FIVE, "D", "coin = [3, 0]")
    position, _ = act(position, dealer, "D: take P1 hand hand")
    position, _ = act(position, dealer, "D: keep 6S 9H KC QC JC")
    _, ops = act(position, dealer, "D: discard")
    assert kinds(ops)[:2] == ["Move", "Complete"]
    assert Mix("hand.2") not in ops


def test_named_cards_of_an_open_hand_are_moved_in_public() -> None:
    position, dealer = arranged(FIVE, "D", 'exposed = ["P1"]')
    _, ops = act(position, dealer, "D: take P1 9H hand 8D table")
    assert ops[:2] == [Move((Slot("hand.0", 0),), "hand.2"), Move((Slot("hand.0", 1),), "table")]


def test_an_open_hand_draws_back_openly_and_is_not_mixed() -> None:
    position, dealer = arranged("P1=4C 4D 4H 9C 2S", "P1", 'stock = "4S 5C 6D 7H 8S"\nexposed = ["P1"]')
    position, _ = act(position, dealer, "P1: draw deck 1")
    _, ops = act(position, dealer, "P1: swap 9C=4S")
    assert kinds(ops) == [
        "Move",
        "Move",
        "Complete",
        "Move",
        "Show",
        "Move",
        "Complete",
        "Move",
        "Choose",
        "Choose",
    ]


def test_only_those_who_may_wish_for_something_are_ready() -> None:
    position, dealer = arranged("", "P1", 'exposed = ["P2"]')
    assert position.state.exposed == (1,)
    position, dealer = scene("casino", LABELS, "", "P1", 'exposed = ["P1", "P2"]')
    position = until(Choose, position, dealer)
    assert position.pending == Choose((0,), "ready", wish=True)
    assert position.choices(0, dealer.hand(position.table, 0)) == (Action("ready"), Action("conceal"))


def test_the_first_action_is_the_simplest() -> None:
    position, dealer = arranged(FIVE, "P1", 'pool = "2C 3C"')
    legal = position.choices(0, dealer.hand(position.table, 0))
    assert [action_text(action, LABELS) for action in legal] == [
        "draw deck 2",
        "draw deck 1",
        "draw pool 2C",
        "draw pool 3C",
        "draw pool 2C 3C",
    ]
    position, _ = act(position, dealer, "P1: draw pool 2C 3C")
    legal = position.choices(0, dealer.hand(position.table, 0))
    assert [action_text(action, LABELS) for action in legal] == [
        "keep",
        "swap 6S=2C",
        "swap 7C=2C",
        "swap 6S=3C",
        "swap 7C=3C",
        "swap 6S=2C 7C=3C",
        "swap 7C=2C 6S=3C",
    ]


def test_the_dealer_may_swap_and_keep_anything() -> None:
    position, dealer = arranged(FIVE, "D", "coin = [0, 1]")
    swapping, _ = act(position, dealer, "D: draw deck 2")
    assert len(swapping.choices(2, dealer.hand(swapping.table, 2))) == 1 + 10 + 20
    position, dealer = arranged(FIVE, "D", "coin = [0, 1]")
    keeping, _ = act(position, dealer, "D: take P1 hand hand")
    assert len(keeping.choices(2, dealer.hand(keeping.table, 2))) == 21


def test_settled_hands_are_at_most_five_unless_the_dealer_is_choosing() -> None:
    position, dealer = arranged(FIVE, "D", "coin = [0, 1]")
    assert position.state.unsettled == ()
    position, _ = act(position, dealer, "D: take P1 hand hand")
    assert position.state.unsettled == (2,)


# --- options and set-ups ---


def test_all_options_are_filled_in_in_order() -> None:
    options = RULES.options({"dealer": " 3 ", "tie": "PUSH"}, 3)
    assert list(options) == [option.name for option in RULES.info.options]
    assert (options["dealer"], options["tie"], options["scoring"]) == ("3", "push", "team")


@pytest.mark.parametrize(
    ("chosen", "seats", "sentence"),
    [
        ({}, 1, "Casino Go Fish is for 2 to 6 players, not 1."),
        ({}, 7, "Casino Go Fish is for 2 to 6 players, not 7."),
        ({"dealer": "4"}, 3, "dealer=4 is no seat of this table: it has 3 seats, counted from 1."),
        ({"dealer": "7"}, 6, 'dealer can be random or a number from 1 to 6, not "7".'),
        ({"tie": "house"}, 3, 'tie can be dealer_wins or push, not "house".'),
        ({"ties": "push"}, 3, "did you mean tie?"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    chosen: dict[str, str], seats: int, sentence: str
) -> None:
    with pytest.raises(BadOption) as caught:
        RULES.options(chosen, seats)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ('exposed = ["D"]', "The Dealer's hand never lies open."),
        ('exposed = ["X"]', "There is no seat X."),
        ('exposed = "P1"', "exposed is a list of seats."),
        ("pool = 3", "pool is a text with cards."),
        ('pool = "9X"', "is not a card"),
        ("books = { P1 = 14 }", "books cannot be filled"),
        ('books = "7"', "books gives each seat"),
        ('dealer = "X"', "There is no seat X."),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_one_sentence(more: str, sentence: str) -> None:
    with pytest.raises(BadSetup) as caught:
        arranged("", "P1", more)
    assert sentence in str(caught.value)


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


# --- whole games ---


def games(bot: Bot, count: int, seats: int, **options: str) -> Iterator[tuple[Position, Position, Open]]:
    """Every step of some games: the position before and after it, and the cards after it."""
    for number in range(count):
        rng = Stream("casino", seats, number)
        position = Position.start(RULES, options, seats)
        dealer = Open(position, rng)
        for _ in range(20_000):
            op = position.pending
            if isinstance(op, Outcome):
                break
            before = position
            if isinstance(op, Choose):
                deeds = []
                for seat in op.seats:
                    view = dealer.view(position, seat)
                    deeds.append((seat, RULES.deed(view, bot(view, RULES.legal(view), rng))))
                position, _ = position.feed(dealer.decided(position, deeds))
            else:
                position, _ = position.feed(dealer.resolve(position))
            yield before, position, dealer
        else:
            raise AssertionError("The game does not end.")


def sociable(view: View[Any], legal: Any, rng: Stream) -> Action:
    """Anything, but hands are opened and covered rarely, and the deck is often drawn from."""
    if legal[0].verb == "ready":
        return legal[rng.below(12) == 0]
    if legal[0].verb == "draw deck" and rng.below(3):
        return legal[0]
    return rng.choice(legal)


def collecting(view: View[Any], legal: Any, rng: Stream) -> Action:
    """Takes from the pool, swaps in and keeps what it has most of, so that sets come up."""
    have = Counter(face[0] for face in view.hand.values())

    def worth(action: Action) -> int:
        if action.verb == "draw pool":
            return sum(have[card[0]] for card in action.cards)
        kept = Counter(card[0] for card in action.cards) if action.verb in ("keep", "fill") else Counter(have)
        for out, _, into in (pair.partition("=") for pair in action.cards if action.verb == "swap"):
            kept[out[0]] -= 1
            kept[into[0]] += 1
        return sum(count * count for count in kept.values())

    if legal[0].verb == "draw deck":
        pool = [action for action in legal if action.verb == "draw pool" and worth(action) > 1]
        return max(pool, key=worth) if pool else sociable(view, legal, rng)
    return max(legal, key=worth) if legal[0].verb in ("keep", "fill") else sociable(view, legal, rng)


def stalling(view: View[Any], legal: Any, rng: Stream) -> Action:
    """Never takes a card from the deck if it can help it, and gives everything back."""
    others = [action for action in legal if action.verb not in ("draw deck", "expose", "conceal")]
    return rng.choice(others or legal)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_hands_of_those_who_moved_have_at_most_five_cards_and_no_set(seats: int) -> None:
    sets = 0
    for before, after, dealer in games(collecting, 12, seats, dealer_takes_from="split"):
        if after.state.phase == "ready" and before.state.phase != "ready" and after.state.dealer >= 0:
            for seat in range(seats):
                hand = dealer.faces(after.table, hand_of(seat))
                assert len(hand) <= 5
                assert max(Counter(face[0] for face in hand).values(), default=0) < 4
        sets += isinstance(after.pending, Outcome) and sum(after.pending.scores)
    assert sets > 0


@pytest.mark.parametrize("end", ["after_turn", "finish_round"])
def test_a_game_ends_even_if_nobody_draws_from_the_deck(end: str) -> None:
    """Each round burns a card (CG-BURN), so there are at most as many rounds as the deck has cards."""
    for seats in (2, 4):
        turns = burnt = 0
        for before, after, _ in games(stalling, 1, seats, end=end):
            turns += after.state.turn != before.state.turn
            burnt += after.state.phase == "burnt" and before.state.phase != "burnt"
        assert burnt > 0
        assert turns <= seats * (52 - 5 * seats) + 1


def test_open_hands_are_open_and_others_are_not_told() -> None:
    checked = 0
    for _, after, _ in games(sociable, 6, 4):
        if isinstance(after.pending, Choose) and after.pending.kind == "draw":
            for seat in after.state.exposed:
                assert set(after.table.slots(hand_of(seat))) <= after.table.known.keys()
                checked += 1
            # What others cannot know is not in the public state.
            hidden = {slot for slot in after.table.known if slot.zone == hand_of(after.state.dealer)}
            assert not hidden
    assert checked > 20


@pytest.mark.parametrize("rules", [Casino, Covered])
def test_every_pair_of_options_plays_soundly(rules: type[Casino]) -> None:
    assert check_game(rules(), games=1, seed=1, seats=(3,)) == len(option_sets(RULES, 3))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Casino, Covered])
@pytest.mark.parametrize("seats", [2, 4, 5, 6])
def test_every_pair_of_options_plays_soundly_at_every_table(rules: type[Casino], seats: int) -> None:
    assert check_game(rules(), games=3, seed=2, seats=(seats,)) > 30


def test_the_transcript_of_a_game() -> None:
    """To renew it after an intended change: write these lines to the file, and read the difference."""
    lines = list(transcript(RULES, {"dealer_takes_from": "split", "dealer": "3"}, 3, [collecting] * 3, 23))
    assert lines == GOLDEN.read_text("utf-8").splitlines()
