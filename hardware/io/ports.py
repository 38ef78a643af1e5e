"""Which ports there are, and how one is named so that it is found again.

A port is named by its device (``/dev/ttyUSB0``, ``COM3``, a link in ``/dev/serial/by-id``), by any URL of
pyserial (``socket://host:port``, ``rfc2217://host:port``), or by what is plugged in: ``usb:1a86:7523``,
``usb:2341:0043:SERIAL``, ``usb:1a86:7523@1-1.2`` (vendor, product, serial number, place of the socket). Only
the last form survives that the system gives the device another name when it is plugged in again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from .errors import BadPort, NoPort, SeveralPorts, Unsupported
from .installing import no_serial

_USB = re.compile(
    r"usb:(?P<vendor>[0-9a-f]{4}):(?P<product>[0-9a-f]{4})(?::(?P<serial>[^@\s]+))?(?:@(?P<location>\S+))?",
    re.IGNORECASE,
)
_NETWORK: Final = frozenset({"socket", "rfc2217"})
"""URLs of pyserial that need a host and a port, and say of what is missing what a person cannot read."""

_MAKERS = {
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x1A86: "CH340 adapter",
    0x10C4: "CP210x adapter",
    0x0403: "FTDI adapter",
    0x303A: "Espressif board",
    0x2E8A: "Raspberry Pi Pico",
    0x067B: "Prolific adapter",
    0x09D8: "Elatec reader",
}


@dataclass(frozen=True, slots=True)
class Port:
    """A port of this machine, with what its USB device says of itself."""

    device: str
    vendor: int | None = None
    product: int | None = None
    serial: str | None = None
    location: str | None = None
    description: str = ""

    def __str__(self) -> str:
        if self.vendor is None or self.product is None:
            return self.device
        what = self.description or _MAKERS.get(self.vendor, "USB device")
        return f"{self.device} ({what}, {self.vendor:04x}:{self.product:04x})"


PortLister: TypeAlias = Callable[[], Sequence[Port]]


@dataclass(frozen=True, slots=True)
class PortName:
    """What names a port: a device or URL, or what is plugged in."""

    text: str
    device: str = ""
    vendor: int = 0
    product: int = 0
    serial: str | None = None
    location: str | None = None

    def __str__(self) -> str:
        return self.text


def port_name(text: str) -> PortName:
    """The name in ``text``. Raises `BadPort`."""
    text = text.strip()
    if match := _USB.fullmatch(text):
        return PortName(
            text, "", int(match["vendor"], 16), int(match["product"], 16), match["serial"], match["location"]
        )
    if text.lower().startswith("usb:"):
        raise BadPort(f"{text} is no port: write usb:VENDOR:PRODUCT, such as usb:1a86:7523.")
    if not text or any(c.isspace() or not c.isprintable() for c in text):
        samples = "/dev/ttyUSB0, usb:1a86:7523 or socket://host:port"
        raise BadPort(f"{text!r} is no port: name one such as {samples}.")
    scheme = text.partition("://")[0].lower()
    if scheme in _NETWORK and not _has_host_and_port(text):
        raise BadPort(f"{text} is no port: write {scheme}://HOST:PORT, such as {scheme}://127.0.0.1:4000.")
    return PortName(text, text)


def _has_host_and_port(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname and parts.port)
    except ValueError:  # a port above 65535, or brackets that do not close
        return False


def stable_name(port: Port, ports: Sequence[Port] = ()) -> str:
    """The name under which a port is found again after it was plugged in elsewhere, or in the same socket.

    Cheap adapters have no serial number; where ``ports`` has several alike, the socket tells them apart.
    """
    if port.vendor is None or port.product is None:
        return port.device
    name = f"usb:{port.vendor:04x}:{port.product:04x}"
    if port.serial and not re.search(r"[@\s]", port.serial):
        alike = [each for each in ports if each.serial == port.serial and each.vendor == port.vendor]
        if len(alike) <= 1:
            return f"{name}:{port.serial}"
    alike = [each for each in ports if (each.vendor, each.product) == (port.vendor, port.product)]
    return f"{name}@{port.location}" if port.location and len(alike) > 1 else name


def find(name: PortName, ports: PortLister) -> str:
    """The device or URL to open. Raises `NoPort` if it is not plugged in, `SeveralPorts` if the name fits
    several."""
    if name.device:
        return name.device
    there = ports()
    fitting = [
        port
        for port in there
        if (port.vendor, port.product) == (name.vendor, name.product)
        and name.serial in {None, port.serial}
        and name.location in {None, port.location}
    ]
    if not fitting:
        others = f"there are {', '.join(map(str, there))}" if there else "no serial port is there"
        raise NoPort(f"No reader {name} is plugged in; {others}.")
    if len(fitting) > 1:
        names = ", ".join(stable_name(port, there) for port in fitting)
        raise SeveralPorts(f"Several readers are {name}: name one of {names}.")
    return fitting[0].device


def list_ports() -> list[Port]:
    """The ports of this machine that have hardware behind them. Raises `Unsupported` without pyserial."""
    try:
        from serial.tools import list_ports as lister  # noqa: PLC0415  # slow, and most never need it
    except ImportError:
        raise Unsupported(no_serial()) from None
    ports = [
        Port(info.device, info.vid, info.pid, info.serial_number, info.location, info.product or "")
        for info in lister.comports()
        if info.hwid != "n/a"
    ]
    return sorted(ports, key=lambda port: (port.vendor is None, port.device))
