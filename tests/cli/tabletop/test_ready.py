"""What a table lacks is said before it opens: nobody is seated at one whose game cannot begin."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.console import BareConsole
from cli.folders import Folders
from cli.tabletop.blank_ready import looking
from cli.tabletop.readers import open_readers
from hardware.events import Place
from hardware.io import save, save_table
from hardware.pads import HUB, Pads, Role, RoleKind
from hardware.table_texts import ReaderEntry, TableFile
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid

from ..conftest import Shoal

TOGETHER = ["--name", "Za", "--at-table", "Ben", "--plain"]
HOST = ["--seats", "3", "--here-only", "--port", "0"]


def tagged(count: int, kind: Kind) -> Book:
    return Book([Tag(Uid(bytes([4, 7, 7, 7, 7, 7, n])), kind, str(n)) for n in range(1, count + 1)])


def furnish(home: Path, book: Book, pads: Pads) -> None:
    home.mkdir(parents=True)
    save(home / "tags.toml", book)
    save_table(home / "table.toml", TableFile((ReaderEntry("pads", "wedge"),), pads))


@pytest.mark.parametrize("command", [["host", "go-fish", *HOST], ["play", "go-fish", "--bots", "1"]])
def test_a_printed_deck_without_tags_is_refused_before_the_table_opens(
    shoal: Shoal, home: Path, command: list[str]
) -> None:
    ran = shoal(*command, "--cards", "printed", *TOGETHER)
    assert ran.code == 5
    assert "52 cards of this deck have no tag" in ran.err
    assert "tags enroll" in ran.err
    assert all(line.startswith("No reader is set up") for line in ran.out.splitlines())
    assert not list(home.glob("people/*")), "nobody has sat down"


def test_the_hint_names_the_deck_that_is_to_be_enrolled(shoal: Shoal, home: Path) -> None:
    ran = shoal("play", "one-fish", "--cards", "printed", *TOGETHER)
    assert ran.code == 5
    assert "tags enroll --deck one-fish" in ran.err


@pytest.mark.parametrize(
    ("blanks", "pads", "sentence", "command"),
    [
        (0, Pads(), "No blanks are enrolled.", "tags enroll --blanks 60"),
        (
            9,
            Pads({Place("pads"): Role(RoleKind.SEAT, "Za")}),
            "There is no pad for the cards of Ben.",
            "table setup --player Za --player Ben",
        ),
    ],
)
def test_blanks_that_are_not_ready_are_told_before_the_table_opens(
    shoal: Shoal, home: Path, blanks: int, pads: Pads, sentence: str, command: str
) -> None:
    furnish(home, tagged(blanks, Kind.BLANK), pads)
    ran = shoal("host", "go-fish", *HOST, "--cards", "blank", *TOGETHER)
    assert ran.code == 5
    assert sentence in ran.err
    assert command in ran.err
    assert all(line.startswith("No reader is set up") for line in ran.out.splitlines())


def test_people_who_share_a_screen_are_told_that_they_need_a_hub() -> None:
    seats = {Place("pads", n): Role(RoleKind.SEAT, name) for n, name in enumerate(["Za", "Ben"])}
    assert "table setup --role hub" in looking(Pads(seats), can_hide=True)
    assert looking(Pads({**seats, Place("pads", 2): HUB}), can_hide=True).startswith("Lay your token")
    assert "--plain" in looking(Pads(seats), can_hide=False)


@pytest.mark.parametrize(
    ("seats", "bots", "command"),
    [
        (
            "2",
            "0",
            "play go-fish --bots 0 --name Za --set ask_mode=card --cards blank --at-table Ben --plain",
        ),
        (
            "4",
            "3",
            "play go-fish --bots 2 --name Za --set ask_mode=card --cards blank --at-table Ben --plain",
        ),
    ],
)
def test_a_table_without_a_seat_for_a_guest_is_offered_as_a_game_without_guests(
    shoal: Shoal, seats: str, bots: str, command: str
) -> None:
    chosen = ["--set", "ask_mode=card", "--cards", "blank", *TOGETHER, "--port", "0"]
    ran = shoal("host", "go-fish", "--seats", seats, "--bots", bots, *chosen)
    assert ran.code == 2
    start, _play, rest = ran.err.rpartition(" play ")
    assert "shoal" in start
    assert sorted(["play", *rest.split()]) == sorted(command.split()), ran.err


@pytest.mark.parametrize(
    ("readers", "may_type"),
    [
        ([], True),
        (["socket://127.0.0.1:9:rdm6300"], False),
        (["wedge"], True),
        (["socket://127.0.0.1:9:rdm6300", "wedge"], True),
    ],
)
async def test_figures_are_left_to_readers_only_where_one_may_type(
    home: Path, readers: list[str], may_type: bool
) -> None:
    found = await open_readers(Folders(home), readers, BareConsole())
    assert found.may_type is may_type
