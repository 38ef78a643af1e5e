"""The driver at the real image: `ReaderLink`, the session of the host and the tracker, over a pseudo-terminal
and over TCP."""

import asyncio
import contextlib
import os
import random
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from hardware.events import Event, Placed, Removed, Settled, Unsure
from hardware.io import Port, ReaderLink, port_name
from hardware.protocol import Pattern, Sound
from hardware.readers import Health, LinkUp, Listing, OwnReader, Remark
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid
from tests.firmware.board import Board
from tests.firmware.conftest import Build, image_board
from tests.hardware.io.watching import Watching, watching

pytestmark = [pytest.mark.slow, pytest.mark.network]

SEVEN, OTHER, FOUR = "04A3C6CAE26180", "0463F80A4F5381", "DEADBEEF"
BOOK = Book(Tag(Uid(bytes.fromhex(text)), Kind.BLANK, text) for text in (SEVEN, OTHER, FOUR))


def uid(text: str) -> Uid:
    return Uid(bytes.fromhex(text))


def link(device: str) -> ReaderLink:
    return ReaderLink("hub", port_name(device), OwnReader(7))


def story(watched: Watching) -> list[tuple[type[Event], int, str]]:
    """Placed and removed, where, and what."""
    return [
        (type(event), event.place.antenna, event.uid.data.hex().upper())
        for event in watched.events
        if isinstance(event, Placed | Removed)
    ]


async def opened(watched: Watching, count: int = 1) -> None:
    """The reader has described itself, and said what lies on it."""
    await watched.until(
        lambda: (
            sum(isinstance(each, Remark) and "antennas" in each.text for each in watched.readings) >= count
        )
    )
    await watched.until_reading(Listing, 8 * count)


def lies(watched: Watching, antenna: int, text: str) -> Callable[[], bool]:
    def true() -> bool:
        place = watched.tracker.where(uid(text))
        return place is not None and place.antenna == antenna and watched.tracker.is_sure(place)

    return true


async def pour(one: ReaderLink, data: bytes) -> None:
    """Write in pieces that a board on a busy computer takes in time."""
    for at in range(0, len(data), 100):
        await one.write(data[at : at + 100])
        await asyncio.sleep(0.01)


def away(watched: Watching, text: str) -> Callable[[], bool]:
    return lambda: watched.tracker.where(uid(text)) is None


async def test_cards_come_and_go(image: Board) -> None:
    async with watching(BOOK, link(image.path)) as watched:
        await opened(watched)
        (told,) = [each.text for each in watched.readings if isinstance(each, Remark)]
        assert "with 8 antennas" in told
        image.order(f"place 3 {SEVEN}")
        await watched.until(lies(watched, 3, SEVEN))
        image.order(f"place 5 {FOUR}")
        await watched.until(lies(watched, 5, FOUR))
        image.order("lift 3")
        await watched.until(away(watched, SEVEN))
        image.order(f"place 0 {SEVEN}")
        await watched.until(lies(watched, 0, SEVEN))
        assert story(watched) == [
            (Placed, 3, SEVEN), (Placed, 5, FOUR), (Removed, 3, SEVEN), (Placed, 0, SEVEN),
        ]  # fmt: skip


async def test_what_lies_there_before_is_in_the_first_snapshot(image: Board) -> None:
    image.order(f"place 2 {SEVEN}")
    image.order(f"place 4 {OTHER}")
    async with watching(BOOK, link(image.path)) as watched:
        await watched.until(lies(watched, 2, SEVEN))
        await watched.until(lies(watched, 4, OTHER))


async def test_a_reset_in_the_middle_is_told_by_the_next_snapshot(image: Board) -> None:
    async with watching(BOOK, link(image.path)) as watched:
        await opened(watched)
        for antenna, text in ((1, SEVEN), (2, OTHER)):
            image.order(f"place {antenna} {text}")
            await watched.until(lies(watched, antenna, text))
        image.order("reset")
        image.order("lift 2")
        image.order(f"place 6 {FOUR}")
        await watched.until_event(Unsure, 2)
        await watched.until(lies(watched, 6, FOUR))
        await watched.until(away(watched, OTHER))
        await watched.until(lies(watched, 1, SEVEN))
        assert (Removed, 1, SEVEN) not in story(watched), "its first snapshot lacks what it has not read yet"


async def test_a_processor_that_hangs_comes_back_by_its_watchdog(image: Board) -> None:
    async with watching(BOOK, link(image.path)) as watched:
        await opened(watched)
        image.order(f"place 1 {SEVEN}")
        await watched.until(lies(watched, 1, SEVEN))
        image.order("hang")
        await watched.until_event(Unsure)
        await watched.until_event(Settled)
        await watched.until(lies(watched, 1, SEVEN))


async def test_a_chip_that_falls_silent_is_told_and_its_card_stays(image: Board) -> None:
    async with watching(BOOK, link(image.path)) as watched:
        await opened(watched)
        image.order(f"place 2 {SEVEN}")
        await watched.until(lies(watched, 2, SEVEN))
        image.order("unplug 2 low")
        await watched.until_reading(Health)
        await watched.until_event(Unsure)
        image.order("plug 2")
        await watched.until(lies(watched, 2, SEVEN))
        assert (Removed, 2, SEVEN) not in story(watched)


async def test_noise_and_a_flood_lose_no_card(image: Board) -> None:
    source = random.Random(7)
    async with watching(BOOK, one := link(image.path)) as watched:
        await opened(watched)
        for turn in range(6):
            await pour(one, source.randbytes(2_000))
            image.order(f"place {turn} {SEVEN}")
            await watched.until(lies(watched, turn, SEVEN))
            await pour(one, b"\0" * 1_000)
            image.order(f"lift {turn}")
            await watched.until(away(watched, SEVEN))


async def test_lights_answer_a_tap_and_are_lit_again_after_a_reset(image: Board) -> None:
    async with watching(BOOK, one := link(image.path)) as watched:
        await opened(watched)
        assert await one.show(3, Pattern.OK, Sound.SHORT)
        await watched.until(lambda: image.order("lamps")["green"] == "08")
        assert await one.show(3, Pattern.OFF)
        await watched.until(lambda: image.order("lamps")["green"] == "00")
        assert await one.show(1, Pattern.OK)
        await watched.until(lambda: image.order("lamps")["green"] == "02")
        image.order("reset")
        await watched.until(lambda: image.order("lamps")["green"] == "00")
        await watched.until(lambda: image.order("lamps")["green"] == "02")


async def test_a_hub_that_is_unplugged_comes_back_under_another_name(build: Build) -> None:
    board = image_board(build)
    ports = [Port(board.path, 0x2341, 0x0043, "85430353531351B0", "1-1")]
    one = ReaderLink("hub", port_name("usb:2341:0043"), OwnReader(7), ports=lambda: ports)
    try:
        async with watching(BOOK, one) as watched:
            await opened(watched)
            board.order(f"place 1 {SEVEN}")
            await watched.until(lies(watched, 1, SEVEN))
            board.close()
            ports.clear()
            await watched.until_event(Unsure)
            kept = os.openpty()  # so that the next one cannot have the same name
            board.start()
            board.order(f"place 1 {SEVEN}")
            board.order(f"place 2 {OTHER}")
            ports.append(Port(board.path, 0x2341, 0x0043, "85430353531351B0", "1-1"))
            await watched.until_reading(LinkUp, 2)
            await watched.until(lies(watched, 1, SEVEN))
            await watched.until(lies(watched, 2, OTHER))
            for end in kept:
                os.close(end)
    finally:
        board.close()


class Bridge:
    """A network bridge to the board, with a line that damages one byte in ``one_in`` each way."""

    def __init__(self, board: Board, one_in: int) -> None:
        self.board, self.one_in = board, one_in
        self.source = random.Random(11)
        self.damaged = 0
        self.writer: asyncio.StreamWriter | None = None

    def hurt(self, data: bytes) -> bytes:
        spoiled = bytearray(data)
        for at in range(len(spoiled)):
            if self.source.randrange(self.one_in) == 0:
                spoiled[at] ^= 1 << self.source.randrange(8)
                self.damaged += 1
        return bytes(spoiled)

    def from_board(self) -> None:
        data = os.read(self.board.line, 4096)
        if self.writer is not None:
            self.writer.write(self.hurt(data))

    async def to_board(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        try:
            while data := await reader.read(4096):
                await asyncio.to_thread(self.board.send, self.hurt(data))
        except OSError:
            pass  # the reader's side has gone
        finally:
            self.writer = None
            writer.close()


@contextlib.asynccontextmanager
async def bridged(board: Board, one_in: int) -> AsyncIterator[tuple[Bridge, str]]:
    bridge = Bridge(board, one_in)
    server = await asyncio.start_server(bridge.to_board, "127.0.0.1", 0)
    loop = asyncio.get_running_loop()
    loop.add_reader(board.line, bridge.from_board)
    try:
        yield bridge, f"socket://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        loop.remove_reader(board.line)
        server.close()
        if bridge.writer is not None:
            bridge.writer.close()


@pytest.fixture
def bare(build: Build) -> Iterator[Board]:
    board = image_board(build)
    yield board
    board.close()


async def test_over_tcp_with_one_byte_in_two_hundred_damaged_each_way(bare: Board) -> None:
    """About one frame in ten: whatever is lost on the way, in the end the table is right, and no tag of
    another name was ever there."""
    async with bridged(bare, 200) as (bridge, url), watching(BOOK, link(url)) as watched:
        await watched.until_reading(Listing)
        for turn in range(12):
            antenna = turn % 8
            bare.order(f"place {antenna} {SEVEN}")
            await watched.until(lies(watched, antenna, SEVEN))
            bare.order(f"lift {antenna}")
            await watched.until(away(watched, SEVEN))
        assert bridge.damaged > 0
    assert {text for _what, _antenna, text in story(watched)} == {SEVEN}
