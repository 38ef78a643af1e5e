"""Sentences of a command that ends at once: broken between words where a terminal shows them, whole in a file
or a pipe."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import Protocol, TextIO, runtime_checkable

import click

from .console import NARROWEST, fitted


@runtime_checkable
class Overhearing(Protocol):
    """A stream whose text is shown once more, elsewhere."""

    def write_broken(self, broken: str, whole: str) -> None:
        """Write ``broken``; what is shown elsewhere is made of ``whole``."""


def is_shown(stream: TextIO) -> bool:
    """Whether a terminal shows what is written to ``stream``."""
    return stream.isatty()


def tell(text: str, err: bool = False) -> None:
    """One line, or several, to standard output or (``err``) standard error."""
    stream = sys.stderr if err else sys.stdout
    if not is_shown(stream):
        click.echo(text, err=err)
    elif isinstance(stream, Overhearing):
        stream.write_broken(f"{fitted(text)}\n", f"{text}\n")
    else:
        click.echo(fitted(text), err=err)


def tell_beside(head: str, text: str) -> None:
    """A line of a list, whose words stay to the right of its head."""
    if not is_shown(sys.stdout):
        click.echo(head + text)
        return
    width = shutil.get_terminal_size().columns - 1
    if width < len(head) + NARROWEST:
        click.echo(fitted(head + text))
        return
    click.echo(
        textwrap.fill(
            head + text, width, subsequent_indent=" " * len(head), break_long_words=False,
            break_on_hyphens=False, replace_whitespace=False,
        )
    )  # fmt: skip
