"""What the shell offers after the Tab key, for values that click cannot know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import click
from click.shell_completion import CompletionItem


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
        return [CompletionItem(word) for word in self._words() if word.startswith(incomplete)]


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


_BY_METAVAR: Final = {"GAME": Words(_games), "LEVEL": Words(_levels), "FILE": File()}


def complete_values(command: click.Command) -> None:
    """Let the shell offer games, levels and files for the parameters that are called so."""
    for parameter in command.params:
        names = (parameter.metavar or "").strip("[].").split("|")
        kind = next((_BY_METAVAR[name] for name in names if name in _BY_METAVAR), None)
        if kind is not None and isinstance(parameter.type, type(click.STRING)):
            parameter.type = kind
