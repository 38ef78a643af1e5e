"""A reader as `firmware_protocol.md` describes it, with ideal presence, for tests of the host.

The reference firmware is tested against the host in tests/firmware; this one starts anew at will, on the
clock of the test.
"""

from __future__ import annotations

from hardware.protocol import (
    Ability,
    Ack,
    Antenna,
    BinaryWire,
    Bye,
    Change,
    Code,
    Configure,
    Configured,
    Describe,
    Done,
    Feature,
    Feedback,
    Health,
    Hello,
    Message,
    Present,
    Refused,
    Reset,
    Role,
    SnapshotRequest,
    Status,
    StatusRequest,
    Tag,
    Tags,
    Technologies,
    Technology,
    Welcome,
    Wire,
)

A = Technology.ISO14443A
WINDOW = 4
PART = 3
"""Tags in a part of a snapshot: few, so that there are several parts."""


class ModelReader:
    """Takes and gives bytes; ``now`` is in seconds."""

    def __init__(self, antennas: int = 4, wire: Wire | None = None) -> None:
        self.wire: Wire = wire or BinaryWire()
        self.antennas = antennas
        self.device = b"MODEL\0\0\1"
        self.boot = 1
        self.version = 1
        self.features = Feature.FEEDBACK | Feature.CONFIGURE | Feature.NOTICES
        self.requests: list[Message] = []
        self.done: list[Feedback] = []
        self.out: list[bytes] = []
        self._start(0.0)

    def _start(self, now: float) -> None:
        self.started = now
        self.session = False
        self.present: dict[bytes, int] = getattr(self, "present", {})
        self.kept: list[Tag] = []
        self.last = len(self.present)  # what lies there is found again
        self.lost = 0
        self.ids: dict[int, int] = {}
        self.heartbeat_at = self.repeat_at = self.heard_at = now
        self.silent = False

    def reboot(self, now: float) -> None:
        """Everything but the tags on the table is forgotten."""
        self.boot += 1
        self._start(now)

    def put(self, now: float, uid: bytes, antenna: int) -> None:
        """A tag is placed, or moved."""
        if uid in self.present:
            self.take(now, uid)
        self.present[uid] = antenna
        self._event(now, Change.PLACED, antenna, uid)

    def take(self, now: float, uid: bytes) -> None:
        """A tag is taken away."""
        self._event(now, Change.REMOVED, self.present.pop(uid), uid)

    def _event(self, now: float, change: Change, antenna: int, uid: bytes) -> None:
        self.last += 1
        if not self.session:
            return
        if len(self.kept) == WINDOW:
            self.kept.pop(0)
            self.lost += 1
        tag = Tag(
            event=self.last,
            change=change,
            antenna=antenna,
            technology=A,
            signal=None,
            uptime_ms=self._uptime(now),
            uid=uid,
        )
        self.kept.append(tag)
        self.repeat_at = now + 0.25 if len(self.kept) == 1 else self.repeat_at
        self.say(tag)

    def _uptime(self, now: float) -> int:
        return round((now - self.started) * 1000)

    def say(self, message: Message) -> None:
        """Send a message, unless the line is dead."""
        if not self.silent:
            self.out.append(self.wire.encode(message))

    def step(self, now: float) -> None:
        """Heartbeat, repetition, end of the session."""
        if not self.session:
            return
        if now >= self.heard_at + 10:
            self.session = False
            return
        if self.kept and now >= self.repeat_at:
            self.repeat_at = now + 0.25
            for tag in self.kept:
                self.say(tag)
        if now >= self.heartbeat_at:
            self.heartbeat_at = now + 1
            self.say(self._status(now, 0))

    def _status(self, now: float, seq: int) -> Status:
        return Status(
            seq=seq,
            uptime_ms=self._uptime(now),
            last_event=self.last,
            bad_frames=0,
            lost_events=self.lost,
            health=(Health.ANSWERS,) * self.antennas,
        )

    def take_bytes(self, now: float, data: bytes) -> None:
        """Answer what arrived."""
        for message in self.wire.feed(data):
            if isinstance(message, Message):
                self.heard_at = now
                self.requests.append(message)
                self._answer(now, message)

    def _answer(self, now: float, message: Message) -> None:
        if not self.session and not isinstance(message, Hello | Ack):
            code = type(message)
            number = {Describe: 2, SnapshotRequest: 3, Feedback: 4, Configure: 5, StatusRequest: 6, Bye: 8}[
                code
            ]
            self.say(Refused(seq=message.seq, request=number, code=Code.NO_SESSION))
            return
        match message:
            case Hello():
                self._welcome(now, message)
            case Describe(antenna=antenna):
                self.say(
                    Antenna(
                        seq=message.seq,
                        antenna=antenna,
                        role=Role.SEAT,
                        number=antenna + 1,
                        technologies=Technologies.ISO14443A,
                        max_tags=8,
                        abilities=Ability.REMOVAL | Ability.LED,
                        label=f"seat {antenna + 1}",
                    )
                )
            case SnapshotRequest():
                self._snapshot(message.seq)
            case Feedback():
                if self.ids.get(message.antenna) != message.id:
                    self.ids[message.antenna] = message.id
                    self.done.append(message)
                self.say(Done(seq=message.seq, request=4))
            case Configure():
                self.say(
                    Configured(
                        seq=message.seq,
                        poll_ms=message.poll_ms or 100,
                        arrive_reads=2,
                        leave_reads=3,
                        leave_ms=400,
                        heartbeat_ms=message.heartbeat_ms or 1000,
                    )
                )
            case StatusRequest():
                self.say(self._status(now, message.seq))
            case Ack(event=event):
                self.kept = [tag for tag in self.kept if tag.event > event]
            case Bye():
                self.session = False
                self.say(Done(seq=message.seq, request=8))

    def _welcome(self, now: float, hello: Hello) -> None:
        if self.version != 1:
            detail = self.version << 8 | self.version
            self.say(Refused(seq=hello.seq, request=1, code=Code.VERSION, detail=detail))
            return
        self.session, self.kept, self.ids = True, [], {}
        self.heartbeat_at = now + 1
        self.say(
            Welcome(
                seq=hello.seq,
                version=1,
                features=self.features & hello.features,
                nonce=hello.nonce,
                device=self.device,
                boot=self.boot,
                reset=Reset.WATCHDOG,
                antennas=self.antennas,
                window=WINDOW,
                max_frame=96,
                heartbeat_ms=1000,
                last_event=self.last,
                firmware="model 1",
            )
        )

    def _snapshot(self, seq: int) -> None:
        tags = [Present(antenna, A, uid) for uid, antenna in self.present.items()]
        parts = [tags[at : at + PART] for at in range(0, len(tags), PART)] or [[]]
        for number, part in enumerate(parts):
            self.say(
                Tags(
                    seq=seq,
                    as_of=self.last,
                    part=number,
                    last=number == len(parts) - 1,
                    tags=tuple(part),
                )
            )
