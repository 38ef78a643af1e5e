"""The verdict on a recorded game as the last thing that is shown of it."""

from __future__ import annotations

from p2p.verify import Report

from ..language import said
from ..presenter import Line
from ..text import Speaker, printable
from ..translation import gettext as _

TRUNCATED = "truncated"
"""What the reasons of a file say that ends too early."""


def verdict_lines(report: Report, say: Speaker) -> tuple[Line, ...]:
    """The verdict in sentences. ``say`` speaks of the players of the record."""
    match report.verdict:
        case "sound" if report.finished:
            return (Line(_("SOUND: nobody lied, and the result is right."), "result"),)
        case "sound":
            return (Line(_("SOUND so far: the game was stopped before its end, and nobody lied."), "result"),)
        case "cheated":
            assert report.seat is not None
            assert report.step is not None
            text = say.cheated(report.seat, report.step, report.reason)
            return (Line(printable(_("CHEATED: ") + text), "warning"),)
        case _:
            return _damaged(report)


def _damaged(report: Report) -> tuple[Line, ...]:
    reason = printable(said(report.reason)).rstrip(".")
    text = _(
        "DAMAGED: {reason}. The file was changed or damaged after it was written; that says "
        "nothing about the players."
    ).format(reason=reason)
    if TRUNCATED in report.reason:
        shown = _("The file ends too early: it is shown as far as it is whole.")
    else:
        shown = _("It is shown as far as it is whole.")
    return (Line(text, "warning"), Line(shown, "note"))
