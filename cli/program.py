"""How this program is called from here, so that every command that is shown can be pasted."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

NAME = "shoal"


def call(words: str) -> str:
    """A command line of Shoal: ``shoal resume``, or ``.venv/bin/shoal resume`` where the shell does not find
    ``shoal``."""
    return f"{_program()} {words}"


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
