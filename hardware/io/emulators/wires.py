"""What an emulated reader hangs on: a pseudo-terminal, a TCP port, or this program's output."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias

from ..errors import PortError

__all__ = ["NoPty", "OutputWire", "PtyWire", "TcpWire", "Wire", "can_open_pty"]

CHUNK = 4096
"""Bytes that are read at once; no host sends as many in one go."""

MOST_UNREAD = 65536
"""Bytes kept for a host on TCP that does not read; a serial line keeps none."""

Heard: TypeAlias = Callable[[bytes], None]


class NoPty(PortError):
    """This system has no pseudo-terminals."""


class Wire(Protocol):
    """A line to the host that can be pulled out. ``where`` is what the host opens."""

    where: str

    async def plug(self, heard: Heard) -> None:
        """Connect; ``heard`` is given the host's bytes."""

    async def unplug(self) -> None:
        """The host finds the line dead."""

    def write(self, data: bytes) -> None:
        """Send to the host. What nobody takes is lost, as on a real line."""


def can_open_pty() -> bool:
    """Whether this system has pseudo-terminals; Windows has none."""
    return hasattr(os, "openpty") and sys.platform != "win32"


class PtyWire:
    """A pseudo-terminal. Plugged in again it has another name, as a real device may; ``link`` is a symbolic
    link that follows it, like those in ``/dev/serial/by-id``."""

    def __init__(self, link: Path | None = None) -> None:
        """Raises `NoPty`."""
        if not can_open_pty():
            raise NoPty("There are no pseudo-terminals here: use a TCP port with --listen HOST:PORT.")
        self.where = ""
        self._link = link
        self._master = self._slave = -1

    async def plug(self, heard: Heard) -> None:
        import tty  # noqa: PLC0415  # not on Windows

        self._master, self._slave = os.openpty()
        # Our own end of the slave stays open, or the master would fail as soon as a host closes its end.
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.where = os.ttyname(self._slave)
        if self._link is not None:
            self._point(self._link)
        asyncio.get_running_loop().add_reader(self._master, self._read, heard)

    def _point(self, link: Path) -> None:
        """Let the link lead here. Only a link is replaced, never a file. Raises `PortError`."""
        if os.path.lexists(link):
            if not link.is_symlink():
                raise PortError(f"{link} is there already, and no link.")
            link.unlink()
        try:
            link.symlink_to(self.where)
        except OSError as error:
            raise PortError(f"The link {link} cannot be made: {error.strerror}.") from None
        self.where = str(link)

    async def unplug(self) -> None:
        if self._master < 0:
            return
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        if self._link is not None:
            self._link.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        if self._master >= 0:
            # Full: nobody has read for long. A serial line would have lost it, too.
            with contextlib.suppress(BlockingIOError, OSError):
                os.write(self._master, data)

    def _read(self, heard: Heard) -> None:
        with contextlib.suppress(BlockingIOError, OSError):
            heard(os.read(self._master, CHUNK))


class TcpWire:
    """A TCP port for ``socket://host:port``; one host at a time, the newest."""

    def __init__(self, host: str, port: int) -> None:
        """``port`` 0: any that is free, and the same again after it was unplugged."""
        self._host = host
        self._port = port
        self.where = f"socket://{host}:{port}"
        self._server: asyncio.Server | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._heard: Heard = _nobody

    async def plug(self, heard: Heard) -> None:
        """Raises `PortError`."""
        self._heard = heard
        try:
            self._server = await asyncio.start_server(self._serve, self._host, self._port)
        except OSError as error:
            why = os.strerror(error.errno).lower() if error.errno else "no such address"
            raise PortError(f"Nothing can listen at {self._host}:{self._port}: {why}.") from None
        self._port = self._server.sockets[0].getsockname()[1]
        shown = f"[{self._host}]" if ":" in self._host else self._host
        self.where = f"socket://{shown}:{self._port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        before, self._writer = self._writer, writer
        if before is not None:
            before.close()
        try:
            while data := await reader.read(CHUNK):
                self._heard(data)
        except OSError:
            pass  # the host has gone, which is no fault of a reader
        finally:
            if self._writer is writer:
                self._writer = None
            writer.close()

    async def unplug(self) -> None:
        server, self._server = self._server, None
        writer, self._writer = self._writer, None
        if server is not None:
            server.close()
        if writer is not None:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        if server is not None:
            await server.wait_closed()

    def write(self, data: bytes) -> None:
        writer = self._writer
        if writer is not None and writer.transport.get_write_buffer_size() < MOST_UNREAD:
            writer.write(data)


class OutputWire:
    """This program's output, into which a keyboard reader types."""

    where = ""

    async def plug(self, heard: Heard) -> None:
        pass

    async def unplug(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        sys.stdout.write(data.decode("ascii", "replace"))
        sys.stdout.flush()


def _nobody(_data: bytes) -> None:
    pass
