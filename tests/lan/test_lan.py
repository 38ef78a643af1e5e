"""Tables on a real network: hosts that find each other by multicast, cables that are pulled, addresses that
change, and what somebody reads who listens."""

from __future__ import annotations

import ipaddress
import os
import struct
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from engine.registry import game
from p2p.io.sodium import load_group
from p2p.log import read_game
from p2p.verify import verify
from tests.lan.lan import LAN, OTHER_LAN, Lan, Program, said, until

pytestmark = [pytest.mark.slow, pytest.mark.network]

Network = Callable[[int], Lan]

SMALL = ["ranks=6", "suits=2", "book_size=2", "hand_size=1"]
"""Twelve cards: what is tested is the network, and each step costs six programs on one machine."""

LONGER = ["ranks=6", "hand_size=3", "end_mode=all_books"]
"""Twenty-four cards, played until all six books are laid: some twenty questions at least, whatever is dealt.
The game is under way when something happens to the network. One that ends with the first empty hand is over
after a single question now and again."""

MDNS = 5353
"""Port of multicast DNS (RFC 6762)."""


def options(chosen: Sequence[str]) -> list[str]:
    return [word for each in chosen for word in ("--set", each)]


def check_records(lan: Lan, names: Sequence[str]) -> list[bytes]:
    """The records of all seats: sound, over, and of one and the same game."""
    records = [lan.record(name).read_bytes() for name in names]
    reports = [verify(record, game, load_group()) for record in records]
    assert [report.verdict for report in reports] == ["sound"] * len(names)
    assert all(report.finished for report in reports)
    assert len({report.events for report in reports}) == 1
    return records


def under_way(programs: Sequence[Program]) -> None:
    """Wait until somebody has asked for a card; the game is not over then."""
    until(lambda: programs[0].says(r"(?m)^.* asks? ") or programs[0].code is not None, lambda: said(programs))
    assert all(program.code is None for program in programs), said(programs)


def misses(program: Program, name: str) -> bool:
    return program.says(rf"{name} .*out of reach")


def test_six_hosts_find_each_other_and_play_and_who_listens_learns_nothing(
    network: Network, tmp_path: Path
) -> None:
    """Nobody is given an address. The frames on the wire show no name but the one that is announced, no key
    and nothing that was signed, shown or kept."""
    lan = network(6)
    names = [f"{name}{os.urandom(2).hex()}" for name in ("Ann", "Ben", "Cem", "Dot", "Eva", "Fay")]
    file = tmp_path / "wire.pcap"
    capture = Path(__file__).with_name("capture.py")
    listener = lan.start(lan.switch, sys.executable, str(capture), str(file), name="wire")
    until(lambda: listener.says("listening"))
    programs = lan.gather(names, *options(SMALL))
    lan.finish(programs)
    records = check_records(lan, names)
    wire = file.read_bytes()
    for label, secret in secrets_of(records[0], names).items():
        assert not any(secret in data for data in streams(wire).values()), f"{label} is on the wire"
    announced = [key for key, data in streams(wire).items() if names[0].encode() in data]
    assert announced, "the announcement was not seen: nothing was listened to"
    assert {port for _, _, *ports in announced for port in ports} == {MDNS}
    carried = sum(len(data) for key, data in streams(wire).items() if key[0] == "tcp")
    assert carried > sum(len(record) for record in records), "the game itself was not seen"


def secrets_of(record: bytes, names: Sequence[str]) -> dict[str, bytes]:
    """What must not be readable: the names that nobody announces, keys, and everything signed in the game."""
    found = {f"the name {name}": name.encode() for name in names[1:]}
    data = read_game(record)
    for number, seat in enumerate(data.charter.seats):
        found[f"the key of seat {number}"] = seat.public
    for number, entry in enumerate(data.entries):
        found[f"signature {number}"] = entry.signature
        found[f"contribution {number}"] = entry.body[: max(16, len(entry.body) // 2)]
    # Short bodies, such as an empty list of rounds, stand in anything: five given bytes stand somewhere in
    # ten megabytes of noise once in a hundred thousand times.
    return {label: secret for label, secret in found.items() if len(secret) >= 7}


Flow = tuple[str, str, int, int]


def streams(wire: bytes) -> dict[Flow, bytes]:
    """What each flow of a pcap file carried, by protocol, sender and ports; a frame seen on two interfaces
    stands there twice."""
    found: defaultdict[Flow, bytearray] = defaultdict(bytearray)
    for frame in frames(wire):
        if len(frame) < 34 or frame[12:14] != b"\x08\x00" or frame[23] not in (6, 17):
            continue
        inner = 14 + 4 * (frame[14] & 15)
        end = 14 + struct.unpack_from(">H", frame, 16)[0]
        source, target = struct.unpack_from(">HH", frame, inner)
        start = inner + (4 * (frame[inner + 12] >> 4) if frame[23] == 6 else 8)
        sender = str(ipaddress.IPv4Address(frame[26:30]))
        found["tcp" if frame[23] == 6 else "udp", sender, source, target] += frame[start:end]
    return {flow: bytes(data) for flow, data in found.items()}


def frames(wire: bytes) -> Iterator[bytes]:
    at = 24
    while at + 16 <= len(wire):
        size = struct.unpack_from("<I", wire, at + 8)[0]
        yield wire[at + 16 : at + 16 + size]
        at += 16 + size


def test_a_cable_is_pulled_in_mid_game_and_the_game_goes_on_when_it_is_back(network: Network) -> None:
    lan = network(3)
    names = ["Ann", "Ben", "Cem"]
    programs = lan.gather(names, *options(LONGER))
    under_way(programs)
    lan.cut(2)
    until(lambda: all(misses(each, "Cem") for each in programs[:2]), lambda: said(programs))
    assert all(program.code is None for program in programs), said(programs)
    lan.mend(2)
    lan.finish(programs)
    check_records(lan, names)


@pytest.mark.parametrize("movers", [(0,), (2,), (0, 1, 2)], ids=["the host", "a guest", "everybody"])
def test_addresses_change_in_mid_game_and_the_game_goes_on(network: Network, movers: tuple[int, ...]) -> None:
    """The host, whom all dial, a guest, and the whole network, as after a router that started anew."""
    lan = network(3)
    names = ["Ann", "Ben", "Cem"]
    programs = lan.gather(names, *options(LONGER))
    under_way(programs)
    for host in movers:
        if len(movers) == 1:
            lan.move(host, LAN, 101 + host)
        else:
            lan.move(host, OTHER_LAN, 11 + host)
    lan.finish(programs)
    check_records(lan, names)


@pytest.mark.parametrize("from_the_start", [True, False], ids=["always", "in mid-game"])
def test_players_who_do_not_reach_each_other_play_through_one_whom_both_reach(
    network: Network, from_the_start: bool
) -> None:
    """Every frame between two of them is dropped: no answer, no refusal, no multicast."""
    lan = network(3)
    names = ["Ann", "Ben", "Cem"]
    if from_the_start:
        lan.hide(1, 2)
    programs = lan.gather(names, *options(LONGER))
    under_way(programs)
    if not from_the_start:
        lan.hide(1, 2)
    lan.finish(programs)
    check_records(lan, names)


def test_a_table_of_six_with_a_long_and_lossy_line_plays_to_its_end(network: Network) -> None:
    """One is 300 ms away and loses a twentieth of all frames: TCP sends them again, and nobody is sent
    away."""
    lan = network(6)
    lan.lengthen(5, 0.15, 0.05)
    names = ["Ann", "Ben", "Cem", "Dot", "Eva", "Fay"]
    programs = lan.gather(names, *options(SMALL))
    lan.finish(programs)
    check_records(lan, names)
    assert not any(each.says("has left") for each in programs), said(programs)
