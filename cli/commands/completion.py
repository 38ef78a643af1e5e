"""``shoal completion``: the shell completes commands, options, games and files."""

from __future__ import annotations

import sys
from typing import Final

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from ..options import general_options
from ..program import call
from ..telling import tell
from ..translation import gettext as _

HOW: Final = {
    "bash": "~/.local/share/bash-completion/completions/shoal",
    "zsh": "~/.zfunc/_shoal",
    "fish": "~/.config/fish/completions/shoal.fish",
}
"""Where each shell looks for the script."""

_MAKERS: Final[dict[str, type[ShellComplete]]] = {
    "bash": BashComplete,
    "zsh": ZshComplete,
    "fish": FishComplete,
}


@click.command("completion")
@click.argument("shell", metavar="SHELL", type=click.Choice(sorted(HOW)))
@general_options
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that lets a shell complete the words of this program.

    \b
    Example:
      shoal completion bash > ~/.local/share/bash-completion/completions/shoal
    """
    click.echo(_MAKERS[shell](ctx.find_root().command, {}, "shoal", "_SHOAL_COMPLETE").source())
    if sys.stdout.isatty():
        text = _("Save it with: {command}")
        tell(text.format(command=call(f"completion {shell} > {HOW[shell]}")), err=True)
