"""Readers that are not there: pseudo-terminals that answer with bytes seen on real wires.

Nothing here comes from the package: an emulator that shared its code with a parser would share its mistakes.
"""

import asyncio
import contextlib
import os
import tty
from collections.abc import Callable, Iterator

from hardware.io import Port

RDM6300_CARD = bytes.fromhex("0231333030354431444135463603")
ID20_CARD = bytes.fromhex("023035303032303742333236430D0A03")
TEXT_CARD = b"Reader 2: Card UID: 04 A3 C6 CA E2 61 80\r\n"
NDJSON_CARD = b'{"type":"card","seq":7,"card_uid":"04 0e 3b d2 28 6b 85","tech":"MIFARE"}\n'
R200_CARD = bytes.fromhex("BB02220011CF3000E280699500005009F1286992620A6D7E")
R200_EMPTY = bytes.fromhex("BB01FF000115167E")

ACK = bytes.fromhex("0000FF00FF00")
PN532_EMPTY = bytes.fromhex("0000FF03FDD54B00E000")
PN532_CARD = bytes.fromhex("0000FF0FF1D54B01010044000704A3C6CAE261809900")
PN532_TWO = bytes.fromhex(
    "0000FF18E8D54B020100040804 45C52583 0200440007 04A3C6CAE26180 D400".replace(" ", "")
)
PN532_LIST = bytes.fromhex("0000FF04FCD44A0200E000")
PN532_ANSWERS = {
    bytes.fromhex("0000FF02FED4022A00"): bytes.fromhex("0000FF06FAD50332010607E800"),
    bytes.fromhex("0000FF05FBD4140114000300"): bytes.fromhex("0000FF02FED5151600"),
    bytes.fromhex("0000FF06FAD43205FF0102F300"): bytes.fromhex("0000FF02FED533F800"),
}
TWN4_SEARCH = b"050010\r"
TWN4_CARD = b"000180380704A3C6CAE26180\r"
TWN4_EMPTY = b"0000\r"


class Emulator:
    """A device on a pseudo-terminal. ``answer`` gets the host's bytes and returns what is for later; one that
    is asked, or goes round, says ``cards``.
    """

    cards: bytes = b""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.device = os.ttyname(self.slave)
        self.heard = b""
        self.answer: Callable[[bytes], bytes] = lambda _heard: b""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self.master, self._read)
        self.tasks: list[asyncio.Task[None]] = []

    def say(self, data: bytes) -> None:
        os.write(self.master, data)

    def repeat(self, data: bytes, seconds: float) -> None:
        """Say the same again and again, like a reader on which a card lies."""

        async def go() -> None:
            while True:
                self.say(data)
                await asyncio.sleep(seconds)

        self.tasks.append(asyncio.create_task(go()))

    def quiet(self) -> None:
        for task in self.tasks:
            task.cancel()
        self.tasks.clear()

    def unplug(self) -> None:
        self.quiet()
        if self.master >= 0:
            self._loop.remove_reader(self.master)
            os.close(self.master)
            os.close(self.slave)
            self.master = -1

    def port(self, vendor: int = 0x1A86, product: int = 0x7523, serial: str | None = None) -> Port:
        return Port(self.device, vendor, product, serial, "1-1")

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            self.heard = self.answer(self.heard + os.read(self.master, 4096))


class Pn532(Emulator):
    """A chip that swallows what wakes it, and lists ``cards``."""

    def __init__(self, swallow: int = 1) -> None:
        super().__init__()
        self.cards = PN532_EMPTY
        self.swallow = swallow
        self.answer = self._answered

    def _answered(self, heard: bytes) -> bytes:
        for asked, answer in {**PN532_ANSWERS, PN532_LIST: self.cards}.items():
            if asked in heard:
                if self.swallow > 0:
                    self.swallow -= 1
                else:
                    self.say(ACK + answer)
                return b""
        return heard[-64:]


class Twn4(Emulator):
    def __init__(self) -> None:
        super().__init__()
        self.cards = TWN4_EMPTY
        self.answer = self._answered

    def _answered(self, heard: bytes) -> bytes:
        if heard.endswith(TWN4_SEARCH):
            self.say(self.cards)
            return b""
        if heard.endswith(b"0004FF\r"):
            self.say(b"001354574E34204E465320342E3830\r")
            return b""
        return heard[-64:]


class R200(Emulator):
    """A module that sends notices while it polls."""

    def __init__(self) -> None:
        super().__init__()
        self.answer = self._answered
        self.cards = R200_EMPTY

    def _answered(self, heard: bytes) -> bytes:
        if heard.endswith(bytes.fromhex("BB0027000322FFFF4A7E")) and not self.tasks:

            async def rounds() -> None:
                while True:
                    self.say(self.cards)
                    await asyncio.sleep(0.05)

            self.tasks.append(asyncio.create_task(rounds()))
            return b""
        if heard.endswith(bytes.fromhex("BB0003000100047E")):
            self.say(bytes.fromhex("BB010300090056312E302E302E31AF7E"))
            return b""
        return heard[-64:]


@contextlib.contextmanager
def plugged(*emulators: Emulator) -> Iterator[None]:
    try:
        yield
    finally:
        for emulator in emulators:
            emulator.unplug()
