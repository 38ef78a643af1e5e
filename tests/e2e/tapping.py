"""Somebody who plays a whole game by tapping alone: reads the screen, taps tags on an emulated reader.

The reader is a pseudo-terminal that says the bytes of HARDWARE.md; nothing here comes from the drivers.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
import tty
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pexpect

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120
"""Seconds that any one thing may take on a busy machine."""

SAME_TAG = 1.8
"""Seconds between two taps of one tag that count as two."""


def rdm6300(uid: bytes) -> bytes:
    """STX, ten digits, two of the XOR, ETX."""
    check = 0
    for byte in uid:
        check ^= byte
    return b"\x02" + uid.hex().upper().encode() + b"%02X" % check + b"\x03"


def id12(uid: bytes) -> bytes:
    """The same with CR and LF before ETX."""
    return rdm6300(uid)[:-1] + b"\r\n\x03"


def arduino(uid: bytes) -> bytes:
    """What DumpInfo of the MFRC522 library prints."""
    return b"Card UID: " + " ".join(f"{byte:02X}" for byte in uid).encode() + b"\r\n"


def ndjson(uid: bytes) -> bytes:
    """A line of an M5Stack."""
    return json.dumps({"type": "card", "card_uid": uid.hex(" "), "tech": "MIFARE"}).encode() + b"\n"


KINDS: Mapping[str, tuple[str, int, Callable[[bytes], bytes]]] = {
    "rdm6300": ("em4100", 5, rdm6300),
    "id12": ("em4100", 5, id12),
    "text": ("iso14443a", 7, arduino),
    "ndjson": ("iso14443a", 7, ndjson),
}
"""For each kind of reader: the technology of its tags, the bytes of an id, and how it tells of one."""


class Tags:
    """A deck, tokens and command tags, each with an id; written into a tag book as users keep it."""

    def __init__(self, kind: str, cards: Sequence[str], tokens: Sequence[str], words: Sequence[str]) -> None:
        self.technology, self.size, self.frame = KINDS[kind]
        named = [("card", card) for card in cards]
        named += [("player", token) for token in tokens] + [("command", word) for word in words]
        self.ids: dict[tuple[str, str], list[bytes]] = {}
        for number, each in enumerate(named, 1):
            self.ids.setdefault(each, []).append(b"\x04" + number.to_bytes(self.size - 1, "big"))

    def write(self, path: Path) -> None:
        """The book as TOML, in the form of docs/readers.md."""
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = ["shoal-tags = 1", ""]
        for (kind, name), ids in self.ids.items():
            for uid in ids:
                lines += [
                    "[[tag]]",
                    f'uid = "{self.technology}:{uid.hex().upper()}"',
                    f"{kind} = {json.dumps(name)}",
                    "",
                ]
        path.write_text("\n".join(lines))


class Pty:
    """A reader on a pseudo-terminal."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.device = os.ttyname(self.slave)

    def say(self, data: bytes) -> None:
        os.write(self.master, data)

    def unplug(self) -> None:
        """Pull the plug, as often as one likes."""
        for each in (self.master, self.slave):
            if each >= 0:
                os.close(each)
        self.master = self.slave = -1

    close = unplug


class Tapper:
    """A player at a terminal of plain lines, with tags and a reader."""

    def __init__(self, home: Path, tags: Tags, reader: Pty, *args: str, **more: str) -> None:
        self.tags = tags
        self.reader = reader
        self.story = ""
        self._last: dict[bytes, float] = {}
        self._next: dict[tuple[str, str], int] = {}
        env = {
            **os.environ,
            "SHOAL_HOME": str(home),
            "SHOAL_LANG": "en",
            "TERM": "dumb",
            "LC_ALL": "C.UTF-8",
            **more,
        }
        self.child = pexpect.spawn(
            sys.executable, ["-m", "cli", *args], cwd=str(ROOT), env=env, encoding="utf-8", timeout=PATIENCE,
            dimensions=(50, 240), echo=False,
        )  # fmt: skip

    def tap(self, kind: str, name: str) -> None:
        """Tap a tag; of several with one name each in its turn."""
        ids = self.tags.ids[kind, name]
        number = self._next.get((kind, name), 0)
        self._next[kind, name] = number + 1
        uid = ids[number % len(ids)]
        wait = self._last.get(uid, 0.0) + SAME_TAG - time.monotonic()
        time.sleep(max(0.15, wait))
        self._last[uid] = time.monotonic()
        self.reader.say(self.tags.frame(uid))

    def word(self, name: str) -> None:
        """Tap a command tag."""
        self.tap("command", name)

    def expect(self, *patterns: str) -> int:
        """Which of these comes first. A space in a pattern is a line's end, too: long lines are wrapped."""
        spaced = [each.replace(" ", r"\s+") for each in patterns]
        found = self.child.expect([*spaced, pexpect.EOF, pexpect.TIMEOUT])
        self.story += (self.child.before or "") + (
            self.child.after if isinstance(self.child.after, str) else ""
        )
        assert found < len(patterns), f"{patterns}\n{self.story}"
        return found

    def group(self, number: int = 1) -> str:
        """A group of the pattern that came."""
        assert isinstance(self.child.match, re.Match)
        return str(self.child.match[number])

    def hand(self) -> str:
        """The cards of the hand, asked for by a command tag."""
        self.word("hand")
        self.expect(r"Your hand: ([^\r\n]*)\r?\n")
        return self.group()

    def leave(self) -> int:
        """Leave a game that is over, by a command tag; the exit code."""
        self.expect(r"What now\?")
        self.word("quit")
        return self.end()

    def end(self) -> int:
        """The exit code, once everything is said."""
        self.child.expect(pexpect.EOF)
        self.story += self.child.before or ""
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -1)


OVER = r"Everyone has signed the result\."

COLOURS = {"red": "R", "blue": "B", "yellow": "Y", "green": "G"}


def typed(card: str) -> str:
    """A card as the deck writes it, from how the screen does."""
    for suit, letter in {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}.items():
        card = card.replace(suit, letter)
    return card.replace("10", "T") if card.startswith("10") else card


def play_go_fish(player: Tapper, others: Sequence[str], rng: random.Random) -> None:
    """Ask somebody for something until the game is over."""
    while player.expect(OVER, r"Your turn\.\r?\n") == 1:
        rank = typed(rng.choice(player.hand().split()))[0]
        player.tap("player", rng.choice(others))
        player.tap("card", rank + rng.choice("CD"))
        while player.expect(r"You ask ", r"has no cards") == 1:
            player.tap("player", rng.choice(others))


def play_one_fish(player: Tapper, others: Sequence[str], rng: random.Random) -> None:
    """Ask for a number or a colour, pick, and lay the first pair that is offered."""
    ask, pick = r"Your turn: ask somebody", r"Pick a card: pick"
    owed, may, none = r"Lay at least one pair", r"You may lay a pair", r"goes with nothing you hold"
    give = r"Choose which card to give"
    while True:
        match player.expect(OVER, ask, pick, owed, may, none, give):
            case 0:
                return
            case 1:
                cards = [card for card in player.hand().split() if card == "*" or card[-1:].isdecimal()]
                player.tap("player", rng.choice(others))
                card = rng.choice(cards)
                if card == "*":
                    player.tap("card", "*")
                    card = "R1"
                player.tap("card", card)
                player.word(rng.choice(["number", "colour"]))
                while (
                    found := player.expect(r"You (show a star and )?ask ", r"has no cards", r"ok: ask")
                ) > 0:
                    if found == 1:
                        player.tap("player", rng.choice(others))
                    else:  # with a star in the hand one may ask for more
                        player.word("ok")
            case 2:
                player.word("pick")
            case 3 | 4:
                # One way may be several pairs: "R1+R2 B1+*".
                player.expect(r"\n  lay ([^\r\n]+)")
                for card in player.group().replace("+", " ").split():
                    player.tap("card", card)
                if player.expect(r"You lay ", r"ok: lay") == 1:
                    player.word("ok")
            case 5:
                player.word("decline")
            case 6:
                player.expect(r"\n  give ([^\s]+)")
                player.tap("card", player.group())


def play_casino(player: Tapper, others: Sequence[str], rng: random.Random) -> None:
    """Draw from the deck, swap where it is offered, discard."""
    draw, fill = r"step 1 of 3: draw one or two cards", r"which of the drawn ones fills it\?"
    swap, forced = r"Step 2 of 3: swap drawn cards", r"nothing you drew can be swapped"
    leave = r"Step 3 of 3: [^\n]* go into the pool"
    while True:
        match player.expect(OVER, draw, fill, swap, forced, leave):
            case 0:
                return
            case 1:
                player.word("deck")
                player.word(rng.choice("12"))
            case 2:
                player.expect(r"\n  fill ([^\s]+)")
                player.tap("card", typed(player.group()))
            case 3:
                player.expect(r"\n  swap ([^\s]+)=([^\s]+)")
                mine, drawn = player.group(1), player.group(2)
                player.tap("card", typed(drawn))
                player.tap("card", typed(mine))
                if player.expect(r"ok: swap", r"You swap ") == 0:
                    player.word("ok")
            case 4:
                player.word("keep")
            case 5:
                player.word("discard")


def play_salmon(player: Tapper, others: Sequence[str], rng: random.Random) -> None:
    """Flip, play two cards on each fish as fast as they can be tapped, and put away what has to go."""
    flip, fish, away = r"Flip a fish: flip", r"The fish is [^\n]*\.\r?\n", r"Put (\d+|a) cards? away"
    while True:
        match player.expect(OVER, flip, away, fish):
            case 0:
                return
            case 1:
                player.word("flip")
            case _:
                player.word("hand")
                if player.expect(r"Your hand: ([^\r\n]*)\r?\n", OVER) == 1:
                    return
                names = [part.split(" ", 1)[1] for part in player.group().split("  ") if " " in part]
                for name in rng.sample(names, min(2, len(names))):
                    player.tap("card", name.strip().lower().removesuffix(" the cat").replace(" ", "-"))
