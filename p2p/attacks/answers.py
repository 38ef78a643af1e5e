"""Lies about a hand in Go Fish and One Fish: asks, answers, the card that was drawn, and books.

The rows are those of the claim table of the design; ``CHEATS.md`` 22 to 24, rules PP-01 to PP-06.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from engine.table import Choose, Complete, Deed, Disclose, Holds, Slot

from ..deal import Task
from ..deal.giving import Giver
from ..log.codec import encode, pack, unpack
from ..sim import small_pack
from .base import SEATS, Attack, Change, Lie
from .judging import lie
from .liar import at, bent, held, honest, with_false_claims

LITTLE: Final = {"ranks": "3", "hand_size": "2"}
"""Twelve cards: most hands lack a rank, and a game is short."""
CARDS: Final = {**LITTLE, "ask_mode": "card"}
NOT_OWN: Final = {**CARDS, "allow_ask_own_card": "false"}
SHORT: Final = {"ranks": "5", "hand_size": "4"}
"""Twenty cards in groups of four: hands grow, and groups are completed in every way."""
ONE: Final = {**SHORT, "give_amount": "one"}
DEALT: Final = {"ranks": "3", "suits": "3", "book_size": "2", "hand_size": "2"}
"""Pairs: one is dealt in many games."""
REFILLS: Final = {**DEALT, "end_mode": "all_books", "refill_count": "5", "ranks": "5"}
TWO_GROUPS: Final = {"ranks": "4", "suits": "4", "book_size": "2", "hand_size": "4"}
FISH: Final = small_pack("one-fish", SEATS)

GO_FISH: Final = "go-fish"
ONE_FISH: Final = "one-fish"
NUMBER: Final = ("number",)
BOTH: Final = {GO_FISH: LITTLE, ONE_FISH: FISH}

# --- asks ---------------------------------------------------------------------------------------------------


def not_held(giver: Giver, deed: Deed) -> Deed | None:
    """An ask for a value that the liar does not hold and the rules would let it ask for."""
    seat, deck = giver.place.seat, giver.dealing.deck
    for attribute in deck.attributes:
        for value in attribute.values:
            asked = replace(deed, value=value)
            if giver.position.refuse(seat, asked) is not None:
                continue
            for claim in giver.position.claims(seat, asked):
                assert isinstance(claim, Holds)
                if not any(deck.matches(face, claim.match) for face in held(giver).values()):
                    return asked
    return None


def asking(change: Callable[[Giver, Task, Deed], bytes | None]) -> Lie:
    """``change(giver, task, deed)`` at an ask."""

    def tell(giver: Giver, task: Task, number: int, deed: Any) -> bytes | None:
        if not isinstance(task, Choose) or deed is None or deed.verb != "ask":
            return None
        return change(giver, task, deed)

    return tell


def _not_held(giver: Giver, task: Task, deed: Deed) -> bytes | None:
    asked = not_held(giver, deed)
    return None if asked is None else with_false_claims(giver, task, 0, asked)


def _with_other_proof(giver: Giver, task: Task, deed: Deed) -> bytes | None:
    asked = not_held(giver, deed)
    proof = unpack(honest(giver, task, 0, deed))[2]
    return None if asked is None else pack([encode(asked), b"", proof])


def _card_not_held(giver: Giver, task: Task, deed: Deed) -> bytes | None:
    ranks = {face[0] for face in held(giver).values()}
    deck = giver.dealing.deck
    for face in deck.faces:
        asked = replace(deed, value=deck.text(face))
        if face[0] not in ranks and giver.position.refuse(giver.place.seat, asked) is None:
            return with_false_claims(giver, task, 0, asked)
    return None


def _own_card(giver: Giver, task: Task, deed: Deed) -> bytes | None:
    card = giver.dealing.deck.text(next(iter(held(giver).values())))
    true = unpack(honest(giver, task, 0, deed))[2]
    false = unpack(with_false_claims(giver, task, 0, replace(deed, value=card)))
    rank_too = giver.dealing.deck.parse(card)[0] == giver.dealing.deck.parse(deed.value)[0]
    return pack([false[0], b"", true, false[3]]) if rank_too else None


def _asked(change: Callable[[Giver, Deed], Deed]) -> Lie:
    """The honest proof under another deed."""
    return asking(
        lambda g, task, deed: pack([encode(change(g, deed)), *unpack(honest(g, task, 0, deed))[1:]])
    )


ASKS: Final = (
    lie(
        "ask-not-held",
        "Asks for a rank or number of which it holds no card, with a proof that looks like one.",
        "CHEATS 24, PP-03",
        BOTH,
        asking(_not_held),
        says="holds",
    ),
    lie(
        "ask-without-proof",
        "Asks and sends no proof that it holds such a card.",
        "CHEATS 24, PP-03",
        BOTH,
        asking(lambda giver, task, deed: pack([encode(deed), b""])),
        says="1 claims are owed, 0 proofs came",
    ),
    lie(
        "ask-with-other-proof",
        "Asks for one value and proves that it holds another.",
        "CHEATS 14, 25",
        BOTH,
        asking(_with_other_proof),
        says="holds",
    ),
    lie(
        "ask-card-not-held",
        "Asks for a card of a rank that it does not hold.",
        "CHEATS 24, PP-03",
        {GO_FISH: CARDS},
        asking(_card_not_held),
        says="holds",
    ),
    lie(
        "ask-own-card",
        "Asks for a card of its own where the table has forbidden that.",
        "CHEATS 24",
        {GO_FISH: NOT_OWN},
        asking(_own_card),
        says="lacks",
    ),
    lie(
        "ask-without-second-proof",
        "Proves that it holds the rank, and not that the card is not its own.",
        "CHEATS 24",
        {GO_FISH: NOT_OWN},
        asking(lambda giver, task, deed: pack(unpack(honest(giver, task, 0, deed))[:3])),
        says="2 claims are owed, 1 proofs came",
    ),
    *(
        lie(f"ask-{name}", f"Asks {what}.", source, BOTH, _asked(change), says=says)
        for name, what, source, change, says in (
            ("itself", "itself", "GF-SELF, B1", lambda g, d: replace(d, target=g.place.seat), "rules refuse"),
            ("nobody", "a seat that is not there", "B10", lambda g, d: replace(d, target=5), "rules refuse"),
            ("negative-seat", "seat -2", "B10", lambda g, d: replace(d, target=-2), "rules refuse"),
            (
                "no-value",
                "for a rank that no card has",
                "B12",
                lambda g, d: replace(d, value="19"),
                "rules refuse",
            ),
            (
                "other-spelling",
                "for a value in another spelling, which some would read as it is meant",
                "B12",
                lambda g, d: replace(d, value=f" {d.value}"),
                "rules refuse",
            ),
            (
                "with-groups",
                "and hides the numbers of cards in it",
                "CHEATS 37",
                lambda g, d: replace(d, groups=((0,),)),
                "rules refuse",
            ),
            (
                "no-action",
                "for what is no action",
                "B10",
                lambda g, d: replace(d, verb="give"),
                "rules refuse",
            ),
        )
    ),
    lie(
        "decision-no-deed",
        "Sends bytes that are no deed where it has to decide.",
        "CHEATS 37",
        BOTH,
        asking(lambda giver, task, deed: pack([b"\x93\x01\x02\x03", b""])),
        says="not a valid deed",
    ),
    lie(
        "decision-empty",
        "Sends nothing at all where it has to decide.",
        "CHEATS 37, B10",
        BOTH,
        asking(lambda giver, task, deed: pack([])),
        says="a deed, an opening and its claims",
    ),
)

# --- answers ------------------------------------------------------------------------------------------------


def asked_for(giver: Any, task: Disclose) -> list[Slot]:
    """The cards that the liar has to give."""
    hand, deck = held(giver), giver.dealing.deck
    return [slot for slot in task.slots if deck.matches(hand[slot], task.match)]


def answering(change: Change, least: int = 0, most: int = 99, *, owes_all: bool = False, **only: Any) -> Lie:
    """At an answer to an ask, for so many cards: ``change(giver, task, deed, body)``.

    ``owes_all``: where one card is not enough; ``only`` may name the ``attributes`` that are shown.
    """

    def changed(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
        is_answer = task.seat != giver.position.state.turn
        fits = task.attributes == only.get("attributes", task.attributes) and not (owes_all and task.most)
        if not is_answer or not fits or not least <= len(asked_for(giver, task)) <= most:
            return None
        return change(giver, task, deed, body)

    return at(Disclose, changed)


def revealing(change: Change, least: int = 0, most: int = 99) -> Lie:
    """The same at the look at a drawn card."""

    def changed(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
        is_reveal = task.seat == giver.position.state.turn
        if not is_reveal or not least <= len(asked_for(giver, task)) <= most:
            return None
        return change(giver, task, deed, body)

    return at(Disclose, changed)


def gives(numbers: Callable[[Giver, Disclose], Sequence[int] | None]) -> Change:
    """An answer that gives the cards of these numbers, its claims imitated; ``None`` where there are none
    such."""

    def change(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
        given = numbers(giver, task)
        if given is None:
            return None
        return with_false_claims(giver, task, 0, Deed("give", groups=(tuple(given),) if given else ()))

    return change


def _one_of_two(giver: Giver, task: Disclose) -> Sequence[int]:
    return [slot.n for slot in asked_for(giver, task)[1:]]


def _one_more(giver: Giver, task: Disclose) -> Sequence[int] | None:
    own = asked_for(giver, task)
    other = [slot for slot in task.slots if slot not in own]
    return [slot.n for slot in (*own, other[0])] if other else None


def _groups(numbers: Callable[[int], tuple[int, ...]]) -> Change:
    """Other numbers of cards than those that are opened."""
    return lambda giver, task, deed, body: pack(
        [encode(Deed("give", groups=(numbers(asked_for(giver, task)[0].n),))), *unpack(body)[1:]]
    )


def _without_proofs(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    parts = unpack(body)
    return pack(parts[:2]) if len(parts) > 2 else None


def _as_wanted(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
    """A card opened with its share bent so that it opens to the value that was asked for."""
    attribute = task.match.attribute
    if not attribute or not task.slots:
        return None
    dealing, group, at_ = giver.dealing, giver.dealing.group, giver.dealing.deck.at(attribute)
    points, slot = dealing.points.points[at_], task.slots[0]
    true = held(giver)[slot][at_]
    cipher = dealing.cards[slot][at_]
    deed_bytes, opening, *claims = unpack(
        with_false_claims(giver, task, 0, Deed("give", groups=((slot.n,),)))
    )
    share = group.mul(giver.secrets.card_key, cipher.a)
    if opening.count(share) != 1:
        return None
    false = group.add(share, group.sub(points[true], points[task.match.value]))
    return pack([deed_bytes, opening.replace(share, false), *claims])


def _opens(*attributes: str) -> Change:
    def change(giver: Giver, task: Disclose, deed: Deed, body: bytes) -> bytes | None:
        other = honest(giver, replace(task, attributes=attributes), 0, deed)
        return pack([unpack(body)[0], unpack(other)[1], *unpack(body)[2:]])

    return change


def bends_opening(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    """The honest body with the first share of its opening bent."""
    parts = unpack(body)
    return pack([parts[0], bent(giver, parts[1]), *parts[2:]]) if parts[1] else None


ANSWERS: Final = (
    lie(
        "false-go-fish",
        "Says that it holds no such card, and holds one.",
        "CHEATS 24, PP-01",
        BOTH,
        answering(gives(lambda giver, task: ()), 1),
        says="lacks",
    ),
    lie(
        "false-go-fish-card",
        "Says that it does not hold the card that was named, and holds it.",
        "CHEATS 24, PP-01",
        {GO_FISH: CARDS},
        answering(gives(lambda giver, task: ()), 1),
        says="lacks",
    ),
    lie(
        "false-go-fish-one",
        "Denies at a table where one card of several is given.",
        "CHEATS 24, PP-01",
        {GO_FISH: ONE},
        answering(gives(lambda giver, task: ()), 1),
        says="lacks",
    ),
    lie(
        "false-go-fish-number",
        "Says that it holds no card of a number, and holds one.",
        "CHEATS 24, PP-01",
        {ONE_FISH: FISH},
        answering(gives(lambda giver, task: ()), 1, attributes=NUMBER),
        says="lacks",
    ),
    lie(
        "go-fish-without-proof",
        'Says "go fish" truly, and proves nothing.',
        "CHEATS 24, PP-01",
        BOTH,
        answering(_without_proofs, 0, 0),
        says="1 claims are owed, 0 proofs came",
    ),
    lie(
        "withheld-second-card",
        "Gives one card of two and says that those are all.",
        "CHEATS 24, PP-02, B17",
        {GO_FISH: SHORT, ONE_FISH: FISH},
        answering(gives(_one_of_two), 2, owes_all=True),
        says="lacks",
    ),
    lie(
        "withheld-proof-of-rest",
        "Gives what was asked for, and does not prove that it kept no more.",
        "CHEATS 24, PP-02",
        {GO_FISH: LITTLE, ONE_FISH: FISH},
        answering(_without_proofs, 1),
        says="1 claims are owed, 0 proofs came",
    ),
    lie(
        "gives-other",
        "Gives a card that was not asked for.",
        "CHEATS 24",
        BOTH,
        answering(gives(lambda giver, task: [task.slots[0].n]), 0, 0),
        says="not asked for",
    ),
    lie(
        "gives-one-more",
        "Gives a card of another number along with those that were asked for.",
        "CHEATS 24",
        {ONE_FISH: FISH},
        answering(gives(_one_more), 1, attributes=NUMBER),
        says="not asked for",
    ),
    lie(
        "gives-two",
        "Gives two cards where one is asked for, to be rid of them.",
        "CHEATS 24",
        {GO_FISH: ONE},
        answering(gives(lambda giver, task: [slot.n for slot in asked_for(giver, task)[:2]]), 2),
        says="more cards than",
    ),
    lie(
        "gives-twice",
        "Gives one card twice.",
        "CHEATS 3, 21",
        BOTH,
        answering(_groups(lambda n: (n, n)), 1),
        says="does not fit",
    ),
    lie(
        "gives-foreign",
        "Gives a card that is not in its hand.",
        "CHEATS 27, 29",
        BOTH,
        answering(_groups(lambda n: (999,)), 1),
        says="does not fit",
    ),
    lie(
        "opens-as-other",
        "Opens a card as another one, with a share that fits.",
        "CHEATS 23",
        BOTH,
        answering(_as_wanted, 0, 0),
        says="share",
    ),
    lie(
        "opens-other-attribute",
        "Opens the colour of a card where its number is asked for.",
        "CHEATS 23",
        {ONE_FISH: FISH},
        answering(_opens("colour"), 1, attributes=NUMBER),
        says="does not hold",
    ),
    lie(
        "opens-too-much",
        "Opens number and colour where only the number is asked for.",
        "CHEATS 23",
        {ONE_FISH: FISH},
        answering(_opens("number", "colour"), 1, attributes=NUMBER),
    ),
    lie(
        "opens-bent",
        "Opens a card with a share that is not its own.",
        "CHEATS 22",
        BOTH,
        answering(bends_opening, 1),
        says="does not hold",
    ),
)

DRAWN: Final = (
    lie(
        "hidden-hit",
        "Draws what it asked for and keeps it to itself.",
        "CHEATS 24, PP-04",
        BOTH,
        revealing(gives(lambda giver, task: ()), 1),
        says="lacks",
    ),
    lie(
        "miss-without-proof",
        "Keeps a drawn card and does not prove that it is another.",
        "CHEATS 24, PP-04",
        BOTH,
        revealing(_without_proofs, 0, 0),
        says="1 claims are owed, 0 proofs came",
    ),
    lie(
        "hit-with-own-card",
        "Shows a card of its hand as the one that it drew.",
        "PP-05, B7",
        {GO_FISH: LITTLE},
        revealing(lambda g, task, deed, body: _hit_with_own(g, task), 0, 0),
        says="not asked about",
    ),
    lie(
        "opens-as-hit",
        "Opens the card that it drew as the one it asked for.",
        "CHEATS 23, PP-05",
        BOTH,
        revealing(_as_wanted, 0, 0),
        says="share",
    ),
)


def _hit_with_own(giver: Giver, task: Disclose) -> bytes | None:
    hand, deck = held(giver), giver.dealing.deck
    other = [slot for slot, face in hand.items() if deck.matches(face, task.match)]
    return honest(giver, task, 0, Deed("give", groups=((other[0].n,),))) if other else None


# --- books --------------------------------------------------------------------------------------------------


def _came(giver: Any, task: Complete) -> str:
    """How the fresh cards came into the hand that is settled."""
    state = giver.position.state
    if state.is_dealing:
        return "deal"
    known = [slot in giver.position.table.known for slot in task.fresh]
    if all(known):
        return "hit" if state.phase == "settle" and state.target < 0 else f"received {len(task.fresh)}"
    return "draw" if len(task.fresh) == 1 else "refill"


def settling(way: str, hides: bool, omits: bool) -> Lie:
    """At a settle of cards that came in by ``way``: hide a group, or omit or imitate the claim."""

    def tell(giver: Any, task: Task, number: int, deed: Any) -> bytes | None:
        if not isinstance(task, Complete) or _came(giver, task) != way or bool(deed.groups) != hides:
            return None
        if not giver.dealing.claims_on_rest(task, giver.position, ()):
            return None
        if omits:
            return pack([encode(Deed("lay")), b""])
        return with_false_claims(giver, task, number, Deed("lay"))

    return tell


SINCE: Final = {"draw": 3, "received 1": 3, "received 2": 4, "received 3": 17}
"""Seeds of the first games in which a book can be hidden."""


def _books() -> tuple[Attack, ...]:
    found: list[Attack] = []
    for way, options in (
        ("deal", DEALT),
        ("draw", SHORT),
        ("received 1", SHORT),
        ("received 2", SHORT),
        ("received 3", SHORT),
        ("refill", REFILLS),
    ):
        name, came = (
            way.replace(" ", "-"),
            way.replace("received 1", "one card received").replace("received", "cards received:"),
        )
        games = {GO_FISH: options}
        found.append(
            lie(
                f"hidden-book-{name}",
                f"Completes a book and does not lay it ({came}).",
                "CHEATS 24, PP-06",
                games,
                settling(way, True, False),
                since=SINCE.get(way, 0),
                says="at-most",
            )
        )
        if way == "received 3":  # three received cards always complete a group of four
            continue
        found.append(
            lie(
                f"no-book-without-proof-{name}",
                f"Leaves out the proof that it completed no book ({came}).",
                "CHEATS 24, PP-06",
                games,
                settling(way, False, True),
                since=12 if way == "received 2" else 0,
                says="claims are owed",
            )
        )
        if way != "refill":
            found.append(
                lie(
                    f"no-book-imitated-{name}",
                    f"Imitates the proof that it completed no book ({came}).",
                    "CHEATS 6, 24",
                    games,
                    settling(way, False, False),
                    since=12 if way == "received 2" else 0,
                    says="at-most",
                )
            )
    return tuple(found)


def laying_book(change: Callable[[Giver, Complete, Deed], bytes | None], least: int = 1) -> Lie:
    """Where ``least`` groups have to be laid: ``change(giver, task, deed)``."""
    return at(
        Complete, lambda g, task, deed, body: change(g, task, deed) if len(deed.groups) >= least else None
    )


def _no_group(giver: Giver, task: Complete, deed: Deed) -> bytes | None:
    ranks = {face[0]: slot.n for slot, face in held(giver).items()}
    if len(ranks) < 2:
        return None
    return with_false_claims(giver, task, 0, Deed("lay", groups=(tuple(ranks.values())[:2],)))


def _laid_twice(giver: Giver, task: Complete, deed: Deed) -> bytes | None:
    n = deed.groups[0][0]
    return pack([encode(Deed("lay", groups=((n, n, n, n),))), *unpack(honest(giver, task, 0, deed))[1:]])


BOOKS: Final = (
    *_books(),
    lie(
        "lays-no-book",
        "Lays two cards of different ranks as a pair.",
        "CHEATS 24",
        {GO_FISH: DEALT},
        laying_book(_no_group, 0),
        says="no group",
    ),
    lie(
        "hides-second-book",
        "Lays one pair of two and hides the other.",
        "CHEATS 24, PP-06",
        {GO_FISH: TWO_GROUPS},
        laying_book(
            lambda g, task, deed: with_false_claims(g, task, 0, Deed("lay", groups=deed.groups[:1])), 2
        ),
        says="at-most",
    ),
    lie(
        "lays-card-twice",
        "Lays one card four times as a book.",
        "CHEATS 3, 21",
        {GO_FISH: SHORT},
        laying_book(_laid_twice),
        says="does not fit",
    ),
    lie(
        "lays-too-few",
        "Lays three cards as a book of four.",
        "CHEATS 24, B13",
        {GO_FISH: SHORT},
        laying_book(
            lambda g, task, deed: with_false_claims(g, task, 0, Deed("lay", groups=(deed.groups[0][:3],)))
        ),
        says="no group",
    ),
)

ATTACKS: Final = (*ASKS, *ANSWERS, *DRAWN, *BOOKS)
