"""Readers that pose as a keyboard: digits and Enter, typed into whatever has the focus, here our prompt.

They type faster than people: less than 50 ms a character. `scan` judges a line that was typed; `WedgeReader`
does the same for a stream of characters. State: *typing* from the first character to Enter.
"""

from __future__ import annotations

import re

from ..uids import Numbers, Technology, Uid, UnclearUid, parse
from .base import Output, Presence, Profile, Remark, Seen, Unclear

BURST = 0.05
"""Seconds per character: readers take 2 to 20 ms, a fast typist 80."""

FEWEST = 4
"""Characters of a burst that are worth a remark; fewer are a key that was held down."""

LONGEST = 64
"""Characters of a line: a UHF reader types 24."""

WEDGE = Profile("wedge", "a reader that types like a keyboard", Presence.EDGE, 0.5, ())

_SPELLED = re.compile(
    r"\d{3},\d{5}|\d{8}|\d{10}|\d{13}|[0-9A-F]{8}|[0-9A-F]{10}|[0-9A-F]{14}|[0-9A-F]{16}|[0-9A-F]{24}",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"[0-9A-F,]+", re.IGNORECASE)
_CUT_SHORT = "A tag was read, but some of its digits are missing: tap it again."
_ENTER = "\r\n"


def scan(
    line: str,
    seconds: float | None = None,
    technology: Technology = Technology.UNKNOWN,
    numbers: Numbers = Numbers.DECIMAL,
) -> Seen | Unclear | None:
    """What a line typed into a prompt is: a tag, a tag whose digits are not all there, or (``None``) words of
    a person.

    ``seconds`` from its first character to Enter, where that is known: a line typed as slowly as people type
    is never a tag, and digits that came in a burst but are too few are a tag cut short.
    """
    text = line.strip()
    fast = seconds is not None and seconds <= BURST * len(text)
    if (seconds is not None and not fast) or not _DIGITS.fullmatch(text):
        return None
    if _SPELLED.fullmatch(text):
        try:
            return Seen(_uid(text, technology, numbers))
        except UnclearUid as unclear:
            return Unclear(text, str(unclear))
    if fast and len(text) >= FEWEST and any(c.isdecimal() for c in text):
        return Unclear(text[:LONGEST], _CUT_SHORT)
    return None


def _uid(text: str, technology: Technology, numbers: Numbers) -> Uid:
    return parse(text, technology, numbers)


class WedgeReader:
    """A stream of characters as they are typed, Enter as CR, LF or both."""

    def __init__(
        self, technology: Technology = Technology.UNKNOWN, numbers: Numbers = Numbers.DECIMAL
    ) -> None:
        self.profile = Profile(WEDGE.name, WEDGE.title, Presence.EDGE, WEDGE.period, (), technology)
        self._numbers = numbers
        self._line = ""
        self._since = 0.0
        self._deadline = 0.0

    @property
    def wake(self) -> float | None:
        return None

    def start(self, now: float) -> list[Output]:
        self._line = ""
        return []

    def tick(self, now: float) -> list[Output]:
        return []

    def feed(self, data: bytes, now: float) -> list[Output]:
        out: list[Output] = []
        for character in data.decode("ascii", "replace"):
            if character in _ENTER:
                out += self._enter(now)
                continue
            if not self._line:
                self._since = now
            if len(self._line) <= LONGEST:
                self._line += character
        return out

    def _enter(self, now: float) -> list[Output]:
        line, self._line = self._line, ""
        if not line:
            return []
        if len(line) > LONGEST:
            return [Remark("The reader typed a line that is longer than any tag's id.")]
        found = scan(line, now - self._since, self.profile.technology, self._numbers)
        return [found] if found is not None else []
