"""What a host says about players who leave: whether keys are put in escrow, and how long one may be away."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest

from engine.registry import game
from p2p.identity import Identity
from p2p.log import DEFAULT_GRACE, Charter, GraceCharter, Malformed, decode_charter
from p2p.log.codec import encode
from p2p.sealed import Group
from p2p.session.setup import HostSetup, Join, SetupError, commit_nonce
from tests.p2p.harness import make_charter

NONCE = bytes(32)


def hosting(players: int, bots: int = 0, **more: Any) -> HostSetup:
    """A full table: the host, other players, and bots of the host."""
    identities = [Identity(hashlib.sha256(b"%d" % n).digest()) for n in range(players + bots)]
    first = identities[0].public
    setup = HostSetup("go-fish", {}, players + bots, "end", first, "P0", (), NONCE, **more)
    for number, identity in enumerate(identities[1:], 1):
        join = Join(f"P{number}", commit_nonce(identity.public, NONCE), ())
        setup.seat(identity.public, join, number >= players)
    return setup


def proposed(setup: HostSetup) -> Charter:
    setup.propose(game("go-fish"))
    charter = setup._charter
    assert charter is not None
    nonces = (NONCE,) * len(charter.seats)
    return decode_charter(encode(msgspec.structs.replace(charter, nonces=nonces)))


@pytest.mark.parametrize(
    ("players", "bots", "said", "recovers"),
    [
        (2, 0, None, False),
        (3, 0, None, False),
        (3, 0, True, True),
        (4, 0, None, True),
        (4, 0, False, False),
        (2, 2, None, False),
        (3, 3, None, False),
        (5, 0, None, True),
    ],
)
def test_keys_are_put_in_escrow_from_four_players(
    players: int, bots: int, said: bool | None, recovers: bool
) -> None:
    assert proposed(hosting(players, bots, recovery=said)).recovery == recovers


@pytest.mark.parametrize(("players", "bots"), [(2, 0), (2, 2)])
def test_two_players_never_hold_each_others_keys(players: int, bots: int) -> None:
    with pytest.raises(SetupError, match="three players"):
        hosting(players, bots, recovery=True).propose(game("go-fish"))


def test_a_grace_time_of_ones_own_is_in_the_charter() -> None:
    usual, own = proposed(hosting(3)), proposed(hosting(3, grace=30))
    assert (usual.grace, own.grace) == (DEFAULT_GRACE, 30)
    assert type(usual) is Charter
    assert type(own) is GraceCharter
    for wrong in (9, 0, -1, 604_801):
        with pytest.raises(SetupError, match="grace time"):
            hosting(3, grace=wrong)


def test_printed_cards_know_no_recovery() -> None:
    with pytest.raises(SetupError, match="printed cards"):
        hosting(3, scanner=0, recovery=True)
    assert not proposed(hosting(4, scanner=0)).recovery


def test_charters_that_cannot_be(small: Group) -> None:
    two, _ = make_charter(small, 2)
    bots, _ = make_charter(small, 4, keepers=(0, 1, 0, 1))
    printed, _ = make_charter(small, 3, scanner=0)
    for charter in (two, bots, printed):
        decode_charter(encode(charter))
        with pytest.raises(Malformed):
            decode_charter(encode(msgspec.structs.replace(charter, recovery=True)))
    three, _ = make_charter(small, 3)
    fields = [getattr(three, name) for name in three.__struct_fields__]
    for seconds in (DEFAULT_GRACE, 9, 604_801, -1):  # the usual time has one encoding only
        with pytest.raises(Malformed):
            decode_charter(encode(GraceCharter(*fields, seconds)))
    assert decode_charter(encode(GraceCharter(*fields, 60))).grace == 60
