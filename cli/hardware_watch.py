"""``shoal readers --watch``: what happens at the readers, as lines."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from hardware.events import (
    Disturbed,
    Event,
    Once,
    Placed,
    Refused,
    Removed,
    Settled,
    Tapped,
    Undisturbed,
    Unsure,
)
from hardware.io import Link
from hardware.pads import Pads
from hardware.readers import (
    Health,
    LinkLost,
    LinkUp,
    Reading,
    Remark,
    Restarted,
    Unclear,
    scan,
)
from hardware.tags import Ambiguous, Book, Found
from hardware.uids import Numbers, Relation, Technology, Uid

from .console import Console
from .hardware_enroll import name_of
from .hardware_live import Happened, Line, Said, live, news_of
from .language import said
from .text import Glyphs
from .translation import gettext as _

SPELLED = {Relation.REVERSED: "reversed", Relation.CHECK_BYTE: "check-byte", Relation.SHORTENED: "shortened",
           Relation.CUT: "cut"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Watcher:
    """Tells what happens at ``links``: in sentences, or as one JSON object a line."""

    book: Book
    pads: Pads
    links: Sequence[Link]
    glyphs: Glyphs
    as_json: bool
    typing: tuple[Technology, Numbers]

    async def run(self, console: Console | None) -> None:
        """Until it is stopped, or nothing more is typed where there is no reader."""
        async with contextlib.aclosing(live(self.links, self.book.known, console)) as stream:
            async for item in stream:
                match item:
                    case Happened(event=event):
                        self._event(event)
                    case Said():
                        self._said(item)
                    case Line(text=str(text)) if (found := scan(text, None, *self.typing)) is not None:
                        self._typed(found)

    def _say(self, where: str, line: str, **facts: Any) -> None:
        if self.as_json:
            time = dt.datetime.now(tz=dt.UTC).isoformat(timespec="milliseconds")
            click.echo(json.dumps({"time": time, **facts}, ensure_ascii=False))
        else:
            time = dt.datetime.now(tz=dt.UTC).astimezone().strftime("%H:%M:%S")
            click.echo(_fitted(time, f"{where}  {line}" if where else line))

    def _said(self, item: Said) -> None:
        reading = item.reading
        if isinstance(reading, Unclear):
            where = self._where(item.reader, reading.antenna)
            facts = {"antenna": reading.antenna, "text": reading.text, "why": said(reading.why)}
            text = f'"{reading.text}": {said(reading.why)}'
            self._say(where, text, reader=item.reader, event="unclear", **facts)
        elif news := news_of(item):
            self._say("", news, reader=item.reader, event=_word(reading), text=news)

    def _typed(self, found: object) -> None:
        if isinstance(found, Unclear):
            self._say(_("keyboard"), said(found.why), reader="keyboard", event="unclear", text=found.text)
            return
        uid = getattr(found, "uid", None)
        if isinstance(uid, Uid):
            meaning, facts = self._meaning(uid)
            text = _("{tag} was tapped").format(tag=meaning)
            self._say(_("keyboard"), text, reader="keyboard", event="tapped", **facts)

    def _event(self, event: Event) -> None:
        where = self._where(event.place.reader, event.place.antenna)
        facts: dict[str, Any] = {"reader": event.place.reader, "antenna": event.place.antenna}
        if (role := self.pads.get(event.place)) is not None:
            facts["role"] = str(role)
        text, kind, more = self._told(event)
        self._say(where, text, event=kind, **facts, **more)

    def _where(self, reader: str, antenna: int) -> str:
        role = next(
            (role for place, role in self.pads.items() if (place.reader, place.antenna) == (reader, antenna)),
            None,
        )
        return f"{reader}/{antenna}" + (f" ({role})" if role is not None else "")

    def _told(self, event: Event) -> tuple[str, str, dict[str, Any]]:
        match event:
            case Disturbed(why=why):
                return said(why), "disturbed", {"why": said(why)}
            case Unsure(why=why):
                text = _("What lies here is not known for the time being: {why}").format(why=said(why))
                return text, "unsure", {"why": said(why)}
            case Undisturbed():
                return _("It reads again."), "undisturbed", {}
            case Settled():
                return _("What lies here is known again."), "settled", {}
            case Refused(uid=uid, flaw=flaw):
                return said(flaw.value), "refused", {"uid": str(uid), "why": said(flaw.value)}
        meaning, facts = self._meaning(event.uid)
        match event:
            case Placed():
                return _("{tag} was laid down").format(tag=meaning), "placed", facts
            case Removed():
                return _("{tag} was taken away").format(tag=meaning), "removed", facts
            case Tapped():
                return _("{tag} was tapped").format(tag=meaning), "tapped", facts
            case Once():
                text = _("{tag} was read once; tap it again to be sure").format(tag=meaning)
                return text, "once", facts

    def _meaning(self, uid: Uid) -> tuple[str, dict[str, Any]]:
        """What a tag is, in words and for scripts."""
        facts: dict[str, Any] = {"uid": str(uid)}
        match self.book.find(uid):
            case Found(tag=tag, relation=relation):
                facts["tag"] = {"kind": tag.kind.value, "name": tag.name}
                if relation in SPELLED:
                    facts["spelled"] = SPELLED[relation]
                return name_of(tag.kind, tag.name, self.glyphs), facts
            case Ambiguous(tags=tags):
                facts["tags"] = [{"kind": tag.kind.value, "name": tag.name} for tag in tags]
                names = [name_of(tag.kind, tag.name, self.glyphs) for tag in tags[:2]]
                return _("{first} or {second}").format(first=names[0], second=names[1]), facts
        return _("the unknown tag {uid}").format(uid=uid), facts


def _fitted(time: str, text: str) -> str:
    """A line; on a terminal that is too narrow for it broken between words, with the time standing alone."""
    indent = " " * (len(time) + 2)
    if not sys.stdout.isatty():
        return f"{time}  {text}"
    return textwrap.fill(
        text, shutil.get_terminal_size().columns - 1, initial_indent=f"{time}  ", subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _word(reading: Reading) -> str:
    match reading:
        case LinkUp():
            return "connected"
        case LinkLost():
            return "lost"
        case Restarted():
            return "restarted"
        case Health():
            return "health"
        case Remark():
            return "remark"
    return "reading"
