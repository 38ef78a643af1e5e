"""Whole games with a printed deck between separate processes: two people at one table, whose pads are an
emulated reader on a pseudo-terminal, and two far away; verified afterwards.

The people read what the program prints, and nothing else: which card is wanted, what goes where, and whose
turn it is. They know the cards in their own hands; what lies face down they tap without looking.
"""

from __future__ import annotations

import itertools
import queue
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from cli.text import Glyphs
from hardware.events import Place
from hardware.io import save, save_table
from hardware.pads import HUB, POND, Pads, Role, ask, seat
from hardware.table_texts import ReaderEntry, TableFile
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid
from tests.cli.tabletop.printed_world import (
    COUNTED,
    CUT,
    ELSEWHERE,
    FOUND,
    MOVE,
    NO_CUT,
    PILED,
    PUT_BACK,
    SHUFFLE,
    TAKE_OFF,
    WANTED,
)

from .small_decks import cards_of, small_deck
from .test_blank_table import SILENCE, Phases, Program, _wait_until

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(sys.platform != "linux", reason="needs pseudo-terminals that are serial ports"),
]

NAMES = ("Ann", "Ben", "Coral", "Dan")
ROLES = (seat("Ann"), seat("Ben"), ask("Ann"), ask("Ben"), POND, HUB)
ANTENNAS: dict[Role, int] = {role: n for n, role in enumerate(ROLES)}
WORDS = (
    "ok", "cancel", "number", "colour", "pick", "decline", "deck", "1", "keep", "discard", "flip", "pass",
)  # fmt: skip
COPIES = 3
"""Tags of each token and command, so that nobody waits until the same one counts again."""
SAME_TAG = 1.8
"""Seconds between two taps of one tag that count as two."""

FISH = {"stinky", "ugly", "dry", "toxic", "not-fish"}
ANSWER = 20.0
"""Seconds without an answer to a tap after which people go on, even where the machine is busy."""
STANDSTILL = 15.0
"""Seconds in which nothing happens and nobody here has anything to do: then people ask what is missing."""
LOOKED_FOR = re.compile(r"Tap the cards of (?P<source>.+?) one by one: (?P<what>.+) is looked for\. .*")
ORDERS = (SHUFFLE, CUT, NO_CUT, PILED, MOVE, PUT_BACK, TAKE_OFF, LOOKED_FOR)
NOT_IT = re.compile(r"That is not it: put it back\.")
NOT_SOUGHT = re.compile(
    r"That card belongs to .*|It is nobody's turn.*|"
    r".*(in play already|not your turn|not possible with this|nothing is played with it).*"
)


class Ended(Exception):  # no error: those far away have ended the game meanwhile
    """The program has printed its last line."""


class People:
    """Ann and Ben with a pack of cards: four hands, and two pairs of eyes on one screen."""

    calm = 0.4
    """Seconds of silence after which people decide: what is told in one breath is heard to its end."""

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
        self.phases = Phases()
        self.at: dict[Uid, str] = {}
        self.lies: dict[Uid, Role] = {}
        self.orders: list[str] = []
        self.wanted: str | None = None
        self.turns: list[str] = []
        self.tapped: dict[tuple[Uid, Role], float] = {}
        self.tries = 0
        self.deals = 0
        self.found = 0
        self.handed = 0
        self.early: list[str] = []
        self.dealt_last: Uid | None = None
        self.still = 0.0
        self.mischief: list[Callable[[], None]] = []

    # --- hands ------------------------------------------------------------------------------------

    def tag(self, kind: Kind, name: str) -> Uid:
        """A tag of this name; of several one after the other."""
        same = [tag.uid for tag in self.tags if (tag.kind, tag.name) == (kind, name)]
        self.taken[kind, name] = self.taken.get((kind, name), 0) + 1
        return same[self.taken[kind, name] % len(same)]

    def lift(self, uid: Uid) -> None:
        if self.lies.pop(uid, None) is not None:
            self.reader.type(f"remove {uid.data.hex()}")

    def tap(self, uid: Uid, role: Role) -> None:
        self.lift(uid)
        time.sleep(max(0.0, self.tapped.get((uid, role), 0.0) + SAME_TAG - time.monotonic()))
        self.tapped[uid, role] = time.monotonic()
        self.reader.type(f"tap {uid.data.hex()} on {ANTENNAS[role]}")

    def put(self, uid: Uid, place: str) -> None:
        self.lift(uid)
        self.at[uid] = place
        role = seat(place.removesuffix("'s pad"))
        if role in ANTENNAS:
            self.reader.type(f"place {uid.data.hex()} on {ANTENNAS[role]}")
            self.lies[uid] = role

    def there(self, place: str) -> list[Uid]:
        return [uid for uid, at in self.at.items() if at == place]

    def ok(self) -> None:
        self.tap(self.tag(Kind.COMMAND, "ok"), HUB)

    # --- ears ---------------------------------------------------------------------------------------

    def hear(self, line: str) -> None:
        self.phases.hear(line)
        if not line.startswith("Waiting for"):
            self.still = 0.0
        if WANTED.fullmatch(line):
            self.wanted = line
        elif any(each.fullmatch(line) for each in ORDERS):
            if line not in self.orders or not LOOKED_FOR.fullmatch(line):
                self.orders.append(line)
        elif found := FOUND.fullmatch(line):
            self.early.append(found["to"])
        elif found := re.match(r"(Ann|Ben): it is your turn\.", line):
            self.turns = [*(name for name in self.turns if name != found[1]), found[1]]
        elif found := re.match(r"(Ann|Ben)( asks |: It is not your turn)", line):
            self.turns = [name for name in self.turns if name != found[1]]

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

    # --- what is told is done -------------------------------------------------------------------------

    def obey(self, order: str) -> None:
        if found := SHUFFLE.fullmatch(order):
            assert len(self.piles[found["pile"]]) == int(found["of"])
            self.chance.shuffle(self.piles[found["pile"]])
            self.ok()
        elif found := CUT.fullmatch(order):
            pile, n = self.piles[found["pile"]], int(found["n"] or 1)
            pile[:] = pile[n:] + pile[:n]
            self.ok()
        elif NO_CUT.fullmatch(order):
            self.ok()
        elif found := PILED.fullmatch(order):
            source, n = self.piles[found["source"]], int(found["n"])
            self.piles.setdefault(found["to"], []).extend(source[:n])
            del source[:n]
        elif found := MOVE.fullmatch(order):
            self.move(found["what"], found["source"], found["to"], bool(found["how"]))
        elif found := LOOKED_FOR.fullmatch(order):
            names, hidden = self.names_in(found["what"])
            for _ in range(len(names) + hidden):
                self.find(found["source"])
        elif found := PUT_BACK.fullmatch(order):
            for uid in [uid for uid in self.there(found["to"]) if uid not in self.lies]:
                self.put(uid, found["to"])
        elif found := TAKE_OFF.fullmatch(order):
            names, hidden = self.names_in(found["what"])
            for _ in range(hidden):
                self.find(found["source"])
            for uid in [uid for uid in self.there(found["source"]) if shown(self.faces[uid]) in names]:
                self.put(uid, "laid down")

    def move(self, what: str, source: str, to: str, must_find: bool) -> None:
        names, hidden = self.names_in(what)
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

    def find(self, source: str) -> bool:
        """Tap the cards there one by one until it is said that it is the one."""
        cards = self.there(source)
        self.chance.shuffle(cards)
        for uid in cards:
            if uid in self.lies:
                self.lift(uid)  # which the pad tells
            else:  # where the same card was not tapped just now
                self.tap(uid, min((HUB, POND), key=lambda role: self.tapped.get((uid, role), 0.0)))
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

    def names_in(self, what: str) -> tuple[list[str], int]:
        hidden = 0
        if found := COUNTED.search(what):
            hidden, what = int(found[1]), what[: found.start()].strip()
        names = []
        known = sorted({shown(face) for face in self.faces.values()}, key=len, reverse=True)
        while what:
            name = next(name for name in known if what.startswith(name))
            names.append(name)
            what = what[len(name) :].strip()
        return names, hidden

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

    def decide(self, who: str) -> None:
        self.tries += 1
        pad = ask(who)
        if self.chance.random() < 0.4:
            self.tap(self.tag(Kind.COMMAND, "cancel"), pad)
        own = self.there(f"{who}'s pad")
        self.ways(who, pad, own)

    def ways(self, who: str, pad: Role, own: list[Uid]) -> None:
        """What people do in this game when it is their turn: a try that is not possible harms nobody."""
        match self.name, self.phases.now(self.chance):
            case "go-fish", _:
                self.ask(who, pad, own)
            case "one-fish", "pick":
                self.say(pad, "pick")
            case "one-fish", "lay":
                self.lay_pair(who, pad, own)
            case "one-fish", "give":
                self.use(who, pad, [self.chance.choice(own)])
                self.ok()
            case "one-fish", _:
                self.ask(who, pad, own)
                self.say(pad, self.chance.choice(("number", "colour")), "ok")
            case "casino", "keep":
                self.say(pad, "keep", "discard")
            case "casino", _:
                self.say(pad, "deck", "1")
            case _:
                words = self.chance.choice((["flip"], ["pass"], [], []))
                self.say(pad, *words)
                if not words:
                    self.use(who, pad, self.chance.sample(own, min(len(own), self.chance.choice((1, 2)))))
                    self.ok()

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
        """Tap somebody's token, and a card of one's own."""
        if own:
            target = self.chance.choice([name for name in self.names if name != who])
            self.tap(self.tag(Kind.PLAYER, target), pad)
            self.use(who, pad, [self.chance.choice(own)])

    def lay_pair(self, who: str, pad: Role, own: list[Uid]) -> None:
        """Tap two cards that make a pair of One Fish, if there are such; else decline."""
        pairs = [
            pair
            for pair in itertools.combinations(own, 2)
            if any(a == b or "*" in (a, b) for a, b in zip(*map(self.faces.__getitem__, pair), strict=False))
        ]
        if pairs and self.chance.random() < 0.9:
            self.use(who, pad, self.chance.choice(pairs))
            self.ok()
        else:
            self.say(pad, "decline")

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
        elif self.mischief:
            self.mischief.pop()()
        elif self.turns:
            self.decide(self.chance.choice(self.turns))
            self.reader.done()
        elif self.still > STANDSTILL:
            self.still = 0.0
            self.ask_what_is_missing()

    def ask_what_is_missing(self) -> None:
        """Tap ``ok``, upon which it is told, and the last card of somebody far away once more."""
        self.ok()
        if self.dealt_last is not None and self.at[self.dealt_last].endswith("'s box"):
            self.tap(self.dealt_last, POND)


def shown(face: str) -> str:
    """A card as the screen writes it."""
    return Glyphs().card(face)


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


def opened(
    tmp_path: Path,
    programs: list[Program],
    name: str,
    options: Sequence[str],
    deck: str | None = None,
    names: Sequence[str] = NAMES,
) -> People:
    """A table of Ann and Ben, and all other ``names`` far away. ``deck``: the text of a deck file."""
    home, port = tmp_path / "table", tmp_path / "reader"
    home.mkdir()
    cards = cards_of(name, len(names), options, deck)
    save(home / "tags.toml", Book(tags_of(cards)))
    pads = Pads({Place("board", antenna): role for role, antenna in ANTENNAS.items()})
    save_table(home / "table.toml", TableFile((ReaderEntry("board", "shoal", str(port)),), pads))
    reader = Program(
        home, "readers", "emulate", "shoal", "--antennas", str(len(ANTENNAS)), "--link", str(port)
    )
    programs.append(reader)
    _wait_until(port.exists)
    settings = [word for option in options for word in ("--set", option)]
    if deck is not None:
        (tmp_path / "deck.toml").write_text(deck, "utf-8")
        settings += ["--deck", str(tmp_path / "deck.toml")]
    table = Program(
        home, "host", name, "--seats", str(len(names)), "--open", "--here-only", "--port", "0",
        "--name", "Ann", "--at-table", "Ben", "--cards", "printed", "--plain", "--debug",
        "--record", str(tmp_path / "game.shoal"), *settings,
    )  # fmt: skip
    programs.append(table)
    address = table.wait_for(r" join (127\.0\.0\.1:\d+)")[1]
    for far in names[2:]:
        guest = Program(
            tmp_path / far, "join", address, "--name", far, "--auto", "--plain",
            "--record", str(tmp_path / f"{far}.shoal"),
        )  # fmt: skip
        programs.append(guest)
    return People(name, names, cards, table, reader)


def finished(
    people: People, tmp_path: Path, programs: list[Program], capsys: pytest.CaptureFixture[str]
) -> None:
    """The game came to its end, nobody lied, and each record says so."""
    assert people.table.end() == 0, "\n".join(people.table.printed[-60:])
    assert "Everyone has signed the result." in " ".join(people.table.printed)
    # Those far away may end a short game before anybody here asks, but not without the cards of these two.
    assert people.tries + people.found + people.handed > 0
    assert people.deals >= 8
    for guest in programs[2:]:
        assert guest.end() == 0, guest.printed[-20:]
        assert any("printed" in line for line in guest.printed), "what is trusted is told to guests"
    for record in ("game.shoal", *(f"{far}.shoal" for far in people.names[2:])):
        capsys.readouterr()
        assert run(["verify", str(tmp_path / record)]) == 0
        assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out
    assert not list(tmp_path.glob("table/**/*.printed")), "where each card was is forgotten"


SMALL: list[Any] = [
    ("go-fish", ["ranks=3", "hand_size=2", "end_mode=all_books"], NAMES),
    # Among four it takes twice as long, and among three a minute or two.
    pytest.param("one-fish", [], NAMES[:3], marks=pytest.mark.slow),
    ("casino", [], NAMES),
    ("discount-salmon", ["pace=turns"], NAMES),
]
LONG = [
    ("go-fish", ["ranks=5", "hand_size=3", "end_mode=all_books"]),
    ("one-fish", []),
    ("casino", []),
    ("discount-salmon", ["pace=turns"]),
]


@pytest.mark.parametrize(("name", "options", "names"), SMALL)
def test_a_whole_mixed_game_with_the_smallest_printed_deck(
    name: str,
    options: list[str],
    names: Sequence[str],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    people = opened(tmp_path, programs, name, options, small_deck(name, len(names)), names)
    people.play()
    finished(people, tmp_path, programs, capsys)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), LONG)
def test_a_whole_mixed_game_with_a_whole_printed_deck(
    name: str,
    options: list[str],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    people = opened(tmp_path, programs, name, options)
    people.play()
    finished(people, tmp_path, programs, capsys)
