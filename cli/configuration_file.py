"""Reading the configuration file, with one sentence for each mistake in it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from .arguments import argument
from .configuration import NOT_HERE, Configuration, default_map, family, named_options
from .errors import STORAGE, USAGE, Failure
from .language import said
from .program import call
from .translation import gettext as _

FILE: Final = "config.toml"

MOST_BYTES: Final = 64 * 1024
"""Bytes of the file: far more than all options together need."""


def configuration_path(args: Sequence[str], environ: Mapping[str, str]) -> Path:
    """Where the file is, or would be."""
    home = argument(args, "--home") or environ.get("SHOAL_HOME", "")
    if home:
        return Path(os.path.expanduser(home)) / FILE
    import platformdirs  # with a folder of one's own it is not needed

    return platformdirs.user_config_path("shoal", appauthor=False) / FILE


def read_configuration(args: Sequence[str], environ: Mapping[str, str] = os.environ) -> Configuration:
    """What the file says; nothing where there is none. Raises ``Failure`` with the line of a mistake."""
    path = configuration_path(args, environ)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return Configuration(path)
    except OSError as error:
        text = _("{name} cannot be read: {why}.")
        why = said((error.strerror or type(error).__name__).lower())
        raise Failure(text.format(name=path, why=why), code=STORAGE) from None
    return parse_configuration(path, data)


def parse_configuration(path: Path, data: bytes) -> Configuration:
    """See ``read_configuration``."""
    import tomllib  # most players have no such file

    hint = _("Put it right, or move the file away: {path}").format(path=path)
    if len(data) > MOST_BYTES:
        raise Failure(_("{path} is larger than a configuration can be.").format(path=path), hint)
    try:
        found = tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise Failure(_("{path} is not in UTF-8.").format(path=path), hint) from None
    except tomllib.TOMLDecodeError as error:
        raise Failure(_("{path} is not TOML: {why}.").format(path=path, why=error), hint, USAGE) from None
    except (RecursionError, ValueError):  # of nested lists, and of numbers with thousands of digits
        text = _("{path} is not TOML: {why}.")
        why = _("it is nested too deeply, or a number is too long")
        raise Failure(text.format(path=path, why=why), hint, USAGE) from None
    tables = {key: value for key, value in found.items() if isinstance(value, dict)}
    for_all = {key: value for key, value in found.items() if key not in tables}
    for key, value in [*for_all.items(), *(each for table in tables.values() for each in table.items())]:
        if key in NOT_HERE:
            raise Failure(_("{path}: {key} cannot be set in a file.").format(path=path, key=key), hint)
        if not _is_plain(value):
            text = _("{path}: {key} needs a text, a number, true or false, or a list of texts.")
            raise Failure(text.format(path=path, key=key), hint)
    return Configuration(path, for_all, tables)


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(each, str) for each in value)
    return isinstance(value, str | int | float | bool)


def defaults(configuration: Configuration, name: str, command: click.Command) -> dict[str, Any]:
    """The ``default_map`` of a command. Raises ``Failure`` for a key of its table that is no option."""
    known = {option for each in family(command) for option, _parameter in named_options(each)}
    for key in configuration.tables.get(name, {}):
        if key not in known:
            text = _("{path}: [{table}] has no setting {key}.")
            hint = _("{command} lists the options.").format(command=call(f"{name} --help"))
            raise Failure(text.format(path=configuration.path, table=name, key=key), hint)
    return default_map(command, configuration.values(name))
