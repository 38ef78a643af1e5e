"""Walking through a deck, tap by tap: what a tap or a typed word does, and how it is told."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeAlias

import click

from engine.cards import Deck, InvalidCard
from hardware.events import Once, Place, Placed, Refused, Tapped
from hardware.io import Link, save
from hardware.readers import Seen, Unclear, scan
from hardware.tags import Answer, Enrolment, Found, Kind, Outcome, Tag
from hardware.uids import Numbers, Relation, Technology, Uid, flaws

from .console import Console
from .hardware_live import Happened, Line, Quiet, Said, live, news_of
from .hardware_readers import signal
from .language import N_, said
from .text import Glyphs, printable, typed_card
from .translation import gettext as _
from .translation import ngettext

__all__ = ["JsonTeller", "Part", "PlainTeller", "Teller", "Walk", "name_of", "names_of"]

WORDS: Final = {
    "skip": N_("put this one off until the end"),
    "back": N_("take the last one back"),
    "quit": N_("stop; the same command goes on from here"),
}
"""What can be typed besides a card, and what it does."""


def name_of(kind: Kind, name: str, glyphs: Glyphs) -> str:
    """What a tag stands for, as it is written for people."""
    match kind:
        case Kind.CARD:
            return glyphs.card(name)
        case Kind.BLANK:
            return _("blank {n}").format(n=name)
    return name


def names_of(tag: Tag, glyphs: Glyphs) -> set[str]:
    """What a tag is called, in lower case: as in the book, on the screen, and as people type it."""
    names = {tag.name, name_of(tag.kind, tag.name, glyphs)}
    if tag.kind is Kind.CARD:
        names.add(typed_card(tag.name))
    return {name.casefold() for name in names}


Part: TypeAlias = tuple[Enrolment, Deck | None]


class Teller(Protocol):
    """How a walk is told: in sentences, or as JSON."""

    is_for_people: ClassVar[bool]
    """Whether the question has to stand below what the readers say of themselves."""

    def next(self, walk: Enrolment) -> None:
        """What is to be tapped now."""

    def answer(self, answer: Answer, walk: Enrolment) -> None:
        """What a tap did."""

    def remark(self, text: str, what: str) -> None:
        """Something else; ``what`` is a word for scripts."""


@dataclass(frozen=True, slots=True)
class PlainTeller:
    """Sentences."""

    write: Callable[[str], None]
    glyphs: Glyphs
    is_for_people: ClassVar[bool] = True

    def _name(self, tag: Tag) -> str:
        return name_of(tag.kind, tag.name, self.glyphs)

    def next(self, walk: Enrolment) -> None:
        if walk.next is not None:
            name = name_of(walk.kind, walk.next, self.glyphs)
            text = _("Now tap {name} ({n} of {of}).")
            self.write(text.format(name=name, n=walk.done + 1, of=walk.total))

    def answer(self, answer: Answer, walk: Enrolment) -> None:
        if answer.outcome is Outcome.REPEATED and answer.tag is not None:
            self.write("  " + _("That was {name} again.").format(name=self._name(answer.tag)))
            return
        if answer.outcome is not Outcome.ENROLLED or answer.tag is None:
            self.write(f"  {said(answer.sentence)}")
            return
        warning = "".join(f" {said(flaw.value)}" for flaw in flaws(answer.tag.uid))
        self.write(_("{name} is enrolled.").format(name=self._name(answer.tag)) + warning)
        if walk.next is None:
            text = ngettext("{n} tag, all that was wanted.", "All {n} are enrolled.", walk.total)
            self.write(text.format(n=walk.total))
        else:
            self.next(walk)

    def remark(self, text: str, what: str) -> None:
        self.write(text)


class JsonTeller:
    """One object in each line."""

    is_for_people: ClassVar[bool] = False

    def _say(self, **values: Any) -> None:
        click.echo(json.dumps(values, ensure_ascii=False))

    def next(self, walk: Enrolment) -> None:
        if walk.next is not None:
            self._say(event="next", kind=walk.kind.value, name=walk.next, done=walk.done, of=walk.total)

    def answer(self, answer: Answer, walk: Enrolment) -> None:
        tag = answer.tag
        self._say(
            event=answer.outcome.value,
            name=None if tag is None else tag.name,
            uid=None if tag is None else str(tag.uid),
            done=walk.done,
            of=walk.total,
            text=said(answer.sentence),
            warnings=[said(flaw.value) for flaw in flaws(tag.uid)] if tag is not None else [],
        )
        if answer.outcome is Outcome.ENROLLED:
            self.next(walk)

    def remark(self, text: str, what: str) -> None:
        self._say(event=what, text=text)


@dataclass(slots=True)
class Walk:
    """A walk through ``parts`` in their order, with the readers ``links``; the file ``book`` is kept after
    each tap. Each part has its deck, if it is one of cards; one that is enrolled already is passed over."""

    parts: Sequence[Part]
    book: Path
    teller: Teller
    links: Sequence[Link]
    typing: tuple[Technology, Numbers] = (Technology.UNKNOWN, Numbers.DECIMAL)
    _last: tuple[str, int] | None = None
    """The reader and the number of the reading that enrolled a tag last."""
    _at: int = 0
    _is_due: bool = False
    """Whether the question is still to be asked, or again, once the readers have said what they are: it is to
    stand below that."""
    _newest: Tag | None = None
    """The tag that ended the part before: held to the reader a moment longer it is no copy."""

    @property
    def enrolment(self) -> Enrolment:
        """The part where the walk is now."""
        return self.parts[self._at][0]

    @property
    def deck(self) -> Deck | None:
        """The deck of that part, if it is one of cards."""
        return self.parts[self._at][1]

    @property
    def done(self) -> int:
        """How many tags of all parts are enrolled."""
        return sum(part.done for part, _deck in self.parts)

    @property
    def total(self) -> int:
        """How many tags all parts want."""
        return sum(part.total for part, _deck in self.parts)

    def _is_done(self) -> bool:
        """Whether the part where the walk is now lacks nothing."""
        return self.enrolment.next is None

    def _go_on(self) -> bool:
        """To the next part that lacks something; whether there is one."""
        begun = self._at
        self._advance()
        if self._at > begun and self.enrolment.next is not None:
            self.teller.next(self.enrolment)
        return self.enrolment.next is not None

    def _advance(self) -> None:
        while self.enrolment.next is None and self._at + 1 < len(self.parts):
            self._to(self._at + 1)

    def _to(self, part: int) -> None:
        book = self.enrolment.book
        self._at = part
        self.enrolment.book = book

    async def run(self, console: Console | None) -> None:
        """Until all is enrolled, or it is stopped."""
        self._advance()
        if self._is_done():
            return
        self._is_due = bool(self.links) and self.teller.is_for_people
        if not self._is_due:
            self.teller.next(self.enrolment)
        stream = live(self.links, self._known, console)
        async with contextlib.aclosing(stream):
            async for item in stream:
                done = self.done
                match item:
                    case Happened():
                        await self._happened(item)
                    case Said():
                        await self._said(item)
                    case Line(text=text) if text is not None and not self._typed(text.strip()):
                        return
                    case Quiet() if self._is_due:
                        self.teller.next(self.enrolment)
                if done != self.done or isinstance(item, Line | Quiet):
                    self._is_due = False  # it was asked anew
                if self._is_done() and not self._go_on():
                    return

    def _known(self, uid: Uid) -> Uid | None:
        """How the book has a tag that is spelled the same; another spelling is to be told, and not undone."""
        found = self.enrolment.book.find(uid)
        return uid if isinstance(found, Found) and found.relation is Relation.SAME else None

    async def _happened(self, item: Happened) -> None:
        event = item.event
        match event:
            case Placed(place=place) | Tapped(place=place) | Once(place=place) if item.lay_there:
                text = _("{reader}: a tag lay there already; take it away and tap it when its turn comes.")
                self.teller.remark(text.format(reader=place.reader), "lay-there")
            case Placed(uid=uid, place=place) if self._last == (place.reader, item.number):
                await self._two_at_once(uid, place)
            case Placed(uid=uid, place=place) | Tapped(uid=uid, place=place) | Once(uid=uid, place=place):
                answer = self._tap(uid)
                if answer.outcome is Outcome.ENROLLED:
                    self._last = (place.reader, item.number)
                await self._signal(place, answer)
            case Refused(uid=uid, place=place):
                await self._signal(place, self._tap(uid))

    async def _two_at_once(self, uid: Uid, place: Place) -> None:
        """Nobody can say which of two tags is which: the one that was enrolled is taken back."""
        self._last = None
        if self.enrolment.book.find(uid) is None and self._undo() is not None:
            self._keep()
            text = _("Two tags came at once, and nobody can say which is which: tap one after the other.")
            self.teller.remark(text, "two-at-once")
            self.teller.next(self.enrolment)
            await signal(self.links, place.reader, place.antenna, good=False)

    async def _signal(self, place: Place, answer: Answer) -> None:
        good = answer.outcome in {Outcome.ENROLLED, Outcome.REPEATED}
        await signal(self.links, place.reader, place.antenna, good)

    async def _said(self, item: Said) -> None:
        if isinstance(item.reading, Unclear):
            self._unclear(item.reading)
            await signal(self.links, item.reader, item.reading.antenna, good=False)
        elif news := news_of(item):
            self.teller.remark(news, "reader")
            self._is_due = self.teller.is_for_people

    def _tap(self, uid: Uid) -> Answer:
        answer = self.enrolment.tap(uid)
        if answer.outcome is Outcome.TAKEN and answer.tag is not None and answer.tag == self._newest:
            answer = replace(answer, outcome=Outcome.REPEATED)
        if answer.outcome is Outcome.ENROLLED:
            self._newest = answer.tag
            self._keep()
        self.teller.answer(answer, self.enrolment)
        return answer

    def _unclear(self, reading: Unclear) -> None:
        self.teller.answer(self.enrolment.unclear(reading.text, reading.why), self.enrolment)

    def _keep(self) -> None:
        save(self.book, self.enrolment.book)

    def _typed(self, line: str) -> bool:
        """Whether the walk goes on after this line."""
        word = line.casefold()
        walk = self.enrolment
        if not line:
            self.teller.next(walk)
        elif word in {"quit", "q", "stop"}:
            return False
        elif word in {"skip", "s"}:
            walk.skip()
            self.teller.next(walk)
        elif word in {"back", "b", "undo"}:
            self._back()
        elif word in {"help", "?"}:
            for name, about in WORDS.items():
                self.teller.remark(f"  {name}  {_(about)}", "help")
        elif (found := scan(line, None, *self.typing)) is not None:
            self._tap(found.uid) if isinstance(found, Seen) else self._unclear(found)
        else:
            self._go_to(line)
        return True

    def _back(self) -> None:
        tag = self._undo()
        if tag is None:
            self.teller.remark(_("There is nothing to take back: type a card to correct it."), "nothing")
        else:
            self._keep()
        self.teller.next(self.enrolment)

    def _undo(self) -> Tag | None:
        """Takes the last enrolment back, of the part before where this one has none yet."""
        here = self._at
        while (tag := self.enrolment.undo()) is None and self._at > 0:
            self._to(self._at - 1)
        if tag is None:
            self._to(here)
        return tag

    def _go_to(self, text: str) -> None:
        """A card that was typed comes next; one that is enrolled is enrolled anew."""
        walk = self.enrolment
        name = self._meant(text)
        tag = next((each for each in walk.book.of(walk.kind) if each.name == name), None)
        if name is None or (not walk.go_to(name) and (tag is None or not walk.redo(tag))):
            clean = printable(text, 30)
            words = ", ".join(WORDS)
            unknown = _('"{text}" is none of these: {words}, or what is to be tapped next.')
            self.teller.remark(unknown.format(text=clean, words=words), "unknown")
        elif tag is not None and walk.book.find(tag.uid) is None:
            self._keep()
            self.teller.remark(_("The tag it had is free again."), "freed")
        self.teller.next(walk)

    def _meant(self, text: str) -> str | None:
        if self.deck is not None:
            try:
                return self.deck.text(self.deck.parse(text))
            except InvalidCard:
                return None
        return text
