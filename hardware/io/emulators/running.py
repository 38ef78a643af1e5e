"""An emulated reader that runs: the machine, its wire, and the hands that move the tags."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Self, TypeAlias

from ...emulators import EmulatedReader, Step, Verb, fresh_uid
from ..serial_port import Clock
from .wires import Wire

__all__ = ["RunningReader", "Told", "of_list"]

TAP = 0.3
"""Seconds that a tag is held to a reader: readers need 65 ms, and people take about this long."""

BETWEEN = 0.3
"""Seconds between two taps of a row of new tags."""

RESTART = 0.5
"""Seconds without power when a reader is started anew."""

IDLE = 3600.0
"""Seconds until the next look where the reader wants nothing by itself; what is told to it wakes it."""

Told: TypeAlias = Callable[[str], None]


class RunningReader:
    """Use as ``async with``: then it is plugged in and has power. `do` is one step of a script."""

    def __init__(
        self,
        reader: EmulatedReader,
        wire: Wire,
        *,
        seed: bytes,
        tell: Told,
        name: Callable[[bytes], str] = lambda uid: uid.hex().upper(),
        clock: Clock = time.monotonic,
    ) -> None:
        """``tell`` is given what a person would see, with tags called what ``name`` says; ``seed`` decides
        the ids of new tags."""
        self.reader = reader
        self.wire = wire
        self._seed = seed
        self._tell = tell
        self._name = name
        self._clock = clock
        self._made = 0
        self._is_plugged = False
        self._changed = asyncio.Event()
        self._ticking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._plug()
        self._ticking = asyncio.create_task(self._tick(), name=f"emulated {self.reader.kind}")
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._ticking is not None:
            self._ticking.cancel()
            await asyncio.gather(self._ticking, return_exceptions=True)
        await self._unplug()

    async def run(self, steps: AsyncIterator[Step]) -> None:
        """One step after the other, until they end or one says ``quit``."""
        async for step in steps:
            if step.wait:
                await asyncio.sleep(step.wait)
            if step.verb is Verb.QUIT:
                return
            await self.do(step)

    async def do(self, step: Step) -> None:
        """Carry out one step, without its wait. Taps take their time."""
        antenna = step.antenna or 0
        match step.verb:
            case Verb.PLACE if step.uid is not None:
                self._place(step.uid, antenna)
                self._tell(f"{self._name(step.uid)} lies on antenna {antenna}.")
            case Verb.TAP if step.uid is not None:
                await self._tap(step.uid, antenna)
            case Verb.NEW:
                await self._tap_new(step.count, antenna)
            case Verb.REMOVE:
                gone = self.reader.remove(step.uid, step.antenna, self._clock())
                names = ", ".join(map(self._name, gone))
                self._tell(f"{names} was taken away." if gone else "Nothing was taken away.")
            case Verb.NOISE:
                # Any bytes without a pattern; the same each time, so that a fault can be found again.
                self.reader.noise(bytes((n * n * 37 + n * 11 + 0x5A) & 0xFF for n in range(step.count)))
            case Verb.DEAF | Verb.WELL:
                self.reader.listen(antenna, step.verb is Verb.DEAF, self._clock())
                deaf = step.verb is Verb.DEAF
                self._tell(f"Antenna {antenna} is deaf." if deaf else f"Antenna {antenna} hears again.")
            case Verb.UNPLUG:
                await self._unplug()
                self._tell("The reader is unplugged.")
            case Verb.REPLUG:
                await self._unplug()
                await self._plug()
                self._tell(f"The reader is plugged in, at {self.wire.where}.")
            case Verb.RESET:
                self.reader.cut()
                await asyncio.sleep(RESTART)
                if self._is_plugged:
                    self.reader.power(self._clock())
                self._tell("The reader has started anew.")
            case _:
                pass
        self._flush()

    async def _tap(self, uid: bytes, antenna: int) -> None:
        self._tell(f"{self._name(uid)} is tapped on antenna {antenna}.")
        self._place(uid, antenna)
        await asyncio.sleep(TAP)
        self.reader.remove(uid, antenna, self._clock())
        self._flush()

    async def _tap_new(self, count: int, antenna: int) -> None:
        for number in range(count):
            if number:
                await asyncio.sleep(BETWEEN)
            await self._tap(fresh_uid(self.reader, self._seed, self._made), antenna)
            self._made += 1

    def _place(self, uid: bytes, antenna: int) -> None:
        self.reader.place(uid, antenna, self._clock())
        self._flush()

    async def _plug(self) -> None:
        await self.wire.plug(self._heard)
        self._is_plugged = True
        self.reader.power(self._clock())
        self._flush()

    async def _unplug(self) -> None:
        if self._is_plugged:
            self._is_plugged = False
            self.reader.cut()
            await self.wire.unplug()

    def _heard(self, data: bytes) -> None:
        self.reader.feed(data, self._clock())
        self._flush()

    def _flush(self) -> None:
        data = self.reader.sent()
        if data and self._is_plugged:
            self.wire.write(data)
        for sentence in self.reader.shown():
            self._tell(sentence)
        self._changed.set()

    async def _tick(self) -> None:
        while True:
            wake = self.reader.wake
            wait = IDLE if wake is None else max(0.0, wake - self._clock())
            self._changed.clear()
            try:
                async with asyncio.timeout(wait):
                    await self._changed.wait()
            except TimeoutError:
                self.reader.tick(self._clock())
                self._flush()


async def of_list(steps: Iterable[Step]) -> AsyncIterator[Step]:
    """The steps of a script."""
    for step in steps:
        yield step
