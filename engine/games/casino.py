"""Casino Go Fish: one Dealer against the Patrons. Tags such as ``CG-END`` name the ruling that applies.

A turn: one or two cards are drawn from one source; places in the hand are filled and cards swapped; sets are
laid and the hand draws back; leftovers go into the pool, or back to a Patron. The parts of it are in
``casino_draw``, ``casino_switch``, ``casino_settle``, ``casino_discard`` and ``casino_round``; here they
become one table of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..cards import Deck, Face, InvalidCard
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
    SeatFact,
    View,
)
from ..message import Message, message_of
from ..table import (
    STOCK,
    Choose,
    Claim,
    Coin,
    Deed,
    Match,
    Number,
    Op,
    Result,
    Show,
    Shuffle,
    Slot,
    Table,
    Zone,
    hand_of,
    numbered,
)
from . import casino_discard, casino_draw, casino_leave, casino_round, casino_settle, casino_switch
from .casino_draw import SOURCES
from .casino_options import HAND, INFO, SET, Settings, checked_options, settings_of
from .casino_state import (
    FILL,
    KEEP,
    PILE,
    POOL,
    RANK,
    SWAP,
    TABLE,
    CasinoState,
    Events,
    Next,
    hand_slots,
    sorted_texts,
    texts,
    update,
)
from .casino_text import parse_action
from .seats import books_of, deal

DEAL = "deal"


class Casino:
    """The rules of Casino Go Fish. Has no state of its own."""

    info: GameInfo = INFO
    setup_keys = ("books", "dealer", "exposed", "pool", "pile")
    expect_keys = ("dealer", "exposed", "pool", "pile", "table")
    needs_turn = True

    def options(self, chosen: Mapping[str, str], seats: int) -> Mapping[str, str]:
        """See ``Rules.options``."""
        return checked_options(chosen, seats)

    def deck(self, options: Mapping[str, str]) -> Deck:
        """See ``Rules.deck``."""
        return settings_of(options).deck

    def start(self, options: Mapping[str, str], seats: int) -> CasinoState:
        """See ``Rules.start``."""
        settings = settings_of(options)
        s = CasinoState(Table.stocked(len(settings.deck)), settings, seats, "first", (), ((),) * seats)
        if settings.dealer < 0:
            return update(s, plan=(Coin(seats),))
        return _deal(s, settings.dealer)

    def pending(self, s: CasinoState) -> Op | Outcome:
        """See ``Rules.pending``."""
        if s.outcome is not None:
            return s.outcome
        return s.plan[0]

    def resume(self, s: CasinoState, r: Result) -> Next:
        """See ``Rules.resume``. Phases that need no operation follow at once."""
        if len(s.plan) > 1:
            return update(s, plan=s.plan[1:]), ()
        s, events = _STEPS[s.phase](update(s, plan=()), r)
        return _run(s, events)

    def leave(self, s: CasinoState, seats: tuple[int, ...]) -> Next | None:
        """See ``Rules``: a Patron's cards go back into the deck; without a Dealer there is no game."""
        found = casino_leave.leave(s, seats)
        return None if found is None else _run(found, ())

    def legal(self, v: View[CasinoState]) -> tuple[Action, ...]:
        """See ``Rules.legal``. The simplest action comes first."""
        s = v.state
        match s.phase:
            case "ready":
                return casino_round.legal_wishes(s, v.seat)
            case "draw" | "again":
                return casino_draw.legal_draws(s, v.seat)
            case "fill":
                return casino_switch.legal_fills(s)
            case "swap":
                return casino_switch.legal_swaps(v)
            case "keep":
                return casino_switch.legal_keeps(v)
            case "discard":
                return casino_discard.legal_discards(v)
            case _:
                return ()

    def deed(self, v: View[CasinoState], a: Action) -> Deed:
        """See ``Rules.deed``."""
        s = v.state
        if reason := _wrong_verb(s, v.seat, a.verb):
            raise IllegalAction(reason)
        deed = _deed(v, a)
        own = hand_of(v.seat)
        shown = {slot: v.hand[slot] for slot in [Slot(own, n) for n in deed.shown]} if deed.shown else {}
        if reason := _refused(s, v.seat, deed, shown):
            raise IllegalAction(reason)
        return deed

    def claims(self, s: CasinoState, seat: int, d: Deed) -> tuple[Claim, ...]:
        """None: all that a deed speaks of is public, or opened with it."""
        return ()

    def refuse(self, s: CasinoState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        """See ``Rules.refuse``."""
        return _wrong_verb(s, seat, d.verb) or _refused(s, seat, d, shown)

    def parse(self, s: CasinoState, text: str, labels: tuple[str, ...]) -> Action:
        """See ``Rules.parse``."""
        return parse_action(s.settings.deck, text, labels)

    def report(self, s: CasinoState) -> Report:
        """See ``Rules.report``. The hands that lie open are given by their cards, others by nothing."""
        turn = -1 if s.outcome else s.turn
        hands = {seat: " ".join(sorted_texts(s, _seen(s, seat))) for seat in range(s.seats)}
        facts: dict[str, Any] = {
            "exposed": {seat: hands[seat] if seat in s.exposed else "" for seat in hands},
            **{zone: " ".join(texts(s, s.table.slots(zone))) for zone in (POOL, PILE, TABLE)},
        }
        if s.dealer >= 0:
            facts["dealer"] = SeatFact(s.dealer)
        return Report(turn, s.books, casino_round.scores_of(s), facts)

    # --- scenarios ---

    def lay_out(self, s: CasinoState, own: Mapping[str, Any], labels: tuple[str, ...], pile: Pile) -> Layout:
        """``pool`` and ``pile`` name cards; ``books`` are numbers, or how many, those by name first."""
        public: dict[Zone, tuple[Face, ...]] = {}
        try:
            for zone in (POOL, PILE):
                public[zone] = pile.place(s.settings.deck.parse_all(_text(own, zone)))
            books = own.get("books", {})
            if not isinstance(books, Mapping):
                raise BadSetup(Message("books gives each seat a text or a number."))
            for seat, value in sorted(books.items(), key=lambda entry: isinstance(entry[1], int)):
                public[books_of(seat)] = _books(s.settings, value, pile)
        except InvalidCard as error:
            raise BadSetup(message_of(error)) from None
        return Layout(public)

    def spread(self, s: CasinoState, rest: tuple[Face, ...]) -> Mapping[Zone, tuple[Face, ...]]:
        """See ``Rules.spread``."""
        return {STOCK: rest}

    def arrange(
        self, s: CasinoState, table: Table, turn: int, own: Mapping[str, Any], labels: tuple[str, ...]
    ) -> Next:
        """See ``Rules.arrange``.

        The Dealer is the last seat where neither the key nor the option says otherwise. Open hands are
        opened, sets in the hands laid, then the turn begins. Of a round that is under way it is not known
        whether it took a card from the deck, so it burns none.
        """
        named = _seats(labels, [own["dealer"]] if "dealer" in own else [])
        chosen = s.settings.dealer if s.settings.dealer >= 0 else s.seats - 1
        dealer = named[0] if named else chosen
        exposed = _seats(labels, own.get("exposed", []))
        if dealer in exposed:
            raise BadSetup(Message("The Dealer's hand never lies open."))
        known = table.known
        books = []
        for seat in range(s.seats):
            laid = [known[slot][0] or "" for slot in table.slots(books_of(seat))]
            books.append(tuple(laid[::SET]))
        s = update(
            s,
            table=table,
            plan=(),
            books=tuple(books),
            dealer=dealer,
            turn=turn,
            exposed=tuple(sorted(exposed)),
            has_dug=turn != (dealer + 1) % s.seats,
        )
        opened = tuple([slot for seat in s.exposed for slot in hand_slots(s, seat)])
        if opened:
            return update(s, phase="arranged", plan=(Show(opened),)), ()
        return _run(update(s, phase="arranged"), ())


# --- the table of steps ---


def _deal(s: CasinoState, dealer: int) -> CasinoState:
    draw = deal(numbered(STOCK, s.table.size(STOCK)), s.seats, HAND)
    return update(s, phase=DEAL, plan=(Shuffle(STOCK), draw), dealer=dealer)


def _after_first(s: CasinoState, r: Result | None) -> Next:
    assert isinstance(r, Number)
    return _deal(s, r.value), ()


def _after_deal(s: CasinoState, _: Result | None) -> Next:
    return casino_settle.settle(s, casino_settle.gains_after_deal(s), "dealt")


def _after_arranging(s: CasinoState, _: Result | None) -> Next:
    return casino_settle.settle(s, casino_settle.gains_after_deal(s), "begun")


def _begin_arranged(s: CasinoState, _: Result | None) -> Next:
    return casino_round.begin_turn(s, s.turn)


def _run(s: CasinoState, events: Events) -> Next:
    while not s.plan and s.outcome is None:
        s, more = _STEPS[s.phase](s, None)
        if more:
            events = (*events, *more)
    return s, events


_STEPS: Mapping[str, Callable[[CasinoState, Result | None], Next]] = {
    "first": _after_first,
    DEAL: _after_deal,
    "arranged": _after_arranging,
    "begun": _begin_arranged,
    **casino_settle.STEPS,
    **casino_round.STEPS,
    **casino_draw.STEPS,
    **casino_switch.STEPS,
    **casino_discard.STEPS,
}

# --- deeds ---

_VERBS: Mapping[str, tuple[str, ...]] = {
    FILL: (FILL,),
    SWAP: (SWAP, KEEP),
    KEEP: (KEEP,),
}
"""What may be said in the steps that know only these."""


def _wrong_verb(s: CasinoState, seat: int, verb: str) -> Reason | None:
    """Whose decision it is, and whether it is one of this step."""
    op = s.plan[0] if s.plan else None
    if not isinstance(op, Choose) or seat not in op.seats:
        return Reason("not-your-turn")
    allowed = _VERBS.get(s.phase)
    if allowed is None or verb in allowed:
        return None
    return Reason("one-source") if verb in SOURCES else Reason("no-such-action", (verb,))


def _deed(v: View[CasinoState], a: Action) -> Deed:
    s = v.state
    match s.phase:
        case "ready":
            return casino_round.deed_of_wish(s, v.seat, a)
        case "draw" | "again":
            return casino_draw.deed_of_draw(s, a)
        case "fill":
            return casino_switch.deed_of_fill(s, a)
        case "swap":
            return casino_switch.deed_of_swap(v, a)
        case "keep":
            return casino_switch.deed_of_keep(v, a)
        case _:
            return casino_discard.deed_of_discard(v, a)


def _refused(s: CasinoState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
    match s.phase:
        case "ready":
            return casino_round.refuse_wish(s, seat, d)
        case "draw" | "again":
            return casino_draw.refuse_draw(s, seat, d)
        case "fill":
            return casino_switch.refuse_fill(s, d)
        case "swap":
            return casino_switch.refuse_swap(s, seat, d, shown)
        case "keep":
            return casino_switch.refuse_keep(s, seat, d)
        case _:
            return casino_discard.refuse_discard(s, d, shown)


# --- small facts ---


def _seen(s: CasinoState, seat: int) -> tuple[Slot, ...]:
    known = s.table.known
    return tuple([slot for slot in hand_slots(s, seat) if slot in known])


def _text(own: Mapping[str, Any], key: str) -> str:
    value = own.get(key, "")
    if not isinstance(value, str):
        raise BadSetup(Message("{key} is a text with cards.", key=key))
    return value


def _seats(labels: tuple[str, ...], names: Any) -> list[int]:
    if not isinstance(names, list):
        raise BadSetup(Message("exposed is a list of seats."))
    for name in names:
        if name not in labels:
            raise BadSetup(Message("There is no seat {name}.", name=name))
    return [labels.index(name) for name in names]


def _books(settings: Settings, value: Any, pile: Pile) -> tuple[Face, ...]:
    if isinstance(value, str):
        names = [settings.deck.parse_value(RANK, word) for word in value.split()]
    else:
        ranks = pile.untouched(RANK)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= len(ranks):
            raise BadSetup(
                Message("{value} books cannot be filled with ranks that are not named.", value=value)
            )
        names = list(ranks[len(ranks) - value :])
    return tuple([face for name in names for face in pile.take(Match(RANK, name), SET)])


__all__ = ["Casino"]
