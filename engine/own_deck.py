"""A deck of one's own: the text of a deck file is the value of an option, so it is part of what is agreed.

It travels with the options of the table, in its canonical text. Every seat plays with it, and so does whoever
verifies the record, without having the file.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from .cards import Deck, InvalidCard
from .contract import BadOption
from .deck_files import DeckFile, convert_deck, deck_file
from .message import Message
from .toml import DataError, Document, Path

OWN_DECK = "own_deck"
"""Name of the option. Games whose ``GameInfo`` says ``takes_own_deck`` have it; left out where unused."""

MOST_BYTES = 16 * 1024
"""Bytes of a deck file in UTF-8. 200 cards, each in a table of its own, need fewer. The text goes to guests
with each change of who sits at the table, and into the charter, in frames of at most 257 KiB."""

MOST_NAME = 32
"""Characters of a deck's id: as many as a player's name has, and both stand in one line of the lobby."""

MOST_VALUE = 16
"""Characters of a value or alias: five such cards fit in a line of a terminal."""

_EMPTY = ("\u115f", "\u1160")
"""Letters of Hangul that stand for one left out, in normal form."""

_WITH_ANY = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "MODIFIER")
"""Letters that are written beside those of other alphabets, and look like none of them."""

MOST_ATTRIBUTES = 4
"""Attributes of a card: as many points as each card has ciphertexts. Ours have one or two."""


class BadDeck(BadOption):
    """A deck of one's own that cannot be played with: the line of its file, and one sentence."""

    def __init__(self, error: DataError) -> None:
        super().__init__(*error.args)
        self.line = error.line
        self.problem = error.problem


class OwnDeck:
    """A deck that was read from a user's file, and where in the file things stand."""

    __slots__ = ("_document", "_file", "deck", "text")

    def __init__(self, deck: Deck, text: str, file: DeckFile, document: Document) -> None:
        """``text`` is the canonical one."""
        self.deck = deck
        self.text = text
        self._file = file
        self._document = document

    def refuse(self, problem: str, attribute: str = "", value: str = "") -> BadDeck:
        """What to raise where a game cannot use the deck: the line of the ``value``'s first cards, or of the
        ``attribute``, or the first one.
        """
        return BadDeck(self._document.error(self._place(attribute, value), problem))

    def _place(self, attribute: str, value: str) -> Path:
        for n, group in enumerate(self._file.cards):
            named = group.get(attribute) if value else None
            if isinstance(named, tuple) and value in named:
                return ("cards", n, attribute)
        for n, each in enumerate(self._file.attributes):
            if each.name == attribute:
                return ("attributes", n, "values" if value else "name")
        return ("id",)

    def need_attributes(self, *names: str) -> None:
        """Raises ``BadDeck`` unless these are the deck's attributes, in this order."""
        there = [attribute.name for attribute in self.deck.attributes]
        if there != list(names):
            odd = next((name for name in there if name not in names), "")
            raise self.refuse(
                Message(
                    "this game needs the attributes {names}, in this order.",
                    names=", ".join(names),
                ),
                odd,
            )

    def need_values(self, attribute: str, known: Sequence[str]) -> None:
        """Raises ``BadDeck`` for a value of an attribute that the game does not know."""
        for value in self.deck.values(attribute):
            if value not in known:
                raise self.refuse(
                    Message(
                        "this game knows no {attribute} {value}; there are {known}.",
                        attribute=Message(attribute),
                        value=value,
                        known=" ".join(known),
                    ),
                    attribute,
                    value,
                )

    def need_name(self, attribute: str, value: str, name: str) -> None:
        """Raises ``BadDeck`` unless a value may be called by this name, too."""
        try:
            found = self.deck.parse_value(attribute, name)
        except InvalidCard:
            found = ""
        if found != value:
            raise self.refuse(
                Message(
                    "this game calls the {attribute} {value} {name}, too: add the alias {name}.",
                    attribute=Message(attribute),
                    value=value,
                    name=name,
                ),
                attribute,
            )

    def need_copies(self, attribute: str, least: int) -> None:
        """Raises ``BadDeck`` for a value of which there are fewer than ``least`` cards."""
        at = self.deck.at(attribute)
        counts = Counter(self.deck.faces[card][at] for card in self.deck.cards)
        for value in self.deck.values(attribute):
            if counts[value] < least:
                raise self.refuse(
                    Message(
                        "there are {count} cards of {value}, and this game needs at least {least}.",
                        count=counts[value],
                        value=value,
                        least=least,
                    ),
                    attribute,
                    value,
                )

    def need_cards(self, least: int) -> None:
        """Raises ``BadDeck`` for a deck with fewer than ``least`` cards."""
        if len(self.deck) < least:
            raise self.refuse(
                Message(
                    "the deck has {count} cards, and this table needs at least {least}.",
                    count=len(self.deck),
                    least=least,
                )
            )

    def need_single_cards(self) -> None:
        """Raises ``BadDeck`` where two cards are equal."""
        counts = Counter(self.deck.cards)
        for face, count in counts.items():
            if count > 1:
                values = self.deck.faces[face]
                raise self.refuse(
                    Message("here no two cards may be equal, as {card} are.", card=self.deck.text(values)),
                    self.deck.attributes[0].name,
                    values[0],
                )


def own_deck_of(options: Mapping[str, str]) -> OwnDeck | None:
    """The own deck that options name, as they were chosen; ``None`` without one. Raises ``BadDeck``."""
    text = options.get(OWN_DECK)
    return None if text is None else read_own_deck(text)


@lru_cache(maxsize=32)
def read_own_deck(text: str) -> OwnDeck:
    """The deck of a user's file. Raises ``BadDeck`` with the line where it is not sound."""
    name = "own_deck"
    try:
        if len(text.encode("utf-8", "replace")) > MOST_BYTES:
            raise DataError(name, 1, Message("a deck file has at most {n} bytes.", n=MOST_BYTES))
        document = Document(text, name)
        file = convert_deck(document)
        _check_names(document, file)
        deck = deck_file(document, file)
        _check_use(document, file, deck)
        _check_texts(document, file, deck)
    except DataError as error:
        raise BadDeck(error) from None
    return OwnDeck(deck, _canonical(file), file, document)


def _check_names(document: Document, file: DeckFile) -> None:
    """What a deck of a stranger's is called ends up on the screen."""
    if not 0 < len(file.id) <= MOST_NAME or not all(part.isalnum() for part in file.id.split("-")):
        raise document.error(
            ("id",),
            Message("an id has 1 to {n} letters and digits, perhaps with hyphens between.", n=MOST_NAME),
        )
    if len(file.attributes) > MOST_ATTRIBUTES:
        raise document.error(
            ("attributes", MOST_ATTRIBUTES, "name"),
            Message("a card has at most {n} attributes.", n=MOST_ATTRIBUTES),
        )
    for n, attribute in enumerate(file.attributes):
        for key, texts in (("values", attribute.values), ("aliases", tuple(attribute.aliases))):
            for text in texts:
                if len(text) > MOST_VALUE or not all(_is_shown(c) or c in "-+*" for c in text):
                    raise document.error(
                        ("attributes", n, key),
                        Message("a name has at most {n} letters and digits.", n=MOST_VALUE),
                    )
    for n, group in enumerate(file.cards):
        text = str(group.get("text", ""))
        if len(text) > MOST_VALUE or not all(c.isprintable() and not _is_empty(c) for c in text):
            raise document.error(
                ("cards", n, "text"), Message("a name has at most {n} letters and digits.", n=MOST_VALUE)
            )


def _is_shown(character: str) -> bool:
    """Whether it is a letter or digit that one can see: some Korean ones are empty."""
    return character.isalnum() and not _is_empty(character)


def _is_empty(character: str) -> bool:
    return unicodedata.normalize("NFKC", character) in _EMPTY


def _check_looks(document: Document, path: Path, values: Sequence[str], aliases: Mapping[str, str]) -> None:
    """Of two values that look alike, one player asks for the one, and another truly denies the other. Those
    of a deck that is extended count as well."""
    meant: dict[str, tuple[str, str]] = {}
    for name, value in (*((each, each) for each in values), *aliases.items()):
        other, means = meant.setdefault(_folded(name), (name, value))
        if means != value:
            raise document.error(path, Message("{one} and {other} look alike.", one=other, other=name))
    if len({_alphabet(each) for value in values for each in _folded(value)} - {""}) > 1:
        raise document.error(path, Message("the values of one attribute are written in one alphabet."))


def _check_texts(document: Document, file: DeckFile, deck: Deck) -> None:
    """A card that is written like a value of others is asked for in vain, too."""
    values = {_folded(value) for each in deck.attributes for value in each.values}
    written = Counter(_folded(deck.text(face)) for face in deck.faces)
    alphabets = {_alphabet(each) for value in values for each in value} | {""}
    own = {deck.text(face): {_folded(value) for value in face} for face in deck.faces}
    for n, group in enumerate(file.cards):
        text = str(group.get("text", ""))
        folded = _folded(text)
        if not text:
            continue
        is_of_another = folded in values and folded not in own.get(text, ())
        if is_of_another or written[folded] > 1 or not alphabets.issuperset(map(_alphabet, folded)):
            raise document.error(
                ("cards", n, "text"), Message("the text {text} could be taken for another card's.", text=text)
            )


def _folded(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(str(unicodedata.decimal(each, each)) for each in folded)


def _alphabet(letter: str) -> str:
    """The first word of a letter's name; empty for digits, and for what goes with any alphabet."""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return first if letter.isalpha() and not first.startswith(_WITH_ANY) else ""


def _check_use(document: Document, file: DeckFile, deck: Deck) -> None:
    """A value without a card is most likely a slip of the pen, and no game could use it."""
    for n, attribute in enumerate(deck.attributes):
        at = [number for number, each in enumerate(file.attributes) if each.name == attribute.name]
        path: Path = ("attributes", at[0], "values") if at else ("id",)
        _check_looks(document, path, attribute.values, attribute.aliases)
        used = {face[n] for face in deck.faces}
        unused = [value for value in attribute.values if value not in used]
        if unused:
            raise document.error(
                path,
                Message(
                    "no card has the {attribute} {value}.", attribute=Message(attribute.name), value=unused[0]
                ),
            )


def _canonical(file: DeckFile) -> str:
    """The text of a deck file that says the same, always the same way: one key a line, no comments."""
    lines = [f"id = {_text(file.id)}"]
    if file.extends is not None:
        lines.append(f"extends = {_text(file.extends)}")
    if file.copies != 1:
        lines.append(f"copies = {file.copies}")
    if file.written:
        lines.append(f"written = {_list(file.written)}")
    for attribute in file.attributes:
        lines += ["[[attributes]]", f"name = {_text(attribute.name)}", f"values = {_list(attribute.values)}"]
        if attribute.aliases:
            pairs = [f"{_text(alias)} = {_text(value)}" for alias, value in sorted(attribute.aliases.items())]
            lines.append(f"aliases = {{ {', '.join(pairs)} }}")
    for group in file.cards:
        lines.append("[[cards]]")
        for key in sorted(group):
            value = group[key]
            lines.append(f"{key} = {_list(value) if isinstance(value, tuple) else _text(value)}")
    return "\n".join(lines) + "\n"


def _text(value: str | int) -> str:
    # Strings and numbers are written in TOML as in JSON.
    return msgspec.json.encode(value).decode()


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, values))}]"
