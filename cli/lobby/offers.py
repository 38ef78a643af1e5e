"""What can be chosen: options of ``play``, ``host`` and each game as fields of a form, and the settings.

All of it is made from the commands themselves, so that the lobby offers what they take and says what they
say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import click
from click.core import ParameterSource

from engine.bots import BOTS
from engine.contract import GameInfo, Option
from engine.options import parse_option
from engine.registry import game, games

from ..commands.config import Setting as Found
from ..commands.config import every_setting, found_command, said_value, settings_of
from ..configuration import named_options
from ..language import LANGUAGES, N_
from ..rules import text_of
from ..translation import gettext as _
from .form import START, Field, GameOffer, Offer
from .state import Setting

ELSEWHERE: Final = frozenset(
    {"lang", "plain", "lines", "ascii", "suits", "bell", "mouse", "name", "set", "record"}
)
"""Options that no form needs: they are settings, or (``set``) fields of their own."""

MOST_OF_ANY: Final = 99
"""The most of a number that the command itself bounds later, such as the seats, by the game."""

COMMANDS: Final[Mapping[str, str]] = {"play": N_("Practice against bots"), "host": N_("Host a table")}
EMPTY: Final[Mapping[str, str]] = {
    START: N_("when the table is full"),
    "--port": N_("the usual one, or any that is free"),
    "--recovery": N_("as usual"),
    "--reaction": N_("as usual"),
}
"""What an option means that is not given."""


SHORT: Final[Mapping[str, str]] = {
    "--at-table": N_("Others beside you, with real cards"),
    "--cards": N_("Where your cards are"),
    "--deck": N_("A deck of your own, from a file"),
    "--grace": N_("Seconds to wait for who is away"),
    "--here-only": N_("On this machine alone, unannounced"),
    "--level": N_("How bots play"),
    "--port": N_("Port to listen at"),
    "--open": N_("Seat everybody who comes, unasked"),
    "--reaction": N_("How fast bots are in a race, in seconds"),
    "--reader": N_("Which reader of tagged cards"),
    "--recovery": N_("Go on when a player leaves"),
    "--reveal": N_("All cards readable after the game"),
    "--watchers": N_("Who may look on"),
    START: N_("Begin as soon as so many are ready"),
}
"""Labels of a form for options whose explanation is longer than a line has room for."""

LEVELS: Final = {"random": N_("random"), "careful": N_("careful"), "sharp": N_("sharp")}
"""How bots play, as a form says it."""

SHORT_OF_GAME: Final[Mapping[tuple[str, str], str]] = {
    ("casino", "dealer_takes_from"): N_("Patrons the Dealer may take from"),
    ("casino", "scoring"): N_("Whose sets the Dealer has to beat"),
    ("discount-salmon", "finish_on"): N_("When the game ends"),
    ("discount-salmon", "stale_seconds"): N_("Seconds of silence until a stalemate"),
    ("discount-salmon", "tick_ms"): N_("Thousandths of a second in a tick"),
    ("go-fish", "allow_ask_own_card"): N_("Asking for a card one holds"),
    ("go-fish", "extra_turn_on_drawn_hit"): N_("Another turn for a lucky draw"),
    ("go-fish", "refill_count"): N_("Cards that an empty hand draws"),
    ("go-fish", "refill_when"): N_("When an empty hand draws"),
}
"""The same for options of our games, by the game and the name of the option."""


def offer_of(ctx: click.Context, command: str) -> tuple[Offer, dict[str, str]]:
    """The fields of a command, with the values that the file and the environment give, and the options of
    games that those choose."""
    found = {each.name: each for each in settings_of(ctx, command)}
    fields = []
    chosen: dict[str, str] = {}
    for name, option in named_options(found_command(ctx, command)):
        if name == "set" and name in found:
            chosen = dict(parse_option(text) for text in found[name].value or ())
        if name in found and name not in ELSEWHERE:
            fields.append(_field(name, option, found[name].value))
    return Offer(command, _(COMMANDS[command]), tuple(fields)), chosen


def _field(name: str, option: click.Option, value: Any) -> Field:
    key = f"--{name}"
    about = (option.help or name).removesuffix(".")
    more: dict[str, Any] = {}
    meanings: dict[str, str] = {}
    if name == "level":
        more = {"values": tuple(BOTS)}
        meanings = {each: _(LEVELS[each]) for each in BOTS if each in LEVELS}
    elif option.is_flag:
        value, more = _switch(option, value)
    elif isinstance(option.type, click.Choice):
        more = {"values": tuple(str(each) for each in option.type.choices)}
    elif isinstance(option.type, click.types.IntParamType):
        least, most = 0, MOST_OF_ANY
        if isinstance(option.type, click.IntRange):
            least, most = int(option.type.min or 0), int(option.type.max or MOST_OF_ANY)
        more = {"least": least, "most": most}
        if value is None:
            more["values"] = ("",)
    elif option.multiple:
        more = {"is_many": True}
        value = " ".join(value or ())
    text = "" if value is None else str(value)
    if key in EMPTY and "" not in more.get("values", ()) and value is None and more.get("values"):
        more["values"] = ("", *more["values"])
    meanings |= {"": _(EMPTY[key])} if key in EMPTY else {}
    if option.is_flag:
        meanings |= {"yes": _("yes"), "no": _("no")}
    short = _(SHORT[key]) if key in SHORT else ""
    return Field(key, about, text, text, meanings=meanings, short=short, **more)


def _switch(option: click.Option, value: Any) -> tuple[str, dict[str, Any]]:
    """A flag: what it is now, and the words that make it another."""
    yes, no = option.opts[0], option.secondary_opts[0] if option.secondary_opts else None
    words: dict[str, tuple[str, ...]] = {"yes": (yes,), "no": (no,) if no else ()}
    values: tuple[str, ...] = ("no", "yes")
    if value is None:
        words[""], values = (), ("", "yes", "no")
    elif value and not no:
        values = ("yes",)  # set in the file, and no flag takes that back
    return ("" if value is None else "yes" if value else "no"), {"values": values, "words": words}


def game_offers(chosen: Mapping[str, str]) -> Iterator[GameOffer]:
    """All games, with the options that the file chooses for those that have them."""
    for name in games():
        info = game(name).info
        text = text_of(name)
        fields = tuple(_option(info, option, chosen) for option in info.options)
        yield GameOffer(
            name,
            text.lookup(text.title),
            text.lookup(text.summary) if text.summary else "",
            info.least_seats,
            info.most_seats,
            info.takes_own_deck,
            fields,
        )


def _option(info: GameInfo, option: Option, chosen: Mapping[str, str]) -> Field:
    text = text_of(info.id)
    about = text.options.get(option.name)
    meanings = {"true": _("yes"), "false": _("no")} if option.values[0] in ("true", "false") else {}
    for value in option.values:
        if (option.name, value) in text.values:
            meaning = text.lookup(text.values[option.name, value])
            # "the whole pack" alone would not say how many cards that is.
            meanings[value] = f"{value}: {meaning}" if value.isdecimal() else meaning
    value = chosen.get(option.name, option.values[0])
    return Field(
        option.name,
        _begun(text.lookup(about)).removesuffix(".") if about else option.name,
        value,
        value,
        option.values,
        meanings,
        option.lowest,
        option.highest,
        of_game=True,
        short=_(SHORT_OF_GAME.get((info.id, option.name), "")),
    )


def _begun(text: str) -> str:
    """A text that begins a line, as those of a command's options do."""
    return text[:1].upper() + text[1:]


# --- settings -----------------------------------------------------------------------------------------------


def settings(ctx: click.Context) -> Iterator[Setting]:
    """All settings a player has, as ``shoal config`` lists them."""
    for each in every_setting(ctx):
        yield _setting(each.table, each.setting, each.option, each.is_in_file)


def _setting(table: str, found: Found, option: click.Option, is_in_file: bool) -> Setting:
    choices: tuple[str, ...] = ()
    raw = "" if found.value is None else str(found.value)
    if found.name == "level":
        choices = tuple(BOTS)
    elif option.is_flag:
        choices = ("no", "yes")
        raw = "" if found.value is None else "yes" if found.value else "no"
    elif isinstance(option.type, click.Choice):
        choices = tuple(str(each) for each in option.type.choices)
    elif option.multiple:
        raw = " ".join(map(str, found.value or ()))
    if found.name == "lang":
        choices = LANGUAGES
    about = option.help or found.name
    return Setting(
        table, found.name, raw, said_value(found.value), found.where, about, choices, is_in_file,
        found.source in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT),
    )  # fmt: skip
