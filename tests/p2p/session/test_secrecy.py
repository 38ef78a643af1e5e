"""What one seat's session can reach in memory, and what the size of a contribution says."""

from __future__ import annotations

import gc
import types
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engine.match import Position
from engine.table import Coin, Disclose, Slot, hand_of, owner
from p2p.deal import Reveal, Secrets
from p2p.log import Entry, EntryFrame, decode_message
from p2p.sealed import Ciphertext, Group
from p2p.session import Session, YourMove
from tests.p2p.harness import SHORT, TINY, Ring, pick_first
from tests.p2p.session.test_recovery import recovering, until_lost

ATOMS = (str, bytes, int, float, bool, type(None))
OPAQUE = (type, types.ModuleType, types.BuiltinFunctionType)
WHOLE = (Entry, Ciphertext, Slot)
"""Immutable values made of atoms: looked at once and kept, since a game has thousands."""


class Graph:
    """Every object that can be reached from a session: attributes, containers, closures, slots."""

    def __init__(self) -> None:
        self._whole: dict[int, Any] = {}

    def walk(self, root: Any) -> Iterator[Any]:
        seen: dict[int, Any] = {}
        todo = [root]
        while todo:
            value = todo.pop()
            if id(value) in seen or id(value) in self._whole or isinstance(value, OPAQUE):
                continue
            seen[id(value)] = value
            yield value
            if isinstance(value, (ATOMS, WHOLE)):
                self._whole[id(value)] = value  # kept, so that its id is not used again
            if isinstance(value, ATOMS):
                continue
            if isinstance(value, types.FunctionType):
                todo += [cell.cell_contents for cell in value.__closure__ or ()]
                todo += value.__defaults__ or ()
            elif isinstance(value, types.MethodType):
                todo.append(value.__self__)
            else:
                todo += gc.get_referents(value)
                if not gc.is_tracked(value):  # what holds only atoms is not tracked, and still has them
                    todo += untracked(value)


def untracked(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, tuple | list | set | frozenset):
        return list(value)
    if isinstance(value, msgspec.Struct):
        return list(msgspec.structs.astuple(value))
    return [getattr(value, name) for name in getattr(type(value), "__slots__", ()) if hasattr(value, name)]


class Watch:
    """What the session of ``seat`` must not reach."""

    def __init__(self, ring: Ring, seat: int, shown: set[tuple[Slot, Any]]) -> None:
        """``shown`` grows with every slot and face that was public at any time."""
        self.ring, self.seat, self.shown = ring, seat, shown
        self.graph = Graph()
        others = [ring.secrets(other) for other in range(len(ring.sessions)) if other != seat]
        self.numbers = {n for each in others for n in (each.card_key, each.payload_key)}
        self.strings = [part for each in others for part in (each.root, each.seed)]
        for each in others:
            self.strings += [key.to_bytes(32, "little") for key in (each.card_key, each.payload_key)]
        self.salts: list[bytes] = []

    def look(self) -> int:
        """Look at everything reachable; how much it was."""
        session = self.ring.sessions[self.seat]
        forbidden = self.strings + self.hidden_coins(session)
        count = 0
        for value in self.graph.walk(session):
            count += 1
            if isinstance(value, int):
                assert value not in self.numbers
            elif isinstance(value, bytes):
                assert not any(secret in value for secret in forbidden)
            elif isinstance(value, Secrets):
                assert value is session._secrets
            elif isinstance(value, dict):
                self.check_faces(value)
        return count

    def hidden_coins(self, session: Session) -> list[bytes]:
        """The values and salts of the coin, until the first seat opens its own."""
        progress = session.history.progress
        for each in self.ring.sessions:
            ahead = each.history.progress
            if ahead.dealing.coins or (isinstance(ahead.task, Coin) and ahead.number):
                return []
        secrets = [
            self.ring.secrets(seat).seed for seat in range(len(self.ring.sessions)) if seat != self.seat
        ]
        return [part for seed in secrets for part in progress.dealing.coin_secret(seed)]

    def check_faces(self, value: dict[Any, Any]) -> None:
        """A face tied to a slot: only one's own, or one that was shown to all."""
        for slot, face in value.items():
            if isinstance(slot, Slot) and isinstance(face, tuple) and isinstance(face[0], str):
                assert owner(slot.zone) == self.seat or (slot, face) in self.shown


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> set[tuple[Slot, Any]]:
    """Every slot and face that any public position has held."""
    found: set[tuple[Slot, Any]] = set()
    feed = Position.feed

    def noted(self: Position, result: Any) -> Any:
        after = feed(self, result)
        found.update(self.state.table.after(self.pending, result).known.items())
        return after

    monkeypatch.setattr(Position, "feed", noted)
    return found


def test_the_walk_finds_what_is_hidden_in_closures_slots_and_containers() -> None:
    secret = b"secret" * 6

    class Holder:
        __slots__ = ("inner",)

    holder = Holder()
    holder.inner = [{"a": ({1: lambda: secret},)}]
    assert any(value == secret for value in Graph().walk(holder))
    entry = Entry(0, 0, 0, secret, b"")
    assert any(value == secret for value in Graph().walk([entry]))


def is_revealing(session: Session) -> bool:
    """Whether seats open their secrets themselves now."""
    progress = session.history.progress
    return progress.reveal and (progress.task is None or isinstance(progress.task, Reveal))


@pytest.mark.parametrize("reveal", ["never", "end"])
def test_no_session_reaches_a_foreign_face_key_seed_or_salt(
    small: Group, reveal: str, shown: set[tuple[Slot, Any]]
) -> None:
    """Six seats, every step until the seats open their secrets themselves, every session."""
    ring = Ring(
        small, 6, options={"ranks": "5", "hand_size": "3", "end_mode": "all_books"}, reveal=reveal, seed=3
    )
    watches = [Watch(ring, seat, shown) for seat in range(6)]
    steps = [-1] * 6
    ring.start()
    looks = reached = 0
    for _ in ring.steps():
        for seat, session in enumerate(ring.sessions):
            if session.history.step == steps[seat] or any(map(is_revealing, ring.sessions)):
                continue
            steps[seat] = session.history.step
            reached += watches[seat].look()
            looks += 1
    assert looks > 6 * 20
    assert reached > looks * 100


@pytest.mark.parametrize("name", ["go-fish", pytest.param("casino", marks=pytest.mark.slow)])
def test_with_reveal_never_a_leavers_hand_stays_hidden_for_good(
    small: Group, name: str, shown: set[tuple[Slot, Any]]
) -> None:
    """From the departure through the recovery to the end no other session reaches a card, a key or a seed of
    the one that left; and no record holds a secret of anybody."""
    ring = recovering(small, 4, name, reveal="never")
    assert until_lost(ring, 1, 12)
    watches = {seat: Watch(ring, seat, shown) for seat in (0, 2, 3)}
    steps = dict.fromkeys(watches, -1)
    looks = 0

    def deliver(_sender: int, _to: int, data: bytes) -> list[bytes]:
        nonlocal looks
        for seat, watch in watches.items():
            if ring.sessions[seat].history.step != steps[seat]:
                steps[seat] = ring.sessions[seat].history.step
                watch.look()
                looks += 1
        return [data]

    ring.deliver = deliver
    assert ring.run_clock(lambda: all(ring.sessions[seat].is_over for seat in watches), 6000)
    assert looks > 3 * 5
    for seat in watches:
        assert 1 in ring.sessions[seat].history.progress.gone
        report = ring.verdict(seat)
        assert (report.verdict, report.finished, report.revealed) == ("sound", True, ())
        record = ring.sessions[seat].record()
        for secrets in map(ring.secrets, range(4)):
            keys = [key.to_bytes(32, "little") for key in (secrets.card_key, secrets.payload_key)]
            assert not any(each in record for each in (secrets.root, secrets.seed, *keys))


def test_the_watch_sees_a_leak(small: Group, shown: set[tuple[Slot, Any]]) -> None:
    """The test above fails where a session holds what it must not."""
    ring = Ring(small, 3, options=SHORT, seed=2)
    ring.play_until(lambda: ring.sessions[0].history.step >= 12)
    session, other = ring.sessions[0], ring.secrets(1)
    progress = ring.sessions[1].history.progress
    hand = progress.dealing.hand(progress.position, 1, other.card_key)
    hidden = {s: f for s, f in hand.items() if s not in progress.position.table.known}
    assert hidden
    Watch(ring, 0, shown).look()
    for leak in (other.card_key, other.payload_key, other.root, b"x" + other.seed + b"y", other, hidden):
        session.leak = [lambda leak=leak: leak]
        with pytest.raises(AssertionError):
            Watch(ring, 0, shown).look()


def test_neither_repr_nor_errors_tell_secrets(small: Group) -> None:
    ring = Ring(small, 2, options=TINY)
    ring.play()
    secrets = ring.secrets(0)
    session = ring.sessions[0]
    shown = repr(session) + repr(session._secrets) + repr(secrets) + repr(ring.identities[0])
    for secret in (secrets.root.hex(), secrets.seed.hex(), str(secrets.card_key), repr(secrets.root)[2:-1]):
        assert secret not in shown
    with pytest.raises(ValueError, match="32 bytes") as error:
        Secrets(b"short secret", small.order)
    assert "short secret" not in str(error.value)


# --- sizes ----------------------------------------------------------------------------------------------


def sizes(ring: Ring) -> list[tuple[int, int, int]]:
    return [(entry.step, entry.seat, len(entry.body)) for entry in ring.sessions[0].history.entries]


@pytest.mark.parametrize(
    ("seats", "options", "games"),
    [
        (2, TINY, 160),
        (3, TINY, 120),
        (2, {**TINY, "give_amount": "one", "suits": "4"}, 80),
    ],
)
def test_sizes_are_the_same_where_all_that_is_public_is_the_same(
    small: Group, seats: int, options: dict[str, str], games: int
) -> None:
    """Games with equal public events and other hidden cards: every contribution is as long."""
    seen: dict[tuple[Any, ...], list[tuple[int, int, int]]] = {}
    hidden = defaultdict(set)
    for number in range(games):
        ring = Ring(small, seats, options=options, salt=number.to_bytes(2, "big"), choose=pick_first)
        dealt: list[Any] = []

        def note(ring: Ring = ring, dealt: list[Any] = dealt) -> bool:
            progress = ring.sessions[0].history.progress
            if not dealt and progress.dealing.keys and progress.position.table.size(hand_of(0)):
                for seat in range(seats):
                    hand = progress.dealing.hand(progress.position, seat, ring.secrets(seat).card_key)
                    dealt.append(tuple(hand.values()))
            return False

        ring.play_until(note)
        public = tuple(ring.events(0))
        assert seen.setdefault(public, sizes(ring)) == sizes(ring)
        hidden[public].add(tuple(dealt))
    alike = [hands for hands in hidden.values() if len(hands) > 1]
    assert len(alike) > 5


def test_deals_and_shuffles_say_nothing_by_their_size(small: Group) -> None:
    """The usual game up to the first decision, with twelve different orders of the deck."""
    found = defaultdict(set)
    for number in range(12):
        ring = Ring(small, 3, salt=bytes([number]), reveal="never")
        ring.play_until(lambda ring=ring: any(isinstance(w, YourMove) for told in ring.told for w in told))
        history = ring.sessions[0].history
        state = history.progress.position.state
        if not any(state.books):
            found[state.turn].add(tuple(sizes(ring)))
    assert all(len(alike) == 1 for alike in found.values())
    assert len(found) == 3


# --- hidden choices -------------------------------------------------------------------------------------


def test_a_choice_that_may_be_forced_is_answered_after_the_same_time_and_in_the_same_size(
    small: Group,
) -> None:
    options = {"ranks": "4", "hand_size": "4", "give_amount": "one"}
    by_public: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    forced = free = none = 0
    for seed in range(8):
        ring = Ring(small, 2, options=options, seed=seed, answer_delay=3.0, salt=bytes([seed]))
        ring.start()
        ring.pump()
        while not ring.sessions[0].is_over:
            (asked,) = [
                (seat, session)
                for seat, session in enumerate(ring.sessions)
                if session.history.progress.owed == (seat,)
            ]
            seat, session = asked
            progress = session.history.progress
            assert isinstance(progress.task, Disclose)
            hand = progress.dealing.hand(progress.position, seat, ring.secrets(seat).card_key)
            matching = sum(progress.dealing.deck.matches(face, progress.task.match) for face in hand.values())
            before = len(ring.sent)
            told = ring.told[seat][-1]
            assert isinstance(told, YourMove) == (matching > 1)  # no question where there is one answer
            if isinstance(told, YourMove):
                assert told.seconds == 3.0
            if isinstance(told, YourMove) and seed % 2:  # whoever decides early is not heard earlier
                ring.run(seat, session.act(ring.now, told.actions[-1]))
            for passing in (1.0, 1.9):
                ring.now += passing
                ring.run(seat, session.tick(ring.now))
            frames = [decode_message(data) for _, _, data in ring.sent[before:]]
            assert not any(isinstance(frame, EntryFrame) for frame in frames)
            ring.mail.clear()
            ring.now += 0.1
            step = session.history.step
            ring.run(seat, session.tick(ring.now))
            body = next(
                frame.body
                for frame in (decode_message(data) for _, _, data in ring.sent[before:])
                if isinstance(frame, EntryFrame) and (frame.step, frame.seat) == (step, seat)
            )
            if matching:
                kind = "forced" if matching == 1 else "free"
                by_public[len(hand)][kind].add(len(body))
                forced += matching == 1
                free += matching > 1
            else:
                none += 1
            ring.pump()
    assert forced > 5
    assert free > 5
    assert none > 5
    both = [kinds for kinds in by_public.values() if {"forced", "free"} <= kinds.keys()]
    assert len(both) >= 2
    for kinds in both:
        assert len(kinds["forced"] | kinds["free"]) == 1
