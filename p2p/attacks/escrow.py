"""Lies about keys in escrow, about shares of them, and in taking a leaver out of the cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from ..deal import Escrow, Progress, Recover
from ..deal.giving import Giver
from ..deal.recovering import receivers_of
from ..log.codec import pack, unpack
from ..sealed import Receiver, Xof, prove_complaint, prove_escrow, prove_shares, seal_share
from ..sim import small_pack
from .base import ATTACKER, SEATS, Attack, End, Lie, Twist
from .bending import Withholder, bent
from .edits import first_point, no_point, other_point, part
from .games import ALL, SALMON
from .judging import lie
from .liar import at, at_place
from .timing import during

FOUR: Final = 4
"""Players at a table that one leaves: three are left, of whom two are honest, and keys are split again."""

LEAVER: Final = FOUR - 1


def _options(game: str) -> dict[str, str]:
    return {**small_pack(game, FOUR), **({"pace": "turns"} if game == SALMON else {})}


ALL_OF_FOUR: Final = {game: _options(game) for game in ALL}

# --- splitting keys -----------------------------------------------------------------------------------------


def _escrow(change: Callable[[Giver], bytes]) -> Lie:
    """Another body than the honest one where keys are split."""
    return at(Escrow, lambda giver, task, deed, body: change(giver), 0)


def _sealed(giver: Giver, more: int, off: int) -> bytes:
    """Shares of the key plus ``more``, promised as they are; the last of them is sealed as ``off`` more."""
    dealing, group, secret = giver.dealing, giver.dealing.group, giver.secrets.card_key + more
    place, stream = at_place(giver).place, Xof("attack/escrow", giver.fresh)
    receivers, header = receivers_of(dealing, place.seat), place.header("escrow")
    values = stream.scalars(group.order, len(receivers) - 1)
    values = [*values, (secret - sum(values)) % group.order]
    sealed = [*values[:-1], values[-1] + off]
    public = dealing.keys[place.seat].card
    return b"".join(
        seal_share(
            group, header, public, receiver, given, group.mul_base(value), stream.scalars(group.order, 2)
        )[1]
        for receiver, given, value in zip(receivers, sealed, values, strict=True)
    )


def _sealed_to_others(giver: Giver) -> bytes:
    """Each share sealed to a key that is not its keeper's."""
    group, place = giver.dealing.group, at_place(giver).place
    receivers = [
        Receiver(each.keeper, group.add(each.key, group.base))
        for each in receivers_of(giver.dealing, place.seat)
    ]
    return prove_escrow(group, place.header("escrow"), giver.secrets.card_key, receivers, giver.fresh)[1]


def _from_elsewhere(giver: Giver, **place: Any) -> bytes:
    """Honest shares that were made for another place."""
    other = at_place(giver, **place)
    receivers, secret = receivers_of(giver.dealing, giver.place.seat), giver.secrets.card_key
    return prove_escrow(giver.dealing.group, other.place.header("escrow"), secret, receivers, giver.fresh)[1]


def _split(
    name: str, tries: str, source: str, *told: Lie, says: str, reach: int = 0, twist: Twist | None = None
) -> Attack:
    return lie(name, tries, source, ALL, *told, says=says, reach=reach, twist=twist, recovery=True)


ESCROW: Final = (
    _split(
        "escrow-bad-share",
        "Seals a share of its key that does not open, so that nobody can act for it.",
        "CHEATS 35",
        _escrow(partial(_sealed, more=0, off=1)),
        says="does not open",
        reach=1,
    ),
    _split(
        "escrow-other-receiver",
        "Seals the shares of its key to keys that are not those of their keepers.",
        "CHEATS 25, 35",
        _escrow(_sealed_to_others),
        says="does not hold",
    ),
    _split(
        "escrow-other-key",
        "Splits another key than its own.",
        "CHEATS 25, 35",
        _escrow(partial(_sealed, more=1, off=0)),
        says="do not make up that key",
    ),
    _split(
        "escrow-too-few",
        "Gives one keeper no share of its key.",
        "CHEATS 35, 37",
        at(Escrow, lambda giver, task, deed, body: body[: len(body) // 2], 0),
        says="shares of a key",
    ),
    _split(
        "escrow-identity",
        "Promises a share that is nothing, so that the other one is its whole key.",
        "CHEATS 9, 35",
        at(
            Escrow,
            lambda g, task, deed, body: g.dealing.group.identity + body[g.dealing.group.point_size :],
            0,
        ),
        says="identity",
    ),
    _split(
        "escrow-another-table",
        "Splits its key with the shares of another table.",
        "CHEATS 14, 35",
        _escrow(partial(_from_elsewhere, table_id=bytes(32))),
        says="does not hold",
    ),
    _split(
        "escrow-another-seat",
        "Splits its key with shares that were made for another seat's.",
        "CHEATS 14, 35",
        _escrow(partial(_from_elsewhere, seat=0)),
        says="does not hold",
    ),
)

# --- complaints ---------------------------------------------------------------------------------------------


def _complaint(giver: Giver, about: int, to: int) -> bytes:
    """About the share that the seat ``about`` sealed to ``to``, as if it were sealed to this seat."""
    dealing, place = giver.dealing, at_place(giver).place
    share = next(each for each in dealing.stash[about] if each.to == to)
    key, secret = dealing.keys[place.seat].payload, giver.secrets.payload_key
    made = prove_complaint(dealing.group, place.header("complaint"), secret, key, share, giver.fresh)
    return pack([bytes([about]), made])


def _complains(change: Callable[[Giver], bytes]) -> Lie:
    return at(Escrow, lambda giver, task, deed, body: change(giver), 1)


def _bent_complaint(giver: Giver) -> bytes:
    """K of another key, with which the share does not open."""
    return part(1, first_point(other_point))(_complaint(giver, 0, ATTACKER), giver.dealing.group)


COMPLAINTS: Final = (
    _split(
        "complaint-false",
        "Complains of a share that opens, to have its owner thrown out.",
        "CHEATS 22, 35",
        _complains(lambda giver: _complaint(giver, 0, ATTACKER)),
        says="complained of a share that opens",
    ),
    _split(
        "complaint-other-secret",
        "Shows with another secret than its own that a share does not open.",
        "CHEATS 22, 25",
        _complains(_bent_complaint),
        says="does not hold",
    ),
    _split(
        "complaint-oracle",
        "Complains about a share that is sealed to another keeper, to have it opened.",
        "CHEATS 29, 35",
        _complains(lambda giver: _complaint(giver, 0, SEATS - 1)),
        says="does not hold",
    ),
    _split(
        "complaint-about-itself",
        "Complains about its own key, of which it holds no share.",
        "CHEATS 29, 37",
        _complains(lambda giver: pack([bytes([ATTACKER]), unpack(_complaint(giver, 0, ATTACKER))[1]])),
        says="no acceptance and no complaint",
    ),
    _split(
        "complaint-no-point",
        "Complains with bytes that are no point.",
        "CHEATS 9, 37",
        _complains(
            lambda giver: part(1, first_point(no_point))(_complaint(giver, 0, ATTACKER), giver.dealing.group)
        ),
        says="",
    ),
)

# --- taking a leaver out of the cards -----------------------------------------------------------------------


def _recovers(change: Callable[[Giver, list[bytes]], list[bytes]]) -> Lie:
    """Where the leaver's hand holds cards: its parts are the sender's own shares, the piles, the hand."""

    def changed(giver: Giver, task: Recover, deed: Any, body: bytes) -> bytes | None:
        parts = unpack(body)
        return pack(change(giver, parts)) if len(parts) == 3 and parts[1] and parts[2] else None

    return at(Recover, changed)


def _bent_part(number: int) -> Callable[[Giver, list[bytes]], list[bytes]]:
    def change(giver: Giver, parts: list[bytes]) -> list[bytes]:
        group, data = giver.dealing.group, parts[number]
        point = group.add(group.decode(data[: group.point_size]), group.base)
        return [*parts[:number], point + data[group.point_size :], *parts[number + 1 :]]

    return change


def _opens_hand(giver: Giver, parts: list[bytes]) -> list[bytes]:
    """The bare parts of the layer, with which the hand would lie open, in place of those that move it."""
    dealing, group = giver.dealing, giver.dealing.group
    hand = [
        cipher.a
        for slot, card in sorted(dealing.cards.items())
        if slot.zone == f"hand.{LEAVER}"
        for cipher in card
        if cipher.a != group.identity
    ]
    public, header = dealing.keys[giver.place.seat].card, at_place(giver).place.header("share")
    shares, proof = prove_shares(group, header, giver.secrets.card_key, public, tuple(hand), giver.fresh)
    return [*parts[:2], b"".join(shares) + proof]


def _recovery(name: str, tries: str, source: str, told: Lie, says: str = "") -> Attack:
    return lie(
        f"recovery-{name}",
        tries,
        source,
        ALL_OF_FOUR,
        told,
        says=says,
        seats=FOUR,
        recovery=True,
        leaver=LEAVER,
    )


RECOVERY: Final = (
    _recovery(
        "wrong-layer",
        "Takes a wrong part of the leaver's layer off the pile, so that its cards turn to rubbish.",
        "CHEATS 22, 35, 38",
        _recovers(_bent_part(1)),
        "does not hold",
    ),
    _recovery(
        "wrong-hand",
        "Moves the leaver's hand with a wrong part of its key.",
        "CHEATS 22, 35, 38",
        _recovers(_bent_part(2)),
    ),
    _recovery(
        "opens-hand",
        "Gives what opens the leaver's hand in place of what moves it unseen.",
        "CHEATS 28, 35",
        _recovers(_opens_hand),
    ),
    _recovery(
        "parts-swapped",
        "Gives what is owed for the pile for the hand, and the other way round.",
        "CHEATS 22, 35",
        _recovers(lambda giver, parts: [parts[0], parts[2], parts[1]]),
    ),
    _recovery(
        "nothing",
        "Gives no part of the leaver's key at all.",
        "CHEATS 33, 35",
        _recovers(lambda giver, parts: parts[:1]),
        "two lists",
    ),
    _recovery(
        "another-epoch",
        "Gives a part that was made for another epoch.",
        "CHEATS 14, 35",
        at(
            Recover,
            lambda giver, task, deed, body: (
                at_place(giver, epoch=giver.place.epoch - 1).give(task, 0, None)[0]
                if unpack(body)[1:]
                else None
            ),
        ),
        "does not hold",
    ),
)

# --- silence ------------------------------------------------------------------------------------------------


def _silent(name: str, tries: str, wanted: Callable[[Progress], bool], **more: Any) -> tuple[Attack, ...]:
    """Never, and late."""
    source, games = "CHEATS 33, 35", more.pop("games", ALL)
    return (
        bent(
            f"missing-{name}", f"{tries}.", source, games, Withholder, End.AWAITED, wanted=wanted,
            recovery=True, **more,
        ),
        bent(
            f"late-{name}", f"{tries} until much later.", source, games, Withholder, End.IGNORED,
            wanted=wanted, seconds=20.0, recovery=True, **more,
        ),
    )  # fmt: skip


SILENCE: Final = (
    *_silent("escrow", "Never splits its key", during(Escrow, 0)),
    *_silent("acceptance", "Never says whether its shares open", during(Escrow, 1)),
    *_silent(
        "recovery",
        "Never gives its part of a leaver's key",
        during(Recover),
        games=ALL_OF_FOUR,
        seats=FOUR,
        leaver=LEAVER,
    ),
)

ATTACKS: Final[tuple[Attack, ...]] = (*ESCROW, *COMPLAINTS, *RECOVERY, *SILENCE)
