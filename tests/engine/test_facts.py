"""Public knowledge is a lower bound that is always true. Whole games are compared in engine.testing."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Face
from engine.deck_files import load_deck
from engine.facts import Facts, FoldedFacts
from engine.sight import with_private
from engine.table import (
    Choose,
    Claim,
    Deeds,
    Disclose,
    Done,
    Draw,
    HandOver,
    Holds,
    Match,
    Mix,
    Move,
    Op,
    Partial,
    Result,
    Show,
    Shown,
    Slot,
    Table,
)
from engine.testing import _describes

DECK = load_deck("standard")
NINE = Match("rank", "9")


class Known:
    """Facts kept in step with a table."""

    def __init__(self, **sizes: int) -> None:
        self.table = Table.laid_out({"stock": 5, **{f"hand.{k[1:]}": v for k, v in sizes.items()}}, {})
        self.facts = Facts(DECK, self.table)

    def do(self, op: Op, result: Result | None = None, claims: Sequence[Claim] = ()) -> None:
        result = result or Done()
        table = self.table.after(op, result)
        self.facts = self.facts.after(op, result, claims)
        self.table = table

    def show(self, zone: str, n: int, text: str) -> None:
        slots = (Slot(zone, n),)
        self.do(Show(slots), Shown(slots, (DECK.parse(text),)))

    def deny(self, seat: int, match: Match) -> None:
        self.do(Disclose(seat, self.table.slots(f"hand.{seat}"), match), Shown((), ()))

    def claim(self, zone: str, match: Match) -> None:
        self.do(Choose((0,), "ask"), Deeds(()), [Holds(zone, match)])

    def held(self, zone: str) -> str:
        return " ".join(map(DECK.text, self.facts.held(zone)))


def test_knowledge_outlives_a_mix() -> None:
    known = Known(p0=3)
    known.show("hand.0", 1, "9C")
    known.do(Mix("hand.0"))
    assert known.held("hand.0") == "9C"
    assert known.table.known == {}


def test_a_card_shown_again_is_counted_once() -> None:
    known = Known(p0=3)
    known.show("hand.0", 1, "9C")
    known.do(Mix("hand.0"))
    known.show("hand.0", 2, "9C")
    assert known.held("hand.0") == "9C"
    known.do(Move((Slot("hand.0", 2),), "books.0"))
    assert (known.held("hand.0"), known.held("books.0")) == ("", "9C")


def test_a_claim_adds_what_is_not_known_yet() -> None:
    known = Known(p0=4)
    known.claim("hand.0", NINE)
    known.claim("hand.0", NINE)
    assert known.held("hand.0") == "9?"
    known.show("hand.0", 0, "9C")
    assert known.held("hand.0") == "9C"


def test_the_most_specific_element_is_the_shown_card() -> None:
    known = Known(p0=4)
    known.show("hand.0", 0, "9C")
    known.do(Mix("hand.0"))
    known.show("hand.0", 0, "9D")
    known.do(Mix("hand.0"))
    assert known.held("hand.0") == "9C 9D"
    known.show("hand.0", 3, "9D")
    known.do(Move((Slot("hand.0", 3),), "hand.1"))
    assert (known.held("hand.0"), known.held("hand.1")) == ("9C", "9D")


def test_of_a_known_card_and_another_of_its_rank_the_other_stays_known() -> None:
    known = Known(p0=4)
    known.show("hand.0", 0, "9C")
    slots = (Slot("hand.0", 1),)
    known.do(Show(slots, ("rank",)), Shown(slots, (("9", None),)))
    known.do(Mix("hand.0"))
    assert known.held("hand.0") == "9C 9?"
    known.show("hand.0", 3, "9C")
    known.do(Move((Slot("hand.0", 3),), "hand.1"))
    assert known.held("hand.0") == "9?"


def test_a_claim_about_a_card_that_may_be_a_known_one_adds_nothing() -> None:
    known = Known(p0=3)
    slots = known.table.slots("hand.0")[:1]
    known.do(Show(slots, ("suit",)), Shown(slots, ((None, "C"),)))
    known.claim("hand.0", NINE)
    assert known.held("hand.0") == "?C"


def test_elements_that_may_be_one_card_are_not_counted_twice() -> None:
    """A hand known to hold a nine and a club shows the nine of clubs: no other card is certain then."""
    known = Known(p0=3)
    slots = known.table.slots("hand.0")
    known.do(Show(slots[:1], ("suit",)), Shown(slots[:1], ((None, "C"),)))
    known.do(Show(slots[1:2], ("rank",)), Shown(slots[1:2], (("9", None),)))
    known.do(Mix("hand.0"))
    assert known.held("hand.0") == "9? ?C"
    known.show("hand.0", 0, "9C")
    assert known.held("hand.0") == "9C"


def test_a_hidden_card_that_leaves_takes_certainty_along() -> None:
    known = Known(p0=4, p1=0)
    for n in (0, 1):
        slots = (Slot("hand.0", n),)
        known.do(Show(slots, ("rank",)), Shown(slots, (("2", None),)))
    known.show("hand.0", 2, "9C")
    known.do(Mix("hand.0"))
    known.do(HandOver((Slot("hand.0", 1),), 1))
    assert (known.held("hand.0"), known.held("hand.1")) == ("2?", "")


def test_a_denial_stands_until_a_card_comes_in_that_may_match() -> None:
    known = Known(p0=2, p1=2)
    known.deny(0, NINE)
    known.deny(0, Match("rank", "K"))
    assert known.facts.denied("hand.0") == (NINE, Match("rank", "K"))
    known.show("hand.1", 0, "9C")
    known.do(Move((Slot("hand.1", 0),), "hand.0"))
    assert known.facts.denied("hand.0") == (Match("rank", "K"),)
    known.do(Draw(((Slot("stock", 0), 0),)))
    assert known.facts.denied("hand.0") == ()


def test_after_all_were_given_there_are_none() -> None:
    known = Known(p0=3)
    slots = (Slot("hand.0", 1),)
    known.do(Disclose(0, known.table.slots("hand.0"), NINE), Shown(slots, (("9", "C"),)))
    assert known.facts.denied("hand.0") == ()
    known.do(Move(slots, "hand.1"))
    assert known.facts.denied("hand.0") == (NINE,)


def test_one_of_several_given_denies_nothing() -> None:
    known = Known(p0=3)
    slots = (Slot("hand.0", 1),)
    known.do(Disclose(0, known.table.slots("hand.0"), NINE, 1), Shown(slots, (("9", "C"),)))
    known.do(Move(slots, "hand.1"))
    assert known.facts.denied("hand.0") == ()


def test_an_answer_about_one_card_says_nothing_of_the_hand() -> None:
    known = Known(p0=3)
    known.do(Disclose(0, (Slot("hand.0", 2),), NINE), Shown((), ()))
    assert known.facts.denied("hand.0") == ()


STEPS = st.lists(
    st.tuples(st.sampled_from(["mix", "rank", "suit", "both", "pass", "move", "holds"]), st.randoms())
)


@given(st.lists(st.sampled_from(DECK.faces[:8]), min_size=4, max_size=7), STEPS)
def test_whatever_happens_what_is_known_is_true(cards: list[Face], steps: list[tuple[str, object]]) -> None:
    """Random showing, mixing and passing on between two hands, few faces so that many look alike."""
    known = Known(p0=len(cards), p1=0)
    truth: dict[Slot, Face] = dict(zip(known.table.slots("hand.0"), cards, strict=True))
    for step, random in steps:
        for zone, other in (("hand.0", "hand.1"), ("hand.1", "hand.0")):
            slots = known.table.slots(zone)
            if not slots:
                continue
            slot = random.choice(slots)
            _step(known, truth, step, slot, other, random)
            assert _describes(known.facts.held(zone), [truth[s] for s in known.table.slots(zone)])
            assert _describes(known.facts.held(other), [truth[s] for s in known.table.slots(other)])


def _step(known: Known, truth: dict[Slot, Face], step: str, slot: Slot, other: str, random: object) -> None:
    zone, face = slot.zone, truth[slot]
    if step == "mix":
        faces = [truth.pop(s) for s in known.table.slots(zone)]
        random.shuffle(faces)
        known.do(Mix(zone))
        truth.update(zip(known.table.slots(zone), faces, strict=True))
    elif step in ("pass", "move"):
        op: Op = HandOver((slot,), int(other[-1])) if step == "pass" else Move((slot,), other)
        ((_, new),) = known.table.relocations(op)
        known.do(op)
        truth[new] = truth.pop(slot)
    elif step == "holds":
        known.claim(zone, Match("rank", face[0]))
    else:
        shown: Partial = (face[0] if step != "suit" else None, face[1] if step != "rank" else None)
        known.do(Show((slot,)), Shown((slot,), (shown,)))


def test_facts_folded_late_are_the_same() -> None:
    early = Known(p0=3)
    late = FoldedFacts.of(early.facts)
    chain = [late]
    for op, result in [
        (Show((Slot("hand.0", 1),)), Shown((Slot("hand.0", 1),), (("9", "C"),))),
        (Mix("hand.0"), Done()),
        (Disclose(0, tuple(Slot("hand.0", n) for n in range(3)), Match("rank", "K")), Shown((), ())),
    ]:
        early.do(op, result)
        chain.append(FoldedFacts(chain[-1], op, result, ()))
    assert chain[-1].value.all_held() == early.facts.all_held() == {"hand.0": (("9", "C"),)}
    assert chain[-1].value.all_denied() == early.facts.all_denied()
    assert chain[1].value.all_held() == {"hand.0": (("9", "C"),)}
    assert chain[-1].before is None


def test_what_a_seat_knows_beside_the_public_is_counted_once() -> None:
    """The card that the seat knows may be either of two that the public knows in part (from `make soak`)."""
    deck = load_deck("one_fish")
    known = with_private({"hand.1": (("2", None), (None, "R"))}, [("hand.1", ("2", "R"))], deck)
    assert known["hand.1"] == (("2", "R"),)
