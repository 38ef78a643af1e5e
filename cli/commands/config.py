"""``shoal config``: the settings of a player, where each comes from, and how to change them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, Final, NamedTuple

import click
from click.core import ParameterSource

from ..configuration import NOT_HERE, Configuration, named_options, variable
from ..configuration_file import defaults
from ..errors import STORAGE, Failure
from ..folders import folders
from ..language import N_
from ..options import Settings, ascii_option, general_options, json_option, name_option, plain_option
from ..program import call_here
from ..telling import tell
from ..translation import gettext as _

PLAYED: Final = ("host", "play", "join", "resume", "config")
"""Commands whose options are settings of a player; all others are for looking at something once."""

ONCE: Final = frozenset(
    {"set", "record", "at-table", "deck", "json", "auto", "bots", "resign", "rebuild", "yes"}
)
"""Options of a single game, which nobody wants to set for ever. The file may hold them all the same."""

FIRST: Final = ("name", "lang", "plain", "lines", "ascii", "suits", "bell", "level")
"""Settings that most people look for."""

WIDEST_VALUE: Final = 30
"""Columns after which a long value pushes where it comes from to the right, instead of all of them."""

_SOURCES: Final = {
    ParameterSource.COMMANDLINE: ("flag", N_("command line")),
    ParameterSource.ENVIRONMENT: ("environment", N_("environment, {variable}")),
    ParameterSource.DEFAULT_MAP: ("file", N_("file")),
    ParameterSource.DEFAULT: ("default", N_("default")),
}
"""Each source as scripts and as people read it."""


class Setting(NamedTuple):
    """One setting, its value, and where that comes from."""

    name: str
    value: Any
    source: ParameterSource

    @property
    def where(self) -> str:
        """The source as a person reads it."""
        return _(_SOURCES[self.source][1]).format(variable=variable(self.name))


class Listed(NamedTuple):
    """A setting of a player. ``table`` is the command that it is for alone, or empty."""

    table: str
    setting: Setting
    option: click.Option
    is_in_file: bool


class _Group(click.Group):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if any(each in self.commands for each in args):
            ctx.default_map = None  # a bad value in the file must not keep `set` from mending it
        return super().parse_args(ctx, args)


@click.group("config", cls=_Group, invoke_without_command=True)
@name_option
@ascii_option
@plain_option
@json_option
@general_options
@click.pass_context
def command(ctx: click.Context, name: str | None, ascii_only: bool, plain: bool, as_json: bool) -> None:
    """Show your settings and where each comes from: a flag, the environment, the file, or the default.

    \b
    Example:
      shoal config
      shoal config set name Ann
      shoal config set --for host port 7470
      shoal config show play go-fish --bots 2
    """
    if ctx.invoked_subcommand is None:
        own = {each.name: each for each in _settings(ctx.command, ctx)}
        found = [
            (each.table, own.get(each.setting.name, each.setting) if not each.table else each.setting)
            for each in every_setting(ctx)
        ]
        _print(_configuration(ctx), found, as_json, "" if as_json else _kept_name(ctx))
        if not as_json:
            tell(_("To change one: {command}").format(command=call_here("config set name Ann")))


@command.command("show", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("words", metavar="COMMAND [ARGS]...", nargs=-1, type=click.UNPROCESSED, required=True)
@click.pass_context
def show(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show what another command line would use, without running it.

    \b
    Example:
      shoal config show play go-fish --bots 2
    """
    name, args = words[0], list(words[1:])
    as_json = "--json" in args and "as_json" not in {each.name for each in found_command(ctx, name).params}
    _print(
        _configuration(ctx),
        [
            ("", each)
            for each in settings_of(ctx, name, [each for each in args if each != "--json" or not as_json])
        ],
        as_json,
    )


@command.command("set")
@click.option("--for", "table", metavar="COMMAND", help="For this command alone.")
@click.argument("key", metavar="SETTING")
@click.argument("values", metavar="VALUE...", nargs=-1, required=True)
@general_options
@click.pass_context
def set_value(ctx: click.Context, table: str | None, key: str, values: tuple[str, ...]) -> None:
    """Write a setting into the file. What else stands there, comments too, stays as it is.

    \b
    Example:
      shoal config set name Ann
      shoal config set --for host port 7470
    """
    tell(write_setting(ctx, table, key, values))


@command.command("unset")
@click.option("--for", "table", metavar="COMMAND", help="For this command alone.")
@click.argument("key", metavar="SETTING")
@general_options
@click.pass_context
def unset(ctx: click.Context, table: str | None, key: str) -> None:
    """Take a setting out of the file.

    \b
    Example:
      shoal config unset name
      shoal config unset --for host port
    """
    tell(remove_setting(ctx, table, key))


@command.command("path")
@general_options
@click.pass_context
def path(ctx: click.Context) -> None:
    """Print where the file is, or would be.

    \b
    Example:
      shoal config path
    """
    click.echo(_configuration(ctx).path)


def settings_of(ctx: click.Context, name: str, args: Sequence[str] = ()) -> list[Setting]:
    """What the command line ``name args`` would use. Raises ``Failure`` where there is no such command."""
    found = found_command(ctx, name)
    return _settings(found, _probe(found, list(args), ctx.find_root(), name))


def every_setting(ctx: click.Context) -> Iterator[Listed]:
    """All settings a player has, those of the whole program first, each once; then those that the file gives
    to single commands."""
    root, configuration = ctx.find_root().command, _configuration(ctx)
    known = root.list_commands(ctx) if isinstance(root, click.Group) else []
    found: dict[str, tuple[Setting, click.Option]] = {}
    for command in PLAYED:
        options = dict(named_options(found_command(ctx, command)))
        for each in settings_of(ctx, command):
            own = configuration.tables.get(command, {})
            is_wanted = each.name not in ONCE or each.name in configuration.for_all
            if is_wanted and each.name not in found and each.name not in own:
                found[each.name] = (each, options[each.name])
    names = [*(name for name in FIRST if name in found), *(name for name in found if name not in FIRST)]
    for name in names:
        yield Listed("", *found[name], name in configuration.for_all)
    for table in configuration.tables:
        if table not in known:
            continue  # that of no command: nobody reads it
        options = dict(named_options(found_command(ctx, table)))
        for each in settings_of(ctx, table):
            if each.name in configuration.tables[table]:
                yield Listed(table, each, options[each.name], True)


def write_setting(ctx: click.Context, table: str | None, key: str, values: Sequence[str]) -> str:
    """Set ``key`` in the file, for the command ``table`` alone or for all; a sentence that says so.

    Raises ``Failure`` and ``click.UsageError`` for what is no setting, or no value of it.
    """
    key = key.removeprefix("--")
    value = _checked(ctx, table, key, values)
    _change(ctx, table, key, value)
    return _("{key} is now {value}.").format(key=_title(table, key), value=said_value(value))


def remove_setting(ctx: click.Context, table: str | None, key: str) -> str:
    """Take ``key`` out of the file; a sentence that says so. Raises ``Failure`` where it is not there."""
    key = key.removeprefix("--")
    configuration = _configuration(ctx)
    there = configuration.tables.get(table, {}) if table else configuration.for_all
    if key not in there:
        text = _("{key} is not set in {path}.")
        raise Failure(text.format(key=_title(table, key), path=configuration.path))
    _change(ctx, table, key, None)
    return _("{key} is not set any more.").format(key=_title(table, key))


def found_command(ctx: click.Context, name: str) -> click.Command:
    """The command of that name. Raises ``Failure``."""
    root = ctx.find_root()
    assert isinstance(root.command, click.Group)
    found = root.command.get_command(root, name)
    if found is None:
        raise Failure(_('There is no command "{name}".').format(name=name))
    return found


def _configuration(ctx: click.Context) -> Configuration:
    return ctx.ensure_object(Settings).configuration


def _probe(found: click.Command, args: list[str], root: click.Context, name: str) -> click.Context:
    """The context of a command that only reads its options: nothing is required, nothing is done."""
    params = []
    for each in found.params:
        plain = copy(each)
        plain.callback, plain.required, plain.expose_value = None, False, True
        params.append(plain)
    before = root.default_map
    root.default_map = {name: defaults(_configuration(root), name, found)}
    silent = click.Command(name, params=params, context_settings={"ignore_unknown_options": True})
    silent.allow_extra_args = True
    try:
        return silent.make_context(name, args, parent=root)
    finally:
        root.default_map = before


def _settings(command: click.Command, ctx: click.Context) -> list[Setting]:
    """Every option of a command but those of a single run."""
    found = []
    for option, parameter in named_options(command):
        source = ctx.get_parameter_source(str(parameter.name))
        if source not in _SOURCES or option in NOT_HERE:
            continue
        value = ctx.params.get(str(parameter.name))
        if not parameter.expose_value and value is None:
            value = parameter.value_from_envvar(ctx) or ctx.lookup_default(str(parameter.name))
        found.append(Setting(option, value, source))
    return found


def _kept_name(ctx: click.Context) -> str:
    """The name of the identity that is played under where nothing else is said; empty before the first, and
    where the store cannot be read, which is no matter of the settings."""
    from p2p.io.store import FILE_NAME, Store, StoreError  # other settings need no network code

    try:
        where = folders(ctx.ensure_object(Settings)).data
        if not (where / FILE_NAME).exists():
            return ""
        with Store.open(where) as store:
            return next(iter(store.identity_names()), "")
    except (Failure, StoreError):
        return ""


def _print(
    configuration: Configuration, found: Sequence[tuple[str, Setting]], as_json: bool, kept: str = ""
) -> None:
    """``found`` are settings with the commands that they are for alone."""
    there = configuration.path.exists()
    if as_json:
        settings = {
            each.name: {"value": each.value, "from": _SOURCES[each.source][0]}
            for table, each in found
            if not table
        }
        facts = {"file": str(configuration.path), "exists": there, "settings": settings}
        click.echo(json.dumps({**facts, "all": configuration.for_all, "tables": configuration.tables}))
        return
    text = _("File: {path}") if there else _("File: {path} (not there yet)")
    tell(text.format(path=configuration.path))
    shown = [(_title(table, each.name), said_value(each.value), each.where) for table, each in found]
    if kept:
        usual = ("name", said_value(None), _(_SOURCES[ParameterSource.DEFAULT][1]))
        own = ("name", kept, _("kept with your identity"))
        shown = [own if each == usual else each for each in shown]
    width = max(len(name) for name, _value, _where in shown)
    column = min(WIDEST_VALUE, max(len(value) for _name, value, _where in shown))
    for name, value, where in shown:
        click.echo(f"  {name:<{width}}  {value:<{column}}  {where}")


def said_value(value: Any) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        return " ".join(map(str, value)) or "–"
    return "–" if value is None or value == "" else str(value)


def _title(table: str | None, key: str) -> str:
    return f"[{table}] {key}" if table else key


# --- writing ------------------------------------------------------------------------------------------------


def _checked(ctx: click.Context, table: str | None, key: str, values: Sequence[str]) -> Any:
    """The value as the option takes it. Raises ``Failure`` for an unknown setting or a value it refuses."""
    root = ctx.find_root()
    assert isinstance(root.command, click.Group)
    for name in [table] if table else root.command.list_commands(root):
        option = dict(named_options(found_command(ctx, name))).get(key)
        if option is None or key in NOT_HERE:
            continue
        if option.multiple:
            return list(values)
        if len(values) > 1:
            raise Failure(_("{key} has one value.").format(key=key))
        taken = option.type.convert(values[0], option, ctx)
        return taken if isinstance(taken, bool | int | float) else values[0]
    raise Failure(
        _("There is no setting {key}.").format(key=_title(table, key)),
        _("A setting is the long name of an option, such as: {command}").format(
            command=call_here("config set name Ann")
        ),
    )


def _change(ctx: click.Context, table: str | None, key: str, value: Any) -> None:
    """Write the file anew, through another one that takes its place at once."""
    import tomlkit  # only writing needs it

    from hardware.io.tag_file import write_whole  # only writing needs it

    where = _configuration(ctx).path
    try:
        text = where.read_text("utf-8") if where.exists() else ""
        document = tomlkit.parse(text)
        place: Any = document
        if table:
            if table not in document:
                document[table] = tomlkit.table()
            place = document[table]
        if value is None:
            del place[key]
        else:
            place[key] = value
        where.parent.mkdir(parents=True, exist_ok=True)
        write_whole(where, tomlkit.dumps(document))
    except OSError as error:
        text = _("{path} cannot be written: {why}.")
        raise Failure(text.format(path=where, why=error.strerror), code=STORAGE) from None
