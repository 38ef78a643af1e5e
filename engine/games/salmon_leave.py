"""What becomes of those who leave a game of Discount Salmon (DS-LEAVE).

Their hands leave the game with them, unseen: cards that wait on the piles are fixed for their seats, so that
no pile can be shuffled while a fish is in play. What they have won stays where it lies and wins nothing. The
deep fryer passes left, and so does the flip.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..table import Draw, Mix, Return, Slot, hand_of
from .salmon_state import GONE, Chore, Next, SalmonState, update
from .salmon_text import PLAY
from .seats import present


def leave(s: SalmonState, seats: tuple[int, ...]) -> Next:
    """The state once these seats have left."""
    s = update(s, gone=(*s.gone, *seats))
    gone = set(s.gone)
    returns = [Return(s.table.slots(hand_of(seat)), GONE) for seat in seats if s.table.size(hand_of(seat))]
    phase = {"race": "next tick", PLAY: "next turn"}.get(s.phase, s.phase)
    s = update(
        s,
        phase=phase,
        chores=(*returns, *_chores(s, gone)),
        flipper=present(s.seats, s.flipper, gone),
        fryer=present(s.seats, s.fryer, gone),
        turn=present(s.seats, s.turn, gone),
        racers=tuple([seat for seat in s.racers if seat not in gone]),
        deferred=tuple([entry for entry in s.deferred if entry[0] not in gone]),
        owed=_drawn(s.owed, gone),
        gained=tuple([seat for seat in s.gained if seat not in gone]),
    )
    return s, ()


def _chores(s: SalmonState, gone: set[int]) -> Iterator[Chore]:
    """What is left to be done, without what is only for leavers."""
    zones = {hand_of(seat) for seat in gone}
    for chore in s.chores:
        if isinstance(chore, Draw):
            drawn = _drawn(chore.draws, gone)
            if drawn:
                yield Draw(drawn)
        elif not (isinstance(chore, Mix) and chore.zone in zones):
            yield chore


def _drawn(draws: tuple[tuple[Slot, int], ...], gone: set[int]) -> tuple[tuple[Slot, int], ...]:
    return tuple([entry for entry in draws if entry[1] not in gone])
