"""Deck files: decks that come with Shoal, and those that a game or a user brings, checked line by line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import product
from math import prod

import msgspec

from .cards import RUN_TOGETHER, Attribute, Confused, Deck, Face, InvalidCard, spellings
from .message import Message, message_of, quoted
from .toml import Document, path_of

_VALUE = re.compile(r"[^\W_]+([-+][^\W_]+)*|\*")
"""Letters and digits, perhaps in parts joined by hyphens or plus signs; or a lone star, a wild card."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,19}")
"""Name of an attribute: people read it in sentences, and twenty letters are a long word."""

_WORDS_OF_A_GROUP = ("copies", "text")
"""What a ``[[cards]]`` table says besides values of attributes, which therefore cannot have these names."""

MOST_CARDS = 200
"""Cards of a deck. The largest of ours has 106; a shuffle of 200 cards with four attributes has 77,069 bytes
with its proof, of at most 256 KiB that a contribution may have."""


class DeckFile(msgspec.Struct, forbid_unknown_fields=True):
    """A deck file as it is written."""

    id: str
    attributes: tuple[Attribute, ...] = ()
    cards: tuple[dict[str, tuple[str, ...] | int | str], ...] = ()
    written: tuple[str, ...] = ()
    extends: str | None = None
    copies: int = 1


@lru_cache(maxsize=256)
def load_deck(name: str, limits: tuple[tuple[str, int], ...] = ()) -> Deck:
    """A deck that comes with Shoal. ``limits`` keep only the first values of an attribute of the basic pack.

    Raises ``InvalidCard`` for an unknown name, ``DataError`` for a deck file that is not sound.
    """
    # By name, not as a path: a name from a file may be of any length and have anything in it.
    decks = {each.name.removesuffix(".toml"): each for each in (files(__package__) / "decks").iterdir()}
    if name not in decks:
        raise InvalidCard(
            Message(
                "There is no deck named {name}; there are {names}.",
                name=quoted(name),
                names=", ".join(sorted(decks)),
            )
        )
    return read_deck(decks[name].read_text("utf-8"), f"{name}.toml", limits)


def read_deck(text: str, name: str, limits: tuple[tuple[str, int], ...] = ()) -> Deck:
    """The deck described by the text of a deck file; ``DataError`` with the line where it is not sound."""
    document = Document(text, name)
    return deck_file(document, convert_deck(document), limits)


def convert_deck(document: Document) -> DeckFile:
    """A deck file from its document. Raises ``DataError``."""
    try:
        return msgspec.convert(document.data, DeckFile)
    except msgspec.ValidationError as error:
        raise document.error(path_of(str(error)), Message("{error}.", error=error)) from None


def deck_file(document: Document, file: DeckFile, limits: tuple[tuple[str, int], ...] = ()) -> Deck:
    """The deck that a deck file describes. Raises ``DataError``."""
    try:
        base = load_deck(file.extends, limits) if file.extends else None
    except InvalidCard as error:
        raise document.error(("extends",), error.args[0]) from None
    attributes = _attributes(document, file, base, limits)
    added, texts = _faces(document, file, attributes, len(base) if base else 0)
    faces = (base.faces if base else ()) + tuple(added)
    texts = {**(base.named if base else {}), **texts}
    first = len(base.faces) if base else 0
    cards = base.cards if base else ()
    cards += tuple(first + n for n, copies in enumerate(added.values()) for _ in range(copies))
    if file.copies < 1:
        raise document.error(("copies",), Message("a deck has at least one copy of its cards."))
    if file.copies * len(cards) > MOST_CARDS:
        raise document.error(("copies",), Message("a deck has at most {n} cards.", n=MOST_CARDS))
    full_name = file.id + "".join(f" {attribute}={count}" for attribute, count in limits)
    try:
        written = file.written or (base.written if base else ())
        return Deck(full_name, attributes, faces, cards * file.copies, texts, written)
    except Confused as error:
        groups = [n for n, group in enumerate(file.cards) if _is_of(group, attributes, error.face)]
        raise document.error(("cards", groups[0] if groups else 0), message_of(error)) from None
    except ValueError as error:
        raise document.error(("cards", 0), message_of(error)) from None


def _is_of(
    group: Mapping[str, tuple[str, ...] | int | str], attributes: tuple[Attribute, ...], face: Face
) -> bool:
    """Whether a face is one of those that a ``[[cards]]`` table names."""
    for attribute, value in zip(attributes, face, strict=True):
        values = group.get(attribute.name, attribute.values)
        if not isinstance(values, tuple) or value not in values:
            return False
    return True


def _attributes(
    document: Document, file: DeckFile, base: Deck | None, limits: tuple[tuple[str, int], ...]
) -> tuple[Attribute, ...]:
    attributes = {attribute.name: attribute for attribute in base.attributes} if base else {}
    for n, attribute in enumerate(file.attributes):
        _check_attribute(document, n, attribute)
        values_at = ("attributes", n, "values")
        inherited = attributes.get(attribute.name)
        if base is None and inherited is not None:
            raise document.error(values_at, Message("the attribute {name} comes twice.", name=attribute.name))
        if base is not None and inherited is None:
            raise document.error(
                values_at, Message("the deck that is extended has no attribute {name}.", name=attribute.name)
            )
        if inherited is None:
            values = _first_values(document, n, attribute, dict(limits).get(attribute.name))
            whole = Attribute(attribute.name, values, attribute.aliases)
        else:
            aliases = {**inherited.aliases, **attribute.aliases}
            whole = Attribute(attribute.name, inherited.values + attribute.values, aliases)
        try:
            spellings(whole)
        except ValueError as error:
            raise document.error(values_at, message_of(error)) from None
        attributes[attribute.name] = whole
    return tuple(attributes.values())


def _check_attribute(document: Document, n: int, attribute: Attribute) -> None:
    if not all(_VALUE.fullmatch(value) for value in attribute.values):
        raise document.error(
            ("attributes", n, "values"), Message("a value is made of letters and digits, or is a star.")
        )
    if attribute.name in _WORDS_OF_A_GROUP or not _NAME.fullmatch(attribute.name):
        raise document.error(
            ("attributes", n, "name"),
            Message("an attribute cannot be called {name}.", name=quoted(attribute.name)),
        )
    for alias, value in attribute.aliases.items():
        if value not in attribute.values:
            at = ("attributes", n, "aliases", alias)
            raise document.error(at, Message("{alias} stands for no value here.", alias=alias))


def _first_values(document: Document, n: int, attribute: Attribute, most: int | None) -> tuple[str, ...]:
    """The first ``most`` values of an attribute, all of them where that is ``None``."""
    values = attribute.values[:most]
    if most is not None and len(values) != most:
        raise document.error(
            ("attributes", n, "values"),
            Message("there are only {values} values of {name}.", values=len(values), name=attribute.name),
        )
    return values


def _faces(
    document: Document, file: DeckFile, attributes: tuple[Attribute, ...], cards: int
) -> tuple[dict[Face, int], dict[Face, str]]:
    """The faces of the ``[[cards]]`` tables, each with its number of copies, and the texts of some.

    There are ``cards`` of the deck that is extended.
    """
    counts: dict[Face, int] = {}
    texts: dict[Face, str] = {}
    for n, group in enumerate(file.cards):
        values = _values_of(document, n, group, {attribute.name for attribute in attributes})
        copies, text = group.get("copies", 1), group.get("text")
        if not isinstance(copies, int) or copies < 1:
            raise document.error(("cards", n, "copies"), Message("copies is a number from 1 on."))
        each = [values.get(attribute.name, attribute.values) for attribute in attributes]
        # Counted before they are made: a short text may name millions of cards.
        cards += copies * prod(map(len, each))
        if cards > MOST_CARDS:
            raise document.error(("cards", n), Message("a deck has at most {n} cards.", n=MOST_CARDS))
        faces = list(product(*each))
        for face in faces:
            for value, attribute in zip(face, attributes, strict=True):
                if value not in attribute.values:
                    raise document.error(
                        ("cards", n, attribute.name),
                        Message("{unknown} is not a value of the deck.", unknown=quoted(value)),
                    )
            if face in counts:
                raise document.error(
                    ("cards", n), Message("the card {face} comes twice.", face=_hyphened(face))
                )
            counts[face] = copies
        if text is not None:
            if not isinstance(text, str) or not _VALUE.fullmatch(text):
                raise document.error(
                    ("cards", n, "text"), Message("text is made of letters and digits, or is a star.")
                )
            if len(faces) != 1:
                raise document.error(
                    ("cards", n, "text"), Message("{faces} cards cannot have one text.", faces=len(faces))
                )
            texts[faces[0]] = text
    return counts, texts


def _values_of(
    document: Document, n: int, group: Mapping[str, tuple[str, ...] | int | str], names: set[str]
) -> dict[str, tuple[str, ...]]:
    """The values that a ``[[cards]]`` table names for attributes of the deck."""
    values: dict[str, tuple[str, ...]] = {}
    for name, value in group.items():
        if name in _WORDS_OF_A_GROUP:
            continue
        if name not in names:
            raise document.error(("cards", n, name), Message("the deck has no attribute {name}.", name=name))
        if not isinstance(value, tuple):
            raise document.error(("cards", n, name), Message("{name} is a list of values.", name=name))
        values[name] = value
    return values


def _hyphened(values: Sequence[str]) -> str:
    return ("-" if any(len(value) > RUN_TOGETHER for value in values) else "").join(values)
