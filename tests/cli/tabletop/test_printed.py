"""Single moves at a table with a printed deck: dealing, mistakes, what is told and what is not, and going on
after the program or a reader has stopped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.errors import Failure
from cli.tabletop.printed import open_mode
from engine.table import hand_of
from hardware.events import Disturbed, Placed, Removed, Settled, Undisturbed, Unsure
from hardware.pads import HUB, POND, ask, seat
from hardware.tags import Book
from hardware.uids import Uid
from p2p.sealed.testgroup import SmallGroup
from tests.cli.tabletop.printed_sentences import FOUND, WANTED, shown
from tests.cli.tabletop.printed_world import World

SMALL = SmallGroup()
SOME = {"ranks": "5", "hand_size": "3"}


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOAL_LANG", "en")


def opened(has_pads: bool = True, seats: int = 3, local: tuple[int, ...] = (0, 1), seed: int = 1) -> World:
    """A table that waits for the first card."""
    world = World(SMALL, "go-fish", seats, local, SOME, seed, has_pads)
    world.carry_out(world.mode.opened(world.time))
    world.start()
    while world.wanted is None:
        world.pump()
        world.drain()
        if world.orders:
            world.obey(world.orders.popleft())
    return world


def dealt(world: World) -> World:
    """The same table, once somebody at it has to decide, everything done that was told."""
    while not world.deciding or world.orders or world.wanted or world.corrections:
        world.pump()
        world.drain()
        world.one_thing()
    world.check()
    return world


def top(world: World) -> Uid:
    return world.piles["the pond"].pop(0)


def seeking(world: World) -> World:
    """The same table, as soon as a card is looked for and nobody is asked for anything else."""
    for _ in range(2_000):
        world.pump()
        world.drain()
        if any(world.mode._follow.looked_for()):
            return world
        world.one_thing()
    raise AssertionError("no card was ever looked for")


# --- dealing --------------------------------------------------------------------------------------------


def test_the_pack_is_shuffled_before_the_cut_is_told_and_nothing_is_dealt_before() -> None:
    world = World(SMALL, "go-fish", 3, (0, 1), SOME, 1, True)
    world.start()
    world.drain()
    (shuffle,) = world.orders
    assert shuffle == "Shuffle the pond: 20 cards, face down. Tap ok, or type it, when that is done."
    assert world.tap(world.piles["the pond"][0], POND) == [f"First: {shuffle}"]
    assert not any("Cut" in line for line in world.heard)
    world.obey(world.orders.popleft())
    assert "Cut the pond: the top" in world.orders[0] or "Do not cut the pond" in world.orders[0]
    assert world.wanted is None
    world.obey(world.orders.popleft())
    assert world.wanted is not None


def test_cards_count_while_they_are_dealt() -> None:
    """They are the game's when all have been dealt; the screen counts them as they are tapped."""
    world = World(SMALL, "go-fish", 3, (0, 1), SOME, 1, True)
    world.start()
    while world.wanted is None:
        world.drain()
        world.obey(world.orders.popleft())
    counts = []
    while world.wanted is not None:
        table = world.sessions[0].view().state.table
        on_screen = [slot for slot, _seat in world.mode.tapped if slot in table.slots(slot.zone)]
        counts.append(sum(table.size(hand_of(each)) for each in range(3)) + len(on_screen))
        world.one_thing()
    assert sorted(counts) == counts
    assert {*range(1, 9)} <= {*counts}
    table = world.sessions[0].view().state.table
    assert not [slot for slot, _seat in world.mode.tapped if slot in table.slots(slot.zone)]


def test_what_the_table_waits_for_is_there_to_be_said_again_until_it_is_done() -> None:
    world = World(SMALL, "go-fish", 3, (0, 1), SOME, 1, True)
    assert world.mode.to_do == ()
    world.start()
    while world.wanted is None:
        world.drain()
        assert world.mode.to_do == (world.orders[0],)
        world.obey(world.orders.popleft())
    assert world.mode.to_do == (world.wanted,)
    dealt(world)
    turn = "Ben: Ask somebody. Tap the token of the player you ask, and a card of what you ask for."
    assert world.mode.to_do == (turn,)
    lying = next(uid for uid, role in world.lies.items() if role == seat("Ann"))
    world.lift(lying)
    world.at[lying] = "the floor"
    while world.mode.to_do == (turn,):
        world.pass_time()
    assert world.mode.to_do == ("Put 1 card back on Ann's pad.",)
    world.put(lying, "Ann's pad")
    assert world.mode.to_do == (turn,)
    seeking(world)
    assert world.mode.to_do == world.mode._follow.looked_for()


def test_taps_follow_the_order_and_a_card_on_a_players_pad_counts_for_that_player() -> None:
    world = opened()
    first = WANTED.fullmatch(world.wanted or "")
    assert first is not None
    assert (first["n"], first["of"]) == ("1", "3")
    other = next(name for name in ("Ann", "Ben") if name != first["who"])
    world.put(top(world), f"{other}'s pad")
    assert world.wanted == first[0], "the first one is still wanted"
    world.tap(top(world), POND)
    after = WANTED.fullmatch(world.wanted or "")
    assert after is not None
    assert after["who"] not in (first["who"], other)


def test_a_card_twice_and_a_card_that_is_not_wanted_are_refused_in_words() -> None:
    world = opened()
    uid = top(world)
    world.tap(uid, POND)
    before = world.wanted
    assert world.tap(uid, POND)[0] == "That card was tapped already: take the next one."
    assert world.wanted == before
    world = dealt(opened())
    assert world.tap(world.piles["the pond"][0], POND) == [
        "No card is to be dealt now: put it back where it was."
    ]


def test_what_was_tapped_is_taken_back_and_asked_for_again() -> None:
    world = opened()
    first = world.wanted
    uids = [top(world) for _ in range(3)]
    for uid in uids:
        world.tap(uid, POND)
    assert world.wanted != first
    world.carry_out(world.mode.typed(world.time, "anew") or ())
    world.pump()
    world.drain()
    assert world.wanted == first
    for uid in uids:
        assert not any("already" in line for line in world.tap(uid, POND))
        found = WANTED.fullmatch(world.heard[-1])
        assert found is not None


def test_a_player_who_cancels_takes_no_dealt_card_back() -> None:
    """A tag that is tapped once too often, on a pad of one's own."""
    world = opened()
    first = world.wanted
    world.tap(top(world), POND)
    second = world.wanted
    assert second != first
    cancel = world.tag("command", "cancel")
    assert not any("tap those cards again" in line for line in world.tap(cancel, ask("Ann")))
    assert world.wanted == second
    assert "Taken back: tap those cards again, from the first one." in world.tap(cancel, HUB)
    assert world.wanted == first


def test_a_whole_deal_may_be_taken_back_no_more() -> None:
    world = dealt(opened())
    assert world.mode.typed(world.time, "anew") is None


def test_a_deck_without_all_of_its_tags_cannot_be_dealt() -> None:
    world = opened()
    uid = world.piles["the pond"][0]
    few = Book(tag for tag in world.book.tags if tag.uid != uid)
    with pytest.raises(Failure, match=rf"1 card of this deck has no tag: {shown(world.faces[uid])}"):
        open_mode(replace(world.mode.setting, book=few))


def test_a_card_whose_tag_is_broken_is_typed() -> None:
    world = opened()
    before = world.wanted
    face = world.faces[world.piles["the pond"][0]]
    world.carry_out(world.mode.typed(world.time, f"tap {face}") or ())
    world.pump()
    world.drain()
    assert world.wanted != before


# --- who may know what ------------------------------------------------------------------------------------


def test_nothing_that_is_said_while_dealing_names_a_card() -> None:
    world = dealt(opened())
    names = {shown(world.faces[uid]) for uid in world.faces}
    words = {word for line in world.heard for word in line.replace(":", " ").replace(".", " ").split()}
    assert not names & words


def test_a_card_of_somebody_far_away_is_not_named_when_it_is_tapped() -> None:
    world = dealt(opened())
    coral = world.there("Coral's pad")[0]
    said = world.tap(coral, HUB)
    assert said == ["That card belongs to Coral."]


# --- the pads against the game -----------------------------------------------------------------------------


def later(world: World, seconds: float) -> list[str]:
    """What is said in a while of silence."""
    before, end = len(world.heard), world.time + seconds
    while (wake := world.mode.wake) is not None and wake <= end:
        world.time = max(world.time + 0.001, wake)
        world.carry_out(world.mode.ticked(world.time))
    world.time = end
    return world.heard[before:]


def test_a_card_that_was_knocked_off_is_missed_and_the_game_waits() -> None:
    world = dealt(opened())
    later(world, 20)
    (asked,) = list(world.deciding)[:1]
    uid = world.there("Ben's pad")[0]
    world.lift(uid)
    assert later(world, 1) == [], "somebody may just look at it"
    assert later(world, 5) == ["Put 1 card back on Ben's pad."]
    name = world.names[asked]
    own = next(each for each in world.there(f"{name}'s pad") if each != uid)
    line = f"{name}: ask Coral {world.faces[own][0]}"
    said = [getattr(out, "text", "") for out in world.mode.typed(world.time, line) or ()]
    assert said[:2] == ["First the table has to be right:", "Put 1 card back on Ben's pad."]
    world.put(uid, "Ben's pad")
    assert world.heard[-1] == "The table is right again; the game goes on."
    assert world.mode.typed(world.time, line) is None


def test_a_card_on_the_wrong_pad_is_found_by_lifting() -> None:
    world = dealt(opened())
    later(world, 20)
    stray = world.there("Ben's pad")[0]
    world.put(stray, "Coral's pad")
    world.at[stray] = "Coral's pad"
    assert "Move 1 card from Coral's pad back to Ben's pad." in later(world, 5)
    other = next(uid for uid in world.there("Coral's pad") if uid != stray)
    assert world.lift(other) == ["That is not it: put it back."]
    world.put(other, "Coral's pad")
    said = world.lift(stray)
    assert [found["to"] for line in said if (found := FOUND.fullmatch(line))] == ["Ben's pad"]
    world.put(stray, "Ben's pad")
    later(world, 5)
    assert world.heard[-1] == "The table is right again; the game goes on."


def test_a_reader_that_starts_anew_and_cards_that_overlap_are_told() -> None:
    world = dealt(opened())
    later(world, 20)
    place = world.spot(seat("Ben"))
    world.event(Unsure(place, "power lost"))
    assert "The reader of Ben's pad is not heard: leave what lies there, and look at its cable." in later(
        world, 5
    )
    world.event(Settled(place))
    assert world.heard[-1] == "The table is right again; the game goes on."
    world.event(Disturbed(place, "two cards"))
    assert "Nothing certain is read on Ben's pad: lay the cards there apart." in later(world, 5)
    world.event(Undisturbed(place))
    assert world.heard[-1] == "The table is right again; the game goes on."


def test_power_lost_on_the_hub_and_a_card_moved_meanwhile() -> None:
    world = dealt(opened())
    later(world, 20)
    place, uid = world.spot(seat("Ben")), world.there("Ben's pad")[0]
    world.event(Unsure(place, "power lost"))
    later(world, 5)
    world.event(Removed(uid, place, world.time))
    world.event(Settled(place))
    assert "Put 1 card back on Ben's pad." in later(world, 5)
    world.event(Placed(uid, place, world.time, True))
    assert world.heard[-1] == "The table is right again; the game goes on."


# --- the program stops ----------------------------------------------------------------------------------


@pytest.mark.parametrize("has_pads", [True, False])
def test_cards_that_were_tapped_are_not_tapped_again_when_the_program_goes_on(has_pads: bool) -> None:
    world = opened(has_pads)
    for _ in range(4):
        world.deal(world.wanted or "")
    before = world.wanted
    assert before is not None
    world.restart_program()
    world.drain()
    assert world.wanted == before
    assert not any("Shuffle" in line for line in world.orders), "the pack was shuffled and cut before"
    world.play_on()
    assert world.verdict(0).verdict == "sound"


@pytest.mark.parametrize("has_pads", [True, False])
@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "lost"])
def test_a_game_goes_on_after_the_program_was_killed_anywhere(has_pads: bool, is_kept: bool) -> None:
    world = opened(has_pads, seed=4)
    turns = 0
    while not all(session.is_over for session in world.sessions):
        world.pump()
        world.drain()
        world.one_thing()
        if world.deciding and not (world.orders or world.wanted or world.corrections or world.news):
            turns += 1
            world.kept = world.kept if is_kept else b""
            world.restart_program()
            world.drain()
            world.check()
            for seat_number in list(world.deciding):
                world.decide(seat_number)
    assert turns > 2
    assert world.verdict(0).verdict == "sound"


# --- looking for a card ---------------------------------------------------------------------------------


@pytest.mark.parametrize("is_tapped", [False, True])
def test_ok_ends_no_search_and_found_does(is_tapped: bool) -> None:
    world = seeking(opened(seats=4))

    def say(word: str) -> list[str]:
        before = len(world.heard)
        if is_tapped:
            world.tap(world.tag("command", word))
        else:
            world.carry_out(world.mode.typed(world.time, word) or ())
        return world.heard[before:]

    lines = world.mode._follow.looked_for()
    assert "is looked for. found: it is where it belongs already." in lines[0]
    assert set(lines) <= set(say("ok"))
    assert world.mode._follow.looked_for() == lines
    assert "Then it counts as found." in say("found")
    assert world.mode._follow.looked_for() == ()


def test_a_card_found_on_its_way_and_put_among_those_that_are_looked_for_is_sent_on_in_words() -> None:
    """It was lifted off its pad for an earlier order, which made it found; then it is tapped with others."""
    for seed in range(1, 40):
        world = dealt(opened(seats=4, seed=seed))
        for _ in range(400):
            if all(session.is_over for session in world.sessions):
                break
            world.pump()
            world.drain()
            sought = world.mode._follow._sought
            lying = [uid for uid in sought if uid in world.lies]
            if lying and len(sought) > 1:
                (*_rest, found) = (FOUND.fullmatch(line) for line in world.lift(lying[0]))
                assert found is not None
                assert world.tap(lying[0], HUB) == [f"Not that one, but it goes to {found['to']}."]
                return
            world.one_thing()
    raise AssertionError("it never happened")
