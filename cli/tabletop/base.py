"""What every way of playing with cards one can touch has in common: what comes in, and what goes out. Pure.

A **mode** is a machine without I/O. It hears what happens on the pads and in the game, with the time, and
answers with outputs; ``cli.tabletop.desk`` carries them out. Times are seconds on a clock that never goes
back, the same one for the taps and for everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Final, TypeAlias

from engine.cards import Deck, Face
from engine.contract import Action, AnyRules, Reason, View
from engine.table import Choose, Complete, Disclose, Slot, Tick
from hardware.events import Event, Place
from hardware.pads import Pads, Role, is_same_name
from hardware.tags import Book, Tag
from hardware.uids import Uid
from p2p.session import ScanRefused, Telling

from ..boards import GameBoard
from ..text import Glyphs, Speaker

EVERYBODY: Final = -1
"""In place of a seat: everybody at the table."""

# --- what comes in ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Touch:
    """A tag was placed on a pad, or held to it. ``role``: what the pad is for, if anything.

    ``tag`` is what the book says of it, ``None`` for a tag that is not enrolled. ``stays``: this reader will
    tell when it leaves (`Lift`); otherwise the touch is all there is.
    """

    uid: Uid
    tag: Tag | None
    place: Place
    role: Role | None
    at: float
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Lift:
    """A tag has left a pad, as far as the reader can tell."""

    uid: Uid
    tag: Tag | None
    place: Place
    role: Role | None
    at: float


class Kind(Enum):
    """What is the matter with a pad."""

    UNSURE = "unsure"
    """What lies there is not known for now: the reader was unplugged, or started anew."""
    SETTLED = "settled"
    """It is known again; lifts, if any, came before."""
    DISTURBED = "disturbed"
    """Nothing certain is read: most often cards overlap."""
    UNDISTURBED = "undisturbed"
    REFUSED = "refused"
    """A tag that can never be a card, such as a telephone."""
    UNCLEAR = "unclear"
    """A tag whose id did not come through whole, or that looks like several of the book."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something is the matter with a pad. ``why`` is a sentence."""

    kind: Kind
    place: Place
    role: Role | None
    why: str = ""


# --- what goes out ------------------------------------------------------------------------------------------


class Feedback(Enum):
    """What the light and the buzzer of a pad say."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    ATTENTION = "attention"
    """It is this pad's turn to be touched."""
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Act:
    """The decision of a local seat."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence on the screen.

    One for a single ``seat`` may speak of cards that only its player may know: it is shown on that player's
    own screen, and on a common one only inside an open `Peek` of that seat.
    """

    text: str
    seat: int = EVERYBODY


@dataclass(frozen=True, slots=True)
class Peek:
    """Show a player its own cards on the common screen, where nothing of them stays behind, until the next
    `Peek`; without ``lines`` nothing is shown any more."""

    seat: int
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Signal:
    """Light and sound of a pad, where its reader has any."""

    place: Place
    feedback: Feedback


@dataclass(frozen=True, slots=True)
class Typed:
    """A line as if somebody had typed it: a command of the screen, such as ``hint`` or ``quit``."""

    line: str


@dataclass(frozen=True, slots=True)
class Keep:
    """What the mode must remember if the program ends now; `Setting.kept` gives it back after ``resume``.

    It is written to this machine's disk, readable by its owner alone, and removed when the game is over.
    """

    data: bytes


@dataclass(frozen=True, slots=True)
class Scanned:
    """Printed cards that the table's scanner read, in the order of their taps, as texts of the deck."""

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScanAnew:
    """Forget the printed cards that were scanned and are not signed yet: they are asked for again."""


Output: TypeAlias = Act | Say | Peek | Signal | Typed | Keep | Scanned | ScanAnew
Outputs: TypeAlias = Sequence[Output]

NOTHING: Final[Outputs] = ()

# --- the mode itself ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setting:
    """The table that a mode is opened at.

    ``local`` are the seats of the people who sit at it, the one that was opened first in front. With
    ``is_common`` all of them look at one screen, on which nothing that is hidden may be read.
    """

    rules: AnyRules
    deck: Deck
    names: tuple[str, ...]
    local: tuple[int, ...]
    book: Book
    pads: Pads
    speakers: Mapping[int, Speaker]
    boards: Mapping[int, GameBoard]
    glyphs: Glyphs
    is_common: bool = False
    kept: bytes = b""
    most_tags: Mapping[Place, int] = field(default_factory=dict)
    """How many tags the reader of each pad tells apart, where that is known."""
    can_hide: bool = True
    """Whether the screen can show something that leaves nothing behind (`Peek`)."""

    def seat_named(self, name: str) -> int | None:
        """The seat of a player's token or pad; ``None`` where nobody of that name sits here."""
        return next((seat for seat, each in enumerate(self.names) if is_same_name(each, name)), None)

    def seat_of_token(self, tag: Tag) -> int | None:
        """The seat of a player's token: by name, or by the number of the seat counted from 1."""
        name, seat = tag.name, self.seat_named(tag.name)
        if seat is None and name.isascii() and name.isdecimal() and 1 <= int(name[:3]) <= len(self.names):
            return int(name[:3]) - 1
        return seat

    def owner(self, role: Role | None) -> int | None:
        """The local seat that a ``seat:`` or ``ask:`` pad belongs to; ``None`` for all other pads."""
        if role is None or not role.kind.has_name:
            return None
        seat = self.seat_named(role.name)
        return seat if seat in self.local else None

    def places_of(self, seat: int) -> tuple[Place, ...]:
        """The pads of a player."""
        return tuple(
            place
            for place, role in self.pads.items()
            if role.kind.has_name and is_same_name(role.name, self.names[seat])
        )


class Mode:
    """One way of playing with cards one can touch. This one does nothing; modes override what they need."""

    name: ClassVar[str] = ""

    def __init__(self, setting: Setting) -> None:
        self.setting: Final = setting

    @property
    def wake(self) -> float | None:
        """When ``ticked`` wants to be called, if at all."""
        return None

    @property
    def to_do(self) -> tuple[str, ...]:
        """What has to be done on the pads before the game can go on, in sentences that have been said."""
        return ()

    @property
    def tapped(self) -> tuple[tuple[Slot, int], ...]:
        """Cards that lie where they are dealt to, although the game counts them only when all of them do: the
        place that each comes from, and whose it is (-1: everybody's)."""
        return ()

    def opened(self, now: float) -> Outputs:
        """The table opens: what is trusted, and how it is played."""
        return NOTHING

    def heard(self, now: float, event: Event) -> Outputs:
        """Every event of the pads as `hardware` has it, before the touch, lift or trouble made of it."""
        return NOTHING

    def found(self, now: float, touch: Touch) -> Outputs:
        """A tag lies on a pad as the table opens: it was placed before, as when a game goes on."""
        return NOTHING

    def touched(self, now: float, touch: Touch) -> Outputs:
        """A tag was placed or tapped."""
        return NOTHING

    def lifted(self, now: float, lift: Lift) -> Outputs:
        """A tag has gone."""
        return NOTHING

    def troubled(self, now: float, trouble: Trouble) -> Outputs:
        """Something is the matter with a pad."""
        return NOTHING

    def asked(
        self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...], seconds: float | None
    ) -> Outputs:
        """A local seat has to decide (``YourMove``)."""
        return NOTHING

    def raced(self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...]) -> Outputs:
        """A race begins for a local seat, or goes on with other things possible (``Race``)."""
        return NOTHING

    def saw(self, now: float, view: View[Any], cards: tuple[tuple[Slot, Face], ...]) -> Outputs:
        """What the machine that scans a printed deck knows, before each telling of its seat: place and
        face of each card that was scanned or lies open."""
        return NOTHING

    def told(self, now: float, seat: int, telling: Telling, view: View[Any]) -> Outputs:
        """Anything else that the session of a local seat tells, with what that seat knows now.

        Each local seat hears of the same event by itself.
        """
        return NOTHING

    def acted(self, now: float, seat: int, action: Action) -> Outputs:
        """A decision of a local seat was taken, whether it came from here or from the keyboard."""
        return NOTHING

    def refused(self, now: float, seat: int, action: Action, reason: Reason) -> Outputs:
        """An `Act` of this mode was not possible; nothing has changed."""
        return NOTHING

    def scan_refused(self, now: float, faces: tuple[str, ...], refusal: ScanRefused) -> Outputs:
        """A `Scanned` of this mode was not possible; nothing has changed."""
        return NOTHING

    def typed(self, now: float, line: str) -> Outputs | None:
        """A line that somebody typed; ``None`` where it means nothing to this mode."""
        return None

    def ticked(self, now: float) -> Outputs:
        """Time has passed."""
        return NOTHING


def is_asked(rules: AnyRules, seat: int, view: View[Any]) -> bool:
    """Whether the pending operation waits for a decision of a seat."""
    match rules.pending(view.state):
        case Choose(seats) | Tick(seats):
            return seat in seats
        case Disclose(owner) | Complete(owner):
            return seat == owner
        case _:
            return False
