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
from .printed import Printed
from .progress import (
    FAREWELL,
    AnyDealing,
    Chooser,
    Handled,
    NeedsDeed,
    Passed,
    Progress,
    advance,
    check,
    contribute,
    leaving_seats,
)
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
]
