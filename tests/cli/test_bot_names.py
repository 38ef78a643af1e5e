"""Under which names bots sit down."""

from __future__ import annotations

import os
from pathlib import Path

from cli.driver import BOT_NAMES, LOOPBACK, open_party
from p2p.link.known import KnownPlayer


async def test_bots_have_the_names_of_nobody_whom_the_player_has_met(tmp_path: Path) -> None:
    """Whoever knows a Finn sits down with no bot of that name; one has it only where no other is left."""
    (tmp_path / "bots").mkdir()
    async with open_party(False) as party:
        me = await party.open_player(tmp_path / "me", "Ann", LOOPBACK, (0,))
        for name in ("finn", "Pearl"):
            me.store.remember(KnownPlayer(name, os.urandom(32), 1))
        bots = await party.new_bots(tmp_path / "bots", 3, "random", LOOPBACK, ["Ann", "Coral"])
        assert [each.node.name for each in bots] == ["Marina", "Gill", "Skip"]
        taken = ["Ann", *(each.node.name for each in party.members)]
        more = await party.new_bots(tmp_path / "bots", 6, "random", LOOPBACK, taken)
        assert [each.node.name for each in more] == ["Coral", "Finn", "Pearl"]
        assert {each.node.name for each in party.bots} == set(BOT_NAMES)
