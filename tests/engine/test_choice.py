"""Which cards a holder may show: few ways are listed in full, of many the first, and any may be named."""

from itertools import combinations, islice

import pytest

from engine import Deck, Stream, game
from engine.choice import MOST_WAYS, slots_to_lay, way_named, ways_to_give, ways_to_lay
from engine.table import Complete, Disclose, Match, Slot, hand_of


def dealt(size: int, seed: int, **options: str) -> tuple[Deck, dict[Slot, tuple[str, ...]]]:
    """A hand of ``size`` cards of a shuffled deck."""
    rules = game("go-fish")
    deck = rules.deck(rules.options(options, 2))
    cards = list(deck.cards)
    Stream(seed).shuffle(cards)
    return deck, {Slot(hand_of(0), n): deck.faces[card] for n, card in enumerate(cards[:size])}


def test_millions_of_ways_are_not_made() -> None:
    """Listing all of them would never end."""
    deck, hand = dealt(51, 1, deck="104", book_size="2")
    op = Complete(0, "rank", 2, tuple(hand))
    ways = ways_to_lay(deck, hand, op)
    assert len(ways) == len(set(ways)) == MOST_WAYS
    ordered = [[deck.index(face) for face in way] for way in ways]
    assert ordered == sorted(ordered)
    for way in ways:
        assert way_named(deck, hand, op, reversed([deck.text(face) for face in way])) == way


def test_a_way_may_be_named_though_it_is_not_listed() -> None:
    deck, hand = dealt(51, 1, deck="104", book_size="2")
    op = Complete(0, "rank", 2, tuple(hand))
    by_rank: dict[str, list[tuple[str, ...]]] = {}
    for face in sorted(hand.values(), key=deck.index, reverse=True):
        by_rank.setdefault(face[0], []).append(face)
    highest = [face for faces in by_rank.values() for face in faces[: len(faces) // 2 * 2]]
    way = way_named(deck, hand, op, map(deck.text, highest))
    assert way is not None
    assert way not in ways_to_lay(deck, hand, op)
    assert sorted(way) == sorted(highest)
    groups = slots_to_lay(hand, way, 2)
    assert all(len({hand[slot][0] for slot in group}) == 1 for group in groups)


@pytest.mark.parametrize("size", [2, 4])
def test_what_is_listed_is_what_may_be_named(size: int) -> None:
    """All sets of cards of small hands, compared one by one."""
    for seed in range(12):
        deck, hand = dealt(9, seed, deck="104", book_size=str(size), ranks="3")
        op = Complete(0, "rank", size, tuple(hand))
        texts = [deck.text(face) for face in hand.values()]
        named = {
            way
            for count in range(len(texts) + 1)
            for cards in combinations(texts, count)
            if (way := way_named(deck, hand, op, cards)) is not None
        }
        assert named == set(ways_to_lay(deck, hand, op))


def test_the_same_for_cards_to_give() -> None:
    for most in (None, 1, 2):
        deck, hand = dealt(9, 3, deck="104", ranks="3")
        rank = next(iter(hand.values()))[0]
        op = Disclose(0, tuple(islice(hand, 7)), Match("rank", rank), most)
        texts = [deck.text(face) for face in hand.values()]
        named = {
            way
            for count in range(len(texts) + 1)
            for cards in combinations(texts, count)
            if (way := way_named(deck, hand, op, cards)) is not None
        }
        assert named == set(ways_to_give(deck, hand, op))


def test_other_cards_are_no_way() -> None:
    deck, hand = dealt(9, 1, deck="104", ranks="3")
    op = Complete(0, "rank", 4, tuple(hand))
    (first, *_) = ways_to_lay(deck, hand, op)
    texts = [deck.text(face) for face in first]
    assert texts
    assert way_named(deck, hand, op, [*texts, texts[0]]) is None
    assert way_named(deck, hand, op, texts[1:]) is None
    assert way_named(deck, hand, op, ["no card"]) is None
