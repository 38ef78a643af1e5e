"""Writes every Ethernet frame of its network namespace into a pcap file, until it is ended.

``python capture.py FILE``: prints ``listening`` once it does. A raw socket is all it needs; tcpdump reads the
file.
"""

from __future__ import annotations

import socket
import struct
import sys
import time
from pathlib import Path

ALL_PROTOCOLS = 0x0003
"""ETH_P_ALL of linux/if_ether.h."""

LARGEST = 65535
BUFFER = 8 * 1024 * 1024
"""Bytes the kernel keeps while this program waits for its turn."""


def main(file: Path) -> None:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS)) as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        with file.open("wb", buffering=0) as out:
            out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, LARGEST, 1))
            sys.stdout.write("listening\n")
            sys.stdout.flush()
            while True:
                frame = raw.recv(LARGEST)
                now = time.time()
                out.write(
                    struct.pack("<IIII", int(now), int(now % 1 * 10**6), len(frame), len(frame)) + frame
                )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
