"""Readers behind a real broker: taps, what must not become one, and a broker that is away or refuses us."""

import asyncio
import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiomqtt
import pytest

from hardware.events import Placed, Removed, Settled, Tapped, Unsure
from hardware.io import (
    BadPort,
    Broker,
    Credentials,
    MqttLink,
    Unsupported,
    is_mqtt,
    is_mqtt_name,
    load_credentials,
    mqtt_link,
    mqtt_name,
    require_mqtt,
)
from hardware.io.mqtt import FIRST_PAUSE, LONGEST_PAUSE, explain, pause
from hardware.protocol import Pattern, Sound
from hardware.readers import LinkLost, LinkUp, MqttReader, Payloads, Presence, Remark, Seen
from hardware.table_texts import BadTable, ReaderEntry
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid

from .broker import MISSING, PATIENCE, PROGRAM, ByHand, Mosquitto, mosquitto, publish
from .certificates import Authority
from .watching import Watching, watching

pytestmark = pytest.mark.network

NTAG, CARD = Uid(bytes.fromhex("04A3C6CAE26180")), Uid(bytes.fromhex("BA839D07"))
BOOK = Book([Tag(NTAG, Kind.BLANK, "1"), Tag(CARD, Kind.BLANK, "2")])
TOPIC = "tele/pad1/SENSOR"
TAP = b'{"Time":"2024-05-01T20:15:03","RC522":{"UID":"BA839D07"}}'
OTHER = b'{"Time":"2024-05-01T20:15:09","RC522":{"UID":"04A3C6CAE26180"}}'
PASSWORD = "herring & chips"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path, "allow_anonymous true") as running:
        yield running


def link(port: int, topic: str = TOPIC, **options: object) -> MqttLink:
    entry = ReaderEntry("pad", "mqtt", f"mqtt://127.0.0.1:{port}/{topic}", options)  # type: ignore[arg-type]
    return mqtt_link(entry, nonce=7)


@contextlib.asynccontextmanager
async def client(port: int, **options: object) -> AsyncIterator[aiomqtt.Client]:
    async with aiomqtt.Client("127.0.0.1", port, timeout=PATIENCE, **options) as connected:  # type: ignore[arg-type]
        yield connected


def taps(watched: Watching) -> list[Uid]:
    return [event.uid for event in watched.events if isinstance(event, Tapped)]


def remarks(watched: Watching) -> list[str]:
    return [reading.text for reading in watched.readings if isinstance(reading, Remark)]


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


# Passwords.


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that wants the password of ``table``."""
    maker = shutil.which("mosquitto_passwd")
    if PROGRAM is not None:
        assert maker, "mosquitto_passwd comes with mosquitto"
        subprocess.run(
            [maker, "-b", "-c", str(tmp_path / "passwords"), "table", PASSWORD], check=True, timeout=PATIENCE,
            capture_output=True,
        )  # fmt: skip
    settings = ("allow_anonymous false", f"password_file {tmp_path / 'passwords'}")
    with mosquitto(tmp_path, *settings) as running:
        yield running


def credentials(folder: Path, name: str = "broker.toml", **values: object) -> str:
    file = folder / name
    file.write_text("".join(f"{key.replace('_', '-')} = {json.dumps(str(v))}\n" for key, v in values.items()))
    file.chmod(0o600)
    return str(file)


async def test_the_right_password_opens_the_broker(guarded: Mosquitto, tmp_path: Path) -> None:
    file = credentials(tmp_path, user="table", password=PASSWORD)
    async with watching(BOOK, link(guarded.port, credentials=file)) as watched:
        await watched.until_reading(LinkUp)
        async with client(guarded.port, username="table", password=PASSWORD) as board:
            await board.publish(TOPIC, TAP, qos=1)
        await watched.until_event(Tapped)
        assert remarks(watched) == []


async def test_a_wrong_password_is_told_once_and_never_shown(guarded: Mosquitto, tmp_path: Path) -> None:
    file = credentials(tmp_path, user="table", password="wrong " + PASSWORD)
    async with watching(BOOK, link(guarded.port, credentials=file)) as watched:
        await watched.until_reading(Remark)
        (said,) = remarks(watched)
        assert "refuses the user name or password: correct them in broker.toml" in said
        assert PASSWORD not in repr(watched.seen)


async def test_the_environment_has_a_password_too(guarded: Mosquitto) -> None:
    reader = MqttReader(TOPIC)
    where = Broker("127.0.0.1", guarded.port, False)
    known = {"SHOAL_MQTT_USER": "table", "SHOAL_MQTT_PASSWORD": PASSWORD}
    async with watching(BOOK, MqttLink("a", where, reader, environment=known)) as watched:
        await watched.until_reading(LinkUp)
    async with watching(BOOK, MqttLink("a", where, reader, environment={})) as watched:
        await watched.until_reading(Remark)
        assert "wants a user name and password" in remarks(watched)[0]


# TLS.


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker with TLS that wants certificates of its clients, too."""
    authority = Authority(tmp_path, "authority")
    certificate, key = authority.sign("broker", "127.0.0.1")
    authority.sign("table")
    Authority(tmp_path, "stranger")
    settings = (
        "allow_anonymous true", f"cafile {authority.file}", f"certfile {certificate}", f"keyfile {key}",
        "require_certificate true",
    )  # fmt: skip
    with mosquitto(tmp_path, *settings) as running:
        yield running


def secure(port: int, file: str, host: str = "127.0.0.1") -> MqttLink:
    return mqtt_link(ReaderEntry("pad", "mqtt", f"mqtts://{host}:{port}/{TOPIC}?credentials={file}"))


async def test_certificates_both_ways(sealed: Mosquitto, tmp_path: Path) -> None:
    file = credentials(tmp_path, ca_file="authority.pem", certificate_file="table.crt", key_file="table.key")
    one = secure(sealed.port, file)
    async with watching(BOOK, one) as watched, watching(BOOK, secure(sealed.port, file)) as second:
        await watched.until_reading(LinkUp)
        await second.until_reading(LinkUp)
        context = aiomqtt.TLSParameters(
            ca_certs=str(tmp_path / "authority.pem"), certfile=str(tmp_path / "table.crt"),
            keyfile=str(tmp_path / "table.key"),
        )  # fmt: skip
        async with client(sealed.port, tls_params=context) as board:
            await board.publish(TOPIC, TAP, qos=1)
        await watched.until_event(Tapped)
        await second.until_event(Tapped)


@pytest.mark.parametrize(
    ("values", "host", "sentence"),
    [
        ({"ca_file": "stranger.pem"}, "127.0.0.1", "is not trusted"),
        ({}, "127.0.0.1", "name its authority's file as ca-file"),
        ({"ca_file": "authority.pem"}, "localhost", "is not for localhost"),
    ],
)
async def test_a_broker_that_cannot_be_trusted(
    sealed: Mosquitto, tmp_path: Path, values: dict[str, str], host: str, sentence: str
) -> None:
    async with watching(BOOK, secure(sealed.port, credentials(tmp_path, **values), host)) as watched:
        await watched.until_reading(Remark)
        assert sentence in remarks(watched)[0]


async def test_tls_where_there_is_none_and_none_where_there_is(
    broker: Mosquitto, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with watching(BOOK, secure(broker.port, "")) as watched:
        await watched.until_reading(Remark)
        assert "does not speak TLS with us" in remarks(watched)[0]


async def test_no_certificate_of_ours_where_one_is_wanted(sealed: Mosquitto, tmp_path: Path) -> None:
    file = credentials(tmp_path, ca_file="authority.pem")
    plain = link(sealed.port)
    async with watching(BOOK, secure(sealed.port, file)) as watched, watching(BOOK, plain) as other:
        await watched.until_reading(Remark)
        assert "certificate of ours" in remarks(watched)[0]
        await other.until_reading(Remark)
        assert "does it want TLS (mqtts://)" in remarks(other)[0]


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


# Names and credentials.


def test_names_of_topics() -> None:
    plain = mqtt_name("mqtt://broker.home/tele/pad1/SENSOR")
    assert (plain.broker, plain.topic) == (Broker("broker.home", 1883, False), TOPIC)
    full = mqtt_name("mqtts://ben@[::1]:8884/a/+/b?payload=tasmota&credentials=/a%20b.toml")
    assert (full.broker, full.topic, full.user) == (Broker("::1", 8884, True), "a/+/b", "ben")
    assert full.options == {"payload": "tasmota", "credentials": "/a b.toml"}
    assert str(full.broker) == "[::1]:8884"
    assert mqtt_name("MQTTS://h/t").broker.port == 8883
    assert is_mqtt_name(" mqtt:/")
    assert not is_mqtt_name("/dev/ttyUSB0")


@pytest.mark.parametrize(
    "text",
    ["mqtt://", "mqtt://host", "mqtt://host/", "mqtt:///t", "mqtt://host:0/t", "mqtt://host:99999/t", "x"],
)
def test_what_names_no_topic(text: str) -> None:
    with pytest.raises(BadPort, match=r"write mqtt://HOST/TOPIC"):
        mqtt_name(text)


@pytest.mark.parametrize("text", ["mqtt://ben:hunter2@host/t", "mqtt://host/t?password=hunter2"])
def test_a_password_in_a_name_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(BadPort) as refused:
        mqtt_name(text)
    assert "hunter2" not in str(refused.value)
    assert "SHOAL_MQTT_PASSWORD" in str(refused.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("password = hunter2", "no TOML"),
        ('pasword = "hunter2"', "'pasword' is unknown"),
        ("password = 5", "must be a text"),
        ('key-file = "k"', "needs its certificate-file"),
        ("\xff" * 70_000, "far too long"),
    ],
)
def test_a_bad_credentials_file(tmp_path: Path, content: str, sentence: str) -> None:
    file = tmp_path / "broker.toml"
    file.write_text(content)
    with pytest.raises(BadPort) as refused:
        load_credentials(file)
    assert sentence in str(refused.value)
    assert "hunter2" not in str(refused.value)
    with pytest.raises(BadPort, match="There is no credentials file"):
        load_credentials(tmp_path / "other.toml")


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such modes there")
def test_a_credentials_file_that_others_can_read_is_remarked(tmp_path: Path) -> None:
    file = Path(credentials(tmp_path, user="table", password=PASSWORD))
    assert load_credentials(file).caution == ""
    file.chmod(0o644)
    assert f"chmod 600 {file}" in load_credentials(file).caution
    assert PASSWORD not in repr(load_credentials(file))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"ca_file": "none.pem"}, "no file none.pem"),
        ({"ca_file": "x.toml"}, "x.toml cannot be used: the certificate of an authority is needed"),
        ({"certificate_file": "none.pem"}, "no file none.pem"),
        (
            {"certificate_file": "x.toml", "key_file": "x.toml"},
            "x.toml cannot be used: a certificate and its key",
        ),
    ],
)
async def test_files_that_cannot_be_used_end_the_watch(
    tmp_path: Path, values: dict[str, str], sentence: str
) -> None:
    file = credentials(tmp_path, "x.toml", **values)
    with pytest.raises(BadPort, match=re.escape(sentence)):
        await anext(secure(1, file).readings())


def test_entries_of_the_table_file(tmp_path: Path) -> None:
    entry = ReaderEntry("pad", "mqtt", f"mqtt://h/{TOPIC}", {"credentials": "b.toml", "presence": "edge"}, 7)
    assert is_mqtt(entry)
    made = mqtt_link(entry, folder=tmp_path)
    assert (made.name, made.broker, made.reader.payloads) == (
        "pad",
        Broker("h", 1883, False),
        Payloads.TASMOTA,
    )
    assert made.reader.profile.presence is Presence.EDGE
    for options, sentence in (
        ({"payload": "zigbee"}, "payload must be one of auto, shoal"),
        ({"baud-rate": 9600}, "baud-rate is no option"),
        ({"presence": 1}, "presence must be a text"),
    ):
        with pytest.raises(BadTable, match=f"^line 7: {re.escape(sentence)}"):
            mqtt_link(ReaderEntry("pad", "mqtt", "mqtt://h/t", options, 7))
    with pytest.raises(BadTable, match=r"^line 7: This is no topic"):
        mqtt_link(ReaderEntry("pad", "mqtt", "/dev/ttyUSB0", {}, 7))


async def test_without_the_library_its_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aiomqtt", None)
    with pytest.raises(Unsupported, match='-m pip install "aiomqtt'):
        await anext(link(1).readings())
    with pytest.raises(Unsupported, match='-m pip install "aiomqtt'):
        require_mqtt()


def test_p40_nobody_who_has_no_broker_waits_for_the_library() -> None:
    program = (
        "import sys, cli.main, hardware.io; "
        "print([name for name in sys.modules if name.split('.')[0] in {'aiomqtt', 'paho', 'asyncio_mqtt'}])"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    assert told.stdout.strip() == "[]"


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
