"""Lies of the gallery at the tests' own table, whose letters arrive at once and in order.

The gallery itself, all of it, is tested in ``tests/p2p/attacks``.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import pytest

from p2p.attacks import ATTACKER, ATTACKS
from p2p.log import EntryFrame, decode_message
from p2p.sealed import Group
from tests.p2p.cheats import Cheater, Lie, Told
from tests.p2p.harness import Ring, make_charter


class Cheat(NamedTuple):
    lie: Lie
    options: dict[str, str]
    reason: str


def of_the_gallery(name: str) -> Cheat:
    """The one lie of an attack on Go Fish."""
    attack = ATTACKS[name]
    play: Any = attack.play
    (lie,) = play.args[0]
    return Cheat(lie, dict(attack.games["go-fish"]), attack.says)


CHEATS = {
    "asks for a rank it does not hold": of_the_gallery("ask-not-held"),
    "asks without a proof": of_the_gallery("ask-without-proof"),
    "denies a card it holds": of_the_gallery("false-go-fish"),
    "hides a hit": of_the_gallery("hidden-hit"),
    "hides a dealt group": of_the_gallery("hidden-book-deal"),
    "shuffle: a card twice": of_the_gallery("shuffle-card-twice"),
    "mix: a card of the hand twice": of_the_gallery("mix-card-twice"),
    "share: wrong": of_the_gallery("share-wrong"),
    "keys: the identity": of_the_gallery("key-identity"),
    "closes with another outcome": of_the_gallery("close-other-outcome"),
    "reveals another seed": of_the_gallery("reveal-other-seed"),
}


def told_game(cheat: Cheat, group: Group) -> tuple[Ring, int]:
    """A game in which the lie was told, and at which step."""
    charter, _ = make_charter(group, 3, "go-fish", cheat.options)
    for seed in range(150):
        told = Told()
        makers = {ATTACKER: partial(Cheater, cheat.lie, told)}
        salt = bytes([seed]) if seed else b""
        ring = Ring(group, 3, seed=seed, salt=salt, charter=charter, makers=makers)
        ring.play()
        if told.step is not None:
            return ring, told.step
    raise AssertionError("the lie never had its place")


def check_named(ring: Ring, step: int, reason: str) -> None:
    """Every honest seat stopped at ``step``, names the cheater, and its record alone convinces a stranger."""
    assert ring.drops == []
    for seat, session in enumerate(ring.sessions):
        if seat == ATTACKER:
            continue
        (fault,) = ring.faults(seat)
        assert (fault.seat, fault.step) == (ATTACKER, step)
        assert reason in fault.reason
        assert session.is_over
        assert not session.is_closed or step >= session.history.step
        report = ring.verdict(seat)
        assert (report.verdict, report.seat, report.step) == ("cheated", ATTACKER, step)
        assert not report.finished
    for sender, _, data in ring.sent:
        message = decode_message(data)
        if isinstance(message, EntryFrame) and sender != ATTACKER:
            assert message.step <= step, "an honest seat went on after the lie"


@pytest.mark.parametrize("name", CHEATS)
def test_every_lie_is_stopped_and_named(name: str, small: Group) -> None:
    ring, step = told_game(CHEATS[name], small)
    check_named(ring, step, CHEATS[name].reason)


@pytest.mark.parametrize("name", list(CHEATS)[:6])
def test_lies_in_the_real_group(name: str, real: Group) -> None:
    ring, step = told_game(CHEATS[name], real)
    check_named(ring, step, CHEATS[name].reason)
