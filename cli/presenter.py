"""What there is to show of a game, as plain data that both front ends draw. No terminal, clock or I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from gettext import gettext as _
from gettext import ngettext
from typing import Any, Final, Literal, TypeAlias

from engine.contract import Action, AnyRules, Event, Outcome, View
from engine.table import STOCK, hand_of
from engine.text import action_text
from p2p.session import (
    Contributed,
    Fault,
    Finished,
    GameOver,
    Happened,
    Paused,
    Stage,
    Stale,
    Talk,
    Telling,
    Waiting,
    YourMove,
)

from .text import Glyphs, Speaker, held_text, printable, typed_card

Kind: TypeAlias = Literal["event", "step", "chat", "note", "warning", "turn", "result"]

AWAY_AFTER: Final = 2.0
"""Seconds a link may be gone before it is worth a line: a peer that restarts its program is back sooner."""

PROOF_COLUMN: Final = 40
"""Where proofs stand on a line, so that the eye can skip them; a longer sentence pushes them right."""

LONG: Final = frozenset({"keys", "coin-commit", "shuffle", "close", "reveal"})
"""Rounds that take long enough to say who is working; dealing is one too, the draws of a turn are not."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the game's story. ``proof`` is what was proved along with it, already verified."""

    text: str
    kind: Kind = "event"
    proof: str = ""

    def __str__(self) -> str:
        return f"{self.text:{PROOF_COLUMN}}  {self.proof}" if self.proof else self.text


@dataclass(frozen=True, slots=True)
class HandGroup:
    """Cards of one rank in one's own hand. ``shown`` says how many of them everybody knows of."""

    value: str
    cards: tuple[str, ...]
    shown: int = 0


@dataclass(frozen=True, slots=True)
class SeatBox:
    """One player as everybody sees it. ``known`` are cards everybody knows to be in that hand."""

    seat: int
    name: str
    cards: int
    books: tuple[str, ...]
    score: int
    is_turn: bool
    is_me: bool
    is_away: bool
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The whole table as one seat sees it."""

    seats: tuple[SeatBox, ...]
    pond: int
    hand: tuple[HandGroup, ...]
    is_my_move: bool
    awaited: tuple[int, ...]


class Presenter:
    """Turns what a session tells into lines. Remembers only what a line needs of the past."""

    def __init__(self, rules: AnyRules, names: Sequence[str], me: int, glyphs: Glyphs) -> None:
        self.rules: Final = rules
        self.names: Final = tuple(names)
        self.me: Final = me
        self.say: Final = Speaker(self.names, me, glyphs)
        self.log: list[Line] = []
        self.actions: tuple[Action, ...] = ()
        self.outcome: Outcome | None = None
        self.fault: Fault | None = None
        self._hand: Counter[str] | None = None
        self._stage = ""
        self._away: dict[int, bool] = {}
        self._paused: set[int] = set()
        self._has_acted = False
        self._waiting: tuple[int, ...] = ()

    # --- what is told -----------------------------------------------------------------------------

    def hear(self, telling: Telling, view: View[Any]) -> tuple[Line, ...]:
        """The lines for one telling; ``view`` is what this seat knows now."""
        if self._hand is None:
            self._hand = self._cards(view)
        lines = tuple(self._lines(telling, view))
        self.log += lines
        return lines

    def notice(self, missing: Mapping[int, float]) -> tuple[Line, ...]:
        """Lines for links that broke or came back; ``missing`` gives seconds by seat."""
        lines: list[Line] = []
        for seat in range(len(self.names)):
            seconds = missing.get(seat)
            told = self._away.get(seat, False)
            if seconds is not None and seat in self._paused:
                self._paused.discard(seat)  # that the game waits for this player has been told
                self._away[seat] = True
            elif seconds is None and told:
                self._away[seat] = False
                lines.append(Line(self.say.back(seat), "note"))
            elif seconds is not None and seconds >= AWAY_AFTER and not told:
                self._away[seat] = True
                lines.append(Line(self.say.away(seat, seconds, bool(self.actions)), "warning"))
        self.log += lines
        return tuple(lines)

    def _lines(self, telling: Telling, view: View[Any]) -> list[Line]:
        match telling:
            case Happened(events):
                return self._happened(events, view)
            case Stage():
                return self._step(telling, view)
            case Contributed(seat, kind):
                self._paused.discard(seat)
                if kind != "shuffle" or seat == self.me:
                    return []
                mark = self.say.glyphs.check
                text = _("{mark} {who}'s shuffle is proved.").format(mark=mark, who=self.names[seat])
                return [Line(text, "step")]
            case YourMove(_, actions, seconds):
                return self._my_move(actions, seconds, view)
            case Waiting(seats):
                return self._wait(seats)
            case Talk(seat, text):
                return [Line(f"{self.names[seat]}: {printable(text)}", "chat")]
            case Paused(seat) if self._away.get(seat):
                return []
            case Paused(seat):
                self._paused.add(seat)
                return [Line(self.say.paused(seat), "warning")]
            case GameOver(outcome, closed):
                return self._over(outcome, closed, view)
            case Fault():
                self.fault, self.actions = telling, ()
                return [Line(self.say.cheated(telling.seat, telling.step, telling.reason), "warning")]
            case Stale():
                return [Line(_stale(), "warning")]
            case Finished():
                self.actions = ()
        return []

    def _happened(self, events: Sequence[Event], view: View[Any]) -> list[Line]:
        before, self._hand = self._hand or Counter(), self._cards(view)
        self.actions = ()
        gained = list((self._hand - before).elements())
        lines = []
        for event in events:
            mine = event.seat == self.me and event.verb in ("draw", "refill")
            lines.append(Line(self.say.event(event, gained if mine else ()), "event", self.say.proof(event)))
        if events:
            self._waiting = ()
        return lines

    def _step(self, stage: Stage, view: View[Any]) -> list[Line]:
        is_deal = stage.kind == "shares" and not any(
            view.state.table.size(hand_of(seat)) for seat in range(len(self.names))
        )
        if stage.kind not in LONG and not is_deal:
            return []
        text = self.say.stage(stage.kind, stage.owed, stage.done, stage.of)
        if not text or text == self._stage:
            return []
        self._stage = text
        return [Line(f"{text} …" if not self.say.glyphs.ascii_only else f"{text} ...", "step")]

    def _my_move(self, actions: tuple[Action, ...], seconds: float | None, view: View[Any]) -> list[Line]:
        self.actions = actions
        self._has_acted = False
        if seconds is None:
            away = [seat for seat, is_away in self._away.items() if is_away or seat in self._paused]
            missed = [Line(self.say.missed(away), "warning")] if away else []
            return [Line(_("Your turn."), "turn"), Line(self.hand_line(view), "note"), *missed]
        # Whether there is a choice must not show in how long the answer takes, so there is a time for it
        # in any case.
        text = _("Choose which cards to give; after {n:.0f} seconds the lowest ones go.").format(n=seconds)
        return [Line(text, "turn"), *(Line(f"  {line}", "note") for line in self.hints())]

    def acted(self) -> None:
        """This seat's player has decided; from now on it matters who is waited for, out of reach or not."""
        self.actions, self._waiting, self._has_acted = (), (), True

    def own_words(self, text: str) -> Line:
        """What this player said to everyone."""
        line = Line(_("You: {text}").format(text=printable(text)), "chat")
        self.log.append(line)
        return line

    def _wait(self, seats: Sequence[int]) -> list[Line]:
        away = [seat for seat in seats if self._away.get(seat) or seat in self._paused]
        others = tuple(seat for seat in seats if seat != self.me and (self._has_acted or seat not in away))
        if not others or others == self._waiting:
            return []
        self._waiting = others
        return [Line(self.say.waiting(others, [seat for seat in others if seat in away]), "note")]

    def _over(self, outcome: Outcome, closed: bool, view: View[Any]) -> list[Line]:
        self.outcome, self.actions = outcome, ()
        if closed:
            return [Line(_("Everyone has signed the result."), "note")]
        return [
            Line(self.say.winners(outcome), "result"),
            *(Line(f"  {line}", "result") for line in self.score_lines(outcome, self.board(view))),
        ]

    # --- what is asked for ------------------------------------------------------------------------

    def board(
        self, view: View[Any], awaited: Sequence[int] = (), missing: Mapping[int, float] | None = None
    ) -> Board:
        """The table as data."""
        report = self.rules.report(view.state)
        table = view.state.table
        known = view.known
        seats = tuple(
            SeatBox(
                seat,
                self.names[seat],
                table.size(hand_of(seat)),
                report.books[seat],
                report.scores[seat],
                seat == report.turn,
                seat == self.me,
                seat in (missing or {}),
                tuple(self.say.glyphs.face(view.deck, face) for face in known.get(hand_of(seat), ())),
            )
            for seat in range(len(self.names))
        )
        return Board(seats, table.size(STOCK), self.hand(view), bool(self.actions), tuple(awaited))

    def hand(self, view: View[Any]) -> tuple[HandGroup, ...]:
        """One's own cards, grouped by the first attribute, in deck order."""
        groups: dict[str, list[str]] = {}
        for face in view.deck.sorted(view.hand.values()):
            groups.setdefault(face[0] or "", []).append(self.say.glyphs.face(view.deck, face))
        public = Counter(face[0] for face in view.known.get(hand_of(self.me), ()))
        return tuple(HandGroup(value, tuple(cards), public[value]) for value, cards in groups.items())

    def hand_line(self, view: View[Any]) -> str:
        """One's own cards in a line, ranks set apart."""
        groups = "   ".join(" ".join(group.cards) for group in self.hand(view))
        return _("Your hand: {cards}").format(cards=groups or _("no cards"))

    def table_lines(self, board: Board) -> tuple[str, ...]:
        """The table in lines: pond, then every player."""
        width = max(len(box.name) for box in board.seats)
        pond = _("Pond: {cards}").format(cards=_count(board.pond).strip())
        turn = any(box.is_turn for box in board.seats)
        lines = [pond + _("   (* has the turn)") if turn else pond]
        for box in board.seats:
            mark = "*" if box.is_turn else " "
            away = _(" (out of reach)") if box.is_away else ""
            name = f"{box.name}{' ' * (width - len(box.name))}"
            line = _("{mark} {n} {name}  {cards}, books: {books}").format(
                mark=mark, n=box.seat + 1, name=name, cards=_count(box.cards), books=_ranks(box.books) or "-"
            )
            if held_text(box.known) and not box.is_me:
                line += _(", known to hold {cards}").format(cards=held_text(box.known))
            lines.append(line + (_(" (you)") if box.is_me else "") + away)
        return tuple(lines)

    def book_lines(self, board: Board) -> tuple[str, ...]:
        """The laid books of everyone."""
        lines = [f"{box.name}: {_ranks(box.books)}" for box in board.seats if box.books]
        return tuple(lines) or (_("No books yet."),)

    def score_lines(self, outcome: Outcome, board: Board) -> tuple[str, ...]:
        """Everyone's score and books, the best first."""
        order = sorted(range(len(self.names)), key=lambda n: -outcome.scores[n])
        width = max(map(len, self.names))
        books = [_ranks(box.books) for box in board.seats]
        is_count = all(outcome.scores[box.seat] == len(box.books) for box in board.seats)
        heading = _("books") if is_count else _("points")
        rows = [(self.names[n], str(outcome.scores[n]), books[n]) for n in order]
        return tuple(
            f"{name:{width}}  {score:>{len(heading)}}  {ranks}".rstrip()
            for name, score, ranks in [("", heading, _("ranks") if any(books) else ""), *rows]
        )

    def action(self, action: Action) -> str:
        """An action as one would type it."""
        typed = Action(
            action.verb, action.target, typed_card(action.value), tuple(map(typed_card, action.cards))
        )
        return action_text(typed, self.names)

    def hints(self) -> tuple[str, ...]:
        """The legal moves, one line for each player asked; cards look as they do in the hand."""
        if not self.actions:
            return (_("It is not your turn."),)
        by_target: dict[tuple[str, int], list[str]] = {}
        for action in self.actions:
            value = self._as_shown(action.value) if action.value else self.say.glyphs.cards(action.cards)
            by_target.setdefault((action.verb, action.target), []).append(value)
        lines = []
        for (verb, target), values in by_target.items():
            head = f"{verb} {self.names[target]}" if target >= 0 else verb
            lines.append(f"{head} " + " | ".join(values))
        sample = self.actions[0]
        first = typed_card(sample.value or " ".join(sample.cards[:1]))
        if self.say.glyphs.card(first) != first:
            shown = self.say.glyphs.card(first)
            lines.append(_("Type {shown} as {typed}.").format(shown=shown, typed=first))
        return tuple(lines)

    def _as_shown(self, value: str) -> str:
        return self.say.glyphs.card(value) if len(value) > 1 else typed_card(value)

    @staticmethod
    def _cards(view: View[Any]) -> Counter[str]:
        return Counter(view.deck.text(face) for face in view.hand.values())


def _ranks(values: Sequence[str]) -> str:
    return " ".join("10" if value == "T" else value for value in values)


def _count(cards: int) -> str:
    return ngettext("{n:2} card", "{n:2} cards", cards).format(n=cards)


def _stale() -> str:
    return _(
        "The other players hold moves of yours that this machine does not know: its store is older "
        "than the game. Nothing more is signed here. Resume on the machine, or with the folder, "
        "that played last."
    )
