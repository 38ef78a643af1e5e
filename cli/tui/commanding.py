"""A sign that begins a command where letters choose: at "for what?" the word quit would ask for queens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

SIGNS: Final = ("/", ":")
"""As in programs for talk, and as in editors. No card and no move begins with them."""


def bare_command(line: str) -> str:
    """A line without the sign."""
    text = line.lstrip()
    return text[1:] if text.startswith(SIGNS) else line


class Commands(Completer):
    """Completes what stands after the sign as if it stood alone."""

    def __init__(self, lines: Completer) -> None:
        self._lines = lines

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """See ``Completer``."""
        typed = Document(bare_command(document.text_before_cursor))
        return self._lines.get_completions(typed, complete_event)
