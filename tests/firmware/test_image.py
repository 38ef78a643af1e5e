"""What only the image for the ATmega328P can show, and the core under noise."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from hardware.protocol import (
    Change,
    Configure,
    Describe,
    Feedback,
    Pattern,
    Refused,
    Reset,
    SnapshotRequest,
    Sound,
    encode,
)
from tests.firmware.board import Board
from tests.firmware.conftest import FIRMWARE, Build

pytestmark = pytest.mark.slow

README = (FIRMWARE / "README.md").read_text("utf-8")
FLASH, MEMORY = 30_720, 2_048
"""Bytes of an ATmega328P: program beside a boot loader of 2 KiB, and memory."""


def sizes(build: Build) -> tuple[int, int]:
    """Bytes of flash and of memory that the image takes, without the stack."""
    told = subprocess.run(
        ["avr-size", os.fspath(build("image") / "reader.elf")], capture_output=True, text=True, check=True
    )
    text, data, bss = (int(word) for word in told.stdout.splitlines()[1].split()[:3])
    return text + data, data + bss


def test_the_image_is_as_large_as_stated(build: Build) -> None:
    flash, memory = sizes(build)
    assert flash < FLASH / 2
    assert memory < MEMORY * 2 / 3
    stated = re.search(
        r"avr-gcc ([\d.]+): \*\*([\d,]+) bytes of flash\*\* and \*\*([\d,]+) bytes of memory", README
    )
    assert stated is not None
    compiler = subprocess.run(["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True)
    if compiler.stdout.strip() == stated[1]:
        assert (flash, memory) == tuple(int(figure.replace(",", "")) for figure in stated.groups()[1:])


def test_the_stack_never_comes_near_the_variables(image: Board) -> None:
    """After everything that the reader can do at once."""
    for at in range(8):
        image.order(f"place {at} 0411223344556677{at:04X}")
    image.hello()
    image.ask(Configure(seq=1, poll_ms=20, leave_ms=60, leave_reads=1))
    image.ask(Feedback(seq=2, antenna=255, id=1, pattern=Pattern.WAITING, sound=Sound.DOUBLE))
    for at in range(8):
        image.order(f"lift {at}")
        image.order("dip 0")
        image.send(encode(SnapshotRequest(seq=3 + at)) + bytes(100) + b"\x33" * 120)
        image.receive(0.2)
    unused = int(image.order("memory")["unused"])
    assert unused > 500
    stated = re.search(r"\*\*(\d+) bytes\*\* of the memory were never touched", README)
    assert stated is not None
    assert abs(unused - int(stated[1])) <= 100


def test_a_program_that_stands_still_is_started_anew_by_the_watchdog(image: Board) -> None:
    first = image.hello()
    image.order("place 0 DEADBEEF")
    assert image.tag().change is Change.PLACED
    image.order("hang")
    image.receive(2.0)
    second = image.hello(nonce=8)
    assert (second.boot, second.reset, second.device) == (first.boot + 1, Reset.WATCHDOG, first.device)
    image.receive(0.5)
    assert image.present() == {0: "DEADBEEF"}


@pytest.mark.parametrize(("cut", "reason"), [("reset", Reset.EXTERNAL), ("power", Reset.POWER)])
def test_it_says_why_it_started(image: Board, cut: str, reason: Reset) -> None:
    first = image.hello()
    image.order(cut)
    image.receive(0.5)
    second = image.hello(nonce=8)
    assert (second.boot, second.reset, second.device) == (first.boot + 1, reason, first.device)
    assert second.last_event == 0


def test_a_reader_with_three_antennas(build: Build) -> None:
    """Both builds with another board."""
    build("image", ANTENNAS="3")
    board = Board([os.fspath(build("sanitized", ANTENNAS="3") / "sanitized")])
    try:
        assert board.hello().antennas == 3
        assert len(board.status().health) == 3
        assert isinstance(board.ask(Describe(seq=1, antenna=3)), Refused)
        board.order("place 2 DEADBEEF")
        assert board.tag().antenna == 2
    finally:
        board.close()


@pytest.mark.parametrize("seed", [1, 2])
def test_ten_million_bytes_of_anything_do_no_harm(build: Build, seed: int) -> None:
    """The core on this computer, under sanitizers, with a table where anything happens."""
    told = subprocess.run(
        [os.fspath(build("fuzz") / "fuzz"), str(seed), "10000000"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (told.returncode, told.stderr) == (0, "")
    answers = re.search(r"(\d+) answers", told.stdout)
    assert answers is not None
    assert int(answers[1]) > 50_000
