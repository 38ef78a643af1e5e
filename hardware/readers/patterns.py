"""Patterns of one's own for lines of text, matched in a time that grows with the line and no faster.

Python's own engine tries one way after the other, and a pattern such as ``(a|a)*b`` makes it try more ways
than anybody can wait for, while nothing can interrupt it. Here all ways are followed at once, character by
character (Thompson, "Regular expression search algorithm", 1968; Pike's machine for the groups), so a line
costs at most its length times the size of the pattern, whatever the pattern is. What such a machine cannot
do, looking around and referring back, is refused; nobody needs it to find an id in a line.

Understood: characters, ``.``, classes ``[...]``, ``\\d \\D \\w \\W \\s \\S``, ``\\t``, the places
``^ $ \\b \\B \\A \\Z``, ``|``, groups ``(...)``, ``(?:...)``, ``(?P<name>...)``, and the quantifiers
``* + ? {m} {m,} {,n} {m,n}``, each also with ``?``; ``(?i)`` in front for capitals and small letters alike.
The meaning is that of Python's `re`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

__all__ = ["Pattern", "Unusable"]

LONGEST: Final = 400
"""Characters of a pattern; the longest of ours has 200."""

MOST_STEPS: Final = 1500
"""Instructions of a compiled pattern. A line of 256 characters then takes a fifth of a second at the very
worst, and a usual pattern a thousandth."""

MOST_REPEATS: Final = 256
"""The number in a quantifier: a line has no more characters."""

Test: TypeAlias = Callable[[str], bool]


class Unusable(ValueError):
    """A text that is no pattern. The message says why, without a full stop."""


@dataclass(frozen=True, slots=True)
class _One:
    """One character that passes a test."""

    test: Test


@dataclass(frozen=True, slots=True)
class _At:
    """A place in the line: ``^ $ b B``."""

    what: str


@dataclass(frozen=True, slots=True)
class _Row:
    parts: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Either:
    ways: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    name: str
    body: _Node


@dataclass(frozen=True, slots=True)
class _Repeat:
    body: _Node
    least: int
    most: int | None
    greedy: bool


_Node: TypeAlias = "_One | _At | _Row | _Either | _Group | _Repeat"

_CATEGORIES: Final[dict[str, Test]] = {
    "d": lambda c: re.match(r"\d", c) is not None,
    "w": lambda c: re.match(r"\w", c) is not None,
    "s": lambda c: re.match(r"\s", c) is not None,
}
_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_COUNT: Final = re.compile(r"\{(\d*)(,?)(\d*)\}")


class _Parser:
    """The tree of a pattern. Raises `Unusable`."""

    def __init__(self, text: str) -> None:
        self._ignore_case = text.startswith("(?i)")
        self._text = text[4:] if self._ignore_case else text
        self._at = 0
        self.names: list[str] = []

    def parse(self) -> _Node:
        tree = self._either()
        if self._at < len(self._text):
            raise Unusable("a closing parenthesis too many")
        return tree

    def _peek(self, size: int = 1) -> str:
        return self._text[self._at : self._at + size]

    def _take(self) -> str:
        if self._at >= len(self._text):
            raise Unusable("it ends too early")
        self._at += 1
        return self._text[self._at - 1]

    def _either(self) -> _Node:
        ways = [self._row()]
        while self._peek() == "|":
            self._at += 1
            ways.append(self._row())
        return ways[0] if len(ways) == 1 else _Either(tuple(ways))

    def _row(self) -> _Node:
        parts: list[_Node] = []
        while self._peek() not in {"", "|", ")"}:
            parts.append(self._repeated(self._atom()))
        return _Row(tuple(parts))

    def _repeated(self, atom: _Node) -> _Node:
        least, most, size = self._quantifier()
        if not size:
            return atom
        if isinstance(atom, _At):
            raise Unusable("nothing to repeat")
        self._at += size
        greedy = True
        if self._peek() == "?":
            self._at += 1
            greedy = False
        if self._peek() == "+" or self._quantifier()[2]:
            raise Unusable("one quantifier behind another")
        return _Repeat(atom, least, most, greedy)

    def _quantifier(self) -> tuple[int, int | None, int]:
        """Least, most and the characters it takes; 0 characters: there is none here."""
        simple: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        if self._peek() in simple:
            return *simple[self._peek()], 1
        match = _COUNT.match(self._text, self._at)
        if match is None or not (match[1] or match[2] or match[3]):
            return 0, None, 0
        least = int(match[1] or "0")
        most = (int(match[3]) if match[3] else None) if match[2] else least
        if max(least, most or 0) > MOST_REPEATS:
            raise Unusable(f"a quantifier of more than {MOST_REPEATS}")
        if most is not None and most < least:
            raise Unusable("a quantifier whose second number is the smaller one")
        return least, most, len(match[0])

    def _atom(self) -> _Node:
        character = self._take()
        match character:
            case "(":
                return self._group()
            case "[":
                return _One(self._class())
            case ".":
                return _One(lambda c: c != "\n")
            case "^" | "$":
                return _At(character)
            case "\\":
                return self._escape()
            case "*" | "+" | "?":
                raise Unusable("nothing to repeat")
            case "{" if _COUNT.match(self._text, self._at - 1) and self._quantifier_before():
                raise Unusable("nothing to repeat")
        return _One(self._literal(character))

    def _quantifier_before(self) -> bool:
        self._at -= 1
        size = self._quantifier()[2]
        self._at += 1
        return bool(size)

    def _group(self) -> _Node:
        name = ""
        if self._peek() == "?":
            self._at += 1
            if self._peek() == ":":
                self._at += 1
            elif match := re.compile(r"P<([A-Za-z_][A-Za-z0-9_]*)>").match(self._text, self._at):
                name = match[1]
                if name in self.names:
                    raise Unusable(f"two groups are called {name}")
                self.names.append(name)
                self._at += len(match[0])
            else:
                raise Unusable("looking around, referring back and flags are not possible here")
        body = self._either()
        if self._peek() != ")":
            raise Unusable("a closing parenthesis is missing")
        self._at += 1
        return _Group(name, body) if name else body

    def _escape(self) -> _Node:
        letter = self._take()
        if letter in "bB":
            return _At(letter)
        if letter in "AZ":
            return _At({"A": "^", "Z": "Z"}[letter])
        return _One(self._escaped(letter))

    def _escaped(self, letter: str) -> Test:
        if letter.lower() in _CATEGORIES and letter.isascii():
            test = _CATEGORIES[letter.lower()]
            return test if letter.islower() else lambda c: not test(c)
        if letter in _ESCAPES:
            return self._literal(_ESCAPES[letter])
        if letter.isascii() and letter.isalnum():
            raise Unusable(f"\\{letter} is not possible here")
        return self._literal(letter)

    def _literal(self, character: str) -> Test:
        return self._range(character, character)

    def _range(self, first: str, last: str) -> Test:
        if not self._ignore_case:
            return lambda c: first <= c <= last
        return lambda c: any(first <= each <= last for each in _cases(c))

    def _class(self) -> Test:
        negated = self._peek() == "^"
        self._at += negated
        tests: list[Test] = []
        start = self._at
        while self._peek() != "]" or self._at == start:
            tests.append(self._member())
        self._at += 1
        if negated:
            return lambda c: not any(test(c) for test in tests)
        return lambda c: any(test(c) for test in tests)

    def _member(self) -> Test:
        first = self._bound()
        if not isinstance(first, str):
            return first
        if self._peek() != "-" or self._peek(2) in {"-]", "-"}:
            return self._literal(first)
        self._at += 1
        last = self._bound()
        if not isinstance(last, str) or last < first:
            raise Unusable("a range in brackets that ends before it begins")
        return self._range(first, last)

    def _bound(self) -> str | Test:
        if self._at >= len(self._text):
            raise Unusable("a closing bracket is missing")
        character = self._take()
        if character != "\\":
            return character
        letter = self._take()
        if letter.lower() in _CATEGORIES and letter.isascii():
            return self._escaped(letter)
        if letter == "b":
            return "\b"
        self._escaped(letter)
        return _ESCAPES.get(letter, letter)


def _cases(character: str) -> tuple[str, ...]:
    return character, character.lower(), character.upper()


# A compiled pattern is a row of instructions; a thread is a place in it, with the groups it has filled.


@dataclass(slots=True)
class _Step:
    """``test``: take a character; ``at``: be at a place; ``save``: note the place; else go on at all of
    ``next``, the most wanted first."""

    test: Test | None = None
    at: str = ""
    save: int = -1
    next: list[int] = field(default_factory=list)


class _Compiler:
    def __init__(self, names: list[str]) -> None:
        self.steps: list[_Step] = []
        self._slots = {name: 2 + 2 * number for number, name in enumerate(names)}

    def add(self, step: _Step) -> int:
        if len(self.steps) >= MOST_STEPS:
            raise Unusable("its quantifiers make it too large")
        self.steps.append(step)
        return len(self.steps) - 1

    def compile(self, node: _Node, then: int) -> int:
        """The instructions of ``node``, which go on at ``then``; where they begin."""
        match node:
            case _One(test=test):
                return self.add(_Step(test=test, next=[then]))
            case _At(what=what):
                return self.add(_Step(at=what, next=[then]))
            case _Row(parts=parts):
                for part in reversed(parts):
                    then = self.compile(part, then)
                return then
            case _Either(ways=ways):
                return self.add(_Step(next=[self.compile(way, then) for way in ways]))
            case _Group(name=name, body=body):
                end = self.add(_Step(save=self._slots[name] + 1, next=[then]))
                return self.add(_Step(save=self._slots[name], next=[self.compile(body, end)]))
            case _Repeat():
                return self._repeat(node, then)

    def _repeat(self, node: _Repeat, then: int) -> int:
        if node.most is None:
            loop = self.add(_Step())
            body = self.compile(node.body, loop)
            self.steps[loop].next = [body, then] if node.greedy else [then, body]
            entry = loop
        else:
            entry = then
            for _ in range(node.most - node.least):
                body = self.compile(node.body, entry)
                entry = self.add(_Step(next=[body, then] if node.greedy else [then, body]))
        for _ in range(node.least):
            entry = self.compile(node.body, entry)
        return entry


_Saved: TypeAlias = tuple[int, ...]


class Pattern:
    """A pattern, ready to search lines. ``groups`` are the names of its groups. Raises `Unusable`."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise Unusable(f"it is longer than {LONGEST} characters")
        parser = _Parser(text)
        try:
            tree = parser.parse()
            compiler = _Compiler(parser.names)
            end = compiler.add(_Step())
            self._start = compiler.compile(tree, end)
        except RecursionError:
            raise Unusable("its groups are nested too deeply") from None
        self._steps, self._end = compiler.steps, end
        self.groups = tuple(parser.names)

    def search(self, line: str) -> dict[str, str | None] | None:
        """The texts of the groups at the first match in ``line``, ``None`` for a group that took no part; or
        ``None`` where nothing matches."""
        found: _Saved | None = None
        threads: list[tuple[int, _Saved]] = []
        nothing = (-1,) * (2 + 2 * len(self.groups))
        for at in range(len(line) + 1):
            if found is None:
                # Another try may begin here, wanted less than those that began before.
                threads.append((self._start, nothing))
            if not threads:
                break
            follow: list[tuple[int, _Saved]] = []
            for number, saved in self._reached(threads, line, at):
                if number == self._end:
                    found = saved
                    break
                step = self._steps[number]
                if at < len(line) and step.test is not None and step.test(line[at]):
                    follow.append((step.next[0], saved))
            threads = follow
        return None if found is None else self._texts(line, found)

    def _reached(self, threads: list[tuple[int, _Saved]], line: str, at: int) -> list[tuple[int, _Saved]]:
        """All instructions that take a character, or end, and are reached without one; each once, the most
        wanted first."""
        seen: set[int] = set()
        reached: list[tuple[int, _Saved]] = []
        waiting = threads[::-1]
        while waiting:
            number, saved = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            step = self._steps[number]
            if step.test is not None or number == self._end:
                reached.append((number, saved))
            elif not step.at or _is_at(step.at, line, at):
                if step.save >= 0:
                    saved = (*saved[: step.save], at, *saved[step.save + 1 :])
                waiting += [(each, saved) for each in reversed(step.next)]
        return reached

    def _texts(self, line: str, saved: _Saved) -> dict[str, str | None]:
        return {
            name: line[saved[2 + 2 * n] : saved[3 + 2 * n]] if saved[3 + 2 * n] >= 0 else None
            for n, name in enumerate(self.groups)
        }


def _is_at(what: str, line: str, at: int) -> bool:
    match what:
        case "^":
            return at == 0
        case "$":
            return at == len(line) or (at == len(line) - 1 and line[at] == "\n")
        case "Z":
            return at == len(line)
    word = _CATEGORIES["w"]
    before = at > 0 and word(line[at - 1])
    after = at < len(line) and word(line[at])
    return (before != after) == (what == "b")
