"""The form for a game: its command's options and the game's own, each a line, and what is refused. Pure.

Fields are made from the options of ``play`` and ``host`` and of the game (``cli.lobby.offers``), so that the
form says what those say and what it starts is a command line.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.contract import BadOption
from engine.options import option_text
from engine.registry import game

from ..language import either, said_of
from ..translation import gettext as _

BIG_RANGE: Final = 1000
BIG_STEP: Final = 30
"""A range of so many numbers is walked in such steps; any number in it can be typed."""

MOST_TYPED: Final = 200
"""Characters of a value that is typed: a path may have that many."""

MOST_DIGITS: Final = 6
"""Digits of a number that is typed: more than any range here."""

GAME: Final = "game"
SEATS: Final = "--seats"
BOTS: Final = "--bots"
START: Final = "--start-when"
DECK: Final = "--deck"
PEOPLE: Final = "--at-table"


@dataclass(frozen=True, slots=True)
class Field:
    """One line. ``key`` is an option's long name, or that of an option of the game (``of_game``).

    A value is one of ``values``, whose ``meanings`` are shown instead, or a number from ``least`` to
    ``most``, or, where there is neither, any text. ``words`` are those of a switch, by value. ``short`` says
    in a few words what ``about`` explains.
    """

    key: str
    about: str
    value: str
    initial: str
    values: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    least: int | None = None
    most: int | None = None
    of_game: bool = False
    words: Mapping[str, tuple[str, ...]] | None = None
    is_many: bool = False
    short: str = ""

    @property
    def label(self) -> str:
        """What stands before the value: ``about`` where that is short."""
        return self.short or self.about

    @property
    def shown(self) -> str:
        """The value as it is shown."""
        return self.meanings.get(self.value, self.value)

    @property
    def is_number(self) -> bool:
        """Whether figures can be typed."""
        return self.least is not None

    @property
    def is_text(self) -> bool:
        """Whether anything can be typed."""
        return not self.values and not self.is_number

    def fits(self) -> bool:
        """Whether the value is one that it may have."""
        if self.is_text or self.value in self.values:
            return True
        is_number = self.value.isascii() and self.value.isdecimal()
        return is_number and (self.least or 0) <= int(self.value) <= (self.most or 0)

    def possible(self) -> list[str]:
        """What the value may be, with what it means; nothing where it may be any text."""
        found = [each for each in self.values if not (self.is_number and each.isdecimal())]
        texts = [self.meanings.get(each, each) for each in found]
        explained = [
            text
            if text.casefold().startswith(each.casefold()) or not each or not self.of_game
            else f"{each}: {text}"
            for each, text in zip(found, texts, strict=True)
        ]
        if self.is_number:
            text = _("a number from {low} to {high}")
            explained.append(text.format(low=self.least, high=self.most))
        return explained

    def turned(self, steps: int) -> Field:
        """Another value: the next one (1) or the one before (-1)."""
        if self.is_text:
            return self
        names = [each for each in self.values if not (self.is_number and each.isdecimal())]
        if not self.is_number:
            at = names.index(self.value) if self.value in names else 0
            return replace(self, value=names[(at + steps) % len(names)])
        least, most = self.least or 0, self.most or 0
        if self.value in names:
            at = names.index(self.value) + steps
            if at < 0:
                return self  # the largest number is not what comes before the usual one
            return replace(self, value=names[at] if at < len(names) else str(least))
        if not self.value.isdecimal():
            return replace(self, value=str(least))
        number = int(self.value) + steps * (BIG_STEP if most - least > BIG_RANGE else 1)
        if least <= number <= most:
            return replace(self, value=str(number))
        if self.value not in (str(least), str(most)):
            return replace(self, value=str(least if steps < 0 else most))
        if names:
            return replace(self, value=names[0 if steps > 0 else -1])
        return replace(self, value=str(least if steps > 0 else most))

    def typed(self, text: str, is_first: bool) -> Field:
        """With a key typed: a figure of a number, the first one instead of what was there; or a text."""
        if self.is_text:
            return replace(self, value=(self.value + text)[:MOST_TYPED])
        if not self.is_number or not (text.isascii() and text.isdecimal()):
            return self
        before = "" if is_first or not self.value.isdecimal() else self.value
        return replace(self, value=(before + text)[:MOST_DIGITS])

    def erased(self) -> Field:
        """Without the last character that can be typed."""
        if self.is_text or (self.is_number and self.value.isdecimal()):
            return replace(self, value=self.value[:-1])
        return self

    def line(self) -> tuple[str, ...]:
        """What says the value on a command line; nothing where it is the one it has anyway."""
        if self.value == self.initial:
            return ()
        if self.words is not None:
            return self.words[self.value]
        if self.is_many:
            return tuple(word for each in _split(self.value) for word in (self.key, each))
        return (self.key, self.value) if self.value else ()


@dataclass(frozen=True, slots=True)
class GameOffer:
    """A game that can be played, and its options."""

    id: str
    title: str
    summary: str
    least: int
    most: int
    takes_deck: bool
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """What ``play`` or ``host`` (``command``) can be told."""

    command: str
    title: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A form that is being filled in; ``at`` is the field with the mark."""

    offer: Offer
    games: tuple[GameOffer, ...]
    game: GameOffer
    fields: tuple[Field, ...]
    at: int = 0
    is_typing: bool = False

    @property
    def field(self) -> Field:
        """The field with the mark."""
        return self.fields[self.at]

    def get(self, key: str) -> str:
        """The value of a field; empty where there is no such field."""
        return next((each.value for each in self.fields if each.key == key and not each.of_game), "")

    def moved(self, steps: int) -> Form:
        """The mark on another field."""
        return replace(self, at=max(0, min(len(self.fields) - 1, self.at + steps)), is_typing=False)

    def turned(self, steps: int) -> Form:
        """Another value for the field with the mark."""
        return replace(self, is_typing=False).with_field(self.field.turned(steps))

    def typed(self, text: str) -> Form:
        """A key typed into it."""
        changed = self.field.typed(text, not self.is_typing)
        return replace(self, is_typing=True).with_field(changed)

    def erased(self) -> Form:
        """Its last character taken away."""
        return replace(self, is_typing=True).with_field(self.field.erased())

    def with_field(self, changed: Field) -> Form:
        """With another value, and what follows from that."""
        if changed.key == GAME and not changed.of_game:
            return blank(self.offer, self.games, changed.value, self)
        fields = [*self.fields]
        fields[self.at] = changed
        return _limited(replace(self, fields=tuple(fields)), keeps=changed.key)

    def put(self, key: str, text: str) -> Form | None:
        """With a value for the field called ``key``, with or without its dashes; ``None`` where there
        is no such field."""
        keys = [each.key for each in self.fields]
        names = [name.removeprefix("--") for name in keys]
        wanted = key.casefold()
        if wanted not in keys + names:
            return None
        at = keys.index(wanted) if wanted in keys else names.index(wanted)
        one = self.fields[at]
        of_words = {said.casefold(): value for value, said in one.meanings.items()}
        value = next((each for each in one.values if each.casefold() == text.casefold()), None)
        value = of_words.get(text.casefold(), text) if value is None else value
        return replace(self, at=at, is_typing=True).with_field(replace(one, value=value[:MOST_TYPED]))

    def words(self) -> tuple[str, ...]:
        """The command line, without the name of the program."""
        line = [self.offer.command, self.game.id]
        for each in self.fields:
            if not each.of_game and each.key != GAME:
                line += each.line()
        own = [each for each in self.fields if each.of_game]
        if any(each.value != each.initial for each in own):
            for each in own:
                if each.value not in (each.initial, each.values[0]) or each.initial != each.values[0]:
                    line += ["--set", option_text(each.key, each.value)]
        return tuple(line)

    def problem(self) -> str:
        """Why the game cannot be played like that, in one sentence; empty where it can."""
        for each in self.fields:
            if not each.fits():
                return _("{name} can be {values}.").format(
                    name=each.key.removeprefix("--"), values=either(each.possible())
                )
        if self.get(DECK):
            return ""  # the file is read, and everything checked with it, when the game starts
        options = {each.key: each.value for each in self.fields if each.of_game}
        seats = self.seats()
        least = int(self.get(START) or seats) if self.offer.command == "host" else seats
        try:
            for count in range(min(least, seats), seats + 1):
                game(self.game.id).options(options, count)
        except BadOption as error:
            return said_of(error)
        return ""

    def meant(self, problem: str) -> list[Field]:
        """The lines that a problem speaks of, by the names that options have on the command line."""
        words = set(re.findall(r"\w+", problem))
        return [each for each in self.fields if each.of_game and each.key in words]

    def seats(self) -> int:
        """How many will sit at the table."""
        if self.offer.command == "host":
            return int(self.get(SEATS))
        return int(self.get(BOTS)) + 1 + len(_split(self.get(PEOPLE)))


def blank(offer: Offer, games: Sequence[GameOffer], name: str, before: Form | None = None) -> Form:
    """The form for the game called ``name``, with what was chosen ``before``."""
    found = next((each for each in games if each.id == name), games[0])
    titles = {each.id: each.title for each in games}
    first = Field(GAME, _("The game"), found.id, found.id, tuple(titles), titles)
    kept = {each.key: each.value for each in before.fields if not each.of_game} if before else {}
    head = [each for each in offer.fields if each.key in (SEATS, BOTS, "--level")]
    rest = [each for each in offer.fields if each not in head and (each.key != DECK or found.takes_deck)]
    own = [replace(each, value=kept[each.key]) if each.key in kept else each for each in (*head, *rest)]
    fields = (first, *own[: len(head)], *found.fields, *own[len(head) :])
    at = 0 if before is None else min(before.at, len(fields) - 1)
    return _limited(Form(offer, tuple(games), found, fields, at))


def _limited(form: Form, keeps: str = "") -> Form:
    """With the numbers of seats and bots that this game allows; ``keeps`` is the field that is being typed,
    whose value must not be taken away under the fingers."""
    least, most = form.game.least, form.game.most
    limits = {SEATS: (least, most), BOTS: (max(1, least - 1), most - 1)}
    if form.offer.command == "host":
        seats = _clamped(form.get(SEATS), least, most)
        limits |= {BOTS: (0, max(0, seats - 2)), START: (2, seats)}
    elif form.get(PEOPLE):
        others = len(_split(form.get(PEOPLE)))
        limits[BOTS] = (max(0, least - 1 - others), max(0, most - 1 - others))
    fields = []
    for each in form.fields:
        if each.key in limits and not each.of_game:
            low, high = limits[each.key]
            fixed = each.value in each.values or (each.key == keeps and form.is_typing)
            value = each.value if fixed else str(_clamped(each.value, low, high))
            fields.append(replace(each, least=low, most=high, value=value))
        else:
            fields.append(each)
    return replace(form, fields=tuple(fields))


def _clamped(text: str, least: int, most: int) -> int:
    number = int(text) if text.isdecimal() else least
    return max(least, min(most, number))


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quotation mark that is not closed yet
        return text.split()
