"""Decks as data: attributes, faces in a normative order, text forms."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import product
from math import prod
from typing import TypeAlias

import msgspec

from .message import Message, message_of
from .table import Match, Partial
from .toml import Document, path_of

Face: TypeAlias = tuple[str, ...]
"""A card's face: one value per attribute of its deck."""

UNKNOWN = "?"

_VALUE = re.compile(r"[^\W_]+([-+][^\W_]+)*|\*")
"""Letters and digits, perhaps in parts joined by hyphens or plus signs; or a lone star, a wild card."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,19}")
"""Name of an attribute: people read it in sentences, and twenty letters are a long word."""

_WORDS_OF_A_GROUP = ("copies", "text")
"""What a ``[[cards]]`` table says besides values of attributes, which therefore cannot have these names."""

MOST_CARDS = 200
"""Cards of a deck. The largest of ours has 106; a shuffle of 200 cards with four attributes has 77,069 bytes
with its proof, of at most 256 KiB that a contribution may have."""

MOST_TEXTS = 20_000
"""Ways to write the cards of a deck. The largest of ours has some thousands; a deck may come from a stranger,
and with many other names for each value there would be millions."""

RUN_TOGETHER = 2
"""Letters of a value up to which the values of a card are written without a hyphen between them."""


class InvalidCard(ValueError):
    """A text that names no card, rank or other value of the deck.

    The message is one sentence for a player.
    """


class Confused(ValueError):
    """Two cards of a deck read the same, or have equal faces. ``face`` is the second one."""

    def __init__(self, problem: str, face: Face) -> None:
        super().__init__(problem)
        self.face = face


class Attribute(msgspec.Struct, frozen=True):
    """One property of a face, with its values in order and other ways to write them."""

    name: str
    values: tuple[str, ...]
    aliases: Mapping[str, str] = {}


class Deck:
    """The faces a game is played with, in a normative order, and the cards, which may repeat a face.

    ``digest`` is SHA-256 over the canonical text of everything that matters to a game, so that all seats of a
    table can be sure to mean the same cards.
    """

    __slots__ = (
        "_between", "_by_text", "_index", "_matches", "_order", "_place", "_texts", "_values", "_whole",
        "attributes", "cards", "digest", "faces", "id", "named", "written",
    )  # fmt: skip

    id: str
    attributes: tuple[Attribute, ...]
    faces: tuple[Face, ...]
    cards: tuple[int, ...]
    digest: bytes
    named: Mapping[Face, str]
    written: tuple[str, ...]

    def __init__(
        self,
        name: str,
        attributes: tuple[Attribute, ...],
        faces: tuple[Face, ...],
        cards: tuple[int, ...],
        texts: Mapping[Face, str] = {},
        written: tuple[str, ...] = (),
    ) -> None:
        """``written`` are the attributes in the order of a card's text, where that is another one.

        ``texts`` are those of faces that are not written as their values one after the other.
        Raises ``ValueError`` where faces are equal, read the same, or have unknown values.
        """
        self.id = name
        self.attributes = attributes
        self.faces = faces
        self.cards = cards
        self.named = texts
        self._index = {face: n for n, face in enumerate(faces)}
        self._place = {attribute.name: n for n, attribute in enumerate(attributes)}
        self.written = written or tuple(self._place)
        if sorted(self.written) != sorted(self._place):
            raise ValueError(Message("a card is written with each of its attributes once."))
        self._order = [self._place[name] for name in self.written]
        self._values = [_spellings(attribute) for attribute in attributes]
        longest = max((len(value) for attribute in attributes for value in attribute.values), default=0)
        self._between = "-" if longest > RUN_TOGETHER else ""
        self._matches: dict[Match, Partial] = {}
        if not faces or not attributes:
            raise ValueError(Message("a deck needs at least one attribute and one card."))
        if len(self._index) != len(faces):
            raise ValueError(Message("two faces of a deck must not be equal."))
        for face in faces:
            if len(face) != len(attributes) or any(
                value not in attribute.values for value, attribute in zip(face, attributes, strict=True)
            ):
                raise ValueError(
                    Message("the face {face} has a value the deck does not know.", face="".join(face))
                )
        if any(not 0 <= card < len(faces) for card in cards) or set(cards) != set(range(len(faces))):
            raise ValueError(Message("every face of a deck must be on at least one card."))
        self._texts: dict[Partial, str] = {face: texts.get(face) or self._plain(face) for face in faces}
        self._whole: dict[Partial, Partial] = {}
        for face, text in texts.items():
            self._whole.update(dict.fromkeys(self._only(face), face))
            self._texts.update(dict.fromkeys(self._only(face), text))
        self._by_text = self._parsers()
        self.digest = hashlib.sha256(self._canonical().encode()).digest()

    def _plain(self, partial: Partial) -> str:
        return self._between.join([partial[n] or UNKNOWN for n in self._order])

    def _only(self, face: Face) -> list[Partial]:
        """The partial faces that can be of no other card than ``face``."""
        partials = product(*((value, None) for value in face))
        return [
            partial
            for partial in partials
            if all(
                other == face or any(p not in (None, o) for p, o in zip(partial, other, strict=True))
                for other in self.faces
            )
        ]

    def _parsers(self) -> dict[str, Face]:
        texts: dict[str, Face] = {}
        spelled: list[dict[str, list[str]]] = []
        room = MOST_TEXTS
        for values in self._values:
            by_value: dict[str, list[str]] = {}
            for text, value in values.items():
                by_value.setdefault(value, []).append(text)
            spelled.append(by_value)
        for face in self.faces:
            spellings = [by[value] for by, value in zip(spelled, face, strict=True)]
            if face in self.named:
                # Written in a word of its own, or in one that all of its values share.
                found = {self.named[face].upper(), *set(spellings[0]).intersection(*spellings[1:])}
            else:
                ordered = [spellings[n] for n in self._order]
                room -= prod(map(len, ordered))
                if room < 0:
                    raise ValueError(Message("its cards have too many names: there are too many aliases."))
                found = {text for parts in product(*ordered) for text in _together(parts)}
            for text in found:
                if texts.setdefault(text, face) != face:
                    raise Confused(Message("{text} would name two different cards.", text=text), face)
        return texts

    def _canonical(self) -> str:
        lines = [f"deck {self.id}"]
        lines += [f"attribute {a.name} {' '.join(a.values)}" for a in self.attributes]
        if self.written != tuple(self._place):
            lines.append(f"written {' '.join(self.written)}")
        lines += [
            f"face {' '.join(face)}" + (f" as {self.named[face]}" if face in self.named else "")
            for face in self.faces
        ]
        lines += ["cards " + " ".join(map(str, self.cards))]
        return "\n".join(lines) + "\n"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Deck) and self.digest == other.digest)

    def __hash__(self) -> int:
        return int.from_bytes(self.digest[:8], "big")

    def __repr__(self) -> str:
        return f"Deck({self.id!r}, {len(self.cards)} cards)"

    def __len__(self) -> int:
        return len(self.cards)

    def index(self, face: Partial) -> int:
        """The place of a face in the normative order; ``InvalidCard`` for what is no face of this deck."""
        try:
            return self._index[face]  # type: ignore[index]
        except KeyError:
            raise InvalidCard(Message("{card} is not a card of this deck.", card=self.text(face))) from None

    def at(self, attribute: str) -> int:
        """The place of an attribute in a face; ``KeyError`` for an unknown one."""
        return self._place[attribute]

    def values(self, attribute: str) -> tuple[str, ...]:
        """The values of an attribute, in order."""
        return self.attributes[self._place[attribute]].values

    def count(self, match: Match) -> int:
        """How many cards of the deck match."""
        return sum(1 for card in self.cards if self.matches(self.faces[card], match))

    def text(self, partial: Partial) -> str:
        """``9H``, ``9?``, ``?H``; ``?`` where nothing is known."""
        text = self._texts.get(partial)
        if text is None:
            text = self._plain(partial) if any(partial) else UNKNOWN
        return text

    def parse(self, text: str) -> Face:
        """The face a text names, in either case; ``InvalidCard`` otherwise."""
        face = self._by_text.get(text.strip().upper())
        if face is None:
            raise InvalidCard(
                Message(
                    "{text} is not a card; a card looks like {sample}.",
                    text=quoted(text),
                    sample=self._sample(),
                )
            )
        return face

    def parse_all(self, text: str) -> tuple[Face, ...]:
        """The faces of a text with several cards; ``InvalidCard`` for one that is none."""
        return tuple(self.parse(word) for word in text.split())

    def parse_value(self, attribute: str, text: str) -> str:
        """The value of an attribute that a text names, in either case; ``InvalidCard`` otherwise."""
        value = self._values[self._place[attribute]].get(text.strip().upper())
        if value is None:
            known = " ".join(self.values(attribute))
            raise InvalidCard(
                Message(
                    "{text} is not a {kind} of this deck; there are {known}.",
                    text=quoted(text),
                    kind=Message(attribute),
                    known=known,
                )
            )
        return value

    def matches(self, partial: Partial, match: Match) -> bool | None:
        """Whether a face matches; ``None`` where too little of it is known."""
        if match.attribute:
            value = partial[self._place[match.attribute]]
            return None if value is None else value == match.value
        wanted = self._matches.get(match)
        if wanted is None:
            wanted = self._matches[match] = self.parse(match.value)
        answer: bool | None = True
        for value, want in zip(partial, wanted, strict=True):
            if value is None:
                answer = None
            elif value != want:
                return False
        return answer

    def whole(self, partial: Partial) -> Partial:
        """The face of a card with a text of its own, where only this one can be meant; else ``partial``."""
        return self._whole.get(partial, partial)

    def sorted(self, faces: Iterable[Partial]) -> list[Partial]:
        """Faces in the normative order; partly known ones by what is known, unknown values last."""
        orders = [{value: n for n, value in enumerate(a.values)} for a in self.attributes]
        return sorted(
            faces,
            key=lambda face: [
                order[value] if value is not None else len(order)
                for order, value in zip(orders, face, strict=True)
            ],
        )

    def _sample(self) -> str:
        return self.text(self.faces[0])


def _together(parts: Sequence[str]) -> list[str]:
    """Texts of a card from texts of its values: ``9H``, ``10H``, ``NINE OF HEARTS``, ``RED-TWO``.

    Words are never run together: "twos" means two cards of a rank, not the two of spades.
    """
    texts = [" OF ".join(parts), "-".join(parts)]
    if any(len(part) > RUN_TOGETHER for part in parts):
        texts.append(" ".join(parts))
    if all(len(part) <= RUN_TOGETHER for part in parts):
        texts.append("".join(parts))
    return texts


def _hyphened(values: Sequence[str]) -> str:
    return ("-" if any(len(value) > RUN_TOGETHER for value in values) else "").join(values)


def quoted(text: str) -> str:
    """A text from outside, safe to repeat: short, and without control characters."""
    clean = "".join(c if c.isprintable() else UNKNOWN for c in text)
    return f'"{clean[:20]}…"' if len(clean) > 20 else f'"{clean}"'


def _spellings(attribute: Attribute) -> dict[str, str]:
    texts = {value.upper(): value for value in attribute.values}
    if len(texts) != len(attribute.values):
        raise ValueError(Message("two values of {name} are equal.", name=attribute.name))
    for alias, value in attribute.aliases.items():
        if value in attribute.values and texts.setdefault(alias.upper(), value) != value:
            raise ValueError(
                Message("{alias} would name two values of {name}.", alias=alias, name=attribute.name)
            )
    return texts


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
    folder = files(__package__) / "decks"
    source = folder / f"{name}.toml"
    if not name.replace("-", "").replace("_", "").isalnum() or not source.is_file():
        names = [entry.name for entry in folder.iterdir()]
        known = sorted(each.removesuffix(".toml") for each in names if each.endswith(".toml"))
        raise InvalidCard(
            Message(
                "There is no deck named {name}; there are {names}.",
                name=quoted(name),
                names=", ".join(known),
            )
        )
    return read_deck(source.read_text("utf-8"), f"{name}.toml", limits)


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
    base = load_deck(file.extends, limits) if file.extends else None
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
        values_at = ("attributes", n, "values")
        if not all(_VALUE.fullmatch(value) for value in attribute.values):
            raise document.error(values_at, Message("a value is made of letters and digits, or is a star."))
        if attribute.name in _WORDS_OF_A_GROUP or not _NAME.fullmatch(attribute.name):
            raise document.error(
                ("attributes", n, "name"),
                Message("an attribute cannot be called {name}.", name=quoted(attribute.name)),
            )
        for alias, value in attribute.aliases.items():
            if value not in attribute.values:
                at = ("attributes", n, "aliases", alias)
                raise document.error(at, Message("{alias} stands for no value here.", alias=alias))
        if base is None:
            if attribute.name in attributes:
                raise document.error(
                    values_at, Message("the attribute {name} comes twice.", name=attribute.name)
                )
            keep = dict(limits).get(attribute.name, len(attribute.values))
            values = attribute.values[:keep]
            if len(values) != keep:
                raise document.error(
                    values_at,
                    Message(
                        "there are only {values} values of {name}.", values=len(values), name=attribute.name
                    ),
                )
        elif attribute.name in attributes:
            values = attributes[attribute.name].values + attribute.values
        else:
            raise document.error(
                values_at, Message("the deck that is extended has no attribute {name}.", name=attribute.name)
            )
        inherited = attributes[attribute.name].aliases if attribute.name in attributes else {}
        whole = Attribute(attribute.name, values, {**inherited, **attribute.aliases})
        try:
            _spellings(whole)
        except ValueError as error:
            raise document.error(values_at, message_of(error)) from None
        attributes[attribute.name] = whole
    return tuple(attributes.values())


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
