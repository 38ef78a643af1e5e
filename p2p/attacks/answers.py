"""Lies in answers, and about the card that was drawn, in Go Fish and One Fish.

The rows are those of the claim table of the design; ``CHEATS.md`` 22 to 24, rules PP-01 to PP-05.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from engine.table import Deed, Disclose, Slot

from ..deal.giving import Giver
from ..log.codec import encode, pack, unpack
from .base import Change, Lie
from .games import BOTH, CARDS, FISH, GO_FISH, LITTLE, ONE, ONE_FISH, SHORT
from .judging import lie
from .liar import at, bent, held, honest, with_false_claims

NUMBER: Final = ("number",)


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


ATTACKS: Final = (*ANSWERS, *DRAWN)
