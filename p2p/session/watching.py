"""What spectators ask for and are sent: the records of the game as they come to be, who has paused it, and
nothing else. No I/O.

A spectator sends one request. What it gets are records of the ``.shoal`` file in the order of the steps, each
once its step is complete, so that it never learns more than the game's record holds at that moment. It cannot
say anything after that, and nothing waits for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from ..link.known import ChangedKey, Known, KnownPlayer, clean_name, judge
from ..log.charter import ACQUAINTED, MAX_NAME, MAX_SEATS, NOBODY_WATCHES
from ..log.codec import Malformed, decode, encode
from ..log.entry import MAX_BODY
from ..log.record import CertificateRecord, CharterRecord, EntryRecord, Record
from ..log.wire import MAX_STEP
from .history import History

MAX_PART = MAX_BODY + 512
"""Bytes of a record that travel in one frame: a contribution and its envelope."""

NOBODY = "Nobody watches at this table; the host can allow it with --watchers."

HEAD_SIZE = 32
"""Bytes of a head."""

MAX_PLACES = 8
"""Addresses of one seat that are passed on, as many as a seat may list."""

MAX_PLACE = 64
"""Characters of an address: the longest IPv6 address in brackets and its port have 47."""


class Watch(msgspec.Struct, frozen=True, array_like=True, tag="watch", forbid_unknown_fields=True):
    """The request: who wants to watch, and how far it has come already.

    ``head`` is the head before ``step``; both are 0 and empty at first.
    """

    name: str
    step: int
    head: bytes


class Places(msgspec.Struct, frozen=True, array_like=True, tag="places", forbid_unknown_fields=True):
    """Where each seat can be reached, for a spectator whose seat goes away."""

    addresses: tuple[tuple[str, ...], ...]


class Start(msgspec.Struct, frozen=True, array_like=True, tag="start", forbid_unknown_fields=True):
    """What follows begins with ``step``; the one under way at the sender is ``reached``."""

    step: int
    reached: int


class Back(msgspec.Struct, frozen=True, array_like=True, tag="back", forbid_unknown_fields=True):
    """The steps from this one on were taken back; its certificate follows."""

    step: int


class PausedSeat(msgspec.Struct, frozen=True, array_like=True, tag="paused", forbid_unknown_fields=True):
    """The player of this seat has said to all at the table that it stops for now. It is no part of the
    record: it explains for whom the game waits."""

    seat: int


class Part(msgspec.Struct, frozen=True, array_like=True, tag="part", forbid_unknown_fields=True):
    """A piece of a record that is longer than one frame holds; the last piece completes it."""

    data: bytes
    is_last: bool


def read_watch(data: bytes) -> Watch | None:
    """The request in a frame, ``None`` where it is something else. Raises ``Malformed`` for a bad one."""
    try:
        request = decode(data, Watch)
    except Malformed:
        return None
    if not 0 < len(request.name.encode()) <= MAX_NAME or not 0 <= request.step <= MAX_STEP:
        raise Malformed("a request to watch has the wrong sizes")
    if len(request.head) != (HEAD_SIZE if request.step else 0):
        raise Malformed("a request to watch has the wrong sizes")
    return request


class Visit:
    """What one without a seat says over its link: one request, and nothing else before or after it."""

    def __init__(self, request: Watch | None = None) -> None:
        self.request = request
        """What it asked for, once it has."""

    def hear(self, frame: bytes) -> str | None:
        """Why its link is cut, in a sentence; ``None`` where the frame is its request."""
        if self.request is not None:
            return "One who watches has nothing to say."
        try:
            self.request = read_watch(frame)
        except Malformed as error:
            return f"What came is no right request ({error})."
        return None if self.request is not None else "Whoever has no seat may ask to watch, and nothing else."


def read_places(places: Places) -> tuple[tuple[str, ...], ...]:
    """The addresses by seat. Raises ``Malformed``."""
    if len(places.addresses) > MAX_SEATS or any(
        len(each) > MAX_PLACES or any(len(address) > MAX_PLACE for address in each)
        for each in places.addresses
    ):
        raise Malformed("the addresses of the seats have the wrong sizes")
    return places.addresses


def refusal(
    policy: str,
    known: Sequence[KnownPlayer],
    name: str,
    public: bytes,
    seated: Sequence[KnownPlayer] = (),
    *,
    owner: str,
) -> str | None:
    """Why the identity ``public`` may not watch under the name it gives; ``None`` where it may. The names of
    those who are ``seated`` are theirs; ``owner`` is the player whose program is asked."""
    if policy == NOBODY_WATCHES:
        return NOBODY
    try:
        is_clean = clean_name(name) == name
    except ValueError:
        is_clean = False
    if not is_clean:
        return "The name is not in its normal form; choose another."
    if isinstance(judge(seated, name, public), ChangedKey):
        return "A player at this table has this name; watch with --name and another one."
    match judge(known, name, public):
        case ChangedKey():
            return "This name belongs to somebody with another key here; watch with --name and another one."
        case Known():
            return None
    if policy == ACQUAINTED:
        return f"{owner} lets only people watch who have played with {owner} before."
    return None


def is_for_strangers(reason: str) -> bool:
    """Whether a refusal is that of one who is not known there: another player, or the host, can help."""
    return reason.endswith(" before.") and " lets only people watch who have played with " in reason


class Feed:
    """How far one spectator has been told of a history, and what comes next. Follows it where steps are taken
    back."""

    def __init__(self, request: Watch) -> None:
        self._request = request
        self._heads: list[bytes] = []

    @property
    def step(self) -> int:
        """The step whose records come next."""
        return len(self._heads) - 1

    def opening(self, history: History, places: Mapping[int, Sequence[str]]) -> list[bytes]:
        """The first frames: the charter, where the seats are, and where the records begin."""
        asked = self._request
        is_ours = asked.step <= history.step and asked.head == history.heads[asked.step]
        start = asked.step if is_ours else 0
        self._heads = list(history.heads[: start + 1])
        where = [tuple(places.get(seat, ()))[:MAX_PLACES] for seat in range(len(history.charter.seats))]
        short = tuple(tuple(each for each in some if len(each) <= MAX_PLACE) for some in where)
        return [
            encode(CharterRecord(encode(history.charter))),
            encode(Places(short)),
            encode(Start(start, history.step)),
        ]

    def following(self, history: History) -> list[bytes]:
        """The frames of the next complete step; none where there is no more by now."""
        frames: list[bytes] = []
        held = min(len(self._heads), len(history.heads))
        while self._heads[held - 1] != history.heads[held - 1]:
            held -= 1  # the first head is that of the charter
        if held < len(self._heads):
            del self._heads[held:]
            frames.append(encode(Back(self.step)))
        step = self.step
        if step < history.step:
            certificate = history.certificates.get(step)
            frames += [] if certificate is None else [encode(CertificateRecord(certificate))]
            frames += [encode(EntryRecord(entry)) for entry in history.steps[step]]
            self._heads.append(history.heads[step + 1])
        return frames


def ending(records: Iterable[Record]) -> list[bytes]:
    """The last frames: what the record holds besides complete steps (``recording.last_records``)."""
    return [frame for record in records for frame in _frames(encode(record))]


def _frames(data: bytes) -> list[bytes]:
    """A record as frames: evidence of two large contributions does not fit one."""
    if len(data) <= MAX_PART:
        return [data]
    ends = range(MAX_PART, len(data) + MAX_PART, MAX_PART)
    return [encode(Part(data[end - MAX_PART : end], end >= len(data))) for end in ends]


__all__ = [
    "NOBODY", "Back", "Feed", "Part", "PausedSeat", "Places", "Start", "Visit", "Watch", "ending",
    "read_places", "read_watch", "refusal",
]  # fmt: skip
