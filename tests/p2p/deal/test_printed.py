"""Printed cards: every operation, every lie of the table's machine and of a seat, each by its own check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest

from engine.cards import Face
from engine.table import (
    AtMost,
    Choose,
    Complete,
    Deed,
    Disclose,
    Draw,
    HandOver,
    Holds,
    Lacks,
    Match,
    Mix,
    Move,
    Pick,
    Return,
    Show,
    Shuffle,
    Slot,
    Tick,
    Ticked,
    hand_of,
)
from p2p.deal import PeerFault, Reveal
from p2p.deal.printed_audit import _Auditor
from p2p.deal.printed_cards import Opening, card_size, secrets_of
from p2p.deal.printed_giving import PrintedGiver
from p2p.deal.printed_values import Batch, Said
from p2p.log import encode, pack, unpack
from p2p.sealed import Group
from tests.p2p.cheats import Lie, at, at_place
from tests.p2p.deal.circle import DECK, WAIT, Circle, Script, Step, dealt, held

DEALT = dealt(3, 3, 3)
RANK = DECK.at("rank")


def circle(group: Group, *steps: Step, **more: Any) -> Circle:
    """Three seats, the first of them the table's machine."""
    return Circle(group, Script(*steps), 3, scanner=0, **more)


def kinds(played: Circle) -> list[str]:
    found: list[str] = []
    for kind, _, _ in played.bodies:
        if kind not in ("keys", "close", "reveal") and (not found or found[-1] != kind):
            found.append(kind)
    return found


# --- operations -----------------------------------------------------------------------------------------


def test_a_pack_is_cut_where_all_say_and_nobody_knows_its_cards(small: Group) -> None:
    cuts = set()
    for number in range(40):
        played = circle(small, Shuffle("stock"), salt=bytes([number])).play()
        (cut,) = played.progress.dealing.cuts
        assert (cut.zone, cut.of) == ("stock", 20)
        cuts.add(cut.at)
        assert all(card.is_unseen for card in played.progress.dealing.cards.values())
    assert len(cuts) > 10
    assert cuts <= set(range(20))
    assert kinds(played) == ["cut-commit", "cut-open"]


def test_each_seat_sees_its_own_cards_as_they_were_tapped(small: Group) -> None:
    played = circle(small, *DEALT).play()
    for seat in range(3):
        hand = list(played.hand(seat).values())
        assert hand == [face for (_, slot), face in played.taps.items() if slot.n // 3 == seat]
    assert kinds(played) == ["cut-commit", "cut-open", "scan", "accept"]
    assert not played.progress.dealing.cuts, "a pack of which a card was scanned is not cut any more"
    assert not played.progress.position.table.known


def test_a_card_of_a_pile_is_laid_face_up(small: Group) -> None:
    played = circle(small, Shuffle("stock"), lambda s: Show(s.table.slots("stock")[2:4], at_once=True)).play()
    assert list(played.taps.values()) == list(played.results[-1].faces)
    assert kinds(played)[-1] == "scan"


def test_what_is_shown_of_a_hand_is_opened_by_its_owner_attribute_by_attribute(small: Group) -> None:
    played = circle(
        small,
        *DEALT,
        lambda s: Show(held(s, 1, 0, 1), ("rank",)),
        lambda s: Show(held(s, 1, 0), ("suit",)),
        lambda s: Show(held(s, 1, 0)),
    ).play()
    hand = list(played.hand(1).values())
    assert played.results[2].faces == tuple((face[0], None) for face in hand[:2])
    assert played.results[3].faces == ((None, hand[0][1]),)
    assert played.results[4].faces == (hand[0],)
    assert [seat for kind, seat, _ in played.bodies if kind == "show"] == [1], "what is public is not owed"


def test_a_card_handed_over_is_read_by_its_new_owner_alone(small: Group) -> None:
    played = circle(
        small,
        *DEALT,
        lambda s: Show(held(s, 1, 0), ("rank",)),
        lambda s: HandOver(held(s, 1, 0, 1), 2),
    ).play()
    before = played.before(HandOver)
    given = [played.hand(1, before)[slot] for slot in held(before.position.state, 1, 0, 1)]
    assert list(played.hand(2).values())[-2:] == given
    card = played.progress.dealing.cards[held(played.progress.position.state, 2)[-1]]
    assert played.progress.dealing.read_own(card, played.secrets[1]) is None
    assert kinds(played)[-2:] == ["hand-over", "accept"]


def test_a_mix_hides_which_card_is_which_and_keeps_them_all(small: Group) -> None:
    moved = 0
    for number in range(6):
        played = circle(
            small, *dealt(3, 5, 3), lambda s: Show(held(s, 1, 0)), Mix("hand.1"), salt=bytes([number])
        ).play()
        before, after = played.hand(1, played.before(Mix)), played.hand(1)
        assert Counter(before.values()) == Counter(after.values())
        moved += list(before.values()) != list(after.values())
        assert all(
            not card.is_public for card in played.progress.dealing.cards.values() if not card.is_unseen
        )
    assert moved > 3


def test_blind_picks_are_committed_to_before_the_hand_is_mixed(small: Group) -> None:
    played = circle(small, *DEALT, Pick(1, "hand.2", 2), lambda s: HandOver(s.results[-1].slots, 1)).play()
    assert kinds(played)[4:8] == ["pick-commit", "mix", "accept", "pick-open"]
    assert len(played.hand(1)) == 5


def test_a_pick_of_one_card_or_of_the_machines_own_hand(small: Group) -> None:
    played = circle(small, *dealt(3, 1, 0), Pick(2, "hand.0", 1), Pick(2, "hand.1", 1)).play()
    assert kinds(played)[-3:] == ["pick-commit", "mix", "pick-open"]
    assert [len(each.slots) for each in played.results[-2:]] == [1, 1]


def test_returned_cards_may_be_scanned_again(small: Group) -> None:
    """Of twenty cards all are dealt, those of one hand returned and dealt anew."""
    played = circle(
        small,
        *dealt(6, 7, 7),
        lambda s: Return(held(s, 1), "stock"),
        Shuffle("stock"),
        lambda s: Draw(tuple((slot, 2) for slot in s.table.slots("stock"))),
        tapped=again,
    ).play()
    assert len(played.hand(2)) == 14
    assert Counter(played.faces().values()) == Counter(DECK.faces[card] for card in DECK.cards)


def again(own: Circle, wanted: Any) -> tuple[Face, ...]:
    if len(own.piles["stock"]) == 0:
        own.piles["stock"] = [face for (_, slot), face in own.taps.items() if 6 <= slot.n < 13]
    return own.tap(wanted)


RETURNS: tuple[Step, ...] = (
    *DEALT,
    lambda s: Return(held(s, 1, 0), "stock"),
    lambda s: Draw(((s.table.slots("stock")[-1], 2), (s.table.slots("stock")[0], 1))),
)


def test_a_returned_card_that_was_not_shuffled_is_sealed_anew_and_not_tapped(small: Group) -> None:
    played = circle(small, *RETURNS).play()
    assert len(played.taps) == 10
    first = [face for (_, slot), face in played.taps.items() if slot.n == 3]
    assert list(played.hand(2).values())[-1:] == first


def test_a_card_that_lies_face_down_before_a_seat_stays_its_own(small: Group) -> None:
    played = circle(small, *DEALT, lambda s: Move(held(s, 1, 0), "down.1")).play()
    assert len(played.hand(1)) == 2
    assert len(played.faces()) == 9


def refill(state: Any) -> Tick:
    done = {slot for result in state.results if isinstance(result, Ticked) for slot, _ in result.drawn}
    stock = [Slot("stock", n) for n in (9, 10, 11)]
    owed = [(slot, n) for n, slot in enumerate(stock) if slot not in done]
    return Tick((0, 1, 2), tuple(owed))


def one_by_one(own: Circle, wanted: Any) -> tuple[Face, ...]:
    return own.tap(wanted[:1] if isinstance(own.progress.task, Tick) else wanted)


def test_refills_of_a_race_come_as_they_are_tapped(small: Group) -> None:
    played = circle(small, *DEALT, refill, refill, refill, tapped=one_by_one).play()
    drawn = [[seat for _, seat in result.drawn] for result in played.results[2:]]
    assert drawn == [[0], [1], [2]]
    assert all(len(played.hand(seat)) == 4 for seat in range(3))


def test_a_refill_of_an_absent_seat_waits_for_it(small: Group) -> None:
    """It was scanned, is not drawn, and is not tapped again; the seat looks at it in the next draw."""

    def missing(progress: Any, seat: int) -> bool:
        return seat == 1 and progress.number == 1

    played = circle(
        small,
        *DEALT,
        lambda s: Tick((0, 1, 2), ((Slot("stock", 9), 1), (Slot("stock", 10), 2))),
        lambda s: Draw(((Slot("stock", 9), 1),)),
        missing=missing,
    ).play()
    assert played.results[2].drawn == ((Slot("stock", 10), 2),)
    assert len(played.hand(1)) == 4
    assert len(played.taps) == 11
    assert kinds(played)[-1] == "accept"


def asks(own: Circle, progress: Any, seat: int) -> Deed:
    """Each states that it holds the rank of its first card."""
    return Deed("hold", value=next(iter(own.hand(seat, progress).values()))[RANK])


SAYS: tuple[Step, ...] = (*DEALT, Choose((1,), "ask"))
ANSWERS: tuple[Step, ...] = (*dealt(3, 6, 3), lambda s: Disclose(1, held(s, 1), Match("rank", "3")))
SETTLES: tuple[Step, ...] = (*dealt(0, 20, 0), lambda s: Complete(1, "rank", 4, held(s, 1)))


def test_the_machine_confirms_what_others_say_and_nobody_confirms_its_own_word(small: Group) -> None:
    played = circle(small, *DEALT, Choose((0, 1, 2), "ask"), Choose((0,), "ask"), decide=asks).play()
    assert kinds(played)[4:] == ["ask", "confirm", "ask"]
    assert sum(isinstance(each, Said) for each in played.progress.dealing.ledger) == 4
    for steps in (ANSWERS, SETTLES):
        assert "confirm" in kinds(circle(small, *steps).play()) or steps is SETTLES


# --- lies of a seat -------------------------------------------------------------------------------------


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


# --- complaints -----------------------------------------------------------------------------------------


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


def complaint(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    """Of a card that opens."""
    with mock.patch.object(type(giver.dealing), "read_own", return_value=None):
        return at_place(giver)._accept(task)[0]


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


def test_a_complaint_within_a_race(small: Group) -> None:
    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
        commitment, card = unpack(body)
        return pack([commitment, card[:-1] + bytes([card[-1] ^ 1])])

    step: Step = lambda s: Tick((0, 1, 2), ((Slot("stock", 9), 1),))  # noqa: E731
    played = circle(small, *DEALT, step, lies={0: at(Tick, lie, 0)})
    with pytest.raises(PeerFault, match="does not open") as found:
        played.play()
    assert (found.value.seat, found.value.step) == (0, played.lies[0][1].step)
    assert played.progress.round.kind == "tick-open"


def test_only_the_machine_scans(small: Group) -> None:
    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
        return pack([unpack(body)[0], bytes(card_size(giver.dealing.group, DECK))])

    step: Step = lambda s: Tick((0, 1, 2), ((Slot("stock", 9), 1),))  # noqa: E731
    assert circle(small, *DEALT, step, lies={1: at(Tick, lie, 0)}).fault().seat == 1


# --- objections -----------------------------------------------------------------------------------------


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


# --- the machine's own lies -----------------------------------------------------------------------------


class NoPlace(Exception):
    """There is no card for the lie."""


def changed(
    which: type, change: Callable[[PrintedGiver, list[Any]], list[Any] | None], number: int = 0
) -> Lie:
    """The machine seals other cards than it should, everything else as it should be."""

    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
        own = at_place(giver)
        honest = PrintedGiver._sealed

        def sealed(self: Any, given: Any) -> Any:
            false = change(self, list(given))
            if false is None:
                raise NoPlace
            return honest(self, false)

        try:
            with mock.patch.object(type(own), "_sealed", sealed):
                return own.give(task, number, deed)[0]
        except NoPlace:
            return None

    return at(which, lie, number)


def swap_first(giver: PrintedGiver, given: list[Any]) -> list[Any]:
    """Another card that is not in play in place of the first."""
    live = giver.dealing.live(giver.secrets.seed) + Counter(face for face, _ in given)
    other = next(face for face in DECK.faces if face not in live)
    return [(other, given[0][1]), *given[1:]]


def double_first(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    """The first card is scanned once more in place of the second."""
    own = at_place(giver)
    if len(own.faces) < 2:
        return None
    return replace(own, faces=(own.faces[0], own.faces[0], *own.faces[2:])).give(task, 0, deed)[0]


def turned(giver: PrintedGiver, given: list[Any]) -> list[Any]:
    return [*given[1:], given[0]]


HANDS: tuple[Step, ...] = (*DEALT, lambda s: HandOver(held(s, 1, 0, 1), 2))
MIXES: tuple[Step, ...] = (*DEALT, Mix("hand.1"))


def other_card_of_the_hand(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    """Seals the opening of the giver's last card in place of the one that is handed over or drawn again."""
    own, dealing = at_place(giver), giver.dealing
    if not dealing.ledger:
        return None
    other = dealing.read_all(dealing.cards[held(giver.position.state, 1)[-1]], giver.secrets.seed)
    honest = type(dealing).read_all
    with mock.patch.object(
        type(dealing), "read_all", lambda self, card, seed: other if card.scan else honest(self, card, seed)
    ):
        return own.give(task, 0, deed)[0]


@pytest.mark.parametrize("steps", [HANDS, RETURNS], ids=["handed over", "drawn again"])
def test_a_card_sealed_to_another_seat_is_the_card_that_was_committed_to(
    steps: tuple[Step, ...], small: Group
) -> None:
    """Its commitments stay, so that its new seat sees at once what it is not."""
    lies = {0: at(HandOver if steps is HANDS else Draw, other_card_of_the_hand, 0)}
    played = circle(small, *steps, lies=lies)
    with pytest.raises(PeerFault, match="sealed what does not open the card") as found:
        played.play()
    assert (found.value.seat, found.value.step) == (0, played.lies[0][1].step)
    with (
        mock.patch.object(PrintedGiver, "_accept", return_value=(b"", None)),
        pytest.raises(PeerFault, match="told a seat another card") as found,
    ):
        circle(small, *steps, lies=lies).play()
    assert (found.value.seat, found.value.step) == (0, played.lies[0][1].step)


def with_other_seed(name: str, index: int) -> Any:
    """r, or the card's secret, that the seed does not give."""

    def secrets(group: Group, seed: bytes, origin: Any) -> Any:
        own = list(secrets_of(group, seed, origin))
        own[index] = own[0] + 1 if index == 0 else bytes(32)
        return tuple(own)

    return mock.patch(name, secrets)


FORGED: list[tuple[str, tuple[Step, ...], Lie, str]] = [
    ("twice", DEALT, at(Draw, double_first, 0), "scanned a card that is in play already"),
    ("mix", MIXES, changed(Mix, swap_first), "swapped a card while it mixed a hand"),
    ("order", MIXES, changed(Mix, turned), "mixed a hand in an order of its own choice"),
]


@pytest.mark.parametrize(("what", "steps", "lie", "reason"), FORGED, ids=[each[0] for each in FORGED])
def test_what_the_machine_forges_is_found_at_the_end_by_one_check(
    what: str, steps: tuple[Step, ...], lie: Lie, reason: str, small: Group
) -> None:
    """Seats that do not look at a mix let it pass until then."""
    silent = mock.patch.object(PrintedGiver, "_accept_mix", return_value=(b"", None))
    with silent:
        played = circle(small, *steps, lies={0: lie})
        with pytest.raises(PeerFault) as found:
            played.play()
        assert (found.value.seat, found.value.reason) == (0, reason)
        assert found.value.step == played.lies[0][1].step
        assert isinstance(played.progress.task, Reveal)
        with without(reason):
            circle(small, *steps, lies={0: lie}).play()


def without(reason: str) -> Any:
    """The audit without the check that gives this reason."""
    honest = _Auditor._convict

    def convict(self: Any, step: int, found: str) -> None:
        if found != reason and not (reason.startswith("swapped a card while") and "order" in found):
            honest(self, step, found)

    return mock.patch.object(_Auditor, "_convict", convict)


@pytest.mark.parametrize(
    ("index", "reason"),
    [
        (0, "sealed a card with another key than its seed gives"),
        (1, "committed to a card with another salt than its seed gives"),
    ],
)
def test_r_and_salts_follow_from_the_seed(index: int, reason: str, small: Group) -> None:
    with with_other_seed("p2p.deal.printed_cards.secrets_of", index):
        played = circle(small, *DEALT)
        with mock.patch("p2p.deal.printed.secrets_of", secrets_of), pytest.raises(PeerFault) as found:
            played.play()
    assert (found.value.seat, found.value.reason) == (0, reason)
    assert isinstance(played.progress.task, Reveal)


def test_the_owner_sees_at_once_that_a_card_was_swapped_in_a_mix(small: Group) -> None:
    played = circle(small, *MIXES, lies={0: changed(Mix, swap_first)})
    with pytest.raises(PeerFault, match="swapped a card while it mixed a hand") as found:
        played.play()
    assert (found.value.seat, found.value.step) == (0, played.lies[0][1].step)
    assert played.progress.round.kind == "accept"


def test_a_false_complaint_of_a_mix_blames_its_author(small: Group) -> None:
    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
        with mock.patch("p2p.deal.printed_giving.Counter", side_effect=[1, 2]):
            own = at_place(giver)
            return own._accept_mix(own.dealing.handed(task, own.position, 1))[0]

    fault = circle(small, *MIXES, lies={1: at(Mix, lie, 1)}).fault()
    assert (fault.seat, fault.reason) == (1, "complained of a mix that has all its cards")


def test_a_sealed_card_needs_the_proof_that_its_key_is_the_machines(small: Group) -> None:
    """Without it E could be made of what another seat's key once worked on."""

    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
        at_proof = 2 * 32 + giver.dealing.group.point_size + 32
        return body[:at_proof] + bytes([body[at_proof] ^ 1]) + body[at_proof + 1 :]

    fault = circle(small, *DEALT, lies={0: at(Draw, lie, 0)}).fault()
    assert (fault.seat, fault.reason) == (0, "the proof of a key does not hold")
    with mock.patch("p2p.deal.printed_cards.verify_key"):
        circle(small, *DEALT, lies={0: at(Draw, lie, 0)}).play()


@pytest.mark.parametrize("count", [0, 8, 10])
def test_as_many_cards_are_sealed_as_are_drawn(count: int, small: Group) -> None:
    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
        return (2 * body)[: count * card_size(giver.dealing.group, DECK)]

    assert circle(small, *DEALT, lies={0: at(Draw, lie, 0)}).fault().seat == 0


ZONED = {"lake": 8, "stock": 12}


def test_a_card_of_another_pile_is_refused(small: Group) -> None:
    """Laid face up: at once. Drawn: by its seat, and by everyone at the end."""
    steps: tuple[Step, ...] = (Shuffle("lake"), Shuffle("stock"), lambda s: Show(s.table.slots("lake")[:1]))
    rules = Script(*steps, zones=ZONED)
    stranger = DECK.faces[DECK.cards[-1]]
    with pytest.raises(PeerFault, match="not in that pile") as found:
        Circle(small, rules, 3, scanner=0, tapped=lambda *_: (stranger,)).play()
    assert found.value.seat == 0
    draw: Step = lambda s: Draw(((s.table.slots("lake")[0], 1),))  # noqa: E731
    rules = Script(Shuffle("lake"), draw, zones=ZONED)
    with pytest.raises(PeerFault, match="sealed what does not open the card") as found:
        Circle(small, rules, 3, scanner=0, tapped=lambda *_: (stranger,)).play()
    assert found.value.seat == 0
    with (
        mock.patch.object(PrintedGiver, "_accept", return_value=(b"", None)),
        pytest.raises(PeerFault, match="not in that pile"),
    ):
        Circle(small, rules, 3, scanner=0, tapped=lambda *_: (stranger,)).play()


def test_the_ledger_holds_all_that_is_judged(small: Group) -> None:
    played = circle(
        small,
        *DEALT,
        Choose((1,), "ask"),
        Mix("hand.1"),
        lambda s: HandOver(held(s, 1, 0), 2),
        lambda s: Return(held(s, 2), "stock"),
        Shuffle("stock"),
        decide=asks,
    ).play()
    kinds_of = [each.kind if isinstance(each, Batch) else "said" for each in played.progress.dealing.ledger]
    assert kinds_of == ["scan", "said", "mix", "seal", "shuffle"]


def test_the_claims_are_judged_as_the_words_say(small: Group) -> None:
    from p2p.deal.printed_claims import is_true, slots_in

    played = circle(small, *DEALT).play()
    position = played.progress.position
    hand = played.hand(1)
    zone, slots = hand_of(1), tuple(hand)
    for rank in DECK.values("rank"):
        holds = any(face[RANK] == rank for face in hand.values())
        match = Match("rank", rank)
        assert is_true(Holds(zone, match), position, DECK, hand.__getitem__) == holds
        assert is_true(Lacks(slots, match), position, DECK, hand.__getitem__) != holds
    alike = sum(face[RANK] == hand[slots[0]][RANK] for face in hand.values()) - 1
    for most in range(3):
        claim = AtMost(slots[0], slots[1:], "rank", most)
        assert is_true(claim, position, DECK, hand.__getitem__) == (alike <= most)
        assert slots_in(claim, position) == slots


def test_a_game_in_the_real_group(real: Group) -> None:
    played = circle(
        real, *DEALT, Choose((1,), "ask"), Mix("hand.1"), lambda s: HandOver(held(s, 1, 0), 2), decide=asks
    ).play()
    assert played.progress.task is None
    fault = circle(real, *DEALT, lies={1: at(Draw, complaint, 1)}).fault()
    assert fault.seat == 1
    assert Deed("wait") == WAIT
