"""``shoal replay`` where nobody sits at a terminal: lines, JSON, files, languages, and what is refused."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from p2p.io.sodium import load_group
from p2p.log.record import MAGIC
from tests.cli.conftest import Shoal
from tests.cli.replay.records import cheated
from tests.p2p.session.test_cheats import CHEATS

FIGURES = re.compile(r"^Steps? (\d+)(?: to (\d+))?$", re.MULTILINE)


def test_the_whole_game_in_lines(shoal: Shoal, game_file: Path) -> None:
    ran = shoal("replay", str(game_file))
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Go Fish, played by Ann, Ben, Cy"
    assert "Shown: what everybody saw." in lines
    assert "\x1b" not in ran.out
    assert " held: " not in ran.out
    assert "  SOUND: nobody lied, and the result is right." in lines
    ends = [(int(first), int(last or first)) for first, last in FIGURES.findall(ran.out)]
    covered = [step for first, last in ends for step in range(first, last + 1)]
    assert covered == list(range(len(covered))), "no step is left out"


def test_some_steps_as_a_player_saw_them(shoal: Shoal, game_file: Path) -> None:
    ran = shoal("replay", str(game_file), "--seat", "ben", "--from", "6", "--to", "20", "--plain")
    assert ran.code == 0
    assert "Shown: as Ben saw it." in ran.out
    assert "Your hand: " in ran.out
    assert "Ben held: " in ran.out
    assert "Ann held: " not in ran.out
    steps = [int(first) for first, _last in FIGURES.findall(ran.out)]
    assert (steps[0], steps[-1] <= 20) == (6, True)
    assert "Verdict" not in ran.out


def test_one_json_object_for_each_step(shoal: Shoal, game_file: Path) -> None:
    ran = shoal("replay", str(game_file), "--json")
    assert ran.code == 0
    *steps, verdict = map(json.loads, ran.out.splitlines())
    assert [step["step"] for step in steps] == list(range(len(steps)))
    facts = json.loads(shoal("verify", str(game_file), "--json").out)
    assert {
        key: verdict[key] for key in ("verdict", "outcome", "revealed", "checks", "players", "table_id")
    } == {key: facts[key] for key in ("verdict", "outcome", "revealed", "checks", "players", "table_id")}
    assert sum(len(step["signed"]) for step in steps) == facts["checks"]["signatures"]
    for step in steps:
        held = {hand["name"]: len(hand["cards"]) for hand in step["hands"]}
        assert held == {seat["name"]: seat["cards"] for seat in step["seats"]}
    assert any(step["proved"] for step in steps)


def test_files_are_written_and_not_overwritten(shoal: Shoal, game_file: Path, tmp_path: Path) -> None:
    text, cast = tmp_path / "game.txt", tmp_path / "game.cast"
    words = (
        "replay",
        str(game_file),
        "--export-text",
        str(text),
        "--export-cast",
        str(cast),
        "--pace",
        "0.5",
    )
    ran = shoal(*words, "--seat", "all")
    assert (ran.code, ran.out) == (0, f"Text: {text}\nTerminal recording: {cast}\n")
    assert text.read_text("utf-8") == shoal("replay", str(game_file), "--seat", "all").out
    header, *events = map(json.loads, cast.read_text("utf-8").splitlines())
    assert (header["version"], len(events) > 20, events[2][0]) == (2, True, 0.5)
    before = text.read_bytes()
    ran = shoal(*words)
    assert (ran.code, text.read_bytes()) == (2, before)
    assert ran.err == f"Error: {text} is there already.\n  Next: Name another file, or add --force.\n"
    assert shoal(*words, "--force").code == 0
    assert text.read_bytes() != before
    ran = shoal("replay", str(game_file), "--export-text", str(tmp_path / "no" / "game.txt"))
    assert (ran.code, ran.err.startswith("Error: ")) == (6, True)
    assert ran.err.count("\n") == 1


def test_a_file_that_is_not_whole(shoal: Shoal, game_file: Path, tmp_path: Path) -> None:
    data, cut = game_file.read_bytes(), tmp_path / "cut.shoal"
    cut.write_bytes(data[: len(data) // 2])
    ran = shoal("replay", str(cut))
    assert (ran.code, ran.err) == (1, "")
    assert "  ! DAMAGED: the file is truncated inside record" in ran.out
    assert "  The file ends too early: it is shown as far as it is whole." in ran.out
    assert len(FIGURES.findall(ran.out)) > 3
    ran = shoal("replay", str(cut), "--json")
    assert (ran.code, json.loads(ran.out.splitlines()[-1])["verdict"]) == (1, "damaged")
    cut.write_bytes(data[:40])
    ran = shoal("replay", str(cut))
    assert ran.code == 1
    assert ran.out.startswith("DAMAGED: the file is truncated inside record 0.")
    ran = shoal("replay", str(cut), "--json")
    assert (ran.code, json.loads(ran.out)["verdict"]) == (1, "damaged")


def test_a_cheated_game(shoal: Shoal, tmp_path: Path) -> None:
    cheat = CHEATS["asks without a proof"]
    data, step = cheated(cheat.lie, 1, cheat.options, load_group())
    path = tmp_path / "cheated.shoal"
    path.write_bytes(data)
    ran = shoal("replay", str(path))
    assert ran.code == shoal("verify", str(path)).code == 4
    assert f"  ! CHEATED: Ben cheated at step {step}: " in ran.out
    assert f"\nStep {step}\n" not in ran.out
    verdict = json.loads(shoal("replay", str(path), "--json").out.splitlines()[-1])
    assert (verdict["verdict"], verdict["seat"], verdict["step"]) == ("cheated", 1, step)


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("--seat", "Zoe"), 2, "There is no player Zoe in this game; there are Ann, Ben, Cy."),
        (("--from", "9", "--to", "3"), 2, "--to is before --from."),
        (("--pace", "0"), 2, "Invalid value for '--pace'"),
        (("--from", "-1"), 2, "Invalid value for '--from'"),
    ],
)
def test_what_is_refused(
    shoal: Shoal, game_file: Path, words: tuple[str, ...], code: int, error: str
) -> None:
    ran = shoal("replay", str(game_file), *words)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(f"Error: {error}")


def test_files_that_are_none(shoal: Shoal, tmp_path: Path) -> None:
    ran = shoal("replay", str(tmp_path / "none.shoal"))
    assert (ran.code, "none.shoal cannot be read" in ran.err) == (2, True)
    other = tmp_path / "other"
    for content in (b"", b"SHOAL 2\n", b"\x00" * 100):
        other.write_bytes(content)
        ran = shoal("replay", str(other))
        assert (ran.code, ran.err) == (1, f"Error: {other} is not a Shoal game file.\n")
    other.write_bytes(MAGIC)
    ran = shoal("replay", str(other))
    assert (ran.code, ran.err, ran.out.startswith("DAMAGED: ")) == (1, "", True)


def test_in_macedonian_nothing_is_english(shoal: Shoal, game_file: Path) -> None:
    ran = shoal("replay", str(game_file), "--lang", "mk", "--seat", "all")
    assert ran.code == 0
    latin = re.compile(r"[a-zA-Z]{2,}")
    names = {"Ann", "Ben", "Cy", "Go", "Fish"}
    found = {word for line in ran.out.splitlines()[3:] for word in latin.findall(line) if word not in names}
    assert found == set()


class NoConsoleScreenBufferError(Exception):
    """As prompt_toolkit raises it on Windows in a window that is no console."""


def test_git_bash_gets_a_sentence_and_plain_lines(
    shoal: Shoal, game_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_more: object) -> None:
        raise NoConsoleScreenBufferError

    monkeypatch.setattr("cli.commands.replay._is_person", lambda: True)
    monkeypatch.setattr("prompt_toolkit.output.create_output", broken)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    monkeypatch.setenv("TERM", "xterm")
    ran = shoal("replay", str(game_file))
    assert ran.code == 0
    assert "This window cannot show a full screen, as in Git Bash; plain lines are used instead." in ran.out
    assert "Enter goes on; help lists the words." in ran.out
