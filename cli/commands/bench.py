"""``shoal bench``: measure the proofs on this machine."""

from __future__ import annotations

import json
from gettext import gettext as _

import click

from ..bench import measure
from ..options import general_options, json_option


@click.command("bench")
@json_option
@general_options
def command(as_json: bool) -> None:
    """Measure shuffles, claims, a start with six seats, and an ask. Takes about a minute.

    \b
    Example:
      shoal bench --json
    """
