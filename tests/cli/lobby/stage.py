"""States of the lobby for tests: real offers and settings, with invented tables and games."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Sequence
from dataclasses import replace

import click

from cli.configuration import Configuration
from cli.lobby import offers
from cli.lobby.model import step
from cli.lobby.state import Effect, Event, Facts, Kept, Key, Main, Seen, State
from cli.lobby.tables import Host, Table
from cli.main import shoal
from cli.options import Settings

PAUSED = Kept("Go Fish", "Ben, 王小明", "2026-11-29 20:15", ("resume", "3fa2c81d"))
LOST = Kept("Go Fish", "Finn", "2026-11-28 20:15", ("resume", "77aa01bc", "--rebuild"), is_lost=True)
OLD = Kept("Casino Go Fish", "Coral, Finn", "2026-11-28 19:00", ("replay", "/records/casino.shoal"))


def table(host: str, **more: object) -> Table:
    """A table of Go Fish."""
    found = Table(host, host, "Go Fish", 1, 4, ("192.0.2.7:7467",))
    return replace(found, **more)


TABLES = (
    table("Ben", acquaintance=Host.KNOWN, taken=2),
    table("王小明王小明", title="One Fish Two Fish Red Fish Go Fish"),
    table("Carla", acquaintance=Host.OTHER_KEY, title="Casino Go Fish", taken=4),
    table("Ann", acquaintance=Host.OWN),
)


def context() -> click.Context:
    """The program, as if started with nothing set."""
    settings = Settings(configuration=Configuration())
    settings.home = tempfile.gettempdir()
    return shoal.make_context("shoal", ["lobby"], obj=settings)


@functools.cache
def facts(language: str = "en") -> Facts:
    """What the disk of Ann holds; ``language`` must be spoken already."""
    ctx = context()
    games = tuple(offers.game_offers({}))
    return Facts(
        "Ann",
        "Ann",
        (PAUSED,),
        (OLD,),
        {name: offers.offer_of(ctx, name)[0] for name in ("play", "host")},
        games,
        "go-fish",
        tuple(offers.settings(ctx)),
        "/home/ann/.config/shoal/config.toml",
        {each.id: f"{each.title}\n\n{each.summary}" for each in games},
    )


def state(found: Sequence[Table] = (), **more: object) -> State:
    """The first page, with everything read."""
    made = State(Main(), facts=facts())
    made = replace(made, **more)
    return step(made, Seen(tuple(found), 0.0))[0] if found else made


def press(before: State, *keys: str) -> tuple[State, tuple[Effect, ...]]:
    """The state after keys, and what the last one has done."""
    return happen(before, *(Key(key) for key in keys))


def happen(before: State, *events: Event) -> tuple[State, tuple[Effect, ...]]:
    """The same for any events; none but the last has an effect."""
    effects: tuple[Effect, ...] = ()
    for event in events:
        assert effects == ()
        before, effects = step(before, event)
    return before, effects
