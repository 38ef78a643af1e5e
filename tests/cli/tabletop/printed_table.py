"""A table with a printed deck: real sessions, a pack of cards with tags, and the mode in between."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any

from cli.boards import board_of
from cli.tabletop import Act, Keep, Mode, Output, Say, ScanAnew, Scanned, Setting
from cli.tabletop.printed import open_mode
from cli.tabletop.taps import meaning
from cli.text import Glyphs, Speaker
from engine.contract import Action, IllegalAction
from engine.registry import game
from engine.rng import Stream
from engine.table import Tick, hand_of
from hardware.events import Event, Place, Placed, Removed, Tapped
from hardware.pads import DISCARD, HUB, POND, POOL, Pads, Role, ask, seat
from hardware.tags import Book, Kind
from hardware.uids import Uid
from p2p.sealed import Group
from p2p.session import CutWanted, Race, ScanRefused, ScanWanted, YourMove
from tests.cli.tabletop.printed_sentences import (
    CUT,
    FOUND,
    MOVE,
    NO_CUT,
    PILED,
    PUT_BACK,
    SHUFFLE,
    TAKE_OFF,
    WANTED,
)
from tests.cli.tabletop.rig import book_of
from tests.p2p.harness import Ring

NAMES = ("Ann", "Ben", "Coral", "Dan", "Eve", "Finn")
READER = Place("reader")
STEP = 2.0
"""Seconds that a person takes for one movement of the hand."""


def pads_of(names: Sequence[str]) -> Pads:
    """A pad for the cards of everybody, one for each to tap on, and those in the middle."""
    roles = [*map(seat, names), *map(ask, names), POND, DISCARD, POOL, HUB]
    return Pads({Place("board", n): role for n, role in enumerate(roles)})


class PrintedTable(Ring):
    """Sessions of a printed game, of which the ``local`` seats sit at the table of the first one, the mode in
    between, and where each card lies."""

    def __init__(
        self,
        group: Group,
        name: str,
        seats: int,
        local: Sequence[int] = (0,),
        options: Mapping[str, str] | None = None,
        seed: int = 1,
        has_pads: bool = False,
    ) -> None:
        super().__init__(group, seats, seed=seed, options=dict(options or {}), rules=game(name), scanner=0)
        self.name = name
        self.names = NAMES[:seats]
        self.local = tuple(local)
        self.chance = random.Random(seed)
        self.stream = Stream(seed, "taps")
        self.pads = pads_of(self.names) if has_pads else Pads(())
        self.has_pads = has_pads
        self.time = 1000.0
        deck = self.rules.deck(dict(self.charter.options))
        self.deck = deck
        self.book: Book = book_of(deck, self.names)
        self.faces = {tag.uid: tag.name for tag in self.book.of(Kind.CARD)}
        self.kept = b""
        self.news: deque[tuple[int, Any, Any, Any]] = deque()
        self.heard: list[str] = []
        self.orders: deque[str] = deque()
        self.corrections: deque[str] = deque()
        self.wanted: str | None = None
        self.deciding: dict[int, tuple[Any, tuple[Action, ...], bool]] = {}
        self.by_taps = 0
        self.early: list[str] = []
        self.chosen: dict[int, Counter[str]] = {}
        self.last: dict[int, list[str]] = {}
        self.piles: dict[str, list[Uid]] = {}
        self.at: dict[Uid, str] = {}
        self.lies: dict[Uid, Role] = {}
        self.dark: set[Role] = set()
        self.mode: Mode = self.open()
        self._stock()

    def _stock(self) -> None:
        """The packs as they are bought: one for each pile that the game begins with."""
        position = self.sessions[0].history.progress.position
        tags = {name: [uid for uid in self.faces if self.faces[uid] == name] for name in self.faces.values()}
        cards = iter(position.deck.cards)
        for zone in position.table.zones:
            faces = [position.deck.faces[next(cards)] for _ in position.table.slots(zone)]
            self.piles[self.place(zone)] = [tags[position.deck.text(face)].pop() for face in faces]

    def place(self, zone: str) -> str:
        """What the mode calls the place of a zone."""
        return self.mode._places.name(zone)

    def open(self) -> Mode:
        glyphs = Glyphs()
        setting = Setting(
            self.rules, self.deck, self.names, self.local, self.book, self.pads,
            {index: Speaker(self.names, index, glyphs, self.rules.info.id) for index in self.local},
            {index: board_of(self.rules, self.names, index, glyphs) for index in self.local},
            glyphs, is_common=True, kept=self.kept,
        )  # fmt: skip
        return open_mode(setting)

    def restart_program(self) -> None:
        """The program of the table is killed and started again: what was written, and what lies there, is all
        there is."""
        self.news.clear()
        self.deciding.clear()
        self.orders.clear()
        self.corrections.clear()
        self.wanted = None
        self.mode = self.open()
        self.carry_out(self.mode.opened(self.time))
        for uid, role in self.lies.items():
            news = meaning(Placed(uid, self.spot(role), self.time, True), self.book, self.pads)
            self.carry_out(self.mode.found(self.time, news))
        for index in self.local:
            self.restart(index)
        self.pump()

    # --- between the sessions and the mode --------------------------------------------------------

    def hear(self, seat: int, what: Any) -> None:
        if seat not in self.local:
            if not isinstance(what, CutWanted | ScanWanted):
                super().hear(seat, what)
            return
        cards = self.sessions[0].seen() if seat == 0 else None
        self.news.append((seat, what, self.sessions[seat].view(), cards))

    def on_wanted(self, seat: int, what: ScanWanted) -> None:
        raise AssertionError("people tap here")

    def drain(self) -> None:
        """The mode hears what the sessions have told, and what it wants is carried out."""
        while self.news:
            seat, what, view, cards = self.news.popleft()
            if cards is not None:
                self.carry_out(self.mode.saw(self.time, view, cards))
            match what:
                case YourMove(_, actions, seconds):
                    self.deciding[seat] = (view, actions, False)
                    self.carry_out(self.mode.asked(self.time, seat, view, actions, seconds))
                case Race(_, actions):
                    self.deciding[seat] = (view, actions, True)
                    self.carry_out(self.mode.raced(self.time, seat, view, actions))
                case _:
                    is_over = not isinstance(self.rules.pending(view.state), Tick)
                    if is_over and self.deciding.get(seat, (0, 0, False))[2]:
                        del self.deciding[seat]
                    self.carry_out(self.mode.told(self.time, seat, what, view))
            self.pump()

    def carry_out(self, outputs: Sequence[Output]) -> None:
        for output in outputs:
            match output:
                case Act(seat, action):
                    self.act(seat, action)
                case Scanned(faces):
                    try:
                        effects = self.sessions[0].scan(self.now, [self.deck.parse(face) for face in faces])
                    except ScanRefused as refusal:
                        self.carry_out(self.mode.scan_refused(self.time, faces, refusal))
                    else:
                        self.run(0, effects)
                case ScanAnew():
                    self.run(0, self.sessions[0].scan_anew(self.now))
                case Say(text, -1):
                    self.say(text)
                case Keep(data):
                    self.kept = data
                case _:
                    pass

    def act(self, seat: int, action: Action) -> None:
        try:
            effects = self.sessions[seat].act(self.now, action)
        except IllegalAction as refusal:
            self.carry_out(self.mode.refused(self.time, seat, action, refusal.reason))
            return
        if not self.deciding.get(seat, (0, 0, True))[2]:
            del self.deciding[seat]
        words = [word for text in action.cards for word in text.replace("=", "+").split("+")]
        self.last[seat] = words
        self.chosen[seat] = self.chosen.get(seat, Counter()) + Counter(words)
        self.run(seat, effects)
        self.carry_out(self.mode.acted(self.time, seat, action))

    def say(self, text: str) -> None:
        self.heard.append(text)
        if WANTED.fullmatch(text):
            self.wanted = text
        elif any(each.fullmatch(text) for each in (SHUFFLE, CUT, NO_CUT, PILED, MOVE, PUT_BACK, TAKE_OFF)):
            if text in self.mode._follow.what_to_do():
                self.corrections.append(text)
            else:
                self.orders.append(text)

    # --- what people do with their hands -----------------------------------------------------------

    def spot(self, role: Role) -> Place:
        place = self.pads.place(role)
        assert place is not None
        return place

    def event(self, event: Event) -> None:
        self.time += STEP / 4
        self.carry_out(self.mode.heard(self.time, event))
        match meaning(event, self.book, self.pads):
            case None:
                pass
            case news if isinstance(event, Placed | Tapped):
                self.carry_out(self.mode.touched(self.time, news))
            case news if isinstance(event, Removed):
                self.carry_out(self.mode.lifted(self.time, news))
            case news:
                self.carry_out(self.mode.troubled(self.time, news))
        self.pump()
        self.drain()

    def tap(self, uid: Uid, role: Role | None = None) -> list[str]:
        """Hold a tag to a reader; what is said then."""
        self.time += STEP
        before = len(self.heard)
        self.lift(uid)
        if not self.has_pads:
            self.event(Tapped(uid, READER, self.time, True))
        else:
            place = self.spot(role or HUB)
            self.event(Placed(uid, place, self.time, True))
            self.event(Removed(uid, place, self.time))
        return self.heard[before:]

    def lift(self, uid: Uid) -> list[str]:
        before = len(self.heard)
        role = self.lies.pop(uid, None)
        if role is not None and role not in self.dark:
            self.event(Removed(uid, self.spot(role), self.time))
        return self.heard[before:]

    def put(self, uid: Uid, place: str) -> None:
        """Put a card where people say it is; on its pad, if it has one."""
        before = len(self.heard)
        self.lift(uid)
        self.at[uid] = place
        role = self.role(place)
        if role is not None:
            self.lies[uid] = role
            if role not in self.dark:
                self.event(Placed(uid, self.spot(role), self.time, True))
        for found in filter(None, map(FOUND.fullmatch, self.heard[before:])):
            self.early.append(found["to"])
            self.put(uid, found["to"])
            return

    def role(self, place: str) -> Role | None:
        """The pad that a place is."""
        if not self.has_pads:
            return None
        if place == "the pool" or (place == "the middle" and self.name == "casino"):
            return POOL
        return seat(place.removesuffix("'s pad")) if place.endswith("'s pad") else None

    def there(self, place: str) -> list[Uid]:
        """The cards of a place, which are not those of a pack."""
        if (role := self.role(place)) is POOL:
            return [uid for uid, at in self.at.items() if self.role(at) is role]
        return [uid for uid, at in self.at.items() if at == place]

    def hand(self, index: int) -> str:
        return self.place(hand_of(index))
