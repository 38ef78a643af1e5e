"""Reading a scenario file: shapes and names, every mistake with its line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from ..contract import AnyRules
from ..message import Message, message_of
from ..registry import UnknownGame, game
from ..toml import DataError, Document, Path, path_of


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be true; only what is given is compared."""

    hands: Mapping[str, str] = {}
    hand_sizes: Mapping[str, int] = {}
    stock_size: int | None = None
    turn: str | None = None
    books: Mapping[str, str | int] = {}
    scores: Mapping[str, int] = {}
    public: tuple[str, ...] = ()
    knows: Mapping[str, str] = {}
    unknown_to: Mapping[str, str] = {}
    over: bool | str | None = None
    winners: tuple[str, ...] | None = None
    rejected: bool | str = False
    own: Mapping[str, Any] = {}
    """Facts that only this game has, seat numbers standing for the names of seats."""


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something done, or only looked at."""

    do: str | tuple[str, ...] = ()
    repeat: int = 1
    until: Literal["over"] | None = None
    expect: Expect = Expect()

    @property
    def actions(self) -> tuple[str, ...]:
        """What is done, in order."""
        return (self.do,) if isinstance(self.do, str) else self.do


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario as written."""

    id: str
    game: str
    seats: tuple[str, ...]
    about: str = ""
    options: Mapping[str, str | int | bool] = {}
    start: Literal["turn", "deal"] = "turn"
    hands: Mapping[str, str] = {}
    stock: str = ""
    stock_size: int | None = None
    turn: str | None = None
    deal: str | None = None
    coin: tuple[int, ...] = ()
    invalid: str | None = None
    expect: Expect = Expect()
    play: tuple[Play, ...] = ()
    own: Mapping[str, Any] = {}
    """Keys that only this game has, seat numbers standing for the names of seats in tables."""
    place: tuple[Document, int] | None = None
    """Where it stands: its file, and its number in there."""

    @property
    def rules(self) -> AnyRules:
        """The rules of its game."""
        return game(self.game)

    @property
    def chosen(self) -> dict[str, str]:
        """The options as texts."""
        return {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in self.options.items()
        }

    def line(self, *path: str | int) -> int:
        """The line of one of its keys."""
        if self.place is None:
            return 0
        document, number = self.place
        return document.line(("scenario", number, *path))


def read_scenarios(text: str, name: str) -> tuple[Scenario, ...]:
    """The scenarios of a file. Raises ``DataError`` with the line of the first mistake."""
    document = Document(text, name)
    tables = document.data.get("scenario", [])
    strangers = [key for key in document.data if key != "scenario"]
    if strangers or not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise document.error(
            tuple(strangers[:1]) or ("scenario",), Message("a file is made of [[scenario]] tables.")
        )
    if not tables:
        raise document.error((), Message("there is no [[scenario]] in this file."))
    scenarios: list[Scenario] = []
    for number, table in enumerate(tables):
        scenario = _scenario(document, number, table)
        if scenario.id in {other.id for other in scenarios}:
            raise document.error(
                ("scenario", number, "id"), Message("the id {id} comes twice.", id=scenario.id)
            )
        scenarios.append(scenario)
    return tuple(scenarios)


def _scenario(document: Document, number: int, table: Mapping[str, Any]) -> Scenario:
    at: Path = ("scenario", number)
    try:
        rules = game(str(table.get("game", "")))
    except UnknownGame as error:
        raise document.error((*at, "game"), message_of(error)) from None
    seats = table.get("seats")
    labels = tuple(map(str, seats)) if isinstance(seats, list) else ()
    _check_labels(document, at, labels)
    shared, own = _split(document, at, table, rules.setup_keys, labels)
    shared["expect"] = _expect(document, (*at, "expect"), table.get("expect", {}), rules, labels)
    if isinstance(plays := table.get("play"), list):
        shared["play"] = [
            {**play, "expect": _expect(document, (*at, "play", n, "expect"), play["expect"], rules, labels)}
            if isinstance(play, dict) and "expect" in play
            else play
            for n, play in enumerate(plays)
        ]
    for key in ("own", "place"):
        if key in table:
            raise document.error((*at, key), Message('there is no key "{key}" here.', key=key))
    try:
        scenario = msgspec.convert(shared, Scenario)
    except msgspec.ValidationError as error:
        raise _bad_shape(document, at, str(error)) from None
    _check_seats(document, at, scenario)
    _check_start(document, at, scenario, own)
    return msgspec.structs.replace(scenario, own=own, place=(document, number))


def _split(
    document: Document, at: Path, table: Mapping[str, Any], keys: tuple[str, ...], labels: tuple[str, ...]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keys that all games share, and the game's own with seat numbers for the names in their tables."""
    own = {}
    for key in keys:
        if key in table:
            own[key] = value = table[key]
            if isinstance(value, dict):
                for name in value:
                    if name not in labels:
                        raise document.error((*at, key), Message("there is no seat {name}.", name=name))
                    if isinstance(value[name], bool | float):
                        raise document.error(
                            (*at, key), Message("{key} gives each seat a text or a number.", key=key)
                        )
                own[key] = {labels.index(name): each for name, each in value.items()}
    return {key: value for key, value in table.items() if key not in own}, own


def _expect(document: Document, at: Path, table: Any, rules: AnyRules, labels: tuple[str, ...]) -> Any:
    if not isinstance(table, dict):
        return table
    if "own" in table:
        raise document.error((*at, "own"), Message('there is no key "own" here.'))
    shared, own = _split(document, at, table, rules.expect_keys, labels)
    return {**shared, "own": own} if own else shared


def _bad_shape(document: Document, at: Path, message: str) -> DataError:
    where = (*at, *path_of(message))
    if unknown := re.search(r"unknown field `([^`]*)`", message):
        return document.error(
            (*where, unknown.group(1)), Message('there is no key "{group}" here.', group=unknown.group(1))
        )
    if missing := re.search(r"missing required field `([^`]*)`", message):
        return document.error(where, Message('the key "{group}" is missing.', group=missing.group(1)))
    return document.error(where, Message("{lower}.", lower=message.split(" - at ", maxsplit=1)[0].lower()))


def _check_seats(document: Document, at: Path, scenario: Scenario) -> None:
    for key in ("hands",):
        _check_names(document, (*at, key), scenario, getattr(scenario, key))
    if scenario.turn is not None:
        _check_names(document, (*at, "turn"), scenario, {scenario.turn: None})
    expectations = [((*at, "expect"), scenario.expect)]
    expectations += [((*at, "play", n, "expect"), play.expect) for n, play in enumerate(scenario.play)]
    for where, expect in expectations:
        for key in ("hands", "hand_sizes", "books", "scores", "knows", "unknown_to"):
            _check_names(document, (*where, key), scenario, getattr(expect, key))
        named = [name for name in (expect.turn, *(expect.winners or ())) if name is not None]
        _check_names(document, where, scenario, dict.fromkeys(named))
    for n, play in enumerate(scenario.play):
        if play.repeat < 1:
            raise document.error((*at, "play", n, "repeat"), Message("something is repeated at least once."))


def _check_labels(document: Document, at: Path, labels: tuple[str, ...]) -> None:
    for label in labels:
        if not re.fullmatch(r"[^\s:]+", label) or labels.count(label) != 1:
            raise document.error(
                (*at, "seats"), Message("seats have different names of one word without a colon.")
            )


def _check_names(document: Document, where: Path, scenario: Scenario, names: Mapping[str, object]) -> None:
    for name in names:
        if name not in scenario.seats:
            raise document.error(where, Message("there is no seat {name}.", name=name))


def _check_start(document: Document, at: Path, scenario: Scenario, own: Mapping[str, object]) -> None:
    if scenario.start == "turn":
        if scenario.turn is None and scenario.invalid is None and scenario.rules.needs_turn:
            raise document.error(at, Message('the key "turn" is missing.'))
        if scenario.deal is not None:
            raise document.error((*at, "deal"), Message('deal needs start = "deal".'))
        return
    for key in ("hands", "stock", "stock_size", "turn"):
        if getattr(scenario, key) not in ({}, "", None):
            raise document.error((*at, key), Message('{key} does not go with start = "deal".', key=key))
    for key in own:
        raise document.error((*at, key), Message('{key} does not go with start = "deal".', key=key))
