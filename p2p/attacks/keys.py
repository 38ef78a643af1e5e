"""Keys, seeds, joint numbers, and what every seat signs and reveals at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.table import Coin

from ..deal import Close, Reveal, Secrets, Setup
from ..deal.giving import Giver
from ..log.codec import encode, pack, unpack
from ..sealed import Group, Point, encode_scalar, prove_key
from .base import ATTACKER, Attack, Lie
from .edits import Edit, edited, first_point, identity, no_point, other_point, part, shorter
from .games import ALL, COINED
from .judging import lie
from .liar import at, at_place

OTHER: Final = 0
"""The seat whose contributions are copied."""


def _at_setup(change: Callable[[Giver, list[bytes]], list[bytes]]) -> Lie:
    return at(Setup, lambda giver, task, deed, body: pack(change(giver, unpack(body))))


def _other_keys(giver: Giver, parts: list[bytes]) -> list[bytes]:
    """Keys of which somebody else has the secret, with that one's proofs: those of another seat."""
    secrets = Secrets(bytes(range(32)), giver.dealing.group.order)
    place = at_place(giver, seat=OTHER).place
    own = Giver(giver.dealing, giver.position, place, secrets, giver.fresh)
    return unpack(own.give(Setup(), 0, None)[0])


def _rogue(giver: Giver, parts: list[bytes]) -> list[bytes]:
    """Its key minus another's: the joint key of both would be one that it alone knows. The proof is made
    with the only secret that it has."""
    group, x = giver.dealing.group, giver.secrets.card_key
    other = group.mul_base(Secrets(bytes(range(32)), group.order).card_key)
    proof = prove_key(group, at_place(giver).place.header("key-card"), x, giver.fresh)
    return [group.sub(group.mul_base(x), other), proof, *parts[2:]]


def _non_canonical(point: Point, group: Group) -> bytes:
    """Another encoding of the same residue, or the negative one of RFC 9496."""
    number = int.from_bytes(point, "big") + (1 << (8 * group.point_size - 1))
    return (number % (1 << (8 * group.point_size))).to_bytes(group.point_size, "big")


def _small_order(_: Point, group: Group) -> bytes:
    """Encodings of points of small order: on the curve of ristretto255 the one of order 2, y = -1; in the
    small group the one of order 2 as well, p - 1. Both belong to no prime-order group."""
    if group.point_size == 32:
        return (2**255 - 20).to_bytes(32, "little")
    return (2 * group.order).to_bytes(group.point_size, "big")


def _key_edits() -> tuple[Attack, ...]:
    rows: tuple[tuple[str, str, str, Edit, str], ...] = (
        (
            "identity",
            "Takes the neutral element as its key, so that its layer is none.",
            "CHEATS 9",
            identity,
            "identity",
        ),
        ("no-point", "Sends bytes that encode no point as its key.", "CHEATS 9", no_point, "not"),
        ("other", "Takes a key that it has no secret of.", "CHEATS 15, 25", other_point, "does not hold"),
        (
            "small-order",
            "Takes a point of order 2 as its key, to leak the last bit of what is masked.",
            "CHEATS 1, 9",
            _small_order,
            "not",
        ),
        ("non-canonical", "Sends its key in another encoding.", "CHEATS 9", _non_canonical, ""),
    )
    return tuple(
        lie(f"key-{name}", tries, source, ALL, edited(Setup, part(0, first_point(change))), says=says)
        for name, tries, source, change, says in rows
    )


def _copied_seed(giver: Giver, parts: list[bytes]) -> list[bytes]:
    return [*parts[:4], giver.dealing.seed_commitment(OTHER, bytes(32))]


def _other_coin(giver: Giver, task: Coin, deed: Any, body: bytes) -> bytes | None:
    return bytes([body[0] ^ 1]) + body[1:]


# --- the end ------------------------------------------------------------------------------------------------


def _other_outcome(giver: Giver, task: Close, deed: Any, body: bytes) -> bytes | None:
    scores = [0] * giver.position.seats
    scores[ATTACKER] = 9
    return encode(("all-books", tuple(scores), (ATTACKER,)))


def _revealed(change: Callable[[Any, Group], list[bytes]]) -> Lie:
    return at(Reveal, lambda giver, task, deed, body: pack(change(giver.secrets, giver.dealing.group)))


def _in_other_form(secrets: Any, group: Group) -> list[bytes]:
    return [secrets.seed, (secrets.card_key + group.order).to_bytes(32, "little")]


ATTACKS: Final = (
    *_key_edits(),
    lie(
        "key-mirrored",
        "Takes another's key and proof as its own.",
        "CHEATS 14, 15",
        ALL,
        _at_setup(_other_keys),
        says="does not hold",
    ),
    lie(
        "key-rogue",
        "Takes a key that cancels another's out of the joint one.",
        "CHEATS 15",
        ALL,
        _at_setup(_rogue),
        says="does not hold",
    ),
    lie(
        "key-payload-unproved",
        "Takes a second key that it has no secret of.",
        "CHEATS 15, 25",
        ALL,
        edited(Setup, part(2, first_point(other_point))),
        says="does not hold",
    ),
    lie(
        "key-short-commitment",
        "Commits to its seed with a byte too few.",
        "CHEATS 17, 37",
        ALL,
        edited(Setup, part(4, shorter)),
        says="32 bytes",
    ),
    lie(
        "key-part-too-many",
        "Hides one part more among its keys.",
        "CHEATS 37",
        ALL,
        edited(Setup, lambda body, _group: pack([*unpack(body), b""])),
        says="five parts",
    ),
    lie(
        "coin-short",
        "Commits to its part of a joint number with a byte too few.",
        "CHEATS 17, 37",
        COINED,
        at(Coin, lambda giver, task, deed, body: bytes(31), 0),
        says="32 bytes",
    ),
    lie(
        "coin-other",
        "Opens another number once it has seen those of the others.",
        "CHEATS 18",
        COINED,
        at(Coin, _other_coin, 1),
        says="another value",
    ),
    lie(
        "coin-longer",
        "Opens its number with a byte more.",
        "CHEATS 37",
        COINED,
        at(Coin, lambda giver, task, deed, body: body + b"\0", 1),
        says="32 bytes each",
    ),
    lie(
        "seed-mirrored",
        "Copies another's commitment to its seed; it can never be revealed.",
        "CHEATS 16",
        ALL,
        _at_setup(_copied_seed),
        says="seed",
        is_late=True,
    ),
    lie(
        "close-other-outcome",
        "Signs that it has won.",
        "CHEATS 34, 40",
        ALL,
        at(Close, _other_outcome),
        says="another outcome",
    ),
    lie(
        "reveal-other-seed",
        "Reveals another seed, to hide how it shuffled.",
        "CHEATS 18, 20",
        ALL,
        _revealed(lambda secrets, group: [bytes(32), encode_scalar(secrets.card_key)]),
        says="seed that it had not committed to",
    ),
    lie(
        "reveal-other-key",
        "Reveals another key, to hide what it held.",
        "CHEATS 25",
        ALL,
        _revealed(lambda secrets, group: [secrets.seed, encode_scalar(5)]),
        says="not its card key",
    ),
    lie(
        "reveal-other-form",
        "Reveals its key in another encoding.",
        "CHEATS 9",
        ALL,
        _revealed(_in_other_form),
        says="not its card key",
    ),
    lie(
        "reveal-short",
        "Reveals its seed and keeps its key.",
        "CHEATS 18",
        ALL,
        _revealed(lambda secrets, group: [secrets.seed]),
        says="32 bytes each",
    ),
)
