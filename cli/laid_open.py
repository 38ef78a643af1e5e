"""The hands of a finished game, laid open: what each player held at first, what came later, what was left.

Possible once the players have revealed their keys, and only after the whole record was verified. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import Face
from engine.table import Choose, Slot, Tick, hand_of
from p2p.deal import Progress

from .boards import GameBoard, board_of
from .replay.frames import Replay
from .replay.hands import hand_at
from .text import joined
from .translation import gettext as _
from .translation import ngettext


@dataclass(frozen=True, slots=True)
class Held:
    """One player's cards, as they are shown: ``start`` after the deal and ``left`` at the end, in groups;
    ``later`` those that came into the hand in between, in that order."""

    seat: int
    start: tuple[str, ...]
    later: tuple[str, ...]
    left: tuple[str, ...]


def held_by_all(replay: Replay) -> tuple[Held, ...]:
    """The hands of the seats that revealed their keys; none before everything is verified."""
    return tuple(_held(replay, seat) for seat in replay.open_seats)


def _held(replay: Replay, seat: int) -> Held:
    game = board_of(replay.rules, replay.names, seat, replay.glyphs)
    deck = replay.recording.deck
    dealt: Counter[Face] = Counter()
    later: list[str] = []
    is_dealt = False
    before: object = None
    hand: Counter[Face] = Counter()
    progress = replay.recording.first
    for step in replay.recording.steps:
        progress = step.after
        slots = progress.position.table.slots(hand_of(seat))
        now = [(slot, progress.dealing.cards.get(slot)) for slot in slots]
        if now != before:  # most steps leave a hand as it is
            before = now
            found = Counter(_faces(replay, progress, seat))
            if is_dealt:
                later += [game.card(deck.text(face)) for face in (found - hand).elements()]
            else:
                dealt |= found  # some games lay cards before anybody decides anything
            hand = found
        is_dealt = is_dealt or isinstance(progress.task, Choose | Tick)
    start = _groups(game, progress, seat, tuple(dealt.elements()))
    return Held(seat, start, tuple(later), _groups(game, progress, seat, tuple(hand.elements())))


def _faces(replay: Replay, progress: Progress, seat: int) -> tuple[Face, ...]:
    """A hand in its own order."""
    return tuple(hand_at(progress.dealing, progress.position, seat, replay.recording.opened).values())


def _groups(game: GameBoard, progress: Progress, seat: int, faces: Sequence[Face]) -> tuple[str, ...]:
    """Cards grouped as the game groups a hand."""
    zone = hand_of(seat)
    view = progress.position.view(seat, {Slot(zone, n): face for n, face in enumerate(faces)})
    return tuple(" ".join(group.cards) for group in game.hand(view))


def start_lines(replay: Replay, held: Sequence[Held]) -> tuple[str, ...]:
    """Every player's first hand in a line that needs no heading, which other lines would push away; and who
    kept the hand closed."""
    if not held:
        return (closed_line(replay),)
    text = _("{name} was dealt: {cards}")
    lines = (text.format(name=replay.names[each.seat], cards=_cards(each.start)) for each in held)
    return (*lines, *_kept_closed(replay, held))


def all_lines(replay: Replay, held: Sequence[Held]) -> tuple[str, ...]:
    """Everything that was held over the game, a paragraph for each player."""
    if not held:
        return (closed_line(replay),)
    lines: list[str] = []
    for each in held:
        lines += [
            replay.names[each.seat],
            _("  dealt: {cards}").format(cards=_cards(each.start)),
            _("  came later: {cards}").format(cards=_listed(each.later)),
            _("  left at the end: {cards}").format(cards=_cards(each.left)),
        ]
    return (*lines, *_kept_closed(replay, held))


def closed_line(replay: Replay) -> str:
    """Why no hand is laid open."""
    if replay.recording.charter.reveal == "never":
        return _("The hands stay closed: this table was opened with --reveal never.")
    return _("The hands stay closed: nobody has revealed a key.")


def _kept_closed(replay: Replay, held: Sequence[Held]) -> tuple[str, ...]:
    shown = {each.seat for each in held}
    closed = [name for seat, name in enumerate(replay.names) if seat not in shown]
    if not closed:
        return ()
    text = ngettext(
        "Not revealed, so it stays closed: the hand of {names}.",
        "Not revealed, so they stay closed: the hands of {names}.",
        len(closed),
    )
    return (text.format(names=joined(closed)),)


def _listed(cards: Sequence[str]) -> str:
    """Cards one after the other; names of several words need commas."""
    between = ", " if any(" " in card for card in cards) else " "
    return between.join(cards) or _("none")


def _cards(groups: Sequence[str]) -> str:
    return "   ".join(groups) or _("no cards")


__all__ = ["Held", "all_lines", "closed_line", "held_by_all", "start_lines"]
