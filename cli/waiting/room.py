"""What there is to see while a table fills: who sits, who is ready, what is asked, what may be done. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from p2p.link import ChangedKey, Known, KnownPlayer, is_same_name, judge
from p2p.session.setup import Roster, Seated

from ..ending import ENTER, ESCAPE, EndChoice
from ..text import joined
from ..translation import gettext as _
from ..translation import ngettext, pgettext

START: Final = "start"
READY: Final = "ready"
WAIT: Final = "wait"
ADD: Final = "bot"
REMOVE: Final = "no-bot"
SEND_AWAY: Final = "send away"
MUTE: Final = "mute"
YES: Final = "yes"
NO: Final = "no"
"""Words that are typed; the keys of the full screen send them, too."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat that is taken. ``about`` says who that is to this player; ``is_known`` a friend whose key was
    verified."""

    name: str
    about: str
    is_ready: bool
    is_me: bool = False
    is_host: bool = False
    is_bot: bool = False
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """The host is asked whether somebody may sit down; ``words`` are the fingerprint of that player's key."""

    name: str
    lines: tuple[str, ...]
    words: tuple[str, ...]
    is_warning: bool = False

    @property
    def advice(self) -> str:
        """What the words are for."""
        return _(
            "Those six words stand for the key of {name}, who sees them, too. If they are the same when you "
            "read them to each other, it is really {name}."
        ).format(name=self.name)


@dataclass(frozen=True, slots=True)
class Room:
    """The waiting room as one player sees it.

    ``start_at`` is the number of seats at which it begins by itself, ``seats`` how many there are. ``paste``
    are the commands with which others join, ``aside`` lines about the table, such as its options. A guest
    that has no seat yet sees no places; the host sees its ``own_words`` then.
    """

    title: str
    is_host: bool
    seats: int
    start_at: int
    places: tuple[Place, ...] = ()
    paste: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    is_here_only: bool = False
    question: Question | None = None
    is_again: bool = False
    own_words: tuple[str, ...] = ()

    @property
    def me(self) -> Place | None:
        """This player's place."""
        return next((place for place in self.places if place.is_me), None)

    @property
    def bots(self) -> int:
        """How many of the seats bots have."""
        return sum(place.is_bot for place in self.places)

    @property
    def free(self) -> int:
        """How many seats nobody has."""
        return max(0, self.seats - len(self.places))

    @property
    def not_ready(self) -> tuple[str, ...]:
        """Names of the guests who are not ready."""
        return tuple(place.name for place in self.places if not place.is_ready)

    @property
    def choices(self) -> tuple[EndChoice, ...]:
        """What this player may do by one key."""
        if self.question is not None:
            return self._choices_at_the_door(self.question.name)
        if not self.is_host:
            return self._choices_of_guest()
        found = [EndChoice(ENTER, START, self._start_label())] if len(self.places) > 1 else []
        if self.free:
            found.append(EndChoice("+", ADD, _("a bot sits down")))
        if self.bots:
            found.append(EndChoice("-", REMOVE, _("a bot leaves")))
        return tuple(found)

    def _choices_at_the_door(self, name: str) -> tuple[EndChoice, ...]:
        """With the letters of the language, as the question has them; the English ones do the same."""
        # Translators: The letters of "[y/N]", in lower case.
        own = (
            EndChoice(pgettext("key", "y"), YES, _("let {name} in").format(name=name)),
            EndChoice(pgettext("key", "n"), NO, _("send away, as Enter does")),
        )
        english = (EndChoice("y", YES, ""), EndChoice("n", NO, ""))
        keys = {choice.key for choice in own}
        return (*own, *(each for each in english if each.key not in keys), EndChoice(ENTER, NO, ""))

    def _choices_of_guest(self) -> tuple[EndChoice, ...]:
        if self.me is None:
            return ()
        if self.me.is_ready:
            return (EndChoice(ESCAPE, WAIT, _("not ready after all")),)
        return (EndChoice(ENTER, READY, _("I am ready")),)

    def _start_label(self) -> str:
        text = _("begin now") if self.not_ready else _("begin")
        count = len(self.places)
        if self.free:
            text = ngettext("begin with {n} player", "begin with {n} players", count).format(n=count)
        return text

    @property
    def status(self) -> str:
        """What the table waits for, in one sentence."""
        if self.question is not None:
            return _("Somebody is at the door.")
        if not self.is_host and self.me is None:
            return _("Waiting for the host to let you in …")
        wanted = self.start_at - len(self.places)
        if wanted > 0:
            text = ngettext("Waiting for {n} more player.", "Waiting for {n} more players.", wanted)
            return text.format(n=wanted)
        if self.not_ready:
            names = joined(self.not_ready)
            if self.me is not None and self.me.name in self.not_ready:
                return _("All have come. Press Enter when you are ready, or type ready.")
            return _("All have come. Not ready yet: {names}.").format(names=names)
        return _("All are ready.")

    @property
    def advice(self) -> str:
        """About the safety words, before there are any; about one's key, before one has a seat."""
        if not self.is_host and self.me is None and self.own_words:
            return words_at_the_door(self.own_words)
        return _("When it begins, everyone sees four safety words. Read them to each other.")


def words_at_the_door(words: Sequence[str]) -> str:
    """What a guest reads to a host who has not met it."""
    text = _("If the host asks who you are: your key has the words {words}.")
    return text.format(words=" ".join(words))


def places_of(
    known: Sequence[KnownPlayer], roster: Roster, ready: frozenset[bytes], me: bytes
) -> tuple[Place, ...]:
    """The seats of a roster; ``known`` are the players this one has met, ``me`` its own identity."""
    host = roster.taken[0] if roster.taken else None
    return tuple(
        Place(
            name=each.name,
            about=_about(known, each, each.public == me, each is host, host),
            is_ready=each.public in ready or each.is_bot or each is host,
            is_me=each.public == me,
            is_host=each is host,
            is_bot=each.is_bot,
            is_known=_is_verified(known, each),
        )
        for each in roster.taken
    )


def _is_verified(known: Sequence[KnownPlayer], seated: Seated) -> bool:
    judgement = judge(known, seated.name, seated.public)
    return not seated.is_bot and isinstance(judgement, Known) and judgement.player.verified


def _about(
    known: Sequence[KnownPlayer], seated: Seated, is_me: bool, is_host: bool, host: Seated | None
) -> str:
    parts = [_("you")] if is_me else []
    if is_host:
        parts.append(_("host"))
    if seated.is_bot:
        parts.append(_("on {name}'s machine").format(name=host.name if host is not None else "?"))
        match judge(known, seated.name, seated.public):
            case Known(player) | ChangedKey(player):
                parts.append(_("NOT the {petname} you know").format(petname=player.petname))
            case _:
                pass
    elif not is_me:
        match judge(known, seated.name, seated.public):
            case Known(player):
                if not is_same_name(player.petname, seated.name):
                    parts.append(_("you call them {petname}").format(petname=player.petname))
                parts.append(_("friend, key verified") if player.verified else _("met before"))
            case ChangedKey():
                parts.append(_("ANOTHER KEY than the one you know"))
            case _:
                parts.append(_("not met before"))
    return ", ".join(parts)
