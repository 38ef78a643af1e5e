"""Records that were edited after the game, with every checksum made right again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

import msgspec

from ..deal import PeerFault
from ..log.entry import Entry, sign_entry
from ..log.record import ClosingRecord, EntryRecord, read_records, write_game, write_records
from ..session.history import History
from ..verify import verify
from .base import ATTACKER, Attack, End, Result, Scene
from .games import ALL
from .judging import result
from .table import AttackedTable


@lru_cache(maxsize=8)
def _played(game: str, group: Any, options: tuple[tuple[str, str], ...], seed: int) -> AttackedTable:
    """An honest game to its end; read only."""
    attack = Attack("none", "", "", {game: dict(options)}, lambda _scene: None)
    table = AttackedTable(Scene(attack, game, group, seed), {})
    table.begin()
    table.run_until(lambda: table.is_over)
    return table


def honest_game(scene: Scene) -> AttackedTable:
    """An honest game to its end; read only."""
    return _played(scene.game, scene.group, tuple(sorted(scene.options.items())), scene.seed)


Edit = Callable[[AttackedTable, bytes], bytes | None]
"""The edited record from the table and the true one."""


def _edited(edit: Edit, scene: Scene) -> Result | None:
    table = honest_game(scene)
    true = table.session(0).record()
    false = edit(table, true)
    if false is None or false == true:
        return None
    found = verify(false, lambda _id: table.rules, table.group)
    cheated = found.verdict == "cheated"
    end = End.NAMED if cheated else End.REFUSED if found.verdict == "damaged" else End.WORKS
    is_right = not cheated or found.seat == ATTACKER
    return result(
        scene,
        end,
        step=found.step,
        blamed=found.seat,
        blamed_by_all=cheated and is_right,
        verify_convinced=found.verdict != "sound",
        said=found.reason,
        is_right=is_right,
    )


def _entries(change: Callable[[AttackedTable, list[Entry]], list[Entry] | None]) -> Edit:
    def edit(table: AttackedTable, true: bytes) -> bytes | None:
        history = table.session(0).history
        entries = change(table, list(history.entries))
        if entries is None:
            return None
        certificates = history.certificates.values()
        return write_game(table.charter, entries, history.head, "finished", certificates=certificates)

    return edit


def _closing(change: Callable[[ClosingRecord], ClosingRecord]) -> Edit:
    def edit(table: AttackedTable, true: bytes) -> bytes | None:
        *records, last = read_records(true)
        assert isinstance(last, ClosingRecord)
        return write_records([*records, change(last)])

    return edit


def _signed(table: AttackedTable, entry: Entry, head: bytes, body: bytes) -> Entry:
    identity, table_id = table.seats[entry.seat].identity, table.charter.table_id
    return sign_entry(identity, table_id, entry.epoch, entry.step, entry.seat, head, body)


def _changed(table: AttackedTable, entries: list[Entry]) -> list[Entry]:
    """One bit of an honest seat's contribution."""
    at = next(n for n, entry in enumerate(entries) if entry.seat != ATTACKER and entry.step > 6)
    body = entries[at].body
    entries[at] = msgspec.structs.replace(
        entries[at], body=bytes([body[0]]) + body[1:-1] + bytes([body[-1] ^ 1])
    )
    return entries


def _resigned(table: AttackedTable, entries: list[Entry]) -> list[Entry] | None:
    """One of its own contributions changed and signed again: the first that others would not accept so."""
    history = History(table.charter, table.rules, table.group)
    for step in table.session(0).history.steps:
        own = [entry for entry in step if entry.seat == ATTACKER]
        if own and history.step > 2:
            body = own[0].body[:-1] + bytes([own[0].body[-1] ^ 1])
            false = _signed(table, own[0], history.head, body)
            try:
                history.check(false)
            except PeerFault:
                return [false if entry is own[0] else entry for entry in entries]
        certificate = table.session(0).history.certificates.get(history.step)
        passed = {entry.seat: history.check(entry) for entry in step}
        history.complete({entry.seat: entry for entry in step}, passed, certificate)
    return None


def _dropped(table: AttackedTable, entries: list[Entry]) -> list[Entry]:
    """A contribution left out."""
    del entries[len(entries) // 2]
    return entries


def _without_end(table: AttackedTable, true: bytes) -> bytes:
    """The last steps cut off, so that a lost game looks unfinished, and called finished all the same."""
    history = table.session(0).history
    kept = [entry for entry in history.entries if entry.step < 6]
    return write_game(table.charter, kept, history.heads[6], "finished")


def _unclosed(table: AttackedTable, true: bytes) -> bytes:
    return write_records(read_records(true)[:-1])


def _twisted(table: AttackedTable, true: bytes) -> bytes:
    """Two contributions in each other's place."""
    records = read_records(true)
    at = [n for n, record in enumerate(records) if isinstance(record, EntryRecord)][-2:]
    records[at[0]], records[at[1]] = records[at[1]], records[at[0]]
    return write_records(records)


def _bit(table: AttackedTable, true: bytes) -> bytes:
    middle = len(true) // 2
    return true[:middle] + bytes([true[middle] ^ 1]) + true[middle + 1 :]


def _other_charter(table: AttackedTable, true: bytes) -> bytes:
    """Other names in the seats, so that another one has won."""
    history, seats = table.session(0).history, table.charter.seats
    first, second = seats[0], seats[1]
    swapped = (
        msgspec.structs.replace(first, name=second.name),
        msgspec.structs.replace(second, name=first.name),
        *seats[2:],
    )
    charter = msgspec.structs.replace(table.charter, seats=swapped)
    certificates = history.certificates.values()
    return write_game(charter, history.entries, history.head, "finished", certificates=certificates)


def _framed(table: AttackedTable, true: bytes) -> bytes:
    """A contribution that an honest seat really made, called evidence against it."""
    history = table.session(0).history
    return write_game(
        table.charter,
        history.entries,
        history.head,
        "cheated",
        rejected=history.steps[0][:1],
        certificates=history.certificates.values(),
    )


def _file(name: str, tries: str, edit: Edit, end: End = End.REFUSED) -> Attack:
    return Attack(f"file-{name}", tries, "CHEATS 40", ALL, partial(_edited, edit), end)


ATTACKS: Final = (
    _file("bit", "Changes one bit of the record.", _bit),
    _file("changed", "Changes what another player did, with all checksums made right.", _entries(_changed)),
    _file("re-signed", "Changes what it did itself and signs it again.", _entries(_resigned), End.NAMED),
    _file("dropped", "Leaves a contribution out.", _entries(_dropped)),
    _file("reordered", "Puts two contributions in each other's place.", _twisted),
    _file("cut", "Cuts the end off and calls the game finished.", _without_end),
    _file("unclosed", "Leaves the closing record out.", _unclosed),
    _file("other-names", "Swaps the names of winner and loser.", _other_charter),
    _file(
        "called-stopped",
        "Calls a game that was lost a stopped one.",
        _closing(lambda last: msgspec.structs.replace(last, reason="stopped")),
    ),
    _file(
        "other-head",
        "Names another end of the history.",
        _closing(lambda last: msgspec.structs.replace(last, head=bytes(32))),
    ),
    _file("frames-another", "Calls a true contribution of another player a cheat.", _framed),
)
