"""The mouse as an extra: what a click chooses, and that nothing of it is seen where it is off."""

from __future__ import annotations

import asyncio

import pytest

from cli.tui.canvas import Row, plain
from cli.tui.mouse import Report, Spot, on, read, spot
from tests.cli.tui.stage import LIMIT, Terminal, asked, at, positions, terminal

MADE = dict(positions())


def found(shown: Terminal, text: str, after: str = "") -> tuple[int, int]:
    """Column and row (from 0) of a text on the screen, below the first row with another one."""
    rows = [plain(row) for row in shown.screen.picture.rows()]
    first = next(n for n, row in enumerate(rows) if after in row)
    row = next(n for n, row in enumerate(rows) if n >= first and text in row)
    return rows[row].index(text), row


def click(shown: Terminal, place: tuple[int, int], button: int = 0) -> None:
    column, row = place
    shown.keys.send_text(f"\x1b[<{button};{column + 1};{row + 1}M\x1b[<{button};{column + 1};{row + 1}m")


async def until(shown: Terminal, text: str) -> None:
    async with asyncio.timeout(LIMIT):
        while not any(text in line for line in await shown.settle()):
            pass


async def sent(shown: Terminal) -> str:
    async with asyncio.timeout(LIMIT):
        line = await shown.screen.read()
    assert line is not None
    return line


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (120, 40)])
async def test_a_player_and_a_card_are_clicked(size: tuple[int, int]) -> None:
    async with terminal(*size, has_mouse=True) as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        await shown.settle()
        click(shown, found(shown, "2 Ben"))
        await until(shown, "for what?")
        click(shown, found(shown, "K", after="for what?"))
        assert await sent(shown) == "ask Ben K"
        click(shown, found(shown, "3 Cy"))
        await until(shown, "for what?")
        scene = shown.screen.scene
        assert scene is not None
        card = next(card for token in scene.hand for card in token.cards if card.startswith("K"))
        click(shown, found(shown, card, after="1 Ann"))
        assert await sent(shown) == "ask Cy K"


async def test_a_choice_is_clicked_on_its_key_and_on_its_words() -> None:
    async with terminal(has_mouse=True) as shown:
        at("one-fish", asked("lay", "decline")).put_on(shown)
        await shown.settle()
        choice = shown.screen.chooser.options()[-1] if shown.screen.chooser is not None else None
        assert choice is not None
        click(shown, found(shown, f"[{choice.shown}]"))
        first = await sent(shown)
        column, row = found(shown, f"[{choice.shown}]")
        click(shown, (column + len(choice.shown) + 4, row))
        assert await sent(shown) == first


async def test_the_wheel_winds_the_log_and_a_click_closes_a_panel() -> None:
    async with terminal(has_mouse=True) as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        for n in range(60):
            shown.screen.write(f"line {n} of the log")
        await until(shown, "line 59 of")
        click(shown, (10, 10), button=64)
        await until(shown, "more rows below")
        click(shown, (10, 10), button=65)
        await until(shown, "line 59 of")
        shown.screen.page("proofs", [f"line {n}" for n in range(9)])
        await until(shown, "Esc closes")
        click(shown, (3, 3))
        await until(shown, "Whom?")
        assert shown.screen.panel is None


async def test_nothing_is_reported_and_nothing_heard_where_it_is_off() -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        before = await shown.settle()
        click(shown, found(shown, "2 Ben"))
        click(shown, (10, 10), button=64)
        shown.keys.send_text("\x1b[M !!\x1b[32;10;20M\x1b[<35;9999999999;1M\x1b[31m")
        shown.keys.send_text("x")
        async with asyncio.timeout(LIMIT):
            while shown.screen.buffer.text != "x":  # noqa: ASYNC110  # keys have no event for that
                await asyncio.sleep(0.01)
        assert (await shown.settle())[:-1] == before[:-1]
        assert "\x1b[?1000h" not in shown.written.getvalue()


async def test_the_terminal_stops_reporting_in_the_end() -> None:
    async with terminal(has_mouse=True) as shown:
        await shown.settle()
        assert "\x1b[?1000h" in shown.written.getvalue()
    written = shown.written.getvalue()
    for number in (1000, 1006):
        assert written.rfind(f"\x1b[?{number}l") > written.rfind(f"\x1b[?{number}h")


@pytest.mark.parametrize("name", MADE)
async def test_clicks_anywhere_do_no_harm(name: str) -> None:
    async with terminal(40, 15, has_mouse=True) as shown:
        MADE[name]().put_on(shown)
        await shown.settle()
        for row in range(16):
            for column in range(0, 41, 3):
                click(shown, (column, row))
        shown.keys.send_text("\x1b[<0;1;1Mx")
        await shown.settle()
        assert shown.screen.app.is_running
        assert shown.screen._failure is None


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("\x1b[<0;5;7M", Report(0, 4, 6)),
        ("\x1b[<64;1;1M", Report(64, 0, 0)),
        ("\x1b[<0;5;7m", None),
        ("\x1b[31m", None),
        ("\x1b[31M", None),
        ("\x1b[<0;5M", None),
        ("\x1b[<0;" + "9" * 5000 + ";1M", None),
    ],
)
def test_reports_are_read(data: str, expected: Report | None) -> None:
    assert read(data) == expected


def test_a_spot_is_found_by_columns_not_by_letters() -> None:
    row: Row = [("", "王"), *on([("class:key", "ab")], "choice", "k")]
    assert [spot([row], column, 0) for column in range(5)] == [
        None, None, Spot("choice", "k"), Spot("choice", "k"), None,
    ]  # fmt: skip
    assert spot([row], 2, 1) is None
    assert spot([row], 2, -1) is None
