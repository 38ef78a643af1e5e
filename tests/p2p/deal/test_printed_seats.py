"""Printed cards: every lie of a seat, complaints and objections, each by its own check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest

from engine.table import (
    Choose,
    Complete,
    Deed,
    Disclose,
    Draw,
    Match,
    Show,
    Slot,
    Tick,
)
from p2p.deal import PeerFault, Reveal
from p2p.deal.printed_audit import _Auditor
from p2p.deal.printed_cards import Opening, card_size
from p2p.deal.printed_giving import PrintedGiver
from p2p.log import encode, pack, unpack
from p2p.sealed import Group
from tests.p2p.cheats import Lie, at, at_place
from tests.p2p.deal.circle import DECK, Circle, ScriptState, Step, dealt, held
from tests.p2p.deal.printed_circle import (
    ANSWERS,
    DEALT,
    RANK,
    SAYS,
    SETTLES,
    asks,
    circle,
    complaint,
)

# --- lies -------------------------------------------------------------------------------------------------


def not_held(giver: Any) -> str:
    hand = giver.dealing.own_hand(giver.position, giver.place.seat, giver.secrets)
    return next(value for value in DECK.values("rank") if value not in {face[RANK] for face in hand.values()})


def false_ask(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    return pack([encode(Deed("hold", value=not_held(giver))), b""])


def denial(giver: Any, task: Any, deed: Deed, body: bytes) -> bytes | None:
    return pack([encode(Deed(deed.verb)), b""]) if deed.groups else None


def partly(giver: Any, task: Any, deed: Deed, body: bytes) -> bytes | None:
    """Gives all but one of several, or lays one group of several fewer."""
    groups = (deed.groups[0][:-1],) if isinstance(task, Disclose) else deed.groups[:-1]
    own = at_place(giver)
    return own.give(task, 0, Deed(deed.verb, groups=groups))[0] if groups and groups[0] else None


LIES: list[tuple[str, tuple[Step, ...], Lie, str]] = [
    ("an ask", SAYS, at(Choose, false_ask, 0), "holds"),
    ("no answer", ANSWERS, at(Disclose, denial, 0), "lacks"),
    ("half an answer", ANSWERS, at(Disclose, partly, 0), "lacks"),
    ("a hidden book", SETTLES, at(Complete, denial, 0), "at-most"),
    ("one book of two", SETTLES, at(Complete, partly, 0), "at-most"),
]


def salted(group: Group, steps: tuple[Step, ...], **more: Any) -> Circle:
    """The first deal in which the lie can be told."""
    for number in range(30):
        played = circle(group, *steps, salt=bytes([number]), decide=asks, **more)
        try:
            played.play()
        except PeerFault:
            return played
        if any(told.step is not None for _, told in played.lies.values()):
            return played
    raise AssertionError("the lie was never told")


@pytest.mark.parametrize(("what", "steps", "lie", "word"), LIES, ids=[each[0] for each in LIES])
def test_a_lie_is_shown_by_the_machine_at_once(
    what: str, steps: tuple[Step, ...], lie: Lie, word: str, small: Group
) -> None:
    played = salted(small, steps, lies={1: lie})
    assert played.progress.number == 1, "the word of the machine is owed"
    with pytest.raises(PeerFault) as found:
        played.one_step()
    fault = found.value
    assert (fault.seat, fault.step, fault.reason) == (
        1,
        played.lies[1][1].step,
        f"said of its cards what is not so ({word})",
    )


@pytest.mark.parametrize(("what", "steps", "lie", "word"), LIES, ids=[each[0] for each in LIES])
def test_a_lie_that_the_machine_keeps_to_itself_is_found_at_the_end(
    what: str, steps: tuple[Step, ...], lie: Lie, word: str, small: Group
) -> None:
    with mock.patch.object(PrintedGiver, "_confirm", return_value=(b"", None)):
        played = salted(small, steps, lies={1: lie})
    assert isinstance(played.progress.task, Reveal)
    with pytest.raises(PeerFault, match=word) as found:
        played.one_step()
    assert (found.value.seat, found.value.step) == (1, played.lies[1][1].step)
    with mock.patch.object(_Auditor, "judge", return_value=None):
        assert played.play().progress.task is None


def other_value(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    """Opens another rank than was committed to, with the right salt."""
    number = int.from_bytes(body[:2], "big")
    return ((number + 1) % 5).to_bytes(2, "big") + body[2:]


SHOWS: tuple[Step, ...] = (*DEALT, lambda s: Show(held(s, 1, 0)))


def test_a_card_opens_to_what_was_committed_to_alone(small: Group) -> None:
    fault = circle(small, *SHOWS, lies={1: at(Show, other_value)}).fault()
    assert (fault.seat, fault.reason) == (1, "the opening of a card does not fit its commitment")
    with mock.patch("p2p.deal.printed_cards.equal", return_value=True):
        circle(small, *SHOWS, lies={1: at(Show, other_value)}).play()


@pytest.mark.parametrize("body", [b"", b"x", bytes(34 * 2 + 1), bytes([255]) * 68])
def test_openings_of_another_size_or_value_are_refused(body: bytes, small: Group) -> None:
    assert circle(small, *SHOWS, lies={1: at(Show, lambda *_: body)}).fault().seat == 1


def gives(giver: Any, groups: tuple[tuple[int, ...], ...]) -> Any:
    """The answer, or the settle, that lays these cards of the hand, each rightly opened."""
    own = at_place(giver)
    verb = "give" if isinstance(own.position.pending, Disclose) else "lay"
    return own.give(own.position.pending, 0, Deed(verb, groups=groups))[0]


def by_rank(giver: Any) -> dict[str, list[int]]:
    hand = giver.dealing.own_hand(giver.position, giver.place.seat, giver.secrets)
    found: dict[str, list[int]] = {}
    for slot, face in hand.items():
        found.setdefault(face[RANK], []).append(slot.n)
    return found


def another(giver: Any, task: Any, deed: Deed, body: bytes) -> Any:
    """A card of another rank than was asked for."""
    other = next(places for rank, places in by_rank(giver).items() if rank != task.match.value)
    return gives(giver, (tuple(other[:1]),))


def two(giver: Any, task: Any, deed: Deed, body: bytes) -> Any:
    places = by_rank(giver).get(task.match.value, [])
    return gives(giver, (tuple(places[:2]),)) if len(places) > 1 else None


def mixed_group(giver: Any, task: Any, deed: Deed, body: bytes) -> Any:
    """Four cards of two ranks as a book."""
    first, second = list(by_rank(giver).values())[:2]
    return gives(giver, ((*first[:3], second[0]),))


ONE: tuple[Step, ...] = (*dealt(0, 20, 0), lambda s: Disclose(1, held(s, 1), Match("rank", "3"), 1))


@pytest.mark.parametrize(
    ("steps", "lie", "reason"),
    [
        (ANSWERS, at(Disclose, another, 0), "gave a card that was not asked for"),
        (ONE, at(Disclose, two, 0), "gave more cards than were asked for"),
        (SETTLES, at(Complete, mixed_group, 0), "laid cards that are no group of 4"),
    ],
    ids=["another", "too many", "no group"],
)
def test_cards_that_are_rightly_opened_have_to_be_those_that_are_owed(
    steps: tuple[Step, ...], lie: Lie, reason: str, small: Group
) -> None:
    fault = circle(small, *steps, lies={1: lie}).fault()
    assert (fault.seat, fault.reason) == (1, reason)


# --- complaints -------------------------------------------------------------------------------------------


def garbled(change: Callable[[bytes], bytes]) -> Lie:
    """The second card of seat 1 has another sealed opening."""

    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
        size = card_size(giver.dealing.group, DECK)
        end = 5 * size
        return body[: end - 34] + change(body[end - 34 : end]) + body[end:]

    return at(Draw, lie, 0)


WRONG = {
    "another secret": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "another card": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "no card at all": lambda data: data[:-2] + bytes([data[-2] ^ 0x80]) + data[-1:],
}


@pytest.mark.parametrize("how", WRONG)
def test_a_seat_that_was_told_another_card_complains_and_all_see_it(how: str, small: Group) -> None:
    played = circle(small, *DEALT, lies={0: garbled(WRONG[how])})
    with pytest.raises(PeerFault) as found:
        played.play()
    assert (found.value.seat, found.value.step) == (0, played.lies[0][1].step)
    assert found.value.reason == "sealed what does not open the card"
    assert played.progress.round.kind == "accept"


@pytest.mark.parametrize("how", WRONG)
def test_a_seat_that_keeps_it_to_itself_is_still_told_of_at_the_end(how: str, small: Group) -> None:
    played = circle(small, *DEALT, lies={0: garbled(WRONG[how])})
    with (
        mock.patch.object(PrintedGiver, "_accept", return_value=(b"", None)),
        pytest.raises(PeerFault, match="told a seat another card than it had committed to") as found,
    ):
        played.play()
    assert (found.value.seat, found.value.step) == (0, played.lies[0][1].step)
    assert isinstance(played.progress.task, Reveal)


def test_that_check_alone_finds_what_a_seat_was_told(small: Group) -> None:
    """Where any card counts as the one committed to, the game is accepted."""
    lie = garbled(WRONG["another card"])
    with (
        mock.patch.object(PrintedGiver, "_accept", return_value=(b"", None)),
        mock.patch("p2p.deal.printed_audit.face_of", lambda deck, scan, told: deck.faces[told.number]),
        mock.patch.object(_Auditor, "_scanned"),
    ):
        circle(small, *DEALT, lies={0: lie}).play()


def with_other_share(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    """K of another key: what it reads is garbage, which would blame the machine."""
    number, shared, proof = unpack(complaint(giver, task, deed, body))
    group = giver.dealing.group
    return pack([number, group.add(shared, group.base), proof])


def test_a_false_complaint_blames_its_author(small: Group) -> None:
    fault = circle(small, *DEALT, lies={1: at(Draw, complaint, 1)}).fault()
    assert (fault.seat, fault.reason) == (1, "complained of a card that opens")


def test_a_complaint_holds_only_with_its_proof(small: Group) -> None:
    """Without the check of the proof anybody could blame the machine."""
    fault = circle(small, *DEALT, lies={1: at(Draw, with_other_share, 1)}).fault()
    assert (fault.seat, fault.reason) == (1, "the proof of a share does not hold")
    with (
        mock.patch("p2p.deal.printed_checking.verify_shares"),
        pytest.raises(PeerFault, match="sealed what does not open the card") as found,
    ):
        circle(small, *DEALT, lies={1: at(Draw, with_other_share, 1)}).play()
    assert found.value.seat == 0


@pytest.mark.parametrize(
    "body",
    [b"x", pack([b"\0\1"]), pack([b"\0\7", b"", b""]), pack([b"\0\0", bytes(8), b""]), pack([b"", b""])],
)
def test_what_is_neither_acceptance_nor_complaint_is_refused(body: bytes, small: Group) -> None:
    assert circle(small, *DEALT, lies={1: at(Draw, lambda *_: body, 1)}).fault().seat == 1


def one_play(s: ScriptState) -> Tick:
    return Tick((0, 1, 2), ((Slot("stock", 9), 1),))


def test_a_complaint_within_a_race(small: Group) -> None:
    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
        commitment, card = unpack(body)
        return pack([commitment, card[:-1] + bytes([card[-1] ^ 1])])

    played = circle(small, *DEALT, one_play, lies={0: at(Tick, lie, 0)})
    with pytest.raises(PeerFault, match="does not open") as found:
        played.play()
    assert (found.value.seat, found.value.step) == (0, played.lies[0][1].step)
    assert played.progress.round.kind == "tick-open"


def test_only_the_machine_scans(small: Group) -> None:
    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
        return pack([unpack(body)[0], bytes(card_size(giver.dealing.group, DECK))])

    assert circle(small, *DEALT, one_play, lies={1: at(Tick, lie, 0)}).fault().seat == 1


# --- objections -------------------------------------------------------------------------------------------


def objection(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    """To what is so."""
    with mock.patch("p2p.deal.printed_giving.is_true", return_value=False):
        return at_place(giver)._confirm()[0]


def with_other_openings(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    """The cards of another rank, opened with the right secrets."""
    where, openings = unpack(objection(giver, task, deed, body))
    asked = giver.dealing.stash[1].claims[0].match.value
    other = next(n for n, face in enumerate(DECK.faces) if face[RANK] != asked)
    secrets = [openings[n : n + 32] for n in range(0, len(openings), 34)]
    return pack([where, b"".join(Opening(secret, other).encode() for secret in secrets)])


def test_a_false_objection_blames_the_machine(small: Group) -> None:
    fault = circle(small, *SAYS, decide=asks, lies={0: at(Choose, objection, 1)}).fault()
    assert (fault.seat, fault.reason) == (0, "objected to what is so")


def test_an_objection_opens_what_was_committed_to_alone(small: Group) -> None:
    lies = {0: at(Choose, with_other_openings, 1)}
    fault = circle(small, *SAYS, decide=asks, lies=lies).fault()
    assert (fault.seat, fault.reason) == (0, "the opening of a card does not fit its commitment")
    with (
        mock.patch("p2p.deal.printed_cards.equal", return_value=True),
        pytest.raises(PeerFault, match="what is not so") as found,
    ):
        circle(small, *SAYS, decide=asks, lies=lies).play()
    assert found.value.seat == 1


@pytest.mark.parametrize("body", [b"x", pack([b"\1\0"]), pack([b"\2\0", b""]), pack([b"\1\7", b""])])
def test_what_is_no_objection_is_refused(body: bytes, small: Group) -> None:
    assert circle(small, *SAYS, decide=asks, lies={0: at(Choose, lambda *_: body, 1)}).fault().seat == 0
