"""No session but the scanning machine's holds a face that its seat may not see, and no frame shows one."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.deal.printed_cards import secrets_of
from p2p.deal.printed_values import Batch
from p2p.log import (
    EntryFrame,
    decode_message,
)
from p2p.sealed import Group
from p2p.session import (
    Happened,
)
from tests.p2p.harness import SHORT, Pack
from tests.p2p.session.test_secrecy import Watch, is_revealing, shown

__all__ = ["shown"]  # a fixture
from tests.p2p.session.printed_tables import first_cards, table, waiting


class PrintedWatch(Watch):
    """What the session of a seat that does not scan must not reach of the cards of others."""

    def look(self) -> int:
        scanner = self.ring.charter.scanner
        progress = self.ring.sessions[scanner].history.progress
        seed, group = self.ring.secrets(scanner).seed, self.ring.group
        batches = [each for each in progress.dealing.ledger if isinstance(each, Batch)]
        scans = [card.scan for each in batches for card in each.after if card.scan is not None]
        scans += list(progress.dealing.begun.values())
        own = {scan.origin for scan in scans if scan.to == self.seat}  # what it gave away, too
        foreign = {secrets_of(group, seed, scan.origin)[1] for scan in scans if scan.origin not in own}
        self.strings += sorted(foreign - set(self.strings))
        self.numbers |= {secrets_of(group, seed, scan.sealing)[0] for scan in scans if scan.to != self.seat}
        return super().look()


@pytest.mark.parametrize(("name", "options"), [("go-fish", {"ranks": "5"}), ("casino", {}), ("one-fish", {})])
def test_no_session_but_the_machines_reaches_a_foreign_face(
    name: str, options: dict[str, str], small: Group, shown: set[Any]
) -> None:
    """Every step until the seats open their secrets themselves."""
    ring = table(small, 3, name=name, options=options)
    watches = {seat: PrintedWatch(ring, seat, shown) for seat in (1, 2)}
    steps = dict.fromkeys(watches, -1)
    ring.start()
    looks = 0
    for _ in ring.steps():
        for seat, watch in watches.items():
            session = ring.sessions[seat]
            if session.history.step - steps[seat] < 3 or any(map(is_revealing, ring.sessions)):
                continue
            steps[seat] = session.history.step
            assert watch.look() > 100
            looks += 1
        if looks > 30:
            break
    assert looks > 15


def test_the_watch_sees_a_leak(small: Group, shown: set[Any]) -> None:
    ring = table(small, 3, options=SHORT)
    ring.play_until(lambda: ring.sessions[1].history.step >= 12)
    progress = ring.sessions[0].history.progress
    scan = next(card.scan for card in progress.dealing.cards.values() if card.scan and card.scan.to == 2)
    r, secret = secrets_of(small, ring.secrets(0).seed, scan.origin)
    PrintedWatch(ring, 1, shown).look()
    hand = progress.dealing.own_hand(progress.position, 2, ring.secrets(2))
    for leak in (r, secret, {s: f for s, f in hand.items() if s not in progress.position.table.known}):
        ring.sessions[1].leak = [leak]
        with pytest.raises(AssertionError):
            PrintedWatch(ring, 1, shown).look()


def test_no_face_travels_in_the_clear_before_it_is_shown(small: Group) -> None:
    """Sizes of what is sealed do not depend on the cards."""
    sizes = set()
    for number in range(6):
        ring = waiting(small, salt=bytes([number]), seed=number)
        ring.run(0, ring.sessions[0].scan(ring.now, first_cards(ring)))
        ring.pump()
        step = next(
            step for step, entries in enumerate(ring.sessions[1].history.steps) if len(entries[0].body) > 600
        )
        sizes.add(tuple(len(entry.body) for entry in ring.sessions[1].history.steps[step]))
        frames = [decode_message(data) for _, _, data in ring.sent]
        assert sum(isinstance(frame, EntryFrame) for frame in frames) > 3
    assert len(sizes) == 1
    assert isinstance(ring.pack, Pack)
    assert any(isinstance(what, Happened) for what in ring.told[1])
