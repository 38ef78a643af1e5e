"""Lies about keys in escrow, about who has left, and by those who have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from ..deal import Close, Escrow, Progress, Recover
from ..deal.giving import Giver
from ..deal.recovering import receivers_of
from ..log.absence import DEPARTURE, sign_statement
from ..log.codec import pack, unpack
from ..log.wire import Missing, StatementFrame, decode_message, encode_message, frame_of_statement
from ..sealed import Receiver, Xof, prove_complaint, prove_escrow, prove_shares, seal_share
from ..session import Effect, GivenUp, Kept, Send, Timer
from ..sim import small_pack
from .base import ATTACKER, SEATS, Attack, End, Lie, Result, Scene, Twist
from .bending import OFTEN, Bent, Forker, Sender, Withholder, bent, kind_of
from .dealing import ALL, SALMON, first_point, no_point, other_point, part
from .judging import PATIENCE, finish, lie, result
from .liar import at, at_place
from .table import AttackedTable
from .timing import during

FOUR: Final = 4
"""Players at a table that one leaves: three are left, of whom two are honest, and keys are split again."""

LEAVER: Final = FOUR - 1

AGREED: Final = 200.0
"""Seconds of the world in which a departure is agreed on: more than the grace time of a table."""


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

# --- whether somebody has left ------------------------------------------------------------------------------


class Refuser(Bent):
    """Takes no part in agreeing that a seat has left."""

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        held = [effect for effect in effects if isinstance(effect, Send) and _is_about_absence(effect.data)]
        if held:
            self.told = self.history.step
        return [effect for effect in effects if effect not in held]


def _is_about_absence(data: bytes) -> bool:
    return isinstance(decode_message(data), Missing | StatementFrame)


class Pretender(Refuser):
    """Signs that it holds what the leaver owes, and has nothing to show."""

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        effects = super().bend(now, effects)
        if self.told is None:
            return effects
        return [*effects, Send(None, _stated(self, LEAVER, True)), Timer(OFTEN)]


def _stated(session: Bent, keeper: int, have: bool) -> bytes:
    history = session.history
    about, identity = (history.epoch, history.step, keeper), session._identity  # noqa: SLF001  # its own
    said = sign_statement(identity, history.table_id, history.head, about, DEPARTURE, session.seat, have)
    return encode_message(frame_of_statement(said, history.head))


class Wavering(Refuser):
    """Signs for one seat that the leaver's contribution is here, and for another that it is not."""

    has_said = False

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        effects = super().bend(now, effects)
        if self.told is None or self.has_said:
            return effects
        self.has_said = True
        return [*effects, Send(0, _stated(self, LEAVER, True)), Send(FOUR - 2, _stated(self, LEAVER, False))]


def _departing(kind: type[Bent], names: Callable[[Any], bool], scene: Scene) -> Result | None:
    """The others wait for the leaver, and all of them see who keeps it from being left out."""
    table = AttackedTable(scene, {ATTACKER: kind_of(kind)})
    table.begin()
    session = table.session(ATTACKER)
    assert isinstance(session, Bent)
    if not table.run_until(lambda: table.is_over or session.told is not None, AGREED) or table.is_over:
        return None
    step = session.told
    table.run_until(lambda: table.is_over, PATIENCE)
    if scene.attack.end is End.NAMED:
        return finish(table, step)
    honest = [table.session(seat.number) for seat in table.honest]
    waits = all(set(each.awaited) == {LEAVER} for each in honest)
    by_all = all(any(map(names, table.told[each.seat])) for each in honest)
    sound = all(table.verdict(each.seat).verdict == "sound" for each in honest)
    return result(
        scene,
        End.AWAITED if waits and by_all and sound else End.WORKS,
        step=step,
        blamed=ATTACKER,
        blamed_by_all=by_all,
        where="departure",
    )


def _departure(
    name: str, tries: str, source: str, kind: type[Bent], names: Callable[[Any], bool], end: End = End.AWAITED
) -> Attack:
    says = "two different statements" if end is End.NAMED else ""
    return Attack(
        f"departure-{name}", tries, source, ALL_OF_FOUR, partial(_departing, kind, names), end, says, FOUR,
        recovery=True, leaver=LEAVER,
    )  # fmt: skip


def _left_out(scene: Scene) -> Result | None:
    """A seat that stalls is given up by all, and sends what it owed once it is out."""
    table = AttackedTable(
        scene, {ATTACKER: kind_of(Withholder, wanted=staticmethod(_is_dealt), seconds=AGREED)}
    )
    table.begin()
    session = table.session(ATTACKER)
    assert isinstance(session, Bent)
    table.run_until(lambda: table.is_over or session.told is not None)
    if session.told is None or table.is_over:
        return None
    table.run_until(lambda: table.is_over, 1.0)
    table.give_up(ATTACKER)
    return finish(table, None)


def _is_dealt(progress: Progress) -> bool:
    return progress.is_playing and all(progress.position.table.size(f"hand.{n}") for n in range(FOUR - 1))


# --- one's own word -----------------------------------------------------------------------------------------


def _is_waiting(session: Bent) -> bool:
    progress = session.history.progress
    return session.history.step > 6 and bool(progress.owed) and session.seat not in progress.owed


def _farewell_of(seat: Callable[[Bent], int]) -> Any:
    def make(session: Bent) -> list[bytes] | None:
        if not _is_waiting(session):
            return None
        return [session.frame(session.history.step, seat(session), pack([]))]

    return make


class Ghost(Bent):
    """Resigns, and contributes to the game afterwards as if it had not."""

    has_left = False

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        progress = self.history.progress
        if not self.has_left and _is_dealt(progress) and not self._must_hear:
            self.has_left = True
            return [*effects, *self.farewell(now)]
        if self.told is None and self.seat in progress.gone and progress.owed:
            self.told = self.history.step
            return [*effects, Send(None, self.frame(self.told, self.seat, pack([b"x"])))]
        return effects


DEPARTURES: Final = (
    _departure(
        "refused",
        "Takes no part in agreeing that a seat is gone that is gone.",
        "CHEATS 33",
        Refuser,
        lambda what: isinstance(what, GivenUp) and what.lacking == (ATTACKER,),
    ),
    _departure(
        "false-have",
        "Signs that it holds what a seat owes that is gone, and shows nothing.",
        "CHEATS 33",
        Pretender,
        lambda what: isinstance(what, Kept) and what.by == (ATTACKER,),
    ),
    _departure(
        "contradiction",
        "Signs for one seat that somebody is gone, and for another one the opposite.",
        "CHEATS 30, 33",
        Wavering,
        lambda what: False,
        End.NAMED,
    ),
    Attack(
        "late-after-departure",
        "Stalls, and sends what it owed once all others have certified that it has left.",
        "CHEATS 18, 30, 33",
        ALL,
        _left_out,
        End.SKIPPED,
        recovery=True,
    ),
    bent(
        "speaks-after-leaving",
        "Resigns, and contributes afterwards, to void the game of the others.",
        "CHEATS 31, 33",
        ALL,
        Ghost,
        End.IGNORED,
        recovery=True,
    ),
    bent(
        "farewell-as-another",
        "Resigns in another seat's name.",
        "CHEATS 31",
        ALL,
        Sender,
        End.CUT,
        "without a valid signature",
        make=_farewell_of(lambda session: session.history.progress.owed[0]),
    ),
    bent(
        "farewell-out-of-turn",
        "Resigns where it owes nothing.",
        "CHEATS 31",
        ALL,
        Sender,
        End.NAMED,
        "nothing is owed",
        make=_farewell_of(lambda session: session.seat),
    ),
    bent(
        "fork-farewell",
        "Plays on for one seat, and resigns for another.",
        "CHEATS 30, 33",
        ALL,
        Forker,
        End.NAMED,
        "signed two different",
        reach=2,
        wanted=_is_dealt,
        second=lambda session, job: pack([]),
    ),
    lie(
        "farewell-at-close",
        "Resigns instead of signing that it has lost.",
        "CHEATS 18, 40",
        ALL,
        at(Close, lambda giver, task, deed, body: b""),
        twist=lambda bodies: [],
        says="fewer rounds",
    ),
)

ATTACKS: Final[tuple[Attack, ...]] = (*ESCROW, *COMPLAINTS, *RECOVERY, *SILENCE, *DEPARTURES)
