"""The lobby as rows of styled text, for any size. Pure: a state and a size in, rows out.

On a small screen blank lines go first, then what happened last, then the words beside the letters; the tables
and the answer to the last key stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _
from gettext import pgettext
from typing import Final

from ..tui.canvas import Row, clean, cut, cut_row, flow, pad, translated, width, wrap
from .form import Field, Form
from .line import Line
from .state import (
    Address,
    Facts,
    Filling,
    Games,
    Kept,
    Main,
    Naming,
    Reading,
    Rules,
    Settings,
    State,
)
from .tables import FIGURES, Host
from .tables import Row as Seen

WIDEST: Final = 110
"""Columns that are used: longer lines would not be read with more ease."""

LEAST_NEWS: Final = 3
"""Rows for what happened last, where there is room for everything."""

MOST_NEWS: Final = 12

MOST_WANTED: Final = 5
"""Tables for which the explanations beside the letters make room."""

LEAST_TITLE: Final = 12
"""Columns of a game and of a host, which say enough on the narrowest screen."""

DETAIL: Final = 3
"""Rows that explain the line with the mark."""

WIDE: Final = 64
"""Columns from which a form has its explanations beside the values."""


def draw(state: State, columns: int, rows: int) -> list[Row]:
    """Exactly ``rows`` rows of at most ``columns`` columns."""
    if rows < 1 or columns < 1:
        return []
    size = min(columns, WIDEST)
    notice: list[Row] = []
    if state.notice:
        notice = [[("class:notice", line)] for line in wrap(clean(state.notice), size, "  ")][-3:]
    space = max(0, rows - len(notice))
    drawn = _page(state, size, space)[:space]
    drawn += [[]] * (space - len(drawn))
    margin = (columns - size) // 2
    whole = [*drawn, *notice][:rows]
    whole = [cut_row([("", " " * margin), *row] if margin and row else row, columns) for row in whole]
    return [translated(row) for row in whole] if state.is_ascii else whole


def _page(state: State, size: int, rows: int) -> list[Row]:
    match state.page:
        case Naming(line, problem):
            return _naming(line, problem, size)
        case Reading(title, text, _under, top):
            return _reading(title, text, top, size, rows)
    facts = state.facts
    if facts is None:
        return _main(state, Main(), size, rows)
    match state.page:
        case Address(line):
            return _address(line, size)
        case Games(finished, at):
            found = facts.finished if finished else facts.paused
            title = _("Games played here: which one?") if finished else _("Go on with which game?")
            return _listed(state, title, [_kept_row(one) for one in found], at, size, rows)
        case Rules(at):
            lines = [(each.title, each.summary) for each in facts.games]
            return _listed(state, _("Rules of which game?"), lines, at, size, rows)
        case Filling(form):
            return _form(form, size, rows)
        case Settings() as page:
            return _settings(facts, page, size, rows)
        case Main() as main:
            return _main(state, main, size, rows)
    raise AssertionError(state.page)


# --- the first page -----------------------------------------------------------------------------------------


def menu(facts: Facts | None, has_news: bool) -> list[tuple[str, str, str]]:
    """Letters of the first page with a word and an explanation each."""
    paused = facts.paused if facts is not None else ()
    waits = _("nothing is paused") if facts is not None else ""
    if len(paused) == 1:
        waits = _("{title} with {players}, left {when}").format(
            title=paused[0].title, players=paused[0].players, when=paused[0].when
        )
        waits += _(" (to be rebuilt)") if paused[0].is_lost else ""
    elif paused:
        waits = _("{n} games wait").format(n=len(paused))
    found = [
        ("c", pgettext("lobby", "Continue"), waits),
        ("p", pgettext("lobby", "Practice"), _("you against bots, on this machine")),
        ("h", pgettext("lobby", "Host"), _("open a table for others on this network")),
        ("a", pgettext("lobby", "Address"), _("join a table that does not appear here by itself")),
        ("g", pgettext("lobby", "Games"), _("step through a game that was finished here")),
        ("s", pgettext("lobby", "Settings"), _("your name, language, colours, …")),
        ("r", pgettext("lobby", "Rules"), _("how the games are played")),
        ("?", pgettext("lobby", "Help"), _("all keys")),
        ("q", pgettext("lobby", "Leave"), ""),
    ]
    if has_news:
        found.insert(-2, ("n", pgettext("lobby", "News"), _("all that the last game left")))
    return found


def _title(state: State, size: int) -> Row:
    name = clean(state.facts.name) if state.facts is not None else ""
    right = f" {name} " if name else ""
    left = pad(" Shoal", max(0, size - width(right)))
    return cut_row([("class:title", left + right)], size)


def _main(state: State, page: Main, size: int, rows: int) -> list[Row]:
    long = _menu_column(state, page, size)
    short = _menu_flow(state, page, size)
    spare = [[]] if rows >= 20 else []  # type: list[Row]
    for choices, gap, news in (
        (long, spare, LEAST_NEWS),
        (long, spare, 0),
        (long, [], 0),
        (short, [], LEAST_NEWS),
        (short, [], 0),
    ):
        head = [_title(state, size), *gap]
        wanted = min(news, len(state.news)) + bool(news and state.news)
        fixed = len(head) + len(gap) * 2 + len(choices) + wanted
        least = 1 + max(1, min(MOST_WANTED, len(state.tables)))
        if fixed + (least if choices is long else 2) > rows:
            continue
        seen = _tables(state, page, size, rows - fixed)
        left = rows - fixed - len(seen) + wanted
        return [*head, *seen, *gap, *choices, *gap, *_news(state, size, min(left, MOST_NEWS + 1))]
    seen = _tables(state, page, size, rows)
    return [*short[: max(0, rows - len(seen))], *seen]


def _tables(state: State, page: Main, size: int, rows: int) -> list[Row]:
    """The tables in sight, in at most so many rows."""
    if rows < 1:
        return []
    head: Row = [("class:label", cut(_("Tables on this network"), size))]
    if not state.tables:
        text = state.trouble or _("None yet; a table that is opened appears here by itself.")
        return [head, *[[("class:quiet", f"  {line}")] for line in wrap(text, max(1, size - 2))]][:rows]
    lines = [_table(row, page.mark == row.table.instance, size, state) for row in state.tables]
    if len(lines) < rows:
        return [head, *lines]
    if rows == 1:
        return lines[:1] if len(lines) == 1 else [[("", _("{n} tables").format(n=len(lines)))]]
    marked = next((n for n, row in enumerate(state.tables) if row.table.instance == page.mark), 0)
    room = rows - 1
    first = max(0, min(marked - room + 1, len(lines) - room))
    more: Row = [*head, ("class:quiet", "  " + _("{n} in all").format(n=len(lines)))]
    return [cut_row(more, size), *lines[first : first + room]]


def _table(row: Seen, is_marked: bool, size: int, state: State) -> Row:
    table = row.table
    figure = str(row.figure) if row.figure <= FIGURES else " "
    is_wide = size >= WIDE
    seats = _("{taken} of {seats}") if is_wide else "{taken}/{seats}"
    seats = seats.format(taken=table.taken, seats=table.seats)
    about, style = _acquaintance(table.acquaintance)
    if row.gone is not None:
        seats, about, style = _("gone"), "", "class:quiet"
    elif table.is_full:
        full = _("look on") if table.is_watched else _("full")
        seats = f"{seats}, {full}" if is_wide else full
    most = max(LEAST_TITLE, min(32, (size - 30) // 2))
    title_size = min(most, max(width(clean(each.table.title)) for each in state.tables))
    host_size = min(most - (not is_wide) * 3, max(width(clean(each.table.host)) for each in state.tables))
    mark = "►" if is_marked else " "
    name_style = "class:marked" if is_marked else "class:name"
    pieces: Row = [
        ("class:key", f"{mark}{figure} "),
        ("", pad(clean(table.title), title_size) + "  "),
        (name_style, pad(clean(table.host), host_size)),
        ("", "  " + (seats if is_wide else pad(seats, max(width(_("full")), width(_("gone")))))),
    ]
    if about:
        pieces.append((style, "  " + about))
    return cut_row(pieces, size)


def _acquaintance(host: Host) -> tuple[str, str]:
    match host:
        case Host.KNOWN:
            return "✓ " + _("known"), "class:proof"
        case Host.OTHER_KEY:
            return _("OTHER KEY"), "class:warning"
        case Host.OWN:
            return _("your own"), "class:quiet"
    return _("not met yet"), "class:quiet"


def _menu_column(state: State, page: Main, size: int) -> list[Row]:
    found = menu(state.facts, has_news=len(state.news) > 0)
    widest = max(width(word) for _letter, word, _about in found)
    rows: list[Row] = []
    for letter, word, about in found:
        is_marked = page.mark == letter
        rows.append(
            cut_row(
                [
                    ("class:key", f"{'►' if is_marked else ' '}{letter} "),
                    ("class:marked" if is_marked else "class:name", word),
                    ("", " " * (widest - width(word) + 2)),
                    ("class:quiet", clean(about)),
                ],
                size,
            )
        )
    return rows


def _menu_flow(state: State, page: Main, size: int) -> list[Row]:
    items = [
        [("class:key", letter), ("class:marked" if page.mark == letter else "", f" {word}")]
        for letter, word, _about in menu(state.facts, has_news=len(state.news) > 0)
    ]
    return flow(items, size)


def _news(state: State, size: int, rows: int) -> list[Row]:
    if not state.news or rows < 2:
        return []
    lines = [line for text in state.news for line in (wrap(clean(text), size, "  ") or [""])]
    head: Row = cut_row([("class:label", _("What happened last"))], size)
    # Of a result its beginning counts, of a whole game in lines its end.
    kept = lines[: rows - 1] if len(state.news) <= MOST_NEWS else lines[-(rows - 1) :]
    return [head, *[[("", line)] for line in kept]]


# --- the other pages ----------------------------------------------------------------------------------------


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
    return cut_row([("class:label", label), ("", before), ("reverse", under), ("", after)], size)


def _naming(line: Line, problem: str, size: int) -> list[Row]:
    rows: list[Row] = [_headed("Shoal", size), []]
    rows += [[("", text)] for text in wrap(_("Welcome. What is your name at the table?"), size)]
    rows += [[], _typing(line, size, _("Name: ")), []]
    if problem:
        rows += [[("class:warning", text)] for text in wrap(clean(problem), size)]
    hint = _("Enter takes it. The settings can change it later.")
    return rows + _foot(hint, size)


def _address(line: Line, size: int) -> list[Row]:
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


def _kept_row(one: Kept) -> tuple[str, str]:
    about = _("with {players}, {when}").format(players=one.players, when=one.when)
    return one.title, about + (_(" (to be rebuilt)") if one.is_lost else "")


def _listed(
    state: State, title: str, lines: Sequence[tuple[str, str]], at: int, size: int, rows: int
) -> list[Row]:
    widest = min(size // 3, max((width(clean(word)) for word, _about in lines), default=0))
    shown: list[Row] = []
    for n, (word, about) in enumerate(lines):
        figure = str(n + 1) if n < FIGURES else " "
        shown.append(
            cut_row(
                [
                    ("class:key", f"{'►' if n == at else ' '}{figure} "),
                    ("class:marked" if n == at else "class:name", pad(clean(word), widest)),
                    ("class:quiet", "  " + clean(about)),
                ],
                size,
            )
        )
    foot = _foot(_("A figure, or the arrows and Enter, chooses; Esc goes back."), size)
    body = max(1, rows - 1 - len(foot))
    return [_headed(title, size), *_window(shown, at, body), *foot]


def _window(lines: Sequence[Row], at: int, rows: int) -> list[Row]:
    """So many of the lines that the one at ``at`` is among them."""
    if len(lines) <= rows:
        return list(lines)
    first = max(0, min(at - rows // 2, len(lines) - rows))
    return list(lines[first : first + rows])


def _reading(title: str, text: str, top: int, size: int, rows: int) -> list[Row]:
    parts = text.split("\n")
    lines = [line for part in parts[top:] for line in (wrap(clean(part), size, _indent(part)) or [""])]
    body = max(1, rows - 2)
    has_more = len(lines) > body
    where = (
        _("PageDown and PageUp turn the pages, Esc goes back.") if has_more or top else _("Esc goes back.")
    )
    shown: list[Row] = [[("", line)] for line in lines[:body]]
    shown += [[]] * (body - len(shown))
    return [_headed(title, size), *shown, cut_row([("class:quiet", where)], size)]


def _indent(part: str) -> str:
    """How further lines of a list of keys begin."""
    head, gap, rest = part.partition("  ")
    return " " * (width(part) - width(rest.lstrip())) if gap and head.strip() else ""


def _form(form: Form, size: int, rows: int) -> list[Row]:
    title = f"{form.offer.title}: {form.game.title}"
    problem = form.problem()
    foot = [
        [("class:notice", _("Enter starts")), ("class:quiet", _(", ↑↓ moves, ←→ changes, Esc goes back"))]
    ]  # type: list[Row]
    if problem:
        foot = [[("class:warning", line)] for line in wrap(clean(problem), size, "  ")]
    detail = _detail(form.field, size)[: max(0, DETAIL if rows >= 12 else 1)]
    body = rows - 1 - len(foot) - len(detail)
    names = min(20, max(width(_name(each)) for each in form.fields))
    lines = [_field(each, n == form.at, size, names) for n, each in enumerate(form.fields)]
    shown = _window(lines, form.at, max(1, body))
    blank: list[Row] = [[]] * max(0, body - len(shown))
    return [_headed(title, size), *shown, *blank, *detail, *[cut_row(row, size) for row in foot]]


def _name(each: Field) -> str:
    return each.key.removeprefix("--")


def _field(each: Field, is_marked: bool, size: int, names: int) -> Row:
    mark = "►" if is_marked else " "
    changed = each.value != each.initial
    value = clean(each.shown) or "–"
    style = "class:marked" if is_marked else "class:strong" if changed else ""
    if size < WIDE:
        return cut_row([("class:key", mark + " "), ("", pad(_name(each), names) + " "), (style, value)], size)
    room = (size - 4) * 11 // 20
    return cut_row(
        [("class:key", mark + " "), ("", pad(clean(each.about), room) + "  "), (style, value)], size
    )


def _detail(each: Field, size: int) -> list[Row]:
    """The explanation of one field in full, and what it may be."""
    name = each.key if not each.of_game else f"--set {each.key}"
    rows: list[Row] = [[("class:line", "─" * size)]]
    about = [[("class:label", line)] for line in wrap(f"{clean(each.about)}  ({name})", size, "  ")]  # type: list[Row]
    values = each.possible()
    text = " · ".join(clean(value) for value in values) if values else _("any text; type it")
    may_be: Row = cut_row([("class:quiet", text)], size)
    return [*rows, *about[: DETAIL - 2], may_be]


def _settings(facts: Facts, page: Settings, size: int, rows: int) -> list[Row]:
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
    foot.append(cut_row([("class:quiet", hint)], size))
    body = max(1, rows - 1 - len(foot))
    shown = _window(lines, page.at, body)
    return [*head, *shown, *([[]] * max(0, body - len(shown))), *foot][-rows:]


def _key(table: str, key: str) -> str:
    return f"[{table}] {key}" if table else key
