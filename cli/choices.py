"""What people choose on the command line, checked: options of a game, a name."""

from __future__ import annotations

import getpass
import platform
import sys
from collections.abc import Mapping, Sequence
from gettext import gettext as _

import click

from engine.contract import AnyRules, BadOption
from engine.options import parse_option

from .errors import Failure
from .folders import Folders
from .language import said_of


def chosen_options(
    rules: AnyRules, texts: Sequence[str], seats: int, *, by_bots: bool = False
) -> Mapping[str, str]:
    """All options of a game from ``name=value`` texts. Raises ``BadOption``.

    ``by_bots``: the number of seats was chosen as the number of bots, one less.
    """
    chosen: dict[str, str] = {}
    for text in texts:
        name, value = parse_option(text)
        if chosen.setdefault(name, value) != value:
            raise BadOption(
                _("{name} is set twice, to {first} and to {second}.").format(
                    name=name, first=chosen[name], second=value
                )
            )
    try:
        return rules.options(chosen, seats)
    except BadOption as error:
        least, most = rules.info.least_seats, rules.info.most_seats
        if least <= seats <= most:
            raise
        if by_bots:
            hint = _("--bots takes a number from {least} to {most}.").format(least=least - 1, most=most - 1)
        else:
            hint = _("--seats takes a number from {least} to {most}.").format(least=least, most=most)
        raise Failure(said_of(error), hint) from None


def player_name(given: str | None, at: Folders, *, may_ask: bool) -> str:
    """The name to play under: the one given, the one of the last time, or what the player says now.

    Only a person at a terminal is asked (``may_ask``), once; the identity made then keeps the name. Elsewhere
    it is the login name. Raises ``Failure``.
    """
    from p2p.io.store import Store  # noqa: PLC0415  # the engine's commands need no network code
    from p2p.link.known import clean_name  # noqa: PLC0415

    if given is not None:
        try:
            return clean_name(given)
        except ValueError as error:
            raise Failure(said_of(error), _("Choose another one with --name NAME.")) from None
    with Store.open(at.data) as store:
        known = store.identity_names()
    if known:
        return known[0]
    offered = _offered_name()
    if may_ask and sys.stdin.isatty() and sys.stdout.isatty():
        return str(click.prompt(_("Your name at the table"), default=offered, value_proc=_checked_name))
    return offered


def _checked_name(text: str) -> str:
    from p2p.link.known import clean_name  # noqa: PLC0415

    try:
        return clean_name(text)
    except ValueError as error:
        raise click.UsageError(said_of(error)) from None


def _offered_name() -> str:
    """The login name, for root the machine's; a plain word where neither is a name."""
    from p2p.link.known import clean_name  # noqa: PLC0415

    try:
        login = getpass.getuser()
        return clean_name((login if login != "root" else platform.node().partition(".")[0]).capitalize())
    except (KeyError, OSError, ValueError):
        return _("Player")
