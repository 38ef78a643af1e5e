"""The bytes of printed dealing are those of its page in ``docs``, read here without the program's code."""

from __future__ import annotations

import hashlib
from typing import Any

from engine.cards import Face
from engine.table import Choose, Deed, HandOver, Mix, Show
from p2p.log import unpack
from p2p.sealed import Group
from tests.p2p.deal.circle import DECK, Circle, Script, dealt, held

ORDER = 2**252 + 27742317777372353535851937790883648493


def integer(value: int) -> bytes:
    return value.to_bytes(8, "big")


def framed(label: str, *parts: bytes) -> bytes:
    return b"".join(integer(len(part)) + part for part in (b"shoal/1/" + label.encode(), *parts))


def digest(label: str, *parts: bytes) -> bytes:
    return hashlib.sha256(framed(label, *parts)).digest()


def stream(label: str, *parts: bytes) -> bytes:
    return hashlib.shake_256(framed(label, *parts)).digest(4096)


def in_order(own: Circle, wanted: Any) -> tuple[Face, ...]:
    """Always the same cards, whatever Python's own generator does."""
    used = len(own.taps)
    return tuple(DECK.faces[(7 * (used + n)) % 20] for n in range(len(wanted)))


def hold(own: Circle, progress: Any, seat: int) -> Deed:
    return Deed("hold", value=next(iter(own.hand(seat, progress).values()))[0])


def fixed(group: Group) -> Circle:
    """Everything follows from the seats' numbers."""
    rules = Script(
        *dealt(2, 3, 2),
        Choose((1,), "ask"),
        Mix("hand.1"),
        lambda s: Show(held(s, 1, 0), ("suit",)),
        lambda s: HandOver(held(s, 1, 0, 1), 2),
    )
    return Circle(group, rules, 3, scanner=0, tapped=in_order, decide=hold).play()


def body_of(played: Circle, kind: str) -> tuple[int, bytes]:
    step, (_, _, body) = next((step, each) for step, each in enumerate(played.bodies) if each[0] == kind)
    return step, body


def steps_of(played: Circle) -> dict[bytes, int]:
    """The step of each contribution."""
    return {body: place.step for _, place, body in played.moments}


def read(played: Circle, group: Group, step: int, index: int, to: int, data: bytes) -> Face:
    """A committed card as the page says, for whoever knows the seed of the scanner."""
    seed = played.secrets[0].seed
    place = (played.table_id, integer(0), integer(step), integer(0), b"card", integer(index))
    secrets = stream("round/secret", seed, *place)
    r = int.from_bytes(secrets[:64], "little") % ORDER
    first, second = data[:32], data[32:64]
    e, proof, sealed = data[64:96], data[96:160], data[160:]
    assert len(proof) == 64
    assert len(sealed) == 34
    assert e == group.mul_base(r)
    k = group.mul(r, played.progress.dealing.keys[to].payload)
    assert k == group.mul(played.secrets[to].payload_key, e)
    key = stream("printed/keystream", *place, integer(to), e, k)[:34]
    opening = bytes(x ^ y for x, y in zip(sealed, key, strict=True))
    assert opening[:32] == secrets[64:96]
    face = DECK.faces[int.from_bytes(opening[32:], "big")]
    for at, (commitment, value) in enumerate(zip((first, second), face, strict=True)):
        salt = digest("printed/salt", opening[:32], integer(at))
        assert commitment == digest("round/commitment", *place, salt, integer(at) + value.encode())
    return face


def test_a_scan_a_mix_and_a_hand_over_are_read_as_the_page_says(real: Group) -> None:
    played = fixed(real)
    step_of = steps_of(played)
    size = 32 * 2 + 32 + 64 + 34
    _, scan = body_of(played, "scan")
    (cards,) = unpack(scan)
    receivers = (0, 0, 1, 1, 1, 2, 2)
    found = [
        read(played, real, step_of[scan], 2 * n, to, cards[n * size : (n + 1) * size])
        for n, to in enumerate(receivers)
    ]
    assert found == [DECK.faces[7 * n % 20] for n in range(7)]
    # The word on the ask, which is empty, and the mix travel together.
    _, both = body_of(played, "confirm")
    word, mix = unpack(both)
    assert word == b""
    mixed = [
        read(played, real, step_of[both], 1 + 2 * n, 1, mix[n * size : (n + 1) * size]) for n in range(3)
    ]
    assert sorted(mixed) == sorted(found[2:5])
    # The order is drawn by rejection: the same stream, eight bytes each, from the last place down.
    place = (played.table_id, integer(0), integer(step_of[both]), integer(0), b"order", integer(0))
    values, order = stream("round/secret", played.secrets[0].seed, *place), [0, 1, 2]
    for n, i in enumerate((2, 1)):
        j = int.from_bytes(values[8 * n : 8 * n + 8], "little") % (i + 1)
        order[i], order[j] = order[j], order[i]
    assert mixed == [found[2 + at] for at in order]


def test_a_hand_over_seals_the_same_opening_to_another_seat(real: Group) -> None:
    played = fixed(real)
    step_of, size = steps_of(played), 32 + 64 + 34
    _, body = body_of(played, "hand-over")
    _, both = body_of(played, "confirm")
    (seals,) = unpack(body)
    assert len(seals) == 2 * size
    for n in range(2):
        numbers = integer(0), integer(step_of[body]), integer(0)
        place = (played.table_id, *numbers, b"seal", integer(2 * n))
        data = seals[n * size : (n + 1) * size]
        r = int.from_bytes(stream("round/secret", played.secrets[0].seed, *place)[:64], "little") % ORDER
        e, sealed = data[:32], data[96:]
        assert e == real.mul_base(r)
        k = real.mul(played.secrets[2].payload_key, e)
        key = stream("printed/keystream", *place, integer(2), e, k)[:34]
        opening = bytes(x ^ y for x, y in zip(sealed, key, strict=True))
        first = (played.table_id, integer(0), integer(step_of[both]), integer(0), b"card", integer(1 + 2 * n))
        assert opening[:32] == stream("round/secret", played.secrets[0].seed, *first)[64:96]
        face = DECK.faces[int.from_bytes(opening[32:], "big")]
        assert face == list(played.hand(2).values())[2 + n]


def test_the_bytes_of_a_fixed_game_do_not_change(real: Group) -> None:
    """A golden value: another one is another version of the protocol."""
    played = fixed(real)
    assert played.progress.task is None
    whole = hashlib.sha256(b"".join(body for _, _, body in played.bodies)).hexdigest()
    assert [kind for kind, _, _ in played.bodies].count("accept") >= 3
    assert whole == "82c7cdb4eb0e5789606fb03e6202d160101a19f95d5d81498763968f2f271f3a"
