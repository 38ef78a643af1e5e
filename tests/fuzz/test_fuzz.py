"""A short run of the fuzzer over every target; ``make fuzz`` goes on for longer. And a test of the fuzzer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.driver import INPUT_MEMORY, MOST_KEPT, MOST_KEPT_SIZE, execute, fuzz, kept, mutated, weigh
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

EXECUTIONS = 60
"""Mutations of each target here, besides its corpus: all of them together take some ten seconds."""

BY_NAME = {target.name: target for target in TARGETS}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_target_takes_or_refuses_whatever_comes(name: str) -> None:
    """The same inputs each time: a finding of a longer run becomes a file of the corpus, and stays one."""
    outcome = fuzz(BY_NAME[name], seed=1, executions=EXECUTIONS)
    assert outcome.findings == []
    assert outcome.lines > 0


@pytest.mark.parametrize("name", BY_NAME)
def test_the_sound_inputs_of_a_target_are_taken(name: str) -> None:
    """Otherwise a target could refuse everything, and nothing behind its first line would be tried."""
    target = BY_NAME[name]
    taken = 0
    for data in target.seeds():
        try:
            target.run(data)
        except target.allowed:
            continue
        taken += 1
    assert taken


def test_the_corpus_is_small_and_belongs_to_targets() -> None:
    for target in TARGETS:
        files = kept(target)
        assert len(files) <= MOST_KEPT + 8  # and findings, which are kept beyond that
        assert all(len(data) <= max(MOST_KEPT_SIZE, target.most) for data in files)


def test_the_fuzzer_finds_what_crashes_hangs_and_eats_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.driver.INPUT_TIME", 0.2)

    def crash(data: bytes) -> None:
        if data[:1] == b"S" and data[1:2] == b"h":
            raise KeyError("deep inside")

    def hang(data: bytes) -> None:
        while data:
            pass

    hoard: list[bytes] = []

    def eat(data: bytes) -> None:
        hoard.append(bytes(INPUT_MEMORY * 2))

    assert execute(Target("crash", crash), b"Sx") is None
    found = execute(Target("crash", crash), b"Sh")
    assert found is not None
    assert "KeyError" in found.what
    slow = execute(Target("hang", hang), b"x")
    assert slow is not None
    assert "seconds" in slow.what
    fat = weigh(Target("eat", eat), b"x")
    assert fat is not None
    assert "memory" in fat.what
    silent = execute(Target("silent", _silent, (ValueError,)), b"")
    assert silent is not None
    assert "without words" in silent.what


def _silent(data: bytes) -> None:
    raise ValueError


def test_the_fuzzer_gets_past_a_check_that_chance_alone_does_not() -> None:
    """Three bytes, each behind the one before: one in 2^24 by chance, a few thousand attempts by what is
    reached."""
    outcome = fuzz(Target("guided", _guarded), seed=3, executions=20_000, roots=(str(Path(__file__).parent),))
    assert [finding.what for finding in outcome.findings] == ["KeyError: 'inside'"]


def _guarded(data: bytes) -> None:
    if data[0:1] == b"\xa1":
        data = data[1:]
        if data[0:1] == b"\xb2":
            data = data[1:]
            if data[0:1] == b"\xc3":
                raise KeyError("inside")


def test_mutations_are_bounded_and_come_again_from_their_seed() -> None:
    pool = [b"", b"hello", bytes(3000)]
    one = [mutated(random.Random(7), pool, 4096) for _ in range(3)]
    assert one == [mutated(random.Random(7), pool, 4096) for _ in range(3)]
    draw = random.Random(1)
    assert all(len(mutated(draw, pool, 4096)) <= 4096 for _ in range(500))


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [("own-deck", 3, "spandard"), ("deck-file", 3, "spandard"), ("scenario-file", 3, "no-fish")],
)
def test_a_mistake_in_a_file_with_the_line_ends_of_windows_is_told_with_its_line(
    name: str, line: int, words: str
) -> None:
    """Found by fuzzing: such a file was read, but its first mistake ended the program."""
    target = BY_NAME[name]
    data = next(each for each in kept(target) if each.count(b"\r\n") == 3)
    with pytest.raises(target.allowed, match=rf"line {line}: .*{words}"):
        target.run(data)
