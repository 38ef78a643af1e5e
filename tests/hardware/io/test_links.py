"""Readers on real pseudo-terminals and sockets: from the bytes on the wire to the events of a table."""

import asyncio
import contextlib
import socket
import threading
import time
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
import serial
from serial import rfc2217

from hardware.events import Placed, Removed, Settled, Tapped, Unsure
from hardware.io import BadPort, NoPort, PortName, ReaderLink, load, port_name, save
from hardware.io.reader_link import LONGEST_PAUSE, pause
from hardware.readers import (
    LinkLost,
    LinkUp,
    Listing,
    Presence,
    Reader,
    Remark,
    Seen,
    TextReader,
    make,
)
from hardware.tags import BadTags, Book, Kind, Tag
from hardware.uids import Uid

from ..readers.own_board import PLACED, REMOVED, OwnBoard
from . import emulators as em
from .watching import PATIENCE, Watching
from .watching import watching as watching_with

NTAG = Uid(bytes.fromhex("04A3C6CAE26180"))
EM = Uid(bytes.fromhex("13005D1DA5"))
EVERYTHING = {
    "rdm6300": EM,
    "id12": Uid(bytes.fromhex("0500207B32")),
    "pn532": NTAG,
    "text": NTAG,
    "ndjson": Uid(bytes.fromhex("040E3BD2286B85")),
    "twn4": NTAG,
    "r200": Uid(bytes.fromhex("E280699500005009F1286992")),
}
BOOK = Book(Tag(uid, Kind.BLANK, str(n)) for n, uid in enumerate(dict.fromkeys(EVERYTHING.values())))


def watching(*links: ReaderLink) -> AbstractAsyncContextManager[Watching]:
    return watching_with(BOOK, *links)


def link(emulator: em.Emulator, reader: Reader, name: str = "a") -> ReaderLink:
    return ReaderLink(name, PortName(emulator.device, emulator.device), reader)


def put_down(name: str) -> em.Emulator:
    """An emulated reader on which a card will lie once `lay` is called."""
    kinds: dict[str, type[em.Emulator]] = {"pn532": em.Pn532, "twn4": em.Twn4, "r200": em.R200}
    return kinds.get(name, em.Emulator)()


def lay(name: str, emulator: em.Emulator) -> None:
    match name:
        case "rdm6300":
            emulator.repeat(em.RDM6300_CARD, 0.065)
        case "id12":
            emulator.say(em.ID20_CARD)
        case "text":
            emulator.say(em.TEXT_CARD)
        case "ndjson":
            emulator.say(em.NDJSON_CARD)
        case "pn532":
            emulator.cards = em.PN532_CARD
        case "twn4":
            emulator.cards = em.TWN4_CARD
        case "r200":
            emulator.cards = em.R200_CARD


def lift(name: str, emulator: em.Emulator) -> None:
    match name:
        case "rdm6300":
            emulator.quiet()
        case "pn532":
            emulator.cards = em.PN532_EMPTY
        case "twn4":
            emulator.cards = em.TWN4_EMPTY
        case "r200":
            emulator.cards = em.R200_EMPTY


@pytest.mark.parametrize("name", EVERYTHING)
async def test_a_card_is_put_down_and_lifted_again(name: str) -> None:
    emulator = put_down(name)
    with em.plugged(emulator):
        reader = make(name)
        async with watching(link(emulator, reader)) as table:
            await table.until_reading(LinkUp)
            if reader.profile.presence is Presence.POLLED:
                await table.until_reading(Listing)
            else:
                await asyncio.sleep(0.15)
            lay(name, emulator)
            await table.until(lambda: any(isinstance(event, Placed | Tapped) for event in table.events))
            (event,) = table.events
            assert event.uid == EVERYTHING[name]
            assert event.known
            if isinstance(event, Placed):
                lift(name, emulator)
                await table.until_event(Removed)
                assert [type(each) for each in table.events] == [Placed, Removed]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rdm6300", "pn532", "twn4", "r200"])
async def test_a_tap_is_an_event_within_the_readers_period_and_100_ms(name: str) -> None:
    """The best of five: this machine may have other work at any one moment, the program may not."""
    emulator = put_down(name)
    with em.plugged(emulator):
        reader = make(name)
        async with watching(link(emulator, reader)) as table:
            await table.until_reading(LinkUp)
            await asyncio.sleep(0.3)
            delays = []
            for n in range(1, 6):
                begun = time.monotonic()
                lay(name, emulator)
                await table.until_event(Placed, n)
                delays.append(table.seen[-1][1] - begun)
                lift(name, emulator)
                await table.until_event(Removed, n)
            assert min(delays) <= reader.profile.period + 0.1, delays


async def test_p18_two_cards_on_a_pn532() -> None:
    chip = em.Pn532()
    with em.plugged(chip):
        async with watching(link(chip, make("pn532"))) as table:
            chip.cards = em.PN532_TWO
            await table.until_event(Placed, 2)
            chip.cards = em.PN532_CARD
            await table.until_event(Removed)
            (removed,) = [event for event in table.events if isinstance(event, Removed)]
            assert removed.uid.data.hex() == "45c52583"


async def test_p31_p32_a_reader_is_unplugged_and_comes_back_under_another_name() -> None:
    first = em.Emulator()
    there = [first.port()]
    reader = ReaderLink("a", port_name("usb:1a86:7523"), make("rdm6300"), ports=lambda: list(there))
    with em.plugged(first):
        async with watching(reader) as table:
            await table.until_reading(LinkUp)
            first.repeat(em.RDM6300_CARD, 0.065)
            await table.until_event(Placed)
            there.clear()
            first.unplug()
            await table.until_event(Unsure)
            await table.until_reading(Remark)
            assert [r.text for r in table.readings if isinstance(r, Remark)] == [
                "No reader usb:1a86:7523 is plugged in; no serial port is there."
            ]
            await asyncio.sleep(0.6)
            assert not [event for event in table.events if isinstance(event, Removed)], (
                "nobody lifted the card"
            )
            second = em.Emulator()
            with em.plugged(second):
                there.append(second.port())
                second.repeat(em.RDM6300_CARD, 0.065)
                await table.until_event(Settled)
                assert [type(event) for event in table.events] == [Placed, Unsure, Settled]
                devices = [reading.device for reading in table.readings if isinstance(reading, LinkUp)]
                assert devices == [first.device, second.device]
                (lost,) = [reading for reading in table.readings if isinstance(reading, LinkLost)]
                assert first.device in lost.why


async def test_a_reader_that_comes_later() -> None:
    path = Path("/dev/not-there-at-all")
    reader = ReaderLink("a", port_name(str(path)), make("rdm6300"))
    async with watching(reader) as table:
        await table.until_reading(Remark)
        await asyncio.sleep(1.0)
        assert len([reading for reading in table.readings if isinstance(reading, Remark)]) == 1, "said once"
        assert "no port /dev/not-there-at-all" in table.readings[0].text


async def test_a_name_that_can_never_be_a_port_ends_the_watch() -> None:
    reader = ReaderLink("a", PortName("nonsense://x", "nonsense://x"), make("rdm6300"))
    with pytest.raises(BadPort, match="nonsense"):
        async for _ in reader.readings():
            pass


def test_pauses_double_up_to_a_limit() -> None:
    pauses = [pause(n) for n in (1, 2, 3, 4, 5, 6, 1000)]
    assert pauses == [0.25, 0.5, 1.0, 2.0, 4.0, LONGEST_PAUSE, LONGEST_PAUSE]


async def test_two_readers_and_a_card_that_moves() -> None:
    a, b = em.Emulator(), em.Emulator()
    with em.plugged(a, b):
        async with watching(link(a, make("rdm6300")), link(b, make("rdm6300"), "b")) as table:
            await table.until_reading(LinkUp, 2)
            a.repeat(em.RDM6300_CARD, 0.065)
            await table.until_event(Placed)
            a.quiet()
            b.repeat(em.RDM6300_CARD, 0.065)
            await table.until_event(Placed, 2)
            story = [(type(event).__name__, event.place.reader) for event in table.events]
            assert story == [("Placed", "a"), ("Removed", "a"), ("Placed", "b")]


async def test_a_port_is_closed_when_nobody_watches_any_more() -> None:
    emulator = em.Emulator()
    before = threading.active_count()
    with em.plugged(emulator):
        async with watching(link(emulator, make("rdm6300"))) as table:
            await table.until_reading(LinkUp)
        names = [thread.name for thread in threading.enumerate() if thread.name.startswith("reader ")]
        assert names == []
        assert threading.active_count() <= before + 8  # those of asyncio stay
        async with watching(link(emulator, make("rdm6300"))) as table:
            await table.until_reading(LinkUp)  # it is not ours alone any more


async def tapped(table: Watching, bridge: asyncio.StreamWriter) -> None:
    """Tap a card behind a bridge. What comes in the first tenth of a second is the rest of something
    older."""
    async with asyncio.timeout(PATIENCE):
        while not any(isinstance(event, Tapped) for event in table.events):
            bridge.write(em.TEXT_CARD)
            await asyncio.sleep(0.3)


@pytest.mark.network
async def test_a_reader_behind_a_socket() -> None:
    writers: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _reader, writer: writers.append(writer), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        url = f"socket://127.0.0.1:{port}"
        async with watching(ReaderLink("a", port_name(url), TextReader())) as table:
            await table.until_reading(LinkUp)
            await table.until(lambda: bool(writers))
            await tapped(table, writers[0])
            writers[0].close()
            await table.until_reading(LinkLost)
            await table.until(lambda: len(writers) == 2)
            await table.until_reading(LinkUp, 2)
    finally:
        for writer in writers:
            writer.close()
        server.close()
        await server.wait_closed()


@pytest.mark.network
async def test_a_bridge_that_serves_somebody_else_is_told_once_and_heard_when_it_is_free() -> None:
    is_busy, calls = True, 0
    writers: list[asyncio.StreamWriter] = []

    def called(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        if is_busy:
            writer.close()
        else:
            writers.append(writer)

    server = await asyncio.start_server(called, "127.0.0.1", 0)
    url = f"socket://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        async with watching(ReaderLink("a", port_name(url), TextReader())) as table:
            await table.until(lambda: calls >= 4)
            remarks = [each.text for each in table.readings if isinstance(each, Remark)]
            assert remarks == [f"{url} ends each connection at once: does another program use it?"]
            # The first one could not be known to be none; after that nobody is told that it is open.
            assert sum(isinstance(each, LinkUp) for each in table.readings) == 1
            is_busy = False
            await table.until_reading(LinkUp, 2)
            await table.until(lambda: bool(writers))
            await tapped(table, writers[-1])
    finally:
        for writer in writers:
            writer.close()
        server.close()
        await server.wait_closed()


class Connection:
    """What pyserial's side of a bridge writes its answers to."""

    def __init__(self, client: socket.socket) -> None:
        self.write = client.sendall


class PseudoTerminal(serial.Serial):
    """A port without modem lines, about which the bridge asks all the same."""

    cts = dsr = ri = cd = property(lambda _self: False)

    def _update_dtr_state(self) -> None:
        pass

    def _update_rts_state(self) -> None:
        pass


class Bridge(threading.Thread):
    """A serial port behind RFC 2217, on the loopback interface."""

    def __init__(self, device: str) -> None:
        super().__init__(daemon=True)
        self._device = device
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(PATIENCE)
        self.url = f"rfc2217://127.0.0.1:{self._server.getsockname()[1]}"
        self._end = threading.Event()

    def run(self) -> None:
        client, _ = self._server.accept()
        with client, PseudoTerminal(self._device, timeout=0) as port:
            manager = rfc2217.PortManager(port, Connection(client))
            client.settimeout(0.02)
            while not self._end.is_set():
                with contextlib.suppress(TimeoutError):
                    data = client.recv(1024)
                    if not data:
                        break
                    port.write(b"".join(manager.filter(data)))
                if waiting := port.read(1024):
                    client.sendall(b"".join(manager.escape(waiting)))

    def stop(self) -> None:
        self._end.set()
        self.join(PATIENCE)
        self._server.close()


@pytest.mark.network
@pytest.mark.filterwarnings("ignore:set(Daemon|Name):DeprecationWarning")  # in pyserial
async def test_a_reader_behind_rfc_2217() -> None:
    chip = em.Pn532()
    bridge = Bridge(chip.device)
    bridge.start()
    try:
        with em.plugged(chip):
            async with watching(ReaderLink("a", port_name(bridge.url), make("pn532"))) as table:
                await table.until_reading(Listing)
                chip.cards = em.PN532_CARD
                await table.until_event(Placed)
            bridge.stop()
    finally:
        bridge.stop()


async def test_p28_p30_nothing_depends_on_what_was_printed_before_opening() -> None:
    emulator = em.Emulator()
    with em.plugged(emulator):
        emulator.say(b"C6 CA E2 61 80\r\n")
        async with watching(link(emulator, TextReader())) as table:
            await table.until_reading(LinkUp)
            await asyncio.sleep(0.3)
            emulator.say(em.TEXT_CARD)
            await table.until_event(Tapped)
            assert [r.uid for r in table.readings if isinstance(r, Seen)] == [NTAG]


async def test_bytes_may_be_sent_beside_those_of_the_driver() -> None:
    emulator = em.Emulator()
    reader = link(emulator, TextReader())
    with em.plugged(emulator):
        assert not await reader.write(b"LED 1\n")
        async with watching(reader) as table:
            emulator.answer = lambda heard: heard
            await table.until_reading(LinkUp)
            assert await reader.write(b"LED 1\n")
            await table.until(lambda: emulator.heard == b"LED 1\n")


def test_a_tag_book_in_a_file(tmp_path: Path) -> None:
    for name in ("tags.toml", "tags.csv"):
        path = tmp_path / "new" / name
        assert load(path) == Book()
        save(path, BOOK)
        assert load(path) == BOOK
        assert path.stat().st_mode & 0o777 == 0o600
        path.write_bytes(b"\xff\xfe")
        with pytest.raises(BadTags, match=name):
            load(path)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["tags.csv", "tags.toml"]


def test_a_tag_book_survives_a_failed_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tags.toml"
    save(path, BOOK)

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(path, Book())
    assert load(path) == BOOK
    assert [each.name for each in tmp_path.iterdir()] == ["tags.toml"]


async def test_p36_a_slow_port_does_not_stop_the_program() -> None:
    """Opening waits for something that only a program that goes on can do."""
    goes_on = threading.Event()

    def slow(_device: str, _baud_rate: int, _dtr: bool) -> object:
        raise NoPort("It went on." if goes_on.wait(20) else "It stood still.")

    reader = ReaderLink("a", port_name("/dev/slow"), make("rdm6300"), opener=slow)
    async with watching(reader) as table:
        await asyncio.sleep(0.1)
        goes_on.set()
        await table.until_reading(Remark)
        assert table.readings == [Remark("It went on.")]


async def test_a_program_that_stood_still_removes_nothing_on_its_links() -> None:
    emulator = em.Emulator()
    with em.plugged(emulator):
        async with watching(link(emulator, make("rdm6300"))) as table:
            await table.until_reading(LinkUp)
            emulator.repeat(em.RDM6300_CARD, 0.065)
            await table.until_event(Placed)
            for _ in range(3):
                time.sleep(0.6)  # noqa: ASYNC251 - on purpose: the emulator stands still with us
                await asyncio.sleep(0.2)
            assert [type(event) for event in table.events] == [Placed]
            emulator.quiet()
            await table.until_event(Removed)


async def test_a_board_that_speaks_our_own_protocol_on_a_pseudo_terminal() -> None:
    emulator, spoken = em.Emulator(), OwnBoard()

    def answer(heard: bytes) -> bytes:
        emulator.say(spoken.answer(heard))
        return b""

    emulator.answer = answer
    with em.plugged(emulator):
        async with watching(link(emulator, make("shoal", nonce=7))) as table:
            await table.until_reading(Listing, 2)
            asked = sum(isinstance(reading, Listing) for reading in table.readings)
            emulator.say(spoken.say(PLACED, 1))
            await table.until_event(Placed)
            assert sum(isinstance(reading, Listing) for reading in table.readings) == asked, "told unasked"
            emulator.say(spoken.say(REMOVED, 1))
            await table.until_event(Removed)
            await table.until(lambda: spoken.acknowledged == 2)
