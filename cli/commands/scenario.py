"""``shoal scenario``: run files that describe positions and what must follow from them."""

from __future__ import annotations

from collections.abc import Sequence

import click

from engine.scenario import ScenarioReport, run_file

from ..errors import BAD, FINE, Failure
from ..files import read_bytes
from ..language import said
from ..options import general_options
from ..telling import tell
from ..text import printable
from ..translation import gettext as _

MOST_BYTES = 4 * 1024 * 1024
"""Far above any scenario file, and little enough to hold."""


@click.command("scenario")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--verbose", "-v", is_flag=True, help="Name the scenarios that pass, too.")
@general_options
def command(files: Sequence[str], verbose: bool) -> int:
    """Run scenario files: positions of a game as text, what is done in them, and what must be true then.

    docs/scenarios.md describes the files. The exit code is 1 when something is not as a file expects.

    \b
    Example:
      shoal scenario tests/scenarios/go_fish.toml
    """
    passed = failed = 0
    for name in files:
        for report in run_file(_read(name), name):
            if report.passed:
                passed += 1
            else:
                failed += 1
            if verbose or not report.passed:
                _print(name, report)
    tell(_("{passed} passed, {failed} failed").format(passed=passed, failed=failed))
    return BAD if failed else FINE


def _read(name: str) -> str:
    try:
        return read_bytes(name, MOST_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise Failure(_("{name} is not a text file.").format(name=name)) from None


def _print(name: str, report: ScenarioReport) -> None:
    # A file may come from anywhere: what it says is shown, and not done to the terminal.
    name, told = printable(name), printable(report.id)
    if report.passed:
        tell(f"{name}:{report.line}: {told}: " + _("passed"))
    for problem in report.problems:
        tell(f"{name}:{problem.line}: {told}: {printable(said(problem.text), 1000)}")
