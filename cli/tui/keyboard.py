"""What comes from the terminal's keyboard, without what no key of ours is."""

from __future__ import annotations

import re
from typing import Final

from prompt_toolkit.input import Input
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from ..typed import MAX_LINE

_SEQUENCE: Final = re.compile(
    r"\x1b\[(?P<parameters>[0-?]*)[ -/]*(?P<end>[@-~])"  # ECMA-48, 5.4: a control sequence
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # ECMA-48, 5.6: a control string, such as an answer
)
_PASTE: Final = ("\x1b[200~", "\x1b[201~")
_MOUSE_OLD: Final = "\x1b[M"
"""Begins a sequence that goes on for three more characters."""

ESCAPE: Final = 0.05
"""Seconds after which Esc was the key and not the beginning of a sequence; over slow links these come in one
piece, too."""

PASTED: Final = 128
"""Characters in one reading that nobody types: where a terminal does not mark what is pasted, this tells it.
A reader that types takes up to 62 for a tag."""

_RUN: Final = re.compile(r"[^\x00-\x1f\x7f]+|.", re.DOTALL)


class QuietParser(Vt100Parser):
    """Drops sequences that are no key known here, which prompt_toolkit takes for Esc and typed text. Of a
    pasted book it keeps no more than a line can hold, since else each key of it would be drawn."""

    def feed(self, data: str) -> None:
        """See ``Vt100Parser.feed``."""
        if self._in_bracketed_paste or "\x1b" in data:
            super().feed(_SEQUENCE.sub(_known, data))
        elif len(data) < PASTED:
            super().feed(data)
        else:
            self._feed_book(data)
        if self._in_bracketed_paste and len(self._paste_buffer) > 2 * MAX_LINE:
            tail = self._paste_buffer[-len(_PASTE[1]) :]  # it may be the beginning of the mark of the end
            self._paste_buffer = self._paste_buffer[:MAX_LINE] + tail

    def _feed_book(self, data: str) -> None:
        for run in _RUN.findall(data):
            if len(run) > 1:
                self.flush()  # an Esc before it was one
                self.feed_key_callback(KeyPress(Keys.BracketedPaste, run))
            else:
                super().feed(run)


def _known(found: re.Match[str]) -> str:
    text = found.group()
    if text in ANSI_SEQUENCES or text in _PASTE or text == _MOUSE_OLD:
        return text
    is_answer = found["end"] in ("R", "m", "M") and found["parameters"]
    return text if is_answer else ""


def listen_quietly(source: Input) -> None:
    """Let an input drop what is no key; where it is no stream of characters, nothing needs to be dropped."""
    parser = getattr(source, "vt100_parser", None)
    if isinstance(parser, Vt100Parser):
        quiet = QuietParser(parser.feed_key_callback)
        source.vt100_parser = quiet  # type: ignore[attr-defined]  # such inputs have it, their base has not
