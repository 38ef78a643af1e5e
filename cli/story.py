"""One line of the game's story, as every front end draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["event", "step", "chat", "note", "warning", "turn", "result"]

PROOF_COLUMN: Final = 40
"""Where proofs stand on a line, so that the eye can skip them; a longer sentence pushes them right."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the game's story. ``proof`` is what was proved along with it, already verified."""

    text: str
    kind: Kind = "event"
    proof: str = ""

    def __str__(self) -> str:
        return f"{self.text:{PROOF_COLUMN}}  {self.proof}" if self.proof else self.text
