"""Another game with the same table: who wants it, and how all come to sit down once more.

Everybody is asked after the game. Who wants another one says so over the links of the old table; when all who
are still there do, or when the host will not wait for the others, the host's program opens the next table and
theirs apply there, each at the identity it knows. So the host's waiting room is the place where those who are
left decide with whom they go on: with bots, with new guests, or with fewer.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.contract import AnyRules
from p2p.io.lobby import Offer
from p2p.io.table import Table
from p2p.link import LinkError
from p2p.log import PRINTED, Charter, SeatInfo
from p2p.session import SetupError
from p2p.session.setup import USUALLY_RECOVERS, Agreed

from ..console import Console, Left
from ..door import Refusals
from ..driver import EVERYWHERE, LOOPBACK, Party
from ..ending import EndChoice, Ending
from ..folders import Folders
from ..known import remember
from ..language import said_of
from ..manner import numbered
from ..options import Settings
from ..program import call_here
from ..seats import Manner, run_game
from ..text import joined
from ..translation import gettext as _
from ..translation import ngettext
from .about import show_words
from .joining import sit_down
from .opening import Plan, gather
from .shown import Covering

if TYPE_CHECKING:
    from ..tabletop.desk import Desk

REMATCH: Final = "rematch"
WITHOUT: Final = "begin"

LOOK: Final = 0.3
"""Seconds between looks at what the others want: soon enough for a person."""


async def play_games(
    party: Party,
    rules: AnyRules,
    console: Console,
    manner: Manner,
    at: Folders,
    settings: Settings,
    *,
    level: str,
    is_resumed: bool = False,
    desk: Desk | None = None,
) -> int:
    """Play, and play again with the same table for as long as all want to; the exit code of the last game.

    ``level`` is that of bots which the host takes in for another game.
    """
    number = 1
    while True:
        rematch = Rematch(party, console)
        try:
            code = await run_game(
                party,
                rules,
                console,
                replace(manner, record=numbered(manner.record, number)),
                at,
                settings,
                is_resumed=is_resumed,
                desk=desk,
                at_end=rematch.offer,
            )
        finally:
            await rematch.close()
        if not rematch.is_wanted or not await _sit_again(party, rules, console, at, level):
            return code
        number, is_resumed = number + 1, False


class Rematch:
    """After one game: what its player and the others want."""

    def __init__(self, party: Party, console: Console) -> None:
        self._goes_on = False
        self._party = party
        self._console = console
        self._has_wished = False
        self._told: set[tuple[str, int]] = set()
        self._watching: asyncio.Task[None] | None = None
        self._ending: Ending | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether the next game is gone to. Who leaves in the moment in which it opens has left."""
        return self._goes_on and not (self._ending is not None and self._ending.is_left)

    @property
    def _table(self) -> Table:
        table = self._party.me.table
        assert table is not None
        return table

    @property
    def _charter(self) -> Charter:
        return self._table.session.charter

    @property
    def _is_host(self) -> bool:
        return self._charter.seats[0].public == self._party.me.node.identity.public

    @property
    def _others(self) -> list[int]:
        """Seats of people at other machines."""
        me = self._table.session.seat
        return [n for n, seat in enumerate(self._charter.seats) if seat.keeper == n != me]

    @property
    def _gone(self) -> frozenset[int]:
        """Seats that left the game for good."""
        return self._table.session.history.progress.gone

    def offer(self, ending: Ending) -> None:
        """Offer another game among what may be done after this one, but not to who has resigned from other
        people's game."""
        self._ending = ending
        if self._others and self._table.session.seat in self._gone:
            return
        about = _("another game with the same players")
        ending.add(EndChoice("1", REMATCH, _("play again"), about), self._wish)
        self._watching = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """The game is left behind."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])
            if not self._watching.cancelled():
                self._watching.result()

    # --- what this player wants -----------------------------------------------------------------------

    async def _wish(self, _rest: str) -> bool:
        """The player wants another game; whether it is time to leave this one for it."""
        if not self._has_wished:
            self._has_wished = True
            await self._table.play_again()
        if self._may_go_on():
            self._goes_on = True
        elif not self._is_host and (0 in self._table.missing or 0 in self._gone):
            self._say(self._host_is_gone())
        elif not self._is_host and not self._table.reaches_directly(0):
            told = only_through_others(self._names([0]), self._table.places(0))
            self._say(f"{self._waiting()} {told}")
        else:
            self._say(self._waiting())
        return self._goes_on

    async def _begin(self, _rest: str) -> bool:
        """The host will not wait for those who have not decided."""
        self._goes_on = True
        return True

    def _may_go_on(self) -> bool:
        if not self._has_wished:
            return False
        if self._is_host:
            return not self._undecided()
        return self._table.again.get(0, False)

    def _undecided(self) -> list[int]:
        table = self._table
        away = {*table.again, *table.missing, *self._gone}
        return [seat for seat in self._others if seat not in away]

    def _waiting(self) -> str:
        if not self._is_host:
            text = _("Noted. {host} opens the next game as soon as all have decided.")
            return text.format(host=self._names([0]))
        assert self._ending is not None
        self._ending.add(
            EndChoice("b", WITHOUT, _("do not wait for those who have not decided")), self._begin
        )
        undecided = self._undecided()
        text = ngettext("{names} has not decided yet.", "{names} have not decided yet.", len(undecided))
        return text.format(names=self._names(undecided))

    # --- what the others want -------------------------------------------------------------------------

    async def _watch(self) -> None:
        """Tell what the others do, and go on when it is time."""
        while True:
            for seat in self._others:
                self._tell_of(seat)
            if self._ending is not None and self._may_go_on():
                self._goes_on = True
                self._ending.finish()
            await asyncio.sleep(LOOK)

    def _tell_of(self, seat: int) -> None:
        table, name = self._table, self._names([seat])
        wish, has_opened = table.again.get(seat), table.again.get(0, False)
        if seat == 0 and has_opened:
            text = _("{name} has opened another game: rematch takes your seat there.")
            self._tell_once("opens", seat, text.format(name=name))
        elif wish is not None:
            self._tell_once("wants", seat, _("{name} wants another game.").format(name=name))
        if seat in table.missing and not has_opened:
            self._tell_once("left", seat, _("{name} has left the table.").format(name=name))
            if seat == 0 and self._has_wished and self._is_new("gone", seat):
                self._say(self._host_is_gone())  # in the place of what was said to the wish

    def _host_is_gone(self) -> str:
        return _(
            "{name}, who hosted this table, has left; nobody else can open the next game. Host one yourself: "
            "{command}"
        ).format(name=self._names([0]), command=call_here(f"host {self._charter.game}"))

    def _tell_once(self, kind: str, seat: int, text: str) -> None:
        if self._is_new(kind, seat):
            self._console.write(text)

    def _is_new(self, kind: str, seat: int) -> bool:
        is_new = (kind, seat) not in self._told
        self._told.add((kind, seat))
        return is_new

    def _say(self, text: str) -> None:
        assert self._ending is not None
        self._ending.screen.reply(text)

    def _names(self, seats: list[int]) -> str:
        return joined([self._charter.seats[seat].name for seat in seats])


# --- sitting down once more -----------------------------------------------------------------------------


async def _sit_again(party: Party, rules: AnyRules, console: Console, at: Folders, level: str) -> bool:
    """Whether everybody of this process sits at a new table with the same options."""
    table = party.me.table
    assert table is not None
    charter, places = table.session.charter, table.places(0)
    wished = [charter.seats[seat] for seat in table.again if charter.seats[seat].keeper == seat]
    if isinstance(console, Covering):
        console.reply("")  # what was said to the wish is over
    is_host = charter.seats[0].public == party.me.node.identity.public
    was_direct = is_host or table.reaches_directly(0)
    for member in party.members:
        if member.table is not None:
            await member.table.close(opens_next=is_host and member is party.me)
            member.table = None
    try:
        sits = await (_open_again(party, rules, console, at, charter, level, wished) if is_host
                      else _join_again(party, rules, console, charter, places))  # fmt: skip
    except (LinkError, SetupError) as error:
        console.write(_("There is no other game at this table: {reason}").format(reason=said_of(error)))
        if not was_direct and isinstance(error, LinkError):
            console.write(only_through_others(charter.seats[0].name, places))
        return False
    if sits:
        assert party.me.table is not None
        after, seat = party.me.table.session.charter, party.me.table.session.seat
        await asyncio.to_thread(remember, party.me.store, after, seat)
        show_words(console, after, seat, charter)
    return sits


async def _open_again(
    party: Party,
    rules: AnyRules,
    console: Console,
    at: Folders,
    charter: Charter,
    level: str,
    wished: Sequence[SeatInfo],
) -> bool:
    own = {member.node.identity.public for member in party.members}
    publics = tuple(seat.public for seat in charter.seats)
    plan = Plan(
        offer_of(charter),
        level,
        EVERYWHERE if party.me.node.is_reachable else LOOPBACK,
        len(charter.seats),
        is_here_only=not party.me.node.is_reachable,
        is_auto=own.issuperset(publics),
        before=publics,
        wished={each.public: each.name for each in wished},
    )
    if await gather(party, rules, console, at, plan, Refusals(console)):
        return True
    console.write(_("The table is closed."))
    return False


async def _join_again(
    party: Party, rules: AnyRules, console: Console, charter: Charter, places: tuple[str, ...]
) -> bool:
    agreed: Agreed | None = None
    with contextlib.suppress(Left):
        agreed = await sit_down(
            party,
            console,
            places,
            expect=charter.seats[0].public,
            terms=offer_of(charter).terms,  # nobody is asked once more whether to play them
            is_ready=True,
        )
    if agreed is None:
        console.write(_("You left the table before the game began."))
        return False
    await party.sit([agreed], rules)
    return True


def only_through_others(host: str, places: Sequence[str]) -> str:
    """What a guest has to do whose machine reached the host's by way of other players alone: for a new table
    no other players are there yet."""
    place = places[0] if places else "HOST:PORT"
    return _(
        "Your machine reaches that of {host} by way of other players only, and a new table needs a link of "
        "its own: bring both into one network, then join from there: {command}"
    ).format(host=host, command=call_here(f"join {place}"))


def offer_of(charter: Charter) -> Offer:
    """What was played at a table, to be played again."""
    keepers = len({seat.keeper for seat in charter.seats})
    usual = charter.dealing == PRINTED or charter.recovery == (keepers >= USUALLY_RECOVERS)
    return Offer(
        charter.game,
        dict(charter.options),
        len(charter.seats),
        charter.reveal,
        charter.scanner,
        None if usual else charter.recovery,
        charter.grace,
        charter.watchers,
    )


__all__ = ["REMATCH", "Rematch", "offer_of", "play_games"]
