"""Whatever arrives, in whatever pieces: no reader raises, grows, or depends on how the bytes were cut."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.readers import PROFILES, Output, Remark, make

from .feeding import h

PARTS = [
    h("02 31 33 30 30 35 44 31 44 41 35 46 36 03"),
    h("02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03"),
    h("02 30 31 31 34 41 45 33 42 42 43 3C 03"),
    h("00 00 FF 00 FF 00"),
    h("00 00 FF 06 FA D5 03 32 01 06 07 E8 00"),
    h("00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 A3 C6 CA E2 61 80 99 00"),
    h("BB 02 22 00 11 CF 30 00 E2 80 69 95 00 00 50 09 F1 28 69 92 62 0A 6D 7E"),
    b"Reader 1: Card UID: 04 A3 C6 CA E2 61 80\r\n",
    b"Card SAK: 08\r\n",
    b'{"type":"card","card_uid":"04 0e 3b d2 28 6b 85"}\n',
    b"000180380704A3C6CAE26180\r",
    b"0006102437\r\n",
    b"\x02", b"\x00", b"\xff", b"\xbb", b"{", b"\r", b"\n",
]  # fmt: skip
STREAM = st.lists(st.one_of(st.sampled_from(PARTS), st.binary(max_size=12)), max_size=12).map(b"".join)


def said(name: str, pieces: list[bytes]) -> list[Output]:
    reader = make(name)
    out = reader.start(0.0)
    for piece in pieces:
        out += reader.feed(piece, 0.15)
    # The remark about the speed looks at time, not at bytes alone.
    return [each for each in out if not isinstance(each, Remark)]


@pytest.mark.parametrize("name", sorted(PROFILES))
@given(stream=STREAM, cuts=st.lists(st.integers(0, 200), max_size=8))
def test_the_pieces_do_not_matter(name: str, stream: bytes, cuts: list[int]) -> None:
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    pieces = [stream[a:b] for a, b in itertools.pairwise(edges)]
    assert said(name, pieces) == said(name, [stream])
    assert said(name, [stream[at : at + 1] for at in range(len(stream))]) == said(name, [stream])


@pytest.mark.parametrize("name", sorted(PROFILES))
@given(steps=st.lists(st.tuples(STREAM, st.floats(0, 3)), max_size=8))
def test_time_passes_in_any_way(name: str, steps: list[tuple[bytes, float]]) -> None:
    reader, now = make(name), 0.0
    reader.start(now)
    for data, seconds in steps:
        reader.feed(data, now)
        now += seconds
        if reader.wake is not None and reader.wake <= now:
            reader.tick(now)
            assert reader.wake is None or reader.wake > now, "it wants to be called again at once"


def weight(reader: object) -> int:
    """Bytes that a reader holds."""
    total, seen, todo = 0, set(), [reader]
    while todo:
        each = todo.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, bytes | bytearray | str):
            total += len(each)
        elif isinstance(each, dict):
            todo += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple | set):
            todo += list(each)
        elif hasattr(each, "__dict__"):
            todo += list(vars(each).values())
    return total


def pour(name: str, size: int) -> None:
    source = random.Random(name)
    reader, now, left = make(name), 0.0, size
    reader.start(now)
    while left > 0:
        chunk = source.randbytes(source.randrange(1, 512))
        if source.random() < 0.3:
            chunk = b"".join(source.choices(PARTS, k=8))
        left -= len(chunk)
        reader.feed(chunk, now)
        now += 0.01
        if reader.wake is not None and now >= reader.wake:
            reader.tick(now)
    assert weight(reader) < 8_000


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_a_flood_leaves_nothing_behind(name: str) -> None:
    pour(name, 100_000)
