"""``shoal simulate``: many open games between bots."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Iterable, Iterator, Sequence

import click

from engine.registry import game
from engine.simulate import Chunk, Tally, play_chunk, simulate

from ..choices import chosen_options
from ..options import deck_option, game_options, general_options, json_option
from ..processes import spread, workers
from ..progress import Progress
from ..translation import gettext as _

FEW = 200
"""Games below which starting processes costs more than it saves."""


@click.command("simulate")
@click.argument("name", metavar="GAME")
@click.option("--seats", default=4, show_default=True, help="Players at the table.")
@click.option(
    "--games", default=1000, show_default=True, type=click.IntRange(1, 10_000_000), help="How many games."
)
@click.option("--seed", default=1, show_default=True, help="Same seed, same games, on every machine.")
@click.option(
    "--bots",
    default="random",
    show_default=True,
    help="How bots play, seat by seat and repeated: random, careful or sharp, or sharp,random.",
)
@game_options
@deck_option
@json_option
@general_options
def command(
    name: str,
    seats: int,
    games: int,
    seed: int,
    bots: str,
    chosen: Sequence[str],
    deck: str | None,
    as_json: bool,
) -> None:
    """Let bots play many games with open cards and count who wins.

    \b
    Example:
      shoal simulate go-fish --seats 4 --games 1000 --seed 7
    """
    options = chosen_options(game(name), chosen, seats, deck)
    players = [part.strip() for part in bots.split(",")]
    with Progress(_("Playing"), games) as progress:
        started = time.perf_counter()
        found = simulate(name, seats, games, seed, options, players, _Spread(games, progress))
        seconds = time.perf_counter() - started
    figures = {
        "games": found["games"],
        "seconds": round(seconds, 3),
        "games_per_second": round(games / seconds, 1),
        "wins": found["wins"],
        "ties": found["ties"],
        "digest": found["digest"],
    }
    if as_json:
        click.echo(json.dumps(figures))
        return
    rate = figures["games_per_second"]
    click.echo(
        _("{games} games in {seconds:.1f} s, {rate} a second").format(games=games, seconds=seconds, rate=rate)
    )
    for seat, wins in enumerate(found["wins"]):
        bot = players[seat % len(players)]
        click.echo(
            _("  seat {seat} ({bot}): {wins} wins, {share:.1%}").format(
                seat=seat + 1, bot=bot, wins=wins, share=wins / games
            )
        )
    click.echo(_("  shared wins: {ties} (each counts for every winner)").format(ties=found["ties"]))
    click.echo(
        _("  digest: {digest} (over all moves; the same seed gives the same)").format(digest=found["digest"])
    )


def _collect_seldom() -> None:
    """Games make many values and no cycles, and the collector would look at them all, again and again.

    A tenth of the time; the values of a hundred games are a few megabytes.
    """
    gc.set_threshold(100_000, 50, 50)


class _Spread:
    """``map`` over processes where that pays, telling ``progress`` how far it is."""

    def __init__(self, games: int, progress: Progress) -> None:
        self._games = games
        self._progress = progress

    def __call__(self, function: object, chunks: Iterable[Chunk]) -> Iterator[tuple[Tally, ...]]:
        count = workers(self._games)
        if count == 1 or self._games < FEW:
            _collect_seldom()
            yield from self._counted(map(play_chunk, chunks))
            return
        yield from self._counted(spread(play_chunk, chunks, count, _collect_seldom))

    def _counted(self, results: Iterable[tuple[Tally, ...]]) -> Iterator[tuple[Tally, ...]]:
        done = 0
        for tallies in results:
            done += len(tallies)
            self._progress.at(done)
            yield tallies
