"""Brokers with passwords and certificates (docs/hardware.md)."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import pytest

from hardware.events import Tapped
from hardware.io import (
    Broker,
    MqttLink,
)
from hardware.readers import LinkUp, MqttReader, Remark

from .broker import PATIENCE, PROGRAM, Mosquitto, mosquitto
from .certificates import Authority
from .mqtt_links import (
    BOOK,
    PASSWORD,
    TAP,
    TOPIC,
    client,
    credentials,
    link,
    remarks,
    secure,
)
from .watching import watching

pytestmark = pytest.mark.network


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
