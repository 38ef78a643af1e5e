"""What comes over a link, or before there is one: frames, handshakes, adverts and names."""

from __future__ import annotations

from collections.abc import Iterable

from p2p.identity import Identity
from p2p.io.mdns import read_advert
from p2p.link import FrameDecoder, Initiator, Responder, clean_name
from tests.fuzz.target import text

ME, OTHER = Identity(b"\x01" * 32), Identity(b"\x02" * 32)
CHANNEL, NONCE = b"\x03" * 32, b"\x04" * 32
ADVERT = b"v=1\0name=Ada\0game=go-fish\0seats=2/4\0id=ab12\0inst=00ff00ff"


def frames(data: bytes) -> None:
    """A stream in two pieces; what the decoder keeps is bounded by its maximum and one read."""
    decoder = FrameDecoder(4096)
    for piece in (data[: len(data) // 3], data[len(data) // 3 :]):
        decoder.feed(piece)
        while (found := decoder.next_frame()) is not None:
            assert 0 < len(found) <= 4096


def dialling(data: bytes) -> None:
    """Answer and acceptance, divided by a length in the first byte."""
    initiator = Initiator(ME, CHANNEL, NONCE)
    proved, _ = initiator.receive(data[1 : 1 + data[0]] if data else b"")
    proved.receive(data[1 + data[0] :])


def answering(data: bytes) -> None:
    """Hello and proof, divided by a length in the first byte."""
    challenged, _ = Responder(ME, CHANNEL, NONCE).receive(data[1 : 1 + data[0]] if data else b"")
    challenged.receive(data[1 + data[0] :])


def handshake(side: str) -> Iterable[bytes]:
    initiator, responder = Initiator(OTHER, CHANNEL, NONCE), Responder(ME, CHANNEL, NONCE)
    _, answer = responder.receive(initiator.hello)
    _, proof = initiator.receive(answer)
    if side == "answering":
        yield bytes([len(initiator.hello)]) + initiator.hello + proof
        return
    challenged, answer = Responder(OTHER, CHANNEL, NONCE).receive(Initiator(ME, CHANNEL, NONCE).hello)
    _, proof = Initiator(ME, CHANNEL, NONCE).receive(answer)
    _, accept = challenged.receive(proof)
    yield bytes([len(answer)]) + answer + accept


def advert(data: bytes) -> None:
    """A TXT record as zeroconf hands it over."""
    pairs = (piece.partition("=") for piece in data.decode("utf-8", "replace").split("\x00"))
    found = read_advert({key: value or None for key, _, value in pairs}, ["192.0.2.1", "fe80::1"], 7467)
    assert found is None or (found.name.isprintable() and found.game.isascii())


def name(data: bytes) -> None:
    assert text(clean_name)(data).isprintable()
