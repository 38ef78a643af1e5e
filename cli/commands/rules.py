"""``shoal rules``: the games there are, and how each is played."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from typing import Any

import click

from engine.contract import GameInfo, Option
from engine.registry import game, games

from ..options import general_options, json_option
from ..rules import GameText, text_of
from ..translation import gettext as _

WIDTH = 78
"""Columns of texts that are broken here: they fit any terminal, and are read well."""


@click.command("rules")
@click.argument("name", metavar="[GAME]", required=False)
@click.option("--options", "options_only", is_flag=True, help="Only the options of GAME.")
@json_option
@general_options
def command(name: str | None, options_only: bool, as_json: bool) -> None:
    """Read how a game is played and which options it has. Without GAME: list the games.

    \b
    Example:
      shoal rules go-fish
    """
    if name is None:
        infos = [game(each).info for each in games()]
        if as_json:
            click.echo(json.dumps([_facts(info) for info in infos]))
            return
        for info in infos:
            click.echo(_list_line(info))
        return
    info = game(name).info
    if as_json:
        click.echo(json.dumps(_facts(info)))
        return
    if options_only:
        click.echo("\n".join(_options(info, text_of(info.id))))
        return
    _show(page(info))


def _show(page: str) -> None:
    """Through a pager where a person would not see the beginning any more."""
    if sys.stdout.isatty() and page.count("\n") >= shutil.get_terminal_size().lines - 1:
        click.echo_via_pager(page)
    else:
        click.echo(page)


def _list_line(info: GameInfo) -> str:
    """With the name that commands take first."""
    return f"{info.id}  {_head(info)}"


def _head(info: GameInfo) -> str:
    text = text_of(info.id)
    seats = _("{least} to {most} players").format(least=info.least_seats, most=info.most_seats)
    about = f"\n  {text.lookup(text.summary)}" if text.summary else ""
    return f"{text.lookup(text.title)}, {seats}.{about}"


def _facts(info: GameInfo) -> dict[str, Any]:
    options = {
        option.name: {
            "default": option.values[0],
            "values": list(option.values),
            "lowest": option.lowest,
            "highest": option.highest,
        }
        for option in info.options
    }
    return {
        "id": info.id,
        "title": info.title,
        "seats": [info.least_seats, info.most_seats],
        "options": options,
        "takes_own_deck": info.takes_own_deck,
    }


def page(info: GameInfo, *, with_options: bool = True) -> str:
    """How a game is played, with its options or, for who plays it already, without them."""
    text = text_of(info.id)
    said = text.lookup
    parts = [_head(info)]
    parts += [f"{said(title)}\n{_filled(said(body))}" for title, body in text.paragraphs]
    if info.options and with_options:
        parts.append("\n".join([_("Options, the default first: --set name=value"), *_options(info, text)]))
    if text.rulings:
        rulings = [_filled(said(each), "- ") for each in text.rulings]
        parts.append("\n".join([_("Where the old rules are silent, we decided"), *rulings]))
    return "\n\n".join(parts)


def _options(info: GameInfo, text: GameText) -> list[str]:
    lines = []
    for option in info.options:
        about = text.options.get(option.name)
        lines.append(_filled(f"{option.name}: {text.lookup(about)}" if about else option.name))
        for value in _values(option):
            meaning = text.values.get((option.name, value))
            line = value + (f": {text.lookup(meaning)}" if meaning else "")
            lines.append(textwrap.fill(line, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 8))
    if info.takes_own_deck:
        lines.append(_filled(_("A deck of your own: --deck FILE instead of --set.")))
    return lines


def _values(option: Option) -> list[str]:
    values = list(option.values)
    if option.lowest is not None:
        values.append(_("a number from {low} to {high}").format(low=option.lowest, high=option.highest))
    return values


def _filled(text: str, mark: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  " + mark, subsequent_indent="  " + " " * len(mark))
