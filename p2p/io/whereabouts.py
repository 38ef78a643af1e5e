"""Where the other seats of a running game may be reached: what they listed, where they came from, and what
the network says of those who are missed. All of it is a list of places to try and never an identity."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence

from .addresses import BadAddress, join_address, split_address
from .node import Node
from .rendezvous import Rendezvous

MAX_FOUND = 6
"""Addresses kept of one seat beyond those it listed, the last first; together no more than are dialled."""


class Whereabouts:
    """One seat's list of places for each of the others."""

    def __init__(
        self,
        table_id: bytes,
        publics: Sequence[bytes],
        listed: Mapping[int, Sequence[str]],
        node: Node,
        seat: int,
    ) -> None:
        """``publics`` are the keys of all seats; ``listed`` is what each said of itself when the table was
        set up. The network is asked only if ``node`` listens on it: games of one machine leave it in peace.
        """
        self._publics = tuple(publics)
        self._listed = {each: tuple(at) for each, at in listed.items()}
        self._found: dict[int, tuple[str, ...]] = {}
        self._rendezvous = Rendezvous(table_id, publics[seat], node.port) if node.is_reachable else None

    def of(self, seat: int) -> tuple[str, ...]:
        """Where ``seat`` may be: where it was found last, then what it listed."""
        return tuple(dict.fromkeys((*self._found.get(seat, ()), *self._listed.get(seat, ()))))

    def listed(self, seats: int) -> tuple[tuple[str, ...], ...]:
        """What each of so many seats listed when the table was set up."""
        return tuple(self._listed.get(seat, ()) for seat in range(seats))

    def learn(self, seat: int, address: str) -> None:
        """A link to ``seat`` came from ``address``: the seat listens there at the ports it listed."""
        with contextlib.suppress(BadAddress):
            host, _ = split_address(address)
            ports = dict.fromkeys(split_address(each)[1] for each in self._listed.get(seat, ()))
            self._keep(seat, [join_address(host, port) for port in ports])

    def all(self) -> dict[int, tuple[str, ...]]:
        """Where each seat may be, this one included."""
        return {seat: self.of(seat) for seat in range(len(self._publics))}

    async def search(self, seat: int) -> None:
        """Announce this seat, and ask the network where ``seat`` is now; seconds where nobody answers."""
        if self._rendezvous is not None:
            self._keep(seat, await self._rendezvous.places(self._publics[seat]))

    async def rest(self) -> None:
        """Nobody is missed: announce nothing."""
        if self._rendezvous is not None and self._rendezvous.is_open:
            await self._rendezvous.close()

    async def close(self) -> None:
        """Stop."""
        if self._rendezvous is not None:
            await self._rendezvous.close()

    def _keep(self, seat: int, places: Sequence[str]) -> None:
        known = dict.fromkeys((*places, *self._found.get(seat, ())))
        self._found[seat] = tuple(known)[:MAX_FOUND]
