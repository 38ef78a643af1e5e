"""One seat's session at a table, as a machine without I/O."""

from engine.contract import Action, AnyRules

from .core import Session
from .effects import (
    Contributed,
    Drop,
    Effect,
    Fault,
    Finished,
    GameOver,
    Happened,
    Job,
    LinkCut,
    Paused,
    Persist,
    Send,
    Stage,
    Stale,
    Talk,
    Tell,
    Telling,
    Timer,
    Waiting,
    Work,
    YourMove,
)
from .history import BadCharter, History, check_charter
from .jobs import is_open_choice
from .recording import game_record
from .setup import Agreed, GuestSetup, HostSetup, Roster, Seated, SetupError

__all__ = [
    "Action",
    "Agreed",
    "AnyRules",
    "BadCharter",
    "Contributed",
    "Drop",
    "Effect",
    "Fault",
    "Finished",
    "GameOver",
    "GuestSetup",
    "Happened",
    "History",
    "HostSetup",
    "Job",
    "LinkCut",
    "Paused",
    "Persist",
    "Roster",
    "Seated",
    "Send",
    "Session",
    "SetupError",
    "Stage",
    "Stale",
    "Talk",
    "Tell",
    "Telling",
    "Timer",
    "Waiting",
    "Work",
    "YourMove",
    "check_charter",
    "game_record",
    "is_open_choice",
]
