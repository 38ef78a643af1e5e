"""Which games one may watch are found, how they are named, and which are announced while they are played."""

from __future__ import annotations

import os
from typing import Any

import pytest

from cli.errors import NETWORK, USAGE, Failure
from cli.network import Found, places_named
from cli.watching import finding
from cli.watching.about import about_watching
from p2p.identity import Identity
from p2p.io.mdns import Advert, Advertiser
from p2p.io.node import Node
from p2p.log import DEFAULT_GRACE, Charter, WatchedCharter
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.harness import make_charter

ADA = Advert("Ada", "go-fish", 2, 4, ("192.0.2.1:7467",), "ab12", "00ff00ff", "any")


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({}, "Ada's table of Go Fish, 2 of 4 seats taken"),
        ({"seats_taken": 4}, "Ada's table of Go Fish, 4 players"),
        (
            {"seats_taken": 4, "watchers": "known"},
            "Ada's table of Go Fish, 4 players; those watch whom its players know",
        ),
        ({"game": "chess"}, "Ada's table of chess, 2 of 4 seats taken"),
    ],
)
def test_a_table_is_named_by_what_one_would_see(change: dict[str, Any], about: str) -> None:
    fields = {name: getattr(ADA, name) for name in Advert.__dataclass_fields__}
    found = finding._found(Advert(**{**fields, **change}))
    assert (found.label, found.about, found.addresses) == ("Ada", about, ADA.addresses)


def test_nobody_is_asked_where_nobody_can_be() -> None:
    one, two = Found("Ada", "Ada's", ("a:1",)), Found("Bob", "Bob's", ("b:1",))
    assert finding.the_only_one([one]) is one
    with pytest.raises(Failure, match="Several tables") as problem:
        finding.the_only_one([one, two])
    assert problem.value.code == USAGE
    assert "watch TABLE" in problem.value.hint


async def test_where_no_table_is_found_the_next_step_is_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "LOOK_TIME", 0.05)
    with pytest.raises(Failure, match=r"""No game of "Zoe" that one may watch""") as problem:
        await finding.watched_tables("Zoe")
    assert problem.value.code == NETWORK
    assert "watch HOST:PORT" in problem.value.hint


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], (None, ())),
        (["Ann"], ("Ann", ())),
        (["192.0.2.1"], (None, ("192.0.2.1:7467",))),
        (["localhost"], (None, ("localhost:7467",))),
        (["[fe80::1]:80"], (None, ("[fe80::1]:80",))),
        (["192.0.2.1:1", "192.0.2.2"], (None, ("192.0.2.1:1", "192.0.2.2:7467"))),
    ],
)
def test_what_was_typed_is_a_name_or_addresses(words: list[str], found: Any) -> None:
    assert places_named(words) == found


# --- announcing ---------------------------------------------------------------------------------------------


def charter_of(watchers: str, identity: Identity) -> Charter:
    made, _ = make_charter(SmallGroup(), 2)
    seats = (type(made.seats[0])(identity.public, "Ann", 0), made.seats[1])
    fields = {name: getattr(made, name) for name in Charter.__struct_fields__} | {"seats": seats}
    if watchers == "known":
        return Charter(**fields)
    return WatchedCharter(**fields, seconds=DEFAULT_GRACE, scanned_by=None, watched_by=watchers)


@pytest.mark.parametrize(
    ("watchers", "is_host", "host", "is_announced"),
    [
        ("any", True, "0.0.0.0", True),
        ("known", True, "0.0.0.0", True),
        ("none", True, "0.0.0.0", False),
        ("any", False, "0.0.0.0", False),
        ("any", True, "127.0.0.1", False),
    ],
)
async def test_the_hosts_program_announces_a_game_that_somebody_may_watch(
    watchers: str, is_host: bool, host: str, is_announced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Advertiser] = []

    class Kept(Advertiser):
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named, interfaces=["127.0.0.1"])
            made.append(self)

    monkeypatch.setattr(finding, "Advertiser", Kept)
    identity = Identity(os.urandom(32))
    node = await Node.open(identity, "Ann", host=host)
    try:
        charter = charter_of(watchers, identity if is_host else Identity(os.urandom(32)))
        async with finding.watchable(node, charter):
            assert bool(made) == is_announced
            for each in made:
                assert each._advert.watchers == watchers
                assert each._advert.is_full
    finally:
        await node.close()


@pytest.mark.parametrize(
    ("watchers", "said"), [("any", "Everybody on the network"), ("known", "has met"), ("none", "Nobody")]
)
def test_players_are_told_who_may_watch(watchers: str, said: str) -> None:
    assert said in about_watching(charter_of(watchers, Identity(bytes([1]) * 32)))
