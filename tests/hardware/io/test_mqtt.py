"""Readers behind a real broker: taps, what must not become one, and a broker that is away or refuses us."""

import asyncio
import contextlib
import json
import re
import socket
import threading
from collections.abc import Iterator

import aiomqtt
import pytest

from hardware.events import Placed, Removed, Settled, Tapped, Unsure
from hardware.io import (
    Broker,
    Credentials,
)
from hardware.io.mqtt import FIRST_PAUSE, LONGEST_PAUSE, explain, pause
from hardware.protocol import Pattern, Sound
from hardware.readers import LinkLost, LinkUp, Remark, Seen
from hardware.uids import Uid

from .broker import MISSING, PATIENCE, ByHand, Mosquitto, publish
from .mqtt_links import BOOK, CARD, NTAG, TAP, TOPIC, client, link, remarks
from .watching import Watching, watching

pytestmark = pytest.mark.network
OTHER = b'{"Time":"2024-05-01T20:15:09","RC522":{"UID":"04A3C6CAE26180"}}'


def taps(watched: Watching) -> list[Uid]:
    return [event.uid for event in watched.events if isinstance(event, Tapped)]


async def test_a_tap_comes_through_and_what_was_kept_does_not(broker: Mosquitto) -> None:
    async with client(broker.port) as board:
        await board.publish(TOPIC, TAP, qos=1, retain=True)
        async with watching(BOOK, link(broker.port)) as watched:
            await watched.until_reading(LinkUp)
            await board.publish(TOPIC, OTHER, qos=1)
            await watched.until_event(Tapped)
            assert taps(watched) == [NTAG], "the retained one came first, and is none"


async def test_what_nobody_understands_is_skipped(broker: Mosquitto) -> None:
    one = link(broker.port)
    async with client(broker.port) as board, watching(BOOK, one) as watched:
        await watched.until_reading(LinkUp)
        for payload in (b"\xff\xfe", b"x" * 100_000, b"{", b"[]"):
            await board.publish(TOPIC, payload, qos=1)
        await board.publish(TOPIC, b'{"Time":"2024-05-01T20:15:04","ENERGY":{"Total":1}}', qos=1)
        await board.publish(TOPIC, TAP, qos=1)
        await watched.until_event(Tapped)
        assert taps(watched) == [CARD]
        assert one.reader.faults == 4
        assert len(remarks(watched)) == 1


async def test_p37_a_message_that_was_sent_twice_is_one_tap(broker: Mosquitto) -> None:
    """The board repeats with DUP what was confirmed all right; the broker passes both on."""
    one = link(broker.port)
    async with watching(BOOK, one) as watched:
        await watched.until_reading(LinkUp)
        board = ByHand(broker.port, "board")
        board.say(publish(TOPIC, TAP, 1) + publish(TOPIC, TAP, 1, again=True) + publish(TOPIC, OTHER, 2))
        assert board.take(12) == bytes.fromhex("400200014002000140020002")
        await watched.until_event(Tapped, 2)
        board.tear()
        assert taps(watched) == [CARD, NTAG]
        assert sum(isinstance(reading, Seen) for reading in watched.readings) == 2


async def test_the_broker_is_stopped_and_started_again_in_mid_run(broker: Mosquitto) -> None:
    topic = "shelf"
    one = link(broker.port, topic, payload="ndjson", presence="reported")
    async with watching(BOOK, one) as watched:
        await watched.until_reading(LinkUp)
        async with client(broker.port) as board:
            await board.publish(topic, b'{"type":"tag_on","seq":1,"uid":"04A3C6CAE26180"}', qos=1)
            await watched.until_event(Placed)
        await asyncio.to_thread(broker.stop)
        await watched.until_event(Unsure)
        assert not any(isinstance(event, Removed) for event in watched.events), "nobody lifted it"
        await watched.until(lambda: any("No broker answers" in text for text in remarks(watched)))
        assert await asyncio.to_thread(broker.start), broker.said()
        await watched.until_event(Settled)
        assert watched.tracker.where(NTAG) is not None, "the reader will not tell of it again"
        async with client(broker.port) as board:
            await board.publish(topic, b'{"type":"tag_off","seq":3,"uid":"04A3C6CAE26180"}', qos=1)
            await watched.until_event(Removed)
        assert [type(event) for event in watched.events] == [Placed, Unsure, Settled, Removed]


async def test_a_board_whose_power_is_cut_is_told_of_by_its_last_will(broker: Mosquitto) -> None:
    topic = "pad1/binary_sensor/04-A3-C6-CA-E2-61-80/state"
    board = ByHand(broker.port, "esphome", ("pad1/status", b"offline"))
    board.say(publish("pad1/status", b"online", 1))
    async with watching(BOOK, link(broker.port, "pad1/binary_sensor/+/state")) as watched:
        await watched.until_reading(LinkUp)
        board.say(publish(topic, b"ON", 2))
        await watched.until_event(Placed)
        board.tear()
        await watched.until_event(Unsure)
        assert watched.tracker.where(NTAG) is not None
        back = ByHand(broker.port, "esphome", ("pad1/status", b"offline"))
        back.say(publish("pad1/status", b"online", 1) + publish(topic, b"ON", 2))
        await watched.until_event(Settled)
        assert watched.tracker.where(NTAG) is not None
        assert not any(isinstance(event, Removed) for event in watched.events)
        back.tear()


async def test_p38_two_of_ours_do_not_throw_each_other_out(broker: Mosquitto) -> None:
    links = [link(broker.port), link(broker.port)]
    async with watching(BOOK, links[0]) as one, watching(BOOK, links[1]) as other:
        await one.until_reading(LinkUp)
        await other.until_reading(LinkUp)
        async with client(broker.port) as board:
            await board.publish(TOPIC, TAP, qos=1)
        await one.until_event(Tapped)
        await other.until_event(Tapped)
        assert not any(isinstance(reading, LinkLost) for reading in one.readings + other.readings)
    assert len(set(re.findall(r"as (shoal-[0-9a-f]{12}) ", broker.said()))) == 2


# Brokers that are none, and what is said then.


@contextlib.contextmanager
def listening(*answers: bytes) -> Iterator[int]:
    """Something that takes connections and says this after each packet."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        over = threading.Event()

        def serve() -> None:
            while not over.is_set():
                with contextlib.suppress(OSError), server.accept()[0] as line:
                    line.settimeout(PATIENCE)
                    for answer in answers:
                        line.recv(4096)
                        line.sendall(answer)
                    while not over.is_set() and line.recv(4096):
                        pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield int(server.getsockname()[1])
        finally:
            over.set()


async def test_a_broker_that_lets_us_read_nothing() -> None:
    with listening(bytes.fromhex("20020000"), bytes.fromhex("9003000180")) as port:
        async with watching(BOOK, link(port)) as watched:
            await watched.until_reading(Remark)
            assert f"does not let us read {TOPIC}: allow it in its access list" in remarks(watched)[0]


async def test_what_takes_connections_and_is_no_broker() -> None:
    with listening() as port:
        async with watching(BOOK, link(port)) as watched:
            await watched.until_reading(Remark)
            assert "does not answer as an MQTT broker" in remarks(watched)[0]


async def test_a_reader_that_is_ended_while_it_connects() -> None:
    """Whoever waits for a broker that does not answer can go at once, and nothing is left open."""
    with listening() as port:
        task = asyncio.create_task(anext(link(port).readings()))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (socket.gaierror(-2, "Name or service not known"), "There is no host called broker.home"),
        (ConnectionRefusedError(111, "Connection refused"), "No broker answers at broker.home:1883"),
        (OSError(101, "Network is unreachable"), "No broker answers at broker.home:1883"),
    ],
)
def test_why_there_is_no_connection(error: OSError, sentence: str) -> None:
    try:
        try:
            raise error
        except OSError:
            raise aiomqtt.MqttError("x") from None  # as the library does
    except aiomqtt.MqttError as wrapped:
        said = str(explain(wrapped, Broker("broker.home", 1883, False), Credentials()))
    assert sentence in said
    assert said.count(".") <= 4, "one sentence"


def test_the_pauses_grow_and_stay_bearable() -> None:
    waits = [pause(tries) for tries in range(1, 1000)]
    assert waits[0] == FIRST_PAUSE
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST_PAUSE


def test_a_missing_broker_is_told_loudly() -> None:
    assert "mosquitto" in MISSING
    assert MISSING.startswith("SKIPPED")


# Our own protocol: a board that answers by hand, with the lines of `firmware_protocol.md`, section 15.

DEVICE = "shoal/5348523112345678"


class Board:
    """A reader with one antenna behind the broker."""

    def __init__(self, client: aiomqtt.Client) -> None:
        self.client = client
        self.heard: list[dict[str, object]] = []
        self.tags: list[str] = []
        self.event = 0
        self.boot = 41

    async def say(self, **line: object) -> None:
        await self.client.publish(f"{DEVICE}/out", json.dumps(line), qos=1)

    async def change(self, what: str, uid: str) -> None:
        self.event += 1
        self.tags = [uid] if what == "placed" else []
        await self.say(
            type="tag", event=self.event, change=what, antenna=0, technology="iso14443a", signal=None,
            uptime_ms=1000, uid=uid,
        )  # fmt: skip

    async def run(self) -> None:
        await self.client.subscribe(f"{DEVICE}/in", qos=1)
        async for message in self.client.messages:
            line = json.loads(message.payload)
            self.heard.append(line)
            await self.answer(line)
            task = asyncio.current_task()
            # The library publishes within a wait_for, which in Python 3.11 forgets a cancellation.
            if task is not None and task.cancelling():
                return

    async def answer(self, line: dict[str, object]) -> None:
        seq = line.get("seq")
        match line["type"]:
            case "hello":
                await self.say(
                    type="welcome", seq=seq, version=1, features=["feedback"], nonce=line["nonce"],
                    device="5348523112345678", boot=self.boot, reset="power", antennas=1, window=8,
                    max_frame=96, heartbeat_ms=10_000, last_event=self.event, firmware="board",
                )  # fmt: skip
            case "describe":
                await self.say(
                    type="antenna", seq=seq, antenna=0, role="seat", number=1, technologies=["iso14443a"],
                    max_tags=1, abilities=["removal", "led"], label="pad 1",
                )  # fmt: skip
            case "snapshot":
                listed = [{"antenna": 0, "technology": "iso14443a", "uid": uid} for uid in self.tags]
                await self.say(type="tags", seq=seq, as_of=self.event, part=0, last=True, tags=listed)
            case "status_request":
                await self.say(
                    type="status", seq=seq, uptime_ms=2000, last_event=self.event, bad_frames=0,
                    lost_events=0, health=[["answers"]],
                )  # fmt: skip
            case "feedback":
                await self.say(type="done", seq=seq, request=4)


async def test_our_own_protocol_with_light_and_a_board_that_starts_anew(broker: Mosquitto) -> None:
    one = link(broker.port, DEVICE)
    will = aiomqtt.Will(f"{DEVICE}/alive", b"0", qos=1, retain=True)
    async with client(broker.port, will=will) as connection, watching(BOOK, one) as watched:
        board = Board(connection)
        running = asyncio.create_task(board.run())
        await connection.publish(f"{DEVICE}/alive", b"1", qos=1, retain=True)
        await watched.until(
            lambda: one.reader._own is not None and one.reader._own.host.phase.value == "open"
        )
        await board.change("placed", "04A3C6CAE26180")
        await watched.until_event(Placed)
        await watched.until(lambda: {"type": "ack", "seq": 0, "event": 1} in board.heard)
        assert await one.show(0, Pattern.WRONG, Sound.DOUBLE, 1500)
        await watched.until(lambda: any(line["type"] == "feedback" for line in board.heard))
        (wish,) = [line for line in board.heard if line["type"] == "feedback"]
        assert (wish["pattern"], wish["sound"], wish["duration_ms"]) == ("wrong", "double", 1500)

        await connection.publish(f"{DEVICE}/alive", b"0", qos=1, retain=True)
        await watched.until_event(Unsure)
        board.boot, board.event, board.tags = 42, 0, ["BA839D07"]
        await connection.publish(f"{DEVICE}/alive", b"1", qos=1, retain=True)
        await watched.until_event(Settled)
        assert watched.tracker.where(NTAG) is None, "another card lay there when it was back"
        assert watched.tracker.where(CARD) is not None
        assert [type(reading) for reading in watched.readings if isinstance(reading, LinkLost)] != []
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
