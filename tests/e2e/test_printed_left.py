"""A seat goes for good at a table with a printed deck: the game ends, nobody wins, and all records say so."""

from __future__ import annotations

import random
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.main import run
from hardware.io import save
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid
from tests.cli.tabletop.printed_sentences import CUT, NO_CUT, SHUFFLE, WANTED
from tests.e2e.program import PATIENCE, Program

from .small_decks import cards_of

pytestmark = pytest.mark.network

OPTIONS = ("ranks=8", "hand_size=3", "end_mode=all_books")


class Dealer:
    """Ann, with the pack in her hands: she reads the screen, and types each card instead of tapping it."""

    def __init__(self, program: Program, pack: list[str]) -> None:
        self.program = program
        self.pack = pack
        self.hand: list[str] = []
        self._read = 0

    def _lines(self) -> list[str]:
        text = self.program.text
        end = text.rfind("\n") + 1
        lines, self._read = text[self._read : end].splitlines(), max(self._read, end)
        return lines

    def deals_until(self, wanted: Callable[[], bool]) -> None:
        """Do what the screen says until something is so. On Ann's turn she asks Dan."""
        end = time.monotonic() + PATIENCE
        while not wanted():
            assert time.monotonic() < end, self.program.text
            for line in self._lines():
                self._obey(line.removeprefix("> "))
            time.sleep(0.05)

    def _obey(self, line: str) -> None:
        if SHUFFLE.fullmatch(line) or NO_CUT.fullmatch(line):
            self.program.types("ok")
        elif found := CUT.fullmatch(line):
            top = int(found["n"] or 1)
            self.pack[:] = self.pack[top:] + self.pack[:top]
            self.program.types("ok")
        elif found := WANTED.fullmatch(line):
            card = self.pack.pop(int(found["depth"] or 0))
            if found["who"] == "Ann":
                self.hand.append(card)
            self.program.types(f"tap {card}")
        elif line.startswith("Ann: it is your turn."):
            for rank in dict.fromkeys(card[0] for card in self.hand):  # some may have been asked away
                self.program.types(f"ask Dan {rank}")
        elif "one by one, without looking" in line:
            self.program.types("found")


def resigns(dan: Program, others: list[Program], dealer: Dealer) -> None:
    """Dan says so."""
    dan.types("resign")
    dan.sees(
        r"The game then ends, and nobody wins: printed cards cannot be taken from who holds them\. Type yes"
    )
    dan.types("yes")
    dealer.deals_until(lambda: "Dan has left the game." in others[0].text)


def is_killed(dan: Program, others: list[Program], dealer: Dealer) -> None:
    """Dan is gone: the programs of the others sign it after the time that a player may be out of reach."""
    dan.process.send_signal(signal.SIGKILL)
    dan.ends()
    dealer.deals_until(lambda: "Dan has left the game." in others[0].text)
    others[0].sees(r"(?s)Dan has been out of reach for .*give up Dan")
    others[0].sees(r"Ann and Coral have signed that nothing came from Dan in time")


def stalls(dan: Program, others: list[Program], dealer: Dealer) -> None:
    """Dan's program is there, and its player does nothing: the others agree to wait no longer."""
    ann, coral = others
    question = (
        r"Dan is out once Coral and you say so\. The game then ends, and nobody wins: printed cards cannot"
    )
    while not re.search(question, ann.text):
        ann.types("give up Dan")
        until = time.monotonic() + 1.0  # it may be somebody else's turn still
        dealer.deals_until(lambda until=until: time.monotonic() > until)
    ann.types("yes")
    coral.types("give up Dan")
    coral.types("yes")
    dan.sees(r"do(es)? not wait for you any longer")
    dealer.deals_until(lambda: "Dan has left the game." in ann.text)


@pytest.mark.parametrize(
    "goes",
    [
        resigns,
        # These wait for the grace time of the table.
        pytest.param(is_killed, marks=pytest.mark.slow),
        pytest.param(stalls, marks=pytest.mark.slow),
    ],
)
def test_one_goes_and_the_game_is_over_without_a_winner(
    goes: Callable[[Program, list[Program], Dealer], None],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    cards = cards_of("go-fish", 3, OPTIONS)
    tags = (Tag(Uid(bytes((4, n, 2, 3, 4, 5, 0x80))), Kind.CARD, card) for n, card in enumerate(cards, 1))
    save(tmp_path / "Ann" / "tags.toml", Book(tags))
    settings = [word for option in OPTIONS for word in ("--set", option)]
    ann = Program(
        tmp_path / "Ann", "host", "go-fish", "--seats", "3", "--open", "--here-only", "--port", "0", "--name",
        "Ann", "--cards", "printed", "--grace", "30", "--record", str(tmp_path / "Ann.shoal"), *settings,
    )  # fmt: skip
    programs.append(ann)
    address = ann.sees(r" join (127\.0\.0\.1:\d+)")[1]
    for name, plays in (("Coral", ("--auto",)), ("Dan", ())):
        record = ("--record", str(tmp_path / f"{name}.shoal"))
        programs.append(Program(tmp_path / name, "join", address, "--name", name, *record, *plays))
        ann.sees(rf"\b{name}\b")
    coral, dan = programs[1:]
    random.Random(7).shuffle(cards)
    dealer = Dealer(ann, cards)
    dealer.deals_until(lambda: "first." in ann.text and len(dealer.hand) >= 3)

    goes(dan, [ann, coral], dealer)
    for each in (ann, coral):
        each.sees(r"Dan has left the game\.")
        each.sees(r"(?i)nobody wins|no winner")
        assert each.ends() == 0, each.text
    for name in ("Ann", "Coral"):
        assert run(["verify", str(tmp_path / f"{name}.shoal")]) == 0, name
        shown = capsys.readouterr().out
        assert "SOUND: nobody lied, and the result is right." in shown
        assert re.search(r"Dan left at step \d+\.", shown)
    assert not list((tmp_path / "Ann").glob("**/*.printed")), "where each card was is forgotten"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (("--recovery",), "the game ends when a player leaves: leave out --recovery"),
        (("--reveal", "never"), "everything is revealed at the end: leave out --reveal"),
    ],
)
def test_what_a_printed_deck_does_not_go_with_is_told_before_anything_is_opened(
    asked: tuple[str, ...],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path))
    monkeypatch.setenv("SHOAL_LANG", "en")
    opened = ("host", "go-fish", "--seats", "3", "--here-only", "--port", "0", "--name", "Ann")
    assert run([*opened, "--cards", "printed", *asked]) == 2
    said = capsys.readouterr()
    assert why in said.err
    assert "is open" not in said.out
