"""What is asked at the readers stands below what the readers say of themselves."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from cli import hardware_enroll, hardware_live, hardware_setup
from cli.commands.tags import _meant
from cli.hardware_emulate import Names
from cli.hardware_enroll import JsonTeller, PlainTeller, Walk
from cli.hardware_live import Item, Line, Quiet, Said, live
from cli.hardware_setup import Setup
from cli.text import Glyphs
from hardware.emulators import BadScript
from hardware.io import save
from hardware.pads import HUB
from hardware.readers import LinkUp, Remark
from hardware.table_texts import TableFile
from hardware.tags import Book, Enrolment, Kind, Tag
from hardware.uids import Uid

OPENED: list[Item] = [Said("shoal", LinkUp("/dev/pads")), Said("shoal", Remark("A board with 5 antennas."))]


def replayed(items: list[Item]) -> Callable[..., AsyncGenerator[Item, None]]:
    async def happens(*_given: Any) -> AsyncGenerator[Item, None]:
        for item in items:
            yield item

    return happens


@pytest.mark.parametrize("module", [hardware_setup, hardware_enroll])
@pytest.mark.parametrize(
    ("items", "order"),
    [
        ([*OPENED, Quiet(), Line("quit")], "connected antennas question"),
        ([Quiet(), *OPENED, Quiet(), Line("quit")], "question connected antennas question"),
        ([*OPENED, Line(""), Quiet(), Line("quit")], "connected antennas question"),
    ],
)
async def test_the_question_comes_last(
    module: Any, items: list[Item], order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "live", replayed(items))
    told: list[str] = []
    link: Any = object()
    if module is hardware_setup:
        await Setup(TableFile(), [HUB], tmp_path / "table.toml", [link], [], told.append, False).run(None)
    else:
        walk = Enrolment(Book(), Kind.PLAYER, ["Ana"])
        await Walk([(walk, None)], tmp_path / "tags.toml", PlainTeller(told.append, Glyphs()), [link]).run(
            None
        )
    words = {"connected": "connected", "antennas": "antennas", "Tap any": "question", "Now tap": "question"}
    assert " ".join(word for line in told for text, word in words.items() if text in line) == order


async def test_scripts_are_asked_at_once_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    items = [*OPENED, Quiet(), Line("quit")]
    link: Any = object()
    for module in (hardware_setup, hardware_enroll):
        monkeypatch.setattr(module, "live", replayed(items))
    await Setup(TableFile(), [HUB], tmp_path / "table.toml", [link], [], print, True).run(None)
    walk = Enrolment(Book(), Kind.PLAYER, ["Ana"])
    await Walk([(walk, None)], tmp_path / "tags.toml", JsonTeller(), [link]).run(None)
    lines = capsys.readouterr().out.splitlines()
    assert ['"next"' in line for line in lines] == [True, False, False] * 2


async def test_it_is_quiet_once_after_the_last_word_of_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware_live, "QUIET", 0.01)

    class Reader:
        def __init__(self) -> None:
            self.name = "shoal"

    async def follow(_links: Any, _known: Any, inbox: Any) -> None:
        for item in OPENED:
            inbox.put_nowait(item)

    monkeypatch.setattr(hardware_live, "_follow", follow)
    reader: Any = Reader()
    stream = live([reader], lambda uid: uid, None)
    found = [await anext(stream) for _ in range(3)]
    await stream.aclose()
    assert found == [*OPENED, Quiet()]


def test_a_ten_is_called_as_on_the_screen_and_as_it_is_typed(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    ten, token = Uid(bytes.fromhex("04A3C6CAE26180")), Uid(bytes.fromhex("04A3C6CAE26181"))
    save(path, Book([Tag(ten, Kind.CARD, "TH"), Tag(token, Kind.PLAYER, "Ta")]))
    names = Names(path, Glyphs())
    for text in ("10H", "10h", "TH", "th", "10\u2665"):
        assert names.uid(text) == ten.data
        assert [tag.uid for tag in _meant(names.book, text)] == [ten]  # what shoal tags forget takes
    assert names.uid("ta") == token.data
    with pytest.raises(BadScript):
        names.uid("10a")
