"""Casino as its suites play it, and a table of it where nobody opens a hand."""

from engine import (
    Action,
    View,
    game,
)
from engine.games.casino import Casino
from engine.games.casino_state import CasinoState

RULES = game("casino")
LABELS = ("P1", "P2", "D")


class Covered(Casino):
    """The same rules at a table where nobody opens a hand, so that the Dealer takes blindly."""

    def legal(self, v: View[CasinoState]) -> tuple[Action, ...]:
        return (Action("ready"),) if v.state.phase == "ready" else super().legal(v)
