"""The shells: serial ports, brokers and files. Everything else in `hardware` is pure."""

from .detection import Detection, detect
from .entries import SERIAL_OPTIONS, is_serial, serial_link
from .errors import BadPort, NoPort, PortError, PortRefused, SeveralPorts, Unsupported, explain
from .installing import MQTT, SERIAL, install_command, require_mqtt, require_serial
from .mqtt import MqttLink
from .mqtt_entry import MQTT_OPTIONS, is_mqtt, mqtt_link
from .mqtt_name import Broker, Credentials, MqttName, is_mqtt_name, load_credentials, mqtt_name
from .ports import Port, PortName, find, list_ports, port_name, stable_name
from .reader_link import ReaderLink
from .serial_port import Arrived, Closed, SerialPort, open_serial
from .table_file import load_table, save_table
from .tag_file import load, save
from .watch import Link, Read, watch

__all__ = [
    "MQTT",
    "MQTT_OPTIONS",
    "SERIAL",
    "SERIAL_OPTIONS",
    "Arrived",
    "BadPort",
    "Broker",
    "Closed",
    "Credentials",
    "Detection",
    "Link",
    "MqttLink",
    "MqttName",
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
    "install_command",
    "is_mqtt",
    "is_mqtt_name",
    "is_serial",
    "list_ports",
    "load",
    "load_credentials",
    "load_table",
    "mqtt_link",
    "mqtt_name",
    "open_serial",
    "port_name",
    "require_mqtt",
    "require_serial",
    "save",
    "save_table",
    "serial_link",
    "stable_name",
    "watch",
]
