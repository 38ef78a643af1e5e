"""What a player types: commands, and actions with names and ranks as people write them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from gettext import gettext as _
from typing import Any

from engine.cards import Deck, InvalidCard
from engine.contract import Action, AnyRules, BadAction, View
from engine.text import seat_letters
from p2p.log import MAX_CHAT

from .text import LETTERS, N_, printable, typed_card

COMMANDS = {
    "hand": N_("your cards"),
    "table": N_("everyone's cards, books and the pond"),
    "books": N_("the books laid so far"),
    "hint": N_("what you may do now"),
    "log": N_("what has happened so far"),
    "words": N_("the safety words of this table"),
    "chat": N_('say something to everyone: chat TEXT, or "TEXT'),
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
MYSELF = {"me", "myself"}
SMALL_WORDS = {"for", "a", "an", "any", "the", "your", "all"}


class NotUnderstood(ValueError):
    """What was typed means nothing here. The message says what would be right."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One of ``COMMANDS``; ``text`` is what follows the word."""

    name: str
    text: str = ""


def read_line(
    line: str, rules: AnyRules, view: View[Any], names: Sequence[str], actions: Sequence[Action]
) -> Ask | Action | None:
    """What a line means; ``None`` for an empty one. Raises ``NotUnderstood``.

    ``actions`` are the legal ones now, none when it is not this player's turn. An action that is well formed
    but not legal is returned all the same: the rules say why it is refused.
    """
    line = line.strip()
    if not line:
        return None
    if line.startswith('"'):
        return _chat(line[1:].removesuffix('"'))
    word, _space, rest = line.partition(" ")
    word = word.casefold()
    word = SYNONYMS.get(word, word)
    if word == "chat":
        return _chat(rest)
    if word in COMMANDS:
        return Ask(word)
    verbs = {action.verb for action in actions}
    if word in rules.info.verbs or word in verbs:
        if not actions:
            raise NotUnderstood(_("It is not your turn; wait, or talk with: chat TEXT"))
        return _action(word, rest.split(), rules, view, names, actions)
    guess = _guess(line.split(), view, names, actions)
    if guess is not None:
        raise NotUnderstood(guess)
    raise NotUnderstood(_unknown(word, actions, names))


def _chat(text: str) -> Ask:
    text = text.strip()
    if not text:
        raise NotUnderstood(_("What do you want to say? chat TEXT"))
    if len(text) > MAX_CHAT:
        raise NotUnderstood(_("A line of chat has at most {n} characters.").format(n=MAX_CHAT))
    return Ask("chat", text)


def _action(
    verb: str,
    words: list[str],
    rules: AnyRules,
    view: View[Any],
    names: Sequence[str],
    actions: Sequence[Action],
) -> Action:
    sample = _sample(actions, names)
    if not any(action.verb == verb for action in actions):
        raise NotUnderstood(_("Now it is: {sample}").format(sample=sample))
    if actions[0].cards:
        whole = _value(view.deck, words, actions)
        return Action(verb, cards=(whole,) if whole else tuple(_card(view.deck, word) for word in words))
    labels = seat_letters(len(names))
    parts = [verb]
    guess = _guess(words, view, names, actions)
    if verb in rules.info.targeted:
        if not words:
            raise NotUnderstood(_("Whom, and for what? For example: {sample}").format(sample=sample))
        try:
            target, rest = _target(words, names, view.seat)
        except NotUnderstood:
            if guess is None:
                raise
            raise NotUnderstood(guess) from None
        if target == view.seat and not any(action.target == target for action in actions):
            others = [name for seat, name in enumerate(names) if seat != target]
            raise NotUnderstood(_("You cannot ask yourself; ask {names}.").format(names=_either(others)))
        if not rest:
            raise NotUnderstood(_("For what? For example: {sample}").format(sample=sample))
        parts.append(labels[target])
        words = rest
    value = _value(view.deck, words, actions)
    if value is None and guess is not None:
        raise NotUnderstood(guess)
    if value is None:
        raise NotUnderstood(
            _("{problem} For example: {sample}").format(
                problem=_no_value(view.deck, words, actions), sample=sample
            )
        )
    try:
        return rules.parse(view.state, " ".join([*parts, value]), labels)
    except BadAction as error:
        raise NotUnderstood(
            _("{problem} For example: {sample}").format(problem=error, sample=sample)
        ) from None


def _guess(
    words: Sequence[str], view: View[Any], names: Sequence[str], actions: Sequence[Action]
) -> str | None:
    """What somebody may have meant who left out the verb, or the player, or wrote them in another order."""
    if not words or (actions and not any(action.target >= 0 for action in actions)):
        return None
    names_values = not actions or _names_values(view.deck, actions)
    seat, value = -1, None
    for word in [word for word in words if len(words) == 1 or word.casefold() not in SMALL_WORDS]:
        found = _one_value(view.deck, [word], names_values)
        there = find_seat(word, names) if not word.isdecimal() else None
        if found is not None and value is None:
            value = found
        elif there is not None and there != view.seat and seat < 0:
            seat = there
    if value is None or (seat < 0 and len(words) > 1):
        return None
    if not actions:
        return _("It is not your turn; wait, or talk with: chat TEXT")
    verb = actions[0].verb
    possible = sorted({action.target for action in actions})
    if seat < 0 and len(possible) > 1:
        named = _either([names[each] for each in possible])
        sample = f"{verb} {names[possible[0]]} {typed_card(value)}"
        return _("Whom, {names}? For example: {sample}").format(names=named, sample=sample)
    target = seat if seat >= 0 else possible[0]
    return _("Did you mean: {sample}").format(sample=f"{verb} {names[target]} {typed_card(value)}")


def _target(words: list[str], names: Sequence[str], me: int) -> tuple[int, list[str]]:
    """The seat that the first words name (the longest name that fits), and the words that follow."""
    for count in range(len(words), 0, -1):
        seat = find_seat(" ".join(words[:count]), names)
        if seat is not None:
            rest = words[count:]
            while len(rest) > 1 and rest[0].casefold() in SMALL_WORDS:  # "a" alone is an ace
                rest = rest[1:]
            return seat, rest
    fitting = [name for name in names if name.casefold().startswith(words[0].casefold())]
    if len(fitting) > 1:
        raise NotUnderstood(
            _("{word} could be {names}; type one more letter.").format(
                word=printable(words[0], 32), names=_either(fitting)
            )
        )
    if words[0].casefold() in MYSELF:
        return me, words[1:]
    others = ", ".join(name for seat, name in enumerate(names) if seat != me)
    raise NotUnderstood(
        _("There is no player {word} here; you can ask {names}.").format(
            word=printable(words[0], 32), names=others
        )
    )


def find_seat(text: str, names: Sequence[str]) -> int | None:
    """The seat that a name, a number counted from 1, or the beginning of only one name means."""
    folded = [name.casefold() for name in names]
    text = text.casefold().rstrip(",:")
    if text in folded:
        return folded.index(text)
    if text.isascii() and text.isdecimal() and 1 <= int(text[:3]) <= len(names):
        return int(text[:3]) - 1
    fitting = [seat for seat, name in enumerate(folded) if name.startswith(text)]
    return fitting[0] if len(fitting) == 1 else None


def _card(deck: Deck, word: str) -> str:
    try:
        return deck.text(deck.parse(_letters(word)))
    except InvalidCard as error:
        raise NotUnderstood(str(error)) from None


def _names_values(deck: Deck, actions: Sequence[Action]) -> bool:
    """Whether a move names a value of the first attribute, such as a rank, and no card."""
    return not actions[0].cards and actions[0].value in deck.attributes[0].values


def _value(deck: Deck, words: Sequence[str], actions: Sequence[Action]) -> str | None:
    """The one rank or card that all the words together name, as the game reads it."""
    return _one_value(deck, words, _names_values(deck, actions))


def _one_value(deck: Deck, words: Sequence[str], names_values: bool) -> str | None:
    """Ranks also in the plural; cards also as ``two of clubs``, ``2 clubs`` and ``2 C``."""
    parts = [_letters(word) for word in words]
    if names_values:
        text = " ".join(parts)
        candidates = [text, text.removesuffix("s"), text.removesuffix("es")]
    else:
        candidates = [" ".join(parts), "".join(parts), " of ".join(parts)]
    for candidate in candidates:
        try:
            if names_values:
                return deck.parse_value(deck.attributes[0].name, candidate)
            return deck.text(deck.parse(candidate))
        except InvalidCard:
            continue
    return None


def _no_value(deck: Deck, words: Sequence[str], actions: Sequence[Action]) -> str:
    """Why the words name nothing that can be asked for."""
    shown = printable(" ".join(words), 20)
    if not _names_values(deck, actions):
        return _('"{words}" is no card of this deck; name a rank and a suit.').format(words=shown)
    first = deck.attributes[0]
    known = " ".join(typed_card(value) for value in first.values)
    return _('"{words}" is not one {kind} of this deck; there are {known}.').format(
        words=shown, kind=first.name, known=known
    )


def _letters(word: str) -> str:
    return "".join(LETTERS.get(character, character) for character in word if character != "\ufe0f")


def _sample(actions: Sequence[Action], names: Sequence[str]) -> str:
    action = actions[0]
    cards = [typed_card(card) for card in (action.value, *action.cards)]
    parts = [action.verb, names[action.target] if action.target >= 0 else "", *cards]
    return " ".join(part for part in parts if part)


def _unknown(word: str, actions: Sequence[Action], names: Sequence[str]) -> str:
    known = [*COMMANDS, *sorted({action.verb for action in actions})]
    near = get_close_matches(word, known, n=1)
    shown = printable(word, 20)
    if near:
        return _('"{word}" is no command; did you mean {near}?').format(word=shown, near=near[0])
    if actions:
        sample = _sample(actions, names)
        return _('"{word}" is no command. It is your turn: {sample}, or help.').format(
            word=shown, sample=sample
        )
    return _('"{word}" is no command; help lists them.').format(word=shown)


def _either(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return _("{some} or {last}").format(some=", ".join(words[:-1]), last=words[-1])
