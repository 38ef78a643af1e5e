"""A table with a printed deck: whole games, scans, crashes, and who is blamed for what."""

from __future__ import annotations

from functools import partial
from typing import Any
from unittest import mock

import msgspec
import pytest

from engine.contract import IllegalAction
from engine.registry import game
from engine.table import Choose, Disclose, Draw, Shuffle, Tick
from p2p.deal import Reveal
from p2p.deal.printed_cards import secrets_of
from p2p.deal.printed_giving import PrintedGiver
from p2p.deal.printed_values import Batch
from p2p.log import (
    EntryFrame,
    Malformed,
    PrintedCharter,
    decode_charter,
    decode_message,
    encode,
    pack,
    unpack,
)
from p2p.sealed import Group
from p2p.session import (
    CutWanted,
    Finished,
    Happened,
    Persist,
    PrintedTable,
    Race,
    ScanRefused,
    ScanWanted,
    Undone,
)
from p2p.session.setup import HostSetup, SetupError
from tests.p2p.cheats import Cheater, Lie, Told, at
from tests.p2p.deal.printed_circle import complaint
from tests.p2p.deal.test_printed import other_number
from tests.p2p.deal.test_printed_seats import denial, garbled, objection
from tests.p2p.harness import SHORT, TINY, Pack, Ring
from tests.p2p.session.test_secrecy import Watch, is_revealing, shown

__all__ = ["shown"]  # a fixture

SOME = {**TINY, "suits": "4", "hand_size": "2", "end_mode": "all_books"}


def race(ring: Ring, seat: int, told: Race) -> None:
    """A seat that is told of a race plays something, half of the time."""
    if len(told.actions) > 1 and ring.rng.random() < 0.5:
        try:
            effects = ring.sessions[seat].act(ring.now, ring.rng.choice(told.actions[1:]))
        except IllegalAction:  # its queue is full
            return
        ring.run(seat, effects)


def table(group: Group, seats: int, scanner: int = 0, name: str = "go-fish", **more: Any) -> Ring:
    """A table with a printed deck that has not begun."""
    more.setdefault("play", race)
    return Ring(group, seats, scanner=scanner, rules=game(name), **more)


def finish(ring: Ring) -> None:
    """Play to the end, and see that all agree and a stranger finds nothing to object to."""
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 50_000)
    assert ring.drops == []
    assert [session.fault for session in ring.sessions] == [None] * len(ring.sessions)
    assert len({session.history.head for session in ring.sessions}) == 1
    assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())
    reports = [ring.verdict(seat) for seat in (0, len(ring.sessions) - 1)]
    assert reports[0] == reports[1]
    assert (reports[0].verdict, reports[0].reason, reports[0].finished) == ("sound", "", True)


GAMES: list[tuple[str, int, int, dict[str, str]]] = [
    ("go-fish", 2, 0, {"ranks": "7"}),
    ("go-fish", 2, 1, {"give_amount": "one", "ranks": "6"}),
    ("go-fish", 6, 3, {"ranks": "8"}),
    ("one-fish", 2, 1, {}),
    ("one-fish", 6, 0, {}),
    ("casino", 3, 2, {}),
    ("casino", 6, 0, {}),
    ("discount-salmon", 2, 0, {}),
    ("discount-salmon", 5, 1, {}),
    ("discount-salmon", 2, 1, {"pace": "turns"}),
    ("discount-salmon", 5, 0, {"pace": "turns"}),
]


@pytest.mark.parametrize(("name", "seats", "scanner", "options"), GAMES)
def test_a_whole_game_is_played_and_sound(
    name: str, seats: int, scanner: int, options: dict[str, str], small: Group
) -> None:
    ring = table(small, seats, scanner, name, options=options, seed=seats)
    ring.start()
    finish(ring)
    checks = ring.verdict(scanner).checks
    assert checks["scans"] > 0
    assert checks["cuts"] >= 2 * seats
    assert "shares" not in checks
    assert "shuffles" not in checks


def test_a_whole_game_in_the_real_group(real: Group) -> None:
    ring = table(real, 3, options=SOME)
    ring.start()
    finish(ring)


# --- what is told ---------------------------------------------------------------------------------------


def test_each_seat_is_told_what_is_trusted_and_where_to_cut_and_one_is_asked_to_scan(small: Group) -> None:
    ring = table(small, 3, 1, options=SOME)
    ring.play()
    for seat, told in enumerate(ring.told):
        assert told[0] == PrintedTable(1)
        cuts = [what for what in told if isinstance(what, CutWanted)]
        assert len(cuts) == 1
        assert (cuts[0].zone, cuts[0].of) == ("stock", 12)
        assert 0 <= cuts[0].at < 12
        asked = [what for what in told if isinstance(what, ScanWanted)]
        assert bool(asked) == (seat == 1)
    asked = [what for what in ring.told[1] if isinstance(what, ScanWanted)]
    assert [seat for _, seat in asked[0].draws] == [0, 1, 2, 0, 1, 2] or len(asked[0].draws) == 6
    assert all(b.draws == () for b in asked[1::2])


def test_a_sealed_table_tells_of_no_printed_cards(small: Group) -> None:
    ring = Ring(small, 2, options=TINY)
    ring.play()
    printed = PrintedTable | CutWanted | ScanWanted
    assert not [what for told in ring.told for what in told if isinstance(what, printed)]
    with pytest.raises(ScanRefused):
        Ring(small, 2, options=TINY).sessions[0].scan(0.0, (("3", "C"),))


# --- scans ----------------------------------------------------------------------------------------------


def waiting(group: Group, **more: Any) -> Ring:
    """A table that waits for the first scan."""
    ring = table(group, 3, options=SOME, **more)
    ring.on_wanted = lambda seat, what: None
    ring.play()
    assert isinstance(ring.sessions[0].history.progress.task, Draw)
    return ring


def first_cards(ring: Ring) -> list[Any]:
    wanted = next(what for what in ring.told[0] if isinstance(what, ScanWanted))
    return list(ring.pack.tap(wanted))


def test_cards_may_be_tapped_one_by_one_and_are_contributed_together(small: Group) -> None:
    ring = waiting(small)
    faces = first_cards(ring)
    step = ring.sessions[0].history.step
    for count, face in enumerate(faces, start=1):
        assert ring.sessions[1].history.step == step
        ring.run(0, ring.sessions[0].scan(ring.now, (face,)))
        ring.pump()
        assert len(ring.told[0][-1].draws) == len(faces) - count if count < len(faces) else True
    assert ring.sessions[1].history.step > step
    hand = ring.sessions[1].view().hand
    assert set(hand.values()) <= set(faces)


def refused(ring: Ring, *faces: Any, seat: int = 0) -> str:
    before = ring.sessions[seat]._scans._left(ring.sessions[seat].history.progress)
    with pytest.raises(ScanRefused) as found:
        ring.sessions[seat].scan(ring.now, faces)
    assert ring.sessions[seat]._scans._left(ring.sessions[seat].history.progress) == before
    assert str(found.value).endswith(".")
    return found.value.kind


def test_a_card_that_cannot_be_is_refused_before_it_is_signed(small: Group) -> None:
    ring = waiting(small)
    faces = first_cards(ring)
    sent = len(ring.sent)
    assert refused(ring, faces[0], faces[0]) == "twice"
    assert refused(ring, ("K", "H")) == "no-card"
    assert refused(ring, ("3",)) == "no-card"
    assert refused(ring, *faces, faces[0]) == "unwanted"
    assert refused(ring, faces[0], seat=1) == "unwanted"
    ring.run(0, ring.sessions[0].scan(ring.now, faces[:2]))
    assert refused(ring, faces[1]) == "twice"
    assert len(ring.sent) == sent
    ring.run(0, ring.sessions[0].scan_anew(ring.now))
    assert len(ring.told[0][-1].draws) == len(faces)
    ring.run(0, ring.sessions[0].scan(ring.now, faces))
    ring.pump()
    assert refused(ring, faces[0]) in ("twice", "unwanted")
    del ring.on_wanted
    if ring.told[0][-1] != ScanWanted(()):
        wanted = [what for what in ring.told[0] if isinstance(what, ScanWanted)][-1]
        if wanted.draws:
            assert refused(ring, faces[0]) == "twice"
            ring.on_wanted(0, wanted)
    finish(ring)


def test_a_card_of_another_pile_is_refused(small: Group) -> None:
    ring = table(small, 2, name="discount-salmon")
    ring.on_wanted = lambda seat, what: None
    ring.play()
    assert refused(ring, ring.pack.piles["lake"][0]) == "other-pile"


def test_a_card_in_play_is_refused_in_a_race_too(small: Group) -> None:
    """Everything that is dealt, laid and tapped counts; of equal cards there may be several."""
    ring = table(small, 2, name="discount-salmon")
    ring.start()
    ring.run_clock(lambda: isinstance(ring.sessions[0].history.progress.task, Tick), 100)
    live = ring.sessions[0].history.progress.dealing.live(ring.secrets(0).seed)
    assert live.total() == 11


def test_refills_of_a_race_come_when_they_are_tapped_and_the_race_goes_on(small: Group) -> None:
    """The person taps one card every two seconds, a dozen ticks apart."""
    ring = table(small, 3, name="discount-salmon", seed=3)
    waits: list[int] = []
    tapped: dict[str, float] = {"at": 0.0}

    def on_wanted(seat: int, what: ScanWanted) -> None:
        if not isinstance(ring.sessions[0].history.progress.task, Tick):
            Ring.on_wanted(ring, seat, what)

    run = ring.run

    def watch(seat: int, effects: list[Any]) -> None:
        run(seat, effects)
        progress = ring.sessions[0].history.progress
        if not isinstance(progress.task, Tick) or seat != 0:
            return
        left = ring.sessions[0]._scans._left(progress)
        if left and ring.now - tapped["at"] > 2.0:
            tapped["at"] = ring.now
            run(0, ring.sessions[0].scan(ring.now, ring.pack.tap(ScanWanted(left[:1]))))
        elif left:
            waits.append(ring.sessions[0].history.step)

    ring.on_wanted = on_wanted
    ring.run = watch
    ring.start()
    finish(ring)
    assert len(set(waits)) > 20, "the race goes on while cards are awaited"
    refills = [event for event in ring.events(1) if event.verb == "refill"]
    assert refills


# --- crashes --------------------------------------------------------------------------------------------


def test_what_is_tapped_is_asked_for_again_after_a_crash(small: Group) -> None:
    ring = waiting(small)
    faces = first_cards(ring)
    ring.run(0, ring.sessions[0].scan(ring.now, faces[:3]))
    ring.told[0].clear()
    ring.restart(0)
    ring.pump()
    assert ring.told[0][0] == PrintedTable(0)
    assert isinstance(ring.told[0][1], CutWanted), "the pack was not touched yet"
    (asked,) = [what for what in ring.told[0] if isinstance(what, ScanWanted)]
    assert len(asked.draws) == len(faces)
    del ring.on_wanted
    ring.on_wanted(0, asked)
    finish(ring)


@pytest.mark.parametrize("before_sending", [True, False], ids=["stored", "sent"])
def test_a_crash_of_the_table_at_any_of_its_steps_changes_nothing(small: Group, before_sending: bool) -> None:
    probe = table(small, 3, options=SOME)
    probe.play()
    steps = [entry.step for entry in probe.sessions[0].history.entries if entry.seat == 0]
    assert len(steps) > 10
    for step in steps[before_sending::5]:
        ring = table(small, 3, options=SOME)
        stored: list[bool] = []

        def crash(seat: int, persist: Persist, step: int = step, stored: list[bool] = stored) -> bool:
            now = seat == 0 and any((e.seat, e.step) == (0, step) for e in persist.entries)
            if now:
                stored.append(True)
            return now and before_sending

        ring.crash = crash
        assert ring.play_until(lambda stored=stored: bool(stored))
        ring.crash = lambda _seat, _persist: False
        ring.restart(0)
        finish(ring)
        assert isinstance(ring.told[0][-1], Finished)


@pytest.mark.slow
def test_a_machine_that_was_cut_off_in_a_race_asks_for_its_cards_again(small: Group) -> None:
    """What it contributed meanwhile is void; the same cards are tapped once more, and counted once."""
    ring = table(small, 3, name="discount-salmon", seed=6)
    ring.start()

    def refilling() -> bool:
        progress = ring.sessions[1].history.progress
        return isinstance(progress.task, Tick) and bool(progress.task.draws) and progress.number == 0

    assert ring.run_clock(refilling, 5000)
    ring.cut.add(0)
    until = ring.now + 6.0
    ring.run_clock(lambda: ring.now >= until, 10)
    assert ring.sessions[1].history.certificates, "the others went on without the machine"
    ring.relink(0)

    def is_settled() -> bool:
        """The fish is over, its refills are drawn, and all stand at one step."""
        tasks = [session.history.progress.task for session in ring.sessions]
        return not any(isinstance(task, Tick | Draw) for task in tasks)

    assert ring.run_clock(is_settled, 5000)
    ring.pump()
    assert not any(session.fault for session in ring.sessions)
    assert len({session.history.head for session in ring.sessions}) == 1
    assert any(isinstance(what, Undone) for what in ring.told[0])
    report = ring.verdict(1)
    assert (report.verdict, bool(report.skipped)) == ("sound", True)


# --- who is blamed --------------------------------------------------------------------------------------


def cheated(ring: Ring, seat: int, step: int | None, reason: str, but: int = -1) -> None:
    """Every seat names the same one, and so does each record; ``but`` the one that lied in its last word."""
    for other, session in enumerate(ring.sessions):
        if other == but:
            continue
        fault = session.fault
        assert fault is not None, other
        assert (fault.seat, fault.step, fault.reason) == (seat, step, reason)
        report = ring.verdict(other)
        assert (report.verdict, report.seat, report.step) == ("cheated", seat, step)
        assert report.reason == reason


def lying_table(
    group: Group, liar: int, lie: Lie, name: str = "go-fish", salt: bytes = b"", **more: Any
) -> tuple[Ring, Told]:
    told = Told()
    more.setdefault("options", SOME)
    makers = {liar: partial(Cheater, lie, told)}
    return table(group, 3, name=name, makers=makers, salt=salt, **more), told


def asked(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    """An ask for a rank that is not held."""
    hand = giver.dealing.own_hand(giver.position, giver.place.seat, giver.secrets)
    ranks = {face[0] for face in hand.values()}
    value = next(rank for rank in giver.dealing.deck.values("rank") if rank not in ranks)
    return pack([encode(msgspec.structs.replace(deed, value=value)), b""])


def misfit(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    """The cards that are given opened as others: the last salt is changed."""
    said, opening = unpack(body)
    return pack([said, opening[:-1] + bytes([opening[-1] ^ 1])]) if opening else None


def asks_itself(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    _said, opening = unpack(body)
    return pack([encode(msgspec.structs.replace(deed, target=giver.place.seat)), opening])


REMOTE: list[tuple[str, Lie, str, int]] = [
    ("a forbidden ask", at(Choose, asks_itself, 0), "decided what the rules refuse (own-seat)", 1),
    ("an ask", at(Choose, asked, 0), "said of its cards what is not so (holds)", 1),
    ("no answer", at(Disclose, denial, 0), "said of its cards what is not so (lacks)", 1),
    ("a cut", at(Shuffle, other_number, 1), "opened its coin commitment to another value", 1),
    ("an opening", at(Disclose, misfit, 0), "the opening of a card does not fit its commitment", 1),
    ("a false complaint", at(Draw, complaint, 1), "complained of a card that opens", 1),
    ("another card", garbled(lambda data: data[:-1] + bytes([data[-1] ^ 1])), "", 0),
    ("a false objection", at(Choose, objection, 1), "objected to what is so", 0),
]


SEEN_BY_OTHERS = {"a forbidden ask", "an opening", "a cut"}
"""What the liar's own program does not look at."""


@pytest.mark.parametrize(("what", "lie", "reason", "liar"), REMOTE, ids=[each[0] for each in REMOTE])
def test_a_cheat_is_named_by_all_and_by_every_record(
    what: str, lie: Lie, reason: str, liar: int, small: Group
) -> None:
    for number in range(20):
        ring, told = lying_table(small, liar, lie, salt=bytes([number]), options={**SOME, "ranks": "5"})
        ring.play()
        if told.step is not None:
            break
    assert told.step is not None
    but = liar if what.startswith("a false") or what in SEEN_BY_OTHERS else -1
    cheated(ring, liar, told.step, reason or "sealed what does not open the card", but)


def test_a_lie_that_the_table_hides_is_named_by_all_at_the_end(small: Group) -> None:
    with mock.patch.object(PrintedGiver, "_confirm", return_value=(b"", None)):
        for number in range(20):
            ring, told = lying_table(small, 1, at(Choose, asked, 0), salt=bytes([number]), options=SHORT)
            ring.play()
            if told.step is not None and isinstance(ring.sessions[1].history.progress.task, Reveal):
                break
    assert told.step is not None
    for seat in (1, 2):
        fault = ring.sessions[seat].fault
        assert fault is not None
        assert (fault.seat, fault.step) == (1, told.step)
        report = ring.verdict(seat)
        assert (report.verdict, report.seat, report.step) == ("cheated", 1, told.step)
        assert "holds" in report.reason


def test_a_complaint_outlives_a_crash(small: Group) -> None:
    """Stored and not sent: after the restart the same fault is told, and its record convicts."""
    ring, told = lying_table(small, 0, garbled(lambda data: bytes(34)))

    def crash(seat: int, persist: Persist) -> bool:
        return seat == 1 and any(entry.step == told.step + 1 for entry in persist.entries if told.step)

    ring.crash = crash
    ring.play()
    assert 1 in ring.crashed
    ring.crash = lambda _seat, _persist: False
    ring.told[1].clear()
    ring.restart(1)
    ring.pump()
    fault = ring.sessions[1].fault
    assert fault is not None
    assert (fault.seat, fault.step) == (0, told.step)
    assert ring.verdict(1).seat == 0
    ring.tick(30.0)
    cheated(ring, 0, told.step, "sealed what does not open the card")


def test_an_unfinished_game_is_sound_as_far_as_it_goes(small: Group) -> None:
    ring = table(small, 3, options=SOME)
    ring.start()
    for _ in ring.steps():
        report = ring.verdict(1)
        assert report.verdict == "sound", report.reason
        if ring.sessions[1].history.step > 14:
            break
    assert not ring.verdict(1).finished


# --- the charter ----------------------------------------------------------------------------------------


def test_printed_cards_need_a_reveal_and_a_seat(small: Group) -> None:
    charter = table(small, 3, options=SOME).charter
    assert isinstance(charter, PrintedCharter)
    assert decode_charter(encode(charter)) == charter
    assert (charter.dealing, charter.scanner) == ("printed", 0)
    for change in ({"reveal": "never"}, {"scanner": 3}, {"scanner": -1}, {"dealing": "sealed"}):
        false = msgspec.structs.replace(charter, **change)
        with pytest.raises(Malformed):
            decode_charter(encode(false))
        assert false.table_id != charter.table_id
    with pytest.raises(SetupError, match="revealed at the end"):
        HostSetup("go-fish", {}, 2, "never", bytes(32), "Ann", (), bytes(32), 0)


# --- secrets --------------------------------------------------------------------------------------------


class PrintedWatch(Watch):
    """What the session of a seat that does not scan must not reach of the cards of others."""

    def look(self) -> int:
        scanner = self.ring.charter.scanner
        progress = self.ring.sessions[scanner].history.progress
        seed, group = self.ring.secrets(scanner).seed, self.ring.group
        batches = [each for each in progress.dealing.ledger if isinstance(each, Batch)]
        scans = [card.scan for each in batches for card in each.after if card.scan is not None]
        scans += list(progress.dealing.begun.values())
        own = {scan.origin for scan in scans if scan.to == self.seat}  # what it gave away, too
        foreign = {secrets_of(group, seed, scan.origin)[1] for scan in scans if scan.origin not in own}
        self.strings += sorted(foreign - set(self.strings))
        self.numbers |= {secrets_of(group, seed, scan.sealing)[0] for scan in scans if scan.to != self.seat}
        return super().look()


@pytest.mark.parametrize(("name", "options"), [("go-fish", {"ranks": "5"}), ("casino", {}), ("one-fish", {})])
def test_no_session_but_the_machines_reaches_a_foreign_face(
    name: str, options: dict[str, str], small: Group, shown: set[Any]
) -> None:
    """Every step until the seats open their secrets themselves."""
    ring = table(small, 3, name=name, options=options)
    watches = {seat: PrintedWatch(ring, seat, shown) for seat in (1, 2)}
    steps = dict.fromkeys(watches, -1)
    ring.start()
    looks = 0
    for _ in ring.steps():
        for seat, watch in watches.items():
            session = ring.sessions[seat]
            if session.history.step - steps[seat] < 3 or any(map(is_revealing, ring.sessions)):
                continue
            steps[seat] = session.history.step
            assert watch.look() > 100
            looks += 1
        if looks > 30:
            break
    assert looks > 15


def test_the_watch_sees_a_leak(small: Group, shown: set[Any]) -> None:
    ring = table(small, 3, options=SHORT)
    ring.play_until(lambda: ring.sessions[1].history.step >= 12)
    progress = ring.sessions[0].history.progress
    scan = next(card.scan for card in progress.dealing.cards.values() if card.scan and card.scan.to == 2)
    r, secret = secrets_of(small, ring.secrets(0).seed, scan.origin)
    PrintedWatch(ring, 1, shown).look()
    hand = progress.dealing.own_hand(progress.position, 2, ring.secrets(2))
    for leak in (r, secret, {s: f for s, f in hand.items() if s not in progress.position.table.known}):
        ring.sessions[1].leak = [leak]
        with pytest.raises(AssertionError):
            PrintedWatch(ring, 1, shown).look()


def test_no_face_travels_in_the_clear_before_it_is_shown(small: Group) -> None:
    """Sizes of what is sealed do not depend on the cards."""
    sizes = set()
    for number in range(6):
        ring = waiting(small, salt=bytes([number]), seed=number)
        ring.run(0, ring.sessions[0].scan(ring.now, first_cards(ring)))
        ring.pump()
        step = next(
            step for step, entries in enumerate(ring.sessions[1].history.steps) if len(entries[0].body) > 600
        )
        sizes.add(tuple(len(entry.body) for entry in ring.sessions[1].history.steps[step]))
        frames = [decode_message(data) for _, _, data in ring.sent]
        assert sum(isinstance(frame, EntryFrame) for frame in frames) > 3
    assert len(sizes) == 1
    assert isinstance(ring.pack, Pack)
    assert any(isinstance(what, Happened) for what in ring.told[1])
