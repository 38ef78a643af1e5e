"""Each pitfall that presence can meet, by its number (docs/readers.md has the table of all of them)."""

import pytest

from hardware.events import (
    Disturbed,
    Once,
    Place,
    Placed,
    Refused,
    Removed,
    Settled,
    Tapped,
    Undisturbed,
    Unsure,
)
from hardware.presence import Tracker
from hardware.readers import (
    PROFILES,
    Failed,
    Gone,
    Health,
    LinkLost,
    LinkUp,
    NdjsonReader,
    Presence,
    Restarted,
    Seen,
    TextReader,
)
from hardware.uids import Flaw, Technology

from .table import CARD, FIVE, NINE, A, B, Table, book, make, uid

RDM = bytes.fromhex("02 31 33 30 30 35 44 31 44 41 35 46 36 03")
PHANTOMS = ["0000000000", "000000078F", "00F00000F0", "F000060007", "B59A99E5A9", "4FFB388FFF"]


def frame(data: str) -> bytes:
    check = 0
    for byte in bytes.fromhex(data):
        check ^= byte
    return b"\x02" + data.encode() + b"%02X" % check + b"\x03"


def test_p01_a_card_that_lies_still_arrives_once() -> None:
    table, reader = Table(), make("rdm6300")
    for _ in range(40):
        table.feed(reader, RDM)
        table.pass_time(0.065)
    assert table.story() == [("Placed", "a")]
    table.pass_time(0.5)
    assert table.story() == [("Placed", "a"), ("Removed", "a")]


def test_p02_a_missing_and_a_damaged_frame_remove_nothing() -> None:
    table, reader = Table(), make("rdm6300")
    for n in range(40):
        data = bytearray(RDM)
        if n == 25:
            data[6] ^= 0x01
        if n != 17:
            table.feed(reader, bytes(data))
        table.pass_time(0.065)
    assert table.names() == ["Placed"]


def test_p02_a_reader_that_misses_every_second_time() -> None:
    table, reader = Table(), TextReader(Presence.REPEATED)
    table.tracker.add("a", reader.profile)
    for n in range(30):
        if n % 2:
            table.feed(reader, b"Card UID: 45 C5 25 83\r\n")
        table.pass_time(0.5)
    assert table.names() == ["Placed"]


def test_p03_p39_a_reader_without_departures_gives_taps() -> None:
    table = Table("id12")
    table.see(CARD)
    table.pass_time(0.1)
    table.see(CARD)
    table.pass_time(30.0)
    table.see(CARD)
    assert table.names() == ["Tapped", "Tapped"]
    assert table.tracker.present(A) == ()


def test_p03_a_program_that_repeats_gives_one_tap() -> None:
    table = Table("id12")
    for _ in range(20):
        table.see(CARD)
        table.pass_time(0.5)
    assert table.names() == ["Tapped"]


@pytest.mark.parametrize("phantom", PHANTOMS)
def test_p04_noise_with_a_valid_checksum_is_no_event(phantom: str) -> None:
    table, reader = Table(), make("rdm6300")
    table.feed(reader, frame(phantom))
    table.pass_time(2.0)
    assert table.names() == []


def test_p04_all_phantoms_one_after_the_other() -> None:
    table, reader = Table(), make("rdm6300")
    for phantom in PHANTOMS * 2:
        table.feed(reader, frame(phantom))
        table.pass_time(0.065)
    assert table.names() == []


@pytest.mark.parametrize("noise", ["0000000000", "FFFFFFFF", "00000000"])
def test_p04_zeros_and_ones_are_nothing_however_often(noise: str) -> None:
    table = Table()
    for _ in range(40):
        table.see(uid(noise))
        table.pass_time(0.065)
    assert table.names() == []


def test_p04_an_unknown_tag_needs_two_readings_close_together() -> None:
    table, stranger = Table(), uid("14008EC793")
    table.see(stranger)
    table.see(stranger)
    assert table.names() == [], "frames that come together are one reading"
    table.pass_time(0.3)
    table.see(stranger)
    assert table.names() == []
    table.pass_time(0.065)
    table.see(stranger)
    (placed,) = table.events
    assert placed == Placed(stranger, A, table.now, known=False)


def test_p04_an_unknown_tag_at_a_reader_that_reports_once() -> None:
    table, stranger = Table("id12"), uid("14008EC793")
    table.see(stranger)
    assert table.events == [Once(stranger, A)]
    table.pass_time(3.0)
    table.see(stranger)
    assert table.names() == ["Once", "Tapped"]
    table.pass_time(20.0)
    table.see(stranger)
    assert table.names() == ["Once", "Tapped", "Once"]


def test_p17_a_telephone_is_refused_once() -> None:
    table, phone = Table(), uid("0824A937")
    for _ in range(20):
        table.see(phone)
        table.pass_time(0.065)
    assert table.events == [Refused(phone, A, Flaw.RANDOM)]


def test_p18_two_cards_and_one_that_stays() -> None:
    table = Table("pn532")
    for listing in [(FIVE,), (FIVE, NINE), (NINE,), (NINE, FIVE), (NINE,), (NINE,), (NINE,), (NINE,)]:
        table.listing(*listing)
        table.pass_time(0.15)
    assert [(type(event).__name__, event.uid) for event in table.events] == [
        ("Placed", FIVE), ("Placed", NINE), ("Removed", FIVE),
    ]  # fmt: skip


def test_p18_failed_rounds_remove_nothing_and_are_told() -> None:
    table = Table("pn532")
    table.listing(FIVE)
    for _ in range(20):
        table.pass_time(0.15)
        table.take(Failed("the reader did not answer"))
    assert table.names() == ["Placed", "Disturbed"]
    table.listing(FIVE)
    assert table.events[-1] == Undisturbed(A)
    assert isinstance(table.events[1], Disturbed)


def test_p18_failed_rounds_between_good_ones_are_not_told() -> None:
    table = Table("pn532")
    for _ in range(10):
        table.listing(FIVE)
        for _ in range(4):
            table.pass_time(0.15)
            table.take(Failed("the reader did not answer"))
    assert table.names() == ["Placed"]


def test_p18_three_misses_and_the_hold_off() -> None:
    table = Table("pn532")
    table.listing(FIVE)
    for _ in range(5):
        table.pass_time(0.05)
        table.listing()
    assert table.names() == ["Placed"], "three misses, but too soon"
    table.pass_time(0.3)
    table.listing()
    assert table.names() == ["Placed", "Removed"]


def test_p18_rounds_that_come_late_are_few_misses() -> None:
    table = Table("pn532")
    table.listing(FIVE)
    for _ in range(2):
        table.pass_time(1.0)
        table.listing()
    assert table.names() == ["Placed"]
    table.listing()
    assert table.names() == ["Placed", "Removed"]


def test_p19_a_card_that_two_antennas_hear_stays_where_it_was() -> None:
    table = Table()
    table.see(CARD)
    for n in range(60):
        table.pass_time(0.065)
        table.see(CARD)
        if n % 2:
            table.see(CARD, "b")
    assert table.story() == [("Placed", "a")]
    assert table.tracker.where(CARD) == A


def test_p19_a_card_that_moves_is_removed_before_it_is_placed() -> None:
    table = Table()
    for _ in range(10):
        table.see(CARD)
        table.pass_time(0.065)
    for _ in range(10):
        table.see(CARD, "b")
        table.pass_time(0.065)
    assert table.story() == [("Placed", "a"), ("Removed", "a"), ("Placed", "b")]
    assert table.events[-1].at - 100.65 < 0.3, "without waiting for the hold-off"
    assert table.tracker.present(A) == ()
    assert table.tracker.present(B) == (CARD,)


def test_p19_the_louder_antenna_has_the_card_in_the_end() -> None:
    table = Table("r200")
    for _ in range(30):
        table.see(CARD, "a", -70)
        table.see(CARD, "b", -45)
        table.pass_time(0.1)
    assert table.story() == [("Placed", "a"), ("Removed", "a"), ("Placed", "b")]


def test_p19_nearly_equal_antennas_do_not_fight() -> None:
    table = Table("r200")
    for n in range(100):
        table.see(CARD, "a", -60 + n % 7)
        table.see(CARD, "b", -60 + n % 5)
        table.pass_time(0.1)
    assert table.story() == [("Placed", "a")]


def test_p19_the_other_antenna_inherits_at_once() -> None:
    table = Table()
    for n in range(20):
        if n < 10:
            table.see(CARD)
        table.see(CARD, "b")
        table.pass_time(0.065)
    assert table.story() == [("Placed", "a"), ("Removed", "a"), ("Placed", "b")]


def test_p19_a_garbled_id_is_an_unknown_one() -> None:
    table = Table()
    table.see(uid("000000816C"))
    table.pass_time(1.0)
    assert table.events == []


def test_p21_a_deaf_antenna_is_no_empty_one() -> None:
    table = Table("pn532")
    table.listing(FIVE)
    table.take(Health(False, "Seat 3 does not answer."))
    table.pass_time(60.0)
    assert table.events[1:] == [Unsure(A, "Seat 3 does not answer.")]
    table.take(Health(True, "The reader answers."))
    table.listing(FIVE)
    table.pass_time(2.0)
    assert table.events[2:] == [Settled(A)]


@pytest.mark.parametrize("kind", ["rdm6300", "pn532"])
@pytest.mark.parametrize("still_there", [True, False])
def test_p25_p32_after_a_reboot_or_unplugging_nothing_is_known(kind: str, still_there: bool) -> None:
    table = Table(kind)

    def hear(tag: bool) -> None:
        if kind == "pn532":
            table.listing(*([FIVE] if tag else []))
        elif tag:
            table.see(FIVE)

    hear(True)
    table.take(LinkLost("The port is gone."))
    assert not table.tracker.is_sure(A)
    table.pass_time(60.0)
    assert table.names() == ["Placed", "Unsure"]
    table.take(LinkUp("/dev/ttyUSB1"))
    table.take(Health(True, "The reader answers."))
    for _ in range(20):
        hear(still_there)
        table.pass_time(0.1)
    assert table.names() == ["Placed", "Unsure", *([] if still_there else ["Removed"]), "Settled"]
    assert table.tracker.is_sure(A)


def test_p25_a_restart_without_unplugging() -> None:
    table = Table()
    table.see(CARD)
    table.take(Restarted("The board has started anew."))
    table.take(Restarted("The board has started anew."))
    table.pass_time(3.0)
    assert table.names() == ["Placed", "Unsure", "Removed", "Settled"]


def test_p32_a_polled_reader_that_stays_silent_after_it_was_plugged_in_again() -> None:
    table = Table("pn532")
    table.listing(FIVE)
    table.take(LinkLost("The port is gone."))
    table.take(LinkUp("/dev/ttyUSB1"))
    table.pass_time(60.0)
    assert table.names() == ["Placed", "Unsure"]


def test_p32_a_card_that_was_moved_while_the_link_was_lost() -> None:
    table = Table()
    table.see(CARD)
    table.take(LinkLost("The port is gone."))
    table.pass_time(0.05)
    table.see(CARD, "b")
    assert table.story() == [("Placed", "a"), ("Removed", "a"), ("Placed", "b")]


def reported() -> Table:
    """Two readers that tell of arrivals and departures, with a card at the first."""
    table = Table()
    for name in ("a", "b"):
        table.tracker.add(name, NdjsonReader(Presence.REPORTED).profile)
    table.see(CARD)
    return table


def test_p32_a_reader_behind_a_broker_says_nothing_again_when_the_broker_is_back() -> None:
    table = reported()
    table.take(LinkLost("The broker has gone."))
    table.take(LinkUp("broker", continued=True))
    table.pass_time(60.0)
    assert table.names() == ["Placed", "Unsure", "Settled"]
    assert table.tracker.where(CARD) == A
    table.take(Gone(CARD))
    assert table.names()[-1] == "Removed"


def test_p32_a_card_that_was_moved_while_the_broker_was_away() -> None:
    table = reported()
    table.take(LinkLost("The broker has gone."))
    table.take(LinkUp("broker", continued=True))
    table.pass_time(60.0)
    table.see(CARD, "b")
    assert table.story() == [("Placed", "a"), ("Removed", "a"), ("Placed", "b")]


def test_p32_a_reader_that_was_away_itself_says_what_lies_there() -> None:
    table = reported()
    table.take(LinkLost("The broker has gone."))
    table.take(LinkUp("broker", continued=True))
    table.take(LinkLost("The reader is offline."))
    table.take(LinkUp("reader"))
    table.pass_time(60.0)
    assert table.names() == ["Placed", "Unsure", "Removed", "Settled"]


def test_p42_a_reader_that_turns_ids_round_speaks_of_the_same_card() -> None:
    reversed_five = uid("8325C545")
    tracker = Tracker(lambda seen: FIVE if seen in {FIVE, reversed_five} else None)
    tracker.add("a", PROFILES["rdm6300"])
    tracker.add("b", PROFILES["rdm6300"])
    assert tracker.take("a", Seen(FIVE), 0.0) == [Placed(FIVE, A, 0.0, True)]
    assert tracker.take("b", Seen(reversed_five), 5.0) == [
        Removed(FIVE, A, 5.0), Placed(FIVE, B, 5.0, True),
    ]  # fmt: skip


def test_a_reader_that_reports_both_is_believed() -> None:
    reader = NdjsonReader(Presence.REPORTED)
    table = Table()
    table.tracker.add("a", reader.profile)
    table.feed(reader, b'{"type":"tag_on","antenna":2,"uid":"70D44F53"}\n')
    place = Place("a", 2)
    assert table.events == [Placed(uid("70D44F53"), place, 100.0, known=False)]
    table.pass_time(600.0)
    table.feed(reader, b'{"type":"snapshot","antenna":2,"uids":["70D44F53","45C52583"]}\n')
    table.feed(reader, b'{"type":"tag_off","antenna":2,"uid":"70D44F53"}\n')
    table.feed(reader, b'{"type":"snapshot","antenna":2,"uids":[]}\n')
    assert table.names() == ["Placed", "Placed", "Removed", "Removed"]


def test_two_pads_that_report_the_same_card() -> None:
    table = Table()
    for name in ("a", "b"):
        table.tracker.add(name, NdjsonReader(Presence.REPORTED).profile)
    table.see(CARD)
    table.see(CARD, "b")
    table.pass_time(60.0)
    assert table.story() == [("Placed", "a")]
    table.take(Gone(CARD))
    assert table.story() == [("Placed", "a"), ("Removed", "a"), ("Placed", "b")]


def doubted() -> Table:
    """A reader that reports both, has two cards on it and has just started anew."""
    table = Table()
    table.tracker.add("a", NdjsonReader(Presence.REPORTED).profile)
    table.listing(FIVE, NINE, final=True)
    table.take(Restarted("reset"))
    return table


def test_a_snapshot_with_all_cards_ends_doubt_at_once() -> None:
    table = doubted()
    table.listing(FIVE, NINE, final=True)
    assert table.names() == ["Placed", "Placed", "Unsure", "Settled"]


def test_p25_a_snapshot_that_comes_before_the_cards_were_read_again_removes_none() -> None:
    table = doubted()
    table.listing(final=True)
    table.pass_time(0.2)
    table.see(NINE)
    table.see(FIVE)
    table.pass_time(60.0)
    assert table.names() == ["Placed", "Placed", "Unsure", "Settled"]


def test_p25_a_card_that_was_lifted_while_the_board_started_is_removed() -> None:
    table = doubted()
    table.listing(NINE, final=True)
    table.pass_time(60.0)
    assert table.names() == ["Placed", "Placed", "Unsure", "Removed", "Settled"]
    assert table.tracker.where(FIVE) is None


def test_p32_a_snapshot_is_believed_more_than_what_was_said_before_the_broker_went() -> None:
    table = reported()
    table.take(LinkLost("The broker has gone."))
    table.take(LinkUp("broker", continued=True))
    table.listing(final=True)
    table.pass_time(60.0)
    assert table.names() == ["Placed", "Unsure", "Removed", "Settled"]


def test_a_tap_takes_the_card_from_where_it_lay() -> None:
    table = Table()
    table.tracker.add("b", PROFILES["id12"])
    table.see(CARD)
    table.see(CARD, "b")
    assert table.names() == ["Placed", "Removed", "Tapped"]
    assert isinstance(table.events[-1], Tapped)


def test_a_program_that_stood_still_removes_nothing() -> None:
    table = Table()
    table.see(CARD)
    table.now += 3600
    table.tracker.resume(table.now)
    table.events += table.tracker.tick(table.now)
    table.see(CARD)
    assert table.names() == ["Placed"]
    table.pass_time(0.5)
    assert table.names() == ["Placed", "Removed"]


def test_a_card_lifted_and_put_back() -> None:
    table = Table()
    table.see(CARD)
    table.pass_time(0.3)
    table.see(CARD)
    assert table.names() == ["Placed"]
    table.pass_time(1.0)
    table.see(CARD)
    assert table.names() == ["Placed", "Removed", "Placed"]


def test_order_of_arrival_is_kept() -> None:
    table = Table("r200", CARD, NINE, FIVE)
    for first in (NINE, CARD, FIVE):
        table.see(first)
        table.pass_time(0.05)
    assert table.tracker.present(A) == (NINE, CARD, FIVE)


def test_noise_does_not_pile_up() -> None:
    tracker = Tracker(book(CARD))
    tracker.add("a", PROFILES["rdm6300"])
    for n in range(20_000):
        tracker.take("a", Seen(uid(f"{n + 1:010x}")), n * 0.0001)
    assert len(tracker._pads[A].tags) <= 256
    tracker.tick(100.0)
    assert tracker._pads[A].tags == {}
    assert tracker.wake is None


def test_a_technology_makes_no_difference_to_which_tag_it_is() -> None:
    table = Table()
    table.see(CARD)
    table.pass_time(0.1)
    typed = uid("13005D1DA5")
    table.take(Seen(type(typed)(typed.data, Technology.EM4100)))
    assert table.names() == ["Placed"]
