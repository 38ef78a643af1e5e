"""What the shell offers after the Tab key, for values that click cannot know."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

LOOK_TIME: Final = 1.2
"""Seconds to look for tables: who has pressed Tab waits for it. Those that are there answer within one."""

_SPECIAL: Final = re.compile(r"[^\w.,:@%+-]")
"""What means something to a shell within a word."""


class Words(click.ParamType[Any]):
    """A text that may be anything, and the words it usually is."""

    name = "text"

    def __init__(self, words: Callable[[], Sequence[str]]) -> None:
        self._words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text as it is: the command says what is wrong with it."""
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The words that begin like this."""
        with ctx.scope(cleanup=False):
            words = self._words()
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


class File(click.ParamType[Any]):
    """A path as it was typed; the shell offers what there is."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text as it is."""
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Left to the shell."""
        return [CompletionItem(incomplete, type="file")]


def _games() -> Sequence[str]:
    from engine.registry import games  # only completion needs it here

    return games()


def _levels() -> Sequence[str]:
    from engine.bots import BOTS  # only completion needs it here

    return tuple(BOTS)


def _of_store(read: Callable[[Any], Sequence[str]]) -> Sequence[str]:
    """What a store has, if there is one that can be read; nothing is told while somebody types."""
    from p2p.io.store import FILE_NAME, Store, StoreError  # only completion needs it here

    from .errors import Failure
    from .folders import folders_here

    try:
        folder = folders_here().data
        if not (folder / FILE_NAME).exists():
            return ()
        with Store.open(folder) as store:
            return read(store)
    except (StoreError, Failure, OSError):
        return ()


def _kept_games() -> Sequence[str]:
    from .seats import game_id  # only completion needs it here

    return _of_store(lambda store: [game_id(each.table_id) for each in store.games()])


def _games_that_go_on() -> Sequence[str]:
    from .saved import RESUMABLE  # only completion needs these here
    from .seats import game_id

    return _of_store(
        lambda store: [game_id(each.table_id) for each in store.games() if each.state in RESUMABLE]
    )


def _players() -> Sequence[str]:
    return _of_store(lambda store: [_quoted(each.petname) for each in store.players()])


def _tables() -> Sequence[str]:
    from .loop import run_async  # only completion needs these here
    from .network import find_tables

    found, _reason = run_async(find_tables(LOOK_TIME))
    return [_quoted(each.label) for each in found]


def _watched_tables() -> Sequence[str]:
    from .loop import run_async  # only completion needs these here
    from .watching.finding import find_watched

    found, _reason = run_async(find_watched(LOOK_TIME))
    return [_quoted(each.label) for each in found]


def _quoted(name: str) -> str:
    """Of all shells bash alone takes the words in as they are."""
    is_bash = os.environ.get("_SHOAL_COMPLETE", "").startswith("bash")
    return _SPECIAL.sub(r"\\\g<0>", name) if is_bash else name


_BY_METAVAR: Final = {
    "GAME": Words(_games),
    "LEVEL": Words(_levels),
    "FILE": File(),
    "GAME-ID": Words(_kept_games),
    "resume GAME-ID": Words(_games_that_go_on),
    "PLAYER": Words(_players),
    "TABLE": Words(_tables),
    "watch TABLE": Words(_watched_tables),
}


def complete_values(command: click.Command) -> None:
    """Let the shell offer games, levels and files, kept games, players one has met, and tables on the network
    for the parameters that are called so."""
    for parameter in command.params:
        names = (parameter.metavar or "").strip("[].").split("|")
        names = [*(f"{command.name} {name}" for name in names), *names]
        kind = next((_BY_METAVAR[name] for name in names if name in _BY_METAVAR), None)
        if kind is not None and isinstance(parameter.type, type(click.STRING)):
            parameter.type = kind
