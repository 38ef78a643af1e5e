"""An emulated terminal in this process: what is written to it becomes cells."""

from __future__ import annotations

from io import StringIO

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output


class EmulatedTerminal:
    """Its cells, and keys for the program at it."""

    def __init__(
        self, keys: PipeInput, columns: int = 80, rows: int = 24, depth: ColorDepth = ColorDepth.DEPTH_1_BIT
    ) -> None:
        self.size = Size(rows, columns)
        self.written = StringIO()
        self.keys = keys
        self.output = Vt100_Output(
            self.written, lambda: self.size, term="xterm-256color", enable_cpr=False, enable_bell=True,
            default_color_depth=depth,
        )  # fmt: skip
        self.cells = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.cells)
        self._fed = 0

    def resize(self, columns: int, rows: int) -> None:
        """Another size; the program is still to be told."""
        self.size = Size(rows, columns)
        self.feed()
        self.cells.resize(rows, columns)

    def feed(self) -> str:
        """What was written since the last time."""
        new = self.written.getvalue()[self._fed :]
        self._fed += len(new)
        self._stream.feed(new)
        return new
