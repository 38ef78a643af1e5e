"""The host's table while it fills, with the other seats of this process among its guests."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

from engine.contract import AnyRules
from engine.registry import game
from p2p.io.lobby import Hosting, join
from p2p.session import Agreed

from ..driver import Member, Party


class Gathering:
    """Seats everybody; bots of this process may come and go until the game begins."""

    def __init__(self, party: Party, hosting: Hosting, host: str) -> None:
        """``host`` is the address at which new bots listen."""
        self._party = party
        self._hosting = hosting
        self._host = host
        self._tasks: dict[int, asyncio.Task[Agreed]] = {}
        self._changed = asyncio.Event()
        self._turn = asyncio.Lock()
        self._has_begun = False

    async def run(self, rules: AnyRules) -> None:
        """Until all sit and the game has begun. Raises what ``Hosting.gather`` and ``join`` raise."""
        host = asyncio.create_task(self._hosting.gather())
        try:
            for member in self._party.members[1:]:
                self._invite(member)
            while not host.done():
                await self._first(host)
            async with self._turn:  # a bot that is being made is ready to be sent away then
                self._has_begun = True
                await self._leave_late(await host)
            agreed = [await host, *[await self._tasks[id(each)] for each in self._party.members[1:]]]
        finally:
            tasks = [host, *self._tasks.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        await self._party.sit(agreed, rules)

    async def _leave_late(self, agreed: Agreed) -> None:
        """Bots that were on their way when the game began have no seat in it."""
        for member in self._party.bots:
            if agreed.charter.seat_of(member.node.identity.public) is None:
                await self._drop(member)

    async def _first(self, host: asyncio.Task[Agreed]) -> None:
        """Until something happens. Raises what stops a seat of this process."""
        self._changed.clear()
        changed = asyncio.create_task(self._changed.wait())
        waited: set[asyncio.Task[Any]] = {host, changed}
        waited |= {task for task in self._tasks.values() if not task.done()}
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            changed.cancel()
        for task in self._tasks.values():
            if task.done() and not task.cancelled() and not host.done():
                task.result()

    def _invite(self, member: Member) -> None:
        self._hosting.expect_bot(member.node.identity.public, member.node.name)
        self._tasks[id(member)] = asyncio.create_task(
            join(
                member.node,
                self._party.me.node.addresses,
                game,
                self._party.group,
                on_roster=_ignore,
                is_bot=True,
            )
        )
        self._changed.set()

    async def add_bot(self, folder: Path, level: str) -> bool:
        """One more bot takes a seat; false where none is free. ``folder`` is where bots are kept."""
        async with self._turn:
            roster = self._hosting.roster
            coming = sum(not task.done() for task in self._tasks.values())
            seated = sum(each.is_bot for each in roster.taken)
            if self._has_begun or len(roster.taken) - seated + coming >= roster.seats:
                return False
            names = [*(each.name for each in roster.taken), *(each.node.name for each in self._party.members)]
            added = await self._party.new_bots(folder, 1, level, self._host, names)
            for member in added:
                self._invite(member)
            return bool(added)

    async def remove_bot(self) -> bool:
        """The bot that came last leaves, with all it has; false where there is none."""
        async with self._turn:
            bots = self._party.bots
            if not bots:
                return False
            member = bots[-1]
            self._hosting.forget_bot(member.node.identity.public)
            await self._drop(member)
            return True

    async def _drop(self, member: Member) -> None:
        self._party.members.remove(member)
        task = self._tasks.pop(id(member), None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await dismiss(member)


async def dismiss(member: Member) -> None:
    """Close a bot for good, and remove what it has on disk."""
    if member.table is not None:
        await member.table.close()
    await member.node.close()
    await asyncio.to_thread(member.store.close)
    if member.folder is not None:
        await asyncio.to_thread(shutil.rmtree, member.folder, ignore_errors=True)


def _ignore(_roster: object) -> None:
    """Bots do not read the roster."""
