"""Every attack of the gallery is made, stopped, and blamed on the one who made it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

from p2p.attacks import ATTACKER, ATTACKS, THEMES, Attack, AttackedTable, End, Result, Scene, run
from p2p.attacks.games import ALL
from p2p.attacks.judging import lie
from p2p.deal.checking import Checker
from p2p.log import Malformed
from p2p.sealed import Group
from p2p.session import Session
from p2p.session.watching import Visit, read_watch
from p2p.sim import Broken

PAIRS = [(attack, game) for attack in ATTACKS.values() for game in attack.games]


def shared_out() -> Iterator[Any]:
    """Each attack in one game for `make test`, in another one for the next; its other games are slow."""
    for number, attack in enumerate(ATTACKS.values()):
        for at, game in enumerate(attack.games):
            marks = () if at == number % len(attack.games) else (pytest.mark.slow,)
            yield pytest.param(attack, game, marks=marks, id=f"{attack.name}-{game}")


def check(attack: Attack, game: str, found: Result) -> None:
    assert found.is_tried, "the lie never had its place"
    assert found.stopped, f"{found.end}: {found.said}"
    assert (found.name, found.game, found.end) == (attack.name, game, attack.end)
    if found.end is End.NAMED:
        assert (found.blamed, found.blamed_by_all, found.verify_convinced) == (ATTACKER, True, True)
        assert found.step is not None
        assert attack.says in found.said
    if found.end in (End.AWAITED, End.SKIPPED, End.MARKED):
        assert (found.blamed, found.blamed_by_all) == (ATTACKER, True)
    if found.end in (End.CUT, End.REFUSED):
        assert found.said, "a sentence says why"
        assert found.blamed is None
    if found.end is End.PROVED:
        assert (found.blamed, found.verify_convinced) == (ATTACKER, True)


@pytest.mark.parametrize(("attack", "game"), list(shared_out()))
def test_every_attack_is_stopped(attack: Attack, game: str, small: Group) -> None:
    check(attack, game, run(attack, game, small))


REAL = (
    "false-go-fish", "hidden-book-deal", "shuffle-card-twice", "share-wrong", "key-identity",
    "key-small-order",
    "key-non-canonical", "ask-proof-scalar-plus-order", "mix-no-point", "tick-other-deed", "two-endings",
)  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_some_attacks_in_the_real_group(name: str, real: Group) -> None:
    game = next(iter(ATTACKS[name].games))
    check(ATTACKS[name], game, run(ATTACKS[name], game, real))


@pytest.mark.slow
@pytest.mark.parametrize(("attack", "game"), PAIRS, ids=lambda each: getattr(each, "name", each))
def test_every_attack_in_the_real_group(attack: Attack, game: str, real: Group) -> None:
    check(attack, game, run(attack, game, real))


# --- what makes the gallery worth something -----------------------------------------------------------------


@pytest.mark.parametrize("game", ALL)
def test_a_control_run_without_a_lie_is_an_honest_game(game: str, small: Group) -> None:
    control = lie("control", "Tries nothing.", "", ALL, end=End.IGNORED)
    found = run(control, game, small)
    assert (found.end, found.stopped, found.blamed, found.said) == (End.IGNORED, True, None, "")


@pytest.mark.parametrize("game", ALL)
def test_an_honest_table_plays_to_its_end_and_the_record_says_so(game: str, small: Group) -> None:
    table = AttackedTable(Scene(ATTACKS["false-hint"], game, small, 3), {})
    table.begin()
    assert table.run_until(lambda: table.is_over)
    assert [table.verdict(seat).finished for seat in range(3)] == [True] * 3
    assert not table.cuts
    assert not any(table.faults.values())


def nothing(*_arguments: Any, **_named: Any) -> None:
    """A check that checks nothing."""


def hears(visit: Visit, frame: bytes) -> None:
    """What one without a seat says after its request is heard."""
    visit.request = visit.request or read_watch(frame)


def deaf(session: Session, _gone: frozenset[int]) -> None:
    """Whoever has lost its store signs before it has heard the others."""
    session._must_hear = set()


HOLES = [
    ("false-go-fish", "go-fish", mock.patch("p2p.deal.claims.verify_claim", nothing)),
    ("ask-not-held", "one-fish", mock.patch("p2p.deal.claims.verify_claim", nothing)),
    ("shuffle-card-twice", "casino", mock.patch("p2p.deal.checking.verify_shuffle", nothing)),
    ("mix-card-twice", "go-fish", mock.patch("p2p.deal.checking.verify_shuffle", nothing)),
    ("hands-over-other", "casino", mock.patch("p2p.deal.checking.verify_hand_over", nothing)),
    ("share-wrong", "discount-salmon", mock.patch("p2p.deal.checking.verify_shares", nothing)),
    ("key-rogue", "go-fish", mock.patch("p2p.deal.common.verify_key", nothing)),
    ("coin-other", "one-fish", mock.patch("p2p.deal.common.check_commitment", return_value=True)),
    ("close-other-outcome", "go-fish", mock.patch("p2p.deal.checking.check_close", nothing)),
    ("wrong-seat", "go-fish", mock.patch("p2p.session.history.is_signed", return_value=True)),
    ("file-changed", "go-fish", mock.patch("p2p.session.history.is_signed", return_value=True)),
    ("fork-keys", "go-fish", mock.patch.object(Session, "_convict", return_value=[])),
    ("out-of-turn", "casino", mock.patch.object(Session, "_convict", return_value=[])),
    ("host-twice", "go-fish", mock.patch("p2p.session.setup.GuestSetup.receive", nothing)),
    ("host-baits", "go-fish", mock.patch("p2p.session.setup.GuestSetup._check_shown", nothing)),
    ("host-disguises-bot", "go-fish", mock.patch("p2p.session.setup.GuestSetup._check_shown", nothing)),
    ("host-keeps-guest", "casino", mock.patch("p2p.session.setup.GuestSetup._check_shown", nothing)),
    ("host-changes-terms", "one-fish", mock.patch("p2p.session.setup.GuestSetup._on_roster", nothing)),
    ("escrow-bad-share", "go-fish", mock.patch("p2p.deal.recovering.is_justified", return_value=False)),
    ("escrow-other-key", "casino", mock.patch("p2p.sealed.escrow._is_whole", return_value=True)),
    ("complaint-false", "one-fish", mock.patch("p2p.deal.recovering.is_justified", return_value=True)),
    ("complaint-oracle", "go-fish", mock.patch("p2p.sealed.escrow.verify_shares", nothing)),
    ("recovery-wrong-layer", "casino", mock.patch("p2p.deal.recovering.verify_shares", nothing)),
    ("recovery-wrong-hand", "discount-salmon", mock.patch("p2p.deal.recovering.verify_hand_over", nothing)),
    ("departure-contradiction", "go-fish", mock.patch.object(Session, "_convict", return_value=[])),
    ("spectator-contributes", "one-fish", mock.patch.object(Visit, "hear", hears)),
    ("spectator-uninvited", "casino", mock.patch("p2p.attacks.spectators.refusal", return_value=None)),
    ("spectator-no-request", "go-fish", mock.patch.object(Visit, "hear", nothing)),
    ("rebuild-withheld", "go-fish", mock.patch.object(Session, "_hear_not", deaf)),
    ("rebuild-forged", "casino", mock.patch("p2p.session.history.is_signed", return_value=True)),
    ("link-small-order", "go-fish", mock.patch("p2p.link.handshake.check_public", nothing)),
]
"""Attacks, and the one check that stops each of them."""


@pytest.mark.parametrize(("name", "game", "hole"), HOLES, ids=[name for name, _, _ in HOLES])
def test_an_attack_that_works_is_found(name: str, game: str, hole: Any, small: Group) -> None:
    """Without the check that stops it the same attack is not called stopped, or brings the session down."""
    with hole:
        try:
            found = run(ATTACKS[name], game, small)
        except (Malformed, Broken):  # brought down by rubbish, which the command counts as well
            return
    assert not found.stopped


def test_an_attack_that_blames_an_innocent_is_found(small: Group) -> None:
    """A check that names the wrong seat is as bad as none."""

    def blames_another(self: Checker, task: Any, number: int, body: bytes) -> Any:
        try:
            return honest(self, task, number, body)
        except Exception as error:
            error.seat = 2
            raise

    honest = Checker.check
    with mock.patch.object(Checker, "check", blames_another):
        found = run(ATTACKS["share-wrong"], "go-fish", small)
    assert not found.stopped
    assert found.end is End.WORKS


def test_a_secret_that_is_shown_to_a_spectator_is_found(small: Group) -> None:
    table = AttackedTable(Scene(ATTACKS["spectator-at-every-seat"], "go-fish", small, 0), {})
    table.begin()
    table.run_until(lambda: table.session(0).history.step > 6)
    for seat in table.seats:
        with pytest.raises(Broken, match="before the end"):
            table.watch.shown(table.session(0), b"x" + seat.secrets(small).seed)


def test_a_lie_that_is_never_told_is_not_stopped(small: Group) -> None:
    never = lie("never", "Never comes to it.", "", ALL, lambda *_: None)
    with mock.patch("p2p.attacks.judging.MOST_TRIES", 2):
        found = run(never, "discount-salmon", small)
    assert (found.is_tried, found.stopped) == (False, False)


def test_one_seed_is_one_course(small: Group) -> None:
    assert run(ATTACKS["withheld-second-card"], "go-fish", small) == run(
        ATTACKS["withheld-second-card"], "go-fish", small
    )


# --- the list -----------------------------------------------------------------------------------------------


def test_names_are_unique_and_each_attack_says_what_it_tries() -> None:
    assert sum(map(len, THEMES.values())) == len(ATTACKS) > 45
    for name, attack in ATTACKS.items():
        assert name == attack.name == name.lower().replace(" ", "-")
        assert attack.tries.endswith(".")
        assert attack.source
        assert attack.games


LISTED = (
    "false-go-fish", "withheld-second-card", "hidden-book-draw", "ask-not-held", "swapped-after-commit",
    "shuffle-card-twice", "shuffle-identity", "shuffle-mask-zero", "share-proof-another-step",
    "share-proof-another-seat", "share-wrong", "share-malformed", "share-undealt", "mirrored-coin",
    "seed-mirrored", "late-reveal", "missing-reveal", "fork-decision", "replay", "reorder", "out-of-turn",
    "wrong-seat", "key-rogue", "key-small-order", "host-small-order", "key-non-canonical",
    "frame-second-form", "re-signed-history", "file-re-signed", "file-changed", "shuffle-ground",
    "tick-late-commit", "tick-no-open", "steals-other-slot", "host-twice", "spectator-speaks",
    "spectator-contributes", "spectator-states-absence", "spectator-chats", "spectator-at-every-seat",
    "spectator-uninvited", "rebuild-withheld", "rebuild-revised", "printed-complaint-oracle",
    "late-after-certificate",
    "escrow-bad-share", "escrow-other-receiver", "escrow-other-key", "complaint-false", "complaint-oracle",
    "recovery-wrong-layer", "recovery-opens-hand", "missing-recovery", "departure-refused",
    "departure-false-have", "late-after-departure", "speaks-after-leaving", "fork-farewell",
    "rematch-replay", "two-endings", "wish-out-of-time", "printed-false-complaint", "printed-wrong-seal",
)  # fmt: skip


def test_what_was_asked_for_is_there() -> None:
    assert [name for name in LISTED if name not in ATTACKS] == []
