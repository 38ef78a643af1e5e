"""A long and lossy line: passes Ethernet frames between two interfaces of its network namespace, late and not
all of them.

``python line.py ONE OTHER DELAY LOSS SEED``: each frame is passed on DELAY seconds after it came, in order;
of a thousand, 1000 * LOSS are dropped. Prints ``open`` once it listens. Serves where the kernel has no netem,
and needs root alone.
"""

from __future__ import annotations

import ctypes
import random
import selectors
import socket
import struct
import sys
import time
from collections import deque

ALL_PROTOCOLS = 0x0003
"""ETH_P_ALL of linux/if_ether.h."""

LARGEST = 65535
BUFFER = 8 * 1024 * 1024
"""Bytes the kernel keeps while this program waits for its turn."""

PACKET_OUTGOING = 4
"""Of linux/if_packet.h: a frame that was sent here and is read again."""

SIOCETHTOOL = 0x8946
OFFLOADS = (0x17, 0x1F, 0x24, 0x2C)
"""Of linux/ethtool.h: STXCSUM, STSO, SGSO, SGRO. An interface that leaves sums or the cutting to the next one
sends frames that a program cannot pass on."""


def plain_frames(interface: str) -> None:
    """Let an interface of this namespace send frames as they go over a wire. Linux."""
    import fcntl  # exists on Unix alone

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for command in OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("II", command, 0))
            request = struct.pack("16sP16x", interface.encode(), ctypes.addressof(value))
            fcntl.ioctl(any_socket, SIOCETHTOOL, request)


class Side:
    """One interface, and what waits to be sent from the other one."""

    def __init__(self, interface: str) -> None:
        self.raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
        self.raw.bind((interface, ALL_PROTOCOLS))
        self.raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        self.raw.setblocking(False)
        self.waiting: deque[tuple[float, bytes]] = deque()


def main(one: str, other: str, delay: float, loss: float, seed: int) -> None:
    """Pass frames on until the program is ended."""
    draw = random.Random(seed)
    for each in (one, other):
        plain_frames(each)
    sides = [Side(one), Side(other)]
    selector = selectors.DefaultSelector()
    for number, side in enumerate(sides):
        selector.register(side.raw, selectors.EVENT_READ, number)
    sys.stdout.write("open\n")
    sys.stdout.flush()
    while True:
        times = [side.waiting[0][0] for side in sides if side.waiting]
        timeout = max(0.0, min(times) - time.monotonic()) if times else None
        for key, _ in selector.select(timeout):
            frame, about = sides[key.data].raw.recvfrom(LARGEST)
            if about[2] != PACKET_OUTGOING and draw.random() >= loss:
                sides[1 - key.data].waiting.append((time.monotonic() + delay, frame))
        now = time.monotonic()
        for side in sides:
            while side.waiting and side.waiting[0][0] <= now:
                side.raw.send(side.waiting.popleft()[1])


if __name__ == "__main__":
    if sys.argv[1] == "plain":
        plain_frames(sys.argv[2])
    else:
        main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
