"""Every position fits every size."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cli.ending import EndChoice
from cli.language import speaking
from cli.story import Line
from cli.tui import parts, players
from cli.tui.canvas import IN_ASCII, cut, cut_row, flow, pad, plain, row_width, width, wrap
from cli.tui.keys import Chooser
from cli.tui.layout import draw
from cli.tui.scene import scene_of
from cli.tui.sheet import Panel, Sheet
from tests.cli.tui.stage import Seen, positions

MADE = dict(positions())
MADE_ONCE: dict[str, Seen] = {}


def seen_at(name: str) -> Seen:
    if name not in MADE_ONCE:
        MADE_ONCE[name] = MADE[name]()
    return MADE_ONCE[name]


def sheet_at(name: str, **more: object) -> Sheet:
    seen = seen_at(name)
    view = seen.view or seen.table.view()
    scene = scene_of(seen.table.show, view, seen.table.show.board(view, ()), seen.actions, seen.left)
    chooser = Chooser(scene.game, seen.actions)
    log = [line for _telling, lines in seen.tellings for line in lines]
    choice = None if chooser.is_empty else chooser.choice
    return Sheet(scene, log, choice=choice, **more)


SIZES = [
    *((columns, rows) for columns in (1, 2, 3, 5, 8, 21, 40, 80, 116) for rows in range(12)),
    *((columns, rows) for columns in (1, 20, 39, 41, 80, 117, 200) for rows in (14, 15, 20, 23, 24, 30, 60)),
]  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_every_size_is_filled_and_not_left(name: str) -> None:
    sheets = (
        sheet_at(name),
        sheet_at(name, waited=75, notice="王" * 50, private=("9♠ 9♥",), is_ascii=True),
        sheet_at(name, panel=Panel("help", ("word " * 60, "", "short") * 20, 7), scroll=3),
        Sheet(None, [Line("Waiting for others. " * 8, "note")] * 30),
    )
    sheets = sheets if name in ("go-fish-turn", "casino-swap", "discount-salmon-silence") else sheets[:1]
    for columns, rows in SIZES:
        for sheet in sheets:
            drawn = draw(sheet, columns, rows)
            assert len(drawn) == rows, (columns, rows)
            assert all(row_width(row) <= columns for row in drawn), (columns, rows)
            assert all("\n" not in text for row in drawn for _style, text in row)


@pytest.mark.parametrize("name", MADE)
def test_hand_and_choices_are_the_last_to_go(name: str) -> None:
    sheet = sheet_at(name)
    assert sheet.scene is not None
    for columns, rows in ((80, 23), (40, 14), (80, 5)):
        text = " ".join("\n".join(map(plain, draw(sheet, columns, rows))).split())
        if sheet.choice is not None:
            for option in sheet.choice.options:
                assert f"[{option.shown}]" in text, (columns, rows)
        if rows > 5:
            for token in sheet.scene.hand:
                assert " ".join(token.cards) in text


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("size", [(80, 23), (40, 14), (200, 59)])
def test_whose_turn_it_is_is_a_word_and_a_mark(name: str, size: tuple[int, int]) -> None:
    sheet = sheet_at(name)
    assert sheet.scene is not None
    text = "\n".join(map(plain, draw(sheet, *size)))
    turn = [player for player in (sheet.scene.me, *sheet.scene.others) if player and player.is_turn]
    for player in turn:
        number = player.number
        assert re.search(rf"► {number} {re.escape(player.name[:10])}", text)
        assert ("YOUR TURN" if player.is_me else "TURN") in text
    if not turn:
        assert "TURN" not in text


@pytest.mark.parametrize("name", MADE)
def test_letters_are_enough(name: str) -> None:
    names = seen_at(name).table.show.names
    text = "\n".join(plain(row) for row in draw(sheet_at(name, is_ascii=True), 80, 23))
    for each in names:
        text = text.replace(each, "")
    assert text.isascii()


@pytest.mark.parametrize("name", ["go-fish-six", "casino-swap", "discount-salmon-silence", "one-fish-lay"])
def test_other_languages_fit_too(name: str) -> None:
    with speaking("mk"):
        seen = MADE[name]()
        view = seen.view or seen.table.view()
        scene = scene_of(seen.table.show, view, seen.table.show.board(view, ()), seen.actions, seen.left)
        choice = Chooser(scene.game, seen.actions).choice
        log = [line for _telling, lines in seen.tellings for line in lines]
        for columns, rows in SIZES:
            drawn = draw(Sheet(scene, log, choice=choice if seen.actions else None), columns, rows)
            assert len(drawn) == rows
            assert all(row_width(row) <= columns for row in drawn)
        text = "\n".join(plain(row) for row in draw(Sheet(scene, log), 80, 23))
        assert re.search(r"[а-ш]{4}", text)


@pytest.mark.parametrize("columns", range(1, 30))
def test_lines_are_wrapped_without_loss(columns: int) -> None:
    text = "  Ann asks 王小明 for nines, who says: Go fish! Дана draws extraordinarily9♠"
    lines = wrap(text, columns, "  ")
    assert all(width(line) <= max(columns, 2) for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_cells_are_counted_as_terminals_count_them() -> None:
    assert (width("王"), width("♠"), width("é"), width("e\u0301")) == (2, 1, 1, 1)
    assert cut("王小明", 5) == "王小…"
    assert cut("王小明", 4) == "王…"
    assert pad("王", 4) == "王  "
    assert plain(cut_row([("", "abc"), ("b", "def")], 5)) == "abcd…"
    assert [plain(row) for row in flow([[("", "one")], [("", "two")], [("", "three")]], 9)] == [
        "one  two",
        "three",
    ]
    assert all(len(chr(sign)) == width(str(letter)) == width(chr(sign)) for sign, letter in IN_ASCII.items())


def test_at_forty_columns_the_way_out_and_what_was_won_are_seen() -> None:
    sheet = sheet_at("go-fish-turn")
    row = plain(parts.footer(sheet, 40))
    assert "? help" in row
    assert "^C pause" in row
    assert "YOUR TURN, books: " in plain(players.me(sheet, 40)[0])
    panel = parts.panel(Panel("proofs", tuple(f"line {n}" for n in range(30))), 40, 9)
    assert plain(panel[-1]).endswith("Esc closes")


@pytest.mark.parametrize("columns", [36, 40, 80, 120])
def test_keys_that_go_last_are_named_at_any_width(columns: int) -> None:
    keys = [("a", "first"), ("b", "x" * 30), ("c", "y" * 30), ("?", "help"), ("q", "leave")]
    text = plain(parts.keys_row(keys, columns, ("c", "b")))
    assert text.startswith("a first   ")
    assert text.endswith("? help   q leave")
    assert width(text) <= columns
    assert ("x" in text) == (columns >= 80)


@pytest.mark.parametrize(
    ("name", "question"),
    [("go-fish-turn", ""), ("go-fish-away", "Waiting for"), ("discount-salmon-silence", "Everybody plays")],
)
@pytest.mark.parametrize("size", [(80, 23), (40, 14)])
def test_what_is_to_be_done_on_the_pads_stands_there_until_it_is_done(
    name: str, question: str, size: tuple[int, int]
) -> None:
    to_do = ("Put blank 3 back on Ann's pad.", "Take blank 4 off Ben's pad.")
    seen, sheet = seen_at(name), sheet_at(name)
    show, view = seen.table.show, seen.view or seen.table.view()
    scene = scene_of(show, view, show.board(view, seen.awaited), seen.actions, seen.left)
    sheet = Sheet(replace(scene, to_do=to_do), [Line("told since then", "note")] * 40, choice=sheet.choice)
    text = " ".join("\n".join(map(plain, draw(sheet, *size))).split())
    assert " ".join(to_do) in text
    assert question in text or size[0] == 40  # the question goes first where both have no room
    assert " Your turn. " not in text, "nothing can be decided before"


OFFERED = tuple(
    EndChoice(str(key), word, word)
    for key, word in enumerate(("play again", "all hands", "save record", "verify", "replay", "proofs"), 1)
)


@pytest.mark.parametrize("name", [name for name in MADE if name.endswith("-end")])
@pytest.mark.parametrize("size", [(80, 23), (40, 14), (40, 10)])
def test_who_has_won_is_seen_at_the_end_on_small_screens_too(name: str, size: tuple[int, int]) -> None:
    sheet = sheet_at(name, is_leaving=True, choices=OFFERED)
    assert sheet.scene is not None
    text = " ".join("\n".join(map(plain, draw(sheet, *size))).split())
    first, *others = [" ".join(line.split()) for line in sheet.scene.result]
    assert first in text
    assert all(line in text for line in others) or size[1] < 14
    assert "[6] proofs" in text
    assert "q leaves the table." in text


@pytest.mark.parametrize("more", [0, 4])
@pytest.mark.parametrize("count", [3, 5])
def test_all_hands_are_seen_at_the_end(count: int, more: int) -> None:
    names = ("Ann", "Ben", "Cy", "Dora", "Emil")[:count]
    sheet = sheet_at("casino-end")
    assert sheet.scene is not None
    (ben, *_others), board = sheet.scene.others, sheet.scene.board
    scores = tuple(f"  {name:4}     0" for name in names)
    scene = replace(
        sheet.scene,
        others=tuple(replace(ben, number=n, name=name) for n, name in enumerate(names[1:], 2)),
        board=replace(board, seats=(board.seats[0],) * count),
        result=("You win!", "The deck is used up.", "A tie goes to the Dealer.", "       sets", *scores),
    )
    said = [Line(f"Something else, {n}.", "note") for n in range(more)]
    hands = [Line(f"{name} was dealt: 5♥   10♠   J♣ J♠   K♦", "note") for name in names]
    log = [*sheet.log, Line("You win!", "result"), *said, *hands]
    choices = tuple(EndChoice(str(n), f"word{n}", f"a choice, {n}") for n in range(1, 7))
    ended = replace(sheet, scene=scene, log=log, choices=choices, is_leaving=True)
    drawn = [plain(row) for row in draw(ended, 80, 23)]
    assert all(any(line.text in row for row in drawn) for line in hands)
    assert any("You win!" in row for row in drawn)
    assert all(any(row.startswith(score) for row in drawn) for score in scores)


@pytest.mark.parametrize("name", ["casino-swap", "casino-draw", "casino-waiting", "go-fish-turn"])
def test_keys_are_named_on_the_smallest_usual_screen(name: str) -> None:
    drawn = [plain(row) for row in draw(sheet_at(name), 40, 14)]
    assert any("? help" in row for row in drawn)


def test_a_way_back_is_named_while_something_is_chosen() -> None:
    sheet, seen = sheet_at("casino-swap"), seen_at("casino-swap")
    assert sheet.scene is not None
    chooser = Chooser(sheet.scene.game, seen.actions)
    assert chooser.press("2") == ""
    drawn = [plain(row) for row in draw(replace(sheet, choice=chooser.choice), 40, 14)]
    assert any("Esc back" in row for row in drawn)


def test_a_small_table_does_not_jump_between_two_questions() -> None:
    sheet = sheet_at("go-fish-turn")
    assert sheet.scene is not None
    idle = replace(sheet, scene=replace(sheet.scene, actions=(), question=()), choice=None)
    heads = [[plain(row) for row in draw(each, 40, 14)][:2] for each in (sheet, idle)]
    assert heads[0] == heads[1]


def test_after_the_game_nothing_is_paused() -> None:
    asked = replace(sheet_at("go-fish-end"), choices=(EndChoice("enter", "", "here.shoal"),))
    row = plain(parts.footer(asked, 80))
    assert "^C leave" in row
    assert "pause" not in row


def test_an_answer_in_two_lines_stays_in_two_lines() -> None:
    rows = [plain(row) for row in parts.notice(replace(sheet_at("go-fish-turn"), notice="one\ntwo"), 80)]
    assert rows == ["one", "two"]


@pytest.mark.parametrize("size", [(40, 14), (80, 23)])
def test_all_that_may_be_chosen_is_shown(size: tuple[int, int]) -> None:
    sheet, seen = sheet_at("casino-swap"), seen_at("casino-swap")
    assert sheet.scene is not None
    chooser = Chooser(sheet.scene.game, seen.actions)
    chooser.press("2")
    drawn = "\n".join(plain(row) for row in draw(replace(sheet, choice=chooser.choice), *size))
    assert len(chooser.choice.options) > 4
    assert all(f"[{option.shown}] {option.label}" in drawn for option in chooser.choice.options)
