"""What a hand does at an emulated reader, line by line: scripts and typed commands. Pure.

    0.5 place 04A1B2C3D4E5F6 on 0     after half a second lay this tag on antenna 0
    1 remove 9S                       a second later take the nine of spades away
    tap Ben on 1                      hold Ben's token to antenna 1
    new 52                            hold 52 new tags to antenna 0, one after the other
    unplug                            pull the plug, and so on: see `HELP`

A number in front of a command is the time to wait before it, in seconds, after what stands above it. A tag is
named by its id in any spelling, or by what it is in the tag book. ``#`` begins a remark.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from .base import EmulatedReader, Unreadable

__all__ = ["HELP", "BadScript", "Step", "Verb", "fresh_uid", "parse_line", "parse_script"]

HELP = (
    ("place TAG [on N]", "lay a tag on antenna N (0 if it is left out)"),
    ("remove TAG", "take a tag away; remove all, or remove on N, takes whatever lies there"),
    ("tap TAG [on N]", "hold a tag to it for a moment; the tag alone is enough"),
    ("new [COUNT] [on N]", "tap tags that nobody has yet, one after the other"),
    ("unplug, replug", "pull the plug, and put it back"),
    ("reset", "the reader starts anew, as after a moment without power"),
    ("noise [COUNT]", "bytes that are no frame"),
    ("deaf on N, well on N", "the chip of an antenna dies, and lives again"),
    ("wait SECONDS", "do nothing"),
    ("quit", "end"),
)
"""Each command, and what it does."""

MOST_STEPS = 10_000
MOST_TEXT = 500_000
"""Lines and characters of a script: a whole evening at the table has some hundreds."""

LONGEST_WAIT = 3600.0
"""Seconds of one ``wait``: an hour is longer than any game stands still."""

MOST_NEW = 200
"""New tags in one line: the largest deck."""

MOST_NOISE = 4096
"""Bytes of noise in one line: more than any reader's longest frame."""

Resolve = Callable[[str], bytes]
"""From the text for a tag to its id; raises `BadScript`."""


class BadScript(ValueError):
    """A line that is no command. The message is one sentence, which begins with the line in a script."""


class Verb(StrEnum):
    """What is done."""

    PLACE = "place"
    REMOVE = "remove"
    TAP = "tap"
    NEW = "new"
    UNPLUG = "unplug"
    REPLUG = "replug"
    RESET = "reset"
    NOISE = "noise"
    DEAF = "deaf"
    WELL = "well"
    WAIT = "wait"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is done: after ``wait`` seconds, to the tag ``uid`` (`None`: all), on ``antenna``
    (`None`: all, or 0). ``count`` is how many new tags, or bytes of noise."""

    verb: Verb
    wait: float = 0.0
    uid: bytes | None = None
    antenna: int | None = None
    count: int = 1


_ON = re.compile(r"(?:(.*\S)\s+)?on\s+(\d{1,3})", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d*)?|\.\d+")
_WAIT = re.compile(rf"({_NUMBER.pattern})\s+((?:{'|'.join(Verb)})\b.*)", re.IGNORECASE)
"""A time stands in front of a command only: the id of a tag may begin with digits and a space, too."""


def parse_script(text: str, resolve: Resolve, reader: EmulatedReader) -> list[Step]:
    """All steps of a script, checked against the reader it is for. Raises `BadScript`."""
    if len(text) > MOST_TEXT:
        raise BadScript(f"A script is at most {MOST_TEXT} characters long.")
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            step = parse_line(line, resolve, reader)
        except BadScript as error:
            raise BadScript(f"line {number}: {error}") from None
        if step is not None:
            steps.append(step)
    if len(steps) > MOST_STEPS:
        raise BadScript(f"A script has at most {MOST_STEPS} commands.")
    return steps


def parse_line(line: str, resolve: Resolve, reader: EmulatedReader) -> Step | None:
    """What a line says; ``None`` for an empty one. Raises `BadScript`."""
    text = line.partition("#")[0].strip()
    if not text:
        return None
    wait = 0.0
    if match := _WAIT.fullmatch(text):
        wait, text = float(match[1]), match[2]
    if wait > LONGEST_WAIT:
        raise BadScript(f"A wait of more than {LONGEST_WAIT:.0f} seconds is no play.")
    word, _, rest = text.partition(" ")
    antenna = None
    verb = next((verb for verb in Verb if verb.value == word.lower()), None)
    if verb is None:
        verb, rest = Verb.TAP, text
    rest = rest.strip()
    if match := _ON.fullmatch(rest):
        rest, antenna = match[1] or "", int(match[2])
    return _checked(_step(verb, wait, rest, antenna, resolve), reader)


def _step(verb: Verb, wait: float, rest: str, antenna: int | None, resolve: Resolve) -> Step:
    match verb:
        case Verb.PLACE | Verb.TAP:
            if not rest:
                raise BadScript(f"{verb} needs a tag: its id, or what it is in the tag book.")
            return Step(verb, wait, resolve(rest), antenna or 0)
        case Verb.REMOVE:
            if not rest and antenna is None:
                raise BadScript("remove needs a tag, all, or on and the number of an antenna.")
            return Step(verb, wait, None if rest.lower() in {"", "all"} else resolve(rest), antenna)
        case Verb.NEW:
            return Step(verb, wait, None, antenna or 0, _count(rest or "1", MOST_NEW))
        case Verb.NOISE:
            return Step(verb, wait, count=_count(rest or "32", MOST_NOISE))
        case Verb.WAIT:
            if not _NUMBER.fullmatch(rest) or float(rest) > LONGEST_WAIT:
                raise BadScript(f"wait needs seconds, at most {LONGEST_WAIT:.0f}.")
            return Step(verb, wait + float(rest))
    if rest:
        raise BadScript(f"{verb} takes no {rest[:20]!r}.")
    if verb in {Verb.DEAF, Verb.WELL}:
        return Step(verb, wait, None, antenna or 0)
    if antenna is not None:
        raise BadScript(f"{verb} is about the whole reader, not about an antenna.")
    return Step(verb, wait)


def _count(text: str, most: int) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9 or not 1 <= int(text) <= most:
        raise BadScript(f"{text[:20]!r} is no number from 1 to {most}.")
    return int(text)


def _checked(step: Step, reader: EmulatedReader) -> Step:
    if step.antenna is not None or step.uid is not None:
        try:
            reader.check(step.uid or b"", step.antenna or 0)
        except Unreadable as error:
            raise BadScript(str(error)) from None
    return step


def fresh_uid(reader: EmulatedReader, seed: bytes, number: int) -> bytes:
    """The id of the tag ``number`` that nobody has yet, of a kind that the reader reads. Other seeds give
    other tags."""
    start, size = reader.fresh
    return (start + hashlib.sha256(seed + number.to_bytes(4, "big")).digest())[:size]
