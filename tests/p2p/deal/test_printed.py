"""Printed cards: every operation."""

from __future__ import annotations

from collections import Counter
from typing import Any
from unittest import mock

import pytest

from engine.cards import Face
from engine.table import (
    Choose,
    Draw,
    HandOver,
    Mix,
    Move,
    Pick,
    Return,
    Show,
    Shuffle,
    Slot,
    Tick,
    Ticked,
)
from p2p.deal import Reveal
from p2p.deal.printed_values import Said
from p2p.log import pack, unpack
from p2p.sealed import Group
from tests.p2p.cheats import at
from tests.p2p.deal.circle import DECK, Circle, dealt, held
from tests.p2p.deal.printed_circle import (
    ANSWERS,
    DEALT,
    RETURNS,
    SETTLES,
    asks,
    circle,
    kinds,
)


def test_a_pack_is_cut_where_all_say_and_nobody_knows_its_cards(small: Group) -> None:
    cuts = set()
    for number in range(40):
        played = circle(small, Shuffle("stock"), salt=bytes([number])).play()
        (cut,) = played.progress.dealing.cuts
        assert (cut.zone, cut.of) == ("stock", 20)
        cuts.add(cut.at)
        assert all(card.is_unseen for card in played.progress.dealing.cards.values())
    assert len(cuts) > 10
    assert cuts <= set(range(20))
    assert kinds(played) == ["cut-commit", "cut-open"]


def other_number(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    """A part of the cut that was not committed to."""
    return bytes([body[0] ^ 1]) + body[1:]


def test_nobody_chooses_the_cut_once_the_others_have_opened_theirs(small: Group) -> None:
    fault = circle(small, Shuffle("stock"), lies={1: at(Shuffle, other_number, 1)}).fault()
    assert (fault.seat, fault.reason) == (1, "opened its coin commitment to another value")
    with mock.patch("p2p.deal.common.check_commitment", return_value=True):
        circle(small, Shuffle("stock"), lies={1: at(Shuffle, other_number, 1)}).play()


@pytest.mark.parametrize("seat", [0, 1])
def test_the_seed_that_opens_all_is_the_one_that_was_committed_to(seat: int, small: Group) -> None:
    """Of the table's machine, too: of another seed nothing that it sealed would follow."""

    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
        seed, key = unpack(body)
        return pack([bytes([seed[0] ^ 1]) + seed[1:], key])

    fault = circle(small, *DEALT, lies={seat: at(Reveal, lie)}).fault()
    assert (fault.seat, fault.reason) == (seat, "revealed a seed that it had not committed to")


def test_each_seat_sees_its_own_cards_as_they_were_tapped(small: Group) -> None:
    played = circle(small, *DEALT).play()
    for seat in range(3):
        hand = list(played.hand(seat).values())
        assert hand == [face for (_, slot), face in played.taps.items() if slot.n // 3 == seat]
    assert kinds(played) == ["cut-commit", "cut-open", "scan", "accept"]
    assert not played.progress.dealing.cuts, "a pack of which a card was scanned is not cut any more"
    assert not played.progress.position.table.known


def test_a_card_of_a_pile_is_laid_face_up(small: Group) -> None:
    played = circle(small, Shuffle("stock"), lambda s: Show(s.table.slots("stock")[2:4], at_once=True)).play()
    assert list(played.taps.values()) == list(played.results[-1].faces)
    assert kinds(played)[-1] == "scan"


def test_what_is_shown_of_a_hand_is_opened_by_its_owner_attribute_by_attribute(small: Group) -> None:
    played = circle(
        small,
        *DEALT,
        lambda s: Show(held(s, 1, 0, 1), ("rank",)),
        lambda s: Show(held(s, 1, 0), ("suit",)),
        lambda s: Show(held(s, 1, 0)),
    ).play()
    hand = list(played.hand(1).values())
    assert played.results[2].faces == tuple((face[0], None) for face in hand[:2])
    assert played.results[3].faces == ((None, hand[0][1]),)
    assert played.results[4].faces == (hand[0],)
    assert [seat for kind, seat, _ in played.bodies if kind == "show"] == [1], "what is public is not owed"


def test_a_card_handed_over_is_read_by_its_new_owner_alone(small: Group) -> None:
    played = circle(
        small,
        *DEALT,
        lambda s: Show(held(s, 1, 0), ("rank",)),
        lambda s: HandOver(held(s, 1, 0, 1), 2),
    ).play()
    before = played.before(HandOver)
    given = [played.hand(1, before)[slot] for slot in held(before.position.state, 1, 0, 1)]
    assert list(played.hand(2).values())[-2:] == given
    card = played.progress.dealing.cards[held(played.progress.position.state, 2)[-1]]
    assert played.progress.dealing.read_own(card, played.secrets[1]) is None
    assert kinds(played)[-2:] == ["hand-over", "accept"]


def test_a_mix_hides_which_card_is_which_and_keeps_them_all(small: Group) -> None:
    moved = 0
    for number in range(6):
        played = circle(
            small, *dealt(3, 5, 3), lambda s: Show(held(s, 1, 0)), Mix("hand.1"), salt=bytes([number])
        ).play()
        before, after = played.hand(1, played.before(Mix)), played.hand(1)
        assert Counter(before.values()) == Counter(after.values())
        moved += list(before.values()) != list(after.values())
        assert all(
            not card.is_public for card in played.progress.dealing.cards.values() if not card.is_unseen
        )
    assert moved > 3


def test_blind_picks_are_committed_to_before_the_hand_is_mixed(small: Group) -> None:
    played = circle(small, *DEALT, Pick(1, "hand.2", 2), lambda s: HandOver(s.results[-1].slots, 1)).play()
    assert kinds(played)[4:8] == ["pick-commit", "mix", "accept", "pick-open"]
    assert len(played.hand(1)) == 5


def test_a_pick_of_one_card_or_of_the_machines_own_hand(small: Group) -> None:
    played = circle(small, *dealt(3, 1, 0), Pick(2, "hand.0", 1), Pick(2, "hand.1", 1)).play()
    assert kinds(played)[-3:] == ["pick-commit", "mix", "pick-open"]
    assert [len(each.slots) for each in played.results[-2:]] == [1, 1]


def test_returned_cards_may_be_scanned_again(small: Group) -> None:
    """Of twenty cards all are dealt, those of one hand returned and dealt anew."""
    played = circle(
        small,
        *dealt(6, 7, 7),
        lambda s: Return(held(s, 1), "stock"),
        Shuffle("stock"),
        lambda s: Draw(tuple((slot, 2) for slot in s.table.slots("stock"))),
        tapped=again,
    ).play()
    assert len(played.hand(2)) == 14
    assert Counter(played.faces().values()) == Counter(DECK.faces[card] for card in DECK.cards)


def again(own: Circle, wanted: Any) -> tuple[Face, ...]:
    if len(own.piles["stock"]) == 0:
        own.piles["stock"] = [face for (_, slot), face in own.taps.items() if 6 <= slot.n < 13]
    return own.tap(wanted)


def test_a_returned_card_that_was_not_shuffled_is_sealed_anew_and_not_tapped(small: Group) -> None:
    played = circle(small, *RETURNS).play()
    assert len(played.taps) == 10
    first = [face for (_, slot), face in played.taps.items() if slot.n == 3]
    assert list(played.hand(2).values())[-1:] == first


def test_a_card_that_lies_face_down_before_a_seat_stays_its_own(small: Group) -> None:
    played = circle(small, *DEALT, lambda s: Move(held(s, 1, 0), "down.1")).play()
    assert len(played.hand(1)) == 2
    assert len(played.faces()) == 9


def refill(state: Any) -> Tick:
    done = {slot for result in state.results if isinstance(result, Ticked) for slot, _ in result.drawn}
    stock = [Slot("stock", n) for n in (9, 10, 11)]
    owed = [(slot, n) for n, slot in enumerate(stock) if slot not in done]
    return Tick((0, 1, 2), tuple(owed))


def one_by_one(own: Circle, wanted: Any) -> tuple[Face, ...]:
    return own.tap(wanted[:1] if isinstance(own.progress.task, Tick) else wanted)


def test_refills_of_a_race_come_as_they_are_tapped(small: Group) -> None:
    played = circle(small, *DEALT, refill, refill, refill, tapped=one_by_one).play()
    drawn = [[seat for _, seat in result.drawn] for result in played.results[2:]]
    assert drawn == [[0], [1], [2]]
    assert all(len(played.hand(seat)) == 4 for seat in range(3))


def test_a_refill_of_an_absent_seat_waits_for_it(small: Group) -> None:
    """It was scanned, is not drawn, and is not tapped again; the seat looks at it in the next draw."""

    def missing(progress: Any, seat: int) -> bool:
        return seat == 1 and progress.number == 1

    played = circle(
        small,
        *DEALT,
        lambda s: Tick((0, 1, 2), ((Slot("stock", 9), 1), (Slot("stock", 10), 2))),
        lambda s: Draw(((Slot("stock", 9), 1),)),
        missing=missing,
    ).play()
    assert played.results[2].drawn == ((Slot("stock", 10), 2),)
    assert len(played.hand(1)) == 4
    assert len(played.taps) == 11
    assert kinds(played)[-1] == "accept"


def test_the_machine_confirms_what_others_say_and_nobody_confirms_its_own_word(small: Group) -> None:
    played = circle(small, *DEALT, Choose((0, 1, 2), "ask"), Choose((0,), "ask"), decide=asks).play()
    assert kinds(played)[4:] == ["ask", "confirm", "ask"]
    assert sum(isinstance(each, Said) for each in played.progress.dealing.ledger) == 4
    for steps in (ANSWERS, SETTLES):
        assert "confirm" in kinds(circle(small, *steps).play()) or steps is SETTLES
