"""The hands and ears of people at a table with a printed deck: an emulated reader, and what is said aloud."""

from __future__ import annotations

import contextlib
import queue
import random
import re
import time
from collections.abc import Sequence

from hardware.pads import HUB, POND, Role, ask, seat
from hardware.tags import Kind, Tag
from hardware.uids import Uid
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

from .test_blank_table import SILENCE, Program

NAMES = ("Ann", "Ben", "Coral", "Dan")
ROLES = (seat("Ann"), seat("Ben"), ask("Ann"), ask("Ben"), POND, HUB)
ANTENNAS: dict[Role, int] = {role: n for n, role in enumerate(ROLES)}
WORDS = (
    "ok", "cancel", "number", "colour", "pick", "decline", "deck", "1", "hand", "keep", "discard", "flip",
    "pass", "found",
)  # fmt: skip
COPIES = 3
"""Tags of each token and command, so that nobody waits until the same one counts again."""
SAME_TAG = 1.8
"""Seconds between two taps of one tag that count as two."""

FISH = {"stinky", "ugly", "dry", "toxic", "not-fish"}
ANSWER = 20.0
"""Seconds without an answer to a tap after which people go on, even where the machine is busy."""
REACTION = 0.3
"""Seconds in which something is said of a card that was lifted, if it is one that is looked for."""
LOOKED_FOR = re.compile(r"Tap the cards of (?P<source>.+?) one by one: (?P<what>.+) is looked for\. .*")
ORDERS = (SHUFFLE, CUT, NO_CUT, PILED, MOVE, PUT_BACK, TAKE_OFF, LOOKED_FOR)

TURN = re.compile(r"(?P<who>Ann|Ben): it is your turn\. (?P<what>.+?\.)( .*)?")
DONE = re.compile(r".+ (is tapped on antenna \d+|lies on antenna \d+|was taken away)\.")
DECIDED = re.compile(r"(Ann|Ben)( asks | (?!and )|: (?:It is not your turn|that is noted))")
"""What is told of somebody, whose decision it was, or who has none to take."""


class Ended(Exception):  # no error: those far away have ended the game meanwhile
    """The program has printed its last line."""


class Hands:
    """Ann and Ben with a pack of cards: four hands at an emulated reader, and what they heard last."""

    def __init__(
        self, name: str, names: Sequence[str], cards: Sequence[str], table: Program, reader: Program
    ) -> None:
        """``cards`` is the pack, as the deck writes it; ``names`` are all who play."""
        self.name, self.names, self.table, self.reader = name, names, table, reader
        self.tags = tags_of(cards)
        self.faces = {tag.uid: tag.name for tag in self.tags if tag.kind is Kind.CARD}
        self.chance = random.Random(3)
        self.piles = packs_of(name, self.tags)
        self.taken: dict[tuple[Kind, str], int] = {}
        self.at: dict[Uid, str] = {}
        self.lies: dict[Uid, Role] = {}
        self.orders: list[str] = []
        self.wanted: str | None = None
        self.turns: dict[str, str] = {}
        self.asked_last: dict[str, str] = {}
        self.fails: dict[str, int] = {}
        self.begun: set[str] = set()
        self.refused: dict[str, set[frozenset[Uid]]] = {}
        self.came: dict[str, set[Uid]] = {}
        self.tapped: dict[tuple[Uid, Role], float] = {}
        self.lifted: Uid | None = None
        self.looked: dict[str, int] = {}
        self.told = 0
        self.tries = 0
        self.deals = 0
        self.found = 0
        self.handed = 0
        self.early: list[str] = []
        self.dealt_last: Uid | None = None
        self.still = 0.0

    # --- the emulated reader ------------------------------------------------------------------------

    def tell(self, line: str) -> None:
        """Have the emulated reader do something."""
        self.reader.type(line)
        self.told += 1

    def wait_for_reader(self) -> None:
        """Until it has done all that it was told: a tap takes it a third of a second, and people who run
        ahead of it decide on what is not so yet."""
        while self.told:
            line = self.reader.lines.get(timeout=SILENCE)
            assert line is not None, self.reader.printed[-30:]
            self.told -= DONE.fullmatch(line) is not None

    def settle(self) -> None:
        """The same, and what is said of it is heard."""
        self.wait_for_reader()
        with contextlib.suppress(queue.Empty):
            while True:
                line = self.table.lines.get(timeout=REACTION)
                if line is None:
                    raise Ended
                self.hear(line)

    # --- hands ------------------------------------------------------------------------------------

    def tag(self, kind: Kind, name: str) -> Uid:
        """A tag of this name; of several one after the other."""
        same = [tag.uid for tag in self.tags if (tag.kind, tag.name) == (kind, name)]
        self.taken[kind, name] = self.taken.get((kind, name), 0) + 1
        return same[self.taken[kind, name] % len(same)]

    def lift(self, uid: Uid) -> None:
        if self.lies.pop(uid, None) is not None:
            self.tell(f"remove {uid.data.hex()}")
            self.lifted = uid

    def tap(self, uid: Uid, role: Role) -> None:
        self.lift(uid)
        time.sleep(max(0.0, self.tapped.get((uid, role), 0.0) + SAME_TAG - time.monotonic()))
        self.tapped[uid, role] = time.monotonic()
        self.lifted = None
        self.tell(f"tap {uid.data.hex()} on {ANTENNAS[role]}")

    def put(self, uid: Uid, place: str) -> None:
        """Lay a card where it belongs; lifted off a pad, it may turn out to belong elsewhere by now."""
        if uid in self.lies:
            self.settle()
            self.lift(uid)
            self.at[uid] = "in the hand"
            self.settle()
            self.lifted = None
            if self.at[uid] != "in the hand":
                return
        who = place.removesuffix("'s pad")
        if self.at.get(uid) != place:
            self.came.setdefault(who, set()).add(uid)
        self.at[uid] = place
        role = seat(who)
        if role in ANTENNAS:
            self.tell(f"place {uid.data.hex()} on {ANTENNAS[role]}")
            self.lies[uid] = role

    def there(self, place: str) -> list[Uid]:
        return [uid for uid, at in self.at.items() if at == place]

    def ok(self) -> None:
        self.tap(self.tag(Kind.COMMAND, "ok"), HUB)

    # --- ears ---------------------------------------------------------------------------------------

    def hear(self, line: str) -> None:
        if not line.startswith("Waiting for"):
            self.still = 0.0
        if WANTED.fullmatch(line):
            self.wanted = line
        elif any(each.fullmatch(line) for each in ORDERS):
            if line not in self.orders or not LOOKED_FOR.fullmatch(line):
                self.orders.append(line)
        elif found := FOUND.fullmatch(line):
            self.early.append(found["to"])
            if self.lifted is not None:
                uid, self.lifted = self.lifted, None
                self.put(uid, found["to"])
        elif found := re.match(r"(Ann|Ben): (.*\bTapped|Taken back)", line):
            (self.begun.discard if found[2] == "Taken back" else self.begun.add)(found[1])
        elif found := TURN.fullmatch(line):
            self.begun.discard(found["who"])
            self.turns[found["who"]] = self.asked_last[found["who"]] = found["what"]
            self.fails[found["who"]] = 0
            self.refused[found["who"]] = set()
        elif found := DECIDED.match(line):
            self.turns.pop(found[1], None)
            self.begun.discard(found[1])
            if found[2].startswith(":"):
                self.asked_last.pop(found[1], None)
            if found[2] == " asks ":
                self.came[found[1]] = set()

    def listen(self, *patterns: re.Pattern[str]) -> re.Match[str] | None:
        """Hear everything until one of these is said; ``None`` where it is not."""
        end = time.monotonic() + ANSWER
        while (left := end - time.monotonic()) > 0:
            try:
                line = self.table.lines.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                raise Ended
            for pattern in patterns:
                if found := pattern.fullmatch(line):
                    return found
            self.hear(line)
        return None


def tags_of(cards: Sequence[str]) -> list[Tag]:
    named = [(Kind.CARD, card) for card in cards]
    named += [(Kind.PLAYER, player) for player in NAMES for _ in range(COPIES)]
    named += [(Kind.COMMAND, word) for word in WORDS for _ in range(COPIES)]
    return [
        Tag(Uid(bytes((4, n // 250, n % 250, 2, 3, 4, 0x80))), kind, text)
        for n, (kind, text) in enumerate(named, 1)
    ]


def packs_of(name: str, tags: Sequence[Tag]) -> dict[str, list[Uid]]:
    """The packs as they are bought."""
    cards = [tag.uid for tag in tags if tag.kind is Kind.CARD]
    match name:
        case "casino":
            return {"the deck": cards}
        case "discount-salmon":
            fish = sum(set(tag.name.split("+")) <= FISH for tag in tags if tag.kind is Kind.CARD)
            return {"the lake": cards[:fish], "the pack": cards[fish:]}
        case _:
            return {"the pond": cards}
