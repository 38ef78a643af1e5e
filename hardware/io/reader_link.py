"""A reader on a port: opened, driven, and opened again when it comes back, perhaps under another name.

```
            open                      the port has gone
 searching ------> running ---------------------------------> searching ...
     ^   |
     +---+  not there, or refused: again after a pause that doubles
```
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import TypeAlias

from ..protocol import Pattern, Sound
from ..readers import LinkLost, LinkUp, Output, OwnReader, Reader, Reading, Remark, Send
from .errors import BadPort, PortError, PortRefused, Unsupported
from .ports import PortLister, PortName, find, list_ports
from .serial_port import Arrived, Clock, Closed, Opener, SerialPort, open_serial

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 4.0
"""Seconds between two tries to open a port: a plug that is put back is noticed at once, and one that stays
out costs next to nothing."""

STEADY = 1.0
"""Seconds that a connection lives at least which is no failure. Bridges that serve somebody else already take
another connection, and end it at once."""

DEFAULT_BAUD_RATE = 9600
"""Where neither the port nor the reader names a speed: that of most modules."""

Timed: TypeAlias = tuple[Reading, float]
"""A reading, and when its bytes arrived, on the clock of the link."""


def pause(tries: int) -> float:
    """Seconds to wait after ``tries`` failures in a row (1, 2, …)."""
    return float(min(FIRST_PAUSE * 2.0 ** min(tries - 1, 16), LONGEST_PAUSE))


class ReaderLink:
    """One reader by its name, its port's name, and the machine that understands it."""

    def __init__(
        self,
        name: str,
        port: PortName,
        reader: Reader,
        *,
        baud_rate: int = 0,
        dtr: bool = False,
        ports: PortLister = list_ports,
        opener: Opener = open_serial,
        clock: Clock = time.monotonic,
    ) -> None:
        """``baud_rate`` 0: the usual one of the reader."""
        self.name = name
        self.port = port
        self.reader = reader
        usual = reader.profile.baud_rates
        self.baud_rate = baud_rate or (usual[0] if usual else DEFAULT_BAUD_RATE)
        self._dtr = dtr
        self._ports = ports
        self._opener = opener
        self._clock = clock
        self._open: SerialPort | None = None

    async def write(self, data: bytes) -> bool:
        """Send bytes beside those of the reader's machine; false while the port is not open."""
        if self._open is None:
            return False
        await self._open.write(data)
        return True

    async def show(
        self, antenna: int, pattern: Pattern, sound: Sound = Sound.NONE, duration_ms: int = 0
    ) -> bool:
        """Let an antenna show and sound something; false where the reader has no lights, or is away.

        A lasting light (``duration_ms`` 0) that was wished for while it was away is shown when it is back.
        """
        if not isinstance(self.reader, OwnReader):
            return False
        now = self._clock()
        sent = await self.write(self.reader.show(antenna, pattern, now, sound, duration_ms))
        if self._open is not None:
            self._open.inbox.put_nowait(Arrived(b"", now))  # the machine has an answer to wait for
        return sent

    async def readings(self) -> AsyncIterator[Timed]:
        """All readings, for ever. Why a port cannot be opened is a `Remark`, said once for each reason.

        Raises `BadPort` and `Unsupported`, where trying again is in vain.
        """
        tries, said, is_doubted = 0, "", False
        while True:
            try:
                serial = await self._connect(is_doubted)
            except (BadPort, Unsupported):
                raise
            except PortError as error:
                tries += 1
                if str(error) != said:
                    said = str(error)
                    yield Remark(said), self._clock()
                await asyncio.sleep(pause(tries))
                continue
            tries, said = 0, ""
            self._open, opened, heard = serial, self._clock(), 0
            try:
                yield LinkUp(serial.device), opened
                async for timed in self._run(serial):
                    heard += 1
                    yield timed
            finally:
                self._open = None
                await serial.close()
            is_doubted = heard < 2 and self._clock() < opened + STEADY  # the one is that it was lost
            await asyncio.sleep(FIRST_PAUSE)

    async def _connect(self, is_doubted: bool) -> SerialPort:
        """An open port. Raises `PortError`, also for one that was ``is_doubted`` and ends again at once."""
        device = await asyncio.to_thread(find, self.port, self._ports)
        serial = await SerialPort.open(
            device, self.baud_rate, dtr=self._dtr, opener=self._opener, clock=self._clock
        )
        if is_doubted:
            try:
                await asyncio.sleep(STEADY)
            except asyncio.CancelledError:
                await serial.close()
                raise
            if not serial.is_open:
                await serial.close()
                raise PortRefused(f"{device} ends each connection at once: does another program use it?")
        return serial

    async def _run(self, serial: SerialPort) -> AsyncIterator[Timed]:
        now = self._clock()
        outputs = self.reader.start(now)
        while True:
            for timed in await self._carried_out(outputs, serial, now):
                yield timed
            arrived = await self._next(serial)
            match arrived:
                case Arrived(data=data, at=at):
                    now = at
                    outputs = self.reader.feed(data, now)
                case Closed(why=why, at=at):
                    yield LinkLost(why), at
                    return
                case None:
                    now = self._clock()
                    outputs = self.reader.tick(now)

    async def _next(self, serial: SerialPort) -> Arrived | Closed | None:
        """What arrives, or ``None`` when the reader wants to be told the time."""
        if not serial.inbox.empty():
            return serial.inbox.get_nowait()
        wake = self.reader.wake
        wait = None if wake is None else max(0.0, wake - self._clock())
        try:
            # Not wait_for, which in Python 3.11 forgets a cancellation that meets an arrival.
            async with asyncio.timeout(wait):
                return await serial.inbox.get()
        except TimeoutError:
            return None

    @staticmethod
    async def _carried_out(outputs: list[Output], serial: SerialPort, now: float) -> list[Timed]:
        readings: list[Timed] = []
        for out in outputs:
            if isinstance(out, Send):
                await serial.write(out.data)
            else:
                readings.append((out, now))
        return readings
