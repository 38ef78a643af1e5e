"""The first page of the lobby in rows: tables, what else there is to do, and what happened last. Pure."""

from __future__ import annotations

from typing import Final

from ..translation import gettext as _
from ..translation import pgettext
from ..tui.canvas import Row, clean, cut, cut_row, flow, pad, width, wrap
from .pages import WIDE, explained
from .state import Facts, Main, State
from .tables import FIGURES, Host
from .tables import Row as Seen

LEAST_NEWS: Final = 3
"""Rows for what happened last, where there is room for everything."""

MOST_NEWS: Final = 12
"""At most. More lines than these are a whole game that was played in lines, of which the end counts."""

MOST_WANTED: Final = 5
"""Tables for which the explanations beside the letters make room."""

LEAST_TITLE: Final = 12
"""Columns of a game and of a host, which say enough on the narrowest screen."""


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


def front(state: State, page: Main, size: int, rows: int) -> list[Row]:
    """At most ``rows`` rows of ``size`` columns."""
    long = _menu_column(state, page, size)
    short = _menu_flow(state, page, size)
    spare = [[]] if rows >= 20 else []  # type: list[Row]
    for choices, gap, news in (
        (long, spare, LEAST_NEWS),
        (long, spare, 1),
        (long, [], 1),
        (short, [], LEAST_NEWS),
        (short, [], 1),
        (short, [], 0),
    ):
        head = [_title(state, size), *gap]
        wanted = min(news, len(state.news)) + bool(news > 1 and state.news)
        fixed = len(head) + len(gap) * 2 + len(choices) + wanted
        least = 1 + max(1, min(MOST_WANTED, len(state.tables)))
        if fixed + (least if choices is long else 2) > rows:
            continue
        seen = _tables(state, page, size, rows - fixed)
        left = rows - fixed - len(seen) + wanted
        told = _news(state, size, min(left, MOST_NEWS + 1))
        whole = _menu_column(state, page, size, left - len(told)) if choices is long else choices
        return [*head, *seen, *gap, *whole, *gap, *told]
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
        full = _("go on") if table.own_game else _("look on") if table.is_watched else _("full")
        full = (
            _("look on if they know you") if table.needs_friend and is_wide and not table.own_game else full
        )
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


def _menu_column(state: State, page: Main, size: int, spare: int = 0) -> list[Row]:
    """A row for each, and ``spare`` rows more for explanations that one has no room for."""
    found = menu(state.facts, has_news=len(state.news) > 0)
    widest = max(width(word) for _letter, word, _about in found)
    rows: list[Row] = []
    for letter, word, about in found:
        is_marked = page.mark == letter
        head: Row = [
            ("class:key", f"{'►' if is_marked else ' '}{letter} "),
            ("class:marked" if is_marked else "class:name", word),
            ("", " " * (widest - width(word) + 2)),
        ]
        made = explained(head, about, size, spare)
        spare -= len(made) - 1
        rows += made
    return rows


def _menu_flow(state: State, page: Main, size: int) -> list[Row]:
    items = [
        [("class:key", letter), ("class:marked" if page.mark == letter else "", f" {word}")]
        for letter, word, _about in menu(state.facts, has_news=len(state.news) > 0)
    ]
    return flow(items, size)


def _news(state: State, size: int, rows: int) -> list[Row]:
    if not state.news or rows < 1:
        return []
    failure = _("Error: {message}").partition("{")[0].strip()
    failed = next((n for n, text in enumerate(state.news) if text.startswith(failure)), None)
    news = state.news if failed is None else state.news[failed:]  # why counts more than what came before
    if rows == 1:
        return [cut_row([("class:notice", clean(news[0]))], size)]
    lines = [line for text in news for line in (wrap(clean(text), size, "  ") or [""])]
    head: Row = cut_row([("class:label", _("What happened last"))], size)
    # Of a result its beginning counts, of a whole game in lines its end.
    is_whole_game = failed is None and len(news) > MOST_NEWS
    kept = lines[-(rows - 1) :] if is_whole_game else lines[: rows - 1]
    return [head, *[[("", line)] for line in kept]]
