"""Ticks: everybody commits, everybody opens; who is absent, late, or lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.table import Deed, Deeds, Draw, Move, Shuffle, Slot, Tick, Ticked, hand_of
from p2p.deal import Progress
from p2p.deal.giving import Giver
from p2p.deal.ticks import Race, TickOpening, ticked
from p2p.log import encode, pack, unpack
from p2p.sealed import Group, prove_shares
from tests.p2p.cheats import Lie, Told, at_place
from tests.p2p.deal.circle import DECK, WAIT, Circle, Script, ScriptState, dealt, held

TICK = Tick((0, 1, 2))


def refill(*seats: int, count: int = 1) -> Callable[[ScriptState], Tick]:
    """A tick of all, in which so many cards of the stock go to these seats."""

    def tick(state: ScriptState) -> Tick:
        slots = iter(state.table.slots("stock"))
        return Tick((0, 1, 2), tuple((next(slots), seat) for seat in seats for _ in range(count)))

    return tick


def player(circle: Circle, progress: Progress, seat: int) -> Deed:
    """Seat 0 waits, the others open their last card."""
    return WAIT if seat == 0 else Deed("do", shown=(progress.position.table.slots(hand_of(seat))[-1].n,))


def away(*absent: tuple[int, int]) -> Callable[[Progress, int], bool]:
    """Seats that are missing: (seat, round of the tick)."""
    return lambda progress, seat: (seat, progress.number) in absent


def last(circle: Circle) -> Ticked:
    result = circle.results[-1]
    assert isinstance(result, Ticked)
    return result


def opened(circle: Circle) -> list[list[bytes]]:
    """The parts of all openings, in order of seats."""
    return [unpack(unpack(body)[0]) for kind, _, body in circle.bodies if kind == "tick-open"]


def test_a_tick_is_ordered_by_all_salts(small: Group) -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for salt in range(60):
        circle = Circle(small, Script(*dealt(2, 2, 2), TICK), 3, decide=player, salt=bytes([salt])).play()
        result = last(circle)
        assert dict(result.deeds) == {0: WAIT, 1: Deed("do", shown=(1,)), 2: Deed("do", shown=(1,))}
        order = tuple(seat for seat, _ in result.deeds)
        orders[order] += 1
        faces = circle.faces()
        assert result.slots == tuple(Slot(hand_of(seat), 1) for seat in order if seat)
        assert result.faces == tuple(faces[slot] for slot in result.slots)
        assert (result.absent, result.late, result.drawn) == ((), (), ())
        for slot in faces:
            hidden = [cipher.a != small.identity for cipher in circle.progress.dealing.cards[slot]]
            assert hidden == [slot not in result.slots] * 2
    assert len(orders) == 6
    assert max(orders.values()) < 25


def test_each_salt_changes_the_order(small: Group) -> None:
    """The order is a function of every seat's salt, and of nothing a seat may choose after committing."""
    circle = Circle(small, Script(*dealt(0, 0, 0), Tick((0, 1, 2, 3, 4, 5))), 6).play()
    race = next(p for p in reversed(circle.trail) if isinstance(p.dealing.stash, Race)).dealing.stash
    salts = [parts[0] for parts in opened(circle)]
    assert len(set(salts)) == 6

    def order(values: list[bytes], deed: Deed = WAIT) -> tuple[int, ...]:
        openings = {seat: TickOpening(salt, deed, 0, {}) for seat, salt in enumerate(values)}
        dealing = replace(circle.progress.dealing, stash=Race(race.commitments, openings))
        return tuple(seat for seat, _ in ticked(dealing, Tick((0, 1, 2, 3, 4, 5)), ()).deeds)

    assert order(salts) == tuple(seat for seat, _ in last(circle).deeds)
    assert order(salts) == order(salts, Deed("do"))
    for seat in range(6):
        found = {order([*salts[:seat], bytes([n]) * 32, *salts[seat + 1 :]]) for n in range(12)}
        assert len(found) > 6, "this seat's salt does not matter"


def test_a_commitment_tells_nothing_of_the_deed(small: Group) -> None:
    """Equal size whatever is done, and no two alike: not of two seats, not of two ticks."""
    long = Deed("do", 2, "x" * 100, ((1, 2, 3),), (0, 1))
    for deed in (WAIT, long):
        circle = Circle(
            small, Script(*dealt(2, 2, 2), TICK, TICK), 3, decide=lambda *_, deed=deed: deed
        ).play()
        bodies = [body for kind, _, body in circle.bodies if kind == "tick-commit"]
        assert {len(body) for body in bodies} == {len(pack([pack([bytes(32), b""])]))}
        assert len(set(bodies)) == 6
    assert len({parts[0] for parts in opened(circle)}) == 6


def test_both_rounds_are_contributions_of_their_own(small: Group) -> None:
    """Even where one seat alone is left in the race."""
    steps = (*dealt(1, 1), Tick((1,)), lambda state: Move(held(state, 1), "down.1"), Tick((1,)))
    circle = Circle(small, Script(*steps), 2).play()
    kinds = [(kind, len(unpack(body))) for kind, _, body in circle.bodies if kind.startswith("tick")]
    assert kinds == [("tick-commit", 1), ("tick-open", 1)] * 2
    assert last(circle).deeds == ((1, WAIT),)


# --- absence ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("missing", "present"),
    [
        (((0, 0),), {1, 2}),
        (((2, 1),), {0, 1}),
        (((0, 0), (1, 1)), {2}),
        (((0, 0), (1, 0)), {2}),
        (((0, 0), (1, 0), (2, 1)), set()),
        (((0, 1), (1, 1), (2, 1)), set()),
        (((0, 0), (1, 0), (2, 0)), set()),
    ],
    ids=str,
)
def test_absent_seats_do_not_hold_up_a_tick(missing: Any, present: set[int], small: Group) -> None:
    circle = Circle(small, Script(*dealt(2, 2, 2), TICK), 3, decide=player, missing=away(*missing)).play()
    result = last(circle)
    assert {seat for seat, _ in result.deeds} == present
    assert result.absent == tuple(sorted({0, 1, 2} - present))
    assert {slot.zone for slot in result.slots} == {hand_of(seat) for seat in present if seat}
    openers = [seat for kind, seat, _ in circle.bodies if kind == "tick-open"]
    assert set(openers) == present


def test_who_did_not_commit_owes_no_opening(small: Group) -> None:
    circle = Circle(small, Script(*dealt(2, 2, 2), TICK), 3, missing=away((0, 0)))
    while circle.progress.round.kind != "tick-commit":
        circle.one_step()
    assert circle.progress.owed == (0, 1, 2)
    circle.one_step()
    assert circle.progress.owed == (1, 2)


# --- lag --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keepers", "marks", "missing", "late"),
    [
        ((0, 1, 2), {0: 0b010, 2: 0b010}, (), (1,)),  # all others say so
        ((0, 1, 2), {0: 0b010}, (), ()),  # one does not
        ((0, 1, 2), {0: 0b110, 1: 0b100, 2: 0b010}, (), (1, 2)),  # two at once
        ((0, 1, 1), {0: 0b110, 1: 0b001, 2: 0b001}, (), ()),  # two keepers: never
        ((0, 0, 0), {0: 0b110, 1: 0b101, 2: 0b011}, (), ()),  # one player and its bots
        ((0, 1, 2), {0: 0b010, 2: 0b010}, ((2, 1),), ()),  # only two keepers take part
        ((0, 0, 2, 3), {0: 0b1000, 1: 0b1000, 2: 0b1000}, (), (3,)),
        ((0, 0, 2, 3), {0: 0b1000, 2: 0b1000}, (), ()),  # every seat of the other keepers has to say so
        ((0, 0, 2, 3), {2: 0b0011, 3: 0b0010}, (), (1,)),  # the own keeper's seats do not count
        ((0, 1, 2, 3), {0: 0b0010, 2: 0b0010}, ((3, 0),), (1,)),  # those away do not count
        ((0, 1, 2, 3), {0: 0b0010, 2: 0b0010}, ((3, 1),), (1,)),
        ((0, 1, 2), {0: 0b011, 1: 0b111, 2: 0b111}, (), (0, 1)),  # the own bit is left out
    ],
    ids=str,
)
def test_late_is_who_all_other_keepers_say_is_late(
    keepers: tuple[int, ...], marks: dict[int, int], missing: Any, late: tuple[int, ...], small: Group
) -> None:
    seats = len(keepers)
    circle = Circle(
        small,
        Script(Shuffle("stock"), Tick(tuple(range(seats)))),
        seats,
        keepers=keepers,
        marks=lambda _, seat: marks.get(seat, 0),
        missing=away(*missing),
    ).play()
    assert last(circle).late == late


def test_lag_bits_do_not_change_the_size(small: Group) -> None:
    sizes = set()
    for mark in (0, 0b111):
        circle = Circle(small, Script(*dealt(1, 1, 1), TICK), 3, marks=lambda *_, mark=mark: mark).play()
        sizes |= {len(b"".join(parts)) for parts in opened(circle)}
    assert len(sizes) == 1


# --- refills ----------------------------------------------------------------------------------------------


def test_refills_ride_on_the_commitments(small: Group) -> None:
    circle = Circle(small, Script(*dealt(2, 2, 2), refill(1, 2)), 3, decide=player).play()
    result = last(circle)
    assert [seat for _, seat in result.drawn] == [1, 2]
    assert [len(circle.hand(seat)) for seat in range(3)] == [2, 3, 3]
    assert Counter(circle.faces().values()) == Counter(DECK.faces[card] for card in DECK.cards)
    sizes = {
        seat: len(unpack(unpack(body)[0])[1]) for kind, seat, body in circle.bodies if kind == "tick-commit"
    }
    share = 2 * small.point_size
    assert sizes == {0: 2 * share + 64, 1: share + 64, 2: share + 64}


def refilled(small: Group, missing: Callable[[Progress, int], bool], *steps: Any) -> Circle:
    return Circle(small, Script(*dealt(2, 2, 2), *steps), 3, missing=missing).play()


def in_first_tick(*absent: tuple[int, int]) -> Callable[[Progress, int], bool]:
    gone = away(*absent)
    return lambda progress, seat: (
        not any(isinstance(r, Ticked) for r in progress.position.state.results) and gone(progress, seat)
    )


def test_a_refill_waits_for_the_shares_of_the_absent(small: Group) -> None:
    """The others' shares are remembered: later only the missing one is owed."""
    circle = refilled(small, in_first_tick((0, 0)), refill(1, 2), refill(1, 2))
    first, second = circle.results[2:]
    assert (first.absent, first.drawn) == ((0,), ())
    assert [seat for _, seat in second.drawn] == [1, 2]
    commits = [(seat, unpack(unpack(body)[0])[1]) for k, seat, body in circle.bodies if k == "tick-commit"]
    later = dict(commits[2:])
    assert later[1] == later[2] == b""
    assert len(later[0]) == 2 * 2 * small.point_size + 64
    assert [len(circle.hand(seat)) for seat in range(3)] == [2, 3, 3]
    assert not circle.progress.dealing.begun


def test_the_absents_own_refill_comes_without_it(small: Group) -> None:
    circle = refilled(small, in_first_tick((1, 0)), refill(1, 2))
    result = last(circle)
    assert [seat for _, seat in result.drawn] == [1]
    assert result.absent == (1,)
    assert len(circle.hand(1)) == 3


def test_a_missing_opening_does_not_hold_up_a_refill(small: Group) -> None:
    circle = refilled(small, in_first_tick((0, 1)), refill(1, 2))
    result = last(circle)
    assert result.absent == (0,)
    assert [seat for _, seat in result.drawn] == [1, 2]


def test_a_draw_takes_up_what_a_tick_left(small: Group) -> None:
    def draw(state: ScriptState) -> Draw:
        return Draw(tuple(zip(state.table.slots("stock")[:3], (1, 2, 0), strict=True)))

    circle = refilled(small, in_first_tick((0, 0)), refill(1, 2), draw)
    body = {seat: unpack(body)[0] for kind, seat, body in circle.bodies[-12:] if kind == "shares"}
    share = 2 * small.point_size
    assert {seat: len(part) for seat, part in body.items()} == {
        0: 2 * share + 64,
        1: share + 64,
        2: share + 64,
    }
    assert [len(circle.hand(seat)) for seat in range(3)] == [3, 3, 3]
    assert Counter(circle.faces().values()) == Counter(DECK.faces[card] for card in DECK.cards)


def test_who_is_out_of_the_race_owes_its_shares_before_the_next_draw(small: Group) -> None:
    """A tick without seat 0: its own refill comes, the others' wait until it gives its shares."""

    def without_first(state: ScriptState) -> Tick:
        slots = state.table.slots("stock")
        return Tick((1, 2), ((slots[0], 0), (slots[1], 1), (slots[2], 2)))

    def rest(state: ScriptState) -> Draw:
        return Draw(tuple(zip(state.table.slots("stock")[:2], (1, 2), strict=True)))

    circle = Circle(small, Script(*dealt(1, 1, 1), without_first, rest), 3).play()
    tick = circle.results[2]
    assert [seat for _, seat in tick.drawn] == [0]
    assert tick.absent == ()
    assert [seat for kind, seat, _ in circle.bodies if kind == "shares"][-1:] == [0]
    assert [len(circle.hand(seat)) for seat in range(3)] == [2, 2, 2]
    assert Counter(circle.faces().values()) == Counter(DECK.faces[card] for card in DECK.cards)


def test_a_card_that_waits_for_shares_keeps_its_addressee(small: Group) -> None:
    with pytest.raises(ValueError, match="keeps its addressee"):
        refilled(small, in_first_tick((0, 0)), refill(1), refill(2))


def test_what_waits_moves_along_and_a_shuffle_ends_the_waiting(small: Group) -> None:
    def aside(state: ScriptState) -> Move:
        return Move(state.table.slots("stock")[:1], "lake")

    def from_lake(state: ScriptState) -> Draw:
        return Draw(((state.table.slots("lake")[0], 1),))

    circle = refilled(small, in_first_tick((0, 0)), refill(1), aside, from_lake)
    assert [seat for kind, seat, _ in circle.bodies if kind == "shares"][-1:] == [0]
    assert len(circle.hand(1)) == 3
    circle = refilled(small, in_first_tick((0, 0)), refill(1), Shuffle("stock"), refill(2))
    assert [seat for _, seat in last(circle).drawn] == [2]


# --- lies -------------------------------------------------------------------------------------------------


def at(number: int, change: Any) -> Lie:
    """``change(giver, deed, parts)`` of the honest round of a tick."""

    def lie(giver: Giver, task: Any, now: int, deed: Deed | None) -> bytes | None:
        if not isinstance(task, Tick) or now != number or deed is None:
            return None
        return change(giver, deed, unpack(at_place(giver).give(task, now, deed)[0]))

    return lie


def shares_bent(giver: Giver, deed: Deed, parts: list[bytes]) -> bytes:
    group, size = giver.dealing.group, giver.dealing.group.point_size
    bent = group.add(group.decode(parts[1][:size]), group.base)
    return pack([parts[0], bent + parts[1][size:]])


def one_share(giver: Giver, deed: Deed, parts: list[bytes]) -> bytes:
    """The shares of the first card only, with a proof that holds for them."""
    task = giver.position.pending
    firsts = giver.dealing.owed_shares(task.draws[:1], giver.place.seat)
    place = at_place(giver).place
    place.origin("tick")
    shares, proof = prove_shares(
        giver.dealing.group,
        place.header("share"),
        giver.secrets.card_key,
        giver.dealing.keys[giver.place.seat].card,
        firsts,
        giver.fresh,
    )
    return pack([parts[0], b"".join(shares) + proof])


def opening_bent(giver: Giver, deed: Deed, parts: list[bytes]) -> bytes:
    group, size = giver.dealing.group, giver.dealing.group.point_size
    bent = group.add(group.decode(parts[3][:size]), group.base)
    return pack([*parts[:3], bent + parts[3][size:]])


LIES: dict[str, tuple[int, Any, str]] = {
    "a commitment of 31 bytes": (0, lambda giver, deed, parts: pack([parts[0][:-1], parts[1]]), "32 bytes"),
    "no shares": (0, lambda giver, deed, parts: pack([parts[0], b""]), ""),
    "the part for the shares left out": (
        0,
        lambda giver, deed, parts: pack(parts[:1]),
        "commitment and shares",
    ),
    "a wrong refill share": (0, shares_bent, "does not hold"),
    "a refill share missing": (0, one_share, ""),
    "shares proved for another place": (
        0,
        lambda giver, deed, parts: at_place(giver, step=99).give(giver.position.pending, 0, deed)[0],
        "does not hold",
    ),
    "opens another deed": (
        1,
        lambda giver, deed, parts: pack([parts[0], encode(WAIT), parts[2], b""]),
        "to another deed",
    ),
    "opens with another salt": (
        1,
        lambda giver, deed, parts: pack([bytes(32), *parts[1:]]),
        "to another deed",
    ),
    "opens a longer salt": (
        1,
        lambda giver, deed, parts: pack([parts[0] + parts[1][:1], *parts[1:]]),
        "a salt",
    ),
    "marks itself": (
        1,
        lambda giver, deed, parts: pack([*parts[:2], b"\2", parts[3]]),
        "cannot be marked",
    ),
    "marks a seat that is not there": (
        1,
        lambda giver, deed, parts: pack([*parts[:2], b"\x08", parts[3]]),
        "cannot be marked",
    ),
    "lag bits left out": (1, lambda giver, deed, parts: pack([*parts[:2], b"", parts[3]]), "lag bits"),
    "lag bits of two bytes": (
        1,
        lambda giver, deed, parts: pack([*parts[:2], b"\0\0", parts[3]]),
        "lag bits",
    ),
    "does not open its card": (1, lambda giver, deed, parts: pack([*parts[:3], b""]), ""),
    "opens its card as another": (1, opening_bent, "does not hold"),
}


@pytest.mark.parametrize("name", LIES)
def test_lies_in_a_tick_blame_their_seat(name: str, small: Group) -> None:
    number, change, reason = LIES[name]
    script = Script(*dealt(2, 2, 2), refill(0, 2))
    fault = Circle(small, script, 3, decide=player, lies={1: at(number, change)}).fault()
    assert fault.seat == 1
    assert reason in fault.reason


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        (Deed("fly"), "rules refuse (no-such-action)"),
        (Deed("pair", shown=(0,)), "rules refuse (no-pair)"),
        (Deed("do", shown=(9,)), "not in its hand"),
        (Deed("do", shown=(0, 0)), "not in its hand"),
    ],
    ids=str,
)
def test_a_deed_against_the_rules_is_found_when_it_is_opened(deed: Deed, reason: str, small: Group) -> None:
    """Committed to and opened as it is."""

    def lie(giver: Giver, task: Any, now: int, honest: Deed | None) -> bytes | None:
        if not isinstance(task, Tick):
            return None
        place = at_place(giver).place
        if now == 0:
            origin = place.origin("tick")
            return pack([origin.commit(origin.stream(giver.secrets.seed).read(32), encode(deed)), b""])
        own = [slot.n for slot in giver.position.table.slots(hand_of(1))]
        there = tuple(n for n in deed.shown if n in own)
        opening = unpack(at_place(giver).give(task, 1, Deed("do", shown=there))[0])[3]
        origin = giver.dealing.stash.commitments[1].origin
        return pack([origin.stream(giver.secrets.seed).read(32), encode(deed), b"\0", opening])

    circle = Circle(small, Script(*dealt(2, 2, 2), TICK), 3, lies={1: lie})
    while circle.progress.task != TICK or circle.progress.number == 0:
        circle.one_step()
    circle.lies[1] = (lie, Told())
    fault = circle.fault()
    assert fault.seat == 1
    assert reason in fault.reason


def test_a_copied_commitment_cannot_be_opened(small: Group) -> None:
    """Who repeats another's commitment is bound to it and has nothing that opens it."""
    circle = Circle(small, Script(*dealt(2, 2, 2), TICK), 3)
    while circle.progress.task != TICK:
        circle.one_step()
    other = unpack(unpack(circle.contribution(0)[0])[0])[0]
    circle.lies[1] = (at(0, lambda giver, deed, parts: pack([other, b""])), Told())
    circle.one_step()
    theirs = unpack(unpack(circle.contribution(0)[0])[0])
    circle.lies[1] = (at(1, lambda giver, deed, parts: pack(theirs)), Told())
    fault = circle.fault()
    assert (fault.seat, "to another deed" in fault.reason) == (1, True)


def test_the_real_group_ticks_too(real: Group) -> None:
    circle = Circle(
        real,
        Script(*dealt(2, 2, 2), refill(1, 2), refill(1, 2), TICK),
        3,
        decide=player,
        missing=in_first_tick((0, 0)),
    ).play()
    assert [len(circle.hand(seat)) for seat in range(3)] == [2, 3, 3]
    assert not isinstance(last(circle), Deeds)
