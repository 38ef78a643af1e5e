"""Two identities prove themselves to each other over a TLS channel whose certificate vouches for nobody.

Four messages (docs/protocol_links.md, section 4). The one who dialled commits to a nonce, the other answers
with its own, the first opens its nonce and signs, then the second signs. Both signatures cover the hash of
the certificate, so a relay with a certificate of its own cannot pass them on; the commitment gives a relay
that plays *itself* to both sides one guess at the words. No I/O, no randomness: nonces are arguments.

A step is a frozen value; ``receive`` gives the next one, so no step can be left out or done twice by mistake.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, TypeVar

import msgspec

from ..identity import (
    PUBLIC_SIZE,
    SIGNATURE_SIZE,
    BadPublicKey,
    Identity,
    check_public,
    fingerprint,
    verify,
    words,
)
from ..sealed.hashing import digest, equal
from .errors import BadKey, BadProof, NotShoal, OwnIdentity, VersionMismatch, WrongPeer

VERSIONS = (1,)
"""Protocol versions this program speaks, ascending."""

MAX_MESSAGE = 4096
"""Bytes of a frame before authentication. The largest message has under 250; a stranger gets no more memory
than this."""

NONCE_SIZE = 32
HASH_SIZE = 32
WORD_COUNT = 4
"""32 bits: an attacker has one guess per attempt, and attempts are seen by people."""

MAX_VERSIONS = 16
MAX_VERSION = 2**16 - 1
"""Bounds on what a stranger may list: far more than a program can support, far less than would cost
memory."""

AS_CLIENT: Final = "link-client"
AS_SERVER: Final = "link-server"

_T = TypeVar("_T")


class Hello(msgspec.Struct, frozen=True, array_like=True, tag="shoal-hello", forbid_unknown_fields=True):
    """First message, from the side that dialled: its versions, its identity, a commitment to its nonce."""

    versions: tuple[int, ...]
    public: bytes
    commitment: bytes


class Answer(msgspec.Struct, frozen=True, array_like=True, tag="shoal-answer", forbid_unknown_fields=True):
    """Second message: the versions, the identity and the nonce of the side that was dialled."""

    versions: tuple[int, ...]
    public: bytes
    nonce: bytes


class Proof(msgspec.Struct, frozen=True, array_like=True, tag="shoal-proof", forbid_unknown_fields=True):
    """Third message: the opened nonce, and the signature of the side that dialled."""

    nonce: bytes
    signature: bytes


class Accept(msgspec.Struct, frozen=True, array_like=True, tag="shoal-accept", forbid_unknown_fields=True):
    """Fourth message: the signature of the side that was dialled."""

    signature: bytes


@dataclass(frozen=True, slots=True)
class Authenticated:
    """The end of a handshake: who is at the other end, the common version, words to compare, and the
    session's id."""

    peer: bytes
    version: int
    words: tuple[str, ...]
    session_id: bytes


@dataclass(frozen=True, slots=True)
class Initiator:
    """The side that dialled, waiting for the answer to ``hello``.

    ``channel`` is the SHA-256 of the server certificate (DER) as this side saw it; ``nonce`` 32 fresh random
    bytes; ``expect`` the identity to be reached, or ``None`` for anybody.
    """

    identity: Identity
    channel: bytes
    nonce: bytes = field(repr=False)
    expect: bytes | None = None
    versions: tuple[int, ...] = VERSIONS

    @property
    def hello(self) -> bytes:
        """The first message."""
        return _encode(Hello(self.versions, self.identity.public, digest("link/commit", self.nonce)))

    def receive(self, data: bytes) -> tuple[Proved, bytes]:
        """Take the answer; gives the next step and the third message. Raises ``LinkError``."""
        answer = _decode(data, Answer)
        _check_sizes(answer.nonce, NONCE_SIZE)
        _check_versions(answer.versions)
        version = _common(self.versions, answer.versions)
        _check_peer(self.identity, answer.public)
        if self.expect is not None and answer.public != self.expect:
            raise WrongPeer(expected=" ".join(fingerprint(self.expect)))
        binding = digest("link/auth", self.channel, self.hello, data)
        proof = Proof(self.nonce, self.identity.sign(AS_CLIENT, binding))
        result = _result(answer.public, version, binding, self.nonce)
        return Proved(answer.public, binding, result), _encode(proof)


@dataclass(frozen=True, slots=True)
class Proved:
    """The side that dialled has proved itself and waits for the other to do so."""

    peer: bytes
    binding: bytes
    result: Authenticated

    def receive(self, data: bytes) -> Authenticated:
        """Take the fourth message. Raises ``LinkError``."""
        accept = _decode(data, Accept)
        _check_sizes(accept.signature, SIGNATURE_SIZE)
        if not verify(self.peer, AS_SERVER, self.binding, accept.signature):
            raise BadProof
        return self.result


@dataclass(frozen=True, slots=True)
class Responder:
    """The side that was dialled, waiting for ``hello``. ``channel`` is the SHA-256 of its own certificate
    (DER)."""

    identity: Identity
    channel: bytes
    nonce: bytes = field(repr=False)
    versions: tuple[int, ...] = VERSIONS

    def receive(self, data: bytes) -> tuple[Challenged, bytes]:
        """Take ``hello``; gives the next step and the second message. Raises ``LinkError``."""
        hello = _decode(data, Hello)
        _check_sizes(hello.commitment, HASH_SIZE)
        _check_versions(hello.versions)
        answer = _encode(Answer(self.versions, self.identity.public, self.nonce))
        version = _common(self.versions, hello.versions, reply=answer)
        _check_peer(self.identity, hello.public, reply=answer)
        binding = digest("link/auth", self.channel, data, answer)
        return Challenged(self.identity, hello.public, hello.commitment, version, binding), answer


@dataclass(frozen=True, slots=True)
class Challenged:
    """The side that was dialled, waiting for the other's proof. It signs only for a peer that has proved
    itself."""

    identity: Identity
    peer: bytes
    commitment: bytes
    version: int
    binding: bytes

    def receive(self, data: bytes) -> tuple[Authenticated, bytes]:
        """Take the third message; gives the result and the fourth message. Raises ``LinkError``."""
        proof = _decode(data, Proof)
        _check_sizes(proof.nonce, NONCE_SIZE)
        _check_sizes(proof.signature, SIGNATURE_SIZE)
        if not equal(digest("link/commit", proof.nonce), self.commitment):
            raise BadProof
        if not verify(self.peer, AS_CLIENT, self.binding, proof.signature):
            raise BadProof
        result = _result(self.peer, self.version, self.binding, proof.nonce)
        return result, _encode(Accept(self.identity.sign(AS_SERVER, self.binding)))


def _result(peer: bytes, version: int, binding: bytes, nonce: bytes) -> Authenticated:
    shown = words(digest("link/words", binding, nonce), WORD_COUNT)
    return Authenticated(peer, version, shown, digest("link/session", binding, nonce))


def _encode(message: Hello | Answer | Proof | Accept) -> bytes:
    return msgspec.msgpack.encode(message)


def _decode(data: bytes, kind: type[_T]) -> _T:
    """The one message that may come now, in its canonical bytes."""
    try:
        message: Any = msgspec.msgpack.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise NotShoal(detail="an unknown message") from None
    if msgspec.msgpack.encode(message) != data:
        raise NotShoal(detail="a message in a second form")
    result: _T = message
    return result


def _check_sizes(value: bytes, size: int) -> None:
    if len(value) != size:
        raise NotShoal(detail="a field of the wrong size")


def _check_versions(versions: tuple[int, ...]) -> None:
    in_range = 0 < len(versions) <= MAX_VERSIONS and all(0 <= each <= MAX_VERSION for each in versions)
    if not in_range or any(low >= high for low, high in pairwise(versions)):
        raise NotShoal(detail="a bad list of versions")


def _common(ours: tuple[int, ...], theirs: tuple[int, ...], reply: bytes = b"") -> int:
    common = [version for version in ours if version in theirs]
    if not common:
        raise VersionMismatch(ours=", ".join(map(str, ours)), theirs=", ".join(map(str, theirs)), reply=reply)
    return max(common)


def _check_peer(identity: Identity, public: bytes, reply: bytes = b"") -> None:
    if public == identity.public:
        raise OwnIdentity(reply=reply)
    _check_sizes(public, PUBLIC_SIZE)
    try:
        check_public(public)
    except BadPublicKey:
        raise BadKey from None
