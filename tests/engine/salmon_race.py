"""A race of Discount Salmon in a test: ticks as seen from the table."""

from __future__ import annotations

from typing import Any

import msgspec

from engine import Outcome, game
from engine.scenario.file import read_scenarios
from engine.scenario.setup import set_up
from engine.table import Choose, Deed, Tick, Ticked
from engine.text import event_text

RULES = game("discount-salmon")
LABELS = ("A", "B", "C")


class Race:
    """A position with a fish in play, and ticks as seen from the table."""

    def __init__(self, keys: str, **options: object) -> None:
        chosen = "".join(f'{name} = "{value}"\n' for name, value in options.items())
        labels = list(LABELS)
        text = f'[[scenario]]\nid = "x"\ngame = "discount-salmon"\nseats = {labels}\n{keys}\n'
        (scenario,) = read_scenarios(f"{text}[scenario.options]\n{chosen}", "x.toml")
        self.position, self.dealer, _ = set_up(scenario)
        self.told: list[str] = []
        self.finish()

    @property
    def state(self) -> Any:
        return self.position.state

    @property
    def pending(self) -> Any:
        return self.position.pending

    @property
    def facts(self) -> Any:
        return RULES.report(self.state).facts

    def hand(self, seat: int) -> str:
        return " ".join(map(self.position.deck.text, self.dealer.faces(self.position.table, f"hand.{seat}")))

    def deed(self, seat: int, text: str) -> Deed:
        hand = self.dealer.hand(self.position.table, seat)
        return self.position.deed(seat, hand, self.position.parse(text, LABELS))

    def finish(self) -> list[str]:
        """Names of the operations up to the next decision."""
        ops = []
        while not isinstance(self.position.pending, Tick | Choose | Outcome):
            ops.append(type(self.position.pending).__name__)
            self._feed(self.dealer.resolve(self.position))
        return ops

    def tick(
        self,
        *plays: str,
        absent: tuple[int, ...] = (),
        late: tuple[int, ...] = (),
        drawn: bool = True,
    ) -> list[str]:
        """One tick with plays such as ``A: play sun`` in stack order; the events."""
        op = self.position.pending
        assert isinstance(op, Tick)
        deeds = [(LABELS.index(play[0]), self.deed(LABELS.index(play[0]), play[3:])) for play in plays]
        there = {seat for seat, _ in deeds}
        deeds += [(seat, Deed("wait")) for seat in op.seats if seat not in there and seat not in absent]
        result = self.dealer.decided(self.position, deeds, in_order=True)
        assert isinstance(result, Ticked)
        assert result.absent == absent
        if not drawn:  # shares are missing: put back what the open dealing has drawn
            for old, new in self.position.table.relocations(result):
                self.dealer._faces[old] = self.dealer._faces.pop(new)
        result = msgspec.structs.replace(result, late=late, drawn=result.drawn if drawn else ())
        self.told = []
        self._feed(result)
        return self.told

    def choose(self, *texts: str) -> None:
        """What those who are asked decide."""
        deeds = [(LABELS.index(text[0]), self.deed(LABELS.index(text[0]), text[3:])) for text in texts]
        self._feed(self.dealer.decided(self.position, deeds))

    def _feed(self, result: Any) -> None:
        self.position, events = self.position.feed(result)
        self.told += [event_text(event, LABELS) for event in events]


FISH = """
fish = "ugly+toxic"
hands = { A = "sun makeup antidote lotion lotion", B = "makeup antidote sun perfume perfume", C = "sun ?4" }
"""
