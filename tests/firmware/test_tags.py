"""The reference reader and what lies on its antennas: tags, collisions, and chips that fail."""

from __future__ import annotations

import pytest

from hardware.protocol import (
    Change,
    Configure,
    Health,
    Status,
    Tag,
    Technology,
)
from tests.firmware.board import Board
from tests.firmware.samples import FOUR, OTHER, SEVEN, TEN

pytestmark = pytest.mark.slow


# Tags


@pytest.mark.parametrize("uid", [FOUR, SEVEN, TEN, "8804A3C6"])
def test_a_tag_is_placed_and_removed(board: Board, uid: str) -> None:
    board.hello()
    board.order(f"place 3 {uid}")
    placed = board.tag()
    assert (placed.event, placed.change, placed.antenna) == (1, Change.PLACED, 3)
    assert (placed.uid.hex().upper(), placed.technology, placed.signal) == (uid, Technology.ISO14443A, None)
    assert board.present() == {3: uid}
    board.order(f"lift 3 {uid}")
    gone = board.tag()
    assert (gone.event, gone.change, gone.uid) == (2, Change.REMOVED, placed.uid)
    assert board.present() == {}


@pytest.mark.parametrize("others", [0, 7])
def test_a_tap_is_told_within_a_tenth_of_a_second(board: Board, others: int) -> None:
    """By the reader's clock, which cannot be late where the computer is: the status asked for right after
    the tag was put down says when that was at the latest."""
    board.hello()
    for at in range(others):
        board.order(f"place {at + 1} 04A3C6CAE262{at:02X}")
        board.tag()
    for _ in range(6):
        board.receive(0.037)  # so that the taps fall anywhere in a round
        board.order(f"place 0 {SEVEN}")
        down = board.status().uptime_ms
        tag = board.tag()
        assert tag.change is Change.PLACED
        assert tag.uptime_ms <= down + 100
        board.order("lift 0")
        assert board.tag().change is Change.REMOVED


def test_a_tag_that_is_lifted_for_a_moment_never_left(board: Board) -> None:
    board.hello()
    board.order(f"place 0 {SEVEN}")
    board.tag()
    for _ in range(4):
        board.order("lift 0")
        board.receive(0.15)
        board.order(f"place 0 {SEVEN}")
        board.receive(0.3)
    assert board.status().last_event == 1


def test_another_tag_in_the_place_of_one_is_a_removal_and_a_placing(board: Board) -> None:
    board.hello()
    board.order(f"place 0 {SEVEN}")
    board.tag()
    board.order("lift 0")
    board.order(f"place 0 {OTHER}")
    first, second = board.tag(), board.tag()
    assert (first.change, first.uid.hex().upper()) == (Change.REMOVED, SEVEN)
    assert (second.change, second.uid.hex().upper()) == (Change.PLACED, OTHER)


def test_two_tags_on_one_antenna_are_a_collision_and_no_removal(board: Board) -> None:
    board.hello()
    board.order(f"place 0 {SEVEN}")
    board.tag()
    board.order(f"place 0 {OTHER}")
    beats = [m for m in board.receive(3.3) if isinstance(m, Status)]
    assert beats[-1].health[0] == Health.ANSWERS | Health.COLLISION
    assert beats[-1].health[1] == Health.ANSWERS
    assert board.status().last_event == 1
    board.order(f"lift 0 {SEVEN}")
    assert [board.tag().change, board.tag().change] == [Change.REMOVED, Change.PLACED]
    board.receive(1.2)
    beats = [m for m in board.receive(1.2) if isinstance(m, Status)]
    assert beats[-1].health[0] == Health.ANSWERS


def test_damaged_answers_are_noise_and_neither_a_tag_nor_a_removal(board: Board) -> None:
    board.hello()
    board.order("garble 0 7")
    board.order(f"place 0 {TEN}")
    tag = board.tag()
    assert tag.uid.hex().upper() == TEN
    board.order("garble 0 40")
    beats = [m for m in board.receive(2.5) if isinstance(m, Status)]
    assert any(Health.NOISE in beat.health[0] for beat in beats)
    assert board.status().last_event == 1
    assert board.present() == {0: TEN}


@pytest.mark.parametrize("uid", [FOUR, SEVEN, TEN])
def test_an_identifier_is_never_cut_short(board: Board, uid: str) -> None:
    """The answer that ends it is damaged, 40 times in a row: nothing is told until it is sound. One reading
    is enough here, so that only the driver stands between the damage and the event."""
    board.hello()
    board.ask(Configure(seq=1, arrive_reads=1))
    board.order("curtail 0 40")
    board.order(f"place 0 {uid}")
    tag = board.tag()
    assert (tag.event, tag.uid.hex().upper()) == (1, uid)
    assert board.order("curtail 0 0") == {}
    assert board.present() == {0: uid}


def test_how_long_a_round_takes_and_that_two_fields_are_never_on_at_once(board: Board) -> None:
    board.hello()
    board.receive(0.5)
    empty = int(board.order("fields")["round_us"])
    for at in range(8):
        board.order(f"place {at} 04A3C6CAE261{at:02X}")
    board.receive(2.0)
    fields = board.order("fields")
    assert fields["overlap"] == "0"
    # Eight guard times of 5 ms are the least that is possible.
    assert 40_000 < empty < 60_000
    assert empty < int(fields["round_us"]) < 90_000


@pytest.mark.parametrize("level", ["low", "high"])
def test_a_chip_that_falls_silent_is_told_and_its_tag_stays(board: Board, level: str) -> None:
    board.hello()
    board.order(f"place 2 {SEVEN}")
    board.tag()
    board.order(f"unplug 2 {level}")
    beats = [m for m in board.receive(2.5) if isinstance(m, Status)]
    assert beats[-1].health == tuple(Health(at != 2) for at in range(8))
    assert board.present() == {2: SEVEN}
    board.order(f"place 1 {OTHER}")
    assert board.tag().antenna == 1
    board.order("plug 2")
    found = board.until(lambda m: isinstance(m, Status) and Health.RESTARTED in m.health[2])
    assert not [m for m in found if isinstance(m, Tag)]
    assert board.status().health[2] == Health.ANSWERS


def test_without_a_single_chip_the_reader_still_answers(board: Board) -> None:
    for at in range(8):
        board.order(f"unplug {at}")
    board.receive(1.0)
    board.hello()
    assert board.status().health == (Health(0),) * 8
    assert board.present() == {}
    beats = [m for m in board.receive(2.5) if isinstance(m, Status)]
    assert len(beats) >= 2


def test_a_chip_that_lost_its_settings_is_set_up_again(board: Board) -> None:
    board.hello()
    board.order(f"place 5 {SEVEN}")
    board.tag()
    board.order("dip 5")
    board.until(lambda m: isinstance(m, Status) and Health.RESTARTED in m.health[5])
    assert board.status().last_event == 1
    board.order("lift 5")
    assert board.tag().change is Change.REMOVED
