"""A physical table at the beginning of its game: the screen, the mode and the readers put together."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Face
from engine.contract import AnyRules
from engine.table import Slot
from p2p.io.table import Table

from ..boards import board_of
from ..console import BareConsole, Console
from ..driver import Party
from ..folders import Folders
from ..plain import PlainTable
from ..presenter import Presenter
from ..text import Glyphs, Speaker
from .base import Setting
from .desk import Desk
from .fronts import CommonTable, OwnScreen
from .kept import Kept
from .modes import mode_of


async def open_screen(
    party: Party,
    rules: AnyRules,
    console: Console,
    glyphs: Glyphs,
    folders: Folders,
    presenter: Presenter,
    words: Sequence[str],
    is_resumed: bool,
    desk: Desk | None,
) -> PlainTable:
    """The screen of a table at which people sit; with a ``desk`` its mode is opened, too."""
    tables = _tables(party)
    first = next(iter(tables.values()))
    charter = first.session.charter
    names = tuple(seat.name for seat in charter.seats)
    boards = {seat: board_of(rules, names, seat, glyphs) for seat in tables}
    cards = "screen" if desk is None else desk.cards
    kept = Kept(folders.kept / f"{charter.table_id.hex()}.{cards}")
    is_common = is_everybodys(party, desk)
    if is_common:
        common = CommonTable(tables, presenter, boards, console, words, kept, is_resumed, desk)
        front: CommonTable | OwnScreen = common
        screen: PlainTable = common
    else:
        screen = PlainTable(first, presenter, console, words, None, is_resumed, desk)
        front = OwnScreen(screen, first, console, kept)
    if desk is not None:
        setting = Setting(
            rules,
            first.session.view().deck,
            names,
            tuple(tables),
            desk.readers.book,
            desk.readers.pads,
            {seat: Speaker(names, seat, glyphs, rules.info.id) for seat in tables},
            boards,
            glyphs,
            is_common=is_common,
            kept=await kept.read(),
            most_tags=desk.readers.most_tags,
            can_hide=not isinstance(console, BareConsole),
        )
        scanner = charter.scanner

        def witness(seat: int) -> tuple[tuple[Slot, Face], ...] | None:
            return tables[seat].session.seen() if seat == scanner else None

        desk.begin(mode_of(desk.cards, setting), front, witness)
    return screen


def is_everybodys(party: Party, desk: Desk | None) -> bool:
    """Whether all who sit at a table look at one screen: several people, or one with real cards in hand."""
    return len(party.people) > 1 or (desk is not None and desk.choice.scanner is not None)


def _tables(party: Party) -> dict[int, Table]:
    """The running games of the people here, by their seats."""
    found = {}
    for member in party.people:
        assert member.table is not None
        found[member.table.session.seat] = member.table
    return found
