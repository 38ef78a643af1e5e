"""Naming ports, finding them again, and what is said when that fails."""

import errno
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from hardware.io import (
    BadPort,
    NoPort,
    Port,
    PortError,
    PortRefused,
    SeveralPorts,
    Unsupported,
    explain,
    find,
    port_name,
    require_serial,
    stable_name,
)
from hardware.io import ports as ports_module
from hardware.io.ports import list_ports
from hardware.io.serial_port import open_serial

from .emulators import Emulator, plugged

NANO = Port("/dev/ttyUSB0", 0x1A86, 0x7523, None, "1-1.2", "USB Serial")
OTHER_NANO = Port("/dev/ttyUSB1", 0x1A86, 0x7523, None, "1-1.3", "USB Serial")
UNO = Port("/dev/ttyACM0", 0x2341, 0x0043, "85430353531351B0", "1-1.4", "Arduino Uno")
PLAIN = Port("/dev/ttyS0")


@pytest.mark.parametrize(
    ("text", "ports", "device"),
    [
        ("/dev/ttyUSB7", [], "/dev/ttyUSB7"),
        ("COM3", [NANO], "COM3"),
        ("socket://127.0.0.1:7000", [], "socket://127.0.0.1:7000"),
        ("rfc2217://host:7000?timeout=3", [], "rfc2217://host:7000?timeout=3"),
        ("usb:1a86:7523", [PLAIN, NANO, UNO], "/dev/ttyUSB0"),
        ("USB:1A86:7523", [NANO], "/dev/ttyUSB0"),
        ("usb:2341:0043:85430353531351B0", [NANO, UNO], "/dev/ttyACM0"),
        ("usb:1a86:7523@1-1.3", [NANO, OTHER_NANO], "/dev/ttyUSB1"),
    ],
)
def test_p31_a_port_by_its_name(text: str, ports: list[Port], device: str) -> None:
    assert find(port_name(text), lambda: ports) == device


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(
        NoPort,
        match=r"No reader usb:2341:0043 is plugged in; there are /dev/ttyUSB0 \(USB Serial, 1a86:7523\)\.",
    ):
        find(port_name("usb:2341:0043"), lambda: [NANO])
    with pytest.raises(NoPort, match="no serial port is there"):
        find(port_name("usb:2341:0043:X"), list)


def test_p31_two_adapters_without_serial_numbers() -> None:
    with pytest.raises(SeveralPorts, match=r"usb:1a86:7523@1-1\.2, usb:1a86:7523@1-1\.3"):
        find(port_name("usb:1a86:7523"), lambda: [NANO, OTHER_NANO])


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "usb:", "usb:1a86", "usb:zzzz:7523", "a b", "x\x00", "socket://127.0.0.1", "socket://h:99999",
        "socket:///x", "rfc2217://[::1", "RFC2217://h:0",
    ],
)  # fmt: skip
def test_texts_that_name_no_port(text: str) -> None:
    with pytest.raises(BadPort, match="is no port"):
        port_name(text)


def test_p31_the_name_that_lasts() -> None:
    everything = [NANO, OTHER_NANO, UNO, PLAIN]
    for port in everything:
        assert find(port_name(stable_name(port, everything)), lambda: everything) == port.device
    assert stable_name(NANO, [NANO]) == "usb:1a86:7523"
    assert stable_name(UNO, everything) == "usb:2341:0043:85430353531351B0"


def test_the_ports_of_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    from serial.tools import list_ports as lister

    infos = [
        SimpleNamespace(
            device="/dev/ttyS4",
            vid=None,
            pid=None,
            serial_number=None,
            location=None,
            product=None,
            hwid="n/a",
        ),
        SimpleNamespace(
            device="/dev/ttyS0",
            vid=None,
            pid=None,
            serial_number=None,
            location=None,
            product=None,
            hwid="PNP0501",
        ),
        SimpleNamespace(
            device="/dev/ttyACM0",
            vid=0x2341,
            pid=0x43,
            serial_number="8",
            location="1-1",
            product="Uno",
            hwid="USB",
        ),
    ]
    monkeypatch.setattr(lister, "comports", lambda: infos)
    assert list_ports() == [Port("/dev/ttyACM0", 0x2341, 0x43, "8", "1-1", "Uno"), PLAIN]
    assert str(list_ports()[0]) == "/dev/ttyACM0 (Uno, 2341:0043)"


@pytest.mark.parametrize("group", ["dialout", "uucp"])
def test_p34_permission_denied_names_the_group_and_the_command(
    group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import grp

    monkeypatch.setattr(grp, "getgrgid", lambda _gid: SimpleNamespace(gr_name=group))
    monkeypatch.setenv("USER", "ben")
    error = explain(serial.SerialException(errno.EACCES, "could not open port"), "/dev/null")
    assert isinstance(error, PortRefused)
    assert f"sudo usermod -a -G {group} ben, then log out" in str(error)


def test_p34_the_sentence_when_a_port_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, _flags: int) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    import grp

    monkeypatch.setattr("serial.serialposix.os.open", refuse)
    monkeypatch.setattr(grp, "getgrgid", lambda _gid: SimpleNamespace(gr_name="dialout"))
    with pytest.raises(PortRefused, match="usermod -a -G dialout"):
        open_serial("/dev/null", 9600)


def test_permission_denied_by_a_group_that_is_no_help(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "sudo chmod a+rw /dev/not-there" in str(explain(PermissionError(13, "no"), "/dev/not-there"))


def test_a_device_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.io.serial_port.list_ports", lambda: [NANO])
    with pytest.raises(NoPort) as raised:
        open_serial("/dev/not-there", 9600)
    assert str(raised.value) == (
        "There is no port /dev/not-there: is the reader plugged in? Now there are /dev/ttyUSB0. Under a name "
        "such as usb:1a86:7523 it is found again in any socket."
    )


def test_a_device_that_does_not_exist_where_no_port_has_a_better_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hardware.io.serial_port.list_ports", list)
    with pytest.raises(NoPort, match=r"plugged in\? This machine has no serial port now\.$"):
        open_serial("/dev/not-there", 9600)


@pytest.mark.skipif(sys.platform == "win32", reason="a device of POSIX systems")
def test_what_is_no_serial_port_at_all(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in ("/dev/null", str(tmp_path), str(tmp_path / "file")):
        with pytest.raises(BadPort) as raised:
            open_serial(path, 9600)
        assert str(raised.value) == f"{path} is no serial port."


@pytest.mark.parametrize("number", [errno.EIO, errno.EINVAL, errno.ENOTTY, errno.ENOMEM, errno.EROFS])
def test_no_error_of_python_is_shown(number: int) -> None:
    cause = (number, os.strerror(number))
    for error in (
        serial.SerialException(f"Could not configure port: {cause}"),
        serial.SerialException(
            number, f"could not open port /dev/ttyS0: [Errno {number}] {cause[1]}: '/dev/x'"
        ),
        OSError(*cause),
    ):
        said = str(explain(error, "/dev/ttyS0"))
        assert "/dev/ttyS0" in said
        assert not any(part in said for part in ("Errno", "(", "'", "configure")), said


BRIDGE = "rfc2217://h:4000"


@pytest.mark.network
def test_a_bridge_that_does_not_answer() -> None:
    import socket

    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(NoPort, match="is its network bridge on"):
            open_serial(f"socket://127.0.0.1:{port}", 9600)


@pytest.mark.network
@pytest.mark.parametrize(
    ("scheme", "words"),
    [("socket", "is known on this network"), ("rfc2217", "is known on this network")],
)
def test_a_bridge_of_a_name_that_nobody_has(scheme: str, words: str) -> None:
    with pytest.raises(NoPort, match=words):
        open_serial(f"{scheme}://no-such-bridge.invalid:4000", 9600)


def test_a_bridge_of_plain_bytes_that_is_asked_for_rfc2217() -> None:
    said = explain(
        serial.SerialException("Remote does not seem to support RFC2217 or BINARY mode []"), BRIDGE
    )
    assert str(said) == (
        "rfc2217://h:4000 does not speak RFC 2217. A bridge of plain bytes is named socket://h:4000."
    )


def test_a_bridge_that_serves_somebody_else() -> None:
    said = explain(serial.SerialException(f"[Errno {errno.ECONNRESET}] Connection reset by peer"), BRIDGE)
    assert "ends each connection at once: does another program use it?" in str(said)


def test_a_url_that_is_none() -> None:
    for url in ("nonsense://x", "socket://nowhere"):
        with pytest.raises(PortError, match=url):
            open_serial(url, 9600)


async def test_p33_a_port_is_ours_alone() -> None:
    emulator = Emulator()
    with plugged(emulator):
        first = open_serial(emulator.device, 9600)
        try:
            with pytest.raises(PortRefused, match="Another program uses"):
                open_serial(emulator.device, 9600)
        finally:
            first.close()


async def test_p28_the_lines_that_reset_a_board_stay_low() -> None:
    emulator = Emulator()
    with plugged(emulator):
        port = open_serial(emulator.device, 115200)
        try:
            assert (port.dtr, port.rts, port.baudrate) == (False, False, 115200)
        finally:
            port.close()


def test_without_pyserial(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "serial"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "serial", None)
    for call in (lambda: open_serial("/dev/x", 9600), ports_module.list_ports, require_serial):
        with pytest.raises(Unsupported, match=f'{re.escape(sys.executable)} -m pip install "pyserial'):
            call()
    assert os.sep == "/"
