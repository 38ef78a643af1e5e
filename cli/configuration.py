"""The configuration file: values for options that neither the command line nor the environment gives.

It is ``config.toml`` in the platform's folder for configuration, or in the folder that ``--home`` or
SHOAL_HOME names. A key is the long name of an option; in a table named after a command it counts for that
command alone::

    name = "Ann"
    ascii = true

    [host]
    port = 7470

click takes the values from its ``default_map``, so that flags and the environment go before them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

NOT_HERE: Final = frozenset({"home", "debug", "help", "version"})
"""Options that no file can set: they say where the file is, or are for one run."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What the file says. ``for_all`` are the keys before the first table, ``tables`` those of commands."""

    path: Path = Path("config.toml")
    for_all: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def values(self, name: str) -> Mapping[str, Any]:
        """Keys and values that count for the command ``name``, by the options' long names."""
        return {**self.for_all, **self.tables.get(name, {})}


def named_options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    """The options of a command by their long names, without the dashes."""
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in parameter.opts:
                if option.startswith("--"):
                    yield option[2:], parameter


def family(command: click.Command) -> Iterator[click.Command]:
    """A command and all commands below it."""
    yield command
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from family(each)


def default_map(command: click.Command, values: Mapping[str, Any]) -> dict[str, Any]:
    """What click takes for options that nobody gives, from values by the options' long names."""
    found: dict[str, Any] = {
        str(parameter.name): values[option]
        for option, parameter in named_options(command)
        if option in values
    }
    if isinstance(command, click.Group):
        found |= {name: default_map(each, values) for name, each in command.commands.items()}
    return found


def variable(option: str) -> str:
    """The environment variable of an option: SHOAL_NAME for ``name``."""
    return "SHOAL_" + option.replace("-", "_").upper()
