"""Emulated readers: the bytes they put on the wire are those of the documentation, and the drivers read them
over real pseudo-terminals and TCP ports.

The expected bytes are literal, from wires and published formats; neither emulators nor drivers made them.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.emulators import (
    EMULATORS,
    BadScript,
    EmulatedReader,
    EmulatedShoal,
    Step,
    Unreadable,
    Verb,
    fresh_uid,
    parse_line,
    parse_script,
)
from hardware.events import Event, Place, Placed, Removed, Tapped, Unsure
from hardware.io import Detection, PortError, Read, ReaderLink, detect, port_name, watch
from hardware.io.emulators import NoPty, PtyWire, RunningReader, TcpWire, wires
from hardware.presence import Tracker
from hardware.readers import PROFILES, LinkLost, LinkUp, OwnReader, make
from hardware.uids import Uid, parse

LIMIT = 60
"""Seconds for anything at all; the machine may be very busy."""

NTAG = bytes.fromhex("04A3C6CAE26180")
CLASSIC = bytes.fromhex("45C52583")
EM4100 = bytes.fromhex("13005D1DA5")
EPC = bytes.fromhex("30751FEB705C5904E3D50D70")


def on(reader: EmulatedReader) -> EmulatedReader:
    reader.power(0.0)
    reader.sent()
    return reader


# --- literal bytes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "uid", "data"),
    [
        ("rdm6300", "13005D1DA5", "0231333030354431444135463603"),
        ("rdm6300", "01C8F00800", "0230314338463030383030333103"),
        ("id12", "0500207B32", "023035303032303742333236430D0A03"),
        ("id12", "0C000621A5", "023043303030363231413538450D0A03"),
        ("text", "04A3C6CAE26180", b"Card UID: 04 A3 C6 CA E2 61 80\r\n".hex()),
        ("ndjson", "DEADBEEF", b'{"type":"tag_on","antenna":0,"uid":"DEADBEEF"}\n'.hex()),
        ("wedge", "13005D1DA5", b"0006102437\n".hex()),
        ("wedge", "04A3C6CAE26180", b"04A3C6CAE26180\n".hex()),
    ],
)
def test_what_a_reader_says_by_itself(kind: str, uid: str, data: str) -> None:
    reader = on(EMULATORS[kind]())
    reader.place(bytes.fromhex(uid), 0, 1.0)
    assert reader.sent().hex() == data.lower()


def test_a_tag_that_lies_there_is_repeated_every_65_ms_by_an_rdm6300_and_two_silence_each_other() -> None:
    reader = on(EMULATORS["rdm6300"]())
    reader.place(EM4100, 0, 1.0)
    reader.sent()
    frames = 0
    for _ in range(10):
        assert reader.wake is not None
        now = reader.wake
        reader.tick(now)
        frames += reader.sent().count(b"\x02")
    assert (frames, round(now, 2)) == (10, 1.65)
    reader.place(bytes.fromhex("14008EC793"), 0, now)
    for _ in range(5):
        assert reader.wake is not None
        reader.tick(reader.wake)
    assert reader.sent() == b""
    reader.remove(None, None, now)
    reader.tick(now + 1)
    assert (reader.sent(), reader.wake) == (b"", None)


PN532_TALK = [
    ("5555000000000000000000" + "0000FF02FED4022A00", "0000FF00FF00" + "0000FF06FAD50332010607E800"),
    ("0000FF05FBD4140114000300", "0000FF00FF00" + "0000FF02FED5151600"),
    ("0000FF06FAD43205FF0102F300", "0000FF00FF00" + "0000FF02FED533F800"),
    ("0000FF04FCD44A0100E100", "0000FF00FF00" + "0000FF03FDD54B00E000"),
]  # fmt: skip


def test_a_pn532_answers_as_on_the_wire() -> None:
    reader = on(EMULATORS["pn532"]())
    reader.feed(bytes.fromhex("0000FF02FED4022A00"), 0.0)
    assert reader.sent() == b""  # it sleeps
    for asked, answer in PN532_TALK:
        reader.feed(bytes.fromhex(asked), 0.0)
        assert reader.sent().hex().upper() == answer
    reader.place(NTAG, 0, 0.0)
    reader.feed(bytes.fromhex("0000FF04FCD44A0100E100"), 0.0)
    assert reader.sent().hex().upper() == "0000FF00FF00" + "0000FF0FF1D54B01010044000704A3C6CAE261809900"
    reader.remove(NTAG, 0, 0.0)
    reader.place(CLASSIC, 0, 0.0)
    reader.place(NTAG, 0, 0.0)
    for byte in bytes.fromhex("0000FF04FCD44A0200E000"):  # in pieces
        reader.feed(bytes([byte]), 0.0)
    both = "0000FF18E8D54B020100040804" + "45C52583" + "0200440007" + "04A3C6CAE26180" + "D400"
    assert reader.sent().hex().upper() == "0000FF00FF00" + both


def test_a_twn4_answers_as_its_manual_says() -> None:
    reader = on(EMULATORS["twn4"]())
    reader.feed(b"050010\r", 0.0)
    reader.place(NTAG, 0, 0.0)
    reader.feed(b"0500", 0.0)
    reader.feed(b"10\r", 0.0)
    reader.feed(b"0407646009F401F401\r9999\r", 0.0)
    assert reader.sent() == b"0000\r000180380704A3C6CAE26180\r00\r01\r"
    assert reader.shown() == ["It beeps."]


def test_a_uhf_module_sends_notices_while_it_polls() -> None:
    reader = on(EMULATORS["r200"]())
    reader.place(EPC, 0, 0.0)
    assert reader.sent() == b""
    # The vendor's example with the length of an EPC alone in PC (3000 for 3400), and so another sum.
    reader.feed(bytes.fromhex("BB00220000227E"), 0.0)
    assert reader.sent().hex().upper() == "BB02220011C9300030751FEB705C5904E3D50D703A76EB7E"
    reader.remove(None, None, 0.0)
    reader.feed(bytes.fromhex("BB00220000227E"), 0.0)
    assert reader.sent().hex().upper().endswith("BB01FF000115167E")
    reader.place(EPC, 0, 0.0)
    reader.feed(bytes.fromhex("BB0027000322FFFF4A7E"), 0.0)
    first = reader.sent()
    reader.tick(0.05)
    assert reader.sent() == first
    reader.feed(bytes.fromhex("BB00280000287E"), 0.1)
    reader.sent()
    reader.tick(9.0)
    assert (reader.sent(), reader.wake) == (b"", None)


def frames(data: bytes) -> list[str]:
    """Bodies without their stuffing; enough for short pieces, as an independent reading of section 3."""
    bodies = []
    for stuffed in filter(None, data.split(b"\x00")):
        body, rest = b"", stuffed
        while rest:
            body += rest[1 : rest[0]] + b"\x00"
            rest = rest[rest[0] :]
        bodies.append(body[:-3].hex().upper())
    return bodies


HELLO = bytes.fromhex("0005010101010807123456784915 00")
SNAPSHOT = bytes.fromhex("0005030AE91600")
STATUS = bytes.fromhex("0005060C762500")
FEEDBACK = bytes.fromhex("0004040D030801020205DCD62600")
BYE = bytes.fromhex("000508FF8A5600")
ACK_1 = bytes.fromhex("00020701010104 01D67000")


def test_our_own_protocol_answers_as_its_specification_says() -> None:
    reader = on(EmulatedShoal(4, device=bytes.fromhex("5348523112345678"), boot=40))
    reader.feed(STATUS, 0.0)
    assert frames(reader.sent()) == ["FF0C06040000"]  # no session
    reader.feed(HELLO, 0.0)
    name = b"shoal-emulator 1.0.0".hex().upper()
    welcome = "81010100071234567853485231123456780000002901040860" + "03E8" + "00000000" + "14" + name
    assert frames(reader.sent()) == [welcome]
    reader.feed(bytes.fromhex("0003020203C49E00"), 0.0)
    assert frames(reader.sent()) == ["82020000003F3C0705" + b"pad 1".hex().upper()]
    reader.feed(SNAPSHOT, 0.0)
    assert reader.sent().hex().upper() == "00" + "03830A0101010102010328C9" + "00"  # section 15: tags, none
    reader.place(NTAG, 0, 1.0)
    assert frames(reader.sent()) == ["C00000000001010001800000" + "03E8" + "0704A3C6CAE26180"]
    reader.feed(SNAPSHOT, 1.0)
    stuffed = "03830A010102010301010C010704A3C6CAE26180721C"  # section 15: tags
    assert reader.sent().hex().upper() == "00" + stuffed + "00"
    reader.tick(1.25)
    assert len(frames(reader.sent())) == 2  # the event again, and the heartbeat
    reader.feed(ACK_1, 1.3)
    reader.tick(1.9)
    assert reader.sent() == b""
    reader.feed(FEEDBACK + FEEDBACK, 2.0)
    assert frames(reader.sent()) == ["800D04", "800D04"]
    assert reader.shown() == ["Antenna 3: light red, with two beeps."]  # once
    reader.feed(BYE, 2.0)
    assert frames(reader.sent()) == ["80FF08"]
    reader.place(CLASSIC, 3, 2.0)
    assert (reader.sent(), reader.wake) == (b"", None)  # silent without a session


def test_a_session_ends_when_the_host_is_silent_and_events_give_way() -> None:
    reader = EmulatedShoal(1)
    on(reader)
    reader.feed(HELLO, 0.0)
    reader.sent()
    for number in range(10):
        reader.place(bytes([4, 0, 0, 0, 0, 0, number]), 0, 0.1)
    assert [int(body[4:12], 16) for body in frames(reader.sent())] == list(range(1, 11))
    reader.tick(0.5)
    assert [int(body[4:12], 16) for body in frames(reader.sent())] == list(range(3, 11))  # two gave way
    reader.feed(STATUS, 0.6)
    assert frames(reader.sent()) == ["860C00000258" + "0000000A" + "0000" + "0002" + "0101"]
    reader.tick(10.7)
    assert reader.wake is None


def test_a_deaf_antenna_keeps_what_it_heard_last() -> None:
    reader = on(EmulatedShoal(2))
    reader.feed(HELLO, 0.0)
    reader.place(NTAG, 1, 0.1)
    reader.listen(1, True, 0.2)
    reader.remove(NTAG, 1, 0.3)
    reader.place(CLASSIC, 1, 0.4)
    reader.sent()
    reader.feed(STATUS + SNAPSHOT, 0.5)
    status, tags = frames(reader.sent())
    assert status.endswith("020100")
    assert tags == "830A" + "00000001" + "0001" + "01" + "01010704A3C6CAE26180"
    reader.listen(1, False, 0.6)
    changes = [body[12:14] + body[28:] for body in frames(reader.sent())]
    assert changes == ["02" + "0704A3C6CAE26180", "01" + "0445C52583"]


@given(st.sampled_from(sorted(EMULATORS)), st.lists(st.binary(max_size=60), max_size=20))
def test_no_bytes_disturb_an_emulator(kind: str, pieces: list[bytes]) -> None:
    reader = on(EMULATORS[kind]())
    tag = next(uid for uid in (NTAG, EM4100, EPC) if not reader.lengths or len(uid) in reader.lengths)
    reader.place(tag, 0, 0.0)
    for number, piece in enumerate(pieces):
        reader.feed(piece, number / 10)
        reader.tick(number / 10)
        assert len(reader.sent()) < 20_000
    reader.cut()
    reader.power(9.0)
    assert [list(tags) for tags in reader.tags] == [[tag]]


def test_there_is_an_emulator_for_each_kind_of_reader() -> None:
    assert set(EMULATORS) == set(PROFILES)


def test_what_a_reader_cannot_read_is_refused() -> None:
    with pytest.raises(Unreadable, match="A rdm6300 reads ids of 5 bytes, and 04A3C6CAE26180 has 7"):
        EMULATORS["rdm6300"]().place(NTAG, 0, 0.0)
    with pytest.raises(Unreadable, match="There is no antenna 1: this reader has antenna 0 only"):
        EMULATORS["pn532"]().place(NTAG, 1, 0.0)
    with pytest.raises(Unreadable, match="A twn4 has one antenna"):
        EMULATORS["twn4"](2)


# --- scripts ------------------------------------------------------------------------------------------------


def resolve(text: str) -> bytes:
    if text == "9S":
        return NTAG
    try:
        return parse(text).data
    except ValueError:
        raise BadScript(f"{text} is no tag.") from None


def test_a_script_is_read() -> None:
    text = """\
        # a turn
        0.5 place 04A1B2C3D4E5F6 on 1   # the first
        .5 Remove 9S
        remove all
        remove on 1
        9S
        04 A3 C6 CA E2 61 80 on 1
        tap 0006102437
        new 52
        noise 8
        deaf on 1
        2 well on 1
        wait 1.5

        unplug
        1 replug
        reset
        quit
    """
    steps = parse_script(text, resolve, EmulatedShoal(2))
    assert steps == [
        Step(Verb.PLACE, 0.5, bytes.fromhex("04A1B2C3D4E5F6"), 1),
        Step(Verb.REMOVE, 0.5, NTAG),
        Step(Verb.REMOVE),
        Step(Verb.REMOVE, antenna=1),
        Step(Verb.TAP, 0, NTAG, 0),
        Step(Verb.TAP, 0, NTAG, 1),
        Step(Verb.TAP, 0, bytes.fromhex("005D1DA5"), 0),
        Step(Verb.NEW, 0, None, 0, 52),
        Step(Verb.NOISE, count=8),
        Step(Verb.DEAF, 0, None, 1),
        Step(Verb.WELL, 2, None, 1),
        Step(Verb.WAIT, 1.5),
        Step(Verb.UNPLUG),
        Step(Verb.REPLUG, 1),
        Step(Verb.RESET),
        Step(Verb.QUIT),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("place", "place needs a tag"),
        ("place on 0", "place needs a tag"),
        ("remove", "remove needs a tag, all, or on"),
        ("jump", "jump is no tag."),
        ("tap 9S on 7", "There is no antenna 7: this reader has antennas 0 to 1."),
        (
            "tap AABBCC00DDEEFF00AABBCC00DDEEFF00AABBCC00DDEEFF00AABBCC00DDEEFF00AA",
            "reads ids of 4 to 32 bytes",
        ),
        ("new 0", "is no number from 1 to 200"),
        ("noise -3", "is no number from 1 to 4096"),
        ("wait", "wait needs seconds"),
        ("wait 99999", "wait needs seconds"),
        ("99999 unplug", "more than 3600 seconds"),
        ("unplug now", "unplug takes no 'now'"),
        ("reset on 1", "about the whole reader"),
    ],
)
def test_a_line_that_is_no_command_is_told_with_its_number(line: str, why: str) -> None:
    with pytest.raises(BadScript) as caught:
        parse_script(f"tap 9S\n\n{line}\n", resolve, EmulatedShoal(2))
    assert str(caught.value).startswith("line 3: ")
    assert why in str(caught.value)


@given(st.text(max_size=80))
def test_any_line_is_a_step_or_one_sentence(line: str) -> None:
    with contextlib.suppress(BadScript):
        parse_line(line, resolve, EmulatedShoal(2))


def test_new_tags_are_each_another_one() -> None:
    for kind, make_reader in EMULATORS.items():
        reader = make_reader()
        uids = [fresh_uid(reader, b"seed", number) for number in range(200)]
        assert len(set(uids)) == 200, kind
        reader.check(uids[0], 0)
        assert fresh_uid(reader, b"other", 0) != uids[0]


# --- on real wires ------------------------------------------------------------------------------------------


Events = list[Event | Read]


@contextlib.asynccontextmanager
async def table(link: ReaderLink, known: bool = True) -> AsyncIterator[tuple[Events, Callable[..., object]]]:
    """A link that is watched; the second value waits until a condition holds for what came."""
    came: Events = []
    news = asyncio.Event()

    async def follow() -> None:
        async for event, _at in watch([link], Tracker(lambda uid: uid if known else None)):
            came.append(event)
            news.set()

    async def until(condition: Callable[[Events], bool]) -> None:
        async with asyncio.timeout(LIMIT):
            while not condition(came):
                assert not task.done()
                news.clear()
                await news.wait()

    task = asyncio.create_task(follow())
    try:
        yield came, until
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def has(kind: type, uid: bytes, antenna: int = 0) -> Callable[[Events], bool]:
    place = Place("r", antenna)
    return lambda came: any(
        isinstance(event, kind) and event.place == place and event.uid == Uid(uid) for event in came
    )


def is_up(came: Events) -> bool:
    return any(isinstance(event, Read) and isinstance(event.reading, LinkUp) for event in came)


def running(reader: EmulatedReader, wire: PtyWire | TcpWire, told: list[str] | None = None) -> RunningReader:
    return RunningReader(reader, wire, seed=b"test", tell=(told if told is not None else []).append)


TAGS = {"rdm6300": EM4100, "id12": EM4100, "r200": EPC}
TAPPING = {"id12", "text", "ndjson"}


@pytest.mark.parametrize("kind", sorted(set(EMULATORS) - {"wedge"}))
async def test_the_driver_reads_the_emulator_over_a_pseudo_terminal(kind: str) -> None:
    uid = TAGS.get(kind, NTAG)
    told: list[str] = []
    async with running(EMULATORS[kind](), PtyWire(), told) as emulated:
        link = ReaderLink("r", port_name(emulated.wire.where), make(kind), ports=list)
        async with table(link) as (_came, until):
            await until(is_up)
            if kind in TAPPING:
                # What is said at once may be the end of a line: a driver of lines waits for the first pause.
                await asyncio.sleep(0.5)
            await emulated.do(Step(Verb.PLACE, 0, uid, 0))
            await until(has(Tapped if kind in TAPPING else Placed, uid))
            if kind not in TAPPING:
                await emulated.do(Step(Verb.REMOVE, 0, uid))
                await until(has(Removed, uid))
    assert told[0] == f"{uid.hex().upper()} lies on antenna 0."


@pytest.mark.parametrize("kind", ["shoal", "pn532", "twn4"])
async def test_detection_recognises_what_answers(kind: str) -> None:
    async with running(EMULATORS[kind](), PtyWire()) as emulated:
        found: Detection = await detect(emulated.wire.where)
    assert found.finding is not None, found.saw
    assert found.finding.profile == PROFILES[kind]


async def test_a_reader_is_found_again_under_its_link_with_all_that_lies_there(tmp_path: Path) -> None:
    link = tmp_path / "reader"
    told: list[str] = []
    async with running(EmulatedShoal(2), PtyWire(link), told) as emulated:
        first = link.readlink()
        port = ReaderLink("r", port_name(str(link)), OwnReader(7), ports=list)
        async with table(port) as (came, until):
            await until(is_up)
            await emulated.do(Step(Verb.PLACE, 0, NTAG, 1))
            await until(has(Placed, NTAG, 1))
            await emulated.do(Step(Verb.UNPLUG))
            await until(lambda came: any(isinstance(event, Unsure) for event in came))
            assert not link.exists()
            holder = os.openpty()  # so that the system gives another name
            came.clear()
            await emulated.do(Step(Verb.REMOVE, 0, NTAG))
            await emulated.do(Step(Verb.REPLUG))
            await until(has(Removed, NTAG, 1))
            assert link.readlink() != first
            for number in holder:
                os.close(number)
    assert not link.is_symlink()
    assert told[-1] == f"The reader is plugged in, at {link}."


async def test_over_tcp_a_reader_is_there_again_after_it_was_unplugged() -> None:
    async with running(EmulatedShoal(1), TcpWire("127.0.0.1", 0)) as emulated:
        link = ReaderLink("r", port_name(emulated.wire.where), OwnReader(7), ports=list)
        async with table(link) as (came, until):
            await emulated.do(Step(Verb.PLACE, 0, NTAG, 0))
            await until(has(Placed, NTAG))
            await emulated.do(Step(Verb.UNPLUG))
            await until(
                lambda came: any(isinstance(e, Read) and isinstance(e.reading, LinkLost) for e in came)
            )
            came.clear()
            await emulated.do(Step(Verb.REPLUG))
            await until(is_up)
            await emulated.do(Step(Verb.REMOVE, 0, NTAG))
            await until(has(Removed, NTAG))


async def test_a_board_that_starts_anew_in_mid_turn_loses_no_tag() -> None:
    async with running(EmulatedShoal(1), PtyWire()) as emulated:
        link = ReaderLink("r", port_name(emulated.wire.where), OwnReader(7), ports=list)
        async with table(link) as (came, until):
            await until(is_up)
            await emulated.do(Step(Verb.PLACE, 0, NTAG, 0))
            await until(has(Placed, NTAG))
            came.clear()
            await emulated.do(Step(Verb.RESET))
            await until(lambda came: any(isinstance(event, Unsure) for event in came))
            await emulated.do(Step(Verb.PLACE, 0, CLASSIC, 0))
            await until(has(Placed, CLASSIC))
    assert not has(Removed, NTAG)(came)


async def test_noise_costs_nothing_that_comes_after_it() -> None:
    async with running(EmulatedShoal(1), PtyWire()) as emulated:
        link = ReaderLink("r", port_name(emulated.wire.where), OwnReader(7), ports=list)
        async with table(link) as (_came, until):
            await until(is_up)
            await emulated.do(Step(Verb.NOISE, count=400))
            await emulated.do(Step(Verb.TAP, 0, NTAG, 0))
            await until(has(Placed, NTAG))
            await until(has(Removed, NTAG))


async def test_a_row_of_new_tags_is_read_one_by_one() -> None:
    async with running(EmulatedShoal(1), PtyWire()) as emulated:
        link = ReaderLink("r", port_name(emulated.wire.where), OwnReader(7), ports=list)
        async with table(link, known=False) as (came, until):
            await until(is_up)
            await emulated.do(Step(Verb.NEW, 0, None, 0, 3))
            await until(lambda came: sum(isinstance(event, Removed) for event in came) == 3)
    placed = [event.uid.data for event in came if isinstance(event, Placed)]
    assert placed == [fresh_uid(EmulatedShoal(1), b"test", number) for number in range(3)]


def test_without_pseudo_terminals_the_other_way_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wires.sys, "platform", "win32")
    with pytest.raises(NoPty, match=r"use a TCP port with --listen HOST:PORT\.$"):
        PtyWire()
    assert sys.platform == "win32"


async def test_a_link_never_replaces_a_file_and_a_port_in_use_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine"
    file.write_text("precious")
    with pytest.raises(PortError, match="mine is there already, and no link"):
        async with running(EmulatedShoal(1), PtyWire(file)):
            pass
    assert file.read_text() == "precious"
    async with running(EmulatedShoal(1), TcpWire("127.0.0.1", 0)) as emulated:
        port = int(emulated.wire.where.rpartition(":")[2])
        with pytest.raises(PortError, match=rf"at 127\.0\.0\.1:{port}: address already in use\."):
            async with running(EmulatedShoal(1), TcpWire("127.0.0.1", port)):
                pass
