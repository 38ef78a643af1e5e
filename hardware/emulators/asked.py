"""Readers that answer: PN532, Elatec TWN4 and the UHF modules.

The answers are made here from the published formats; nothing is shared with the drivers that read them.
"""

from __future__ import annotations

from .base import EmulatedReader

__all__ = ["EmulatedPn532", "EmulatedR200", "EmulatedTwn4"]

_ROOM = 512
"""Bytes of the host that are kept while a command is not all there. The longest has 20."""


class EmulatedPn532(EmulatedReader):
    """A chip that sleeps until it is woken, and lists up to two tags of type A when it is asked."""

    kind = "pn532"
    title = "PN532 over UART, 13.56 MHz"
    lengths = (4, 7, 10)

    def __init__(self, antennas: int = 1) -> None:
        super().__init__(antennas)
        self._heard = bytearray()
        self._awake = False

    def started(self, now: float) -> None:
        self._heard.clear()
        self._awake = False

    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        pass  # until it is asked

    def feed(self, data: bytes, now: float) -> None:
        if not self.on:
            return
        self._heard += data
        if b"\x55" in data:
            self._awake = True
        while (asked := self._next_command()) is not None:
            if self._awake and 0 not in self.deaf:
                self._out += b"\x00\x00\xff\x00\xff\x00"  # acknowledged
                self._answer(asked)

    def _next_command(self) -> bytes | None:
        """The code and parameters of the next command whose sums are right."""
        heard = self._heard
        while (at := heard.find(b"\x00\xff")) >= 0:
            del heard[:at]
            if len(heard) < 4 or len(heard) < 5 + heard[2]:
                break
            size = heard[2]
            body = bytes(heard[4 : 4 + size])
            right = not (size + heard[3]) & 0xFF and not (sum(body) + heard[4 + size]) & 0xFF
            del heard[: 5 + size if right and size else 2]
            if right and body[:1] == b"\xd4":
                return body[1:]
        del heard[:-_ROOM]
        return None

    def _answer(self, asked: bytes) -> None:
        match asked[:1]:
            case b"\x02":
                self._say(b"\x03\x32\x01\x06\x07")  # PN532, firmware 1.6, all that it supports
            case b"\x14":
                self._say(b"\x15")
            case b"\x32":
                self._say(b"\x33")
            case b"\x4a":
                self._say(b"\x4b" + self._listed(asked[1] if len(asked) > 1 else 1))
            case _:
                self._out += bytes.fromhex("0000FF01FF7F8100")  # no such command

    def _listed(self, most: int) -> bytes:
        tags = self.audible(0)[: min(most, 2)]
        listed = bytes([len(tags)])
        for number, uid in enumerate(tags, 1):
            # The size of the id in SENS_RES, and SEL_RES of a MIFARE Classic or an NTAG.
            size, kind = {4: (0x04, 0x08), 7: (0x44, 0x00), 10: (0x84, 0x00)}[len(uid)]
            listed += bytes([number, 0x00, size, kind, len(uid)]) + uid
        return listed

    def _say(self, answer: bytes) -> None:
        body = b"\xd5" + answer
        head = bytes([0x00, 0x00, 0xFF, len(body), (0x100 - len(body)) & 0xFF])
        self._out += head + body + bytes([(0x100 - sum(body) % 0x100) & 0xFF, 0x00])


class EmulatedTwn4(EmulatedReader):
    """Simple Protocol: a search is answered with the tag that lies there, if it is one alone; beeps."""

    kind = "twn4"
    title = "Elatec TWN4, Simple Protocol"
    lengths = (4, 5, 7, 8, 10)

    def __init__(self, antennas: int = 1) -> None:
        super().__init__(antennas)
        self._heard = bytearray()

    def started(self, now: float) -> None:
        self._heard.clear()

    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        pass  # until it is asked

    def feed(self, data: bytes, now: float) -> None:
        if not self.on or self.deaf:
            return
        *lines, rest = (bytes(self._heard) + data).split(b"\r")
        self._heard = bytearray(rest[-_ROOM:])
        for line in lines:
            if line:
                self._out += self._answered(line.strip().upper()) + b"\r"

    def _answered(self, line: bytes) -> bytes:
        if line.startswith(b"0500"):
            return self._found()
        if line.startswith(b"0004"):
            version = b"TWN4 NFS 4.80 (emulated)"
            return b"00%02X%s" % (len(version), version.hex().upper().encode("ascii"))
        if line.startswith(b"0407"):
            self._shown.append("It beeps.")
            return b"00"
        return b"00" if line[:4] in {b"0402", b"0403", b"0502"} else b"01"

    def _found(self) -> bytes:
        tags = self.audible(0)
        if len(tags) != 1:
            return b"0000"
        uid = tags[0]
        kind = 0x40 if len(uid) == 5 else 0x82 if len(uid) == 8 else 0x80
        return b"0001%02X%02X%02X%s" % (kind, 8 * len(uid), len(uid), uid.hex().upper().encode("ascii"))


class EmulatedR200(EmulatedReader):
    """A UHF module: while it polls, a notice for each tag in each round, and another one for an empty round.

    Ids are EPCs, whole words of two bytes.
    """

    kind = "r200"
    title = "R200 or YRM100, UHF"
    lengths = tuple(range(4, 63, 2))
    fresh = (b"\xe2\x80", 12)
    ROUND = 0.05
    """Seconds for a round over all tags."""

    def __init__(self, antennas: int = 1) -> None:
        super().__init__(antennas)
        self._heard = bytearray()
        self._rounds = 0
        self._next: float | None = None

    @property
    def wake(self) -> float | None:
        return self._next

    def started(self, now: float) -> None:
        self._heard.clear()
        self._rounds, self._next = 0, None

    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        pass  # in the next round

    def cut(self) -> None:
        super().cut()
        self._next = None

    def feed(self, data: bytes, now: float) -> None:
        if not self.on or self.deaf:
            return
        self._heard += data
        while (at := self._heard.find(b"\xbb")) >= 0 and len(self._heard) >= at + 7:
            size = 7 + int.from_bytes(self._heard[at + 3 : at + 5], "big")
            if size > 64:
                del self._heard[: at + 1]
                continue
            if len(self._heard) < at + size:
                break
            frame = bytes(self._heard[at : at + size])
            if frame[-1] == 0x7E and sum(frame[1:-2]) & 0xFF == frame[-2]:
                del self._heard[: at + size]
                self._obey(frame, now)
            else:
                del self._heard[: at + 1]
        del self._heard[:-_ROOM]

    def _obey(self, frame: bytes, now: float) -> None:
        match frame[2]:
            case 0x22:
                self._round()
            case 0x27 if len(frame) >= 10:
                self._rounds, self._next = int.from_bytes(frame[6:8], "big"), now
                self.tick(now)
            case 0x28:
                self._rounds, self._next = 0, None
                self._say(0x01, 0x28, b"\x00")
            case 0x03:
                self._say(0x01, 0x03, b"\x00V1.0.1")
            case _:
                self._say(0x01, 0xFF, b"\x17")  # no such command

    def tick(self, now: float) -> None:
        if not self.on or self._next is None or now < self._next:
            return
        self._round()
        self._rounds -= 1
        self._next = now + self.ROUND if self._rounds > 0 else None

    def _round(self) -> None:
        tags = self.audible(0)
        for uid in tags:
            # -55 dBm, the length of the id in the upper five bits of PC, and a checksum that nobody reads.
            head = bytes([0xC9]) + (len(uid) // 2 << 11).to_bytes(2, "big")
            self._say(0x02, 0x22, head + uid + b"\x3a\x76")
        if not tags:
            self._say(0x01, 0xFF, b"\x15")

    def _say(self, kind: int, command: int, parameters: bytes) -> None:
        body = bytes([kind, command]) + len(parameters).to_bytes(2, "big") + parameters
        self._out += b"\xbb" + body + bytes([sum(body) & 0xFF, 0x7E])
