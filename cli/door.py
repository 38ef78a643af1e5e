"""The host's door: who comes in, and who is asked about."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Sequence

from p2p.io.addresses import usable_addresses
from p2p.io.link import CutOff
from p2p.io.lobby import Applicant
from p2p.link import ChangedKey, Known, KnownPlayer, judge

from .console import IDLE, Console
from .language import said
from .lines import YES
from .text import printable
from .translation import gettext as _
from .waiting.room import Question

NO = ("n", "no", "не", "н", "")


_CUT_OFF = str(CutOff())
_NUMBER = re.compile(r"\d+")

BREATH = 1.0
"""Seconds between a question that came to nothing and the next: a key that was on its way to the former is no
answer to the latter. For so long nobody is sent away by a key either, which was on its way to begin the game:
Enter does both."""

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
        alike = kind[0], _NUMBER.sub("", reason)  # "a frame of 4294967295 bytes" says what every other does
        if alike not in self._told and len(self._told) < MOST_REFUSALS:
            self._told.add(alike)
            self._console.write(
                _("A connection from {address} was refused: {reason}").format(
                    address=kind[0], reason=said(printable(reason))
                )
            )


class Door:
    """Asks the host about each guest, one at a time."""

    def __init__(
        self,
        console: Console,
        known: Sequence[KnownPlayer],
        is_open: bool,
        *,
        on_question: Callable[[Question | None], bool] = lambda _question: False,
        expected: Collection[bytes] = (),
    ) -> None:
        """``known`` are the players met before; with ``is_open`` strangers are seated without asking, and so
        are those of ``expected``, who sat here a moment ago. ``on_question`` gets what is asked, and ``None``
        when that is answered; it says whether it shows the question by itself.
        """
        self._console = console
        self._known = known
        self._is_open = is_open
        self._on_question = on_question
        self._expected = expected
        self._sent_away: set[bytes] = set()
        self._one_at_a_time = asyncio.Lock()
        self._answer: asyncio.Future[bool] | None = None
        self._asked_about = ""
        self._is_withdrawn = False
        self._not_before = 0.0

    @property
    def is_asking(self) -> bool:
        """Whether an answer is awaited."""
        return self._answer is not None and not self._answer.done()

    async def admit(self, applicant: Applicant) -> bool:
        """Whether to seat this guest. Cancelled where it has left: then the question is withdrawn."""
        if applicant.public in self._sent_away:
            return False
        if applicant.public in self._expected:
            return True
        match judge(self._known, applicant.name, applicant.public):
            case Known(player):
                self._greet(applicant, player)
                return True
            case ChangedKey(player):
                question = _warning(applicant, player)
            case _ if self._is_open:
                return True
            case _:
                question = _stranger(applicant)
        async with self._one_at_a_time:  # nobody about whom nothing is asked waits behind a stranger
            return await self._ask(question)

    def shut_out(self, public: bytes) -> None:
        """Whoever has this identity was sent away, and is not let in at this table any more."""
        self._sent_away.add(public)

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

    async def _ask(self, question: Question) -> bool:
        text = "\n".join([*question.lines, *([_("Its key: {words}")] if question.words else [])])
        text = text.format(words=" ".join(question.words))
        if question.words and self._console.is_interactive:
            text = f"{text}\n{question.advice}"
        if not self._console.is_interactive:
            self._console.write(
                text + " " + _("Refused, since nobody is here to ask; --open seats everyone.")
            )
            return False
        if self._is_withdrawn:
            await asyncio.sleep(BREATH)
            self._is_withdrawn = False
        self._asked_about = question.name
        self._answer = asyncio.get_running_loop().create_future()
        is_shown = self._on_question(question)
        self._not_before = asyncio.get_running_loop().time() + BREATH if is_shown else 0.0
        if not is_shown:
            self._console.write(text)
        self._console.prompt = _("Let this player in? [y/N] ")
        if not self._console.prompt_is_shown:
            self._console.write(self._console.prompt)
        try:
            is_in = await self._answer
        except asyncio.CancelledError:
            self._is_withdrawn = True
            if not is_shown:
                self._console.write(_("{name} is not at the door any more.").format(name=question.name))
            raise
        finally:
            self._answer = None
            self._console.prompt = IDLE
            self._on_question(None)
        text = _("{name} was let in.") if is_in else _("{name} was sent away.")
        self._console.write(text.format(name=question.name))
        return is_in

    def reply(self, line: str) -> str:
        """An answer that was typed; what to say where it is none. Only while ``is_asking``."""
        assert self._answer is not None
        word = line.strip().casefold()
        if word in YES:
            self._answer.set_result(True)
        elif word in NO and asyncio.get_running_loop().time() < self._not_before:
            return _("{name} has only just come; nobody has been sent away.").format(name=self._asked_about)
        elif word in NO:
            self._answer.set_result(False)
        else:
            return _(
                "Please answer yes or no: yes seats {name}; no, or Enter alone, sends that player away. "
                "To be sure who it is, compare the six words above, which {name} sees, too."
            ).format(name=self._asked_about)
        return ""


def _stranger(applicant: Applicant) -> Question:
    text = _("{name}, whom you have not met, wants to sit down (from {address}).")
    return Question(
        applicant.name,
        (text.format(name=applicant.name, address=applicant.address),),
        tuple(applicant.words),
    )


def _warning(applicant: Applicant, player: KnownPlayer) -> Question:
    lines = (
        _("WARNING: somebody calls itself {name}, but has another key than the {name} you know."),
        _("It may be a new machine, or somebody else. Ask {name} in person whether the key is this one."),
    )
    return Question(
        applicant.name,
        tuple(line.format(name=player.petname) for line in lines),
        tuple(applicant.words),
        is_warning=True,
    )
