"""Our own reader protocol (`firmware_protocol.md`) as a driver: the session is `hardware.protocol.Host`.

State: that of the session. Its snapshots are believed at once, and nothing is known between a lost session
and the next snapshot.
"""

from __future__ import annotations

from ..protocol import Change, Host, Pattern, Sound, Tag, Wire
from ..protocol.messages import Health as Flags
from ..protocol.messages import Level
from ..protocol.messages import Technology as Spoken
from ..protocol.outputs import (
    Dropped,
    Healthy,
    Incompatible,
    Lost,
    Noticed,
    Opened,
    Rebooted,
    Replaced,
    RequestRefused,
    Snapshot,
    Tagged,
)
from ..protocol.outputs import Output as Told
from ..uids import Technology, Uid
from .base import Failed, Gone, Health, LinkLost, Listing, Output, Presence, Profile, Remark, Seen, Send

OWN = Profile(
    "shoal",
    "a reader that speaks our own protocol",
    Presence.REPORTED,
    0.05,
    (115200,),
    most_tags=8,
    commanded=True,
)

_KINDS = {
    Spoken.ISO14443A: Technology.ISO14443A,
    Spoken.ISO14443B: Technology.ISO14443B,
    Spoken.ISO15693: Technology.ISO15693,
    Spoken.FELICA: Technology.FELICA,
    Spoken.EM4100: Technology.EM4100,
    Spoken.GEN2: Technology.EPC,
}


class OwnReader:
    """A session with one reader. ``nonce``: any number, best a random one (firmware_protocol.md, section
    5). ``wire``: the form that is spoken; without it both are tried."""

    profile = OWN

    def __init__(self, nonce: int = 0, wire: Wire | None = None) -> None:
        self.host = Host(nonce, wire)
        self.dropped = 0
        """What arrived and was no message of a reader."""
        self._deaf: set[int] = set()

    @property
    def wake(self) -> float | None:
        return self.host.deadline()

    def start(self, now: float) -> list[Output]:
        self.host.start(now)
        self._deaf.clear()
        return self._sent()

    def feed(self, data: bytes, now: float) -> list[Output]:
        return self._said(self.host.receive(now, data), now)

    def tick(self, now: float) -> list[Output]:
        return self._said(self.host.tick(now), now)

    def show(
        self, antenna: int, pattern: Pattern, now: float, sound: Sound = Sound.NONE, duration_ms: int = 0
    ) -> bytes:
        """Let an antenna show and sound something: the bytes to write now, which may be none yet."""
        self.host.feedback(now, antenna, pattern, sound, duration_ms)
        return self.host.data_to_send()

    def _sent(self) -> list[Output]:
        data = self.host.data_to_send()
        return [Send(data)] if data else []

    def _said(self, told: tuple[Told, ...], now: float) -> list[Output]:
        out = [reading for each in told for reading in self._meaning(each, now)]
        return out + self._sent()

    def _meaning(self, told: Told, now: float) -> list[Output]:
        match told:
            case Opened(reader=reader, antennas=antennas):
                self._deaf.clear()
                if len(antennas) == 1:
                    return [Remark(f"{reader.firmware} with one antenna.")]
                return [Remark(f"{reader.firmware} with {len(antennas)} antennas.")]
            case Snapshot(tags=tags):
                return [
                    Listing(
                        tuple(
                            _uid(tag.technology, tag.uid) for tag in tags if tag.antenna == antenna.antenna
                        ),
                        antenna.antenna,
                        final=True,
                    )
                    for antenna in self.host.antennas
                    if antenna.antenna not in self._deaf
                ]
            case Tagged(tag=tag):
                return [_tagged(tag)]
            case Healthy(health=health):
                return self._health(health, now)
            case Lost(reason=reason):
                return [LinkLost(f"The session is over: {reason}.")]
            case Rebooted():
                return [LinkLost("The reader has started anew.")]
            case Replaced():
                return [LinkLost("Another reader answers.")]
            case Incompatible(lowest=lowest, highest=highest):
                return [Remark(f"The reader speaks version {lowest} to {highest} only: update its firmware.")]
            case Noticed(notice=notice):
                word = "" if notice.level is Level.INFO else f"{notice.level.name.capitalize()}: "
                return [Remark(word + notice.text)]
            case Dropped():
                self.dropped += 1
            case RequestRefused(code=code):
                return [Remark(f"The reader refused a request ({code.name.lower()}).")]
        return []

    def _health(self, health: tuple[Flags, ...], now: float) -> list[Output]:
        out: list[Output] = []
        for antenna, flags in enumerate(health):
            if flags & Flags.COLLISION:
                out.append(Failed("several cards overlap", antenna))
            if Flags.ANSWERS not in flags and antenna not in self._deaf:
                self._deaf.add(antenna)
                out.append(Health(False, f"Antenna {antenna} does not answer.", antenna))
            elif Flags.ANSWERS in flags and antenna in self._deaf:
                # What lies there is told by the snapshot, which ends the doubt.
                self._deaf.remove(antenna)
                out.append(Remark(f"Antenna {antenna} answers again."))
                self.host.survey(now)
        return out


def _uid(spoken: Spoken, data: bytes) -> Uid:
    return Uid(data, _KINDS.get(spoken, Technology.UNKNOWN))


def _tagged(tag: Tag) -> Output:
    uid = _uid(tag.technology, tag.uid)
    match tag.change:
        case Change.REMOVED:
            return Gone(uid, tag.antenna)
        case Change.TAPPED:
            return Seen(uid, tag.antenna, tag.signal, tap=True)
        case _:
            return Seen(uid, tag.antenna, tag.signal)
