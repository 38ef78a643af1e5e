"""The ways of playing with cards one can touch, by the names that ``--cards`` takes (``options.CARDS``)."""

from __future__ import annotations

from importlib import import_module

from ..errors import Failure
from ..translation import gettext as _
from .base import Mode, Setting


def mode_of(name: str, setting: Setting) -> Mode:
    """The mode of that name, opened at a table: the module of that name has ``open_mode(setting)``.

    Raises ``Failure`` where it is not there.
    """
    check_mode(name)
    mode: Mode = import_module(f"{__package__}.{name}").open_mode(setting)
    return mode


def check_mode(name: str) -> None:
    """Raises ``Failure`` for a mode that this copy of the program does not have."""
    module = f"{__package__}.{name}"
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise Failure(_("--cards {name} cannot be played with this version.").format(name=name)) from None
