"""A small coverage-guided fuzzer: inputs that reach new lines of our code are kept and mutated further.

It needs nothing installed. Each input is bounded in time by an alarm and, once it reached something new, in
memory as well. Where atheris is installed, ``python -m tests.fuzz --engine atheris`` uses that instead.
"""

from __future__ import annotations

import hashlib
import random
import signal
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tests.fuzz.target import ROOT, Target

CORPUS = Path(__file__).with_name("corpus")

INPUT_TIME = 5.0
"""Seconds of the processor for one input: a thousand times what a sound one takes."""

INPUT_MEMORY = 16 * 1024 * 1024
MEMORY_FACTOR = 400
"""Bytes that one input may make Python allocate, and per byte of the input beyond that: a small value of
Python takes 28 to 100 bytes, in a list and a structure."""

OURS = tuple(str(ROOT / name) for name in ("cli", "engine", "hardware", "p2p"))
MOST_KEPT = 24
"""Inputs of a target kept in the repository."""

MOST_KEPT_SIZE = 2048


class TooLong(BaseException):  # no Exception, so that nothing on the way swallows it
    """An input took longer than ``INPUT_TIME``."""


@dataclass(frozen=True)
class Finding:
    """An input that breaks a target."""

    target: str
    data: bytes
    what: str


@dataclass
class Outcome:
    """What fuzzing a target came to."""

    target: str
    executions: int = 0
    lines: int = 0
    corpus: list[bytes] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


class Coverage:
    """The lines of our own code that a call reached, as numbers; by ``sys.monitoring`` where there is one,
    since ``sys.settrace`` slows a program down tenfold."""

    def __init__(self, roots: tuple[str, ...] = OURS) -> None:
        self._roots = roots
        self.seen: set[tuple[int, int]] = set()
        self._fresh = 0
        self._is_ours: dict[CodeType, bool] = {}

    def _note(self, code: CodeType, line: int) -> None:
        key = (id(code), line)
        if key not in self.seen:
            self.seen.add(key)
            self._fresh += 1

    def _ours(self, code: CodeType) -> bool:
        known = self._is_ours.get(code)
        if known is None:
            known = self._is_ours[code] = code.co_filename.startswith(self._roots)
        return known

    @contextmanager
    def watching(self) -> Iterator[Callable[[], int]]:
        """Gives a function that says how many lines were new since it was asked last."""
        if hasattr(sys, "monitoring"):
            with self._monitored():
                yield self._taken
        else:
            before = sys.gettrace()
            sys.settrace(self._trace)
            try:
                yield self._taken
            finally:
                sys.settrace(before)

    def _taken(self) -> int:
        fresh, self._fresh = self._fresh, 0
        return fresh

    def _trace(self, frame: FrameType, event: str, argument: object) -> Any:
        if not self._ours(frame.f_code):
            return None
        self._note(frame.f_code, -frame.f_lineno if event == "call" else frame.f_lineno)
        return self._trace

    @contextmanager
    def _monitored(self) -> Iterator[None]:
        tool = sys.monitoring

        def line(code: CodeType, number: int) -> Any:
            if self._ours(code):
                self._note(code, number)
            return tool.DISABLE  # each line is new once

        number = tool.PROFILER_ID
        tool.use_tool_id(number, "shoal-fuzz")
        tool.register_callback(number, tool.events.LINE, line)
        tool.set_events(number, tool.events.LINE)
        tool.restart_events()  # the lines that an earlier run has switched off are new again
        try:
            yield
        finally:
            tool.set_events(number, 0)
            tool.register_callback(number, tool.events.LINE, None)
            tool.free_tool_id(number)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Interrupts what hangs, where the system has alarms and this is the main thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def execute(target: Target, data: bytes) -> Finding | None:
    """One input: ``None`` if the target takes or refuses it as it may."""
    try:
        with _alarm(INPUT_TIME):
            target.run(data)
    except target.allowed as refused:
        words = str(refused)
        return None if words.strip() else Finding(target.name, data, f"a refusal without words: {refused!r}")
    except TooLong:
        return Finding(target.name, data, f"takes more than {INPUT_TIME:g} seconds")
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is a finding
        return Finding(target.name, data, f"{type(error).__name__}: {error}")
    return None


def weigh(target: Target, data: bytes) -> Finding | None:
    """The same with an eye on memory, which makes it slower."""
    is_ours = not tracemalloc.is_tracing()
    if is_ours:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        found = execute(target, data)
        used = tracemalloc.get_traced_memory()[1] - before
    finally:
        if is_ours:
            tracemalloc.stop()
    if found is None and used > INPUT_MEMORY + MEMORY_FACTOR * len(data):
        return Finding(target.name, data, f"takes {used} bytes of memory for an input of {len(data)}")
    return found


def kept(target: Target) -> list[bytes]:
    """The inputs in the repository."""
    folder = CORPUS / target.name
    return [each.read_bytes() for each in sorted(folder.iterdir())] if folder.is_dir() else []


def fuzz(
    target: Target,
    seed: int,
    *,
    seconds: float = 0.0,
    executions: int = 0,
    found: Callable[[Finding], None] = lambda _: None,
    roots: tuple[str, ...] = OURS,
) -> Outcome:
    """Mutate for so many seconds or executions, beginning with the seeds and the kept corpus."""
    draw = random.Random(f"{target.name}/{seed}")
    outcome, coverage = Outcome(target.name), Coverage(roots)
    seen: set[str] = set()
    start = [b"", *target.seeds(), *kept(target)]
    with coverage.watching() as fresh:
        end = time.monotonic() + seconds

        def attempt(data: bytes) -> None:
            outcome.executions += 1
            finding = execute(target, data)
            if finding is None and fresh():
                outcome.corpus.append(data)
                finding = weigh(target, data)
                fresh()
            if finding is not None and finding.what[:60] not in seen:
                seen.add(finding.what[:60])
                outcome.findings.append(finding)
                found(finding)

        for data in start:
            attempt(data)
        pool = [*dict.fromkeys([*start, *outcome.corpus])]
        while outcome.executions < executions + len(start) or time.monotonic() < end:
            before = len(outcome.corpus)
            attempt(mutated(draw, pool, target.most))
            pool += outcome.corpus[before:]
    outcome.lines = len(coverage.seen)
    return outcome


WORDS = (
    *(b"\x00", b"\xff", b"\x7f", b"\x80", b"\xc4\x20", b"\xdc\xff\xff"),
    *(b"\xc6\xff\xff\xff\xff", b"\xdd\xff\xff\xff\xff", b"9" * 5000, b"[" * 3000, b"-1", b"1e999"),
    *(b"NaN", b"0x", b"inf", b"true", "\u0663".encode(), "\u00b2".encode()),
    *(b"\xed\xa0\x80", b"\xe2\x80\xae", b"\x1b[2J", b"\n", b"\r", b'"', b"{", b"=", b"''", b"[[", b"]]"),
)
"""What breaks parsers: limits of lengths and numbers, deep nests, surrogates, digits that are not ASCII."""


def mutated(draw: random.Random, pool: Sequence[bytes], most: int) -> bytes:
    """One of the pool, changed in one to six places."""
    data = bytearray(draw.choice(pool))
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        at = draw.randrange(len(data) + 1)
        match draw.randrange(8):
            case 0 if data:
                data[at % len(data)] ^= 1 << draw.randrange(8)
            case 1:
                data[at:at] = draw.randbytes(draw.choice((1, 1, 2, 4, 32)))
            case 2:
                del data[at : at + draw.choice((1, 1, 2, 8, 64, 1024))]
            case 3:
                data[at:at] = draw.choice(WORDS)
            case 4:
                other = draw.choice(pool)
                cut = draw.randrange(len(other) + 1)
                data[at:] = other[cut:]
            case 5:
                data[at:at] = data[at : at + draw.choice((1, 4, 16, 256))] * draw.choice((1, 2, 50))
            case 6 if data:
                data[at % len(data)] = draw.choice((0, 1, 9, 10, 32, 48, 57, 127, 128, 192, 220, 255))
            case _:
                word = draw.choice(WORDS)
                data[at : at + len(word)] = word
        del data[most:]
    return bytes(data)


def keep(target: Target, outcome: Outcome) -> int:
    """Write the shortest new inputs into the repository's corpus, up to its bounds. How many were written."""
    folder = CORPUS / target.name
    there = set(kept(target)) | set(target.seeds())
    room = MOST_KEPT - len(kept(target))
    new = sorted(
        {data for data in outcome.corpus if data not in there and len(data) <= MOST_KEPT_SIZE}, key=len
    )
    for data in new[: max(0, room)]:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    return len(new[: max(0, room)])
