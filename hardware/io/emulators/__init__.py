"""Emulated readers on a port: a pseudo-terminal or TCP, driven by a script or by typed lines."""

from __future__ import annotations

from .running import RunningReader, Told, of_list
from .wires import NoPty, OutputWire, PtyWire, TcpWire, Wire, can_open_pty

__all__ = [
    "NoPty",
    "OutputWire",
    "PtyWire",
    "RunningReader",
    "TcpWire",
    "Told",
    "Wire",
    "can_open_pty",
    "of_list",
]
