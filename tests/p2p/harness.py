"""Real session cores over a fake link: no sockets, no threads, no clock. Everything from one seed."""

from __future__ import annotations

import hashlib
import heapq
import random
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from engine.contract import Action, AnyRules
from engine.match import Position
from engine.registry import game
from engine.table import Slot, Tick
from p2p.deal import Secrets
from p2p.identity import Identity
from p2p.log import (
    PRINTED,
    PROTOCOL_VERSION,
    Charter,
    Entry,
    EntryFrame,
    PrintedCharter,
    SeatInfo,
    Statement,
    StatementFrame,
    decode_message,
)
from p2p.sealed import Group
from p2p.session import (
    CommittedDeed,
    CutWanted,
    Drop,
    Fault,
    Happened,
    Persist,
    Race,
    ScanWanted,
    Send,
    Session,
    Stale,
    Tell,
    Timer,
    Work,
    YourMove,
)
from p2p.verify import Report, verify

Choice = Callable[[YourMove, random.Random], Action | None]
"""What a seat decides at once; ``None`` if nothing yet."""

Maker = Callable[..., Session]
Play = Callable[["Ring", int, Race], None]

TINY = {"ranks": "3", "suits": "2", "book_size": "2", "hand_size": "1"}
"""Six cards: a whole game in a dozen steps."""

LITTLE = {"ranks": "3", "hand_size": "2"}
"""Twelve cards in groups of four, and small hands."""

SHORT = {"ranks": "5", "hand_size": "4"}
"""Twenty cards in groups of four: every kind of step in a small game of two to four seats."""


def pick_any(move: YourMove, rng: random.Random) -> Action:
    """A legal action at random."""
    return rng.choice(move.actions)


def pick_first(move: YourMove, rng: random.Random) -> Action:
    """The first legal action."""
    return move.actions[0]


def make_charter(
    group: Group,
    seats: int,
    game_id: str = "go-fish",
    options: dict[str, str] | None = None,
    reveal: str = "end",
    rules: AnyRules | None = None,
    keepers: tuple[int, ...] | None = None,
    scanner: int | None = None,
) -> tuple[Charter, list[Identity]]:
    """A charter for identities derived from their seat numbers, each its own keeper unless told otherwise."""
    rules = rules or game(game_id)
    kept_by = keepers or tuple(range(seats))
    full = dict(rules.options(options or {}, seats))
    identities = [Identity(bytes([seat + 1]) * 32) for seat in range(seats)]
    infos = tuple(
        SeatInfo(identity.public, f"P{seat}", kept_by[seat]) for seat, identity in enumerate(identities)
    )
    nonces = tuple(bytes([seat]) * 32 for seat in range(seats))
    fields = (
        PROTOCOL_VERSION,
        group.name,
        rules.info.id,
        rules.info.version,
        rules.deck(full).digest,
        tuple(sorted(full.items())),
        infos,
        False,
        reveal,
        nonces,
    )
    if scanner is None:
        return Charter(*fields), identities
    return PrintedCharter(*fields, PRINTED, scanner), identities


def root_of(seat: int, salt: bytes = b"") -> bytes:
    """The secret of a seat, 32 bytes."""
    return hashlib.sha256(b"root%d" % seat + salt).digest()


class Pack:
    """Printed cards in piles, and the person who shuffles, cuts and taps them. Every card has one place."""

    def __init__(self, position: Position, seed: int) -> None:
        deck, rng = position.deck, random.Random(seed)
        cards = iter(deck.cards)
        self.piles = {
            zone: [deck.faces[next(cards)] for _ in position.table.slots(zone)]
            for zone in position.table.zones
        }
        for pile in self.piles.values():
            rng.shuffle(pile)
        self.cuts: list[CutWanted] = []
        self.tapped: dict[tuple[Slot, int], Any] = {}

    def cut(self, what: CutWanted) -> None:
        """Once, however often it is told."""
        if what not in self.cuts:
            self.cuts.append(what)
            pile = self.piles[what.zone]
            assert what.of == len(pile)
            self.piles[what.zone] = pile[what.at :] + pile[: what.at]

    def tap(self, what: ScanWanted) -> tuple[Any, ...]:
        """The cards in order; one that was asked for before is the same card again."""
        found = []
        for draw in what.draws:
            zone = draw[0].zone if draw[0].zone in self.piles else "stock"
            if draw not in self.tapped:
                self.tapped[draw] = self.piles[zone].pop(0)
            found.append(self.tapped[draw])
        return tuple(found)


class Ring:
    """Sessions that hear each other. ``pump`` runs until nothing is left to do."""

    def __init__(
        self,
        group: Group,
        seats: int,
        *,
        seed: int = 1,
        options: dict[str, str] | None = None,
        reveal: str = "end",
        choose: Choice = pick_any,
        charter: Charter | None = None,
        deliver: Callable[[int, int, bytes], list[bytes]] | None = None,
        makers: dict[int, Maker] | None = None,
        salt: bytes = b"",
        answer_delay: float = 0.0,
        rules: AnyRules | None = None,
        keepers: tuple[int, ...] | None = None,
        play: Play = lambda _ring, _seat, _race: None,
        scanner: int | None = None,
        pack: Pack | None = None,
    ) -> None:
        """``makers`` make other sessions than honest ones; another ``salt`` gives all seats other secrets.

        ``play`` is called with what a seat is told of a race. At a table with a ``scanner`` somebody taps the
        cards of ``pack`` as they are wanted.
        """
        made, self.identities = make_charter(
            group, seats, options=options, reveal=reveal, rules=rules, keepers=keepers, scanner=scanner
        )
        self.charter = charter or made
        self.group = group
        self.rules = rules or game(self.charter.game)
        self.on_race = play
        self.rng = random.Random(seed)
        self.choose = choose
        self.deliver = deliver
        self.makers = makers or {}
        self.answer_delay = answer_delay
        self.roots = [root_of(seat, salt) for seat in range(seats)]
        self.now = 0.0
        self.told: list[list[Any]] = [[] for _ in range(seats)]
        self.stored: list[list[Entry]] = [[] for _ in range(seats)]
        self.statements: list[list[Statement]] = [[] for _ in range(seats)]
        self.committed: list[CommittedDeed | None] = [None] * seats
        self.wake: dict[int, float] = {}
        self.cut: set[int] = set()
        self.delay: dict[int, float] = {}
        self.under_way: list[tuple[float, int, tuple[int, int, bytes]]] = []
        self.drops: list[tuple[int, int, str]] = []
        self.sent: list[tuple[int, int | None, bytes]] = []
        self.mail: deque[tuple[int, int, bytes]] = deque()
        self.crash: Callable[[int, Persist], bool] = lambda _seat, _persist: False
        self.crashed: set[int] = set()
        if scanner is not None:
            self.pack = pack or Pack(Position.start(self.rules, dict(self.charter.options), seats), seed)
        self.sessions = [self.make(seat) for seat in range(seats)]

    def make(self, seat: int) -> Session:
        """A new session object of ``seat`` with the same secret: what a restart makes."""
        return self.makers.get(seat, Session)(
            self.charter,
            self.rules,
            self.group,
            seat,
            self.identities[seat],
            self.roots[seat],
            self.rng.randbytes(32),
            answer_delay=self.answer_delay,
        )

    def secrets(self, seat: int) -> Secrets:
        """What only ``seat`` knows."""
        return Secrets(self.roots[seat], self.group.order)

    def start(self) -> None:
        """Start everyone and link everyone."""
        for seat, session in enumerate(self.sessions):
            self.run(seat, session.start(self.now))
        for seat in range(len(self.sessions)):
            for other in range(len(self.sessions)):
                if other != seat:
                    self.run(seat, self.sessions[seat].link_up(self.now, other))

    def restart(self, seat: int, stored: tuple[Entry, ...] | None = None) -> None:
        """Throw the session of ``seat`` away and make a new one from its store, linked to everyone."""
        self.crashed.discard(seat)
        kept = tuple(self.stored[seat]) if stored is None else stored
        self.mail = deque(letter for letter in self.mail if letter[1] != seat)
        self.wake.pop(seat, None)
        self.sessions[seat] = self.make(seat)
        said = tuple(self.statements[seat])
        self.run(seat, self.sessions[seat].start(self.now, kept, said, self.committed[seat]))
        for other in range(len(self.sessions)):
            if other != seat:
                self.run(other, self.sessions[other].link_down(self.now, seat))
                self.run(seat, self.sessions[seat].link_up(self.now, other))
                self.run(other, self.sessions[other].link_up(self.now, seat))

    def run(self, seat: int, effects: list[Any]) -> None:
        """Carry out effects at once; mail waits in the queue. A crashed seat carries out nothing."""
        for effect in effects:
            if seat in self.crashed:
                return
            match effect:
                case Persist(entries, statements, committed):
                    self.stored[seat] += entries
                    known = {statement.place for statement in self.statements[seat]}
                    self.statements[seat] += [each for each in statements if each.place not in known]
                    self.committed[seat] = committed or self.committed[seat]
                    if self.crash(seat, effect):
                        self.crashed.add(seat)
                case Send(to, data):
                    self.sent.append((seat, to, data))
                    receivers = range(len(self.sessions)) if to is None else (to,)
                    for other in receivers:
                        if other != seat and not self.cut & {seat, other}:
                            self.post(seat, other, data)
                case Drop(peer, reason):
                    self.drops.append((seat, peer, reason))
                case Work(number, job):
                    try:
                        value = job.run()
                    except Exception as error:  # noqa: BLE001  # handed back, as the worker pool does
                        value = error
                    self.run(seat, self.sessions[seat].done(self.now, number, value))
                case Tell(what):
                    self.told[seat].append(what)
                    self.hear(seat, what)
                case Timer(delay):
                    self.wake[seat] = min(self.wake.get(seat, self.now + delay), self.now + delay)

    def hear(self, seat: int, what: Any) -> None:
        """What the player of ``seat``, or the person at the table, does about a telling."""
        if isinstance(what, YourMove) and (what.seconds is None or not self.answer_delay):
            action = self.choose(what, self.rng)
            if action is not None:
                self.run(seat, self.sessions[seat].act(self.now, action))
        if isinstance(what, Race):
            self.on_race(self, seat, what)
        if isinstance(what, CutWanted) and seat == self.charter.scanner:
            self.pack.cut(what)
        if isinstance(what, ScanWanted) and what.draws:
            self.on_wanted(seat, what)

    def on_wanted(self, seat: int, what: ScanWanted) -> None:
        """A person taps all that is wanted; or, in a race, the first."""
        if isinstance(self.sessions[seat].history.progress.task, Tick):
            what = ScanWanted(what.draws[:1])
        faces = self.pack.tap(what)
        self.run(seat, self.sessions[seat].scan(self.now, faces))

    def post(self, sender: int, to: int, data: bytes) -> None:
        """Put a letter into the mail, late if its sender is slow."""
        delay = self.delay.get(sender, 0.0)
        if delay:
            heapq.heappush(self.under_way, (self.now + delay, len(self.sent) * 8 + to, (sender, to, data)))
        else:
            self.mail.append((sender, to, data))

    def relink(self, seat: int) -> None:
        """The links of ``seat`` are there again."""
        self.cut.discard(seat)
        for other in range(len(self.sessions)):
            if other != seat and not self.cut & {other} and other not in self.crashed:
                self.run(seat, self.sessions[seat].link_up(self.now, other))
                self.run(other, self.sessions[other].link_up(self.now, seat))

    def run_clock(self, reached: Callable[[], bool], seconds: float = 600.0) -> bool:
        """Let time pass from timer to timer until ``reached``, and say whether it was in time."""
        end = self.now + seconds
        while True:
            self.pump()
            if reached():
                return True
            times = [when for seat, when in self.wake.items() if seat not in self.crashed]
            times += [self.under_way[0][0]] if self.under_way else []
            if not times or min(times) > end:
                return False
            self.now = max(self.now, min(times))
            while self.under_way and self.under_way[0][0] <= self.now:
                self.mail.append(heapq.heappop(self.under_way)[2])
            for seat in sorted(seat for seat, when in self.wake.items() if when <= self.now):
                del self.wake[seat]
                if seat not in self.crashed:
                    self.run(seat, self.sessions[seat].tick(self.now))

    def steps(self, limit: int = 200_000) -> Iterator[None]:
        """Deliver one letter at a time until none is left."""
        for _ in range(limit):
            if not self.mail:
                return
            sender, to, data = self.mail.popleft()
            if to not in self.crashed:
                for frame in self.deliver(sender, to, data) if self.deliver else [data]:
                    self.run(to, self.sessions[to].receive(self.now, sender, frame))
            yield
        raise AssertionError("the sessions never came to rest")

    def pump(self, limit: int = 200_000) -> None:
        """Deliver mail until none is left."""
        for _ in self.steps(limit):
            pass

    def play(self) -> None:
        """A whole game."""
        self.start()
        self.pump()

    def play_until(self, reached: Callable[[], bool]) -> bool:
        """Play until ``reached``, and say whether it was."""
        self.start()
        return reached() or any(reached() for _ in self.steps())

    def tick(self, seconds: float) -> None:
        """Let time pass, and deliver what follows."""
        self.now += seconds
        for seat, session in enumerate(self.sessions):
            if seat not in self.crashed:
                self.run(seat, session.tick(self.now))
        self.pump()

    def events(self, seat: int) -> list[Any]:
        """All public events that ``seat`` was told."""
        return [event for what in self.told[seat] if isinstance(what, Happened) for event in what.events]

    def faults(self, seat: int) -> list[Fault]:
        """The faults that ``seat`` was told."""
        return [what for what in self.told[seat] if isinstance(what, Fault)]

    def is_stale(self, seat: int) -> bool:
        """Whether ``seat`` was told that its store is an old copy."""
        return any(isinstance(what, Stale) for what in self.told[seat])

    def own_statements(self) -> dict[tuple[int, int, int, int], set[tuple[str, bool]]]:
        """Every statement that a seat sent as its own, by (epoch, step, missing keeper, author)."""
        found: dict[tuple[int, int, int, int], set[tuple[str, bool]]] = {}
        for sender, _, data in self.sent:
            message = decode_message(data)
            if isinstance(message, StatementFrame) and message.author == sender:
                statement = message.statement
                found.setdefault(statement.place, set()).add((statement.purpose, statement.have))
        return found

    def own_bodies(self) -> dict[tuple[int, int, int], set[bytes]]:
        """Every body that a seat sent as its own, by (seat, epoch, step)."""
        found: dict[tuple[int, int, int], set[bytes]] = {}
        for sender, _, data in self.sent:
            message = decode_message(data)
            if isinstance(message, EntryFrame) and message.seat == sender:
                found.setdefault((sender, message.epoch, message.step), set()).add(message.body)
        return found

    def record(self, seat: int) -> bytes:
        """The game file as ``seat`` has it."""
        return self.sessions[seat].record()

    def verdict(self, seat: int) -> Report:
        """What a stranger finds in the record of ``seat``."""
        return verify(self.record(seat), lambda _id: self.rules, self.group)
