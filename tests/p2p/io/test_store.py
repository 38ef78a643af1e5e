"""The store: what it gives back, what it refuses, and what survives."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.identity import Identity
from p2p.io import database
from p2p.io.store import (
    FILE_NAME,
    Row,
    SecretsLost,
    StatementRow,
    Store,
    StoreBusy,
    StoreConflict,
    StoreDamaged,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
    UnknownGame,
)
from p2p.link import BadName, KnownPlayer

ROOT = Path(__file__).resolve().parents[3]
TABLE, OTHER = b"t" * 32, b"u" * 32
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def row(step: int, author: int = 0, body: bytes = b"body", signature: bytes = b"s" * 64) -> Row:
    return (0, step, author, body, signature)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "shoal") as it:
        yield it


@pytest.fixture
def game(store: Store) -> Store:
    store.create_game(TABLE, 1, b"charter", b"secret", {"game": "go-fish", "players": ["Ada", "Ben"]})
    return store


# --- identities and players


def test_identities_come_back_and_the_first_is_the_players_own(store: Store) -> None:
    assert store.identity() is None
    made = store.create_identity(b"a" * 32, "Ada")
    store.create_identity(b"b" * 32, "Bot")
    first, second = store.identity(), store.identity("Bot")
    assert first is not None
    assert second is not None
    assert first.public == made.public == Identity(b"a" * 32).public
    assert second.public == Identity(b"b" * 32).public
    assert store.identity("Cleo") is None
    assert store.identity_names() == ("Ada", "Bot")


def test_an_identity_is_never_overwritten(store: Store) -> None:
    store.create_identity(b"a" * 32, "Ada")
    with pytest.raises(StoreConflict, match="An identity called 'Ada' is already stored"):
        store.create_identity(b"b" * 32, " Ada")
    with pytest.raises(BadName):
        store.create_identity(b"b" * 32, "A\nda")
    assert store.identity_names() == ("Ada",)


def test_known_players_are_kept_renamed_and_forgotten(store: Store) -> None:
    ada, ben = KnownPlayer("Ada", b"a" * 32, 7), KnownPlayer("Ben", b"b" * 32, 8, verified=True)
    store.remember(ben)
    store.remember(ada)
    assert store.players() == (ada, ben)
    store.rename(ada.public, "Zoe")
    store.forget(ben.public)
    assert store.players() == (KnownPlayer("Zoe", ada.public, 7),)


def test_a_player_met_again_keeps_name_and_date_and_stays_verified(store: Store) -> None:
    store.remember(KnownPlayer("Ada", b"a" * 32, 7, verified=True))
    kept = store.remember(KnownPlayer("Adele", b"a" * 32, 99))
    assert kept == KnownPlayer("Ada", b"a" * 32, 7, verified=True)
    assert store.players() == (kept,)


def test_a_petname_belongs_to_one_key(store: Store) -> None:
    store.remember(KnownPlayer("Ada", b"a" * 32, 7))
    store.remember(KnownPlayer("Ben", b"b" * 32, 7))
    with pytest.raises(StoreConflict, match="Another player called 'Ada'"):
        store.remember(KnownPlayer("ADA", b"x" * 32, 7))
    with pytest.raises(StoreConflict, match="Another player called 'Ada'"):
        store.rename(b"b" * 32, "ada")
    store.rename(b"a" * 32, "ADA")


# --- games


def test_a_game_comes_back(game: Store) -> None:
    [saved] = game.games()
    assert (saved.table_id, saved.seat, saved.charter, saved.state) == (TABLE, 1, b"charter", "running")
    assert saved.meta == {"game": "go-fish", "players": ["Ada", "Ben"]}
    assert saved.started <= saved.active
    assert game.secrets(TABLE, 1) == b"secret"
    assert game.entries(TABLE, 1) == ()


def test_several_seats_of_one_table_are_kept_apart(game: Store) -> None:
    game.create_game(TABLE, 2, b"charter", b"other secret", {})
    game.create_game(OTHER, 1, b"charter", b"third secret", {})
    game.append(TABLE, 2, [row(0)])
    assert len(game.games()) == 3
    assert game.entries(TABLE, 1) == game.entries(OTHER, 1) == ()
    assert game.secrets(TABLE, 2) == b"other secret"
    with pytest.raises(StoreConflict, match="This game"):
        game.create_game(TABLE, 1, b"charter", b"another", {})
    assert game.secrets(TABLE, 1) == b"secret"


def test_contributions_come_back_in_the_order_of_storing(game: Store) -> None:
    rows = [row(0, 1), row(0, 0), row(2, 0), (1, 1, 3, b"\x00" * 70_000, b"z")]
    game.append(TABLE, 1, rows[:2], b"secret after")
    game.append(TABLE, 1, rows[2:])
    assert game.entries(TABLE, 1) == tuple(rows)
    assert game.secrets(TABLE, 1) == b"secret after"


def test_no_contribution_is_ever_replaced(game: Store) -> None:
    game.append(TABLE, 1, [row(0)])
    with pytest.raises(StoreConflict, match="A contribution of seat 0 to step 0 is already stored"):
        game.append(TABLE, 1, [row(1), row(0, body=b"another")], b"new secret")
    assert game.entries(TABLE, 1) == (row(0),)
    assert game.secrets(TABLE, 1) == b"secret"
    with pytest.raises(StoreConflict):
        game.append(TABLE, 1, [row(5, body=b"one"), row(5, body=b"two")])
    assert game.entries(TABLE, 1) == (row(0),)


def test_the_same_contribution_may_come_twice(game: Store) -> None:
    game.append(TABLE, 1, [row(0)])
    game.append(TABLE, 1, [row(0, signature=b"other"), row(1)])
    assert game.entries(TABLE, 1) == (row(0), row(1))


def test_how_a_game_stands_is_noted(game: Store) -> None:
    game.finish(TABLE, 1, "paused")
    assert game.games()[0].state == "paused"
    game.finish(TABLE, 1)
    assert game.games()[0].state == "finished"
    with pytest.raises(ValueError, match="not lost"):
        game.finish(TABLE, 1, "lost")


@pytest.mark.parametrize("seat", [0, 2])
def test_a_game_that_is_not_there_is_told(game: Store, seat: int) -> None:
    for call in (
        lambda: game.append(TABLE, seat, [row(0)]),
        lambda: game.secrets(TABLE, seat),
        lambda: game.finish(TABLE, seat),
        lambda: game.delete_secrets(TABLE, seat),
    ):
        with pytest.raises(UnknownGame, match="shoal games"):
            call()


def test_deleted_secrets_are_in_no_file_any_more(store: Store) -> None:
    secret = b"CORRECT-HORSE-" * 1000  # longer than a page
    for seat in range(3):
        store.create_game(TABLE, seat, b"charter", b"%d" % seat + secret, {})
    store.append(TABLE, 1, [row(0)], b"second " + secret)
    for seat in range(3):
        store.delete_secrets(TABLE, seat)
        with pytest.raises(SecretsLost):
            store.secrets(TABLE, seat)
    files = [file for file in store.path.parent.rglob("*") if file.is_file()]
    assert files
    assert not any(b"CORRECT-HORSE" in file.read_bytes() for file in files)
    assert store.entries(TABLE, 1) == (row(0),)


def test_threads_may_share_a_store(game: Store) -> None:
    def append(author: int) -> None:
        for step in range(20):
            game.append(TABLE, 1, [row(step, author)])

    threads = [threading.Thread(target=append, args=(author,)) for author in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(game.entries(TABLE, 1)) == 80


def test_nothing_secret_is_shown(store: Store) -> None:
    store.create_identity(b"q" * 32, "Ada")
    store.create_game(TABLE, 0, b"charter", b"TOP-SECRET", {})
    assert "TOP-SECRET" not in repr(store.games())
    with pytest.raises(StoreConflict) as caught:
        store.create_game(TABLE, 0, b"charter", b"TOP-SECRET", {})
    assert "TOP-SECRET" not in str(caught.value) + repr(caught.value)


# --- files


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Store.open(tmp_path / "a" / "b") as store:
            store.create_identity(b"a" * 32, "Ada")
            files = list(store.path.parent.rglob("*"))
            modes = {stat.S_IMODE(file.stat().st_mode) for file in files if file.is_file()}
            folders = {stat.S_IMODE(file.stat().st_mode) for file in files if file.is_dir()}
    finally:
        os.umask(before)
    assert modes == {0o600}
    assert folders == {0o700}
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_loose_modes_are_tightened(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    tmp_path.chmod(0o755)
    (tmp_path / FILE_NAME).chmod(0o644)
    Store.open(tmp_path).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def test_commits_wait_for_the_disk(store: Store) -> None:
    assert store._read("PRAGMA journal_mode") == [("wal",)]
    assert store._read("PRAGMA synchronous") == [(2,)]
    assert store._read("PRAGMA secure_delete") == [(1,)]


def test_a_store_is_opened_again(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.create_game(TABLE, 1, b"charter", b"secret", {"a": [1]})
        store.append(TABLE, 1, [row(0)])
    with Store.open(tmp_path) as store:
        store.check()
        assert store.entries(TABLE, 1) == (row(0),)


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute(f"PRAGMA user_version = {database.SCHEMA_VERSION + 1}")
    connection.close()
    with pytest.raises(StoreTooNew, match="update this one"):
        Store.open(tmp_path)


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"my holiday pictures" * 1000)
    with pytest.raises(StoreDamaged, match="is damaged"):
        Store.open(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes().startswith(b"my holiday")


def test_a_store_with_overwritten_pages(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.create_game(TABLE, 1, b"charter", b"secret", {})
        store.append(TABLE, 1, [row(step, body=bytes(3000)) for step in range(50)])
    content = bytearray((tmp_path / FILE_NAME).read_bytes())
    content[4096 * 8 :] = b"\xa5" * (len(content) - 4096 * 8)
    (tmp_path / FILE_NAME).write_bytes(content)
    with Store.open(tmp_path) as store, pytest.raises(StoreDamaged):
        store.check()
    with Store.open(tmp_path) as store, pytest.raises(StoreDamaged):
        store.entries(TABLE, 1)


def test_a_store_that_another_program_holds(game: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIME", 0.05)
    other = sqlite3.connect(game.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="Another program keeps"):
        Store.open(game.path.parent)
    other.execute("ROLLBACK")
    other.close()
    with Store.open(game.path.parent) as again:
        again.append(TABLE, 1, [row(0)])
    assert game.entries(TABLE, 1) == (row(0),)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreReadOnly, match="check the permissions"):
        Store.open(tmp_path / "file" / "shoal")


@pytest.mark.skipif(IS_ROOT or os.name != "posix", reason="root may write everywhere")
def test_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreReadOnly):
            Store.open(tmp_path)
    finally:
        tmp_path.chmod(0o700)


# --- crashes and full disks

CHILD = """
import sys
from pathlib import Path
from p2p.io.store import Store
store = Store.open(Path(sys.argv[1]))
first = len(store.entries(b"t" * 32, 1)) // 2
for step in range(first, first + 100_000):
    rows = [(0, step, seat, bytes([step % 251]) * 3000, b"s" * 64) for seat in (0, 1)]
    store.append(b"t" * 32, 1, rows, b"%d" % step)
    print(step, flush=True)
"""


def test_what_was_reported_durable_survives_kill_9(tmp_path: Path) -> None:
    """Three times a child is killed in the midst of its appends, at another point each time."""
    with Store.open(tmp_path) as store:
        store.create_game(TABLE, 1, b"charter", b"", {})
    reported = -1
    for lines in (3, 17, 40):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        for _ in range(lines):
            reported = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read().split()
        child.wait()
        child.stdout.close()
        reported = int(rest[-1]) if rest else reported
        with Store.open(tmp_path) as store:
            store.check()
            rows = store.entries(TABLE, 1)
            steps = sorted({step for _, step, _, _, _ in rows})
            assert steps[: reported + 1] == list(range(reported + 1))
            assert len(rows) == 2 * len(steps)  # both of a transaction or none
            assert all(body == bytes([step % 251]) * 3000 for _, step, _, body, _ in rows)
            assert int(store.secrets(TABLE, 1)) == steps[-1]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    if not IS_ROOT or sys.platform != "linux":
        pytest.skip("mounting a small file system needs root on Linux: the full disk is NOT tested here")
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"no small file system ({mounted.stderr.strip()}): the full disk is NOT tested here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(store: Store) -> int:
    """Append until the disk is full; the number of contributions that were stored."""
    for step in range(100):
        try:
            store.append(TABLE, 1, [row(step, body=bytes(20_000))], b"%d" % step)
        except StoreFull:
            return step
    raise AssertionError("a megabyte held two")


def test_a_full_disk_loses_nothing_and_the_program_can_go_on(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(300_000))
    with Store.open(small_disk / "shoal") as store:
        store.create_game(TABLE, 1, b"charter", b"secret", {})
        stored = fill(store)
        assert stored > 0
        assert len(store.entries(TABLE, 1)) == stored
        with pytest.raises(StoreFull, match="free some space and go on"):
            store.append(TABLE, 1, [row(stored, body=bytes(20_000))])
        ballast.unlink()
        store.append(TABLE, 1, [row(stored, body=bytes(20_000))], b"%d" % stored)
        store.check()
    with Store.open(small_disk / "shoal") as store:
        assert [step for _, step, _, _, _ in store.entries(TABLE, 1)] == list(range(stored + 1))
        assert int(store.secrets(TABLE, 1)) == stored


def test_no_room_for_a_new_store(small_disk: Path) -> None:
    (small_disk / "ballast").write_bytes(bytes(1_040_000))
    with pytest.raises(StoreFull):
        Store.open(small_disk / "shoal")


# --- races


def said(author: int, have: bool = False, purpose: str = "skip") -> StatementRow:
    return (0, 7, 2, purpose, author, have, b"s" * 64)


def test_statements_and_the_committed_deed_come_back(game: Store) -> None:
    assert game.statements(TABLE, 1) == ()
    assert game.committed(TABLE, 1) is None
    game.append(TABLE, 1, [row(7, 1)], statements=[said(0), said(1, have=True)], committed=(0, 7, b"wait"))
    game.append(TABLE, 1, [], statements=[said(0)], committed=(0, 9, b"play"))
    assert game.statements(TABLE, 1) == (said(0), said(1, have=True))
    assert game.committed(TABLE, 1) == (0, 9, b"play")
    game.append(TABLE, 1, [row(8)])
    assert game.committed(TABLE, 1) == (0, 9, b"play"), "stays until the next commitment"
    game.delete_secrets(TABLE, 1)
    assert game.committed(TABLE, 1) is None
    assert len(game.statements(TABLE, 1)) == 2


def test_a_second_differing_statement_is_refused_and_nothing_of_it_stored(game: Store) -> None:
    game.append(TABLE, 1, [], statements=[said(1)])
    for other in (said(1, have=True), said(1, purpose="departure")):
        with pytest.raises(StoreConflict):
            game.append(TABLE, 1, [row(7, 1)], statements=[other], committed=(0, 7, b"wait"))
    assert game.statements(TABLE, 1) == (said(1),)
    assert game.entries(TABLE, 1) == ()
    assert game.committed(TABLE, 1) is None


def test_a_store_of_the_first_version_is_kept_and_brought_up_to_date(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.create_game(TABLE, 1, b"charter", b"secret", {})
        store.append(TABLE, 1, [row(0)])
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.executescript("DROP TABLE statements; DROP TABLE committed; PRAGMA user_version = 1;")
    connection.close()
    with Store.open(tmp_path) as store:
        assert store.entries(TABLE, 1) == (row(0),)
        store.append(TABLE, 1, [], statements=[said(0)], committed=(0, 7, b"wait"))
        assert store.statements(TABLE, 1) == (said(0),)
