"""The binary form: COBS frames between zero bytes, with a CRC-16 (`firmware_protocol.md`)."""

from __future__ import annotations

from binascii import crc_hqx

from .errors import InvalidMessage, MalformedMessage
from .fields import Cursor
from .messages import BY_CODE, LAYOUTS, Message
from .stream import StreamDecoder

MAX_BODY = 94
"""Header and payload. With the check and one byte of COBS a frame takes 97 bytes between its zeros: a reader
with 2 KiB of memory can hold one of each direction."""
CRC_SIZE = 2
MAX_ENCODED = MAX_BODY + CRC_SIZE + 1


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740, also called CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, nothing
    reflected, no final exclusive or; 0x29B1 for the ASCII digits 123456789."""
    return crc_hqx(data, 0xFFFF)


def cobs_encode(data: bytes) -> bytes:
    """``data`` without zero bytes (Cheshire and Baker, 1999), without the zero that ends it."""
    out = bytearray()
    for block in data.split(b"\0"):
        rest = block
        while len(rest) >= 254:
            out += b"\xff" + rest[:254]
            rest = rest[254:]
        out += bytes([len(rest) + 1]) + rest
    return bytes(out)


def cobs_decode(data: bytes) -> bytes:
    """The inverse; raises ``MalformedMessage`` for what no encoder writes."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        end = at + code
        if code == 0 or end > len(data):
            raise MalformedMessage("the stuffing of a frame points past its end")
        out += data[at + 1 : end]
        at = end
        if at < len(data) and code < 0xFF:
            out.append(0)
    return bytes(out)


def encode_body(message: Message) -> bytes:
    """Header and payload: code, ``seq``, fields. Raises ``InvalidMessage`` where a value does not fit."""
    spec = LAYOUTS[type(message)]
    if type(message.seq) is not int or message.seq not in spec.seqs:
        raise InvalidMessage(f"{message.seq!r} is no seq of {spec.name}")
    pieces = [bytes([spec.code, message.seq])]
    for name, field in spec.layout:
        value = getattr(message, name)
        field.check(value)
        pieces.append(field.write(value))
    body = b"".join(pieces)
    if len(body) > MAX_BODY:
        raise InvalidMessage(f"{spec.name} takes {len(body)} bytes, and a frame has room for {MAX_BODY}")
    return body


def decode_body(body: bytes) -> Message:
    """The message of header and payload; raises ``MalformedMessage`` for anything that is not exactly one."""
    if len(body) > MAX_BODY:
        raise MalformedMessage(f"{len(body)} bytes where a frame has room for {MAX_BODY}")
    cursor = Cursor(body)
    code, seq = cursor.take(2)
    kind = BY_CODE.get(code)
    if kind is None:
        raise MalformedMessage(f"0x{code:02X} is the code of no message")
    spec = LAYOUTS[kind]
    if seq not in spec.seqs:
        raise MalformedMessage(f"{seq} is no seq of {spec.name}")
    fields = {name: field.read(cursor) for name, field in spec.layout}
    cursor.finish()
    return kind(seq=seq, **fields)


def encode(message: Message) -> bytes:
    """A whole frame, with a zero in front that ends whatever noise came before it."""
    body = encode_body(message)
    return b"\0" + cobs_encode(body + crc16(body).to_bytes(CRC_SIZE, "big")) + b"\0"


def decode(frame: bytes) -> Message:
    """The message of what stood between two zeros; raises ``MalformedMessage``."""
    if len(frame) > MAX_ENCODED:
        raise MalformedMessage(f"a frame of {len(frame)} bytes, and {MAX_ENCODED} is the most")
    data = cobs_decode(frame)
    body, check = data[:-CRC_SIZE], data[-CRC_SIZE:]
    if len(check) < CRC_SIZE or crc16(body) != int.from_bytes(check, "big"):
        raise MalformedMessage("the check of a frame is wrong")
    return decode_body(body)


class FrameDecoder(StreamDecoder):
    """Frames of a stream: what stands between two zero bytes."""

    def __init__(self) -> None:
        super().__init__(b"\0", MAX_ENCODED, decode, f"more than {MAX_ENCODED} bytes without a zero")
