"""What seats, spectators and files say of games: contributions, messages of all kinds, and whole records."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from engine.registry import game
from p2p.deal import check
from p2p.io.sodium import load_group
from p2p.log import encode, encode_message, frame_of, unpack
from p2p.log.record import CHECKSUM, MAGIC, _checksum, read_game
from p2p.sealed import decode_cards
from p2p.sealed.group import decode_proof, decode_scalar, generator
from p2p.sealed.testgroup import SmallGroup
from p2p.session.rematch import OPENS, WISH, read_again
from p2p.session.watching import Watch, read_watch, refusal
from p2p.verify import Due, Ended, Follower, verify
from tests.fuzz.links import ME
from tests.fuzz.target import MOST

SMALL = SmallGroup()


@cache
def moments() -> list[tuple[Any, Any, bytes]]:
    """Contributions of every kind: of two small games, and of a script of all operations."""
    from tests.p2p.deal.test_any_body import moments as played  # playing them takes seconds

    found: list[tuple[Any, Any, bytes]] = []
    for each in ("script", "rank", "discount-salmon"):
        kinds: dict[object, tuple[Any, Any, bytes]] = {}
        for progress, place, body in played(each):
            kinds.setdefault(
                (type(progress.task), len(unpack(body)), len(body) > 200), (progress, place, body)
            )
        found += kinds.values()
    return found[:256]


def contribution(data: bytes) -> None:
    """A signed body at one of these moments: it holds, or its author is blamed."""
    progress, place, _ = moments()[data[0] % len(moments())] if data else moments()[0]
    check(progress, place, data[1:])


def contributions() -> Iterable[bytes]:
    return [bytes([number]) + body for number, (_, _, body) in enumerate(moments()) if len(body) < MOST]


@cache
def recorded() -> tuple[bytes, ...]:
    """Records of two small games."""
    from tests.p2p.harness import TINY, Ring  # playing them takes a second

    found = []
    for seed, reveal in ((1, "end"), (2, "never")):
        ring = Ring(SMALL, 2, seed=seed, options=TINY, reveal=reveal)
        ring.pump()
        found.append(ring.sessions[0].record())
    return tuple(found)


def file(data: bytes) -> None:
    """A whole file, judged by what judges files."""
    report = verify(data, game, SMALL)
    assert report.verdict in ("sound", "cheated", "damaged")


def payloads(record: bytes) -> Iterable[bytes]:
    at = len(MAGIC)
    while at < len(record):
        size = int.from_bytes(record[at : at + 4], "big")
        yield record[at + 4 : at + 4 + size]
        at += 4 + size + CHECKSUM


def records(data: bytes) -> None:
    """Records with lengths of two bytes: what comes behind the checksums, which nobody hits by chance."""
    out, checksum, at = [MAGIC], bytes(CHECKSUM), 0
    while at + 2 <= len(data):
        size = int.from_bytes(data[at : at + 2], "big")
        payload = data[at + 2 : at + 2 + size]
        checksum = _checksum(checksum, payload)
        out += [len(payload).to_bytes(4, "big"), payload, checksum]
        at += 2 + size
    file(b"".join(out))


def record_seeds() -> Iterable[bytes]:
    for record in recorded():
        yield b"".join(len(each).to_bytes(2, "big") + each for each in payloads(record))


def feed(data: bytes) -> None:
    """The frames that a spectator is sent, with lengths of two bytes, and the verdict on them."""
    follower, at = Follower(game, SMALL), 0
    follower.begin_feed()
    while at + 2 <= len(data):
        size = int.from_bytes(data[at : at + 2], "big")
        found = follower.hear(data[at + 2 : at + 2 + size])
        at += 2 + size
        for heard in found:
            if isinstance(heard, Due):
                follower.verify(heard)
            elif isinstance(heard, Ended):
                assert follower.conclude()[1].verdict in ("sound", "cheated", "damaged")
    if follower.charter is not None:
        read_game(follower.record())


def feeds() -> Iterable[bytes]:
    from p2p.session.watching import Back, Feed, Part, Start, ending  # used here alone
    from tests.p2p.harness import TINY, Ring

    ring = Ring(SMALL, 2, options=TINY)
    ring.play()
    session, sent = ring.sessions[0], Feed(Watch("Gus", 0, b""))
    frames = sent.opening(session.history, {0: ("192.0.2.1:7467",)})
    while more := sent.following(session.history):
        frames += more
    for each in (
        [*frames, *ending(session.last_records())],
        [frames[0], encode(Start(0, 3)), *frames[3:8], encode(Back(1))],
        [encode(Part(frames[0][:9], False)), encode(Part(frames[0][9:], True))],
    ):
        yield b"".join(len(frame).to_bytes(2, "big") + frame for frame in each)


def request(data: bytes) -> None:
    """What somebody without a seat may say: one request, and whether it is granted."""
    asked = read_watch(data)
    if asked is not None:
        refusal("any", (), asked.name, ME.public, owner="Ann")


def messages() -> Iterable[bytes]:
    from p2p.log.absence import DEPARTURE, Statement
    from p2p.log.wire import Chat, Have, Missing, Pause, Rebuilding, Want, Watchers, frame_of_statement

    yield from map(
        encode_message, (Watchers(("Gus", "Zoe")), Watchers(()), Rebuilding((1, 2)), Rebuilding(()))
    )
    stated = Statement(0, 3, 1, DEPARTURE, 2, False, bytes(64))
    yield encode_message(frame_of_statement(stated, b"12345678"))
    yield from map(encode_message, (Chat("hello"), Have(0, 3, 3, b"12345678"), Pause(), Want(0, 7)))
    yield encode_message(Missing(0, 1, b"12345678", 1))
    for entry in read_game(recorded()[0]).entries[:6]:
        yield encode_message(frame_of(entry, b"12345678"))


def again(data: bytes) -> None:
    """What is said about another game at the same table: one of two frames, and no other form of them."""
    assert read_again(data) is {WISH: False, OPENS: True}.get(data)


def charters() -> Iterable[bytes]:
    return [encode(read_game(record).charter) for record in recorded()]


def set_up() -> Iterable[bytes]:
    from p2p.session import room, setup  # used here alone

    for message in (room.Ready(True), room.Marks((True, False)), room.Say("hi"), room.Said(bytes(32), "hi")):
        yield encode(message)
    yield encode(setup.Join("Ann", bytes(32), ("192.0.2.1:7467",)))
    yield encode(setup.JoinWithDeck("Ann", bytes(32), ("192.0.2.1:7467",), bytes(32)))
    yield encode(setup.Refused("The table is full."))
    yield encode(setup.Roster("go-fish", (("ranks", "13"),), 3, (setup.Seated(ME.public, "Ann", False),)))
    yield encode(setup.Opening(bytes(32)))
    for charter in charters():
        yield encode(setup.Proposal(charter, (bytes(32), bytes(32))))
        yield encode(setup.Agreement(charter, (("192.0.2.1:7467",), ())))


def cards(data: bytes) -> None:
    group = load_group()
    shape = data[0] if data else 0
    decode_cards(group, data[1:], shape % 4, 1 + shape // 4 % 3)


def sealed() -> Iterable[bytes]:
    """One card of one attribute, and two of two."""
    points = [generator(load_group(), number) for number in range(8)]
    return [b"\x01" + b"".join(points[:2]), b"\x06" + b"".join(points)]


def proof(data: bytes) -> None:
    group = load_group()
    shape = data[0] if data else 0
    decode_proof(group, data[1:], shape % 4, shape // 4 % 4)


def proofs() -> Iterable[bytes]:
    """Two points and one scalar."""
    return [b"\x06" + b"".join(generator(load_group(), number) for number in range(2)) + bytes(32)]


def scalar(data: bytes) -> None:
    assert decode_scalar(load_group(), data) < load_group().order
