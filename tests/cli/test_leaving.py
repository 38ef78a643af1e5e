"""Leaving for good and giving up, as they are typed and told, over real sessions without sockets."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from cli.boards.words import NotUnderstood
from cli.commands.verify import report_lines
from cli.leaving import GIVE_UP, RESIGN, Leaving, about_leaving, why_it_ends
from cli.text import Glyphs, Speaker
from engine.table import hand_of
from p2p.deal import recovering as recovering_module
from p2p.log import EntryFrame, decode_message
from p2p.sealed import Group
from p2p.sealed.testgroup import SmallGroup
from p2p.session import Fault, GivenUp, Kept, Left, Rebuilds, Session
from tests.cli.tui.stage import terminal
from tests.p2p.harness import Ring
from tests.p2p.session.test_departure import check_end, lose, stay
from tests.p2p.session.test_recovery import GAMES, recovering

NAMES = ("Ann", "Ben", "Cy", "Dee")
GRACE = 120.0


class Machine:
    """What ``p2p.io.table.Table`` is to the words: one seat of a ring, with the ring's clock."""

    def __init__(self, ring: Ring, seat: int) -> None:
        self._ring = ring
        self.session = ring.sessions[seat]

    async def farewell(self) -> None:
        self._ring.run(self.session.seat, self.session.farewell(self._ring.now))

    async def give_up(self, seat: int) -> None:
        self._ring.run(self.session.seat, self.session.give_up(self._ring.now, seat))


@pytest.fixture
def small() -> Group:
    return SmallGroup()


def words_of(ring: Ring, *seats: int) -> Leaving:
    """The words at the machine where these seats are played."""
    me = seats[0] if len(seats) == 1 else -1
    names = NAMES[: len(ring.sessions)]
    return Leaving({seat: Machine(ring, seat) for seat in seats}, Speaker(names, me, Glyphs()))


def waiting(small: Group, seats: int, **more: Any) -> tuple[Ring, int]:
    """A game whose next player does nothing, and that player's seat."""
    ring = recovering(small, seats, "go-fish", choose=lambda move, rng: None, **more)
    ring.start()
    ring.pump()
    (awaited,) = ring.sessions[0].awaited
    return ring, awaited


def lines(leaving: Leaving, ring: Ring, seat: int, kind: type) -> list[str]:
    """What is shown of all tellings of one kind."""
    told = [what for what in ring.told[seat] if isinstance(what, kind)]
    return [line.text for what in told for line in leaving.hear(what)]


async def test_a_player_resigns_after_it_was_asked_and_the_others_go_on(small: Group) -> None:
    ring, awaited = waiting(small, 4)
    leaving = words_of(ring, awaited)
    question = leaving.ask(RESIGN, "", awaited)
    assert question.startswith("You leave this game for good. The others go on;")
    said = await leaving.answer("yes")
    assert said is not None
    ring.pump()
    other = (awaited + 1) % 4
    assert awaited in ring.sessions[other].history.progress.gone
    shown = " ".join(lines(words_of(ring, other), ring, other, Left))
    assert f"take {NAMES[awaited]} out of the cards together" in shown
    assert "It would go on again if somebody else left." in shown
    assert "signed" not in shown, "its own word needs nobody else's"
    with pytest.raises(NotUnderstood, match="left this game already"):
        leaving.ask(RESIGN, "", awaited)


async def test_anything_but_yes_changes_nothing(small: Group) -> None:
    ring, awaited = waiting(small, 3)
    leaving = words_of(ring, awaited)
    for line in ("no", "N", "не", "", " ", "hint", "yes please"):
        leaving.ask(RESIGN, "", awaited)
        is_other = line in ("hint", "yes please")
        assert await leaving.answer(line) == (None if is_other else "Nothing changes.")
        assert not leaving.is_asked
        assert await leaving.answer("yes") is None, "the question is gone"
    ring.pump()
    assert ring.sessions[0].history.progress.gone == frozenset()


async def test_players_who_give_up_together_put_a_staller_out_and_its_name_is_signed(small: Group) -> None:
    ring, awaited = waiting(small, 3)
    one, other = (seat for seat in range(3) if seat != awaited)
    first, second, theirs = (words_of(ring, seat) for seat in (one, other, awaited))
    assert f"{NAMES[awaited]} is out once {NAMES[other]} and you say so." in first.ask(GIVE_UP, "", one)
    assert await first.answer("y") is not None
    ring.run_clock(lambda: False, GRACE + 5)
    asked = lines(second, ring, other, GivenUp)
    assert asked[-1].endswith(
        f"does not wait for {NAMES[awaited]} any longer. If you agree, type: give up {NAMES[awaited]}"
    )
    assert "you are out once all say so" in lines(theirs, ring, awaited, GivenUp)[-1]
    assert (
        lines(first, ring, one, GivenUp)[-1] == f"{NAMES[awaited]} is out once {NAMES[other]} says so, too."
    )
    second.ask(GIVE_UP, NAMES[awaited][:2], other)
    assert await second.answer("yes") is not None
    assert ring.run_clock(lambda: awaited in ring.sessions[other].history.progress.gone, 60)
    shown = lines(second, ring, other, Left)
    signed = f"{NAMES[one]} and you have signed that nothing came from {NAMES[awaited]} in time."
    assert shown[0] == f"{signed} The record keeps that."
    assert shown[-1] == "Only two players are left: if one of them leaves, the game ends."
    assert [seat for _, seat in ring.verdict(one).left] == [awaited]


def test_a_player_who_has_answered_somebody_stays(small: Group) -> None:
    """The refused departure: one keeper holds what another lacks."""
    ring = recovering(small, 3, "go-fish")

    def deliver(_sender: int, to: int, data: bytes) -> list[bytes]:
        message = decode_message(data)
        lost = isinstance(message, EntryFrame) and (message.seat, to) in ((1, 0), (0, 2))
        return [] if lost else [data]

    ring.deliver = deliver
    ring.start()
    ring.run(0, ring.sessions[0].link_down(ring.now, 1))
    ring.run_clock(lambda: any(isinstance(what, Kept) for what in ring.told[0]), 2 * GRACE)
    ring.deliver = None
    ring.run(0, ring.sessions[0].link_up(ring.now, 1))
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 600)
    told = [what for each in ring.told for what in each if isinstance(what, Kept)]
    shown = words_of(ring, 0).hear(told[0])
    assert shown[0].text == "Cy holds what Ben owed: Ben stays in the game."
    assert not any(isinstance(what, Left) for each in ring.told for what in each)


async def test_what_cannot_be_given_up_is_refused_with_a_sentence(small: Group) -> None:
    ring, awaited = waiting(small, 3)
    me, other = (seat for seat in range(3) if seat != awaited)
    leaving = words_of(ring, me)
    for name, sentence in (
        (NAMES[me], "seat of your own"),
        ("nobody", "no player nobody"),
        (NAMES[other], f"does not wait for {NAMES[other]}"),
    ):
        with pytest.raises(NotUnderstood, match=sentence):
            leaving.ask(GIVE_UP, name, me)
    with pytest.raises(NotUnderstood, match="Nobody is waited for"):
        words_of(ring, awaited).ask(GIVE_UP, "", awaited)
    two, turn = waiting(small, 2)
    with pytest.raises(NotUnderstood, match="Of two players"):
        words_of(two, 1 - turn).ask(GIVE_UP, NAMES[turn], 1 - turn)


async def test_people_at_one_screen_give_up_together_and_resign_one_by_one(small: Group) -> None:
    ring, awaited = waiting(small, 4)
    one, other, third = (seat for seat in range(4) if seat != awaited)
    leaving = words_of(ring, one, other)
    assert f"{NAMES[awaited]} is out once {NAMES[third]} and you say so." in leaving.ask(GIVE_UP, "", one)
    await leaving.answer("yes")
    assert all(ring.sessions[seat]._desk.given_up == {awaited} for seat in (one, other))
    assert not ring.sessions[third]._desk.given_up
    assert leaving.ask(RESIGN, "", other).startswith(f"{NAMES[other]} leaves this game for good.")


async def test_who_shares_a_machine_is_named_before_all_of_it_leaves(small: Group) -> None:
    """Ann keeps the table, Ben sits beside her, Cy is a bot: one key, so they leave together, and at once."""
    ring = Ring(small, 3, keepers=(0, 0, 0), choose=lambda move, rng: None)
    ring.start()
    ring.pump()
    (awaited,) = ring.sessions[0].awaited
    people = (awaited, (awaited + 1) % 3)
    one, other, bot = NAMES[people[0]], NAMES[people[1]], NAMES[(awaited + 2) % 3]
    leaving = words_of(ring, *people)
    question = leaving.ask(RESIGN, "", people[1])
    with_them = " and ".join(name for name in NAMES if name in (one, bot))
    assert question.startswith(
        f"{other} leaves this game for good, and {with_them} with {other}: all seats of this machine leave "
        "together. The game then ends, and nobody wins: nobody is left to play."
    )
    assert await leaving.answer("yes") == (
        "Noted: it is done with the next thing that the game needs of this table."
    )
    ring.pump()
    assert ring.sessions[0].is_over, "it need not be the turn of the one who resigned"
    told = "Ann, Ben and Cy leave together: their seats are on one machine."
    assert lines(leaving, ring, people[0], Left)[0] == told
    report = ring.verdict(0)
    shown = report_lines(report, {})
    (step,) = {step for step, _seat in report.left}
    left = [line for line in shown if " left " in line]
    assert left[0] == f"P0, P1 and P2 left together at step {step}: their seats are on one machine."


def test_why_a_game_would_end_is_said(small: Group) -> None:
    ring, awaited = waiting(small, 3)
    assert why_it_ends(ring.sessions[0], awaited) == ""
    two, turn = waiting(small, 2)
    assert why_it_ends(two.sessions[0], turn) == "of two players neither can go on without the other"
    early = recovering(small, 3, "go-fish")
    assert "not dealt yet" in why_it_ends(early.sessions[0], 1)
    plain = Ring(small, 3)
    assert why_it_ends(plain.sessions[0], 1) == "it was opened without --recovery, so it needs every player"
    alone = Ring(small, 3, keepers=(0, 0, 0))
    assert why_it_ends(alone.sessions[0], 0) == "nobody is left to play"
    question = words_of(alone, 0).ask(RESIGN, "", 0)
    assert question.startswith("You leave this game for good, with your bots Ben and Cy. The game then ends,")


def test_every_table_says_what_leaving_costs(small: Group) -> None:
    ring = recovering(small, 4, "go-fish", keepers=(0, 1, 0, 3))
    text = about_leaving(ring.charter)
    assert "P0 with P2, P1, P3" in text
    assert "All the others together could read a hand" in text
    assert "three or more" in text
    assert about_leaving(Ring(small, 3).charter).endswith("the game ends and nobody wins.")


def test_a_departure_that_ends_the_game_promises_nothing(small: Group) -> None:
    ring = Ring(small, 3, options={"ranks": "3", "suits": "2", "book_size": "2", "hand_size": "1"})
    ring.crash = lambda seat, persist: seat == 1 and any(e.step >= 6 for e in persist.entries if e.seat == 1)
    ring.start()
    ring.pump()
    lose(ring, 1)
    assert ring.run_clock(lambda: all(session.is_over for session in stay(ring, 1)), 400)
    assert lines(words_of(ring, 0), ring, 0, Left) == [
        "You and Cy have signed that nothing came from Ben in time. The record keeps that."
    ]


def test_lies_about_split_keys_are_explained(small: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = recovering_module.read_share

    def blind(group: Group, share: Any, key: int) -> int | None:
        return None if (share.to, share.header.seat) == (2, 1) else honest(group, share, key)

    monkeypatch.setattr(recovering_module, "read_share", blind)
    ring = recovering(small, 3, "go-fish")
    ring.start()
    ring.pump()
    (shown,) = lines(words_of(ring, 0), ring, 0, Fault)
    assert shown.startswith("Cy said that a part of a key sealed for Cy does not open.")


def test_a_wrong_part_of_a_recovery_is_explained(small: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = recovering_module.prove_shares

    def lying(group: Group, header: Any, secret: int, *rest: Any) -> Any:
        return honest(group, header, secret + (header.seat == 2 and header.purpose != "share"), *rest)

    ring, awaited = waiting(small, 4)
    monkeypatch.setattr(recovering_module, "prove_shares", lying)
    other = (awaited + 1) % 4 if (awaited + 1) % 4 != 2 else 3
    asyncio.run(words_and_yes(ring, awaited))
    ring.pump()
    if awaited == 2:
        pytest.fail("the seat that lies must stay")
    (shown,) = lines(words_of(ring, other), ring, other, Fault)
    assert "What Cy gave does not fit the part that Cy holds" in shown


async def words_and_yes(ring: Ring, seat: int) -> None:
    leaving = words_of(ring, seat)
    leaving.ask(RESIGN, "", seat)
    await leaving.answer("yes")


async def test_keys_of_the_full_screen_ask_for_both(small: Group) -> None:
    async with terminal() as shown:
        shown.keys.send_text("\x1b[19~\x1b[20~")  # F8, F9
        await shown.settle()
        async with asyncio.timeout(60):
            assert [await shown.screen.read(), await shown.screen.read()] == ["resign", "give up"]


@pytest.mark.parametrize(
    "name", [GAMES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in GAMES[1:])]
)
async def test_in_every_game_one_stalls_and_one_resigns_and_the_rest_plays_on(
    small: Group, name: str
) -> None:
    """Four players: nothing comes from the first who has to decide, though its program is there, and it is
    given up; then another one resigns."""
    ring = recovering(small, 4, name, choose=lambda move, rng: None)
    ring.start()
    assert ring.run_clock(lambda: is_dealt(ring) and len(ring.sessions[0].awaited) == 1, 600)
    (stalls,) = ring.sessions[0].awaited
    others = [seat for seat in range(4) if seat != stalls]

    def deliver(sender: int, _to: int, data: bytes) -> list[bytes]:
        return [] if sender == stalls and isinstance(decode_message(data), EntryFrame) else [data]

    ring.deliver = deliver
    for seat in others:
        leaving = words_of(ring, seat)
        leaving.ask(GIVE_UP, NAMES[stalls], seat)
        assert await leaving.answer("yes")
    staying = ring.sessions[others[0]]
    assert ring.run_clock(lambda: stalls in staying.history.progress.gone, 2 * GRACE)
    ring.choose = lambda move, rng: rng.choice(move.actions)
    if not staying.history.progress.is_playing:
        return  # without the Dealer Casino is over
    resigns = others[1]
    leaving = words_of(ring, resigns)
    leaving.ask(RESIGN, "", resigns)
    assert await leaving.answer("yes")
    for seat in others:  # what was asked before is answered now
        asked = ring.sessions[seat]._decider.asking
        if asked is not None and seat != resigns:
            ring.run(seat, asked_again(ring, seat))
    rest = [ring.sessions[seat] for seat in others if seat != resigns]
    assert ring.run_clock(lambda: all(session.is_over for session in rest), 6000)
    check_end(ring, tuple(sorted({stalls, resigns})), None)


def is_dealt(ring: Ring) -> bool:
    progress = ring.sessions[0].history.progress
    return all(progress.position.table.size(hand_of(seat)) for seat in range(4))


def asked_again(ring: Ring, seat: int) -> list[Any]:
    """The first thing that is possible, for a question that was left open."""
    session = ring.sessions[seat]
    progress = session._decider.asking
    assert progress is not None
    return session.act(ring.now, progress.position.choices(seat, session._sight.hand(progress))[0])


def seat_that_rebuilds(ring: Ring, seat: int) -> None:
    """The program of ``seat`` begins anew with a store that was lost, and its player says so."""
    ring.stored[seat].clear()
    ring.statements[seat].clear()
    ring.makers[seat] = partial(Session, rebuilds=True)
    ring.restart(seat)
    ring.makers[seat] = Session


@pytest.mark.parametrize("seats", [3, 4])
async def test_two_stores_are_lost_and_one_of_them_comes_back(small: Group, seats: int) -> None:
    """Nobody can be left out, since the word of the one that rebuilds is lacking, and it may sign nothing
    before the other is here: it is said so, and no word is offered that cannot count. Then it comes back."""
    ring, awaited = waiting(small, seats)
    here = next(seat for seat in range(seats) if seat != awaited)
    back = next(seat for seat in range(seats) if seat not in (here, awaited))
    lose(ring, awaited)
    seat_that_rebuilds(ring, back)
    ring.run(back, ring.sessions[back].link_down(ring.now, awaited))
    ring.run_clock(lambda: False, 3 * GRACE)
    assert awaited not in ring.sessions[here].history.progress.gone
    table, theirs = words_of(ring, here), words_of(ring, back)
    why = f"Until everything from {NAMES[awaited]} is there, nothing is signed for {NAMES[back]}"
    assert why in lines(table, ring, here, Rebuilds)[-1]
    told = table.remedy((awaited,))
    assert why in told
    assert "You can talk (chat TEXT) or pause (quit). If nobody comes back, end it:" in told
    assert told.endswith(f"games --stop {ring.charter.table_id.hex()[:8]}")
    with pytest.raises(NotUnderstood, match=why):
        table.ask(GIVE_UP, NAMES[awaited], here)
    assert f"Until everything from {NAMES[awaited]} is here, nothing is signed for you" in theirs.remedy(
        (awaited,)
    )
    with pytest.raises(NotUnderstood, match="nothing is signed for you"):
        theirs.ask(GIVE_UP, NAMES[awaited], back)
    lose(ring, back)  # its links go before it has everything: who waits for it reads that
    assert lines(table, ring, here, Rebuilds)[-1] == (
        f"{NAMES[back]}'s machine, which asked for what its store may lack, is out of reach before it had "
        "everything."
    )
    ring.crashed.discard(back)
    ring.relink(back)
    ring.pump()
    assert why in lines(table, ring, here, Rebuilds)[-1]
    ring.cut.discard(awaited)
    ring.choose = lambda move, rng: rng.choice(move.actions)
    ring.restart(awaited)
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 3000)
    assert lines(table, ring, here, Rebuilds)[-1] == f"{NAMES[back]}'s machine has everything again."
    assert lines(theirs, ring, back, Rebuilds)[-1] == "This machine has everything again."
    assert all(session.fault is None for session in ring.sessions)
    assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())


def test_two_who_are_out_of_reach_are_named_and_neither_is_offered(small: Group) -> None:
    ring, awaited = waiting(small, 3)
    me, other = (seat for seat in range(3) if seat != awaited)
    table = words_of(ring, me)
    assert f"give up {NAMES[awaited]}" in table.remedy((awaited,))
    lose(ring, other)
    told = table.remedy((awaited,))
    assert told.startswith(
        f"Nobody can be left out now: all others have to say so, and {NAMES[other]} is out of reach."
    )
    assert "give up" not in told
    assert "resign" not in told
    lose(ring, awaited)
    assert f"and {NAMES[other]} is out of reach." in table.remedy((awaited,))
    both = table.remedy(tuple(sorted((awaited, other))))
    assert "are out of reach." in both
    assert all(NAMES[seat] in both for seat in (awaited, other))
    with pytest.raises(NotUnderstood, match="Nobody can be left out now"):
        table.ask(GIVE_UP, NAMES[awaited], me)
