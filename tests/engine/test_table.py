"""Where cards lie: slots, moves, and the no-book claims."""

import pytest

from engine.table import (
    STOCK,
    AtMost,
    Complete,
    Completed,
    Disclose,
    Done,
    Draw,
    HandOver,
    Match,
    Mix,
    Move,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    Table,
    hand_of,
    owner,
    settle_claims,
)


def dealt() -> Table:
    stock = Table.stocked(10)
    slots = stock.slots(STOCK)
    return stock.after(Draw(tuple((slot, n % 2) for n, slot in enumerate(slots[:6]))), Done())


def test_a_draw_takes_the_top_in_order() -> None:
    table = dealt()
    assert table.slots(STOCK) == tuple(Slot(STOCK, n) for n in range(6, 10))
    assert table.slots(hand_of(1)) == tuple(Slot("hand.1", n) for n in range(3))
    assert [owner(zone) for zone in ("hand.1", "stock", "books.1")] == [1, None, None]


def test_new_cards_get_new_numbers_until_a_mix() -> None:
    table = dealt()
    gone, kept = table.slots(hand_of(0))[:1], table.slots(hand_of(0))[1:]
    table = table.after(Move(gone, "books.0"), Done())
    table = table.after(Draw(((Slot(STOCK, 6), 0),)), Done())
    assert table.slots(hand_of(0)) == (*kept, Slot("hand.0", 3))
    table = table.after(Mix(hand_of(0)), Done())
    assert table.slots(hand_of(0)) == tuple(Slot("hand.0", n) for n in range(3))


def test_a_card_from_the_middle_leaves_the_others_in_order() -> None:
    table = dealt().after(Move((Slot("hand.0", 2), Slot("hand.0", 0)), "books.0"), Done())
    assert table.slots(hand_of(0)) == (Slot("hand.0", 1),)
    assert table.relocations(Move((Slot("hand.0", 1),), "books.0")) == (
        (Slot("hand.0", 1), Slot("books.0", 2)),
    )


def test_public_faces_go_along_and_are_forgotten_by_a_mix() -> None:
    slots = (Slot("hand.0", 1),)
    table = dealt().after(Show(slots), Shown(slots, (("9", "H"),)))
    moved = table.after(Move(slots, "hand.1"), Done())
    assert dict(moved.known) == {Slot("hand.1", 3): ("9", "H")}
    assert dict(table.known) == {Slot("hand.0", 1): ("9", "H")}
    assert dict(moved.after(Mix("hand.0"), Done()).known) == dict(moved.known)
    assert dict(moved.after(Mix("hand.1"), Done()).known) == {}
    assert dict(table.after(HandOver(slots, 1), Done()).known) == {Slot("hand.1", 3): ("9", "H")}


def test_attributes_shown_one_after_the_other_add_up() -> None:
    slots = (Slot("hand.0", 1),)
    table = dealt().after(Show(slots, ("suit",)), Shown(slots, ((None, "H"),)))
    table = table.after(Disclose(0, slots, Match("rank", "9")), Shown(slots, (("9", None),)))
    assert dict(table.known) == {Slot("hand.0", 1): ("9", "H")}


def test_laid_groups_are_public() -> None:
    slots = dealt().slots("hand.0")
    result = Completed((slots[:2],), ((("9", "H"), ("9", "C")),))
    table = dealt().after(Complete(0, "rank", 2, slots), result)
    assert dict(table.known) == {slots[0]: ("9", "H"), slots[1]: ("9", "C")}


def test_returned_cards_lie_in_the_zone_until_it_is_shuffled() -> None:
    table = dealt().after(Return(dealt().slots("hand.0"), STOCK), Done())
    assert (table.size("hand.0"), table.size(STOCK)) == (0, 7)
    assert table.after(Shuffle(STOCK), Done()).slots(STOCK) == tuple(Slot(STOCK, n) for n in range(7))


def hand(count: int) -> tuple[Slot, ...]:
    return tuple(Slot("hand.0", n) for n in range(count))


@pytest.mark.parametrize(
    ("cards", "fresh", "ranks", "named"),
    [
        (3, 1, "", 0),  # too few cards for a group of four
        (4, 1, "", 1),
        (5, 5, "", 2),  # any h - b + 1 of the cards
        (7, 7, "", 4),
        (7, 2, "", 2),
        (7, 3, "999", 1),  # received cards of one public rank stand for each other
        (7, 3, "99K", 3),
        (7, 3, "99?", 3),
        (7, 0, "", 0),
    ],
)
def test_claims_of_a_settled_hand(cards: int, fresh: int, ranks: str, named: int) -> None:
    slots = hand(cards)
    new = slots[cards - fresh :]
    known = {slot: (rank, "C") for slot, rank in zip(new, ranks, strict=False) if rank != "?"}
    claims = settle_claims(slots, new, 4, "rank", known, 0)
    assert len(claims) == named
    for claim in claims:
        assert claim == AtMost(claim.slot, tuple(s for s in slots if s != claim.slot), "rank", 2)


def test_cards_that_were_laid_owe_nothing() -> None:
    slots = hand(6)
    assert settle_claims(slots[:5], slots[5:], 4, "rank", {}, 0) == ()
