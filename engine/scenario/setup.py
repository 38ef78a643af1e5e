"""From a scenario's text to a position, and a dealing that knows its cards and joint random numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..cards import Deck, Face
from ..contract import AnyRules, BadSetup, Event
from ..match import Position
from ..message import Message
from ..open import Open
from ..rng import Stream
from ..table import STOCK, Match, Slot, Table, Zone, hand_of
from .file import Scenario

OUT: Zone = "out"
"""Where cards lie that ``stock_size`` takes out of the game."""


class Pile:
    """The cards of a deck that have not been placed yet, in deck order."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._left: list[Face] = [deck.faces[card] for card in deck.cards]
        self._named: set[str] = set()

    def place(self, faces: Iterable[Face]) -> tuple[Face, ...]:
        """Takes cards that are named. ``BadSetup`` for one that is not there any more."""
        placed = tuple(faces)
        for face in placed:
            if face not in self._left:
                raise BadSetup(
                    Message("{face} is placed more often than the deck has it.", face=self._deck.text(face))
                )
            self._left.remove(face)
            self._named.add(face[0])
        return placed

    def take(self, match: Match, count: int) -> tuple[Face, ...]:
        """See ``contract.Pile``."""
        fitting = [face for face in self._left if self._deck.matches(face, match)][:count]
        if len(fitting) < count:
            raise BadSetup(
                Message("There are not {count} cards of {value} left.", count=count, value=match.value)
            )
        return self.place(fitting)

    def untouched(self, attribute: str) -> tuple[str, ...]:
        """See ``contract.Pile``."""
        at = self._deck.at(attribute)
        whole = [self._deck.faces[card][at] for card in self._deck.cards]
        left = [face[at] for face in self._left]
        return tuple(v for v in self._deck.values(attribute) if left.count(v) == whole.count(v))

    def fillers(self, count: int) -> tuple[Face, ...]:
        """The last cards in deck order, of values that are not named as long as there are any."""
        free = [face for face in self._left if face[0] not in self._named]
        named = [face for face in self._left if face[0] in self._named]
        taken = tuple([*reversed(free), *reversed(named)][:count])
        if len(taken) < count:
            raise BadSetup(Message("There are not enough cards to fill the hands."))
        for face in taken:
            self._left.remove(face)
        return taken

    def rest(self) -> tuple[Face, ...]:
        """All that is left."""
        rest, self._left = tuple(self._left), []
        return rest


def set_up(scenario: Scenario) -> tuple[Position, Open, tuple[Event, ...]]:
    """The first position, before its forced steps. A ``ValueError`` for what cannot be."""
    rules, seats = scenario.rules, len(scenario.seats)
    start = Position.start(rules, scenario.chosen, seats)
    pile = Pile(start.deck)
    rng = Stream("scenario", scenario.id)
    if scenario.start == "deal":
        named = pile.place(cards(start.deck, scenario.deal or "")[0])
        order = [*named, *pile.rest()]
        return start, Open(start, rng, order=order, coins=scenario.coin), ()
    if scenario.turn is None and rules.needs_turn:
        raise BadSetup(Message("It must be somebody's turn."))
    zones, public = _zones(scenario, rules, start, pile)
    known: dict[Slot, Face] = {Slot(zone, n): face for zone in public for n, face in enumerate(zones[zone])}
    table = Table.laid_out({zone: len(faces) for zone, faces in zones.items()}, known)
    turn = -1 if scenario.turn is None else scenario.seats.index(scenario.turn)
    state, events = rules.arrange(start.state, table, turn, scenario.own, scenario.seats)
    position = Position.of(rules, start.options, seats, state)
    return position, Open(position, rng, zones, coins=scenario.coin), events


def cards(deck: Deck, text: str) -> tuple[list[Face], int]:
    """The cards a text names and how many filler cards (``?``, ``?3``) it asks for."""
    faces: list[Face] = []
    fillers = 0
    for word in text.split():
        if filler := re.fullmatch(r"\?(\d{0,3})", word):
            fillers += int(filler.group(1) or 1)
        else:
            faces.append(deck.parse(word))
    return faces, fillers


def _zones(
    scenario: Scenario, rules: AnyRules, start: Position, pile: Pile
) -> tuple[dict[Zone, tuple[Face, ...]], list[Zone]]:
    """The faces in every zone, and the zones whose cards are public."""
    deck = start.deck
    hands: list[tuple[Face, ...]] = []
    wanted: list[int] = []
    for label in scenario.seats:
        named, fillers = cards(deck, scenario.hands.get(label, "?"))
        hands.append(pile.place(named))
        wanted.append(fillers)
    top, hidden = cards(deck, scenario.stock)
    if hidden:
        raise BadSetup(Message("The stock has no filler cards; what is not listed follows by itself."))
    pile.place(top)
    layout = rules.lay_out(start.state, scenario.own, scenario.seats, pile)
    zones: dict[Zone, tuple[Face, ...]] = {}
    for seat, named_cards in enumerate(hands):
        zones[hand_of(seat)] = (*named_cards, *pile.fillers(wanted[seat]))
    for zone, faces in rules.spread(start.state, pile.rest()).items():
        zones[zone] = (*layout.hidden.get(zone, ()), *faces)
    for zone, faces in layout.hidden.items():
        zones.setdefault(zone, faces)
    if STOCK in zones or top or scenario.stock_size is not None:
        stock = (*top, *zones.get(STOCK, ()))
        size = len(stock) if scenario.stock_size is None else scenario.stock_size
        if not len(top) <= size <= len(stock):
            raise BadSetup(
                Message(
                    "The stock can have {top} to {stock} cards here, not {size}.",
                    top=len(top),
                    stock=len(stock),
                    size=size,
                )
            )
        zones[STOCK], zones[OUT] = stock[:size], stock[size:]
    return {**zones, **layout.public}, list(layout.public)
