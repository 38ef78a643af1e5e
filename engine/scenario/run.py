"""Running scenarios: actions and forced steps, then what must be true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ..cards import Face
from ..contract import Action, BadAction, BadSetup, Event, IllegalAction, Outcome, SeatFact
from ..match import GIVE, LAY
from ..message import Message, message_of
from ..table import STOCK, Choose, Complete, Deed, Disclose, Result, Tick, hand_of
from ..text import event_text
from .file import Expect, Play, Scenario, read_scenarios
from .setup import cards, set_up

MOST_REPEATS = 100_000
"""Repetitions of ``until = "over"`` after which a game is said not to end: no game has as many asks."""


NOTHING = Message("nothing")


class Problem(msgspec.Struct, frozen=True):
    """Something that is not as expected, and the line that expects it."""

    line: int
    text: str


class ScenarioReport(msgspec.Struct, frozen=True):
    """How a scenario went: it passed where there are no problems."""

    id: str
    line: int
    problems: tuple[Problem, ...]

    @property
    def passed(self) -> bool:
        """Whether all was as expected."""
        return not self.problems


def run_file(text: str, name: str) -> tuple[ScenarioReport, ...]:
    """Runs all scenarios of a file. Raises ``DataError`` where the file itself is not sound."""
    return tuple(run_scenario(scenario) for scenario in read_scenarios(text, name))


def run_scenario(scenario: Scenario) -> ScenarioReport:
    """Runs one scenario, up to the first step that is not as expected."""
    return ScenarioReport(scenario.id, scenario.line(), tuple(_problems(scenario)))


def _problems(scenario: Scenario) -> list[Problem]:
    try:
        run = _Run(scenario)
    except ValueError as error:
        if scenario.invalid is None or scenario.invalid not in str(error):
            key = (error.key if isinstance(error, BadSetup) else "") or "invalid"
            return [
                Problem(
                    scenario.line(key), Message("The set-up is refused: {problem}", problem=message_of(error))
                )
            ]
        return []
    if scenario.invalid is not None:
        return [Problem(scenario.line("invalid"), Message("The set-up should be refused."))]
    found = _compared(run, scenario.expect, scenario.line("expect"))
    upcoming = [action for play in scenario.play for action in play.actions]
    for number, play in enumerate(scenario.play):
        if found:
            break
        del upcoming[: len(play.actions)]
        try:
            run.play(play, upcoming[0] if upcoming else None)
        except ValueError as error:
            return [Problem(scenario.line("play", number, "do"), message_of(error))]
        found = _compared(run, play.expect, scenario.line("play", number, "expect"))
    return found


def _compared(run: _Run, expect: Expect, line: int) -> list[Problem]:
    try:
        return [Problem(line, text) for text in run.compare(expect)]
    except ValueError as error:  # what is expected names no card, or no number, of the deck
        return [Problem(line, message_of(error))]


class _Run:
    """A scenario under way."""

    def __init__(self, scenario: Scenario) -> None:
        self._labels = scenario.seats
        self.position, self.dealing, events = set_up(scenario)
        self.events: list[Event] = list(events)
        self.rejected: str | None = None
        self._wishes: dict[int, Action] = {}
        self._go_on(next((play.actions[0] for play in scenario.play if play.actions), None))

    # --- doing ---

    def play(self, play: Play, following: str | None) -> None:
        """``following`` is what is done after it.

        Raises ``ValueError`` with a sentence for an action that is refused and was not expected to be.
        """
        self.events = []
        self.rejected = None
        may_fail = bool(play.expect.rejected)
        for _ in self._rounds(play):
            left = list(play.actions)
            while left:
                count = self._together(left)
                now, left = left[:count], left[count:]
                self._do(now, left[0] if left else following, may_fail)

    def _together(self, actions: list[str]) -> int:
        """How many of the actions belong to the operation that is pending: one for each seat it asks."""
        op = self.position.pending
        if not isinstance(op, Choose | Tick):
            return 1
        seats: list[int] = []
        for text in actions:
            seat = self._seat(text)
            if seat is None or seat not in op.seats or seat in seats:
                break
            seats.append(seat)
        return max(1, len(seats))

    def _seat(self, text: str) -> int | None:
        label, colon, _ = text.partition(":")
        return self._labels.index(label.strip()) if colon and label.strip() in self._labels else None

    def _rounds(self, play: Play) -> Iterator[int]:
        if play.until is None:
            yield from range(play.repeat if play.actions else 0)
            return
        for count in range(MOST_REPEATS):
            if isinstance(self.position.pending, Outcome):
                return
            yield count
        raise ValueError(Message("The game does not end."))

    def _do(self, texts: list[str], following: str | None, may_fail: bool) -> None:
        if self.rejected is not None:
            raise ValueError(Message("Something is done after an action that was to be rejected."))
        if texts[0].split()[:1] == ["tick"]:
            return self._wait(texts[0], following)
        decided: dict[int, Deed] = {}
        for text in texts:
            seat = self._seat(text)
            if seat is None:
                raise ValueError(
                    Message('"{text}" does not begin with the name of a seat and a colon.', text=text)
                )
            try:
                action = self.position.parse(text.partition(":")[2].strip(), self._labels)
                if self._is_wish_for_later(action):
                    self._wishes[seat] = action
                    return None
                hand = self.dealing.hand(self.position.table, seat)
                decided[seat] = self.position.deed(seat, hand, action)
            except (IllegalAction, BadAction) as error:
                if not may_fail:
                    raise ValueError(
                        Message('"{text}" is refused: {error}', text=text, error=message_of(error))
                    ) from None
                self.rejected = error.reason.id if isinstance(error, IllegalAction) else str(error)
                return None
        if isinstance(self.position.pending, Choose | Tick):
            self._decide(decided)
        else:
            self._feed(self.dealing.resolve(self.position, lambda *_: action))
        return self._go_on(following)

    def _wait(self, text: str, following: str | None) -> None:
        """``tick N``: so many ticks in which nobody does anything."""
        _, _, count = text.partition(" ")
        if not (count.isascii() and count.isdecimal()):
            raise ValueError(Message('"{text}" does not say how many ticks pass.', text=text))
        for _ in range(int(count)):
            if not isinstance(self.position.pending, Tick):
                raise ValueError(Message("No tick passes here."))
            self._decide({})
            self._go_on(following)

    def _decide(self, decided: Mapping[int, Deed]) -> None:
        """Those who are asked and do nothing do what a silent player does; inside a tick they come last."""
        op = self.position.pending
        assert isinstance(op, Choose | Tick)
        deeds = list(decided.items())
        for seat in op.seats:
            if seat not in decided:
                view = self.dealing.view(self.position, seat)
                deeds.append((seat, self.position.rules.deed(view, self._usual(seat))))
        if isinstance(op, Choose):
            deeds.sort(key=lambda each: op.seats.index(each[0]))
        self._feed(self.dealing.decided(self.position, deeds, in_order=True))

    def _usual(self, seat: int) -> Action:
        legal = self.position.rules.legal(self.dealing.view(self.position, seat))
        wish = self._wishes.pop(seat, None) if self._is_wishing() else None
        return wish if wish in legal and wish is not None else legal[0]

    def _is_wishing(self) -> bool:
        op = self.position.pending
        return isinstance(op, Choose) and op.wish

    def _is_wish_for_later(self, action: Action) -> bool:
        return action.verb in self.position.rules.info.wishes and not self._is_wishing()

    def _go_on(self, following: str | None) -> None:
        """All that no seat decides. Of several cards to show the lowest, unless the next action says."""
        while not isinstance(op := self.position.pending, Outcome | Tick):
            if isinstance(op, Choose):
                if not op.wish or self._is_wish(following):
                    return
                self._decide({})
                continue
            if isinstance(op, Disclose | Complete) and self._is_decided_by(following, op.seat):
                hand = self.dealing.hand(self.position.table, op.seat)
                if len(self.position.choices(op.seat, hand)) > 1:
                    return
            self._feed(self.dealing.resolve(self.position, lambda _, __, actions: actions[0]))

    def _is_wish(self, following: str | None) -> bool:
        _, _, action = (following or "").partition(":")
        return action.strip().lower() in self.position.rules.info.wishes

    def _is_decided_by(self, following: str | None, seat: int) -> bool:
        label, _, action = (following or "").partition(":")
        verb = action.split()[:1]
        return label.strip() == self._labels[seat] and verb in ([GIVE], [LAY])

    def _feed(self, result: Result) -> None:
        self.position, events = self.position.feed(result)
        self.events += events

    # --- comparing ---

    def compare(self, expect: Expect) -> Iterator[str]:
        """A sentence for everything that is not as expected."""
        yield from self._compare_cards(expect)
        yield from self._compare_knowledge(expect)
        yield from self._compare_events(expect)
        yield from self._compare_report(expect)
        yield from self._compare_end(expect)

    def _compare_cards(self, expect: Expect) -> Iterator[str]:
        deck, table = self.position.deck, self.position.table
        for label, text in expect.hands.items():
            hand = self.dealing.faces(table, hand_of(self._labels.index(label)))
            faces, any_cards = cards(deck, text)
            if Counter(faces) - Counter(hand) or len(hand) != len(faces) + any_cards:
                held = " ".join(deck.text(face) for face in deck.sorted(hand))
                yield Message(
                    "{seat} holds {cards}, not {wanted}.",
                    seat=label,
                    cards=held or NOTHING,
                    wanted=text or NOTHING,
                )
        for label, size in expect.hand_sizes.items():
            held_size = table.size(hand_of(self._labels.index(label)))
            if held_size != size:
                yield Message("{seat} holds {n} cards, not {wanted}.", seat=label, n=held_size, wanted=size)
        if expect.stock_size is not None and table.size(STOCK) != expect.stock_size:
            yield Message(
                "The stock has {n} cards, not {wanted}.", n=table.size(STOCK), wanted=expect.stock_size
            )

    def _compare_knowledge(self, expect: Expect) -> Iterator[str]:
        for label, text in expect.knows.items():
            for face in self.position.deck.parse_all(text):
                if not self._is_known(label, face):
                    yield Message(
                        "{seat} does not know where {card} is.",
                        seat=label,
                        card=self.position.deck.text(face),
                    )
        for label, text in expect.unknown_to.items():
            own = self.dealing.faces(self.position.table, hand_of(self._labels.index(label)))
            for face in self.position.deck.parse_all(text):
                if self._is_known(label, face) or face in own:
                    yield Message(
                        "{seat} knows where {card} is.", seat=label, card=self.position.deck.text(face)
                    )

    def _is_known(self, label: str, face: Face) -> bool:
        own = hand_of(self._labels.index(label))
        view = self.dealing.view(self.position, self._labels.index(label))
        return any(face in held for zone, held in view.known.items() if zone != own)

    def _compare_events(self, expect: Expect) -> Iterator[str]:
        texts = [event_text(event, self._labels) for event in self.events]
        left = iter(texts)
        for wanted in expect.public:
            if not any(wanted in text for text in left):
                yield Message(
                    '"{wanted}" does not happen there; there was: {events}.',
                    wanted=wanted,
                    events=" · ".join(texts) or NOTHING,
                )
                return

    def _compare_report(self, expect: Expect) -> Iterator[str]:
        report = self.position.rules.report(self.position.state)
        turn = self._labels[report.turn] if report.turn >= 0 else "nobody"
        if expect.turn is not None and turn != expect.turn:
            yield Message("It is the turn of {seat}, not of {wanted}.", seat=turn, wanted=expect.turn)
        for label, wanted in expect.books.items():
            books = report.books[self._labels.index(label)]
            if (
                wanted != len(books)
                if isinstance(wanted, int)
                else sorted(wanted.upper().split()) != sorted(books)
            ):
                yield Message(
                    "{seat} has laid {books}, not {wanted}.",
                    seat=label,
                    books=" ".join(books) or NOTHING,
                    wanted=wanted,
                )
        for label, score in expect.scores.items():
            if report.scores[self._labels.index(label)] != score:
                yield Message(
                    "{seat} has {n} points, not {wanted}.",
                    seat=label,
                    n=report.scores[self._labels.index(label)],
                    wanted=score,
                )

        for key, value in expect.own.items():
            there = report.facts.get(key)
            if not self._agrees(value, there):
                yield Message(
                    "{key} is {found}, not {wanted}.",
                    key=key,
                    found=self._written(there),
                    wanted=self._written(value),
                )

    def _agrees(self, wanted: Any, there: Any) -> bool:
        """Whether a fact is as it is written in the file; a table needs only what it lists."""
        if isinstance(wanted, dict):
            return isinstance(there, Mapping) and all(
                self._agrees(value, there.get(seat)) for seat, value in wanted.items()
            )
        if isinstance(there, SeatFact):
            return bool(wanted == self._labels[there.seat])
        if isinstance(wanted, str) and isinstance(there, str):
            return Counter(wanted.casefold().split()) == Counter(there.casefold().split())
        if isinstance(wanted, list) and isinstance(there, list | tuple):
            return [str(each).casefold() for each in wanted] == [str(each).casefold() for each in there]
        return bool(wanted == there)

    def _written(self, value: Any) -> str:
        if isinstance(value, SeatFact):
            return self._labels[value.seat]
        if isinstance(value, Mapping):
            parts = [f"{self._key(key)}: {self._written(each)}" for key, each in value.items()]
            return "{" + ", ".join(parts) + "}"
        return "nothing" if value in ("", None) else str(value)

    def _key(self, key: Any) -> str:
        return self._labels[key] if isinstance(key, int) else str(key)

    def _compare_end(self, expect: Expect) -> Iterator[str]:
        end = self.position.pending
        outcome = end if isinstance(end, Outcome) else None
        if isinstance(expect.over, bool) and expect.over != bool(outcome):
            yield Message("The game is over.") if outcome else Message("The game is not over.")
        elif isinstance(expect.over, str) and (outcome is None or outcome.reason != expect.over):
            yield (
                Message(
                    "The game is over: {reason}, instead of over: {wanted}.",
                    reason=outcome.reason,
                    wanted=expect.over,
                )
                if outcome
                else Message("The game is not over, instead of over: {wanted}.", wanted=expect.over)
            )
        if expect.winners is not None:
            winners = [self._labels[seat] for seat in outcome.winners] if outcome else []
            if sorted(winners) != sorted(expect.winners):
                yield Message(
                    "The winners are {names}, not {wanted}.",
                    names=" ".join(winners) or Message("nobody"),
                    wanted=" ".join(expect.winners),
                )
        if isinstance(expect.rejected, str) and self.rejected != expect.rejected:
            yield Message(
                "The action is refused for {reason}, not for {wanted}.",
                reason=self.rejected or NOTHING,
                wanted=expect.rejected,
            )
        elif expect.rejected is True and self.rejected is None:
            yield "The action should be refused."
