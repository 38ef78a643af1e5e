"""An open serial port: pyserial on a thread, bytes to and from asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from .errors import Unsupported, explain
from .installing import no_serial
from .ports import list_ports, stable_name

READ_TIME = 0.1
"""Seconds that a read waits for a first byte; so long it may take to close the port."""

WRITE_TIME = 1.0
"""Seconds for a command of at most some dozen bytes. A bridge that takes longer is gone."""

CHUNK = 4096
"""Bytes that are read at once: what comes in a third of a second at 115,200."""

CLOSE_TIME = 2.0
"""Seconds that the thread may take to end: it notices after a read's wait, or a write's."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """Bytes, and when they were read."""

    data: bytes
    at: float


@dataclass(frozen=True, slots=True)
class Closed:
    """The port has gone: unplugged, or the other side of the network closed it."""

    why: str
    at: float


Clock: TypeAlias = Callable[[], float]
Opener: TypeAlias = Callable[[str, int, bool], Any]


def open_serial(device: str, baud_rate: int, dtr: bool = False) -> Any:
    """An open pyserial object for a device or URL. Raises `PortError`.

    DTR and RTS stay low, because on many boards they are wired to reset; the port is ours alone.
    """
    try:
        import serial  # noqa: PLC0415  # slow, and most never need it
    except ImportError:
        raise Unsupported(no_serial()) from None
    try:
        port = serial.serial_for_url(device, do_not_open=True)
        port.baudrate = baud_rate
        port.timeout = READ_TIME
        if not device.startswith("rfc2217://"):  # which has none, and says so only when it is open
            port.write_timeout = WRITE_TIME
        port.dtr, port.rts = dtr, False
        if "://" not in device:
            port.exclusive = True
        port.open()
    except (OSError, ValueError) as error:  # SerialException is an OSError
        ports = list_ports()
        lasting = (name for port in ports if (name := stable_name(port, ports)) != port.device)
        raise explain(error, device, [port.device for port in ports], next(lasting, "")) from error
    return port


class SerialPort:
    """A port that is open until `close`, or until it goes. `inbox` gets what arrives, and at last a `Closed`.

    Reading runs on a thread of its own, because pyserial blocks; writing on one of asyncio's.
    """

    def __init__(self, port: Any, device: str, clock: Clock = time.monotonic) -> None:
        self.device = device
        self.inbox: asyncio.Queue[Arrived | Closed] = asyncio.Queue()
        self._port = port
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read, name=f"reader {device}", daemon=True)
        self._thread.start()

    @classmethod
    async def open(
        cls,
        device: str,
        baud_rate: int,
        *,
        dtr: bool = False,
        opener: Opener = open_serial,
        clock: Clock = time.monotonic,
    ) -> SerialPort:
        """Open a device or URL. Raises `PortError`."""
        port = await asyncio.to_thread(opener, device, baud_rate, dtr)
        return cls(port, device, clock)

    @property
    def is_open(self) -> bool:
        """Whether the port has neither gone nor been closed."""
        return not self._stop.is_set()

    async def write(self, data: bytes) -> None:
        """Write all of ``data``; if that fails, the port closes, which the inbox tells."""
        try:
            await asyncio.to_thread(self._port.write, data)
        except (OSError, TypeError) as error:  # a TypeError as below: it was closed meanwhile
            self._end(error)

    async def set_baud_rate(self, baud_rate: int) -> None:
        """Another speed, without closing the port, which would reset some boards.

        Nothing is flushed: between its select and its read, pyserial takes a flush for an unplugged device.
        """
        try:
            await asyncio.to_thread(setattr, self._port, "baudrate", baud_rate)
        except (OSError, ValueError) as error:
            self._end(error)

    async def close(self) -> None:
        """Close the port and wait until its thread has ended."""
        self._stop.set()
        await asyncio.to_thread(self._thread.join, CLOSE_TIME)

    def _read(self) -> None:
        try:
            while not self._stop.is_set():
                data = self._port.read(min(CHUNK, self._port.in_waiting or 1))
                if data:
                    self._deliver(Arrived(bytes(data), self._clock()))
        except (OSError, TypeError) as error:
            # After the port was closed pyserial reads from a descriptor that is None: a TypeError.
            self._end(error)
        finally:
            with contextlib.suppress(OSError):
                self._port.close()

    def _end(self, error: BaseException) -> None:
        if self._stop.is_set():
            return
        self._stop.set()
        self._deliver(Closed(f"{self.device} has gone ({_brief(error)}).", self._clock()))

    def _deliver(self, what: Arrived | Closed) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is interested any more
            self._loop.call_soon_threadsafe(self.inbox.put_nowait, what)


def _brief(error: BaseException) -> str:
    text = str(error).strip()
    if "readiness to read but returned no data" in text:
        return "unplugged"
    if "socket disconnected" in text or "reader thread died" in text:  # of a socket, and of RFC 2217
        return "the connection was ended"
    return text[:80] or type(error).__name__
