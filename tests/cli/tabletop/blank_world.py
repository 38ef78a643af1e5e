"""People at a table with blanks, who do what they are told: a whole game with open dealing around a
`BlankTable`, its pads and its clock. Nobody here knows more than a player would: what is to be moved is read
off the sentences, and which blank is which card off the player's own list."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from cli.tabletop.blank_binding import OPEN, Binding
from cli.tabletop.blank_moves import BY_MOVING, card_texts
from cli.tabletop.blank_table import BlankTable, Decided, Output, Save, Spoken
from engine.bots import bot
from engine.contract import Action, Event, Outcome
from engine.match import Position
from engine.open import Open
from engine.registry import game
from engine.rng import Stream
from engine.table import Choose, Deed, Tick
from hardware.events import Disturbed, Place, Placed, Removed, Settled, Undisturbed, Unsure
from hardware.events import Event as PadEvent
from hardware.pads import DISCARD, HUB, POND, POOL, Pads, Role, ask, seat
from hardware.uids import Uid

NAMES = ("Ann", "Ben", "Coral")
"""Ann and Ben sit at the table, Coral is far away."""
LOCAL = (0, 1)
SEATS = {index: seat(NAMES[index]) for index in LOCAL}
BLANKS = {Uid(bytes((4, number, 9, 9, 9, 9, 9))): str(number) for number in range(1, 61)}
BY_NUMBER = {number: uid for uid, number in BLANKS.items()}
ASKS = {index: ask(NAMES[index]) for index in LOCAL}
PADS = Pads(
    {
        Place("board", n): role
        for n, role in enumerate((*SEATS.values(), POND, DISCARD, POOL, HUB, *ASKS.values()))
    }
)
PAD_NAMES = {
    "Ann's pad": SEATS[0],
    "Ben's pad": SEATS[1],
    "the pond": POND,
    "the discard pad": DISCARD,
    "the pool": POOL,
}
STEP = 0.05

_NUMBERS = r"blanks? (?P<numbers>[\d, and]+?)"
_PAD = r"(?P<pad>Ann's pad|Ben's pad|the pond|the discard pad|the pool)"
ORDERS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(text), verb)
    for text, verb in (
        (rf"Take {_NUMBERS} off {_PAD}\.", "off"),
        (rf"Put {_NUMBERS} (back )?on {_PAD}\.", "on"),
        (rf"Move {_NUMBERS} from (?:.+?) (back )?to {_PAD}\.", "on"),
        (r"(?P<who>Ann|Ben): take a free blank and put it on your pad\.", "draw"),
        (r"(?P<who>Ann|Ben): take (?P<count>\d+) free blanks and put them on your pad\.", "draw"),
        (rf"For the card that lies open: put a free blank on {_PAD}\.", "draw"),
        (rf"For the cards that lie open: put (?P<count>\d+) free blanks on {_PAD}\.", "draw"),
        (rf"Nothing certain is read on {_PAD}: lay the cards there apart\.", "apart"),
        (rf"The reader of {_PAD} is not heard: leave what lies there, and look at its cable\.", "plug"),
        (r"The table is right again; the game goes on\.", "right"),
    )
)


TableLike = Any
"""A `BlankTable`, or what drives one through the mode."""


class World:
    """A table, where every blank really lies, and what has been said."""

    def __init__(
        self,
        taps: Sequence[Place] = (),
        has_open: bool = False,
        make: Callable[[World], TableLike] | None = None,
    ) -> None:
        self.now = 100.0
        self.taps = tuple(taps)
        self.has_open = has_open
        self.make = make
        self.lies: dict[Uid, Role] = {}
        self.dark: dict[Role, bool] = {}
        self.heard: list[str] = []
        self.private: list[tuple[int, str]] = []
        self.decided: list[Decided] = []
        self.saved = Binding()
        self.hands: dict[int, tuple[str, ...]] = {}
        self.questions: dict[int, tuple[tuple[Action, ...], bool]] = {}
        self.table = self.fresh()

    def fresh(self) -> TableLike:
        if self.make is not None:
            return self.make(self)
        names = {index: NAMES[index] for index in LOCAL}
        return BlankTable(PADS, BLANKS, names, str, self.saved, self.taps, has_open=self.has_open)

    def restart(self) -> None:
        """The program is killed and started again: what is on the disk and on the pads is all there is."""
        self.table = self.fresh()
        for uid, role in list(self.lies.items()):
            place = PADS.place(role)
            assert place is not None
            if role not in self.dark and place not in self.taps:
                self.hear(self.table.tag(self.now, Placed(uid, place, self.now, known=True)))
        for role in self.dark:
            self.trouble(role)
        self.hear(self.table.game(self.now, self.hands, ()))
        for index, (actions, in_race) in self.questions.items():
            self.hear(self.table.asked(self.now, index, actions, in_race))

    # --- what comes out ---------------------------------------------------------------------------

    def hear(self, outputs: Sequence[Output]) -> None:
        for output in outputs:
            match output:
                case Spoken(lines, -1):
                    self.heard += lines
                case Spoken(lines, index):
                    self.private += [(index, line) for line in lines]
                case Save(binding):
                    self.saved = binding
                case Decided():
                    self.decided.append(output)

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            wake = self.table.wake
            self.now = end if wake is None else min(end, max(wake, self.now + 0.001))
            if wake is not None and wake <= self.now:
                self.hear(self.table.tick(self.now))

    def until_quiet(self) -> None:
        """Until the table has nothing more to say by itself."""
        for _ in range(50):
            wake = self.table.wake
            if wake is None:
                return
            self.now = max(self.now, wake)
            self.hear(self.table.tick(self.now))
        raise AssertionError("the table wants to be woken again and again")

    # --- what is done on the table ------------------------------------------------------------------

    def event(self, event: PadEvent) -> None:
        self.now += STEP
        self.hear(self.table.tag(self.now, event))

    def put(self, uid: Uid, role: Role | None) -> None:
        """Lift a blank from where it lies, and lay it somewhere, or (``None``) beside the pads."""
        before = self.lies.pop(uid, None)
        place = PADS.place(before) if before else None
        if place is not None and before not in self.dark:
            self.event(Removed(uid, place, self.now))
        if role is not None:
            self.lies[uid] = role
            to = PADS.place(role)
            assert to is not None
            if role not in self.dark:
                self.event(Placed(uid, to, self.now, known=True))

    def trouble(self, role: Role, overlap: bool = False) -> None:
        """Nothing more is known of a pad."""
        place = PADS.place(role)
        assert place is not None
        self.dark[role] = overlap
        self.event(Disturbed(place, "two cards") if overlap else Unsure(place, "power lost"))

    def relieve(self, role: Role) -> None:
        """A pad is read again: arrivals first, then removals, then that it is sure."""
        place = PADS.place(role)
        assert place is not None
        overlap = self.dark.pop(role)
        for uid, there in self.lies.items():
            if there == role and self.table.physical.where(uid) != role:
                self.event(Placed(uid, place, self.now, known=True))
        for uid in self.table.physical.on(role):
            if self.lies.get(uid) != role:
                self.event(Removed(uid, place, self.now))
        self.event(Undisturbed(place) if overlap else Settled(place))

    def free_blank(self) -> Uid:
        bound = {bond.uid for bond in self.saved.bonds}
        free = [uid for uid in BLANKS if uid not in bound and self.lies.get(uid) in (None, POND, DISCARD)]
        return min(free, key=lambda uid: uid in self.lies)  # from the box, or from a pile of used ones

    def obey(self, line: str) -> None:
        """Do what a sentence says, to the letter. Fails for a sentence that nobody would understand."""
        for pattern, verb in ORDERS:  # noqa: B007  # used below
            found = pattern.fullmatch(line)
            if found:
                break
        else:
            raise AssertionError(f"nobody understands {line!r}")
        fields = found.groupdict()
        uids = [BY_NUMBER[number] for number in re.findall(r"\d+", fields.get("numbers") or "")]
        match verb:
            case "off":
                for uid in uids:
                    assert self.lies.get(uid) == PAD_NAMES[fields["pad"]], line
                    self.put(uid, DISCARD if self.taps else None)
            case "on":
                for uid in uids:
                    self.put(uid, PAD_NAMES[fields["pad"]])
            case "draw":
                pad = fields.get("pad")
                role = PAD_NAMES[pad] if pad else SEATS[NAMES.index(fields["who"])]
                for _ in range(int(fields.get("count") or 1)):
                    self.put(self.free_blank(), role)
            case "apart" | "plug":
                self.relieve(PAD_NAMES[fields["pad"]])
            case _:
                pass

    def obey_all(self) -> None:
        """Listen, do, listen, until the table is right."""
        for _ in range(20):
            self.until_quiet()
            orders = list(self.table.what_to_do())
            # Whatever the table waits for is in sight, and nothing else.
            assert list(self.table.still_to_do()) == orders
            if not orders:
                assert self.table.may_decide(LOCAL[0])
                return
            # What is to be done has been said without asking, perhaps along with what is done already.
            said = set(re.findall(r"\d+|free", " ".join(self.heard)))
            assert set(re.findall(r"\d+(?! free)|free", " ".join(orders))) <= said
            for order in orders:
                self.obey(order)
        raise AssertionError(f"it does not come right: {self.table.what_to_do()}")

    def check_right(self, but: Collection[int] = ()) -> None:
        """On every pad lie blanks for exactly the cards of that hand, and each player can tell which."""
        for index, role in {**SEATS, OPEN: POOL}.items():
            if index in but or index not in self.table.blanks.seats:
                continue
            cards = Counter(
                bond.card
                for uid in self.lies
                if self.lies[uid] == role and (bond := self.table.blanks.card(uid))
            )
            assert cards == Counter(self.hands[index])
            known = Counter(line.partition(": ")[2] for line in self.table.hand_lines(index))
            assert known == cards
            assert sum(there == role for there in self.lies.values()) == len(self.hands[index])


Mischief = Callable[[World], None]


class Player:
    """Plays one game to its end around a `World`; remote seats and all thinking are bots'."""

    def __init__(
        self,
        name: str,
        options: Mapping[str, str],
        seed: int,
        mischief: Mischief | None = None,
        taps: Sequence[Place] = (),
        make: Callable[[Player, World], TableLike] | None = None,
    ) -> None:
        make_one = None if make is None else lambda world: make(self, world)
        self.rules = game(name)
        self.rng = Stream(seed)
        self.chance = random.Random(seed)
        self.mischief = mischief
        self.bot = bot("careful")
        self.position = Position.start(self.rules, options, len(NAMES))
        self.open = Open(self.position, self.rng)
        self.by_moving = 0
        self.ahead: list[int] = []
        """Seats that have decided already where several decide at once."""
        self.outcome: Outcome | None = None
        self.world = World(taps, has_open=name == "casino", make=make_one)

    def play(self, most: int = 100_000) -> World:
        for _ in range(most):
            op = self.position.pending
            if isinstance(op, Outcome):
                self.outcome = op
                break
            if isinstance(op, Choose | Tick):
                decide = self.race if isinstance(op, Tick) else self.decision
                deeds: list[tuple[int, Deed]] = []
                for index in op.seats:
                    self.ahead = [seat for seat, _ in deeds]
                    view = self.open.view(self.position, index)
                    legal = self.rules.legal(view)
                    action = decide(index, legal) if index in LOCAL else self.bot(view, legal, self.rng)
                    deeds.append((index, self.rules.deed(view, action)))
                self.position, events = self.position.feed(self.open.decided(self.position, deeds))
            else:
                self.ahead = []
                result = self.open.resolve(self.position, self.way)
                self.position, events = self.position.feed(result)
            self.tell(events)
        assert self.outcome is not None
        self.world.obey_all()
        self.world.check_right()
        return self.world

    def tell(self, events: Sequence[Event]) -> None:
        world, text = self.world, self.position.deck.text
        world.now += STEP
        hands: dict[int, tuple[str, ...]] = {
            index: tuple(text(face) for face in self.open.hand(self.position.table, index).values())
            for index in LOCAL
        }
        table = self.position.table
        hands[OPEN] = tuple(
            text(table.known[slot]) for zone in ("table", "pool") for slot in table.slots(zone)
        )
        world.hands = hands
        world.hear(world.table.game(world.now, hands, events))

    def way(self, at: Position, index: int, actions: tuple[Action, ...]) -> Action:
        """Which of several equal cards a holder shows."""
        if index in LOCAL:
            return self.decision(index, actions)
        return self.bot(self.open.view(at, index), actions, self.rng)

    def decision(self, index: int, legal: tuple[Action, ...]) -> Action:
        world = self.world
        world.questions = {index: (legal, False)}
        world.hear(world.table.asked(world.now, index, legal))
        if self.mischief is not None:
            self.mischief(world)
        world.obey_all()
        world.check_right(but=self.ahead)
        view = self.open.view(self.position, index)
        action = self.bot(view, legal, self.rng)
        if action.verb in BY_MOVING and action.cards and self.chance.random() < 0.9:
            action = self.move(index, action)
        assert world.table.may_decide(index)
        world.table.decided(index)
        world.questions = {}
        return action

    def move(self, index: int, action: Action) -> Action:
        """Decide by moving the blanks of the action off the own pad."""
        world = self.world
        to = self.chance.choice([DISCARD, POND])
        if action.verb == "give":
            turn = self.rules.report(self.position.state).turn
            to = SEATS.get(turn, POND)
        world.decided.clear()
        for uid in self.blanks_for(index, card_texts(action)):
            world.put(uid, to)
        world.until_quiet()
        (decided,) = world.decided
        assert (decided.seat, decided.action.verb) == (index, action.verb)
        assert card_texts(decided.action) == card_texts(action)
        self.by_moving += 1
        return decided.action

    def race(self, index: int, legal: tuple[Action, ...]) -> Action:
        """In a race people only look at their own cards, and draw when they are told to."""
        world = self.world
        world.questions[index] = (legal, True)
        world.hear(world.table.asked(world.now, index, legal, in_race=True))
        for order in world.table.what_to_do():
            if f"{NAMES[index]}: take" in order:
                world.obey(order)
        action = self.bot(self.open.view(self.position, index), legal, self.rng)
        if action.verb != "play":
            return legal[0]
        card = Counter([action.cards[0]])
        held = Counter(bond.card for bond in world.saved.of(index))
        if not card <= held or self.chance.random() < 0.3:
            return legal[0]
        if world.table.blanks.expected(world.table.physical).wanted.get(SEATS[index]):
            return legal[0]
        world.decided.clear()
        (uid,) = self.blanks_for(index, card)
        if world.lies.get(uid) != SEATS[index]:
            return legal[0]
        world.put(uid, POND)
        if not world.decided:
            return legal[0]
        assert world.decided == [Decided(index, Action("play", cards=tuple(card)))]
        self.by_moving += 1
        return world.decided[0].action

    def blanks_for(self, index: int, cards: Counter[str]) -> list[Uid]:
        """Blanks with these cards, as the player's own list has them."""
        left, found = Counter(cards), []
        for line in self.world.table.hand_lines(index):
            number, _, card = line.partition(": ")
            if left[card] > 0:
                left[card] -= 1
                found.append(BY_NUMBER[number])
        assert not +left
        return found


class Clumsy:
    """Makes mistakes at random before a decision, of every kind there is; counts what it did."""

    def __init__(self, seed: int, rate: float = 0.5) -> None:
        self.chance = random.Random(seed)
        self.rate = rate
        self.done: Counter[str] = Counter()

    def __call__(self, world: World) -> None:
        world.decided.clear()
        while self.chance.random() < self.rate:
            # A mistake may be made while an earlier one has not been noticed yet, or has been told already.
            world.pass_time(self.chance.choice((0.0, 0.2, 1.0, 4.0)))
            mistake = self.chance.choice(
                (self.knock_off, self.misplace, self.add, self.exchange, self.lift, self.darken, self.kill)
            )
            if mistake(world):
                self.done[mistake.__name__] += 1
        assert world.decided == []

    def _some(self, world: World) -> Uid | None:
        """A blank on a pad that its player does not decide with by moving it."""
        deciding = {
            index
            for index, (actions, _race) in world.questions.items()
            if any(action.verb in BY_MOVING for action in actions)
        }
        bonds = {bond.uid: bond.seat for bond in world.saved.bonds}
        uids = [uid for uid in world.lies if uid in bonds and bonds[uid] not in deciding]
        return self.chance.choice(uids) if uids else None

    def knock_off(self, world: World) -> bool:
        """A blank falls off its pad."""
        uid = self._some(world)
        if uid is not None:
            world.put(uid, None)
        return uid is not None

    def misplace(self, world: World) -> bool:
        """A blank is laid on some pad."""
        uid = self._some(world)
        if uid is not None:
            world.put(uid, self.chance.choice([*SEATS.values(), POND, DISCARD, POOL]))
        return uid is not None

    def add(self, world: World) -> bool:
        """A free blank too many is laid down."""
        world.put(world.free_blank(), self.chance.choice(list(SEATS.values())))
        return True

    def exchange(self, world: World) -> bool:
        """Two blanks change places."""
        one, other = self._some(world), self._some(world)
        if one is None or other is None or one == other:
            return False
        first, second = world.lies[one], world.lies[other]
        world.put(one, None)
        world.put(other, first)
        world.put(one, second)
        return True

    def lift(self, world: World) -> bool:
        """A blank is lifted, looked at and put back."""
        uid = self._some(world)
        if uid is None:
            return False
        role = world.lies[uid]
        world.put(uid, None)
        world.pass_time(self.chance.choice((0.5, 3.0)))
        world.put(uid, role)
        return True

    def darken(self, world: World) -> bool:
        """A reader starts anew, loses its power, or hears overlapping cards; some blanks move meanwhile."""
        role = self.chance.choice([*SEATS.values(), *([POOL] if world.has_open else [])])
        if role in world.dark:
            return False
        world.trouble(role, overlap=self.chance.random() < 0.5)
        assert not world.table.may_decide(LOCAL[0])
        for _ in range(self.chance.randrange(3)):
            self.knock_off(world)
        return True

    def kill(self, world: World) -> bool:
        """The program ends at once, and is started again; what is in the air comes down meanwhile."""
        if self.chance.random() < 0.5:
            self.knock_off(world)
        world.restart()
        return True
