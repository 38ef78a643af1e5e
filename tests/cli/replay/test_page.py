"""A frame on screens of all sizes, and the terminal recording that is made of them."""

from __future__ import annotations

import json
import re
from itertools import product

import pyte
import pytest

from cli.replay import ALL, PUBLIC, Place, Replay
from cli.replay.casting import cast
from cli.replay.lines import Span
from cli.replay.page import draw, page_of
from cli.text import Glyphs
from cli.tui.canvas import plain, row_width
from tests.cli.replay.records import GAMES, cheated, opened, record, replay_of
from tests.p2p.session.test_cheats import CHEATS

SIZES = ((80, 24), (40, 15), (200, 60), (20, 5), (7, 3), (1, 1), (300, 2))


def shown(replay: Replay, place: Place, columns: int = 80, rows: int = 24) -> list[str]:
    return [plain(row).rstrip() for row in draw(page_of(replay, place.at, place.seat, rows), columns, rows)]


@pytest.mark.parametrize("name", GAMES)
def test_every_frame_fits(name: str) -> None:
    replay = replay_of(record(name))
    for at in range(0, len(replay), 7):
        for seat, (columns, rows) in product((PUBLIC, ALL, 1), SIZES):
            drawn = draw(page_of(replay, at, seat, rows), columns, rows)
            assert len(drawn) == rows
            assert max(map(row_width, drawn)) <= columns


def test_what_happened_now_is_on_a_small_screen_too() -> None:
    replay = replay_of(record("go-fish"))
    first, *others = [at for at in range(len(replay)) if "ask" in replay.moment(at).marks]
    for at in (first, *others[:4]):
        words = replay.frame(at).lines[0].text
        for columns, rows in ((80, 24), (40, 15), (200, 60), (60, 4)):
            lines = shown(replay, Place(at), columns, rows)
            assert any(line.strip().startswith("► ") for line in lines)
            assert words in " ".join(" ".join(lines).split()).replace("► ", "")
            assert f"Step {at} of" in lines[0]


def test_the_screen_says_whose_view_it_is_and_how_far_the_verification_is() -> None:
    replay = replay_of(record("go-fish"))
    at = next(at for at in range(len(replay)) if "ask" in replay.moment(at).marks)
    assert "✓ all verified: sound" in shown(replay, Place(at))[0]
    assert " · as Ben saw it" in shown(replay, Place(at, 1))[0]
    assert sum(" held: " in line for line in shown(replay, Place(at, ALL))) == 3
    assert not any(" held: " in line for line in shown(replay, Place(at)))
    recording = opened(record("go-fish"))
    early = Replay(recording, Glyphs())
    heads: list[str] = []
    recording.follow(lambda _done, _of: heads.append(shown(early, Place(len(early) - 1))[0]))
    assert all(re.search(r"Step \d+  ", head) for head in heads), "how many there are is not known yet"
    percents = [int(head.split("verified so far: ")[1].split(" %")[0]) for head in heads]
    assert percents == sorted(percents)
    assert (percents[0] < 10, percents[-1]) == (True, 100)


def test_a_cheat_stands_in_the_first_line() -> None:
    cheat = CHEATS["asks without a proof"]
    data, step = cheated(cheat.lie, 1, cheat.options)
    replay = replay_of(data)
    lines = shown(replay, Place(len(replay) - 1))
    assert f"CHEATED at step {step}" in lines[0]
    assert any(line.startswith("► ! CHEATED: Ben cheated at step") for line in lines)


def test_the_verdict_stands_below_the_result() -> None:
    replay = replay_of(record("go-fish"))
    lines = shown(replay, Place(len(replay) - 1))
    assert "► SOUND: nobody lied, and the result is right." in lines
    assert any(" wins." in line for line in lines)


@pytest.mark.parametrize("name", GAMES)
def test_a_cast_is_what_the_screen_shows(name: str) -> None:
    replay = replay_of(record(name))
    header, *events = map(json.loads, cast(replay, ALL, pace=0.5))
    assert header == {"version": 2, "width": 80, "height": 24, "title": header["title"]}
    assert header["title"].endswith("played by Ann, Ben, Cy")
    told = [at for at in range(len(replay)) if replay.moment(at).is_told]
    first, *frames, last = events
    assert [event[0] for event in frames] == [0.5 * n for n in range(len(told))]
    assert (first[0], last[0]) == (0.0, 0.5 * len(told))
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    stream.feed(first[2])
    for at, (_seconds, kind, text) in zip(told, frames, strict=True):
        assert kind == "o"
        stream.feed(text)
        assert [line.rstrip() for line in screen.display] == shown(replay, Place(at, ALL))


def test_a_cast_of_some_steps() -> None:
    replay = replay_of(record("go-fish"))
    told = [at for at in range(1, 12) if replay.moment(at).is_told]
    _header, *events = map(json.loads, cast(replay, PUBLIC, Span(1, 11)))
    assert len(events) == len(told) + 2 > 4
    ascii_only = Replay(replay.recording, Glyphs(ascii_only=True))
    signs = {sign for line in cast(ascii_only, ALL) for sign in line if not sign.isascii()}
    assert all(sign.isalpha() for sign in signs), "names of people keep their letters"


@pytest.mark.parametrize("name", GAMES)
def test_the_result_is_seen_on_a_small_screen_too(name: str) -> None:
    replay = replay_of(record(name))
    for seat in (PUBLIC, ALL, 1):
        lines = shown(replay, Place(len(replay) - 1, seat), 40, 15)
        assert any(re.search(r" wins?\b| share the win", line) for line in lines), "\n".join(lines)
        assert "► SOUND: nobody lied" in " ".join(lines)
        assert "q leave" in lines[-1]
