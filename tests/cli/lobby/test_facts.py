"""What the lobby knows of a table in sight from what is kept on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest

from cli.configuration import Configuration
from cli.lobby.facts import Machine
from cli.main import shoal
from cli.options import Settings
from p2p.io.mdns import ID_HINT_SIZE, Advert
from p2p.io.store import Store
from p2p.log import ANYBODY
from p2p.log.codec import encode
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.harness import TINY, make_charter

ADDRESS = "192.0.2.7:7467"


def context(home: Path) -> click.Context:
    settings = Settings(configuration=Configuration())
    settings.home = str(home)
    return shoal.make_context("shoal", ["lobby"], obj=settings)


def machine_of(home: Path, state: str) -> tuple[Machine, bytes, str]:
    """A machine with one game of three, played at seat 2; its host's key, and the game's id."""
    charter, _identities = make_charter(SmallGroup(), 3, options=TINY)
    meta = {
        "addresses": {"0": ["198.51.100.1:7467"], "2": ["198.51.100.2:7467"]},
        "port": 7467,
        "game": "go-fish",
        "players": ["P0", "P1", "P2"],
        "public": "",
    }
    machine = Machine(context(home), [])
    with Store.open(home) as store:
        store.create_identity(os.urandom(32), "P2")
        store.create_game(charter.table_id, 2, encode(charter), os.urandom(32), meta)
        if state != "running":
            store.finish(charter.table_id, 2, state)
    machine.read()
    return machine, charter.seats[0].public, charter.table_id.hex()[:8]


def advert(public: bytes, **more: object) -> Advert:
    fields = {
        "name": "P0", "game": "go-fish", "seats_taken": 3, "seats": 3, "addresses": (ADDRESS,),
        "id_hint": public[:ID_HINT_SIZE].hex(), "instance": "1", "watchers": ANYBODY,
    }  # fmt: skip
    return Advert(**(fields | more))


def test_the_table_of_a_game_that_waits_here_goes_on_with_it(tmp_path: Path) -> None:
    machine, public, number = machine_of(tmp_path, "paused")
    (found,) = machine.tables([advert(public)])
    assert found.own_game == ("resume", number)


@pytest.mark.parametrize(
    "more",
    [
        {"id_hint": "00" * ID_HINT_SIZE},
        {"game": "casino"},
        {"seats": 4, "seats_taken": 4},
        {"seats_taken": 2},
        {"addresses": ("192.0.2.7:7468",)},
    ],
)
def test_another_table_does_not(tmp_path: Path, more: dict[str, object]) -> None:
    machine, public, _number = machine_of(tmp_path, "paused")
    (found,) = machine.tables([advert(public, **more)])
    assert found.own_game == ()


def test_a_game_that_is_over_does_not_go_on(tmp_path: Path) -> None:
    machine, public, _number = machine_of(tmp_path, "finished")
    (found,) = machine.tables([advert(public)])
    assert found.own_game == ()
