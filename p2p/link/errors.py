"""What can go wrong with a link, in two families: our side's doing, or the other's.

The first paragraph of an error's docstring is its message: one sentence for a player and the next step, with
the names of its fields in braces.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any


class ExplainedError(Exception):
    """Something went wrong."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(fields)

    @property
    def fields(self) -> dict[str, Any]:
        """What the message names."""
        return dict(self.args[0])

    def __str__(self) -> str:
        paragraph = cleandoc(self.__doc__ or type(self).__name__).partition("\n\n")[0]
        return " ".join(paragraph.split()).format_map(self.fields)


class LinkError(ExplainedError):
    """There is no link to the other player."""


class LocalError(LinkError):
    """This program cannot make the link."""


class PeerFault(LinkError):
    """The program at the other end does not keep to the protocol; it is not played with."""


class OwnIdentity(LocalError):
    """The address leads to your own identity; use the address of the other player, or another identity.

    ``reply``, if not empty, is the message by which the other side learns the same.
    """


class VersionMismatch(LocalError):
    """The other program speaks protocol version {theirs}, this one {ours}; update the older of the two.

    ``theirs`` and ``ours`` are texts such as "1, 2". ``reply``, if not empty, is the message by which the
    other side learns the same.
    """


class NotShoal(PeerFault):
    """The program at the other end does not speak the protocol of Shoal ({detail}); check the address and the
    port."""


class FrameRefused(PeerFault):
    """The other program sent a frame of {size} bytes where 1 to {maximum} are allowed; the link is closed."""


class BadKey(PeerFault):
    """The other program's identity key is not a valid one; do not play with it."""


class WrongPeer(PeerFault):
    """Someone else answers at the address of {expected}; ask that player for the present address."""


class BadProof(PeerFault):
    """The other side could not prove its identity on this channel, so somebody may sit in between; do not
    play over this network until you know who."""
