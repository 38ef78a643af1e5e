"""The running screen: keys in any order, sizes in any order, and silence where nothing changes."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from cli.ending import LEAVE, LEAVE_KEY, EndChoice
from cli.story import Line
from cli.tui.scene import scene_of
from tests.cli.tui.stage import DEPTHS, LIMIT, SIZES, Terminal, asked, at, positions, race, terminal

KEYS = [
    *"abcdefghijklmnopqrstuvwxyz0123456789 ?*\"'/.", "\r", "\t", "\x1b", "\x1b[A", "\x1b[B", "\x1b[C",
    "\x1b[D",
    "\x1b[5~", "\x1b[6~", "\x1bOP", "\x1bOQ", "\x1bOS", "\x1b[17~", "\x7f", "\x01", "\x05", "\x0b", "\x0c",
    "\x15", "\x17", "\x12", "\x18\x05", "\x1bb", "\x1b<", "\x00", "\x1b[200~9\n♠\x1b[2J\x1b[201~", "\x1b[31m",
    "\x1b[<0;1;1M", "\x1b[M !!", "ш", "王", "\x1b[1;5C", "\x19", "\x1f", "\x1b[H", "\x1b[F", "\x1b[3~",
    "\x1b[Z",
]  # fmt: skip
"""All but those that leave: Ctrl-C, Ctrl-D and Ctrl-Z."""

MADE = dict(positions())


async def drained(shown: Terminal) -> list[str]:
    """The lines that were sent until now."""
    found = []
    while not shown.screen._lines._lines.empty():
        line = await shown.screen.read()
        assert line is not None
        found.append(line)
    return found


@pytest.mark.parametrize("seed", range(6))
async def test_any_key_at_any_time_and_any_size(seed: int) -> None:
    chance = random.Random(seed)
    names = sorted(MADE)
    async with terminal(depth=DEPTHS[chance.choice(sorted(DEPTHS))]) as shown:
        for _ in range(12):
            seen = MADE[chance.choice(names)]()
            seen.keys = ""
            seen.put_on(shown)
            shown.screen.is_leaving = False
            for _ in range(12):
                shown.keys.send_text("".join(chance.choice(KEYS) for _ in range(chance.randrange(1, 8))))
                await asyncio.sleep(0)
            columns, rows = chance.choice([(1, 1), (2, 1), (1, 5), (7, 3), (40, 15), (80, 24), (200, 60)])
            shown.resize(columns, rows)
            await shown.settle()
            assert shown.screen.app.is_running
            await drained(shown)
        assert shown.screen._failure is None


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 2), (3, 5), (10, 4), *SIZES])
async def test_every_size_is_drawn(size: tuple[int, int]) -> None:
    async with terminal(*size) as shown:
        at("go-fish", asked("ask")).put_on(shown)
        await shown.settle()
        assert shown.screen.app.is_running


async def test_nothing_is_written_while_nothing_changes() -> None:
    async with terminal() as shown:
        seen = at("go-fish", asked("ask"))
        seen.put_on(shown)
        await shown.settle()
        seen.tellings = []
        before = shown.written.getvalue()
        for _ in range(20):
            seen.put_on(shown)
            await asyncio.sleep(0.01)
        await shown.settle()
        assert shown.written.getvalue() == before


async def test_the_bell_rings_once_for_a_turn() -> None:
    async with terminal() as shown:
        seen = at("go-fish", asked("ask"))
        for _ in range(3):
            seen.put_on(shown)
        await shown.settle()
        assert shown.written.getvalue().count("\x07") == 1
        shown.screen._has_bell = False
        seen.actions, actions = (), seen.actions
        seen.put_on(shown)
        seen.actions = actions
        seen.put_on(shown)
        await shown.settle()
        assert shown.written.getvalue().count("\x07") == 1


async def test_two_keys_make_a_move_and_typing_makes_none() -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        shown.keys.send_text("2k")
        async with asyncio.timeout(LIMIT):
            assert await shown.screen.read() == "ask Ben K"
        shown.keys.send_text("chat 2k\r")
        async with asyncio.timeout(LIMIT):
            assert await shown.screen.read() == "chat 2k"
        shown.keys.send_text("2/hint\r")  # letters choose there
        async with asyncio.timeout(LIMIT):
            assert await shown.screen.read() == "hint"


async def test_a_key_that_is_none_of_the_choices_leaves_what_was_chosen() -> None:
    async with terminal() as shown:
        seen = at("go-fish", asked("ask"), skip=3)
        seen.put_on(shown)
        shown.keys.send_text("2z")
        lines = await shown.settle()
        while not any("Z is none of these" in line for line in lines):
            lines = await shown.settle()
        assert any("for what?" in line for line in lines)
        assert shown.screen.buffer.text == ""
        chooser = shown.screen.chooser
        assert chooser is not None
        held = {option.key for option in chooser.options()}
        key = next(key for key in "23456789" if key not in held)
        shown.keys.send_text(key)
        async with asyncio.timeout(LIMIT):
            assert await shown.screen.read() == f"ask Ben {key}"  # so the game says that it is not held
        seen.tellings = []
        seen.put_on(shown)
        assert any("for what?" in line for line in await shown.settle())


async def test_a_figure_that_is_no_first_choice_does_not_wait_in_the_line() -> None:
    """Pressed at a screen that had just changed, it would hold back all keys that follow."""
    async with terminal() as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        await shown.settle()
        shown.keys.send_text("9")
        lines = await shown.settle()
        while not any("9 is none of these" in line for line in lines):
            lines = await shown.settle()
        assert shown.screen.buffer.text == ""
        shown.keys.send_text("2k")
        async with asyncio.timeout(LIMIT):
            assert await shown.screen.read() == "ask Ben K"


async def test_a_figure_that_comes_too_early_does_not_wait_in_the_line() -> None:
    async with terminal() as shown:
        seen = at("go-fish", asked("ask"), skip=3)
        seen.actions = ()
        seen.put_on(shown)
        shown.keys.send_text("2")
        async with asyncio.timeout(LIMIT):
            while not shown.screen.notice:  # noqa: ASYNC110  # keys have no event for that
                await asyncio.sleep(0.01)
        assert shown.screen.buffer.text == ""


async def test_figures_are_typed_in_a_race() -> None:
    async with terminal() as shown:
        race().put_on(shown)
        assert shown.screen.chooser is None
        shown.keys.send_text("13\r")
        async with asyncio.timeout(LIMIT):
            assert await shown.screen.read() == "13"


async def test_a_paste_is_one_line_and_chooses_nothing() -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        text = "\x1b[200~2k\r\nask Ben 9\n" + "9" * 1_000_000 + "\x1b[201~\r"
        writing = asyncio.create_task(asyncio.to_thread(shown.keys.send_text, text))
        async with asyncio.timeout(LIMIT):
            line = await shown.screen.read()
        assert line is not None
        assert line.startswith("2k ask Ben 9 99")
        assert len(line) <= 4096
        await writing


async def test_thousands_of_lines_are_not_kept() -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask")).put_on(shown)
        shown.keys.send_text("x\r" * 5000)
        await shown.settle()
        while shown.screen._ahead < 100:  # noqa: ASYNC110  # keys have no event for that
            await asyncio.sleep(0.01)
        assert len(await drained(shown)) <= 200


async def test_private_lines_leave_nothing_behind() -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask")).put_on(shown)
        assert shown.screen.private(["Your cards: 9♠ 9♥"])
        assert any("Your cards: 9♠ 9♥" in line for line in await shown.settle())
        shown.screen.private(())
        assert not any("Your cards" in line for line in await shown.settle())
        assert not any("Your cards" in str(line) for line in shown.screen.log.lines)


async def test_the_log_is_wound_back() -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask")).put_on(shown)
        shown.screen.tell([Line(f"line {n} of the log") for n in range(100)])
        assert any("line 99 of" in line for line in await shown.settle())
        shown.keys.send_text("\x1b[5~")
        async with asyncio.timeout(LIMIT):
            while not shown.screen.scroll:  # noqa: ASYNC110  # keys have no event for that
                await asyncio.sleep(0.01)
        wound = await shown.settle()
        assert not any("line 99 of" in line for line in wound)
        assert any("more rows below" in line for line in wound)
        for _ in range(50):
            shown.screen.wind(-1)
        first = await shown.settle()
        assert any("first" in line for line in first)
        top = shown.screen.scroll
        shown.screen.wind(-1)
        assert shown.screen.scroll == top, "the beginning is the end of it"
        shown.keys.send_text("\x1b")
        async with asyncio.timeout(LIMIT):
            while shown.screen.scroll:  # noqa: ASYNC110  # keys have no event for that
                await asyncio.sleep(0.01)
        assert any("line 99 of" in line for line in await shown.settle())


async def test_ways_to_show_suits_follow_each_other() -> None:
    async with terminal(depth=DEPTHS["256"]) as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        assert any("10♣" in line for line in await shown.settle())
        for way in ("four", "ascii", "two"):
            shown.keys.send_text("\x1bOS")
            async with asyncio.timeout(LIMIT):
                while shown.screen.suits != way:  # noqa: ASYNC110  # keys have no event for that
                    await asyncio.sleep(0.01)
            lines = await shown.settle()
            assert any("10C" in line for line in lines) == (way == "ascii")


@pytest.mark.parametrize("keys", ["\r", "\x1b", "\r\r\r", "\x1b\x1b", "\r\x1b\r", " "])
async def test_what_is_pressed_without_thinking_does_not_leave_the_table(keys: str) -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask")).put_on(shown)
        shown.screen.offer((EndChoice("1", "rematch", "play again"), EndChoice(LEAVE_KEY, LEAVE, "leave")))
        shown.keys.send_text(keys)
        await shown.settle()
        assert await drained(shown) == []
        shown.screen.buffer.reset()
        shown.keys.send_text("Q")
        await shown.settle()
        assert await drained(shown) == [LEAVE]


async def test_continuing_draws_everything_again() -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask")).put_on(shown)
        before = await shown.settle()
        shown.cells.reset()
        shown.screen.stopping.continued()
        async with asyncio.timeout(LIMIT):
            while await shown.settle() != before:
                pass


@pytest.mark.parametrize("name", ["go-fish-end", "casino-end"])
async def test_the_result_stays(name: str) -> None:
    async with terminal() as shown:
        MADE[name]().put_on(shown)
        await shown.settle()
        shown.screen.ended()
        shown.screen.write("Record: x.shoal")
        assert shown.screen.log.epilogue[-1] == "Record: x.shoal"
        assert any("win" in line for line in shown.screen.log.epilogue)


@pytest.mark.parametrize(
    ("size", "said"),
    [((19, 24), "Too small: 20 x 4"), ((80, 3), "Too small: 20 x 4 at least."), ((20, 4), ""), ((1, 9), "T")],
)
async def test_a_terminal_that_is_too_small_says_so(size: tuple[int, int], said: str) -> None:
    async with terminal(*size) as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        lines = await shown.settle()
        assert any(line.startswith(said) for line in lines) if said else "Too small" not in "".join(lines)
        shown.resize(80, 24)
        assert any("Whom?" in line for line in await shown.settle())


async def test_the_safety_words_make_way_for_the_game_and_for_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ("", "    L E N S", "    B I R D", "")
    for seconds, warns in ((0.0, False), (3600.0, True)):
        monkeypatch.setattr("cli.tui.screen.TO_READ", seconds)
        async with terminal() as shown:
            shown.screen.page("Safety words", words)
            assert any("L E N S" in line for line in await shown.settle())
            MADE["go-fish-shuffle"]().put_on(shown)
            assert any("L E N S" in line for line in await shown.settle())
            at("go-fish", asked("ask"), skip=3).put_on(shown)
            assert any("L E N S" in line for line in await shown.settle()) == warns  # they are still read
            shown.screen.tell([Line("Ben is out of reach.", "warning")])
            text = "\n".join(await shown.settle())
            assert "L E N S" not in text
            assert "Ben is out of reach." in text
            shown.screen.page("words", words)  # asked for in the game it stays
            shown.screen.tell([Line("Ben is out of reach again.", "warning")])
            at("go-fish", asked("ask"), skip=4).put_on(shown)
            assert any("L E N S" in line for line in await shown.settle())


async def test_an_answer_goes_with_what_it_speaks_of() -> None:
    later = at("go-fish", asked("ask"), skip=3)
    async with terminal() as shown:
        earlier = at("go-fish", asked("ask"), skip=3)
        earlier.actions = ()
        earlier.put_on(shown)
        shown.screen.reply("It is not your turn.")
        earlier.put_on(shown)
        assert any("It is not your turn." in line for line in await shown.settle()), "nothing has changed"
        later.put_on(shown)
        lines = await shown.settle()
        assert any("Your turn" in line for line in lines)
        assert not any("It is not your turn." in line for line in lines)


async def test_a_question_that_waits_for_its_answer_stays() -> None:
    async with terminal() as shown:
        waits = at("go-fish", asked("ask"), skip=3)
        waits.actions = ()
        waits.put_on(shown)
        shown.screen.reply("Type yes to do it.", stays=True)
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        assert any("Type yes to do it." in line for line in await shown.settle())
        shown.screen.send("no")
        assert not any("Type yes to do it." in line for line in await shown.settle())


async def test_where_nobody_looks_at_an_own_hand_the_hands_count() -> None:
    here, there = (at("go-fish", asked("ask"), skip=n) for n in (3, 4))
    scenes = [
        replace(
            scene_of(each.table.show, each.table.view(), each.table.show.board(each.table.view()), (), None),
            me=None,
        )
        for each in (here, there)
    ]
    async with terminal() as shown:
        shown.screen.show(scenes[0])
        shown.screen.reply("That is not possible for Ben now.")
        shown.screen.show(scenes[0])
        assert shown.screen.notice
        shown.screen.show(scenes[1])
        assert not shown.screen.notice


class Tags:
    """A filter that finds no tag in what is typed."""

    def __init__(self, takes_figures: bool) -> None:
        self.takes_figures = takes_figures

    def taken(self, text: str, seconds: float | None) -> str | None:
        return None

    def cut(self, text: str) -> None:
        """Nobody types as a reader here."""


async def test_figures_choose_beside_readers_of_which_none_types() -> None:
    async with terminal() as shown:
        shown.screen.taps = Tags(takes_figures=False)
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        assert any("[2] Ben" in line for line in await shown.settle())
        shown.keys.send_text("2k")
        async with asyncio.timeout(LIMIT):
            assert await shown.screen.read() == "ask Ben K"


async def test_figures_that_are_left_to_a_reader_stand_at_no_choice_and_the_mark_chooses() -> None:
    async with terminal() as shown:
        shown.screen.taps = Tags(takes_figures=True)
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        lines = await shown.settle()
        assert any("Whom?" in line and "Ben" in line for line in lines)
        assert not any("[2]" in line for line in lines)
        shown.keys.send_text("2")
        while shown.screen.buffer.text != "2":
            await shown.settle()
        shown.keys.send_text("\x7f\x1b[C\r")
        while not any("for what?" in line for line in lines):
            lines = await shown.settle()
        assert await drained(shown) == []


async def test_a_hint_of_two_lines_stands_in_two_lines() -> None:
    async with terminal() as shown:
        at("one-fish", asked("ask")).put_on(shown)
        shown.screen.page("hint", ["ask Coral red | 4", "ask Finn red | 4"])
        lines = [line.strip() for line in await shown.settle()]
        assert "ask Coral red | 4" in lines
        assert "ask Finn red | 4" in lines
