"""A host and a reader's model on a line that loses bytes."""

from __future__ import annotations

import random

from hardware.protocol import (
    Change,
    Gap,
    Host,
    Lost,
    Message,
    Output,
    Phase,
    Refused,
    Snapshot,
    Tag,
    Tagged,
    encode,
)
from tests.hardware.protocol.model import ModelReader

STEP = 0.01


class Line:
    """A host and a reader, in steps of 10 ms. ``faults``: the chance that a write is lost or damaged."""

    def __init__(self, reader: ModelReader | None = None, host: Host | None = None, seed: int = 1) -> None:
        self.reader = reader or ModelReader()
        self.host = host or Host(nonce=5)
        self.now = 100.0
        self.faults = 0.0
        self.draw = random.Random(seed)
        self.heard: list[Output] = []
        self.belief: dict[bytes, int] | None = None

    def opened(self) -> Line:
        self.host.start(self.now)
        self.run(0.3)
        assert self.host.phase is Phase.OPEN
        return self

    def note(self, outputs: tuple[Output, ...]) -> None:
        self.heard += outputs
        for output in outputs:
            match output:
                case Snapshot(tags=tags):
                    self.belief = {tag.uid: tag.antenna for tag in tags}
                case Lost() | Gap():
                    self.belief = None
                case Tagged(tag=Tag(change=Change.PLACED) as tag):
                    assert self.belief is not None
                    assert tag.uid not in self.belief, "placed twice"
                    self.belief[tag.uid] = tag.antenna
                case Tagged(tag=tag):
                    assert self.belief is not None
                    assert self.belief.pop(tag.uid) == tag.antenna, "removed from elsewhere"

    def carry(self, data: bytes) -> bytes:
        if self.draw.random() >= self.faults:
            return data
        if self.draw.random() < 0.5 or not data:
            return b""
        damaged = bytearray(data)
        damaged[self.draw.randrange(len(damaged))] ^= 1 << self.draw.randrange(8)
        return bytes(damaged)

    def run(self, seconds: float) -> list[Output]:
        """What was learned in that time."""
        before = len(self.heard)
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            data = self.host.data_to_send()
            if data:
                self.reader.take_bytes(self.now, self.carry(data))
            self.reader.step(self.now)
            out, self.reader.out = self.reader.out, []
            for piece in out:
                self.note(self.host.receive(self.now, self.carry(piece)))
            due = self.host.deadline()
            if due is not None and self.now >= due:
                self.note(self.host.tick(self.now))
        return self.heard[before:]

    def sent(self, kind: type[Message]) -> list[Message]:
        return [message for message in self.reader.requests if isinstance(message, kind)]


def answer(line: Line, **fields: object) -> tuple[Output, ...]:
    """A refusal of the request under way."""
    request = line.host._requests.current
    assert request is not None
    values = {"seq": request.seq, "request": 4, "detail": 0, **fields}
    return line.host.receive(line.now, encode(Refused(**values)))
