"""Whole games with cards as keys between separate processes: two people at one table with a pad each of an
emulated reader, and two far away; verified afterwards from everybody's record.

The people read what the program prints, and nothing else. No cards of a hand stand on a common screen that
keeps what is written: so they try what they may well hold, and what is not possible harms nobody.
"""

from __future__ import annotations

import queue
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli.main import run
from cli.speech.one_fish import card_name
from cli.speech.words import rank_name, ranks_name
from hardware.events import Place
from hardware.io import save, save_table
from hardware.pads import Pads, ask
from hardware.table_texts import ReaderEntry, TableFile
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid

from .small_decks import cards_of, small_deck
from .tapping import typed
from .test_blank_table import SILENCE, Program, _wait_until

pytestmark = [
    pytest.mark.network,
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="needs pseudo-terminals that are serial ports"),
]

NAMES = ("Ann", "Ben", "Coral", "Dan")
HERE = NAMES[:2]
WORDS = (
    "ok", "cancel", "number", "colour", "pick", "decline", "deck", "1", "keep", "discard", "flip", "down",
)  # fmt: skip
COPIES = 3
"""Tags of each token and command, so that nobody waits until the same one counts again."""


def tags_of(cards: Sequence[str]) -> list[Tag]:
    """Each card of the deck, and tokens and commands in several copies."""
    named = [(Kind.CARD, card) for card in cards]
    named += [(Kind.PLAYER, name) for name in NAMES for _ in range(COPIES)]
    named += [(Kind.COMMAND, word) for word in WORDS for _ in range(COPIES)]
    return [
        Tag(Uid(bytes((4, n // 250, n % 250, 9, 3, 4, 0x80))), kind, text)
        for n, (kind, text) in enumerate(named, 1)
    ]


class Phases:
    """What kind of decision comes next, as somebody knows who has heard what was told."""

    ALL = ("ask", "pick", "lay", "give", "keep")

    def __init__(self) -> None:
        self._now = "ask"

    def now(self, chance: random.Random) -> str:
        """What it is; now and then a guess, for what is told in other words than are known here."""
        return self._now if chance.random() < 0.85 else chance.choice(self.ALL)

    def hear(self, line: str) -> None:
        if "go fish!" in line:
            self._now = "pick"
        elif re.match(r"(Ann|Ben|Coral|Dan) (picks|gives|shows) ", line):
            self._now = "lay"
        elif re.match(r"(Ann|Ben) draws .* from the deck", line):
            self._now = "keep"
        elif re.match(r"(Ann|Ben|Coral|Dan) asks (Ann|Ben) for ", line):
            self._now = "give"
        elif re.match(r"(Ann|Ben|Coral|Dan) (puts|hands|lays|declines|keeps|asks|has none|had no)\b", line):
            self._now = "ask"


class People:
    """Ann and Ben, who tap by turns what could be possible."""

    calm = 0.3
    """Seconds of silence after which people decide: what is told in one breath is heard to its end."""

    def __init__(self, game: str, cards: Sequence[str], table: Program, reader: Program) -> None:
        self.game, self.cards, self.table, self.reader = game, list(dict.fromkeys(cards)), table, reader
        self.tags = tags_of(cards)
        self.chance = random.Random(5)
        self.phases = Phases()
        self.taken: dict[tuple[Kind, str], int] = {}
        self.who = ""
        self.came: list[str] = []
        self.done: set[str] = set()

    # --- hands and ears -------------------------------------------------------------------------------

    def tap(self, kind: Kind, *names: str) -> None:
        """Tap tags on the pad of whoever is to decide; of equal ones each in its turn."""
        for name in names:
            same = [tag.uid for tag in self.tags if (tag.kind, tag.name) == (kind, name)]
            number = self.taken[kind, name] = self.taken.get((kind, name), 0) + 1
            self.reader.type(f"tap {same[number % len(same)].data.hex()} on {HERE.index(self.who)}")

    def hear(self, line: str) -> None:
        self.phases.hear(line)
        if found := re.match(r"(Ann|Ben): it is your turn\.", line):
            self.who = found[1]
        elif found := re.match(r"(?:\w+) (?:gives|picked what was asked for:) (.*)\.", line):
            self.came = self.named(found[1]) if self.game == "one-fish" else []
        elif found := re.match(r"(Ann|Ben) draws (\S+) from the deck\.", line):
            self.came = [typed(found[2])]
        if found := re.match(r"(Ann|Ben) (asks|picks|lays|draws|swaps|puts|plays|gives|wastes) ", line):
            self.done.add(found[2])

    def named(self, told: str) -> list[str]:
        """The cards that were told; where their number alone was, all that they can be."""
        whole = [card for card in self.cards if card_name(card) in told]
        words = told.split()
        return whole or [
            card for card in self.cards if {rank_name(card[1:]), ranks_name(card[1:])} & {*words}
        ]

    def play(self) -> None:
        """Until the program ends."""
        quiet = 0.0
        while True:
            try:
                line = self.table.lines.get(timeout=self.calm)
            except queue.Empty:
                quiet += self.calm
                assert quiet < SILENCE, self.table.printed[-40:]
                if self.who:
                    self.tap(Kind.COMMAND, "cancel")
                    self.decide()
                    self.reader.done()
                continue
            quiet = 0.0
            if line is None:
                return
            self.hear(line)

    # --- what may be possible -------------------------------------------------------------------------

    def decide(self) -> None:
        match self.game, self.phases.now(self.chance):
            case "go-fish", _:
                self.ask()
            case "one-fish", "pick":
                self.tap(Kind.COMMAND, "pick")
            case "one-fish", "lay":
                self.pair()
            case "one-fish", "give":
                self.tap(Kind.CARD, self.chance.choice(self.cards))
                self.tap(Kind.COMMAND, "ok")
            case "one-fish", _:
                self.ask()
                self.tap(Kind.COMMAND, self.chance.choice(("number", "colour")), "ok")
            case "casino", "keep":
                if self.chance.random() < 0.5:
                    self.pair()
                self.tap(Kind.COMMAND, "keep", "discard")
            case "casino", _:
                self.tap(Kind.COMMAND, "deck", "1")
            case _:  # in a race each card counts as it is tapped
                self.tap(Kind.COMMAND, *self.chance.choice((["flip"], ["down", "ok"], [], [])))
                self.tap(Kind.CARD, *self.chance.sample(self.cards, 2))

    def ask(self) -> None:
        """Tap somebody's token and a card."""
        self.tap(Kind.PLAYER, self.chance.choice([name for name in NAMES if name != self.who]))
        self.tap(Kind.CARD, self.chance.choice(self.cards))

    def pair(self) -> None:
        """A card that came, and one that may go with it; or no pair of One Fish, which is not always
        possible. What came unseen may be any card."""
        came = [card for card in self.came if card in self.cards]
        if self.game == "one-fish" and self.chance.random() < 0.3:
            self.tap(Kind.COMMAND, "decline")
        elif came or self.game == "one-fish":
            first = self.chance.choice(came or self.cards)
            alike = [card for card in self.cards if card[0] in (first[0], "*") or card[-1] == first[-1]]
            self.tap(Kind.CARD, first, self.chance.choice(alike))
            self.tap(Kind.COMMAND, "ok")


def opened(tmp_path: Path, programs: list[Program], game: str, options: Sequence[str]) -> People:
    """A table of Ann and Ben with the smallest deck, and Coral and Dan far away."""
    home, port, deck = tmp_path / "table", tmp_path / "reader", small_deck(game, len(NAMES))
    home.mkdir()
    cards = cards_of(game, len(NAMES), options, deck)
    save(home / "tags.toml", Book(tags_of(cards)))
    pads = Pads({Place("board", antenna): ask(name) for antenna, name in enumerate(HERE)})
    save_table(home / "table.toml", TableFile((ReaderEntry("board", "shoal", str(port)),), pads))
    reader = Program(home, "readers", "emulate", "shoal", "--antennas", str(len(HERE)), "--link", str(port))
    programs.append(reader)
    _wait_until(port.exists)
    settings = [word for option in options for word in ("--set", option)]
    if deck is not None:
        (tmp_path / "deck.toml").write_text(deck, "utf-8")
        settings += ["--deck", str(tmp_path / "deck.toml")]
    table = Program(
        home, "host", game, "--seats", str(len(NAMES)), "--open", "--here-only", "--port", "0",
        "--name", "Ann", "--at-table", "Ben", "--cards", "controller", "--plain", "--debug",
        "--record", str(tmp_path / "Ann.shoal"), *settings,
    )  # fmt: skip
    programs.append(table)
    address = table.wait_for(r" join (127\.0\.0\.1:\d+)")[1]
    for far in NAMES[2:]:
        record = ("--record", str(tmp_path / f"{far}.shoal"))
        # In a race they leave people time to tap.
        args = ("--name", far, "--auto", "--reaction", "6", "--plain", *record)
        programs.append(Program(tmp_path / far, "join", address, *args))
    return People(game, cards, table, reader)


@pytest.mark.parametrize(
    ("game", "options", "deeds"),
    [
        ("go-fish", ["ranks=5", "hand_size=3"], {"asks"}),
        ("one-fish", [], {"asks", "lays"}),
        ("casino", [], {"draws", "puts"}),
        ("discount-salmon", ["stale_seconds=6"], {"plays", "wastes"}),
    ],
)
def test_a_whole_mixed_game_with_cards_as_keys(
    game: str,
    options: list[str],
    deeds: set[str],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    people = opened(tmp_path, programs, game, options)
    people.play()
    _reader, table, *guests = programs
    assert table.end() == 0, "\n".join(table.printed[-60:])
    assert "Everyone has signed the result." in " ".join(table.printed)
    assert people.done & deeds, "they did something, and not only those far away"
    for guest in guests:
        assert guest.end() == 0, guest.printed[-20:]
    for name in ("Ann", *NAMES[2:]):
        capsys.readouterr()
        assert run(["verify", str(tmp_path / f"{name}.shoal")]) == 0
        assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out
