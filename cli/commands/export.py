"""``shoal export``: write a kept game to a ``.shoal`` file."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from p2p.io.sodium import load_group
from p2p.io.store import Store

from ..errors import Failure
from ..files import kept_game, write_bytes
from ..folders import folders_here
from ..options import general_options
from ..program import call
from ..saved import find_game, record_of, written_record
from ..seats import game_id
from ..telling import tell
from ..translation import gettext as _


@click.command("export")
@click.argument("wanted", metavar="GAME-ID")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@general_options
def command(wanted: str, file: str | None, force: bool) -> None:
    """Write the record of a kept game, finished or not, to a .shoal file that anyone can verify.

    \b
    Example:
      shoal export 3fa2c81d game.shoal
    """
    at = folders_here()
    with Store.open(at.data) as store:
        saved = find_game(store.games(), wanted)
        name = game_id(saved.table_id)
        path = Path(file or f"{saved.meta['game']}-{name}.shoal")
        if path.exists() and not force:
            raise Failure(
                _("{path} is there already.").format(path=path), _("Name another file, or add --force.")
            )
        written = written_record(at, saved)
        data = written.read_bytes() if written else record_of(store, saved, load_group())
    write_bytes(path, data, kept_game(name))
    tell(_("Record: {path}").format(path=path))
    tell(_("Anyone can check it: {command}").format(command=call(f"verify {shlex.quote(str(path))}")))
