"""What people type and write for the engine: actions, events, decks, scenarios and options."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from engine.contract import Action, BadAction
from engine.match import Position
from engine.registry import game, games
from engine.text import parse_deed, parse_event
from tests.fuzz.target import ROOT

LABELS = ("A", "B", "Cem")


@cache
def positions() -> list[tuple[Any, Any]]:
    """Each game at its beginning, with its rules."""
    found = []
    for each in games():
        rules = game(each)
        seats = max(rules.info.least_seats, 3)
        found.append((rules, Position.start(rules, rules.options({}, seats), seats)))
    return found


def action(data: bytes) -> None:
    """The first byte is the game; the rest is what somebody types on a turn."""
    _, position = positions()[data[0] % len(positions())] if data else positions()[0]
    typed = data[1:].decode("utf-8", "replace")
    found = position.parse(typed, LABELS)
    assert isinstance(found, Action)


def actions() -> Iterable[bytes]:
    lines = ["ask B 9", "ask B 9H", "lay 9 9", "give 9C", "9", "ready", "pick 2", "pair 3C 3D", "ask Cem K"]
    return [bytes([n]) + line.encode() for n in range(len(positions())) for line in lines]


def event(data: bytes) -> None:
    info = positions()[data[0] % len(positions())][0].info if data else positions()[0][0].info
    words = data[1:].decode("utf-8", "replace")
    try:
        parse_event(words, LABELS, info)
    except BadAction:
        parse_deed(words, LABELS, info)


def decks() -> Iterable[bytes]:
    folder = ROOT / "engine" / "decks"
    return [each.read_bytes() for each in (*folder.glob("*.toml"), *(ROOT / "examples/decks").glob("*.toml"))]


def scenarios() -> Iterable[bytes]:
    """The first few of each file: whole files are long."""
    for each in sorted((ROOT / "tests/scenarios").glob("*.toml")):
        pieces = each.read_text("utf-8").split("[[scenario]]")[1:4]
        yield ("[[scenario]]" + "[[scenario]]".join(pieces)).encode()


def options(data: bytes) -> None:
    """``name=value`` lines for the game in the first byte."""
    from engine.options import parse_option  # used here alone

    rules = positions()[data[0] % len(positions())][0] if data else positions()[0][0]
    lines = data[1:].decode("utf-8", "replace").splitlines()
    rules.options(dict(parse_option(line) for line in lines), 3)
