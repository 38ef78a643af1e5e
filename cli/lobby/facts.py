"""What the lobby reads from this machine: who plays here, which games wait, what can be chosen; and what it
writes. Imports nearly everything, so it is imported in a thread when the first screen stands."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

import click

from engine.registry import game
from p2p.io.mdns import ID_HINT_SIZE, Advert
from p2p.io.store import SavedGame, Store
from p2p.link import KnownPlayer, clean_name, is_same_name
from p2p.log import ACQUAINTED, NOBODY_WATCHES, decode_charter

from ..choices import offered_name
from ..commands.config import remove_setting, settings_of, write_setting
from ..commands.rules import page as rules_page
from ..configuration_file import read_configuration
from ..errors import Failure, explain
from ..folders import Folders, folders
from ..language import LANGUAGES, choose, wanted
from ..main import can_write
from ..options import Settings
from ..saved import OVER, RESUMABLE, played_at, title_of_game, written_record
from ..seats import game_id
from ..text import printable
from ..translation import gettext as _
from . import offers
from .form import GameOffer
from .state import Facts, Kept, Setting
from .tables import Host, Table

LEAST_SEATS = 2
"""Seats of the smallest table."""

MOST_FINISHED = 50
"""Finished games that are offered for replay: older ones are found by ``shoal games``."""


class Machine:
    """The player's folder and settings on this machine. ``args`` are those the lobby was started with."""

    def __init__(self, ctx: click.Context, args: Sequence[str]) -> None:
        self._ctx = ctx
        self._args = list(args)
        self.players: tuple[KnownPlayer, ...] = ()
        self._own = b""
        self._waiting: list[tuple[SavedGame, tuple[str, ...]]] = []

    def read(self) -> Facts:
        """All facts anew. Raises ``Failure``."""
        settings = self._ctx.ensure_object(Settings)
        with _failures():
            settings.configuration = read_configuration(self._args)
            language, _is_by_name = wanted(self._args, os.environ, settings.configuration.for_all.get("lang"))
            choose(language if can_write(language) else LANGUAGES[0])
            at = folders(settings)
            return self._offered(self._stored(at), settings)

    def _stored(self, at: Folders) -> Facts:
        with Store.open(at.data) as store:
            names, saved = store.identity_names(), store.games()
            played = {each.table_id for each in saved if store.is_played(each.table_id, each.seat)}
            self.players = store.players()
            identity = store.identity()
        self._own = identity.public if identity is not None else b""
        given = next((each.value for each in settings_of(self._ctx, "host") if each.name == "name"), None)
        self._waiting = [
            (each, ("resume", game_id(each.table_id), *(["--rebuild"] if each.is_lost else [])))
            for each in saved
            if each.state in RESUMABLE and each.table_id not in played
        ]
        paused = tuple(_kept(each, words) for each, words in self._waiting)
        finished = [
            _kept(each, ("replay", str(record)))
            for each in saved
            if each.state in OVER and (record := written_record(at, each)) is not None
        ]
        last = saved[0].meta["game"] if saved else "go-fish"
        name = given or (names[0] if names else "")
        return Facts(name, offered_name(), paused, tuple(finished[:MOST_FINISHED]), last_game=last)

    def _offered(self, facts: Facts, settings: Settings) -> Facts:
        play, chosen = offers.offer_of(self._ctx, "play")
        host, chosen_to_host = offers.offer_of(self._ctx, "host")
        games = tuple(offers.game_offers(chosen | chosen_to_host))
        return replace(
            facts,
            offers={"play": play, "host": host},
            games=games,
            settings=tuple(_with_name(each, facts.name) for each in offers.settings(self._ctx)),
            file=str(settings.configuration.path),
            rules={each.id: _rules(each) for each in games},
        )

    # --- writing ----------------------------------------------------------------------------------------

    def keep_name(self, name: str) -> None:
        """Make the player's identity under a name. Raises ``Failure``."""
        with _failures():
            clean = clean_name(name)
            at = folders(self._ctx.ensure_object(Settings))
        with _failures(), Store.open(at.data) as store:
            if store.identity() is None:
                store.create_identity(os.urandom(32), clean)

    def write(self, table: str, key: str, value: str | None) -> str:
        """Write a setting, or remove it; a sentence that says so. Raises ``Failure``."""
        with _failures():
            if value is None:
                return remove_setting(self._ctx, table or None, key)
            is_many = key in ("reader", "set", "at-table")
            return write_setting(self._ctx, table or None, key, value.split() if is_many else [value])

    # --- tables -----------------------------------------------------------------------------------------

    def tables(self, adverts: Sequence[Advert]) -> list[Table]:
        """Announced tables as the list has them; without those that ``shoal doctor`` announces for a moment,
        at which nobody could play."""
        return [self._table(each) for each in adverts if each.seats >= LEAST_SEATS]

    def _table(self, advert: Advert) -> Table:
        return Table(
            advert.instance, printable(advert.name, 40), title_of_game(advert.game), advert.seats_taken,
            advert.seats, advert.addresses, self._acquaintance(advert), advert.watchers != NOBODY_WATCHES,
            advert.watchers == ACQUAINTED, self._own_game(advert),
        )  # fmt: skip

    def _own_game(self, advert: Advert) -> tuple[str, ...]:
        """What goes on with the game that waits here and seems to be the one announced. An announcement names
        no game; a host that plays another one of that kind, with as many seats, at the same port would be
        taken for it, and the player would see that nobody is there."""
        for saved, words in self._waiting if advert.is_full else ():
            host = decode_charter(saved.charter).seats[0].public
            ports = {address.rpartition(":")[2] for address in saved.meta["addresses"].get("0", ())}
            is_same = (saved.meta["game"], len(saved.meta["players"])) == (advert.game, advert.seats)
            is_there = bool(ports & {address.rpartition(":")[2] for address in advert.addresses})
            if is_same and is_there and host[:ID_HINT_SIZE].hex() == advert.id_hint:
                return words
        return ()

    def _acquaintance(self, advert: Advert) -> Host:
        hint = advert.id_hint
        if self._own and self._own[:ID_HINT_SIZE].hex() == hint:
            return Host.OWN
        for each in self.players:
            if is_same_name(each.petname, advert.name):
                return Host.KNOWN if each.public[:ID_HINT_SIZE].hex() == hint else Host.OTHER_KEY
        return Host.STRANGER


def _with_name(setting: Setting, name: str) -> Setting:
    """A name that no setting gives is the one of the first time."""
    if setting.key != "name" or setting.table or setting.raw or not name:
        return setting
    return replace(setting, raw=name, shown=printable(name, 40), where=_("kept with your key"))


@contextlib.contextmanager
def _failures() -> Iterator[None]:
    """Whatever can be explained to a player is a ``Failure``."""
    try:
        yield
    except click.UsageError as error:
        raise Failure(error.format_message()) from None
    except Exception as error:
        failure = explain(error)
        if failure is None:
            raise
        raise failure from error


def _rules(offer: GameOffer) -> str:
    return rules_page(game(offer.id).info)


def _kept(saved: SavedGame, words: tuple[str, ...]) -> Kept:
    names = [name for seat, name in enumerate(saved.meta["players"]) if seat != saved.seat]
    players = ", ".join(printable(name, 40) for name in names)
    return Kept(title_of_game(saved.meta["game"]), players, played_at(saved), words, saved.is_lost)
