"""From a tap to the line on the screen: emulated readers on pseudo-terminals, and ``shoal readers --watch``.

The time runs from when a card is put down, which is for readers that speak by themselves the moment when the
first byte is written, to when the line has been read from the program's output. Readers that repeat or are
asked add up to their own period to that, as they would with a real card.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hardware.io import save
from hardware.readers import PROFILES, Presence
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid
from tests.hardware.io import emulators
from tests.hardware.readers.own_board import PLACED, REMOVED, OwnBoard

ALLOWED = 100.0
"""Milliseconds from a tap to the screen, beyond the reader's own period."""

LONGEST = 30.0
"""Seconds until a line that must come counts as missing."""

CARDS = {
    "shoal": "04A3C6CAE26180", "rdm6300": "13005D1DA5", "id12": "0500207B32", "pn532": "04A3C6CAE26180",
    "text": "04A3C6CAE26180", "ndjson": "040E3BD2286B85", "twn4": "04A3C6CAE26180",
    "r200": "E280699500005009F1286992",
}  # fmt: skip
ONCE = {"id12": emulators.ID20_CARD, "text": emulators.TEXT_CARD, "ndjson": emulators.NDJSON_CARD}
"""What readers say once; a second tap counts after 0.8 s."""

LISTED = {
    "pn532": (emulators.Pn532, emulators.PN532_CARD, emulators.PN532_EMPTY),
    "twn4": (emulators.Twn4, emulators.TWN4_CARD, emulators.TWN4_EMPTY),
    "r200": (emulators.R200, emulators.R200_CARD, emulators.R200_EMPTY),
}
"""Readers that are asked, or go round: what they say with a card and without one."""


class Pad:
    """An emulated reader with one card, which can be put down and taken away."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.removes = kind not in ONCE
        self.board: OwnBoard | None = None
        self.repeating: asyncio.Task[None] | None = None
        self.there = False
        if kind in LISTED:
            self.emulator = LISTED[kind][0]()
        else:
            self.emulator = emulators.Emulator()
        if kind == "shoal":
            self.board = OwnBoard()
            self.emulator.answer = self._answer
        elif kind == "rdm6300":
            self.repeating = asyncio.create_task(self._repeat())

    def _answer(self, heard: bytes) -> bytes:
        assert self.board is not None
        if said := self.board.answer(heard):
            self.emulator.say(said)
        return b""

    async def _repeat(self) -> None:
        while True:
            if self.there:
                self.emulator.say(emulators.RDM6300_CARD)
            await asyncio.sleep(PROFILES["rdm6300"].period)

    def put(self) -> None:
        """Lay the card down."""
        self.there = True
        if self.board is not None:
            self.emulator.say(self.board.say(PLACED, 0))
        elif self.kind in LISTED:
            self.emulator.cards = LISTED[self.kind][1]
        elif self.kind in ONCE:
            self.emulator.say(ONCE[self.kind])

    def take(self) -> None:
        """Take it away, where the reader notices."""
        self.there = False
        if self.board is not None:
            self.emulator.say(self.board.say(REMOVED, 0))
        elif self.kind in LISTED:
            self.emulator.cards = LISTED[self.kind][2]

    def close(self) -> None:
        """Unplug it."""
        if self.repeating is not None:
            self.repeating.cancel()
        self.emulator.unplug()


async def line(program: asyncio.subprocess.Process, wanted: Callable[[dict[str, object]], bool]) -> float:
    """When the next line that is wanted had been read."""
    assert program.stdout is not None
    async with asyncio.timeout(LONGEST):
        while raw := await program.stdout.readline():
            now = time.perf_counter()
            if wanted(json.loads(raw)):
                return now
    raise SystemExit("The program ended; try it by hand: shoal readers --watch")


async def measure(kind: str, taps: int, home: str) -> list[float]:
    """Milliseconds from each tap to its line."""
    pad, source = Pad(kind), random.Random(kind)  # noqa: S311 - when a card is put down, nothing secret
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", "readers", "--watch", "--json", "--home", home,
        "--reader", f"{pad.emulator.device}:{kind}", stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    taken: list[float] = []
    try:
        await line(program, lambda told: told["event"] == "connected")
        await asyncio.sleep(1.5)  # its greeting, where it has one
        for _tap in range(taps):
            await asyncio.sleep(source.uniform(0, 0.2))  # anywhere in the reader's period
            start = time.perf_counter()
            pad.put()
            shown = await line(program, lambda told: told["event"] in {"placed", "tapped"})
            taken.append((shown - start) * 1e3)
            pad.take()
            if pad.removes:
                await line(program, lambda told: told["event"] == "removed")
            else:
                await asyncio.sleep(0.9)
    finally:
        pad.close()
        if program.returncode is None:
            program.terminate()
        await program.wait()
    return taken


async def main(kinds: list[str], taps: int) -> bool:
    """Print a row for each kind; whether all are within what is allowed."""
    fine = True
    with tempfile.TemporaryDirectory() as home:
        uids = dict.fromkeys(Uid(bytes.fromhex(uid)) for uid in CARDS.values())
        save(Path(home) / "tags.toml", Book(Tag(uid, Kind.BLANK, str(n)) for n, uid in enumerate(uids, 1)))
        print(f"{'reader':8}  median    90 %    most  allowed   (milliseconds, {taps} taps)")
        for kind in kinds:
            profile = PROFILES[kind]
            repeats = profile.presence in {Presence.REPEATED, Presence.POLLED}
            allowed = ALLOWED + (profile.period * 1e3 if repeats else 0.0)
            times = sorted(await measure(kind, taps, home))
            ninth = times[int(len(times) * 0.9)]
            print(f"{kind:8} {statistics.median(times):7.1f} {ninth:7.1f} {times[-1]:7.1f} {allowed:8.0f}")
            fine = fine and ninth <= allowed
    return fine


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(CARDS))
    parser.add_argument("--taps", type=int, default=50)
    chosen = parser.parse_args()
    if unknown := set(chosen.kinds) - set(CARDS):
        parser.error(f"no reader is called {min(unknown)}; there are {', '.join(CARDS)}")
    sys.exit(0 if asyncio.run(main(chosen.kinds or list(CARDS), chosen.taps)) else 1)
