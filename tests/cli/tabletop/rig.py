"""A mode at a table without readers: tags for everything, and taps with the time they happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cli.boards import board_of
from cli.tabletop import Act, Mode, Output, Say, Setting, Touch
from cli.tabletop.words import COMMAND_TAGS
from cli.text import Glyphs, Speaker
from engine.cards import Deck
from engine.contract import AnyRules
from hardware.events import Place
from hardware.pads import Pads, Role
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid

PAD = Place("reader")


def book_of(deck: Deck, names: Sequence[str]) -> Book:
    """A tag for every card of a deck, each player and each command."""
    texts = [(Kind.CARD, deck.text(deck.faces[card])) for card in deck.cards]
    texts += [(Kind.PLAYER, name) for name in names]
    texts += [(Kind.COMMAND, word) for word in COMMAND_TAGS]
    return Book(Tag(Uid(n.to_bytes(7, "big")), kind, name) for n, (kind, name) in enumerate(texts, 1))


def setting_of(
    rules: AnyRules,
    deck: Deck,
    names: Sequence[str],
    local: tuple[int, ...] = (0,),
    pads: Pads | None = None,
    book: Book | None = None,
    is_common: bool = False,
) -> Setting:
    """A table at which the ``local`` seats have tagged cards."""
    names = tuple(names)
    speakers = {seat: Speaker(names, seat, Glyphs(), rules.info.id) for seat in local}
    boards = {seat: board_of(rules, names, seat, Glyphs()) for seat in local}
    return Setting(
        rules, deck, names, local, book or book_of(deck, names), pads or Pads(()), speakers, boards, Glyphs(),
        is_common,
    )  # fmt: skip


class Hand:
    """Somebody who taps, two seconds between one tap and the next; of equal cards one after the other."""

    def __init__(self, mode: Mode, now: float = 100.0) -> None:
        self.mode = mode
        self.now = now
        self._used: Counter[tuple[str, str]] = Counter()

    def fresh(self) -> None:
        """All tags are in the hand again."""
        self._used.clear()

    def tap(
        self, kind: str, name: str, place: Place = PAD, role: Role | None = None, wait: float = 2.0
    ) -> list[Output]:
        """Tap a tag by its kind and name."""
        tags = [tag for tag in self.mode.setting.book.of(Kind(kind)) if tag.name == name]
        assert tags, f"no tag for {kind} {name}"
        tag = tags[self._used[kind, name] % len(tags)]
        self._used[kind, name] += 1
        return self.touch(tag, place, role, wait)

    def touch(
        self, tag: Tag, place: Place = PAD, role: Role | None = None, wait: float = 2.0
    ) -> list[Output]:
        """Tap this very tag."""
        self.now += wait
        role = role or self.mode.setting.pads.get(place)
        return list(self.mode.touched(self.now, Touch(tag.uid, tag, place, role, self.now)))


def acts(outputs: Sequence[Output]) -> list[Act]:
    return [each for each in outputs if isinstance(each, Act)]


def said(outputs: Sequence[Output]) -> str:
    return " ".join(each.text for each in outputs if isinstance(each, Say))
