"""A frame on a full screen, as rows of styled text for any size. Pure.

The table is drawn with the parts of the full screen that games are played on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..language import N_
from ..rules import title_of
from ..story import Line
from ..translation import gettext as _
from ..tui import parts, players
from ..tui.canvas import Row, clean, cut_row, row_width, translated, width, wrap
from ..tui.layout import WIDEST, margin_of
from ..tui.scene import Scene, scene_of
from ..tui.sheet import Panel, Sheet
from .frames import PUBLIC, Frame, Replay, hand_text
from .lines import step_name

LEAST_LOG: Final = 3
"""Rows for what happened before, where there is room for the rest."""

KEYS: Final = (
    ("←→", N_("back, on")),
    (".,", N_("single steps")),
    ("a k t", N_("ask, book, turn")),
    ("v", N_("view")),
    ("F2", N_("proofs")),
    (":", N_("type")),
    ("?", N_("help")),
    ("q", N_("leave")),
)
"""Keys below the table, the most useful ones first, and what they do; help and the way
out are named at any width."""


@dataclass(frozen=True, slots=True)
class Page:
    """All that there is to see of a frame. ``before`` are lines of earlier frames, ``status`` says how far
    the verification is."""

    frame: Frame
    scene: Scene
    before: tuple[Line, ...]
    where: str
    view: str
    status: str
    is_bad: bool
    notice: str = ""
    panel: Panel | None = None
    is_ascii: bool = False


def page_of(
    replay: Replay,
    at: int,
    seat: int,
    room: int,
    notice: str = "",
    panel: Panel | None = None,
    is_ascii: bool = False,
) -> Page:
    """The page of a frame. ``room`` is how many rows of the past can be shown at most."""
    frame = replay.frame(at, seat)
    show, view = replay.presenter(at, seat)
    before: list[Line] = []
    earlier = at - 1
    while earlier >= 0 and len(before) < room:
        if replay.moment(earlier).is_told:
            before[:0] = replay.frame(earlier, seat).lines
        earlier -= 1
    where = step_name(frame)
    if replay.report is not None and frame.step >= 0:  # before, nobody knows how many steps hold
        where = _("Step {n} of {last}").format(n=frame.step, last=len(replay.recording.steps) - 1)
    return Page(
        frame, scene_of(show, view, frame.board, (), None, is_watched=True), tuple(before), where,
        "" if seat == PUBLIC else replay.view_name(seat), status_of(replay), _is_bad(replay), notice, panel,
        is_ascii,
    )  # fmt: skip


def status_of(replay: Replay) -> str:
    """How far the verification is, or the verdict, in few words."""
    report, recording = replay.report, replay.recording
    if report is None:
        return _("verified so far: {n} %").format(n=100 * recording.done // max(1, recording.of))
    match report.verdict:
        case "sound" if not report.is_judged:
            return _("sound as far as it can be checked")
        case "sound":
            return f"{replay.glyphs.check} " + _("all verified: sound")
        case "cheated":
            return _("CHEATED at step {n}").format(n=report.step)
        case _:
            return _("DAMAGED")


def _is_bad(replay: Replay) -> bool:
    return replay.report is not None and replay.report.verdict != "sound"


def draw(page: Page, columns: int, rows: int) -> list[Row]:
    """Exactly ``rows`` rows of at most ``columns`` columns."""
    if rows < 1 or columns < 1:
        return []
    wide = min(columns, WIDEST)
    drawn = _filled(page, wide, rows) if page.panel is None else parts.panel(page.panel, wide, rows)
    margin: Row = [("", " " * margin_of(columns))] if margin_of(columns) else []
    drawn = [[*margin, *row] for row in drawn]
    drawn = [cut_row(row, columns) for row in [*drawn[:rows], *([[]] * (rows - len(drawn)))]]
    return [translated(row) for row in drawn] if page.is_ascii else drawn


def _filled(page: Page, columns: int, rows: int) -> list[Row]:
    now = _now(page, columns)
    for has_boxes, has_rules, has_proofs in (
        (True, True, True), (False, True, True), (False, False, True), (False, False, False),
    ):  # fmt: skip
        top = _top(page, columns, has_boxes, has_rules)
        proofs = _proofs(page, columns) if has_proofs else []
        bottom = [*proofs, *_hands(page, columns), *_below(page, columns)]
        room = rows - len(top) - len(now) - len(bottom)
        if room >= (LEAST_LOG if has_proofs else 0):
            return [*top, *_log(page, columns, room), *now, *bottom]
    return _tight(page, columns, rows, now)


def _tight(page: Page, columns: int, rows: int, now: list[Row]) -> list[Row]:
    """Where there is no room for everything: what happened, and of the table the parts that have room."""
    sheet = Sheet(page.scene, ())
    head, keys = _title(page, columns), _below(page, columns)[-1:]
    parts_of = {
        "middle": parts.middle(sheet, columns),
        "hands": _hands(page, columns),
        "seats": players.seats_in_a_row(sheet, columns),
    }
    room = rows - 2 - len(now)
    for name in ("middle", "hands", "seats") if page.scene.result else ("hands", "middle", "seats"):
        if len(parts_of[name]) > room:
            parts_of[name] = []
        room -= len(parts_of[name])
    free: list[Row] = [[]] * max(0, room)
    tight = [head, *parts_of["seats"], *parts_of["middle"], *free, *now, *parts_of["hands"]]
    return [*tight[: max(1, rows - 1)], *keys]


def _top(page: Page, columns: int, has_boxes: bool, has_rules: bool) -> list[Row]:
    sheet = Sheet(page.scene, ())
    drawn = players.boxes if has_boxes else players.seats
    rows = [_title(page, columns), *drawn(sheet, columns, True), *parts.middle(sheet, columns)]
    return [*rows, parts.rule(columns)] if has_rules else rows


def _title(page: Page, columns: int) -> Row:
    """Where this is, and how far the verification is; the game and the view where there is room for them."""
    game: Row = [("class:title", f" {title_of(page.scene.game.rules.info.id)} "), ("", " ")]
    where: Row = [("class:label", page.where)]
    view: Row = [("", f" · {clean(page.view)}")] if page.view else []
    style = "class:warning" if page.is_bad else "class:proof"
    for left in ([*game, *where, *view], [*where, *view], where):
        free = columns - row_width(left) - width(page.status) - 1
        if free > 0:
            return [*left, ("", " " * free), (style, page.status), ("", " ")]
    return cut_row([*where, ("", " "), (style, page.status)], columns)


def _log(page: Page, columns: int, room: int) -> list[Row]:
    rows = parts.log(Sheet(page.scene, page.before), columns, room)
    rows = [[(f"{style} class:quiet".strip(), text) for style, text in row] for row in rows]
    return [*([[]] * (room - len(rows))), *rows]


def _now(page: Page, columns: int) -> list[Row]:
    """What happened in this step."""
    lines: Sequence[Line] = page.frame.lines or (Line(_("Nothing to tell of."), "step"),)
    if (
        page.frame.step < 0
    ):  # the log leaves results out, since they stand in the middle; the verdict does not
        lines = [replace(line, kind="turn") if line.kind == "result" else line for line in lines]
    rows = parts.log(Sheet(page.scene, lines), columns - 2, 4 * len(lines))
    return [[("class:marked", "►"), ("", " "), *row] if not number else [("", "  "), *row]
            for number, row in enumerate(rows)]  # fmt: skip


def _proofs(page: Page, columns: int) -> list[Row]:
    return [[("class:proof", f"  {line}")] for text in page.frame.verified
            for line in wrap(clean(text), columns - 2, "  ")]  # fmt: skip


def _hands(page: Page, columns: int) -> list[Row]:
    if page.scene.me is not None:
        return [*players.me(Sheet(page.scene, ()), columns), *parts.hand(page.scene, columns)]
    return [parts.styled(line) for hand in page.frame.hands
            for line in wrap(clean(hand_text(hand)), columns, "  ")]  # fmt: skip


def _below(page: Page, columns: int) -> list[Row]:
    rows: list[Row] = (
        [[("class:notice", line)] for line in wrap(clean(page.notice), columns)] if page.notice else []
    )
    keys = [(key, _(about)) for key, about in KEYS]
    return [*rows, parts.keys_row(keys, columns, [key for key, _about in reversed(KEYS[1:-2])])]
