"""Writes docs/transcripts: what people at a table of four see when a program is killed and comes back, and
when one comes back too late. The real program in terminals of tmux, on loopback; takes some minutes.

    python scripts/transcripts.py
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "transcripts"
SOCKET = "shoal-transcripts"
PATIENCE = 150.0
"""Seconds for whatever is waited for, on a busy machine."""

SETTLE = 1.0
"""Seconds without a change after which a terminal is read."""

GAME = "go-fish --seats 4 --open --here-only --set ranks=8 --set hand_size=4 --plain --auto"


class Terminal:
    """One pane with a shell, 80 columns wide and as high as all that is written."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        home = folder / name.lower()
        home.mkdir()
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        own = {"SHOAL_HOME": str(home), "SHOAL_LANG": "en", "PS1": "$ ", "LC_ALL": "C.UTF-8", "PATH": path}
        given = [f"{key}={value}" for key, value in own.items()]
        shell = ("env", *given, "bash", "--norc", "--noprofile")
        tmux("new-session", "-d", "-s", name, "-x", "80", "-y", "400", shlex.join(shell))
        self.sees(r"^\$")

    def type(self, line: str) -> None:
        tmux("send-keys", "-t", self.name, "-l", line)
        tmux("send-keys", "-t", self.name, "Enter")

    @property
    def text(self) -> str:
        return tmux("capture-pane", "-p", "-t", self.name).rstrip("\n")

    def sees(self, pattern: str, least: int = 1) -> re.Match[str]:
        """Wait until it stands there so often; the last time."""
        end = time.monotonic() + PATIENCE
        while len(found := list(re.finditer(pattern, self.text, re.MULTILINE))) < least:
            if time.monotonic() > end:
                raise TimeoutError(f"{self.name} never saw {pattern!r}:\n{self.text}")
            time.sleep(0.2)
        return found[-1]

    def kill(self) -> None:
        """SIGKILL to the program that runs in it."""
        (shell,) = tmux("list-panes", "-t", self.name, "-F", "#{pane_pid}").split()
        (program,) = ran("pgrep", "-P", shell).split()
        os.kill(int(program), 9)


def ran(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603  # our own


def tmux(*args: str) -> str:
    return ran("tmux", "-L", SOCKET, "-f", os.devnull, *args)


@contextmanager
def table(folder: Path, *options: str) -> Iterator[list[Terminal]]:
    """Ann hosts; she, Ben and Cy are played by their programs, and Dee plays herself."""
    terminals = [Terminal(name, folder) for name in ("Ann", "Ben", "Cy", "Dee")]
    ann, *others = terminals
    try:
        ann.type(" ".join(["shoal host", GAME, "--port 0 --name Ann", *options]))
        address = ann.sees(r" join (127\.0\.0\.1:\d+)")[1]
        for count, each in enumerate(others, 2):
            by_itself = "" if each.name == "Dee" else " --auto"
            each.type(f"shoal join {address} --name {each.name} --plain{by_itself}")
            if each.name == "Dee":
                each.sees("or press Enter")
                each.type("")
            ann.sees(rf"At the table, {count} of 4|Safety words")
        yield terminals
    finally:
        tmux("kill-server")


def rank_of(dee: Terminal) -> str:
    """A rank that she holds."""
    hand = dee.sees(r"Your hand: +(\d+|[JQKA])")
    return hand[1]


def id_of(terminal: Terminal) -> str:
    """The game in the list of games."""
    return terminal.sees(r"^([0-9a-f]{8})  20")[1]


def killed_and_back(folder: Path) -> str:
    with table(folder) as (ann, ben, _cy, dee):
        dee.sees(r"^Your turn\.")
        dee.type(f"ask Ben {rank_of(dee)}")
        dee.sees(r"^You ask Ben ")
        dee.kill()
        dee.sees("Killed")
        ann.sees("Dee has been out of reach")
        dee.type("shoal games")
        dee.sees("Go on with: ")
        time.sleep(2 * SETTLE)
        dee.type("shoal resume --auto --plain")
        ann.sees("Dee is back")
        for each in (ann, ben, dee):
            each.sees("Anyone can check it")
        dee.type(f"shoal verify {id_of(dee)}")
        dee.sees("SOUND")
        time.sleep(SETTLE)
        return page(folder, [("Dee's terminal", dee.text), ("Ann's terminal", ann.text)])


def too_late(folder: Path) -> str:
    with table(folder, "--grace 10") as (ann, ben, cy, dee):
        dee.sees(r"^Your turn\.")
        dee.kill()
        dee.sees("Killed")
        ann.sees("Dee has left the game")
        dee.type("shoal resume --plain")
        for each in (ann, ben, cy, dee):
            each.sees("Anyone can check it")
        ann.sees(r"\$\s*\Z")
        ann.type("shoal games")
        ann.sees("Any of them as a file")
        ann.type(f"shoal verify {id_of(ann)}")
        ann.sees("SOUND")
        time.sleep(SETTLE)
        return page(folder, [("Dee's terminal", dee.text), ("Ann's terminal", ann.text)])


def page(folder: Path, parts: list[tuple[str, str]]) -> str:
    """The terminals one after the other, without the names of this machine's folders."""
    lines = []
    for title, text in parts:
        lines += [f"==== {title} ".ljust(78, "="), "", *(line.rstrip() for line in text.splitlines()), ""]
    text = re.sub(r"(/\S+)\n(\S*l)$", r"\1\2", "\n".join(lines), flags=re.MULTILINE)  # broken at column 80
    return re.sub(rf"{re.escape(str(folder))}/(\w+)", r"~/\1", text)


def main() -> None:
    if shutil.which("tmux") is None:
        sys.exit("tmux is needed")
    FOLDER.mkdir(exist_ok=True)
    for name, make in (("killed_and_back.txt", killed_and_back), ("too_late.txt", too_late)):
        with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
            (FOLDER / name).write_text(make(Path(folder)), "utf-8")
        print(FOLDER / name)


if __name__ == "__main__":
    main()
