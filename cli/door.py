"""The host's door: who comes in, who sits, and when the game starts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from gettext import gettext as _

from p2p.io.addresses import usable_addresses
from p2p.io.link import CutOff
from p2p.io.lobby import Applicant, Hosting
from p2p.link import ChangedKey, Known, KnownPlayer, judge
from p2p.session.setup import Roster, SetupError

from .console import IDLE, Console
from .known import seats_line
from .language import said, said_of
from .plain import Left
from .program import call
from .text import duration, printable

YES = ("y", "yes", "да", "д")
NO = ("n", "no", "не", "н", "")


_CUT_OFF = str(CutOff())

MOST_REFUSALS = 10
"""Refused connections that a host is told of: more are noise, or somebody's intention."""


class Refusals:
    """Tells the host of connections that were not let in, each kind once."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: set[tuple[str, str]] = set()

    def __call__(self, address: str, reason: str) -> None:
        """``address`` is HOST:PORT; ``reason`` one sentence."""
        kind = (address.rpartition(":")[0], reason)
        if reason == _CUT_OFF and kind[0].strip("[]") in usable_addresses():
            return  # a guest dials all addresses at once, and bots of this machine know several
        if kind not in self._told and len(self._told) < MOST_REFUSALS:
            self._told.add(kind)
            self._console.write(
                _("A connection from {address} was refused: {reason}").format(
                    address=kind[0], reason=said(printable(reason))
                )
            )


class Door:
    """Asks the host about each guest, one at a time, and obeys the host's commands meanwhile."""

    def __init__(
        self, console: Console, known: Sequence[KnownPlayer], is_open: bool, start_when: int
    ) -> None:
        """``known`` are the players met before; with ``is_open`` strangers are seated without asking."""
        self._console = console
        self._known = known
        self._is_open = is_open
        self._start_when = start_when
        self._one_at_a_time = asyncio.Lock()
        self._answer: asyncio.Future[bool] | None = None
        self._asked_about = ""
        self._roster: Roster | None = None
        self._hosting: Hosting | None = None
        self._announce: Callable[[Roster], None] = lambda _roster: None
        self._since = time.monotonic()

    def attend(self, hosting: Hosting, announce: Callable[[Roster], None]) -> None:
        """The gathering that ``start`` starts, and who else has to hear of each change of the roster."""
        self._hosting = hosting
        self._announce = announce

    # --- what the host reads ----------------------------------------------------------------------

    def welcome(self, title: str, addresses: Sequence[str], is_here_only: bool = False) -> None:
        """How others find the table; ``is_here_only`` where it is not announced."""
        write = self._console.write
        if is_here_only:
            write(_("Your table of {title} is open on this machine alone. Join it with:").format(title=title))
            for address in addresses:
                write(f"    {call('join')} {address}")
            self._say_what_to_type()
            return
        write(_("Your table of {title} is open. Others on this network join with:").format(title=title))
        write(f"    {call('join')}")
        write(_("or, where that finds nothing, with the first of these that works:"))
        for address in addresses:
            local = _("    (on this machine)") if address.startswith("127.") else ""
            write(f"    {call('join')} {address}{local}")
        self._say_what_to_type()

    def _say_what_to_type(self) -> None:
        if self._console.is_interactive:
            self._console.write(_("Type start to begin with who is here, help for more."))

    def show(self, roster: Roster) -> None:
        """Who sits now; starts the game when enough do."""
        self._roster = roster
        self._announce(roster)
        self._console.write(self._seats())
        if self._start_when <= len(roster.taken) < roster.seats and self._hosting is not None:
            self._hosting.start_now()

    def _seats(self) -> str:
        assert self._roster is not None
        return seats_line(self._known, self._roster)

    # --- who comes in -----------------------------------------------------------------------------

    async def admit(self, applicant: Applicant) -> bool:
        """Whether to seat this guest."""
        async with self._one_at_a_time:
            match judge(self._known, applicant.name, applicant.public):
                case Known(player):
                    self._greet(applicant, player)
                    return True
                case ChangedKey(player):
                    self._asked_about = applicant.name
                    return await self._warn_and_ask(applicant, player)
                case _:
                    if self._is_open:
                        return True
                    self._asked_about = applicant.name
                    return await self._ask(
                        _(
                            "{name}, whom you have not met, wants to sit down (from {address}; key: {words})."
                        ).format(
                            name=applicant.name, address=applicant.address, words=" ".join(applicant.words)
                        )
                    )

    def _greet(self, applicant: Applicant, player: KnownPlayer) -> None:
        if player.petname != applicant.name:
            self._console.write(
                _("{name} is at the door, known to you as {petname}.").format(
                    name=applicant.name, petname=player.petname
                )
            )
        if not player.verified:
            self._console.write(
                _(
                    "{name} comes in: you have met before, but you have not verified the key ({words})."
                ).format(name=applicant.name, words=" ".join(applicant.words))
            )

    async def _warn_and_ask(self, applicant: Applicant, player: KnownPlayer) -> bool:
        write = self._console.write
        write(
            _("WARNING: somebody calls itself {name}, but has another key than the {name} you know.").format(
                name=player.petname
            )
        )
        write(
            _(
                "It may be a new machine, or somebody else. Ask {name} in person whether the key is: {words}"
            ).format(name=player.petname, words=" ".join(applicant.words))
        )
        return await self._ask(_("Seat this player all the same?"))

    async def _ask(self, question: str) -> bool:
        if not self._console.is_interactive:
            self._console.write(
                question + " " + _("Refused, since nobody is here to ask; --open seats everyone.")
            )
            return False
        self._console.write(question)
        self._console.prompt = _("Let this player in? [y/N] ")
        if not self._console.prompt_is_shown:
            self._console.write(self._console.prompt)
        self._answer = asyncio.get_running_loop().create_future()
        try:
            return await self._answer
        finally:
            self._answer = None
            self._console.prompt = IDLE

    # --- what the host types ----------------------------------------------------------------------

    async def keep(self) -> None:
        """Obey the host's lines until cancelled. Raises ``Left`` for ``quit``."""
        self._console.words = lambda: (
            ("start", "who", "help", "quit") if self._answer is None else ("yes", "no")
        )
        while True:
            line = await self._console.read()
            if line is None:
                if self._console.is_interactive:
                    raise Left
                await asyncio.Event().wait()  # nobody types here; guests may come all the same
                return
            word = line.strip().casefold()
            if self._answer is not None and not self._answer.done():
                self._reply(word)
            else:
                self._obey(word)

    def _reply(self, word: str) -> None:
        assert self._answer is not None
        if word in YES:
            self._answer.set_result(True)
        elif word in NO:
            self._answer.set_result(False)
        else:
            self._console.write(
                _(
                    "Please answer yes or no: yes seats {name}; no, or Enter alone, sends that player away. "
                    "To be sure who it is, compare the six words above: {name} sees the same ones as its own "
                    "key with shoal players."
                ).format(name=self._asked_about)
            )

    def _obey(self, word: str) -> None:
        match word:
            case "":
                pass
            case "start":
                self._start()
            case "quit" | "exit":
                raise Left
            case "who" | "table":
                if self._roster is not None:
                    self._console.write(self._seats())
                waited = duration(time.monotonic() - self._since)
                self._console.write(_("The table has been open for {time}.").format(time=waited))
            case _:
                self._console.write(
                    "\n".join(
                        (
                            _("start  begin with who is here"),
                            _("who    who sits"),
                            _("quit   close the table"),
                            _("About guests whom you have not met you are asked here, when they come."),
                        )
                    )
                )

    def _start(self) -> None:
        if self._hosting is None:
            return
        try:
            self._hosting.start_now()
        except SetupError as error:
            self._console.write(said_of(error))
