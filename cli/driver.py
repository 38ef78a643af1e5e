"""Runs the seats of this process, its player's, those of further people at the same table and those of its
bots: each a full peer with an identity, a node, a store and a session of its own. People and bots are kept in
folders, so that ``resume`` brings them back.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from engine.bots import bot
from engine.contract import AnyRules
from p2p.identity import Identity
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import SavedGame, Store, StoreError
from p2p.io.table import Table
from p2p.io.tcp import PortBusy
from p2p.io.work import WorkPool, keep_loop_even
from p2p.log import Charter, decode_charter
from p2p.sealed import Group
from p2p.session.setup import Agreed

from .bots import BotPlayer, Pace, run_bot
from .files import replace_bytes

BOT_NAMES: Final = ("Coral", "Finn", "Marina", "Gill", "Pearl", "Skip")
"""Names of bots; a table has at most five of them, and one may be the player's own."""

LINGER: Final = 10.0
"""Seconds that the bots of a finished game may take to sign and store their own end of it."""

PLAYER_DELAY: Final = 3.0
"""Seconds in which a person chooses between equal cards: enough to read three lines and type one."""

CARDS_DELAY: Final = 8.0
"""The same for a person with cards one can touch: also to find a card in the hand, and to lay it where it
counts."""

BOT_DELAY: Final = 1.0
"""The same for a bot, which decides in milliseconds: far more than a busy machine makes of them."""

BOT_FILE: Final = "bot.json"
PERSON_FILE: Final = "person.json"

Refused: TypeAlias = Callable[[str, str], None]

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  # a LAN game has to be reachable from the LAN


class PersonFile(msgspec.Struct, frozen=True):
    """What is kept, beside its store, of somebody who plays at this machine's table."""

    name: str


class BotFile(msgspec.Struct, frozen=True):
    """What is kept of a bot beside its store."""

    name: str
    level: str


@dataclass(slots=True)
class Member:
    """One seat of this process. ``level`` is set for a bot, and ``folder`` is what its seat leaves on
    disk: a bot's goes with its game, a person's stays."""

    node: Node
    store: Store
    level: str = ""
    folder: Path | None = None
    table: Table | None = None


@dataclass(slots=True)
class Party:
    """All seats of this process, and what they share. Make one with ``open_party``; with ``is_auto`` a bot
    plays the player's own seat, too; with ``has_cards`` the people here have cards that they can touch."""

    group: Group
    pool: WorkPool
    is_auto: bool = False
    has_cards: bool = False
    members: list[Member] = field(default_factory=list)
    muted: set[bytes] = field(default_factory=set)
    """Identities whose talk this player does not want to see: said in the waiting room or in a game, it holds
    for the games that follow at the same table."""

    @property
    def me(self) -> Member:
        """The player's own seat; it is opened first."""
        return self.members[0]

    @property
    def people(self) -> list[Member]:
        """The seats of people at this machine, the player's own first."""
        return [self.me, *(each for each in self.members[1:] if not each.level)]

    @property
    def bots(self) -> list[Member]:
        """The bots of this process."""
        return [each for each in self.members[1:] if each.level]

    async def open_player(
        self, folder: Path, name: str, host: str, ports: Sequence[int], on_refused: Refused | None = None
    ) -> Member:
        """The player's identity on the network, at the first of ``ports`` that is free. Raises ``PortBusy``.

        ``on_refused`` gets the address and a sentence for each connection that was not let in.
        """
        store, identity = await asyncio.to_thread(_open_store, folder, name)
        try:
            known = await asyncio.to_thread(store.players)
            node = await _open_node(identity, name, host, ports, on_refused)
            node.spectators.known = known
            return self._opened(Member(node, store))
        except BaseException:
            store.close()
            raise

    async def open_person(self, folder: Path, host: str, ports: Sequence[int] = (0,)) -> Member:
        """Somebody else at this machine's table, whose folder is there already."""
        about = msgspec.json.decode((folder / PERSON_FILE).read_bytes(), type=PersonFile)
        member = await self.open_player(folder, about.name, host, ports)
        member.folder = folder
        return member

    async def new_people(self, folder: Path, names: Sequence[str], host: str) -> list[Member]:
        """Those who sit at this machine's table besides its player; who has played here keeps the identity
        of the last time."""
        return [await self.open_person(person_folder(folder, name), host) for name in names]

    async def open_bot(self, folder: Path, host: str, ports: Sequence[int] = (0,)) -> Member:
        """A bot whose folder is there already."""
        about = msgspec.json.decode((folder / BOT_FILE).read_bytes(), type=BotFile)
        bot(about.level)
        member = await self.open_player(folder, about.name, host, ports)
        member.level, member.folder = about.level, folder
        return member

    async def new_bots(
        self, folder: Path, count: int, level: str, host: str, taken: Iterable[str]
    ) -> list[Member]:
        """``count`` bots with fresh identities, under names that are not ``taken``; those of people whom the
        player has met come last, since their friends would not sit down with a bot of that name."""
        used = {name.casefold() for name in taken}
        met = {player.petname.casefold() for player in self.me.store.players()}
        free = [name for name in BOT_NAMES if name.casefold() not in used]
        names = sorted(free, key=lambda name: name.casefold() in met)[:count]
        return [await self.open_bot(new_bot_folder(folder, name, level), host) for name in names]

    def _opened(self, member: Member) -> Member:
        self.members.append(member)
        return member

    async def sit(self, agreed: Sequence[Agreed], rules: AnyRules) -> None:
        """Take the seats agreed on, in the order of the members."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for member, each in zip(self.members, agreed, strict=True):
                    tasks.create_task(self._sit(member, each, rules))
        except BaseException:
            # A game that not all of them could begin can never go on.
            for member, each in zip(self.members, agreed, strict=True):
                with contextlib.suppress(StoreError):
                    member.store.finish(each.charter.table_id, each.seat, "stopped")
            raise

    async def _sit(self, member: Member, agreed: Agreed, rules: AnyRules) -> None:
        root = os.urandom(32)
        delay = self._answer_delay(member, agreed.charter)
        member.table = await Table.sit(
            member.node,
            agreed,
            root,
            rules,
            member.store,
            self.pool,
            self.group,
            answer_delay=delay,
            waits=self._is_person(member),
        )

    async def resume(self, member: Member, saved: SavedGame, rules: AnyRules, resigns: bool = False) -> None:
        """Go on with a stored game in that seat, once all members are opened; ``resigns``: to leave it."""
        delay = self._answer_delay(member, decode_charter(saved.charter))
        member.table = await Table.resume(
            member.node,
            saved,
            rules,
            member.store,
            self.pool,
            self.group,
            answer_delay=delay,
            waits=self._is_person(member),
            resigns=resigns,
        )

    def _answer_delay(self, member: Member, charter: Charter) -> float:
        """Seconds after which a seat gives an answer whose choice hangs on its hidden cards.

        Where all seats are in this process there is nobody to hide from. Elsewhere the time is fixed, for
        bots too: how long one takes to decide would tell whether there was anything to decide.
        """
        own = {each.node.identity.public for each in self.members}
        if own.issuperset(seat.public for seat in charter.seats):
            return 0.0
        if not self._is_person(member):
            return BOT_DELAY
        return CARDS_DELAY if self.has_cards else PLAYER_DELAY

    def _is_person(self, member: Member) -> bool:
        return not (member.level or self.is_auto)

    async def pause(self) -> None:
        """Tell the others, where they can hear it, that the seats of this process stop for now."""
        for member in self.members:
            table = member.table
            if table is None or table.session.is_over:
                continue
            if table.session.seat not in table.session.history.progress.gone:
                await table.pause()

    def _is_done(self, member: Member) -> bool:
        """Whether a bot is needed no more: its game is over, and the player has all that it signed; or it
        never began one. The bots of a game that could not be resumed are needed at the next attempt."""
        if member.table is None:
            try:
                return not any(saved.state in ("running", "paused") for saved in member.store.games())
            except StoreError:
                return False
        mine = self.me.table
        is_mine_over = mine is None or mine.session.is_over or mine.session.is_closed
        return member.table.session.is_over and is_mine_over

    async def close(self) -> None:
        """Stop every seat, and remove what bots of finished games leave behind."""
        for member in self.members:
            if member.table is not None:
                await member.table.close()
            await member.node.close()
            is_done = member.folder is not None and bool(member.level) and self._is_done(member)
            await asyncio.to_thread(member.store.close)
            if member.folder is not None and is_done:
                shutil.rmtree(member.folder, ignore_errors=True)
        await self.pool.close()


@contextlib.asynccontextmanager
async def open_party(is_auto: bool = False, *, has_cards: bool = False) -> AsyncIterator[Party]:
    """A party without members; all of them are closed in the end, whatever happens."""
    group = await asyncio.to_thread(load_group)
    keep_loop_even()
    party = Party(group, WorkPool(), is_auto, has_cards)
    try:
        yield party
    finally:
        # A second Ctrl-C must not leave half of it open.
        await asyncio.shield(party.close())


def _open_store(folder: Path, name: str) -> tuple[Store, Identity]:
    store = Store.open(folder)
    try:
        return store, store.identity() or store.create_identity(os.urandom(32), name)
    except BaseException:
        store.close()
        raise


async def _open_node(
    identity: Identity, name: str, host: str, ports: Sequence[int], on_refused: Refused | None
) -> Node:
    for port in ports[:-1]:
        with contextlib.suppress(PortBusy):
            return await Node.open(identity, name, host=host, port=port, on_refused=on_refused)
    return await Node.open(identity, name, host=host, port=ports[-1], on_refused=on_refused)


def person_folder(folder: Path, name: str) -> Path:
    """The folder of somebody who plays at this machine's table, made for the first time of that name."""
    made = folder / sha256(unicodedata.normalize("NFKC", name).casefold().encode()).hexdigest()[:16]
    if not (made / PERSON_FILE).is_file():
        made.mkdir(mode=0o700, exist_ok=True)
        replace_bytes(made / PERSON_FILE, msgspec.json.encode(PersonFile(name)))
    return made


def new_bot_folder(folder: Path, name: str, level: str) -> Path:
    """A folder for a bot that has not played yet."""
    made = folder / secrets.token_hex(8)
    made.mkdir(mode=0o700)
    replace_bytes(made / BOT_FILE, msgspec.json.encode(BotFile(name, level)))
    return made


async def run_bots(members: Sequence[Member], pace: Pace) -> None:
    """Play the seats of bots until their games are over. Raises what stops one of them."""
    async with asyncio.TaskGroup() as tasks:
        for member in members:
            assert member.table is not None
            tasks.create_task(run_bot(member.table, BotPlayer(member.level, pace)))
