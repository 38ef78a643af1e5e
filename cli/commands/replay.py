"""``shoal replay``: step through a recorded game."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from engine.registry import game
from p2p.io.sodium import load_group
from p2p.log.record import MAGIC
from p2p.verify import Report

from ..boards import find_seat
from ..console import fitted, open_console
from ..errors import BAD, FINE, STORAGE, Failure
from ..language import said
from ..loop import run_async
from ..manner import can_show_suits
from ..options import Settings, ascii_option, general_options, plain_option, suits_option
from ..progress import Progress
from ..replay.control import Controller, NotThere, Place
from ..replay.conversation import converse
from ..replay.following import open_recording
from ..replay.frames import ALL, PUBLIC, Replay
from ..replay.lines import Span, json_lines, story, verdict_facts
from ..replay.verdict import verdict_lines
from ..telling import tell
from ..text import Glyphs, Speaker, printable
from ..translation import gettext as _
from .verify import CODES, no_record, record_named

PACE = 1.5
"""Seconds that a frame of a cast stays: time to read two lines."""


@click.command("replay")
@click.argument("file", metavar="FILE|GAME-ID")
@click.option("--seat", "seen", metavar="NAME", help="Whose view: a player, all, or public (as without it).")
@click.option(
    "--from", "first", type=click.IntRange(0), default=0, metavar="STEP", help="Begin with this step."
)
@click.option("--to", "last", type=click.IntRange(0), metavar="STEP", help="End with this step.")
@click.option("--export-text", metavar="FILE", help="Write the game in lines to FILE.")
@click.option("--export-cast", metavar="FILE", help="Write a terminal recording (asciicast 2) to FILE.")
@click.option(
    "--pace", type=click.FloatRange(0.1, 60.0), default=PACE, show_default=True, metavar="SECONDS",
    help="How long each frame of the recording stays.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print a JSON object for each step, and one for the verdict."
)
@ascii_option
@suits_option
@plain_option
@general_options
@click.pass_obj
def command(
    settings: Settings,
    file: str,
    seen: str | None,
    first: int,
    last: int | None,
    export_text: str | None,
    export_cast: str | None,
    pace: float,
    force: bool,
    as_json: bool,
    ascii_only: bool,
    plain: bool,
) -> int:
    """Step through a recorded game: what happened, who proved what, and the hands, if they were revealed.

    Arrow keys lead on and back, a, k and t to the next ask, book and turn, v to another view, ? to all keys.
    Where there is no terminal, the whole game is printed in lines.

    Everything is verified before it is shown. The exit code is that of verify: 0 for a sound record, 1 for a
    damaged one, 4 where a player cheated.

    \b
    Example:
      shoal replay game.shoal
      shoal replay game.shoal --seat Ann --from 20
      shoal replay game.shoal --export-text game.txt
    """
    data = record_named(file)
    if not data.startswith(MAGIC) and not as_json:
        raise Failure(no_record(file), code=BAD)
    if last is not None and last < first:
        raise Failure(_("--to is before --from."))
    opened = open_recording(data, game, load_group())
    if isinstance(opened, Report):
        return _nothing(opened, as_json)
    replay = Replay(opened, Glyphs(ascii_only or not can_show_suits()))
    seat = _seat(replay, seen)
    exports = [*_export(export_text, force), *_export(export_cast, force)]
    if not (as_json or exports or plain) and _has_screen():
        from ..replay.screen import show_replay  # pipes need not wait for it

        run_async(show_replay(replay, first, seat, settings.screen.suits))
        return _left(replay)
    with Progress(_("Verifying"), 1) as progress:
        opened.follow(progress.at)
    place = _place(replay, seat)
    span = Span(first, last)
    if as_json:
        _print(json_lines(replay, place.seat, span))
    elif not exports and _is_person():
        run_async(_converse(replay, place, first))
    elif not exports:
        _print(story(replay, place.seat, span))
    if export_text is not None:
        _write(export_text, story(replay, place.seat, span), _("Text: {path}"))
    if export_cast is not None:
        from ..replay.casting import cast  # it needs the full screen's modules

        _write(export_cast, cast(replay, place.seat, span, pace), _("Terminal recording: {path}"))
    return _code(replay)


# --- what is asked for --------------------------------------------------------------------------------------


def _seat(replay: Replay, name: str | None) -> int:
    """The view that a name means: a player's before any other. Raises ``Failure``."""
    if name is None:
        return PUBLIC
    found = find_seat(name, replay.names)
    if found is not None:
        return found
    if name.casefold() in ("all", "public"):
        return ALL if name.casefold() == "all" else PUBLIC
    raise Failure(
        _("There is no player {word} in this game; there are {names}.").format(
            word=printable(name, 32), names=", ".join(replay.names)
        )
    )


def _place(replay: Replay, seat: int) -> Place:
    try:
        return Controller(replay).view(Place(), seat)
    except NotThere as problem:
        raise Failure(str(problem)) from None


def _export(name: str | None, force: bool) -> list[str]:
    """Raises ``Failure`` before the work begins, where a file could not be written after it."""
    if name is None:
        return []
    path = Path(name)
    if path.exists() and not force:
        raise Failure(
            _("{path} is there already.").format(path=path), _("Name another file, or add --force.")
        )
    return [name]


def _has_screen() -> bool:
    """Whether the full screen can be shown; of a window that cannot, as Git Bash, it is said."""
    if not _is_person() or os.environ.get("TERM", "dumb") in ("", "dumb"):
        return False
    from prompt_toolkit.output import create_output  # pipes need not wait for it

    try:
        create_output(stdout=sys.stdout)
    except Exception as error:
        if type(error).__name__ != "NoConsoleScreenBufferError":  # its class is there on Windows alone
            raise
        tell(_("This window cannot show a full screen, as in Git Bash; plain lines are used instead."))
        return False
    return True


def _is_person() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


# --- what comes out -----------------------------------------------------------------------------------------


async def _converse(replay: Replay, place: Place, first: int) -> None:
    async with open_console(plain=True) as console:
        await converse(replay, console, place, first)


def _print(lines: Iterable[str]) -> None:
    is_wide = not sys.stdout.isatty()
    for line in lines:
        click.echo(line if is_wide else fitted(line))


def _write(name: str, lines: Iterable[str], told: str) -> None:
    try:
        with Path(name).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        why = said((error.strerror or type(error).__name__).lower())
        raise Failure(
            _("{path} cannot be written: {why}.").format(path=name, why=why), code=STORAGE
        ) from None
    tell(told.format(path=name))


def _left(replay: Replay) -> int:
    """What stays when the screen has gone."""
    if replay.report is None:
        tell(_("Left before everything was verified."))
        return FINE
    for line in verdict_lines(replay.report, _speaker(replay)):
        click.echo(fitted(line.text))
    return _code(replay)


def _nothing(report: Report, as_json: bool) -> int:
    """A file of which nothing can be shown."""
    if as_json:
        click.echo(json.dumps(verdict_facts(report)))
        return CODES[report.verdict]
    for line in verdict_lines(report, Speaker((), -1, Glyphs()))[:1]:
        tell(line.text)
    return CODES[report.verdict]


def _speaker(replay: Replay) -> Speaker:
    return Speaker(replay.names, -1, replay.glyphs, replay.rules.info.id)


def _code(replay: Replay) -> int:
    assert replay.report is not None
    return CODES[replay.report.verdict]
