"""Real session cores over a fake link: no sockets, no threads, no clock. Everything from one seed."""

from __future__ import annotations

import hashlib
import random
from collections import deque
from collections.abc import Callable
from typing import Any

from engine.contract import Action
from engine.registry import game
from p2p.identity import Identity
from p2p.log import PROTOCOL_VERSION, Charter, Entry, SeatInfo
from p2p.sealed import Group
from p2p.session import Drop, Happened, Persist, Send, Session, Tell, Timer, Work, YourMove

Choice = Callable[[YourMove, random.Random], Action]


def pick_any(move: YourMove, rng: random.Random) -> Action:
    """A legal action at random."""
    return rng.choice(move.actions)


def make_charter(
    group: Group, seats: int, game_id: str = "go-fish", options: dict[str, str] | None = None, reveal: str = "end"
) -> tuple[Charter, list[Identity]]:
    """A charter for identities derived from their seat numbers."""
    rules = game(game_id)
    full = dict(rules.options(options or {}, seats))
    identities = [Identity(bytes([seat + 1]) * 32) for seat in range(seats)]
    infos = tuple(SeatInfo(identity.public, f"P{seat}", seat) for seat, identity in enumerate(identities))
    nonces = tuple(bytes([seat]) * 32 for seat in range(seats))
    charter = Charter(
        PROTOCOL_VERSION, group.name, game_id, rules.info.version, rules.deck(full).digest,
        tuple(sorted(full.items())), infos, False, reveal, nonces,
    )
    return charter, identities


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
    ) -> None:
        made, self.identities = make_charter(group, seats, options=options, reveal=reveal)
        self.charter = charter or made
        self.group = group
        self.rules = game(self.charter.game)
        self.rng = random.Random(seed)
        self.choose = choose
        self.deliver = deliver
        self.now = 0.0
        self.told: list[list[Any]] = [[] for _ in range(seats)]
        self.stored: list[list[Entry]] = [[] for _ in range(seats)]
        self.drops: list[tuple[int, int, str]] = []
        self.mail: deque[tuple[int, int, bytes]] = deque()
        self.sessions = [self.make(seat) for seat in range(seats)]

    def make(self, seat: int) -> Session:
        """A new session object of ``seat`` with the same secret: what a restart makes."""
        root = hashlib.sha256(b"root%d" % seat).digest()
        entropy = self.rng.randbytes(32)
        return Session(
            self.charter, self.rules, self.group, seat, self.identities[seat], root, entropy, answer_delay=0.0
        )

    def start(self) -> None:
        """Start everyone and link everyone."""
        for seat, session in enumerate(self.sessions):
            self.run(seat, session.start(self.now))
        for seat, session in enumerate(self.sessions):
            for other in range(len(self.sessions)):
                if other != seat:
                    self.run(seat, session.link_up(self.now, other))

    def run(self, seat: int, effects: list[Any]) -> None:
        """Carry out effects at once; mail waits in the queue."""
        for effect in effects:
            match effect:
                case Persist(entries):
                    self.stored[seat] += entries
                case Send(None, data):
                    self.mail += [(seat, other, data) for other in range(len(self.sessions)) if other != seat]
                case Send(to, data):
                    self.mail.append((seat, to, data))
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
                    if isinstance(what, YourMove):
                        self.run(seat, self.sessions[seat].act(self.now, self.choose(what, self.rng)))
                case Timer():
                    pass

    def pump(self, limit: int = 200_000) -> None:
        """Deliver mail until none is left."""
        for _ in range(limit):
            if not self.mail:
                return
            sender, to, data = self.mail.popleft()
            for frame in self.deliver(sender, to, data) if self.deliver else [data]:
                self.run(to, self.sessions[to].receive(self.now, sender, frame))
        raise AssertionError("the sessions never came to rest")

    def play(self) -> None:
        """A whole game."""
        self.start()
        self.pump()

    def tick(self, seconds: float) -> None:
        """Let time pass, and deliver what follows."""
        self.now += seconds
        for seat, session in enumerate(self.sessions):
            self.run(seat, session.tick(self.now))
        self.pump()

    def events(self, seat: int) -> list[Any]:
        """All public events that ``seat`` was told."""
        return [event for what in self.told[seat] if isinstance(what, Happened) for event in what.events]
