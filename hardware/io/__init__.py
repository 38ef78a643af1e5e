"""The shells: serial ports and files. Everything else in `hardware` is pure."""

from .detection import Detection, detect
from .errors import BadPort, NoPort, PortError, PortRefused, SeveralPorts, Unsupported, explain
from .ports import Port, PortName, find, list_ports, port_name, stable_name
from .reader_link import ReaderLink
from .serial_port import Arrived, Closed, SerialPort, open_serial
from .tag_file import load, save
from .watch import Read, watch

__all__ = [
    "Arrived",
    "BadPort",
    "Closed",
    "Detection",
    "NoPort",
    "Port",
    "PortError",
    "PortName",
    "PortRefused",
    "Read",
    "ReaderLink",
    "SerialPort",
    "SeveralPorts",
    "Unsupported",
    "detect",
    "explain",
    "find",
    "list_ports",
    "load",
    "open_serial",
    "port_name",
    "save",
    "stable_name",
    "watch",
]
