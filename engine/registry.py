"""Which games there are.

Those of the entry-point group ``shoal.games``, and ours even where nothing is installed.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

from .contract import AnyRules
from .message import Message, either, printable

GROUP = "shoal.games"

# A checkout that was never installed has no entry points. Our ids always mean our games: no plug-in can
# take one over.
_OURS = {
    "casino": "engine.games.casino:Casino",
    "discount-salmon": "engine.games.salmon:DiscountSalmon",
    "go-fish": "engine.games.go_fish:GoFish",
    "one-fish": "engine.games.one_fish:OneFish",
}


class UnknownGame(ValueError):
    """No game has that id. The message is one sentence for a player."""


@lru_cache(maxsize=1)
def _found() -> dict[str, EntryPoint]:
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    found.update({name: EntryPoint(name, value, GROUP) for name, value in _OURS.items()})
    return dict(sorted(found.items()))


def games() -> tuple[str, ...]:
    """The ids of all games, in alphabetical order."""
    return tuple(_found())


@lru_cache(maxsize=32)
def game(name: str) -> AnyRules:
    """The rules of a game. Raises ``UnknownGame`` with the nearest ids."""
    entry = _found().get(name)
    if entry is None:
        near = get_close_matches(name.lower(), games(), n=2)
        clean = printable(name, 30)
        if near:
            text = Message('There is no game "{name}"; did you mean {names}?', name=clean, names=either(near))
        else:
            text = Message(
                'There is no game "{name}"; there are {names}.', name=clean, names=", ".join(games())
            )
        raise UnknownGame(text)
    loaded = entry.load()
    rules: AnyRules = loaded() if isinstance(loaded, type) else loaded
    return rules
