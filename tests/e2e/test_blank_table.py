"""Whole games with blanks between separate processes: two people at one table whose pads are an emulated
reader on a pseudo-terminal, and somebody far away; verified afterwards.

The people read what the program prints, and nothing else: where to put which blank, whose turn it is, and
what for. Of faces they know those that the program shows to them, and play no better for it.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import queue
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cli.main import run
from hardware.events import Place
from hardware.io import save, save_table
from hardware.pads import DISCARD, POND, POOL, Pads, Role
from hardware.table_texts import ReaderEntry, TableFile
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid
from tests.cli.tabletop.blank_world import ASKS, NAMES, ORDERS, PAD_NAMES, SEATS

from .small_decks import small_deck

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(sys.platform != "linux", reason="needs pseudo-terminals that are serial ports"),
]

SILENCE = 120.0
"""Seconds without a line after which a table is taken to be stuck, on a busy machine."""

PATIENCE_FOR_WORDS = 10.0
"""Seconds of silence that people who have moved a blank, or made a mistake, wait for words about it."""

ROLES = (*SEATS.values(), *ASKS.values(), DISCARD, POND, POOL)
ANTENNAS: dict[Role, int] = {role: n for n, role in enumerate(ROLES)}
BLANKS = {number: Uid(bytes((4, number, 1, 2, 3, 4, 0x80))) for number in range(1, 41)}
TOKENS = {name: Uid(bytes((4, 100 + n, 1, 2, 3, 4, 0x80))) for n, name in enumerate(NAMES)}
WORDS = (
    "ok", "cancel", "pass", "flip", "pick", "decline", "number", "colour", "keep", "discard", "deck",
    "red", "blue", "1", "2", "3", "4",
)  # fmt: skip
VALUES = ("red", "blue", "1", "2", "3", "4")
PAD_SEATS = tuple(SEATS.values())
COMMANDS = {word: Uid(bytes((4, 150 + n, 1, 2, 3, 4, 0x80))) for n, word in enumerate(WORDS)}


class Program:
    """One process and the lines it prints."""

    def __init__(self, home: Path, *args: str) -> None:
        env = {**os.environ, "SHOAL_HOME": str(home), "PYTHONUNBUFFERED": "1", "SHOAL_LANG": "en"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", *args],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, cwd=ROOT, env=env,
        )  # fmt: skip
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.printed: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            text = line.rstrip("\n")
            self.printed.append(text)
            self.lines.put(text)
        self.lines.put(None)

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait_for(self, pattern: str) -> re.Match[str]:
        while True:
            line = self.lines.get(timeout=SILENCE)
            assert line is not None, self.printed[-30:]
            found = re.search(pattern, line)
            if found:
                return found

    def end(self) -> int:
        return self.process.wait(timeout=SILENCE)

    def has_done(self, things: int) -> None:
        """Wait until an emulated reader, which says each thing that it does, has done what it was told: a tap
        takes it a third of a second, and people who run ahead of it decide on what is not so yet."""
        while things:
            try:
                line = self.lines.get(timeout=SILENCE)
            except queue.Empty:
                raise AssertionError(f"{things} things are not done: {self.printed[-30:]}") from None
            assert line is not None, self.printed[-30:]
            things -= not line.startswith("Antenna ")  # of lights it was not told

    def done(self, quiet: float = 0.6) -> None:
        """The same where it is not known how many things these are."""
        try:
            while self.lines.get(timeout=quiet) is not None:
                pass
        except queue.Empty:
            return

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:  # what was typed last has nobody to read it
                continue


KINDS = {
    "Ask somebody": "ask",
    "Pick a card": "pick",
    "Lay a pair, or decline": "lay or decline",
    "Lay a pair": "lay",
    "Choose what to give": "give",
    "Draw cards": "draw",
    "Take another card": "again",
    "Fill your hand": "fill",
    "Swap cards": "keep",
    "Choose the cards that you keep": "keep",
    "Discard": "discard",
    "Flip a fish": "flip",
    "Play cards": "play",
    "Put two cards away": "drop",
}
"""What a question says, and the kind of decision that it asks for."""

WITH_EMPTY_HANDS = ("pick", "draw", "again", "fill", "keep", "discard", "flip")
"""Decisions that take no card of one's own: in Casino the Dealer may have taken the last one."""


class People:
    """Ann and Ben: four hands, and two pairs of eyes on one screen."""

    calm = 0.3
    """Seconds of silence after which people begin to move: what is told in one breath is heard to its end."""

    def __init__(self, game: str, table: Program, reader: Program, kept: Path, seed: int = 1) -> None:
        self.game = game
        self.kept = kept
        self.table = table
        self.reader = reader
        self.lies: dict[Uid, Role] = {}
        self.came: dict[Role, list[Uid]] = {}
        self.asked: dict[int, str] = {}
        self.begun: set[int] = set()
        self.told_to_reader = 0
        self.chance = random.Random(seed)
        self.orders: list[str] = []
        self.mischief: list[Callable[[], None]] = []
        self.is_unplugged = False
        self.waits_until = 0.0
        self.is_wrong = False
        self.tries = 0

    def tell(self, line: str) -> None:
        """Do something on the reader."""
        self.reader.type(line)
        self.told_to_reader += 1

    def lay(self, uid: Uid, role: Role | None) -> None:
        if uid in self.lies:
            self.tell(f"remove {uid.data.hex()}")
            del self.lies[uid]
        if role is not None:
            self.tell(f"place {uid.data.hex()} on {ANTENNAS[role]}")
            self.lies[uid] = role

    def tap(self, uid: Uid, role: Role) -> None:
        self.tell(f"tap {uid.data.hex()} on {ANTENNAS[role]}")

    def obey(self, line: str) -> None:
        """Do what a line says."""
        found, verb = next((found, verb) for pattern, verb in ORDERS if (found := pattern.fullmatch(line)))
        fields = found.groupdict()
        uids = [BLANKS[int(number)] for number in re.findall(r"\d+", fields.get("numbers") or "")]
        for uid in uids:
            self.lay(uid, PAD_NAMES[fields["pad"]] if verb == "on" else None)
        if verb == "on" and " back " not in line:
            self.came[PAD_NAMES[fields["pad"]]] = uids
        if verb == "plug" and self.is_unplugged:
            self.tell("replug")
            self.is_unplugged = False
        if verb == "draw":
            pad = fields.get("pad")
            role = PAD_NAMES[pad] if pad else SEATS[NAMES.index(fields["who"])]
            self.came[role] = self.free()[: int(fields.get("count") or 1)]
            for uid in self.came[role]:
                self.lay(uid, role)

    def free(self) -> list[Uid]:
        """Blanks that stand for nothing, those of the box before used ones."""
        bound = {uid for uid, _whose, _card in self.bonds()}
        free = [uid for uid in BLANKS.values() if uid not in bound and self.lies.get(uid) not in PAD_SEATS]
        return sorted(free, key=lambda uid: uid in self.lies)

    def knock_off(self) -> None:
        """A blank falls off its pad in mid-turn."""
        self.lay(self.own(0)[0], None)

    def misplace(self) -> None:
        """A blank of Ann's is laid on Ben's pad."""
        self.lay(self.own(0)[0], SEATS[1])

    def unplug(self) -> None:
        """All pads lose their power, and a blank is taken off meanwhile."""
        self.tell("unplug")
        self.is_unplugged = True
        self.lay(self.own(0)[0], None)

    def own(self, seat: int) -> list[Uid]:
        return [uid for uid, role in self.lies.items() if role == SEATS[seat]]

    def word(self, seat: int, *words: str) -> None:
        for word in words:
            self.tap(COMMANDS[word], ASKS[seat])

    def decide(self, seat: int) -> None:
        """Tap or move what may be a decision: one that is none is refused, and harms nobody."""
        self.chance.choice(self.ways(self.asked[seat]))(seat)
        self.tries += 1

    def say(self, seat: int, *words: str) -> None:
        """Tap words that are a decision; first what was begun before is taken back."""
        if seat in self.begun:
            self.word(seat, "cancel")
        self.begun.add(seat)
        self.word(seat, *words)

    def show(self, seat: int, blank: Uid) -> None:
        """Tap a blank, and lay it back."""
        pad = self.lies[blank]
        self.lay(blank, None)
        self.tap(blank, ASKS[seat])
        self.lay(blank, pad)

    def fill(self, seat: int) -> None:
        """Tap the card that was drawn last."""
        self.say(seat)
        for blank in [uid for uid, role in self.lies.items() if role == POOL][-1:]:
            self.show(seat, blank)

    def ask(self, seat: int) -> None:
        """Tap somebody's token and any blank of one's own. In One Fish it has to be said what of it is asked
        for, and with a star, which is like any fish, the very number or colour."""
        target = self.chance.choice([name for n, name in enumerate(NAMES) if n != seat])
        blank = self.chance.choice(self.own(seat))
        self.say(seat)
        self.tap(TOKENS[target], ASKS[seat])
        self.show(seat, blank)
        if self.game == "one-fish":
            is_star = self.cards(seat).get(blank) == "*"
            self.word(seat, self.chance.choice(VALUES if is_star else ("number", "colour")), "ok")

    def move(self, seat: int, count: int, to: Role = DISCARD) -> None:
        """Lay some blanks of one's own in the middle."""
        self.lay_all(self.chance.sample(self.own(seat), min(count, len(self.own(seat)))), to)

    def lay_all(self, blanks: Sequence[Uid], to: Role) -> None:
        """Lay blanks somewhere, and see what comes of it."""
        for blank in blanks:
            self.lay(blank, to)
        if blanks:
            self.waits_until = time.monotonic() + PATIENCE_FOR_WORDS

    def bonds(self) -> list[tuple[Uid, int, str]]:
        """Which blank stands for which card in whose hand."""
        try:
            (kept,) = [each.read_bytes() for each in self.kept.glob("*.blank")]
        except (FileNotFoundError, ValueError):  # those far away have ended the game, and it is forgotten
            return []
        return [(Uid(base64.b64decode(uid)), whose, card) for uid, whose, card in json.loads(kept)["bonds"]]

    def cards(self, seat: int) -> dict[Uid, str]:
        """The own cards: what the screen shows to the player whose token lies on the hub."""
        found = {uid: card for uid, whose, card in self.bonds() if whose == seat}
        return {uid: card for uid, card in found.items() if self.lies.get(uid) == SEATS[seat]}

    def lay_pair(self, seat: int) -> None:
        """Lay two blanks that make a pair of One Fish, most often with one that came in now."""
        own = self.cards(seat)
        came = [uid for uid in self.came.get(SEATS[seat], ()) if uid in own]
        pairs = [
            pair
            for pair in itertools.combinations(own, 2)
            if any(a == b or "*" in (a, b) for a, b in zip(own[pair[0]], own[pair[1]], strict=False))
        ]
        new = [pair for pair in pairs if not set(pair).isdisjoint(came)]
        pairs = new if new and self.chance.random() < 0.9 else pairs
        self.lay_all(self.chance.choice(pairs) if pairs else (), DISCARD)

    def ways(self, kind: str) -> Sequence[Callable[[int], None]]:
        """What people do when they are asked for a decision of this kind."""
        match kind:
            case "lay":
                return [self.lay_pair]
            case "lay or decline":
                return [self.lay_pair, lambda seat: self.say(seat, "decline")]
            case "give":
                return [lambda seat: self.move(seat, 1)]
            case "draw":
                return [lambda seat: self.say(seat, "deck", "1")]
            case "play":
                return [lambda seat: self.move(seat, 1, POND), lambda seat: self.say(seat, "pass")]
            case "fill":
                return [self.fill]
            case "drop":
                return [lambda seat: self.move(seat, 2)]
            case "again":
                return [lambda seat: self.say(seat, "pass")]
            case "pick" | "keep" | "discard" | "flip":
                return [lambda seat: self.say(seat, kind)]
            case _:
                return [self.ask]

    def play(self, until: Callable[[str], bool] = lambda _: False) -> list[str]:
        """Until the program ends, or a line says so; what was heard."""
        heard = time.monotonic()
        while True:
            try:
                line = self.table.lines.get(timeout=self.calm)
            except queue.Empty:
                assert time.monotonic() < heard + SILENCE, self.table.printed[-40:]
                self.idle()
                continue
            heard = time.monotonic()
            if line is None or until(line):
                return self.table.printed
            self.hear(line)

    def idle(self) -> None:
        """Nothing is said for a while: what was told is done, then whoever may decide does."""
        orders, self.orders = self.orders, []
        for order in orders:
            self.obey(order)
        if not orders and time.monotonic() < self.waits_until:
            return  # until it is told, and put right
        able = [seat for seat, kind in self.asked.items() if self.own(seat) or kind in WITH_EMPTY_HANDS]
        if not orders and self.mischief and self.asked and len(self.own(0)) > 1:
            self.is_wrong, self.waits_until = True, time.monotonic() + PATIENCE_FOR_WORDS
            self.mischief.pop()()
        elif not orders and able:
            self.decide(self.chance.choice(able))
        self.reader.has_done(self.told_to_reader)
        self.told_to_reader = 0

    def hear(self, line: str) -> None:
        if "is right again" in line or "All blanks lie where they should" in line:
            self.is_wrong, self.waits_until = False, 0.0
        elif self.is_wrong:
            self.waits_until = time.monotonic() + PATIENCE_FOR_WORDS
        elif not line.startswith("Waiting for "):
            self.waits_until = 0.0
        if any(pattern.fullmatch(line) for pattern, _ in ORDERS):
            self.orders.append(line)
        if found := re.match(r"(Ann|Ben): it is your turn\.(.*)", line):
            kind = next((kind for words, kind in KINDS.items() if words in found[2]), "ask")
            # Several people are asked at once for one and the same thing, or not at all.
            self.asked = {seat: before for seat, before in self.asked.items() if before == kind == "drop"}
            self.asked[NAMES.index(found[1])] = kind
            self.begun.clear()
        elif found := re.match(r"(Ann|Ben): (It is not your turn|that is noted)", line):
            self.asked.pop(NAMES.index(found[1]), None)


def table_at(home: Path, port: Path) -> None:
    """The tags and the pads of Ann's and Ben's table."""
    home.mkdir()
    tags = [Tag(uid, Kind.BLANK, str(number)) for number, uid in BLANKS.items()]
    tags += [Tag(uid, Kind.PLAYER, name) for name, uid in TOKENS.items()]
    tags += [Tag(uid, Kind.COMMAND, word) for word, uid in COMMANDS.items()]
    save(home / "tags.toml", Book(tags))
    pads = Pads({Place("board", antenna): role for role, antenna in ANTENNAS.items()})
    save_table(home / "table.toml", TableFile((ReaderEntry("board", "shoal", str(port)),), pads))


def opened(
    tmp_path: Path, programs: list[Program], game: str, options: Sequence[str], deck: str | None = None
) -> People:
    """A table of Ann and Ben with Coral far away, all seated. ``deck``: the text of a deck file."""
    home, port, record = tmp_path / "table", tmp_path / "reader", tmp_path / "game.shoal"
    table_at(home, port)
    reader = Program(
        home, "readers", "emulate", "shoal", "--antennas", str(len(ANTENNAS)), "--link", str(port)
    )
    programs.append(reader)
    _wait_until(port.exists)
    settings = [each for option in options for each in ("--set", option)]
    if deck is not None:
        (tmp_path / "deck.toml").write_text(deck, "utf-8")
        settings += ["--deck", str(tmp_path / "deck.toml")]
    table = Program(
        home, "host", game, "--seats", "3", "--open", "--here-only", "--port", "0", "--name", "Ann",
        "--at-table", "Ben", "--cards", "blank", "--plain", "--debug", "--record", str(record), *settings,
    )  # fmt: skip
    programs.append(table)
    address = table.wait_for(r" join (127\.0\.0\.1:\d+)")[1]
    far = Program(tmp_path / "far", "join", address, "--name", "Coral", "--auto", "--plain")
    programs.append(far)
    return People(game, table, reader, home / "kept")


def _wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + SILENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def finished(people: People, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The game came to its end, and nobody lied."""
    assert people.table.end() == 0, "\n".join(people.table.printed[-60:])
    assert "Everyone has signed the result." in " ".join(people.table.printed)
    assert people.tries or "it is your turn" not in "\n".join(people.table.printed)
    capsys.readouterr()
    assert run(["verify", str(record)]) == 0
    assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out
    # Which blank was which card is forgotten.
    assert not list(record.parent.glob("table/**/*.blank"))


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("go-fish", ["ranks=3", "hand_size=3"]),
        pytest.param("one-fish", [], marks=pytest.mark.slow),  # random people ask for a minute
        ("casino", []),
        ("discount-salmon", ["pace=turns"]),
    ],
)
def test_a_whole_mixed_game_with_few_blanks(
    game: str,
    options: list[str],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    people = opened(tmp_path, programs, game, options, small_deck(game, len(NAMES)))
    people.play()
    finished(people, tmp_path / "game.shoal", capsys)


@pytest.mark.slow
def test_whatever_goes_wrong_at_the_table_nothing_is_lost(
    tmp_path: Path, programs: list[Program], capsys: pytest.CaptureFixture[str]
) -> None:
    """A blank falls off, one lies on the wrong pad, the reader is unplugged, the program is killed."""
    options = ["ranks=6", "hand_size=4", "end_mode=all_books", "next_after_miss=left"]
    people = opened(tmp_path, programs, "go-fish", options)
    first = people.table

    def kill() -> None:
        people.table.process.kill()
        people.knock_off()
        record = str(tmp_path / "game.shoal")
        people.table = Program(tmp_path / "table", "resume", "--plain", "--debug", "--record", record)
        programs.append(people.table)
        people.asked.clear()

    people.mischief = [kill, people.unplug, people.misplace, people.knock_off]
    people.play()
    assert not people.mischief
    finished(people, tmp_path / "game.shoal", capsys)
    before, after = "\n".join(first.printed), "\n".join(people.table.printed)
    assert re.search(r"Put blank \d+ back on Ann's pad\.", before), before
    assert re.search(r"Move blank \d+ from Ben's pad back to Ann's pad\.", before), before
    assert "The reader of Ben's pad is not heard" in before
    assert re.search(r"Put blank \d+ back on Ann's pad\.", after), after
    for printed in (before, after):
        assert "The table is right again; the game goes on." in printed


@pytest.mark.soak
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("go-fish", ["ranks=6", "end_mode=all_books"]),
        ("one-fish", []),
        ("casino", []),
        ("discount-salmon", ["pace=turns"]),
    ],
)
def test_a_whole_game_with_blanks(
    game: str,
    options: list[str],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    people = opened(tmp_path, programs, game, options)
    people.play()
    finished(people, tmp_path / "game.shoal", capsys)
