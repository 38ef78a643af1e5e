"""The heavy work of a session, to run in any thread: verifying a contribution and making one."""

from __future__ import annotations

from dataclasses import dataclass

from engine.table import Choose, Deed, Disclose

from ..deal import Passed, Place, Progress, Secrets, check, contribute


@dataclass(frozen=True, slots=True)
class CheckJob:
    """Verify one contribution to the step under way."""

    progress: Progress
    place: Place
    body: bytes

    def run(self) -> Passed:
        """Raises ``PeerFault``."""
        return check(self.progress, self.place, self.body)


@dataclass(frozen=True, slots=True)
class ContributeJob:
    """Make this seat's contribution to the step under way."""

    progress: Progress
    place: Place
    secrets: Secrets
    deeds: tuple[Deed, ...]
    fresh: bytes

    def run(self) -> tuple[bytes, Passed]:
        """Raises ``NeedsDeed`` where the player has to decide."""
        return contribute(
            self.progress, self.place, self.secrets, Chooser(self.secrets, self.deeds), self.fresh
        )


class Chooser:
    """Gives the deeds decided so far, in order, and what is forced by itself."""

    def __init__(self, secrets: Secrets, deeds: tuple[Deed, ...]) -> None:
        self._key = secrets.card_key
        self._deeds = list(deeds)

    def __call__(self, progress: Progress, seat: int) -> Deed | None:
        if not is_open_choice(progress):
            hand = progress.dealing.hand(progress.position, seat, self._key)
            # The lowest cards in deck order where several equal ones would do: suits carry no weight there.
            return progress.position.deed(seat, hand, progress.position.choices(seat, hand)[0])
        return self._deeds.pop(0) if self._deeds else None


def is_open_choice(progress: Progress) -> bool:
    """Whether the round now owed waits for its player, by public facts alone."""
    task = progress.task
    return isinstance(task, Choose) or (isinstance(task, Disclose) and task.most is not None)
