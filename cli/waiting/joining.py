"""A guest sits down at a table, and waits in its room until the game begins. For ``join``, and for a
rematch."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping, Sequence

from engine.cards import Deck
from engine.contract import BadOption
from engine.own_deck import own_deck_of
from engine.registry import game
from p2p.identity import fingerprint
from p2p.io.lobby import join
from p2p.link import ChangedKey, Judgement, Known, KnownPlayer, judge
from p2p.session.setup import Agreed, Roster, Terms

from ..console import Console
from ..driver import Party
from ..errors import NETWORK, Failure
from ..language import said
from ..loop import first_of
from ..program import call_here
from ..text import printable
from ..translation import gettext as _
from .guest import GuestRoom
from .room import words_at_the_door

PATIENCE = 1.5
"""Seconds without an answer after which it is most likely the host who has to decide; dialling on a LAN takes
far less."""


async def sit_down(
    party: Party,
    console: Console,
    addresses: Sequence[str],
    *,
    wanted: Deck | None = None,
    expect: bytes | None = None,
    terms: Terms | None = None,
    is_ready: bool = False,
) -> Agreed:
    """Ask for a seat at one of ``addresses``, and wait for the game. With ``wanted`` only a table with that
    deck will do, with ``expect`` only that host, with ``terms`` only a table that has them. ``is_ready``:
    nobody has to say that it may begin.

    Raises ``Left``, ``LinkError``, ``SetupError``, ``Failure``.
    """
    known = await asyncio.to_thread(party.me.store.players)

    def check(roster: Roster) -> None:
        _check_deck(wanted, dict(roster.options))

    me = party.me.node
    room = GuestRoom(console, known, me.identity.public, is_ready=is_ready, check=check)
    room.muted = party.muted

    async def say_who_decides() -> None:
        await asyncio.sleep(PATIENCE)
        if not (room.is_seated or room.is_drawn):
            console.write(_("Waiting for the host to let you in …"))
            console.write(words_at_the_door(fingerprint(me.identity.public)))

    saying = asyncio.create_task(say_who_decides())
    deck = wanted.digest if wanted is not None else b""
    try:
        agreed = await first_of(
            join(
                me,
                addresses,
                game,
                party.group,
                on_roster=room.show,
                deck=deck,
                chair=room.chair,
                expect=expect,
                terms=terms,
                on_reopened=lambda reason: console.write(said(reason)),
                on_proposed=lambda roster: check_keys(known, roster, me.identity.public),
            ),
            room.keep(),
        )
        room.begun()
        return agreed
    finally:
        saying.cancel()
        await asyncio.gather(saying, return_exceptions=True)
        room.close()


def _check_deck(wanted: Deck | None, options: Mapping[str, str]) -> None:
    """What the roster announces, the charter must keep."""
    if wanted is None:
        return
    try:
        own = own_deck_of(options)
    except BadOption:
        own = None
    if own is None or own.deck.digest != wanted.digest:
        raise Failure(
            _("This table does not play with your deck {name}.").format(name=wanted.id),
            _("Join without --deck, or give the host your file."),
        )


def check_keys(known: Sequence[KnownPlayer], roster: Roster, me: bytes) -> None:
    """Stop where a known name comes with another key, or is played by somebody else's machine: that is
    decided by talking, not by pressing Enter."""
    for seated in roster.taken:
        if seated.public == me:
            continue
        judgement = judge(known, seated.name, seated.public)
        if seated.is_bot:
            _check_kept(judgement, seated.name, roster.taken[0].name)
        elif isinstance(judgement, ChangedKey):
            raise Failure(
                _(
                    "{name} at this table has another key than the {name} you know; somebody may "
                    "be pretending."
                ).format(name=judgement.player.petname),
                _("Talk to {name}. If it is a new machine: {command}, and join again.").format(
                    name=judgement.player.petname,
                    command=call_here(f"players forget {shlex.quote(judgement.player.petname)}"),
                ),
                NETWORK,
            )


def _check_kept(judgement: Judgement, name: str, host: str) -> None:
    """No machine plays for somebody whom this player knows."""
    match judgement:
        case Known(player) | ChangedKey(player):
            raise Failure(
                _(
                    "{name} at this table is played on {host}'s machine, and is not the {petname} you know; "
                    "somebody may be pretending."
                ).format(name=printable(name), host=printable(host), petname=player.petname),
                _("Talk to {petname}. If all is well, {host} can give that seat another name.").format(
                    petname=player.petname, host=printable(host)
                ),
                NETWORK,
            )
        case _:
            return
