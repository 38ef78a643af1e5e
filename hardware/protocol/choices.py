"""What the fields of messages choose from, as `firmware_protocol.md` numbers it."""

from __future__ import annotations

from enum import IntEnum, IntFlag


class Role(IntEnum):
    """What an antenna was built for: a hint, which the set-up of the table may overrule."""

    UNASSIGNED = 0
    SEAT = 1
    ASK = 2
    POND = 3
    DISCARD = 4
    HUB = 5


class Technology(IntEnum):
    """How a tag speaks; together with its identifier the key of a tag."""

    UNKNOWN = 0
    ISO14443A = 1
    ISO14443B = 2
    ISO15693 = 3
    FELICA = 4
    EM4100 = 5
    GEN2 = 6


class Technologies(IntFlag):
    """What an antenna can read: bit n for technology n + 1."""

    ISO14443A = 1
    ISO14443B = 2
    ISO15693 = 4
    FELICA = 8
    EM4100 = 16
    GEN2 = 32


class Ability(IntFlag):
    """What an antenna can do besides reading."""

    REMOVAL = 1
    LED = 2
    BUZZER = 4
    SIGNAL = 8


class Feature(IntFlag):
    """Parts of the protocol that a side may lack; the session uses what both have."""

    FEEDBACK = 1
    CONFIGURE = 2
    NOTICES = 4


class Change(IntEnum):
    """What happened to a tag. Only antennas that cannot notice a removal say ``TAPPED``."""

    PLACED = 1
    REMOVED = 2
    TAPPED = 3


class Health(IntFlag):
    """The state of an antenna. While ``ANSWERS`` is missing its tags are the last ones known."""

    ANSWERS = 1
    COLLISION = 2
    NOISE = 4
    RESTARTED = 8


class Pattern(IntEnum):
    """What the light of an antenna says."""

    OFF = 0
    OK = 1
    WRONG = 2
    YOUR_TURN = 3
    WAITING = 4
    ERROR = 5


class Sound(IntEnum):
    """What the buzzer does, once."""

    NONE = 0
    SHORT = 1
    DOUBLE = 2
    LONG = 3


class Reset(IntEnum):
    """Why the reader started."""

    UNKNOWN = 0
    POWER = 1
    EXTERNAL = 2
    WATCHDOG = 3
    BROWN_OUT = 4
    SOFTWARE = 5


class Code(IntEnum):
    """Why a request was refused."""

    UNSUPPORTED = 1
    MALFORMED = 2
    VERSION = 3
    NO_SESSION = 4
    NO_ANTENNA = 5
    NOT_ABLE = 6
    BUSY = 7


class Level(IntEnum):
    """How much a notice matters."""

    INFO = 0
    WARNING = 1
    FAULT = 2
