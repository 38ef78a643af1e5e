"""The verdict on a recorded game as the last thing that is shown of it."""

from __future__ import annotations

from p2p.verify import Report

from ..language import said
from ..story import Line
from ..text import Speaker, printable
from ..translation import gettext as _

TRUNCATED = "truncated"
"""What the reasons of a file say that ends too early."""


def verdict_lines(report: Report, say: Speaker) -> tuple[Line, ...]:
    """The verdict in sentences. ``say`` speaks of the players of the record."""
    match report.verdict:
        case "sound":
            return (Line(sound_text(report), "result"),)
        case "cheated":
            assert report.seat is not None
            assert report.step is not None
            text = say.cheated(report.seat, report.step, report.reason)
            return (Line(printable(_("CHEATED: ") + text), "warning"),)
        case _:
            return _damaged(report)


def sound_text(report: Report) -> str:
    """What a sound record shows, and no more than that, as a sentence."""
    match report.finished, report.is_judged:
        case True, True:
            return _("SOUND: nobody lied, and the result is right.")
        case False, True:
            return _("SOUND so far: the game was stopped before its end, and nobody lied.")
        case True, False:
            return _("SOUND as far as it can be checked: a lie about hidden cards would not be found.")
        case _:
            return _(
                "SOUND so far as it can be checked: the game was stopped before its end, and a lie about "
                "hidden cards would not be found."
            )


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
