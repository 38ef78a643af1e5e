"""What the fuzzer runs: one function from bytes to nothing, and what it may raise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 16 * 1024
"""Bytes of an input: longer ones only repeat what shorter ones do."""


@dataclass(frozen=True)
class Target:
    """``run`` takes any bytes; ``allowed`` is what it may raise; ``seeds`` gives sound inputs."""

    name: str
    run: Callable[[bytes], object]
    allowed: tuple[type[Exception], ...] = ()
    seeds: Callable[[], Iterable[bytes]] = tuple
    most: int = MOST


def text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """A reader of texts, given bytes: as a terminal or a file hands them over, with what is no UTF-8."""
    return lambda data: read(data.decode("utf-8", "surrogateescape" if data[:1] == b"\xff" else "replace"))
