"""Finding out what is on a port, and saying what was seen."""

import pytest

from hardware.io import detect, detection, open_serial
from hardware.readers import OWN, Probe, heard
from hardware.readers.detect import probes

from ..readers.own_board import OwnBoard
from . import emulators as em


def quick(*names: str, seconds: float = 0.4) -> list[Probe]:
    """The usual steps, listening for a shorter time. What is to be heard on a busy machine needs more of it
    than silence does."""
    return [
        Probe(step.name, step.baud_rate, step.data, min(step.seconds, seconds), step.recognise)
        for step in probes()
        if not names or step.name in names
    ]


def patient(*names: str) -> list[Probe]:
    """Steps that are over as soon as something is recognised, however busy the machine is."""
    return [
        Probe(step.name, step.baud_rate, step.data, 20.0, step.recognise)
        for step in probes()
        if step.name in names
    ]


@pytest.mark.parametrize(
    ("kind", "saw"),
    [
        (em.Pn532, "a PN532 with firmware 1.6 answered"),
        (em.R200, 'a UHF module answered, version "V1.0.0.1"'),
        (em.Twn4, 'a TWN4 answered, version "TWN4 NFS 4.80"'),
    ],
)
async def test_readers_that_answer(kind: type[em.Emulator], saw: str) -> None:
    emulator = em.Pn532(swallow=0) if kind is em.Pn532 else kind()
    told: list[str] = []
    with em.plugged(emulator):
        found = await detect(emulator.device, steps=patient(kind.__name__.upper()), tell=told.append)
    assert found.finding is not None
    assert found.finding.profile is not None
    assert found.finding.profile.name == kind.__name__.lower()
    assert saw in found.saw[-1]
    assert tuple(told) == found.saw


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (em.RDM6300_CARD, "rdm6300"),
        (em.ID20_CARD, "id12"),
        (em.TEXT_CARD, "text"),
        (em.NDJSON_CARD, "ndjson"),
        (em.R200_CARD, "r200"),
    ],
)
async def test_readers_that_speak_by_themselves(data: bytes, name: str) -> None:
    emulator = em.Emulator()
    with em.plugged(emulator):
        emulator.repeat(data, 0.05)
        found = await detect(emulator.device, steps=patient("lines"))
    assert found.finding is not None
    assert found.finding.profile is not None
    assert found.finding.profile.name == name


async def test_a_port_that_says_nothing() -> None:
    emulator = em.Emulator()
    with em.plugged(emulator):
        found = await detect(emulator.device, steps=quick())
    assert found.finding is None
    assert found.saw[0] == "At 115200 baud, asked for a Shoal reader: nothing came."
    assert found.saw[1] == "At 115200 baud, asked for a PN532: nothing came."
    assert found.saw[-1] == "At 9600 baud, listened: nothing came."


async def test_p27_a_wrong_speed_is_named_and_others_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detection, "OTHER_SECONDS", 1.0)
    emulator = em.Emulator()
    with em.plugged(emulator):
        emulator.repeat(bytes([0xE6, 0x98, 0x7E, 0x80, 0x06, 0xF8, 0x98, 0xFE]), 0.05)
        found = await detect(emulator.device, steps=quick("tags", seconds=1.5))
    assert found.finding is None
    assert "no text: another speed" in found.saw[0]
    assert [sentence.split(" baud")[0] for sentence in found.saw] == [
        "At 9600",
        "At 57600",
        "At 38400",
        "At 19200",
    ]


async def test_something_that_is_no_reader() -> None:
    emulator = em.Emulator()
    with em.plugged(emulator):
        emulator.repeat(b"$GPGGA,123519,4807.038,N*47\r\n", 0.05)
        found = await detect(emulator.device, steps=quick("tags", seconds=1.5))
    assert found.finding is None
    assert '"$GPGGA,123519,4807.038,N' in found.saw[0]


async def test_a_port_that_is_unplugged_meanwhile() -> None:
    emulator = em.Emulator()
    emulator.answer = lambda _heard: emulator.unplug() or b""
    found = await detect(emulator.device, steps=quick())
    assert found.finding is None
    assert "has gone" in "".join(found.saw)


def test_what_is_heard_is_quoted_without_control_characters() -> None:
    finding = heard(b"\x1b[31mhello\x07" + b"x" * 40, 9600)
    assert finding is not None
    assert "\x1b" not in finding.saw
    assert "\x07" not in finding.saw
    assert heard(b"", 9600) is None


async def test_p29_a_port_is_opened_once_and_stays_open() -> None:
    """Closing drops DTR, which resets many boards."""
    emulator = em.Emulator()
    opened: list[int] = []

    def counted(device: str, baud_rate: int, dtr: bool) -> object:
        opened.append(baud_rate)
        return open_serial(device, baud_rate, dtr)

    with em.plugged(emulator):
        await detect(emulator.device, steps=quick(), opener=counted)
    assert opened == [115200]


async def test_a_board_that_speaks_our_own_protocol() -> None:
    emulator, spoken = em.Emulator(), OwnBoard()

    def answer(heard: bytes) -> bytes:
        emulator.say(spoken.answer(heard))
        return b""

    emulator.answer = answer
    with em.plugged(emulator):
        found = await detect(emulator.device, steps=patient("Shoal reader"))
    assert found.finding is not None
    assert found.finding.profile is OWN
    assert found.saw == ("At 115200 baud, asked for a Shoal reader: board answered.",)
