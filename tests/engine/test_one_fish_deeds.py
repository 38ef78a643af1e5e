"""What peers of One Fish refuse in a signed deed, and which pairs a hand may lay."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import IllegalAction, Open, Position, Reason, event_text, game
from engine.games.one_fish_pairs import MOST_WAYS, Lay, refused_pairs, ways_to_lay
from engine.games.one_fish_text import ASKS, parse_lay
from engine.table import Deed, Match, Slot
from tests.engine.arranging import LABELS, fishing, play

RULES = game("one-fish")
DECK = RULES.deck(RULES.options({}, 3))

# --- garbage in signed deeds --------------------------------------------------------------------------------


def at_every_phase() -> list[tuple[Position, Open]]:
    found = []
    for texts in ((), ("A: ask B blue",), ("A: ask B blue", "A: pick 1"), ("A: ask C 5",)):
        position, dealer = fishing("A=R2 B5 * R5; B=G4; C=Y5 G5", "R6")
        for text in texts:
            position = play(position, dealer, text)
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
    position, dealer = fishing("A=R2 G2 Y5; B=R2 B1")
    position = play(position, dealer, "A: ask B 2")
    deed = RULES.deed(dealer.view(position, 0), position.parse("lay R2+G2", LABELS))
    assert deed.shown == (3, 1)  # the R2 that came in, and not the one held before
    with pytest.raises(IllegalAction, match="not-in-hand R2"):
        RULES.deed(dealer.view(position, 0), position.parse("lay R2+R2 R2+G2", LABELS))
