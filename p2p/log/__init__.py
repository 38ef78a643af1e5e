"""Charter, signed contributions, heads, evidence, and the ``.shoal`` file. No I/O."""

from .charter import MAX_SEATS, PROTOCOL_VERSION, Charter, SeatInfo, decode_charter
from .codec import Malformed, decode, encode, pack, unpack
from .entry import MAX_BODY, Entry, first_head, is_signed, next_head, sign_entry, signed_bytes
from .evidence import Equivocation, is_equivocation
from .record import ClosingRecord, Damaged, GameFile, read_game, read_records, write_game, write_records
from .wire import (
    MAX_CHAT,
    MAX_FRAME,
    Chat,
    EntryFrame,
    Have,
    Message,
    Pause,
    Want,
    decode_message,
    encode_message,
    frame_of,
)

__all__ = [
    "MAX_BODY",
    "MAX_CHAT",
    "MAX_FRAME",
    "MAX_SEATS",
    "PROTOCOL_VERSION",
    "Charter",
    "Chat",
    "ClosingRecord",
    "Damaged",
    "Entry",
    "EntryFrame",
    "Equivocation",
    "GameFile",
    "Have",
    "Malformed",
    "Message",
    "Pause",
    "SeatInfo",
    "Want",
    "decode",
    "decode_charter",
    "decode_message",
    "encode",
    "encode_message",
    "first_head",
    "frame_of",
    "is_equivocation",
    "is_signed",
    "next_head",
    "pack",
    "read_game",
    "read_records",
    "sign_entry",
    "signed_bytes",
    "unpack",
    "write_game",
    "write_records",
]
