"""One Fish Two Fish Red Fish Go Fish, with all options. Tags such as ``OF-END`` name the ruling that applies.

A turn: the asker names a seat and a number or a colour. Of a colour one card is given and shown; of a number
all are, their number shown and their colours left between the two. Whoever gets nothing picks a card from
the pond. After a hit a pair has to be laid and the turn goes on, after a miss one may be laid; then hands
that are empty take five new cards, and the game ends or a turn begins. ``one_fish_steps`` has these steps;
here are the decisions of the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

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
    View,
)
from ..table import (
    STOCK,
    Claim,
    Deed,
    Holds,
    Op,
    Result,
    Slot,
    Table,
    Zone,
    hand_of,
)
from .asking import ASK, refused_target, targets_of, update
from .one_fish_options import INFO, checked_options, deck_of, settings_of
from .one_fish_pairs import Lay, pairs_of, refused_pairs, slots_to_lay, ways_to_lay
from .one_fish_setup import stacks_of
from .one_fish_state import (
    DECLINE,
    LAY,
    MAY_LAY,
    PICK,
    VERBS,
    Next,
    OneFishState,
    asked,
    laid_pairs,
    scores_of,
)
from .one_fish_steps import PENDING, RESUME, go_on, leave
from .one_fish_text import STAR, STAR_MATCH, VIA_STAR, asks_of, is_star, parse_ask, parse_lay, parse_pick
from .seats import books_of


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
        return OneFishState(table, seats, phase, first, settings=settings, following=first)

    def pending(self, s: OneFishState) -> Op | Outcome:
        """See ``Rules.pending``."""
        return PENDING[s.phase](s)

    def resume(self, s: OneFishState, r: Result) -> Next:
        """See ``Rules.resume``."""
        return RESUME[s.phase](s, r)

    def leave(self, s: OneFishState, seats: tuple[int, ...]) -> Next:
        """See ``Rules``: the leavers' cards go back into the pond."""
        return leave(s, seats)

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
            match, via_star = asked(deed.value)
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
        match, via_star = asked(d.value)
        return (Holds(hand_of(seat), STAR_MATCH if via_star else match),)

    def refuse(self, s: OneFishState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        """See ``Rules.refuse``."""
        verbs = VERBS.get(s.phase)
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
        turn = s.turn if s.phase in VERBS else -1
        scores = scores_of(s)
        books = tuple([laid_pairs(s, seat) for seat in range(s.seats)])
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
        return go_on(update(s, table=table, turn=turn, following=turn), (Event("first", turn),))


# --- decisions --------------------------------------------------------------------------------------------


def _legal_asks(v: View[OneFishState]) -> tuple[Action, ...]:
    s = v.state
    faces = v.hand.values()
    held = {value for face in set(faces) for value in face}
    asks = asks_of(s.settings.deck)
    words = [word for word, match in asks.items() if match.value in held]
    if any(is_star(face) for face in faces):
        words += [word + VIA_STAR for word in asks]
    return tuple([Action(ASK, target, word) for target in targets_of(s, v.seat) for word in words])


@lru_cache(maxsize=64)
def _picks(size: int) -> tuple[Action, ...]:
    return tuple([Action(PICK, value=str(n)) for n in range(1, size + 1)])


def _refused_ask(s: OneFishState, d: Deed) -> Reason | None:
    if refused := refused_target(s, s.turn, d.target):
        return refused
    value = d.value.removesuffix(STAR)
    if value not in asks_of(s.settings.deck):
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
