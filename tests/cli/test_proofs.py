"""What was proved is counted over the whole game, whether the program ran all the time or not."""

from __future__ import annotations

import pytest

from cli.presenter import Presenter
from cli.proofs import Ledger
from cli.text import Glyphs
from p2p.sealed.testgroup import SmallGroup
from p2p.session import Happened
from tests.cli.replay.records import NAMES, replay_of, ring_of

SEATS = 3


def presenter_of(ring, seat: int) -> Presenter:
    return Presenter(ring.sessions[seat].history.progress.position.rules, NAMES[:SEATS], seat, Glyphs())


@pytest.mark.parametrize("name", ["go-fish", "casino", "discount-salmon", "one-fish"])
def test_a_restart_loses_nothing_of_the_count(name: str) -> None:
    ring = ring_of(name, group=SmallGroup())
    ring.start()
    assert ring.run_clock(lambda: ring.sessions[0].history.step >= 30, 3600.0)
    live = presenter_of(ring, 0)
    for telling in ring.told[0]:
        if isinstance(telling, Happened):
            live.hear(telling, ring.sessions[0].view())
    told = live.ledger.total
    live.ledger.follow(ring.sessions[0].history.proved)
    assert live.ledger.total >= told >= 30, "not of every step of a race there is something to tell"
    assert (live.ledger.total == told) == (name != "discount-salmon")
    ring.restart(0)
    history = ring.sessions[0].history
    again = presenter_of(ring, 0)
    again.recall(history.restored)
    again.ledger.follow(history.proved)
    assert len(history.restored) == history.step
    assert again.ledger.kinds == live.ledger.kinds
    assert again.ledger.claims == live.ledger.claims
    assert again.ledger.lines()[0].startswith(f"{live.ledger.total} proved since the game began")


@pytest.mark.parametrize(("name", "scanner"), [("go-fish", None), ("go-fish", 1), ("one-fish", None)])
def test_what_was_drawn_is_told_again_to_who_drew_it(name: str, scanner: int | None) -> None:
    ring = ring_of(name, group=SmallGroup(), scanner=scanner)
    ring.start()
    assert ring.run_clock(lambda: ring.sessions[0].history.step >= 40, 3600.0)
    told: dict[int, list[str]] = {}
    for seat in range(SEATS):
        ring.restart(seat)
        session = ring.sessions[seat]
        own = presenter_of(ring, seat).recall(session.history.restored, session.view_after)
        public = presenter_of(ring, seat).recall(session.history.restored)
        told[seat] = [line.text for line, seen in zip(own, public, strict=True) if line.text != seen.text]
    assert any(told.values())
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 7200.0)
    replay = replay_of(ring.record(0))
    for seat, lines in told.items():
        shown = {line.text for at in range(len(replay)) for line in replay.frame(at, seat).lines}
        assert set(lines) <= shown, "each in its own step, as the record tells it"


def test_steps_that_were_taken_back_are_not_counted() -> None:
    ledger = Ledger()
    ledger.follow([("keys", 3), ("shuffle", 1), ("shuffle", 1)])
    ledger.follow([("keys", 3), ("shuffle", 1), ("shuffle", 1), ("shares", 3)])
    assert (ledger.total, ledger.kinds["shuffle"]) == (8, 2)
    ledger.follow([("keys", 3), ("shuffle", 1)])
    assert ledger.kinds == {"keys": 3, "shuffle": 1}
