"""The rows above the line for typing, as a container of prompt_toolkit.

A window of prompt_toolkit copies all its cells anew for every key, also for one that changes the line alone.
Here the cells are made once for each drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prompt_toolkit.layout import Container, Dimension
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.utils import get_cwidth

from .canvas import Row


class Body(Container):
    """``rows`` gives the rows to show; the same object means the same rows."""

    def __init__(self, rows: Callable[[], Sequence[Row]]) -> None:
        self._rows = rows
        self._of: Sequence[Row] | None = None
        self._cells: list[dict[int, Char]] = []

    def reset(self) -> None:
        """See ``Container``: there is nothing to forget."""

    def preferred_width(self, max_available_width: int) -> Dimension:
        """See ``Container``: all there is."""
        return Dimension()

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:
        """See ``Container``: what the line for typing leaves."""
        return Dimension(min=0)

    def get_children(self) -> list[Container]:
        """See ``Container``."""
        return []

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """See ``Container``."""
        rows = self._rows()
        if rows is not self._of:
            self._of, self._cells = rows, [_cells(row) for row in rows]
        left, top = write_position.xpos, write_position.ypos
        for y, cells in enumerate(self._cells[: write_position.height], top):
            # A menu is drawn over them, so that each screen has its own.
            screen.data_buffer[y].update({x + left: cell for x, cell in cells.items()} if left else cells)
        screen.width = max(screen.width, left + write_position.width)
        screen.height = max(screen.height, top + write_position.height)


def _cells(row: Row) -> dict[int, Char]:
    """Columns and what stands in them. A wide sign takes two; a sign without a width joins the one before."""
    cells: dict[int, Char] = {}
    x = last = 0
    for style, text in row:
        for sign in text:
            size = get_cwidth(sign)
            if size:
                cells[x] = Char(sign, style)
                for further in range(x + 1, x + size):
                    cells[further] = Char("", style)
                last, x = x, x + size
            elif cells:
                cells[last] = Char(cells[last].char + sign, cells[last].style)
    return cells
