"""Helpers of the tests of readers: bytes in, readings out, in pieces of any size."""

from collections.abc import Iterable, Sequence

from hardware.readers import Output, Reader, Seen, Send
from hardware.uids import Uid


def h(text: str) -> bytes:
    return bytes.fromhex(text)


def fed(reader: Reader, pieces: Iterable[bytes], *, gap: float = 0.0, now: float = 10.0) -> list[Output]:
    """All outputs of the pieces, ``gap`` seconds apart, and of the silence that follows them."""
    out: list[Output] = []
    for piece in pieces:
        out += reader.feed(piece, now)
        now += gap
    return out


def tags(outputs: Sequence[Output]) -> list[str]:
    return [out.uid.data.hex().upper() for out in outputs if isinstance(out, Seen)]


def sent(outputs: Sequence[Output]) -> list[bytes]:
    return [out.data for out in outputs if isinstance(out, Send)]


def hexes(uids: Iterable[Uid]) -> list[str]:
    return [uid.data.hex().upper() for uid in uids]


def every_split(data: bytes) -> list[list[bytes]]:
    """The bytes cut in two at each place, and one by one."""
    cuts = [[data[:at], data[at:]] for at in range(1, len(data))]
    return [*cuts, [data[at : at + 1] for at in range(len(data))]]
