"""What seats tell each other after a game about another one at the same table. No part of any transcript.

Whoever wants another game says so over the links of the old one; then the table's host closes the old table,
saying that it opens the next, and the others apply there as at any table. So a rematch has a charter, nonces
and keys of its own, and nothing that was signed in the first game is worth anything in the second.
"""

from __future__ import annotations

from typing import Final

import msgspec

from ..log.codec import encode


class Again(msgspec.Struct, frozen=True, array_like=True, tag="again", forbid_unknown_fields=True):
    """The sender's player wants another game; with ``opens``, from the host, its program takes applications
    from now on."""

    opens: bool


WISH: Final = encode(Again(False))
OPENS: Final = encode(Again(True))

_ALL: Final = {WISH: False, OPENS: True}


def read_again(frame: bytes) -> bool | None:
    """Whether a frame of a table says that the next one opens; ``None`` where it says nothing of that."""
    return _ALL.get(frame)
