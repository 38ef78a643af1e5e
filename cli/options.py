"""Options that several commands share. Imports little but click, since every start pays for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import click

from .configuration import Configuration
from .language import LANGUAGES, choose, said_of
from .translation import gettext as _

REACTION: Final = 1.2
"""Seconds, on average, until a bot has seen what changed in a race and plays: about what a person needs to
read a line and to type a number."""

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(slots=True)
class ScreenChoice:
    """How a game is shown on a capable terminal: ``lines`` asks for a prompt instead of the full screen."""

    lines: bool = False
    suits: str = "two"
    has_bell: bool = True
    has_mouse: bool = False


@dataclass(slots=True)
class Settings:
    """What holds for the whole run: its arguments, the folder given with ``--home`` (or SHOAL_HOME),
    ``--debug``, the mean seconds until a bot of this process plays in a race, where they were chosen
    (``--reaction``), how a game is shown, and what the configuration file says."""

    args: tuple[str, ...] = ()
    home: str | None = None
    debug: bool = False
    reaction: float | None = None
    screen: ScreenChoice = field(default_factory=ScreenChoice)
    configuration: Configuration = field(default_factory=Configuration)


def general_options(command: Command) -> Command:
    """``--home``, ``--lang`` and ``--debug``, which may stand before or after the name of a command."""
    command = click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        expose_value=False,
        is_eager=True,
        callback=_set_language,
        help="Language of all texts; also SHOAL_LANG, or the locale.",
    )(command)
    command = click.option(
        "--debug", is_flag=True, expose_value=False, callback=_set_debug, help="Show what led to an error."
    )(command)
    return click.option(
        "--home",
        envvar="SHOAL_HOME",
        metavar="FOLDER",
        expose_value=False,
        callback=_set_home,
        help="Keep identity, games and records in this folder; also SHOAL_HOME.",
    )(command)


def _set_home(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    settings = ctx.ensure_object(Settings)
    # Given before the command's name it counts, unless it is given again after it.
    if value is not None and (
        settings.home is None or ctx.get_parameter_source("home") is click.core.ParameterSource.COMMANDLINE
    ):
        settings.home = value


def _set_language(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    # The program has looked for it already, since an error before this option is a text, too.
    if value is not None:
        choose(value)


def _set_debug(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.ensure_object(Settings).debug |= value


class _Seconds(click.FloatRange):
    """A range that "nan", which no comparison finds outside of it, is outside of."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            text = _("{value} is not in the range {range}.")
            self.fail(text.format(value=number, range=self._describe_range()), param, ctx)
        return number


class _Name(click.ParamType[str]):
    """A name for a player, refused at once wherever it comes from: command line, environment or file."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from p2p.link.known import clean_name  # most runs name nobody

        try:
            return clean_name(str(value))
        except ValueError as error:
            self.fail(said_of(error), param, ctx)


def _set_reaction(ctx: click.Context, param: click.Parameter, value: float | None) -> None:
    ctx.ensure_object(Settings).reaction = value


def game_options(command: Command) -> Command:
    """``--set name=value``, repeated."""
    return click.option(
        "--set",
        "chosen",
        metavar="NAME=VALUE",
        multiple=True,
        help="Set an option of the game; repeat for several. shoal rules GAME lists them.",
    )(command)


def deck_option(command: Command) -> Command:
    """``--deck``."""
    return click.option(
        "--deck", metavar="FILE", help="Play with the deck of this file (docs/decks.md describes it)."
    )(command)


def json_option(command: Command) -> Command:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON value for scripts.")(command)


def seat_options(command: Command) -> Command:
    """What ``play``, ``host``, ``join`` and ``resume`` have in common."""
    for option in (
        mouse_option,
        bell_option,
        suits_option,
        ascii_option,
        lines_option,
        plain_option,
        click.option("--record", metavar="FILE", help="Write the game's record here too."),
        click.option("--auto", is_flag=True, help="Let a bot play your seat."),
    ):
        command = option(command)
    return command


def ascii_option(command: Command) -> Command:
    """``--ascii``."""
    return click.option("--ascii", "ascii_only", is_flag=True, help="Suits as the letters C D H S.")(command)


def plain_option(command: Command) -> Command:
    """``--plain``."""
    return click.option(
        "--plain", is_flag=True, help="Plain lines without control codes, for pipes and screen readers."
    )(command)


def lines_option(command: Command) -> Command:
    """``--lines``."""
    return click.option(
        "--lines",
        is_flag=True,
        expose_value=False,
        callback=_set_lines,
        help="A prompt below lines that scroll, instead of the full screen.",
    )(command)


def suits_option(command: Command) -> Command:
    """``--suits``."""
    return click.option(
        "--suits",
        type=click.Choice(["two", "four", "ascii"]),
        default="two",
        show_default=True,
        expose_value=False,
        callback=_set_suits,
        help="Suits of the full screen: in two colours, in four, or as letters; F4 changes them.",
    )(command)


def bell_option(command: Command) -> Command:
    """``--bell`` and ``--no-bell``."""
    return click.option(
        "--bell/--no-bell",
        default=True,
        expose_value=False,
        callback=_set_bell,
        help="Whether the full screen rings the bell when it is your turn.",
    )(command)


def mouse_option(command: Command) -> Command:
    """``--mouse``."""
    return click.option(
        "--mouse/--no-mouse",
        default=False,
        expose_value=False,
        callback=_set_mouse,
        help="Whether the full screen takes clicks and the wheel; then Shift selects text.",
    )(command)


def _set_lines(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.ensure_object(Settings).screen.lines = value


def _set_suits(ctx: click.Context, param: click.Parameter, value: str) -> None:
    ctx.ensure_object(Settings).screen.suits = value


def _set_bell(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.ensure_object(Settings).screen.has_bell = value


def _set_mouse(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.ensure_object(Settings).screen.has_mouse = value


def name_option(command: Command) -> Command:
    """``--name``."""
    return click.option(
        "--name",
        type=_Name(),
        envvar="SHOAL_NAME",
        metavar="NAME",
        help="Your name at this table; also SHOAL_NAME.",
    )(command)


def bot_level_option(command: Command) -> Command:
    """``--level`` and ``--reaction``."""
    command = click.option(
        "--reaction",
        type=_Seconds(0.1, 60.0),
        metavar="SECONDS",
        expose_value=False,
        callback=_set_reaction,
        help="How long bots take to play in a race, on average; 1.2 where a person plays along.",
    )(command)
    return click.option(
        "--level",
        default="careful",
        show_default=True,
        metavar="LEVEL",
        help="How bots play: random, careful or sharp.",
    )(command)


def watchers_option(command: Command) -> Command:
    """``--watchers``."""
    return click.option(
        "--watchers",
        type=click.Choice(["none", "known", "any"]),
        default="known",
        show_default=True,
        help="Who may look on with shoal watch: nobody, whoever a player has met, or everybody.",
    )(command)


def reveal_option(command: Command) -> Command:
    """``--reveal``."""
    return click.option(
        "--reveal",
        type=click.Choice(["end", "never"]),
        default="end",
        show_default=True,
        help="Whether all cards can be read from the record after the game.",
    )(command)
