"""The messages of version 1 of the reader protocol, as `firmware_protocol.md` numbers and lays them out.

Each class is a frozen value; ``LAYOUTS`` holds its code, its name in JSON and its fields. ``seq`` joins a
reply to its request; it is 0 where there is nothing to join.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from .choices import (
    Ability,
    Change,
    Code,
    Feature,
    Health,
    Level,
    Pattern,
    Reset,
    Role,
    Sound,
    Technologies,
    Technology,
)
from .fields import UID_MAX, UID_MIN, Choice, Flags, Layout, Octets, Several, Signal, Text, Truth, number

__all__ = [
    "ALL_ANTENNAS",
    "BY_CODE",
    "BY_NAME",
    "LABEL_MAX",
    "LAYOUTS",
    "MAX_ANTENNAS",
    "NAME_MAX",
    "NOTICE_MAX",
    "VERSION",
    "Ability",
    "Ack",
    "Antenna",
    "Bye",
    "Change",
    "Code",
    "Configure",
    "Configured",
    "Describe",
    "Done",
    "Feature",
    "Feedback",
    "Health",
    "Hello",
    "Level",
    "Message",
    "Notice",
    "Pattern",
    "Present",
    "Refused",
    "Reset",
    "Role",
    "SnapshotRequest",
    "Sound",
    "Spec",
    "Status",
    "StatusRequest",
    "Tag",
    "Tags",
    "Technologies",
    "Technology",
    "Welcome",
]

VERSION = 1
ALL_ANTENNAS = 255
MAX_ANTENNAS = 32
"""So that the health of all antennas fits one frame."""
NAME_MAX = 32
LABEL_MAX = 16
NOTICE_MAX = 64


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What one frame or one line carries."""

    seq: int = 0


class Hello(Message, frozen=True, kw_only=True):
    """Host: begin a session. ``nonce`` comes back, so that an old answer is told from the new one."""

    seq: int
    min_version: int
    max_version: int
    features: Feature
    nonce: int


class Describe(Message, frozen=True, kw_only=True):
    """Host: what is this antenna?"""

    seq: int
    antenna: int


class SnapshotRequest(Message, frozen=True, kw_only=True):
    """Host: all tags that are present now."""

    seq: int


class Feedback(Message, frozen=True, kw_only=True):
    """Host: show and sound this, unless ``id`` was the last one done for the antenna. ``duration_ms`` 0 is
    "until something else"."""

    seq: int
    antenna: int
    id: int
    pattern: Pattern
    sound: Sound = Sound.NONE
    duration_ms: int = 0


class Configure(Message, frozen=True, kw_only=True):
    """Host: use these values; 0 leaves one as it is."""

    seq: int
    poll_ms: int = 0
    arrive_reads: int = 0
    leave_reads: int = 0
    leave_ms: int = 0
    heartbeat_ms: int = 0


class StatusRequest(Message, frozen=True, kw_only=True):
    """Host: how are you? Keeps the session alive where there is nothing else to say."""

    seq: int


class Ack(Message, frozen=True, kw_only=True):
    """Host: all events up to and including ``event`` are dealt with."""

    event: int


class Bye(Message, frozen=True, kw_only=True):
    """Host: the session ends."""

    seq: int


class Welcome(Message, frozen=True, kw_only=True):
    """Reader: the session has begun; who the reader is and what it holds to."""

    seq: int
    version: int
    features: Feature
    nonce: int
    device: bytes
    boot: int
    reset: Reset
    antennas: int
    window: int
    max_frame: int
    heartbeat_ms: int
    last_event: int
    firmware: str


class Antenna(Message, frozen=True, kw_only=True):
    """Reader: what an antenna is. ``max_tags`` is how many tags it tells apart at once."""

    seq: int
    antenna: int
    role: Role
    number: int
    technologies: Technologies
    max_tags: int
    abilities: Ability
    label: str


@dataclass(frozen=True, slots=True)
class Present:
    """A tag on an antenna."""

    antenna: int
    technology: Technology
    uid: bytes


class Tags(Message, frozen=True, kw_only=True):
    """Reader: one part of a snapshot; ``as_of`` is the number of the last event it contains."""

    seq: int
    as_of: int
    part: int
    last: bool
    tags: tuple[Present, ...]


class Configured(Message, frozen=True, kw_only=True):
    """Reader: the values in use."""

    seq: int
    poll_ms: int
    arrive_reads: int
    leave_reads: int
    leave_ms: int
    heartbeat_ms: int


class Status(Message, frozen=True, kw_only=True):
    """Reader: the heartbeat (``seq`` 0) and the reply to a status request."""

    uptime_ms: int
    last_event: int
    bad_frames: int
    lost_events: int
    health: tuple[Health, ...]


class Done(Message, frozen=True, kw_only=True):
    """Reader: the request, whose code this repeats, is carried out."""

    seq: int
    request: int


class Tag(Message, frozen=True, kw_only=True):
    """Reader: a tag event, numbered from 1 since the start of the reader without a gap."""

    event: int
    change: Change
    antenna: int
    technology: Technology
    signal: int | None
    uptime_ms: int
    uid: bytes


class Notice(Message, frozen=True, kw_only=True):
    """Reader: a remark for people, which no program acts on."""

    level: Level
    antenna: int
    text: str


class Refused(Message, frozen=True, kw_only=True):
    """Reader: the request, whose code this repeats, is not carried out. For ``VERSION``, ``detail`` is the
    lowest version the reader speaks times 256 plus the highest; otherwise 0."""

    seq: int
    request: int
    code: Code
    detail: int = 0


class Spec(NamedTuple):
    """How a message is written down. ``seqs`` are the values its ``seq`` may have."""

    code: int
    name: str
    layout: Layout
    seqs: range


_U8, _U16, _U32 = number(1), number(2), number(4)
_REQUEST, _UNASKED, _EITHER = range(1, 256), range(1), range(256)
_ANTENNA = number(1, 0, MAX_ANTENNAS - 1)
_TARGET = number(1)  # an antenna or all of them; one that is not there is refused, not malformed
_UID = Octets(UID_MIN, UID_MAX)
_SETTINGS: Layout = (
    ("poll_ms", _U16),
    ("arrive_reads", _U8),
    ("leave_reads", _U8),
    ("leave_ms", _U16),
    ("heartbeat_ms", _U16),
)
_PRESENT: Layout = (("antenna", _ANTENNA), ("technology", Choice(Technology)), ("uid", _UID))

LAYOUTS: dict[type[Message], Spec] = {
    Hello: Spec(
        0x01,
        "hello",
        (
            ("min_version", number(1, 1)),
            ("max_version", number(1, 1)),
            ("features", Flags(Feature, 2, open=True)),
            ("nonce", _U32),
        ),
        _REQUEST,
    ),
    Describe: Spec(0x02, "describe", (("antenna", _TARGET),), _REQUEST),
    SnapshotRequest: Spec(0x03, "snapshot", (), _REQUEST),
    Feedback: Spec(
        0x04,
        "feedback",
        (
            ("antenna", _TARGET),
            ("id", number(2, 1)),
            ("pattern", Choice(Pattern)),
            ("sound", Choice(Sound)),
            ("duration_ms", _U16),
        ),
        _REQUEST,
    ),
    Configure: Spec(0x05, "configure", _SETTINGS, _REQUEST),
    StatusRequest: Spec(0x06, "status_request", (), _REQUEST),
    Ack: Spec(0x07, "ack", (("event", _U32),), _UNASKED),
    Bye: Spec(0x08, "bye", (), _REQUEST),
    Welcome: Spec(
        0x81,
        "welcome",
        (
            ("version", number(1, 1)),
            ("features", Flags(Feature, 2)),
            ("nonce", _U32),
            ("device", Octets(8, 8)),
            ("boot", _U32),
            ("reset", Choice(Reset)),
            ("antennas", number(1, 1, MAX_ANTENNAS)),
            ("window", number(1, 1)),
            ("max_frame", number(1, 48)),
            ("heartbeat_ms", _U16),
            ("last_event", _U32),
            ("firmware", Text(NAME_MAX)),
        ),
        _REQUEST,
    ),
    Antenna: Spec(
        0x82,
        "antenna",
        (
            ("antenna", _ANTENNA),
            ("role", Choice(Role)),
            ("number", _U8),
            ("technologies", Flags(Technologies)),
            ("max_tags", number(1, 1)),
            ("abilities", Flags(Ability)),
            ("label", Text(LABEL_MAX)),
        ),
        _REQUEST,
    ),
    Tags: Spec(
        0x83,
        "tags",
        (("as_of", _U32), ("part", _U8), ("last", Truth()), ("tags", Several(_PRESENT, Present))),
        _REQUEST,
    ),
    Done: Spec(0x80, "done", (("request", _U8),), _REQUEST),
    Configured: Spec(0x85, "configured", _SETTINGS, _REQUEST),
    Status: Spec(
        0x86,
        "status",
        (
            ("uptime_ms", _U32),
            ("last_event", _U32),
            ("bad_frames", _U16),
            ("lost_events", _U16),
            ("health", Several((("health", Flags(Health)),))),
        ),
        _EITHER,
    ),
    Tag: Spec(
        0xC0,
        "tag",
        (
            ("event", number(4, 1)),
            ("change", Choice(Change)),
            ("antenna", _ANTENNA),
            ("technology", Choice(Technology)),
            ("signal", Signal()),
            ("uptime_ms", _U32),
            ("uid", _UID),
        ),
        _UNASKED,
    ),
    Notice: Spec(
        0xC1,
        "notice",
        (("level", Choice(Level)), ("antenna", _TARGET), ("text", Text(NOTICE_MAX))),
        _UNASKED,
    ),
    Refused: Spec(0xFF, "refused", (("request", _U8), ("code", Choice(Code)), ("detail", _U16)), _REQUEST),
}

BY_CODE: dict[int, type[Message]] = {spec.code: kind for kind, spec in LAYOUTS.items()}
BY_NAME: dict[str, type[Message]] = {spec.name: kind for kind, spec in LAYOUTS.items()}
