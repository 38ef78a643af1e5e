"""Which language is spoken, and how sentences that were made elsewhere are said in it.

All texts are looked up in the catalogue of this package (``cli.translation``) at the moment they are shown;
``choose`` sets the language for the whole process. click looks its own texts up in the same catalogue.
"""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Final, TypeGuard

import click

from .arguments import argument
from .translation import gettext as _
from .translation import spoken, use

if TYPE_CHECKING:
    from engine.message import Message

LANGUAGES: Final = ("en", "mk")
"""The first one is that of the source."""

LETTERS: Final = {"en": "a", "mk": "ѓѕјљњќџ"}
"""Some letters of each language that an encoding without it lacks."""

VARIABLE: Final = "SHOAL_LANG"


def N_(message: str) -> str:
    """Marks a template for the catalogue; it is translated where it is used."""
    return message


def choose(language: str) -> None:
    """Speak ``language`` from now on."""
    # click and children of this process find it there.
    os.environ["LANGUAGE"] = language
    use(language)


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak ``language`` for as long as the block runs."""
    before, environment = spoken(), os.environ.get("LANGUAGE")
    choose(language)
    try:
        yield
    finally:
        use(before)
        os.environ.pop("LANGUAGE", None)
        if environment is not None:
            os.environ["LANGUAGE"] = environment


def wanted(
    args: Sequence[str], environ: Mapping[str, str], configured: str | None = None
) -> tuple[str, bool]:
    """The language asked for, and whether by name: with ``--lang``, SHOAL_LANG or the configuration file
    (``configured``) rather than by the locale.

    A value of ``--lang`` that is no language is refused later, in English.
    """
    for asked in (argument(args, "--lang"), environ.get(VARIABLE, ""), configured):
        if asked:
            return (asked if asked in LANGUAGES else LANGUAGES[0]), True
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    names = [locale]
    if locale.partition(".")[0] not in ("", "C", "POSIX"):  # LANGUAGE counts in a real locale only
        names = [*environ.get("LANGUAGE", "").split(":"), locale]
    found = [code for name in names if (code := name[:2].lower()) in LANGUAGES and not name[2:3].isalpha()]
    return (found[0] if found else LANGUAGES[0]), False


def said(text: str) -> str:
    """A sentence of the engine or of a peer in the language chosen; what is not known is left as it is."""
    if _is_message(text):
        template = _(text.template) if text.template else ""
        fields = {
            name: said(value) if isinstance(value, str) else value for name, value in text.fields.items()
        }
        return template.format(**fields) if fields else template
    if not text or spoken() in ("", LANGUAGES[0]):
        return text
    from .speech.sentences import recognised  # a table that English does not need

    return recognised(text)


def said_of(error: BaseException) -> str:
    """What an error says, in the language chosen."""
    first = error.args[0] if error.args else None
    return said(first if isinstance(first, str) and _is_message(first) else str(error))


def either(words: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    if len(words) < 2:
        return "".join(words)
    return _("{some} or {last}").format(some=", ".join(words[:-1]), last=words[-1])


def _is_message(text: Any) -> TypeGuard[Message]:
    """Told by what it has: help and errors of the command line need not load the engine."""
    return hasattr(text, "template")


def translated_command(command: click.Command) -> click.Command:
    """A copy of a command whose help is in the language chosen."""
    spoken = copy(command)
    spoken.help = _(inspect.cleandoc(command.help)) if command.help else command.help
    spoken.short_help = _(command.short_help) if command.short_help else command.short_help
    spoken.options_metavar = _("[OPTIONS]")
    spoken.params = [_translated_parameter(each) for each in command.params]
    if isinstance(spoken, click.Group):
        spoken.subcommand_metavar = _("COMMAND [ARGS]...")
        spoken.commands = {name: translated_command(each) for name, each in spoken.commands.items()}
    return spoken


def _translated_parameter(parameter: click.Parameter) -> click.Parameter:
    spoken = copy(parameter)
    if spoken.metavar:
        spoken.metavar = _(spoken.metavar)
    if isinstance(spoken, click.Option):
        spoken.help = _(spoken.help) if spoken.help else spoken.help
        if not spoken.metavar and not spoken.is_flag and isinstance(spoken.type, type(click.INT)):
            spoken.metavar = _("INTEGER")
    return spoken


def NN_(one: str, many: str) -> tuple[str, str]:
    """Marks a pair of templates for the catalogue, as ``N_`` does."""
    return one, many


CLICK_TEXTS: Final = (
    N_("Usage:"),
    N_("Options"),
    N_("Commands"),
    N_("Positional arguments"),
    N_("Show this message and exit."),
    N_("default: {default}"),
    N_("env var: {var}"),
    N_("required"),
    N_("Missing command."),
    N_("Missing argument"),
    N_("Missing option"),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("No such option {name!r}."),
    N_("No such command {name!r}."),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    N_("Option {name!r} does not take a value."),
    *NN_("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    *NN_("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    *NN_("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    *NN_("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
)
"""What click says that a player can meet, so that it is in our catalogue."""
