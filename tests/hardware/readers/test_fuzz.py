"""Ten million bytes through each parser: noise, valid frames that were mutilated, and frames of nonsense
whose check is right. None raises or grows, and each understands the next sound frame afterwards."""

import binascii
import random
from collections.abc import Callable

import pytest

from hardware.readers import PROFILES, Listing, MqttReader, Output, Payloads, Reader, Seen, Send, make

from ..io.emulators import ACK, PN532_ANSWERS, PN532_CARD, PN532_LIST
from .feeding import h
from .test_any_bytes import PARTS, weight

MEGA = 1_000_000
HEAVIEST = 16_000
"""Characters that a parser may hold: eight of its longest lines."""

SOUND: dict[str, tuple[bytes, ...]] = {
    "rdm6300": (h("02 31 33 30 30 35 44 31 44 41 35 46 36 03"), h("02 30 31 31 34 41 45 33 42 42 43 3C 03")),
    "id12": (h("02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03"),),
    "pn532": (
        h("00 00 FF 00 FF 00"),
        h("00 00 FF 06 FA D5 03 32 01 06 07 E8 00"),
        h("00 00 FF 03 FD D5 4B 00 E0 00"),
        h("00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 A3 C6 CA E2 61 80 99 00"),
        h("00 00 FF 18 E8 D5 4B 02 01 00 04 08 04 45 C5 25 83 02 00 44 00 07 04 A3 C6 CA E2 61 80 D4 00"),
    ),
    "text": (
        b"Reader 1: Card UID: 04 A3 C6 CA E2 61 80\r\n", b"Card SAK: 08\r\n", b"not:74-10-37-94\n",
        b"Card removed\r", b"Firmware Version: 0x92 = v2.0\r\n", b"ets Jun  8 2016 00:22:57\r\nrst:0x1\r\n",
    ),
    "ndjson": (
        b'{"type":"card","card_uid":"04 0e 3b d2 28 6b 85"}\n',
        b'{"type":"snapshot","antenna":1,"uids":["04A3C6CAE26180","45C52583"]}\n',
        b'{"Time":"2024-05-01T20:15:03","RC522":{"UID":"BA839D07"}}\n',
        b'{"type":"boot","reason":"power"}\r\n',
    ),
    "twn4": (b"000180380704A3C6CAE26180\r", b"0000\r", b"001354574E34204E465320342E3830\r"),
    "r200": (
        h("BB 02 22 00 11 CF 30 00 E2 80 69 95 00 00 50 09 F1 28 69 92 62 0A 6D 7E"),
        h("BB 01 FF 00 01 15 16 7E"),
        h("BB 01 03 00 09 00 56 31 2E 30 2E 30 2E 31 AF 7E"),
    ),
    "wedge": (b"0006102437\r\n", b"093,07589\r", b"13005D1DA5\n"),
}  # fmt: skip
TAPS = {name: frames[0] for name, frames in SOUND.items()} | {
    "pn532": SOUND["pn532"][3], "wedge": SOUND["wedge"][2],
}  # fmt: skip


def frame(body: bytes) -> bytes:
    """A frame of our own protocol: its check, and COBS, as the page says."""
    data = body + binascii.crc_hqx(body, 0xFFFF).to_bytes(2, "big")
    return b"\0" + b"".join(bytes([len(part) + 1]) + part for part in data.split(b"\0")) + b"\0"


def mutilated(source: random.Random, data: bytes) -> bytes:
    """Sound bytes with something wrong."""
    spoiled = bytearray(data)
    at = source.randrange(len(spoiled))
    match source.randrange(6):
        case 0:
            spoiled[at] ^= 1 << source.randrange(8)
        case 1:
            del spoiled[at : at + source.randrange(1, 4)]
        case 2:
            spoiled[at:at] = source.randbytes(source.randrange(1, 4))
        case 3:
            spoiled = spoiled[:at]
        case 4:
            spoiled[at:at] = spoiled
        case _:
            spoiled[at] = source.choice(b'\x00\xff\x02\x03\x7e\xbb\r\n{}"')
    return bytes(spoiled)


def nonsense(source: random.Random) -> bytes:
    """A frame of our own protocol with a sound check: only its body can be wrong."""
    code = source.choice((0x80, 0x81, 0x82, 0x83, 0x85, 0x86, 0xC0, 0xC1, 0xFF, 0x07, source.randrange(256)))
    return frame(bytes((code, source.randrange(4))) + source.randbytes(source.randrange(40)))


def pieces(name: str, source: random.Random) -> Callable[[], bytes]:
    sound = SOUND.get(name, ()) or tuple(nonsense(source) for _ in range(200))

    def piece() -> bytes:
        luck = source.random()
        if luck < 0.3:
            return source.randbytes(source.randrange(1, 300))
        if luck < 0.4:
            return source.choice(PARTS)
        if name == "shoal" and luck < 0.7:
            return nonsense(source)
        data = source.choice(sound)
        return data if luck < 0.5 else mutilated(source, data)

    return piece


def pour(reader: Reader, name: str, size: int) -> float:
    source = random.Random(name)
    piece = pieces(name, source)
    now, left = 0.0, size
    reader.start(now)
    while left > 0:
        chunk = b"".join(piece() for _ in range(source.randrange(1, 6)))
        left -= len(chunk)
        reader.feed(chunk, now)
        now += source.choice((0.0, 0.001, 0.02, 0.3))
        if reader.wake is not None and now >= reader.wake:
            reader.tick(now)
    assert weight(reader) < HEAVIEST
    return now


def chip(asked: bytes) -> bytes:
    """What a PN532 with a card on it answers to a command."""
    answers = {**PN532_ANSWERS, PN532_LIST: PN532_CARD}
    return next((ACK + answer for command, answer in answers.items() if command in asked), b"")


def after(name: str, reader: Reader, now: float) -> list[Output]:
    """What a reader makes of a sound frame some time after the noise; one that asks gets answers first."""
    reader.tick(now)
    out: list[Output] = []
    match name:
        case "pn532":
            for step in range(40):
                outputs = reader.tick(now + step)
                while outputs:
                    said = b"".join(chip(each.data) for each in outputs if isinstance(each, Send))
                    out += outputs
                    outputs = reader.feed(said, now + step) if said else []
        case "text" | "ndjson" | "wedge" | "twn4":
            out += reader.feed(b"\r\n", now)
            out += reader.feed(TAPS[name], now + 1.0)
        case _:
            out += reader.feed(TAPS[name], now)
    return out


def survive(name: str, size: int) -> None:
    reader = make(name)
    now = pour(reader, name, size) + 60.0
    if name != "shoal":  # whose sessions after noise are in `test_own.py` and `test_host.py`
        out = after(name, reader, now)
        assert any(isinstance(each, Seen) or (isinstance(each, Listing) and each.uids) for each in out)


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_a_hundred_thousand_bytes(name: str) -> None:
    survive(name, 100_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PROFILES))
def test_ten_million_bytes(name: str) -> None:
    survive(name, 10 * MEGA)


PAYLOADS = (
    b'{"Time":"2024-05-01T20:15:03","RC522":{"UID":"BA839D07"}}', b"6102437", b"not:74-10-37-94",
    b"74-10-37-94", b'{"SSerialReceived":"\\u000213005D1DA5F6\\u0003"}', b"Online", b"Offline", b"ON",
    b"1", b"0",
    b'{"type":"access","uid":"f9c2f720","isKnown":"true"}', b'{"tag_id":"04-A3-C6-CA-E2-61-80"}',
    b'{"topic":"a/c","value_template":"{{ value_json.PN532.UID }}"}', b'{"type":"status","seq":0}',
    b'{"type":"snapshot","uids":["04A3C6CAE26180"]}',
    (
        b'{"type":"tag","seq":0,"event":1,"change":"placed","antenna":0,"technology":"iso14443a","signal":null,'
        b'"uptime_ms":1,"uid":"04A3C6CAE26180"}'
    ),
)  # fmt: skip
TOPICS = {Payloads.SHOAL: "shoal/5348523112345678", Payloads.HOME_ASSISTANT: "homeassistant/tag/a/config"}


def survive_messages(kind: Payloads, size: int) -> None:
    source = random.Random(kind.value)
    reader = MqttReader(TOPICS.get(kind, "a/b"), kind)
    reader.start(0.0)
    now, left = 0.0, size
    while left > 0:
        sound = source.choice(PAYLOADS)
        luck = source.random()
        data = source.randbytes(source.randrange(2_200)) if luck < 0.1 else sound
        if 0.1 <= luck < 0.8:
            data = mutilated(source, sound)
        left -= len(data)
        retained = source.random() < 0.3
        for out in reader.message(source.choice(reader.topics), data, retained, now):
            assert not (retained and isinstance(out, Seen | Listing)), "what was kept is no tap"
        now += source.choice((0.0, 0.01, 3.0))
        if reader.wake is not None and now >= reader.wake:
            reader.tick(now)
    assert weight(reader) < 100_000, "the last 32 payloads"


@pytest.mark.parametrize("kind", [*Payloads])
def test_a_hundred_thousand_bytes_of_messages(kind: Payloads) -> None:
    survive_messages(kind, 100_000)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*Payloads])
def test_ten_million_bytes_of_messages(kind: Payloads) -> None:
    survive_messages(kind, 10 * MEGA)
