"""What a table with real cards reads: its files, its readers and their brokers, and scripts for emulators."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cli.configuration_file import parse_configuration
from cli.tabletop import blank_kept, printed_kept
from hardware.emulators.script import parse_script
from hardware.protocol import binary as reader_binary
from hardware.protocol import text as reader_text
from hardware.readers import MqttReader, Payloads, make
from hardware.readers.mqtt_payloads import readings
from hardware.uids import Technology
from hardware.uids import parse as parse_uid

TABLE = b"""shoal-table = 1

[[reader]]
name = "nano"
kind = "text"
port = "usb:1a86:7523"
baud-rate = 115200

[[pad]]
reader = "nano"
antenna = 0
role = "seat:Ben"
"""

SCRIPT = b"""place 04A1B2C3 on 0
0.5 remove 04A1B2C3
tap 04 A1 B2 C3 04 05 06
wait 2
quit
"""

READER_SEEDS: dict[str, tuple[bytes, ...]] = {
    "ndjson": (b'\x05{"uid":"04A1B2C3D4E5F6","antenna":2}\r\n{"event":"removed","uid":"04a1b2c3"}\n',),
    "text": (b"\x07Card UID: 04 A1 B2 C3\r\nPICC type: MIFARE 1KB\r\nReader 2: 04A1B2C3\r\n",),
    "wedge": (b"\x030004660575\r0011223344\n",),
    "rdm6300": (b"\x02\x020A003BD5E0EA\x03",),
    "id12": (b"\x02\x020A003BD5E0EA\r\n\x03",),
    "pn532": (b"\x01\x00\x00\xff\x00\xff\x00\x00\x00\xff\x06\xfa\xd5\x03\x32\x01\x06\x07\xe8\x00",),
    "twn4": (b"\x0600010704A1B2C3\r0001\r",),
    "r200": (
        b"\x04\xaa\x02\x22\x00\x11\xc8\x30\x00\xe2\x80\x11\x70\x00\x00\x02\x01\x1b\x3c\x9a\x9c\x25\x8d\x9e\xdd",
    ),
    "shoal": (b"\x08" + b'{"type":"hello","seq":1}\n' + b"\x00\x03\x01\x02\x00",),
}


def configuration(data: bytes) -> None:
    parse_configuration(Path("config.toml"), data)


def kept(data: bytes) -> None:
    printed_kept.from_bytes(data)
    blank_kept.from_bytes(data)


def script(data: bytes) -> None:
    from hardware.emulators.own import EmulatedShoal  # used here alone

    def resolve(word: str) -> bytes:
        return parse_uid(word).data

    parse_script(data.decode("utf-8", "replace"), resolve, EmulatedShoal())


def reader(kind: str) -> Callable[[bytes], None]:
    """A driver that is fed in pieces, while its clock goes on."""

    def run(data: bytes) -> None:
        made = make(kind)
        now = 1.0
        made.start(now)
        step = 1 + (data[0] if data else 0) % 32
        for at in range(0, len(data), step):
            now += 0.02
            made.feed(data[at : at + step], now)
            if made.wake is not None and made.wake <= now:
                made.tick(now)
        made.tick(now + 10)

    return run


def mqtt(data: bytes) -> None:
    shown = data.decode("utf-8", "replace")
    for each in Payloads:
        if each is not Payloads.SHOAL:
            readings(each, shown, Technology.UNKNOWN)


def mqtt_reader(data: bytes) -> None:
    made = MqttReader("shoal/+/tag")
    made.start(1.0)
    topic, _, payload = data.partition(b"\n")
    made.message(topic.decode("utf-8", "replace"), payload, False, 2.0)


def own_frames(data: bytes) -> None:
    """Both forms of our own protocol, as streams."""
    reader_binary.FrameDecoder().feed(data)
    for check_lines in (False, True):
        reader_text.LineDecoder(check_lines).feed(data)
