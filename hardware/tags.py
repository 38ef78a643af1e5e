"""The tag book: which tag is which card, which player's token, which command. Pure; it is kept elsewhere.

A tag is enrolled once, with any reader, and found again however another reader spells it (`Book.find`).
`Enrolment` walks through a deck, tap by tap; a book that was written down in between goes on where it
stopped. `check` says what a book lacks for a deck. Its text forms are in `hardware.tag_texts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum

from .uids import Flaw, Relation, Technology, Uid, flaws, forms, unpadded

__all__ = [
    "Ambiguous",
    "Answer",
    "BadTags",
    "Book",
    "Enrolment",
    "Found",
    "Kind",
    "Outcome",
    "Problem",
    "Tag",
    "check",
    "quoted",
]

MOST_TAGS = 1000
"""Tags of a book: five of the largest decks, with tokens and commands."""

LONGEST_NAME = 40
"""Characters of a name; it stands in sentences on a screen."""

_SPELLED = {
    Relation.REVERSED: "turned round",
    Relation.CHECK_BYTE: "with a check byte",
    Relation.SHORTENED: "in part",
    Relation.CUT: "cut after three bytes",
}


class Kind(StrEnum):
    """What a tag stands for. A blank is a card without a print, bound to a card when it is drawn."""

    CARD = "card"
    PLAYER = "player"
    COMMAND = "command"
    BLANK = "blank"


class BadTags(ValueError):
    """Tags that make no book. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class Tag:
    """One enrolled tag. ``name`` is the text of a card, the name of a player or command, or the number of a
    blank."""

    uid: Uid
    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class Found:
    """A tag of the book, and how its spelling relates to the one it was enrolled with."""

    tag: Tag
    relation: Relation


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several tags of the book look like this to the reader."""

    tags: tuple[Tag, ...]


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_NAME and text.isprintable() and text == text.strip()


class Book:
    """All enrolled tags, in the order of their enrolment. It never changes; `bind` and `without` give another
    one.

    Raises `BadTags` if two tags have one id, or a name is empty, too long or not printable.
    """

    __slots__ = ("_derived", "_exact", "tags")

    tags: tuple[Tag, ...]

    def __init__(self, tags: Iterable[Tag] = ()) -> None:
        self.tags = tuple(tags)
        if len(self.tags) > MOST_TAGS:
            raise BadTags(f"A book has at most {MOST_TAGS} tags.")
        self._exact: dict[bytes, Tag] = {}
        self._derived: dict[bytes, list[Found]] = {}
        for tag in self.tags:
            if not _is_name(tag.name):
                long = f"1 to {LONGEST_NAME} printable characters"
                raise BadTags(f"{quoted(tag.name)} is no name for a tag: it needs {long}.")
            other = self._exact.setdefault(tag.uid.data, tag)
            if other is not tag:
                raise BadTags(f"{other.name} and {tag.name} have the same tag id.")
            seen: dict[bytes, Relation] = {}
            for form, relation in forms(tag.uid.data):
                if seen.setdefault(form, relation) == relation:
                    self._derived.setdefault(form, []).append(Found(tag, relation))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Book) and other.tags == self.tags

    def __hash__(self) -> int:
        return len(self.tags)

    def __len__(self) -> int:
        return len(self.tags)

    def of(self, kind: Kind) -> tuple[Tag, ...]:
        """The tags of one kind."""
        return tuple(tag for tag in self.tags if tag.kind is kind)

    def bind(self, tag: Tag) -> Book:
        """The book with one more tag."""
        return Book((*self.tags, tag))

    def without(self, uid: Uid) -> Book:
        """The book without the tag that was enrolled as ``uid``."""
        return Book(tag for tag in self.tags if tag.uid != uid)

    def merged(self, other: Book) -> Book:
        """Both books; a tag that is in both with the same meaning counts once. Raises `BadTags` otherwise."""
        mine = {tag.uid.data: tag for tag in self.tags}
        new = []
        for tag in other.tags:
            known = mine.get(tag.uid.data)
            if known is None:
                new.append(tag)
            elif (known.kind, known.name) != (tag.kind, tag.name):
                raise BadTags(f"One tag is {known.name} in one book and {tag.name} in the other.")
        return Book((*self.tags, *new))

    def find(self, uid: Uid) -> Found | Ambiguous | None:
        """The tag that a reader means by ``uid``: by the surest relation that leads to any tag."""
        exact = self._exact.get(uid.data)
        if exact is not None:
            return Found(exact, Relation.SAME)
        hits: dict[bytes, tuple[tuple[Relation, int], Tag]] = {}
        for rank, data in enumerate((uid.data, *uid.also)):
            for found in self._candidates(data):
                key = found.tag.uid.data
                hit = ((found.relation, min(rank, 1)), found.tag)
                hits[key] = min(hits.get(key, hit), hit, key=lambda each: each[0])
        if not hits:
            return None
        best = min(rank for rank, _ in hits.values())
        tags = [tag for rank, tag in hits.values() if rank == best]
        return Found(tags[0], best[0]) if len(tags) == 1 else Ambiguous(tuple(tags))

    def _candidates(self, data: bytes) -> Iterable[Found]:
        yield from self._derived.get(data, ())
        for form, relation in forms(data):
            if (tag := self._exact.get(form)) is not None:
                yield Found(tag, relation)

    def known(self, uid: Uid) -> Uid | None:
        """How the book has ``uid``; what `hardware.presence.Tracker` asks."""
        found = self.find(uid)
        return found.tag.uid if isinstance(found, Found) else None


class Outcome(Enum):
    """What a tap at enrolment did."""

    ENROLLED = "enrolled"
    REPEATED = "repeated"
    """The card enrolled last was tapped again: nothing happens."""
    TAKEN = "taken"
    """The tag stands for something already."""
    REFUSED = "refused"
    """The tag can never be told apart reliably."""
    COMPLETE = "complete"
    """There is nothing left to enrol."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tap did, as a sentence for people, and the tag it was about."""

    outcome: Outcome
    sentence: str
    tag: Tag | None = None


class Enrolment:
    """Tap after tap through ``names``, each as often as it stands there; what ``book`` has of them is done
    already.

    So a walk is resumed by making a new one from the book it left. ``book`` is to be kept after each tap.
    """

    def __init__(self, book: Book, kind: Kind, names: Sequence[str]) -> None:
        self.book = book
        self.kind = kind
        self.total = len(names)
        have = Counter(tag.name for tag in book.of(kind))
        self._left: list[str] = []
        for name in names:
            if have[name]:
                have[name] -= 1
            else:
                self._left.append(name)
        self._enrolled: list[Tag] = []

    @property
    def next(self) -> str | None:
        """What is to be tapped now."""
        return self._left[0] if self._left else None

    @property
    def done(self) -> int:
        """How many of ``total`` are enrolled."""
        return self.total - len(self._left)

    def tap(self, uid: Uid) -> Answer:
        """A tag was tapped: it becomes `next`, unless it cannot."""
        found = self.book.find(uid)
        if self._enrolled and isinstance(found, Found) and found.tag == self._enrolled[-1]:
            return Answer(Outcome.REPEATED, f"That was {found.tag.name} again. {self._now()}", found.tag)
        if not self._left:
            return Answer(Outcome.COMPLETE, f"All {self.total} are enrolled.")
        useless = next((flaw for flaw in flaws(uid) if flaw in {Flaw.EMPTY, Flaw.RANDOM}), None)
        if useless is not None:
            return Answer(Outcome.REFUSED, f"{useless.value} {self._now()}")
        if found is not None:
            return self._taken(uid, found)
        tag = Tag(Uid(uid.data, uid.technology), self.kind, self._left[0])
        self.book = self.book.bind(tag)
        self._enrolled.append(tag)
        del self._left[0]
        warning = "".join(f" {flaw.value}" for flaw in flaws(uid))
        return Answer(Outcome.ENROLLED, f"{tag.name} is enrolled.{warning} {self._now()}", tag)

    def unclear(self, text: str, why: str) -> Answer:
        """The reader gave a text that is no certain id: it may be one that was printed without leading
        zeros."""
        alike = [tag for tag in self.book.tags if unpadded(tag.uid.data) == text.strip().lower()]
        if len(alike) == 1:
            return Answer(
                Outcome.TAKEN, f"This is probably {alike[0].name}, which is enrolled. {why}", alike[0]
            )
        return Answer(Outcome.REFUSED, why)

    def skip(self) -> None:
        """Put `next` off until the end."""
        self._left.append(self._left.pop(0)) if self._left else None

    def go_to(self, name: str) -> bool:
        """Let ``name`` be `next`, if it is still to be enrolled; whether it is."""
        if name not in self._left:
            return False
        self._left.remove(name)
        self._left.insert(0, name)
        return True

    def redo(self, tag: Tag) -> bool:
        """Take a tag of this walk's kind away, whenever it was enrolled; its name is `next`. False where the
        book does not have it, or the walk does not need it."""
        if tag not in self.book.of(self.kind) or self.done == 0:
            return False
        self.book = self.book.without(tag.uid)
        self._enrolled = [each for each in self._enrolled if each != tag]
        self._left.insert(0, tag.name)
        return True

    def undo(self) -> Tag | None:
        """Take the last enrolment of this walk back; it is `next` again."""
        if not self._enrolled:
            return None
        tag = self._enrolled.pop()
        self.book = self.book.without(tag.uid)
        self._left.insert(0, tag.name)
        return tag

    def _now(self) -> str:
        return f"Now tap {self._left[0]}." if self._left else f"All {self.total} are enrolled."

    def _taken(self, uid: Uid, found: Found | Ambiguous) -> Answer:
        if isinstance(found, Ambiguous):
            names = " and ".join(tag.name for tag in found.tags[:2])
            sentence = f"To this reader the tag looks like {names}: enrol with another reader."
            return Answer(Outcome.REFUSED, sentence)
        name = found.tag.name
        if found.relation is not Relation.SAME:
            how = _SPELLED[found.relation]
            sentence = f"This looks like {name}: the reader gives its id {how}. Enrol with one reader."
        elif flaws(uid):
            sentence = f"To this reader the tag looks like {name}. {flaws(uid)[0].value}"
        else:
            sentence = (
                f"This tag is {name} already. Another card with the same id is a copy: replace its tag."
            )
        return Answer(Outcome.TAKEN, f"{sentence} {self._now()}", found.tag)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a book. ``serious``: a game cannot be played with it."""

    serious: bool
    sentence: str


def check(book: Book, cards: Sequence[str]) -> list[Problem]:
    """What a book lacks for a deck whose cards are ``cards``, each as often as the deck has it."""
    wanted, have = Counter(cards), Counter(tag.name for tag in book.of(Kind.CARD))
    missing, surplus = list((wanted - have).elements()), list((have - wanted).elements())
    problems = []
    if len(missing) == 1:
        problems.append(Problem(True, f"One card has no tag: {_some(missing)}."))
    elif missing:
        problems.append(Problem(True, f"{len(missing)} cards have no tag: {_some(missing)}."))
    if len(surplus) == 1:
        problems.append(Problem(False, f"One tag is of no card of this deck: {_some(surplus)}."))
    elif surplus:
        problems.append(Problem(False, f"{len(surplus)} tags are of no card of this deck: {_some(surplus)}."))
    for flaw in Flaw:
        names = [tag.name for tag in book.tags if flaw in flaws(tag.uid)]
        if names:
            problems.append(Problem(flaw in {Flaw.EMPTY, Flaw.RANDOM}, f"{_some(names)}: {flaw.value}"))
    tokens = Counter(tag.name for tag in book.tags if tag.kind in {Kind.PLAYER, Kind.COMMAND})
    twice = [name for name, count in tokens.items() if count > 1]
    if twice:
        problems.append(Problem(False, f"Several tags stand for {_some(twice)}: any of them will do."))
    short = [
        tag.name for tag in book.of(Kind.CARD)
        if len(tag.uid.data) == 4 and tag.uid.technology in {Technology.ISO14443A, Technology.UNKNOWN}
    ]  # fmt: skip
    if short:
        text = f"{len(short)} cards have ids of four bytes, which makers have used more than once."
        problems.append(Problem(False, text))
    return problems + _alike(book)


def _alike(book: Book) -> list[Problem]:
    """Tags that some reader cannot tell apart."""
    by_form: dict[tuple[Relation, bytes], dict[bytes, Tag]] = {}
    for tag in book.tags:
        for form, relation in forms(tag.uid.data):
            by_form.setdefault((relation, form), {})[tag.uid.data] = tag
    problems = []
    for relation in (Relation.REVERSED, Relation.SHORTENED, Relation.CUT):
        pairs: dict[tuple[str, ...], None] = {}
        for (kind, form), tags in by_form.items():
            others = {**tags, **by_form.get((Relation.SAME, form), {})} if kind is Relation.REVERSED else tags
            if kind is relation and len(others) > 1:
                pairs[tuple(sorted(tag.name for tag in others.values())[:2])] = None
        if pairs:
            first = " and ".join(next(iter(pairs)))
            text = f"A reader that gives ids {_SPELLED[relation]} cannot tell {first} apart"
            more = f", nor {len(pairs) - 1} other pairs" if len(pairs) > 1 else ""
            problems.append(Problem(False, f"{text}{more}."))
    return problems


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(names[:8]) + more


def quoted(text: str) -> str:
    """A text from outside, safe to repeat: short and printable."""
    clean = "".join(c if c.isprintable() else "?" for c in text[:30])
    return f'"{clean}"'
