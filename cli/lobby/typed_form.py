"""A form in plain lines: the game, then its options by their names, until Enter alone starts."""

from __future__ import annotations

from collections.abc import Callable

from ..console import Console
from ..speech.verbs import in_english
from ..text import printable
from ..translation import gettext as _
from .form import Field, Form, GameOffer, blank
from .state import Facts

CANCEL = ("cancel", "back", "quit")


class EndOfInput(Exception):
    """Nobody types any more."""


async def fill(console: Console, facts: Facts, command: str, name: str) -> tuple[str, ...]:
    """The command line that comes out, or nothing where its player goes back. ``name`` is the game, if it was
    typed already. Raises ``EndOfInput``."""
    game = _found(facts, name) if name else await _ask_game(console, facts)
    if game is None:
        return (command, name) if name else ()
    form = blank(facts.offers[command], facts.games, game.id)
    console.write(f"{form.offer.title}: {form.game.title}.")
    console.write(
        _(
            "Enter alone starts. Type list for the options and what each is now, the name of one and a "
            "value to change it, or cancel."
        )
    )
    console.words = _words(form)
    while True:
        word, _space, value = (await _read(console)).partition(" ")
        word = in_english(word)
        if word.casefold() in CANCEL:
            console.write(_("Nothing was started."))
            return ()
        if word.casefold() in ("list", "options", "help", "?"):
            for each in form.fields:
                console.write(_said(each))
        elif word:
            form = _changed(console, form, word, value.strip())
            console.words = _words(form)
        elif problem := form.problem():
            console.write(problem)
        else:
            return form.words()


def _words(form: Form) -> Callable[[], list[str]]:
    return lambda: ["list", "cancel", *(_name(each) for each in form.fields)]


def _changed(console: Console, form: Form, word: str, value: str) -> Form:
    """With another value; what is the matter is said, and what it is now."""
    changed = form.put(word, value)
    if changed is None:
        text = _("There is no option {name}; list shows them.")
        console.write(text.format(name=printable(word, 30)))
        return form
    now = changed.field
    if not value and not now.is_text:
        console.write(_said(next(each for each in form.fields if each.key == now.key)))
        return form
    if not now.fits():
        console.write(changed.problem())
        return form
    console.write(_said(now))
    if problem := changed.problem():
        console.write(problem)
    return changed


def _found(facts: Facts, text: str) -> GameOffer | None:
    for n, one in enumerate(facts.games, 1):
        if text.casefold() in (one.id, one.title.casefold(), str(n)):
            return one
    return None


async def _ask_game(console: Console, facts: Facts) -> GameOffer | None:
    usual = _found(facts, facts.last_game) or facts.games[0]
    console.write(_("Which game? Type its number; Enter alone takes {game}.").format(game=usual.title))
    for n, one in enumerate(facts.games, 1):
        console.write(f"{n}: {one.title}. {one.summary}")
    while True:
        line = await _read(console)
        if in_english(line).casefold() in CANCEL:
            return None
        game = _found(facts, line) if line else usual
        if game is not None:
            return game
        console.write(_("Type a number from 1 to {n}, or cancel.").format(n=len(facts.games)))


async def _read(console: Console) -> str:
    line = await console.read()
    if line is None:
        raise EndOfInput
    return line.strip()


def _name(each: Field) -> str:
    return each.key.removeprefix("--")


def _said(each: Field) -> str:
    """A field in one line: its name, its value, what it is and what it may be."""
    about = each.about if each.about.endswith((".", "?", "!")) else f"{each.about}."
    text = _("{name} is {value}. {about} It may be {possible}.")
    possible = "; ".join(each or "–" for each in each.possible()) or _("any text")
    return text.format(name=_name(each), value=each.shown or "–", about=about, possible=possible)
