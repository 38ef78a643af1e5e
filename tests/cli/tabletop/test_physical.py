"""Recovery at the table: whatever happens on the pads, the game waits, says what to do, and goes on by itself
when it is done. Readings go through the real `Tracker`; time is turned by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from cli.tabletop.physical import (
    NEWS,
    PATIENCE,
    Doubt,
    Expected,
    Few,
    Missing,
    Physical,
    Recovery,
    Surplus,
    compare,
)
from cli.tabletop.physical_words import pad_name, put_right, right_again
from hardware.events import Place, Placed, Removed, Settled, Tapped, Unsure
from hardware.pads import DISCARD, HUB, POND, POOL, Pads, Role, ask, seat
from hardware.presence import Tracker
from hardware.readers import (
    PROFILES,
    Failed,
    Health,
    LinkLost,
    LinkUp,
    Listing,
    Reading,
    Restarted,
)
from hardware.uids import Uid

ANN, BEN = seat("Ann"), seat("Ben")
PADS = Pads({Place("a"): ANN, Place("b"): BEN, Place("m", 0): POND, Place("m", 1): DISCARD})
NINE, FIVE, KING, SPARE = (Uid(bytes((4, n, 1, 1, 1, 1, 1))) for n in range(4))
NAMES = {NINE: "the 9♠", FIVE: "the 5♣", KING: "the K♦", SPARE: "the A♥"}
PLACES = {NINE: BEN, FIVE: BEN, KING: ANN}


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOAL_LANG", "en")


class Cards:
    """What printed cards are called."""

    def tags(self, uids: Sequence[Uid]) -> str:
        return " and ".join(NAMES[uid] for uid in uids)

    def few(self, role: Role, count: int) -> str:
        return f"{count} cards for {pad_name(role)}."


class Table:
    """Three readers, polled every 50 ms, what lies on them, and what is said."""

    def __init__(self, places: Mapping[Uid, Role] = PLACES) -> None:
        self.now = 100.0
        self.tracker = Tracker(lambda uid: uid if uid in NAMES else None)
        for reader in ("a", "b", "m"):
            self.tracker.add(reader, PROFILES["shoal"])
        self.physical = Physical(PADS)
        self.recovery = Recovery(self.physical)
        self.expected = Expected(NAMES, places, (ANN, BEN))
        self.lies: dict[Uid, Place | None] = {}
        self.silent: set[str] = set()
        self.collides: set[Place] = set()
        self.said: list[str] = []
        for uid, role in places.items():
            self.lies[uid] = PADS.place(role)
        self.pass_time(1.0)
        assert self.recovery.is_right
        self.said.clear()

    def take(self, reader: str, reading: Reading) -> None:
        for event in self.tracker.take(reader, reading, self.now):
            self.physical.take(event)
        self.look()

    def look(self, is_news: bool = False) -> None:
        told = self.recovery.look(self.now, self.expected, is_news)
        if told is not None:
            self.said += put_right(told.differences, Cards()) or (right_again(),)

    def pass_time(self, seconds: float) -> None:
        """Every reader that works reports what lies on each antenna."""
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now += 0.05
            for place in PADS:
                if place.reader in self.silent:
                    continue
                if place in self.collides:
                    self.take(place.reader, Failed("collision", place.antenna))
                    continue
                here = tuple(uid for uid, there in self.lies.items() if there == place)
                self.take(place.reader, Listing(here, place.antenna))
            for event in self.tracker.tick(self.now):
                self.physical.take(event)
            self.look()

    def put(self, uid: Uid, role: Role | None) -> None:
        self.lies[uid] = None if role is None else PADS.place(role)


def test_a_card_knocked_off_a_pad() -> None:
    table = Table()
    table.put(NINE, None)
    table.pass_time(1.0)
    assert not table.recovery.is_right  # at once: nobody decides anything now
    assert table.said == []
    table.pass_time(PATIENCE)
    assert table.said == ["Put the 9♠ back on Ben's pad."]
    table.pass_time(60.0)
    assert len(table.said) == 1
    table.put(NINE, BEN)
    table.pass_time(0.5)
    assert table.recovery.is_right
    assert table.said[1:] == ["The table is right again; the game goes on."]


def test_a_card_that_is_carried_back_slowly_makes_the_table_right_in_words() -> None:
    """On its way it lies nowhere, which is another difference, and none that is told."""
    table = Table()
    table.put(NINE, ANN)
    table.pass_time(4.0)
    assert table.said == ["Move the 9♠ from Ann's pad back to Ben's pad."]
    table.put(NINE, None)
    table.pass_time(1.5)
    assert len(table.said) == 1
    table.put(NINE, BEN)
    table.pass_time(60.0)
    assert table.said[1:] == ["The table is right again; the game goes on."]


def test_two_cards_at_once_are_one_sentence() -> None:
    table = Table()
    table.put(NINE, None)
    table.put(FIVE, None)
    table.pass_time(4.0)
    assert table.said == ["Put the 9♠ and the 5♣ back on Ben's pad."]


def test_cards_moved_one_after_the_other_are_one_sentence_too() -> None:
    table = Table()
    table.put(NINE, POND)
    table.pass_time(0.4)
    table.put(FIVE, POND)
    table.pass_time(2 * PATIENCE)
    assert table.said == ["Move the 9♠ and the 5♣ from the pond back to Ben's pad."]


def test_a_card_lifted_and_put_back_is_worth_no_word() -> None:
    table = Table()
    table.put(NINE, None)
    table.pass_time(1.5)
    table.put(NINE, BEN)
    table.pass_time(5.0)
    assert table.recovery.is_right
    assert table.said == []


def test_a_card_on_the_wrong_pad() -> None:
    table = Table()
    table.put(NINE, ANN)
    table.pass_time(4.0)
    assert table.said == ["Move the 9♠ from Ann's pad back to Ben's pad."]
    table.put(NINE, POND)
    table.pass_time(4.0)
    assert table.said[1:] == ["Move the 9♠ from the pond back to Ben's pad."]


def test_a_card_that_belongs_nowhere() -> None:
    table = Table()
    table.put(SPARE, ANN)
    table.pass_time(4.0)
    assert table.said == ["Take the A♥ off Ann's pad."]
    table.put(SPARE, POND)  # a pad that is not looked at
    table.pass_time(1.0)
    assert table.recovery.is_right


def test_cards_that_overlap() -> None:
    """Nothing is known of the pad, and nothing is said of what may lie there."""
    table = Table()
    table.collides.add(Place("b"))
    table.pass_time(1.0)
    assert not table.recovery.is_right
    table.pass_time(4.0)
    assert table.said == ["Nothing certain is read on Ben's pad: lay the cards there apart."]
    table.collides.clear()
    table.pass_time(1.0)
    assert table.recovery.is_right
    assert table.said[-1] == right_again()


def test_a_reader_that_starts_anew_in_mid_turn() -> None:
    table = Table()
    table.take("b", Restarted("it has started"))
    assert not table.recovery.is_right
    table.pass_time(0.5)
    assert not table.recovery.is_right
    table.pass_time(1.5)
    assert table.recovery.is_right
    assert table.said == []  # two seconds of waiting need no explanation


def test_a_card_taken_while_a_reader_starts_anew_is_noticed() -> None:
    table = Table()
    table.take("b", Restarted("it has started"))
    table.put(NINE, None)
    table.pass_time(6.0)
    assert table.said == ["Put the 9♠ back on Ben's pad."]


def test_the_power_of_the_hub_is_lost() -> None:
    """All readers are gone at once; what lies there is taken to lie there until it is known again."""
    table = Table()
    for reader in ("a", "b", "m"):
        table.take(reader, LinkLost("the port has gone"))
        table.silent.add(reader)
    table.pass_time(4.0)
    assert not table.recovery.is_right
    assert table.said == [
        "The reader of Ann's pad is not heard: leave what lies there, and look at its cable.",
        "The reader of Ben's pad is not heard: leave what lies there, and look at its cable.",
    ]
    table.pass_time(600.0)
    assert len(table.said) == 2
    for reader in ("a", "b", "m"):
        table.silent.discard(reader)
        table.take(reader, LinkUp("ttyUSB0"))
        for antenna in range(2):
            table.take(reader, Health(True, "", antenna))
    table.pass_time(3.0)
    assert table.recovery.is_right
    assert table.said[2:] == [right_again()]


def test_a_reader_unplugged_and_plugged_in_again_with_less_on_it() -> None:
    table = Table()
    table.take("b", LinkLost("the port has gone"))
    table.silent.add("b")
    table.pass_time(5.0)
    table.put(FIVE, ANN)  # laid on the pad that works
    table.pass_time(5.0)
    assert not table.recovery.is_right
    table.silent.discard("b")
    table.take("b", LinkUp("ttyUSB7"))
    table.take("b", Health(True, ""))
    table.pass_time(8.0)
    assert table.said[-1] == "Move the 5♣ from Ann's pad back to Ben's pad."
    table.put(FIVE, BEN)
    table.pass_time(1.0)
    assert table.recovery.is_right


def test_the_program_is_killed_and_started_again() -> None:
    """The places that are kept are compared with what lies there now."""
    physical = Physical(PADS)
    physical.start({Place("a"): (KING, NINE), Place("b"): (FIVE,)}, unsure=[Place("m")])
    recovery = Recovery(physical)
    expected = Expected(NAMES, PLACES, (ANN, BEN))
    assert recovery.look(5.0, expected) is None
    assert not recovery.is_right
    assert recovery.wake == 5.0 + PATIENCE
    told = recovery.look(5.0 + PATIENCE, expected)
    assert told is not None
    assert told.differences == (Missing(NINE, BEN, ANN),)
    assert put_right(told.differences, Cards()) == ("Move the 9♠ from Ann's pad to Ben's pad.",)
    physical.take(Placed(NINE, Place("b"), 8.0, known=True))
    assert recovery.look(8.0, expected) is not None
    assert recovery.is_right


def test_what_the_game_asks_for_is_told_almost_at_once() -> None:
    table = Table()
    table.expected = Expected(NAMES, {NINE: ANN, FIVE: BEN, KING: ANN}, (ANN, BEN), {ANN: 2})
    table.look(is_news=True)
    assert table.said == []  # it might be over in the next moment
    table.pass_time(NEWS + 0.1)
    assert table.said == ["Move the 9♠ from Ben's pad to Ann's pad.", "2 cards for Ann's pad."]


def test_while_some_of_it_is_put_right_nothing_is_repeated() -> None:
    table = Table()
    for uid in (NINE, FIVE, KING):
        table.put(uid, None)
    table.pass_time(4.0)
    assert table.said == ["Put the 9♠ and the 5♣ back on Ben's pad.", "Put the K♦ back on Ann's pad."]
    table.put(NINE, BEN)
    table.pass_time(1.0)
    table.put(FIVE, BEN)
    table.pass_time(20.0)
    assert len(table.said) == 2
    assert put_right(table.recovery.differences, Cards()) == ("Put the K♦ back on Ann's pad.",)


def test_compare_says_nothing_of_a_pad_in_doubt() -> None:
    physical = Physical(PADS)
    physical.start({Place("b"): (SPARE,)})
    physical.take(Unsure(Place("b"), "power lost"))
    expected = Expected(NAMES, PLACES, (ANN, BEN), {BEN: 1, ANN: 1})
    assert compare(physical, expected) == (Doubt(BEN, overlap=False), Missing(KING, ANN), Few(ANN, 1))
    physical.take(Settled(Place("b")))
    assert set(compare(physical, expected)) == {
        Missing(NINE, BEN), Missing(FIVE, BEN), Missing(KING, ANN), Surplus(SPARE, BEN), Few(BEN, 1),
        Few(ANN, 1),
    }  # fmt: skip


def test_tags_that_are_loose_may_lie_anywhere() -> None:
    physical = Physical(PADS)
    physical.start({Place("a"): (KING, NINE), Place("m"): (FIVE,)})
    expected = Expected(NAMES, PLACES, (ANN, BEN), loose={NINE, FIVE})
    assert compare(physical, expected) == ()


def test_other_tags_may_lie_anywhere() -> None:
    physical = Physical(PADS)
    physical.start({Place("a"): (KING, Uid(b"token")), Place("b"): (NINE, FIVE)})
    assert compare(physical, Expected(NAMES, PLACES, (ANN, BEN))) == ()


def test_a_reader_of_one_tag_at_a_time() -> None:
    """What was held to it lies there until it is seen elsewhere, whatever the reader loses."""
    physical = Physical(PADS, taps=[Place("a")])
    for uid in (KING, NINE):
        physical.take(Placed(uid, Place("a"), 1.0, known=True))
        physical.take(Removed(uid, Place("a"), 2.0))
    assert physical.on(ANN) == (KING, NINE)
    physical.take(Tapped(NINE, Place("b"), 3.0, known=True))
    assert (physical.on(ANN), physical.on(BEN)) == ((KING,), (NINE,))
    physical.take(Placed(KING, Place("b"), 4.0, known=True))
    physical.take(Removed(KING, Place("b"), 5.0))
    assert physical.where(KING) is None


def test_what_was_kept_counts_only_where_a_reader_cannot_tell() -> None:
    physical = Physical(PADS, taps=[Place("a")])
    physical.put(KING, ANN)
    physical.put(NINE, BEN)
    assert (physical.where(KING), physical.where(NINE)) == (ANN, None)


def test_every_pad_has_a_name() -> None:
    roles = (ANN, ask("Ann"), POND, DISCARD, POOL, HUB)
    assert [pad_name(role) for role in roles] == [
        "Ann's pad", "Ann's asking pad", "the pond", "the discard pad", "the pool", "the hub",
    ]  # fmt: skip
