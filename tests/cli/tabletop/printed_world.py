"""People at a table with a printed deck, who do what they are told: a whole game of real sessions, a pack of
cards with tags, and the mode in between. What is to be done is read off the sentences; nobody here looks at a
card that lies face down."""

from __future__ import annotations

from collections import Counter

from engine.contract import Action
from hardware.pads import HUB, POND, ask
from hardware.tags import Kind
from hardware.uids import Uid
from tests.cli.tabletop.printed_sentences import (
    ELSEWHERE,
    FOUND,
    MOVE,
    PUT_BACK,
    TAKE_OFF,
    WANTED,
    cards_in,
    handled,
    shown,
)
from tests.cli.tabletop.printed_table import PrintedTable
from tests.cli.tabletop.tapping import taps_for


class World(PrintedTable):
    """A table and its people, who do what they are told."""

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
        names, hidden = cards_in(what, self.faces.values())
        if must_find:
            for _ in range(len(names) + hidden):
                if to in self.early:  # found on its way there
                    self.early.remove(to)
                else:
                    self.find(source)
            return
        if hidden:  # cards that somebody at this table has just chosen
            index = next(index for index in self.local if self.hand(index) == source)
            names += list(map(shown, self.last[index]))[:hidden]
        for index in self.local:
            self.lay_down(index)
        open_places = {at for at in self.at.values() if not at.endswith(("hand", "box", "'s pad"))}
        for name in names:
            wide = [uid for at in open_places for uid in self.there(at)]
            lie = [*self.there(source), *self.there("laid down")]
            if not source.endswith(("hand", "box", "'s pad")):
                lie += wide
            uid = next((uid for uid in lie if shown(self.faces[uid]) == name), None)
            if uid is not None:
                self.put(uid, to)
            else:  # it was told twice
                assert any(shown(self.faces[uid]) == name for uid in self.there(to)), (name, source, to)

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

    def put_back(self, what: str, to: str) -> None:
        """Cards that lie beside their pad."""
        names, hidden = cards_in(what, self.faces.values())
        beside = [uid for uid in self.there(to) if uid not in self.lies]
        for uid in list(beside):
            if shown(self.faces[uid]) in names or hidden:
                self.put(uid, to)

    def take_off(self, what: str, source: str) -> None:
        """Cards that lie on a pad and do not belong there."""
        names, hidden = cards_in(what, self.faces.values())
        assert not hidden, f"nothing is too much here: {what} on {source}"
        for uid in list(self.there(source)):
            if shown(self.faces[uid]) in names:
                names.remove(shown(self.faces[uid]))
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
            if text in self.mode._follow.what_to_do():  # it is so still
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
