"""An emulated reader knows by its name what was enrolled while it was running."""

from __future__ import annotations

from pathlib import Path

from hardware.io import save
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid

from .hardware_programs import emulated

NINE = Uid(bytes.fromhex("04A3C6CAE26180"))


def test_what_is_enrolled_meanwhile_is_known_and_a_broken_book_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    reader, _port = emulated(home, "text")
    with reader:
        reader.type("tap 9S")
        reader.says("'9S' is no command, no enrolled tag and no id of a tag")
        save(home / "tags.toml", Book([Tag(NINE, Kind.CARD, "9S")]))
        reader.type("tap 9S")
        reader.says("9♠ is tapped")
        (home / "tags.toml").write_text("shoal-tags = ", "utf-8")
        reader.type("tap 9S")
        reader.says("tags.toml: ")
        save(home / "tags.toml", Book([Tag(NINE, Kind.CARD, "9H")]))
        reader.type("tap 9H")
        reader.says("9♥ is tapped")
        save(home / "tags.toml", Book([Tag(NINE, Kind.BLANK, "1")]))
        reader.type("tap blank 1", "quit")
        reader.says("blank 1 is tapped")
        assert reader.end() == 0
