"""All pages of the lobby but the first in rows: questions, lists, texts, forms and settings. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..translation import gettext as _
from ..tui.canvas import Row, clean, cut_row, pad, row_width, width, wrap
from .form import Field, Form
from .line import Line
from .state import Facts, Kept, Settings
from .tables import FIGURES

WIDE: Final = 64
"""Columns from which a form has its explanations beside the values."""

TALL: Final = 20
"""Rows from which the text and the values may take two rows each."""

LEAST_VALUE: Final = 10
"""Columns that are left to a value beside a long label."""


def _headed(title: str, size: int) -> Row:
    return cut_row([("class:title", pad(f" {clean(title)}", size))], size)


def _foot(text: str, size: int) -> list[Row]:
    return [[("class:quiet", line)] for line in wrap(text, size)]


def _typing(line: Line, size: int, label: str) -> Row:
    """A line with its cursor, wound so that the cursor is seen."""
    room = max(2, size - width(label) - 1)
    before, under, after = (
        line.text[: line.at],
        line.text[line.at : line.at + 1] or " ",
        line.text[line.at + 1 :],
    )
    while before and width(before) + width(under) > room:
        before = before[1:]
    return cut_row(
        [
            ("class:label", label),
            ("class:quiet" if line.is_offered else "", before),
            ("reverse", under),
            ("", after),
        ],
        size,
    )


def naming(line: Line, problem: str, size: int) -> list[Row]:
    """The question of the first run."""
    rows: list[Row] = [_headed("Shoal", size), []]
    rows += [[("", text)] for text in wrap(_("Welcome. What is your name at the table?"), size)]
    rows += [[], _typing(line, size, _("Name: ")), []]
    if problem:
        rows += [[("class:warning", text)] for text in wrap(clean(problem), size)]
    hint = (
        _("Enter takes this name; another one is simply typed. The settings can change it later.")
        if line.is_offered
        else _("Enter takes it. The settings can change it later.")
    )
    return rows + _foot(hint, size)


def address(line: Line, size: int) -> list[Row]:
    """Where is the table?"""
    text = _("The address that the host's screen shows, such as 192.168.1.20:7467; or the name of a table.")
    return [
        _headed(_("Join a table by its address"), size),
        [],
        *[[("", each)] for each in wrap(text, size)],
        [],
        _typing(line, size, _("Address: ")),
        [],
        *_foot(_("Enter joins, Esc goes back."), size),
    ]


def kept_row(one: Kept) -> tuple[str, str]:
    """A game that is kept, in a word and the rest."""
    about = _("with {players}, {when}").format(players=one.players, when=one.when)
    return one.title, about + (_(" (to be rebuilt)") if one.is_lost else "")


def listed(title: str, lines: Sequence[tuple[str, str]], at: int, size: int, rows: int) -> list[Row]:
    """A list of words with something about each, to choose from."""
    widest = min(size // 3, max((width(clean(word)) for word, _about in lines), default=0))
    foot = _foot(_("A figure, or the arrows and Enter, chooses; Esc goes back."), size)
    body = max(1, rows - 1 - len(foot))
    spare = body - len(lines)
    shown: list[Row] = []
    for n, (word, about) in enumerate(lines):
        figure = str(n + 1) if n < FIGURES else " "
        head: Row = [
            ("class:key", f"{'►' if n == at else ' '}{figure} "),
            ("class:marked" if n == at else "class:name", pad(clean(word), widest)),
            ("", "  "),
        ]
        made = explained(head, about, size, spare)
        spare -= len(made) - 1
        shown += made
    return [_headed(title, size), *_window(shown, at, body), *foot]


def explained(head: Row, about: str, size: int, spare: int) -> list[Row]:
    """A row with an explanation, which goes on below itself in at most ``spare`` rows more."""
    stem = row_width(head)
    lines = wrap(clean(about), max(1, size - stem))
    first, *more = lines if len(lines) - 1 <= spare else [clean(about)]
    rest = [cut_row([("", " " * stem), ("class:quiet", line)], size) for line in more]
    return [cut_row([*head, ("class:quiet", first)], size), *rest]


def _window(lines: Sequence[Row], at: int, rows: int) -> list[Row]:
    """So many of the lines that the one at ``at`` is among them."""
    if len(lines) <= rows:
        return list(lines)
    first = max(0, min(at - rows // 2, len(lines) - rows))
    return list(lines[first : first + rows])


def reading(title: str, text: str, top: int, size: int, rows: int) -> list[Row]:
    """A text, from one of its lines on."""
    parts = text.split("\n")
    lines = [line for part in parts[top:] for line in (wrap(clean(part), size, _indent(part)) or [""])]
    where = _foot(_("Esc goes back."), size)
    if top or len(lines) > rows - 1 - len(where):
        where = _foot(_("PageDown and PageUp turn the pages, Esc goes back."), size)
    body = max(1, rows - 1 - len(where))
    shown: list[Row] = [[("", line)] for line in lines[:body]]
    shown += [[]] * (body - len(shown))
    return [_headed(title, size), *shown, *where]


def _indent(part: str) -> str:
    """How further lines of a list of keys begin."""
    head, gap, rest = part.partition("  ")
    return " " * (width(part) - width(rest.lstrip())) if gap and head.strip() else ""


def filling(form: Form, size: int, rows: int) -> list[Row]:
    """A form, and what its marked line means."""
    title = f"{form.offer.title}: {form.game.title}"
    problem = form.problem()
    foot = _keys_of_form(size)
    if problem:
        foot = [[("class:warning", line)] for line in wrap(clean(problem), size, "  ")]
        for each in form.meant(problem):
            foot.append([("class:warning", f"  {each.key}: "), ("", clean(each.about))])
    detail = _detail(form.field, size, 2 if rows >= TALL else 1)[: None if rows >= 12 else 1]
    body = rows - 1 - len(foot) - len(detail)
    names = min(20, max(width(_name(each)) for each in form.fields))
    lines = [_field(each, n == form.at, size, names) for n, each in enumerate(form.fields)]
    shown = _window(lines, form.at, max(1, body))
    blank: list[Row] = [[]] * max(0, body - len(shown))
    return [_headed(title, size), *shown, *blank, *detail, *[cut_row(row, size) for row in foot]]


def _keys_of_form(size: int) -> list[Row]:
    start = _("Enter starts")
    first, *more = wrap(start + _(", ↑↓ moves, ←→ changes, Esc goes back"), size) or [""]
    rows: list[Row] = [[("class:notice", start), ("class:quiet", first.removeprefix(start))]]
    return [*rows, *([("class:quiet", line)] for line in more)]


def _name(each: Field) -> str:
    return each.key.removeprefix("--")


def _field(each: Field, is_marked: bool, size: int, names: int) -> Row:
    mark = "►" if is_marked else " "
    changed = each.value != each.initial
    value = clean(each.shown) or "–"
    style = "class:marked" if is_marked else "class:strong" if changed else ""
    if size < WIDE:
        return cut_row([("class:key", mark + " "), ("", pad(_name(each), names) + " "), (style, value)], size)
    label = clean(each.label)
    # A game of others may explain an option at length: the value makes way then, and stands below in full.
    room = max(label_room(size), min(width(label), size - 4 - LEAST_VALUE))
    return cut_row([("class:key", mark + " "), ("", pad(label, room) + "  "), (style, value)], size)


def label_room(size: int) -> int:
    """Columns of the labels of a form."""
    return (size - 4) * 11 // 20


def _detail(each: Field, size: int, most: int) -> list[Row]:
    """The explanation of one field in full, and what it may be, in at most so many rows each."""
    name = each.key if not each.of_game else f"--set {each.key}"
    rows: list[Row] = [[("class:line", "─" * size)]]
    about = [[("class:label", line)] for line in wrap(f"{clean(each.about)}  ({name})", size, "  ")]  # type: list[Row]
    values = each.possible()
    text = " · ".join(clean(value) for value in values) if values else _("any text; type it")
    if each.is_number:
        text = f"{text} · {_('figures can be typed')}"
    may_be = wrap(text, size)
    if len(may_be) > most:
        may_be[most - 1 :] = [f"{may_be[most - 1]} …"]
    return [*rows, *about[:most], *(cut_row([("class:quiet", line)], size) for line in may_be)]


def settings_rows(facts: Facts, page: Settings, size: int, rows: int) -> list[Row]:
    """All settings, and what the marked one means."""
    head = [_headed(_("Settings, in {path}").format(path=facts.file), size)]
    lines: list[Row] = []
    widest = max((width(_key(one.table, one.key)) for one in facts.settings), default=0)
    values = min(size // 3, max((width(clean(one.shown)) for one in facts.settings), default=0))
    for n, one in enumerate(facts.settings):
        is_marked = n == page.at
        lines.append(
            cut_row(
                [
                    ("class:key", "► " if is_marked else "  "),
                    ("", pad(_key(one.table, one.key), widest) + "  "),
                    ("class:marked" if is_marked else "class:name", pad(clean(one.shown), values)),
                    ("class:quiet", "  " + clean(one.where)),
                ],
                size,
            )
        )
    one = facts.settings[page.at]
    foot: list[Row] = [[("class:line", "─" * size)]]
    foot += [[("class:label", line)] for line in wrap(clean(one.about), size)[:2]]
    if page.line is not None:
        foot.append(_typing(page.line, size, f"{one.key}: "))
        hint = _("Enter writes it, Esc leaves it as it is.")
    elif one.choices:
        hint = _("←→ changes it, d takes it out of the file, Esc goes back.")
    else:
        hint = _("Enter changes it, d takes it out of the file, Esc goes back.")
    foot += _foot(hint, size)
    body = max(1, rows - 1 - len(foot))
    shown = _window(lines, page.at, body)
    return [*head, *shown, *([[]] * max(0, body - len(shown))), *foot][-rows:]


def _key(table: str, key: str) -> str:
    return f"[{table}] {key}" if table else key
