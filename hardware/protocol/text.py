"""The text form: the same messages as one JSON object a line (`firmware_protocol.md`)."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from .binary import crc16
from .errors import InvalidMessage, MalformedMessage
from .fields import parse_fields, quoted, show_fields
from .messages import BY_NAME, LAYOUTS, Message
from .stream import StreamDecoder

MAX_LINE = 2048
"""Bytes of a line without its end. The longest message, the full health of 32 antennas, takes 1,600."""
_CHECK = b',"crc":"'
_CHECK_SIZE = len(_CHECK) + 4 + len(b'"}')


def to_json(message: Message) -> dict[str, Any]:
    """The JSON object of a message; raises ``InvalidMessage`` where a value does not fit."""
    spec = LAYOUTS[type(message)]
    if type(message.seq) is not int or message.seq not in spec.seqs:
        raise InvalidMessage(f"{message.seq!r} is no seq of {spec.name}")
    for name, field in spec.layout:
        field.check(getattr(message, name))
    return {"type": spec.name, "seq": message.seq, **show_fields(spec.layout, message)}


def from_json(shown: Any) -> Message:
    """The message of a JSON object that has exactly its names; raises ``MalformedMessage``."""
    if not isinstance(shown, dict):
        raise MalformedMessage("a line is no JSON object")
    fields = dict(shown)
    name, seq = fields.pop("type", None), fields.pop("seq", 0)
    kind = BY_NAME.get(name) if isinstance(name, str) else None
    if kind is None:
        raise MalformedMessage(f"{quoted(name)} is the name of no message")
    spec = LAYOUTS[kind]
    if type(seq) is not int or seq not in spec.seqs:
        raise MalformedMessage(f"{quoted(seq)} is no seq of {spec.name}")
    return kind(seq=seq, **parse_fields(spec.layout, fields))


def encode_line(message: Message, check: bool) -> bytes:
    """One line with its end. ``check``: with a CRC as its last member, as a serial line needs it."""
    line = json.dumps(to_json(message), separators=(",", ":")).encode()
    if check:
        line = line[:-1]
        line += _CHECK + f"{crc16(line):04X}".encode() + b'"}'
    if len(line) > MAX_LINE:
        raise InvalidMessage(f"a line of {len(line)} bytes, and {MAX_LINE} is the most")
    return line + b"\n"


def decode_line(line: bytes, check: bool) -> Message:
    """The message of a line without its end; raises ``MalformedMessage``.

    ``check``: the CRC must be there. It is over the bytes of the line up to the comma before it.
    """
    if len(line) > MAX_LINE:
        raise MalformedMessage(f"more than {MAX_LINE} bytes in a line")
    if check:
        head, tail = line[:-_CHECK_SIZE], line[-_CHECK_SIZE:]
        if tail != _CHECK + f"{crc16(head):04X}".encode() + b'"}':
            raise MalformedMessage("the check of a line is wrong or missing")
        line = head + b"}"
    try:
        shown = json.loads(line.decode(), object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise MalformedMessage("a line is not JSON") from error
    return from_json(shown)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON leaves open which of two equal names counts; here neither does."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name occurs twice")
    return members


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


class LineDecoder(StreamDecoder):
    """Lines of a stream, which end with LF, CR or both."""

    def __init__(self, check: bool) -> None:
        too_long = f"more than {MAX_LINE} bytes without the end of a line"
        super().__init__(b"\n", MAX_LINE, partial(decode_line, check=check), too_long)

    def feed(self, data: bytes) -> list[Message | MalformedMessage]:
        """See ``StreamDecoder.feed``."""
        return super().feed(data.replace(b"\r", b"\n"))
