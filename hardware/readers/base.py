"""What all readers have in common: what they report, how they are driven, what is known of them
beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeAlias

from ..uids import Technology, Uid


class Presence(Enum):
    """How a reader tells that a tag is still there."""

    REPEATED = "repeated"
    """It reports the tag again and again; silence means that the tag has gone."""
    POLLED = "polled"
    """Each round gives all tags, in a `Listing`."""
    EDGE = "edge"
    """It reports a tag once, when it arrives, and nothing more."""
    REPORTED = "reported"
    """It reports arrivals and departures."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a kind of reader. ``period``: seconds between two reports of a tag that lies still.

    ``baud_rates`` are the usual ones, the most usual first; ``most_tags`` can be told apart on one antenna.
    """

    name: str
    title: str
    presence: Presence
    period: float
    baud_rates: tuple[int, ...]
    technology: Technology = Technology.UNKNOWN
    most_tags: int = 1
    commanded: bool = False
    """Whether it says nothing unless it is asked."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A tag is on an antenna now. ``strength`` in dBm, where the reader measures it.

    ``tap``: this antenna cannot tell whether the tag stays, though others of the reader can.
    """

    uid: Uid
    antenna: int = 0
    strength: int | None = None
    tap: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """The reader says that a tag has left an antenna; without ``uid``, whatever lay there."""

    uid: Uid | None
    antenna: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """All tags on an antenna in one round. ``final``: the reader has its own debouncing; believe it at
    once."""

    uids: tuple[Uid, ...]
    antenna: int = 0
    final: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """A round that says nothing about the tags: no answer, or a collision. No tag has gone because of it."""

    why: str
    antenna: int = 0


@dataclass(frozen=True, slots=True)
class Unclear:
    """A text that stands for a tag, but not for certain which. ``why`` is a sentence with the remedy."""

    text: str
    why: str
    antenna: int = 0


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence for people about the reader: a wrong speed, its version, an error it reports."""

    text: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """The reader has started anew; what lies on its antennas is not known."""

    why: str


@dataclass(frozen=True, slots=True)
class Health:
    """Whether an antenna works. A reader may be deaf while its board answers."""

    well: bool
    why: str
    antenna: int = 0


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The port has gone. What lies on the antennas is not known until it is back."""

    why: str


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The port is open. ``continued``: the reader ran all the while, and will not say again what it said
    before; only what happened meanwhile is not known."""

    device: str
    continued: bool = False


@dataclass(frozen=True, slots=True)
class Send:
    """Bytes to write to the reader."""

    data: bytes


Reading: TypeAlias = (
    Seen | Gone | Listing | Failed | Unclear | Remark | Restarted | Health | LinkLost | LinkUp
)
Output: TypeAlias = Reading | Send


class Reader(Protocol):
    """One reader on one port, without I/O: bytes and the time in, readings and commands out.

    ``now`` is in seconds on a clock that never goes back. No input raises: what cannot be understood is
    skipped. The state after `start` is that of a new object.
    """

    @property
    def profile(self) -> Profile: ...

    @property
    def wake(self) -> float | None:
        """When `tick` wants to be called; ``None``: when there is nothing to wait for."""
        ...

    def start(self, now: float) -> list[Output]:
        """The port has been opened, or opened again."""
        ...

    def feed(self, data: bytes, now: float) -> list[Output]:
        """Bytes that have arrived, in pieces of any size."""
        ...

    def tick(self, now: float) -> list[Output]:
        """Time has passed."""
        ...
