"""What kind of reader is on a port: asks and listens, and says what it saw."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..readers import Finding, Probe, heard, probes
from .serial_port import Arrived, Opener, SerialPort, open_serial

OTHER_RATES = (57600, 38400, 19200)
"""Speeds that are tried only where something that is no text came at the usual ones."""

OTHER_SECONDS = 1.5
"""Seconds for each of them: a reader that repeats does so within half a second."""


@dataclass(frozen=True, slots=True)
class Detection:
    """``finding`` is the reader, or ``None``; ``saw`` has a sentence for each step, such as for a report."""

    device: str
    finding: Finding | None
    saw: tuple[str, ...]


async def detect(
    device: str,
    *,
    steps: Sequence[Probe] | None = None,
    tell: Callable[[str], None] = lambda _sentence: None,
    opener: Opener = open_serial,
) -> Detection:
    """Find out what is on a port, in at most about eight seconds, thirteen at odd speeds. Raises
    `PortError` if it cannot be opened.

    It writes to the port, which may disturb what is no reader: only do it where a person has named the port.
    """
    todo = list(probes() if steps is None else steps)
    serial = await SerialPort.open(device, todo[0].baud_rate if todo else 9600, opener=opener)
    saw: list[str] = []
    tried = False
    try:
        while todo and serial.is_open:
            step = todo.pop(0)
            finding = await _try(serial, step)
            sentence = _sentence(step, finding)
            saw.append(sentence)
            tell(sentence)
            if finding is not None and finding.profile is not None:
                return Detection(device, finding, tuple(saw))
            if finding is not None and not todo and not tried and "no text" in finding.saw:
                tried = True
                todo = [_listen(rate) for rate in OTHER_RATES]
    finally:
        await serial.close()
    return Detection(device, None, tuple(saw))


def _listen(rate: int) -> Probe:
    return Probe("lines", rate, b"", OTHER_SECONDS, lambda data: heard(data, rate))


def _sentence(step: Probe, finding: Finding | None) -> str:
    saw = finding.saw if finding is not None else "nothing came"
    rate = step.baud_rate
    if step.data:
        return f"At {rate} baud, asked for a {step.name}: {saw}."
    return f"At {rate} baud, listened: {saw}."


async def _try(serial: SerialPort, step: Probe) -> Finding | None:
    await serial.set_baud_rate(step.baud_rate)
    while not serial.inbox.empty():
        left = serial.inbox.get_nowait()  # of the step before
        if not isinstance(left, Arrived):
            return Finding(None, step.baud_rate, left.why.rstrip("."))
    if step.data:
        await serial.write(step.data)
    data = bytearray()
    loop = asyncio.get_running_loop()
    end = loop.time() + step.seconds
    finding = None
    while loop.time() < end:
        try:
            async with asyncio.timeout_at(end):
                arrived = await serial.inbox.get()
        except TimeoutError:
            break
        if not isinstance(arrived, Arrived):
            return Finding(None, step.baud_rate, arrived.why.rstrip("."))
        data += arrived.data
        finding = step.recognise(bytes(data))
        if finding is not None and finding.profile is not None:
            return finding
    if finding is None and data:
        return heard(bytes(data), step.baud_rate)
    return finding
