"""Who sits at a table: links, set-up and charter, and an identity without a seat that speaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from engine.registry import game

from ..identity import Identity
from ..link.errors import LinkError
from ..link.handshake import Initiator, Responder
from ..log.charter import PROTOCOL_VERSION, Charter, SeatInfo
from ..log.codec import encode, pack
from ..log.entry import sign_entry
from ..log.wire import encode_message, frame_of
from ..session import GuestSetup, HostSetup, Roster, SetupError
from ..session.setup import Agreement, Join, Opening, Proposal, commit_nonce
from .base import Attack, End, Result, Scene
from .bending import Bent, Sender, bent
from .games import ALL
from .judging import result

NAMES: Final = ("Ann", "Ben", "Cem")
SMALL_ORDER: Final = bytes(32)
"""Ed25519: y = 0 is a point of order 4. With such a key one signature is valid for many messages."""
IDENTITY_POINT: Final = b"\1" + bytes(31)
NON_CANONICAL: Final = (2**255 - 19 + 3).to_bytes(32, "little")
"""y = p + 3: a second encoding of y = 3."""

_STRANGER: Final = Identity(bytes([51]) * 32)


def _identities() -> list[Identity]:
    return [Identity(bytes([n + 1]) * 32) for n in range(3)]


def _nonce(n: int) -> bytes:
    return bytes([n + 101]) * 32


def _refusals(scene: Scene, attempts: Sequence[Callable[[], object]]) -> Result:
    """Every honest party refuses, each with a sentence."""
    said: list[str] = []
    for attempt in attempts:
        try:
            attempt()
        except (SetupError, LinkError) as error:
            said.append(str(error))
    end = End.REFUSED if len(said) == len(attempts) and all(said) else End.WORKS
    return result(scene, end, said=said[0] if said else "")


# --- a host that cheats at the set-up -----------------------------------------------------------------------


class HostsTable:
    """An honest host and two honest guests, up to the agreement; ``change`` makes another charter of it.

    ``fits``: whether the host says so in its proposal already, so that both fit together.
    """

    def __init__(self, scene: Scene, change: Callable[[Charter], Charter], fits: bool) -> None:
        self.rules = game(scene.game)
        self.scene = scene
        identities = _identities()
        self.host = HostSetup(
            scene.game, scene.options, 3, "end", identities[0].public, NAMES[0], (), _nonce(0)
        )
        self.guests = [
            GuestSetup(identity.public, name, (), _nonce(n))
            for n, (identity, name) in enumerate(zip(identities[1:], NAMES[1:], strict=True), 1)
        ]
        for identity, guest in zip(identities[1:], self.guests, strict=True):
            self.host.seat(identity.public, guest.application(), False)
        proposal = self.host.propose(self.rules)
        for n, identity in enumerate(identities[1:], 1):
            self.host.open_nonce(identity.public, Opening(_nonce(n)))
        _, agreed = self.host.agreement()
        charter = change(msgspec.structs.replace(agreed.charter, group=scene.group.name))
        blank = encode(msgspec.structs.replace(charter, nonces=()))
        honest = encode(msgspec.structs.replace(agreed.charter, nonces=(), group=scene.group.name))
        commitments = list(proposal.commitments)
        if fits:  # the commitments are those of the seats of the false charter
            known = dict(zip((each.public for each in agreed.charter.seats), commitments, strict=True))
            nonces = zip(charter.seats, charter.nonces, strict=False)
            commitments = [
                known.get(seat.public) or commit_nonce(seat.public, nonce) for seat, nonce in nonces
            ]
        self.proposal = Proposal(blank if fits else honest, tuple(commitments))
        self.agreement = Agreement(encode(charter), tuple(() for _ in charter.seats))

    def read(self, guest: GuestSetup) -> object:
        """What a guest says to all of it."""
        roster = self.host.roster
        guest.receive(roster, lambda _id: self.rules, self.scene.group)
        guest.receive(self.proposal, lambda _id: self.rules, self.scene.group)
        return guest.receive(self.agreement, lambda _id: self.rules, self.scene.group)


def _hosting(change: Callable[[Charter], Charter], fits: bool, scene: Scene) -> Result:
    table = HostsTable(scene, change, fits)
    return _refusals(scene, [partial(table.read, guest) for guest in table.guests])


def _seats(change: Callable[[tuple[SeatInfo, ...]], tuple[SeatInfo, ...]]) -> Callable[[Charter], Charter]:
    return lambda charter: msgspec.structs.replace(charter, seats=change(charter.seats))


def _with_first(**fields: Any) -> Callable[[Charter], Charter]:
    return _seats(lambda seats: (msgspec.structs.replace(seats[0], **fields), *seats[1:]))


def _twice(charter: Charter) -> Charter:
    """The host in a fourth seat, under another name."""
    again = msgspec.structs.replace(charter.seats[0], name="Dee", keeper=3)
    nonces = (*charter.nonces, _nonce(9))
    return msgspec.structs.replace(charter, seats=(*charter.seats, again), nonces=nonces)


def _without_guests(charter: Charter) -> Charter:
    """Strangers in the guests' seats."""
    others = [Identity(bytes([n + 51]) * 32).public for n in range(2)]
    seats = [msgspec.structs.replace(s, public=p) for s, p in zip(charter.seats[1:], others, strict=True)]
    return msgspec.structs.replace(charter, seats=(charter.seats[0], *seats))


def _other_nonce(charter: Charter) -> Charter:
    return msgspec.structs.replace(charter, nonces=(bytes(32), *charter.nonces[1:]))


def _replaced(**fields: Any) -> Callable[[Charter], Charter]:
    return lambda charter: msgspec.structs.replace(charter, **fields)


def _other_terms(scene: Scene) -> Result:
    """Rosters of other tables, to a guest that waits and to one that knows which table it wants."""
    ann, ben, _ = _identities()
    rules = game(scene.game)

    def shown(**terms: Any) -> Roster:
        more = {"reveal": "end", **terms}
        reveal = more.pop("reveal")
        return HostSetup(
            scene.game, scene.options, 3, reveal, ann.public, NAMES[0], (), _nonce(0), **more
        ).roster

    def hears(known: bool, roster: Roster) -> None:
        terms = shown().terms if known else None
        guest = GuestSetup(ben.public, NAMES[1], (), _nonce(1), terms=terms)
        if not known:
            guest.receive(shown(), lambda _id: rules, scene.group)
        guest.receive(roster, lambda _id: rules, scene.group)

    others = [
        shown(reveal="never"), shown(grace=10), shown(watchers="any"), shown(recovery=True), shown(scanner=0),
        msgspec.structs.replace(shown(), game="go-fish" if scene.game != "go-fish" else "one-fish"),
        msgspec.structs.replace(shown(), options=(*shown().options, ("zzz", "1"))),
        msgspec.structs.replace(shown(), seats=4),
    ]  # fmt: skip
    return _refusals(scene, [partial(hears, known, each) for each in others for known in (False, True)])


def _host(
    name: str, tries: str, source: str, change: Callable[[Charter], Charter], fits: bool = True
) -> Attack:
    return Attack(f"host-{name}", tries, source, ALL, partial(_hosting, change, fits), End.REFUSED)


HOSTS: Final = (
    _host("twice", "The host seats itself a second time, under another name.", "CHEATS 32, 34", _twice),
    _host(
        "small-order",
        "The host plays with an identity key of small order, to deny what it signed.",
        "CHEATS 9",
        _with_first(public=SMALL_ORDER),
    ),
    _host(
        "identity-point",
        "The host plays with the neutral element as its identity key.",
        "CHEATS 9",
        _with_first(public=IDENTITY_POINT),
    ),
    _host(
        "non-canonical",
        "The host plays with a second encoding of an identity key.",
        "CHEATS 9",
        _with_first(public=NON_CANONICAL),
    ),
    _host(
        "steers-nonce",
        "The host picks its nonce once it has seen all others, to steer the table's name.",
        "CHEATS 18",
        _other_nonce,
        False,
    ),
    _host(
        "changes-table",
        "The host changes what is played after all have opened their nonces.",
        "CHEATS 34, 39",
        _replaced(reveal="never"),
        False,
    ),
    _host("replaces-guests", "The host puts strangers into the guests' seats.", "CHEATS 34", _without_guests),
    _host(
        "other-version",
        "The host names another protocol version, whose proofs are weaker.",
        "CHEATS 39",
        _replaced(protocol=PROTOCOL_VERSION - 1),
    ),
    _host(
        "other-group",
        "The host names another group, in which logarithms are easy.",
        "CHEATS 8, 39",
        _replaced(group="toy"),
    ),
    _host(
        "other-deck",
        "The host names another deck than the game's.",
        "CHEATS 3, 39",
        _replaced(deck_digest=bytes(32)),
    ),
    _host(
        "keeps-foreign",
        "The host calls another player's seat its own bot, to speak for it.",
        "CHEATS 33, 34",
        _seats(lambda s: (s[0], msgspec.structs.replace(s[1], keeper=2), s[2])),
    ),
    _host(
        "keeps-guest",
        "The host calls a guest its own bot, so that it counts as one player with it.",
        "CHEATS 33, 34",
        _seats(lambda s: (s[0], msgspec.structs.replace(s[1], keeper=0), s[2])),
    ),
    _host(
        "disguises-bot",
        "The host shows another player, and gives that seat and name to a bot of its own.",
        "CHEATS 33, 34",
        _seats(lambda s: (*s[:2], msgspec.structs.replace(s[2], public=_STRANGER.public, keeper=0))),
    ),
    _host(
        "baits",
        "The host shows a table whose hands are revealed, and proposes one where they stay closed.",
        "CHEATS 34, 39",
        _replaced(reveal="never"),
    ),
    Attack(
        "host-changes-terms",
        "The host shows another table to a guest that waits, or opens another one for a rematch.",
        "CHEATS 34, 39",
        ALL,
        _other_terms,
        End.REFUSED,
    ),
)


# --- a guest, or a stranger ---------------------------------------------------------------------------------


def _guest_twice(scene: Scene) -> Result:
    """One identity applies for two seats, and another one under a name that is taken."""
    identities = _identities()
    host = HostSetup(scene.game, scene.options, 4, "end", identities[0].public, NAMES[0], (), _nonce(0))
    join = Join(NAMES[1], commit_nonce(identities[1].public, _nonce(1)), ())
    host.seat(identities[1].public, join, False)
    said = [
        host.refusal(identities[1].public, Join("Dee", join.commitment, ())),
        host.refusal(identities[2].public, Join("BEN", join.commitment, ())),
    ]
    end = End.REFUSED if all(said) else End.WORKS
    return result(scene, end, said=said[0] or "")


def _guest_nonce(scene: Scene) -> Result:
    """A guest opens another nonce than it committed to, having seen that of the host."""
    identities = _identities()
    host = HostSetup(scene.game, scene.options, 2, "end", identities[0].public, NAMES[0], (), _nonce(0))
    host.seat(identities[1].public, Join(NAMES[1], commit_nonce(identities[1].public, _nonce(1)), ()), False)
    host.propose(game(scene.game))
    return _refusals(scene, [lambda: host.open_nonce(identities[1].public, Opening(_nonce(7)))])


def _guest_early(scene: Scene) -> Result:
    """A guest opens the nonce that it committed to, and the others have not been asked yet."""
    identities = _identities()
    host = HostSetup(scene.game, scene.options, 3, "end", identities[0].public, NAMES[0], (), _nonce(0))
    host.seat(identities[1].public, Join(NAMES[1], commit_nonce(identities[1].public, _nonce(1)), ()), False)
    return _refusals(scene, [lambda: host.open_nonce(identities[1].public, Opening(_nonce(1)))])


def _relayed(scene: Scene) -> Result:
    """A relay with a certificate of its own passes a handshake on; and one that signs for another."""
    ann, ben, eve = _identities()
    here, there = bytes(32), b"\1" * 32
    dials = Initiator(ann, here, _nonce(0), expect=ben.public)
    waits = Responder(ben, there, _nonce(1))

    def passed_on() -> None:
        challenged, answer = waits.receive(dials.hello)
        _, proof = dials.receive(answer)
        challenged.receive(proof)

    def in_place_of() -> None:
        _, answer = Responder(eve, here, _nonce(2)).receive(dials.hello)
        dials.receive(answer)

    return _refusals(scene, [passed_on, in_place_of])


def _bad_key(public: bytes, scene: Scene) -> Result:
    """A hello with such a key."""
    ann, ben, _ = _identities()
    hello = msgspec.msgpack.decode(Initiator(ben, bytes(32), _nonce(1)).hello)
    false = msgspec.msgpack.encode([*hello[:2], public, hello[3]])
    return _refusals(scene, [lambda: Responder(ann, bytes(32), _nonce(0)).receive(false)])


def _stranger_speaks(seat: Callable[[Bent], int]) -> Any:
    """A frame of an identity that has no seat, which a seated friend passes on."""

    def make(session: Bent) -> list[bytes] | None:
        history = session.history
        if history.step < 6 or not history.progress.owed or session.seat in history.progress.owed:
            return None
        stranger = Identity(bytes([77]) * 32)
        assert session.charter.seat_of(stranger.public) is None
        number = seat(session)
        entry = sign_entry(
            stranger, history.table_id, history.epoch, history.step, number, history.head, pack([b"x"])
        )
        return [encode_message(frame_of(entry, history.head))]

    return make


OTHERS: Final = (
    Attack("guest-twice", "A guest asks for a second seat.", "CHEATS 32", ALL, _guest_twice, End.REFUSED),
    Attack(
        "guest-steers-nonce",
        "A guest opens another nonce than it committed to.",
        "CHEATS 18",
        ALL,
        _guest_nonce,
        End.REFUSED,
    ),
    Attack(
        "guest-early-nonce",
        "A guest opens its nonce before the table is proposed, so that nobody who comes later is waited for.",
        "CHEATS 18",
        ALL,
        _guest_early,
        End.REFUSED,
    ),
    Attack(
        "relayed-link",
        "A stranger between two players passes on their handshake, or answers in place of one.",
        "CHEATS 31",
        ALL,
        _relayed,
        End.REFUSED,
    ),
    Attack(
        "link-small-order",
        "A stranger opens a link with an identity key of small order.",
        "CHEATS 9",
        ALL,
        partial(_bad_key, SMALL_ORDER),
        End.REFUSED,
    ),
    Attack(
        "link-non-canonical",
        "A stranger opens a link with a second encoding of an identity key.",
        "CHEATS 9",
        ALL,
        partial(_bad_key, NON_CANONICAL),
        End.REFUSED,
    ),
    bent(
        "spectator-poses",
        "An identity without a seat contributes under the number of one that owes.",
        "CHEATS 31",
        ALL,
        Sender,
        End.CUT,
        "without a valid signature",
        make=_stranger_speaks(lambda session: session.history.progress.owed[0]),
    ),
    bent(
        "spectator-speaks",
        "An identity without a seat contributes under a number of its own.",
        "CHEATS 31",
        ALL,
        Sender,
        End.CUT,
        "unknown seat",
        make=_stranger_speaks(lambda session: len(session.charter.seats)),
    ),
)

ATTACKS: Final[tuple[Attack, ...]] = (*HOSTS, *OTHERS)
