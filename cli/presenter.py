"""What there is to show of a game, as plain data that both front ends draw. No terminal, clock or I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.cards import Deck
from engine.contract import Action, AnyRules, Event, Outcome, View
from engine.table import Shuffle, Tick, hand_of, owner
from p2p.session import (
    Contributed,
    CutWanted,
    Fault,
    Finished,
    GameOver,
    Happened,
    Lagging,
    Left,
    LinkCut,
    Paused,
    PrintedTable,
    Race,
    Skipped,
    Stage,
    Stale,
    Talk,
    Telling,
    Undone,
    Unplayed,
    Waiting,
    Watched,
    YourMove,
)

from .boards import Board, GameBoard, HandGroup, SeatBox, board_of, table_lines
from .dealt import cut_line, trusted
from .program import call_here
from .proofs import LONG, Ledger, Work
from .reach import Reach
from .story import Line
from .text import Glyphs, Speaker, joined, printable
from .translation import gettext as _
from .translation import ngettext

JUST_ABOVE: Final = 3
"""Lines among which a hand need not be shown again."""


class Presenter:
    """Turns what a session tells into lines. Remembers only what a line needs of the past."""

    def __init__(self, rules: AnyRules, names: Sequence[str], me: int, glyphs: Glyphs) -> None:
        self.rules: Final = rules
        self.names: Final = tuple(names)
        self.me: Final = me
        self.say: Final = Speaker(self.names, me, glyphs, rules.info.id)
        self.game: Final[GameBoard] = board_of(rules, names, me, glyphs)
        self.log: list[Line] = []
        self.actions: tuple[Action, ...] = ()
        self.outcome: Outcome | None = None
        self.fault: Fault | None = None
        self.ledger: Final = Ledger()
        self.work: Work | None = None
        self._hand: Counter[str] | None = None
        self._stage = ""
        self._reach: Final = Reach(self.say, self.names)
        self._has_acted = False
        self.muted: set[int] = set()
        self._waiting: tuple[int, ...] = ()
        self.is_racing = False
        self._lagging: tuple[int, ...] = ()

    # --- what is told -----------------------------------------------------------------------------

    def hear(self, telling: Telling, view: View[Any]) -> tuple[Line, ...]:
        """The lines for one telling; ``view`` is what this seat knows now."""
        if self._hand is None:
            self._hand = self._cards(view)
        self.ledger.hear(telling)
        if isinstance(telling, Contributed) and self.work is not None:
            self.work.contributed.add(telling.seat)
        lines = tuple(self._lines(telling, view))
        for line in lines:
            self.ledger.claim(line.proof)
        self.log += lines
        return lines

    def recall(
        self,
        restored: Iterable[Sequence[Event]],
        view_after: Callable[[int], View[Any]] | None = None,
    ) -> tuple[Line, ...]:
        """The lines of what happened before this program was started. ``view_after`` gives what this seat
        held after one of the steps; without it they are what an onlooker would tell."""
        lines: list[Line] = []
        for step, events in enumerate(restored):
            gained = Counter[str]()
            if view_after is not None and any(event.seat == self.me for event in events):
                before = self._cards(view_after(step - 1)) if step else Counter[str]()
                gained = self._cards(view_after(step)) - before
            lines += self._told(events, gained)[0]
        for line in lines:
            self.ledger.claim(line.proof)
        self.log += lines
        return tuple(lines)

    def notice(self, missing: Mapping[int, float]) -> tuple[Line, ...]:
        """Lines for links that broke or came back; ``missing`` gives seconds by seat."""
        lines = self._reach.notice(missing, bool(self.actions))
        self.log += lines
        return tuple(lines)

    def passing(self, view: View[Any]) -> tuple[Line, ...]:
        """Lines for time that passes in a race without anything to tell of."""
        lines = tuple(Line(text, "note") for text in self.game.ticked(view)) if self._goes_on(view) else ()
        self.log += lines
        return lines

    def _lines(self, telling: Telling, view: View[Any]) -> list[Line]:
        match telling:
            case Happened(events):
                return self._happened(events, view)
            case Stage():
                return self._step(telling, view)
            case Contributed(seat, kind):
                self._reach.played(seat)
                if kind != "shuffle" or seat == self.me:
                    return []
                mark = self.say.glyphs.check
                text = _("{mark} {who}'s shuffle is proved.").format(mark=mark, who=self.names[seat])
                return [Line(text, "step")]
            case YourMove(_, actions, seconds):
                return self._my_move(actions, seconds, view)
            case Race() | Unplayed() | Lagging() | Skipped() | Undone():
                return self._about_race(telling, view)
            case Waiting(seats):
                return [] if self.is_racing else self._wait(seats)
            case Talk(seat, text):
                said = Line(f"{self.names[seat]}: {printable(text)}", "chat")
                return [] if seat in self.muted else [said]
            case LinkCut() | Watched():
                return self._about_links(telling)
            case Paused(seat):
                return self._reach.pauses(seat)
            case GameOver(outcome, closed):
                return self._over(outcome, closed, view)
            case Left(seats):
                return self._left(seats)
            case Fault():
                self.fault, self.actions = telling, ()
                return [Line(self.say.cheated(telling.seat, telling.step, telling.reason), "warning")]
            case Stale():
                return [Line(_stale(), "warning")]
            case Finished():
                self.actions = ()
        return self._about_deck(telling)

    def _about_deck(self, telling: Telling) -> list[Line]:
        """What is trusted where a printed deck is dealt, and where it is cut."""
        match telling:
            case PrintedTable(scanner):
                return [Line(text, "note") for text in trusted(self.names, self.me, scanner)]
            case CutWanted(zone, at, of) if self.me >= 0:  # at the table itself it is an order
                return [Line(cut_line(self.game.zone_name(zone), at, of), "note")]
            case _:
                return []

    def _about_race(
        self, telling: Race | Unplayed | Lagging | Skipped | Undone, view: View[Any]
    ) -> list[Line]:
        match telling:
            case Race(_, actions):
                return self._race(actions, view)
            case Unplayed(action, reason):
                text = _("Not played: {action}. {reason}")
                action_text = self.game.action(action)
                return [Line(text.format(action=action_text, reason=self.say.reason(reason)), "warning")]
            case Lagging(seats):
                return self._lag(seats)
            case Skipped() if "absent" in self.rules.info.verbs:
                return []  # the game has an event for it
            case Skipped(seats):
                text = ngettext("{who} does not answer.", "{who} do not answer.", len(seats))
                return [Line(text.format(who=self.say.listed(seats)), "warning")]
            case Undone():
                self.actions, self.is_racing = (), False
                return [Line(_undone(), "warning")]

    def _happened(self, events: Sequence[Event], view: View[Any]) -> list[Line]:
        before, self._hand = self._hand or Counter(), self._cards(view)
        if not self._goes_on(view):
            self.actions, self.is_racing, self._lagging = (), False, ()
        gained = self._hand - before
        lines, told = self._told(events, gained)
        remark = self.game.remark(events, view)
        if lines and remark:
            lines[-1] = replace(lines[-1], text=f"{lines[-1].text} {remark}")
        if events:
            self._waiting = ()
        return lines + self._new_cards(gained - told, before, view)

    def _told(self, events: Sequence[Event], gained: Counter[str]) -> tuple[list[Line], Counter[str]]:
        """The lines of events, and the cards that they name; the player alone saw ``gained``."""
        lines, told = list[Line](), Counter[str]()
        for group in self.game.lines(events):
            sentences = []
            for event in group:
                told += self.game.named(event)
                drawn = list((gained - told).elements()) if event.seat == self.me else []
                sentence = self.say.event(event, drawn)
                if drawn and sentence != self.say.event(event):
                    told += Counter(drawn)
                sentences.append(sentence)
            lines.append(Line(" ".join(sentences), "event", self.say.proof(group[0])))
        return lines, told

    def _goes_on(self, view: View[Any]) -> bool:
        """Whether this seat races, and its race goes on."""
        if not self.is_racing:
            return False
        pending = self.rules.pending(view.state)
        return isinstance(pending, Tick) and self.me in pending.seats

    def _race(self, actions: tuple[Action, ...], view: View[Any]) -> list[Line]:
        """The race begins; later only what may be played changes, which is seen in the hand."""
        self.actions, self._has_acted = actions, False
        if self.is_racing:
            return []
        self.is_racing = True
        return self._question(view, actions, None)

    def _lag(self, seats: Sequence[int]) -> list[Line]:
        """Told once in a race, since the same slow player would fill the screen."""
        others = tuple(seat for seat in seats if seat != self.me and seat not in self._lagging)
        self._lagging += others
        text = _("The race waits for {who}.").format(who=self.say.listed(others))
        return [Line(text, "warning")] if others else []

    def _new_cards(self, new: Counter[str], before: Counter[str], view: View[Any]) -> list[Line]:
        """Cards that came into one's hand and that no sentence has named."""
        if not new or self.me < 0:
            return []
        new = new - Counter(view.deck.text(face) for face in view.known.get(hand_of(self.me), ()))
        if not new:
            return []
        if not before:
            return [Line(self.game.hand_line(view), "note")]
        cards = [self.say.glyphs.card(text) for text in _in_order(view.deck, new)]
        return [Line(self.game.new_line(view, new, cards), "note")]

    def _step(self, stage: Stage, view: View[Any]) -> list[Line]:
        is_deal = stage.kind == "shares" and not any(
            view.state.table.size(hand_of(seat)) for seat in range(len(self.names))
        )
        if stage.kind not in LONG and not is_deal:
            self.work = None
            return []
        text = self.say.stage(stage.kind, stage.owed, stage.done, stage.of)
        self.work = Work.following(self.work, stage, text)
        if text and isinstance(pending := self.rules.pending(view.state), Shuffle):
            text = self._shuffle_of(pending, text, view)
        if not text or text == self._stage:
            return []
        self._stage = text
        return [Line(f"{text} …" if not self.say.glyphs.ascii_only else f"{text} ...", "step")]

    def _shuffle_of(self, shuffle: Shuffle, text: str, view: View[Any]) -> str:
        """What is shuffled, too, in a game with several piles."""
        table = view.state.table
        piles = [zone for zone in table.zones if owner(zone) is None and table.size(zone)]
        if len(piles) < 2:
            return text
        return f"{text} ({self.game.zone_name(shuffle.zone)})"

    def _my_move(self, actions: tuple[Action, ...], seconds: float | None, view: View[Any]) -> list[Line]:
        self.actions = actions
        self._has_acted = False
        lines = self._question(view, actions, seconds)
        away = self._reach.missed
        if away and seconds is None:
            lines.append(Line(self.say.missed(away), "warning"))
        return lines

    def _question(self, view: View[Any], actions: Sequence[Action], seconds: float | None) -> list[Line]:
        """What the game asks of the player; without the hand, if it stands just above."""
        first, *rest = self.game.asked(view, actions, seconds)
        lines = [Line(first, "turn"), *(Line(line, "note") for line in rest)]
        hand = self.hand_line(view)
        is_shown = any(line.text == hand for line in self.log[-JUST_ABOVE:])
        return [line for line in lines if line.text != hand] if is_shown else lines

    def _about_links(self, telling: LinkCut | Watched) -> list[Line]:
        if isinstance(telling, LinkCut):
            return self._reach.cut(telling.seat)
        return self._reach.watched(telling.seat, telling.names)

    @property
    def watching(self) -> tuple[str, ...]:
        """Those who watch, at whichever seat."""
        return self._reach.watching

    def acted(self) -> None:
        """This seat's player has decided; from now on it matters who is waited for, out of reach or not.

        In a race there is always more to decide.
        """
        self._has_acted = True
        if not self.is_racing:
            self.actions, self._waiting = (), ()

    def own_words(self, text: str) -> Line:
        """What this player said to everyone."""
        line = Line(_("You: {text}").format(text=printable(text)), "chat")
        self.log.append(line)
        return line

    def _wait(self, seats: Sequence[int]) -> list[Line]:
        if self.me in seats and self.actions and not self._has_acted:
            return []  # the question says that this player is waited for
        away = [seat for seat in seats if self._reach.is_away(seat)]
        others = tuple(seat for seat in seats if seat != self.me and (self._has_acted or seat not in away))
        if not others or others == self._waiting:
            return []
        self._waiting = others
        return [Line(self.say.waiting(others, [seat for seat in others if seat in away]), "note")]

    def _left(self, seats: Sequence[int]) -> list[Line]:
        """What becomes of the game; that they left, an event says."""
        self._reach.leave(seats)
        if self.me in self._reach.gone:
            self.actions, self.is_racing = (), False
            if len(self._reach.gone) == len(self.names):
                return []  # there is no rest
            return [Line(_("You may watch the rest of the game."), "note")]
        return []

    def _over(self, outcome: Outcome, closed: bool, view: View[Any]) -> list[Line]:
        self.outcome, self.actions = outcome, ()
        if closed and not self._reach.gone:
            return [Line(_("Everyone has signed the result."), "note")]
        if closed and len(self._reach.gone) < len(self.names):
            return [Line(_("All who stayed have signed the result."), "note")]
        decided = self.game.decided(outcome, view)
        return [
            Line(self.say.winners(outcome), "result"),
            *([Line(decided, "result")] if decided else []),
            *(Line(f"  {line}", "result") for line in self.score_lines(outcome, view)),
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
                self.game.laid(view, seat),
                report.scores[seat],
                seat == report.turn and seat not in self._reach.gone,
                seat == self.me,
                seat in (missing or {}),
                tuple(self.say.glyphs.face(view.deck, face) for face in known.get(hand_of(seat), ())),
                _("has left") if seat in self._reach.gone else self.game.note(view, seat),
            )
            for seat in range(len(self.names))
        )
        game = self.game
        piles, facts, hand = game.piles(view), game.facts(view), game.hand(view)
        steps, step = game.steps(view)
        return Board(seats, piles, facts, hand, bool(self.actions), tuple(awaited), steps, step)

    def hand(self, view: View[Any]) -> tuple[HandGroup, ...]:
        """One's own cards, grouped as the game groups them."""
        return self.game.hand(view)

    def hand_line(self, view: View[Any]) -> str:
        """One's own cards in a line, groups set apart."""
        return self.game.hand_line(view)

    def table_lines(self, board: Board) -> tuple[str, ...]:
        """The table in lines: what lies in the middle, then every player."""
        lines = table_lines(board, self.game)
        if self.watching:
            lines += (_("Watched by {names}.").format(names=joined(self.watching)),)
        return lines

    def answer(self, command: str, view: View[Any]) -> tuple[str, ...]:
        """The lines for a word of this game (``game.commands``)."""
        return self.game.answer(command, view)

    def score_lines(self, outcome: Outcome, view: View[Any]) -> tuple[str, ...]:
        """Everyone's score and what it was won with, the best first."""
        order = sorted(range(len(self.names)), key=lambda n: -outcome.scores[n])
        width = max(map(len, self.names))
        heading = self.game.score_heading(view)
        rows = [(self.names[n], str(outcome.scores[n]), self.game.won(view, n)) for n in order]
        return tuple(
            f"{name:{width}}  {score:>{len(heading)}}  {laid}".rstrip()
            for name, score, laid in [("", heading, ""), *rows]
        )

    def action(self, action: Action) -> str:
        """An action as one would type it."""
        return self.game.action(action)

    def hints(self, view: View[Any]) -> tuple[str, ...]:
        """What may be typed now."""
        if not self.actions:
            return (self.game.idle(view),)
        return self.game.hints(view, self.actions)

    @staticmethod
    def _cards(view: View[Any]) -> Counter[str]:
        return Counter(view.deck.text(face) for face in view.hand.values())


def _in_order(deck: Deck, cards: Counter[str]) -> list[str]:
    """Cards by their texts, in deck order."""
    return [deck.text(face) for face in deck.sorted(map(deck.parse, cards.elements()))]


def _stale() -> str:
    return _(
        "The other players hold moves of yours that this machine does not know: its store is older "
        "than the game. Nothing more is signed here. Resume on the machine, or with the folder, that "
        "played last; if that is gone: {command}"
    ).format(command=call_here("resume --rebuild"))


def _undone() -> str:
    return _(
        "The others went on without you: what was shown last did not happen. Type table to see how it stands."
    )
