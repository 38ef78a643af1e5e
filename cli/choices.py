"""What people choose on the command line, checked: options of a game, a name."""

from __future__ import annotations

import getpass
import platform
import sys
from collections.abc import Mapping, Sequence

import click

from engine.cards import Deck
from engine.contract import AnyRules, BadOption
from engine.options import parse_option
from engine.own_deck import MOST_BYTES, OWN_DECK, BadDeck, own_deck_of, read_own_deck
from engine.toml import DataError

from .errors import BAD, Failure
from .files import read_bytes
from .folders import Folders
from .language import said_of
from .program import call
from .translation import gettext as _
from .translation import ngettext


def chosen_options(
    rules: AnyRules, texts: Sequence[str], seats: int, deck: str | None = None, *, by_bots: bool = False
) -> Mapping[str, str]:
    """All options of a game from ``name=value`` texts, and from the deck file called ``deck``.

    ``by_bots``: the number of seats was chosen as the number of bots, one less. Raises ``BadOption``, and
    ``DataError`` for a deck file that this game cannot be played with.
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
    if deck is not None:
        chosen[OWN_DECK] = deck_text(deck)
    try:
        return rules.options(chosen, seats)
    except BadDeck as error:
        if deck is None:
            raise
        raise DataError(deck, error.line, error.problem) from None
    except BadOption as error:
        least, most = rules.info.least_seats, rules.info.most_seats
        if least <= seats <= most:
            command = call(f"rules {rules.info.id} --options")
            raise Failure(said_of(error), _("{command} lists the options.").format(command=command)) from None
        if by_bots:
            hint = _("--bots takes a number from {least} to {most}.").format(least=least - 1, most=most - 1)
        else:
            hint = _("--seats takes a number from {least} to {most}.").format(least=least, most=most)
        raise Failure(said_of(error), hint) from None


def deck_text(file: str) -> str:
    """The text of a deck file. Raises ``Failure``."""
    try:
        return read_bytes(file, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Failure(_("{file} is no text in UTF-8.").format(file=file), code=BAD) from None


def deck_named(file: str) -> Deck:
    """The deck of a deck file. Raises ``Failure``, ``DataError``."""
    try:
        return read_own_deck(deck_text(file)).deck
    except BadDeck as error:
        raise DataError(file, error.line, error.problem) from None


def about_own_deck(options: Mapping[str, str]) -> str:
    """The deck of one's own that is played with, in a few words; empty for a deck of the game's."""
    try:
        own = own_deck_of(options)
    except BadOption:  # a host may send anything; the table is refused when it is agreed on
        return _("a deck that cannot be read")
    if own is None:
        return ""
    return ngettext("the deck {name} ({n} card)", "the deck {name} ({n} cards)", len(own.deck)).format(
        name=own.deck.id, n=len(own.deck)
    )


def player_name(given: str | None, at: Folders, *, may_ask: bool) -> str:
    """The name to play under: the one given, the one of the last time, or what the player says now.

    Only a person at a terminal is asked (``may_ask``), once; the identity made then keeps the name. Elsewhere
    it is the login name. Raises ``Failure``.
    """
    from p2p.io.store import Store  # the engine's commands need no network code

    if given is not None:
        return given
    with Store.open(at.data) as store:
        known = store.identity_names()
    if known:
        return known[0]
    offered = offered_name()
    if may_ask and can_ask():
        return str(click.prompt(_("Your name at the table"), default=offered, value_proc=_checked_name))
    return offered


def _checked_name(text: str) -> str:
    from p2p.link.known import clean_name

    try:
        return clean_name(text)
    except ValueError as error:
        raise click.UsageError(said_of(error)) from None


def can_ask() -> bool:
    """Whether a person sits there who can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def confirmed(question: str) -> bool:
    """What is said to a question that ends with the letters of yes and no, in the language chosen or in
    English; Enter alone is no."""
    from .console import fitted  # most commands ask nothing
    from .lines import NO, YES
    from .telling import is_shown

    def is_yes(text: str) -> bool:
        word = text.strip().casefold()
        if word not in ("", *YES, *NO):
            raise click.UsageError(_("Type yes or no."))
        return word in YES

    shown = fitted(question) if is_shown(sys.stdout) else question
    return bool(click.prompt(shown, default="", show_default=False, prompt_suffix=" ", value_proc=is_yes))


def offered_name() -> str:
    """The login name, for root the machine's; a plain word where neither is a name."""
    from p2p.link.known import clean_name

    try:
        login = getpass.getuser()
        return clean_name((login if login != "root" else platform.node().partition(".")[0]).capitalize())
    except (KeyError, OSError, ValueError):
        return _("Player")
