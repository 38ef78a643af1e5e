"""What is watched, for scripts: one JSON object in a line for each thing that happens."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from p2p.identity import words
from p2p.io.watching import Found, Judged, Lost, PausedSeat, Seen, Spectator
from p2p.log import Charter
from p2p.verify import Report, Step, Undone

from ..replay.following import Verified
from ..replay.frames import Replay
from ..replay.lines import step_facts, verdict_facts
from ..text import Glyphs


async def report_facts(
    spectator: Spectator, seen: AsyncIterator[Seen], write: Callable[[str], object]
) -> Judged:
    """Write the lines until the verdict, which is the last one."""
    replay: Replay | None = None
    async for each in seen:
        if isinstance(each, Charter):
            replay = Replay(Verified(spectator.verifier), Glyphs(ascii_only=True))
            write(_line(_charter(each)))
            continue
        if replay is None:
            raise AssertionError("a game is seen after its charter")
        match each:
            case Step():
                replay.recording.steps.append(each)
                write(_line(step_facts(replay, len(replay.recording.steps) - 1)))
            case Undone(step):
                replay.back(step)
                write(_line({"undone": step}))
            case PausedSeat(seat):
                write(_line({"paused": seat}))
            case Lost(reason):
                write(_line({"lost": reason}))
            case Found(seat):
                write(_line({"found": seat}))
            case Judged(report, is_whole):
                write(_line(_verdict(spectator, replay, report, is_whole)))
                return each
    raise AssertionError("what is watched ends with a verdict")


def _line(facts: dict[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False)


def _charter(charter: Charter) -> dict[str, Any]:
    return {
        "game": charter.game,
        "options": dict(charter.options),
        "players": [seat.name for seat in charter.seats],
        "table_id": charter.table_id.hex(),
        "words": list(words(charter.table_id)),
        "dealing": charter.dealing,
        "watchers": charter.watchers,
    }


def _verdict(spectator: Spectator, replay: Replay, report: Report, is_whole: bool) -> dict[str, Any]:
    replay.recording.opened, replay.recording.report = spectator.verifier.opened, report
    return {**verdict_facts(report, replay.open_seats), "is_whole": is_whole}
