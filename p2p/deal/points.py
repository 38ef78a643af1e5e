"""The points that stand for a deck's attribute values."""

from __future__ import annotations

from engine.cards import Deck, Face

from ..sealed import Group, Point, attribute_point


class PointTable:
    """The attribute points of a deck and their way back. Refuses a deck whose faces could be confused."""

    def __init__(self, group: Group, deck: Deck) -> None:
        self.points: tuple[dict[str, Point], ...] = tuple(
            {value: attribute_point(group, deck.id, attribute.name, value) for value in attribute.values}
            for attribute in deck.attributes
        )
        self.values = tuple({point: value for value, point in points.items()} for points in self.points)
        self.sums = {face: group.sum(self.of(face)) for face in deck.faces}
        if len(set(self.sums.values())) != len(deck.faces):
            raise ValueError(f"two faces of the deck {deck.id} have equal sums of attribute points")

    def of(self, face: Face) -> tuple[Point, ...]:
        """The points of a face, one per attribute."""
        return tuple(points[value] for points, value in zip(self.points, face, strict=True))
