"""Links to a broker, for the suites about brokers."""

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import aiomqtt

from hardware.io import (
    MqttLink,
    mqtt_link,
)
from hardware.readers import Remark
from hardware.table_texts import ReaderEntry
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid

from .broker import PATIENCE
from .watching import Watching

NTAG, CARD = Uid(bytes.fromhex("04A3C6CAE26180")), Uid(bytes.fromhex("BA839D07"))
BOOK = Book([Tag(NTAG, Kind.BLANK, "1"), Tag(CARD, Kind.BLANK, "2")])
TOPIC = "tele/pad1/SENSOR"
TAP = b'{"Time":"2024-05-01T20:15:03","RC522":{"UID":"BA839D07"}}'
PASSWORD = "herring & chips"


def link(port: int, topic: str = TOPIC, **options: object) -> MqttLink:
    entry = ReaderEntry("pad", "mqtt", f"mqtt://127.0.0.1:{port}/{topic}", options)
    return mqtt_link(entry, nonce=7)


@contextlib.asynccontextmanager
async def client(port: int, **options: object) -> AsyncIterator[aiomqtt.Client]:
    async with aiomqtt.Client("127.0.0.1", port, timeout=PATIENCE, **options) as connected:
        yield connected


def remarks(watched: Watching) -> list[str]:
    return [reading.text for reading in watched.readings if isinstance(reading, Remark)]


def credentials(folder: Path, name: str = "broker.toml", **values: object) -> str:
    file = folder / name
    file.write_text("".join(f"{key.replace('_', '-')} = {json.dumps(str(v))}\n" for key, v in values.items()))
    file.chmod(0o600)
    return str(file)


def secure(port: int, file: str, host: str = "127.0.0.1") -> MqttLink:
    return mqtt_link(ReaderEntry("pad", "mqtt", f"mqtts://{host}:{port}/{TOPIC}?credentials={file}"))
