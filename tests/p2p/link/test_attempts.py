"""How often a handshake is answered, and to whom."""

from __future__ import annotations

import pytest

from p2p.link import Attempts
from p2p.link import attempts as attempts_module
from p2p.link.attempts import AT_ONCE, PER_SECOND


def test_so_many_at_once_and_then_so_many_a_second() -> None:
    door = Attempts()
    assert sum(door.take("192.0.2.1", 5.0) for _ in range(10 * AT_ONCE)) == AT_ONCE
    later = sum(door.take("192.0.2.1", 5.0 + second / 10) for second in range(1, 601))
    assert later == pytest.approx(60 * PER_SECOND, abs=1)


def test_one_address_takes_nothing_from_another() -> None:
    door = Attempts()
    while door.take("192.0.2.1", 0.0):
        pass
    assert door.take("192.0.2.2", 0.0)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("no address", "no address", True),
    ],
)
def test_what_counts_as_one_address(one: str, other: str, is_same: bool) -> None:
    door = Attempts()
    while door.take(one, 0.0):
        pass
    assert door.take(other, 0.0) != is_same


def test_many_addresses_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts_module, "MOST_KNOWN", 50)
    door = Attempts()
    assert sum(door.take(f"192.0.2.{n}", 0.0) for n in range(200)) == 50
    assert door.take("192.0.2.199", 10.0), "who has been quiet for a while is forgotten"
