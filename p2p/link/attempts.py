"""How many connections are taken and how many handshakes answered. No I/O.

Whoever dials learns the words to compare from each answer, and could otherwise break off and begin anew until
they are those it wants. A connection alone tells nothing, but costs the time of TLS.
"""

from __future__ import annotations

import ipaddress
from typing import Final

PER_SECOND: Final = 4.0
"""Handshakes answered to one address in the long run. The words have 2^32 values: at this pace one of them
comes up after 17 years on average. A peer that lost its link dials five times in its first second and once
in five seconds later."""

AT_ONCE: Final = 64
"""Handshakes that one address may begin at once: a table of six whose programs run on one machine makes five,
and as many again each time that they are started anew."""

CONNECTIONS_PER_SECOND: Final = 20.0
"""Connections taken from one address in the long run: each costs 2 ms for TLS, so 4 % of a processor, and the
five others of a table on one machine dial about as often when all have lost their links."""

CONNECTIONS_AT_ONCE: Final = 256
"""Connections that one address may begin at once: half a second of a processor, and four times the
handshakes, since some come to nothing."""

MOST_KNOWN: Final = 4096
"""Addresses of which something is remembered at most: a few hundred kilobytes."""


class Attempts:
    """Counts for each address; an IPv6 network of one home (64 bits) counts as one address.

    Of handshakes, unless it is made with other numbers.
    """

    def __init__(self, per_second: float | None = None, at_once: int | None = None) -> None:
        self._per_second: Final = per_second
        self._at_once: Final = at_once
        self._free_at: dict[str, float] = {}

    def take(self, host: str, now: float) -> bool:
        """Whether one more of ``host`` is let through; ``now`` in seconds, of any clock."""
        place, step = place_of(host), 1.0 / (self._per_second or PER_SECOND)
        free_at = max(now, self._free_at.get(place, now)) + step
        if free_at > now + (self._at_once or AT_ONCE) * step:
            return False
        if place not in self._free_at and len(self._free_at) >= MOST_KNOWN:
            self._free_at = {known: at for known, at in self._free_at.items() if at > now}
            if len(self._free_at) >= MOST_KNOWN:
                return False
        self._free_at[place] = free_at
        return True


def place_of(host: str) -> str:
    """What counts as one address: an IPv6 network of one home (64 bits) is one."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ipaddress.ip_network((address, 64), strict=False))
    return str(address)
