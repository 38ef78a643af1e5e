"""How a command is ended from outside, also where it computes without an end."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys

import pytest

from cli.loop import run_async, was_told_to_end

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")

PATIENCE = 120.0

IDLE = """
import asyncio
from cli.errors import Interrupted
from cli.loop import run_async
async def work():
    print("ready", flush=True)
    try:
        await asyncio.sleep(1000)
    finally:
        print("cleaned up", flush=True)
try:
    run_async(work())
except Interrupted:
    print("interrupted", flush=True)
"""

STUCK = """
from cli import loop
loop.STUCK = 0.2
async def work():
    print("ready", flush=True)
    while True:
        pass
loop.run_async(work())
"""


def ended(code: str, number: signal.Signals) -> tuple[int, str]:
    """The exit code of a program that got this signal once it was ready, and what it wrote after that."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            process.send_signal(number)
            rest, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return process.returncode, rest


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_command_that_is_told_to_end_cleans_up(name: str) -> None:
    assert ended(IDLE, getattr(signal, name)) == (0, "cleaned up\ninterrupted\n")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_one_that_never_gets_to_it_is_ended_all_the_same(name: str) -> None:
    assert ended(STUCK, getattr(signal, name)) == (-9, "")


def test_handlers_do_not_outlive_the_command() -> None:
    async def nothing() -> None:
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL

    run_async(nothing())
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert not was_told_to_end()


def test_frames_for_a_connection_that_has_just_broken_leave_nothing_on_the_screen(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def write() -> None:
        ours, theirs = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=ours)
        theirs.close()
        for _ in range(20):
            writer.write(b"frame")
        with pytest.raises(BrokenPipeError):
            await reader.read()
        writer.transport.abort()

    run_async(write())
    assert caplog.records == []
