"""The entry point: finds the sub-command, and prints every error in one place."""

from __future__ import annotations

import codecs
import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from .completing import complete_values
from .configuration import NOT_HERE, family, named_options, variable
from .configuration_file import defaults, read_configuration
from .encoding import READABLE, is_ascii_locale, readable
from .errors import BUG, FINE, INTERRUPTED, USAGE, Failure, Interrupted, explain
from .language import LANGUAGES, LETTERS, N_, either, speaking, translated_command, wanted
from .options import Settings, general_options
from .program import call, call_here, running_with
from .translation import gettext as _

# What each command is for. Its module in cli.commands is imported when the command is used and not before,
# since the help has to appear at once.
COMMANDS: dict[str, str] = {
    "play": N_("Play against bots on this machine."),
    "host": N_("Open a table for others to join."),
    "join": N_("Sit down at a table on the network."),
    "watch": N_("Look on at a table, and verify all that happens there."),
    "resume": N_("Go on with a game that was paused or cut off."),
    "games": N_("List the games kept on this machine."),
    "players": N_("List the players you have met; rename, verify, forget."),
    "verify": N_("Check a recorded game: whether anybody lied."),
    "replay": N_("Step through a recorded game, with what was proved in it."),
    "export": N_("Write a kept game to a .shoal file."),
    "readers": N_("List readers of tagged cards, watch them, emulate one."),
    "tags": N_("Enroll tagged cards and tokens; list, check, copy them."),
    "table": N_("Say which pad of a real table is what."),
    "rules": N_("Read the rules of a game and its options."),
    "simulate": N_("Let bots play many games and count."),
    "scenario": N_("Run scenario files."),
    "attack": N_("Try to cheat in every known way, and see it stopped."),
    "soak": N_("Simulate tables whose network, disks and clocks fail."),
    "bench": N_("Measure the proofs on this machine."),
    "config": N_("See and change your settings."),
    "completion": N_("Print the script for completion in your shell."),
    "doctor": N_("Check what Shoal needs on this machine."),
}


SHARED: Final = ("plain", "lines")
"""Options that may stand before the name of a command, too."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of ``COMMANDS``."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or ``None`` if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"cli.commands.{cmd_name}").command
        if ctx.resilient_parsing:
            for each in family(found):
                complete_values(each)
        spoken = translated_command(found)
        for each in family(spoken):
            for name, option in named_options(each):
                option.envvar = option.envvar or (variable(name) if name not in NOT_HERE else None)
        return spoken

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As usual, but an unknown name is answered with the nearest ones, and ``help`` is ``--help``."""
        if args[:1] == ["help"]:
            if not args[1:]:
                click.echo(ctx.get_help())
                ctx.exit()
            args = [args[1], "--help"]
        if ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from .text import printable  # no start but this one pays for it

            near = get_close_matches(args[0], COMMANDS, n=2)
            clean = printable(args[0], 30)
            text = (
                _('There is no command "{name}"; did you mean {names}?')
                if near
                else _('There is no command "{name}".')
            )
            raise Failure(
                text.format(name=clean, names=either(near)),
                _("{command} lists the commands.").format(command=call("--help")),
            )
        name, found, rest = super().resolve_command(ctx, args)
        if name is not None and found is not None:
            settings = ctx.ensure_object(Settings)
            asked = {key: True for key in SHARED if ctx.params.get(key)}
            ctx.default_map = {name: {**defaults(settings.configuration, name, found), **asked}}
        return name, found, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing them."""
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(about)) for name, about in COMMANDS.items()])


def _print_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib import metadata  # costs 15 ms that only this needs

        try:
            click.echo(f"shoal {metadata.version('shoal')}")
        except metadata.PackageNotFoundError:
            click.echo(_("shoal, from a checkout that was not installed"))
        ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@general_options
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version.",
)
@click.option(
    "--plain",
    is_flag=True,
    envvar="SHOAL_PLAIN",
    help="Plain lines, for screen readers: a lobby of typed words.",
)
@click.option("--lines", is_flag=True, envvar="SHOAL_LINES", help="The same, with a prompt for editing.")
@click.pass_context
def shoal(ctx: click.Context, plain: bool, lines: bool) -> int | None:
    """Card games of the Go Fish family between people on one network: no server, no dealer, and no
    player can lie. Without a command, on a terminal: the lobby.

    \b
    Example:
      shoal                         tables on this network, a table of your own, settings, rules
      shoal play go-fish            you against three bots
      shoal host go-fish --seats 3  others join with: shoal join
    """
    if ctx.invoked_subcommand is not None:
        return None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(ctx.get_help())
        return None
    from .lobby import run_lobby  # the help has to appear at once

    for_all = ctx.ensure_object(Settings).configuration.for_all
    is_plain, has_lines = bool(plain or for_all.get("plain")), bool(lines or for_all.get("lines"))
    return run_lobby(ctx, run, is_plain=is_plain, has_lines=has_lines)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the program and exit with one of the documented codes."""
    _heed_ctrl_c()
    sys.exit(run(sys.argv[1:] if args is None else list(args)))


def _heed_ctrl_c() -> None:
    """What starts a terminal from a script in the background makes all in it deaf to Ctrl-C; who sits there
    presses it all the same."""
    is_deaf = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if is_deaf and sys.stdin is not None and sys.stdin.isatty():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def run(args: list[str]) -> int:
    """Run one command; the exit code. Errors are printed to standard error."""
    _open_missing_streams()
    settings = Settings(args=tuple(args))
    with contextlib.suppress(Failure):  # told by _run, in the language chosen
        settings.configuration = read_configuration(args)
    language, is_by_name = wanted(args, os.environ, settings.configuration.for_all.get("lang"))
    _use_readable_streams(is_by_name and language != LANGUAGES[0])
    with speaking(language if can_write(language) else LANGUAGES[0]), running_with(settings):
        return _run(args, settings)


def _run(args: list[str], settings: Settings) -> int:
    try:
        read_configuration(args)
        result: Any = translated_command(shoal).main(
            args, prog_name="shoal", standalone_mode=False, obj=settings
        )
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        if sys.stdin.isatty() and sys.stderr.isatty():
            click.echo(err=True)  # the terminal has put ^C, or a prompt, into the line
        _complain(_("Stopped."), is_error=False)
        return INTERRUPTED
    except click.UsageError as error:
        if isinstance(error, click.MissingParameter) and getattr(error.param, "metavar", "") == "GAME":
            return _ask_for_a_game(error.ctx)
        _complain(_sentence(error.format_message()), _file_hint(error, settings) or _usage_hint(error))
        return USAGE
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has seen enough, as in `shoal rules | head`; click raises the second.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except BaseException as error:  # noqa: BLE001  # the one place where errors become words
        return _report(error, settings.debug or "--debug" in args)
    return result if isinstance(result, int) else FINE


def _report(error: BaseException, debug: bool) -> int:
    failure = explain(error)
    if failure is None:
        if debug:
            traceback.print_exception(error)
        _complain(
            _("Something went wrong inside Shoal ({name}).").format(name=type(error).__name__),
            _("Run the command again with --debug and report what it prints."),
        )
        return BUG
    _complain(failure.message, failure.hint, is_error=not isinstance(failure, Interrupted))
    if debug and (causes := _causes(error)):
        from .text import printable

        click.echo(printable(_("  Caused by: {causes}").format(causes="; ".join(causes))), err=True)
    return failure.code


def _causes(error: BaseException) -> list[str]:
    """What led to an expected failure, the nearest first: types and texts that tell a developer more than
    the sentence does."""
    found: list[str] = []
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    seen = {id(error)}
    while (
        cause := error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    ) is not None:
        if id(cause) in seen:
            break
        seen.add(id(cause))
        found.append(f"{type(cause).__name__}: {cause}")
        error = cause
    return found


def _complain(message: str, hint: str = "", is_error: bool = True) -> None:
    from .telling import tell  # a start without an error need not pay for it
    from .text import printable_lines  # the same

    message = printable_lines(message)
    tell(_("Error: {message}").format(message=message) if is_error else message, err=True)
    if hint:
        tell(_("  Next: {hint}").format(hint=hint), err=True)


def _ask_for_a_game(ctx: click.Context | None) -> int:
    from engine.registry import games  # a start without an error need not pay for it

    words = ctx.command_path.split()[1:] if ctx is not None else []
    _complain(
        _("Which game? There are {names}.").format(names=", ".join(games())),
        call_here(" ".join([*words, "go-fish"])),
    )
    return USAGE


def _file_hint(error: click.UsageError, settings: Settings) -> str:
    """Where a value stands that nobody has typed just now."""
    name = error.param.name if isinstance(error, click.BadParameter) and error.param is not None else None
    if error.ctx is None or name is None:
        return ""
    if error.ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT_MAP:
        return ""
    return _("The value stands in {path}.").format(path=settings.configuration.path)


def _usage_hint(error: click.UsageError) -> str:
    words = error.ctx.command_path.split()[1:] if error.ctx is not None else []
    return _("{command} shows how it is used.").format(command=call(" ".join([*words, "--help"])))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _open_missing_streams() -> None:
    """A stream that the caller closed is None, and its number would go to the next file that is opened."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open until the end


def _use_readable_streams(must_be_utf8: bool) -> None:
    """Where the encoding has no suits, print replacements rather than fail.

    Who asks for a language with other letters by its name has a terminal that shows them, whatever the
    locale says.
    """
    codecs.register_error(READABLE, readable)
    encoding = "utf-8" if must_be_utf8 else "ascii" if is_ascii_locale(os.environ) else None
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding=encoding, errors=READABLE)


def can_write(language: str) -> bool:
    """Whether the encoding of the output has the letters of a language."""
    try:
        LETTERS[language].encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
