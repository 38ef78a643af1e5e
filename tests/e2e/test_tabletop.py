"""Whole games that are played by tapping tagged cards on emulated readers, and checked from their records."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from cli.main import run
from cli.tabletop.words import COMMAND_TAGS

from . import tapping
from .small_decks import cards_of, small_deck
from .tapping import Pty, Tags, Tapper

pytestmark = pytest.mark.network

Play = Callable[[Tapper, Sequence[str], random.Random], None]

PLAYS: Mapping[str, Play] = {
    "go-fish": tapping.play_go_fish,
    "one-fish": tapping.play_one_fish,
    "casino": tapping.play_casino,
    "discount-salmon": tapping.play_salmon,
}


SMALL = {
    "go-fish": ("ranks=3", "suits=2", "book_size=2", "hand_size=1"),
    "discount-salmon": ("stale_seconds=2",),
}


def play_whole(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], deck: str | None, *chosen: str
) -> None:
    """You and a bot, from the first tap to the verified record. ``deck``: the text of a deck file."""
    # Two of each token and command: one tag counts again only after a while, and a busy machine sees it late.
    tags = Tags(kind, cards_of(name, 2, chosen, deck), ["2"] * 2, [*COMMAND_TAGS] * 2)
    home, record = tmp_path / "home", tmp_path / "game.shoal"
    tags.write(home / "tags.toml")
    settings = [word for text in chosen for word in ("--set", text)]
    if deck is not None:
        (tmp_path / "deck.toml").write_text(deck, "utf-8")
        settings += ["--deck", str(tmp_path / "deck.toml")]
    reader = Pty()
    player = Tapper(
        home, tags, reader,
        "play", name, "--bots", "1", "--name", "Ann", "--plain", "--record", str(record),
        "--cards", "controller", "--reader", f"{reader.device}:{kind}", *settings,
    )  # fmt: skip
    try:
        PLAYS[name](player, ["2"], random.Random(1))
        assert player.leave() == 0, player.story
    finally:
        player.child.close(force=True)
        reader.close()
    assert run(["verify", str(record)]) == 0
    assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out


KINDS = [("go-fish", "rdm6300"), ("one-fish", "text"), ("casino", "ndjson"), ("discount-salmon", "id12")]


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_the_smallest_game_by_taps_alone(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_whole(name, kind, tmp_path, capsys, small_deck(name, 2), *SMALL.get(name, ()))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_a_whole_game_by_taps_alone(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_whole(name, kind, tmp_path, capsys, None)
