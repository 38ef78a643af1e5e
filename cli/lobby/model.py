"""What keys and news make of the lobby. Pure: no clock, no terminal, no disk.

``step`` takes a state and an event and gives the next state and what has to be done (``Effect``). Times come
with the events.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeAlias

from ..program import call_here
from ..translation import gettext as _
from . import tables
from .form import Form, blank
from .line import Line
from .state import (
    Address,
    Effect,
    Event,
    Facts,
    Filling,
    Games,
    Key,
    Learnt,
    Leave,
    Main,
    Naming,
    Paste,
    Reading,
    Refused,
    Rename,
    Resized,
    Rules,
    Run,
    Seen,
    Settings,
    State,
    Tick,
    Write,
)
from .tables import Host, Row

Result: TypeAlias = tuple[State, tuple[Effect, ...]]

CYRILLIC: Final = str.maketrans("ацпхсргљн", "acphsrgqn")
"""The letters that a Macedonian keyboard types where an English one has the lobby's."""

MENU: Final = "cphagsr?q"
"""Letters of the first page. ``n`` is there as well where there are news that do not fit."""


def step(state: State, event: Event) -> Result:
    """What an event makes of the state."""
    match event:
        case Seen(found, now, trouble):
            return replace(state, tables=tables.updated(state.tables, found, now), trouble=trouble), ()
        case Tick(now):
            return replace(state, tables=tables.expired(state.tables, now)), ()
        case Learnt(facts, notice):
            return _learnt(state, facts, notice), ()
        case Refused(problem):
            return _refused(state, problem), ()
        case Resized(rows):
            return replace(state, rows=rows), ()
        case Paste(text):
            return _pasted(state, text), ()
        case Key("c-c" | "c-d"):
            return state, (Leave(),)
        case Key(name):
            return _pressed(replace(state, notice=""), name)


def _learnt(state: State, facts: Facts, notice: str) -> State:
    page = state.page
    if not facts.name and not isinstance(page, Naming):
        page = Naming(Line.offered(facts.offered_name))
    elif facts.name and isinstance(page, Naming):
        page = Main()
    if isinstance(page, Settings):
        page = Settings(min(page.at, max(0, len(facts.settings) - 1)))
    return replace(state, facts=facts, page=page, notice=notice or state.notice)


def _refused(state: State, problem: str) -> State:
    if isinstance(state.page, Naming):
        return replace(state, page=replace(state.page, problem=problem, is_sent=False))
    return replace(state, notice=problem)


def _pasted(state: State, text: str) -> State:
    match state.page:
        case Naming(line) | Address(line):
            return replace(state, page=replace(state.page, line=line.typed(text.strip())))
        case Settings(line=Line() as line):
            return replace(state, page=replace(state.page, line=line.typed(text.strip())))
        case Filling(form) if form.field.is_text:
            clean = "".join(c for c in text.strip() if c.isprintable())
            return replace(state, page=Filling(form.typed(clean)))
        case Reading() | Main() | Games() | Rules():
            return replace(state, notice=_("Pasted text chooses nothing here."))
    return state


def _pressed(state: State, key: str) -> Result:
    match state.page:
        case Naming() as page:
            return _name(state, page, key)
        case Address(line):
            return _address(state, line, key)
        case Settings(line=Line() as line) as page:
            return _edit(state, page, line, key)
        case Reading() as page:
            return _read(state, page, key), ()
        case Filling(form) if not (key == "?" and not form.field.is_text):
            return _fill(state, form, key)
    if key in ("?", "f1"):
        return replace(state, page=Reading(_("Help"), help_text(), state.page)), ()
    match state.page:
        case Main() as main:
            return _main(state, main, key)
        case Games() as games:
            return _games(state, games, key)
        case Settings() as settings:
            return _settings(state, settings, key)
        case Rules() as rules:
            return _rules(state, rules, key), ()
    return state, ()


# --- the first page -----------------------------------------------------------------------------------------


def _main(state: State, page: Main, key: str) -> Result:
    if key in ("up", "down", "tab", "s-tab"):
        return replace(state, page=Main(_next_mark(state, page.mark, key in ("down", "tab")))), ()
    if key == "enter":
        if not page.mark:
            return replace(state, notice=_("Choose by a figure or a letter, or with the arrows.")), ()
        row = next((row for row in state.tables if row.table.instance == page.mark), None)
        return _sit_down(state, row) if row is not None else _letter(state, page.mark)
    if key == "escape":
        return replace(state, page=Main()), ()
    if key.isascii() and key.isdecimal():
        row = next((row for row in state.tables if row.figure == int(key)), None)
        if row is None:
            return replace(state, notice=_("No table has the figure {n}.").format(n=key)), ()
        return _sit_down(state, row)
    return _letter(state, key.lower().translate(CYRILLIC))


def marks(state: State) -> tuple[str, ...]:
    """What the mark can stand at on the first page."""
    return (*(row.table.instance for row in state.tables if row.gone is None), *MENU)


def _next_mark(state: State, mark: str, is_down: bool) -> str:
    there = marks(state)
    if mark not in there:
        return there[0] if is_down else there[-1]
    return there[(there.index(mark) + (1 if is_down else -1)) % len(there)]


def _sit_down(state: State, row: Row) -> Result:
    table = row.table
    if row.gone is not None:
        return replace(state, notice=_("That table has gone.")), ()
    if table.acquaintance is Host.OWN:
        return replace(state, notice=_("That is your own table, opened by another window of yours.")), ()
    if table.own_game:
        return state, (Run(table.own_game),)
    if table.is_full and table.is_watched and table.addresses:
        return state, (Run(("watch", *table.addresses)),)
    if table.is_full:
        return replace(state, notice=_("Every seat of that table is taken.")), ()
    if not table.addresses:
        return replace(state, notice=_("That table does not say where it is; ask its host.")), ()
    return state, (Run(("join", *table.addresses)),)


def _letter(state: State, letter: str) -> Result:
    facts = state.facts
    assert facts is not None
    match letter:
        case "c":
            return _go_on(state, facts)
        case "p" | "h":
            command = "play" if letter == "p" else "host"
            form = blank(facts.offers[command], facts.games, facts.last_game)
            return replace(state, page=Filling(form)), ()
        case "a":
            return replace(state, page=Address()), ()
        case "g":
            if not facts.finished:
                return replace(state, notice=_("No game has been finished here yet.")), ()
            return replace(state, page=Games(finished=True)), ()
        case "s":
            return replace(state, page=Settings()), ()
        case "r":
            return replace(state, page=Rules()), ()
        case "n" if state.news:
            return replace(
                state, page=Reading(_("What happened last"), "\n".join(state.news), state.page)
            ), ()
        case "?":
            return replace(state, page=Reading(_("Help"), help_text(), state.page)), ()
        case "q":
            return state, (Leave(),)
    return replace(state, notice=_("No such key here; ? shows help.") if letter.isprintable() else ""), ()


def _go_on(state: State, facts: Facts) -> Result:
    if not facts.paused:
        return replace(state, notice=_("No game waits to go on.")), ()
    if len(facts.paused) == 1:
        return state, (Run(facts.paused[0].words),)
    return replace(state, page=Games(finished=False)), ()


# --- the other pages ----------------------------------------------------------------------------------------


def _name(state: State, page: Naming, key: str) -> Result:
    if key == "enter":
        return replace(state, page=replace(page, is_sent=True)), (Rename(page.line.text),)
    if key == "escape":
        return state, (Leave(),)
    line = page.line.typed(key) if len(key) == 1 else page.line.pressed(key)
    return (state if line is None else replace(state, page=Naming(line))), ()


def _address(state: State, line: Line, key: str) -> Result:
    if key == "escape":
        return replace(state, page=Main()), ()
    if key == "enter":
        if not line.text.strip():
            return replace(state, notice=_("Type the address that the host's screen shows.")), ()
        return replace(state, page=Main()), (Run(("join", "--", *line.text.split())),)
    changed = line.typed(key) if len(key) == 1 else line.pressed(key)
    return (state if changed is None else replace(state, page=Address(changed))), ()


def _games(state: State, page: Games, key: str) -> Result:
    facts = state.facts
    assert facts is not None
    found = facts.finished if page.finished else facts.paused
    if key in ("escape", "backspace"):
        return replace(state, page=Main("g" if page.finished else "c")), ()
    at = _moved(page.at, key, len(found))
    if key.isascii() and key.isdecimal() and key != "0":
        if int(key) > len(found):
            return replace(state, notice=_("No game has the figure {n}.").format(n=key)), ()
        at, key = int(key) - 1, "enter"
    if key == "enter" and at < len(found):
        return replace(state, page=Main()), (Run(found[at].words),)
    return replace(state, page=replace(page, at=at)), ()


def _fill(state: State, form: Form, key: str) -> Result:
    if key == "escape":
        return replace(state, page=Main("h" if form.offer.command == "host" else "p")), ()
    if key == "enter":
        problem = form.problem()
        if problem:  # it stands below already; the mark goes where it can be mended
            at = next((form.fields.index(each) for each in form.meant(problem)), form.at)
            return replace(state, page=Filling(form.moved(at - form.at))), ()
        return replace(state, page=Main()), (Run(form.words()),)
    if key == "f1":
        return replace(state, page=Reading(_("Help"), help_text(), state.page)), ()
    page = max(1, state.rows // 2)
    moves = {
        "up": -1, "s-tab": -1, "down": 1, "tab": 1, "pageup": -page, "pagedown": page,
        "home": -len(form.fields), "end": len(form.fields),
    }  # fmt: skip
    if key in moves:
        form = form.moved(moves[key])
    elif key in ("left", "right"):
        form = form.turned(1 if key == "right" else -1)
    elif key == " " and not form.field.is_text:
        form = form.turned(1)
    elif key == "backspace":
        form = form.erased()
    elif len(key) == 1:
        form = form.typed(key)
    return replace(state, page=Filling(form)), ()


def _settings(state: State, page: Settings, key: str) -> Result:
    facts = state.facts
    assert facts is not None
    if key == "escape":
        return replace(state, page=Main("s")), ()
    if not facts.settings:
        return state, ()
    one = facts.settings[page.at]
    if key in ("enter", "right", "left", " ") and one.is_fixed:
        text = _("{key} comes from outside ({where}), which goes before the file.")
        return replace(state, notice=text.format(key=one.key, where=one.where)), ()
    if key in ("enter", "right", "left", " "):
        if one.choices:
            at = one.choices.index(one.raw) if one.raw in one.choices else -1
            value = one.choices[(at + (-1 if key == "left" else 1)) % len(one.choices)]
            return state, (Write(one.table, one.key, value),)
        if key == "enter":
            return replace(state, page=replace(page, line=Line.of(one.raw))), ()
    if key in ("delete", "backspace", "d"):
        if not one.is_in_file:
            return replace(state, notice=_("{key} is not set in the file.").format(key=one.key)), ()
        return state, (Write(one.table, one.key, None),)
    return replace(state, page=Settings(_moved(page.at, key, len(facts.settings), state.rows // 2))), ()


def _edit(state: State, page: Settings, line: Line, key: str) -> Result:
    facts = state.facts
    assert facts is not None
    if key == "escape":
        return replace(state, page=replace(page, line=None)), ()
    if key == "enter":
        one, text = facts.settings[page.at], line.text.strip()
        if text == one.raw or (not text and not one.is_in_file):
            return replace(state, page=replace(page, line=None)), ()
        return state, (Write(one.table, one.key, text or None),)
    changed = line.typed(key) if len(key) == 1 else line.pressed(key)
    return (state if changed is None else replace(state, page=replace(page, line=changed))), ()


def _rules(state: State, page: Rules, key: str) -> State:
    facts = state.facts
    assert facts is not None
    if key in ("escape", "backspace"):
        return replace(state, page=Main("r"))
    at = _moved(page.at, key, len(facts.games))
    if key.isascii() and key.isdecimal() and 0 < int(key) <= len(facts.games):
        at, key = int(key) - 1, "enter"
    if key == "enter":
        one = facts.games[at]
        return replace(state, page=Reading(one.title, facts.rules[one.id], Rules(at)))
    return replace(state, page=Rules(at))


def _read(state: State, page: Reading, key: str) -> State:
    if key in ("escape", "enter", "backspace", "q", "?", "f1"):
        return replace(state, page=page.under)
    lines = page.text.count("\n") + 1
    top = _moved(page.top, "down" if key == " " else key, lines, max(1, state.rows - 4))
    if key == " ":
        top = _moved(page.top, "pagedown", lines, max(1, state.rows - 4))
    return replace(state, page=replace(page, top=top))


def _moved(at: int, key: str, count: int, page: int = 5) -> int:
    """A mark among ``count`` lines after a key."""
    steps = {"up": -1, "down": 1, "tab": 1, "s-tab": -1, "pageup": -page, "pagedown": page}
    if key in ("home", "end"):
        return 0 if key == "home" else max(0, count - 1)
    return max(0, min(count - 1, at + steps.get(key, 0)))


def help_text() -> str:
    """The keys, and what the words on the first page mean."""
    keys = (
        ("1-9", _("sit down at the table with that figure, or look on where it says so")),
        ("c", _("go on with a game that was paused or cut off")),
        ("p", _("practice against bots on this machine")),
        ("h", _("host a table: choose the game and its options, then Enter")),
        ("a", _("join a table by its address, where it does not appear by itself")),
        ("g", _("step through a game that was finished here")),
        ("s", _("settings: see them and change them")),
        ("r", _("the rules of the games")),
        ("↑ ↓ Tab", _("a mark that moves; Enter takes what it stands at")),
        ("← →", _("in a form and in the settings: another value")),
        ("Esc", _("back")),
        ("q Ctrl-C", _("leave")),
    )
    size = max(len(key) for key, _about in keys)
    lines = [f"{key:{size}}  {about}" for key, about in keys]
    lines += [
        "",
        _(
            "What a table says of itself is a claim until you sit down. KNOWN: the host calls itself like "
            "somebody you have met, and its key begins like theirs; the whole key is checked when you join."
        ),
        _(
            "OTHER KEY: somebody calls itself like a player you know, but has another key: perhaps a new "
            "machine, perhaps somebody else. Ask before you sit down."
        ),
        _("Everything here can also be done by typed words: {command}").format(command=call_here("--plain")),
    ]
    return "\n".join(lines)
