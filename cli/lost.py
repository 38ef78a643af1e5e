"""What a player is told of a store that was lost or damaged, and how its games go on: by what the other
players hold."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from p2p.io.rescue import is_sound, rescue
from p2p.io.store import SavedGame, SecretsLost, Store, StoreDamaged

from .driver import BOT_FILE, PERSON_FILE
from .errors import STORAGE, Failure
from .folders import Folders
from .language import said_of
from .program import call_here
from .saved import RESUMABLE
from .seats import game_id
from .translation import gettext as _


def mend(at: Folders) -> list[str]:
    """Set every damaged store of this machine aside; says what became of it. Raises ``StoreError``."""
    told = []
    for folder in stores(at):
        if is_sound(folder):
            continue
        found = rescue(folder)
        told.append(_("A damaged store was set aside: {path}").format(path=found.aside))
        told.append(
            _("What could be read of it is in a new one. Games: {games}, contributions: {entries}.").format(
                games=found.rows["games"], entries=found.rows["entries"]
            )
        )
    return told


def let_rebuild(at: Folders, saved: SavedGame) -> SavedGame:
    """The player says that nobody else plays the seats of this machine at this table: they go on by what the
    other players hold of them. Gives the game as it is stored then."""
    for folder in stores(at):
        with Store.open(folder) as store:
            for each in store.games():
                if each.table_id == saved.table_id and each.state in RESUMABLE:
                    store.mark_lost(each.table_id, each.seat)
    with Store.open(at.data) as store:
        return next(
            each for each in store.games() if (each.table_id, each.seat) == (saved.table_id, saved.seat)
        )


def stop_everywhere(at: Folders, table_id: bytes) -> None:
    """All seats of this machine at a table stop for good; of bots that play nowhere else nothing stays. One
    whose store is damaged cannot play anyhow."""
    for folder in stores(at):
        try:
            is_done = _stop(folder, table_id)
        except StoreDamaged:
            continue
        if is_done and (folder / BOT_FILE).is_file():
            shutil.rmtree(folder, ignore_errors=True)


def _stop(folder: Path, table_id: bytes) -> bool:
    """Whether the seat of that store plays nowhere any more."""
    with Store.open(folder) as store:
        for each in store.games():
            if each.table_id == table_id and each.state in RESUMABLE:
                store.finish(table_id, each.seat, "stopped")
                store.delete_secrets(table_id, each.seat)
        return not any(each.state in RESUMABLE for each in store.games())


def rebuilding() -> str:
    """What happens now, for the player."""
    return _(
        "What this machine lacks of the game is taken from the other players. Until all of them are "
        "here, nothing is signed for you."
    )


def check_whole(saved: SavedGame) -> None:
    """Raises ``Failure`` for a game of which something may be missing here: another machine with the same
    key may be playing, and then two would sign."""
    if saved.is_lost and saved.state in RESUMABLE:
        raise Failure(
            _("The store of this machine was lost or damaged, and with it moves of this game."),
            _("If no other machine plays your seat, take them from the other players: {command}").format(
                command=call_here(f"resume {game_id(saved.table_id)} --rebuild")
            ),
            STORAGE,
        )


def check_secrets(store: Store, saved: SavedGame) -> None:
    """Raises ``Failure`` where the secrets of a seat are lost: it cannot play, and can leave the game."""
    try:
        store.secrets(saved.table_id, saved.seat)
    except SecretsLost as error:
        rebuild = " --rebuild" if saved.is_lost else ""
        raise Failure(
            said_of(error),
            _("Leave the game for good, for which your key is enough: {command}").format(
                command=call_here(f"resume {game_id(saved.table_id)}{rebuild} --resign")
            ),
            STORAGE,
        ) from error


def check_key(saved: SavedGame, wanted: bytes, own: bytes) -> None:
    """Raises ``Failure`` where the key of a seat is not the one that is here."""
    if wanted != own:
        raise Failure(
            _("The key that this seat plays with, {key}…, is lost: nobody can move for it.").format(
                key=wanted.hex()[:8]
            ),
            _("The others can go on without you, and have the record of the game: {command}").format(
                command=call_here(f"export {game_id(saved.table_id)}")
            ),
            STORAGE,
        )


def stores(at: Folders) -> Iterator[Path]:
    """The folders of all stores of this machine, the player's own first."""
    yield at.data
    for folder, file in ((at.people, PERSON_FILE), (at.bots, BOT_FILE)):
        yield from sorted(path for path in folder.iterdir() if (path / file).is_file())
