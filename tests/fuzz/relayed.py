"""Frames that go by way of a third seat: what it passes on, and what is answered by whom they are for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import cache

from p2p.identity import Identity
from p2p.io import relay as relaying
from p2p.io.link import PASS_ON, PASSED_ON
from p2p.io.relay import MOST_CALLS, NUMBER, Relay

SEATS = [Identity(bytes([n + 1]) * 32) for n in range(4)]
DIRECT = (1, 2)
"""The seats that are linked to seat 0, which relays."""


class _Link:
    """The other end reads everything."""

    def __init__(self) -> None:
        self.on_relayed = None
        self.sent: list[tuple[bytes, bytes]] = []

    def relay(self, kind: bytes, payload: bytes, most: int) -> bool:
        self.sent.append((kind, payload))
        return len(payload) <= most


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def envelopes(data: bytes) -> None:
    """Frames of two seats, each behind the number of its seat and kind, and a length: nothing is kept for
    long, nothing is passed on to who is not named, and nobody else than two seats is linked."""
    _loop().run_until_complete(_relayed(data))


async def _relayed(data: bytes) -> None:
    made: list[object] = []
    relay = Relay(SEATS[0], [each.public for each in SEATS], made.append)
    links = {seat: _Link() for seat in DIRECT}
    for seat, link in links.items():
        relay.attach(seat, link)  # all of a link that relaying uses
    at, heard = 0, 0
    while at + 2 <= len(data):
        origin, kind = DIRECT[data[at] % 2], (PASS_ON, PASSED_ON)[data[at] // 2 % 2]
        payload = data[at + 2 : at + 2 + data[at + 1]]
        heard += len(payload)
        links[origin].on_relayed(kind, payload)  # attached
        at += 2 + data[at + 1]
        assert len(relay._pipes) <= MOST_CALLS * len(DIRECT) * len(SEATS)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await relay.close()
    assert not relay._pipes
    assert not made
    for link in links.values():
        assert all(
            kind in (PASS_ON, PASSED_ON) and len(sent) <= relaying.MAX_HELD for kind, sent in link.sent
        )


def sent() -> Iterable[bytes]:
    """From seat 1 by way of us to seat 2 and to a seat that is not there; and to us, from seat 3."""
    number = b"\x07" * NUMBER
    hello = b"\x16\x03\x01\x00\x05hello"
    for origin_and_kind, seat, rest in (
        (0, 2, hello),
        (0, 9, hello),
        (2, 3, hello),
        (3, 3, hello),
        (2, 3, b""),
    ):
        payload = bytes([seat]) + number + rest
        frame = bytes([origin_and_kind, len(payload)]) + payload
        yield frame
        yield frame + frame
