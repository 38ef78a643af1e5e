"""Peers that send what they should not: bounded in memory and on the screen, and never the end of a table."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from cli.bench_seat import admit_all
from cli.prompt import PromptConsole
from cli.typed import MAX_LINE
from engine.registry import game
from p2p.identity import Identity
from p2p.io import admission, lobby
from p2p.io import link as link_module
from p2p.io import links as links_module
from p2p.io import table as table_module
from p2p.io.link import Link, Wire
from p2p.io.lobby import Applicant, Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Broken, Table
from p2p.io.tcp import dial
from p2p.io.tls import client_context
from p2p.io.work import WorkPool
from p2p.link import LinkError
from p2p.log.codec import encode
from p2p.log.wire import Chat, Pause, encode_message
from p2p.session import Paused, Talk
from p2p.session.setup import Join, Opening, Roster, Seated, SetupError, decode_setup
from tests.p2p.io.open_tables import proved

GROUP = load_group()
ROOT = Path(__file__).parents[2]
SHOAL = f"{shlex.quote(sys.executable)} -m cli"
SMALL = "--bots 1 --set ranks=3 --set suits=2 --set book_size=2 --set hand_size=2"
"""A game of some six cards, over within a second."""

LIMIT = 120.0
"""Seconds that anything here may take on a busy machine."""


async def _node(name: str) -> Node:
    return await Node.open(Identity(os.urandom(32)), name, host="127.0.0.1")


@asynccontextmanager
async def _seat_and_peer(folder: Path) -> AsyncIterator[tuple[Table, Link]]:
    """A seat at work, and the link of its only peer, over which a test sends what it likes."""
    host, peer = await _node("Ann"), await _node("Mal")
    hosting = Hosting(
        host, Offer("go-fish", {}, 2), game("go-fish"), admit=admit_all, on_roster=lambda _: None
    )
    agreed, _ = await asyncio.gather(
        hosting.gather(), join(peer, host.addresses, game, GROUP, on_roster=lambda _: None)
    )
    ((_, link),) = peer.take_links()
    async with WorkPool(1) as pool:
        with Store.open(folder) as store:
            table = await Table.sit(host, agreed, os.urandom(32), game("go-fish"), store, pool, GROUP)
            yield table, link
            await table.close()
    await link.close()
    await host.close()
    await peer.close()


@asynccontextmanager
async def _lobby(
    admit: object = admit_all, seats: int = 2
) -> AsyncIterator[tuple[Node, asyncio.Task[object], list[str]]]:
    """A table that waits for guests, and what its host hears of links that are turned away."""
    host = await _node("Ann")
    refused: list[str] = []
    hosting = Hosting(
        host,
        Offer("go-fish", {}, seats),
        game("go-fish"),
        admit=admit,
        on_roster=lambda _: None,
        on_refused=lambda _address, reason: refused.append(reason),
    )
    gathering: asyncio.Task[object] = asyncio.create_task(hosting.gather())
    try:
        yield host, gathering, refused
    finally:
        gathering.cancel()
        await asyncio.gather(gathering, return_exceptions=True)
        await host.close()


async def _next_of(link: Link) -> bytes | None:
    async with asyncio.timeout(LIMIT):
        async for frame in link:
            return frame
    return None


# --- addresses --------------------------------------------------------------------------------------------

BAD_ADDRESSES = [
    "x" * 5000 + ":80",
    "a\0b:80",
    "..:80",
    "a..b:80",
    "é" * 100 + ":80",
    "\ud800:80",
    "\x1b[31m:80",
    "ada:000001" + "9" * 5000,
    "ada:0000019999999",
]


@pytest.mark.parametrize("address", BAD_ADDRESSES, ids=range(len(BAD_ADDRESSES)))
async def test_no_text_of_a_peer_breaks_who_dials_it(address: str) -> None:
    """The resolver raises UnicodeError and ValueError for some texts; to a dialler they are bad addresses."""
    with pytest.raises(LinkError) as told:
        await dial(Identity(os.urandom(32)), [address])
    assert len(str(told.value)) < 200
    assert str(told.value).isprintable()


async def test_the_host_does_not_pass_on_what_nobody_can_dial() -> None:
    async with _lobby() as (host, gathering, _):
        link = await dial(Identity(os.urandom(32)), host.addresses)
        await link.send(encode(Join("Mal", bytes(32), ("nowhere",))))
        answer = await _next_of(link)
        assert answer is not None
        assert "is not an address" in decode_setup(answer).reason
        assert not gathering.done()
        await link.close()


# --- the lobby --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no message of Shoal"),
        (b"garbage", "no message of Shoal"),
        (encode(Join("x" * 300, bytes(32), ())), "no message of Shoal"),
        (encode(Opening(bytes(32))), "something else than an application"),
    ],
)
async def test_a_guest_that_sends_something_else_is_told_to_the_host(data: bytes, said: str) -> None:
    async with _lobby() as (host, gathering, refused):
        link = await dial(Identity(os.urandom(32)), host.addresses)
        await link.send(data)
        assert await _next_of(link) is None
        await link.close()
        assert len(refused) == 1
        assert said in refused[0]
        assert not gathering.done()


@pytest.mark.parametrize("name", ["\x1b[2J", "Ann\nSOUND: nobody lied", "\u202eAnn", "x" * 5000, ""])
async def test_a_host_shows_its_guests_no_name_that_does_something(name: str) -> None:
    host, guest = await _node("Mal"), await _node("Ann")
    told: list[object] = []
    joining = asyncio.create_task(join(guest, host.addresses, game, GROUP, on_roster=told.append))
    link = await host.arrivals.get()
    assert await _next_of(link) is not None
    await link.send(encode(Roster("go-fish", (), 2, (Seated(bytes(32), name, False),))))
    with pytest.raises(SetupError, match="no message of Shoal"):
        await asyncio.wait_for(joining, LIMIT)
    assert not told
    for each in (host, guest):
        await each.close()


async def test_a_link_that_never_applies_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "APPLY_TIME", 0.1)
    async with _lobby() as (host, gathering, refused):
        link = await dial(Identity(os.urandom(32)), host.addresses)
        assert await _next_of(link) is None
        await link.close()
        assert refused == ["The program there connected and then said nothing."]
        assert not gathering.done()


async def test_links_without_a_seat_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MAX_APPLICANTS", 3)
    async with _lobby() as (host, _, _):
        links = [await dial(Identity(os.urandom(32)), host.addresses) for _ in range(4)]
        assert await _next_of(links[3]) is None
        assert [link.reason for link in links[:3]] == [None] * 3
        await links[0].close()
        answer = None
        async with asyncio.timeout(LIMIT):
            while answer is None:  # until the host has seen that one has gone
                links.append(await dial(Identity(os.urandom(32)), host.addresses))
                await links[-1].send(encode(Join("Ben", bytes(32), ())))
                answer = await _next_of(links[-1])
        for link in links:
            await link.close()


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has the whole of 127/8 on its loopback interface"
)
async def test_one_address_does_not_crowd_out_the_others_at_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MAX_APPLICANTS_PER_ADDRESS", 3)
    async with _lobby() as (host, gathering, _):
        wires = [await _from_elsewhere("127.0.0.9", host.port) for _ in range(4)]
        async with asyncio.timeout(LIMIT):
            while (content := await wires[3].read()) and content[:1] != b"\2":
                pass
        ben = await _node("Ben")
        await asyncio.wait_for(join(ben, host.addresses, game, GROUP, on_roster=lambda _: None), LIMIT)
        await asyncio.wait_for(gathering, LIMIT)
        for node in (host, ben):
            for _, kept in node.take_links():
                await kept.close()
        for wire in wires:
            wire.abort()
        await ben.close()


async def _from_elsewhere(address: str, port: int) -> Wire:
    """The bare wire of a stranger who has proved some key, from another address of this machine."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=client_context(), ssl_shutdown_timeout=0.1, local_addr=(address, 0)
    )
    return await proved(Wire(reader, writer))


async def test_a_guest_that_leaves_while_the_host_is_asked_ends_no_table() -> None:
    asked, gone = asyncio.Event(), asyncio.Event()

    async def admit(applicant: Applicant) -> bool:
        if applicant.name == "Mal":
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                gone.set()
        return True

    async with _lobby(admit) as (host, gathering, _):
        link = await dial(Identity(os.urandom(32)), host.addresses)
        await link.send(encode(Join("Mal", bytes(32), ())))
        async with asyncio.timeout(LIMIT):
            await asked.wait()
            await link.close()
            await gone.wait()
        ben = await _node("Ben")
        agreed = await asyncio.wait_for(
            join(ben, host.addresses, game, GROUP, on_roster=lambda _: None), LIMIT
        )
        assert [seat.name for seat in agreed.charter.seats] == ["Ann", "Ben"]
        await asyncio.wait_for(gathering, LIMIT)
        for node in (host, ben):
            for _, kept in node.take_links():
                await kept.close()
        await ben.close()


# --- the game ---------------------------------------------------------------------------------------------


async def test_a_flood_waits_with_its_sender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the session is busy, only so many frames of a link are taken from it."""
    async with _seat_and_peer(tmp_path) as (table, link):
        busy, goes_on = asyncio.Event(), asyncio.Event()
        original = table._carry_out

        async def slow(effects: list[object]) -> None:
            busy.set()
            await goes_on.wait()
            await original(effects)

        monkeypatch.setattr(table, "_carry_out", slow)
        for _ in range(2000):
            await link.send(encode_message(Chat("!")))
        await busy.wait()
        await asyncio.sleep(0.3)
        assert table._inbox.qsize() <= 2 * links_module.MAX_UNHANDLED
        goes_on.set()


async def test_talk_cannot_bury_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with _seat_and_peer(tmp_path) as (table, link):
        heard, receive = [0], table.session.receive

        def count(*frame: Any) -> Any:
            heard[0] += 1
            return receive(*frame)

        monkeypatch.setattr(table.session, "receive", count)
        loop = asyncio.get_running_loop()
        began = loop.time()
        for _ in range(500):
            await link.send(encode_message(Chat("look at me")))
            await link.send(encode_message(Pause()))
        async with asyncio.timeout(LIMIT):
            while heard[0] < 1000:  # noqa: ASYNC110  # what is left aside sets no event
                await asyncio.sleep(0.01)
        told = [table.tellings.get_nowait() for _ in range(table.tellings.qsize())]
        talk = [each for each in told if isinstance(each, Talk | Paused)]
        most = table_module.TALK_BURST + (loop.time() - began) / table_module.TALK_TIME
        assert 10 < len(talk) <= most + 1
        assert not [each for each in told if isinstance(each, Broken)]
        assert link.reason is None


async def test_empty_frames_count_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames without a payload take memory, too, so that a link nobody reads from takes in only so many."""
    monkeypatch.setattr(link_module, "MAX_UNREAD", 10_000)
    ann, mal = await _node("Ann"), await _node("Mal")
    theirs = await mal.connect(ann.addresses)
    ours = await ann.arrivals.get()
    for _ in range(20_000):
        await theirs.send(b"")
    await asyncio.sleep(0.3)
    taken_at_once = link_module.READ_SIZE // 5
    assert ours._unread.qsize() < 10_000 // link_module.FRAME_COST + taken_at_once
    for each in (theirs, ours):
        await each.close()
    for node in (ann, mal):
        await node.close()


# --- what is typed ----------------------------------------------------------------------------------------


async def test_a_pasted_book_is_cut_before_it_is_laid_out() -> None:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        buffer = PromptConsole()._session.default_buffer
        buffer.insert_text("y" * 100_000)
        assert buffer.text == "y" * MAX_LINE
        assert buffer.cursor_position == MAX_LINE
        await asyncio.sleep(0)  # the buffer checks its text in a task of its own


async def test_pasted_colour_codes_leave_the_words() -> None:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        console = PromptConsole()
        reading = asyncio.create_task(console.run())
        keys.send_text("\x1b[31mask ben\x1b[0m 3\r")
        assert await asyncio.wait_for(console.read(), LIMIT) == "ask ben 3"
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def test_a_prompt_that_breaks_is_told_and_not_a_dead_keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_arguments: object, **_named: object) -> str:
        raise ValueError("the terminal is strange")

    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        console = PromptConsole()
        monkeypatch.setattr(console._session, "prompt_async", broken)
        await console.run()
        with pytest.raises(ValueError, match="strange"):
            await asyncio.wait_for(console.read(), LIMIT)


# --- the program's own streams ----------------------------------------------------------------------------


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_the_caller_closed_is_no_fault(tmp_path: Path, stream: str) -> None:
    assert _shell(f"{SHOAL} play go-fish {SMALL} --auto --plain {stream}", tmp_path).returncode == 0


def test_a_reader_that_has_seen_enough_is_no_fault(tmp_path: Path) -> None:
    done = _shell(f"{SHOAL} play go-fish {SMALL} --auto --plain | head -1; exit ${{PIPESTATUS[0]}}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Go Fish: you against")


def _shell(command: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", "-c", command],
        env={**os.environ, "SHOAL_HOME": str(home), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False,
    )  # fmt: skip
