"""Moves by single keys: the legal actions as a tree of choices, one key for each.

The first choice takes figures only, since letters on an empty line begin a command as in the plain mode; the
choices after it take what stands on the cards as well. What is chosen in the end is a line as a player would
type it, so that it goes the same way as a typed one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from msgspec import structs

from engine.contract import Action

from ..boards import GameBoard
from ..speech.verbs import in_own_words
from ..speech.words import typed_in_english
from ..text import typed_card
from ..translation import gettext as _
from .extras import is_flip

ENTER: Final = "enter"
MORE: Final = "0"
PAGE: Final = 9
"""Choices that get a figure at once; the figure 0 shows further ones."""

_STANDARD: Final = re.compile(r"([2-9TJQKA])([CDHS])")
_RANKS: Final = "23456789TJQKA"
_VIA: Final = " via star"


class Token(NamedTuple):
    """One step of an action: what kind of step, its value, and how it is written."""

    kind: str
    value: str
    label: str


@dataclass(slots=True)
class Node:
    """A place in the tree: ``action`` where an action is complete, and what may follow."""

    action: Action | None = None
    next: dict[Token, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """One choice: its key, how the key is written (empty where it is of no use now), its label, and what it
    leads to."""

    key: str
    shown: str
    label: str
    token: Token | None


@dataclass(frozen=True, slots=True)
class Choice:
    """What stands on the screen: what has been chosen, and what may be chosen now."""

    chosen: str
    question: str
    options: tuple[Option, ...]
    at: int
    may_go_back: bool
    takes_letters: bool = False


class Chooser:
    """Follows the keys of one decision."""

    def __init__(self, game: GameBoard, actions: Sequence[Action]) -> None:
        self._game = game
        offered = _offered(game, actions)
        self._verbs = {action.verb for action in offered}
        self._root = _tree(game, offered)
        self._path: list[Token] = []
        self._page = 0
        self._at = -1
        self._mark()

    # --- what there is to choose --------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that a key could choose."""
        return not self._root.next and self._root.action is None

    @property
    def choice(self) -> Choice:
        """What to show."""
        options = self.options()
        chosen = " ".join([*self._verb(), *(token.label for token in self._path)]) if self._path else ""
        at = self._at if self._at < len(options) else -1
        may_go_back = bool(self._path) or self._page > 0
        return Choice(chosen, self._question(), options, at, may_go_back, self.takes_letters)

    def options(self) -> tuple[Option, ...]:
        """The choices that have a key now."""
        node = self._node()
        tokens = _in_order(node.next)
        found = [Option(ENTER, "Enter", self._whole(node), None)] if node.action is not None else []
        natural = _natural(tokens) if self._path or all(token.kind == "seat" for token in tokens) else None
        if natural is not None:
            own = _own_letters(natural.values())
            return (*found, *(Option(key, own.get(token, key).upper(), token.label, token)
                              for key, token in natural.items()))  # fmt: skip
        start = self._page * PAGE
        shown = tokens[start : start + PAGE] if len(tokens) > PAGE + 1 else tokens
        found += [
            Option(str(n % 10), str(n % 10), token.label, token)
            for n, token in enumerate(shown, 1)
        ]  # fmt: skip
        if len(tokens) > PAGE + 1:
            found.append(Option(MORE, MORE, _("more"), None))
        elif len(found) == 1 and found[0].token is not None:
            found[0] = Option(ENTER, "Enter", found[0].label, found[0].token)
        return tuple(found)

    def _verb(self) -> list[str]:
        """The verb, where it was no choice."""
        is_chosen = self._path[0].kind == "verb" or len(self._verbs) != 1
        return [] if is_chosen else [*map(in_own_words, self._verbs)]

    def _question(self) -> str:
        tokens = self._node().next
        kinds = {token.kind for token in tokens}
        if kinds == {"value"} and all(token.value.isdecimal() for token in tokens):
            return _("How many?") if self._path else ""  # before that the question of the game says it
        if kinds == {"seat"}:
            return _("Whom?")
        if self._path and kinds & {"value", "rank", "star"}:
            return _("for what?")
        return _("Which suit?") if kinds == {"suit"} else ""

    def _whole(self, node: Node) -> str:
        if node.next:
            return _("that is all") if self._path else self._game.action(_given(node))
        return self._game.action(_given(node))

    # --- keys ---------------------------------------------------------------------------------------

    def press(self, key: str) -> str | None:
        """Take a key: the line to send, an empty text where more is to be chosen, or ``None`` where the key
        chooses nothing."""
        options = self.options()
        key = key.casefold()
        if key == ENTER and 0 <= self._at < len(options):
            return self._take(options[self._at])
        for option in options:
            if option.key == key or (key == "t" and option.key == "0" and option.token is not None
                                     and option.token.kind == "rank"):  # fmt: skip
                return self._take(option)
        meant = [option for option in options if _is_meant(option, key)]
        return self._take(meant[0]) if len(meant) == 1 and key.isalpha() else None

    def is_refused(self, key: str) -> bool:
        """Whether a key that ``press`` does not take is none of the choices that come after another: there it
        neither begins a line nor undoes what has been chosen."""
        return bool(self._path) and key.isalnum() and self.takes_letters

    def wish(self, key: str) -> str:
        """The line that asks for the rank of such a key, so that the game says why that is not possible;
        empty where the key is no rank, or a rank alone is not asked for."""
        rank = "T" if key == "0" else typed_in_english([key])[0].upper()
        node = self._node()
        if len(rank) != 1 or rank not in _RANKS or {token.kind for token in node.next} != {"rank"}:
            return ""
        last = next(iter(node.next.values())).action
        return "" if last is None else self._game.action(structs.replace(last, value=rank))

    def pick(self, text: str, is_seat: bool) -> str | None:
        """Take what was pointed at: a player by number, or a card by how it is written. As ``press``."""
        for option in self.options():
            token = option.token
            if token is None:
                continue
            is_meant = token.kind == "seat" and token.value == text if is_seat else _is_of(token, text)
            if is_meant:
                return self._take(option)
        return None

    @property
    def takes_letters(self) -> bool:
        """Whether a letter may choose now, so that it begins no command."""
        return any(len(option.key) == 1 and option.key.isalpha() for option in self.options())

    def move(self, steps: int) -> bool:
        """Move the mark over the choices; whether there is one."""
        count = len(self.options())
        if not count:
            return False
        self._at = (self._at + steps) % count if self._at >= 0 else (0 if steps > 0 else count - 1)
        return True

    def back(self) -> bool:
        """Undo the last choice; whether there was one."""
        if self._page:
            self._page = 0
        elif self._path:
            self._path.pop()
        else:
            return False
        self._mark()
        return True

    def reset(self) -> bool:
        """Begin anew; whether anything had been chosen or marked."""
        before = (list(self._path), self._page, self._at)
        self._path.clear()
        self._page = 0
        self._mark()
        return before != (self._path, self._page, self._at)

    def _take(self, option: Option) -> str:
        if option.token is None:
            if option.key == MORE:
                tokens = len(self._node().next)
                self._page = (self._page + 1) % (-(-tokens // PAGE))
                self._mark()
                return ""
            return self._line(_given(self._node()))
        self._path.append(option.token)
        self._page = 0
        node = self._node()
        while len(node.next) == 1 and node.action is None:
            self._path.append(next(iter(node.next)))
            node = self._node()
        if not node.next and node.action is not None:
            return self._line(node.action)
        self._mark()
        return ""

    def _line(self, action: Action) -> str:
        line = self._game.action(action)
        self.reset()
        return line

    def _mark(self) -> None:
        """Mark the choice where there is only one."""
        self._at = 0 if len(self.options()) == 1 else -1

    def _node(self) -> Node:
        node = self._root
        for token in self._path:
            node = node.next[token]
        return node


def without_figures(choice: Choice) -> Choice:
    """The same where figures choose nothing: they stand at no choice, and the mark chooses."""
    options = (replace(each, shown="") if each.shown.isdecimal() else each for each in choice.options)
    return replace(choice, options=tuple(options))


def _in_order(tokens: Iterable[Token]) -> list[Token]:
    """Numbers from small to large, so that the figure that chooses is the number; all else as it comes."""
    found = list(tokens)
    is_number = all(token.kind == "value" and token.value.isdecimal() for token in found)
    return sorted(found, key=lambda token: int(token.value)) if is_number else found


def _own_letters(tokens: Iterable[Token]) -> dict[Token, str]:
    """The letters that values begin with in a language with other ones, if no two begin with the same.
    Players have their numbers, which stand beside their names."""
    found = {
        token: token.label[:1].casefold()
        for token in tokens
        if token.kind not in ("star", "seat") and not token.label[:1].isdecimal()
    }
    is_other = all(letter.isalpha() and not letter.isascii() for letter in found.values())
    return found if is_other and len(set(found.values())) == len(found) else {}


def _is_meant(option: Option, key: str) -> bool:
    """Whether a letter is the one that the language chosen has for a choice: shown, or on the card."""
    if option.token is None:
        return False
    return key in (option.shown.casefold(), option.token.label.casefold()) or (
        typed_in_english([key])[0].casefold() == option.key
    )


def _given(node: Node) -> Action:
    assert node.action is not None
    return node.action


def _offered(game: GameBoard, actions: Sequence[Action]) -> list[Action]:
    """The actions that keys choose from. In a race figures are the numbers of cards, and are typed."""
    if game.rules.info.id == "discount-salmon" and not is_flip(actions):
        return []
    values = {action.value for action in actions}
    is_number = len(actions) > PAGE and len(values) == len(actions) and all(map(str.isdecimal, values))
    if is_number and not any(action.target >= 0 or action.cards for action in actions):
        return [actions[0]]  # one is as good as another: which face lies there nobody knows
    return list(actions)


def _tree(game: GameBoard, actions: Iterable[Action]) -> Node:
    actions = list(actions)
    has_verbs = len({action.verb for action in actions}) > 1
    root = Node()
    for action in sorted(actions, key=lambda action: action.verb in game.refusals):
        node = root
        for token in _tokens(game, action, has_verbs):
            node = node.next.setdefault(token, Node())
        node.action = action
    if len(actions) == 1:
        return Node(actions[0])
    return root


def _tokens(game: GameBoard, action: Action, has_verbs: bool) -> list[Token]:
    # A verb without anything after it is a choice of its own even where there is no other verb.
    bare = action.target < 0 and not action.value and not action.cards
    tokens = [Token("verb", action.verb, game.action(Action(action.verb)))] if has_verbs or bare else []
    if action.target >= 0:
        tokens.append(Token("seat", str(action.target + 1), game.names[action.target]))
    if action.value:
        tokens += _of_value(game, action.value, action.verb)
    for card in action.cards:
        if is_pair := "=" in card:
            mine, drawn = card.split("=", 1)
            text = _("{mine} for {drawn}").format(mine=game.card(mine), drawn=game.card(drawn))
            tokens.append(Token("pair", card, text))
        if not is_pair:
            tokens.append(Token("card", card, _card(game, card)))
    return tokens


def _is_of(token: Token, card: str) -> bool:
    """Whether a choice is this card, or the rank that is written on it."""
    if token.kind == "rank":
        return card[:-1] == token.label
    return token.kind in ("card", "suit", "value") and card == token.label


def _card(game: GameBoard, text: str) -> str:
    if "+" in text:  # a pair that is laid
        return "+".join(_card(game, each) for each in text.split("+"))
    return game.glyphs.card(text) if _STANDARD.fullmatch(text) else typed_card(game.card(text))


def _of_value(game: GameBoard, value: str, verb: str) -> list[Token]:
    if value.endswith(_VIA):
        bare = value.removesuffix(_VIA)
        return [Token("star", "*", _("with a star")), Token("value", bare, game.value(bare))]
    card = _STANDARD.fullmatch(value)
    if card is not None:
        rank, suit = card.groups()
        return [Token("rank", rank, typed_card(rank)), Token("suit", suit, game.glyphs.card(value))]
    if verb in game.counts:
        return [Token("value", value, game.number(value))]
    kind = "rank" if value in _RANKS and len(value) == 1 else "value"
    return [Token(kind, value, game.value(value))]


def _natural(tokens: Sequence[Token]) -> Mapping[str, Token] | None:
    """Keys that stand on what is chosen, if each has one and no two the same."""
    found: dict[str, Token] = {}
    for token in tokens:
        key = _key(token)
        if key is None or key in found:
            return None
        found[key] = token
    return found


def _key(token: Token) -> str | None:
    match token.kind:
        case "seat":
            return token.value if len(token.value) == 1 else None
        case "rank":
            return "0" if token.value == "T" else token.value.casefold()
        case "suit":
            return token.value.casefold()
        case "star":
            return "*"
        case "value":
            first = typed_in_english([token.value])[0][:1].casefold()
            return first if len(first) == 1 and (first.isalpha() or len(token.value) == 1) else None
        case _:
            return None
