"""How a topic of an MQTT broker is named, and with what one comes to the broker.

``mqtt://HOST[:PORT]/TOPIC`` without and ``mqtts://HOST[:PORT]/TOPIC`` with TLS; options follow after ``?`` as
``NAME=VALUE``, with ``&`` between them. A password is never part of the name: names are seen by everybody who
lists the programs of a machine. It is in a file, or in the environment.
"""

from __future__ import annotations

import os
import re
import shlex
import ssl
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from .errors import BadCredentials, BadPort

USER_VARIABLE: Final = "SHOAL_MQTT_USER"
PASSWORD_VARIABLE: Final = "SHOAL_MQTT_PASSWORD"  # noqa: S105  # the name of one
CREDENTIAL_KEYS: Final = ("user", "password", "ca-file", "certificate-file", "key-file")

LONGEST_FILE = 65_536
"""Bytes of a credentials file; what is longer is another file, such as a certificate."""

_NAME = re.compile(
    r"(?P<scheme>mqtts?)://(?:(?P<user>[^/@]*)@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^/:@\[\]?]+)(?::(?P<port>\d{1,5}))?"
    r"/(?P<topic>[^?]+)(?:\?(?P<options>.*))?",
    re.IGNORECASE,
)
_SAMPLE = "mqtt://HOST/TOPIC, such as mqtt://192.168.1.5/tele/pad1/SENSOR"


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker is."""

    host: str
    port: int
    tls: bool

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine, so that nobody else hears what is said to it."""
        return self.host in {"localhost", "::1"} or self.host.startswith("127.")


@dataclass(frozen=True, slots=True)
class MqttName:
    """A topic of a broker, the user's name if it was said, and options that are not looked at here."""

    broker: Broker
    topic: str
    user: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Credentials:
    """With what one comes to a broker. The password is not shown."""

    user: str = ""
    password: str = field(default="", repr=False)
    ca_file: Path | None = None
    certificate_file: Path | None = None
    key_file: Path | None = None
    source: str = ""
    """Where they were found, for people."""
    caution: str = ""
    """What is careless about that, as a sentence; most often nothing."""


def is_mqtt_name(text: str) -> bool:
    """Whether a text is meant to name a topic of a broker."""
    return text.strip().lower().startswith(("mqtt://", "mqtts://", "mqtt:", "mqtts:"))


def mqtt_name(text: str) -> MqttName:
    """The name in ``text``. Raises `BadPort`, whose message never repeats a password."""
    match = _NAME.fullmatch(text.strip())
    if match is None:
        raise BadPort(f"This is no topic of a broker: write {_SAMPLE}.")
    user = match["user"] or ""
    if ":" in user:
        raise BadPort(
            "Others can see a password in the name of a reader: put it into a credentials file, or into "
            f"{PASSWORD_VARIABLE}."
        )
    tls = match["scheme"].lower() == "mqtts"
    port = int(match["port"]) if match["port"] else (8883 if tls else 1883)
    if not 0 < port <= 0xFFFF:
        raise BadPort(f"{port} is no port: write {_SAMPLE}.")
    options: dict[str, str] = {}
    for pair in filter(None, (match["options"] or "").split("&")):
        name, _, value = pair.partition("=")
        options[unquote(name)] = unquote(value)
    if "password" in options:
        raise BadPort(
            f"A password does not belong here: put it into a credentials file or {PASSWORD_VARIABLE}."
        )
    broker = Broker(match["host"].strip("[]"), port, tls)
    return MqttName(broker, unquote(match["topic"]), unquote(user), options)


def load_credentials(path: Path | None, environment: Mapping[str, str] = os.environ) -> Credentials:
    """Those of a file; without one, those of the environment. Raises `BadCredentials` with the remedy.

    The file is TOML with some of `CREDENTIAL_KEYS`; files that it names are looked for beside it.
    """
    if path is None:
        source = f"{USER_VARIABLE} and {PASSWORD_VARIABLE}"
        user, password = environment.get(USER_VARIABLE, ""), environment.get(PASSWORD_VARIABLE, "")
        return Credentials(user, password, source=source if user or password else "")
    values = _read(path)
    for name, value in values.items():
        if name not in CREDENTIAL_KEYS:
            raise BadCredentials(
                f"{path.name}: {name[:30]!r} is unknown; there are {', '.join(CREDENTIAL_KEYS)}."
            )
        if not isinstance(value, str):
            raise BadCredentials(f"{path.name}: {name} must be a text in quotes.")
    files = {name: path.parent / str(values[name]) for name in CREDENTIAL_KEYS[2:] if name in values}
    if "key-file" in files and "certificate-file" not in files:
        raise BadCredentials(f"{path.name}: a key-file needs its certificate-file beside it.")
    return Credentials(
        str(values.get("user", "")),
        str(values.get("password", "")),
        files.get("ca-file"),
        files.get("certificate-file"),
        files.get("key-file"),
        source=path.name,
        caution=_caution(path),
    )


def _read(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > LONGEST_FILE:
            raise BadCredentials(f"{path.name} is no credentials file: it is far too long.")
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise BadCredentials(f"There is no credentials file {path}: make it, or name another one.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        # What stands in the file, its passwords among it, is not for the screen.
        raise BadCredentials(f'{path.name} is no TOML: write lines such as user = "table".') from None
    except OSError as error:
        raise BadCredentials(f"{path.name} cannot be read ({error.strerror}).") from None


def _caution(path: Path) -> str:
    if os.name != "posix":
        return ""
    try:
        shared = path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)
    except OSError:
        return ""
    return (
        f"Others on this machine can read {path.name}: run chmod 600 {shlex.quote(str(path))}."
        if shared
        else ""
    )


def tls_context(credentials: Credentials) -> ssl.SSLContext:
    """What TLS needs; the broker's certificate and its name are always checked. Raises `BadCredentials`."""
    authority = credentials.ca_file
    try:
        context = ssl.create_default_context(cafile=None if authority is None else str(authority))
    except OSError as error:
        name = authority.name if authority is not None else "ca-file"
        raise _missing(name, error) or BadCredentials(
            f"{name} cannot be used: the certificate of an authority is needed, as PEM."
        ) from None
    context.sslsocket_class = _Closing
    if credentials.certificate_file is not None:
        try:
            # A key that needs a password would ask for it on the terminal, in the middle of a game.
            context.load_cert_chain(credentials.certificate_file, credentials.key_file, password=_no_password)
        except OSError as error:
            name = (credentials.key_file or credentials.certificate_file).name
            raise _missing(name, error) or BadCredentials(
                f"{name} cannot be used: a certificate and its key are needed, as PEM without a password."
            ) from None
    return context


class _Closing(ssl.SSLSocket):
    """One that closes when its handshake fails, which the library forgets: it would do so at each try."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def _no_password() -> bytes:
    return b""


def _missing(name: str, error: OSError) -> BadCredentials | None:
    if isinstance(error, FileNotFoundError):
        return BadCredentials(f"There is no file {name}, which the credentials file names.")
    return None
