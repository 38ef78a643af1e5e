"""The channel: TLS 1.3 with a certificate that is nowhere but in memory."""

import asyncio
import ssl
import tempfile
from pathlib import Path

import pytest

from p2p.io.tls import channel_hash, client_context, make_server


def handshake(server: ssl.SSLContext, client: ssl.SSLContext) -> ssl.SSLObject:
    """Both ends in one process; gives the client's, or raises what the first of them finds."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server, server_side=False),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    waiting = list(ends)
    while waiting:
        for end in list(waiting):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            waiting.remove(end)
    return ends[0]


def test_both_sides_know_the_same_channel() -> None:
    server = make_server()
    end = handshake(server.context, client_context())
    certificate = end.getpeercert(binary_form=True)
    assert certificate is not None
    assert channel_hash(certificate) == server.channel
    assert end.version() == "TLSv1.3"


def test_every_server_has_its_own_channel() -> None:
    assert make_server().channel != make_server().channel


def test_an_older_tls_is_refused() -> None:
    old = client_context()
    old.minimum_version = ssl.TLSVersion.TLSv1_2
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        handshake(make_server().context, old)


def test_nothing_is_resumed() -> None:
    server = make_server().context
    assert server.num_tickets == 0
    assert server.options & ssl.OP_NO_TICKET


def test_the_key_does_not_stay_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen: list[tuple[int, bytes]] = []

    load = ssl.SSLContext.load_cert_chain

    def watch(context: ssl.SSLContext, path: Path, password: bytes) -> None:
        seen.append((path.stat().st_mode & 0o777, path.read_bytes()))
        load(context, path, password=password)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", watch)
    make_server()
    assert list(tmp_path.iterdir()) == []
    [(mode, content)] = seen
    assert mode == 0o600
    assert b"ENCRYPTED PRIVATE KEY" in content
    assert b"BEGIN PRIVATE KEY" not in content


async def test_making_a_server_needs_no_loop_of_its_own() -> None:
    assert (await asyncio.to_thread(make_server)).channel
