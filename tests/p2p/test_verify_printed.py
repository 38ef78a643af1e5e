"""A finished file of a printed deck, written by players who all kept quiet: a stranger names the cheat."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any
from unittest import mock

import pytest

from engine.table import Choose, Disclose, Draw, Mix
from p2p.deal import Printed
from p2p.deal.printed_giving import PrintedGiver
from p2p.log import read_game, sign_entry, write_game
from p2p.sealed import Group
from p2p.verify import Report, verify
from tests.p2p.cheats import Cheater, Lie, Told, at
from tests.p2p.deal.test_printed_machine import changed, double_first, turned
from tests.p2p.deal.test_printed_seats import denial
from tests.p2p.harness import Ring
from tests.p2p.session.printed_tables import asked, table

OPTIONS = {"ranks": "5", "hand_size": "3"}


in_play = Printed.live


def swapped(giver: PrintedGiver, given: list[Any]) -> list[Any] | None:
    """A card that is not in play in place of the first."""
    deck = giver.dealing.deck
    live = in_play(giver.dealing, giver.secrets.seed) + Counter(face for face, _ in given)
    same = next((face for face in deck.faces if face not in live), None)
    return None if same is None else [(same, given[0][1]), *given[1:]]


QUIET = (
    mock.patch("p2p.deal.printed_checking.audit"),
    mock.patch.object(PrintedGiver, "_accept_mix", return_value=(b"", None)),
    mock.patch.object(PrintedGiver, "_confirm", return_value=(b"", None)),
    mock.patch.object(Printed, "live", return_value=Counter()),
)
"""Nobody says anything, the machine takes any card, and its seed is accepted whatever it shows."""


def quiet_game(group: Group, liar: int, lie: Lie, name: str, options: dict[str, str], salt: bytes) -> Any:
    told = Told()
    makers = {liar: partial(Cheater, lie, told)}
    ring = table(group, 3, name=name, options=options, makers=makers, salt=salt, seed=salt[0])
    with QUIET[0], QUIET[1], QUIET[2], QUIET[3]:
        ring.play()
    return ring, told


CHEATS: list[tuple[str, int, Lie, str, dict[str, str], str]] = [
    ("a card twice", 0, at(Draw, double_first, 0), "go-fish", OPTIONS, "in play already"),
    ("a swap in a mix", 0, changed(Mix, swapped), "go-fish", OPTIONS, "swapped a card while it mixed"),
    ("an order", 0, changed(Mix, turned), "go-fish", OPTIONS, "in an order of its own choice"),
    ("an ask", 1, at(Choose, asked, 0), "go-fish", OPTIONS, "what is not so (holds)"),
    ("no answer", 1, at(Disclose, denial, 0), "go-fish", OPTIONS, "what is not so (lacks)"),
]


@pytest.mark.parametrize(
    ("what", "liar", "lie", "name", "options", "reason"), CHEATS, ids=[each[0] for each in CHEATS]
)
def test_a_finished_file_names_the_cheat(
    what: str, liar: int, lie: Lie, name: str, options: dict[str, str], reason: str, small: Group
) -> None:
    for number in range(40):
        ring, told = quiet_game(small, liar, lie, name, options, bytes([number]))
        if told.step is not None and all(session.is_over for session in ring.sessions):
            break
    assert all(session.is_closed for session in ring.sessions)
    for seat in range(3):
        report = ring.verdict(seat)
        assert (report.verdict, report.seat, report.step) == ("cheated", liar, told.step)
        assert reason in report.reason
        assert not report.finished
    with QUIET[0]:
        assert ring.verdict(1).verdict == "sound", "that check alone finds it"


def verdict(ring: Ring, data: bytes) -> Report:
    return verify(data, lambda _id: ring.rules, ring.group)


def test_a_changed_seal_re_signed_by_its_seat_is_named(small: Group) -> None:
    """The last byte of a scan: seats looked at another one, and the history after it is another."""
    ring = table(small, 3, options=OPTIONS)
    ring.play()
    file = read_game(ring.record(1))
    at_step = next(n for n, entry in enumerate(file.entries) if entry.seat == 0 and len(entry.body) > 1000)
    entry = file.entries[at_step]
    head = ring.sessions[1].history.heads[entry.step]
    body = entry.body[:-1] + bytes([entry.body[-1] ^ 1])
    false = sign_entry(
        ring.identities[0], file.charter.table_id, entry.epoch, entry.step, entry.seat, head, body
    )
    entries = [*file.entries[:at_step], false]
    report = verdict(ring, write_game(file.charter, entries, head, "stopped"))
    assert report.verdict == "damaged", "the head goes on from another contribution"
    whole = [*file.entries[:at_step], false, *file.entries[at_step + 1 :]]
    assert verdict(ring, write_game(file.charter, whole, file.closing.head, "finished")).verdict == "damaged"


def test_an_honest_file_is_counted(small: Group) -> None:
    ring = table(small, 3, options=OPTIONS)
    ring.play()
    checks = ring.verdict(2).checks
    assert checks["judged"] == len(ring.sessions[1].history.progress.dealing.ledger)
    assert checks["recomputed"] == 2 * 3 * 2
