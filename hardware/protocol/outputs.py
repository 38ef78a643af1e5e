"""What a host learns from a reader, as values for the layer above."""

from __future__ import annotations

from dataclasses import dataclass

from .choices import (
    Code,
    Health,
    Reset,
)
from .messages import (
    Antenna,
    Configured,
    Message,
    Notice,
    Present,
    Tag,
    Welcome,
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A session has begun; a ``Snapshot`` follows at once."""

    reader: Welcome
    antennas: tuple[Antenna, ...]


@dataclass(frozen=True, slots=True)
class Rebooted:
    """The reader that answers has started anew since the last session."""

    reset: Reset
    boot: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """Another reader answers where ``before`` was."""

    before: bytes
    device: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All tags that are present, whatever was believed before."""

    as_of: int
    tags: tuple[Present, ...]


@dataclass(frozen=True, slots=True)
class Tagged:
    """A tag event, once and in order."""

    tag: Tag


@dataclass(frozen=True, slots=True)
class Gap:
    """Events from ``first`` to ``last`` were lost on the way; a ``Snapshot`` follows."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Healthy:
    """The state of each antenna, with every heartbeat. ``bad_frames``: of ours, damaged on the way."""

    uptime_ms: int
    bad_frames: int
    lost_events: int
    health: tuple[Health, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """The session is over: until the next ``Snapshot`` nothing is known about any tag."""

    reason: str


@dataclass(frozen=True, slots=True)
class Incompatible:
    """The reader speaks versions ``lowest`` to ``highest`` and none of ours; its firmware needs an update, or
    this program does."""

    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A request was carried out."""

    request: Message


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """A request was not carried out."""

    request: Message
    code: Code


@dataclass(frozen=True, slots=True)
class InUse:
    """The settings of the reader."""

    settings: Configured


@dataclass(frozen=True, slots=True)
class Noticed:
    """A remark of the reader for people."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something arrived that is no message of a reader."""

    reason: str


Output = (
    Opened
    | Rebooted
    | Replaced
    | Snapshot
    | Tagged
    | Gap
    | Healthy
    | Lost
    | Incompatible
    | Finished
    | RequestRefused
    | InUse
    | Noticed
    | Dropped
)
