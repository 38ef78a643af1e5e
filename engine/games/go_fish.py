"""Go Fish, with both variants and all options. Tags such as ``GF-END`` name the ruling that applies.

A turn: the asker names a seat and a rank (or card); the asked hand shows what matches or is proved to hold
none; the asker takes the cards or draws; completed groups are laid; a hand that got a card is mixed; empty
hands are refilled (where the options say so); then the game ends, or somebody's turn begins.
``go_fish_steps`` has these steps; here are the decisions of the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..cards import Deck, Face
from ..contract import (
    Action,
    BadSetup,
    GameInfo,
    IllegalAction,
    Layout,
    Outcome,
    Pile,
    Reason,
    Report,
    View,
    by_seat,
)
from ..message import Message
from ..table import (
    STOCK,
    Claim,
    Deed,
    Holds,
    Lacks,
    Match,
    Op,
    Result,
    Slot,
    Table,
    Zone,
    hand_of,
)
from .asking import ASK, refused_target, targets_of, update
from .go_fish_options import INFO, checked_options, deck_of, settings_of
from .go_fish_state import GoFishState, Next, scores_of
from .go_fish_steps import PENDING, RESUME, leave, settle_dealt
from .go_fish_text import parse_ask
from .seats import books_of


class GoFish:
    """The rules of Go Fish. Has no state of its own."""

    info: GameInfo = INFO
    setup_keys = ("books",)
    expect_keys = ()
    needs_turn = True

    def options(self, chosen: Mapping[str, str], seats: int) -> Mapping[str, str]:
        """See ``Rules.options``."""
        return checked_options(chosen, seats)

    def deck(self, options: Mapping[str, str]) -> Deck:
        """See ``Rules.deck``."""
        return deck_of(options)

    def start(self, options: Mapping[str, str], seats: int) -> GoFishState:
        """See ``Rules.start``."""
        settings = settings_of(options, seats)
        table = Table.stocked(len(settings.deck))
        return GoFishState(table, seats, "first", 0, settings=settings, books=((),) * seats)

    def pending(self, s: GoFishState) -> Op | Outcome:
        """See ``Rules.pending``."""
        return PENDING[s.phase](s)

    def resume(self, s: GoFishState, r: Result) -> Next:
        """See ``Rules.resume``."""
        return RESUME[s.phase](s, r)

    def leave(self, s: GoFishState, seats: tuple[int, ...]) -> Next:
        """See ``Rules``: the leavers' cards go back into the stock."""
        return leave(s, seats)

    def legal(self, v: View[GoFishState]) -> tuple[Action, ...]:
        """Every pair of another seat with cards and a rank (or card) that may be asked for."""
        s = v.state
        held = set(v.hand.values())
        ranks = {face[0] for face in held}
        if not s.settings.is_card_mode:
            values = [rank for rank in s.settings.ranks if rank in ranks]
        else:
            own = s.settings.may_ask_own
            values = [v.deck.text(f) for f in v.deck.faces if f[0] in ranks and (own or f not in held)]
        return tuple([Action(ASK, target, value) for target in targets_of(s, v.seat) for value in values])

    def deed(self, v: View[GoFishState], a: Action) -> Deed:
        """See ``Rules.deed``."""
        deed = Deed(a.verb, a.target, a.value)
        reason = self.refuse(v.state, v.seat, deed, {})
        if reason is None:
            rank = _rank(v.state, a.value)
            held = v.hand.values()
            if not any(face[0] == rank for face in held):
                reason = Reason("not-held", (rank,))
            elif not v.state.settings.may_ask_own and v.deck.parse(a.value) in held:
                reason = Reason("own-card", (a.value,))
        if reason:
            raise IllegalAction(reason)
        return deed

    def claims(self, s: GoFishState, seat: int, d: Deed) -> tuple[Claim, ...]:
        """The asker holds a card of the rank; where own cards may not be asked for, not the named card."""
        hand = hand_of(seat)
        holds = Holds(hand, Match(s.settings.rank, _rank(s, d.value)))
        return (holds,) if s.settings.may_ask_own else (holds, Lacks(s.table.slots(hand), Match("", d.value)))

    def refuse(self, s: GoFishState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        """See ``Rules.refuse``."""
        if s.phase != ASK or seat != s.turn:
            return Reason("not-your-turn")
        if d.verb != ASK:
            return Reason("no-such-action", (d.verb,))
        refused = refused_target(s, seat, d.target) or _refused_value(s, d.value)
        return refused or (Reason("malformed") if d.groups or d.shown else None)

    def parse(self, s: GoFishState, text: str, labels: tuple[str, ...]) -> Action:
        """See ``Rules.parse``."""
        return parse_ask(s.settings, text, labels)

    def report(self, s: GoFishState) -> Report:
        """See ``Rules.report``."""
        turn = s.turn if s.phase == ASK else -1
        return Report(turn, s.books, scores_of(s))

    def lay_out(self, s: GoFishState, own: Mapping[str, Any], labels: tuple[str, ...], pile: Pile) -> Layout:
        """``books``: laid ranks by name, or how many; those by name first."""
        by_name_first = sorted(by_seat(own, "books").items(), key=lambda entry: isinstance(entry[1], int))
        return Layout({books_of(seat): self._books(s, value, pile) for seat, value in by_name_first})

    def _books(self, s: GoFishState, value: str | int, pile: Pile) -> tuple[Face, ...]:
        size = s.settings.book_size
        if isinstance(value, int):
            ranks = [rank for rank in pile.untouched(s.settings.rank) if s.settings.copies(rank) >= size]
            if value > len(ranks):
                raise BadSetup(
                    Message("{value} books cannot be filled with ranks that are not named.", value=value)
                )
            names = ranks[len(ranks) - value :]
        else:
            names = [s.settings.deck.parse_value(s.settings.rank, word) for word in str(value).split()]
        return tuple(face for name in names for face in pile.take(Match(s.settings.rank, name), size))

    def spread(self, s: GoFishState, rest: tuple[Face, ...]) -> Mapping[Zone, tuple[Face, ...]]:
        """See ``Rules.spread``."""
        return {STOCK: rest}

    def arrange(
        self, s: GoFishState, table: Table, turn: int, own: Mapping[str, Any], labels: tuple[str, ...]
    ) -> Next:
        """See ``Rules.arrange``.

        Goes on where the cards have been dealt, so groups in the hands are laid first.
        """
        size, known = s.settings.book_size, table.known
        books = []
        for seat in range(s.seats):
            laid = [known[slot][0] or "" for slot in table.slots(books_of(seat))]
            books.append(tuple(laid[::size]))
        s = update(s, table=table, books=tuple(books), turn=turn, following=turn)
        return settle_dealt(s, 0)


def _rank(s: GoFishState, value: str) -> str:
    return s.settings.deck.parse(value)[0] if s.settings.is_card_mode else value


def _refused_value(s: GoFishState, value: str) -> Reason | None:
    settings = s.settings
    if settings.is_card_mode:
        # Only the canonical text: two spellings of one deed must not both be valid.
        if value not in settings.card_texts:
            return Reason("no-such-card", (value,))
        rank = settings.deck.parse(value)[0]
    elif value not in settings.ranks:
        return Reason("no-such-rank", (value,))
    else:
        rank = value
    laid = sum(books.count(rank) for books in s.books) * settings.book_size
    return Reason("rank-laid", (rank,)) if laid == settings.copies(rank) else None
