"""The parts of the full screen, each as rows for a width."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..ending import LEAVE
from ..story import Line
from ..text import counted
from ..translation import gettext as _
from ..translation import ngettext
from .canvas import Row, clean, cut, cut_row, flow, row_width, width, wrap
from .keys import Choice
from .mouse import CARD, CHOICE, END, on
from .scene import Scene
from .sheet import SHOWN_WAIT, Panel, Sheet

NARROW: Final = 60
"""Columns below which words are left out that a mark says, too."""

LEAST_PANEL: Final = 6
"""Rows below which a panel takes the whole screen."""

WORKING: Final = 10
"""Seconds that a part of a shuffle may take before it is said who is waited for: the line of the shuffle has
that name already."""

FIRST_TO_GO: Final = ("F4", "F2", "PgUp")
"""Keys below the table that are named only where there is room for the others."""

WHOLE: Final = 3
"""Rows for a question from which all that may be chosen is shown, however much it is."""

BAR: Final = 20
"""Columns of a bar."""

_SUIT: Final = {"♣": "class:club", "♦": "class:diamond", "♥": "class:heart", "♠": "class:spade"}
_CARD: Final = re.compile(r"(?<![\w?])(?:10|[2-9TJQKA?])?[♣♦♥♠]")

_KINDS: Final = {
    "event": "", "step": "class:quiet", "chat": "class:chat", "note": "", "warning": "class:warning",
    "turn": "class:strong", "result": "class:strong",
}  # fmt: skip


def rule(columns: int) -> Row:
    """A line from side to side."""
    return [("class:line", "─" * columns)]


def styled(text: str, style: str = "") -> Row:
    """A text whose cards have the colour of their suit."""
    row: Row = []
    at = 0
    for found in _CARD.finditer(text):
        if found.start() > at:
            row.append((style, text[at : found.start()]))
        row.append((f"{style} {_SUIT[found.group()[-1]]}".strip(), found.group()))
        at = found.end()
    if at < len(text):
        row.append((style, text[at:]))
    return row


# --- above --------------------------------------------------------------------------------------------------


def title(scene: Scene, columns: int) -> Row:
    """The game, and how much has been proved."""
    left: Row = [("class:title", f" {scene.title} ")]
    proved = ngettext("✓ {n} proved", "✓ {n} proved", scene.proofs).format(n=scene.proofs)
    right = f"{proved} · F2" if columns >= NARROW else proved
    free = columns - row_width(left) - width(right) - 1
    if not scene.proofs or free < 1:
        return cut_row(left, columns)
    return [*left, ("", " " * free), ("class:proof", right), ("", " ")]


def middle(sheet: Sheet, columns: int) -> list[Row]:
    """What lies in the middle: piles, what all should see, and how far a long task is."""
    assert sheet.scene is not None
    scene = sheet.scene
    rows: list[Row] = []
    if scene.result:
        return _result(scene, columns)
    facts = [row for line in scene.board.facts if line != scene.extras.headline
             for row in map(styled, wrap(clean(line), columns))]  # fmt: skip
    if scene.extras.headline:  # what all look at goes before the piles, which are what is left for later
        rows += [[("class:headline", line)] for line in wrap(clean(scene.extras.headline), columns)]
        rows += [*_gauge(scene, columns), *facts]
        facts = []
    items: list[Row] = [_pile(pile.name, pile.size, pile.cards) for pile in scene.board.piles]
    rows += [*flow(items, columns, gap="   "), *facts]
    if scene.extras.steps:
        rows.append(cut_row(_steps(scene), columns))
    if scene.work is not None:
        work = scene.work
        share: Row = [*_bar(work.done / work.of), ("", " ")] if work.of > 1 and columns >= NARROW else []
        rows.append(cut_row([*share, ("class:strong", clean(work.text))], columns))
    return rows


def _result(scene: Scene, columns: int) -> list[Row]:
    """Who won, why, and the scores, which are a table."""
    rows: list[Row] = []
    for number, line in enumerate(scene.result):
        if not number:
            rows += [[("class:result", f" {part} ")] for part in wrap(clean(line), columns - 2)]
        elif line.startswith("  "):
            rows.append(cut_row(styled(clean(line)), columns))
        else:
            rows += map(styled, wrap(clean(line), columns))
    return rows


def _gauge(scene: Scene, columns: int) -> list[Row]:
    gauge = scene.extras.gauge
    if gauge is None:
        return []
    size = BAR if columns >= NARROW else BAR // 2  # the seconds have to be read, too
    return [cut_row([*_bar(gauge.part, size), ("class:warning", f" {gauge.text}")], columns)]


def _pile(name: str, size: int, cards: tuple[str, ...]) -> Row:
    label: Row = [("class:label", f"{clean(name)}: ")]
    if cards:
        return [*label, *styled(" ".join(cards))]
    count = ngettext("{n} card", "{n} cards", size).format(n=size) if size else _("empty")
    return [*label, ("", count)]


def _bar(part: float, size: int = BAR) -> Row:
    full = round(max(0.0, min(1.0, part)) * size)
    return [("class:bar", "█" * full), ("class:quiet", "░" * (size - full))]


def _steps(scene: Scene) -> Row:
    row: Row = []
    for number, name in enumerate(scene.extras.steps):
        is_now = number == scene.extras.step
        done = "✓" if number < scene.extras.step else " "
        text = f"{'►' if is_now else done} {number + 1} {name}"
        row += [("", "   ")] if row else []
        row.append(("class:turn" if is_now else "class:quiet", text))
    return row


# --- the log ------------------------------------------------------------------------------------------------


def log(sheet: Sheet, columns: int, most: int) -> list[Row]:
    """The last rows of what happened; fewer at the beginning. Wound back by ``scroll`` rows."""
    if most < 1 or columns < 1:
        return []
    rows: list[Row] = []
    wanted = most + sheet.scroll
    result = sheet.scene.result if sheet.scene is not None else ()
    for line in reversed(sheet.log):
        if result and (line.kind == "result" or line.text in result):
            continue  # it stands in the middle of the table
        rows[:0] = _log_rows(line, columns)
        if len(rows) >= wanted:
            break
    end = len(rows) - sheet.scroll if sheet.scroll else len(rows)
    end = max(min(most, len(rows)), end)
    shown = rows[max(0, end - most) : end]
    if sheet.scroll and shown and end < len(rows):
        shown[-1] = [
            ("class:notice", cut(_("… {n} more rows below: PageDown").format(n=len(rows) - end), columns))
        ]
    return shown


def told_at_end(sheet: Sheet, columns: int) -> int:
    """Rows of what was told after the result, such as all hands; 0 before the end."""
    if sheet.scene is None or not sheet.scene.result:
        return 0
    rows = 0
    for line in reversed(sheet.log):
        if line.kind == "result":
            break
        rows += len(_log_rows(line, columns))
    return rows


def _log_rows(line: Line, columns: int) -> list[Row]:
    style = _KINDS[line.kind]
    mark = "! " if line.kind == "warning" else ""
    lines = wrap(mark + clean(line.text), columns, "  ")
    rows = [styled(text, style) for text in lines] or [[]]
    if line.proof:
        proof = clean(line.proof)
        if row_width(rows[-1]) + 2 + width(proof) <= columns:
            rows[-1] = [*rows[-1], ("class:proof", "  " + proof)]
        else:
            rows.append([("class:proof", cut("    " + proof, columns))])
    return rows


# --- below --------------------------------------------------------------------------------------------------


def hand(scene: Scene, columns: int) -> list[Row]:
    """One's own cards, groups set apart."""
    if scene.me is None:
        return []
    if not scene.hand:
        return [cut_row([("class:quiet", clean(scene.hand_line))], columns)]
    items, first = [], 0
    for token in scene.hand:
        label: Row = [(token.style or "class:quiet", f"{token.label} ")] if token.label else []
        items.append([*label, *_hand_cards(token.cards, token.style, first)])
        first += len(token.cards)
    return flow(items, columns, gap="   ")


def _hand_cards(cards: tuple[str, ...], style: str, first: int) -> Row:
    row: Row = []
    for number, card in enumerate(cards, first):
        row += [("", " ")] if row else []
        row += on(styled(clean(card), f"class:card {style}".strip()), CARD, number)
    return row


def big_hand(scene: Scene, columns: int) -> list[Row]:
    """The same with cards drawn as cards, where they fit into a row."""
    small = hand(scene, columns)
    if scene.me is None or not scene.hand:
        return small
    top: Row = []
    face: Row = []
    end: Row = []
    number = 0
    for token in scene.hand:
        gap = "  " if top else ""
        label = f"{token.label} " if token.label else ""
        top.append(("", gap + " " * width(label)))
        face += [("", gap), (token.style or "class:quiet", label)]
        end.append(("", gap + " " * width(label)))
        for card in token.cards:
            text = f" {clean(card)} "
            side = ("class:line", "│")
            styled_text = styled(text, f"class:card {token.style}".strip())
            top += on([("class:line", "┌" + "─" * width(text) + "┐")], CARD, number)
            face += on([side, *styled_text, side], CARD, number)
            end += on([("class:line", "└" + "─" * width(text) + "┘")], CARD, number)
            number += 1
    return [top, face, end] if row_width(face) <= columns else small


def ask(sheet: Sheet, columns: int, most: int) -> list[Row]:
    """What is asked of the player, or who is waited for. What may be chosen goes before a long question."""
    assert sheet.scene is not None
    scene = sheet.scene
    if sheet.is_leaving or sheet.choices:
        found = ending(sheet, columns)  # all of them where they fit at all: nothing else is to be done
        return found if most > 1 else found[-1:]
    if not scene.is_my_move:
        to_do = [styled(line, "class:ask") for text in scene.to_do for line in wrap(clean(text), columns)]
        return (to_do + _idle(sheet, columns))[:most]
    rows: list[Row] = []
    clock = "" if scene.left is None else " " + _("{n:.0f} s").format(n=max(0.0, scene.left)) + " "
    # Nothing can be decided before it is done, but in a race, which waits for nobody.
    asked = scene.to_do if scene.to_do and not scene.is_racing else (*scene.to_do, *scene.question)
    for number, text in enumerate(asked):
        lines = wrap(clean(text), columns - 2 - (width(clock) + 1 if clock else 0))
        rows += [styled(line) if number else [("class:ask", f" {line} ")] for line in lines]
    if clock:
        rows[:1] = [[("class:countdown", clock), ("", " "), *(rows[0] if rows else [])]]
    choices = _choices(sheet.choice, columns) if sheet.choice is not None else []
    most = max(most, len(choices) + 1) if most >= WHOLE else most
    room = max(most - len(choices), 1 if most > 1 else 0)
    if len(rows) > room and room:
        rows[room - 1] = [*cut_row(rows[room - 1], columns - 2), ("class:quiet", " …")]
    return (rows[:room] + choices)[:most]


def ending(sheet: Sheet, columns: int) -> list[Row]:
    """What may be done after the end."""
    leave: list[Row] = []
    if sheet.is_leaving:
        leave.append([("class:ask", cut(f" {_('q leaves the table.')} ", columns))])
    items: list[Row] = []
    for choice in sheet.choices:
        if not (choice.word == LEAVE and sheet.is_leaving):
            key = choice.key.capitalize()
            item: Row = [("class:key", f"[{key}]"), ("", " "), *styled(clean(choice.label))]
            items.append(on(item, END, choice.key))
    return flow(items, columns, indent=2) + leave


def _choices(choice: Choice, columns: int) -> list[Row]:
    items: list[Row] = []
    if choice.chosen:
        items.append([("class:strong", clean(choice.chosen))])
    if choice.question:
        items.append([("", choice.question)])
    for number, option in enumerate(choice.options):
        style = "class:marked" if number == choice.at else ""
        label = styled(clean(option.label), style)
        key: Row = [("class:key", f"[{option.shown}]"), (style, " ")] if option.shown else []
        items.append(on([*key, *label], CHOICE, option.key))
    return flow(items, columns, indent=2)


def _idle(sheet: Sheet, columns: int) -> list[Row]:
    assert sheet.scene is not None
    scene = sheet.scene
    if scene.is_over or (scene.work is not None and not (scene.waiting and sheet.waited >= WORKING)):
        return []
    if not scene.waiting:
        return [[("class:quiet", line)] for line in wrap(clean(scene.idle), columns)] if scene.idle else []
    text = counted(scene.waiting_text, sheet.waited) if sheet.waited >= SHOWN_WAIT else scene.waiting_text
    rows: list[Row] = [[("class:quiet", line)] for line in wrap(clean(text), columns)]
    return rows + ([styled(line) for line in wrap(clean(scene.remedy), columns)] if scene.remedy else [])


def private(sheet: Sheet, columns: int) -> list[Row]:
    """What one player alone should see for a moment."""
    return [styled(line, "class:private") for text in sheet.private for line in wrap(clean(text), columns)]


def notice(sheet: Sheet, columns: int) -> list[Row]:
    """The answer to the last key."""
    return notice_rows(sheet.notice, columns)


def notice_rows(text: str, columns: int) -> list[Row]:
    """An answer of one or a few lines."""
    lines = text.split("\n") if text else []
    return [[("class:notice", line)] for each in lines for line in wrap(clean(each), columns)]


def footer(sheet: Sheet, columns: int) -> Row:
    """Keys that always do something."""
    items = [
        ("?", _("help")),
        ("F2", _("proofs")),
        ("F4", _("suits")),
        ("PgUp", _("log")),
    ]
    scene = sheet.scene
    is_spectator = scene is not None and scene.is_watched and scene.me is None
    may_pause = scene is None or not (is_spectator or scene.is_over)
    items += [] if sheet.is_leaving else [("^C", _("pause") if may_pause else _("leave"))]
    if sheet.choice is not None and sheet.choice.takes_letters:
        items.insert(0, ("/", _("command")))
    if sheet.choice is not None and sheet.choice.may_go_back:
        items.insert(0, ("Esc", _("back")))
    return keys_row(items, columns, FIRST_TO_GO)


def keys_row(items: Sequence[tuple[str, str]], columns: int, first_to_go: Sequence[str]) -> Row:
    """Keys and what they do, in one row. Where there is no room some are left out, ``first_to_go`` before the
    others."""
    left = list(items)
    while True:
        row: Row = []
        for key, about in left:
            row += [("", "   ")] if row else []
            row += [("class:footkey", key), ("class:quiet", f" {about}")]
        if row_width(row) <= columns or not left:
            return row
        keys = [key for key, _about in left]
        gone = next((key for key in first_to_go if key in keys), keys[-1])
        del left[keys.index(gone)]


def panel(panel: Panel, columns: int, rows: int) -> list[Row]:
    """A text over the table; where it is in the text, and how to close it."""
    lines = panel_lines(panel, columns)
    body = max(0, rows - 2)
    top = max(0, min(panel.top, len(lines) - body))
    head: Row = cut_row([("class:title", f" {clean(panel.title)} ")], columns)
    where = ""
    if len(lines) > body:
        at = {"first": top + 1, "last": min(top + body, len(lines)), "n": len(lines)}
        where = _("lines {first} to {last} of {n}, PageDown goes on; ").format(**at)
        if width(where + _("Esc closes")) > columns:
            where = _("{first}-{last} of {n}, PgDn; ").format(**at)
    tail: Row = cut_row([("class:quiet", where + _("Esc closes"))], columns)
    shown = [styled(line) for line in lines[top : top + body]]
    return [head, *shown, *([[]] * (body - len(shown))), tail][:rows]


def panel_lines(panel: Panel, columns: int) -> list[str]:
    """The text of a panel in lines of a width."""
    return [line for text in panel.lines for line in (wrap(clean(text), columns, "  ") or [""])]
