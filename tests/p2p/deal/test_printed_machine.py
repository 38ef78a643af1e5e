"""Printed cards: every lie of the table's machine, each by its own check, and the audit at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest

from engine.table import (
    AtMost,
    Choose,
    Deed,
    Draw,
    HandOver,
    Holds,
    Lacks,
    Match,
    Mix,
    Return,
    Show,
    Shuffle,
    hand_of,
)
from p2p.deal import PeerFault, Reveal
from p2p.deal.printed_audit import _Auditor
from p2p.deal.printed_cards import card_size, secrets_of
from p2p.deal.printed_giving import PrintedGiver
from p2p.deal.printed_values import Batch
from p2p.sealed import Group
from tests.p2p.cheats import Lie, at, at_place
from tests.p2p.deal.circle import DECK, WAIT, Circle, Script, Step, held
from tests.p2p.deal.printed_circle import (
    DEALT,
    RANK,
    RETURNS,
    asks,
    circle,
    complaint,
)


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


@pytest.mark.parametrize("change", [lambda body: body + b"\0", lambda body: body[:-1]], ids=["more", "less"])
def test_a_mix_has_the_bytes_of_its_cards_and_no_others(change: Any, small: Group) -> None:
    def lie(giver: Any, task: Any, deed: Any, body: bytes) -> Any:
        return change(body)

    fault = circle(small, *MIXES, lies={0: at(Mix, lie, 0)}).fault()
    assert (fault.seat, fault.reason) == (0, "a mix has all cards of the hand")


ZONED = {"lake": 8, "stock": 12}


def test_a_card_of_another_pile_is_refused(small: Group) -> None:
    """Laid face up: at once. Drawn: by its seat, and by everyone at the end."""
    steps: tuple[Step, ...] = (Shuffle("lake"), Shuffle("stock"), lambda s: Show(s.table.slots("lake")[:1]))
    rules = Script(*steps, zones=ZONED)
    stranger = DECK.faces[DECK.cards[-1]]
    with pytest.raises(PeerFault, match="not in that pile") as found:
        Circle(small, rules, 3, scanner=0, tapped=lambda *_: (stranger,)).play()
    assert found.value.seat == 0
    draws: tuple[Step, ...] = (Shuffle("lake"), lambda s: Draw(((s.table.slots("lake")[0], 1),)))
    rules = Script(*draws, zones=ZONED)
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
