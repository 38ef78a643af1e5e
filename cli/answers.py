"""What a front end says to words that ask for something: the hand, the table, the log, the proofs, help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.contract import Action, View
from p2p.session import Session

from .boards import Board
from .commands.rules import page
from .lines import COMMANDS
from .presenter import Presenter
from .speech.verbs import in_own_words
from .translation import gettext as _


def answer(
    name: str, show: Presenter, session: Session, view: View[Any], board: Board, words: Sequence[str]
) -> Iterable[str]:
    """The lines for a word of ``lines.COMMANDS`` that only asks, or for one of the game's own. ``words`` are
    the table's safety words."""
    match name:
        case "hand":
            return [show.hand_line(view)]
        case "table":
            return show.table_lines(board)
        case "hint":
            return show.hints(view)
        case "log":
            return [str(line) for line in show.log]
        case "proofs":
            show.ledger.follow(session.history.proved)
            return show.ledger.lines()
        case "words":
            return [word_line(words)]
        case "rules":
            return page(show.rules.info, with_options=False).split("\n")
        case _:
            return show.answer(name, view)


def help_lines(show: Presenter, view: View[Any], actions: Sequence[Action]) -> list[str]:
    """What can be typed now, or on this player's turn, and at any time."""
    game = show.game
    heading = _("Now:") if actions else _("On your turn:")
    lines = [heading, *(f"  {line}" for line in game.help(view, actions)), _("At any time:")]
    own = {
        in_own_words(name): _(about)
        for name, about in {**game.wishes, **game.commands, **COMMANDS}.items()
    }  # fmt: skip
    width = max(map(len, own))
    return lines + [f"  {name:{width}}  {about}" for name, about in own.items()]


def word_line(words: Sequence[str]) -> str:
    """The safety words, apart enough to be read aloud."""
    return _("Safety words: {words}").format(words="   ".join(word.upper() for word in words))
