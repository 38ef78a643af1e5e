"""A real mosquitto for tests, and a few bytes of MQTT written by hand."""

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
MISSING = (
    "SKIPPED FOR LACK OF A BROKER: readers behind MQTT need mosquitto (Debian: apt-get install mosquitto)"
)
PATIENCE = 60.0


PORTS = range(20_000, 32_000)
"""Ports that no system hands out by itself (Linux: from 32,768 on; IANA: from 49,152 on): a broker that is
stopped for a while finds its own free again."""


def free_port() -> int:
    while True:
        port = secrets.choice(PORTS)
        with contextlib.suppress(OSError), contextlib.closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", port))
            return port


class Mosquitto:
    """A broker on a loopback port of its own, which it keeps when it is stopped and started again."""

    def __init__(self, folder: Path, *settings: str) -> None:
        if PROGRAM is None:
            # Where the tests of a change run, a broker must be there (.ci/run).
            assert not os.environ.get("SHOAL_NEEDS_BROKER"), MISSING
            pytest.skip(MISSING)
        self.folder = folder
        self.settings = settings
        self.process: subprocess.Popen[bytes] | None = None
        for _attempt in range(5):
            self.port = free_port()
            if self.start():
                return
        raise AssertionError(f"mosquitto does not start: {self.said()}")

    def start(self) -> bool:
        """Start it, and wait until it listens; false if it ended, as when another took the port."""
        lines = [
            f"listener {self.port} 127.0.0.1", "persistence false", "user root", "log_dest stderr",
            "set_tcp_nodelay true",
            *self.settings,
        ]  # fmt: skip
        file = self.folder / "mosquitto.conf"
        file.write_text("\n".join(lines) + "\n")
        with (self.folder / "mosquitto.log").open("ab") as log:
            self.process = subprocess.Popen([str(PROGRAM), "-c", str(file)], stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return True
            time.sleep(0.02)
        return False

    def said(self) -> str:
        return (self.folder / "mosquitto.log").read_text("utf-8", "replace")

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None


@contextlib.contextmanager
def mosquitto(folder: Path, *settings: str) -> Iterator[Mosquitto]:
    broker = Mosquitto(folder, *settings)
    try:
        yield broker
    finally:
        broker.stop()


def text(value: str) -> bytes:
    data = value.encode()
    return len(data).to_bytes(2, "big") + data


def packet(first: int, body: bytes) -> bytes:
    """A control packet (MQTT 3.1.1, section 2): its first byte, its length, and the rest."""
    size, left = b"", len(body)
    while True:
        left, digit = divmod(left, 128)
        size += bytes([digit | (0x80 if left else 0)])
        if not left:
            return bytes([first]) + size + body


def connect(name: str, will: tuple[str, bytes] | None = None) -> bytes:
    """CONNECT with a clean session, and perhaps a retained last will of QoS 1."""
    flags, rest = 0x02, text(name)
    if will is not None:
        flags |= 0x04 | 0x08 | 0x20
        rest += text(will[0]) + len(will[1]).to_bytes(2, "big") + will[1]
    return packet(0x10, text("MQTT") + bytes([4, flags, 0, 60]) + rest)


def publish(topic: str, payload: bytes, number: int, again: bool = False) -> bytes:
    """PUBLISH of QoS 1; ``again``: with DUP, as when its PUBACK was lost."""
    return packet(0x32 | (0x08 if again else 0), text(topic) + number.to_bytes(2, "big") + payload)


class ByHand:
    """A client that says exactly these bytes."""

    def __init__(self, port: int, name: str, will: tuple[str, bytes] | None = None) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.sendall(connect(name, will))
        assert self.take(4) == bytes.fromhex("20020000")

    def take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            assert piece, "the broker closed the connection"
            data += piece
        return data

    def say(self, data: bytes) -> None:
        self.socket.sendall(data)

    def tear(self) -> None:
        """Go without a word, as a board does whose power is cut."""
        self.socket.close()
