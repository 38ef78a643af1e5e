"""The kinds of fields a message is made of: for each its bytes, its JSON value and its limits.

A message's layout is written once (``messages``); both encodings follow from it. Integers are big-endian.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any, Protocol

from .errors import InvalidMessage, MalformedMessage

UID_MIN = 4
"""Shortest tag identifier: ISO 14443 single size."""
UID_MAX = 32
"""Longest tag identifier. EPC-96 and EPC-128 take 12 and 16 bytes; one of 32 leaves room in a frame of 96."""


def quoted(value: Any) -> str:
    """A value from the other side as a person may see it: short, and without control characters."""
    text = ascii(value)
    return text if len(text) <= 40 else text[:37] + "..."


class Cursor:
    """Reads the payload of a frame from left to right."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        """The next ``count`` bytes; raises ``MalformedMessage`` where fewer are left."""
        end = self._at + count
        if end > len(self._data):
            raise MalformedMessage(f"the message ends {end - len(self._data)} bytes early")
        piece = self._data[self._at : end]
        self._at = end
        return piece

    def finish(self) -> None:
        """Raises ``MalformedMessage`` where bytes are left over."""
        if self._at != len(self._data):
            raise MalformedMessage(f"{len(self._data) - self._at} bytes follow the end of the message")


class Field(Protocol):
    """One kind of field. ``check`` raises ``InvalidMessage``; ``read`` and ``parse`` ``MalformedMessage``."""

    def check(self, value: Any) -> None:
        """Refuse a value that the field cannot carry."""

    def write(self, value: Any) -> bytes:
        """The bytes of a checked value."""

    def read(self, cursor: Cursor) -> Any:
        """The value from its bytes."""

    def show(self, value: Any) -> Any:
        """The JSON value of a checked value."""

    def parse(self, shown: Any) -> Any:
        """The value from its JSON value."""


def _whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


@dataclass(frozen=True, slots=True)
class Number:
    """An unsigned integer of ``size`` bytes between ``low`` and ``high``."""

    size: int
    low: int
    high: int

    def check(self, value: Any) -> None:
        """See ``Field``."""
        if not _whole(value, self.low, self.high):
            raise InvalidMessage(f"{quoted(value)} is not a whole number from {self.low} to {self.high}")

    def write(self, value: int) -> bytes:
        """See ``Field``."""
        return value.to_bytes(self.size, "big")

    def read(self, cursor: Cursor) -> int:
        """See ``Field``."""
        return self.parse(int.from_bytes(cursor.take(self.size), "big"))

    def show(self, value: int) -> int:
        """See ``Field``."""
        return value

    def parse(self, shown: Any) -> int:
        """See ``Field``."""
        if not _whole(shown, self.low, self.high):
            raise MalformedMessage(f"{quoted(shown)} is not a whole number from {self.low} to {self.high}")
        number: int = shown
        return number


def number(size: int, low: int = 0, high: int | None = None) -> Number:
    """An unsigned integer of ``size`` bytes, by default over the whole range."""
    return Number(size, low, (1 << 8 * size) - 1 if high is None else high)


@dataclass(frozen=True, slots=True)
class Signal:
    """A signal strength in dBm from -127 to 0 as a signed byte; 0x80, in JSON ``null``, is "not known"."""

    def check(self, value: Any) -> None:
        """See ``Field``."""
        if value is not None and not _whole(value, -127, 0):
            raise InvalidMessage(f"{quoted(value)} is not a signal strength from -127 to 0 dBm")

    def write(self, value: int | None) -> bytes:
        """See ``Field``."""
        return (-128 if value is None else value).to_bytes(1, "big", signed=True)

    def read(self, cursor: Cursor) -> int | None:
        """See ``Field``."""
        value = int.from_bytes(cursor.take(1), "big", signed=True)
        return self.parse(None if value == -128 else value)

    def show(self, value: int | None) -> int | None:
        """See ``Field``."""
        return value

    def parse(self, shown: Any) -> int | None:
        """See ``Field``."""
        if shown is None:
            return None
        if not _whole(shown, -127, 0):
            raise MalformedMessage(f"{quoted(shown)} is not a signal strength from -127 to 0 dBm")
        strength: int = shown
        return strength


@dataclass(frozen=True, slots=True)
class Choice:
    """One byte that is one of the members of ``kind``; in JSON the member's name in lower case."""

    kind: type[IntEnum]

    def check(self, value: Any) -> None:
        """See ``Field``."""
        if not isinstance(value, self.kind):
            raise InvalidMessage(f"{quoted(value)} is not a {self.kind.__name__}")

    def write(self, value: IntEnum) -> bytes:
        """See ``Field``."""
        return bytes([value])

    def read(self, cursor: Cursor) -> IntEnum:
        """See ``Field``."""
        code = cursor.take(1)[0]
        try:
            return self.kind(code)
        except ValueError:
            raise MalformedMessage(f"{code} is no {self.kind.__name__}") from None

    def show(self, value: IntEnum) -> str:
        """See ``Field``."""
        return value.name.lower()

    def parse(self, shown: Any) -> IntEnum:
        """See ``Field``."""
        for member in self.kind:
            if shown == member.name.lower():
                return member
        raise MalformedMessage(f"{quoted(shown)} is no {self.kind.__name__}")


@dataclass(frozen=True, slots=True)
class Flags:
    """``size`` bytes of which each bit is a member of ``kind``; in JSON the names of those set.

    ``open``: bits without a name are let through and forgotten; they are what a later version adds.
    """

    kind: type[IntFlag]
    size: int = 1
    open: bool = False

    @property
    def _all(self) -> int:
        return sum(self.kind)

    def check(self, value: Any) -> None:
        """See ``Field``."""
        if not isinstance(value, self.kind) or int(value) & ~self._all:
            raise InvalidMessage(f"{quoted(value)} is not made of {self.kind.__name__}")

    def write(self, value: IntFlag) -> bytes:
        """See ``Field``."""
        return int(value).to_bytes(self.size, "big")

    def read(self, cursor: Cursor) -> IntFlag:
        """See ``Field``."""
        bits = int.from_bytes(cursor.take(self.size), "big")
        if bits & ~self._all and not self.open:
            raise MalformedMessage(f"0x{bits:02X} has bits that are no {self.kind.__name__}")
        return self.kind(bits & self._all)

    def show(self, value: IntFlag) -> list[str]:
        """See ``Field``."""
        return [str(member.name).lower() for member in self.kind if member in value]

    def parse(self, shown: Any) -> IntFlag:
        """See ``Field``."""
        names = {str(member.name).lower(): member for member in self.kind}
        if not isinstance(shown, list) or not all(isinstance(name, str) for name in shown):
            raise MalformedMessage(f"{quoted(shown)} is no list of {self.kind.__name__}")
        if len(set(shown)) != len(shown):
            raise MalformedMessage(f"{quoted(shown)} names something twice")
        if not self.open and not set(shown) <= set(names):
            raise MalformedMessage(f"{quoted(shown)} names what is no {self.kind.__name__}")
        return self.kind(sum(names.get(name, 0) for name in shown))


@dataclass(frozen=True, slots=True)
class Octets:
    """``low`` to ``high`` bytes, with a length byte in front where the two differ; in JSON upper-case hex."""

    low: int
    high: int

    def check(self, value: Any) -> None:
        """See ``Field``."""
        if type(value) is not bytes or not self.low <= len(value) <= self.high:
            raise InvalidMessage(f"a tag or a device is {self.low} to {self.high} bytes")

    def write(self, value: bytes) -> bytes:
        """See ``Field``."""
        return value if self.low == self.high else bytes([len(value)]) + value

    def read(self, cursor: Cursor) -> bytes:
        """See ``Field``."""
        size = self.low if self.low == self.high else cursor.take(1)[0]
        return self._sized(cursor.take(size))

    def show(self, value: bytes) -> str:
        """See ``Field``."""
        return value.hex().upper()

    def parse(self, shown: Any) -> bytes:
        """See ``Field``."""
        if not isinstance(shown, str) or len(shown) % 2 or not set(shown) <= set("0123456789ABCDEF"):
            raise MalformedMessage("a tag or a device is not hexadecimal digits in pairs and upper case")
        return self._sized(bytes.fromhex(shown))

    def _sized(self, value: bytes) -> bytes:
        if not self.low <= len(value) <= self.high:
            raise MalformedMessage(f"{len(value)} bytes where {self.low} to {self.high} belong")
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """Printable text of at most ``high`` bytes in UTF-8, with a length byte in front."""

    high: int

    def check(self, value: Any) -> None:
        """See ``Field``."""
        if not isinstance(value, str) or not self._fits(value):
            raise InvalidMessage(f"{quoted(value)} is not printable text of at most {self.high} bytes")

    def write(self, value: str) -> bytes:
        """See ``Field``."""
        data = value.encode()
        return bytes([len(data)]) + data

    def read(self, cursor: Cursor) -> str:
        """See ``Field``."""
        data = cursor.take(cursor.take(1)[0])
        try:
            return self.parse(data.decode())
        except UnicodeDecodeError:
            raise MalformedMessage("a text is not UTF-8") from None

    def show(self, value: str) -> str:
        """See ``Field``."""
        return value

    def parse(self, shown: Any) -> str:
        """See ``Field``."""
        if not isinstance(shown, str) or not self._fits(shown):
            raise MalformedMessage(f"{quoted(shown)} is not printable text of at most {self.high} bytes")
        return shown

    def _fits(self, value: str) -> bool:
        # Surrogates are not printable, so that every text let through can be encoded.
        return value.isprintable() and len(value.encode()) <= self.high


@dataclass(frozen=True, slots=True)
class Truth:
    """A byte that is 0 or 1; in JSON ``false`` or ``true``."""

    def check(self, value: Any) -> None:
        """See ``Field``."""
        if not isinstance(value, bool):
            raise InvalidMessage(f"{quoted(value)} is neither true nor false")

    def write(self, value: bool) -> bytes:
        """See ``Field``."""
        return bytes([value])

    def read(self, cursor: Cursor) -> bool:
        """See ``Field``."""
        code = cursor.take(1)[0]
        if code > 1:
            raise MalformedMessage(f"{code} is neither 0 nor 1")
        return code == 1

    def show(self, value: bool) -> bool:
        """See ``Field``."""
        return value

    def parse(self, shown: Any) -> bool:
        """See ``Field``."""
        if not isinstance(shown, bool):
            raise MalformedMessage(f"{quoted(shown)} is neither true nor false")
        return shown


Layout = tuple[tuple[str, Field], ...]
"""Names and kinds of the fields of a message or of an entry of a list, in the order of their bytes."""


@dataclass(frozen=True, slots=True)
class Several:
    """A count byte and that many entries, each an instance of ``entry``, or a bare field if ``entry`` is
    ``None``."""

    layout: Layout
    entry: Any = None

    def check(self, value: Any) -> None:
        """See ``Field``."""
        if not isinstance(value, tuple) or len(value) > 255:
            raise InvalidMessage("a list is not a tuple of at most 255 entries")
        for item in value:
            if self.entry is not None and type(item) is not self.entry:
                raise InvalidMessage(f"an entry of a list is not a {self.entry.__name__}")
            for name, field in self.layout:
                field.check(item if self.entry is None else getattr(item, name))

    def write(self, value: tuple[Any, ...]) -> bytes:
        """See ``Field``."""
        pieces = [bytes([len(value)])]
        for item in value:
            pieces += [f.write(item if self.entry is None else getattr(item, n)) for n, f in self.layout]
        return b"".join(pieces)

    def read(self, cursor: Cursor) -> tuple[Any, ...]:
        """See ``Field``."""
        return tuple(
            self._made({name: field.read(cursor) for name, field in self.layout})
            for _ in range(cursor.take(1)[0])
        )

    def show(self, value: tuple[Any, ...]) -> list[Any]:
        """See ``Field``."""
        if self.entry is None:
            return [self.layout[0][1].show(item) for item in value]
        return [show_fields(self.layout, item) for item in value]

    def parse(self, shown: Any) -> tuple[Any, ...]:
        """See ``Field``."""
        if not isinstance(shown, list) or len(shown) > 255:
            raise MalformedMessage("a list of at most 255 entries is missing")
        if self.entry is None:
            return tuple(self.layout[0][1].parse(item) for item in shown)
        return tuple(self._made(parse_fields(self.layout, item)) for item in shown)

    def _made(self, values: dict[str, Any]) -> Any:
        return next(iter(values.values())) if self.entry is None else self.entry(**values)


def show_fields(layout: Layout, message: Any) -> dict[str, Any]:
    """The JSON object of checked fields."""
    return {name: field.show(getattr(message, name)) for name, field in layout}


def parse_fields(layout: Layout, shown: Any) -> dict[str, Any]:
    """The fields from a JSON object that has exactly these names."""
    names = [name for name, _ in layout]
    if not isinstance(shown, Mapping) or set(shown) != set(names):
        raise MalformedMessage(f"an object with exactly the names {', '.join(names) or 'none'} is missing")
    return {name: field.parse(shown[name]) for name, field in layout}
