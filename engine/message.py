"""Sentences for players that remember how they were made, so that they can be said in another language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self


class Message(str):
    """An English sentence, made from a ``template`` and ``fields``: ``Message("no {what}", what="card")``.

    It is the English text wherever a text is wanted. A field may be a message, too. Who shows it in another
    language looks the template up in a catalogue and fills in the fields (``cli.language.said``).
    """

    __slots__ = ("fields", "template")

    template: str
    fields: Mapping[str, object]

    def __new__(cls, template: str, /, **fields: object) -> Self:
        """Raises ``KeyError`` where a field is missing. Without fields the template is taken as it is."""
        message = super().__new__(cls, template.format(**fields) if fields else template)
        message.template = template
        message.fields = fields
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.template, dict(self.fields))


def _remade(template: str, fields: Mapping[str, object]) -> Message:
    return Message(template, **fields)


def message_of(error: BaseException) -> str:
    """What an error says, as a ``Message`` where it is one; ``str(error)`` keeps the English text alone."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Message) else str(error)


def printable(text: str, most: int = 500) -> str:
    """A text from outside, safe to show: ``most`` characters of it, a space for each that is a control
    character or cannot be seen.
    """
    clean = "".join(c if c.isprintable() else " " for c in text[: most + 1])
    return f"{clean[:most]}…" if len(clean) > most else clean


def quoted(text: str, most: int = 20) -> str:
    """The same in quotation marks, shorter, for a sentence that repeats what was typed."""
    return f'"{printable(text, most)}"'


def either(words: list[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    if len(words) < 2:
        return "".join(words)
    return Message("{some} or {last}", some=", ".join(words[:-1]), last=words[-1])
