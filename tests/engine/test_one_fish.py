"""The operations of a turn of One Fish, what is refused, and the generic checks.

The worked examples are scenarios.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Action,
    BadAction,
    BadOption,
    IllegalAction,
    Open,
    Outcome,
    Position,
    Reason,
    Stream,
    bot,
    event_text,
    game,
    play_game,
    seat_letters,
)
from engine.games.one_fish import OneFish
from engine.games.one_fish_pairs import MOST_WAYS, Lay, refused_pairs, ways_to_lay
from engine.games.one_fish_text import ASKS, STAR_MATCH, parse_ask, parse_lay, parse_pick
from engine.scenario.file import read_scenarios
from engine.scenario.setup import set_up
from engine.table import (
    STOCK,
    Choose,
    Coin,
    Deed,
    Deeds,
    Disclose,
    Draw,
    HandOver,
    Holds,
    Match,
    Mix,
    Move,
    Op,
    Result,
    Shuffle,
    Slot,
)
from engine.testing import check_game, transcript

RULES = game("one-fish")
DECK = RULES.deck(RULES.options({}, 3))
LABELS = ("A", "B", "C")
ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "engine" / "one_fish.txt"


def arranged(hands: str, stock: str = "", **more: object) -> tuple[Position, Open]:
    """A position from a line such as ``A=R2 B5; B=B1``, at A's turn."""
    named = "".join(f'{part.split("=")[0].strip()} = "{part.split("=")[1]}"\n' for part in hands.split(";"))
    lines = "".join(f"{key} = {value}\n" for key, value in more.items())
    text = (
        '[[scenario]]\nid = "x"\ngame = "one-fish"\nseats = ["A", "B", "C"]\nturn = "A"\n'
        f'stock = "{stock}"\n{lines}[scenario.hands]\n{named}'
    )
    (scenario,) = read_scenarios(text, "x.toml")
    position, dealer, _ = set_up(scenario)
    return settle(position, dealer, [])


def settle(position: Position, dealer: Open, ops: list[Op]) -> tuple[Position, Open]:
    while not isinstance(position.pending, Choose | Outcome):
        ops.append(position.pending)
        position, _ = position.feed(dealer.resolve(position))
    return position, dealer


def act(position: Position, dealer: Open, text: str, ops: list[Op]) -> Position:
    """The position at the next decision after ``A: ask B 2``."""
    seat = LABELS.index(text[0])
    view = dealer.view(position, seat)
    deed = RULES.deed(view, position.parse(text[3:], LABELS))
    result = dealer.decided(position, [(seat, deed)])
    assert isinstance(result, Deeds)
    assert position.refuse(seat, deed, dict(zip(result.slots, result.faces, strict=True))) is None  # type: ignore[arg-type]
    position, _ = position.feed(result)
    return settle(position, dealer, ops)[0]


def operations(hands: str, *texts: str, stock: str = "", **more: object) -> list[Op]:
    """What these actions lead to, decisions left out."""
    position, dealer = arranged(hands, stock, **more)
    ops: list[Op] = []
    for text in texts:
        position = act(position, dealer, text, ops)
    return ops


def kinds(ops: list[Op]) -> list[str]:
    return [type(op).__name__ for op in ops]


# --- the operations ---------------------------------------------------------------------------------------


def test_the_deal() -> None:
    position = Position.start(RULES, {}, 3)
    assert position.pending == Coin(3)
    assert position.table.size(STOCK) == 50
    ops: list[Op] = []
    dealer = Open(position, Stream(1))
    settle(position, dealer, ops)
    assert kinds(ops) == ["Coin", "Shuffle", "Draw"]
    assert isinstance(ops[2], Draw)
    assert [seat for _, seat in ops[2].draws] == [0, 1, 2] * 5
    assert Position.start(RULES, {"first": "2"}, 3).pending == Shuffle(STOCK)


def test_a_colour_is_given_openly_and_moves_as_a_public_card() -> None:
    ops = operations("A=R2 B5; B=B1 G4", "A: ask B blue", "A: lay B1+B5")
    assert kinds(ops) == ["Disclose", "Move", "Move"]
    disclose, take, stack = ops
    assert isinstance(disclose, Disclose)
    assert (disclose.match, disclose.most, disclose.attributes) == (Match("colour", "B"), 1, ())
    assert isinstance(take, Move)
    assert (len(take.slots), take.zone) == (1, "hand.0")
    assert isinstance(stack, Move)
    assert (len(stack.slots), stack.zone) == (2, "books.0")


def test_of_a_number_only_the_number_is_shown_and_the_rest_is_handed_over() -> None:
    ops = operations("A=R2 B5; B=G2 Y2 B1", "A: ask B 2", "A: lay R2+G2")
    assert kinds(ops) == ["Disclose", "HandOver", "Move", "Mix"]
    disclose, hand_over, _, mix = ops
    assert isinstance(disclose, Disclose)
    assert (disclose.match, disclose.most, disclose.attributes) == (Match("number", "2"), None, ("number",))
    assert isinstance(hand_over, HandOver)
    assert (len(hand_over.slots), hand_over.to) == (2, 0)
    assert mix == Mix("hand.0")


def test_a_hand_of_which_nothing_new_is_kept_is_not_mixed() -> None:
    assert kinds(operations("A=R2 B5 Y4; B=G2 B1", "A: ask B 2", "A: lay R2+G2"))[1:] == ["HandOver", "Move"]
    assert "Mix" not in kinds(
        operations("A=R2 B5 Y4; B=G4", "A: ask B blue", "A: pick", "A: lay B1+B5", stock="B1")
    )


def test_a_miss_is_answered_after_a_fixed_time_and_then_mixed() -> None:
    position, dealer = arranged("A=R2 B5; B=G4", "R6 Y4")
    ops: list[Op] = []
    position = act(position, dealer, "A: ask B blue", ops)
    assert position.pending == Choose((0,), "pick")
    position = act(position, dealer, "A: pick 2", ops)
    assert position.pending == Choose((0,), "lay or decline", delayed=True)
    position = act(position, dealer, "A: decline", ops)
    assert kinds(ops) == ["Disclose", "Draw", "Disclose", "Mix"]
    draw, reveal = ops[1:3]
    assert isinstance(draw, Draw)
    assert draw.draws == ((Slot(STOCK, 1), 0),)
    assert isinstance(reveal, Disclose)
    assert (reveal.seat, len(reveal.slots), reveal.match, reveal.attributes) == (
        0,
        1,
        Match("colour", "B"),
        (),
    )
    assert position.state.turn == 1


def test_to_decline_is_offered_first_whatever_the_hand_holds() -> None:
    """What a program does by itself, and how long it seems to think, must not depend on hidden cards."""
    for stock in ("R6", "Y1", "*"):
        position, dealer = arranged("A=R2 B5; B=G4", stock)
        for text in ("A: ask B blue", "A: pick"):
            position = act(position, dealer, text, [])
        legal = RULES.legal(dealer.view(position, 0))
        assert legal[0] == Action("decline")
        assert len(legal) == 1 + (stock == "R6")


def test_what_an_ask_proves() -> None:
    position, _ = arranged("A=R2 * B5; B=G4")
    for value, match in [("2", Match("number", "2")), ("red", Match("colour", "R")), ("3*", STAR_MATCH)]:
        assert position.claims(0, Deed("ask", 1, value)) == (Holds("hand.0", match),)


def test_nothing_is_proved_of_a_lay_or_a_decline() -> None:
    position, dealer = arranged("A=R2 B5; B=G4", "R6")
    for text in ("A: ask B blue", "A: pick"):
        position = act(position, dealer, text, [])
    for deed in (Deed("decline"), Deed("lay", shown=(0, 2))):
        assert position.claims(0, deed) == ()


def test_the_colours_of_kept_cards_stay_between_the_two() -> None:
    position, dealer = arranged("A=R2 B5; B=G2 Y2 B1")
    for text in ("A: ask B 2", "A: lay R2+G2"):
        position = act(position, dealer, text, [])
    known = {seat: dealer.view(position, seat).known.get("hand.0", ()) for seat in range(3)}
    assert known[1] == (("2", "Y"),)
    assert known[0] == known[2] == (("2", None),)
    assert position.view(-1, {}).known["hand.0"] == (("2", None),)


# --- options ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stars", "cards"), [("1", 49), ("2", 50), ("3", 51), ("4", 52)])
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_pond_after_the_deal(stars: str, cards: int, seats: int) -> None:
    position = Position.start(RULES, {"stars": stars}, seats)
    dealer = Open(position, Stream(2))
    position, _ = settle(position, dealer, [])
    assert position.table.size(STOCK) == cards - 5 * seats


def test_options_are_filled_in() -> None:
    assert RULES.options({"stars": " 3 "}, 4) == {"stars": "3", "first": "random"}
    assert RULES.options({"first": "4"}, 4)["first"] == "4"


@pytest.mark.parametrize(
    ("chosen", "seats", "sentence"),
    [
        ({}, 1, "One Fish Two Fish Red Fish Go Fish is for 2 to 6 players, not 1."),
        ({}, 7, "One Fish Two Fish Red Fish Go Fish is for 2 to 6 players, not 7."),
        ({"stars": "5"}, 3, 'stars can be 2, 1, 3 or 4, not "5".'),
        ({"first": "youngest"}, 3, 'first can be random or a number from 1 to 6, not "youngest".'),
        ({"first": "0"}, 3, 'first can be random or a number from 1 to 6, not "0".'),
        ({"first": "4"}, 3, "first=4 is a place that nobody has: there are 3 players."),
        ({"deck": "52"}, 3, "has no option"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    chosen: dict[str, str], seats: int, sentence: str
) -> None:
    with pytest.raises(BadOption) as caught:
        RULES.options(chosen, seats)
    assert sentence in str(caught.value)


# --- texts ------------------------------------------------------------------------------------------------


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
        assert len(str(error)) < 200  # noqa: PT017
    else:
        assert action.verb in ("ask", "pick", "lay", "decline")


# --- garbage in signed deeds --------------------------------------------------------------------------------


def at_every_phase() -> list[tuple[Position, Open]]:
    found = []
    for texts in ((), ("A: ask B blue",), ("A: ask B blue", "A: pick 1"), ("A: ask C 5",)):
        position, dealer = arranged("A=R2 B5 * R5; B=G4; C=Y5 G5", "R6")
        for text in texts:
            position = act(position, dealer, text, [])
        found.append((position, dealer))
    assert [position.state.phase for position, _ in found] == ["ask", "pick", "lay or decline", "lay"]
    return found


PLACES = at_every_phase()
NUMBERS = st.integers(-2, 9) | st.sampled_from([-(2**31), 2**31])
DEEDS = st.builds(
    Deed,
    st.sampled_from(["ask", "pick", "lay", "decline", "give", ""]),
    st.just(-1) | NUMBERS,
    st.sampled_from([*ASKS, "", "3*", "*", "**", "R2", "R2*", "1", "01", "45", "46", "²", "-1"])
    | st.text(max_size=5),
    st.just(()) | st.lists(st.lists(NUMBERS, max_size=3).map(tuple), max_size=2).map(tuple),
    st.lists(NUMBERS, max_size=6).map(tuple),
)


@settings(max_examples=400)
@given(st.sampled_from(range(4)), st.integers(-1, 3), DEEDS)
def test_garbage_in_a_deed_is_refused_by_every_peer_and_never_stops_one(
    place: int, seat: int, deed: Deed
) -> None:
    position, dealer = PLACES[place]
    hand = dealer.hand(position.table, 0)
    shown = {slot: hand[slot] for slot in hand if slot.n in deed.shown}
    if position.refuse(seat, deed, shown) is not None:
        return
    assert seat == position.state.turn == 0
    position.claims(seat, deed)
    result = dealer.decided(position, [(seat, deed)])
    after, events = position.feed(result)
    assert events or position.state.phase == "pick"
    for event in events:
        event_text(event, LABELS)
    assert after.state.phase != position.state.phase


@pytest.mark.parametrize(
    ("place", "deed", "reason"),
    [
        (0, Deed("ask", 1, "R2"), Reason("two-attributes", ("R2",))),
        (0, Deed("ask", 1, "R2*"), Reason("two-attributes", ("R2",))),
        (0, Deed("ask", 1, "*"), Reason("star-asked")),
        (0, Deed("ask", 1, "**"), Reason("star-asked")),
        (0, Deed("ask", 1, "7"), Reason("no-such-value", ("7",))),
        (0, Deed("ask", 1, ""), Reason("no-such-value", ("",))),
        (0, Deed("ask", 0, "blue"), Reason("own-seat")),
        (0, Deed("ask", 3, "blue"), Reason("no-such-seat")),
        (0, Deed("ask", -1, "blue"), Reason("no-such-seat")),
        (0, Deed("ask", 1, "blue", shown=(0,)), Reason("malformed")),
        (0, Deed("ask", 1, "blue", ((0,),)), Reason("malformed")),
        (0, Deed("decline"), Reason("no-such-action", ("decline",))),
        (1, Deed("pick", value="01"), Reason("no-such-place", ("01", "43"))),
        (1, Deed("pick", value="44"), Reason("no-such-place", ("44", "43"))),
        (1, Deed("pick", 1, "1"), Reason("malformed")),
        (1, Deed("ask", 1, "blue"), Reason("no-such-action", ("ask",))),
        (2, Deed("lay", shown=(0,)), Reason("malformed")),
        (2, Deed("lay"), Reason("malformed")),
        (2, Deed("lay", shown=(0, 0)), Reason("malformed")),
        (2, Deed("lay", value="x", shown=(0, 4)), Reason("malformed")),
        (2, Deed("lay", shown=(0, 1)), Reason("no-match", ("R2", "B5"))),
        (2, Deed("lay", shown=(0, 3)), Reason("nothing-new", ("R2", "R5"))),
        (2, Deed("lay", shown=(2, 4)), Reason("star-unused", ("R6", "*"))),
        (2, Deed("lay", shown=(0, 4)), None),
        (2, Deed("lay", shown=(4, 3)), None),
        (2, Deed("lay", shown=(0, 4, 1, 3)), Reason("nothing-new", ("R5", "B5"))),
        (2, Deed("decline"), None),
        (2, Deed("decline", shown=(0,)), Reason("malformed")),
        (3, Deed("decline"), Reason("pair-owed")),
        (3, Deed("lay", shown=(4, 5)), Reason("pair-owed")),
        (3, Deed("lay", shown=(4, 2)), Reason("star-unused", ("Y5", "*"))),
        (3, Deed("lay", shown=(4, 1)), None),
        (3, Deed("lay", shown=(4, 1, 5, 3)), None),
    ],
)
def test_what_peers_refuse(place: int, deed: Deed, reason: Reason | None) -> None:
    position, dealer = PLACES[place]
    hand = dealer.hand(position.table, 0)
    shown = {slot: hand[slot] for slot in hand if slot.n in deed.shown}
    assert position.refuse(0, deed, shown) == reason
    assert position.refuse(1, deed, shown) == Reason("not-your-turn")


def test_a_deed_of_which_a_card_is_not_opened_is_refused() -> None:
    position, _ = PLACES[2]
    assert RULES.refuse(position.state, 0, Deed("lay", shown=(0, 4)), {}) == Reason("malformed")


# --- ways to lay --------------------------------------------------------------------------------------------


def lay_of(old: str, fresh: str, wanted: Match | None, via_star: bool = False) -> tuple[Lay, dict[Slot, Any]]:
    faces = [*DECK.parse_all(old), *DECK.parse_all(fresh)]
    hand = {Slot("hand.0", n): face for n, face in enumerate(faces)}
    return Lay(DECK, tuple(hand)[len(old.split()) :], wanted, via_star), hand


TWO = Match("number", "2")


@pytest.mark.parametrize(
    ("old", "fresh", "wanted", "via_star", "ways"),
    [
        ("R2 B5", "R6", None, False, ["R2+R6"]),
        ("R2 B5 *", "Y6", None, False, []),
        ("R2 B5 *", "*", None, False, []),
        ("R2 R2 B2", "R2", TWO, False, ["R2+R2", "R2+B2"]),
        ("R2 R5", "G2", TWO, False, ["R2+G2"]),
        ("R2 G5", "G2", TWO, False, ["R2+G2"]),
        ("* * R2", "G2", TWO, True, ["G2+*"]),
        ("R2", "G2 Y2", TWO, False, ["R2+G2", "R2+Y2"]),
        ("R2 Y5", "G2 Y2", TWO, False, ["R2+G2", "R2+Y2", "R2+G2 Y2+Y5"]),
        (
            "R2",
            "G2 Y2 B2",
            TWO,
            False,
            ["R2+B2", "R2+Y2", "R2+G2", "R2+B2 Y2+G2", "R2+Y2 B2+G2", "R2+G2 B2+Y2"],
        ),
        ("*", "G2 Y2", TWO, True, ["G2+*", "Y2+*"]),
        ("* G4", "G2 Y2", TWO, True, ["G2+*", "Y2+*", "Y2+* G2+G4", "G2+G4 Y2+*"]),
    ],
)
def test_all_ways_to_lay(old: str, fresh: str, wanted: Match | None, via_star: bool, ways: list[str]) -> None:
    lay, hand = lay_of(old, fresh, wanted, via_star)
    found = {" ".join(way) for way in ways_to_lay(lay, hand)}
    assert found == {" ".join(parse_lay(DECK, "lay " + way).cards) for way in ways}


@given(
    st.lists(st.sampled_from(DECK.faces), min_size=1, max_size=7),
    st.lists(st.sampled_from([face for face in DECK.faces if face[0] == "2"]), min_size=1, max_size=3),
    st.booleans(),
)
def test_exactly_what_is_not_refused_is_listed(old: list[Any], fresh: list[Any], via_star: bool) -> None:
    """By trying every single pair; of several pairs the list is made with the same refusal."""
    lay, hand = lay_of(" ".join(map(DECK.text, old)), " ".join(map(DECK.text, fresh)), TWO, via_star)
    singles = {way[0] for way in ways_to_lay(lay, hand) if len(way) == 1}
    slots = list(hand)
    allowed = {
        parse_lay(DECK, f"lay {DECK.text(hand[a])}+{DECK.text(hand[b])}").cards[0]
        for n, a in enumerate(slots)
        for b in slots[n + 1 :]
        if refused_pairs(lay, [(a, b)], hand) is None
    }
    assert singles == allowed


def test_the_largest_hand_takes_no_time_and_lists_no_more_than_its_limit() -> None:
    lay, hand = lay_of("R2 R1 R1 B1 B1 Y1 Y1 G1 G1 R3 B3 Y3 G3 R4 B4", "R2 B2 B2 Y2 Y2 G2 G2", TWO)
    ways = ways_to_lay(lay, hand)
    assert len(ways) == MOST_WAYS
    assert len(ways[0]) == 7


def test_of_equal_cards_those_are_laid_with_which_the_rules_are_kept() -> None:
    position, dealer = arranged("A=R2 G2 Y5; B=R2 B1")
    position = act(position, dealer, "A: ask B 2", [])
    deed = RULES.deed(dealer.view(position, 0), position.parse("lay R2+G2", LABELS))
    assert deed.shown == (3, 1)  # the R2 that came in, and not the one held before
    with pytest.raises(IllegalAction, match="not-in-hand R2"):
        RULES.deed(dealer.view(position, 0), position.parse("lay R2+R2 R2+G2", LABELS))


# --- whole games --------------------------------------------------------------------------------------------


def test_every_pair_of_options_plays_soundly() -> None:
    assert check_game(RULES, games=1, seed=1, seats=(2, 4, 6)) == 8 + 8 + 12


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(2, 7))
def test_every_pair_of_options_plays_soundly_many_times(seats: int) -> None:
    assert check_game(RULES, games=6, seed=2, seats=(seats,)) >= 48


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6), st.sampled_from("1234"))
def test_no_card_is_lost_and_every_game_ends(seed: int, seats: int, stars: str) -> None:
    rng = Stream(seed)
    position = Position.start(RULES, {"stars": stars}, seats)
    dealer = Open(position, rng)
    for _ in range(5000):
        laid = RULES.report(position.state).scores
        sizes = [position.table.size(zone) for zone in (STOCK, *(f"hand.{seat}" for seat in range(seats)))]
        assert sum(laid) + sum(sizes) == len(position.deck)
        op = position.pending
        if isinstance(op, Outcome):
            assert op.scores == laid
            assert all(score % 2 == 0 for score in laid)
            assert sizes[0] == 0
            return
        if isinstance(op, Choose):
            view = dealer.view(position, op.seats[0])
            action = rng.choice(RULES.legal(view))
            result: Result = dealer.decided(position, [(op.seats[0], RULES.deed(view, action))])
        else:
            result = dealer.resolve(position)
        position, _ = position.feed(result)
    raise AssertionError("The game does not end.")


def test_pairs_laid_in_a_game_are_pairs() -> None:
    """Two cards alike in number or colour, or a star and a fish."""
    for seed in range(20):
        _, events = play_game(RULES, RULES.options({"stars": "4"}, 4), 4, [bot("random")] * 4, Stream(seed))
        words = [word for event in events if event.verb == "lay" for word in event.words]
        assert words
        for word in words:
            a, b = (DECK.parse(card) for card in word.split("+"))
            assert ("*" in a) != ("*" in b) or a[0] == b[0] != "*" or a[1] == b[1] != "*"


def test_the_transcript_of_a_game() -> None:
    """To renew it after an intended change: write these lines to the file, and read the difference."""
    lines = list(transcript(RULES, {"stars": "3"}, 3, [bot("random")] * 3, 66))
    assert lines == GOLDEN.read_text("utf-8").splitlines()


def rows(text: str, header: str) -> set[str]:
    """The first code of each line of the tables with this header."""
    tables = re.findall(re.escape(header) + r"\n\|[-|]+\|\n((?:\|.*\n)+)", text)
    return {line.split("`")[1] for table in tables for line in table.splitlines()}


def test_the_documented_ids_are_those_of_the_code() -> None:
    """docs/scenarios.md is normative: its tables and the code name the same events, reasons and ends."""
    shared, _, section = (ROOT / "docs" / "scenarios.md").read_text("utf-8").partition("\n## One Fish\n")
    section = section.split("\n## ")[0]
    files = sorted((ROOT / "engine" / "games").glob("one_fish*.py"))
    code = "".join(file.read_text("utf-8") for file in files)

    events = {text.split(": ")[-1] for text in rows(section, "| event | meaning |")}
    told = {
        verb
        for verb in RULES.info.verbs
        if any(text == verb or text.startswith(verb + " ") for text in events)
    }
    assert told == set(RULES.info.verbs) - {"pick"}  # a decision, never an event
    ends = rows(section, "| reason of `over` | meaning |")
    assert ends == set(re.findall(r'_end\(s, "([\w-]+)"', code))
    reasons = rows(section, "| id | words | meaning |")
    written = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', code)) - ends - {RULES.info.id}
    assert reasons - {"must-give"} <= written
    assert written <= reasons | rows(shared, "| id | words | meaning |")


def test_the_rules_have_no_state_of_their_own() -> None:
    assert vars(OneFish()) == {}
    assert seat_letters(3) == LABELS
