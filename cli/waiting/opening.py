"""A host opens a table, and waits in its room until the game begins. For ``host``, and for a rematch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.contract import AnyRules
from p2p.io.lobby import Hosting, Offer
from p2p.session.setup import Roster

from ..console import Console, Left
from ..door import Refusals
from ..driver import Party
from ..folders import Folders
from ..loop import first_of
from ..network import announced
from .about import about_table, title_of_table
from .gathering import Gathering
from .host import HostRoom, Table


@dataclass(frozen=True, slots=True)
class Plan:
    """What the host wants. It begins by itself at ``start_at`` seats; bots that come are of ``level``, and
    listen at ``host``. Who sat at the table before, ``before``, is let in without asking, and sits in that
    order. ``wished`` are the identities and names of those who have said that they come."""

    offer: Offer
    level: str
    host: str
    start_at: int
    is_open: bool = False
    is_here_only: bool = False
    is_auto: bool = False
    before: tuple[bytes, ...] = ()
    wished: Mapping[bytes, str] = field(default_factory=dict)


async def gather(
    party: Party, rules: AnyRules, console: Console, at: Folders, plan: Plan, refusals: Refusals
) -> bool:
    """Until the game begins; false where the host closes the table before that."""
    me, offer = party.me, plan.offer
    options = tuple(sorted(offer.options.items()))
    roster = Roster(offer.game, options, offer.seats, ())
    table = Table(
        title_of_table(roster),
        me.node.addresses,
        offer.seats,
        plan.start_at,
        me.node.identity.public,
        at.bots,
        plan.level,
        aside=(about_table(roster),),
        is_here_only=plan.is_here_only,
    )
    known = await asyncio.to_thread(me.store.players)
    room = HostRoom(console, known, table, is_open=plan.is_open, expected=frozenset(plan.before))
    room.muted = party.muted
    room.welcome()
    async with announced(me.node, offer, console, is_quiet=plan.is_here_only) as announce:
        hosting = Hosting(
            me.node,
            offer,
            rules,
            admit=room.door.admit,
            on_roster=room.show,
            on_refused=refusals,
            on_ready=room.ready,
            on_said=room.said,
            on_reopened=room.reopened,
            waits=console.is_interactive and not plan.is_auto,
            start_at=plan.start_at,
            order=plan.before,
        )
        gathering = Gathering(party, hosting, plan.host)
        room.attend(hosting, announce, gathering)
        waiting = asyncio.create_task(room.tell_who_stays_away(plan.wished))
        try:
            await first_of(gathering.run(rules), room.keep())
            room.begun()
        except Left:
            return False
        finally:
            waiting.cancel()
            room.close()
    return True
