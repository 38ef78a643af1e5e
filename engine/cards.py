"""Decks as data: attributes, faces in a normative order, text forms."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

import msgspec

from .message import Message, quoted
from .table import Match, Partial

Face: TypeAlias = tuple[str, ...]
"""A card's face: one value per attribute of its deck."""

UNKNOWN = "?"

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
        "_between", "_by_text", "_index", "_matches", "_order", "_place", "_sort_keys", "_texts", "_values",
        "_whole", "attributes", "cards", "digest", "faces", "id", "named", "written",
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
        self._values = [spellings(attribute) for attribute in attributes]
        longest = max((len(value) for attribute in attributes for value in attribute.values), default=0)
        self._between = "-" if longest > RUN_TOGETHER else ""
        self._matches: dict[Match, Partial] = {}
        self._sort_keys: dict[Partial, tuple[int, ...]] = {}
        self._check()
        self._texts: dict[Partial, str] = {face: texts.get(face) or self._plain(face) for face in faces}
        self._whole: dict[Partial, Partial] = {}
        for face, text in texts.items():
            only = self._only(face)
            self._whole.update(dict.fromkeys(only, face))
            self._texts.update(dict.fromkeys(only, text))
        self._by_text = self._parsers()
        self.digest = hashlib.sha256(self._canonical().encode()).digest()

    def _check(self) -> None:
        faces, attributes, cards = self.faces, self.attributes, self.cards
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
            return self._index[face]  # type: ignore[index]  # what is no face is no key
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
        return sorted(faces, key=self._sort_key)

    def _sort_key(self, partial: Partial) -> tuple[int, ...]:
        key = self._sort_keys.get(partial)
        if key is None:
            places = [
                len(attribute.values) if value is None else attribute.values.index(value)
                for attribute, value in zip(self.attributes, partial, strict=True)
            ]
            key = self._sort_keys[partial] = tuple(places)
        return key

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


def spellings(attribute: Attribute) -> dict[str, str]:
    """What may be written for the values of an attribute, in capitals -> the value. Raises ``ValueError``
    where that is not certain."""
    texts = {value.upper(): value for value in attribute.values}
    if len(texts) != len(attribute.values):
        raise ValueError(Message("two values of {name} are equal.", name=attribute.name))
    for alias, value in attribute.aliases.items():
        if value in attribute.values and texts.setdefault(alias.upper(), value) != value:
            raise ValueError(
                Message("{alias} would name two values of {name}.", alias=alias, name=attribute.name)
            )
    return texts
