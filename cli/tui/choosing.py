"""What a key or a click chooses on the full screen: an action, or what is done after the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ending import LEAVE_KEYS
from ..translation import gettext as _
from .keys import Chooser
from .mouse import CARD, CHOICE, END, SEAT, spot
from .scene import Scene

if TYPE_CHECKING:
    from .screen import FullScreen


def press(screen: FullScreen, key: str) -> bool:
    """A key that may choose something; whether it did."""
    if choose_end(screen, key) or (key.casefold() in LEAVE_KEYS and screen.leave()):
        return True
    if screen.leaves_figures and key.isdecimal():
        return False
    if screen.chooser is None:
        return key.isdecimal() and _is_too_early(screen)
    return _chosen(screen, screen.chooser.press(key)) or _is_none(screen, screen.chooser, key)


def choose_end(screen: FullScreen, key: str) -> bool:
    """A key that chooses what is done after the end; whether it does."""
    found = next((choice for choice in screen.choices if choice.key == key.casefold()), None)
    if found is not None:
        screen.send(found.word)
    return found is not None


def click(screen: FullScreen, column: int, row: int) -> None:
    """The mouse: what is clicked is chosen; a panel is closed."""
    if screen.panel is not None:
        screen.panel = None
        screen.changed()
        return
    found = spot(screen.picture.rows(), column, row)
    if found is None:
        return
    if found.kind == END:
        choose_end(screen, found.which)
    elif screen.chooser is not None and found.kind == CHOICE:
        _chosen(screen, screen.chooser.press(found.which))
    elif screen.chooser is not None:
        text = _card(screen.scene, int(found.which)) if found.kind == CARD else found.which
        _chosen(screen, screen.chooser.pick(text, is_seat=found.kind == SEAT))


def _chosen(screen: FullScreen, line: str | None) -> bool:
    """What a choice led to: a line, an empty one where more is to be chosen, or nothing."""
    if line is None:
        return False
    if line:
        screen.send(line)
    screen.notice = ""
    screen.changed()
    return True


def _is_none(screen: FullScreen, chooser: Chooser, key: str) -> bool:
    """Whether a key is none of the choices: what has been chosen stays, and it is said why. A figure that
    comes from a screen that has just changed must not wait in the line, where all others follow."""
    is_stray = key.isdecimal() and screen.scene is not None and not screen.scene.takes_figures
    if not chooser.is_refused(key) and not is_stray:
        return False
    line = chooser.wish(key)
    if line:
        screen.send(line)
    else:
        text = _("{key} is none of these; Esc goes back, and / begins a command.")
        screen.reply(text.format(key=key.upper()))
    return True


def _is_too_early(screen: FullScreen) -> bool:
    """Whether a figure has nothing to choose now: it must not wait in the line for the next turn."""
    scene = screen.scene
    if scene is None or scene.takes_figures or scene.is_over:
        return False
    screen.reply(scene.waiting_text or " ".join(scene.to_do) or scene.idle)
    return True


def _card(scene: Scene | None, number: int) -> str:
    """A card of one's own hand, counted as they stand on the screen."""
    cards = [card for token in scene.hand for card in token.cards] if scene else []
    return cards[number] if number < len(cards) else ""
