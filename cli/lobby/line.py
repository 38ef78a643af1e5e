"""A line that is being typed. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

MOST: Final = 200
"""Characters of a line: more than any name, address or path that is typed needs."""


@dataclass(frozen=True, slots=True)
class Line:
    """``at`` is the character before which the next one goes."""

    text: str = ""
    at: int = 0

    @classmethod
    def of(cls, text: str) -> Line:
        """A line that holds a text already."""
        return cls(text[:MOST], len(text[:MOST]))

    def typed(self, text: str) -> Line:
        """More text at the cursor; what cannot be seen becomes a space."""
        clean = "".join(c if c.isprintable() else " " for c in text[:MOST])[: MOST - len(self.text)]
        return Line(self.text[: self.at] + clean + self.text[self.at :], self.at + len(clean))

    def pressed(self, key: str) -> Line | None:
        """After a key of editing; ``None`` for any other key."""
        match key:
            case "backspace":
                at = max(0, self.at - 1)
                return Line(self.text[:at] + self.text[self.at :], at)
            case "delete":
                return replace(self, text=self.text[: self.at] + self.text[self.at + 1 :])
            case "left":
                return replace(self, at=max(0, self.at - 1))
            case "right":
                return replace(self, at=min(len(self.text), self.at + 1))
            case "home":
                return replace(self, at=0)
            case "end":
                return replace(self, at=len(self.text))
            case "c-u":
                return Line(self.text[self.at :], 0)
            case "c-k":
                return replace(self, text=self.text[: self.at])
        return None
