"""Proofs from elsewhere, malformed ones, and other encodings of true ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.table import Choose, Draw, Mix, Shuffle

from ..deal import Setup, Task
from ..deal.giving import Giver
from ..sealed import Group, encode_scalar
from .base import Attack, Lie
from .edits import Edit, edited, first_point, identity, no_point, other_point, part
from .games import ALL, BOTH, MIXED
from .judging import lie
from .liar import honest

Games = dict[str, dict[str, str]]


def _from(kind: type, **place: Any) -> Lie:
    """The honest body of another place."""

    def tell(giver: Giver, task: Task, number: int, deed: Any) -> bytes | None:
        if not isinstance(task, kind):
            return None
        return honest(giver, task, number, deed, **place) or None

    return tell


def _plus_order(data: bytes, group: Group) -> bytes:
    return data[:-32] + encode_scalar(int.from_bytes(data[-32:], "little") + group.order)


def _plus_one(data: bytes, group: Group) -> bytes:
    return data[:-32] + encode_scalar((int.from_bytes(data[-32:], "little") + 1) % group.order)


def _longer(data: bytes, _: Group) -> bytes:
    return data + b"\0"


def _shorter(data: bytes, _: Group) -> bytes:
    return data[:-1]


def _whole(change: Edit) -> Edit:
    return change


KINDS: Final[dict[str, tuple[type, Callable[[Edit], Edit], Games, str]]] = {
    "key": (Setup, lambda change: part(1, change), ALL, "that it knows its key"),
    "shuffle": (Shuffle, lambda change: part(1, change), ALL, "of its shuffle"),
    "share": (Draw, _whole, ALL, "of its share"),
    "ask": (Choose, lambda change: part(2, change), BOTH, "that it holds what it asks for"),
    "mix": (Mix, lambda change: part(1, change), MIXED, "of its mix"),
}
"""What is proved, where the proof lies in the body, and where there is one."""

PLACES: Final[dict[str, tuple[str, dict[str, Any], str]]] = {
    "another-seat": ("made by another seat", {"seat": 2}, "CHEATS 14"),
    "another-step": ("of an earlier step", {"step": 99}, "CHEATS 14"),
    "another-epoch": ("of another epoch", {"epoch": 1}, "CHEATS 14"),
    "another-table": ("of another game", {"table_id": bytes(32)}, "CHEATS 14, 39"),
    "another-history": ("made on another history", {"head": bytes(32)}, "CHEATS 11, 14"),
    "another-index": ("of another place in the same contribution", {"index": 7}, "CHEATS 11, 13"),
}

FORMS: Final[dict[str, tuple[str, Edit, str, str]]] = {
    "scalar-plus-order": (
        "in another encoding: a scalar not below the order",
        _plus_order,
        "not below",
        "CHEATS 9",
    ),
    "changed": ("with one number changed", _plus_one, "does not hold", "CHEATS 22"),
    "longer": ("with a byte more", _longer, "bytes", "CHEATS 37"),
    "shorter": ("with a byte less", _shorter, "bytes", "CHEATS 37"),
}


def _attacks() -> tuple[Attack, ...]:
    found = []
    for kind, (task, into, games, what) in KINDS.items():
        for name, (how, place, source) in PLACES.items():
            if name == "another-seat" and kind in ("key", "ask"):  # of the seat's own key and hand
                continue
            tries = f"Sends a proof {what}, {how}."
            chosen = _from(task, **place) if kind != "ask" else _asks(_from(task, **place))
            found.append(lie(f"{kind}-proof-{name}", tries, source, games, chosen, says="does not hold"))
        for name, (how, change, says, source) in FORMS.items():
            tries = f"Sends the proof {what} {how}."
            chosen = edited(task, into(change))
            if kind == "ask":
                chosen = _asks(chosen)
            found.append(lie(f"{kind}-proof-{name}", tries, source, games, chosen, says=says))
    for kind, task in {"shuffle": Shuffle, "mix": Mix}.items():
        games = KINDS[kind][2]
        for name, how, change, says in (
            ("no-point", "bytes that encode no point", no_point, "not"),
            ("identity-point", "the neutral element", identity, ""),
            ("other-point", "another point", other_point, ""),
        ):
            tries = f"Puts {how} in place of a masked card ({kind})."
            chosen = edited(task, part(0, first_point(change)))
            found.append(lie(f"{kind}-{name}", tries, "CHEATS 7, 9", games, chosen, says=says))
    return tuple(found)


def _asks(chosen: Lie) -> Lie:
    """Only at decisions that carry a proof."""

    def tell(giver: Giver, task: Task, number: int, deed: Any) -> bytes | None:
        if not isinstance(task, Choose) or deed is None or deed.verb != "ask":
            return None
        return chosen(giver, task, number, deed)

    return tell


ATTACKS: Final = _attacks()
