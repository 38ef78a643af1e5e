"""The firmware built, and boards that run it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.firmware.board import Board

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
Build = Callable[..., Path]


def missing(target: str) -> str | None:
    """Why a target cannot be built here."""
    for needed, package in (("make", "make"), ("cc", "gcc")):
        if shutil.which(needed) is None:
            return f"the firmware needs {needed} (Debian: {package})"
    if target != "image":
        headers = subprocess.run(
            ["cc", "-E", "-x", "c", "-"],
            input=b"#include <simavr/sim_avr.h>\n#include <libelf.h>\n",
            capture_output=True,
            check=False,
        )
        if target == "board" and headers.returncode:
            return "the emulator needs the headers of simavr (Debian: libsimavr-dev libelf-dev)"
        return None
    if shutil.which("avr-gcc") is None or not shutil.which("avr-size"):
        return "the image needs avr-gcc and its library (Debian: gcc-avr binutils-avr avr-libc)"
    return None


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """``build(target, NAME=value ...)``: the folder with what ``make target`` made, once for all tests."""
    made: dict[tuple[str, ...], Path] = {}

    def built(target: str, **variables: str) -> Path:
        key = (target, *sorted(f"{name}={value}" for name, value in variables.items()))
        if key not in made:
            reason = missing(target)
            if reason is not None:
                pytest.skip(reason)
            folder = tmp_path_factory.mktemp(target)
            settings = [f"{name}={value}" for name, value in variables.items()]
            subprocess.run(
                ["make", "--silent", "-C", str(FIRMWARE), f"OUT={folder}", *settings, target],
                check=True,
                stdout=subprocess.DEVNULL,
                timeout=120,
            )
            made[key] = folder
        return made[key]

    return built


@pytest.fixture(params=["native", "image"])
def board(request: pytest.FixtureRequest, build: Build, tmp_path: Path) -> Iterator[Board]:
    """The core as a program with sanitizers, and the image for the ATmega328P in simavr."""
    if request.param == "native":
        running = Board([str(build("sanitized") / "sanitized")], tmp_path / "kept")
    else:
        running = image_board(build)
    yield running
    end = running.close()
    assert "ERROR" not in end, end
    assert "runtime error" not in end, end


def image_board(build: Build) -> Board:
    """The real image in simavr."""
    image = build("image") / "reader.elf"
    return Board([str(build("board") / "board"), os.fspath(image)])


@pytest.fixture
def image(build: Build) -> Iterator[Board]:
    """The real image only."""
    running = image_board(build)
    yield running
    running.close()
