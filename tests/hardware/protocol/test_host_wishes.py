"""What a host wishes of a reader: lights, sounds and settings, once each, and what is refused."""

from __future__ import annotations

import pytest

from hardware.protocol import (
    ALL_ANTENNAS,
    Code,
    Configure,
    Feature,
    Feedback,
    Finished,
    InUse,
    InvalidMessage,
    Pattern,
    RequestRefused,
    Sound,
)
from tests.hardware.protocol.line import Line, answer
from tests.hardware.protocol.model import ModelReader


def test_feedback_is_done_once_although_its_answer_is_lost() -> None:
    line = Line().opened()
    line.host.feedback(line.now, 2, Pattern.WRONG, Sound.DOUBLE, 1500)
    line.reader.take_bytes(line.now, line.host.data_to_send())
    line.reader.out.clear()
    (finished,) = line.run(0.5)
    assert isinstance(finished, Finished)
    assert len(line.sent(Feedback)) == 2
    (done,) = line.reader.done
    assert (done.antenna, done.pattern, done.sound, done.duration_ms) == (
        2,
        Pattern.WRONG,
        Sound.DOUBLE,
        1500,
    )


def test_of_waiting_wishes_for_an_antenna_only_the_newest_counts() -> None:
    line = Line().opened()
    line.host.feedback(line.now, 0, Pattern.WAITING)
    for pattern in (Pattern.OK, Pattern.WRONG, Pattern.YOUR_TURN):
        line.host.feedback(line.now, 1, pattern)
    line.run(0.3)
    assert [(wish.antenna, wish.pattern) for wish in line.reader.done] == [
        (0, Pattern.WAITING),
        (1, Pattern.YOUR_TURN),
    ]


def test_lasting_lights_come_back_without_sound_after_a_reboot() -> None:
    line = Line().opened()
    line.host.feedback(line.now, 0, Pattern.YOUR_TURN, Sound.SHORT)
    line.host.feedback(line.now, 1, Pattern.WRONG, Sound.LONG, duration_ms=500)
    line.run(0.5)
    line.reader.reboot(line.now)
    line.reader.done.clear()
    line.run(2)
    (wish,) = line.reader.done
    assert (wish.antenna, wish.pattern, wish.sound) == (0, Pattern.YOUR_TURN, Sound.NONE)


def test_a_light_for_all_replaces_those_for_one() -> None:
    line = Line().opened()
    line.host.feedback(line.now, 0, Pattern.YOUR_TURN)
    line.host.feedback(line.now, ALL_ANTENNAS, Pattern.OFF)
    line.run(0.5)
    line.reader.reboot(line.now)
    line.reader.done.clear()
    line.run(2)
    assert [(wish.antenna, wish.pattern) for wish in line.reader.done] == [(ALL_ANTENNAS, Pattern.OFF)]


def test_a_reader_without_lights_is_not_asked_for_any() -> None:
    reader = ModelReader()
    reader.features = Feature(0)
    line = Line(reader).opened()
    line.host.feedback(line.now, 0, Pattern.OK)
    line.host.configure(line.now, poll_ms=50)
    line.run(0.5)
    assert line.sent(Feedback) + line.sent(Configure) == []


def test_settings_are_those_that_the_reader_says() -> None:
    line = Line().opened()
    line.host.configure(line.now, poll_ms=50, heartbeat_ms=2000)
    (use,) = line.run(0.1)
    assert isinstance(use, InUse)
    assert use.settings.poll_ms == 50
    with pytest.raises(InvalidMessage):
        line.host.configure(line.now, poll_ms=70_000)
    with pytest.raises(InvalidMessage):
        line.host.feedback(line.now, 256, Pattern.OK)


def test_too_many_wishes_are_refused() -> None:
    line = Line().opened()
    for at in range(65):  # one is under way
        line.host.configure(line.now, poll_ms=50 + at)
    with pytest.raises(InvalidMessage, match="64 requests"):
        line.host.configure(line.now, poll_ms=50)


def test_a_refused_wish_is_said_and_the_next_one_asked() -> None:
    line = Line().opened()
    line.host.feedback(line.now, 9, Pattern.OK)
    line.host.configure(line.now, poll_ms=50)
    line.host.data_to_send()
    (refused,) = answer(line, code=Code.NO_ANTENNA)
    assert isinstance(refused, RequestRefused)
    assert refused.code is Code.NO_ANTENNA
    assert isinstance(line.host._requests.current, Configure)


def test_a_busy_reader_is_asked_again() -> None:
    line = Line().opened()
    line.host.feedback(line.now, 0, Pattern.OK)
    line.host.data_to_send()
    assert answer(line, code=Code.BUSY) == ()
    line.run(0.5)
    assert len(line.reader.done) == 1
