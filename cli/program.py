"""How this program is called from here, so that every command that is shown can be pasted."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

from .options import Settings

NAME = "shoal"

_settings: ContextVar[Settings | None] = ContextVar("settings", default=None)


@contextlib.contextmanager
def running_with(settings: Settings) -> Iterator[None]:
    """For as long as the block runs, ``call_here`` knows what was chosen for this run."""
    token = _settings.set(settings)
    try:
        yield
    finally:
        _settings.reset(token)


def call(words: str) -> str:
    """A command line of Shoal: ``shoal resume``, or ``.venv/bin/shoal resume`` where the shell does not find
    ``shoal``."""
    return f"{_program()} {words}"


def call_here(words: str) -> str:
    """The same for a command of this player on this machine, with ``--home`` where it was chosen: without it
    the command would look for games, players and records in another folder."""
    settings = _settings.get()
    if settings is None or not settings.home:
        return call(words)
    home = Path(os.path.expanduser(settings.home)).absolute()  # the command may be pasted in another folder
    return call(f"--home {shlex.quote(str(home))} {words}")


def _program() -> str:
    started = Path(sys.argv[0])
    if started.stem == NAME:
        found = shutil.which(NAME)
        return NAME if found and _is_same(Path(found), started) else shlex.quote(_from_here(started))
    if started == Path(__file__).with_name("__main__.py"):
        return f"{shlex.quote(_from_here(Path(sys.executable)))} -m {__package__}"
    return NAME


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _from_here(path: Path) -> str:
    """Relative where it is inside the current folder; links are not followed, since an environment's Python
    is one."""
    path = Path(os.path.abspath(path))
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
