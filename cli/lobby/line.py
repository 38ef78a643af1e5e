"""A line that is being typed. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

MOST: Final = 200
"""Characters of a line: more than any name, address or path that is typed needs."""


@dataclass(frozen=True, slots=True)
class Line:
    """``at`` is the character before which the next one goes. What is only ``offered`` goes with the first
    character that is typed, and stays with the first key of editing."""

    text: str = ""
    at: int = 0
    is_offered: bool = False

    @classmethod
    def of(cls, text: str) -> Line:
        """A line that holds a text already."""
        return cls(text[:MOST], len(text[:MOST]))

    @classmethod
    def offered(cls, text: str) -> Line:
        """A line that holds what may be taken, or replaced by typing something else."""
        return replace(cls.of(text), is_offered=True)

    def typed(self, text: str) -> Line:
        """More text at the cursor; what cannot be seen becomes a space."""
        if self.is_offered:
            return Line().typed(text)
        clean = "".join(c if c.isprintable() else " " for c in text[:MOST])[: MOST - len(self.text)]
        return Line(self.text[: self.at] + clean + self.text[self.at :], self.at + len(clean))

    def pressed(self, key: str) -> Line | None:
        """After a key of editing; ``None`` for any other key."""
        match key:
            case "backspace":
                at = max(0, self.at - 1)
                return Line(self.text[:at] + self.text[self.at :], at)
            case "delete":
                return Line(self.text[: self.at] + self.text[self.at + 1 :], self.at)
            case "left":
                return Line(self.text, max(0, self.at - 1))
            case "right":
                return Line(self.text, min(len(self.text), self.at + 1))
            case "home":
                return Line(self.text)
            case "end":
                return Line(self.text, len(self.text))
            case "c-u":
                return Line(self.text[self.at :], 0)
            case "c-k":
                return Line(self.text[: self.at], self.at)
        return None
