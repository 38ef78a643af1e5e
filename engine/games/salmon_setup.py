"""Positions of Discount Salmon in scenario files (docs/scenarios.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..cards import Deck, Face
from ..contract import BadSetup, Layout, Pile, by_seat
from ..message import Message
from ..table import Match, Move, Table, Zone
from .salmon_cards import ANDREW, CURES, CURSES, MODIFIERS, judged, problems_of
from .salmon_options import ALLOWANCE
from .salmon_state import FISH, LAKE, PILES, STACK, STOCK, SalmonState, Tally, update, won_of
from .salmon_text import FLIP

SETUP_KEYS = ("fish", "stack", "allowance", "won", "lake", "piles", "fryer", "flipper")
EXPECT_KEYS = (
    "problems", "stack", "allowance", "won", "lake", "piles", "fryer", "flipper", "silence",
)  # fmt: skip

OUT: Zone = "out"
"""Where cards lie that a counted lake or pile takes out of the game."""

_KIND = "kind"


def laid_out(deck: Deck, own: Mapping[str, Any], labels: tuple[str, ...], pile: Pile) -> Layout:
    """The zones that the keys of this game fill: first all cards that are named, then counted ones.

    Raises ``BadSetup`` with a sentence.
    """
    public: dict[Zone, tuple[Face, ...]] = {}
    hidden: dict[Zone, tuple[Face, ...]] = {}
    if "fish" in own:
        public[FISH] = _placed(deck, pile, own["fish"], "fish", is_fish=True)
        if len(public[FISH]) != 1:
            raise BadSetup(Message("fish is one fish."), "fish")
    stack = " ".join(card for _, card in _stack(own, labels))
    public[STACK] = _placed(deck, pile, stack, "stack")
    if isinstance(own.get("lake"), str):
        hidden[LAKE] = _placed(deck, pile, own["lake"], "lake", is_fish=True)
    for zone, value in zip(PILES, _piles(own), strict=True):
        if isinstance(value, str):
            hidden[zone] = _placed(deck, pile, value, "piles")
    won = by_seat(own, "won")
    for seat, value in won.items():
        if not isinstance(value, Mapping):
            public[won_of(seat)] = pile.place(deck.parse_all(_text(value, "won")))
    for seat, value in won.items():
        if isinstance(value, Mapping):
            public[won_of(seat)] = _counted(deck, pile, value)
    return Layout(public, hidden)


def spread_out(rest: tuple[Face, ...]) -> Mapping[Zone, tuple[Face, ...]]:
    """Fish to the lake; modifiers to the two piles by turns, the first to pile A."""
    modifiers = [face for face in rest if face[0] in MODIFIERS]
    return {
        LAKE: tuple([face for face in rest if face[0] not in MODIFIERS]),
        PILES[0]: tuple(modifiers[::2]),
        PILES[1]: tuple(modifiers[1::2]),
    }


def arranged(
    s: SalmonState, table: Table, turn: int, own: Mapping[str, Any], labels: tuple[str, ...]
) -> SalmonState:
    """The position with cards as in ``table``, before what happens by itself. Raises ``BadSetup``."""
    if table.size(STOCK):
        raise BadSetup(Message("This game has no stock but two piles: use the key piles."), "stock")
    fryer = _seat(own, "fryer", labels, 0)
    flipper = _seat(own, "flipper", labels, turn if turn >= 0 else fryer)
    tallies = [_tally(table, seat) for seat in range(s.seats)]
    s = update(
        s,
        table=table,
        fryer=fryer,
        flipper=flipper,
        won=tuple(tallies),
        chores=tuple(_set_aside(table, own)),
        phase=FLIP if table.size(LAKE) and own.get("lake") != 0 else "between",
    )
    if not table.size(FISH):
        for key in ("stack", "allowance"):
            if key in own:
                raise BadSetup(Message("{key} needs a fish in play.", key=key), key)
        return s
    return _with_fish(s, turn, own, labels)


def _with_fish(s: SalmonState, turn: int, own: Mapping[str, Any], labels: tuple[str, ...]) -> SalmonState:
    problems = problems_of(s.table.known[s.table.slots(FISH)[0]][0] or "")
    stack = tuple(_stack(own, labels))
    used = [0] * s.seats
    for seat, card in stack:
        left = judged(card, problems)
        if not left or card == ANDREW:
            raise BadSetup(Message("{card} is invalid on this fish, or would end it.", card=card), "stack")
        problems = left
        used[seat] += 1
    for seat, value in by_seat(own, "allowance").items():
        if not isinstance(value, int) or not 0 <= value <= ALLOWANCE:
            raise BadSetup(
                Message("An allowance is a number from 0 to {allowance}.", allowance=ALLOWANCE), "allowance"
            )
        used[seat] = ALLOWANCE - value
    return update(
        s,
        phase="next turn" if s.settings.takes_turns else "next tick",
        problems=problems,
        stack=stack,
        used=tuple(used),
        racers=tuple(range(s.seats)),
        is_first_tick=not stack,
        turn=turn if turn >= 0 else s.flipper,
    )


def _stack(own: Mapping[str, Any], labels: tuple[str, ...]) -> Iterable[tuple[int, str]]:
    """Seat and card of each ``"C: sun"``."""
    entries = own.get("stack", [])
    if not isinstance(entries, list):
        raise BadSetup(
            Message('stack is a list such as ["C: sun"], those played first coming first.'), "stack"
        )
    for entry in entries:
        label, _, card = _text(entry, "stack").partition(":")
        if label.strip() not in labels or not card.strip():
            raise BadSetup(
                Message('A card of the stack is written with who played it, such as "C: sun".'), "stack"
            )
        yield labels.index(label.strip()), card.strip().lower()


def _piles(own: Mapping[str, Any]) -> tuple[Any, Any]:
    piles = own.get("piles", [None, None])
    if not isinstance(piles, list) or len(piles) != len(PILES):
        raise BadSetup(
            Message("piles is a list of two: the top cards of pile A and B, or their sizes."), "piles"
        )
    first, second = piles
    return first, second


def _set_aside(table: Table, own: Mapping[str, Any]) -> Iterable[Move]:
    """Cards that a counted lake or pile does not have leave the game."""
    sizes = [
        (LAKE, own.get("lake"), "lake"),
        *((z, n, "piles") for z, n in zip(PILES, _piles(own), strict=True)),
    ]
    for zone, size, key in sizes:
        if not isinstance(size, int):
            continue
        slots = table.slots(zone)
        if not 0 <= size <= len(slots):
            raise BadSetup(
                Message(
                    "{key} can have 0 to {slots} cards here, not {size}.",
                    key=key,
                    slots=len(slots),
                    size=size,
                ),
                key,
            )
        if slots[size:]:
            yield Move(slots[size:], OUT)


def _placed(deck: Deck, pile: Pile, value: Any, key: str, *, is_fish: bool = False) -> tuple[Face, ...]:
    faces = deck.parse_all(_text(value, key))
    for face in faces:
        if (face[0] not in MODIFIERS) != is_fish:
            card = deck.text(face)
            raise BadSetup(
                Message("{card} is no fish.", card=card)
                if is_fish
                else Message("{card} is a fish.", card=card),
                key,
            )
    return pile.place(faces)


def _counted(deck: Deck, pile: Pile, counts: Mapping[str, Any]) -> tuple[Face, ...]:
    """``{ fish = 6, negative = 2, positive = 0 }``: the first cards that are not named."""
    kinds = {
        "fish": [kind for kind in deck.values(_KIND) if kind not in MODIFIERS],
        "negative": list(CURSES),
        "positive": list(CURES),
    }
    found: list[Face] = []
    for key, count in counts.items():
        if key not in kinds or isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise BadSetup(Message("won counts fish, negative and positive cards."), "won")
        taken = _first(pile, kinds[key], count)
        if len(taken) < count:
            raise BadSetup(Message("There are not {count} {key} cards left.", count=count, key=key), "won")
        found += taken
    return tuple(found)


def _first(pile: Pile, kinds: Iterable[str], count: int) -> list[Face]:
    taken: list[Face] = []
    for kind in kinds:
        while len(taken) < count:
            try:
                taken += pile.take(Match(_KIND, kind), 1)
            except BadSetup:
                break  # none of this kind is left: on to the next one
    return taken


def _tally(table: Table, seat: int) -> Tally:
    cards = [table.known[slot][0] or "" for slot in table.slots(won_of(seat))]
    return Tally().plus(cards, sum(card not in MODIFIERS for card in cards))


def _seat(own: Mapping[str, Any], key: str, labels: tuple[str, ...], otherwise: int) -> int:
    if key not in own:
        return otherwise
    if own[key] not in labels:
        raise BadSetup(Message("{key} is the name of a seat.", key=key), key)
    return labels.index(own[key])


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise BadSetup(Message("{key} names cards.", key=key), key)
    return value
