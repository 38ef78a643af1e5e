"""The host's requests, without I/O: one is under way at a time, and is repeated until it is answered."""

from __future__ import annotations

from collections import deque

import msgspec

from .errors import InvalidMessage
from .messages import Describe, Feedback, Message, SnapshotRequest
from .wire import Wire

RETRY = 0.25
"""Seconds to wait for an answer. A reader answers within 0.1, and a frame each way takes 0.02 at 115,200."""
TRIES = 4
"""Times a request is sent before the link counts as lost: with one frame in ten damaged, once in 10,000."""
MAX_QUEUE = 64
"""Requests waiting; twice the antennas a reader may have. More is a fault of the caller."""


class Requests:
    """``current`` is the request under way, ``sent_at`` when one was sent last, ``retry_at`` when the current
    one is repeated."""

    def __init__(self, wire: Wire) -> None:
        self.current: Message | None = None
        self.sent_at = 0.0
        self.retry_at = 0.0
        self._wire = wire
        self._out = bytearray()
        self._seq = 0
        self._tries = 0
        self._waiting: deque[Message] = deque()

    def is_answered_by(self, message: Message, kind: type[Message] = Message) -> bool:
        """Whether a message answers the current request, and that is of a kind."""
        return isinstance(self.current, kind) and message.seq == self.current.seq

    def new_seq(self) -> int:
        """The number of the next request."""
        self._seq = self._seq % 255 + 1
        return self._seq

    # What is sent

    def greet(self, hello: Message, retry_at: float) -> None:
        """Send a greeting, which is repeated at its own pace and never given up."""
        self.current = hello
        self.write(hello)
        self.retry_at = retry_at

    def ask(self, now: float, request: Message) -> None:
        """Send a request with a number of its own; it takes the place of the current one."""
        self.current = msgspec.structs.replace(request, seq=self.new_seq())
        self._tries = 0
        self._transmit(now)

    def interrupt(self, now: float, request: Message) -> None:
        """The same, and go on with the current one afterwards, unless the session asks for it by itself."""
        interrupted = self.current
        if interrupted is not None and not isinstance(interrupted, Describe | SnapshotRequest):
            self._waiting.appendleft(interrupted)
        self.ask(now, request)

    def repeat(self, now: float) -> bool:
        """Send the current request once more; false where that was done often enough."""
        if self._tries >= TRIES:
            return False
        self._transmit(now)
        return True

    def enqueue(self, now: float, wish: Message) -> None:
        """Send a request when its turn comes. Raises ``InvalidMessage`` where too many wait."""
        if isinstance(wish, Feedback):
            # Only the newest wish for an antenna matters, and it replaces the one that waits.
            for at, old in enumerate(self._waiting):
                if isinstance(old, Feedback) and old.antenna == wish.antenna:
                    self._waiting[at] = wish
                    return
        if len(self._waiting) >= MAX_QUEUE:
            raise InvalidMessage(f"{MAX_QUEUE} requests are waiting already")
        self.append(wish)
        if self.current is None:
            self.next(now)

    def append(self, wish: Message) -> None:
        """The same for a request of the session itself, while another one is under way."""
        self._waiting.append(wish)

    def next(self, now: float) -> None:
        """The current request is answered: send the one that has waited longest."""
        self.current = None
        if self._waiting:
            self.ask(now, self._waiting.popleft())

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting.clear()

    # Bytes

    def write(self, message: Message) -> None:
        """Send a message that is no request, such as an acknowledgement."""
        self._out += self._wire.encode(message)

    def data_to_send(self) -> bytes:
        """The bytes to write now; each is given out once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _transmit(self, now: float) -> None:
        assert self.current is not None
        self.write(self.current)
        self._tries += 1
        self.sent_at = now
        self.retry_at = now + RETRY
