"""A replay by typed words: for a terminal without control codes, and for screen readers."""

from __future__ import annotations

from collections.abc import Iterable

from ..console import Console
from ..speech.verbs import in_own_words
from ..translation import gettext as _
from .control import WORDS, Controller, NotThere, Place
from .frames import Replay
from .lines import frame_lines, heading, step_name, table_of, told


async def converse(replay: Replay, console: Console, place: Place, first: int) -> None:
    """Until the player leaves, or the input ends. Everything is verified by now."""
    control = Controller(replay)
    console.words = lambda: dict.fromkeys([*map(in_own_words, WORDS), *WORDS])
    console.write("\n".join(heading(replay, place.seat)))
    console.write(_("Enter goes on; help lists the words."))
    try:
        place = control.number(place, first)
    except NotThere as problem:
        console.write(str(problem))
    while True:
        console.write("\n".join(_shown(replay, place)))
        console.prompt = (
            _("Step {n}> ").format(n=replay.moment(place.at).step) if _has_number(replay, place) else "> "
        )
        found = await _next(replay, console, control, place)
        if found is None:
            return
        place = found


def _has_number(replay: Replay, place: Place) -> bool:
    return replay.moment(place.at).step >= 0


async def _next(replay: Replay, console: Console, control: Controller, place: Place) -> Place | None:
    """Where the next line leads that leads anywhere; ``None`` where it leads out."""
    while True:
        line = await console.read()
        if line is None:
            return None
        try:
            found = control.obey(place, line)
        except NotThere as problem:
            console.write(str(problem))
            continue
        if isinstance(found, Place):
            if found.seat != place.seat:
                console.write(_("Shown: {view}.").format(view=replay.view_name(found.seat)))
            return found
        if found == "quit":
            return None
        console.write("\n".join(_answer(replay, found, place)))


def _answer(replay: Replay, word: str, place: Place) -> Iterable[str]:
    frame = replay.frame(place.at, place.seat)
    match word:
        case "table":
            return table_of(frame)
        case "proofs":
            return frame.verified or (_("Nothing to verify."),)
        case _:
            own = {in_own_words(name): _(about) for name, about in WORDS.items()}
            size = max(map(len, own))
            return [f"  {name:{size}}  {about}" for name, about in own.items()]


def _shown(replay: Replay, place: Place) -> Iterable[str]:
    """What happened, and the own hand; the table only where it is asked for, since it would be read aloud
    each time."""
    frame = replay.frame(place.at, place.seat)
    if place.at + 1 == len(replay):
        return frame_lines(frame)
    lines = [f"  {told(line)}" for line in frame.lines] or ["  " + _("Nothing to tell of.")]
    if not any(line.proof for line in frame.lines):
        lines += [f"  {text}" for text in frame.verified[:1]]
    return [step_name(frame), *lines]
