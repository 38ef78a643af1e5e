"""Ctrl-C in the middle of a long computation on all cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.processes import spread

ROOT = Path(__file__).resolve().parents[2]
TIME = 120
"""Seconds for anything on a busy machine: many times what it needs."""

needs_proc = pytest.mark.skipif(
    sys.platform != "linux" or (os.cpu_count() or 1) < 2, reason="looks at /proc, where there are processes"
)


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_busy(pid: int) -> bool:
    """Whether a process has used a tenth of a second of the processor."""
    spent = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(spent[11]) + int(spent[12]) >= 0.1 * os.sysconf("SC_CLK_TCK")


def is_gone(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + TIME
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@needs_proc
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize(
    "command",
    [("simulate", "go-fish", "--games", "5000000"), ("soak", "--games", "500000"), ("attack", "--quick")],
    ids=lambda command: command[0],
)
def test_ctrl_c_ends_all_processes_at_once(tmp_path: Path, command: tuple[str, ...], times: int) -> None:
    """One goes to all in the foreground, as a terminal sends it; two come from ``timeout``, for example."""
    own = {"SHOAL_HOME": str(tmp_path), "SHOAL_LANG": "en", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-m", "cli", *command], env={**os.environ, **own}, cwd=ROOT, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as program:  # fmt: skip
        try:
            until(lambda: children(program.pid) and all(map(is_busy, children(program.pid))))
            workers = children(program.pid)
            for _ in range(times):
                os.killpg(program.pid, signal.SIGINT)
            _out, err = program.communicate(timeout=TIME)
            assert (program.returncode, err.strip()) == (130, "Stopped.")
            until(lambda: all(map(is_gone, workers)))
        finally:
            program.kill()


def double(number: int) -> int:
    return 2 * number


def broken(number: int) -> int:
    raise ValueError(f"piece {number}")


def test_results_come_in_order_however_many_there_are() -> None:
    assert list(spread(double, range(500), 2)) == list(range(0, 1000, 2))
    assert list(spread(double, [], 2)) == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_of_the_work_ends_it_and_whoever_has_enough_may_stop() -> None:
    with pytest.raises(ValueError, match="piece 0"):
        list(spread(broken, range(100), 2))
    some = spread(double, range(10_000_000), 2)
    assert [next(some), next(some)] == [0, 2]
    some.close()
    assert multiprocessing.active_children() == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_between_two_results_is_heard_at_the_next_one() -> None:
    some = spread(double, range(10_000_000), 2)
    assert next(some) == 0
    signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        next(some)
    assert multiprocessing.active_children() == []
