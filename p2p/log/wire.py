"""Messages between seats once a table exists. Everything that counts is an ``EntryFrame``; the rest is help.

``epoch``, ``step`` and ``head`` (its first 8 bytes) of an entry frame are unsigned hints: they let a seat see
that a contribution builds on another history, instead of taking its signature for a bad one.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from .absence import PURPOSES, Statement
from .charter import MAX_NAME, MAX_SEATS
from .codec import Malformed, decode, encode
from .entry import MAX_BODY, Entry

HEAD_HINT = 8
"""Bytes of a head carried as a hint: enough that two histories never look alike by accident."""

SIGNATURE = 64
"""Bytes of an Ed25519 signature."""

MAX_FRAME = MAX_BODY + 1024
"""Bytes of one frame: the largest contribution and its envelope."""

MAX_WATCHERS = 8
"""Spectators at one seat: a family on the sofa. Each costs its uplink up to ``p2p.io.watching.RATE``."""

MAX_CHAT = 500
"""Characters of one chat line: a few lines on a small terminal."""


class EntryFrame(msgspec.Struct, frozen=True, array_like=True, tag="entry", forbid_unknown_fields=True):
    """A contribution on its way."""

    epoch: int
    step: int
    head: bytes
    seat: int
    body: bytes
    signature: bytes

    @property
    def entry(self) -> Entry:
        """The contribution without its hint."""
        return Entry(self.epoch, self.step, self.seat, self.body, self.signature)


MAX_STEP = 2**32 - 1
"""The largest number of a step or epoch: four bytes under the signature."""


class Want(msgspec.Struct, frozen=True, array_like=True, tag="want", forbid_unknown_fields=True):
    """ "Send me every contribution you hold from this step on." Answered by these, and a ``Have``."""

    epoch: int
    step: int


class Have(msgspec.Struct, frozen=True, array_like=True, tag="have", forbid_unknown_fields=True):
    """The end of the answer to a ``Want``: what the sender holds of the steps before ``following`` is sent.

    ``step`` is the one under way at the sender; where ``following`` is no larger, there is more to ask for.
    ``head`` is the hint of the head before it: it shows two histories even while each waits for the other.
    """

    epoch: int
    following: int
    step: int
    head: bytes


class Chat(msgspec.Struct, frozen=True, array_like=True, tag="chat", forbid_unknown_fields=True):
    """A line of talk: outside the transcript, signed by nobody."""

    text: str


class Pause(msgspec.Struct, frozen=True, array_like=True, tag="pause", forbid_unknown_fields=True):
    """The sender's player stops for now and means to come back."""


class Watchers(msgspec.Struct, frozen=True, array_like=True, tag="watchers", forbid_unknown_fields=True):
    """Who watches at the sender's seat, by the names they are known by there; sent when that changes."""

    names: tuple[str, ...]


class Rebuilding(msgspec.Struct, frozen=True, array_like=True, tag="rebuilding", forbid_unknown_fields=True):
    """ "My store was lost: I sign nothing before these seats have handed over what they hold." Empty: that is
    over. Outside the transcript, signed by nobody."""

    seats: tuple[int, ...]


class Missing(msgspec.Struct, frozen=True, array_like=True, tag="missing", forbid_unknown_fields=True):
    """ "I have no contribution of this keeper to this step, and take part in a round about its absence." """

    epoch: int
    step: int
    head: bytes
    keeper: int


class StatementFrame(
    msgspec.Struct, frozen=True, array_like=True, tag="statement", forbid_unknown_fields=True
):
    """A keeper's signed statement in an absence round on its way."""

    epoch: int
    step: int
    head: bytes
    keeper: int
    purpose: str
    author: int
    have: bool
    signature: bytes

    @property
    def statement(self) -> Statement:
        """The statement without its hint."""
        return Statement(
            self.epoch, self.step, self.keeper, self.purpose, self.author, self.have, self.signature
        )


Message: TypeAlias = (
    EntryFrame | Want | Have | Chat | Pause | Watchers | Rebuilding | Missing | StatementFrame
)


def frame_of(entry: Entry, head: bytes) -> EntryFrame:
    """``entry`` for the wire, with the head it builds on as a hint."""
    return EntryFrame(entry.epoch, entry.step, head[:HEAD_HINT], entry.seat, entry.body, entry.signature)


def frame_of_statement(statement: Statement, head: bytes) -> StatementFrame:
    """``statement`` for the wire, with the head it builds on as a hint."""
    return StatementFrame(
        statement.epoch,
        statement.step,
        head[:HEAD_HINT],
        statement.keeper,
        statement.purpose,
        statement.author,
        statement.have,
        statement.signature,
    )


def encode_message(message: Message) -> bytes:
    """The bytes of one frame."""
    return encode(message)


def decode_message(data: bytes) -> Message:
    """One message from the bytes of a frame. Raises ``Malformed``; blames the link and nobody else."""
    if len(data) > MAX_FRAME:
        raise Malformed(f"a message of {len(data)} bytes is longer than {MAX_FRAME}")
    message: Message = decode(data, Message)  # type: ignore[arg-type]  # a union is a type to msgspec
    if isinstance(message, EntryFrame):
        _check_entry(message)
    elif isinstance(message, Want):
        _check_place(message.epoch, message.step)
    elif isinstance(message, Have):
        _check_place(message.epoch, message.step)
        _check_place(message.epoch, message.following)
        _check_hint(message.head)
    elif isinstance(message, Missing):
        _check_place(message.epoch, message.step)
        _check_hint(message.head)
        _check_seat(message.keeper)
    elif isinstance(message, StatementFrame):
        _check_statement(message)
    elif isinstance(message, Chat) and len(message.text) > MAX_CHAT:
        raise Malformed(f"a chat line has at most {MAX_CHAT} characters")
    elif isinstance(message, Watchers):
        _check_watchers(message.names)
    elif isinstance(message, Rebuilding):
        _check_seats(message.seats)
    return message


def _check_watchers(names: tuple[str, ...]) -> None:
    if len(names) > MAX_WATCHERS or any(not 0 < len(name.encode()) <= MAX_NAME for name in names):
        raise Malformed("the list of those who watch has the wrong sizes")


def _check_seats(seats: tuple[int, ...]) -> None:
    if len(seats) > MAX_SEATS or list(seats) != sorted(set(seats)):
        raise Malformed("a list of seats is in order, and names none twice")
    for seat in seats:
        _check_seat(seat)


def _check_entry(message: EntryFrame) -> None:
    _check_place(message.epoch, message.step)
    _check_hint(message.head)
    _check_seat(message.seat)
    if len(message.signature) != SIGNATURE:
        raise Malformed("a contribution's envelope has the wrong sizes")
    if len(message.body) > MAX_BODY:
        raise Malformed(f"a contribution has at most {MAX_BODY} bytes")


def _check_statement(message: StatementFrame) -> None:
    _check_place(message.epoch, message.step)
    _check_hint(message.head)
    _check_seat(message.keeper)
    _check_seat(message.author)
    if message.purpose not in PURPOSES or len(message.signature) != SIGNATURE:
        raise Malformed("a statement's envelope has the wrong sizes")


def _check_seat(seat: int) -> None:
    if not 0 <= seat < MAX_SEATS:
        raise Malformed(f"a table has at most {MAX_SEATS} seats")


def _check_hint(head: bytes) -> None:
    if len(head) != HEAD_HINT:
        raise Malformed(f"the hint of a head has {HEAD_HINT} bytes")


def _check_place(epoch: int, step: int) -> None:
    if not (0 <= epoch <= MAX_STEP and 0 <= step <= MAX_STEP):
        raise Malformed("epoch and step are 32-bit numbers")
