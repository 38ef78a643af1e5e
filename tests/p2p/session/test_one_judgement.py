"""One seat hears a lie before it hears that its author has left, the others after it: all judge alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from p2p.attacks.base import Attack, End, Scene
from p2p.attacks.bending import Bent, kind_of
from p2p.attacks.escrow import ALL_OF_FOUR
from p2p.attacks.table import AttackedTable
from p2p.log import decode_message, encode_message, frame_of, frame_of_statement, pack, sign_entry
from p2p.log.absence import DEPARTURE, sign_statement
from p2p.log.wire import EntryFrame, Have, Missing, StatementFrame, Want
from p2p.sealed import Group
from p2p.session import Effect, Left, Send, Timer
from p2p.session.history import MAX_REWIND
from tests.p2p.harness import Ring

LIAR, VICTIM = 1, 2
RUBBISH: Final = pack([b"x"])
OFTEN = 0.1


def table_of(small: Group, kind: type[Bent], game: str = "one-fish", seed: int = 1) -> Any:
    attack = Attack("x", "x", "x", ALL_OF_FOUR, lambda scene: None, End.NAMED, seats=4, recovery=True)
    table = AttackedTable(Scene(attack, game, small, seed), {LIAR: kind_of(kind)})
    table.begin()
    return table


def is_dealt(session: Any) -> bool:
    progress = session.history.progress
    sizes = progress.position.table.size
    return (
        progress.is_playing and session.history.step > 6 and all(sizes(f"hand.{seat}") for seat in range(4))
    )


class Liar(Bent):
    """Sends nothing to its victim once it has begun."""

    is_quiet = False

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        if not self.is_quiet:
            return effects
        bent: list[Effect] = []
        for effect in effects:
            if not isinstance(effect, Send):
                bent.append(effect)
            elif effect.to is None:
                bent += [replace(effect, to=seat) for seat in (0, 3)]
            elif effect.to != VICTIM:
                bent.append(effect)
        return bent

    def tick(self, now: float) -> list[Effect]:
        return [*super().tick(now), Timer(OFTEN)]


class Leaver(Liar):
    """Says farewell to all but one, and when they have heard it, tells that one a lie about an earlier
    step."""

    left_at: float | None = None
    has_said = False

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        history = self.history
        if not self.has_said and is_dealt(self) and not self._must_hear:
            self.has_said = True
            effects = [*effects, *self.farewell(now)]
        self.is_quiet = self.is_quiet or any(map(self.is_farewell, effects))
        bent = super().bend(now, effects)
        if self.left_at is None and self.seat in history.progress.gone:
            self.left_at = now
        if self.left_at is not None and self.told is None and now > self.left_at + 0.5:
            others = [n for n, step in enumerate(history.steps[:-1]) if all(e.seat != LIAR for e in step)]
            self.told = max(others)
            bent.append(Send(VICTIM, self.frame(self.told, LIAR, RUBBISH)))
        return bent

    def is_farewell(self, effect: Effect) -> bool:
        message = decode_message(effect.data) if isinstance(effect, Send) else None
        return isinstance(message, EntryFrame) and (message.seat, message.body) == (LIAR, pack([]))


class Staller(Bent):
    """Stalls at a step that it alone owes, and lies to one seat about it the moment that one has signed that
    nothing is there."""

    def _contribute(self, now: float) -> list[Effect]:
        if self.told is not None:
            return []
        if is_dealt(self) and self.history.progress.owed == (LIAR,) and not self._must_hear:
            self.told = self.history.step
            return []
        return super()._contribute(now)

    def receive(self, now: float, peer: int, data: bytes) -> list[Effect]:
        effects, message = super().receive(now, peer, data), decode_message(data)
        if self.told is None or not isinstance(message, StatementFrame) or message.have:
            return effects
        if message.author == VICTIM:
            effects.append(Send(VICTIM, self.frame(self.told, LIAR, RUBBISH, epoch=0)))
        return effects


@pytest.mark.parametrize("game", ["go-fish", "one-fish"])
def test_a_lie_about_an_earlier_step_convicts_whoever_has_left_since(small: Group, game: str) -> None:
    table = table_of(small, Leaver, game, seed=2)
    liar = table.session(LIAR)
    assert table.run_until(lambda: liar.told is not None)
    assert table.run_until(lambda: table.is_over, 60.0)
    assert LIAR in table.session(0).history.progress.gone
    assert VICTIM not in table.session(0).history.progress.gone
    assert_named(table, liar.told)


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_lie_convicts_also_where_a_certificate_stands_for_it(small: Group, seed: int) -> None:
    table = table_of(small, Staller, seed=seed)
    liar = table.session(LIAR)
    assert table.run_until(lambda: liar.told is not None)
    table.run_until(lambda: False, 1.0)
    table.give_up(LIAR)
    assert table.run_until(lambda: table.is_over, 400.0)
    assert_named(table, liar.told)


def assert_named(table: Any, step: int) -> None:
    for seat in table.honest:
        (fault,) = table.faults[seat.number]
        report = table.verdict(seat.number)
        assert (fault.seat, fault.step) == (LIAR, step)
        assert (report.verdict, report.seat, report.step) == ("cheated", LIAR, step)
        assert not any(isinstance(what, Left) and VICTIM in what.seats for what in table.told[seat.number])


def test_two_statements_about_a_step_long_over_convict_at_every_seat(small: Group) -> None:
    """A seat may be a step behind the others, for which that step is too old to be taken back."""
    table = table_of(small, Bent)
    assert table.run_until(lambda: table.session(0).history.step > MAX_REWIND + 8)
    session = table.session(0)
    history, identity = session.history, table.session(LIAR)._identity
    old = range(history.step - MAX_REWIND - 1)
    step, missing = next((n, e.seat) for n in old for e in history.steps[n] if e.seat in (2, 3))
    frames = []
    for have in (True, False):
        about = (history.epochs[step], step, missing)
        said = sign_statement(identity, history.table_id, history.heads[step], about, DEPARTURE, LIAR, have)
        frames.append(encode_message(frame_of_statement(said, history.heads[step])))
    assert session.receive(table.now, LIAR, frames[0]) == []
    session.receive(table.now, LIAR, frames[1])
    assert session.fault is not None
    assert (session.fault.seat, session.fault.step) == (LIAR, step)


def test_a_word_about_an_old_step_reaches_a_seat_that_has_taken_steps_back(small: Group) -> None:
    table = table_of(small, Bent)
    session = table.session(0)

    def has_come_far() -> bool:
        return session.history.step > MAX_REWIND + 10 and not session._fold

    assert table.run_until(has_come_far)
    history = session.history
    session._forget_step()
    session._held, session._passed = history.rewind(history.step - 1)
    for step in range(history.step - MAX_REWIND - 1, history.step):
        for entry in history.steps[step]:
            peer = next(seat for seat in (1, 2, 3) if seat != entry.seat)
            hint = history.heads[step][:8]
            session.receive(
                table.now, peer, encode_message(Missing(history.epochs[step], step, hint, entry.seat))
            )


def lied_to(small: Group) -> Ring:
    """Seat 0 has gone on to a step to which seat 2 owes nothing, and seat 2 has contributed to it."""
    ring = Ring(small, 3, options={"ranks": "3", "hand_size": "2"})
    history = ring.sessions[0].history
    assert ring.play_until(
        lambda: (
            history.step > 6 and 0 in [e.seat for e in history.steps[-1]] and history.progress.owed == (1,)
        )
    )
    ring.mail.clear()
    lie = sign_entry(ring.identities[2], history.table_id, 0, history.step, 2, history.head, RUBBISH)
    ring.run(0, ring.sessions[0].receive(ring.now, 2, encode_message(frame_of(lie, history.head))))
    return ring


def test_a_lie_is_void_where_the_others_have_gone_on_without_the_seat_that_heard_it(small: Group) -> None:
    ring = lied_to(small)
    session = ring.sessions[0]
    history = session.history
    step = history.step - 1
    assert not ring.faults(0), "the others may not have what seat 0 contributed last"
    for author in (1, 2):
        said = sign_statement(
            ring.identities[author],
            history.table_id,
            history.heads[step],
            (0, step, 0),
            DEPARTURE,
            author,
            False,
        )
        frame = encode_message(frame_of_statement(said, history.heads[step]))
        ring.run(0, session.receive(ring.now, author, frame))
    assert session.fault is None
    assert history.epoch == 1
    assert history.progress.gone == {0}
    assert ring.verdict(0).verdict == "sound"


def test_a_lie_is_named_once_another_seat_stands_on_the_same_history(small: Group) -> None:
    ring = lied_to(small)
    session, (history, other) = ring.sessions[0], (ring.sessions[n].history for n in (0, 1))
    for wrong in (bytes(8), history.heads[0][:8]):
        have = encode_message(Have(0, history.step + 1, history.step, wrong))
        ring.run(0, session.receive(ring.now, 1, have))
    have = encode_message(Have(0, history.step + 1, history.step, history.head[:8]))
    ring.run(0, session.receive(ring.now, 2, have))
    assert not ring.faults(0), "the word of the seat that lies says nothing"
    ring.run(0, session.receive(ring.now, 1, have))
    (fault,) = ring.faults(0)
    assert (fault.seat, fault.step, fault.reason) == (2, history.step, "contributed where nothing is owed")
    assert other.step <= history.step
    assert ring.verdict(0).verdict == "cheated"


class Mute(Bent):
    """Answers what everybody asks for, but for one seat."""

    def receive(self, now: float, peer: int, data: bytes) -> list[Effect]:
        if peer == VICTIM and isinstance(decode_message(data), Want):
            return []
        return super().receive(now, peer, data)


def test_who_leaves_one_seat_without_an_answer_silences_it_for_the_grace_time_only(small: Group) -> None:
    table = table_of(small, Mute)
    victim = table.session(VICTIM)
    grace = table.charter.grace
    table.run_until(lambda: False, grace - 10.0)
    assert victim.history.step == 0
    assert victim._must_hear == {LIAR}
    for seat in table.honest:  # all are told who keeps it from signing
        assert dict(table.session(seat.number).rebuilding) == {VICTIM: (LIAR,)}
    assert table.run_until(lambda: victim.history.step > 0, 30.0)
    assert table.run_until(
        lambda: not any(table.session(seat.number).rebuilding for seat in table.honest), 5.0
    )
    assert table.run_until(lambda: table.is_over)
    assert all(table.verdict(seat.number).verdict == "sound" for seat in table.honest)
