"""What follows from checked contributions to a deal of printed cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.match import Position
from engine.table import (
    Choose,
    Coin,
    Complete,
    Completed,
    Deeds,
    Disclose,
    Done,
    Draw,
    HandOver,
    Mix,
    Move,
    Number,
    Partial,
    Pick,
    Picked,
    Result,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    Tick,
    Zone,
)

from .base import Checked, Close, Reveal, Setup, Task
from .drawing import Draws
from .picks import Picking
from .placing import moved, picking, relocated, renumbered, ticking
from .printed_cards import Card, Scan
from .printed_values import SCANNED, Batch, Cut, Laid, Mixed, Said, Spoken
from .ticks import Race, ticked

if TYPE_CHECKING:
    from .printed import Printed


def fold(
    dealing: Printed, task: Task, number: int, position: Position, checked: Mapping[int, Checked]
) -> Printed:
    """The dealing after a round. See ``Dealing.fold``."""
    match task:
        case Setup():
            return replace(dealing, keys=tuple(checked[seat] for seat in sorted(checked)))
        case Close() | Reveal():
            return dealing
        case Tick():
            return ticking(dealing, task, number, checked, lambda it: _scanned_for(it, task, checked))
        case _:
            pass
    kind = dealing.rounds(task, position)[number].kind
    if kind in ("accept", "confirm"):
        return dealing
    match task:
        case Draw(draws):
            (scans,) = checked.values()
            return replace(_scanned(dealing, draws, scans), stash=SCANNED)
        case Pick():
            return picking(dealing, kind, checked)
        case HandOver() | Mix():
            (found,) = checked.values()
            return replace(dealing, stash=found)
        case Show():
            (found,) = checked.values()
            cuts = () if isinstance(found, Laid) and found.cards else dealing.cuts
            return replace(dealing, stash=found, cuts=cuts)
        case _:
            return replace(dealing, stash=dict(checked))


def _scanned_for(dealing: Printed, task: Tick, checked: Mapping[int, Checked]) -> Printed:
    """The cards that the table's machine scanned along with its commitment of a tick."""
    scans = checked[dealing.scanner].scans if dealing.scanner in checked else ()
    return _scanned(dealing, task.draws, scans)


def _scanned(dealing: Printed, draws: Draws, scans: tuple[Scan, ...]) -> Printed:
    """The first of the owed draws have their cards now."""
    if not scans:
        return dealing
    slots = [slot for slot, _ in dealing.owed_seals(draws)][: len(scans)]
    before = [dealing.cards[slot] for slot in slots]
    after = tuple(card._replace(scan=scan) for card, scan in zip(before, scans, strict=True))
    new = Batch("scan", scans[0].step, tuple(before), after)
    begun = {**dealing.begun, **dict(zip(slots, scans, strict=True))}
    return replace(dealing, begun=begun, ledger=(*dealing.ledger, new), cuts=())


def finish(dealing: Printed, task: Task, position: Position) -> tuple[Result, Printed]:
    """The result of a task. See ``Dealing.finish``."""
    match task:
        case Coin(n):
            return Number(dealing.coin_result(n)), replace(dealing, stash=None, coins=dealing.coins + 1)
        case Shuffle(zone):
            return Done(), _cut(dealing, position, zone)
        case Draw(draws):
            return Done(), _drawn(dealing, task, position, draws)
        case Tick():
            opened = dealing.stash.openings if isinstance(dealing.stash, Race) else {}
            drawn = tuple(
                (slot, seat)
                for slot, seat in task.draws
                if dealing.cards[slot].is_public
                or (slot in dealing.begun and (seat == dealing.scanner or seat in opened))
            )
            result = ticked(dealing, task, drawn)
            shown = _opened(dealing, dict(zip(result.slots, result.faces, strict=True)))
            return result, _drawn(shown, result, position, drawn)
        case Show():
            return _shown(dealing, task)
        case Move():
            return Done(), moved(dealing, task, position, lambda card: card.is_public)
        case Return(slots):
            return Done(), relocated(dealing, task, position, {slot: dealing.cards[slot] for slot in slots})
        case HandOver():
            return Done(), _handed_over(dealing, task, position)
        case Mix(zone):
            return Done(), _mixed(dealing, position, zone, dealing.stash)
        case Pick(_, zone):
            picking = dealing.stash or Picking()
            picked = tuple(Slot(zone, n) for n in picking.positions)
            return Picked(picked), _mixed(dealing, position, zone, picking.mixed)
        case Choose(seats):
            return _decided(dealing, position, seats)
        case Disclose() | Complete():
            return _answered(dealing, task, position)
        case _:
            raise NotImplementedError(f"printed dealing finishes no {type(task).__name__}")


def _cut(dealing: Printed, position: Position, zone: Zone) -> Printed:
    """The cards of a pack lie in an order that nobody knows, and whoever cuts it is told where."""
    slots = position.table.slots(zone)
    before = tuple(dealing.cards[slot] for slot in slots)
    pools = tuple(sorted({pool for card in before for pool in card.pools}))
    unseen = Card(pools, (None,) * len(dealing.deck.attributes))
    ledger = dealing.ledger
    if any(not card.is_unseen for card in before):
        ledger = (*ledger, Batch("shuffle", -1, before, (unseen,) * len(slots)))
    cuts = dealing.cuts
    if dealing.stash is not None:
        cuts = (*cuts, Cut(zone, dealing.coin_result(len(slots)), len(slots)))
    again = replace(dealing, coins=dealing.coins + (dealing.stash is not None), ledger=ledger, cuts=cuts)
    return renumbered(again, position, zone, [unseen] * len(slots))


def _drawn(dealing: Printed, task: Any, position: Position, draws: Draws) -> Printed:
    changed = {slot: dealing.drawn_card(slot) for slot, _ in draws}
    if any(card.is_unseen for card in changed.values()):
        raise ValueError("a drawn card was not scanned")
    return relocated(dealing, task, position, changed)


def _handed_over(dealing: Printed, task: HandOver, position: Position) -> Printed:
    hidden = dealing.hidden(task.slots)
    scans: tuple[Scan, ...] = dealing.stash or ()
    changed = {slot: dealing.cards[slot] for slot in task.slots}
    before = tuple(changed[slot] for slot in hidden)
    for slot, scan in zip(hidden, scans, strict=True):
        changed[slot] = changed[slot]._replace(scan=scan)
    ledger = dealing.ledger
    if scans:
        after = tuple(changed[slot] for slot in hidden)
        ledger = (*ledger, Batch("seal", scans[0].step, before, after))
    return relocated(replace(dealing, ledger=ledger), task, position, changed)


def _mixed(dealing: Printed, position: Position, zone: Zone, mixed: Mixed | None) -> Printed:
    before = tuple(dealing.cards[slot] for slot in position.table.slots(zone))
    if mixed is None:
        return renumbered(dealing, position, zone, before)
    after = dealing.mixed_cards(before, mixed)
    new = Batch("mix", mixed.origin.step, before, after, mixed.origin)
    return renumbered(replace(dealing, ledger=(*dealing.ledger, new)), position, zone, after)


def _shown(dealing: Printed, task: Show) -> tuple[Result, Printed]:
    """Cards of a hand as their owner opened them; cards of a pile as they were laid."""
    places = dealing.places(task.attributes)
    found: dict[Slot, Partial] | Laid | None = dealing.stash
    laid = zip(task.slots, found.cards, strict=True) if isinstance(found, Laid) else ()
    after = {**dealing.cards, **dict(laid)}
    values = {slot: after[slot].values for slot in task.slots} if not isinstance(found, dict) else found
    faces = {
        slot: tuple(value if at in places else None for at, value in enumerate(values[slot]))
        for slot in task.slots
    }
    ledger = dealing.ledger
    if isinstance(found, Laid):
        tapped = [slot for slot in task.slots if dealing.cards[slot].is_unseen]
        before = tuple(dealing.cards[slot] for slot in tapped)
        if tapped:
            ledger = (*ledger, Batch("scan", found.step, before, tuple(after[slot] for slot in tapped)))
    return Shown(tuple(faces), tuple(faces.values())), _opened(
        replace(dealing, cards=after, ledger=ledger), faces
    )


def _opened(dealing: Printed, faces: Mapping[Slot, Partial]) -> Printed:
    """What was opened is public from now on."""
    cards = dict(dealing.cards)
    for slot, face in faces.items():
        cards[slot] = cards[slot].with_values(face)
    return replace(dealing, cards=cards, stash=None)


def _noted(dealing: Printed, position: Position, spoken: Iterable[Spoken]) -> Printed:
    """What was said of hidden cards is kept, to be judged at the end."""
    said = [
        Said(each.seat, each.step, each.claims, position, dealing.cards) for each in spoken if each.claims
    ]
    return replace(dealing, ledger=(*dealing.ledger, *said)) if said else dealing


def _decided(dealing: Printed, position: Position, seats: tuple[int, ...]) -> tuple[Deeds, Printed]:
    spoken: list[Spoken] = [dealing.stash[seat] for seat in seats]
    faces = {slot: face for each in spoken for slot, face in each.faces.items()}
    deeds = tuple((each.seat, each.deed) for each in spoken)
    after = _opened(_noted(dealing, position, spoken), faces)
    return Deeds(deeds, tuple(faces), tuple(faces.values())), after


def _answered(
    dealing: Printed, task: Disclose | Complete, position: Position
) -> tuple[Shown | Completed, Printed]:
    if not dealing.stash:  # a hand too small to be settled
        return Completed((), ()), replace(dealing, stash=None)
    spoken: Spoken = dealing.stash[task.seat]
    result = dealing.laid(task, spoken.deed, spoken.faces)
    return result, _opened(_noted(dealing, position, [spoken]), spoken.faces)
