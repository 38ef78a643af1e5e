"""Many games between bots, with open dealing: figures about a game, and a digest that is the same everywhere.

Game ``i`` draws all its chance from the seed and ``i``, so that the work can be split and the digest stays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from .bots import Bot, bot
from .contract import Action, AnyRules, Event, Outcome
from .match import Position
from .open import Open
from .registry import game as game_named
from .rng import Stream
from .table import Choose, Tick
from .text import event_text, seat_letters

CHUNK = 64
"""Games per piece of work when it is split: enough to pay for handing it out, few enough to balance."""


class Chunk(msgspec.Struct, frozen=True):
    """A piece of a simulation: ``count`` games from number ``first`` on. Can be sent to another process."""

    game: str
    seats: int
    seed: int
    options: Mapping[str, str]
    bots: tuple[str, ...]
    first: int
    count: int


class Tally(msgspec.Struct, frozen=True):
    """One finished game: the seats that won, and the SHA-256 of its public event texts, one a line."""

    winners: tuple[int, ...]
    digest: bytes


Spread: TypeAlias = Callable[
    [Callable[[Chunk], tuple[Tally, ...]], Iterable[Chunk]], Iterable[tuple[Tally, ...]]
]
"""How pieces of work are done: ``map``, or the ``map`` of a pool of processes."""


def simulate(
    game: str,
    seats: int,
    games: int,
    seed: int,
    options: Mapping[str, str] | None = None,
    bots: Sequence[str] = ("random",),
    jobs: Spread | None = None,
) -> dict[str, Any]:
    """Plays ``games`` games between ``bots`` (names, repeated around the table).

    ``jobs`` does the pieces of the work, perhaps in parallel; one after the other without it.
    Returns ``games``, ``wins`` (per seat, a shared win counts for each), ``ties`` and ``digest`` (SHA-256
    over the games' digests, as hexadecimal digits): the same for the same arguments on every machine,
    however it is split. Raises ``UnknownGame``, ``UnknownBot`` or ``BadOption``.
    """
    full = dict(game_named(game).options(options or {}, seats))
    for name in bots:
        bot(name)
    players = tuple(bots[seat % len(bots)] for seat in range(seats))
    chunks = [
        Chunk(game, seats, seed, full, players, first, min(CHUNK, games - first))
        for first in range(0, games, CHUNK)
    ]
    wins, ties, digest = [0] * seats, 0, hashlib.sha256()
    for tallies in (jobs or map)(play_chunk, chunks):
        for tally in tallies:
            digest.update(tally.digest)
            ties += len(tally.winners) > 1
            for seat in tally.winners:
                wins[seat] += 1
    return {"games": games, "wins": wins, "ties": ties, "digest": digest.hexdigest()}


def play_chunk(chunk: Chunk) -> tuple[Tally, ...]:
    """The games of one piece of work."""
    rules = game_named(chunk.game)
    bots = [bot(name) for name in chunk.bots]
    labels = seat_letters(chunk.seats)
    tallies = []
    for number in range(chunk.first, chunk.first + chunk.count):
        outcome, events = play_game(rules, chunk.options, chunk.seats, bots, Stream(chunk.seed, number))
        text = "\n".join([event_text(event, labels) for event in events])
        tallies.append(Tally(outcome.winners, hashlib.sha256(text.encode()).digest()))
    return tuple(tallies)


# A tuple made once: a union would be made anew at each of the hundreds of operations of a game.
_DECIDED = (Choose, Tick)


def play_game(
    rules: AnyRules,
    options: Mapping[str, str],
    seats: int,
    bots: Sequence[Bot],
    rng: Stream,
    reaction: int = 0,
) -> tuple[Outcome, list[Event]]:
    """One game from the deal to its end, with its public events.

    In a race a player decides ``reaction`` ticks, on average, after something has happened, as people do;
    with 0 everybody decides in every tick.
    """
    position = Position.start(rules, options, seats)
    dealer = Open(position, rng)
    events: list[Event] = []
    looks = Looks(reaction, rng) if reaction else None

    def decide(at: Position, seat: int, actions: tuple[Action, ...]) -> Action:
        return bots[seat](dealer.view(at, seat), actions, rng)

    while not isinstance(op := position.pending, Outcome):
        if isinstance(op, _DECIDED):
            deeds = []
            due = looks.due(op.seats) if looks and isinstance(op, Tick) else op.seats
            for seat in op.seats:
                view = dealer.view(position, seat)
                legal = rules.legal(view)
                action = bots[seat](view, legal, rng) if seat in due else legal[0]
                deeds.append((seat, rules.deed(view, action)))
            position, new = position.feed(dealer.decided(position, deeds))
        else:
            position, new = position.feed(dealer.resolve(position, decide))
        events += new
        if looks and new:
            looks.news()
    return op, events


class Looks:
    """When each seat looks at a race again: some time after the last news, or after a longer one without.

    The same as a bot at a table does, counted in ticks. Mutable.
    """

    def __init__(self, reaction: int, rng: Stream) -> None:
        """``reaction`` is the mean time in ticks from news to the decision."""
        self._reaction = reaction
        self._rng = rng
        self._left: dict[int, int] = {}
        self._waiting: set[int] = set()

    def due(self, seats: Iterable[int]) -> tuple[int, ...]:
        """One tick passes; the seats that decide in it."""
        due = []
        for seat in seats:
            left = self._left.get(seat)
            left = self._thought() if left is None else left - 1
            if left <= 0:
                due.append(seat)
                self._waiting.add(seat)
                left = 2 * self._reaction + self._thought()
            self._left[seat] = left
        return tuple(due)

    def news(self) -> None:
        """Something has happened: who was waiting for it starts to think."""
        for seat in sorted(self._waiting):
            self._left[seat] = self._thought()
        self._waiting.clear()

    def _thought(self) -> int:
        """Between three fifths and seven fifths of the mean, as at a table."""
        return max(1, round(self._reaction * (600 + self._rng.below(800)) / 1000))
