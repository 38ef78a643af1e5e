"""Lies in asking, in Go Fish and One Fish (CHEATS.md 24, rules PP-03, B10 to B12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from engine.table import Choose, Deed, Holds

from ..deal import Task
from ..deal.giving import Giver
from ..log.codec import encode, pack, unpack
from .base import Lie
from .games import BOTH, CARDS, GO_FISH, NOT_OWN
from .judging import lie
from .liar import held, honest, with_false_claims


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


ATTACKS: Final = (
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
