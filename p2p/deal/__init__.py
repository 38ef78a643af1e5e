"""Ways of dealing: how an operation of a game becomes owed contributions, and back."""

from .base import Close, Dealing, Keys, PeerFault, Place, Reveal, Round, Secrets, Setup, Task
from .printed import Printed
from .progress import AnyDealing, Chooser, Handled, NeedsDeed, Passed, Progress, advance, check, contribute
from .sealed import Sealed

__all__ = [
    "AnyDealing",
    "Chooser",
    "Close",
    "Dealing",
    "Handled",
    "Keys",
    "NeedsDeed",
    "Passed",
    "PeerFault",
    "Place",
    "Printed",
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
