"""What a host has to say of its table before anybody sits down, and whether its charter keeps to it. No I/O.

A guest is shown the terms with each roster. They stay as they are until the game begins: a guest plays at no
table that it was not shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.contract import AnyRules

from ..log.charter import DEFAULT_GRACE, DEFAULT_WATCHERS, LEAST_GRACE, MOST_GRACE, WATCHERS, Charter

USUALLY_RECOVERS = 4
"""Players from which keys are put in escrow unless the host says otherwise: of three, the other two could
read the third one's hand together."""

MOST_OPTIONS = 64
"""Options that a host may name: no game has half as many, and all are shown."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, with which sorted options, for how many, and everything else of the charter but the
    people. ``recovery``: ``None`` leaves it to the number of players; ``scanner``: the seat whose machine
    scans printed cards, ``None`` with sealed ones."""

    game: str
    options: tuple[tuple[str, str], ...]
    seats: int
    reveal: str = "end"
    recovery: bool | None = None
    grace: int = DEFAULT_GRACE
    watchers: str = DEFAULT_WATCHERS
    scanner: int | None = None

    @property
    def are_possible(self) -> bool:
        """Whether there can be such a charter, as far as no game is needed to tell that."""
        names = [name for name, _ in self.options]
        return (
            names == sorted(set(names))
            and len(names) <= MOST_OPTIONS
            and self.reveal in ("end", "never")
            and (self.grace == DEFAULT_GRACE or LEAST_GRACE <= self.grace <= MOST_GRACE)
            and self.watchers in WATCHERS
        )

    def recovers(self, keepers: int) -> bool:
        """Whether keys are put in escrow among so many players."""
        if self.scanner is not None:
            return False
        return keepers >= USUALLY_RECOVERS if self.recovery is None else self.recovery

    def are_kept(self, charter: Charter, rules: AnyRules) -> bool:
        """Whether a charter of the game ``rules`` has these terms; options that were not named have their
        usual values. Raises ``BadOption`` for options that the game does not have."""
        options = rules.options(dict(self.options), len(charter.seats))
        keepers = len({seat.keeper for seat in charter.seats})
        asked = (self.game, tuple(sorted(options.items())), self.reveal, self.grace, self.watchers)
        found = (charter.game, charter.options, charter.reveal, charter.grace, charter.watchers)
        return (asked, self.scanner, self.recovers(keepers)) == (found, charter.scanner, charter.recovery)
