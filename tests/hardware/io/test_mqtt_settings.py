"""What names a broker, a topic and credentials, and what is said where it does not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.io import (
    BadPort,
    Broker,
    Unsupported,
    is_mqtt,
    is_mqtt_name,
    load_credentials,
    mqtt_link,
    mqtt_name,
    require_mqtt,
)
from hardware.readers import Payloads, Presence
from hardware.table_texts import BadTable, ReaderEntry

from .mqtt_links import PASSWORD, TOPIC, credentials, link, secure

pytestmark = pytest.mark.network


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
