"""Options for cards one can touch. Imports little but click, since every start pays for it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ..errors import Failure
from ..translation import gettext as _

if TYPE_CHECKING:
    from ..console import Console
    from ..folders import Folders
    from .desk import Desk

Command = TypeVar("Command", bound=Callable[..., Any])

SCREEN: Final = "screen"
PRINTED: Final = "printed"
CARDS: Final = (SCREEN, "controller", "blank", PRINTED)


@dataclass(frozen=True, slots=True)
class TableChoice:
    """How the cards are held: on the screen, or as ``cards`` says; the readers named for once, and the people
    at this table besides the player."""

    cards: str = SCREEN
    readers: tuple[str, ...] = ()
    people: tuple[str, ...] = ()

    @property
    def has_cards(self) -> bool:
        """Whether there are cards that one can touch."""
        return self.cards != SCREEN

    @property
    def scanner(self) -> int | None:
        """The seat whose machine scans a printed deck, the host's own; ``None`` where cards are sealed."""
        return 0 if self.cards == PRINTED else None


def table_options(command: Command) -> Command:
    """``--cards`` and ``--reader``."""
    return click.option(
        "--cards",
        type=click.Choice(CARDS),
        default=SCREEN,
        show_default=True,
        help="Where your cards are: on the screen, or tagged cards on a real table (docs/table.md).",
    )(_reader_option(command))


def table_again_options(command: Command) -> Command:
    """The same for a game that goes on."""
    return click.option(
        "--cards",
        type=click.Choice(CARDS),
        help="Where your cards are from now on, if not where they were: on the screen, or on a real table.",
    )(_reader_option(command))


def _reader_option(command: Command) -> Command:
    return click.option(
        "--reader",
        "readers",
        metavar="PORT[:KIND]",
        multiple=True,
        help="Use this reader of tagged cards instead of those of the table file; repeat for several.",
    )(command)


def people_option(command: Command) -> Command:
    """``--at-table``."""
    return click.option(
        "--at-table",
        "people",
        metavar="NAME",
        multiple=True,
        help="Somebody else who plays at this table with cards one can touch; repeat for several.",
    )(command)


def table_choice(
    cards: str, readers: Sequence[str], people: Sequence[str] = (), *, name: str = "", auto: bool = False
) -> TableChoice:
    """What was chosen. ``name`` is the player's. Raises ``Failure`` for what does not go together."""
    from p2p.link.known import clean_name, is_same_name  # not needed for the screen

    if cards == SCREEN and readers:
        raise Failure(_("--reader needs cards to read: --cards controller, blank or printed."))
    if cards == SCREEN and people:
        raise Failure(_("--at-table needs cards one can touch: --cards controller, blank or printed."))
    if auto and cards != SCREEN:
        raise Failure(
            _("A bot has no hands: --auto and --cards {cards} exclude each other.").format(cards=cards)
        )
    if cards != SCREEN:
        from .modes import check_mode

        check_mode(cards)
    clean: list[str] = []
    for each in people:
        try:
            clean.append(clean_name(each))
        except ValueError as error:
            from ..language import said_of

            raise Failure(said_of(error), _("Choose another one with --at-table NAME.")) from None
    for number, each in enumerate(clean):
        if any(is_same_name(each, other) for other in [name, *clean[:number]]):
            raise Failure(_("Two people at one table cannot both be called {name}.").format(name=each))
    return TableChoice(cards, tuple(readers), tuple(clean))


def remember_choice(at: Folders, table_id: bytes, choice: TableChoice | None) -> None:
    """Keep how the cards are held, for ``resume``; ``None`` once the game is over."""
    path = _choice_path(at, table_id)
    if choice is None:
        path.unlink(missing_ok=True)
    else:
        path.write_text(json.dumps({"cards": choice.cards, "readers": choice.readers}), "utf-8")


def table_again(
    at: Folders, table_id: bytes, cards: str | None, readers: Sequence[str], *, auto: bool
) -> TableChoice:
    """How the cards are held in a game that goes on: as chosen now, or as they were. Raises ``Failure``."""
    before = TableChoice()
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):  # then it is as it would be anew
        kept = json.loads(_choice_path(at, table_id).read_text("utf-8"))
        before = TableChoice(str(kept["cards"]), tuple(map(str, kept["readers"])))
    if before.cards not in CARDS or auto:
        before = TableChoice()
    if cards is None and not readers:
        return table_choice(before.cards, before.readers, auto=auto)
    return table_choice(cards or before.cards, readers, auto=auto)


def _choice_path(at: Folders, table_id: bytes) -> Path:
    return at.kept / f"{table_id.hex()}.json"


@contextlib.asynccontextmanager
async def desk_of(at: Folders, console: Console, choice: TableChoice) -> AsyncIterator[Desk | None]:
    """The readers of the table, if cards are played with that one can touch. Raises ``Failure``."""
    if not choice.has_cards:
        yield None
        return
    from .desk import open_desk  # the drivers of readers, which the screen does not need

    async with open_desk(at, console, choice) as desk:
        yield desk
