"""Our announcements and our browser against Avahi, the mDNS of Linux desktops, on one network."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lan.lan import LAN, Lan, Program, said, until

pytestmark = [pytest.mark.slow, pytest.mark.network]

TOOLS = ("avahi-daemon", "avahi-browse", "avahi-publish", "dbus-daemon", "nsenter")

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/> <allow own="*"/> <allow send_destination="*"/> <allow receive_sender="*"/>
    <allow eavesdrop="false"/>
  </policy>
</busconfig>
"""
"""A bus for this one daemon, in a /run of its own: nothing of the machine's is used or disturbed."""

DAEMON = """[server]
host-name=desktop
use-ipv4=yes
use-ipv6=no
allow-interfaces=eth0
[rlimits]
"""

BROWSE = """
import asyncio
from p2p.io.mdns import browse
for advert in asyncio.run(browse(5.0)):
    print("found", advert)
"""


class Desktop:
    """A host with Avahi. Its commands run beside the daemon, where they find its bus."""

    def __init__(self, lan: Lan, host: int, folder: Path) -> None:
        (folder / "bus.conf").write_text(BUS)
        (folder / "avahi.conf").write_text(DAEMON)
        script = (
            f"mount -t tmpfs tmpfs /run && mkdir -p /run/dbus /run/avahi-daemon"
            f" && dbus-daemon --config-file={folder}/bus.conf --nofork --nopidfile & "
            f"while [ ! -S /run/dbus/system_bus_socket ]; do sleep 0.1; done; "
            f"exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f {folder}/avahi.conf"
        )
        self._lan, self._host = lan, host
        self.daemon = lan.start(lan.space(host), "/bin/sh", "-c", f"{script}", name="avahi")
        running = "Server startup complete"
        until(lambda: self.daemon.says(running) or self.daemon.code is not None, self._about)
        assert self.daemon.code is None, self.daemon.output

    def _about(self) -> str:
        return said([self.daemon])

    def start(self, *command: str, name: str) -> Program:
        beside = ("nsenter", "--mount", "--target", str(self.daemon.process.pid), *command)
        return self._lan.start(self._lan.space(self._host), *beside, name=name)


@pytest.fixture
def avahi() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"AVAHI WAS NOT TESTED: {', '.join(missing)} not installed (avahi-daemon, avahi-utils)")


@pytest.mark.usefixtures("avahi")
def test_avahi_resolves_our_table(network: Callable[[int], Lan], tmp_path: Path) -> None:
    lan = network(2)
    desktop = Desktop(lan, 1, tmp_path)
    table = lan.shoal(0, "host", "go-fish", "--seats", "3", "--open", name="Ada")
    until(lambda: table.says(r" join \d"), lambda: said([table]))
    found: list[str] = []

    def resolved() -> bool:
        browsing = desktop.start("avahi-browse", "-rpt", "_shoal._tcp", name="browse")
        until(lambda: browsing.code is not None, lambda: said([browsing, desktop.daemon]))
        found[:] = [line for line in browsing.output.splitlines() if line.startswith("=;")]
        return bool(found)

    until(resolved, lambda: said([table, desktop.daemon]))
    (line,) = found
    fields = line.split(";")
    assert fields[1:3] == ["eth0", "IPv4"]
    assert re.fullmatch(r"Ada\\032[0-9a-f]{4}\\0327467", fields[3]), line
    assert fields[4:6] == ["_shoal._tcp", "local"]
    assert fields[7:9] == [lan.address(0), "7467"]
    record = set(re.findall(r'"(.*?)"', fields[9]))
    assert {"v=1", "name=Ada", "game=go-fish", "seats=1/3", "w=k"} <= record
    assert {part.partition("=")[0] for part in record} == {"v", "name", "game", "seats", "id", "inst", "w"}
    table.process.terminate()
    until(lambda: table.code is not None, lambda: said([table]))

    def is_gone() -> bool:
        browsing = desktop.start("avahi-browse", "-pt", "_shoal._tcp", name="browse")
        until(lambda: browsing.code is not None, lambda: said([browsing]))
        return "Ada" not in browsing.output

    until(is_gone, lambda: said([desktop.daemon]))  # it said goodbye


@pytest.mark.usefixtures("avahi")
def test_our_browser_sees_what_avahi_publishes(network: Callable[[int], Lan], tmp_path: Path) -> None:
    lan = network(2)
    desktop = Desktop(lan, 1, tmp_path)
    record = ("v=1", "name=Grandma", "game=one-fish", "seats=2/5", "id=ab12", "inst=00ff00ff")
    publishing = desktop.start(
        "avahi-publish", "-s", "Grandma ab12 7467", "_shoal._tcp", "7467", *record, name="publish"
    )
    stranger = ("v=9", "name=Other", "game=one-fish", "seats=2/5", "id=ab12", "inst=00ff00ff")
    desktop.start("avahi-publish", "-s", "Other", "_shoal._tcp", "7468", *stranger, name="stranger")
    until(lambda: publishing.says("Established"), lambda: said([publishing, desktop.daemon]))
    seen: list[str] = []

    def found() -> bool:
        looking = lan.start(lan.space(0), sys.executable, "-c", BROWSE, name="look")
        until(lambda: looking.code is not None, lambda: said([looking]))
        assert looking.code == 0, looking.output
        seen[:] = [line for line in looking.output.splitlines() if line.startswith("found")]
        return bool(seen)

    until(found, lambda: said([publishing, desktop.daemon]))
    (line,) = seen
    assert "name='Grandma'" in line
    assert "seats_taken=2, seats=5" in line
    assert f"'{LAN}.2:7467'" in line
    assert "Other" not in line
