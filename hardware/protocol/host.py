"""The host's side of a session with one reader, without I/O and without a clock.

Theory of operation. ``receive`` and ``tick`` take the time in seconds from any monotonic origin and return
what was learned; ``data_to_send`` gives the bytes to write; ``deadline`` is when ``tick`` is next due. One
request is under way at a time, so a reader needs room for one frame. Every request may be repeated without
harm, so a lost answer costs a repetition and nothing else. Events are hints that arrive fast; whenever one is
missing, the truth is asked for anew as a snapshot.

    CLOSED --start--> GREETING --welcome--> DESCRIBING --last antenna--> SURVEYING --last part--> OPEN
                         ^                      |                            |      <--gap-----    |
                         +----------------------+--- silence, no answer, reboot ------------------+
"""

from __future__ import annotations

from enum import Enum

import msgspec

from .choices import (
    Code,
    Feature,
    Pattern,
    Sound,
)
from .errors import MalformedMessage
from .messages import (
    ALL_ANTENNAS,
    LAYOUTS,
    VERSION,
    Ack,
    Antenna,
    Bye,
    Configure,
    Configured,
    Describe,
    Done,
    Feedback,
    Hello,
    Message,
    Notice,
    Present,
    Refused,
    SnapshotRequest,
    Status,
    StatusRequest,
    Tag,
    Tags,
    Welcome,
)
from .outputs import (
    Dropped,
    Finished,
    Gap,
    Healthy,
    Incompatible,
    InUse,
    Lost,
    Noticed,
    Opened,
    Output,
    Rebooted,
    Replaced,
    RequestRefused,
    Snapshot,
    Tagged,
)
from .requests import RETRY, Requests
from .wire import DetectingWire, Wire

EAGER = 3.0
"""Seconds of greeting at the pace of ``RETRY``: opening a port resets many boards, whose boot loader then
listens for a sketch for up to two seconds."""
PATIENT = 2.0
"""Seconds between greetings after that, so that a port without a reader is left in peace."""
SILENCE = 3.5
"""Heartbeats that may pass without a word before the link counts as lost: three may be damaged."""
MIN_HEARTBEAT_MS = 250
KEEP_ALIVE = 1.0
"""Seconds without a request after which the host asks for the status. A reader ends a session after 10; asked
every second, one that started anew is found out before a player waits for it."""


class Phase(Enum):
    """What is known of the reader."""

    CLOSED = "closed"
    GREETING = "greeting"
    DESCRIBING = "describing"
    SURVEYING = "surveying"
    OPEN = "open"
    INCOMPATIBLE = "incompatible"


class Host:
    """A session with the reader at the other end of ``wire``. ``nonce``: any number, best a random one."""

    def __init__(self, nonce: int, wire: Wire | None = None) -> None:
        self._wire = DetectingWire() if wire is None else wire
        self._nonce = nonce % (1 << 32)
        self.phase = Phase.CLOSED
        self.reader: Welcome | None = None
        self.antennas: tuple[Antenna, ...] = ()
        self._feedback_id = 0
        self._requests = Requests(self._wire)
        self._greeting_since = 0.0
        self._heard_at = 0.0
        self._uptime = 0
        self._heartbeat_ms = 1000
        self._next_event = 1
        self._parts: list[Present] = []
        self._part_of: tuple[int, int] = (0, 0)
        self._lights: dict[int, Feedback] = {}

    # What the caller does

    def start(self, now: float) -> None:
        """Begin to greet the reader; also after ``stop``, or with a port opened anew."""
        self._greet(now)

    def stop(self) -> None:
        """Say good-bye and forget the session. Nothing waits for the answer."""
        if self.phase in {Phase.DESCRIBING, Phase.SURVEYING, Phase.OPEN}:
            self._requests.write(Bye(seq=self._requests.new_seq()))
        self.phase = Phase.CLOSED
        self._requests.current = None
        self._requests.clear()

    def unplugged(self, now: float) -> tuple[Output, ...]:
        """The port is gone. The next bytes will come from a port opened anew."""
        known = self.phase in {Phase.DESCRIBING, Phase.SURVEYING, Phase.OPEN}
        self._greet(now)
        self._requests.data_to_send()  # nobody will read it
        self._requests.retry_at = now
        return (Lost("the port is gone"),) if known else ()

    def feedback(
        self,
        now: float,
        antenna: int,
        pattern: Pattern,
        sound: Sound = Sound.NONE,
        duration_ms: int = 0,
    ) -> None:
        """Let an antenna, or ``ALL_ANTENNAS``, show and sound something.

        A lasting light (``duration_ms`` 0) is shown again after the reader started anew. A reader without
        lights does nothing.
        """
        self._feedback_id = self._feedback_id % 65535 + 1
        wish = Feedback(
            seq=1,
            antenna=antenna,
            id=self._feedback_id,
            pattern=pattern,
            sound=sound,
            duration_ms=duration_ms,
        )
        self._check(wish)
        if antenna == ALL_ANTENNAS:
            self._lights.clear()
        if duration_ms == 0:
            self._lights[antenna] = wish
        else:
            self._lights.pop(antenna, None)
        if self.phase in {Phase.OPEN, Phase.SURVEYING} and self._able(Feature.FEEDBACK):
            self._requests.enqueue(now, wish)

    def configure(self, now: float, **settings: int) -> None:
        """Ask for other settings (the fields of ``Configure``); the reader says in ``InUse`` what it uses."""
        wish = Configure(seq=1, **settings)
        self._check(wish)
        if self._able(Feature.CONFIGURE):
            self._requests.enqueue(now, wish)

    def survey(self, now: float) -> None:
        """Ask for a snapshot; a ``Snapshot`` follows."""
        if self.phase is Phase.OPEN:
            self._survey(now)

    def data_to_send(self) -> bytes:
        """The bytes to write now; each is given out once."""
        return self._requests.data_to_send()

    def deadline(self) -> float | None:
        """When ``tick`` is due at the latest, if no byte arrives before."""
        if self.phase in {Phase.CLOSED, Phase.INCOMPATIBLE}:
            return None
        if self.phase is Phase.GREETING:
            return self._requests.retry_at
        due = self._heard_at + self._patience()
        requests = self._requests
        own = requests.retry_at if requests.current is not None else requests.sent_at + KEEP_ALIVE
        return min(due, own)

    def tick(self, now: float) -> tuple[Output, ...]:
        """Do what is due: repeat a request, keep the session alive, notice that the reader is gone."""
        if self.phase in {Phase.CLOSED, Phase.INCOMPATIBLE}:
            return ()
        if self.phase is Phase.GREETING:
            if now >= self._requests.retry_at:
                self._hello(now)
            return ()
        if now >= self._heard_at + self._patience():
            return self._lose(now, "the reader is silent")
        if self._requests.current is not None:
            if now >= self._requests.retry_at and not self._requests.repeat(now):
                return self._lose(now, "the reader does not answer")
        elif now >= self._requests.sent_at + KEEP_ALIVE:
            self._requests.ask(now, StatusRequest(seq=1))
        return ()

    def receive(self, now: float, data: bytes) -> tuple[Output, ...]:
        """Take bytes as they arrived. Whatever they are, this raises nothing."""
        found: list[Output] = []
        for item in self._wire.feed(data):
            if isinstance(item, MalformedMessage):
                found.append(Dropped(str(item)))
            elif self.phase not in {Phase.CLOSED, Phase.INCOMPATIBLE}:
                found += self._take(now, item)
        return tuple(found)

    # Messages of the reader

    def _take(self, now: float, message: Message) -> list[Output]:
        match message:
            case Welcome():
                return self._welcomed(now, message)
            case Refused(code=Code.VERSION) if self._requests.is_answered_by(message, Hello):
                self.phase, self._requests.current = Phase.INCOMPATIBLE, None
                return [Incompatible(message.detail >> 8, message.detail & 0xFF)]
            case Ack() | Hello():
                return [Dropped("a message of a host came back: is the line connected to itself?")]
        if self.phase is Phase.GREETING:
            return []  # of a session that is over
        self._heard_at = now
        match message:
            case Antenna() if self._requests.is_answered_by(message, Describe):
                return self._described(now, message)
            case Tags() if self._requests.is_answered_by(message, SnapshotRequest):
                return self._surveyed(now, message)
            case Tag():
                return self._tagged(now, message)
            case Status():
                return self._status(now, message)
            case Notice():
                return [Noticed(message)]
            case Configured() if self._requests.is_answered_by(message, Configure):
                self._heartbeat_ms = message.heartbeat_ms
                self._requests.next(now)
                return [InUse(message)]
            case Done() if self._requests.is_answered_by(message, Feedback):
                return self._finished(now, message)
            case Refused() if self._requests.is_answered_by(message):
                return self._refused(now, message)
        return []  # the answer to a request that was repeated and has been answered

    def _welcomed(self, now: float, message: Welcome) -> list[Output]:
        request = self._requests.current
        if self.phase is not Phase.GREETING or not isinstance(request, Hello):
            return []
        if message.nonce != request.nonce or message.seq != request.seq:
            return []
        if message.version != VERSION:
            self.phase, self._requests.current = Phase.INCOMPATIBLE, None
            return [Incompatible(message.version, message.version)]
        found: list[Output] = []
        before, self.reader = self.reader, message
        if before is not None and before.device != message.device:
            found.append(Replaced(before.device, message.device))
            self._lights.clear()
        elif before is not None and before.boot != message.boot:
            found.append(Rebooted(message.reset, message.boot))
        self.phase, self.antennas = Phase.DESCRIBING, ()
        self._heard_at, self._uptime, self._heartbeat_ms = now, 0, message.heartbeat_ms
        self._requests.ask(now, Describe(seq=1, antenna=0))
        return found

    def _described(self, now: float, message: Antenna) -> list[Output]:
        if message.antenna != len(self.antennas):
            return [Dropped(f"antenna {message.antenna} where {len(self.antennas)} was asked for")]
        self.antennas = (*self.antennas, message)
        assert self.reader is not None
        if len(self.antennas) < self.reader.antennas:
            self._requests.ask(now, Describe(seq=1, antenna=len(self.antennas)))
            return []
        self._survey(now)
        for light in self._lights.values():
            # A reader forgets with the session which ids it has done; what sounded once does not sound again.
            if self._able(Feature.FEEDBACK):
                self._requests.append(msgspec.structs.replace(light, sound=Sound.NONE))
        return [Opened(self.reader, self.antennas)]

    def _surveyed(self, now: float, message: Tags) -> list[Output]:
        if message.part == 0:
            self._parts.clear()
        elif self._part_of != (message.part, message.as_of):
            return []  # a part is missing: the whole once more, when it is time to repeat the request
        self._parts += message.tags
        self._part_of = (message.part + 1, message.as_of)
        if not message.last:
            self._requests.retry_at = now + RETRY
            return []
        self.phase = Phase.OPEN
        self._next_event = message.as_of + 1
        if message.as_of:
            self._requests.write(Ack(event=message.as_of))
        self._requests.next(now)
        tags, self._parts = tuple(self._parts), []
        return [Snapshot(message.as_of, tags)]

    def _tagged(self, now: float, message: Tag) -> list[Output]:
        if self.phase is not Phase.OPEN:
            return []  # the snapshot under way contains it, or finds it missing
        if message.event > self._next_event:
            gap = Gap(self._next_event, message.event - 1)
            self._survey(now)
            return [gap]
        found: list[Output] = []
        if message.event == self._next_event:
            self._next_event += 1
            found.append(Tagged(message))
        self._requests.write(Ack(event=self._next_event - 1))
        return found

    def _status(self, now: float, message: Status) -> list[Output]:
        found: list[Output] = [
            Healthy(message.uptime_ms, message.bad_frames, message.lost_events, message.health)
        ]
        if message.uptime_ms < self._uptime and self._uptime - message.uptime_ms < 1 << 31:
            return [*found, *self._lose(now, "the reader has started anew")]
        self._uptime = message.uptime_ms
        if message.seq and self._requests.is_answered_by(message, StatusRequest):
            self._requests.next(now)
        if self.phase is Phase.OPEN:
            if message.last_event >= self._next_event:
                found.append(Gap(self._next_event, message.last_event))
                self._survey(now)
            elif message.last_event < self._next_event - 1:
                found += self._lose(now, "the reader counts its events anew")
        return found

    def _finished(self, now: float, message: Done) -> list[Output]:
        request = self._requests.current
        assert request is not None
        if message.request != LAYOUTS[type(request)].code:
            return []
        self._requests.next(now)
        return [Finished(request)]

    def _refused(self, now: float, message: Refused) -> list[Output]:
        request = self._requests.current
        assert request is not None
        if message.code is Code.BUSY:
            return []  # repeated when its time comes
        if message.code is Code.NO_SESSION:
            return list(self._lose(now, "the reader has started anew"))
        if isinstance(request, Describe | SnapshotRequest):
            return list(self._lose(now, "the reader refuses what every reader must do"))
        self._requests.next(now)
        return [RequestRefused(request, message.code)]

    # Requests

    def _patience(self) -> float:
        return SILENCE * max(self._heartbeat_ms, MIN_HEARTBEAT_MS) / 1000

    def _able(self, feature: Feature) -> bool:
        return self.reader is not None and feature in self.reader.features

    def _check(self, wish: Message) -> None:
        for name, field in LAYOUTS[type(wish)].layout:
            field.check(getattr(wish, name))

    def _greet(self, now: float) -> None:
        self.phase = Phase.GREETING
        self._greeting_since = now
        self._requests.clear()
        self._parts.clear()
        self._hello(now)

    def _hello(self, now: float) -> None:
        self._nonce = (self._nonce + 1) % (1 << 32)
        features = Feature.FEEDBACK | Feature.CONFIGURE | Feature.NOTICES
        hello = Hello(
            seq=self._requests.new_seq(),
            min_version=VERSION,
            max_version=VERSION,
            features=features,
            nonce=self._nonce,
        )
        eager = now < self._greeting_since + EAGER
        self._requests.greet(hello, now + (RETRY if eager else PATIENT))

    def _survey(self, now: float) -> None:
        self.phase = Phase.SURVEYING
        self._parts.clear()
        self._requests.interrupt(now, SnapshotRequest(seq=1))

    def _lose(self, now: float, reason: str) -> tuple[Output, ...]:
        self._greet(now)
        return (Lost(reason),)
