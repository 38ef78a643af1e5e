"""What a table keeps of an unfinished game, and that nothing of it outlives the game."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

import pytest

from cli.tabletop.kept import Kept, forget_over
from p2p.io.store import Store


async def test_the_last_that_was_written_is_read(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a.blank")
    assert await kept.read() == b""
    await kept.write(b"one")
    await kept.write(b"two")
    assert await Kept(tmp_path / "a.blank").read() == b"two"


async def test_a_write_that_goes_on_after_its_task_was_cancelled_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept(tmp_path / "a.blank")
    is_writing, may_go_on = threading.Event(), threading.Event()
    fsync = os.fsync

    def slow(handle: int) -> None:
        is_writing.set()
        assert may_go_on.wait(60)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", slow)
    writing = asyncio.create_task(kept.write(b"which blank is which card"))
    await asyncio.to_thread(is_writing.wait, 60)
    writing.cancel()
    removing = asyncio.create_task(kept.remove())
    await asyncio.sleep(0.05)  # it has begun, and waits for the thread
    may_go_on.set()
    await asyncio.gather(writing, removing, return_exceptions=True)
    await kept.write(b"too late")
    assert os.listdir(tmp_path) == []


async def test_what_a_killed_program_was_writing_goes_with_the_game(tmp_path: Path) -> None:
    (tmp_path / ".a.blank.x7f3").write_bytes(b"half")
    (tmp_path / "b.blank").write_bytes(b"another game")
    await Kept(tmp_path / "a.blank").remove()
    assert os.listdir(tmp_path) == ["b.blank"]


def test_what_is_left_of_games_that_are_over_goes_and_nothing_else(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    with Store.open(tmp_path) as store:
        for number, state in enumerate(("finished", "cheated", "stopped", "paused", None)):
            store.create_game(bytes([number]) * 32, 0, b"", b"secret", {})
            if state is not None:
                store.finish(bytes([number]) * 32, 0, state)
        for number in range(6):
            for name in ("{}.blank", "{}.json", ".{}.blank.x7f3"):
                (kept / name.format((bytes([number]) * 32).hex())).write_bytes(b"which blank is which card")
        forget_over(kept, store.games())
    left = {bytes([number]).hex() for number in (3, 4, 5)}  # those that go on, and one that is not here
    assert {path.name.lstrip(".")[:2] for path in kept.iterdir()} == left
    assert len(list(kept.iterdir())) == 9
