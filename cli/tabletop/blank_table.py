"""A table with blanks, as a whole: taps and the game in, sentences and decisions out. Pure; the clock is an
argument.

Whoever runs it hands in every event of the pads, and the hands of all seats at the table as of one and the
same step of the game. Nothing that is said to everybody names a face: a blank is called by its number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from engine.contract import Action, Event
from hardware.events import Event as PadEvent
from hardware.events import Place, Placed, Tapped
from hardware.pads import POOL, Pads, Role, RoleKind
from hardware.uids import Uid

from ..program import call_here
from ..translation import gettext as _
from .base import EVERYBODY
from .blank_binding import OPEN, Binding, Blanks, Bond, Bound, Freed, Passed
from .blank_moves import GIVE, Ways, meant
from .blank_words import NamedBlanks, role_of
from .physical import PATIENCE, Few, Missing, Physical, Recovery, Surplus, Told
from .physical_words import news_to_put_right, put_right, right_again

__all__ = ["GROWTH", "BlankTable", "Decided", "Output", "Save", "Spoken"]

GROWTH: Final = 4.0
"""Seconds that moved blanks lie untouched before they count where further ones could be added, such as a
second pair: time to lay two more cards."""

_DONE_WITH = frozenset({"late", "invalid"})
"""Events after which a card that was played, and is still in the hand, has to go back there."""
_FISH_OVER = frozenset({"claim", "eaten", "stale claim"})


@dataclass(frozen=True, slots=True)
class Spoken:
    """Sentences for the player of ``seat`` alone, or (-1) for everybody."""

    lines: tuple[str, ...]
    seat: int = EVERYBODY


@dataclass(frozen=True, slots=True)
class Decided:
    """A player has decided by moving blanks."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class Save:
    """What has to be on the disk before anything that follows is said or done."""

    binding: Binding


Output: TypeAlias = Spoken | Decided | Save


@dataclass(frozen=True, slots=True)
class _Question:
    """What a seat is asked. In a race there is no end to it."""

    actions: tuple[Action, ...]
    in_race: bool


@dataclass(frozen=True, slots=True)
class _Moved:
    """The blanks that a seat has moved in answer to its question, and when they count, if they do by time."""

    uids: tuple[Uid, ...]
    counts_at: float | None = None


class BlankTable:
    """See the module's text. Mutable; every call returns what is to be done, in order."""

    def __init__(
        self,
        pads: Pads,
        numbers: Mapping[Uid, str],
        names: Mapping[int, str],
        card_name: Callable[[str], str],
        saved: Binding | None = None,
        taps: Collection[Place] = (),
        patience: float = PATIENCE,
        *,
        has_open: bool = False,
        shows_faces: bool = False,
    ) -> None:
        """``numbers`` is what is printed on each blank, ``names`` the seats at this table. ``card_name`` is
        how a card's text is shown to its owner. ``taps`` are places that hold no more than one tag.
        ``has_open``: cards that lie open in the middle have blanks too, on the pad for the pool.
        ``shows_faces``: one player alone reads what is said to everybody.
        """
        self.physical: Final = Physical(pads, taps)
        seats = {seat: role_of(pads, name) for seat, name in names.items()}
        if has_open:
            seats[OPEN] = POOL
        self.blanks: Final = Blanks(numbers, seats, saved)
        self._all = dict(numbers)
        self._card_name = card_name
        self._names = NamedBlanks(self._all, self._face if shows_faces else None)
        kept = self.blanks.binding.bonds
        self._recovery = Recovery(self.physical, patience, {bond.uid: seats[bond.seat] for bond in kept})
        self._ways = Ways()
        self._questions: dict[int, _Question] = {}
        self._played: dict[Uid, str] = dict(saved.played) if saved else {}
        self._tapped: set[Uid] = set()
        self._moved: dict[int, _Moved] = {}
        self._before: set[Uid] = set()
        self._shows_faces = shows_faces
        self._complained = False
        self._saved = self._binding
        for bond in kept:
            self.physical.put(bond.uid, seats[bond.seat])

    # --- what happens ---------------------------------------------------------------------------------------

    def tag(self, now: float, event: PadEvent) -> list[Output]:
        """Something happened on a pad."""
        self.physical.take(event)
        if isinstance(event, Placed | Tapped):
            role = self.physical.where(event.uid)
            if role is not None and role.kind in _TAPPED:
                self._tapped.add(event.uid)
            else:
                self._tapped.discard(event.uid)
            if role in self.blanks.seats.values():
                self._before.discard(event.uid)
        return self._look(now)

    def game(self, now: float, hands: Mapping[int, Sequence[str]], events: Iterable[Event]) -> list[Output]:
        """The game has gone on: all hands at this table as they are now, and what was said in public since
        the last call."""
        events = tuple(events)
        for giver, taker in self._ways.hear(events):
            self.blanks.passing(giver, taker)
        self._undone(events)
        for seat, cards in hands.items():
            self.blanks.hand(seat, cards)
        return self._look(now, is_news=True)

    def asked(self, now: float, seat: int, actions: Sequence[Action], in_race: bool = False) -> list[Output]:
        """A seat is asked to decide, or (no ``actions``) is not any more."""
        before = self._questions.get(seat)
        if actions:
            self._questions[seat] = _Question(tuple(actions), in_race)
        else:
            self._questions.pop(seat, None)
        if not (in_race and before is not None and before.in_race):
            own = {bond.uid for bond in self.blanks.binding.of(seat)}
            self._unplay(own)
            # What was moved before the question is no answer to it.
            self._before = (self._before - own) | {uid for uid in own if self._is_out(uid, GIVE)}
        return self._look(now)

    def decided(self, seat: int) -> None:
        """The game has taken a decision of a seat, however it was made."""
        question = self._questions.get(seat)
        if question is not None and not question.in_race:
            del self._questions[seat]
        self._moved.pop(seat, None)
        self._tapped.clear()
        self.blanks.decided()

    def refused(self, seat: int, cards: Collection[str]) -> None:
        """The game has refused a decision, or dropped a play, with these cards: moved blanks go back."""
        own = {bond.uid for bond in self.blanks.binding.of(seat) if bond.card in cards}
        self._unplay(own)
        self._before |= {uid for uid in own if self._is_out(uid, GIVE)}

    def confirm(self, now: float, seat: int) -> list[Output]:
        """A player is done with moving: what lies there counts now."""
        moved = self._moved.get(seat)
        if moved is None or moved.counts_at is None:
            return []
        self._moved[seat] = replace(moved, counts_at=now)
        return self._look(now)

    def tick(self, now: float) -> list[Output]:
        """Time has passed."""
        return self._look(now)

    @property
    def wake(self) -> float | None:
        """When `tick` wants to be called."""
        growing = [moved.counts_at for moved in self._moved.values()]
        return min((time for time in (self._recovery.wake, *growing) if time is not None), default=None)

    @property
    def attention(self) -> frozenset[Role]:
        """The pads at which something has to be done, as far as it has been told."""
        return frozenset(difference.role for difference in self._recovery.told)

    # --- what may be asked ----------------------------------------------------------------------------------

    def may_decide(self, seat: int) -> bool:
        """Whether the table is right, so that a seat may decide. A race waits for nobody."""
        question = self._questions.get(seat)
        return self._recovery.is_right or (question is not None and question.in_race)

    def what_to_do(self) -> tuple[str, ...]:
        """How to put the table right, for whoever asks; empty where it is."""
        lines = put_right(self._recovery.differences, self._names)
        return (*lines, *self._lack())

    def still_to_do(self) -> tuple[str, ...]:
        """The same of what has been told: a card on its way from one pad to another is not in it."""
        told = put_right(self._recovery.told, self._names)
        return (*told, *self._lack()) if told else ()

    def card(self, uid: Uid) -> tuple[int, str] | None:
        """The seat and the card that a blank stands for: as good as the card itself where one is tapped."""
        bond = self.blanks.card(uid)
        return None if bond is None else (bond.seat, bond.card)

    def hand_lines(self, seat: int) -> tuple[str, ...]:
        """A player's own blanks, ``17: 9♠``, in the order of their numbers. For that player alone."""
        own = sorted(self.blanks.own(seat), key=lambda each: (len(each[0]), each[0]))
        return tuple(f"{number}: {self._card_name(card)}" for number, card in own)

    def lost(self, now: float, number: str) -> list[Output] | None:
        """The blank with this number is lost or broken; ``None`` where there is none."""
        uid = next((uid for uid, name in self.blanks.numbers.items() if name == number), None)
        if uid is None:
            return None
        self.blanks.lose(uid)
        return self._look(now, is_news=True)

    # --- looking --------------------------------------------------------------------------------------------

    def _look(self, now: float, is_news: bool = False) -> list[Output]:
        done = self.blanks.settle(self.physical)
        for each in done:
            self._played.pop(each.bond.uid, None)
        outputs: list[Output] = self._told_to_owners(done)
        decisions, excused = self._decisions(now)
        expected = replace(self.blanks.expected(self.physical), loose=frozenset(excused))
        told = self._recovery.look(now, expected, is_news)
        if told is not None:
            outputs += self._tell(told, is_named=bool(outputs))
        return [*self._saving(), *outputs, *self._taken(decisions)]

    def _told_to_owners(self, done: Iterable[Bound | Passed | Freed]) -> list[Output]:
        by_seat: dict[int, list[str]] = {}
        for each in done:
            if not isinstance(each, Freed):
                text = _("Blank {number} is {card}.").format(
                    number=self._all[each.bond.uid], card=self._card_name(each.bond.card)
                )
                by_seat.setdefault(each.bond.seat, []).append(text)
        return [Spoken(tuple(lines), max(seat, EVERYBODY)) for seat, lines in by_seat.items()]

    def _tell(self, told: Told, *, is_named: bool) -> list[Output]:
        """``is_named``: some players have just been told which blank is which card."""
        if told.differences:
            self._complained = self._complained or not self._is_plain(told)
            return [Spoken((*news_to_put_right(told, self._names), *self._lack()))]
        complained, self._complained = self._complained, False
        if complained:
            return [Spoken((right_again(),))]
        # Where a player alone has been told that, it says as much; on a shared screen nobody sees it.
        is_said = is_named and self._shows_faces
        return [] if is_said else [Spoken((_("All blanks lie where they should."),))]

    @staticmethod
    def _is_plain(told: Told) -> bool:
        """Whether the game asks for no more than it always does: new blanks, and a card to be passed on."""
        return all(
            isinstance(each, Few | Surplus) or (isinstance(each, Missing) and not each.was_there)
            for each in told.differences
        )

    def _face(self, uid: Uid) -> str:
        bond = self.blanks.card(uid)
        return "" if bond is None else self._card_name(bond.card)

    def _lack(self) -> tuple[str, ...]:
        """What to do where more blanks are wanted than there are."""
        wanted = sum(self.blanks.expected(self.physical).wanted.values())
        if wanted <= self.blanks.free:
            return ()
        return (
            _("There are too few free blanks. More of them: {command}").format(
                command=call_here("tags enroll")
            ),
        )

    # --- deciding by moving blanks --------------------------------------------------------------------------

    def _decisions(self, now: float) -> tuple[list[Decided], set[Uid]]:
        """What moved blanks amount to, and the blanks whose absence from the pad that explains: on their way
        out of a hand by their player's decision they are right where they lie."""
        staying = self.blanks.expected(self.physical).places
        gone = [
            bond
            for bond in self.blanks.binding.bonds
            if staying.get(bond.uid) != self.blanks.seats[bond.seat]
        ]
        self._unplay(bond.uid for bond in gone)
        excused = {uid for uid, verb in self._played.items() if self._is_out(uid, verb)}
        # A blank that its player holds to another pad in order to name its card is on its way back.
        excused |= {
            uid
            for uid in self._tapped
            if (bond := self.blanks.card(uid)) and (bond.seat in self._questions or bond.seat == OPEN)
        }
        decisions: list[Decided] = []
        for seat, question in self._questions.items():
            bonds = [bond for bond in self._moved_out(seat, question) if bond.uid not in self._played]
            if question.in_race:
                for bond in bonds:
                    move = meant(question.actions, [bond.card])
                    if move.action is not None:
                        decisions.append(Decided(seat, move.action))
                        excused.add(bond.uid)
                        self._played[bond.uid] = move.action.verb
                continue
            move = meant(question.actions, [bond.card for bond in bonds])
            if not bonds or not move.fits:
                self._moved.pop(seat, None)
                continue
            excused |= {bond.uid for bond in bonds}
            uids = tuple(bond.uid for bond in bonds)
            before = self._moved.get(seat)
            if before is None or before.uids != uids:
                grows = move.action is not None and move.may_grow
                self._moved[seat] = before = _Moved(uids, now + GROWTH if grows else None)
            if move.action is not None and (before.counts_at is None or now >= before.counts_at):
                decisions.append(Decided(seat, move.action))
        return decisions, excused

    def _taken(self, decisions: Iterable[Decided]) -> list[Output]:
        """The decisions that count: in a race at once, otherwise once all else is right."""
        outputs: list[Output] = []
        for decision in decisions:
            if self.may_decide(decision.seat):
                question = self._questions[decision.seat]
                if not question.in_race:
                    self._played |= dict.fromkeys(self._moved[decision.seat].uids, decision.action.verb)
                outputs.append(decision)
                self.decided(decision.seat)
        return [*self._saving(), *outputs]

    def _moved_out(self, seat: int, question: _Question) -> list[Bond]:
        """The blanks of a hand that its player has laid on another pad since it was asked, as far as their
        cards are in it."""
        own = self.blanks.seats[seat]
        staying = self.blanks.expected(self.physical).places
        verb = GIVE if any(action.verb == GIVE for action in question.actions) else ""
        return [
            bond
            for bond in self.blanks.binding.of(seat)
            if staying.get(bond.uid) == own and bond.uid not in self._before and self._is_out(bond.uid, verb)
        ]

    def _is_out(self, uid: Uid, verb: str) -> bool:
        """Whether a blank lies where cards of a decision go: in the middle, or, if given, with a player."""
        where = self.physical.where(uid)
        bond = self.blanks.binding.bond(uid)
        if where is None or bond is None or where == self.blanks.seats[bond.seat]:
            return False
        return where.kind in _MIDDLE or (verb == GIVE and where.kind is RoleKind.SEAT)

    def _undone(self, events: Sequence[Event]) -> None:
        """A card that was played and came to nothing belongs to its hand again."""
        for event in events:
            if event.verb in _FISH_OVER:
                self._played.clear()
                self._questions = {seat: each for seat, each in self._questions.items() if not each.in_race}
            elif event.verb in _DONE_WITH:
                bonds = self.blanks.binding.of(event.seat)
                self._unplay(bond.uid for bond in bonds if bond.card in event.words)

    def _unplay(self, uids: Iterable[Uid]) -> None:
        for uid in uids:
            self._played.pop(uid, None)

    @property
    def _binding(self) -> Binding:
        return replace(self.blanks.binding, played=tuple(self._played.items()))

    def _saving(self) -> list[Output]:
        if self._saved == self._binding:
            return []
        self._saved = self._binding
        return [Save(self._saved)]


_MIDDLE = frozenset({RoleKind.POND, RoleKind.DISCARD, RoleKind.POOL})
"""Pads to which cards of a hand go."""
_TAPPED = frozenset({RoleKind.ASK, RoleKind.HUB})
"""Pads on which blanks are only tapped."""
