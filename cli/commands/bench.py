"""``shoal bench``: measure the proofs on this machine."""

from __future__ import annotations

import json
import sys

import click

from ..bench import measure
from ..language import N_
from ..options import general_options, json_option
from ..translation import gettext as _

WORKS = (
    N_("scalar multiplication"),
    N_("shuffle of 52 cards"),
    N_("claims"),
    N_("five seats' chain"),
    N_("start of six processes"),
    N_("start of one-fish"),
    N_("start of casino"),
    N_("start of discount-salmon"),
    N_("ask to answer"),
    N_("a race of five processes"),
)
"""What ``cli.bench`` measures, in its words."""


@click.command("bench")
@json_option
@general_options
def command(as_json: bool) -> None:
    """Measure shuffles, claims, the start of each game, an ask, and a race. Takes about two minutes.

    \b
    Example:
      shoal bench --json
    """
    figures = measure(tell=lambda name: _say(name, as_json))
    if as_json:
        click.echo(json.dumps(figures))
        return
    width = max(map(len, figures))
    for name, value in figures.items():
        click.echo(f"{name:{width}}  {value:10.3f}")


def _say(name: str, as_json: bool) -> None:
    """What is being measured, where a person waits for it."""
    if not as_json or sys.stderr.isatty():
        click.echo(_("Measuring: {name}").format(name=_(name)), err=True)
