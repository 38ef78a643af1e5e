"""One Fish Two Fish Red Fish Go Fish, with all options. Tags such as ``OF-END`` name the ruling that applies.

A turn: the asker names a seat and a number or a colour. Of a colour one card is given and shown; of a number
all are, their number shown and their colours left between the two. Whoever gets nothing picks a card from
the pond. After a hit a pair has to be laid and the turn goes on, after a miss one may be laid; then hands
that are empty take five new cards, and the game ends or a turn begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec

from ..cards import Deck, Face
from ..contract import (
    Action,
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
)
from ..table import (
    STOCK,
    Choose,
    Claim,
    Coin,
    Deed,
    Deeds,
    Disclose,
    Draw,
    HandOver,
    Holds,
    Match,
    Mix,
    Move,
    Number,
    Op,
    Result,
    Shown,
    Shuffle,
    Slot,
    Table,
    Zone,
    hand_of,
)
from .one_fish_options import HAND_SIZE, INFO, Settings, checked_options, deck_of, settings_of
from .one_fish_pairs import Lay, pairs_of, refused_pairs, slots_to_lay, ways_to_lay
from .one_fish_setup import stacks_of
from .one_fish_text import (
    ASKS,
    COLOUR,
    NUMBER,
    STAR,
    STAR_MATCH,
    VIA_STAR,
    is_star,
    lay_texts,
    pair_text,
    parse_ask,
    parse_lay,
    parse_pick,
)

ASK = "ask"
PICK = "pick"
LAY = "lay"
MAY_LAY = "lay or decline"
DECLINE = "decline"


class OneFishState(State, frozen=True):
    """Public facts of a game of One Fish.

    ``phase`` names the pending operation. ``turn`` is the asker, ``target``, ``match`` and ``via_star`` what
    was asked. ``fresh`` are the cards that came in last and are still in the hand, ``moving`` cards about to
    move. ``gainer`` is the seat whose hand is refilled or mixed, ``following`` whose turn comes next,
    ``idle`` counts asks in a row that failed with nothing to pick.
    """

    settings: Settings
    seats: int
    phase: str
    turn: int
    target: int = -1
    match: Match | None = None
    via_star: bool = False
    fresh: tuple[Slot, ...] = ()
    moving: tuple[Slot, ...] = ()
    gainer: int = 0
    following: int = -1
    idle: int = 0
    outcome: Outcome | None = None


Events: TypeAlias = tuple[Event, ...]
Next: TypeAlias = tuple[OneFishState, Events]

_with = msgspec.structs.replace


class OneFish:
    """The rules of One Fish. Has no state of its own."""

    info: GameInfo = INFO
    setup_keys = ("stacks",)
    expect_keys = ("stacks",)
    needs_turn = True

    def options(self, chosen: Mapping[str, str], seats: int) -> Mapping[str, str]:
        """See ``Rules.options``."""
        return checked_options(chosen, seats)

    def deck(self, options: Mapping[str, str]) -> Deck:
        """See ``Rules.deck``."""
        return deck_of(options)

    def start(self, options: Mapping[str, str], seats: int) -> OneFishState:
        """See ``Rules.start``."""
        settings = settings_of(options, seats)
        phase = "first" if settings.first < 0 else "shuffle"
        first = max(settings.first, 0)
        table = Table.stocked(len(settings.deck))
        return OneFishState(table, settings, seats, phase, first, following=first)

    def pending(self, s: OneFishState) -> Op | Outcome:
        """See ``Rules.pending``."""
        return _PENDING[s.phase](s)

    def resume(self, s: OneFishState, r: Result) -> Next:
        """See ``Rules.resume``."""
        return _RESUME[s.phase](s, r)

    def legal(self, v: View[OneFishState]) -> tuple[Action, ...]:
        """Asks for what is held (for anything with a star), places to pick from, or pairs to lay.

        To decline comes before all pairs, so that the first action does not tell whether there is one.
        """
        s = v.state
        if s.phase == ASK:
            return _legal_asks(v)
        if s.phase == PICK:
            return _picks(s.table.size(STOCK))
        lays = tuple([Action(LAY, cards=cards) for cards in ways_to_lay(_lay(s), v.hand)])
        return lays if s.phase == LAY else (Action(DECLINE), *lays)

    def deed(self, v: View[OneFishState], a: Action) -> Deed:
        """See ``Rules.deed``."""
        s = v.state
        if a.verb == LAY and s.phase in (LAY, MAY_LAY) and v.seat == s.turn:
            slots, refused = slots_to_lay(_lay(s), v.hand, a.cards)
            if refused:
                raise IllegalAction(refused)
            return Deed(LAY, shown=tuple([slot.n for slot in slots]))
        deed = Deed(a.verb, a.target, a.value.replace(VIA_STAR, STAR))
        reason = self.refuse(s, v.seat, deed, {}) or (Reason("malformed") if a.cards else None)
        if reason is None and s.phase == ASK:
            match, via_star = _asked(deed.value)
            wanted = STAR_MATCH if via_star else match
            if not any(v.deck.matches(face, wanted) for face in v.hand.values()):
                reason = Reason("no-star") if via_star else Reason("not-held", (deed.value,))
        if reason:
            raise IllegalAction(reason)
        return deed

    def claims(self, s: OneFishState, seat: int, d: Deed) -> tuple[Claim, ...]:
        """The asker holds a card of the number or colour; in a star ask, a star. Nothing else is proved."""
        if d.verb != ASK:
            return ()
        match, via_star = _asked(d.value)
        return (Holds(hand_of(seat), STAR_MATCH if via_star else match),)

    def refuse(self, s: OneFishState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        """See ``Rules.refuse``."""
        verbs = _VERBS.get(s.phase)
        if verbs is None or seat != s.turn:
            return Reason("not-your-turn")
        if d.verb == DECLINE and s.phase == LAY:
            return Reason("pair-owed")
        if d.verb not in verbs:
            return Reason("no-such-action", (d.verb,))
        if d.verb == ASK:
            return _refused_ask(s, d)
        if d.target != -1 or d.groups or (d.shown and d.verb != LAY) or (d.value and d.verb != PICK):
            return Reason("malformed")
        if d.verb == PICK:
            return _refused_pick(s, d.value)
        return _refused_lay(s, d, shown) if d.verb == LAY else None

    def parse(self, s: OneFishState, text: str, labels: tuple[str, ...]) -> Action:
        """See ``Rules.parse``."""
        verb = text.split()[:1]
        if [word.lower() for word in verb] == [PICK] or s.phase == PICK:
            return parse_pick(text)
        is_lay = verb and verb[0].lower() in (LAY, DECLINE)
        if is_lay or s.phase in (LAY, MAY_LAY):
            return parse_lay(s.settings.deck, text)
        return parse_ask(s.settings.deck, text, labels)

    def report(self, s: OneFishState) -> Report:
        """See ``Rules.report``. ``stacks``: how many cards each seat has laid."""
        turn = s.turn if s.phase in _VERBS else -1
        scores = _scores(s)
        books = tuple([_laid_pairs(s, seat) for seat in range(s.seats)])
        return Report(turn, books, scores, {"stacks": dict(enumerate(scores))})

    def lay_out(self, s: OneFishState, own: Mapping[str, Any], labels: tuple[str, ...], pile: Pile) -> Layout:
        """``stacks``: laid pairs (``B1+B3 R2+R6``), or how many cards; those by name first."""
        stacks = stacks_of(s.settings.deck, own.get("stacks", {}), pile)
        return Layout({books_of(seat): faces for seat, faces in stacks.items()})

    def spread(self, s: OneFishState, rest: tuple[Face, ...]) -> Mapping[Zone, tuple[Face, ...]]:
        """See ``Rules.spread``."""
        return {STOCK: rest}

    def arrange(
        self, s: OneFishState, table: Table, turn: int, own: Mapping[str, Any], labels: tuple[str, ...]
    ) -> Next:
        """See ``Rules.arrange``."""
        return _go_on(_with(s, table=table, turn=turn, following=turn), (Event("first", turn),))


def books_of(seat: int) -> Zone:
    """Where a seat's laid pairs lie."""
    return f"books.{seat}"


# --- what is pending --------------------------------------------------------------------------------------


def _deal(s: OneFishState) -> Op:
    order = [seat for _ in range(HAND_SIZE) for seat in range(s.seats)]
    return Draw(tuple(zip(s.table.slots(STOCK), order, strict=False)))


def _answer(s: OneFishState) -> Op:
    assert s.match is not None
    slots = s.table.slots(hand_of(s.target))
    if s.match.attribute == COLOUR:  # one is enough, and it will be laid
        return Disclose(s.target, slots, s.match, 1)
    return Disclose(s.target, slots, s.match, None, (NUMBER,))


def _take(s: OneFishState) -> Op:
    assert s.match is not None
    is_shown = s.match.attribute == COLOUR
    return Move(s.moving, hand_of(s.turn)) if is_shown else HandOver(s.moving, s.turn)


def _reveal(s: OneFishState) -> Op:
    assert s.match is not None
    return Disclose(s.turn, s.fresh, s.match)


def _over(s: OneFishState) -> Outcome:
    assert s.outcome is not None
    return s.outcome


_PENDING: Mapping[str, Callable[[OneFishState], Op | Outcome]] = {
    "first": lambda s: Coin(s.seats),
    "shuffle": lambda _: Shuffle(STOCK),
    "deal": _deal,
    ASK: lambda s: Choose((s.turn,), ASK),
    "answer": _answer,
    "take": _take,
    PICK: lambda s: Choose((s.turn,), PICK),
    "draw": lambda s: Draw(((s.moving[0], s.turn),)),
    "reveal": _reveal,
    # Which pairs there are is hidden, so both are answered after a fixed time.
    LAY: lambda s: Choose((s.turn,), LAY, delayed=True),
    MAY_LAY: lambda s: Choose((s.turn,), MAY_LAY, delayed=True),
    "stack": lambda s: Move(s.moving, books_of(s.turn)),
    "mix": lambda s: Mix(hand_of(s.gainer)),
    "refill": lambda s: Draw(tuple([(slot, s.gainer) for slot in s.table.slots(STOCK)[:HAND_SIZE]])),
    "over": _over,
}

_VERBS: Mapping[str, tuple[str, ...]] = {ASK: (ASK,), PICK: (PICK,), LAY: (LAY,), MAY_LAY: (LAY, DECLINE)}
"""What may be done in the phases in which a seat decides."""

# --- what follows -----------------------------------------------------------------------------------------


def _after_first(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Number)
    return _with(s, phase="shuffle", turn=r.value, following=r.value), ()


def _after_shuffle(s: OneFishState, _: Result) -> Next:
    return _with(s, phase="deal"), ()


def _after_deal(s: OneFishState, _: Result) -> Next:
    """Nothing is laid at the deal (OF-NOSPONT)."""
    return _go_on(s, (Event("first", s.turn),))


def _after_ask(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    ((seat, deed),) = r.deeds
    match, via_star = _asked(deed.value)
    words = tuple(deed.value.replace(STAR, VIA_STAR).split())
    s = _with(s, phase="answer", target=deed.target, match=match, via_star=via_star, fresh=())
    return s, (Event(ASK, seat, deed.target, words),)


def _after_answer(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Shown)
    deck = s.settings.deck
    if r.slots:
        words = tuple([deck.text(face) for face in r.faces])
        return _with(s, phase="take", moving=r.slots, idle=0), (Event("give", s.target, words=words),)
    if s.table.size(STOCK):
        return _with(s, phase=PICK, idle=0), (Event("go fish", s.target),)
    s = _with(s, following=(s.turn + 1) % s.seats, idle=s.idle + 1)
    return _go_on(s, (Event("none", s.target),))


def _after_take(s: OneFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.turn))[-len(s.moving) :]
    return _with(s, phase=LAY, following=s.turn, fresh=fresh), ()


def _after_pick(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    ((_, deed),) = r.deeds
    return _with(s, phase="draw", moving=(s.table.slots(STOCK)[int(deed.value) - 1],)), ()


def _after_draw(s: OneFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.turn))[-1:]
    return _with(s, phase="reveal", fresh=fresh), (Event("draw", s.turn),)


def _after_reveal(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Shown)
    if not r.slots:
        return _with(s, phase=MAY_LAY, following=(s.turn + 1) % s.seats), ()
    words = (s.settings.deck.text(r.faces[0]),)
    return _with(s, phase=LAY, following=s.turn), (Event("show", s.turn, words=words),)


def _after_lay(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    if not r.slots:
        return _mixed(s, s.turn, (Event(DECLINE, s.turn),))
    faces = [tuple([value or "" for value in face]) for face in r.faces]
    words = lay_texts(s.settings.deck, zip(faces[::2], faces[1::2], strict=True))
    fresh = tuple([slot for slot in s.fresh if slot not in r.slots])
    return _with(s, phase="stack", moving=r.slots, fresh=fresh), (Event(LAY, s.turn, words=words),)


def _after_stack(s: OneFishState, _: Result) -> Next:
    return _mixed(s, s.turn, ())


def _after_refill(s: OneFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.gainer))
    events = (Event("refill", s.gainer, words=(str(len(fresh)),)),)
    return _mixed(_with(s, fresh=fresh), s.gainer, events)


def _mixed(s: OneFishState, seat: int, events: Events) -> Next:
    """A hand that still holds a card that came in is mixed."""
    if s.fresh and s.table.size(hand_of(seat)) > 1:
        return _with(s, phase="mix", gainer=seat), events
    return _go_on(s, events)


def _after_mix(s: OneFishState, _: Result) -> Next:
    return _go_on(s, ())


def _go_on(s: OneFishState, events: Events) -> Next:
    """Refills, the asker first (OF-GIVEAWAY), the end test (OF-END), and whose turn it is."""
    size = s.table.size
    if size(STOCK):
        for seat in _clockwise(s.seats, s.turn):
            if not size(hand_of(seat)):
                return _with(s, phase="refill", gainer=seat), events
    holders = [seat for seat in _clockwise(s.seats, s.following) if size(hand_of(seat))]
    if not holders:
        return _end(s, "all-laid", events)
    if len(holders) == 1:
        return _end(s, "nobody-to-ask", events)
    if s.idle >= s.settings.patience:
        return _end(s, "no-progress", events)
    return _with(s, phase=ASK, turn=holders[0], following=holders[0], fresh=()), events


def _end(s: OneFishState, reason: str, events: Events) -> Next:
    scores = _scores(s)
    winners = tuple([seat for seat in range(s.seats) if scores[seat] == max(scores)])  # OF-TIE
    s = _with(s, phase="over", outcome=Outcome(reason, scores, winners))
    return s, (*events, Event("over", words=(reason,)))


_RESUME: Mapping[str, Callable[[OneFishState, Result], Next]] = {
    "first": _after_first,
    "shuffle": _after_shuffle,
    "deal": _after_deal,
    ASK: _after_ask,
    "answer": _after_answer,
    "take": _after_take,
    PICK: _after_pick,
    "draw": _after_draw,
    "reveal": _after_reveal,
    LAY: _after_lay,
    MAY_LAY: _after_lay,
    "stack": _after_stack,
    "mix": _after_mix,
    "refill": _after_refill,
}

# --- decisions --------------------------------------------------------------------------------------------


def _asked(value: str) -> tuple[Match, bool]:
    """What an ask is for, and whether a star is used; ``KeyError`` for what may not be asked for."""
    via_star = value.endswith(STAR)
    return ASKS[value.removesuffix(STAR)], via_star


def _legal_asks(v: View[OneFishState]) -> tuple[Action, ...]:
    s = v.state
    targets = [t for t in _clockwise(s.seats, v.seat)[1:] if s.table.size(hand_of(t))]
    faces = v.hand.values()
    held = {value for face in set(faces) for value in face}
    words = [word for word, match in ASKS.items() if match.value in held]
    if any(is_star(face) for face in faces):
        words += [word + VIA_STAR for word in ASKS]
    return tuple([Action(ASK, target, word) for target in targets for word in words])


@lru_cache(maxsize=64)
def _picks(size: int) -> tuple[Action, ...]:
    return tuple([Action(PICK, value=str(n)) for n in range(1, size + 1)])


def _refused_ask(s: OneFishState, d: Deed) -> Reason | None:
    if not 0 <= d.target < s.seats:
        return Reason("no-such-seat")
    if d.target == s.turn:
        return Reason("own-seat")
    if not s.table.size(hand_of(d.target)):
        return Reason("no-cards")
    value = d.value.removesuffix(STAR)
    if value not in ASKS:
        if d.value and not d.value.strip(STAR):  # OF-STARASK
            return Reason("star-asked")
        is_card = value in s.settings.card_texts
        return Reason("two-attributes" if is_card else "no-such-value", (value,))
    return Reason("malformed") if d.groups or d.shown else None


def _refused_pick(s: OneFishState, value: str) -> Reason | None:
    # A pond has fewer than a hundred cards; one number has one text.
    is_number = value.isascii() and value.isdecimal() and len(value) < 3 and value[0] != "0"
    if is_number and int(value) <= s.table.size(STOCK):
        return None
    return Reason("no-such-place", (value, str(s.table.size(STOCK))))


def _lay(s: OneFishState) -> Lay:
    wanted = s.match if s.phase == LAY else None
    return Lay(s.settings.deck, s.fresh, wanted, s.via_star and s.phase == LAY)


def _refused_lay(s: OneFishState, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
    slots = [Slot(hand_of(s.turn), n) for n in d.shown]
    is_whole = bool(slots) and len(slots) % 2 == 0 and len(set(slots)) == len(slots)
    if not is_whole or not all(slot in shown for slot in slots):
        return Reason("malformed")
    return refused_pairs(_lay(s), pairs_of(slots), shown)


# --- small facts ------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _clockwise(seats: int, first: int) -> tuple[int, ...]:
    return tuple([(first + n) % seats for n in range(seats)])


def _scores(s: OneFishState) -> tuple[int, ...]:
    return tuple([s.table.size(books_of(seat)) for seat in range(s.seats)])


def _laid_pairs(s: OneFishState, seat: int) -> tuple[str, ...]:
    known = s.table.known
    laid = [tuple([value or "" for value in known[slot]]) for slot in s.table.slots(books_of(seat))]
    pairs = zip(laid[::2], laid[1::2], strict=True)
    return tuple([pair_text(s.settings.deck, a, b) for a, b in pairs])
