"""Jobs on threads."""

import asyncio
import threading

import pytest

from p2p.io.work import WorkPool

LIMIT = 60.0
"""Seconds that anything may take on a busy machine."""


class Square:
    def __init__(self, number: int) -> None:
        self.number = number

    def run(self) -> tuple[int, str]:
        return self.number**2, threading.current_thread().name


class Broken:
    def run(self) -> None:
        raise ValueError("a bad proof")


class Gate:
    """Runs until it is opened."""

    def __init__(self) -> None:
        self.begun, self.open = threading.Event(), threading.Event()

    def run(self) -> str:
        self.begun.set()
        assert self.open.wait(LIMIT)
        return "done"


def workers() -> list[str]:
    return [each.name for each in threading.enumerate() if each.name.startswith("shoal-work")]


async def test_results_come_back_from_other_threads() -> None:
    async with WorkPool() as pool:
        results = await asyncio.gather(*(pool.run(Square(number)) for number in range(20)))
    assert [value for value, _ in results] == [number**2 for number in range(20)]
    assert all(name.startswith("shoal-work") for _, name in results)


async def test_an_exception_is_a_value() -> None:
    async with WorkPool() as pool:
        error = await pool.run(Broken())
    assert isinstance(error, ValueError)
    assert str(error) == "a bad proof"


async def test_no_thread_is_left_and_what_had_not_begun_is_dropped() -> None:
    pool, gate = WorkPool(1), Gate()
    running = asyncio.create_task(pool.run(gate))
    await asyncio.to_thread(gate.begun.wait, LIMIT)
    waiting = asyncio.create_task(pool.run(Square(1)))
    await asyncio.sleep(0)
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0)
    gate.open.set()
    await closing
    assert await running == "done"
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert workers() == []


async def test_a_caller_that_gives_up_does_not_harm_the_pool() -> None:
    async with WorkPool(1) as pool:
        gate = Gate()
        task = asyncio.create_task(pool.run(gate))
        await asyncio.to_thread(gate.begun.wait, LIMIT)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        gate.open.set()
        assert (await pool.run(Square(3)))[0] == 9
    assert workers() == []
