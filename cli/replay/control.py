"""Where one is in a replay, and the words and keys that lead on. Pure: both front ends obey it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..boards import find_seat
from ..language import N_
from ..speech.verbs import in_english, in_own_words
from ..text import printable
from ..translation import gettext as _
from .frames import ALL, PUBLIC, Moment, Replay
from .marks import ASK

BACK: Final = "back"

WORDS: Final = {
    "next": N_("the next thing that happened; Enter alone does the same"),
    "back": N_("the one before"),
    "step": N_("one step of the record, whether anything is to be told of it or not; step back"),
    "ask": N_("the next ask; ask back"),
    "book": N_("the next book; book back"),
    "turn": N_("the next turn, or that of a player: turn Ben, turn back Ben"),
    "go": N_("to the step of a number: go 12"),
    "start": N_("to the first step"),
    "end": N_("to the verdict"),
    "seat": N_("what a player saw, if that was revealed: seat Ben"),
    "public": N_("what everybody saw"),
    "all": N_("all hands laid open, if they were revealed"),
    "table": N_("the table and the hands"),
    "proofs": N_("what was verified of this step"),
    "help": N_("these words"),
    "quit": N_("leave"),
}
"""Words that may be typed, and what they do."""

SHORT: Final = {
    "n": "next", "b": "back", "s": "step", "a": "ask", "k": "book", "t": "turn", "g": "go", "p": "public",
    "q": "quit", "exit": "quit", "?": "help", "": "next",
}  # fmt: skip
"""Other ways to type some of them."""


class NotThere(ValueError):
    """What was asked for is not there. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class Place:
    """The frame that is shown, and whose view: a seat, ``PUBLIC`` or ``ALL``."""

    at: int = 0
    seat: int = PUBLIC


class Controller:
    """Moves through the frames of one replay, as many as are verified by now."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay

    # --- moves ----------------------------------------------------------------------------------------------

    def step(self, place: Place, by: int) -> Place:
        """``by`` steps of the record on (or back). Raises ``NotThere`` at either end."""
        at = place.at + by
        if not 0 <= at < len(self._replay):
            raise NotThere(self._no_more(by))
        return replace(place, at=at)

    def told(self, place: Place, by: int) -> Place:
        """The next step of which there is something to tell (or with ``by`` -1 the one before)."""
        return self._find(place, by, lambda moment: moment.is_told, self._no_more(by))

    def marked(self, place: Place, mark: str, by: int) -> Place:
        """The next ask or book."""
        if mark == ASK:
            none = _("There is no ask after this one.") if by > 0 else _("There is no ask before this one.")
        else:
            none = _("There is no book after this one.") if by > 0 else _("There is no book before this one.")
        return self._find(place, by, lambda moment: mark in moment.marks, none)

    def turn(self, place: Place, seat: int | None, by: int) -> Place:
        """The next turn of a seat, or of anybody."""

        def fits(moment: Moment) -> bool:
            return moment.starts_turn and seat in (None, moment.turn)

        if seat is None:
            none = _("There is no turn after this one.") if by > 0 else _("There is no turn before this one.")
        else:
            text = _("{who} has no turn after this.") if by > 0 else _("{who} has no turn before this.")
            none = text.format(who=self._replay.names[seat])
        return self._find(place, by, fits, none)

    def _find(self, place: Place, by: int, fits: Callable[[Moment], bool], none: str) -> Place:
        at = place.at + by
        while 0 <= at < len(self._replay):
            if fits(self._replay.moment(at)):
                return replace(place, at=at)
            at += by
        raise NotThere(none if self._replay.report is not None or by < 0 else self._not_yet())

    def number(self, place: Place, number: int) -> Place:
        """The frame of the step of a number."""
        last = len(self._replay.recording.steps) - 1
        if number > last and self._replay.report is None:
            raise NotThere(self._not_yet())
        if not 0 <= number <= last:
            raise NotThere(_("There are the steps 0 to {last}.").format(last=last))
        return replace(place, at=number)

    def start(self, place: Place) -> Place:
        """The first frame."""
        return replace(place, at=0)

    def end(self, place: Place) -> Place:
        """The last frame there is by now."""
        return replace(place, at=max(0, len(self._replay) - 1))

    # --- views ----------------------------------------------------------------------------------------------

    def view(self, place: Place, seat: int) -> Place:
        """Another view. Raises ``NotThere`` for one that was not revealed."""
        if seat in self._replay.views:
            return replace(place, seat=seat)
        if self._replay.report is None:
            raise NotThere(_("The hands are known when everything is verified; a moment, please."))
        if not self._replay.open_seats:
            raise NotThere(_("No keys were revealed in this game: the hands stay hidden."))
        raise NotThere(
            _("{who} did not reveal the key: that hand stays hidden.").format(who=self._name(seat))
        )

    def next_view(self, place: Place, by: int = 1) -> Place:
        """The view after this one, all in turn."""
        views = self._replay.views
        if len(views) < 2:
            return self.view(place, ALL)
        at = views.index(place.seat) if place.seat in views else 0
        return replace(place, seat=views[(at + by) % len(views)])

    def seat_of(self, text: str) -> int:
        """The seat that a name means. Raises ``NotThere``."""
        found = find_seat(text, self._replay.names)
        if found is None:
            names = ", ".join(self._replay.names)
            raise NotThere(
                _("There is no player {word} in this game; there are {names}.").format(
                    word=printable(text, 32), names=names
                )
            )
        return found

    # --- words ----------------------------------------------------------------------------------------------

    def obey(self, place: Place, line: str) -> Place | str:
        """Where a typed line leads; or the word of ``WORDS`` that asks to be shown something, or to leave.

        Raises ``NotThere`` with a sentence for what is not possible.
        """
        first, *rest = line.split() or [""]
        word = self._word(first)
        by = 1
        if rest and in_english(rest[0]).casefold() == BACK:
            by, rest = -1, rest[1:]
        return self._move(place, word, rest, by)

    def _move(self, place: Place, word: str, rest: Sequence[str], by: int) -> Place | str:
        match word:
            case "next":
                return self.told(place, 1)
            case "back":
                return self.told(place, -1)
            case "step" | "go" if rest:
                return self.number(place, _whole(rest[0]))
            case "step":
                return self.step(place, by)
            case "go":
                raise NotThere(_("To which step? For example: go 12"))
            case "ask" | "book":
                return self.marked(place, word, by)
            case "turn":
                return self.turn(place, self.seat_of(" ".join(rest)) if rest else None, by)
            case "start":
                return self.start(place)
            case "end":
                return self.end(place)
            case "public":
                return self.view(place, PUBLIC)
            case "all":
                return self.view(place, ALL)
            case "seat":
                if not rest:
                    raise NotThere(
                        _("Whose view? For example: seat {name}").format(name=self._replay.names[0])
                    )
                return self.view(place, self.seat_of(" ".join(rest)))
            case _:
                return word

    def _word(self, typed: str) -> str:
        folded = in_english(typed).casefold()
        if folded in SHORT:
            return SHORT[folded]
        if folded.isascii() and folded.isdecimal():
            raise NotThere(_("To go to a step, type: go {n}").format(n=folded[:9]))
        fitting = [word for word in WORDS if word.startswith(folded) or in_own_words(word).startswith(folded)]
        if folded in WORDS or len(fitting) == 1:
            return folded if folded in WORDS else fitting[0]
        shown = printable(typed, 20)
        raise NotThere(_('"{word}" is no command; help lists them.').format(word=shown))

    # --- sentences ------------------------------------------------------------------------------------------

    def _no_more(self, by: int) -> str:
        if by < 0:
            return _("This is the beginning.")
        return self._not_yet() if self._replay.report is None else _("This is the end.")

    def _not_yet(self) -> str:
        recording = self._replay.recording
        return _("What follows is not verified yet: {done} of {of} contributions are.").format(
            done=recording.done, of=recording.of
        )

    def _name(self, seat: int) -> str:
        return self._replay.names[seat] if seat >= 0 else ""


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise NotThere(_('"{text}" is no number of a step.').format(text=printable(text, 20)))
    return int(text)


__all__ = ["SHORT", "WORDS", "Controller", "NotThere", "Place"]
