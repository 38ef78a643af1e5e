"""The waiting room on a console: drawn where the console can, said in lines everywhere else."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Sized
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..console import Console
from ..ending import EndChoice
from ..story import Line
from ..text import printable
from .lines import gone, news
from .room import Room

if TYPE_CHECKING:
    from ..tui.sheet import Cover


@runtime_checkable
class Covering(Protocol):
    """What a console has, besides, that can draw the room."""

    @property
    def log(self) -> Sized:
        """All lines that were told: the room draws those that come later."""

    def put_over(self, cover: Cover | None) -> None:
        """Draw this instead of the table."""

    def tell(self, lines: Sequence[Line]) -> None:
        """Lines for the log."""

    def offer(self, choices: Sequence[EndChoice]) -> None:
        """Take these keys."""

    def reply(self, text: str) -> None:
        """Say something to the line that was typed last."""

    def page(self, title: str, lines: Sequence[str]) -> None:
        """Something to read that was asked for."""


class RoomScreen:
    """Shows each state of the room as it comes."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.room: Room | None = None
        self._since = len(console.log) if isinstance(console, Covering) else 0

    @property
    def is_drawn(self) -> bool:
        """Whether the room is seen all the time."""
        return isinstance(self.console, Covering)

    def show(self, room: Room, muted: Collection[str] = ()) -> None:
        """The room as it is now; in lines, what is new, but for those who are ``muted``."""
        before, self.room = self.room, room
        if isinstance(self.console, Covering):
            from .drawing import RoomCover  # lines alone need none of it

            self.console.tell([Line(text, "note") for text in gone(before, room)])
            self.console.put_over(RoomCover(room, self._since))
            self.console.offer(room.choices)
            return
        for line in news(before, room, muted):
            self.console.write(line)

    def reply(self, text: str) -> None:
        """Say something to the line that was typed last."""
        if isinstance(self.console, Covering):
            self.console.reply(text)
        else:
            self.console.write(text)

    def page(self, title: str, lines: Sequence[str]) -> None:
        """Something to read that was asked for."""
        if isinstance(self.console, Covering):
            self.console.page(title, lines)
        else:
            self.console.write("\n".join(lines))

    def talk(self, name: str, text: str) -> None:
        """What somebody says."""
        line = Line(f"{name}: {printable(text)}", "chat")
        if isinstance(self.console, Covering):
            self.console.tell([line])
        else:
            self.console.write(str(line))

    def close(self) -> None:
        """The room is left."""
        if isinstance(self.console, Covering):
            self.console.offer(())
            self.console.reply("")
            self.console.put_over(None)
