"""People at a table with a printed deck, who do what they are told: a whole game of real sessions, a pack of
cards with tags, and the mode in between. What is to be done is read off the sentences; nobody here looks at a
card that lies face down."""

from __future__ import annotations

import random
import re
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
from tests.cli.tabletop.rig import book_of
from tests.cli.tabletop.tapping import taps_for
from tests.p2p.harness import Ring

NAMES = ("Ann", "Ben", "Coral", "Dan", "Eve", "Finn")
READER = Place("reader")
STEP = 2.0
"""Seconds that a person takes for one movement of the hand."""

SHUFFLE = re.compile(r"Shuffle (?P<pile>.+): (?P<of>\d+) cards, face down\..*")
CUT = re.compile(r"Cut (?P<pile>.+): the top (card goes|(?P<n>\d+) cards go) beneath\..*")
NO_CUT = re.compile(r"Do not cut (?P<pile>.+): .*")
WANTED = re.compile(
    r"Tap a card from (?P<pile>.+?) (for (?P<who>\w+), face down|and lay it (?P<open>face up))"
    r"(?: \((?P<n>\d+) of (?P<of>\d+)\))?\.(?: It lies below (?P<depth>\d+) other cards?\.)?"
)
PILED = re.compile(r"Move (?P<n>\d+) cards? face down from (?P<source>.+?) to (?P<to>.+?)\.")
MOVE = re.compile(r"Move (?P<what>.+?) from (?P<source>.+?) to (?P<to>.+?)\.(?P<how> .*one by one.*)?")
FOUND = re.compile(r"That is it: it goes to (?P<to>.+)\.")
ELSEWHERE = re.compile(r"Not that one, but it goes to (?P<to>.+)\.")
PUT_BACK = re.compile(r"Put (?P<what>.+?) (back )?on (?P<to>.+)\.")
TAKE_OFF = re.compile(r"Take (?P<what>.+?) off (?P<source>.+)\.")
COUNTED = re.compile(r"(\d+) cards?$")


def pads_of(names: Sequence[str]) -> Pads:
    """A pad for the cards of everybody, one for each to tap on, and those in the middle."""
    roles = [*map(seat, names), *map(ask, names), POND, DISCARD, POOL, HUB]
    return Pads({Place("board", n): role for n, role in enumerate(roles)})


def handled(order: str, piles: dict[str, list[Uid]], chance: random.Random) -> bool | None:
    """Do with the piles what an order says of them. Whether it waits for ``ok`` then; ``None`` for what is no
    order of this kind."""
    if found := SHUFFLE.fullmatch(order):
        assert len(piles[found["pile"]]) == int(found["of"])
        chance.shuffle(piles[found["pile"]])
    elif found := CUT.fullmatch(order):
        pile, n = piles[found["pile"]], int(found["n"] or 1)
        pile[:] = pile[n:] + pile[:n]
    elif found := PILED.fullmatch(order):
        source, n = piles[found["source"]], int(found["n"])
        piles.setdefault(found["to"], []).extend(source[:n])
        del source[:n]
        return False
    elif not NO_CUT.fullmatch(order):
        return None
    return True


class World(Ring):
    """Sessions of a printed game, of which the ``local`` seats sit at the table of the first one."""

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
        return self.mode._places.name(zone)  # type: ignore[attr-defined, no-any-return]

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
            self.carry_out(self.mode.found(self.time, news))  # type: ignore[arg-type]
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
            if text in self.mode._follow.what_to_do():  # type: ignore[attr-defined]
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
                self.carry_out(self.mode.touched(self.time, news))  # type: ignore[arg-type]
            case news if isinstance(event, Removed):
                self.carry_out(self.mode.lifted(self.time, news))  # type: ignore[arg-type]
            case news:
                self.carry_out(self.mode.troubled(self.time, news))  # type: ignore[arg-type]
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

    # --- obeying --------------------------------------------------------------------------------------

    def obey(self, order: str) -> None:
        wants_ok = handled(order, self.piles, self.chance)
        if wants_ok is not None:
            if wants_ok:
                self.say_ok()
        elif found := MOVE.fullmatch(order):
            self.move(found["what"], found["source"], found["to"], bool(found["how"]))
        elif found := PUT_BACK.fullmatch(order):
            self.put_back(found["what"], found["to"])
        elif found := TAKE_OFF.fullmatch(order):
            self.take_off(found["what"], found["source"])

    def say_ok(self) -> None:
        if self.chance.random() < 0.5:
            self.carry_out(self.mode.typed(self.time, "ok") or ())
            self.pump()
            self.drain()
        else:
            self.tap(self.tag("command", "ok"))

    def tag(self, kind: str, name: str) -> Uid:
        return next(tag.uid for tag in self.book.of(Kind(kind)) if tag.name == name)

    def move(self, what: str, source: str, to: str, must_find: bool) -> None:
        names, hidden = self.names_in(what)
        if must_find:
            for _ in range(len(names) + hidden):
                if to in self.early:  # found on its way there
                    self.early.remove(to)
                else:
                    self.find(source)
            return
        if hidden:  # cards that somebody at this table has just chosen
            index = next(index for index in self.local if self.hand(index) == source)
            names += list(map(Glyphs().card, self.last[index]))[:hidden]
        for index in self.local:
            self.lay_down(index)
        open_places = {at for at in self.at.values() if not at.endswith(("hand", "box", "'s pad"))}
        for name in names:
            wide = [uid for at in open_places for uid in self.there(at)]
            lie = [*self.there(source), *self.there("laid down")]
            if not source.endswith(("hand", "box", "'s pad")):
                lie += wide
            uid = next((uid for uid in lie if self.name_of(uid) == name), None)
            if uid is not None:
                self.put(uid, to)
            else:  # it was told twice
                assert any(self.name_of(uid) == name for uid in self.there(to)), (name, source, to)

    def find(self, source: str) -> None:
        """Tap the cards of a place, in any order, until it is said that it is the one."""
        cards = self.there(source)
        self.chance.shuffle(cards)
        for uid in cards:
            place = self.at[uid]
            said = self.lift(uid) if uid in self.lies and self.chance.random() < 0.5 else self.tap(uid, HUB)
            found = next((found for line in said if (found := FOUND.fullmatch(line))), None)
            if found is not None:
                self.put(uid, found["to"])
                return
            other = next((found for line in said if (found := ELSEWHERE.fullmatch(line))), None)
            if other is not None:
                self.put(uid, other["to"])
                continue
            assert "That is not it: put it back." in said, said
            self.put(uid, place)
        raise AssertionError(f"nothing is found at {source}: {self.heard[-12:]}")

    def names_in(self, what: str) -> tuple[list[str], int]:
        """The cards that are named, and how many more there are."""
        hidden = 0
        if found := COUNTED.search(what):
            hidden = int(found[1])
            what = what[: found.start()].strip()
        left, names = what, []
        known = sorted({self.name_of(uid) for uid in self.faces}, key=len, reverse=True)
        while left:
            name = next(name for name in known if left.startswith(name))
            names.append(name)
            left = left[len(name) :].strip()
        return names, hidden

    def name_of(self, uid: Uid) -> str:
        return Glyphs().card(self.faces[uid])

    def put_back(self, what: str, to: str) -> None:
        """Cards that lie beside their pad."""
        names, hidden = self.names_in(what)
        beside = [uid for uid in self.there(to) if uid not in self.lies]
        for uid in list(beside):
            if self.name_of(uid) in names or hidden:
                self.put(uid, to)

    def take_off(self, what: str, source: str) -> None:
        """Cards that lie on a pad and do not belong there."""
        names, hidden = self.names_in(what)
        assert not hidden, f"nothing is too much here: {what} on {source}"
        for uid in list(self.there(source)):
            if self.name_of(uid) in names:
                names.remove(self.name_of(uid))
                self.put(uid, "laid down")

    def deal(self, text: str) -> None:
        """Tap the card that is wanted, and put it where it belongs."""
        found = WANTED.fullmatch(text)
        assert found is not None
        uid = self.piles[found["pile"]].pop(int(found["depth"] or 0))
        self.wanted = None
        if found["open"]:
            self.tap(uid, POND)
            self.at[uid] = found["pile"]
            return
        index = self.names.index(found["who"])
        if not self.has_pads or self.chance.random() < 0.5:
            self.tap(uid, POND)
        self.put(uid, self.hand(index))

    # --- deciding -----------------------------------------------------------------------------------

    def decide(self, index: int) -> None:
        _view, actions, is_race = self.deciding[index]
        if is_race:
            self.race(index, actions)
            return
        action = self.chance.choice(actions)
        uids = self.taps(index, action, actions) if self.chance.random() < 0.8 else None
        if uids is None:
            self.act(index, action)
        else:
            self.by_taps += 1
            for uid in [*uids, self.tag("command", "ok")]:
                if index not in self.deciding or self.deciding[index][1] is not actions:
                    return
                place = self.at.get(uid)
                self.tap(uid, ask(self.names[index]))
                if place is not None and uid not in self.lies and self.at[uid] == place:
                    self.put(uid, place)
            assert index not in self.deciding or self.deciding[index][1] is not actions, (
                action, [self.faces.get(uid, "") for uid in uids], self.heard[-8:],
            )  # fmt: skip

    def race(self, index: int, actions: tuple[Action, ...]) -> None:
        plays = [action for action in actions if action.verb == "play" and len(action.cards) == 1]
        if not plays:
            return
        uids = self.taps(index, self.chance.choice(plays), actions)
        if uids is not None:
            self.by_taps += 1
            self.tap(uids[0], POND)
            if self.has_pads:
                self.put(uids[0], self.hand(index))

    def taps(self, index: int, action: Action, actions: tuple[Action, ...]) -> list[Uid] | None:
        """The tags to tap, of one's own cards and those that lie open; ``None`` where it cannot be tapped."""
        found = taps_for(self.name, self.deck, action, actions, self.names, self.stream)
        uids: list[Uid] = []
        own = [uid for uid, at in self.at.items() if at == self.hand(index)]
        lying = [uid for at in ("the pool", "the middle") for uid in self.there(at)]
        for kind, name in found:
            if kind != "card":
                uids.append(self.tag(kind, name))
                continue
            same = [uid for uid in [*own, *lying] if self.faces[uid] == name and uid not in uids]
            if not same and action.verb == "ask":
                at = [n for n, value in enumerate(self.deck.parse(name)) if value in self._asked(action)]
                same = [
                    uid
                    for uid in own
                    if at and self.deck.parse(self.faces[uid])[at[0]] == self.deck.parse(name)[at[0]]
                ]
            if not same:
                return None
            uids.append(same[0])
        return uids

    def _asked(self, action: Action) -> set[str]:
        value = action.value.partition(" via ")[0]
        return {value, {"red": "R", "blue": "B", "yellow": "Y", "green": "G"}.get(value, value)}

    # --- a whole game -------------------------------------------------------------------------------

    def play(self, most: int = 60_000) -> None:
        self.carry_out(self.mode.opened(self.time))
        self.start()
        self.play_on(most)

    def play_on(self, most: int = 60_000) -> None:
        """Until the game is over."""
        for _ in range(most):
            self.pump()
            self.drain()
            if all(session.is_over for session in self.sessions):
                return
            self.one_thing()
        raise AssertionError(f"the game does not end: {self.heard[-15:]}")

    def one_thing(self) -> None:
        """Somebody does something; or nobody does, and time passes."""
        self.before_one_thing()
        if self.orders:
            self.obey(self.orders.popleft())
        elif self.corrections:
            text = self.corrections.popleft()
            if text in self.mode._follow.what_to_do():  # type: ignore[attr-defined]  # it is so still
                self.obey(text)
        elif self.wanted is not None:
            self.deal(self.wanted)
        elif self.deciding and (self.chance.random() < 0.7 or not self.wake):
            self.check()
            self.decide(self.chance.choice(sorted(self.deciding)))
        else:
            self.pass_time()
        if any(is_race for _, _, is_race in self.deciding.values()):
            self.pass_time()

    def before_one_thing(self) -> None:
        """For those who make mistakes."""

    def pass_time(self) -> None:
        wake = self.mode.wake
        if wake is not None:
            self.time = max(self.time, wake) + 0.01
            self.carry_out(self.mode.ticked(self.time))
        if self.wake:
            self.tick(max(0.0, min(self.wake.values()) - self.now) + 0.001)
        elif wake is None and not self.orders and self.wanted is None and not self.deciding:
            raise AssertionError(f"nothing goes on: {self.heard[-12:]}")

    def tick(self, seconds: float) -> None:
        self.now += seconds
        due = sorted(seat for seat, when in self.wake.items() if when <= self.now)
        for seat_number in due:
            del self.wake[seat_number]
            self.run(seat_number, self.sessions[seat_number].tick(self.now))
        self.pump()

    def lay_down(self, index: int) -> None:
        """A player has laid down by itself what it chose to play, unless a pad is there to tell."""
        held = Counter(self.deck.text(face) for face in self.sessions[index].view().hand.values())
        for uid in self.there(self.hand(index)) if not self.has_pads else ():
            face = self.faces[uid]
            if held[face] > 0:
                held[face] -= 1
            elif self.chosen.get(index, Counter())[face] > 0:
                self.chosen[index][face] -= 1
                self.at[uid] = "laid down"

    def check(self) -> None:
        """In front of everybody lie, or in their hands are, the cards that the game says."""
        if self.news or any(is_race for _, _, is_race in self.deciding.values()):
            return
        for index in range(len(self.names)):
            self.lay_down(index)
            view = self.sessions[index].view()
            hand = Counter(self.deck.text(face) for face in view.hand.values())
            lies = Counter(self.faces[uid] for uid in self.there(self.hand(index)))
            assert lies == hand, (self.names[index], lies, hand, self.heard[-12:])
