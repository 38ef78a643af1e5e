"""Go Fish, with both variants and all options. Tags such as ``GF-END`` name the ruling that applies.

A turn: the asker names a seat and a rank (or card); the asked hand shows what matches or is proved to hold
none; the asker takes the cards or draws; completed groups are laid; a hand that got a card is mixed; empty
hands are refilled (where the options say so); then the game ends, or somebody's turn begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from ..cards import Deck, Face
from ..contract import (
    Action,
    BadSetup,
    Event,
    GameInfo,
    IllegalAction,
    Layout,
    Outcome,
    Pile,
    Reason,
    Report,
    State,
    View,
    by_seat,
)
from ..message import Message
from ..table import (
    STOCK,
    Choose,
    Claim,
    Coin,
    Complete,
    Completed,
    Deed,
    Deeds,
    Disclose,
    Draw,
    Holds,
    Lacks,
    Match,
    Mix,
    Move,
    Number,
    Op,
    Result,
    Return,
    Shown,
    Shuffle,
    Slot,
    Table,
    Zone,
    hand_of,
)
from .go_fish_options import INFO, POINTS, Settings, checked_options, deck_of, settings_of
from .go_fish_text import parse_ask

ASK = "ask"


class GoFishState(State, frozen=True):
    """Public facts of a game of Go Fish.

    ``phase`` names the pending operation. ``turn`` is the asker, ``target`` and ``match`` what was asked.
    ``gainer`` is the seat whose hand is being settled, ``fresh`` the cards that came into it, ``moving``
    cards shown and about to move. ``following`` is whose turn comes next, ``idle`` counts asks without a
    card drawn or a group laid. ``gone`` are seats that have left; while their cards go back, ``waiting``
    names the phase that goes on after that.
    """

    settings: Settings
    seats: int
    phase: str
    turn: int
    books: tuple[tuple[str, ...], ...]
    target: int = -1
    match: Match | None = None
    gainer: int = 0
    fresh: tuple[Slot, ...] = ()
    moving: tuple[Slot, ...] = ()
    following: int = -1
    idle: int = 0
    is_dealing: bool = True
    gone: tuple[int, ...] = ()
    waiting: str = ""
    outcome: Outcome | None = None


Events: TypeAlias = tuple[Event, ...]
Next: TypeAlias = tuple[GoFishState, Events]

_with = msgspec.structs.replace


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
        return GoFishState(Table.stocked(len(settings.deck)), settings, seats, "first", 0, ((),) * seats)

    def pending(self, s: GoFishState) -> Op | Outcome:
        """See ``Rules.pending``."""
        return _PENDING[s.phase](s)

    def resume(self, s: GoFishState, r: Result) -> Next:
        """See ``Rules.resume``."""
        return _RESUME[s.phase](s, r)

    def leave(self, s: GoFishState, seats: tuple[int, ...]) -> Next:
        """The cards of leavers go back into the stock, which is shuffled; their books stay where they lie and
        win nothing (GF-LEAVE). An ask that a leaver should answer is asked anew; a leaver's turn passes left.
        """
        s = _with(s, gone=(*s.gone, *seats))
        s = _with(s, following=_present(s, s.following), waiting=_goes_on(s))
        return _return_next(s)

    def legal(self, v: View[GoFishState]) -> tuple[Action, ...]:
        """Every pair of another seat with cards and a rank (or card) that may be asked for."""
        s = v.state
        targets = [t for t in _clockwise(s, v.seat)[1:] if s.table.size(hand_of(t))]
        held = set(v.hand.values())
        ranks = {face[0] for face in held}
        if not s.settings.is_card_mode:
            values = [rank for rank in s.settings.ranks if rank in ranks]
        else:
            own = s.settings.may_ask_own
            values = [v.deck.text(f) for f in v.deck.faces if f[0] in ranks and (own or f not in held)]
        return tuple([Action(ASK, target, value) for target in targets for value in values])

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
        if not 0 <= d.target < s.seats:
            return Reason("no-such-seat")
        if d.target == seat:  # GF-SELF
            return Reason("own-seat")
        if not s.table.size(hand_of(d.target)):
            return Reason("no-cards")
        return _refused_value(s, d.value) or (Reason("malformed") if d.groups or d.shown else None)

    def parse(self, s: GoFishState, text: str, labels: tuple[str, ...]) -> Action:
        """See ``Rules.parse``."""
        return parse_ask(s.settings, text, labels)

    def report(self, s: GoFishState) -> Report:
        """See ``Rules.report``."""
        turn = s.turn if s.phase == ASK else -1
        return Report(turn, s.books, _scores(s))

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
        s = _with(s, table=table, books=tuple(books), turn=turn, following=turn)
        return _settle_dealt(s, 0)


def books_of(seat: int) -> Zone:
    """Where a seat's laid groups lie."""
    return f"books.{seat}"


# --- what is pending --------------------------------------------------------------------------------------


def _deal(s: GoFishState) -> Op:
    order = [seat for _ in range(s.settings.hand_size) for seat in range(s.seats)]
    return Draw(tuple(zip(s.table.slots(STOCK), order, strict=False)))


def _answer(s: GoFishState) -> Op:
    assert s.match is not None
    most = 1 if s.settings.gives_one else None
    return Disclose(s.target, s.table.slots(hand_of(s.target)), s.match, most)


def _reveal(s: GoFishState) -> Op:
    assert s.match is not None
    return Disclose(s.turn, s.fresh, s.match)


def _refill(s: GoFishState) -> Op:
    return Draw(tuple((slot, s.gainer) for slot in s.table.slots(STOCK)[: s.settings.refill_count]))


def _over(s: GoFishState) -> Outcome:
    assert s.outcome is not None
    return s.outcome


_PENDING: Mapping[str, Callable[[GoFishState], Op | Outcome]] = {
    "first": lambda s: Coin(s.seats),
    "shuffle": lambda _: Shuffle(STOCK),
    "deal": _deal,
    ASK: lambda s: Choose((s.turn,), ASK),
    "answer": _answer,
    "take": lambda s: Move(s.moving, hand_of(s.turn)),
    "fish": lambda s: Draw(((s.table.slots(STOCK)[0], s.turn),)),
    "reveal": _reveal,
    "settle": lambda s: Complete(s.gainer, s.settings.rank, s.settings.book_size, s.fresh),
    "lay": lambda s: Move(s.moving, books_of(s.gainer)),
    "mix": lambda s: Mix(hand_of(s.gainer)),
    "refill": _refill,
    "return": lambda s: Return(s.table.slots(hand_of(_leavers(s)[0])), STOCK),
    "reshuffle": lambda _: Shuffle(STOCK),
    "over": _over,
}

# --- what follows -----------------------------------------------------------------------------------------


def _after_first(s: GoFishState, r: Result) -> Next:
    assert isinstance(r, Number)
    return _with(s, phase="shuffle", turn=r.value, following=r.value), ()


def _after_shuffle(s: GoFishState, _: Result) -> Next:
    return _with(s, phase="deal"), ()


def _after_deal(s: GoFishState, _: Result) -> Next:
    return _settle_dealt(s, 0)


def _settle_dealt(s: GoFishState, seat: int) -> Next:
    """Dealt groups are laid at once, in seat order, without replacement (GF-DEALT)."""
    while seat < s.seats and (s.table.size(hand_of(seat)) < s.settings.book_size or seat in s.gone):
        seat += 1
    if seat < s.seats:
        return _with(s, phase="settle", gainer=seat, fresh=s.table.slots(hand_of(seat))), ()
    return _go_on(_with(s, is_dealing=False), (Event("first", s.turn),))


def _after_ask(s: GoFishState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    ((seat, deed),) = r.deeds
    match = Match("" if s.settings.is_card_mode else s.settings.rank, deed.value)
    s = _with(s, phase="answer", target=deed.target, match=match, idle=s.idle + 1)
    return s, (Event("ask", seat, deed.target, (deed.value,)),)


def _after_answer(s: GoFishState, r: Result) -> Next:
    assert isinstance(r, Shown)
    deck = s.settings.deck
    if r.slots:
        words = tuple([deck.text(face) for face in (deck.sorted(r.faces) if len(r.faces) > 1 else r.faces)])
        return _with(s, phase="take", moving=r.slots), (Event("give", s.target, words=words),)
    following = _present(s, (s.turn + 1) % s.seats) if s.settings.passes_left else s.target
    if s.table.size(STOCK):
        return _with(s, phase="fish", following=following), (Event("go fish", s.target),)
    return _go_on(_with(s, following=following), (Event("none", s.target),))


def _after_take(s: GoFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.turn))[-len(s.moving) :]
    return _settle(_with(s, following=s.turn), s.turn, fresh, ())


def _after_fish(s: GoFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.turn))[-1:]
    return _with(s, phase="reveal", fresh=fresh, idle=0), (Event("draw", s.turn),)


def _after_reveal(s: GoFishState, r: Result) -> Next:
    assert isinstance(r, Shown)
    if not r.slots:
        return _settle(s, s.turn, s.fresh, ())
    if s.settings.hit_repeats:
        s = _with(s, following=s.turn)
    return _settle(s, s.turn, s.fresh, (Event("show", s.turn, words=(s.settings.deck.text(r.faces[0]),)),))


def _after_refill(s: GoFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.gainer))
    return _settle(_with(s, idle=0), s.gainer, fresh, (Event("refill", s.gainer, words=(str(len(fresh)),)),))


def _settle(s: GoFishState, seat: int, fresh: tuple[Slot, ...], events: Events) -> Next:
    """Cards came into a hand: completed groups next, if the hand is large enough to hold one."""
    if s.table.size(hand_of(seat)) >= s.settings.book_size:
        return _with(s, phase="settle", gainer=seat, fresh=fresh), events
    return _mixed(_with(s, gainer=seat, fresh=fresh), events)


def _after_settle(s: GoFishState, r: Result) -> Next:
    assert isinstance(r, Completed)
    if not r.groups:
        return _mixed(s, ())
    at = s.settings.ranks.index
    laid = sorted([faces[0][0] or "" for faces in r.faces], key=at)
    books = list(s.books)
    books[s.gainer] += tuple(laid)
    moving = tuple([slot for group in r.groups for slot in group])
    fresh = tuple([slot for slot in s.fresh if slot not in moving])
    s = _with(s, phase="lay", books=tuple(books), moving=moving, fresh=fresh, idle=0)
    return s, tuple([Event("book", s.gainer, words=(rank,)) for rank in laid])


def _after_lay(s: GoFishState, _: Result) -> Next:
    return _mixed(s, ())


def _mixed(s: GoFishState, events: Events) -> Next:
    """A hand that still holds a card that came in is mixed; dealt cards are all equally new."""
    if s.is_dealing:
        return _settle_dealt(s, s.gainer + 1)
    if s.fresh and s.table.size(hand_of(s.gainer)) >= 2:
        return _with(s, phase="mix"), events
    return _go_on(s, events)


def _after_mix(s: GoFishState, _: Result) -> Next:
    return _go_on(s, ())


def _go_on(s: GoFishState, events: Events) -> Next:
    """Refills, the end test, and whose turn it is (SETTLE 3 to 5)."""
    size = s.table.size
    stock = size(STOCK)
    if not s.settings.plays_on:  # GF-END
        for seat in range(s.seats):
            if not size(hand_of(seat)) and seat not in s.gone:
                return _end(s, "hand-empty", events)
        if not stock:
            return _end(s, "stock-empty", events)
        return _with(s, phase=ASK, turn=s.following), events
    if sum(map(len, s.books)) == s.settings.most_books:  # GF-K5
        return _end(s, "all-books", events)
    if stock and not s.settings.refills_on_own_turn:  # GF-K2
        for seat in _clockwise(s, s.turn):
            if not size(hand_of(seat)) and seat not in s.gone:
                return _with(s, phase="refill", gainer=seat), events
    if s.idle >= s.settings.patience:  # GF-K6
        return _end(s, "no-progress", events)
    return _next_turn(s, events)


def _next_turn(s: GoFishState, events: Events) -> Next:
    """The first seat from ``following`` on that can ask somebody, refilling hands whose turn comes (GF-K3,
    GF-K4).
    """
    stock = s.table.size(STOCK)
    holders = [seat for seat in range(s.seats) if s.table.size(hand_of(seat))]
    for seat in _clockwise(s, s.following):
        if stock and seat not in holders and seat not in s.gone:
            return _with(s, phase="refill", gainer=seat, turn=seat, following=seat), events
        if seat in holders and len(holders) > 1:
            return _with(s, phase=ASK, turn=seat, following=seat), events
    return _end(s, "nobody-to-ask", events)


def _end(s: GoFishState, reason: str, events: Events) -> Next:
    scores = _scores(s)
    staying = [seat for seat in range(s.seats) if seat not in s.gone]
    best = max([scores[seat] for seat in staying])
    winners = tuple([seat for seat in staying if scores[seat] == best])  # GF-TIE
    s = _with(s, phase="over", outcome=Outcome(reason, scores, winners))
    return s, (*events, Event("over", words=(reason,)))


# --- leavers ---

_BY_TURN = ("ask", "take", "fish", "reveal")
_BY_GAINER = ("settle", "lay", "mix", "refill")


def _goes_on(s: GoFishState) -> str:
    """The phase that goes on once the leavers' cards are back; empty where it was theirs."""
    if s.phase == "answer":
        return "" if s.turn in s.gone else ASK if s.target in s.gone else s.phase
    mover = s.turn if s.phase in _BY_TURN else s.gainer if s.phase in _BY_GAINER else -1
    return "" if mover in s.gone else s.phase


def _leavers(s: GoFishState) -> list[int]:
    """Seats that have left, with cards that are still to go back."""
    return [seat for seat in s.gone if s.table.size(hand_of(seat))]


def _return_next(s: GoFishState) -> Next:
    return _with(s, phase="return" if _leavers(s) else "reshuffle"), ()


def _after_return(s: GoFishState, _: Result) -> Next:
    return _return_next(s)


def _after_reshuffle(s: GoFishState, _: Result) -> Next:
    phase = s.waiting
    s = _with(s, waiting="")
    if phase == ASK:
        return _go_on(_with(s, following=s.turn), ())
    if phase:
        return _with(s, phase=phase), ()
    if s.is_dealing:
        return _settle_dealt(s, s.gainer + 1)
    return _go_on(s, ())


_RESUME: Mapping[str, Callable[[GoFishState, Result], Next]] = {
    "first": _after_first,
    "shuffle": _after_shuffle,
    "deal": _after_deal,
    ASK: _after_ask,
    "answer": _after_answer,
    "take": _after_take,
    "fish": _after_fish,
    "reveal": _after_reveal,
    "settle": _after_settle,
    "lay": _after_lay,
    "mix": _after_mix,
    "refill": _after_refill,
    "return": _after_return,
    "reshuffle": _after_reshuffle,
}

# --- small facts ------------------------------------------------------------------------------------------


def _clockwise(s: GoFishState, first: int) -> list[int]:
    return [(first + n) % s.seats for n in range(s.seats)]


def _present(s: GoFishState, seat: int) -> int:
    """The first seat from this one on that has not left."""
    return next((other for other in _clockwise(s, seat) if other not in s.gone), seat) if seat >= 0 else seat


def _scores(s: GoFishState) -> tuple[int, ...]:
    if s.settings.scores_ranks:
        return tuple([sum(POINTS[rank] for rank in books) for books in s.books])
    return tuple(map(len, s.books))


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
