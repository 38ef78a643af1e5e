"""A reader behind an MQTT broker, without I/O: topics, payloads and the time in, readings and lines to
publish out.

```
              online (again)                        offline (its last will)
   heard of ------------------> there ------------------------------------> away
```

- What the broker kept (a **retained** message) is never a tap, whatever it says: it may be of yesterday
  (P-37). Retained are believed only the states of readers (online, offline) and the set-up of a tag scanner.
- The same numbered payload again is the same tap: delivery "at least once" brings some twice. Payloads
  without a number of their own are left to the tracker, which knows how soon a second tap can follow.
- A reader that goes and comes again and again has most likely a twin of the same client name, and the broker
  throws one out for the other (P-38).

Our own protocol over MQTT has a session of its own (`firmware_protocol.md`, section 14).
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace

from ..protocol import LineWire, Pattern, Sound
from ..uids import Technology
from .base import (
    Failed,
    Gone,
    Health,
    LinkLost,
    LinkUp,
    Listing,
    Output,
    Presence,
    Profile,
    Reading,
    Remark,
    Restarted,
    Seen,
    Unclear,
)
from .mqtt_payloads import Payloads, as_object, is_numbered, pointed, pointer, readings, tag
from .own import OWN, OwnReader

__all__ = ["LONGEST", "MQTT", "BadTopic", "MqttReader", "Payloads"]

LONGEST = 2048
"""Bytes of a payload: the longest line of our protocol. Anything longer is no tag."""

LONGEST_TOPIC = 256
"""Characters; MQTT allows 65,535, and no firmware uses a tenth of this."""

SAME = 60.0
"""Seconds within which an equal numbered payload is a repetition: a board whose link broke sends it again
when it is back, which takes it half a minute at most."""

REMEMBERED = 32
"""Payloads compared with. A hand taps less often than once a second."""

FLAPS = 3
FLAP_TIME = 60.0
"""More departures than this within so many seconds are no bad radio link (P-38)."""

MQTT = Profile("mqtt", "a reader behind an MQTT broker", Presence.EDGE, 0.5, ())

_ONLINE = frozenset({"online", "1", "true", "on", "connected"})
_OFFLINE = frozenset({"offline", "0", "false", "off", "disconnected"})
_LAST_NUMBER = re.compile(r"(\d{1,3})$")
_SENSOR = re.compile(r"(binary_sensor/)([^/]+)(/state)$")
_PERIODS = {Payloads.TASMOTA: 2.0, Payloads.ESPHOME: 1.0}
"""Seconds: Tasmota is deaf for two after each tag, ESPHome looks once a second."""


class BadTopic(ValueError):
    """A topic that cannot be listened to. The message is one sentence."""


class MqttReader:
    """What one topic, or a filter of several, says.

    ``topic``: where the tags are told; ``+`` stands for one level, and a number at the end of what stands
    there is the antenna. ``availability``: where the reader says whether it is online, if that is not where
    its firmware usually does. ``nonce``: for ``shoal``, any number, best a random one. Raises `BadTopic`.
    """

    def __init__(
        self,
        topic: str,
        payloads: Payloads = Payloads.AUTO,
        *,
        presence: Presence | None = None,
        technology: Technology = Technology.UNKNOWN,
        availability: str = "",
        nonce: int = 0,
    ) -> None:
        _check_topic(topic)
        if availability:
            _check_topic(availability)
        self.payloads = _guessed(topic) if payloads is Payloads.AUTO else payloads
        self.faults = 0
        """Messages that were skipped because the firmware would not send them."""
        self._technology = technology
        self._own = OwnReader(nonce, LineWire(check=False)) if self.payloads is Payloads.SHOAL else None
        self._topic = _told_at(topic, self.payloads)
        self._availability = availability or _usual_availability(self._topic, self.payloads)
        self.profile = self._profile(presence)
        self._filter = re.compile(_pattern(self._topic))
        self._scanner: tuple[str, tuple[str, ...]] | None = None
        self._recent: deque[tuple[str, bytes, float]] = deque(maxlen=REMEMBERED)
        self._online: bool | None = None
        self._departures: deque[float] = deque(maxlen=FLAPS + 1)
        self._flapping = False
        self._complained = False

    @property
    def topics(self) -> tuple[str, ...]:
        """What to subscribe to; it may change with a message."""
        topics = [self._topic, self._availability]
        if self.payloads is Payloads.TASMOTA and self._topic.endswith("/SENSOR"):
            topics.append(self._topic.removesuffix("SENSOR") + "RESULT")
        if self._scanner is not None:
            topics.append(self._scanner[0])
        return tuple(dict.fromkeys(filter(None, topics)))

    @property
    def reply_topic(self) -> str | None:
        """Where lines for the reader are published; ``None`` for a reader that takes none."""
        return None if self._own is None else self._topic.removesuffix("out") + "in"

    @property
    def wake(self) -> float | None:
        return None if self._own is None or self._online is False else self._own.wake

    def start(self, now: float) -> list[Output]:
        """The broker is there, and the topics are subscribed to."""
        self._online = None
        self._complained = False
        return [] if self._own is None else self._own.start(now)

    def message(self, topic: str, payload: bytes, retained: bool, now: float) -> list[Output]:
        """A message. Nothing raises, whatever it is."""
        if len(payload) > LONGEST or len(topic) > LONGEST_TOPIC:
            return [] if retained else self._fault()
        if topic == self._availability:
            return self._state(payload, now)
        if self._is_set_up(topic):
            return self._set_up(payload)
        if retained:
            return self._kept(topic, payload)
        if self._own is not None:
            return self._of_own(payload, now)
        return self._told(topic, payload, now)

    def _kept(self, topic: str, payload: bytes) -> list[Output]:
        """Of what the broker kept only the end of a tag's presence counts, where that is a state."""
        return self._told(topic, payload, 0.0) if _SENSOR.search(topic) and payload == b"OFF" else []

    def tick(self, now: float) -> list[Output]:
        """Time has passed."""
        return [] if self._own is None or self._online is False else self._own.tick(now)

    def show(
        self, antenna: int, pattern: Pattern, now: float, sound: Sound = Sound.NONE, duration_ms: int = 0
    ) -> bytes:
        """As `OwnReader.show`; nothing for other readers, which have no lights that we know of."""
        return b"" if self._own is None else self._own.show(antenna, pattern, now, sound, duration_ms)

    def _profile(self, presence: Presence | None) -> Profile:
        if self._own is not None:
            return replace(OWN, name=MQTT.name, baud_rates=())
        usual = Presence.REPORTED if _SENSOR.search(self._topic) else MQTT.presence
        period = _PERIODS.get(self.payloads, MQTT.period)
        return replace(MQTT, presence=presence or usual, period=period, technology=self._technology)

    def _fault(self) -> list[Output]:
        self.faults += 1
        if self._complained:
            return []
        self._complained = True
        return [Remark(f"A message on {self._topic} is nothing that {self.payloads} sends: it was skipped.")]

    # Whether the reader is there.

    def _state(self, payload: bytes, now: float) -> list[Output]:
        word = payload.strip().lower().decode("ascii", "replace")
        if word in _ONLINE:
            return self._came(now)
        if word in _OFFLINE:
            return self._went(now)
        return self._fault() if word else []

    def _came(self, now: float) -> list[Output]:
        was, self._online = self._online, True
        if was is not False:
            return []
        # With a session, what lies there is known once its snapshot has come; `OWN` must be asked.
        return [LinkUp(self._topic), *(self._own.start(now) if self._own is not None else [])]

    def _went(self, now: float) -> list[Output]:
        if self._online is False:
            return []
        self._online = False
        out: list[Output] = [LinkLost("The broker says that the reader is offline.")]
        while self._departures and now - self._departures[0] > FLAP_TIME:
            self._departures.popleft()
        self._flapping = self._flapping and bool(self._departures)
        self._departures.append(now)
        if len(self._departures) > FLAPS and not self._flapping:
            self._flapping = True
            out.append(
                Remark(
                    "The reader goes and comes again and again: give each reader a client name of its own, "
                    "for a broker throws one out when another of the same name comes."
                )
            )
        return out

    # What it says.

    def _of_own(self, payload: bytes, now: float) -> list[Output]:
        assert self._own is not None
        before = self._own.dropped
        out = self._own.feed(payload + b"\n", now)
        return out + (self._fault() if self._own.dropped > before else [])

    def _told(self, topic: str, payload: bytes, now: float) -> list[Output]:
        try:
            text = payload.decode("utf-8").strip("\0 \t\r\n")
        except UnicodeDecodeError:
            return self._fault()
        if self._again(topic, payload, text, now):
            return []
        found = self._meaning(topic, text)
        if found is None:
            return self._fault()
        if any(isinstance(reading, Restarted) for reading in found):
            self._recent.clear()  # it may count from the beginning
        antenna = self._antenna(topic)
        return [_at(reading, antenna) for reading in found]

    def _meaning(self, topic: str, text: str) -> list[Reading] | None:
        if self._scanner is not None and topic == self._scanner[0]:
            return pointed(text, self._scanner[1], self._technology)
        if sensor := _SENSOR.search(topic):
            return _sensor(sensor[2], text, self._technology)
        return readings(self.payloads, text, self._technology)

    def _again(self, topic: str, payload: bytes, text: str, now: float) -> bool:
        if not is_numbered(text):
            return False
        for known, old, at in self._recent:
            if old == payload and known == topic and now - at <= SAME:
                return True
        self._recent.append((topic, payload, now))
        return False

    def _antenna(self, topic: str) -> int | None:
        """The number at the end of what stands for the first ``+``; ``None`` without one."""
        match, sensor = self._filter.fullmatch(topic), _SENSOR.search(topic)
        if match is None or not self._filter.groups or (sensor and sensor.span(2) == match.span(1)):
            return None
        number = _LAST_NUMBER.search(match[1])
        return int(number[1]) if number is not None and int(number[1]) <= 0xFF else None

    # Tag scanners of Home Assistant, which say where and how they will speak.

    def _is_set_up(self, topic: str) -> bool:
        return self.payloads is Payloads.HOME_ASSISTANT and topic == self._topic and topic.endswith("/config")

    def _set_up(self, payload: bytes) -> list[Output]:
        if not payload:
            self._scanner = None
            return []
        value = as_object(payload.decode("utf-8", "replace")) or {}
        where, template = (
            value.get("topic", value.get("t")),
            value.get("value_template", value.get("val_tpl", "")),
        )
        way = pointer(template) if isinstance(template, str) else None
        try:
            _check_topic(where if isinstance(where, str) else "")
        except BadTopic:
            return self._fault()
        if way is None or not isinstance(where, str) or where == self._topic:
            return self._fault()
        self._scanner = (where, way)
        return []


def _guessed(topic: str) -> Payloads:
    """Firmware by its topics, where they are unmistakable."""
    if re.fullmatch(r"shoal/[0-9A-Fa-f]{16}(?:/out)?", topic):
        return Payloads.SHOAL
    if topic.endswith("/SENSOR"):
        return Payloads.TASMOTA
    if topic.startswith("homeassistant/tag/") and topic.endswith("/config"):
        return Payloads.HOME_ASSISTANT
    return Payloads.AUTO


def _told_at(topic: str, payloads: Payloads) -> str:
    if payloads is not Payloads.SHOAL:
        return topic
    if "+" in topic:
        raise BadTopic("One reader of our own protocol has one topic: write shoal/DEVICE, without + in it.")
    topic = topic.removesuffix("/out")
    return f"{topic}/out"


def _usual_availability(topic: str, payloads: Payloads) -> str:
    start, _, last = topic.rpartition("/")
    if payloads is Payloads.SHOAL:
        return f"{start}/alive"
    if payloads is Payloads.TASMOTA and last in {"SENSOR", "RESULT"} and "+" not in start:
        return f"{start}/LWT"
    if (sensor := _SENSOR.search(topic)) and "+" not in topic[: sensor.start()]:
        return f"{topic[: sensor.start()]}status"
    return ""


def _check_topic(topic: str) -> None:
    if not topic or len(topic) > LONGEST_TOPIC or any(not c.isprintable() for c in topic):
        raise BadTopic("A topic is needed, such as tele/pad1/SENSOR.")
    levels = topic.split("/")
    if any("#" in level or (level != "+" and "+" in level) for level in levels) or topic.startswith("$"):
        raise BadTopic(
            f"{topic} cannot be listened to: name one topic, or write + for one whole level of it."
        )


def _pattern(topic: str) -> str:
    return "/".join("([^/]+)" if level == "+" else re.escape(level) for level in topic.split("/"))


def _at(reading: Reading, antenna: int | None) -> Reading:
    if antenna is not None and isinstance(reading, Seen | Gone | Listing | Failed | Unclear | Health):
        return replace(reading, antenna=antenna)
    return reading


def _sensor(name: str, text: str, technology: Technology) -> list[Reading] | None:
    """A binary sensor of ESPHome, which is named after its tag."""
    if text not in {"ON", "OFF"}:
        return None
    # The tag's id is the name, and underscores stand for what a name may not have.
    found = tag(name.replace("_", "-"), technology)
    if not isinstance(found, Seen):
        return [] if found is None else [found]
    return [found if text == "ON" else Gone(found.uid)]
