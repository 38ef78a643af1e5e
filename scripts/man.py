"""Writes the man pages of `shoal` and its commands into docs/man, from the commands themselves.

`python scripts/man.py` writes; `python scripts/man.py --check` only says whether they are up to date (exit
code 1 where they are not).
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click
from click_man.core import write_man_pages

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "man"

MORE = """\
.SH EXIT STATUS
.TP
\\fB0\\fP
All is well.
.TP
\\fB1\\fP
What was checked is bad: a damaged record, a failed scenario, a failed check of \\fBdoctor\\fP.
.TP
\\fB2\\fP
The command line or the configuration is wrong.
.TP
\\fB3\\fP
The network: nobody answers, or the table was closed.
.TP
\\fB4\\fP
A player cheated, and the evidence is in the record.
.TP
\\fB5\\fP
A reader for tagged cards cannot be used.
.TP
\\fB6\\fP
Storage: a full disk, a folder that cannot be written, a damaged store.
.TP
\\fB130\\fP
Stopped with Ctrl-C; an unfinished game is kept, and \\fBshoal resume\\fP goes on with it.
.SH ENVIRONMENT
Each option can be given as a variable: SHOAL_NAME for \\fB--name\\fP, SHOAL_START_WHEN for
\\fB--start-when\\fP. A flag goes before it. NO_COLOR and TERM=dumb are honoured.
.SH FILES
\\fBconfig.toml\\fP in the platform's folder for configuration (\\fBshoal config path\\fP prints it) sets
options that neither a flag nor the environment gives. Identity, games and records are in the platform's data
folder, or in the one that \\fB--home\\fP names.
"""


def pages(folder: Path) -> None:
    """Write all pages into a folder."""
    # Before the commands are imported, since they look their texts up then.
    os.environ["LANGUAGE"] = "en"
    from cli.main import COMMANDS, shoal  # noqa: PLC0415  # see above

    root = click.Context(shoal, info_name="shoal")
    commands = {name: shoal.get_command(root, name) for name in COMMANDS}
    whole = click.Group(
        "shoal", params=shoal.params, help=shoal.help, short_help="card games that nobody can cheat at",
        commands={name: each for name, each in commands.items() if each is not None},
    )  # fmt: skip
    for name, each in whole.commands.items():
        each.short_help = each.short_help or COMMANDS[name]
    write_man_pages("shoal", whole, version="shoal", target_dir=str(folder), date="shoal")
    first = folder / "shoal.1"
    first.write_text(first.read_text("utf-8").rstrip("\n") + "\n" + MORE, "utf-8")


def main() -> int:
    """See the text of the module."""
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory() as made:
        pages(Path(made))
        fresh = {file.name: file.read_text("utf-8") for file in sorted(Path(made).iterdir())}
    there = {file.name: file.read_text("utf-8") for file in sorted(FOLDER.glob("*.1"))}
    if "--check" in sys.argv[1:]:
        old = sorted(name for name in fresh.keys() | there.keys() if fresh.get(name) != there.get(name))
        if old:
            print("not up to date:", ", ".join(old))
        return int(bool(old))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in there.keys() - fresh.keys():
        (FOLDER / name).unlink()
    for name, text in fresh.items():
        (FOLDER / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
