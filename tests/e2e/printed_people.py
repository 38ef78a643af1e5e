"""Ann and Ben at a table with a printed deck: four hands, and two pairs of eyes on one screen.

They read what the program prints, and nothing else: which card is wanted, what goes where, whose turn it is,
and what is to be decided. They know the cards in their own hands; what lies face down they tap without
looking. What was refused they do not try again.
"""

from __future__ import annotations

import itertools
import queue
import re
from collections.abc import Sequence

from hardware.pads import HUB, POND, Role, ask
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

from .printed_hands import LOOKED_FOR, Ended, Hands
from .test_blank_table import SILENCE

STANDSTILL = 15.0
"""Seconds in which nothing happens and nobody here has anything to do: then people ask what is missing."""
NOT_IT = re.compile(r"That is not it: put it back\.")
NOT_SOUGHT = re.compile(
    r"That card belongs to .*|It is nobody's turn.*|"
    r".*(in play already|not your turn|not possible with this|nothing is played with it).*"
)
ASKED_FOR = re.compile(r"\w+ asks you for a (?P<what>\w+) fish\.")
STAR = "*"
HAND = 5
"""Cards of a hand of Casino."""
STUBBORN = 4
"""Tries after which people do the plainest thing there is."""


class People(Hands):
    """Ann and Ben, who read and do what the program asks of them."""

    calm = 0.4
    """Seconds of silence after which people decide: what is told in one breath is heard to its end."""

    # --- what is told is done -------------------------------------------------------------------------

    def obey(self, order: str) -> None:
        wants_ok = handled(order, self.piles, self.chance)
        if wants_ok is not None:
            if wants_ok:
                self.ok()
        elif found := MOVE.fullmatch(order):
            self.move(found["what"], found["source"], found["to"], bool(found["how"]))
        elif found := LOOKED_FOR.fullmatch(order):
            self.look_for(order, *cards_in(found["what"], self.faces.values()), found["source"])
        elif found := PUT_BACK.fullmatch(order):
            for uid in [uid for uid in self.there(found["to"]) if uid not in self.lies]:
                self.put(uid, found["to"])
        elif found := TAKE_OFF.fullmatch(order):
            names, hidden = cards_in(found["what"], self.faces.values())
            for _ in range(hidden):
                self.find(found["source"])
            for uid in [uid for uid in self.there(found["source"]) if shown(self.faces[uid]) in names]:
                self.put(uid, "laid down")

    def move(self, what: str, source: str, to: str, must_find: bool) -> None:
        names, hidden = cards_in(what, self.faces.values())
        if must_find:
            for _ in range(len(names) + hidden):
                if to in self.early:
                    self.early.remove(to)
                elif not self.find(source):
                    return
            return
        for _ in range(hidden):
            self.find(source)
        for name in names:
            lie = [*self.there(source), *self.there("laid down")]
            if not source.endswith(("'s pad", "'s box")):
                lie += [uid for uid, at in self.at.items() if not at.endswith(("'s pad", "'s box"))]
            uid = next((uid for uid in lie if shown(self.faces[uid]) == name), None)
            if uid is not None:
                self.put(uid, to)
                self.handed += 1

    def look_for(self, order: str, names: list[str], hidden: int, source: str) -> None:
        """Cards are missed that were put somewhere already: look through what lies open, and then there.
        What people do not find after all is where it belongs, they say."""
        self.looked[order] = self.looked.get(order, 0) + 1
        lie = [uid for uid, at in self.at.items() if not at.endswith(("'s pad", "'s box"))]
        found = sum(self.try_one_by_one([uid for uid in lie if shown(self.faces[uid]) == n]) for n in names)
        for _ in range(len(names) + hidden - found):
            if not self.find(source):
                break
        else:
            return
        if self.looked[order] > 1:
            self.say(HUB, "found")

    def find(self, source: str) -> bool:
        """Tap the cards there one by one until it is said that it is the one."""
        self.settle()
        cards = self.there(source)
        self.chance.shuffle(cards)
        return self.try_one_by_one(cards)

    def try_one_by_one(self, cards: Sequence[Uid]) -> bool:
        """Whether one of these cards is what is looked for; it is then where it belongs."""
        for uid in cards:
            if uid in self.lies:
                self.lift(uid)  # which the pad tells
                self.lifted = None  # the answer is waited for
            else:  # where the same card was not tapped just now
                self.tap(uid, min((HUB, POND), key=lambda role: self.tapped.get((uid, role), 0.0)))
            source = self.at[uid]
            said = self.listen(FOUND, NOT_IT, NOT_SOUGHT, ELSEWHERE)
            if said is None:
                self.put(uid, source)
                continue
            if said.re is ELSEWHERE:
                self.put(uid, said["to"])
                continue
            if said.re is FOUND:
                self.found += 1
                self.put(uid, said["to"])
                return True
            self.put(uid, source)
        return False  # it was found on its way

    def deal(self, text: str) -> None:
        found = WANTED.fullmatch(text)
        assert found is not None
        self.wanted = None
        self.deals += 1
        uid = self.piles[found["pile"]].pop(int(found["depth"] or 0))
        if found["open"]:
            self.tap(uid, POND)
            self.at[uid] = "the middle"
            return
        who = found["who"]
        if who in ("Ann", "Ben"):
            self.put(uid, f"{who}'s pad")  # which is as good as a tap
        else:
            self.tap(uid, POND)
            self.put(uid, f"{who}'s box")
            self.dealt_last = uid

    # --- decisions ----------------------------------------------------------------------------------

    def decide(self, who: str) -> None:
        """Tap what may be a decision: a try that is not possible harms nobody."""
        self.tries += 1
        self.fails[who] += 1
        pad, own = ask(who), self.there(f"{who}'s pad")
        if who in self.begun:
            self.say(pad, "cancel")
        match self.turns[who]:
            case "Ask somebody.":
                self.ask(who, pad, own)
            case "Pick a card from the pond.":
                self.say(pad, "pick")
            case "Lay a pair.":
                self.lay_pair(who, pad, own)
            case "Lay a pair, or decline.":
                self.lay_or_decline(who, pad, own)
            case what if found := ASKED_FOR.fullmatch(what):
                colour = found["what"][0].upper()
                asked = [uid for uid in own if self.faces[uid].startswith(colour)]
                self.use(who, pad, [self.chance.choice(asked or own)])
                self.say(pad, "ok")
            case "Choose the cards that you keep.":
                self.keep(who, pad, own)
            case "Draw cards.":
                self.draw(who, pad)
            case "Swap cards, or keep.":
                self.swap(who, pad, own)
            case "Discard, or hand back.":
                self.say(pad, "discard")
            case "Take another card, or pass.":
                self.say(pad, "pass")
            case "Flip a fish.":
                self.say(pad, "flip")
            case "Play cards, or pass.":
                self.play_cards(who, pad, own)
            case "Put two cards away.":
                self.use(who, pad, self.chance.sample(own, 2))
                self.say(pad, "ok")
            case what:
                raise AssertionError(f"nobody here knows what that is: {what}")

    def say(self, pad: Role, *words: str) -> None:
        """Tap command tags."""
        for word in words:
            self.tap(self.tag(Kind.COMMAND, word), pad)

    def use(self, who: str, pad: Role, uids: Sequence[Uid]) -> None:
        """Tap cards of one's own, and put them back."""
        for uid in uids:
            self.tap(uid, pad)
            self.put(uid, f"{who}'s pad")

    def ask(self, who: str, pad: Role, own: list[Uid]) -> None:
        """Tap somebody's token, and a card of one's own; in One Fish the number or the colour of it, and with
        nothing but stars a number by its name."""
        if not own:  # something is amiss
            self.ask_what_is_missing()
            return
        others = [name for name in self.names if name != who]
        target = others[self.tries % len(others)]  # the next one where that one has no cards
        self.tap(self.tag(Kind.PLAYER, target), pad)
        fish = [uid for uid in own if self.faces[uid] != STAR]
        if not fish:
            self.say(pad, "1")
        self.use(who, pad, [self.chance.choice(fish or own)])
        if self.name == "one-fish":
            self.say(pad, *([self.chance.choice(("number", "colour"))] if fish else []), "ok")

    def pairs_of(self, who: str, own: list[Uid], with_star: bool) -> list[frozenset[Uid]]:
        """The pairs with a card that came in now, but those that were refused already."""
        found = []
        for one, other in itertools.combinations(own, 2):
            faces = self.faces[one], self.faces[other]
            is_pair = with_star if STAR in faces else any(a == b for a, b in zip(*faces, strict=True))
            if is_pair and {one, other} & self.came.get(who, set()):
                found.append(frozenset((one, other)))
        return [pair for pair in found if pair not in self.refused[who]]

    def lay_pair(self, who: str, pad: Role, own: list[Uid]) -> None:
        """Tap two cards that make a pair of One Fish."""
        pairs = self.pairs_of(who, own, with_star=True)
        if not pairs:  # more can have come in than people have noticed: try all again
            self.refused[who].clear()
            self.came[who] = set(own)
            return
        pair = self.chance.choice(pairs)
        self.refused[who].add(pair)
        self.use(who, pad, list(pair))
        self.say(pad, "ok")

    def lay_or_decline(self, who: str, pad: Role, own: list[Uid]) -> None:
        """The same, where nothing has to be laid, and no star can be."""
        pairs = self.pairs_of(who, own, with_star=False)
        if pairs and self.fails[who] < STUBBORN and self.chance.random() < 0.9:
            self.refused[who].add(pair := self.chance.choice(pairs))
            self.use(who, pad, list(pair))
            self.say(pad, "ok")
        else:
            self.say(pad, "decline")

    def draw(self, who: str, pad: Role) -> None:
        """One card from the deck of Casino; now and then one from a hand, as only the Dealer may."""
        if self.fails[who] == 1 and self.chance.random() < 0.3:
            target = self.chance.choice([name for name in self.names if name != who])
            self.tap(self.tag(Kind.PLAYER, target), pad)
            self.say(pad, "hand", "ok")
        else:
            self.say(pad, "deck", "1")

    def swap(self, who: str, pad: Role, own: list[Uid]) -> None:
        """A card of the hand for the drawn one, or nothing."""
        drawn = self.there("the middle")
        if drawn and own and self.fails[who] == 1 and self.chance.random() < 0.5:
            self.use(who, pad, [self.chance.choice(own)])
            self.tap(self.chance.choice(drawn), pad)
            self.say(pad, "ok")
        else:
            self.say(pad, "keep")

    def keep(self, who: str, pad: Role, own: list[Uid]) -> None:
        """Five of more cards of a Dealer; all of fewer."""
        if len(own) > HAND:
            self.use(who, pad, self.chance.sample(own, HAND))
            self.say(pad, "ok")
        else:
            self.say(pad, "keep")

    def play_cards(self, who: str, pad: Role, own: list[Uid]) -> None:
        """A card or two of Salmon, or none."""
        if own and self.fails[who] < STUBBORN and self.chance.random() < 0.7:
            self.use(who, pad, self.chance.sample(own, min(len(own), self.chance.choice((1, 2)))))
            self.say(pad, "ok")
        else:
            self.say(pad, "pass")

    # --- the game ---------------------------------------------------------------------------------------

    def play(self) -> None:
        """Until the program ends."""
        quiet = 0.0
        while True:
            try:
                line = self.table.lines.get(timeout=self.calm if not (self.orders or self.wanted) else 0.1)
            except queue.Empty:
                quiet += self.calm
                self.still += self.calm
                assert quiet < SILENCE, self.table.printed[-40:]
                try:
                    self.one_thing()
                except Ended:
                    return
                continue
            quiet = 0.0
            if line is None:
                return
            self.hear(line)

    def one_thing(self) -> None:
        if self.orders:
            self.obey(self.orders.pop(0))
        elif self.wanted is not None:
            self.deal(self.wanted)
        elif self.turns:
            self.decide(self.chance.choice(list(self.turns)))
            self.wait_for_reader()
        elif self.still > STANDSTILL:
            self.still = 0.0
            self.ask_what_is_missing()

    def ask_what_is_missing(self) -> None:
        """Tap ``ok``, upon which it is told, and the last card of somebody far away once more. Who was asked
        last tries whether it is still so."""
        self.ok()
        self.turns.update(self.asked_last)
        if self.dealt_last is not None and self.at[self.dealt_last].endswith("'s box"):
            self.tap(self.dealt_last, POND)
