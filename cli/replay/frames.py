"""A recorded game as frames: what happened in each step, in words, and the board after it.

Frames are made when they are asked for, from what was verified of the step alone: the same one whichever way
one comes to it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.contract import View
from engine.table import hand_of
from p2p.deal import Close, Progress, Reveal
from p2p.session import Contributed, GameOver, Happened, Skipped, Stage
from p2p.verify import Report

from ..boards import Board, board_of
from ..presenter import Presenter
from ..proofs import LONG
from ..story import Line
from ..text import Glyphs, printable
from ..translation import gettext as _
from .following import Step, Verified
from .hands import SeatSight, hand_at, open_seats
from .marks import marks_of, verified
from .verdict import verdict_lines

PUBLIC: Final = -1
"""The view of somebody who holds no cards."""

ALL: Final = -2
"""The same, with all hands that were revealed laid open."""

KEPT: Final = 4000
"""Frames that are kept once made: some megabytes, and more than anybody pages through at a time."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that was revealed: the cards as they are shown, and by their texts."""

    seat: int
    name: str
    shown: tuple[str, ...]
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of the game. ``step`` is its number, -1 for the verdict behind the last one.

    ``lines`` are what happened as the chosen seat was told, ``verified`` what that step proved. ``hands`` are
    those that this view may see, ``turn`` is the seat to play, -1 for none.
    """

    step: int
    lines: tuple[Line, ...]
    verified: tuple[str, ...]
    board: Board
    table: tuple[str, ...]
    hands: tuple[Hand, ...]
    turn: int


@dataclass(frozen=True, slots=True)
class Moment:
    """What a frame is found by. ``is_told``: something happened that is worth a line. ``turn`` is the seat
    whose turn it is or was last, -1 before the first one; ``starts_turn``: it begins with this step."""

    step: int
    is_told: bool
    marks: frozenset[str]
    turn: int
    starts_turn: bool


class Replay:
    """The frames of a recording, as many as have been verified so far."""

    def __init__(self, recording: Verified, glyphs: Glyphs) -> None:
        self.recording: Final = recording
        self.glyphs: Final = glyphs
        self.rules: Final = recording.rules
        # A file may come from anywhere: its names are shown, and not done to the terminal.
        self.names: Final = tuple(printable(info.name, 64) for info in recording.charter.seats)
        self._moments: list[Moment] = []
        self._frames: OrderedDict[tuple[int, int, bool], Frame] = OrderedDict()
        self._sights: dict[int, SeatSight] = {}
        self._public: Final = Presenter(self.rules, self.names, PUBLIC, glyphs)

    def back(self, step: int) -> None:
        """The steps from this one on were taken back."""
        del self.recording.steps[step:], self._moments[step:]
        self._frames.clear()
        self._sights.clear()

    # --- how much there is --------------------------------------------------------------------------------

    @property
    def report(self) -> Report | None:
        """The verdict; ``None`` as long as not everything is verified."""
        return self.recording.report

    def __len__(self) -> int:
        """Frames there are by now: one for each verified step, and one for the verdict."""
        report = self.report  # first: once it is there, no more steps come
        return len(self.recording.steps) + (report is not None)

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The seats whose hands were revealed; none before everything is verified."""
        if self.report is None:
            return ()
        return open_seats(self._last.dealing, self.recording.opened, len(self.names))

    @property
    def views(self) -> tuple[int, ...]:
        """All views that one may choose."""
        seats = self.open_seats
        return (PUBLIC, ALL, *seats) if seats else (PUBLIC,)

    def is_fault(self, at: int) -> bool:
        """Whether somebody was found to have cheated at the step of a frame."""
        report = self.report
        if report is None or report.verdict != "cheated":
            return False
        return self._is_end(at) or self.recording.steps[at].number == report.step

    # --- finding ------------------------------------------------------------------------------------------

    def moment(self, at: int) -> Moment:
        """What a frame is found by."""
        if self._is_end(at):
            return Moment(-1, True, frozenset(), -1, False)
        for number in range(len(self._moments), at + 1):
            self._moments.append(self._moment_of(self.recording.steps[number]))
        return self._moments[at]

    def _moment_of(self, step: Step) -> Moment:
        is_told = bool(step.absent or self._public.game.lines(step.events) or step.kind in LONG)
        before = self._moments[-1].turn if self._moments else -1
        now = self._turn(step.after)
        turn = now if now >= 0 else before  # while somebody answers, it is still the turn of who asked
        is_first = step.before.outcome is None and step.after.outcome is not None
        is_told = is_told or is_first or self._is_deal(step)
        return Moment(step.number, is_told, marks_of(self.rules.info.id, step.events), turn, turn != before)

    def _turn(self, progress: Progress) -> int:
        return self.rules.report(progress.position.state).turn if progress.dealing.keys else -1

    def _is_deal(self, step: Step) -> bool:
        table = step.before.position.table
        return step.kind == "shares" and not any(table.size(hand_of(n)) for n in range(len(self.names)))

    # --- frames -------------------------------------------------------------------------------------------

    def frame(self, at: int, seat: int = PUBLIC) -> Frame:
        """The frame ``at``, as ``seat`` (or ``PUBLIC``, or ``ALL``) sees it. Raises ``IndexError``."""
        if not 0 <= at < len(self):
            raise IndexError(at)
        # What is known of a step changes once: when the verdict is there, and with it hands and faults.
        key = (at, seat, self.report is not None)
        if key not in self._frames:
            self._frames[key] = self._make(at, seat)
            if len(self._frames) > KEPT:
                self._frames.popitem(last=False)
        self._frames.move_to_end(key)
        return self._frames[key]

    def presenter(self, at: int, seat: int = PUBLIC) -> tuple[Presenter, View[Any]]:
        """A presenter that has heard the step of a frame alone, and the view after it."""
        return self._heard(at, seat)[:2]

    def _make(self, at: int, seat: int) -> Frame:
        show, view, lines = self._heard(at, seat)
        report, step = self.report, -1
        proved: tuple[str, ...] = ()
        if self._is_end(at):
            assert report is not None
            lines = verdict_lines(report, show.say)
        else:
            here = self.recording.steps[at]
            step, proved = here.number, verified((here,), self.names, self.glyphs)
            if self.is_fault(at):
                assert report is not None
                assert report.seat is not None
                assert report.step is not None
                lines += (Line(show.say.cheated(report.seat, report.step, report.reason), "warning"),)
        board = show.board(view)
        hands = self.hands(at, self._seen(seat))
        turn = next((box.seat for box in board.seats if box.is_turn), -1)
        return Frame(step, lines, proved, board, show.table_lines(board), hands, turn)

    def _heard(self, at: int, seat: int) -> tuple[Presenter, View[Any], tuple[Line, ...]]:
        """A presenter is made anew for each frame, so that nothing depends on where one comes from."""
        show = Presenter(self.rules, self.names, seat if seat >= 0 else PUBLIC, self.glyphs)
        if self._is_end(at):
            view = self._view(self._last, seat)
            self._outcome(show, self._last, view)
            return show, view, ()
        step = self.recording.steps[at]
        before, view = self._view(step.before, seat), self._view(step.after, seat)
        show.hear(Happened((), ()), before)
        lines = (*self._work(step, show, before), *self._told(step, show, view))
        if step.before.outcome is not None:
            self._outcome(show, step.after, view)
        return show, view, lines

    def _work(self, step: Step, show: Presenter, view: View[Any]) -> tuple[Line, ...]:
        """What the table was busy with, where that takes a line."""
        now = step.before.round
        if now is None or step.before.task is None:
            return ()
        of = len(step.before.dealing.rounds(step.before.task, step.before.position))
        lines = show.hear(Stage(step.number, now.kind, step.signed, step.before.number, of), view)
        lines = tuple(Line(line.text.rstrip(" .…") + ".", line.kind) for line in lines)
        for seat in step.signed:
            lines += show.hear(Contributed(seat, now.kind), view)
        show.work = None
        return lines

    def _told(self, step: Step, show: Presenter, view: View[Any]) -> tuple[Line, ...]:
        lines: tuple[Line, ...] = ()
        if step.absent:
            lines += show.hear(Skipped(step.absent), view)
        proved = tuple((proof.seat, proof.kind) for proof in step.proofs)
        lines += show.hear(Happened(step.events, proved), view)
        outcome = step.after.outcome
        if outcome is not None and step.before.outcome is None:
            lines += show.hear(GameOver(outcome, closed=False), view)
        is_closing = isinstance(step.before.task, Close) and isinstance(step.after.task, Reveal | None)
        if outcome is not None and is_closing and len(step.signed) == len(self.names):
            lines += show.hear(GameOver(outcome, closed=True), view)
        return lines

    @staticmethod
    def _outcome(show: Presenter, progress: Progress, view: View[Any]) -> None:
        """After the end the result stays to be seen."""
        if progress.outcome is not None:
            show.hear(GameOver(progress.outcome, closed=False), view)

    # --- views and hands ----------------------------------------------------------------------------------

    @property
    def _last(self) -> Progress:
        steps = self.recording.steps
        return steps[-1].after if steps else self.recording.first

    def _is_end(self, at: int) -> bool:
        return at >= len(self.recording.steps)

    def _progress(self, at: int) -> Progress:
        return self._last if self._is_end(at) else self.recording.steps[at].after

    def _view(self, progress: Progress, seat: int) -> View[Any]:
        if seat not in self.open_seats:
            return progress.position.view(PUBLIC, {})
        if seat not in self._sights:
            self._sights[seat] = SeatSight(seat, self.recording.opened)
        return self._sights[seat].view(progress)

    def _seen(self, seat: int) -> Sequence[int]:
        """The hands that a view may see."""
        if seat == ALL:
            return self.open_seats
        return (seat,) if seat in self.open_seats else ()

    def hands(self, at: int, seats: Sequence[int] | None = None) -> tuple[Hand, ...]:
        """The hands of some seats after a step, or of all that were revealed."""
        return tuple(self._hand(at, seat) for seat in (self.open_seats if seats is None else seats))

    def _hand(self, at: int, seat: int) -> Hand:
        progress = self._progress(at)
        faces = hand_at(progress.dealing, progress.position, seat, self.recording.opened)
        deck = progress.position.deck
        # A board of its own for each hand, since some number the cards in the order in which they came.
        game = board_of(self.rules, self.names, seat, self.glyphs)
        groups = game.hand(progress.position.view(seat, faces))
        shown = tuple(" ".join(group.cards) for group in groups)
        return Hand(seat, self.names[seat], shown, tuple(map(deck.text, deck.sorted(faces.values()))))

    def view_name(self, seat: int) -> str:
        """What a view is called."""
        if seat == PUBLIC:
            return _("what everybody saw")
        return _("all hands open") if seat == ALL else _("as {name} saw it").format(name=self.names[seat])


def hand_text(hand: Hand) -> str:
    """A revealed hand in a line."""
    cards = "   ".join(hand.shown) or _("no cards")
    return _("{name} held: {cards}").format(name=hand.name, cards=cards)
