"""A replay in plain lines: for pipes, screen readers, and the text that is exported."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.text import event_text
from p2p.identity import words
from p2p.verify import Report

from ..choices import about_own_deck
from ..rules import title_of
from ..story import Line
from ..translation import gettext as _
from .frames import PUBLIC, Frame, Replay, hand_text
from .marks import BOOK, verified

INDENT = "  "


@dataclass(frozen=True, slots=True)
class Span:
    """The steps to show: from one number to another one, both included; ``last`` is ``None`` for the end."""

    first: int = 0
    last: int | None = None

    def has(self, step: int) -> bool:
        """Whether a step is among them; the verdict (-1) is, if they have no end."""
        if step < 0:
            return self.last is None
        return self.first <= step and (self.last is None or step <= self.last)


def heading(replay: Replay, seat: int) -> tuple[str, ...]:
    """What is replayed, and whose view it is."""
    title = title_of(replay.rules.info.id)
    lines = [_("{game}, played by {names}").format(game=title, names=", ".join(replay.names))]
    if own := about_own_deck(dict(replay.recording.charter.options)):
        lines.append(_("Played with {deck}.").format(deck=own))
    lines.append(_("Safety words: {words}").format(words=" ".join(words(replay.recording.charter.table_id))))
    lines.append(_("Shown: {view}.").format(view=replay.view_name(seat)))
    return tuple(lines)


def step_name(frame: Frame) -> str:
    """``Step 12``, or what stands behind the last one."""
    return _("Verdict") if frame.step < 0 else _("Step {n}").format(n=frame.step)


def frame_lines(frame: Frame, with_table: bool = True) -> tuple[str, ...]:
    """A frame as it is read: what happened, what was verified, and how the table stands."""
    lines = [step_name(frame), *(INDENT + told(line) for line in frame.lines)]
    lines += [INDENT + text for text in frame.verified]
    if with_table:
        lines += [INDENT * 2 + text for text in table_of(frame)]
    return tuple(lines)


def told(line: Line) -> str:
    """A line of the story; a warning stands out without colour, too."""
    return f"! {line}" if line.kind == "warning" else str(line)


def table_of(frame: Frame) -> tuple[str, ...]:
    """The table, and below it the hands that this view may see."""
    return (*frame.table, *(hand_text(hand) for hand in frame.hands))


def story(replay: Replay, seat: int = PUBLIC, span: Span | None = None) -> Iterator[str]:
    """A whole game in lines. Steps in a row of which there is nothing to tell are taken together.

    The table, with the hands, stands where a turn begins or a book is made, and at the end, if it is another
    one than was shown last.
    """
    span = span or Span()
    yield from heading(replay, seat)
    shown: tuple[str, ...] = ()
    silent: list[int] = []
    for at in range(len(replay)):
        moment = replay.moment(at)
        if not span.has(moment.step):
            continue
        is_due = moment.starts_turn or BOOK in moment.marks or moment.step < 0
        if not moment.is_told and not is_due and not replay.is_fault(at):
            silent.append(at)
            continue
        yield from _silent(replay, silent)
        silent = []
        frame = replay.frame(at, seat)
        table = table_of(frame)
        with_table = is_due and table != shown
        shown = table if with_table else shown
        yield ""
        yield from frame_lines(frame, with_table)
    yield from _silent(replay, silent)


def _silent(replay: Replay, run: Sequence[int]) -> Iterator[str]:
    """Steps in a row, by what was verified in all of them."""
    if not run:
        return
    steps = [replay.recording.steps[at] for at in run]
    yield ""
    if len(steps) == 1:
        yield _("Step {n}").format(n=steps[0].number)
    else:
        yield _("Steps {first} to {last}").format(first=steps[0].number, last=steps[-1].number)
    for text in verified(steps, replay.names, replay.glyphs):
        yield INDENT + text


# --- for scripts --------------------------------------------------------------------------------------------


def json_lines(replay: Replay, seat: int = PUBLIC, span: Span | None = None) -> Iterator[str]:
    """One JSON object for each step, and one for the verdict."""
    span = span or Span()
    for at in range(len(replay)):
        if span.has(replay.moment(at).step):
            frame = replay.frame(at, seat)
            facts = (
                verdict_facts(replay.report, replay.open_seats)
                if frame.step < 0
                else step_facts(replay, at, seat)
            )
            yield json.dumps(facts, ensure_ascii=False)


def step_facts(replay: Replay, at: int, seat: int = PUBLIC) -> dict[str, Any]:
    """The object of one step, as ``seat`` saw it."""
    frame = replay.frame(at, seat)
    step, moment = replay.recording.steps[at], replay.moment(at)
    return {
        "step": step.number,
        "epoch": step.epoch,
        "kind": step.kind,
        "events": [event_text(event, replay.names) for event in step.events],
        "lines": [line.text for line in frame.lines],
        "proved": [line.proof for line in frame.lines if line.proof],
        "verified": [{"seat": proof.seat, "kind": proof.kind} for proof in step.proofs],
        "signed": list(step.signed),
        "absent": list(step.absent),
        "marks": sorted(moment.marks),
        "turn": frame.turn if frame.turn >= 0 else None,
        "is_whole": step.is_whole,
        "is_fault": replay.is_fault(at),
        "piles": [
            {"name": each.name, "size": each.size, "cards": list(each.cards)} for each in frame.board.piles
        ],
        "seats": [
            {
                "name": box.name,
                "cards": box.cards,
                "laid": box.laid,
                "score": box.score,
                "known": list(box.known),
            }
            for box in frame.board.seats
        ],
        "hands": [
            {"seat": hand.seat, "name": hand.name, "cards": list(hand.cards)} for hand in replay.hands(at)
        ],
    }


def verdict_facts(report: Report | None, revealed: Sequence[int] = ()) -> dict[str, Any]:
    """The last object: the verdict, and on what it rests."""
    assert report is not None
    outcome = report.outcome
    return {
        "verdict": report.verdict,
        "reason": report.reason,
        "seat": report.seat,
        "step": report.step,
        "finished": report.finished,
        "judged": report.is_judged,
        "game": report.game,
        "players": list(report.players),
        "table_id": report.table_id.hex(),
        "outcome": outcome
        and {"reason": outcome.reason, "scores": list(outcome.scores), "winners": list(outcome.winners)},
        "revealed": list(revealed),
        "checks": report.checks,
    }
