"""Frames of recorded games: what is told, what was proved, whose hands are seen, and how far a file goes.

``SHOAL_SNAPSHOTS=write python -m pytest tests/cli/replay/test_frames.py`` writes the texts of whole games
anew; read the difference before it is committed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cli.commands.verify import report_lines
from cli.replay import ALL, PUBLIC, Controller, NotThere, Place, Replay, open_recording
from cli.replay.following import Stopped
from cli.replay.hands import SeatSight, hand_at
from cli.replay.lines import story
from cli.replay.page import status_of
from cli.text import Glyphs
from engine.registry import game
from p2p.log.record import MAGIC, read_records
from p2p.session.sights import OwnSight
from p2p.verify import Report, verify
from tests.cli.race_table import ReadRace
from tests.cli.replay.records import (
    GAMES,
    NAMES,
    SMALL,
    cheated,
    opened,
    played,
    record,
    replay_of,
    ring_of,
    stopped,
)
from tests.cli.snapshots import compare
from tests.p2p.session.test_cheats import CHEATS
from tests.p2p.test_verify_printed import CHEATS as QUIET_CHEATS
from tests.p2p.test_verify_printed import quiet_game

FOLDER = Path(__file__).with_name("stories")
KINDS = [*[(name, None) for name in GAMES], ("go-fish", 0), ("casino", 1)]
WALK = (
    "n", "b", "step", "step back", "ask", "ask back", "book", "turn", "turn back", "start", "end", "public",
    "all",
)  # fmt: skip
IDS = [f"{name}-{'sealed' if scanner is None else 'printed'}" for name, scanner in KINDS]


@pytest.mark.parametrize(("name", "scanner"), KINDS, ids=IDS)
def test_the_story_of_a_whole_game(name: str, scanner: int | None) -> None:
    replay = replay_of(record(name, scanner=scanner))
    text = "\n".join(story(replay, ALL)) + "\n"
    compare(FOLDER / f"{name}-{'sealed' if scanner is None else 'printed'}.txt", text)


@pytest.mark.parametrize(("name", "scanner"), KINDS, ids=IDS)
def test_back_and_forth_gives_the_same_frames(name: str, scanner: int | None) -> None:
    data = record(name, scanner=scanner)
    straight, wandered = replay_of(data), replay_of(data)
    views = straight.views
    assert views == (PUBLIC, ALL, 0, 1, 2)
    expected = {seat: [straight.frame(at, seat) for at in range(len(straight))] for seat in views}
    control, place, chance = Controller(wandered), Place(), random.Random(11)
    seen = set()
    for _ in range(600):
        step, name = chance.randrange(len(straight)), chance.choice(NAMES[:3])
        words = [*WALK, f"go {step}", f"seat {name}"]
        try:
            found = control.obey(place, chance.choice(words))
        except NotThere:
            continue
        assert isinstance(found, Place)
        place = found
        seen.add((place.at, place.seat))
        assert wandered.frame(place.at, place.seat) == expected[place.seat][place.at]
    assert len(seen) > 60


@pytest.mark.parametrize(("name", "scanner"), KINDS, ids=IDS)
def test_hands_and_views_are_what_each_seat_had(name: str, scanner: int | None) -> None:
    ring, replay = played(name, scanner=scanner), replay_of(record(name, scanner=scanner))
    recording = replay.recording
    held = 0
    for seat in range(3):
        secrets = ring.secrets(seat)
        own, ours = OwnSight(seat, secrets), SeatSight(seat, recording.opened)
        for step in recording.steps:
            after = step.after
            expected = after.dealing.own_hand(after.position, seat, secrets) if after.dealing.keys else {}
            assert hand_at(after.dealing, after.position, seat, recording.opened) == expected
            view = ours.view(after)
            assert view.hand == expected
            assert view.known == after.position.view(seat, expected, own.known(after)).known
            held += len(expected)
    assert held > 100


@pytest.mark.parametrize(("name", "scanner"), KINDS, ids=IDS)
def test_the_verdict_is_that_of_verify(name: str, scanner: int | None) -> None:
    data = record(name, scanner=scanner)
    replay = replay_of(data)
    report = verify(data, game, SMALL)
    assert (report.verdict, report.finished) == ("sound", True)
    assert replay.report == report
    steps = replay.recording.steps
    assert tuple(event for step in steps for event in step.events) == report.events
    assert [step.number for step in steps] == list(range(len(steps)))
    assert sum(len(step.signed) for step in steps) == report.checks["signatures"]
    counted: dict[str, int] = {}
    for proof in (proof for step in steps for proof in step.proofs):
        counted[proof.kind] = counted.get(proof.kind, 0) + 1
    others = ("signatures", "recomputed", "judged")
    assert counted == {kind: count for kind, count in report.checks.items() if kind not in others}


@pytest.mark.parametrize("name", GAMES)
def test_asks_books_and_turns_are_found(name: str) -> None:
    replay = replay_of(record(name))
    control, place = Controller(replay), Place()
    for mark in ("ask", "book"):
        expected = [at for at in range(len(replay)) if mark in replay.moment(at).marks]
        found, at = [], place
        while True:
            try:
                at = control.marked(at, mark, 1)
            except NotThere:
                break
            found.append(at.at)
        assert found == expected
    assert any("ask" in replay.moment(at).marks for at in range(len(replay)))
    turns = [replay.moment(at).turn for at in range(len(replay)) if replay.moment(at).starts_turn]
    assert turns
    assert all(one != other for one, other in pairwise(turns))
    first = control.turn(place, turns[0], 1)
    assert replay.moment(first.at).turn == turns[0]


def test_hands_stay_hidden_where_nothing_was_revealed() -> None:
    replay = replay_of(record("go-fish", reveal="never"))
    assert replay.views == (PUBLIC,)
    control = Controller(replay)
    for words in ("all", "seat Ann"):
        with pytest.raises(NotThere, match="No keys were revealed in this game: the hands stay hidden"):
            control.obey(Place(), words)
    text = "\n".join(story(replay))
    assert "held:" not in text
    assert "SOUND: nobody lied, and the result is right." in text


def test_nobody_sees_hands_in_the_public_view() -> None:
    replay = replay_of(record("go-fish"))
    assert all(not replay.frame(at).hands for at in range(len(replay)))
    seen = replay.frame(len(replay) - 1, 1)
    assert [hand.name for hand in seen.hands] == ["Ben"]


# --- what is not verified yet -------------------------------------------------------------------------------


def test_only_what_is_verified_is_shown() -> None:
    recording = opened(record("go-fish"))
    replay = Replay(recording, Glyphs())
    control = Controller(replay)
    grown: list[int] = []
    early: list[Any] = []

    def look(done: int, of: int) -> None:
        grown.append(len(replay))
        assert replay.report is None
        last = control.end(Place())
        assert last.at == len(replay) - 1
        early.append(replay.frame(last.at).lines)
        with pytest.raises(NotThere, match=f"not verified yet: {done} of {of} contributions"):
            control.step(last, 1)
        with pytest.raises(NotThere, match="when everything is verified"):
            control.view(last, 0)

    recording.follow(look)
    assert grown == list(range(1, len(recording.steps) + 1))
    assert len(replay) == grown[-1] + 1
    assert early == [replay.frame(at - 1).lines for at in grown]
    assert replay.views == (PUBLIC, ALL, 0, 1, 2)
    assert control.end(Place()).at == grown[-1]


# --- files that end too early, were changed, or show a cheat -----------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_file_that_ends_too_early_is_shown_as_far_as_it_is_whole(name: str) -> None:
    data, chance = record(name), random.Random(5)
    whole = replay_of(data)
    expected = [whole.frame(at).lines for at in range(len(whole) - 1)]
    lengths = set()
    for end in sorted(chance.randrange(len(MAGIC), len(data)) for _ in range(12)):
        found = open_recording(data[:end], game, SMALL)
        if isinstance(found, Report):
            assert len(read_records(data[:8])) == 0
            assert (found.verdict, end < 700) == ("damaged", True)
            continue
        report = found.follow()
        assert (report.verdict, report.reason) == ("damaged", verify(data[:end], game, SMALL).reason)
        cut = Replay(found, Glyphs())
        shown = [cut.frame(at).lines for at in range(len(cut) - 1)]
        whole_steps = [step for step in found.steps if step.is_whole]
        assert shown[: len(whole_steps)] == expected[: len(whole_steps)]
        text = "\n".join(str(line) for line in cut.frame(len(cut) - 1).lines)
        assert "DAMAGED: the file is truncated" in text
        assert "The file ends too early: it is shown as far as it is whole." in text
        lengths.add(len(shown))
    assert len(lengths) > 3


def test_a_changed_file_is_shown_up_to_the_change() -> None:
    data = record("go-fish")
    steps = len(replay_of(data).recording.steps)
    chance = random.Random(3)
    for _ in range(10):
        changed = bytearray(data)
        changed[chance.randrange(len(data) // 3, len(data) - 200)] ^= 0x40
        found = opened(bytes(changed))
        report = found.follow()
        assert (report.verdict, report.reason) == ("damaged", verify(bytes(changed), game, SMALL).reason)
        assert 0 < len(found.steps) < steps + 1
        text = "\n".join(story(Replay(found, Glyphs())))
        assert "  ! DAMAGED: " in text


def test_a_game_that_was_stopped_is_sound_so_far() -> None:
    data = stopped("one-fish", 12)
    replay = replay_of(data)
    assert replay.report == verify(data, game, SMALL)
    assert not replay.open_seats
    assert len(replay.recording.steps) >= 12
    assert "SOUND so far: the game was stopped before its end" in "\n".join(story(replay))


def left_by(seat: int) -> bytes:
    """The file of a table with printed cards, scanned by seat 0, that this player left for good."""
    ring = ring_of("go-fish", scanner=0)
    assert ring.play_until(lambda: ring.sessions[0].history.step >= 12)
    ring.run(seat, ring.sessions[seat].farewell(ring.now))
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 3600.0)
    return ring.record(2)


UNJUDGED = {
    "the scanner left": (partial(left_by, 0), "SOUND as far as it can be checked: "),
    "stopped": (partial(stopped, "go-fish", 12, scanner=0), "SOUND so far as it can be checked: "),
}


@pytest.mark.parametrize(("made", "verdict"), UNJUDGED.values(), ids=UNJUDGED)
def test_no_verdict_claims_what_was_not_judged(made: Callable[[], bytes], verdict: str) -> None:
    """Printed cards whose machine has revealed nothing: all that is said of the record says no more."""
    data = made()
    report = verify(data, game, SMALL)
    assert (report.verdict, report.is_judged) == ("sound", False)
    replay = replay_of(data)
    lines = report_lines(report, {})
    assert lines[-1].startswith(verdict)
    for text in ("\n".join(lines), "\n".join(story(replay)), status_of(replay)):
        assert "nobody lied" not in text
        assert "all verified" not in text


def test_a_guest_who_leaves_printed_cards_leaves_everything_judged() -> None:
    report = verify(left_by(1), game, SMALL)
    assert (report.verdict, report.is_judged, report.left[0][1]) == ("sound", True, 1)
    assert report_lines(report, {})[-1] == "SOUND: nobody lied, and the result is right."


@pytest.mark.parametrize("name", ["asks for a rank it does not hold", "asks without a proof"])
def test_a_cheated_game_is_shown_up_to_the_fault_and_names_it(name: str) -> None:
    cheat = CHEATS[name]
    data, step = cheated(cheat.lie, 1, cheat.options)
    replay = replay_of(data)
    report = replay.report
    assert report == verify(data, game, SMALL)
    assert report is not None
    assert (report.verdict, report.seat, report.step) == ("cheated", 1, step)
    assert [each.number for each in replay.recording.steps] == list(range(step))
    last = replay.frame(len(replay) - 1)
    assert str(last.lines[0]).startswith(f"CHEATED: Ben cheated at step {step}: ")
    assert replay.is_fault(len(replay) - 1)


def test_a_cheat_found_at_the_end_is_named_where_it_happened() -> None:
    _what, liar, lie, name, options, reason = QUIET_CHEATS[3]
    for number in range(40):
        ring, told = quiet_game(SMALL, liar, lie, name, options, bytes([number]))
        if told.step is not None and all(session.is_over for session in ring.sessions):
            break
    replay = replay_of(ring.record(0))
    report = replay.report
    assert report is not None
    assert (report.verdict, report.seat, report.step) == ("cheated", liar, told.step)
    assert len(replay.recording.steps) > told.step + 1
    frames = [at for at in range(len(replay)) if replay.is_fault(at)]
    assert frames == [told.step, len(replay) - 1]
    line = replay.frame(told.step).lines[-1]
    assert line.kind == "warning"
    assert f"P{liar} cheated at step {told.step}: " in line.text
    assert reason.split(" (")[0] in line.text


def test_absences_in_a_race_are_told() -> None:
    race = ReadRace(("Ann", "Ben", "Cy"), 4)
    race.play_with_trouble()
    data = race.record(0)
    replay = replay_of(data)
    report = replay.report
    assert report is not None
    assert report == verify(data, game, SMALL)
    absent = [(step.number, seat) for step in replay.recording.steps for seat in step.absent]
    assert tuple(absent) == report.skipped
    assert absent


def test_names_cannot_reach_the_terminal() -> None:
    replay = replay_of(record("go-fish", seats=2, names=("A\x1b[2Jnn", "B\u202een")))
    assert not [line for line in story(replay, ALL) if not line.isprintable()]
    assert replay.names == ("A [2Jnn", "B en")


def test_following_ends_when_nobody_wants_to_know_any_more() -> None:
    recording = opened(record("go-fish"))
    with pytest.raises(Stopped):
        recording.follow(lambda done, _of: recording.stop() if done > 20 else None)
    assert recording.report is None
    assert 0 < len(recording.steps) < recording.of
