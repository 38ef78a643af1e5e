"""From the lobby to a command and back, in one process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..configuration import variable
from ..errors import FINE
from ..folders import folders
from ..loop import run_async, was_told_to_end
from ..options import Settings
from ..telling import tell
from ..translation import gettext as _

if TYPE_CHECKING:
    from .shell import Disk
    from .state import State

STORE_FILE = "shoal.sqlite3"
"""What ``p2p.io.store`` calls its file; asking there would cost half of the time to the first screen."""

SIGNS = "✓…►─←→↑↓·"
"""What the lobby is drawn with, where the encoding has it."""

RunCommand = Callable[[list[str]], int]


def run_lobby(ctx: click.Context, run: RunCommand, *, is_plain: bool, has_lines: bool) -> int:
    """The lobby until its player leaves; the exit code. ``run`` runs a command line and prints its errors."""
    from ..console import is_capable  # the help needs none of this

    if is_plain or has_lines or not is_capable():
        return _typed(ctx, run, is_plain or not has_lines)
    try:
        return _shown(ctx, run)
    except Exception as error:
        if type(error).__name__ != "NoConsoleScreenBufferError":  # its class is there on Windows alone
            raise
        tell(_("This window cannot show a full screen, as in Git Bash; plain lines are used instead."))
        return _typed(ctx, run, is_plain=True)


def _typed(ctx: click.Context, run: RunCommand, is_plain: bool) -> int:
    from .typed import run_typed  # the full screen needs none of it

    return run_typed(ctx, run, is_plain)


def _shown(ctx: click.Context, run: RunCommand) -> int:
    from .news import lines_of, overheard
    from .shell import show_lobby

    settings = ctx.ensure_object(Settings)
    state = _first(settings)
    while True:
        state, words = run_async(show_lobby(state, lambda: _disk(ctx, settings.args)))
        if words is None:
            return FINE
        with overheard() as heard:
            code = run([*settings.args, *words])
        if was_told_to_end():
            return code
        state = _again(state, lines_of(heard))


def _disk(ctx: click.Context, args: Sequence[str]) -> Disk:
    from .facts import Machine  # imports nearly everything, behind the first screen

    return Machine(ctx, args)


def _first(settings: Settings) -> State:
    """Where nobody has played yet, the name is asked for at once."""
    from ..choices import offered_name
    from .line import Line
    from .state import Main, Naming, State

    is_named = os.environ.get(variable("name")) or settings.configuration.for_all.get("name")
    is_new = not (Path(folders(settings).data) / STORE_FILE).exists()
    page = Naming(Line.offered(offered_name())) if is_new and not is_named else Main()
    return State(page, is_ascii=not _can_show_signs())


def _can_show_signs() -> bool:
    try:
        SIGNS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _again(state: State, news: tuple[str, ...]) -> State:
    from .state import Main, State

    return State(Main(), news=news or state.news, is_ascii=state.is_ascii)
