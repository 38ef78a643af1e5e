"""Sentences of a command that ends at once: broken between words where a terminal shows them, whole in a file
or a pipe."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TextIO

import click

from .console import NARROWEST, fitted


def is_shown(stream: TextIO) -> bool:
    """Whether a terminal shows what is written to ``stream``."""
    return stream.isatty()


def tell(text: str, err: bool = False) -> None:
    """One line, or several, to standard output or (``err``) standard error."""
    click.echo(fitted(text) if is_shown(sys.stderr if err else sys.stdout) else text, err=err)


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
