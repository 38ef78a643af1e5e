"""MessagePack arrays in one canonical form: what does not re-encode to the same bytes is refused."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from ..sealed.group import Malformed

__all__ = ["Malformed", "decode", "encode", "pack", "unpack"]

T = TypeVar("T")
_encoder = msgspec.msgpack.Encoder()
_decoders: dict[Any, msgspec.msgpack.Decoder[Any]] = {}


def encode(value: Any) -> bytes:
    """The one encoding of ``value``: MessagePack, shortest forms, structs as arrays."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[T]) -> T:
    """``data`` as ``kind``; raises ``Malformed`` for anything but the bytes ``encode`` would give."""
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.msgpack.Decoder(kind)
    try:
        value: T = decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Malformed(f"not a valid {_name(kind)}: {error}") from None
    if encode(value) != data:
        raise Malformed(f"not the canonical form of a {_name(kind)}")
    return value


def pack(parts: list[bytes]) -> bytes:
    """Several byte strings as one: a MessagePack array."""
    return encode(parts)


def unpack(data: bytes) -> list[bytes]:
    """The byte strings of ``pack``. Raises ``Malformed``."""
    return decode(data, list[bytes])


def _name(kind: Any) -> str:
    return str(getattr(kind, "__name__", kind)).lower()
