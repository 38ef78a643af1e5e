"""A local network of this machine's own: one namespace per host, and one with the bridge that joins them.

Nothing of it touches the machine's network. With the namespaces all interfaces go, and every process in them
is ended, whatever happened before.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAME_TIME = 400.0
"""Seconds for a game of six programs on a busy machine: many times what it needs."""

LAN, OTHER_LAN = "10.77.0", "10.78.0"
"""The networks of these tests: the second is what a router that starts anew may hand out."""

COMMAND_TIME = 60


def obstacle() -> str | None:
    """Why no network can be made here, ``None`` where it can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces exist on Linux alone"
    if os.geteuid() != 0:
        return "network namespaces need root"
    for tool in ("ip", "bridge"):
        if shutil.which(tool) is None:
            return f"'{tool}' of iproute2 is missing"
    probe = f"shoal-probe-{os.getpid()}"
    try:
        for order in (
            ("ip", "netns", "add", probe),
            ("ip", "netns", "exec", probe, "true"),
            ("ip", "-n", probe, "link", "add", "br0", "type", "bridge"),
            ("ip", "-n", probe, "link", "add", "one", "type", "veth", "peer", "name", "other"),
        ):
            made = _run(*order)
            if made.returncode:
                return f"'{' '.join(order)}' fails: {made.stderr.strip()}".replace(probe, "probe")
    finally:
        _run("ip", "netns", "del", probe)
    return None


class Program:
    """A program on one host of the network. What it prints is in ``output``."""

    def __init__(self, process: subprocess.Popen[bytes], output: Path) -> None:
        self.process = process
        self._output = output

    @property
    def output(self) -> str:
        return self._output.read_text("utf-8", "replace")

    @property
    def code(self) -> int | None:
        """The exit code, ``None`` while it runs."""
        return self.process.poll()

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.output) is not None


class Lan:
    """Make one with ``lan``. Host ``n`` has the address ``LAN.n+1`` on its interface eth0."""

    def __init__(self, folder: Path, hosts: int) -> None:
        self._folder = folder
        self._prefix = f"shoal-{os.getpid()}-{os.urandom(2).hex()}"
        self._switch = f"{self._prefix}-switch"
        self._programs: list[Program] = []
        self._spaces: list[str] = []
        self.hosts = hosts

    def build(self) -> None:
        self._make(self._switch)
        # Without snooping a bridge is the simplest switch there is: multicast reaches every port.
        bridge = ("type", "bridge", "mcast_snooping", "0", "forward_delay", "0")
        _ip("-n", self._switch, "link", "add", "br0", *bridge)
        _ip("-n", self._switch, "link", "set", "br0", "up")
        for host in range(self.hosts):
            space, port = self.space(host), self.port(host)
            self._make(space)
            peer = ("peer", "name", port, "netns", self._switch)
            _ip("-n", space, "link", "add", "eth0", "type", "veth", *peer)
            _ip("-n", self._switch, "link", "set", port, "master", "br0", "up")
            _ip("-n", space, "addr", "add", f"{self.address(host)}/24", "dev", "eth0")
            _ip("-n", space, "link", "set", "eth0", "up")

    def _make(self, space: str) -> None:
        _ip("netns", "add", space)
        self._spaces.append(space)
        _ip("-n", space, "link", "set", "lo", "up")

    def close(self) -> None:
        """End every program and remove every namespace; nothing raises before all is tried."""
        failures = []
        for space in self._spaces:
            pids = _run("ip", "netns", "pids", space).stdout.split()
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
        for program in self._programs:
            with contextlib.suppress(ProcessLookupError):
                program.process.kill()
            program.process.wait(COMMAND_TIME)
        for space in self._spaces:
            gone = _run("ip", "netns", "del", space)
            if gone.returncode:
                failures.append(gone.stderr)
        assert not failures, failures

    # --- the network ----------------------------------------------------------------------------------------

    def space(self, host: int) -> str:
        """The namespace of a host."""
        return f"{self._prefix}-{host}"

    @property
    def switch(self) -> str:
        """The namespace of the bridge."""
        return self._switch

    @staticmethod
    def port(host: int) -> str:
        """The bridge's interface that a host's cable leads to."""
        return f"port{host}"

    @staticmethod
    def address(host: int, net: str = LAN) -> str:
        return f"{net}.{host + 1}"

    def cut(self, host: int) -> None:
        """Pull the cable of a host at the switch; its own addresses stay."""
        _ip("-n", self._switch, "link", "set", self.port(host), "down")

    def mend(self, host: int) -> None:
        _ip("-n", self._switch, "link", "set", self.port(host), "up")

    def hide(self, *hosts: int) -> None:
        """These hosts reach all others, and not each other: what access points call client isolation."""
        for host in hosts:
            order = ["bridge", "-n", self._switch, "link", "set", "dev", self.port(host), "isolated", "on"]
            subprocess.run(order, check=True, timeout=COMMAND_TIME)

    def lengthen(self, host: int, delay: float, loss: float) -> None:
        """Put a long line between a host and the switch, before anything runs there: so many seconds each
        way, and such a part of all frames is lost (``line.py``)."""
        line, seed = f"{self._prefix}-line{host}", host
        script = str(Path(__file__).with_name("line.py"))
        self._make(line)
        _ip("-n", self.space(host), "link", "del", "eth0")
        self._plug(self.space(host), "eth0", line, "near")
        self._plug(line, "far", self._switch, self.port(host))
        _ip("-n", self._switch, "link", "set", self.port(host), "master", "br0", "up")
        _ip("-n", self.space(host), "addr", "add", f"{self.address(host)}/24", "dev", "eth0")
        for each in range(self.hosts):
            done = _run("ip", "netns", "exec", self.space(each), sys.executable, script, "plain", "eth0")
            assert done.returncode == 0, done.stderr
        program = self.start(
            line, sys.executable, script, "near", "far", str(delay), str(loss), str(seed), name=f"line{host}"
        )
        until(lambda: program.says("open") or program.code is not None, lambda: program.output)
        assert program.code is None, program.output

    @staticmethod
    def _plug(space: str, one: str, other_space: str, other: str) -> None:
        _ip("-n", space, "link", "add", one, "type", "veth", "peer", "name", other, "netns", other_space)
        _ip("-n", space, "link", "set", one, "up")
        _ip("-n", other_space, "link", "set", other, "up")

    def move(self, host: int, net: str, number: int) -> None:
        """Another address for a host, in the place of the one it has."""
        _ip("-n", self.space(host), "addr", "flush", "dev", "eth0", "scope", "global")
        _ip("-n", self.space(host), "addr", "replace", f"{net}.{number}/24", "dev", "eth0")

    # --- programs -------------------------------------------------------------------------------------------

    def start(self, space: str, *command: str, name: str) -> Program:
        """A program in a namespace, with folders of its own."""
        output = self._folder / f"{name}.{len(self._programs)}.txt"
        env = {
            **os.environ,
            "SHOAL_HOME": str(self._folder / name),
            "SHOAL_LANG": "en",
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": str(ROOT),
        }
        with output.open("wb") as file:
            process = subprocess.Popen(
                ["ip", "netns", "exec", space, *command],
                stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, cwd=ROOT, env=env,
            )  # fmt: skip
        program = Program(process, output)
        self._programs.append(program)
        return program

    def shoal(self, host: int, *args: str, name: str) -> Program:
        """Shoal on a host, playing by itself."""
        end = ("--name", name, "--auto", "--plain", "--level", "random", "--record", str(self.record(name)))
        return self.start(self.space(host), sys.executable, "-m", "cli", *args, *end, name=name)

    def record(self, name: str) -> Path:
        """Where the program of that name writes its record."""
        return self._folder / f"{name}.shoal"

    def finish(self, programs: Sequence[Program]) -> None:
        """Wait until all have ended, and well."""
        until(
            lambda: all(each.code is not None for each in programs) or any(each.code for each in programs),
            lambda: said(programs),
        )
        assert [each.code for each in programs] == [0] * len(programs), said(programs)

    def gather(self, names: Sequence[str], *options: str) -> list[Program]:
        """A table whose host is host 0; the others find it by themselves, and try again as people do."""
        host = self.shoal(0, "host", "go-fish", "--seats", str(len(names)), "--open", *options, name=names[0])
        until(lambda: host.says(r" join \d") or host.code is not None, lambda: said([host]))
        assert host.code is None, host.output
        guests: list[Program] = []
        for number, name in enumerate(names[1:], 1):
            guests.append(self._join(number, name))
        return [host, *guests]

    def _join(self, host: int, name: str) -> Program:
        for _ in range(20):
            guest = self.shoal(host, "join", name=name)
            if _sits(guest):
                return guest
            assert guest.says("No table was found"), guest.output
        raise AssertionError(f"{name} does not find the table")


def _sits(guest: Program) -> bool:
    until(lambda: guest.says("Table of") or guest.code is not None, lambda: guest.output)
    return guest.says("Table of")


@contextlib.contextmanager
def lan(folder: Path, hosts: int) -> Iterator[Lan]:
    """A network for as long as the block runs."""
    made = Lan(folder, hosts)
    try:
        made.build()
        yield made
    finally:
        made.close()


def until(
    condition: Callable[[], object], about: Callable[[], str] = lambda: "", seconds: float = GAME_TIME
) -> None:
    """Wait for a condition; after so long it is a failure that shows what was printed."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, about()
        time.sleep(0.1)


def said(programs: Sequence[Program]) -> str:
    """What programs printed, for a failure."""
    parts = [f"--- {number}: {each.code}\n{each.output[-3000:]}" for number, each in enumerate(programs)]
    return "\n".join(parts)


def _ip(*args: str) -> None:
    done = _run("ip", *args)
    assert done.returncode == 0, f"ip {' '.join(args)}: {done.stderr}"


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=COMMAND_TIME)
