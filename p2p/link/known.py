"""Which players are known: names as people give them, keys as they were seen. Pure; ``p2p.io.store`` keeps
the records."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TypeAlias

import msgspec

MAX_NAME = 32
"""Display characters of a name: fits one column of a table on 80 columns beside the cards."""

MAX_NAME_BYTES = 128
"""UTF-8 bytes of a name: 32 characters of four bytes; also bounds marks put on top of each other."""

# Letters that show nothing although their category says letter or mark (Unicode,
# Default_Ignorable_Code_Point).
_INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0}
_INVISIBLE |= {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}


class BadName(ValueError):
    """A name that is not shown to people. The message says what is wrong."""


class KnownPlayer(msgspec.Struct, frozen=True):
    """A player met before. ``petname`` is what this user calls the key; ``first_seen`` is in seconds of Unix
    time; ``verified`` says that the words were compared."""

    petname: str
    public: bytes
    first_seen: int
    verified: bool = False


class Known(msgspec.Struct, frozen=True):
    """The key was met before, whatever it calls itself today."""

    player: KnownPlayer


class Stranger(msgspec.Struct, frozen=True):
    """Neither the key nor the name was met before: the name is a claim."""

    claimed_name: str


class ChangedKey(msgspec.Struct, frozen=True):
    """A new key calls itself by the petname of ``player``: a new machine, or somebody who wants to be taken
    for them. Stop, and compare words with the person."""

    player: KnownPlayer
    public: bytes


Judgement: TypeAlias = Known | Stranger | ChangedKey


def judge(known: Iterable[KnownPlayer], claimed_name: str, public: bytes) -> Judgement:
    """What is to be thought of someone who proved to hold ``public`` and calls itself ``claimed_name``."""
    players = tuple(known)
    for player in players:
        if player.public == public:
            return Known(player)
    for player in players:
        if is_same_name(player.petname, claimed_name):
            return ChangedKey(player, public)
    return Stranger(claimed_name)


def is_same_name(one: str, other: str) -> bool:
    """Whether people would take both for one name: case, width and form of the characters do not count.

    Letters of different scripts that look alike are not recognised; such a name is a stranger's, and shown as
    one.
    """
    return _folded(one) == _folded(other)


def clean_name(text: str) -> str:
    """``text`` in normal form C without spaces around it. Raises ``BadName``, one sentence, for what is no
    name."""
    name = unicodedata.normalize("NFC", text).strip(" ")
    if not name:
        raise BadName("The name is empty; give one of 1 to 32 characters.")
    if any(unicodedata.category(each) == "Cc" for each in name):
        raise BadName("The name contains control characters; use letters, digits, marks and spaces.")
    if any(_is_hidden(each) for each in name):
        raise BadName("The name contains invisible characters; use letters, digits, marks and single spaces.")
    if "  " in name:
        raise BadName("The name contains several spaces in a row; use single spaces.")
    if unicodedata.combining(name[0]) or unicodedata.category(name[0]).startswith("M"):
        raise BadName("The name begins with an accent that belongs to no letter; begin with a letter.")
    shown = sum(not unicodedata.category(each).startswith("M") for each in name)
    if shown > MAX_NAME or len(name.encode()) > MAX_NAME_BYTES:
        raise BadName(f"The name is too long; {MAX_NAME} characters are the most.")
    return name


def _is_hidden(character: str) -> bool:
    """Formats (bidirectional controls, zero width), surrogates, private and unassigned ones, and odd
    spaces."""
    category = unicodedata.category(character)
    if category in ("Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return True
    return (category == "Zs" and character != " ") or ord(character) in _INVISIBLE


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
