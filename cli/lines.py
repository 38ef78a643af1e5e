"""What a player types: commands that every game has, and lines that the game's board reads. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from engine.contract import Action, View
from p2p.log import MAX_CHAT

from .boards import GameBoard, NotUnderstood, find_seat
from .language import N_
from .speech.verbs import commanded_in_english, in_own_words
from .speech.words import typed_in_english
from .text import printable
from .translation import gettext as _

COMMANDS = {
    "hand": N_("your cards"),
    "table": N_("what lies on the table, and everyone's cards"),
    "hint": N_("what you may do now"),
    "log": N_("what has happened so far"),
    "proofs": N_("what has been proved so far, and by which proof"),
    "words": N_("the safety words of this table"),
    "rules": N_("how this game is played"),
    "chat": N_('say something to everyone: chat TEXT, or "TEXT'),
    "mute": N_("show no more, or again, what others say: mute, or mute NAME"),
    "resign": N_("leave this game for good; the others go on if they can"),
    "give up": N_("wait no longer for a player who is missing: give up NAME"),
    "help": N_("this list"),
    "quit": N_("pause the game and leave; resume brings you back"),
}
SYNONYMS = {
    "?": "help",
    "h": "help",
    "hints": "hint",
    "exit": "quit",
    "q": "quit",
    "say": "chat",
    "cards": "hand",
}


YES = ("y", "yes", "да", "д")
"""What a player types to say yes."""

NO = ("n", "no", "не", "н")
"""What a player types to say no."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One of ``COMMANDS``, or a word of the game; ``text`` is what follows it."""

    name: str
    text: str = ""


def read_line(line: str, game: GameBoard, view: View[Any], actions: Sequence[Action]) -> Ask | Action | None:
    """What a line means; ``None`` for an empty one. Raises ``NotUnderstood``.

    ``actions`` are the legal ones now, none when it is not this player's turn. An action that is well formed
    but not legal is returned all the same: the rules say why it is refused. So is one that may be wished for
    at any time.
    """
    line = line.strip()
    if not line:
        return None
    if line.startswith('"'):
        return _chat(line[1:].removesuffix('"'))
    typed = line.partition(" ")[0]
    line = commanded_in_english(line)
    word, _space, rest = line.partition(" ")
    word = word.casefold()
    word = SYNONYMS.get(word, word)
    if word == "chat":
        return _chat(rest)
    if word == "mute":
        return Ask("mute", rest.strip())
    if word == "resign":
        return Ask("resign")
    if word == "give" and rest.casefold().partition(" ")[0] == "up":
        return Ask("give up", rest[2:].strip())
    found = game.verb(line, actions)
    if (word in COMMANDS or word in game.commands) and (
        found is None or found[0] == word or " " not in found[0]
    ):
        return Ask(word)
    if found is not None:
        verb, rest = found
        if verb in game.rules.info.wishes and not any(action.verb == verb for action in actions):
            return game.wish(verb, view)
        if not actions:
            raise NotUnderstood(game.too_early(view))
        return game.read(verb, rest.split(), view, actions)
    words = typed_in_english(line.split())
    action = game.short(words, view, actions)
    if action is not None:
        return action
    guess = game.guess(words, view, actions)
    if guess is not None:
        raise NotUnderstood(guess)
    raise NotUnderstood(_unknown(word, typed, game, actions))


def _chat(text: str) -> Ask:
    text = text.strip()
    if not text:
        raise NotUnderstood(_("What do you want to say? chat TEXT"))
    if len(text) > MAX_CHAT:
        raise NotUnderstood(_("A line of chat has at most {n} characters.").format(n=MAX_CHAT))
    return Ask("chat", text)


def _unknown(word: str, typed: str, game: GameBoard, actions: Sequence[Action]) -> str:
    """``typed`` is the word as it was written, before it was understood as a command of another game."""
    from .waiting.lines import is_of_room  # nobody who plays on needs it

    if is_of_room(typed.casefold()):
        return _("The game has begun.")
    known = [*COMMANDS, *game.commands, *sorted({action.verb for action in actions})]
    known += [each for each in map(in_own_words, known) if each not in known]
    near = get_close_matches(word, known, n=1)
    shown = printable(typed, 20)
    if near:
        return _('"{word}" is no command; did you mean {near}?').format(word=shown, near=near[0])
    if actions:
        return _('"{word}" is no command. Type {sample}, for example, or help.').format(
            word=shown, sample=game.sample(actions)
        )
    return _('"{word}" is no command; help lists them.').format(word=shown)


__all__ = ["COMMANDS", "NO", "YES", "Ask", "NotUnderstood", "find_seat", "read_line"]
