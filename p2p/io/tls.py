"""TLS 1.3 with a certificate that vouches for nobody: it encrypts, the handshake of ``p2p.link``
authenticates."""

from __future__ import annotations

import hashlib
import os
import ssl
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from cryptography.x509.oid import NameOID

# Nobody reads these dates, and a machine with a wrong clock must be able to play.
_VALID_FROM = datetime(2000, 1, 1)  # noqa: DTZ001  # X.509 times are UTC by definition
_VALID_UNTIL = datetime(9999, 12, 31)  # noqa: DTZ001  # the same


@dataclass(frozen=True, slots=True)
class ServerSide:
    """A server's TLS context with a fresh key, and the hash of its certificate, to which the handshake is
    bound."""

    context: ssl.SSLContext
    channel: bytes


def channel_hash(certificate: bytes) -> bytes:
    """What both handshakes of a link sign: SHA-256 of the server certificate in DER."""
    return hashlib.sha256(certificate).digest()


def make_server() -> ServerSide:
    """A fresh P-256 key and certificate. They live as long as the returned value and are never used again."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "shoal")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_VALID_FROM)
        .not_valid_after(_VALID_UNTIL)
        .sign(key, hashes.SHA256())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _restrict(context)
    context.num_tickets = 0  # nothing is ever resumed
    password = os.urandom(32).hex().encode()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password))
    _load(context, pem + certificate.public_bytes(Encoding.PEM), password)
    return ServerSide(context, channel_hash(certificate.public_bytes(Encoding.DER)))


def client_context() -> ssl.SSLContext:
    """A client's context: any certificate will do, because what counts is proved afterwards."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _restrict(context)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _restrict(context: ssl.SSLContext) -> None:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.options |= ssl.OP_NO_TICKET


def _load(context: ssl.SSLContext, pem: bytes, password: bytes) -> None:
    """The ssl module reads keys from files only: an encrypted one, in a private folder, for a moment."""
    with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
        path = Path(folder) / "key.pem"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(descriptor, pem)
        finally:
            os.close(descriptor)
        context.load_cert_chain(path, password=password)
