"""Positions to try things in, written as hands."""

from engine import Open, Outcome, Position
from engine.scenario.file import read_scenarios
from engine.scenario.setup import set_up
from engine.table import Choose, Deeds, Slot


def arranged(hands: str, turn: str = "A", **options: object) -> tuple[Position, Open]:
    """A position from a line such as ``A=9H KD; B=9C``, at its first decision."""
    named = "".join(f'{part.split("=")[0].strip()} = "{part.split("=")[1]}"\n' for part in hands.split(";"))
    chosen = "".join(f'{name} = "{value}"\n' for name, value in options.items())
    text = (
        f'[[scenario]]\nid = "x"\ngame = "go-fish"\nseats = ["A", "B", "C"]\nturn = "{turn}"\n'
        f"[scenario.hands]\n{named}[scenario.options]\n{chosen}"
    )
    (scenario,) = read_scenarios(text, "x.toml")
    position, dealer, _ = set_up(scenario)
    while not isinstance(position.pending, Choose | Outcome):
        position, _ = position.feed(dealer.resolve(position))
    return position, dealer


def asked(hands: str, ask: str, **options: object) -> tuple[Position, Open]:
    """The same, with A's ask already made."""
    position, dealer = arranged(hands, **options)
    deed = position.deed(0, dealer.hand(position.table, 0), position.parse(ask, ("A", "B", "C")))
    return position.feed(Deeds(((0, deed),)))[0], dealer


def until(kind: type, position: Position, dealer: Open) -> Position:
    while not isinstance(position.pending, kind):
        position, _ = position.feed(dealer.resolve(position))
    return position


def slots_of(dealer: Open, position: Position, seat: int) -> dict[str, Slot]:
    return {position.deck.text(face): slot for slot, face in dealer.hand(position.table, seat).items()}


def play(position: Position, dealer: Open, text: str) -> Position:
    """The position at the next decision after ``A: ask B 9``."""
    labels = ("A", "B", "C")
    seat = labels.index(text[0])
    deed = position.deed(seat, dealer.hand(position.table, seat), position.parse(text[3:], labels))
    position, _ = position.feed(Deeds(((seat, deed),)))
    while not isinstance(position.pending, Choose | Outcome):
        position, _ = position.feed(dealer.resolve(position))
    return position
