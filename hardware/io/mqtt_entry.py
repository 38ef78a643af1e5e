"""From an entry of the table file, or a name typed once, to a reader behind a broker.

```toml
[[reader]]
name = "pad1"
kind = "mqtt"
port = "mqtts://broker.home/tele/pad1/SENSOR"
payload = "tasmota"
credentials = "broker.toml"
```
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Final, TypeVar

from ..readers.base import Presence
from ..readers.mqtt import BadTopic, MqttReader, Payloads
from ..table_texts import BadTable, ReaderEntry
from ..uids import Technology
from .errors import BadPort
from .mqtt import MqttLink
from .mqtt_name import mqtt_name
from .serial_port import Clock

MQTT_KIND: Final = "mqtt"
MQTT_OPTIONS: Final = ("payload", "credentials", "availability", "presence", "technology")
"""What a ``[[reader]]`` of kind ``mqtt`` may say besides its name, kind and port; in a name typed once they
follow after ``?``."""

E = TypeVar("E", bound=Enum)


def is_mqtt(entry: ReaderEntry) -> bool:
    """Whether the reader is one that `mqtt_link` opens."""
    return entry.kind == MQTT_KIND


def mqtt_link(
    entry: ReaderEntry, *, nonce: int = 0, folder: Path | None = None, clock: Clock = time.monotonic
) -> MqttLink:
    """The link of a reader behind a broker, not connected yet.

    ``nonce``, best a random number, is for our own protocol; a credentials file is looked for in ``folder``,
    which is that of the table file. Raises `BadTable` with one sentence, which begins with the line of the
    entry where it has one.
    """
    try:
        name = mqtt_name(entry.port)
        options = _options(entry, name.options)
        reader = MqttReader(
            name.topic,
            _one_of(options, "payload", Payloads) or Payloads.AUTO,
            presence=_one_of(options, "presence", Presence),
            technology=_one_of(options, "technology", Technology) or Technology.UNKNOWN,
            availability=options.get("availability", ""),
            nonce=nonce,
        )
    except (BadPort, BadTopic) as error:
        raise BadTable(f"line {entry.line}: {error}" if entry.line else str(error)) from None
    file = Path(os.path.expanduser(options["credentials"])) if options.get("credentials") else None
    if file is not None and folder is not None:
        file = folder / file
    return MqttLink(entry.name, name.broker, reader, credentials=file, user=name.user, clock=clock)


def _options(entry: ReaderEntry, typed: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in {**typed, **entry.options}.items():
        if name not in MQTT_OPTIONS:
            kinds = ", ".join(MQTT_OPTIONS)
            raise BadPort(f"{name[:30]} is no option of a reader behind a broker; there are {kinds}.")
        if not isinstance(value, str):
            raise BadPort(f"{name} must be a text.")
        found[name] = value
    return found


def _one_of(options: dict[str, str], name: str, kinds: type[E]) -> E | None:
    text = options.get(name, "")
    if not text:
        return None
    found = next((kind for kind in kinds if kind.value == text.lower()), None)
    if found is None:
        raise BadPort(f"{name} must be one of {', '.join(str(kind.value) for kind in kinds)}.")
    return found
