"""A table with a printed deck: whole games, what is told, and the charter."""

from __future__ import annotations

import msgspec
import pytest

from p2p.log import (
    Malformed,
    PrintedCharter,
    decode_charter,
    encode,
)
from p2p.sealed import Group
from p2p.session import (
    CutWanted,
    PrintedTable,
    ScanRefused,
    ScanWanted,
)
from p2p.session.setup import HostSetup, SetupError
from tests.p2p.harness import TINY, Ring
from tests.p2p.session.printed_tables import SOME, finish, table

GAMES: list[tuple[str, int, int, dict[str, str]]] = [
    ("go-fish", 2, 0, {"ranks": "7"}),
    ("go-fish", 2, 1, {"give_amount": "one", "ranks": "6"}),
    ("go-fish", 6, 3, {"ranks": "8"}),
    ("one-fish", 2, 1, {}),
    ("one-fish", 6, 0, {}),
    ("casino", 3, 2, {}),
    ("casino", 6, 0, {}),
    ("discount-salmon", 2, 0, {}),
    ("discount-salmon", 5, 1, {}),
    ("discount-salmon", 2, 1, {"pace": "turns"}),
    ("discount-salmon", 5, 0, {"pace": "turns"}),
]


@pytest.mark.parametrize(("name", "seats", "scanner", "options"), GAMES)
def test_a_whole_game_is_played_and_sound(
    name: str, seats: int, scanner: int, options: dict[str, str], small: Group
) -> None:
    ring = table(small, seats, scanner, name, options=options, seed=seats)
    ring.start()
    finish(ring)
    checks = ring.verdict(scanner).checks
    assert checks["scans"] > 0
    assert checks["cuts"] >= 2 * seats
    assert "shares" not in checks
    assert "shuffles" not in checks


def test_a_whole_game_in_the_real_group(real: Group) -> None:
    ring = table(real, 3, options=SOME)
    ring.start()
    finish(ring)


# --- what is told ---------------------------------------------------------------------------------------


def test_each_seat_is_told_what_is_trusted_and_where_to_cut_and_one_is_asked_to_scan(small: Group) -> None:
    ring = table(small, 3, 1, options=SOME)
    ring.play()
    for seat, told in enumerate(ring.told):
        assert told[0] == PrintedTable(1)
        cuts = [what for what in told if isinstance(what, CutWanted)]
        assert len(cuts) == 1
        assert (cuts[0].zone, cuts[0].of) == ("stock", 12)
        assert 0 <= cuts[0].at < 12
        asked = [what for what in told if isinstance(what, ScanWanted)]
        assert bool(asked) == (seat == 1)
    asked = [what for what in ring.told[1] if isinstance(what, ScanWanted)]
    assert [seat for _, seat in asked[0].draws] == [0, 1, 2, 0, 1, 2] or len(asked[0].draws) == 6
    assert all(b.draws == () for b in asked[1::2])


def test_a_sealed_table_tells_of_no_printed_cards(small: Group) -> None:
    ring = Ring(small, 2, options=TINY)
    ring.play()
    printed = PrintedTable | CutWanted | ScanWanted
    assert not [what for told in ring.told for what in told if isinstance(what, printed)]
    with pytest.raises(ScanRefused):
        Ring(small, 2, options=TINY).sessions[0].scan(0.0, (("3", "C"),))


def test_an_unfinished_game_is_sound_as_far_as_it_goes(small: Group) -> None:
    ring = table(small, 3, options=SOME)
    ring.start()
    for _ in ring.steps():
        report = ring.verdict(1)
        assert report.verdict == "sound", report.reason
        if ring.sessions[1].history.step > 14:
            break
    assert not ring.verdict(1).finished


# --- the charter ----------------------------------------------------------------------------------------


def test_printed_cards_need_a_reveal_and_a_seat(small: Group) -> None:
    charter = table(small, 3, options=SOME).charter
    assert isinstance(charter, PrintedCharter)
    assert decode_charter(encode(charter)) == charter
    assert (charter.dealing, charter.scanner) == ("printed", 0)
    for change in ({"reveal": "never"}, {"scanner": 3}, {"scanner": -1}, {"dealing": "sealed"}):
        false = msgspec.structs.replace(charter, **change)
        with pytest.raises(Malformed):
            decode_charter(encode(false))
        assert false.table_id != charter.table_id
    with pytest.raises(SetupError, match="revealed at the end"):
        HostSetup("go-fish", {}, 2, "never", bytes(32), "Ann", (), bytes(32), 0)
