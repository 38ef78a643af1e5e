"""Leaving a game for good, and going on without those who are missing: what is typed, asked and told.

Both words are asked about before they are done: nothing brings a player back whom a game has gone on without.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from p2p.deal import Escrow, Recover, may_go_on
from p2p.log import LEAST_KEEPERS, SKIP, Charter, keepers, seats_of
from p2p.session import Fault, GivenUp, Kept, Left, Rebuilds, Session, Telling

from .boards.words import NotUnderstood, find_seat
from .lines import NO, YES
from .program import call_here
from .story import Line
from .text import Speaker, duration, joined, printable
from .translation import gettext as _
from .translation import ngettext

RESIGN: Final = "resign"
GIVE_UP: Final = "give up"
WORDS: Final = (RESIGN, GIVE_UP)

_FALSE_COMPLAINT: Final = "complained of a share that opens"


class Leavable(Protocol):
    """What is needed of ``p2p.io.table.Table``."""

    @property
    def session(self) -> Session:
        """The session of a seat at this machine."""

    async def farewell(self) -> None:
        """Leave the game for good."""

    async def give_up(self, seat: int) -> None:
        """Wait no longer for a seat."""


class Leaving:
    """The two words at one machine. ``tables`` are those of the people here, by their seats; who waits no
    longer is said for all of them, since they look at one screen."""

    def __init__(self, tables: Mapping[int, Leavable], say: Speaker) -> None:
        self._tables = tables
        self._say = say
        self._asked: tuple[str, int] | None = None

    @property
    def is_asked(self) -> bool:
        """Whether the next line may answer a question."""
        return self._asked is not None

    # --- what is typed ------------------------------------------------------------------------------

    def ask(self, word: str, name: str, seat: int) -> str:
        """The question whether the player of ``seat`` means it. Raises ``NotUnderstood``."""
        self._asked = None
        if not self._session.history.progress.is_playing:
            raise NotUnderstood(_("The game is over already."))
        if seat in self._session.history.progress.gone:
            raise NotUnderstood(_("You have left this game already; quit ends watching it."))
        if word == RESIGN:
            text, about = self._about_resigning(seat), seat
        else:
            about = self._whom(name)
            text = self._about_giving_up(about)
        self._asked = (word, about)
        return text + " " + _("Type yes to do it; with anything else nothing changes.")

    async def answer(self, line: str) -> str | None:
        """Take a line after a question: what to say, or ``None`` where the line is something else."""
        asked, self._asked = self._asked, None
        word = line.strip().casefold()
        if asked is not None and word in ("", *NO):
            return nothing_changes()
        if asked is None or word not in YES:
            return None
        what, seat = asked
        if what == RESIGN:
            together = [each for each in self._tables if self._keeper(each) == self._keeper(seat)]
            for each in together:  # whichever the game needs something of first
                await self._tables[each].farewell()
            if len(together) > 1:
                return _("Noted: it is done with the next thing that the game needs of this table.")
            return _("Noted: it is done with the next thing that the game needs of this seat.")
        for table in self._tables.values():
            await table.give_up(seat)
        left = self._session.charter.grace - (time.monotonic() - self._session.step_since)
        who = self._say.names[self._keeper(seat)]
        if left > 0:
            text = _("Noted. The others are told in {time}, if nothing has come from {who} by then.")
            return text.format(time=duration(left), who=who)
        return _("Noted, and the others are told.")

    def _about_resigning(self, seat: int) -> str:
        session, keeper = self._session, self._keeper(seat)
        others = [each for each in seats_of(session.charter, keeper) if each != seat]
        who, names = self._say.names[seat], joined([self._say.names[each] for each in others])
        if seat != self._say.me and others:  # one screen for several people
            text = _(
                "{who} leaves this game for good, and {others} with {who}: all seats of this machine leave "
                "together."
            )
        elif seat != self._say.me:
            text = _("{who} leaves this game for good.")
        elif others:
            text = ngettext(
                "You leave this game for good, with your bot {bots}.",
                "You leave this game for good, with your bots {bots}.",
                len(others),
            )
        else:
            text = _("You leave this game for good.")
        return f"{text.format(who=who, bots=names, others=names)} {what_then(session, keeper)}"

    def _about_giving_up(self, seat: int) -> str:
        session = self._session
        keeper = self._keeper(seat)
        waited = duration(max(0.0, time.monotonic() - session.step_since))
        others = [
            self._say.names[each]
            for each in session.history.keepers_at(session.history.step)
            if each != keeper and each not in self._tables
        ]
        who = self._say.names[keeper]
        text = _("The game has waited for {who} for {time}.").format(who=who, time=waited)
        more = _("{who} is out once {others} and you say so.").format(who=who, others=joined(others))
        if not others:
            more = _("{who} is out once you say so.").format(who=who)
        return f"{text} {more} {what_then(session, keeper)}"

    def _whom(self, name: str) -> int:
        """The seat that is meant. Raises ``NotUnderstood``."""
        session = self._session
        awaited = {self._keeper(seat) for seat in session.awaited} - {
            self._keeper(seat) for seat in self._tables
        }
        if not name:
            if not awaited:
                raise NotUnderstood(_("Nobody is waited for."))
            if len(awaited) != 1:
                raise NotUnderstood(_("Whom? give up NAME"))
            seat = next(iter(awaited))
        else:
            found = find_seat(name, self._say.names)
            if found is None:
                raise NotUnderstood(_("There is no player {word} here.").format(word=printable(name, 32)))
            seat = found
        self._check(seat, awaited)
        return seat

    def _check(self, seat: int, awaited: set[int]) -> None:
        session, keeper, who = self._session, self._keeper(seat), self._say.names[seat]
        if keeper in self._mine:
            raise NotUnderstood(_("That is a seat of your own; resign leaves the game."))
        if seat in session.history.progress.gone:
            raise NotUnderstood(_("{who} has left already.").format(who=who))
        if len(session.history.keepers_at(session.history.step)) < LEAST_KEEPERS:
            raise NotUnderstood(
                _("Of two players neither can leave the other out. quit pauses the game, resign ends it.")
            )
        if keeper not in awaited:
            raise NotUnderstood(_("The game does not wait for {who} now.").format(who=who))
        if session.history.purpose(keeper) == SKIP:
            raise NotUnderstood(_("A race goes on without {who} by itself.").format(who=who))
        if self._speechless(keeper):
            raise NotUnderstood(self._stand_still(awaited))

    def remedy(self, seats: Sequence[int]) -> str:
        """What can be done about players who are waited for, as a sentence; empty where it is nothing."""
        own = {self._keeper(seat) for seat in self._tables}
        awaited = {self._keeper(seat) for seat in seats} - own
        if not awaited or self._session.is_over:
            return ""
        may_go = []
        for keeper in sorted(awaited):
            try:
                self._check(keeper, awaited)
            except NotUnderstood:
                continue
            may_go.append(self._say.names[keeper])
        if may_go:
            text = _("You can talk (chat TEXT), pause (quit), or go on without {who}: give up {who}")
            return text.format(who=may_go[0])
        there = self._session.history.keepers_at(self._session.history.step)
        if len(there) >= LEAST_KEEPERS and any(self._speechless(keeper) for keeper in awaited):
            text = _("You can talk (chat TEXT) or pause (quit). If nobody comes back, end it: {command}")
            from .seats import game_id  # the module imports this one

            command = call_here(f"games --stop {game_id(self._session.charter.table_id)}")
            return f"{self._stand_still(awaited)} {text.format(command=command)}"
        return _(
            "You can talk (chat TEXT), pause the game (quit), or leave it for good (resign), which counts "
            "once the game goes on."
        )

    def _speechless(self, keeper: int) -> list[int]:
        """The others whose word is needed to leave ``keeper`` out, and of whom none can come now."""
        session = self._session
        mute = session.out_of_reach | session.rebuilding.keys()
        return [
            each
            for each in session.history.keepers_at(session.history.step)
            if each != keeper and each in mute
        ]

    def _stand_still(self, awaited: set[int]) -> str:
        """Why nobody can be left out now, and who has to come back for the game to go on."""
        session = self._session
        there = session.history.keepers_at(session.history.step)
        rebuilding = [each for each in there if each in session.rebuilding]
        if rebuilding:
            return " ".join(self._rebuilds(each, session.rebuilding[each]) for each in rebuilding)
        away = sorted({each for keeper in awaited for each in self._speechless(keeper)})
        text = ngettext(
            "Nobody can be left out now: all others have to say so, and {who} is out of reach.",
            "Nobody can be left out now: all others have to say so, and {who} are out of reach.",
            len(away),
        )
        return text.format(who=self._say.listed(away))

    def _rebuilds(self, seat: int, waits_for: Sequence[int]) -> str:
        """Why nothing is signed for ``seat``."""
        others = self._say.listed(waits_for)
        if self._keeper(seat) in self._mine:
            text = _(
                "This machine takes back what its store has lost. Until everything from {others} is here, "
                "nothing is signed for you, and nobody can be left out."
            )
            if not self._session.is_rebuilding:
                text = _(
                    "This machine asks for what its store may lack. Until everything from {others} is here, "
                    "nothing is signed for you, and nobody can be left out."
                )
            return text.format(others=others)
        text = _(
            "{who}'s machine asks for what its store may lack. Until everything from {others} is there, "
            "nothing is signed for {who}, and nobody can be left out."
        )
        return text.format(who=self._say.names[seat], others=others)

    # --- what is told -------------------------------------------------------------------------------

    def hear(self, telling: Telling) -> tuple[Line, ...]:
        """The lines that a telling adds to those of the presenter."""
        match telling:
            case Left(seats, _farewell, by):
                return tuple(Line(text, "note") for text in self._left(seats, by))
            case GivenUp(seat, by, lacking):
                text = self._given_up(seat, by, lacking)
                return (Line(text, "warning"),) if text else ()
            case Kept(seat, by):
                text = ngettext(
                    "{by} holds what {who} owed: {who} stays in the game.",
                    "{by} hold what {who} owed: {who} stays in the game.",
                    len(by),
                )
                text = text.format(by=self._say.listed(by), who=self._say.names[seat])
                return (Line(self._begun(by, text), "note"),)
            case Rebuilds(seat, _, True):
                text = _(
                    "{who}'s machine, which asked for what its store may lack, is out of reach before it had "
                    "everything."
                )
                return (Line(text.format(who=self._say.names[seat]), "warning"),)
            case Rebuilds(seat, ()):
                return (Line(self._whole_again(seat), "note"),)
            case Rebuilds(seat, waits_for):
                return (Line(self._rebuilds(seat, waits_for), "warning"),)
            case Fault():
                text = self._explained(telling)
                return (Line(text, "note"),) if text else ()
            case _:
                return ()

    def _whole_again(self, seat: int) -> str:
        if self._keeper(seat) in self._mine:
            return _("This machine has everything again.")
        return _("{who}'s machine has everything again.").format(who=self._say.names[seat])

    def _left(self, seats: Sequence[int], by: Sequence[int]) -> list[str]:
        """Who signed it, and whether the game would survive the next one."""
        session, lines = self._session, self._together(seats)
        who = self._say.listed([seat for seat in seats if self._keeper(seat) == seat] or seats)
        if by:
            text = ngettext(
                "{by} has signed that nothing came from {who} in time. The record keeps that.",
                "{by} have signed that nothing came from {who} in time. The record keeps that.",
                len(by),
            )
            lines.append(self._begun(by, text.format(by=self._say.listed(by), who=who)))
        progress = session.history.progress
        if progress.outcome is not None or not progress.is_playing:
            return lines
        text = _("The game goes on: those who stay take {who} out of the cards together, seeing none.")
        lines.append(text.format(who=who))
        there = keepers(session.charter, frozenset(session.history.gone[-1]))
        if len(there) >= LEAST_KEEPERS:
            lines.append(_("It would go on again if somebody else left."))
        else:
            lines.append(_("Only two players are left: if one of them leaves, the game ends."))
        return lines

    def _together(self, seats: Sequence[int]) -> list[str]:
        """That all seats of one machine leave, where it is not one's own with bots: that was asked before."""
        lines = []
        for keeper in sorted({self._keeper(seat) for seat in seats}):
            group = [seat for seat in seats if self._keeper(seat) == keeper]
            if len(group) > 1 and self._say.me not in group:
                text = _("{names} leave together: their seats are on one machine.")
                lines.append(text.format(names=self._say.listed(group)))
        return lines

    def _given_up(self, seat: int, by: Sequence[int], lacking: Sequence[int]) -> str:
        if not lacking:
            return ""
        who, mine = self._say.names[seat], self._mine
        if seat in mine:
            text = ngettext(
                "{by} does not wait for you any longer; you are out once all say so.",
                "{by} do not wait for you any longer; you are out once all say so.",
                len(by),
            )
            return text.format(by=self._say.listed(by))
        if set(by) <= mine:
            text = ngettext(
                "{who} is out once {others} says so, too.",
                "{who} is out once {others} say so, too.",
                len(lacking),
            )
            told = text.format(who=who, others=self._say.listed(lacking))
            return f"{told} {self._stand_still({seat})}" if self._speechless(seat) else told
        others = [each for each in by if each not in mine]
        text = ngettext(
            "{by} does not wait for {who} any longer.",
            "{by} do not wait for {who} any longer.",
            len(others),
        ).format(by=self._say.listed(others), who=who)
        if mine & set(lacking) and not self._session.is_rebuilding:
            return text + " " + _("If you agree, type: give up {who}").format(who=who)
        return text

    def _explained(self, fault: Fault) -> str:
        """What a fault in splitting keys, or in taking a leaver out of the cards, would have meant."""
        who = self._say.names[fault.seat]
        history = self._session.history
        task = history.progress.task if history.step == fault.step else None
        if fault.reason == _FALSE_COMPLAINT:
            text = _(
                "{who} said that a part of a key sealed for {who} does not open. It was opened for all to "
                "see, and it fits."
            )
        elif isinstance(task, Recover):
            text = _(
                "Those who stay take the one who left out of the cards, each with a part of that key. What "
                "{who} gave does not fit the part that {who} holds."
            )
        elif isinstance(task, Escrow):
            text = _(
                "Each key is split among the others, so that the game can go on without a player. With what "
                "{who} gave, nobody could have gone on without {who}."
            )
        else:
            return ""
        return text.format(who=who)

    def _begun(self, seats: Sequence[int], text: str) -> str:
        """A sentence that begins with these players: a name is written as it is, and "you" with a capital."""
        return text[:1].upper() + text[1:] if seats[0] == self._say.me else text

    # --- helpers ------------------------------------------------------------------------------------

    @property
    def _session(self) -> Session:
        return next(iter(self._tables.values())).session

    @property
    def _mine(self) -> set[int]:
        """The keepers that are people at this machine."""
        return {self._keeper(seat) for seat in self._tables}

    def _keeper(self, seat: int) -> int:
        return self._session.charter.seats[seat].keeper


def what_then(session: Session, keeper: int) -> str:
    """What becomes of the game if ``keeper`` leaves now, as a sentence."""
    why = why_it_ends(session, keeper)
    if not why:
        return _("The others go on; the cards go where the rules of the game say, and nobody sees them.")
    return _("The game then ends, and nobody wins: {why}.").format(why=why)


def why_it_ends(session: Session, keeper: int) -> str:
    """Why the game could not go on if ``keeper`` left now, as part of a sentence; empty where it can."""
    charter, progress = session.charter, session.history.progress
    if may_go_on(progress, frozenset(seats_of(charter, keeper))):
        return ""
    there = len(session.history.keepers_at(session.history.step))
    if there == 1:
        return _("nobody is left to play")
    if charter.scanner is not None:
        return _("printed cards cannot be taken from who holds them")
    if there < LEAST_KEEPERS:
        return _("of two players neither can go on without the other")
    if not charter.recovery:
        return _("it was opened without --recovery, so it needs every player")
    return _("the cards are not dealt yet, or another player's departure is not dealt with yet")


def nothing_changes() -> str:
    """What is said to everything but a yes."""
    return _("Nothing changes.")


def about_leaving(charter: Charter) -> str:
    """What happens if a player of this table leaves for good, and what that costs."""
    away = duration(charter.grace)
    if not charter.recovery:
        text = _(
            "If a player leaves for good, or is away for {time} and the others say so, the game ends and "
            "nobody wins."
        )
        return text.format(time=away)
    text = _(
        "If a player leaves for good, or is away for {time} and the others say so, the game goes on. For "
        "that, each key is split among the others: {keepers}. All the others together could read a hand; "
        "fewer cannot. It works while three or more of them are there."
    )
    return text.format(time=away, keepers=", ".join(_with_bots(charter, each) for each in keepers(charter)))


def _with_bots(charter: Charter, keeper: int) -> str:
    bots = [charter.seats[seat].name for seat in seats_of(charter, keeper) if seat != keeper]
    name = charter.seats[keeper].name
    return _("{name} with {bots}").format(name=name, bots=joined(bots)) if bots else name
