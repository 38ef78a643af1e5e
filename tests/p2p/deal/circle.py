"""Seats that deal sealed cards with each other without sessions: every contribution made by one and checked
by all, and a game that asks for whatever operations a test lists."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec
import pytest

from engine.cards import Deck, Face
from engine.contract import Event, GameInfo, Outcome, Reason, State
from engine.deck_files import load_deck
from engine.match import Position
from engine.table import (
    Choose,
    Claim,
    Deed,
    Disclose,
    Draw,
    HandOver,
    Holds,
    Match,
    Mix,
    Op,
    Result,
    Shuffle,
    Slot,
    Table,
    Tick,
    hand_of,
    owner,
)
from p2p.deal import (
    AnyDealing,
    PeerFault,
    Place,
    Printed,
    Progress,
    Sealed,
    Secrets,
    advance,
    check,
    contribute,
)
from p2p.sealed import Group
from tests.p2p.cheats import Lie, Told, lying

DECK = load_deck("standard", (("rank", 5), ("suit", 4)))
"""Twenty cards of two attributes."""

WAIT = Deed("wait")

Step: TypeAlias = Op | Callable[["ScriptState"], Op]
"""An operation of a script, or what gives it once the table before it is known."""


class ScriptState(State, frozen=True):
    """The table, and the results so far."""

    results: tuple[Result, ...] = ()


class Script:
    """A game that asks for the listed operations, one after another.

    Deeds: ``wait`` and ``do`` open nothing or anything, ``pair`` opens two cards of one rank, ``hold`` proves
    that a rank is held.
    """

    info = GameInfo("script", 1, "Script", 2, 6, (), ())
    setup_keys = expect_keys = ()
    needs_turn = False

    def __init__(self, *steps: Step, zones: Mapping[str, int] | None = None) -> None:
        self.steps = steps
        self.zones = zones or {"stock": len(DECK)}

    def options(self, chosen: Mapping[str, str], seats: int) -> Mapping[str, str]:
        return {}

    def deck(self, options: Mapping[str, str]) -> Deck:
        return DECK

    def start(self, options: Mapping[str, str], seats: int) -> ScriptState:
        return ScriptState(Table.stocked_zones(self.zones))

    def pending(self, s: ScriptState) -> Op | Outcome:
        if len(s.results) == len(self.steps):
            return Outcome("done", (0,), ())
        step = self.steps[len(s.results)]
        return step(s) if callable(step) else step

    def resume(self, s: ScriptState, r: Result) -> tuple[ScriptState, tuple[Event, ...]]:
        return msgspec.structs.replace(s, results=(*s.results, r)), ()

    def claims(self, s: ScriptState, seat: int, d: Deed) -> tuple[Claim, ...]:
        return (Holds(f"hand.{seat}", Match("rank", d.value)),) if d.verb == "hold" else ()

    def refuse(self, s: ScriptState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        if d.verb not in ("wait", "do", "pair", "hold"):
            return Reason("no-such-action", (d.verb,))
        if d.verb == "pair" and (len(shown) != 2 or len({face[0] for face in shown.values()}) != 1):
            return Reason("no-pair")
        return None


class Circle:
    """All seats of one table. ``lies`` are told by their seats once; ``missing`` seats skip ticks."""

    def __init__(
        self,
        group: Group,
        rules: Any,
        seats: int,
        *,
        keepers: tuple[int, ...] | None = None,
        decide: Callable[[Circle, Progress, int], Deed | None] = lambda _circle, _progress, _seat: WAIT,
        marks: Callable[[Progress, int], int] = lambda _progress, _seat: 0,
        missing: Callable[[Progress, int], bool] = lambda _progress, _seat: False,
        lies: Mapping[int, Lie] | None = None,
        salt: bytes = b"",
        options: Mapping[str, str] | None = None,
        scanner: int | None = None,
        tapped: Callable[[Circle, tuple[tuple[Slot, int], ...]], tuple[Face, ...]] | None = None,
    ) -> None:
        """With a ``scanner`` the cards are printed ones, and ``tapped`` says which come next."""
        self.group = group
        self.decide, self.marks, self.missing = decide, marks, missing
        self.lies = {seat: (lie, Told()) for seat, lie in (lies or {}).items()}
        self.secrets = [
            Secrets(hashlib.sha256(b"%d" % seat + salt).digest(), group.order) for seat in range(seats)
        ]
        self.table_id = hashlib.sha256(b"circle" + salt).digest()
        position = Position.start(rules, options or {}, seats)
        self.scanner = scanner
        self.tapped = tapped or Circle.tap
        self.piles: dict[str, list[Face]] = {}
        self.taps: dict[tuple[int, Slot], Face] = {}
        kept_by = keepers or tuple(range(seats))
        dealing: AnyDealing = Sealed.start(group, position.deck, self.table_id, kept_by)
        if scanner is not None:
            dealing = Printed.start(group, position.deck, self.table_id, kept_by, scanner)
            cards = iter(position.deck.cards)
            for zone in position.table.zones:
                self.piles[zone] = [position.deck.faces[next(cards)] for _ in position.table.slots(zone)]
                random.Random(self.table_id + zone.encode()).shuffle(self.piles[zone])
        self.progress = Progress.start(position, dealing, True)
        self.head = bytes(32)
        self.step = 0
        self.bodies: list[tuple[str, int, bytes]] = []
        self.trail: list[Progress] = []
        self.moments: list[tuple[Progress, Place, bytes]] = []

    def place(self, seat: int) -> Place:
        """Where a contribution of ``seat`` to the step under way stands."""
        return Place(self.table_id, 0, self.step, seat, self.head)

    def contribution(self, seat: int) -> tuple[bytes, Any]:
        """The contribution of ``seat``, false where it has a lie to tell."""
        fresh = hashlib.sha256(b"%d %d" % (self.step, seat) + self.table_id).digest()
        lie, told = self.lies.get(seat, (None, Told()))
        with lying(lie, told):
            return contribute(
                self.progress,
                self.place(seat),
                self.secrets[seat],
                self.choose,
                fresh,
                self.marks(self.progress, seat),
                self.scan() if seat == self.scanner else (),
            )

    def scan(self) -> tuple[Face, ...]:
        """What is tapped for the step under way, noted with where it lay."""
        progress = self.progress
        if isinstance(progress.task, Tick) and progress.number:
            return ()
        wanted = progress.dealing.wanted(progress.task)
        faces = self.tapped(self, wanted)
        for (slot, _), face in zip(wanted, faces, strict=False):
            self.taps[id(progress.position), slot] = face
        return faces

    def tap(self, wanted: tuple[tuple[Slot, int], ...]) -> tuple[Face, ...]:
        """All that is wanted, from the piles."""
        return tuple(self.pile_of(slot).pop(0) for slot, _ in wanted)

    def pile_of(self, slot: Slot) -> list[Face]:
        """The cards among which that of a slot lies: a pile that the game splits is one here."""
        return self.piles[slot.zone if slot.zone in self.piles else "stock"]

    def choose(self, progress: Progress, seat: int) -> Deed | None:
        """The deed of ``seat``: in an answer or a settle the first way there is."""
        if isinstance(progress.task, Choose | Tick):
            return self.decide(self, progress, seat)
        held = self.hand(seat, progress)
        position = progress.position
        return position.deed(seat, held, position.choices(seat, held)[0])

    def hand(self, seat: int, progress: Progress | None = None) -> dict[Slot, Face]:
        """The hand of a seat, as it sees it itself."""
        at = progress or self.progress
        return at.dealing.own_hand(at.position, seat, self.secrets[seat])

    def one_step(self) -> None:
        """All who owe something and are there contribute, and everybody checks. Raises ``PeerFault``."""
        owed = [
            seat
            for seat in self.progress.owed
            if not (isinstance(self.progress.task, Tick) and self.missing(self.progress, seat))
        ]
        kind, passed, bodies = self.progress.round.kind, {}, {}
        for seat in owed:
            bodies[seat], own = self.contribution(seat)
            passed[seat] = check(self.progress, self.place(seat), bodies[seat], self.observe)
            told = seat in self.lies and self.lies[seat][1].step is not None
            assert told or passed[seat].checked == own.checked
            self.bodies.append((kind, seat, bodies[seat]))
            self.moments.append((self.progress, self.place(seat), bodies[seat]))
        self.progress, _ = advance(self.progress, passed)
        self.head = hashlib.sha256(self.head + b"".join(bodies.values())).digest()
        self.step += 1

    def observe(self, progress: Progress, place: Place, found: Any) -> None:
        """Keep the progress before each round."""
        if not self.trail or self.trail[-1] is not progress:
            self.trail.append(progress)

    def before(self, kind: type) -> Progress:
        """The progress before the first round of such an operation."""
        return next(progress for progress in self.trail if isinstance(progress.task, kind))

    def play(self) -> Circle:
        """Everything to the end."""
        while self.progress.task is not None:
            self.one_step()
        return self

    def fault(self) -> PeerFault:
        """The fault that ends the game."""
        with pytest.raises(PeerFault) as found:
            self.play()
        fault: PeerFault = found.value
        assert self.lies[fault.seat][1].step == self.step, "the fault was found later than it was made"
        return fault

    @property
    def results(self) -> tuple[Result, ...]:
        """The results of the operations so far."""
        results: tuple[Result, ...] = self.progress.position.state.results
        return results

    def faces(self, progress: Progress | None = None) -> dict[Slot, Face]:
        """Every card, read with all keys; of printed ones those that were scanned."""
        at = progress or self.progress
        if isinstance(at.dealing, Printed):
            seed = self.secrets[at.dealing.scanner].seed
            seen = {slot: card for slot, card in at.dealing.cards.items() if not card.is_unseen}
            return {slot: at.dealing.read_all(card, seed)[0] for slot, card in seen.items()}
        group, values = self.group, at.dealing.points.values
        joint = sum(secrets.card_key for secrets in self.secrets)
        found = {}
        for slot, card in at.dealing.cards.items():
            seat = owner(slot.zone)
            key = joint if seat is None else self.secrets[seat].card_key
            points = [b if a == group.identity else group.sub(b, group.mul(key, a)) for a, b in card]
            found[slot] = tuple(values[n][point] for n, point in enumerate(points))
        return found


def dealt(*hands: int, zone: str = "stock") -> tuple[Step, Step]:
    """A shuffle of ``zone``, and so many cards of it for each seat."""

    def draw(state: ScriptState) -> Op:
        slots = iter(state.table.slots(zone))
        return Draw(tuple((next(slots), seat) for seat, count in enumerate(hands) for _ in range(count)))

    return (Shuffle(zone), draw)


def held(state: ScriptState, seat: int, *at: int) -> tuple[Slot, ...]:
    """Cards of a hand by their place, all of them where none is named."""
    slots = state.table.slots(hand_of(seat))
    return tuple(slots[n] for n in at) if at else slots


def trivial_places(circle: Circle, slot: Slot) -> list[bool]:
    """Which attributes of a card are public in the state of the deal."""
    return [cipher.a == circle.group.identity for cipher in circle.progress.dealing.cards[slot]]


def held_now(circle: Circle, seat: int) -> tuple[Slot, ...]:
    return circle.progress.position.table.slots(hand_of(seat))


def ask(state: ScriptState, seat: int, rank: str, most: int | None = None) -> Disclose:
    return Disclose(seat, held(state, seat), Match("rank", rank), most, ("rank",))


RANK_ASK = (
    *dealt(0, 8, 4),
    lambda state: ask(state, 1, "3"),
    lambda state: HandOver(state.results[2].slots, 2),
    Mix("hand.2"),
    lambda state: ask(state, 2, "3"),
)
