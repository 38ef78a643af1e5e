"""A game that goes on after a keeper has left: at every step of it, with three keepers and with four."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any

import msgspec
import pytest

from engine.contract import Outcome
from engine.registry import game
from engine.table import Draw, hand_of, owner
from p2p.deal import Escrow, Recover
from p2p.deal import recovering as recovering_module
from p2p.log import Charter
from p2p.sealed import Group, verify_escrow
from p2p.sealed.testgroup import SmallGroup
from p2p.session import Fault, Left, Session
from p2p.sim.plan import small_pack
from tests.p2p.harness import Ring, make_charter
from tests.p2p.sealed.test_escrow import forge_escrow
from tests.p2p.session.test_departure import check_end, lose, stay, until_gone

SMALL = SmallGroup()
GAMES = ["go-fish", "one-fish", "casino", "discount-salmon"]
SEEDS = {"go-fish": 3, "one-fish": 1, "casino": 1, "discount-salmon": 1}


def options_of(name: str, seats: int) -> dict[str, str]:
    more = {"pace": "turns"} if name == "discount-salmon" else {}
    return {**small_pack(name, seats), **more}


def recovering(
    group: Group, seats: int, name: str, keepers: tuple[int, ...] | None = None, **more: Any
) -> Ring:
    """A table whose keys are put in escrow."""
    rules, options = game(name), {**options_of(name, seats), **more.pop("options", {})}
    charter, _ = make_charter(group, seats, name, options, more.pop("reveal", "end"), rules, keepers)
    charter = msgspec.structs.replace(charter, recovery=True)
    assert type(charter) is Charter
    return Ring(group, seats, charter=charter, rules=rules, options=options, **{"seed": SEEDS[name], **more})


def until_lost(ring: Ring, victim: int, step: int, *bots: int) -> bool:
    """Play until ``victim`` is to contribute to ``step`` or a later one; whether it came to that."""

    def crash(seat: int, persist: Any) -> bool:
        return seat == victim and any(e.seat == seat and e.step >= step for e in persist.entries)

    ring.crash = crash
    ring.start()
    assert ring.run_clock(lambda: victim in ring.crashed or all(s.is_over for s in ring.sessions), 3000)
    if victim not in ring.crashed:
        return False
    for seat in (victim, *bots):
        lose(ring, seat)
    return True


@lru_cache
def length(name: str, seats: int) -> int:
    ring = recovering(SMALL, seats, name)
    ring.start()
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 3000)
    check_end(ring, (), None)
    return ring.sessions[0].history.step


def outcome(ring: Ring, seat: int) -> Outcome:
    found = ring.verdict(seat).outcome
    assert found is not None
    return found


def faces_of(ring: Ring, gone: tuple[int, ...]) -> list[Any]:
    """Every card, read with the keys of those who stay: none is lost, none is there twice."""
    staying = next(seat for seat in range(len(ring.sessions)) if seat not in gone)
    dealing = ring.sessions[staying].history.progress.dealing
    gone = tuple(dealing.gone)  # those whose layers have been taken off
    group, values = dealing.group, dealing.points.values
    joint = sum(ring.secrets(seat).card_key for seat in dealing.there)
    found = []
    for slot, card in dealing.cards.items():
        seat = owner(slot.zone)
        key = joint if seat is None or seat in gone else ring.secrets(seat).card_key
        if seat in gone and slot.zone != hand_of(seat):
            key = ring.secrets(seat).card_key  # what a leaver laid face down stays its own
        points = [b if a == group.identity else group.sub(b, group.mul(key, a)) for a, b in card]
        found.append(tuple(values[n][point] for n, point in enumerate(points)))
    return found


def went_on(ring: Ring, gone: tuple[int, ...]) -> str:
    """Play to the end without those who left; why the game ended."""
    until_gone(ring, *gone, seconds=6000)
    check_end(ring, gone, None)
    staying = next(seat for seat in range(len(ring.sessions)) if seat not in gone)
    progress = ring.sessions[staying].history.progress
    deck = progress.position.deck
    assert sorted(faces_of(ring, gone)) == sorted(deck.faces[index] for index in deck.cards)
    found = outcome(ring, staying)
    if set(gone) <= set(getattr(progress.position.state, "gone", ())):  # it was not decided before
        assert not set(found.winners) & set(gone)
    return found.reason


CASES = [(name, seats) for name in GAMES for seats in (3, 4)]


def leave_at(group: Group, name: str, seats: int, steps: range) -> None:
    """A keeper leaves at each of these steps; the game goes on at some of them at least."""
    reasons: dict[int, str] = {}
    for count, step in enumerate(steps):
        victim = count % seats
        ring = recovering(group, seats, name)
        if until_lost(ring, victim, step):
            reasons[step] = went_on(ring, (victim,))
    assert any(reason != "left" for reason in reasons.values()), f"{name} never goes on"


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_a_keeper_leaves_at_some_steps(small: Group, name: str, seats: int) -> None:
    count = length(name, seats)
    leave_at(small, name, seats, range(GAMES.index(name) + seats, count, count // 5))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), CASES)
def test_a_keeper_leaves_at_every_step(small: Group, name: str, seats: int) -> None:
    leave_at(small, name, seats, range(length(name, seats)))


def test_a_keeper_leaves_with_its_bot(small: Group) -> None:
    """Seats 1 and 3 are one player's: cards on their way to the one carry the other's layer as well."""
    for step in range(4, 12):
        ring = recovering(small, 4, "go-fish", keepers=(0, 1, 2, 1))
        if until_lost(ring, 1, step, 3):
            went_on(ring, (1, 3))
            assert ring.sessions[0].history.progress.dealing.gone in (frozenset(), {1, 3})


def test_the_deal_is_ended_without_whoever_left_in_the_middle_of_it(small: Group) -> None:
    """Shares are missing, and cards were on their way to it."""
    ring = recovering(small, 4, "go-fish", keepers=(0, 1, 2, 1))
    deal = min(step for step, task in tasks_of(ring).items() if isinstance(task, Draw))
    ring = recovering(small, 4, "go-fish", keepers=(0, 1, 2, 1))
    assert until_lost(ring, 1, deal, 3)
    assert went_on(ring, (1, 3)) != "left"
    events = [(event.verb, event.seat) for event in ring.events(0)]
    assert events.index(("leave", 1)) < [verb for verb, _ in events].index("first")


def tasks_of(ring: Ring) -> dict[int, Any]:
    """The task at each step of a whole game."""
    found: dict[int, Any] = {}

    def look() -> bool:
        history = ring.sessions[0].history
        found.setdefault(history.step, history.progress.task)
        return False

    ring.play_until(look)
    return found


def test_a_second_departure_is_recovered_from_while_three_were_there(small: Group) -> None:
    ring = recovering(small, 4, "go-fish", options={"hand_size": "2", "ranks": "5", "suits": "4"})
    assert until_lost(ring, 1, 12)

    def crash(seat: int, _persist: Any) -> bool:
        progress = ring.sessions[2].history.progress
        return seat == 2 and progress.gone == {1} and progress.paused is None and progress.is_playing

    ring.crash = crash
    assert ring.run_clock(lambda: 2 in ring.crashed, 400)
    assert ring.sessions[0].history.progress.dealing.can_recover
    lose(ring, 2)
    assert ring.run_clock(lambda: all(2 in s.history.progress.gone for s in stay(ring, 1, 2)), 400)
    assert went_on(ring, (1, 2)) != "left"
    dealing = ring.sessions[0].history.progress.dealing
    assert dealing.gone == {1, 2}
    assert not dealing.can_recover, "two keepers hold no shares of each other"


def test_a_second_departure_before_the_first_is_over_ends_the_game(small: Group) -> None:
    ring = recovering(small, 4, "go-fish")
    assert until_lost(ring, 1, 12)
    left = stay(ring, 1, 2)
    ring.crash = lambda seat, _persist: (
        seat == 2 and isinstance(ring.sessions[2].history.progress.task, Recover | Escrow)
    )
    assert ring.run_clock(lambda: 2 in ring.crashed, 400)
    lose(ring, 2)
    until_gone(ring, 1, 2)
    check_end(ring, (1, 2))
    assert all(isinstance(session, Session) for session in left)


def test_a_farewell_is_recovered_from_at_once(small: Group) -> None:
    ring = recovering(small, 3, "go-fish", choose=lambda move, rng: None)
    ring.start()
    ring.pump()
    (awaited,) = ring.sessions[0].awaited
    ring.choose = lambda move, rng: move.actions[0]
    ring.run(awaited, ring.sessions[awaited].farewell(ring.now))
    ring.pump()
    assert ring.now == 0.0
    assert Left((awaited,), (awaited,)) in ring.told[awaited]
    assert went_on(ring, (awaited,)) != "left"
    assert ring.sessions[awaited].is_over, "whoever left may watch"


def test_whoever_comes_back_sees_the_rest_of_the_game_and_no_card(small: Group) -> None:
    ring = recovering(small, 3, "go-fish")
    assert until_lost(ring, 1, 10)
    left = stay(ring, 1)
    assert ring.run_clock(lambda: all(1 in session.history.progress.gone for session in left), 400)
    ring.crash = lambda _seat, _persist: False
    ring.cut.clear()
    ring.restart(1)
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 4000)
    assert ring.sessions[1].history.head == ring.sessions[0].history.head
    assert ring.sessions[1].view().hand == {}
    assert ring.verdict(1).verdict == "sound"


@pytest.mark.parametrize("number", range(3))
def test_a_race_goes_on_without_whoever_left(small: Group, number: int) -> None:
    def play(ring: Ring, seat: int, race: Any) -> None:
        if len(race.actions) > 1 and ring.rng.random() < 0.3:
            ring.run(seat, ring.sessions[seat].act(ring.now, ring.rng.choice(race.actions[1:])))

    ring = recovering(
        small, 3, "discount-salmon", options={"pace": "realtime", "stale_seconds": "1"}, play=play
    )
    assert until_lost(ring, 1, 14 + 4 * number)
    assert went_on(ring, (1,)) != "left"


# --- escrow -------------------------------------------------------------------------------------------------


def convicted(ring: Ring, seat: int, reason: str) -> None:
    """All other seats name this one at the escrow's step or the one after, and so does a stranger."""
    ring.start()
    ring.pump()
    honest = [number for number in range(len(ring.sessions)) if number != seat]
    for number in honest:
        faults = [what for what in ring.told[number] if isinstance(what, Fault)]
        assert [fault.seat for fault in faults] == [seat]
        assert reason in faults[0].reason
    for observer in honest:
        report = ring.verdict(observer)
        assert (report.verdict, report.seat) == ("cheated", seat)
        assert reason in report.reason


def test_a_bad_share_is_named(small: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = recovering_module.prove_escrow

    def lying(group: Group, header: Any, secret: int, receivers: Any, fresh: bytes) -> Any:
        if header.seat != 1:
            return honest(group, header, secret, receivers, fresh)
        values = [7, (secret - 7) % group.order]
        publics = [group.mul_base(value) for value in values]
        own = group.mul_base(secret)
        data, _ = forge_escrow(group, own, receivers, values, publics, None, (0, 1), header)
        return verify_escrow(group, header, own, receivers, data), data

    monkeypatch.setattr(recovering_module, "prove_escrow", lying)
    convicted(recovering(small, 3, "go-fish"), 1, "does not open")


def test_a_false_complaint_is_named(small: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = recovering_module.read_share

    def blind(group: Group, share: Any, key: int) -> int | None:
        return None if (share.to, share.header.seat) == (2, 1) else honest(group, share, key)

    monkeypatch.setattr(recovering_module, "read_share", blind)
    convicted(recovering(small, 3, "go-fish"), 2, "complained of a share that opens")


def test_shares_of_another_key_are_named(small: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = recovering_module.prove_escrow

    def lying(group: Group, header: Any, secret: int, receivers: Any, fresh: bytes) -> Any:
        return honest(group, header, secret + (header.seat == 1), receivers, fresh)

    monkeypatch.setattr(recovering_module, "prove_escrow", lying)
    convicted(recovering(small, 3, "go-fish"), 1, "")


@pytest.mark.parametrize("function", ["prove_shares", "prove_hand_over"])
def test_a_wrong_part_of_a_recovery_is_named(
    small: Group, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """With another secret than the share it was given: for the piles, and for the leaver's hand."""
    honest = getattr(recovering_module, function)

    def lying(group: Group, header: Any, secret: int, *rest: Any) -> Any:
        wrong = header.seat == 2 and header.purpose != "share"
        return honest(group, header, secret + wrong, *rest)

    ring = recovering(small, 3, "go-fish")
    monkeypatch.setattr(recovering_module, function, lying)
    assert until_lost(ring, 1, 10)
    assert ring.run_clock(lambda: bool(ring.faults(0)), 400)
    assert [fault.seat for fault in ring.faults(0)] == [2]
    report = ring.verdict(0)
    assert (report.verdict, report.seat) == ("cheated", 2)


# --- secrecy ------------------------------------------------------------------------------------------------


def test_a_leavers_hand_stays_hidden_from_all_but_everybody_together(small: Group) -> None:
    """Neither before nor after the recovery does any number of the others but all of them read a card."""
    ring = recovering(small, 4, "go-fish", options={"hand_size": "2", "ranks": "5", "suits": "4"})
    assert until_lost(ring, 1, 12)
    left = stay(ring, 1)
    hand = dict(left[0].history.progress.dealing.cards)
    before = [card for slot, card in hand.items() if slot.zone == hand_of(1)]
    assert ring.run_clock(lambda: all(s.history.progress.dealing.gone == {1} for s in left), 400)
    progress = next(past.progress for past in left[0].history._past if past.progress.dealing.gone == {1})
    after = [card for slot, card in progress.dealing.cards.items() if slot.zone == hand_of(1)]
    assert len(before) == len(after) > 0
    points = set(progress.dealing.points.points[0].values())
    keys = [ring.secrets(seat).card_key for seat in (0, 2, 3)]
    for count in range(4):
        for some in combinations(keys, count):
            for card in (*before, *after):
                rest = small.sub(card[0].b, small.mul(sum(some), card[0].a))
                readable = count == 3 and card in after
                assert (rest in points) == readable
    sent = b"".join(entry.body for entry in left[0].history.entries)
    own = ring.secrets(1).card_key
    assert all(small.mul(own, card[0].a) not in sent for card in before), "its layer was never given"
