"""Small changes of honest bodies, and the lies they make."""

from __future__ import annotations

from collections.abc import Callable

from ..log.codec import pack, unpack
from ..sealed import (
    Group,
)
from .base import Lie
from .liar import at

Edit = Callable[[bytes, Group], bytes]


def part(number: int, change: Edit) -> Edit:
    """``change`` of one part of a body."""

    def changed(body: bytes, group: Group) -> bytes:
        parts = unpack(body)
        parts[number] = change(parts[number], group)
        return pack(parts)

    return changed


def edited(kind: type, change: Edit) -> Lie:
    """The honest body, changed."""
    return at(kind, lambda g, task, deed, body: change(body, g.dealing.group) if body else None)


def first_point(value: Edit) -> Edit:
    """Another first point."""
    return lambda data, group: value(data[: group.point_size], group) + data[group.point_size :]


def no_point(_: bytes, group: Group) -> bytes:
    """Bytes that encode no point."""
    return b"\xff" * group.point_size


def identity(_: bytes, group: Group) -> bytes:
    """The neutral element."""
    return group.identity


def other_point(point: bytes, group: Group) -> bytes:
    """The next point."""
    return group.add(point, group.base)


def shorter(data: bytes, _: Group) -> bytes:
    """A byte less."""
    return data[:-1]
