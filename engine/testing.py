"""Checks that hold for every game, and transcripts to compare. For the tests of games, plug-ins included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from .bots import Bot, random
from .cards import Face
from .contract import Action, AnyRules, BadOption, Event, GameInfo, IllegalAction, Option, Outcome, View
from .match import Position, replay
from .open import Open
from .rng import Stream
from .table import Choose, Complete, Deed, Disclose, HandOver, Op, Result, Return, Show, Tick, owner
from .text import action_text, event_text, parse_event, seat_letters

SAMPLED = 4
"""One decision in so many is tried with other hidden cards, the slowest of the checks."""

MOST_ACTIONS = 8
"""Legal actions tried at one decision, the first and the last of them and some by lot: there may be hundreds,
and thousands of decisions in the games of one run."""

MOST_OPERATIONS = 100_000
"""Operations after which a game is said not to end: the longest of ours have some thousands."""


def check_game(rules: AnyRules, games: int = 1, seed: int = 0, seats: Sequence[int] | None = None) -> int:
    """Plays ``games`` random games for each seat count and pair of option values, checked at every operation.

    Checked are: conservation of cards, a legal action at every decision and each of them accepted, public
    facts that are true, views that do not change with faces only others can know, no complete group left in
    a hand at a decision, text forms that read back, the end, and that a replay of the results gives the same
    game. Returns the number of games played. Raises ``AssertionError`` naming options, seats and seed.
    """
    played = 0
    for count in seats or range(rules.info.least_seats, rules.info.most_seats + 1):
        for options in option_sets(rules, count):
            for number in range(games):
                _check_named(rules, options, count, seed, number)
                played += 1
    return played


def _check_named(rules: AnyRules, options: Mapping[str, str], seats: int, seed: int, number: int) -> None:
    try:
        _check_one(rules, options, seats, Stream(seed, rules.info.id, seats, number))
    except AssertionError as error:
        chosen = {o.name: options[o.name] for o in rules.info.options if options[o.name] != o.values[0]}
        raise AssertionError(f"{error} ({chosen}, {seats} seats, seed {seed}, game {number})") from error


def check_sample(rules: AnyRules, games: int, seed: int = 0) -> None:
    """Plays ``games`` random games, checked as ``check_game`` does, seat counts and option pairs in turn.

    For a number of games that does not depend on how many options there are. Raises ``AssertionError``.
    """
    counts = range(rules.info.least_seats, rules.info.most_seats + 1)
    sets = {count: option_sets(rules, count) for count in counts}
    for number in range(games):
        count = counts[number % len(counts)]
        options = sets[count][number // len(counts) % len(sets[count])]
        _check_named(rules, options, count, seed, number)


def option_sets(rules: AnyRules, seats: int) -> tuple[Mapping[str, str], ...]:
    """Full options in which every pair of values of two options occurs that the game does not refuse."""
    singles = [(option.name, value) for option in rules.info.options for value in _others(option)]
    found: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}
    for chosen in ((), *combinations(singles, 1), *combinations(singles, 2)):
        # A pair may need others beside it, as two jokers need pairs.
        for more in ((), *combinations(singles, 1), *combinations(singles, 2)):
            options = _accepted(rules, (*chosen, *more), seats)
            if options is not None:
                found.setdefault(tuple(options.items()), options)
                break
    return tuple(found.values())


def _accepted(rules: AnyRules, chosen: Sequence[tuple[str, str]], seats: int) -> Mapping[str, str] | None:
    if len(dict(chosen)) < len(chosen):
        return None
    try:
        return rules.options(dict(chosen), seats)
    except BadOption:
        return None


def view_text(view: View[Any], labels: tuple[str, ...]) -> str:
    """All that a seat sees, in one line: for comparing views, and for transcripts."""
    deck, table = view.deck, view.state.table

    def cards(faces: Any) -> str:
        return " ".join(map(deck.text, faces))

    parts = [f"hand {cards(deck.sorted(view.hand.values())) or '-'}"]
    parts += [f"{_zone_text(zone, labels)} {len(slots)}" for zone, slots in sorted(table.zones.items())]
    parts += [f"{_zone_text(zone, labels)}: {cards(faces)}" for zone, faces in sorted(view.known.items())]
    parts += [
        f"{_zone_text(zone, labels)} no {' '.join(match.value for match in matches)}"
        for zone, matches in sorted(view.denied.items())
    ]
    return " | ".join(parts)


def transcript(
    rules: AnyRules, options: Mapping[str, str], seats: int, bots: Sequence[Bot], seed: int
) -> Iterator[str]:
    """A whole game as lines: operations, events, and each view, the public one too, where it changed."""
    labels = seat_letters(seats)
    shown: dict[str, str] = {}
    for position, dealer, op, events in _play(rules, options, seats, bots, Stream(seed)):
        yield f"# {type(op).__name__}"
        yield from (f"  {event_text(event, labels)}" for event in events)
        for seat, label in enumerate((*labels, "public")):
            is_public = seat == seats
            view = position.view(-1, {}) if is_public else dealer.view(position, seat)
            text = view_text(view, labels)
            if shown.get(label) != text:
                shown[label] = text
                yield f"  [{label}] {text}"


def _others(option: Option) -> tuple[str, ...]:
    """The values of an option other than its default, and the ends of its range."""
    ends = [str(end) for end in (option.lowest, option.highest) if end is not None]
    return tuple(value for value in dict.fromkeys((*option.values, *ends)) if value != option.values[0])


def _zone_text(zone: str, labels: tuple[str, ...]) -> str:
    name, dot, seat = zone.partition(".")
    return f"{name}{dot}{labels[int(seat)] if seat.isdecimal() else seat}"


def _play(
    rules: AnyRules, options: Mapping[str, str], seats: int, bots: Sequence[Bot], rng: Stream
) -> Iterator[tuple[Position, Open, Op, tuple[Event, ...]]]:
    """Every position after an operation, with the operation and what it made happen."""
    position = Position.start(rules, options, seats)
    dealer = Open(position, rng)
    for _ in range(MOST_OPERATIONS):
        op = position.pending
        if isinstance(op, Outcome):
            return
        if isinstance(op, Choose | Tick):
            deeds = [(seat, _decide(position, dealer, seat, bots, rng)) for seat in op.seats]
            result: Result = dealer.decided(position, deeds)
        else:
            result = dealer.resolve(position)
        position, events = position.feed(result)
        yield position, dealer, op, events
    raise AssertionError("The game does not end.")


def _decide(position: Position, dealer: Open, seat: int, bots: Sequence[Bot], rng: Stream) -> Deed:
    view = dealer.view(position, seat)
    action = bots[seat](view, position.rules.legal(view), rng)
    return position.rules.deed(view, action)


# --- the checks ---


def _must(holds: bool, problem: str) -> None:
    if not holds:
        raise AssertionError(problem)


def _check_one(rules: AnyRules, options: Mapping[str, str], seats: int, rng: Stream) -> None:
    results: list[Result] = []
    events: list[Event] = []
    group: Complete | None = None
    position = Position.start(rules, options, seats)
    dealer = Open(position, rng)
    pack = Counter(position.deck.faces[card] for card in position.deck.cards)
    for _ in range(MOST_OPERATIONS):
        op = rules.pending(position.state)
        _must(op == position.pending, "The same state asks for different things.")
        _check_cards(position, dealer, pack)
        _check_keys(op)
        if isinstance(op, Outcome):
            _check_end(op, seats, events)
            break
        if isinstance(op, Complete):
            group = op
        if isinstance(op, Choose | Tick):
            _check_groups(position, dealer, group)
            _check_facts(position, dealer)
            deeds = [(seat, _check_decision(position, dealer, seat, rng)) for seat in op.seats]
            results.append(dealer.decided(position, deeds))
        else:
            results.append(dealer.resolve(position))
        position, new = position.feed(results[-1])
        events += new
    else:
        raise AssertionError("The game does not end.")
    _check_texts(events, seats, rules.info)
    again, replayed = replay(rules, options, seats, results)
    _must(again.state == position.state and list(replayed) == events, "A replay gives another game.")


def _check_cards(position: Position, dealer: Open, pack: Counter[Face]) -> None:
    """Every card of the pack is in exactly one zone, under its own slot."""
    table = position.table
    slots = [slot for zone in table.zones for slot in table.slots(zone)]
    _must(len(set(slots)) == len(slots), "Two cards have the same slot.")
    there = Counter(face for zone in table.zones for face in dealer.faces(table, zone))
    _must(there == pack, "Cards were lost or came up twice.")
    _must(table.known.keys() <= set(slots), "Something is known of a card that is not there.")
    for slot, partial in table.known.items():
        face = dealer.face(slot)
        _must(all(k in (None, f) for k, f in zip(partial, face, strict=True)), "A public face is wrong.")


def _check_keys(op: Op | Outcome) -> None:
    """The cards of an operation lie under one key: sealed dealing could not do it otherwise."""
    if isinstance(op, Show | HandOver | Return | Disclose):
        owners = {owner(slot.zone) for slot in op.slots}
        _must(len(owners) < 2, f"One {type(op).__name__} speaks of cards of several hands.")


def _check_groups(position: Position, dealer: Open, group: Complete | None) -> None:
    """Whoever decides holds no completed group, nor does anybody else.

    A game may name seats whose hand is ``unsettled``: cards came in, and there is more to decide first.
    """
    if group is None:
        return
    at = position.deck.at(group.attribute)
    unsettled = getattr(position.state, "unsettled", ())
    for seat in range(position.seats):
        if seat in unsettled:
            continue
        values = Counter(face[at] for face in dealer.hand(position.table, seat).values())
        _must(max(values.values(), default=0) < group.size, "A completed group was left in a hand.")


def _check_facts(position: Position, dealer: Open) -> None:
    """What is said to be known is true."""
    for zone, partials in position.facts.all_held().items():
        _must(
            _describes(partials, dealer.faces(position.table, zone)), f"What is known of {zone} is not true."
        )
    for zone, matches in position.facts.all_denied().items():
        for match in matches:
            held = dealer.faces(position.table, zone)
            _must(not any(position.deck.matches(face, match) for face in held), f"{zone} was denied wrongly.")
    for seat in range(position.seats):
        if dealer.private(seat):  # it knows more than the public
            for zone, partials in dealer.view(position, seat).known.items():
                there = dealer.faces(position.table, zone)
                _must(_describes(partials, there), f"What a seat knows of {zone} is not true.")


def _describes(held: Sequence[Any], there: Sequence[Face]) -> bool:
    """Whether each partial face can be given a card of its own.

    Whole faces take equal cards, which are alike; the others are matched by augmenting paths.
    """
    whole = Counter(face for face in held if None not in face)
    left = Counter(there)
    if whole - left:
        return False
    partials = [face for face in held if None in face]
    faces = list((left - whole).elements())
    taken: dict[int, int] = {}

    def place(number: int, seen: set[int]) -> bool:
        for n, face in enumerate(faces):
            fits = all(p in (None, f) for p, f in zip(partials[number], face, strict=True))
            if fits and n not in seen:
                seen.add(n)
                if n not in taken or place(taken[n], seen):
                    taken[n] = number
                    return True
        return False

    return all(place(number, set()) for number in range(len(partials)))


def _check_decision(position: Position, dealer: Open, seat: int, rng: Stream) -> Any:
    """Legal actions there are, and they are legal; what others hide makes no difference to them."""
    labels = seat_letters(position.seats)
    hand = dealer.hand(position.table, seat)
    private = dealer.private(seat)
    view = position.view(seat, hand, private)
    choices = position.rules.legal(view)
    _must(bool(choices), "A seat has nothing it may do.")
    for action in _some(choices, rng):
        text = action_text(action, labels)
        try:
            deed = position.rules.deed(view, action)
            opened = position.slots_shown(seat, deed) or ()
            refused = position.refuse(seat, deed, {slot: hand[slot] for slot in opened})
        except IllegalAction as error:
            refused = error.reason
        _must(refused is None, f"The legal action {text} is refused: {refused}.")
        _must(position.parse(text, labels) == action, f"{text} reads back as another action.")
    if not rng.below(SAMPLED):
        other = _permuted(position, dealer, seat, rng)
        other_hand = other.hand(position.table, seat)
        other_view = position.view(seat, other_hand, private)
        same = view_text(other_view, labels) == view_text(view, labels)
        _must(same and position.rules.legal(other_view) == choices, "A view tells what is hidden.")
    return position.rules.deed(view, random.choose(view, choices, rng))


def _some(choices: Sequence[Action], rng: Stream) -> Sequence[Action]:
    if len(choices) <= MOST_ACTIONS:
        return choices
    return [choices[0], choices[-1], *(rng.choice(choices) for _ in range(MOST_ACTIONS - 2))]


def _permuted(position: Position, dealer: Open, seat: int, rng: Stream) -> Open:
    """The same table, with the faces that ``seat`` cannot know dealt anew."""
    table = position.table
    zones = {zone: list(dealer.faces(table, zone)) for zone in table.zones}
    hidden = [
        (zone, n)
        for zone, slots in table.zones.items()
        if owner(zone) != seat
        for n, slot in enumerate(slots)
        if slot not in table.known
    ]
    faces = [zones[zone][n] for zone, n in hidden]
    rng.shuffle(faces)
    for (zone, n), face in zip(hidden, faces, strict=True):
        zones[zone][n] = face
    return Open(position, rng, zones)


def _check_end(outcome: Outcome, seats: int, events: Sequence[Event]) -> None:
    _must(len(outcome.scores) == seats, "Not every seat has a score.")
    _must(bool(outcome.winners) and set(outcome.winners) <= set(range(seats)), "The winners are no seats.")
    last = events[-1] if events else None
    _must(last == Event("over", words=(outcome.reason,)), "The end is not the last event.")


def _check_texts(events: Sequence[Event], seats: int, info: GameInfo) -> None:
    labels = seat_letters(seats)
    for event in events:
        text = event_text(event, labels)
        _must(parse_event(text, labels, info) == event, f"{text} reads back as another event.")
