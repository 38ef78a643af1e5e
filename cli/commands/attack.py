"""``shoal attack``: the gallery of cheats, each tried at a table of real sessions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from typing import NamedTuple

import click

from engine.registry import game as rules_of
from p2p.attacks import ATTACKS, Attack, End, Result, run
from p2p.io.sodium import load_group
from p2p.sealed.testgroup import SmallGroup

from ..errors import BAD, FINE, USAGE, Failure
from ..language import N_, either
from ..options import general_options, json_option
from ..processes import spread, workers
from ..program import call
from ..progress import Progress
from ..telling import tell
from ..text import printable
from ..translation import gettext as _
from ..translation import ngettext

ENDS: dict[End, str] = {
    End.NAMED: N_("named by all"),
    End.PROVED: N_("proved by the record"),
    End.CUT: N_("link cut"),
    End.REFUSED: N_("refused"),
    End.IGNORED: N_("no effect"),
    End.MARKED: N_("judged late"),
    End.SKIPPED: N_("certified absent"),
    End.AWAITED: N_("awaited by all"),
    End.WORKS: N_("IT WORKS"),
    End.UNTRIED: N_("not tried"),
}
"""What is said of each end."""


class Try(NamedTuple):
    """One attack in one game."""

    name: str
    game: str


@click.command("attack")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--game", "only", metavar="GAME", help="Only in this game; otherwise in each it applies to.")
@click.option("--list", "as_list", is_flag=True, help="Say what each attack tries, and try nothing.")
@click.option("--quick", is_flag=True, help="A small group in place of the real one: a fraction of the time.")
@click.option("--table", "as_table", is_flag=True, help="Print the results as the table of docs/attacks.md.")
@json_option
@general_options
def command(
    names: tuple[str, ...], only: str | None, as_list: bool, quick: bool, as_table: bool, as_json: bool
) -> int:
    """Try to cheat: small modified peers, each at a table of real sessions.

    Each attack of the gallery is stopped, and the attacker named where somebody is to blame: by all
    honest players, and by the record alone as shoal verify reads it. Without names the whole gallery is
    tried. Ends with code 1 where an attack works.

    \b
    Example:
      shoal attack --list
      shoal attack false-go-fish withheld-second-card
      shoal attack --quick --game casino
    """
    chosen = _chosen(names)
    tries = _tries(chosen, rules_of(only).info.id if only else None)
    if as_list:
        _print_list(tries, as_json)
        return FINE
    results: list[Result] = []
    with Progress(_("Attacking"), len(tries)) as progress:
        for done, found in enumerate(_found(tries, quick), 1):
            results.append(found)
            progress.at(done)
    if as_json:
        click.echo(json.dumps([_facts(each) for each in results]))
    elif as_table:
        click.echo(table(results))
    else:
        _print(results)
    return FINE if all(each.stopped for each in results) else BAD


def _chosen(names: Sequence[str]) -> list[Attack]:
    for name in names:
        if name not in ATTACKS:
            near = get_close_matches(name, ATTACKS, n=3)
            shown = printable(name, 40)
            text = (
                _('There is no attack "{name}"; did you mean {names}?')
                if near
                else _('There is no attack "{name}".')
            )
            hint = _("{command} lists the attacks.").format(command=call("attack --list"))
            raise Failure(text.format(name=shown, names=either(near)), hint, code=USAGE)
    return [ATTACKS[name] for name in dict.fromkeys(names)] or list(ATTACKS.values())


def _tries(attacks: Sequence[Attack], game: str | None) -> list[Try]:
    found = [Try(attack.name, each) for attack in attacks for each in attack.games if game in (None, each)]
    if not found:
        names = ", ".join(dict.fromkeys(each for attack in attacks for each in attack.games))
        text = _("None of these attacks applies to {game}; they do to {names}.")
        raise Failure(text.format(game=game, names=names), code=USAGE)
    return found


def _found(tries: Sequence[Try], quick: bool) -> Iterator[Result]:
    count = workers(len(tries))
    work = partial(_one, quick=quick)
    if count == 1:
        yield from map(work, tries)
        return
    yield from spread(work, tries, count)


def _one(each: Try, quick: bool) -> Result:
    """One try. An error inside a session is an attack that works: it has brought a program down."""
    try:
        return run(ATTACKS[each.name], each.game, SmallGroup() if quick else load_group())
    except Exception as error:  # noqa: BLE001  # told with its name
        return Result(each.name, each.game, End.WORKS, False, said=f"{type(error).__name__}: {error}")


# --- what is printed ----------------------------------------------------------------------------------------


def _facts(found: Result) -> dict[str, object]:
    return {
        "name": found.name,
        "game": found.game,
        "stopped": found.stopped,
        "step": found.step,
        "blamed": found.blamed,
        "blamed_by_all": found.blamed_by_all,
        "verify_convinced": found.verify_convinced,
    }


def _print_list(tries: Sequence[Try], as_json: bool) -> None:
    games: dict[str, list[str]] = {}
    for each in tries:
        games.setdefault(each.name, []).append(each.game)
    if as_json:
        rows = [
            {"name": name, "games": of, "tries": ATTACKS[name].tries, "source": ATTACKS[name].source}
            for name, of in games.items()
        ]
        click.echo(json.dumps(rows))
        return
    for name, of in games.items():
        click.echo(f"{name}  ({', '.join(of)})")
        click.echo(f"  {ATTACKS[name].tries} [{ATTACKS[name].source}]")


def _print(results: Sequence[Result]) -> None:
    width = max(len(each.name) for each in results)
    wide = max(len(each.game) for each in results)
    for each in results:
        mark = _("stopped  {attack}") if each.stopped else _("FAILED   {attack}")
        line = mark.format(attack=f"{each.name:<{width}}  {each.game:<{wide}}  {_(ENDS[each.end])}")
        if each.step is not None:
            line += _(" at step {step}").format(step=each.step)
        if each.blamed is not None:
            line += ", " + _("seat {seat}").format(seat=each.blamed + 1)
        if each.verify_convinced:
            line += ", " + _("the record proves it")
        tell(line if each.stopped else f"{line}: {each.said or ATTACKS[each.name].tries}")
    bad = sum(not each.stopped for each in results)
    names = len({each.name for each in results})
    text = ngettext("{n} attack", "{n} attacks", names).format(n=names)
    count = ngettext("tried at {n} table", "tried at {n} tables", len(results)).format(n=len(results))
    ending = _("all stopped") if not bad else _("{n} NOT STOPPED").format(n=bad)
    tell(f"{text}, {count}: {ending}.")


def table(results: Sequence[Result]) -> str:
    """The results as a table in Markdown, a row for each attack."""
    rows: dict[str, list[Result]] = {}
    for each in results:
        rows.setdefault(each.name, []).append(each)
    lines = [
        "| attack | what it tries | games | source | where it is stopped | record |",
        "|---|---|---|---|---|---|",
    ]
    for name, found in rows.items():
        attack = ATTACKS[name]
        where = dict.fromkeys(_where(each) for each in found)
        proved = all(each.verify_convinced for each in found)
        games = ", ".join(each.game for each in found)
        cells = (f"`{name}`", attack.tries, games, attack.source, "; ".join(where), "yes" if proved else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _where(found: Result) -> str:
    end = ENDS[found.end] if found.stopped else "NOT STOPPED"
    return f"{end} ({found.where})" if found.where else end
