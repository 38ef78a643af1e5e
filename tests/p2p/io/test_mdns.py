"""Tables announced and found on the loopback interface, and announcements of strangers."""

import asyncio
import os
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity import Identity
from p2p.io import mdns
from p2p.io.mdns import MAX_LABEL, MAX_TXT, Advert, Advertiser, Browser, browse, read_advert

LOOPBACK = ("127.0.0.1",)
ADA = Identity(b"a" * 32)
GOOD = {"v": "1", "name": "Ada", "game": "go-fish", "seats": "2/4", "id": "ab12", "inst": "00ff00ff"}


Changes = asyncio.Queue[tuple[Advert, ...]]


async def until(condition: Callable[[tuple[Advert, ...]], object], changes: Changes) -> tuple[Advert, ...]:
    """The first list that fits; what the network does takes its own time."""
    async with asyncio.timeout(60):
        while not condition(adverts := await changes.get()):
            pass
    return adverts


def own_of(table: Advertiser) -> Callable[[tuple[Advert, ...]], tuple[Advert, ...]]:
    """Of what is seen on the network, what this table announces."""
    return lambda adverts: tuple(advert for advert in adverts if advert.instance == table.instance)


@pytest.mark.network
async def test_a_table_is_announced_found_updated_and_gone() -> None:
    """Other programs on this machine may announce tables meanwhile, these tests among them: its name is its
    own, and no other table is looked at."""
    changes: Changes = asyncio.Queue()
    zoe = Identity(os.urandom(32))
    table = Advertiser("Zoë's table 🐟", "go-fish", 1, 4, 7467, zoe.public, interfaces=LOOPBACK)
    own = own_of(table)
    browser = Browser(lambda adverts: changes.put_nowait(own(adverts)), interfaces=LOOPBACK)
    try:
        try:
            [found] = await until(len, changes)
            assert (found.name, found.game) == ("Zoë's table 🐟", "go-fish")
            assert (found.seats_taken, found.seats) == (1, 4)
            assert found.addresses == ("127.0.0.1:7467",)
            assert found.id_hint == zoe.public[:2].hex()
            assert not found.is_full
            await table.registered.wait()
            assert table.label == f"Zoë's table 🐟 {found.id_hint} 7467"
            table.update(4)
            await until(lambda adverts: adverts and adverts[0].is_full, changes)
            async with asyncio.timeout(60):  # an answer may be late for one look
                while own(await browse(0.5, interfaces=LOOPBACK)) != own(browser.adverts):
                    pass
        finally:
            await table.close()
        await until(lambda adverts: not adverts, changes)
    finally:
        await browser.close()
    assert (table.reason, browser.reason) == (None, None)
    assert own(browser.adverts) == ()
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.slow
@pytest.mark.network
async def test_a_change_of_this_machines_addresses_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = ["127.0.0.1"]
    monkeypatch.setattr(mdns, "usable_addresses", lambda loopback: tuple(addresses))
    monkeypatch.setattr(mdns, "WATCH_TIME", 0.1)
    changes: Changes = asyncio.Queue()
    table = Advertiser("Ada", "go-fish", 1, 4, 7467, os.urandom(32))
    own = own_of(table)
    browser = Browser(lambda adverts: changes.put_nowait(own(adverts)), interfaces=LOOPBACK)
    try:
        await until(len, changes)
        await table.registered.wait()
        addresses.append("127.0.0.2")
        both = ("127.0.0.1:7467", "127.0.0.2:7467")
        await until(lambda adverts: adverts and adverts[0].addresses == both, changes)
    finally:
        await table.close()
        await browser.close()
    assert table.reason is None


@pytest.mark.slow
@pytest.mark.network
async def test_a_table_that_went_without_a_goodbye_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its records are taken out of the cache here, which two minutes would do."""
    monkeypatch.setattr(mdns, "WATCH_TIME", 0.1)
    monkeypatch.setattr(mdns, "RESOLVE_TIME", 0.3)
    changes: Changes = asyncio.Queue()
    table = Advertiser("Ada", "go-fish", 1, 4, 7467, os.urandom(32), interfaces=LOOPBACK)
    own = own_of(table)
    browser = Browser(lambda adverts: changes.put_nowait(own(adverts)), interfaces=LOOPBACK)
    try:
        await until(len, changes)
        await table.registered.wait()
        assert table._zeroconf is not None
        assert browser._zeroconf is not None
        table._zeroconf.zeroconf.registry.async_remove(table._info)  # silent from now on
        cache = browser._zeroconf.zeroconf.cache
        cache.async_remove_records([each for records in list(cache.cache.values()) for each in list(records)])
        await until(lambda adverts: not adverts, changes)
    finally:
        table.registered.clear()
        await table.close()
        await browser.close()


@pytest.mark.network
async def test_a_table_can_be_closed_before_it_is_announced() -> None:
    table = Advertiser("Ada", "go-fish", 1, 4, 7467, ADA.public, interfaces=LOOPBACK)
    await asyncio.sleep(0.05)
    assert table.label is None
    await table.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


# zeroconf leaves the socket it had opened before the failure to the garbage collector, which says so.
@pytest.mark.filterwarnings("ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.network
async def test_a_failing_network_is_a_sentence_and_nothing_more() -> None:
    nowhere = ("192.0.2.77",)
    table = Advertiser("Ada", "go-fish", 1, 4, 7467, ADA.public, interfaces=nowhere)
    browser = Browser(lambda _: None, interfaces=nowhere)
    await asyncio.wait([table._task, *browser._tasks], timeout=60)
    assert table.reason is not None
    assert browser.reason is not None
    assert table.reason.startswith("Other players do not see this table by itself (")
    assert browser.reason.endswith("join by address instead.")
    assert browser.adverts == ()
    table.update(2)
    await table.close()
    await browser.close()


@pytest.mark.network
async def test_without_any_address_there_is_a_reason_until_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own: list[str] = []
    monkeypatch.setattr(mdns, "usable_addresses", lambda loopback: tuple(own))
    monkeypatch.setattr(mdns, "WATCH_TIME", 0.1)
    table = Advertiser("Ada", "go-fish", 1, 4, 7467, ADA.public)

    async def becomes(silent: bool) -> None:
        while (table.reason is not None) is not silent:  # noqa: ASYNC110  # it announces no such change
            await asyncio.sleep(0.05)

    try:
        async with asyncio.timeout(60):
            await becomes(True)
            assert "this machine is on no network" in (table.reason or "")
            assert not table.registered.is_set()
            own.append("127.0.0.1")
            await table.registered.wait()
            await becomes(False)
            own.clear()
            await becomes(True)
            own.append("127.0.0.1")
            await becomes(False)
    finally:
        await table.close()


async def test_a_name_that_does_not_fit_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="too long"):
        Advertiser("x" * 33, "go-fish", 1, 4, 7467, ADA.public, interfaces=LOOPBACK)


def test_the_longest_name_fits_record_and_label() -> None:
    advert = Advert("🐟" * 32, "discount-salmon", 10, 10, (), "ab12", "00ff00ff", "any")
    assert sum(1 + len(f"{key}={value}".encode()) for key, value in mdns._txt(advert).items()) <= MAX_TXT
    label = mdns._label(advert, 65535)
    assert len(label.encode()) <= MAX_LABEL - len("-99")
    assert label.endswith(" ab12 65535")


@pytest.mark.parametrize(
    ("sign", "who"), [("a", "any"), ("k", "known"), (None, "none"), ("", "none"), ("z", "none")]
)
def test_a_record_says_who_may_watch(sign: str | None, who: str) -> None:
    advert = read_advert({**GOOD, "w": sign}, ["192.168.1.2"], 7467)
    assert advert is not None
    assert advert.watchers == who
    told = mdns._txt(advert).get("w")
    assert told == (sign if who != "none" else None)


def test_a_good_record_is_read() -> None:
    advert = read_advert(GOOD, ["192.168.1.2", "fe80::1"], 7467)
    assert advert == Advert(
        "Ada", "go-fish", 2, 4, ("192.168.1.2:7467", "[fe80::1]:7467"), "ab12", "00ff00ff"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"v": "2"},
        {"v": None},
        {"name": ""},
        {"name": "Ada\x1b[2J"},
        {"name": "x" * 33},
        {"name": "A\u202eda"},
        {"game": ""},
        {"game": "x" * 33},
        {"game": "go\nfish"},
        {"game": "gö"},
        {"seats": "2"},
        {"seats": "2/"},
        {"seats": "-1/4"},
        {"seats": "2/100"},
        {"seats": "2/4/6"},
        {"seats": "٢/4"},
        {"id": "x" * 33},
        {"inst": None},
    ],
)
def test_nonsense_of_strangers_is_left_out(change: dict[str, str | None]) -> None:
    assert read_advert({**GOOD, **change}, ["192.168.1.2"], 7467) is None


@pytest.mark.parametrize("port", [None, 0, 65536])
def test_a_table_without_a_port_is_left_out(port: int | None) -> None:
    assert read_advert(GOOD, ["192.168.1.2"], port) is None


@given(st.dictionaries(st.sampled_from(sorted(GOOD)), st.none() | st.text(max_size=40)))
def test_any_record_is_read_or_left_out(record: dict[str, str | None]) -> None:
    advert = read_advert({**GOOD, **record}, [], 7467)
    assert advert is None or advert.name.isprintable()
