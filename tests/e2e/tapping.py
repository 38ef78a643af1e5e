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
from dataclasses import dataclass
from pathlib import Path

import pexpect

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120
"""Seconds that any one thing may take on a busy machine."""

SAME_TAG = 1.8
"""Seconds between two taps of one tag that count as two."""

CALM = 1.5
"""Seconds of silence after which everything is told that there is to tell."""

QUIET = 20
"""Seconds after which somebody who tapped an answer, and sees that nothing comes of it, taps it again."""

TRIES = 6
"""Times that one answer is tapped. More than the first are for a busy machine, which may see two taps of one
tag as one, or forget what was begun half a minute ago."""

OVER = r"Everyone has signed the result\."

HAND = re.compile(r"Your hand: ([^\r\n]*)\r?\n")


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
        self._is_open = False
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
        self._wait_for_reader()
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

    def _wait_for_reader(self) -> None:
        """What is tapped before the port is open is lost. Takes nothing from what `expect` looks at."""
        until = time.monotonic() + PATIENCE
        while not self._is_open:
            self._is_open = bool(re.search(r"The\s+reader\s+\S+\s+is\s+open", self.story + self.child.buffer))
            if not self._is_open:
                assert time.monotonic() < until, self.story + self.child.buffer
                self._hear()

    def listen(self, *patterns: str, seconds: float) -> int | None:
        """Which of these comes first, if one does in time. A space in a pattern is a line's end, too: long
        lines are wrapped."""
        spaced = [each.replace(" ", r"\s+") for each in patterns]
        found = int(self.child.expect([pexpect.TIMEOUT, pexpect.EOF, *spaced], timeout=seconds))
        if found == 0:
            return None
        after = self.child.after if isinstance(self.child.after, str) else ""
        self.story += (self.child.before or "") + after
        assert found > 1, f"{patterns}\n{self.story}"
        return found - 2

    def expect(self, *patterns: str) -> int:
        """The same, and one has to come."""
        found = self.listen(*patterns, seconds=PATIENCE)
        assert found is not None, f"{patterns}\n{self.story}{self.child.buffer}"
        return found

    def group(self, number: int = 1) -> str:
        """A group of the pattern that came."""
        assert isinstance(self.child.match, re.Match)
        return str(self.child.match[number])

    def hand(self) -> str:
        """The cards of the hand, asked for by a command tag; empty once the game is over. Takes nothing from
        what `expect` looks at: the next question may stand in front of the answer."""
        for _ in range(TRIES):
            told = len(HAND.findall(self.child.buffer))
            self.word("hand")
            until = time.monotonic() + QUIET
            while time.monotonic() < until:
                self._hear()
                if len(found := HAND.findall(self.child.buffer)) > told:
                    return str(found[-1])
                if re.search(OVER.replace(" ", r"\s+"), self.child.buffer):
                    return ""
            self.word("cancel")  # behind a card that was tapped, the tag is a part of the answer
        raise AssertionError(self.story + self.child.buffer)

    def _hear(self) -> None:
        """Let the buffer fill for a moment."""
        assert self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=0.2) == 1, self.story

    def leave(self) -> int:
        """Leave a game that is over, by a command tag; the exit code."""
        self.expect(r"What now\?")
        for _ in range(TRIES):
            self.word("quit")
            if self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=QUIET) == 0:
                break
        return self.end()

    def end(self) -> int:
        """The exit code, once everything is said."""
        self.child.expect(pexpect.EOF)
        self.story += self.child.before or ""
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -1)


TO_CONFIRM = r"Tapped: [^\r\n]*?\. ok[:,]"
"""A tap that was understood, and what ``ok`` would send."""

REFUSED = (
    r"Tapped so far: ",
    r"That tap came before the question",
    r"What was begun is forgotten",
    r"That player has no cards",
    r"There is nothing to confirm yet",
)
"""After these nothing is sent that was tapped, or not yet."""


NOT_MINE = r"It is not your turn\."
"""What was owed has been done, by taps or by the passing of time."""


@dataclass(frozen=True)
class Question:
    """What the screen asks, as a pattern, and how it is answered; the groups of the pattern tell the rest.
    ``is_owed``: the game waits for it, so that the answer is tapped again where nothing comes of it."""

    asked: str
    answer: Callable[[Tapper, re.Match[str]], None]
    is_owed: bool = True


def attend(player: Tapper, done: str, *questions: Question) -> None:
    """Answer each question as it comes, until the game is over. ``done``: what is told once an answer counts.

    Where nothing comes of it people look, confirm what waits for that, or begin again; so does this one.
    """
    owed: tuple[Question, re.Match[str]] | None = None
    confirms, tries, wait, heard, unread = False, 0, float(QUIET), time.monotonic(), 0
    patterns = (OVER, *(each.asked for each in questions), done, NOT_MINE, TO_CONFIRM, *REFUSED)
    while (found := player.listen(*patterns, seconds=wait)) != 0:
        if found is None:
            if len(player.child.buffer) > unread:  # others play, and it takes them long
                unread, heard = len(player.child.buffer), time.monotonic()
            assert time.monotonic() < heard + PATIENCE, player.story + player.child.buffer
            wait = QUIET
            if confirms:
                player.word("ok")
            elif owed is not None:
                tries += 1
                assert tries < TRIES, f"{owed[0].asked}\n{player.story}"
                player.word("cancel")
                owed[0].answer(player, owed[1])
            confirms = False
            continue
        heard, unread = time.monotonic(), 0
        if found <= len(questions):
            question, match = questions[found - 1], player.child.match
            assert isinstance(match, re.Match)
            owed, confirms, tries, wait = (question, match) if question.is_owed else None, False, 0, QUIET
            question.answer(player, match)
        elif patterns[found] in (done, NOT_MINE):
            owed, confirms, wait = None, False, QUIET
        elif owed is not None:
            confirms, wait = patterns[found] == TO_CONFIRM, CALM


def typed(card: str) -> str:
    """A card as the deck writes it, from how the screen does."""
    for suit, letter in {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}.items():
        card = card.replace(suit, letter)
    return card.replace("10", "T") if card.startswith("10") else card


def _words(*names: str) -> Callable[[Tapper, re.Match[str]], None]:
    """An answer of command tags alone."""

    def answer(player: Tapper, _match: re.Match[str]) -> None:
        for name in names:
            player.word(name)

    return answer


def _cards(player: Tapper, match: re.Match[str]) -> None:
    """All cards that the first group names, one after the other."""
    for card in match[1].replace("+", " ").split():
        player.tap("card", typed(card))


def play_go_fish(player: Tapper, others: Sequence[str], rng: random.Random) -> None:
    """Ask somebody for something until the game is over."""

    def ask(player: Tapper, _match: re.Match[str]) -> None:
        hand = player.hand().split()
        if not hand:
            return  # the game is over
        rank = typed(rng.choice(hand))[0]
        player.tap("player", rng.choice(others))
        player.tap("card", rank + rng.choice("CD"))

    attend(player, r"(?:^|\n)You ask ", Question(r"Your turn\.\r?\n", ask))


def play_one_fish(player: Tapper, others: Sequence[str], rng: random.Random) -> None:
    """Ask for a number or a colour, pick, and lay the first pairs that are offered."""

    def ask(player: Tapper, _match: re.Match[str]) -> None:
        cards = [card for card in player.hand().split() if card == "*" or card[-1:].isdecimal()]
        player.tap("player", rng.choice(others))
        card = rng.choice(cards)
        if card == "*":
            player.tap("card", "*")
            card = "R1"
        player.tap("card", card)
        player.word(rng.choice(["number", "colour"]))

    attend(
        player,
        r"(?:^|\n)You (?:show|ask|pick|lay|decline|give) ",
        Question(r"Your turn: ask somebody", ask),
        Question(r"Pick a card: pick", _words("pick")),
        # One way may be several pairs: "R1+R2 B1+*".
        Question(r"(?:Lay at least one pair|You may lay a pair).*?\n lay ([^\r\n]+)\r?\n", _cards),
        Question(r"goes with nothing you hold", _words("decline")),
        Question(r"Choose which card to give.*?\n give (\S+)\r?\n", _cards),
    )


def play_casino(player: Tapper, others: Sequence[str], rng: random.Random) -> None:
    """Draw from the deck, and from the pool once that is used up; swap where it is offered, discard."""

    def draw(player: Tapper, match: re.Match[str]) -> None:
        if match[1] == "deck":
            player.word("deck")
            player.word(rng.choice("12"))
        else:
            player.tap("card", typed(match[2]))

    def swap(player: Tapper, match: re.Match[str]) -> None:
        mine, drawn = match[1], match[2]
        player.tap("card", typed(drawn))
        player.tap("card", typed(mine))

    attend(
        player,
        r"(?:^|\n)You (?:draw|fill|swap|keep|put) ",
        Question(r"step 1 of 3: draw one or two cards.*?\n draw (deck|pool) (\S+)[^\r\n]*\r?\n", draw),
        Question(r"which of the drawn ones fills it\?.*?\n fill (\S+)\r?\n", _cards),
        Question(r"Step 2 of 3: swap cards of your hand.*?\n swap (\S+)=(\S+)\r?\n", swap),
        Question(r"nothing you drew can be swapped", _words("keep")),
        Question(r"Step 3 of 3: [^\n]* go(?:es)? into the pool", _words("discard")),
    )


def play_salmon(player: Tapper, others: Sequence[str], rng: random.Random) -> None:
    """Flip, play two cards on each fish as fast as they can be tapped, and put away what has to go."""

    def two(player: Tapper, _match: re.Match[str]) -> None:
        names = [part.split(" ", 1)[1] for part in player.hand().split("  ") if " " in part]
        for name in rng.sample(names, min(2, len(names))):
            player.tap("card", name.strip().lower().removesuffix(" the cat").replace(" ", "-"))

    attend(
        player,
        r"(?:^|\n)You (?:flip|put) ",
        Question(r"Flip a fish: flip", _words("flip")),
        Question(r"Put (?:\d+|a) cards? away", two),
        # Nobody has to play: the fish is somebody else's, or nobody's, after a while.
        Question(r"The fish is [^\r\n]*\.\r?\n", two, is_owed=False),
    )
