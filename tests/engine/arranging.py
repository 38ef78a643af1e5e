"""Positions to try things in, written as hands, and the operations that decisions lead to."""

from engine import Open, Outcome, Position
from engine.scenario.file import read_scenarios
from engine.scenario.setup import set_up
from engine.table import Choose, Deeds, Op, Slot

LABELS = ("A", "B", "C")


def scene(game: str, labels: tuple[str, ...], hands: str, turn: str, *lines: str) -> tuple[Position, Open]:
    """The position of a scenario, as it is loaded, with hands such as ``A=9H KD; B=9C``.

    ``lines`` are more of the scenario in TOML, its keys before its tables.
    """
    named = [part.split("=") for part in hands.split(";") if part]
    dealt = "".join(f'{label.strip()} = "{cards}"\n' for label, cards in named)
    more = "".join(line + "\n" for line in lines)
    seats = ", ".join(f'"{label}"' for label in labels)
    text = f'[[scenario]]\nid = "x"\ngame = "{game}"\nseats = [{seats}]\nturn = "{turn}"\n{more}'
    (scenario,) = read_scenarios(f"{text}[scenario.hands]\n{dealt}", "x.toml")
    position, dealer, _ = set_up(scenario)
    return position, dealer


def chosen(options: dict[str, object]) -> str:
    """Options as a table of a scenario."""
    return "[scenario.options]\n" + "".join(f'{name} = "{value}"\n' for name, value in options.items())


def arranged(hands: str, turn: str = "A", **options: object) -> tuple[Position, Open]:
    """A position of Go Fish at its first decision."""
    position, dealer = scene("go-fish", LABELS, hands, turn, chosen(options))
    return settled(position, dealer), dealer


def fishing(hands: str, stock: str = "") -> tuple[Position, Open]:
    """A position of One Fish at A's first decision; ``stock`` are the first cards of the pond."""
    position, dealer = scene("one-fish", LABELS, hands, "A", f'stock = "{stock}"')
    return settled(position, dealer), dealer


def settled(position: Position, dealer: Open, ops: list[Op] | None = None) -> Position:
    """The position at the next decision; what had to happen before is added to ``ops``."""
    while not isinstance(position.pending, Choose | Outcome):
        if ops is not None:
            ops.append(position.pending)
        position, _ = position.feed(dealer.resolve(position))
    return position


def play(position: Position, dealer: Open, text: str, ops: list[Op] | None = None) -> Position:
    """The position at the next decision after ``A: ask B 9``, which nobody refuses."""
    seat = LABELS.index(text[0])
    deed = position.rules.deed(dealer.view(position, seat), position.parse(text[3:], LABELS))
    result = dealer.decided(position, [(seat, deed)])
    hand = dealer.hand(position.table, seat)
    assert position.refuse(seat, deed, {slot: hand[slot] for slot in result.slots}) is None
    return settled(position.feed(result)[0], dealer, ops)


def asked(hands: str, ask: str, **options: object) -> tuple[Position, Open]:
    """A position of Go Fish with A's ask just made."""
    position, dealer = arranged(hands, **options)
    deed = position.deed(0, dealer.hand(position.table, 0), position.parse(ask, LABELS))
    return position.feed(Deeds(((0, deed),)))[0], dealer


def until(kind: type, position: Position, dealer: Open) -> Position:
    """The position at the next operation of a kind."""
    while not isinstance(position.pending, kind):
        position, _ = position.feed(dealer.resolve(position))
    return position


def slots_of(dealer: Open, position: Position, seat: int) -> dict[str, Slot]:
    """The hand of a seat: its slots by the texts of its cards."""
    return {position.deck.text(face): slot for slot, face in dealer.hand(position.table, seat).items()}


def kinds(ops: list[Op]) -> list[str]:
    """The names of operations."""
    return [type(op).__name__ for op in ops]
