"""Addresses: which of this machine's others can reach, and ``HOST:PORT`` as text."""

from __future__ import annotations

import ipaddress

import ifaddr

from ..link.errors import LocalError

# Interfaces of containers and virtual machines: their addresses lead nowhere for others, and mDNS on all of
# them is a storm on a container host (python-zeroconf #330).
_VIRTUAL = tuple("br- cni docker dummy flannel ifb lxc podman vboxnet veth virbr vmnet".split())  # noqa: SIM905  # short

MAX_PORT = 65535

MAX_HOST = 253
"""Characters of a host: the longest name that the DNS has (RFC 1035, section 2.3.4, without its dot)."""

MAX_TEXT = 2 * MAX_HOST
"""Characters of an address as it is typed or pasted, with what stands around it."""

MAX_SHOWN = 60
"""Characters of a bad address that its message repeats."""


class BadAddress(LocalError):
    """'{text}' is not an address; write it as HOST:PORT, for example 192.168.1.20:7467."""


def usable_addresses(loopback: bool = True) -> tuple[str, ...]:
    """This machine's IPv4 addresses that others may reach, loopback last (if asked for)."""
    outside: list[str] = []
    for adapter in ifaddr.get_adapters():
        names = (str(adapter.name).lower(), str(adapter.nice_name).lower())
        if any(name.startswith(_VIRTUAL) or name == "bridge" for name in names):
            continue
        found = [str(ip.ip) for ip in adapter.ips if ip.is_IPv4]
        outside += [ip for ip in found if not ipaddress.ip_address(ip).is_loopback]
    # A link-local address works only where nothing better is there.
    ordered = sorted(dict.fromkeys(outside), key=lambda ip: ipaddress.ip_address(ip).is_link_local)
    return (*ordered, "127.0.0.1") if loopback else tuple(ordered)


def split_address(text: str) -> tuple[str, int]:
    """``HOST:PORT`` or ``[IPv6]:PORT`` in two. Raises ``BadAddress``."""
    if len(text) > MAX_TEXT:
        raise BadAddress(text=shown_address(text))
    host, colon, port = text.strip().rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    host = host[1:-1] if bracketed else host
    is_port = port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) <= MAX_PORT
    if not (colon and is_port and (bracketed or ":" not in host) and _is_host(host)):
        raise BadAddress(text=shown_address(text))
    return host, int(port)


def is_plain_address(text: str) -> bool:
    """Whether a text is what ``join_address`` writes, as the addresses that others list have to be."""
    try:
        return join_address(*split_address(text)) == text
    except BadAddress:
        return False


def _is_host(host: str) -> bool:
    """Whether the resolver takes it: others send addresses, too, and some texts make it raise no OSError."""
    if not 0 < len(host) <= MAX_HOST or not all(each.isprintable() and not each.isspace() for each in host):
        return False
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True


def shown_address(text: str) -> str:
    """A text that is no address, for the message that says so."""
    return "".join(each if each.isprintable() else "?" for each in text[:MAX_TEXT].strip()[:MAX_SHOWN])


def join_address(host: str, port: int) -> str:
    """The text of ``split_address``."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
