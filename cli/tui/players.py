"""The players on the full screen: in rows, in one row, or in boxes around the table; and one's own seat."""

from __future__ import annotations

from typing import Final

from ..translation import gettext as _
from ..translation import ngettext
from .canvas import Row, clean, cut, cut_row, flow, pad, pad_row, row_width, width, wrap
from .mouse import SEAT, on
from .parts import styled
from .scene import Player
from .sheet import Sheet

BOX: Final = (19, 32)
"""Least and most columns of a player's box."""


def me(sheet: Sheet, columns: int) -> list[Row]:
    """One's own seat."""
    assert sheet.scene is not None
    player = sheet.scene.me
    if player is None:
        return []
    row = _me(sheet, player, _(" (you)"))
    if row_width(row) > columns:
        row = _me(sheet, player, "")  # the place below all others says so, too
    return [cut_row(row, columns)]


def _me(sheet: Sheet, player: Player, you: str) -> Row:
    row: Row = [
        ("class:turn" if player.is_turn else "", f"{'►' if player.is_turn else ' '} {player.number} "),
        ("class:turn" if player.is_turn else "class:name", clean(player.name)),
        ("", you + "  " + _cards(player)),
    ]
    if player.is_turn:
        row += [("", " "), ("class:turn", _("YOUR TURN"))]
    state = _state(sheet, player)
    if state:
        row.append(("class:quiet", f"  {state}"))
    for text in (player.laid, player.note):
        if text:
            row.append(("", ", " + clean(text)))
    return row


def seats(sheet: Sheet, columns: int, has_known: bool) -> list[Row]:
    """The other players, one in a row, and what is known of their hands."""
    assert sheet.scene is not None
    others = sheet.scene.others
    names = min(max((width(clean(player.name)) for player in others), default=0), max(6, columns // 3))
    rows = []
    for player in others:
        row = _seat_row(sheet, player, names)
        if has_known and player.known:
            known = _known(player)
            if row_width(row) + 2 + width(known) > columns:
                rows += [row, *([("class:quiet", line)] for line in wrap("     " + known, columns))]
                continue
            row = [*row, ("class:quiet", "  " + known)]
        rows.append(row)
    return [cut_row(row, columns) for row in rows]


def _seat_row(sheet: Sheet, player: Player, names: int) -> Row:
    turn, state = _turn(player), _state(sheet, player)
    row: Row = [
        ("class:turn" if player.is_turn else "", f"{'►' if player.is_turn else ' '} {player.number} "),
        ("class:turn" if player.is_turn else "class:name", pad(clean(player.name), names)),
        ("", "  " + _cards(player)),
    ]
    if turn:
        row += [("", " "), ("class:turn", turn)]
    if state:
        row.append(("class:warning" if player.is_away else "class:quiet", f"  {state}"))
    for text in (player.laid, player.note):
        if text:
            row.append(("", ", " + clean(text)))
    return on(row, SEAT, player.number)


def seats_in_a_row(sheet: Sheet, columns: int) -> list[Row]:
    """The players with their numbers of cards alone."""
    assert sheet.scene is not None
    scene = sheet.scene
    players = [*([scene.me] if scene.me else []), *scene.others]
    items: list[Row] = []
    for player in players:
        style = "class:turn" if player.is_turn else ""
        mark = "►" if player.is_turn else ""
        items.append(on([(style, f"{mark}{cut(clean(player.name), 8)} {player.cards}")], SEAT, player.number))
    return flow(items, columns)[:1]


def boxes(sheet: Sheet, columns: int, has_known: bool) -> list[Row]:
    """The other players around the far side of the table."""
    assert sheet.scene is not None
    others = sheet.scene.others
    if not others:
        return []
    each = min(BOX[1], columns // len(others))
    if each < BOX[0]:
        half = -(-len(others) // 2)
        each = min(BOX[1], columns // half)
        if each < BOX[0]:
            return seats(sheet, columns, has_known)
        return [*_boxes(sheet, others[:half], each, columns, has_known),
                *_boxes(sheet, others[half:], each, columns, has_known)]  # fmt: skip
    return _boxes(sheet, others, each, columns, has_known)


def _boxes(sheet: Sheet, players: tuple[Player, ...], each: int, columns: int, has_known: bool) -> list[Row]:
    insides = [_inside(sheet, player, each - 4, has_known) for player in players]
    height = max(map(len, insides))
    drawn = [
        _box(player, inside + [[]] * (height - len(inside)), each)
        for player, inside in zip(players, insides, strict=True)
    ]
    free = columns - each * len(players)
    gap = free // (len(players) + 1)
    rows: list[Row] = []
    for parts in zip(*drawn, strict=True):
        row: Row = []
        for part in parts:
            row += [("", " " * gap), *part]
        rows.append(row)
    return rows


def _inside(sheet: Sheet, player: Player, columns: int, has_known: bool) -> list[Row]:
    turn, state = _turn(player), _state(sheet, player)
    rows: list[Row] = [[("", _cards(player))]]
    if turn:
        rows[0] += [("", " "), ("class:turn", turn)]
    if player.note:
        rows.append([("class:strong", clean(player.note))])
    rows += [[("", line)] for line in wrap(clean(player.laid), columns)[:2]] if player.laid else []
    if state:
        rows.append([("class:warning" if player.is_away else "class:quiet", state)])
    if has_known and player.known:
        lines = wrap(_known(player), columns)
        rows += [styled(line, "class:quiet") for line in lines[:3]]
        if len(lines) > 3:
            rows[-1] = [*cut_row(rows[-1], columns - 2), ("class:quiet", " …")]
    return [cut_row(row, columns) for row in rows]


def _box(player: Player, inside: list[Row], columns: int) -> list[Row]:
    style = "class:box-turn" if player.is_turn else "class:line"
    corners = "┏┓┗┛━┃" if player.is_turn else "┌┐└┘─│"
    mark = "► " if player.is_turn else ""
    name = cut(f"{mark}{player.number} {clean(player.name)}", columns - 6)
    line = corners[4]
    head: Row = [
        (style, corners[0] + line + " "),
        ("class:turn" if player.is_turn else "class:name", name),
        (style, " " + line * (columns - 5 - width(name)) + corners[1]),
    ]
    body = [
        [(style, corners[5] + " "), *pad_row(row, columns - 4), (style, " " + corners[5])] for row in inside
    ]
    rows = [head, *body, [(style, corners[2] + line * (columns - 2) + corners[3])]]
    return [on(row, SEAT, player.number) for row in rows]


def _turn(player: Player) -> str:
    return _("TURN") if player.is_turn else ""


def _cards(player: Player) -> str:
    return ngettext("{n} card", "{n} cards", player.cards).format(n=player.cards)


def _known(player: Player) -> str:
    return clean(_("known to hold {cards}").format(cards=player.known))


def _state(sheet: Sheet, player: Player) -> str:
    assert sheet.scene is not None
    if player.is_away:
        return _("out of reach")
    if sheet.scene.work is not None:
        return "…" if player.is_working else "✓" if player.has_worked else ""
    return ""
