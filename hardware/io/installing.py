"""What readers need besides Shoal itself, and the command that installs it here."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Final

from .errors import Unsupported

SERIAL: Final = "pyserial>=3.5"
MQTT: Final = "aiomqtt>=2.5,<3"


def install_command(requirement: str) -> str:
    """The command that installs ``requirement`` where this program runs, to be pasted into a shell.

    It names the package itself: an extra of Shoal could be asked of an index only, where somebody else may
    have taken the name. Double quotes, because all shells know them, that of Windows too.
    """
    if (Path(sys.prefix) / "pipx_metadata.json").is_file():
        return f'pipx inject {Path(sys.prefix).name} "{requirement}"'
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f'{python} -m pip install "{requirement}"'


def require_serial() -> None:
    """Raises `Unsupported` where ports cannot be opened."""
    if importlib.util.find_spec("serial") is None:
        raise Unsupported(no_serial())


def require_mqtt() -> None:
    """Raises `Unsupported` where no broker can be spoken to. It imports nothing, which would be slow."""
    if importlib.util.find_spec("aiomqtt") is None:
        raise Unsupported(no_mqtt())


def no_serial() -> str:
    """The sentence for an environment without pyserial, which is installed with Shoal."""
    command = install_command(SERIAL)
    return f"Serial ports need pyserial, which is missing here; {command} installs it."


def no_mqtt() -> str:
    """The sentence for an environment without aiomqtt, which is installed where it is wanted."""
    command = install_command(MQTT)
    return f"Readers behind MQTT need aiomqtt, which is not installed here; {command} installs it."
