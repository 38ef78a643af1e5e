"""Ways of dealing: how an operation of a game becomes owed contributions, and back."""

from .base import Close, Dealing, Keys, PeerFault, Place, Reveal, Round, Secrets, Setup, Task
from .progress import Chooser, Handled, NeedsDeed, Passed, Progress, advance, check, contribute
from .sealed import Sealed

__all__ = [
    "Chooser",
    "Close",
    "Dealing",
    "Handled",
    "Keys",
    "NeedsDeed",
    "Passed",
    "PeerFault",
    "Place",
    "Progress",
    "Reveal",
    "Round",
    "Sealed",
    "Secrets",
    "Setup",
    "Task",
    "advance",
    "check",
    "contribute",
]
