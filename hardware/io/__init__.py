"""The shells: serial ports and files. Everything else in `hardware` is pure."""

from .detection import Detection, detect
from .entries import SERIAL_OPTIONS, is_serial, serial_link
from .errors import BadPort, NoPort, PortError, PortRefused, SeveralPorts, Unsupported, explain
from .ports import Port, PortName, find, list_ports, port_name, stable_name
from .reader_link import ReaderLink
from .serial_port import Arrived, Closed, SerialPort, open_serial
from .table_file import load_table, save_table
from .tag_file import load, save
from .watch import Read, watch

__all__ = [
    "SERIAL_OPTIONS",
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
    "is_serial",
    "list_ports",
    "load",
    "load_table",
    "open_serial",
    "port_name",
    "save",
    "save_table",
    "serial_link",
    "stable_name",
    "watch",
]
