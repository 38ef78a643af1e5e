"""``shoal verify``: judge a recorded game from its file alone."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from engine.registry import UnknownGame, game
from engine.text import event_text, seat_letters
from p2p.identity import words
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.log.record import MAGIC, Damaged, read_game
from p2p.verify import Report, verify

from ..choices import about_own_deck
from ..errors import BAD, CHEATED, FINE
from ..files import read_bytes
from ..folders import folders_here
from ..language import NN_, said
from ..manner import can_show_suits
from ..options import general_options, json_option
from ..progress import Progress
from ..replay.verdict import sound_text
from ..rules import title_of
from ..saved import find_game, record_of, written_record
from ..telling import tell
from ..text import Glyphs, Speaker, joined, printable
from ..translation import gettext as _
from ..translation import ngettext

CODES = {"sound": FINE, "damaged": BAD, "cheated": CHEATED}

CHECKS = {
    "answers": NN_("{n} answer", "{n} answers"),
    "certificates": NN_("{n} certificate of absence", "{n} certificates of absence"),
    "closings": NN_("{n} closing", "{n} closings"),
    "coins": NN_("{n} coin", "{n} coins"),
    "decisions": NN_("{n} decision", "{n} decisions"),
    "judged": NN_("{n} printed card", "{n} printed cards"),
    "keys": NN_("{n} key", "{n} keys"),
    "escrows": NN_("{n} split key", "{n} split keys"),
    "recoveries": NN_("{n} part of a recovery", "{n} parts of recoveries"),
    "hand-overs": NN_("{n} hand-over", "{n} hand-overs"),
    "mixes": NN_("{n} mix", "{n} mixes"),
    "moves": NN_("{n} move", "{n} moves"),
    "openings": NN_("{n} opening", "{n} openings"),
    "picks": NN_("{n} pick", "{n} picks"),
    "recomputed": NN_("{n} recomputed", "{n} recomputed"),
    "reveals": NN_("{n} reveal", "{n} reveals"),
    "settles": NN_("{n} settle", "{n} settles"),
    "shares": NN_("{n} share", "{n} shares"),
    "shuffles": NN_("{n} shuffle", "{n} shuffles"),
    "signatures": NN_("{n} signature", "{n} signatures"),
    "ticks": NN_("{n} tick", "{n} ticks"),
}
"""What ``p2p.verify`` counts."""

WIDTH = 78
"""Columns of texts that are broken here: they fit any terminal, and are read well."""

_ID = re.compile(r"[0-9a-fA-F]{4,64}")

MOST_BYTES = 64 * 1024 * 1024
"""A file larger than this is no game: the longest has some megabytes."""


@click.command("verify")
@click.argument("file", metavar="FILE|GAME-ID")
@click.option("--events", is_flag=True, help="Print what happened in the game, too.")
@json_option
@general_options
def command(file: str, events: bool, as_json: bool) -> int:
    """Check a recorded game without any secrets: every signature, proof, rule and the result.

    A game that is kept here may be named by its id, as shoal games shows it.

    The exit code is 0 for a sound record, 1 for a damaged one, 4 where a player cheated.

    \b
    Example:
      shoal verify game.shoal
    """
    data = record_named(file)
    if not data.startswith(MAGIC) and not as_json:
        tell(no_record(file))
        return BAD
    with Progress(_("Verifying"), 1) as progress:
        report = verify(data, game, load_group(), progress.at)
    options = _options(data)
    if as_json:
        click.echo(json.dumps({**_facts(report), "options": options}))
    else:
        for line in report_lines(report, options, events):
            is_list = line.startswith(_("Checked: {counted}").format(counted=""))
            tell(textwrap.fill(line, WIDTH, subsequent_indent="  ") if is_list else line)
    return CODES[report.verdict]


def record_named(name: str) -> bytes:
    """The record of a file; of a kept game, where there is no such file and the name is an id."""
    if Path(name).exists() or not _ID.fullmatch(name):
        return read_bytes(name, MOST_BYTES)
    at = folders_here()
    with Store.open(at.data) as store:
        saved = find_game(store.games(), name)
        written = written_record(at, saved)
        return read_bytes(str(written), MOST_BYTES) if written else record_of(store, saved, load_group())


def no_record(file: str) -> str:
    """What is said of a file that is something else."""
    return _("{file} is not a Shoal game file.").format(file=printable(file))


def _options(data: bytes) -> dict[str, str]:
    """The options in the charter of a record; none of one that cannot be read."""
    try:
        return dict(read_game(data).charter.options)
    except Damaged:
        return {}


def _facts(report: Report) -> dict[str, Any]:
    outcome = report.outcome
    return {
        "verdict": report.verdict,
        "reason": report.reason,
        "seat": report.seat,
        "step": report.step,
        "finished": report.finished,
        "game": report.game,
        "players": list(report.players),
        "table_id": report.table_id.hex(),
        "words": list(words(report.table_id)) if report.table_id else [],
        "outcome": outcome
        and {"reason": outcome.reason, "scores": list(outcome.scores), "winners": list(outcome.winners)},
        "confirmed_by": list(report.confirmed_by),
        "revealed": list(report.revealed),
        "left": [{"seat": seat, "step": step} for step, seat in report.left],
        "certified": [{"seat": seat, "step": step, "by": list(by)} for step, seat, by in report.certified],
        "awaited": list(report.awaited),
        "scanner": report.scanner,
        "judged": report.is_judged,
        "checks": report.checks,
        "events": [event_text(event, seat_letters(len(report.players))) for event in report.events],
    }


def report_lines(report: Report, options: Mapping[str, str], events: bool = False) -> list[str]:
    """The verdict and what it rests on, in lines; with ``events`` what happened in the game, too."""
    # A file may come from anywhere: its names are shown, and not done to the terminal.
    players = tuple(map(printable, report.players))
    say = Speaker(players, -1, Glyphs(ascii_only=not can_show_suits()), report.game)
    lines = [*map(say.event, report.events), ""] if events else []
    if players:
        lines.append(
            _("{game}, played by {names}").format(game=_title(report.game), names=", ".join(players))
        )
        if own := about_own_deck(options):
            lines.append(_("Played with {deck}.").format(deck=own))
        lines.append(_("Safety words: {words}").format(words=" ".join(words(report.table_id))))
    if report.checks:
        counted = ", ".join(
            ngettext(*CHECKS.get(kind, (f"{{n}} {kind}",) * 2), count).format(n=count)
            for kind, count in report.checks.items()
        )
        lines.append(_("Checked: {counted}").format(counted=counted))
    match report.verdict:
        case "sound":
            lines += _sound(say, report)
        case "cheated":
            assert report.seat is not None
            assert report.step is not None
            lines.append(_("CHEATED: ") + printable(say.cheated(report.seat, report.step, report.reason)))
        case _:
            lines.append(
                _(
                    "DAMAGED: {reason}. The file was changed or damaged after it was written; that says "
                    "nothing about the players."
                ).format(reason=printable(said(report.reason)).rstrip("."))
            )
    return lines


def _title(name: str) -> str:
    """The title of the recorded game; of one that is not known here, its id."""
    try:
        return title_of(name)
    except UnknownGame:
        return printable(name, 32)


def _sound(say: Speaker, report: Report) -> list[str]:
    lines = []
    if report.outcome is not None:
        lines.append(say.ending(report.outcome.reason) + ". " + say.winners(report.outcome))
        lines += [f"  {name}  {report.outcome.scores[seat]}" for seat, name in enumerate(say.names)]
    lines += _left(say, report)
    for step, seat, by in report.certified:
        text = _("Step {step}: signed by {by} that nothing came from {who} in time.")
        lines.append(text.format(step=step, by=say.listed(by), who=say.names[seat]))
    if report.outcome is not None:
        lines += _unsigned(say, report)
    if report.revealed:
        names = say.listed(report.revealed)
        lines.append(_("Seeds revealed by {names}; their shuffles were recomputed.").format(names=names))
    if report.scanner is not None and not report.is_judged:
        text = _(
            "{who}, whose machine scanned the cards, revealed no seed: what was said of hidden cards is not "
            "judged."
        )
        lines.append(text.format(who=say.names[report.scanner]))
    if not report.finished and report.awaited:
        text = _("When it was stopped, the game waited for {names}.")
        lines.append(text.format(names=say.listed(report.awaited)))
    return [*lines, sound_text(report)]


def _left(say: Speaker, report: Report) -> list[str]:
    """Who left, all seats of one key in one sentence: one of them leaving takes the others along."""
    together: dict[tuple[int, int], list[str]] = {}
    for step, seat in report.left:
        together.setdefault((step, report.keepers[seat]), []).append(say.names[seat])
    lines = []
    for (step, _keeper), names in together.items():
        if len(names) == 1:
            text = _("{who} left at step {step}.")
        else:
            text = _("{who} left together at step {step}: their seats are on one machine.")
        lines.append(text.format(who=joined(names), step=step))
    return lines


def _unsigned(say: Speaker, report: Report) -> list[str]:
    """Who did not sign the result, and why that is so."""
    left = [seat for _step, seat in report.left if seat not in report.confirmed_by]
    if len(left) == len(report.players):
        return [_("All have left the game, so nobody was there to sign the result.")]
    missing = [
        seat for seat in range(len(report.players)) if seat not in report.confirmed_by and seat not in left
    ]
    lines = []
    if left:
        text = ngettext(
            "{names} had left, and signed no result.", "{names} had left, and signed no result.", len(left)
        )
        lines.append(text.format(names=say.listed(left)))
    if missing:
        lines.append(_("Not confirmed by {names}.").format(names=say.listed(missing)))
    return lines
