"""``shoal doctor``: whether this machine has what Shoal needs, one line for each thing."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import secrets
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Literal, TypeAlias

import click

from hardware.io import PortError, require_mqtt, require_serial
from p2p.io.addresses import usable_addresses
from p2p.io.mdns import Advertiser, Browser
from p2p.io.node import DEFAULT_PORT
from p2p.io.sodium import SodiumGroup, load_backend
from p2p.io.store import Store, StoreError

from ..errors import BAD, FINE, Failure
from ..folders import folders
from ..language import N_, said, said_of
from ..loop import run_async
from ..lost import stores
from ..manner import can_show_suits
from ..options import Settings, general_options, json_option
from ..own_seats import check_own_seats, own_seats
from ..saved import RESUMABLE
from ..telling import tell_beside
from ..translation import gettext as _

State: TypeAlias = Literal["ok", "warning", "problem"]

STATES = {"ok": N_("ok"), "warning": N_("warning"), "problem": N_("problem")}

THINGS = {
    "python": N_("python"),
    "libsodium": N_("libsodium"),
    "packages": N_("packages"),
    "data": N_("data"),
    "port": N_("port"),
    "addresses": N_("addresses"),
    "mdns": N_("mdns"),
    "terminal": N_("terminal"),
    "serial": N_("serial"),
    "mqtt": N_("mqtt"),
}
"""What is looked at, by its name in the JSON."""

OURS = ("cli", "engine", "hardware", "p2p")
"""The four top-level names that the distribution installs."""

MDNS_TIME = 8.0
"""Seconds for announcing (about two) and finding (well under one) a table of one's own."""

NARROW = 60
"""Columns below which lines of a game are broken in the middle."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. A problem stops some use of the program; a warning stops none."""

    name: str
    state: State
    detail: str


@click.command("doctor")
@json_option
@general_options
@click.pass_obj
def command(settings: Settings, as_json: bool) -> int:
    """Check Python, libsodium, the data folder, the network, the terminal and what card readers need. The
    exit code is 1 after a problem.

    \b
    Example:
      shoal doctor
    """
    findings = []
    for check in _checks(settings):
        finding = check()
        findings.append(finding)
        if not as_json:
            tell_beside(f"{_(STATES[finding.state]):8} {_(THINGS[finding.name]):10} ", finding.detail)
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings]))
    return BAD if any(finding.state == "problem" for finding in findings) else FINE


def _checks(settings: Settings) -> Iterator[Callable[[], Finding]]:
    yield _python
    yield _sodium
    yield _names
    yield lambda: _data(settings)
    yield _port
    yield _addresses
    yield _mdns
    yield _terminal
    yield lambda: _package("serial", "pyserial", require_serial)
    yield lambda: _package("mqtt", "aiomqtt", require_mqtt)


def _python() -> Finding:
    version = sys.version.split()[0]
    return Finding(
        "python", "ok" if sys.version_info >= (3, 11) else "problem", f"{version}, {sys.executable}"
    )


def _sodium() -> Finding:
    backend = load_backend()
    is_fast = isinstance(backend.group, SodiumGroup)
    return Finding("libsodium", "ok" if is_fast else "warning", backend.source)


def _names() -> Finding:
    owners = metadata.packages_distributions()
    foreign = [f"{name} ({other})" for name in OURS for other in owners.get(name, ()) if other != "shoal"]
    if foreign:
        detail = _("other packages own names of ours: {names}; use an environment of Shoal's own").format(
            names=", ".join(sorted(set(foreign)))
        )
        return Finding("packages", "problem", detail)
    return Finding("packages", "ok", ", ".join(OURS))


def _data(settings: Settings) -> Finding:
    try:
        at = folders(settings)
        for folder in stores(at):
            with Store.open(folder) as store:
                store.check()
        with Store.open(at.data) as store:
            games = [each for each in store.games() if each.state in RESUMABLE]
        for each in games:
            check_own_seats(own_seats(at, each), each, rebuilds=each.is_lost, resigns=False)
    except (Failure, StoreError) as error:
        return Finding("data", "problem", said_of(error))
    free = shutil.disk_usage(at.data).free // (1024 * 1024)
    return Finding("data", "ok", _("{path}, {n} MB free").format(path=at.data, n=free))


def _port() -> Finding:
    try:
        socket.create_server(("", DEFAULT_PORT)).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            text = _("port {port} is in use, perhaps by a table of yours; host takes another")
        else:
            text = _("port {port} cannot be used ({why}); host takes another")
        detail = text.format(port=DEFAULT_PORT, why=said((error.strerror or "").lower()))
        return Finding("port", "warning", detail)
    return Finding("port", "ok", str(DEFAULT_PORT))


def _addresses() -> Finding:
    found = usable_addresses(loopback=False)
    if not found:
        return Finding(
            "addresses", "warning", _("this machine is on no network; only games on it are possible")
        )
    return Finding("addresses", "ok", ", ".join(found))


def _mdns() -> Finding:
    return run_async(_announce_and_find())


async def _announce_and_find() -> Finding:
    """Announce a table that nobody can join, and look whether it is found from here."""
    is_found = asyncio.Event()
    public = secrets.token_bytes(32)
    advertiser = Advertiser("doctor", "doctor", 1, 1, DEFAULT_PORT, public)
    browser = Browser(
        lambda found: is_found.set() if any(each.instance == advertiser.instance for each in found) else None
    )
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MDNS_TIME):
                await is_found.wait()
                return Finding("mdns", "ok", _("a table announced here was found"))
        reason = said(advertiser.reason or browser.reason or "") or None
        if reason is None and not advertiser.registered.is_set():
            reason = _("announcing took too long")
        return Finding(
            "mdns", "warning", reason or _("a table announced here was not found; join by address")
        )
    finally:
        await browser.close()
        await advertiser.close()


def _terminal() -> Finding:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Finding("terminal", "ok", _("none here: plain lines"))
    columns, rows = shutil.get_terminal_size()
    suits = _("suits") if can_show_suits() else _("letters instead of suits")
    detail = f"{os.environ.get('TERM', '-')}, {columns}x{rows}, {sys.stdout.encoding}, {suits}"
    return Finding("terminal", "warning" if columns < NARROW else "ok", detail)


def _package(name: str, package: str, require: Callable[[], None]) -> Finding:
    """A package that only card readers need: without it everything else goes."""
    try:
        require()
    except PortError as error:
        return Finding(name, "warning", said_of(error))
    return Finding(name, "ok", f"{package} {metadata.version(package)}")
