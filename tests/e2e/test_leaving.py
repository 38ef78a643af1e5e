"""Four programs, one of which is killed for good; another one resigns, or stalls and is given up: the rest
plays on to the end."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.main import run
from tests.e2e.program import Program

pytestmark = [pytest.mark.slow, pytest.mark.network]

GRACE = "10"
"""The least that a table takes."""


def resigns(cy: Program, others: list[Program]) -> None:
    """A clean end for one: its own word, and its own yes."""
    cy.types("resign")
    cy.sees(r"You leave this game for good\. The others go on;.*Type yes to do it")
    cy.types("yes")


def stalls(cy: Program, others: list[Program]) -> None:
    """Its program is there, and its player does nothing: the others agree that it is out."""
    first, second = others
    for refused in range(1, 200):  # it may be somebody else's turn still
        first.types("give up Cy")
        answer = first.sees(
            r"Cy is out once Ben and you say so\..*Type yes to do it"
            rf"|(?s:(The game does not wait for Cy now\..*?){{{refused}}})"
        )
        if "Type yes" in answer[0]:
            break
        time.sleep(0.5)
    first.types("yes")
    second.sees(r"Ann does not wait for Cy any longer\. If you agree, type: give up Cy")
    cy.sees(r"Ann does not wait for you any longer; you are out once all say so\.")
    second.types("give up Cy")
    second.types("yes")
    for each in others:
        each.sees(r"have signed that nothing came from Cy in time")


@pytest.mark.parametrize("goes", [resigns, stalls])
def test_one_is_killed_and_another_goes_and_the_others_play_on(
    goes: Callable[[Program, list[Program]], None],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = tmp_path / "ann.shoal"
    opened = ("--seats", "4", "--open", "--here-only", "--port", "0", "--grace", GRACE, "--name", "Ann")
    ann = Program(tmp_path / "Ann", "host", "go-fish", *opened, "--record", str(record), "--auto")
    programs.append(ann)
    address = ann.sees(r" join (127\.0\.0\.1:\d+)")[1]
    for count, name in enumerate(("Ben", "Cy", "Dee"), 2):
        plays = () if name == "Cy" else ("--auto",)  # so that the game waits for Cy
        programs.append(Program(tmp_path / name, "join", address, "--name", name, *plays))
        ann.sees(rf"At the table, {count} of 4")
    ben, cy, dee = programs[1:]
    for each in programs:  # the guests are told as well
        each.sees(r"the game goes on\. For that, each key is split among the others: Ann, Ben, Cy, Dee\.")
        each.sees(r"go(es)? first\.")

    dee.process.send_signal(signal.SIGKILL)
    dee.ends()
    if cy.sees(r"Your turn\.|Dee has left the game\.")[0] == "Your turn.":
        cy.types("hand")  # as it is now: what was dealt first may have been asked away
        rank = cy.sees(r"(?s)Your turn\..*?Your hand: *(\d+|[JQKA])")[1]
        cy.types(f"ask Dee {rank}")
    for each in (ann, ben, cy):
        each.sees(r"Dee has left the game\.")
        each.sees(r"have signed that nothing came from Dee in time")
        each.sees(r"It would go on again if somebody else left\.")

    again = Program(tmp_path / "Dee", "resume", "--auto")
    programs.append(again)
    again.sees(r"You may watch the rest of the game\.")

    goes(cy, [ann, ben])
    for each in (ann, ben):
        each.sees(r"Cy has left the game\.")
        each.sees(r"Only two players are left: if one of them leaves, the game ends\.")
    cy.sees(r"You may watch the rest of the game\.")

    for each in (ann, ben, cy, again):
        each.sees(r"(wins|win|share the win)\b")
        assert each.ends() == 0, each.text
    assert run(["verify", str(record)]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"Step \d+: signed by Ann, Ben and Cy that nothing came from Dee in time\.", shown)
    assert re.search(r"Cy left at step \d+\.", shown)
    assert "SOUND: nobody lied, and the result is right." in shown
