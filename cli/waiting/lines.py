"""The waiting room in lines, and what is typed in it. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from p2p.log import MAX_CHAT

from ..speech.verbs import commanded_in_english, in_own_words
from ..text import printable
from ..translation import gettext as _
from ..translation import pgettext
from .room import ADD, MUTE, READY, REMOVE, SEND_AWAY, START, WAIT, Place, Room

HELP: Final = "help"
WHO: Final = "who"
QUIT: Final = "quit"
CHAT: Final = "chat"
OTHER: Final = "other"

_SYNONYMS: Final = {
    "+": ADD, "+bot": ADD, "bots": ADD, "add": ADD, "-": REMOVE, "-bot": REMOVE, "remove": REMOVE,
    "table": WHO, "exit": QUIT, "?": HELP, "begin": START, "say": CHAT,
    "ok": READY, "kick": SEND_AWAY,
}  # fmt: skip
_HOST: Final = (START, ADD, REMOVE, SEND_AWAY, MUTE, WHO, HELP, QUIT)
_GUEST: Final = (READY, WAIT, MUTE, WHO, HELP, QUIT)


@dataclass(frozen=True, slots=True)
class Typed:
    """What a line means: one of the words above, with the text behind it for ``CHAT``, and the name behind it
    for ``SEND_AWAY`` and ``MUTE``."""

    word: str
    text: str = ""


def read(line: str, room: Room) -> Typed | None:
    """What was typed; ``None`` for an empty line of a host, where Enter alone is no command of the plain
    mode: a game begun by mistake cannot be taken back. A guest is ready by it."""
    line = line.strip()
    if line.startswith(('"', "“")):
        return Typed(CHAT, said(line[1:].rstrip('"”')))
    word, _space, rest = commanded_in_english(line).partition(" ")
    word = word.casefold()
    if word == "send":
        away, _space, name = rest.strip().partition(" ")
        word, rest = SEND_AWAY, name if away.casefold() == "away" else rest
    word = _SYNONYMS.get(word) or _spoken().get(word, word)
    if word == CHAT:
        return Typed(CHAT, said(rest))
    if not word:
        return None if room.is_host or room.me is None or room.me.is_ready else Typed(READY)
    if word in (SEND_AWAY, MUTE) and word in words(room):
        return Typed(word, rest.strip())
    return Typed(word if word in words(room) else OTHER)


def _spoken() -> dict[str, str]:
    """Names in the language chosen -> the words of the room; several names stand with bars between."""
    # Translators: What a player may type instead of the English word, in lower case; several words with bars.
    names = {
        START: pgettext("typed", "start"),
        READY: pgettext("typed", "ready"),
        WAIT: pgettext("typed", "wait"),
        ADD: pgettext("typed", "bot"),
        REMOVE: pgettext("typed", "no-bot"),
        SEND_AWAY: pgettext("typed", "send away"),
        WHO: pgettext("typed", "who"),
    }
    return {name: word for word, spoken in names.items() for name in spoken.split("|")}


def words(room: Room) -> tuple[str, ...]:
    """What may be typed."""
    return _HOST if room.is_host else _GUEST if room.me is not None else (WHO, HELP, QUIT)


def is_of_room(word: str) -> bool:
    """Whether a word, in lower case, is one that is typed in this room alone."""
    known = (START, READY, WAIT, ADD, REMOVE, SEND_AWAY)
    return _spoken().get(word, word) in known or word == SEND_AWAY.partition(" ")[0]


def shown(word: str) -> str:
    """A word of the room as it is shown: in the language chosen."""
    own = [name for name, each in _spoken().items() if each == word]
    return own[0] if own else in_own_words(word)


def completions(room: Room) -> list[str]:
    """What may be typed, in the language chosen and in English."""
    return list(dict.fromkeys([*map(shown, words(room)), *words(room)]))


def said(text: str) -> str:
    """A line of talk as it may be sent."""
    return printable(text.strip(), MAX_CHAT - 1)


def help_lines(room: Room) -> list[str]:
    """What may be typed, and what it does."""
    about = {
        START: _("begin with who is here"),
        ADD: _("a bot sits down on a free seat"),
        REMOVE: _("a bot leaves"),
        SEND_AWAY: _("a guest loses its seat, and does not come back to this table: send away NAME"),
        MUTE: _("show no more, or again, what others say: mute, or mute NAME"),
        READY: _("you are ready to begin; Enter alone says it, too"),
        WAIT: _("you are not ready after all"),
        WHO: _("who sits"),
        CHAT: _('say something to all: chat TEXT, or "TEXT'),
        QUIT: _("close the table") if room.is_host else _("leave the table"),
    }
    names = [(shown(name), about[name]) for name in (*words(room)[:-2], CHAT, QUIT) if name in about]
    width = max(len(name) for name, _about in names)
    lines = [f"{name:{width}}  {text}" for name, text in names]
    if room.is_host:
        lines.append(_("About guests whom you have not met you are asked here, when they come."))
    return lines


def news(before: Room | None, after: Room, muted: Collection[str] = ()) -> list[str]:
    """What has changed and is not said by the list of seats: who has left, who is ready, that all have
    come. Of those who are ``muted``, by name, nothing is said but that they have left."""
    if before is None:
        return []
    was = {place.name: place.is_ready for place in before.places}
    lines = gone(before, after)
    changed = [place for place in after.places if was.get(place.name, place.is_ready) != place.is_ready]
    heard = [place for place in changed if place.name not in muted]
    lines += [_news_of(place) for place in heard]
    if changed and not heard and after.not_ready:
        return lines
    if after.status != before.status and len(after.places) >= after.start_at and after.question is None:
        lines.append(after.status)
    return lines


def gone(before: Room | None, after: Room) -> list[str]:
    """Who has left the table, bots aside."""
    there = {place.name for place in after.places}
    names = [place.name for place in before.places if not place.is_bot] if before is not None else []
    return [_("{name} has left the table.").format(name=name) for name in names if name not in there]


def _news_of(place: Place) -> str:
    if place.is_me:
        return _("You are ready.") if place.is_ready else _("You are not ready any more.")
    text = _("{name} is ready.") if place.is_ready else _("{name} is not ready any more.")
    return text.format(name=place.name)
