"""Ways of dealing: how an operation of a game becomes owed contributions, and back."""

from .base import (
    Close,
    Dealing,
    Escrow,
    Keys,
    PeerFault,
    Place,
    Recover,
    Reveal,
    Round,
    Secrets,
    Setup,
    Task,
)
from .departing import leaving_seats, may_go_on
from .ordering import Chooser, advance, check, contribute
from .printed import Printed
from .progress import FAREWELL, AnyDealing, Handled, NeedsDeed, Passed, Progress
from .sealed import Sealed

__all__ = [
    "FAREWELL",
    "AnyDealing",
    "Chooser",
    "Close",
    "Dealing",
    "Escrow",
    "Handled",
    "Keys",
    "NeedsDeed",
    "Passed",
    "PeerFault",
    "Place",
    "Printed",
    "Progress",
    "Recover",
    "Reveal",
    "Round",
    "Sealed",
    "Secrets",
    "Setup",
    "Task",
    "advance",
    "check",
    "contribute",
    "leaving_seats",
    "may_go_on",
]
