"""The other seats of this machine at a table: its bots, and further people who play here. Each has a store of
its own, and without it, or without its key, the game would wait for that seat for ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from engine.bots import bot
from p2p.io.spare import Spare
from p2p.io.store import SavedGame, Store, StoreDamaged, StoreError
from p2p.log import Charter, decode_charter

from .driver import BOT_FILE, PERSON_FILE, BotFile, PersonFile
from .errors import STORAGE, Failure
from .files import replace_bytes
from .folders import Folders
from .program import call_here
from .saved import RESUMABLE
from .seats import game_id
from .text import joined
from .translation import gettext as _
from .translation import ngettext


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat that can go on: its folder and its game."""

    folder: Path
    saved: SavedGame
    is_bot: bool


@dataclass(frozen=True, slots=True)
class OwnSeats:
    """``found`` can play; the names ``to_rebuild`` are of seats whose moves may be missing here, and those
    that are ``gone`` have no store or no key here any more."""

    found: tuple[OwnSeat, ...]
    to_rebuild: tuple[str, ...]
    gone: tuple[str, ...]


def own_seats(at: Folders, saved: SavedGame) -> OwnSeats:
    """The other seats of this machine at the table of ``saved``. Raises ``StoreError`` for one of them whose
    store is whole and cannot be opened."""
    charter = decode_charter(saved.charter)
    missing = {n: each.name for n, each in enumerate(charter.seats) if each.keeper == saved.seat != n}
    found, to_rebuild = [], []
    for folder, file in _folders(at):
        name = name_of(folder / file) or _name_kept(folder)
        try:
            with Store.open(folder) as store:
                theirs = [each for each in store.games() if each.table_id == saved.table_id]
                own = store.identity()
        except StoreDamaged:
            damaged = [seat for seat, wanted in missing.items() if wanted == name]
            to_rebuild += [missing.pop(seat) for seat in damaged]
            continue
        except StoreError:
            if name in missing.values():
                raise
            continue  # another table's seat is no reason not to play at this one
        for each in theirs:
            is_ours = own is not None and charter.seats[each.seat].public == own.public
            if each.state not in RESUMABLE:
                missing.pop(each.seat, None)  # it has signed the end already
            elif name is not None and is_ours:
                missing.pop(each.seat, None)
                found.append(OwnSeat(folder, each, file == BOT_FILE))
                if each.is_lost:
                    to_rebuild.append(name)
    return OwnSeats(tuple(found), tuple(to_rebuild), tuple(missing.values()))


def check_own_seats(seats: OwnSeats, saved: SavedGame, *, rebuilds: bool, resigns: bool) -> None:
    """Raises ``Failure`` for a seat of this machine without which the game would wait for ever. Who leaves
    the game leaves with all of them, where somebody else is there to see it."""
    if seats.to_rebuild and not rebuilds:
        raise Failure(
            damaged(seats.to_rebuild),
            _("If no other machine plays there, take what is missing from the other seats: {command}").format(
                command=call_here(f"resume {game_id(saved.table_id)} --rebuild")
            ),
            STORAGE,
        )
    if seats.gone and not (resigns and has_others(decode_charter(saved.charter), saved.seat)):
        raise Failure(
            gone(seats.gone),
            _("End the game on this machine for good: {command}").format(
                command=call_here(f"games --stop {game_id(saved.table_id)}")
            ),
            STORAGE,
        )


def damaged(names: Sequence[str]) -> str:
    """What is said of seats that can be rebuilt."""
    return ngettext(
        "The store of {names}, who plays on this machine, was lost or damaged.",
        "The stores of {names}, who play on this machine, were lost or damaged.",
        len(names),
    ).format(names=joined(names))


def gone(names: Sequence[str]) -> str:
    """What is said of seats that cannot come back."""
    return ngettext(
        "{names}, who played on this machine, is gone from it with the key: nobody can move there any more.",
        "{names}, who played on this machine, are gone from it with their keys: nobody can move there any "
        "more.",
        len(names),
    ).format(names=joined(names))


def has_others(charter: Charter, seat: int) -> bool:
    """Whether somebody at another machine sits at the table."""
    return any(each.keeper != seat for each in charter.seats)


def name_of(file: Path) -> str | None:
    """Whose folder it is; ``None`` where its file cannot be read, so that nobody can play from it."""
    try:
        if file.name == PERSON_FILE:
            return msgspec.json.decode(file.read_bytes(), type=PersonFile).name
        about = msgspec.json.decode(file.read_bytes(), type=BotFile)
        bot(about.level)
    except (OSError, ValueError):
        return None
    return about.name


def mend_files(at: Folders, level: str) -> list[str]:
    """Make the small files anew, in the folders of bots and people here, that are damaged or gone while the
    key is there; says what was made. A bot plays at this ``level`` from then on. Raises ``OSError``."""
    told = []
    for folder, file in _folders(at):
        path, name = folder / file, _name_kept(folder)
        if name is None or name_of(path) is not None:
            continue
        if file == PERSON_FILE:
            replace_bytes(path, msgspec.json.encode(PersonFile(name)))
            text = _("The file {path} was damaged; it is made anew, and {name} goes on.")
        else:
            replace_bytes(path, msgspec.json.encode(BotFile(name, level)))
            text = _("The file {path} was damaged; it is made anew, and {name} goes on at the level {level}.")
        told.append(text.format(path=path, name=name, level=level))
    return told


def _name_kept(folder: Path) -> str | None:
    """Whose folder it is by the copy of the key there; ``None`` where there is none."""
    kept = Spare(folder).identities()
    return kept[0].name if kept else None


def _folders(at: Folders) -> Iterator[tuple[Path, str]]:
    for folder, file in ((at.people, PERSON_FILE), (at.bots, BOT_FILE)):
        for each in sorted(folder.iterdir()):
            if (each / file).is_file() or _name_kept(each) is not None:
                yield each, file


__all__ = [
    "OwnSeat", "OwnSeats", "check_own_seats", "damaged", "gone", "has_others", "mend_files", "name_of",
    "own_seats",
]  # fmt: skip
