"""``python -m tests.fuzz [TARGET …] --seconds N``: fuzz each target for so long; ``make fuzz`` runs it.

Findings are printed with their input in hexadecimal and end the run with exit code 1. ``--keep`` adds what
reached new lines to the corpus.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from tests.fuzz.driver import Finding, Outcome, execute, fuzz, keep, kept, weigh
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

TIME = 60.0
"""Seconds for each target, where nothing else is asked."""


def main(arguments: Sequence[str]) -> int:
    """The exit code: 1 after a finding."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="TARGET", help="all, if none is named")
    parser.add_argument("--seconds", type=float, default=TIME, help="for each target")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", action="store_true", help="add what reached new lines to the corpus")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--engine", choices=("own", "atheris"), default="own")
    chosen = parser.parse_args(arguments)
    names = {target.name for target in TARGETS}
    if wrong := [name for name in chosen.names if name not in names]:
        parser.error(f"there is no target {wrong[0]!r}; --list shows them")
    targets = [target for target in TARGETS if not chosen.names or target.name in chosen.names]
    if chosen.list:
        _say("\n".join(target.name for target in targets))
        return 0
    if chosen.engine == "atheris":
        return _by_atheris(targets, chosen.seconds)
    return _by_our_own(targets, chosen.seconds, chosen.seed, chosen.keep)


def _by_our_own(targets: Sequence[Target], seconds: float, seed: int, keeping: bool) -> int:
    outcomes: list[Outcome] = []
    _say(f"seed {seed}")
    for target in targets:
        outcome = fuzz(target, seed, seconds=seconds, found=_print)
        outcomes.append(outcome)
        added = keep(target, outcome) if keeping else 0
        about = f"{outcome.executions:9} executions {outcome.lines:6} lines {len(outcome.findings)} findings"
        _say(f"{target.name:24} {about}" + (f" {added} kept" if keeping else ""))
    total = sum(outcome.executions for outcome in outcomes)
    findings = sum(len(outcome.findings) for outcome in outcomes)
    _say(f"{len(targets)} targets, {total} executions, {findings} findings")
    return 1 if findings else 0


def _by_atheris(targets: Sequence[Target], seconds: float) -> int:
    """One target at a time, which is all that libFuzzer can do in a process."""
    import atheris  # only where it is installed

    if len(targets) != 1:
        raise SystemExit("atheris fuzzes one target: name it")
    (target,) = targets
    atheris.instrument_all()
    for data in (b"", *target.seeds(), *kept(target)):
        weigh(target, data)

    def one(data: bytes) -> None:
        finding = execute(target, data)
        if finding is not None:
            _print(finding)
            raise AssertionError(finding.what)

    bounds = [f"-max_total_time={max(1, int(seconds))}", f"-max_len={target.most}", "-rss_limit_mb=1024"]
    atheris.Setup([sys.argv[0], *bounds], one)
    atheris.Fuzz()
    return 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _print(finding: Finding) -> None:
    _say(f"FOUND in {finding.target}: {finding.what}\n  {finding.data.hex()}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
