"""What can be wrong with a port, in one sentence each, with the remedy."""

from __future__ import annotations

import errno
import os
import re
import socket
import sys
from collections.abc import Sequence


class PortError(Exception):
    """Something about a port; the message is one sentence for people."""


class NoPort(PortError):
    """There is no such port, or none that fits what was asked for. It may come back."""


class SeveralPorts(PortError):
    """Several ports fit what was asked for."""


class PortRefused(PortError):
    """The port is there and cannot be opened."""


class Unsupported(PortError):
    """Readers of a kind cannot be used at all, because a package is not installed."""


class BadPort(PortError):
    """A text that names no port."""


class BadCredentials(BadPort):
    """The file of a broker's password and certificates cannot be used."""


def explain(error: BaseException, device: str, present: Sequence[str] = (), lasting: str = "") -> PortError:
    """The sentence for an error of opening ``device``; ``present`` are the ports there are, ``lasting`` is a
    name of one of them that stays when it is plugged in elsewhere."""
    number = _number(error)
    if number in {errno.ENOENT, errno.ENODEV, errno.ENXIO}:
        others = f"Now there are {', '.join(present)}" if present else "This machine has no serial port now"
        if lasting:
            return NoPort(
                f"There is no port {device}: is the reader plugged in? {others}. Under a name such as "
                f"{lasting} it is found again in any socket."
            )
        return NoPort(f"There is no port {device}: is the reader plugged in? {others}.")
    if number in {errno.ENOTTY, errno.EISDIR}:
        return BadPort(f"{device} is no serial port.")
    if number == errno.EIO:
        return PortRefused(f"Nothing is connected behind {device}: is it the right port?")
    if number in {errno.EACCES, errno.EPERM}:
        return PortRefused(_forbidden(device))
    if number in {errno.EBUSY, errno.EAGAIN}:
        return PortRefused(
            f"Another program uses {device}: close it (a serial monitor, ModemManager, a second Shoal)."
        )
    if number in {errno.ECONNREFUSED, errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ENETUNREACH}:
        return NoPort(f"Nothing answers at {device}: is its network bridge on?")
    if number in {errno.EPIPE, errno.ECONNRESET}:
        return PortRefused(f"{device} ends each connection at once: does another program use it?")
    if isinstance(error.__context__, socket.gaierror):
        return NoPort(f"No machine of the name in {device} is known on this network: is it spelled rightly?")
    if "support RFC2217" in str(error):
        plain = device.replace("rfc2217", "socket", 1)
        return PortRefused(f"{device} does not speak RFC 2217. A bridge of plain bytes is named {plain}.")
    if isinstance(error, ValueError):
        return BadPort(f"{device} is no port: {error}.")
    why = os.strerror(number) if number is not None else str(error).strip() or type(error).__name__
    return PortRefused(f"{device} cannot be opened: {why}.")


def _number(error: BaseException) -> int | None:
    """The errno of an error. pyserial drops it in places, but keeps it in the text."""
    number = getattr(error, "errno", None)
    if isinstance(number, int):
        return number
    match = re.search(r"\[Errno (\d+)\]|\((\d+), '", str(error))  # of an OSError, of a termios.error
    return int(match[1] or match[2]) if match else None


def _forbidden(device: str) -> str:
    if sys.platform == "win32":
        return f"Windows refuses {device}: another program uses it, or it was unplugged."
    group = _group(device)
    if group is None or group == "root":
        return f"You may not open {device}: its owner must allow it (sudo chmod a+rw {device})."
    user = os.environ.get("USER", "$USER")
    return (
        f"You may not open {device}: it belongs to the group {group}. Run sudo usermod -a -G {group} {user}, "
        "then log out and in again."
    )


def _group(device: str) -> str | None:
    """The group of a device node: dialout on Debian, uucp on Arch and others."""
    import grp  # noqa: PLC0415  # not on Windows

    try:
        return grp.getgrgid(os.stat(device).st_gid).gr_name
    except (OSError, KeyError):
        return None
