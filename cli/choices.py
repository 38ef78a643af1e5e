"""What people choose on the command line, checked: options of a game, a name."""

from __future__ import annotations

import getpass
from collections.abc import Mapping, Sequence
from gettext import gettext as _

from engine.contract import AnyRules, BadOption
from engine.options import parse_option

from .errors import Failure


def chosen_options(rules: AnyRules, texts: Sequence[str], seats: int) -> Mapping[str, str]:
    """All options of a game from ``name=value`` texts. Raises ``BadOption``."""
    chosen: dict[str, str] = {}
    for text in texts:
        name, value = parse_option(text)
        if chosen.setdefault(name, value) != value:
            raise BadOption(
                _("{name} is set twice, to {first} and to {second}.").format(
                    name=name, first=chosen[name], second=value
                )
            )
    return rules.options(chosen, seats)


def player_name(given: str | None) -> str:
    """The name to play under: the one given, or the login name. Raises ``Failure``."""
    from p2p.link.known import clean_name  # noqa: PLC0415  # the engine's commands need no network code

    if given is not None:
        try:
            return clean_name(given)
        except ValueError as error:
            raise Failure(str(error), _("Choose another one with --name NAME.")) from None
    try:
        login = getpass.getuser()
        return clean_name(login.capitalize()) if login != "root" else _("Player")
    except (KeyError, OSError, ValueError):
        return _("Player")
