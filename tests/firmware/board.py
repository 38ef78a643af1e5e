"""A reader with the reference firmware on an emulated table, as a program with a serial line and commands."""

from __future__ import annotations

import os
import select
import subprocess
import time
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path

from hardware.protocol import (
    Ack,
    Feature,
    FrameDecoder,
    Hello,
    Host,
    MalformedMessage,
    Message,
    Output,
    SnapshotRequest,
    Status,
    StatusRequest,
    Tag,
    Tags,
    Welcome,
    encode,
)

PATIENCE = 60.0
"""Seconds until something that must happen counts as missing, on a busy machine."""


class Board:
    """One running reader. Close it, or the processor goes on for ever."""

    def __init__(self, command: list[str], kept: Path | None = None) -> None:
        self.command_line, self.kept = command, kept
        self.seq = 0
        self.start()

    def start(self) -> None:
        """Begin, or begin anew after the process has ended."""
        environment = dict(os.environ)
        if self.kept is not None:
            environment["SHOAL_KEPT"] = str(self.kept)
        self.process = subprocess.Popen(
            self.command_line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            bufsize=0,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        path = ""
        while not path:
            line = self.process.stdout.readline().decode()
            assert line, f"the emulator ended at once: {self.ended()}"
            words = line.split()
            path = next((word for word in words if word.startswith("/dev/")), "")
        self.path = path
        self.line = os.open(path, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.line)
        self.decoder = FrameDecoder()
        self.arrived: deque[Message | MalformedMessage] = deque()
        self.raw = b""

    def ended(self) -> str:
        """What the process said at its end."""
        _, errors = self.process.communicate(timeout=PATIENCE)
        return f"exit {self.process.returncode}: {errors.decode()}"

    def close(self) -> str:
        """End the process; returns what it wrote to its error stream."""
        os.close(self.line)
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.ended()
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.ended()

    def order(self, command: str) -> dict[str, str]:
        """Do something to the table; the values of the answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(command.encode() + b"\n")
        words = self.process.stdout.readline().decode().split()
        assert words[:1] == ["ok"], (command, words)
        return dict(word.split("=", 1) for word in words[1:])

    def clock(self) -> float:
        """Seconds of the board's own time; an emulator is slower than a board where the computer is busy."""
        return int(self.order("time")["us"]) / 1e6

    # Bytes and messages

    def send(self, data: bytes) -> None:
        """Write all of it, however long the line takes."""
        at = 0
        while at < len(data):
            at += os.write(self.line, data[at : at + 512])

    def _arrive(self, seconds: float) -> None:
        ready, _, _ = select.select([self.line], [], [], max(seconds, 0))
        if ready:
            data = os.read(self.line, 4096)
            self.raw += data
            self.arrived += self.decoder.feed(data)

    def receive(self, seconds: float) -> list[Message | MalformedMessage]:
        """What arrives in that time of the board's own clock, damaged frames included."""
        end = self.clock() + seconds
        limit = time.monotonic() + 10 * seconds + PATIENCE
        while (left := end - self.clock()) > 0:
            assert time.monotonic() < limit, "the emulator runs at less than a tenth of the speed of a board"
            self._arrive(min(left, 0.02))
        found = list(self.arrived)
        self.arrived.clear()
        return found

    def until(self, wanted: Callable[[Message], bool]) -> list[Message]:
        """Messages up to the first that is wanted; nothing may be damaged. What follows is kept."""
        found: list[Message] = []
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if not self.arrived:
                self._arrive(0.1)
                continue
            item = self.arrived.popleft()
            assert isinstance(item, Message), item
            found.append(item)
            if wanted(item):
                return found
        raise AssertionError(f"nothing of the kind arrived, only {found}")

    def next_seq(self) -> int:
        """The number of a request."""
        self.seq = self.seq % 255 + 1
        return self.seq

    def ask(self, request: Message) -> Message:
        """The reply to a request; what comes in between is dropped."""
        self.send(encode(request))
        return self.until(lambda message: message.seq == request.seq and request.seq != 0)[-1]

    def hello(self, nonce: int = 7) -> Welcome:
        """Begin a session, without a snapshot."""
        hello = Hello(seq=self.next_seq(), min_version=1, max_version=1, features=Feature(7), nonce=nonce)
        welcome = self.ask(hello)
        assert isinstance(welcome, Welcome)
        assert welcome.nonce == nonce
        return welcome

    def status(self) -> Status:
        """The status, asked for."""
        status = self.ask(StatusRequest(seq=self.next_seq()))
        assert isinstance(status, Status)
        return status

    def snapshot(self) -> list[Tags]:
        """All parts of a snapshot."""
        request = SnapshotRequest(seq=self.next_seq())
        self.send(encode(request))
        found = self.until(lambda message: isinstance(message, Tags) and message.last)
        return [message for message in found if isinstance(message, Tags)]

    def present(self) -> dict[int, str]:
        """Which tag lies on which antenna."""
        return {tag.antenna: tag.uid.hex().upper() for part in self.snapshot() for tag in part.tags}

    def tag(self, acknowledge: bool = True) -> Tag:
        """The next event."""
        found = self.until(lambda message: isinstance(message, Tag))
        tag = next(message for message in found if isinstance(message, Tag))
        if acknowledge:
            self.send(encode(Ack(event=tag.event)))
        return tag

    def tags(self, seconds: float) -> list[Tag]:
        """The events of some time, acknowledged."""
        found = [message for message in self.receive(seconds) if isinstance(message, Tag)]
        if found:
            self.send(encode(Ack(event=found[-1].event)))
        return found


class Session:
    """A host at a board, on the real clock."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.host = Host(nonce=0x12345677)
        self.heard: list[Output] = []
        self.host.start(time.monotonic())

    def until(self, wanted: Callable[[Output], bool]) -> list[Output]:
        """What was learned, up to the first that is wanted."""
        start = len(self.heard)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.board.send(self.host.data_to_send())
            ready, _, _ = select.select([self.board.line], [], [], 0.01)
            data = os.read(self.board.line, 4096) if ready else b""
            self.heard += self.host.receive(time.monotonic(), data)
            self.heard += self.host.tick(time.monotonic())
            if any(wanted(output) for output in self.heard[start:]):
                self.board.send(self.host.data_to_send())
                return self.heard[start:]
        raise AssertionError(f"nothing of the kind was learned, only {self.heard[start:]}")
