"""A board that speaks our own protocol, from the bytes of the examples in `firmware_protocol.md`, section 15.

Its frames are made and read by hand; it shares nothing with the package.
"""

ANTENNAS = 2
WELCOME = (
    "81 SS 01 00 07 NN NN NN NN 53 48 52 31 12 34 56 78 BB BB BB BB "
    "01 02 08 60 03 E8 00 00 00 00 05 62 6F 61 72 64"
)
ANTENNA = "82 SS AA 01 01 01 01 07 05 70 61 64 20 31"
TAG = "01 07 04 A3 C6 CA E2 61 80"
TAGS = "83 SS 00 00 00 EE 00 01"
PLACED = "C0 00 00 00 00 EE 01 AA 01 80 00 00 EF 42 07 04 A3 C6 CA E2 61 80"
REMOVED = "C0 00 00 00 00 EE 02 AA 01 80 00 00 F2 1C 07 04 A3 C6 CA E2 61 80"
TAPPED = "C0 00 00 00 00 EE 03 01 06 C9 00 00 F2 30 0C 30 75 1F EB 70 5C 59 04 E3 D5 0D 70"
STATUS = "86 SS 00 00 F4 24 00 00 00 EE 00 00 00 00 02"
NOTICE = "C1 00 01 02 16 63 68 69 70 20 30 78 39 32 20 73 65 74 20 75 70 20 61 67 61 69 6E"


def checksum(data: bytes) -> int:
    rest = 0xFFFF
    for byte in data:
        for bit in range(7, -1, -1):
            feed = (rest >> 15) ^ (byte >> bit & 1)
            rest = (rest << 1 & 0xFFFF) ^ (0x1021 if feed else 0)
    return rest


def frame(body: bytes) -> bytes:
    data = body + checksum(body).to_bytes(2, "big")
    return b"\0" + b"".join(bytes([len(part) + 1]) + part for part in data.split(b"\0")) + b"\0"


def body(piece: bytes) -> bytes | None:
    """The body of a frame without its zeros; ``None`` for anything else."""
    data = bytearray()
    while piece:
        code, part, piece = piece[0], piece[1 : piece[0]], piece[piece[0] :]
        if len(part) != code - 1:
            return None
        data += part + b"\0" * bool(piece)
    return bytes(data[:-2]) if len(data) > 3 and checksum(bytes(data)) == 0 else None


class OwnBoard:
    """Answers the host. ``tags`` are the antennas on which the one tag lies."""

    def __init__(self) -> None:
        self.boot = 41
        self.event = 0
        self.tags: list[int] = []
        self.health = [1] * ANTENNAS
        self.acknowledged = 0
        self.feedback: list[bytes] = []
        self._rest = b""

    def _made(self, pattern: str, seq: int = 0, antenna: int = 0, nonce: bytes = bytes(4)) -> bytes:
        text = (
            pattern.replace("SS", f"{seq:02X}")
            .replace("AA", f"{antenna:02X}")
            .replace("EE", f"{self.event:02X}")
        )
        text = text.replace("NN NN NN NN", nonce.hex(" ")).replace(
            "BB BB BB BB", self.boot.to_bytes(4, "big").hex(" ")
        )
        return bytes.fromhex(text)

    def answer(self, data: bytes) -> bytes:
        *pieces, self._rest = (self._rest + data).split(b"\0")
        replies = [self._reply(asked) for piece in pieces if (asked := body(piece))]
        return b"".join(frame(reply) for reply in replies if reply)

    def _reply(self, asked: bytes) -> bytes:
        match asked[0]:
            case 0x01:
                return self._made(WELCOME, asked[1], nonce=asked[6:10] if len(asked) > 10 else asked[-4:])
            case 0x02:
                return self._made(ANTENNA, asked[1], asked[2])
            case 0x03:
                listed = b"".join(bytes([antenna]) + bytes.fromhex(TAG) for antenna in self.tags)
                return self._made(TAGS, asked[1]) + bytes([len(self.tags)]) + listed
            case 0x04:
                self.feedback.append(asked)
                return bytes([0x80, asked[1], 0x04])
            case 0x06:
                return self._made(STATUS, asked[1]) + bytes(self.health)
            case 0x07:
                self.acknowledged = int.from_bytes(asked[2:6], "big")
        return b""

    def say(self, pattern: str, antenna: int = 0) -> bytes:
        """An event or remark that nobody asked for."""
        self.event += pattern.startswith("C0")
        return frame(self._made(pattern, 0, antenna))

    def heartbeat(self) -> bytes:
        return frame(self._made(STATUS) + bytes(self.health))
