"""Talk that a player does not want to see: of one other player, or of all. Nobody is told."""

from __future__ import annotations

from collections.abc import Sequence

from .boards import NotUnderstood, find_seat
from .translation import gettext as _


def mute(typed: str, names: Sequence[str], me: int, muted: set[int]) -> str:
    """Change who is muted as ``mute`` or ``mute NAME`` says, and what to answer. Raises ``NotUnderstood``.

    The same command again takes it back.
    """
    if not typed:
        others = {seat for seat in range(len(names)) if seat != me}
        if others <= muted:
            muted.clear()
            return _("What the others say is shown again.")
        muted |= others
        return _("What the others say is not shown any more; mute shows it again.")
    seat = find_seat(typed, names)
    if seat is None or seat == me:
        raise NotUnderstood(_("Whom do you not want to hear? mute NAME, or mute for everybody."))
    if seat in muted:
        muted.discard(seat)
        return _("What {name} says is shown again.").format(name=names[seat])
    muted.add(seat)
    text = _("What {name} says is not shown any more; mute {name} shows it again.")
    return text.format(name=names[seat])


def keep(muted: set[bytes], seated: Sequence[bytes], seats: set[int]) -> None:
    """Note by identity who of those ``seated`` is muted, which are these ``seats``: it holds in the next
    game, where they may sit elsewhere, and says nothing of who does not sit here."""
    muted -= set(seated)
    muted |= {seated[seat] for seat in seats}
