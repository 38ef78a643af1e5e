"""The measurements behind ``shoal bench``: medians on this machine, in one run. See
``benchmarks/README.md``."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from p2p.sealed import (
    Branch,
    Card,
    Ciphertext,
    Group,
    Header,
    Point,
    Xof,
    at_most,
    attribute_point,
    decode_cards,
    encode_cards,
    holds,
    joint_witness,
    lacks,
    prove_claim,
    prove_shuffle,
    public_key,
    shuffle,
    trivial,
    verify_claim,
    verify_shuffle,
)

LIMIT = 120.0
"""Seconds for one measured game between programs: it takes some, and a slow machine is what is measured."""

REPEATS = 15
"""Repetitions of each proof: a median of fifteen is steady to a few percent on a quiet machine."""

HAND = 10
"""Cards of the hand that claims are measured on: a full hand in a long game."""

OTHERS = (("one-fish", 6), ("casino", 6), ("discount-salmon", 5))
"""The other games with the most seats they are measured with; once, since each game takes a while."""

RACE = "discount-salmon"

RACE_SECONDS = 20
"""Seconds of the measured race: some dozens of plays."""

MIN_PLAYS = 10
"""Plays that a race has to have for its figures to mean anything."""

Pair = tuple[float, float]
Statement = tuple[Sequence[Branch], int]


def measure(repeats: int = REPEATS, tell: Callable[[str], None] = lambda _: None) -> dict[str, float]:
    """All figures by name: medians in microseconds (``_us``) or milliseconds (``_ms``)."""
    from p2p.io.sodium import load_group  # loads a library

    group = load_group()
    found: dict[str, float] = {}
    for name, figures in _all(group, repeats):
        tell(name)
        found.update(figures())
    return {name: round(value, 3) for name, value in found.items()}


def _all(group: Group, repeats: int) -> Iterator[tuple[str, Callable[[], dict[str, float]]]]:
    yield "scalar multiplication", lambda: {"scalar_mult_us": _scalar_mult(group)}
    yield "shuffle of 52 cards", lambda: _named("shuffle", _shuffles(group, repeats))
    yield (
        "claims",
        lambda: {
            **_named("lacks", _claims(group, repeats, "lacks")),
            **_named("holds", _claims(group, repeats, "holds")),
            **_named("no_book", _claims(group, repeats, "no_book")),
        },
    )
    yield "five seats' chain", lambda: {"chain5_ms": _chain(group, 5, max(3, repeats // 3))}
    yield "start of six processes", lambda: _seats("go-fish", 6, min(3, repeats))
    yield "ask to answer", _ask_to_answer
    for name, seats in OTHERS:
        yield f"start of {name}", partial(_seats, name, seats, 1)
    yield "a race of five processes", lambda: _race(5)


def _named(name: str, pair: Pair) -> dict[str, float]:
    return {f"{name}_prove_ms": pair[0], f"{name}_verify_ms": pair[1]}


def _scalar_mult(group: Group) -> float:
    point = group.hash_to_group(b"bench")
    scalars = [Xof("bench/scalar", i.to_bytes(4, "big")).scalar(group.order) for i in range(500)]
    start = time.perf_counter()
    for k in scalars:
        group.mul(k, point)
    return (time.perf_counter() - start) / len(scalars) * 1e6


# --- proofs -------------------------------------------------------------------------------------------------


def _header(purpose: str) -> Header:
    return Header(1, os.urandom(32), 0, 0, 0, purpose, 0, os.urandom(32))


def _key(group: Group) -> tuple[int, Point]:
    secret = Xof("bench/key", os.urandom(32)).scalar(group.order)
    return secret, public_key(group, secret)


def _deck(group: Group) -> tuple[Card, ...]:
    ranks = [attribute_point(group, "standard", "rank", value) for value in "23456789TJQKA"]
    suits = [attribute_point(group, "standard", "suit", value) for value in "CDHS"]
    return tuple((trivial(group, rank), trivial(group, suit)) for rank in ranks for suit in suits)


def _masked(group: Group, key: Point, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    witness = joint_witness(group, os.urandom(32), bytes(32), 0, 0, "standard", "bench", len(cards), 2)
    return shuffle(group, key, cards, witness)


def _shuffles(group: Group, repeats: int) -> Pair:
    """One step of a chain: the input is a deck that was masked before; decoding of what arrives is
    counted."""
    proving, verifying = [], []
    for _ in range(repeats):
        _, key = _key(group)
        proved, verified, _ = _one_shuffle(group, key, _masked(group, key, _deck(group)))
        proving.append(proved)
        verifying.append(verified)
    return statistics.median(proving), statistics.median(verifying)


def _one_shuffle(group: Group, key: Point, inputs: tuple[Card, ...]) -> tuple[float, float, tuple[Card, ...]]:
    header, seed = _header("shuffle"), os.urandom(32)
    start = time.perf_counter()
    witness = joint_witness(group, seed, header.table_id, 0, 0, "standard", "shuffle", len(inputs), 2)
    outputs = shuffle(group, key, inputs, witness)
    proof = prove_shuffle(group, header, key, inputs, outputs, witness, seed, os.urandom(32))
    sent = encode_cards(outputs)
    middle = time.perf_counter()
    received = decode_cards(group, sent, len(inputs), 2)
    verify_shuffle(group, header, key, inputs, received, proof)
    end = time.perf_counter()
    return (middle - start) * 1e3, (end - middle) * 1e3, received


def _chain(group: Group, seats: int, repeats: int) -> float:
    """A whole chain from the deck in the clear: each step proved once and verified once, in this process."""
    totals = []
    for _ in range(repeats):
        _, key = _key(group)
        cards, total = _deck(group), 0.0
        for _ in range(seats):
            proved, verified, cards = _one_shuffle(group, key, cards)
            total += proved + verified
        totals.append(total)
    return statistics.median(totals)


def _claims(group: Group, repeats: int, kind: str) -> Pair:
    proving, verifying = [], []
    for _ in range(repeats):
        secret, key = _key(group)
        # Ten cards of the ranks 2, 3 and 4, with no fives among them and no four of a rank.
        deck = _deck(group)
        hand = _masked(group, key, deck[:3] + deck[4:7] + deck[8:11] + deck[16:17])
        ranks = [card[0] for card in hand]
        statement = _statement(group, kind, ranks)
        header = _header(kind)
        start = time.perf_counter()
        proofs = [
            prove_claim(group, header, key, secret, branches, least, os.urandom(32))
            for branches, least in statement
        ]
        middle = time.perf_counter()
        for (branches, least), proof in zip(statement, proofs, strict=True):
            verify_claim(group, header, key, branches, least, proof)
        proving.append((middle - start) * 1e3)
        verifying.append((time.perf_counter() - middle) * 1e3)
    return statistics.median(proving), statistics.median(verifying)


def _statement(group: Group, kind: str, ranks: list[Ciphertext]) -> list[Statement]:
    if kind == "lacks":
        return [lacks(group, ranks, attribute_point(group, "standard", "rank", "5"))]
    if kind == "holds":
        return [holds(group, ranks, attribute_point(group, "standard", "rank", "2"))]
    return [at_most(group, ranks[-1], ranks[:-1], 2)]


# --- whole games --------------------------------------------------------------------------------------------


def _seats(name: str, seats: int, repeats: int) -> dict[str, float]:
    """Each seat its own process. From the last seat's agreement to the first turn at the slowest seat, and
    verify. A race is left after its start: whole ones take minutes."""
    from engine.registry import game
    from p2p.io.sodium import load_group
    from p2p.verify import verify

    starts, verifying = [], []
    for _ in range(repeats):
        reports, record = _play_processes(name, seats, 1 if name == RACE else None)
        starts.append((max(r["first_turn"] for r in reports) - max(r["agreed"] for r in reports)) * 1e3)
        if not record:
            continue
        begun = time.perf_counter()
        report = verify(record, game, load_group())
        verifying.append((time.perf_counter() - begun) * 1e3)
        if not report.finished:
            raise RuntimeError(f"the measured game does not verify: {report.verdict} {report.reason}")
    key = "" if name == "go-fish" else "_" + name.replace("-", "_")
    found = {f"start{seats}{key}_ms": statistics.median(starts)}
    return found | ({f"verify_game{seats}{key}_ms": statistics.median(verifying)} if verifying else {})


def _ask_to_answer() -> dict[str, float]:
    reports, _ = _play_processes("go-fish", 2)
    return {"ask_to_answer_ms": statistics.median(wait for r in reports for wait in r["answers"]) * 1e3}


def _race(seats: int) -> dict[str, float]:
    """How long a tick of a race takes on average, and how long after its player's decision the slowest seat
    has seen a play: median, and nine of ten plays. Before it can be committed a play waits for the next tick,
    so that two ticks more are three ticks in all."""
    reports, _ = _play_processes(RACE, seats, RACE_SECONDS)
    ticks = sum(report["race_steps"] for report in reports) / 2  # to commit is a step, and to open
    waits = [
        max(report["seen"][number] for report in reports) - at
        for maker in reports
        for at, number in maker["made"]
        if all(number < len(report["seen"]) for report in reports)
    ]
    if len(waits) < MIN_PLAYS or not ticks:
        raise RuntimeError(f"only {len(waits)} plays were seen in the measured race")
    return {
        f"race{seats}_tick_ms": sum(report["race_seconds"] for report in reports) / ticks * 1e3,
        f"race{seats}_seen_ms": statistics.median(waits) * 1e3,
        f"race{seats}_seen_p90_ms": statistics.quantiles(waits, n=10)[-1] * 1e3,
    }


def _play_processes(name: str, seats: int, seconds: int | None = None) -> tuple[list[dict[str, Any]], bytes]:
    """An automatic game of ``seats`` processes over loopback; their reports and one record. With ``seconds``
    it is left so long after its first turn, and there is no record."""
    limit = [] if seconds is None else [str(seconds)]
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "game.shoal"
        host = _spawn(folder, 0, ["host", str(seats), str(record), name, *limit])
        assert host.stdout is not None
        address = host.stdout.readline().decode().strip()
        guests = [_spawn(folder, seat, ["join", address, *limit]) for seat in range(1, seats)]
        reports = [msgspec.json.decode(process.communicate(timeout=LIMIT)[0]) for process in (host, *guests)]
        return reports, record.read_bytes() if seconds is None else b""


def _spawn(folder: str, seat: int, arguments: list[str]) -> subprocess.Popen[bytes]:
    home = Path(folder) / f"seat{seat}"
    command = [sys.executable, "-m", "cli.bench_seat", str(home), f"Seat {seat}", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603  # this very interpreter
