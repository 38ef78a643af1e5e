"""Addresses as text, and those of this machine."""

import ipaddress
from types import SimpleNamespace

import ifaddr
import pytest

from p2p.io.addresses import BadAddress, join_address, split_address, usable_addresses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("192.168.1.20:7467", ("192.168.1.20", 7467)),
        ("ada.local:1", ("ada.local", 1)),
        ("[fe80::1]:65535", ("fe80::1", 65535)),
        (" localhost:7467 ", ("localhost", 7467)),
    ],
)
def test_an_address_in_two(text: str, parts: tuple[str, int]) -> None:
    assert split_address(text) == parts
    assert join_address(*parts) == text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ada",
        ":7467",
        "ada:",
        "ada:0",
        "ada:65536",
        "ada:x",
        "ada:-1",
        "ada:٣",
        "fe80::1:7467",
        "a b:1",
        "ada:9999999",
    ],
)
def test_what_is_no_address_is_told_with_an_example(text: str) -> None:
    with pytest.raises(BadAddress, match="HOST:PORT, for example"):
        split_address(text)


def adapter(name: str, *addresses: str | tuple[str, int, int]) -> SimpleNamespace:
    ips = [SimpleNamespace(ip=ip, is_IPv4=isinstance(ip, str)) for ip in addresses]
    return SimpleNamespace(name=name, nice_name=name, ips=ips)


def test_addresses_that_others_can_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        adapter("lo", "127.0.0.1", ("::1", 0, 0)),
        adapter("docker0", "172.17.0.1"),
        adapter("veth12ab", "172.18.0.1"),
        adapter("br-77", "172.19.0.1"),
        adapter("wlan0", "169.254.3.4", "192.168.1.20", ("fe80::1", 0, 2)),
        adapter("eth0", "10.0.0.5", "192.168.1.20"),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: found)
    assert usable_addresses() == ("192.168.1.20", "10.0.0.5", "169.254.3.4", "127.0.0.1")
    assert usable_addresses(loopback=False) == ("192.168.1.20", "10.0.0.5", "169.254.3.4")


def test_this_machine_has_at_least_its_loopback() -> None:
    assert usable_addresses()[-1] == "127.0.0.1"
    assert all(ipaddress.ip_address(each).version == 4 for each in usable_addresses())
