"""What a session asks its player: which of several equal cards, within a time, later, or not at all."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import msgspec
import pytest

from engine.contract import Action, IllegalAction
from engine.match import Position
from engine.table import Choose, Complete, hand_of
from p2p.deal import Progress
from p2p.log import EntryFrame, decode_message
from p2p.sealed import Group
from p2p.session import Session, YourMove
from p2p.session.jobs import may_leave_cards
from tests.p2p.harness import SHORT, Ring

MANY = {"deck": "104", "ranks": "3", "hand_size": "9"}
"""Eight cards of each of three ranks, in groups of four: a dealt hand of nine often has five of one."""

PAIRS = {"book_size": "2", "ranks": "6", "hand_size": "5"}


def bodies_since(ring: Ring, before: int, seat: int) -> list[bytes]:
    """What ``seat`` contributed after the first ``before`` frames."""
    messages = [decode_message(data) for sender, _, data in ring.sent[before:] if sender == seat]
    return [each.body for each in messages if isinstance(each, EntryFrame) and each.seat == seat]


def public_cards(position: Position) -> list[str]:
    """The cards that everybody sees on the table, by their texts."""
    hands = {hand_of(seat) for seat in range(position.seats)}
    known = position.table.known
    return sorted(position.deck.text(face) for slot, face in known.items() if slot.zone not in hands)


def test_the_chosen_cards_are_laid_and_time_and_size_do_not_tell_a_choice(small: Group) -> None:
    sizes: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    seen: dict[str, int] = defaultdict(int)
    for seed in range(16):
        ring = Ring(small, 2, options=MANY, seed=seed, answer_delay=3.0, salt=bytes([seed]))
        ring.start()
        ring.pump()
        for seat in range(2):
            session = ring.sessions[seat]
            progress = session.history.progress
            assert progress.owed == (seat,)
            assert isinstance(progress.task, Complete)
            hand = progress.dealing.hand(progress.position, seat, ring.secrets(seat).card_key)
            actions = progress.position.choices(seat, hand)
            asked = [what for what in ring.told[seat] if isinstance(what, YourMove)]
            chosen = actions[-1]
            before, shown = len(ring.sent), public_cards(progress.position)
            if len(actions) > 1:
                assert [(what.actions, what.seconds) for what in asked] == [(actions, 3.0)]
                turned = Action(chosen.verb, cards=chosen.cards[::-1])  # in any order
                ring.run(seat, session.act(ring.now, turned))
            else:
                assert not asked
                with pytest.raises(IllegalAction):
                    session.act(ring.now, chosen)
            ring.tick(2.9)
            assert not bodies_since(ring, before, seat)
            ring.tick(0.1)
            body = bodies_since(ring, before, seat)[0]
            now = public_cards(session.history.progress.position)
            if seat == 0:
                assert now == sorted([*shown, *chosen.cards])
            else:  # the first turn may have followed
                assert Counter([*shown, *chosen.cards]) <= Counter(now)
            kind = "free" if len(actions) > 1 else "forced"
            sizes[len(chosen.cards)][kind].add(len(body))
            seen[kind] += 1
            if kind == "free":
                assert chosen.cards != actions[0].cards
    assert seen["free"] > 5
    assert seen["forced"] > 5
    both = [kinds for kinds in sizes.values() if {"free", "forced"} <= kinds.keys()]
    assert both
    assert all(len(kinds["free"] | kinds["forced"]) == 1 for kinds in both)


def test_who_does_not_choose_lays_the_lowest(small: Group) -> None:
    for seed in range(16):
        ring = Ring(small, 2, options=MANY, seed=seed, answer_delay=3.0, salt=bytes([seed]))
        ring.start()
        ring.pump()
        asked = [what for what in ring.told[0] if isinstance(what, YourMove)]
        if asked:
            ring.tick(3.0)
            laid = public_cards(ring.sessions[0].history.progress.position)
            assert laid == sorted(asked[0].actions[0].cards)
            return
    raise AssertionError("nobody was asked")


@pytest.mark.parametrize("options", [MANY, PAIRS, SHORT], ids=["104 cards", "pairs", "groups of four"])
def test_public_facts_never_hide_a_choice(small: Group, options: dict[str, str]) -> None:
    """Whole games: wherever a hand leaves a choice, its public side says that there may be one."""
    judged: dict[bool, int] = defaultdict(int)
    choices = 0
    for seed in range(16):
        ring = Ring(small, 2, options=options, seed=seed, salt=bytes([seed]))
        judge = Judge(ring)
        judge.play()
        choices += judge.choices
        for may, count in judge.judged.items():
            judged[may] += count
    if options is SHORT:
        assert judged == {False: judged[False]}
        assert not choices
    else:
        assert choices > 2
        assert judged[True] > 3
        assert judged[False] > 3  # one new card completes a group at most


class Judge:
    """Plays a ring, and at each settle that one seat waits for compares the hand with what is public."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.judged: dict[bool, int] = defaultdict(int)
        self.choices = 0
        self._seen: list[Position] = []

    def play(self) -> None:
        self.ring.play_until(self._look)
        assert self.ring.sessions[0].is_over
        assert self.ring.verdict(0).verdict == "sound"

    def _look(self) -> bool:
        for session in self.ring.sessions:
            progress = session.history.progress
            if isinstance(progress.task, Complete) and progress.position not in self._seen:
                self._seen.append(progress.position)
                self._judge(progress, progress.task)
        return False

    def _judge(self, progress: Progress, task: Complete) -> None:
        key = self.ring.secrets(task.seat).card_key
        hand = progress.dealing.hand(progress.position, task.seat, key)
        may = may_leave_cards(progress.position, task)
        is_free = len(progress.position.choices(task.seat, hand)) > 1
        assert may or not is_free
        self.judged[may] += 1
        self.choices += is_free


# --- decisions that are delayed, limited, or wished for ----------------------------------------------------


class Changed:
    """Go Fish with another kind of decision in place of its own."""

    def __init__(self, rules: Any, wishes: tuple[str, ...] = (), **change: Any) -> None:
        self._rules = rules
        self._change = change
        self.info = msgspec.structs.replace(rules.info, wishes=wishes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def pending(self, state: Any) -> Any:
        """The operation of the game; of a decision, with the change."""
        op = self._rules.pending(state)
        return msgspec.structs.replace(op, **self._change) if isinstance(op, Choose) else op


def not_yet(_move: YourMove, _rng: Any) -> None:
    """The player thinks."""


def changed_ring(group: Group, wishes: tuple[str, ...] = (), waits: bool = True, **change: Any) -> Ring:
    """Two seats at a table of the changed game, up to the first decision."""

    def make(charter: Any, rules: Any, *rest: Any, **named: Any) -> Session:
        return Session(charter, Changed(rules, wishes, **change), *rest, **named, waits=waits)

    ring = Ring(group, 2, options=SHORT, answer_delay=3.0, choose=not_yet, makers={0: make, 1: make})
    ring.start()
    ring.pump()
    return ring


def asked_seat(ring: Ring) -> tuple[int, YourMove]:
    """Who was asked for the decision under way, and what."""
    (seat,) = ring.sessions[0].history.progress.owed
    move = ring.told[seat][-1]
    assert isinstance(move, YourMove)
    return seat, move


def test_a_delayed_decision_waits_for_a_person_and_ends_for_a_bot(small: Group) -> None:
    ring = changed_ring(small, delayed=True)
    seat, move = asked_seat(ring)
    assert move.seconds is None
    before = len(ring.sent)
    ring.tick(60.0)
    assert not bodies_since(ring, before, seat)
    ring.run(seat, ring.sessions[seat].act(ring.now, move.actions[-1]))
    assert bodies_since(ring, before, seat)

    ring = changed_ring(small, delayed=True, waits=False)
    seat, move = asked_seat(ring)
    assert move.seconds == 3.0
    before = len(ring.sent)
    ring.tick(3.0)
    assert bodies_since(ring, before, seat)


def test_a_delayed_decision_is_always_asked_and_held_back_for_the_fixed_time(small: Group) -> None:
    ring = changed_ring(small, delayed=True)
    seat, move = asked_seat(ring)
    before = len(ring.sent)
    ring.run(seat, ring.sessions[seat].act(ring.now, move.actions[-1]))
    ring.tick(2.9)
    assert not bodies_since(ring, before, seat)
    ring.tick(0.1)
    assert bodies_since(ring, before, seat)
    assert move.actions[-1].value in str(ring.events(0))


def test_a_limited_decision_is_heard_at_once_and_made_when_its_time_is_up(small: Group) -> None:
    ring = changed_ring(small, limit=10)
    seat, move = asked_seat(ring)
    assert move.seconds == 10
    before = len(ring.sent)
    ring.tick(9.9)
    assert not bodies_since(ring, before, seat)
    ring.tick(0.1)
    assert bodies_since(ring, before, seat)
    first = next(event for event in ring.events(0) if event.verb == "ask")
    assert Action("ask", first.target, first.words[0]) == move.actions[0]

    ring = changed_ring(small, limit=10)
    seat, move = asked_seat(ring)
    before = len(ring.sent)
    ring.run(seat, ring.sessions[seat].act(ring.now, move.actions[-1]))
    assert bodies_since(ring, before, seat)


def test_a_wish_is_done_once_it_is_legal_and_nobody_is_asked(small: Group) -> None:
    def first_ask(wish: Action | None) -> tuple[int, Action, tuple[Action, ...]]:
        ring = Ring(
            small,
            2,
            options={**SHORT, "hand_size": "3"},
            makers=dict.fromkeys(
                range(2),
                lambda charter, rules, *rest, **named: Session(
                    charter, Changed(rules, ("ask",), wish=True), *rest, **named
                ),
            ),
        )
        if wish is not None:
            for session in ring.sessions:
                assert session.act(0.0, wish) == []
        found: list[Any] = []

        def look() -> bool:
            progress = ring.sessions[0].history.progress
            if isinstance(progress.task, Choose) and not found:
                seat = progress.owed[0]
                hand = progress.dealing.hand(progress.position, seat, ring.secrets(seat).card_key)
                found.extend([seat, progress.position.choices(seat, hand)])
            return any(event.verb == "ask" for event in ring.events(0))

        assert ring.play_until(look)
        assert not any(isinstance(what, YourMove) for told in ring.told for what in told)
        event = next(event for event in ring.events(0) if event.verb == "ask")
        return found[0], Action("ask", event.target, event.words[0]), found[1]

    _, plain, actions = first_ask(None)
    assert plain == actions[0]
    assert len(actions) > 1
    _, wished, _ = first_ask(actions[-1])
    assert wished == actions[-1]
    impossible = Action("ask", actions[0].target, "2" if "2" not in {a.value for a in actions} else "A")
    if impossible not in actions:
        _, instead, _ = first_ask(impossible)
        assert instead == actions[0]
