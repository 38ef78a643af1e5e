"""``shoal players``: who you are, and whom you have met."""

from __future__ import annotations

import datetime as dt
import json

import click
import msgspec

from p2p.identity import fingerprint
from p2p.io.store import Store
from p2p.link import KnownPlayer, is_same_name

from ..errors import Failure
from ..folders import folders_here
from ..options import general_options, json_option
from ..program import call_here
from ..telling import tell
from ..text import printable
from ..translation import gettext as _


@click.group("players", invoke_without_command=True)
@json_option
@general_options
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the players you have met, with the words of their keys; rename, verify or forget one.

    \b
    Example:
      shoal players
      shoal players rename Ben "Ben from work"
      shoal players verify Ben
    """
    if ctx.invoked_subcommand is not None:
        return
    with Store.open(folders_here().data) as store:
        players, me = store.players(), store.identity()
    if as_json:
        click.echo(json.dumps([_facts(each) for each in players]))
        return
    if me is not None:
        tell(_("Your own key: {words}").format(words=" ".join(fingerprint(me.public))))
    if not players:
        tell(
            _("You have met nobody yet. Open a table with: {command}").format(
                command=call_here("host go-fish")
            )
        )
    for each in players:
        day = dt.datetime.fromtimestamp(each.first_seen, tz=dt.UTC).date().isoformat()
        state = _("verified") if each.verified else _("not verified")
        words = " ".join(fingerprint(each.public))
        tell(
            _("{name}  met {day}, {state}  key: {words}").format(
                name=each.petname, day=day, state=state, words=words
            )
        )


@command.command("rename")
@click.argument("name", metavar="PLAYER")
@click.argument("new_name")
@general_options
def rename(name: str, new_name: str) -> None:
    """Call a player by another name.

    \b
    Example:
      shoal players rename Ben "Ben from work"
    """
    with Store.open(folders_here().data) as store:
        player = _find(store, name)
        store.rename(player.public, new_name)
    tell(_("{old} is {new} now.").format(old=player.petname, new=new_name.strip()))


@command.command("verify")
@click.argument("name", metavar="PLAYER")
@general_options
def verify(name: str) -> None:
    """Note that you compared the words of a key.

    \b
    Example:
      shoal players verify Ben
    """
    with Store.open(folders_here().data) as store:
        player = _find(store, name)
        store.remember(msgspec.structs.replace(player, verified=True))
    tell(
        _("{name} is verified: the key has the words {words}.").format(
            name=player.petname, words=" ".join(fingerprint(player.public))
        )
    )


@command.command("forget")
@click.argument("name", metavar="PLAYER")
@general_options
def forget(name: str) -> None:
    """Forget a player.

    Whoever comes with that name or key is a stranger again.

    \b
    Example:
      shoal players forget Ben
    """
    with Store.open(folders_here().data) as store:
        player = _find(store, name)
        store.forget(player.public)
    tell(_("{name} is forgotten.").format(name=player.petname))


def _find(store: Store, name: str) -> KnownPlayer:
    for player in store.players():
        if is_same_name(player.petname, name):
            return player
    shown = printable(name, 32)
    raise Failure(
        _('You know no player called "{name}".').format(name=shown),
        _("{command} lists them.").format(command=call_here("players")),
    )


def _facts(player: KnownPlayer) -> dict[str, object]:
    return {
        "name": player.petname,
        "key": player.public.hex(),
        "words": list(fingerprint(player.public)),
        "first_seen": player.first_seen,
        "verified": player.verified,
    }
