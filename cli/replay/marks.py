"""What was verified at a step, in words, and where in a game one may want to go."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from engine.contract import Event
from p2p.deal import Printed

from ..language import N_
from ..text import Glyphs, joined
from ..translation import gettext as _
from .following import Step

PROVED: Final[Mapping[str, str]] = {
    "keys": N_("{who}: knows the secret of the published key (proof of Schnorr), and is bound to a seed."),
    "coins": N_("{who}: a number for the lots, fixed before the others were known."),
    "shuffles": N_(
        "{who}: no card was added, lost or exchanged in the shuffle (proof of Terelius and Wikström)."
    ),
    "shares": N_(
        "{who}: a share of each card that somebody draws, made with the right key (proof of Chaum and "
        "Pedersen)."
    ),
    "decisions": N_(
        "{who}: a decision that the rules allow, and what it says of hidden cards is true (proofs of Cramer, "
        "Damgård and Schoenmakers)."
    ),
    "answers": N_(
        "{who}: what was answered or shown is true, and nothing was held back (proofs of Cramer, Damgård and "
        "Schoenmakers)."
    ),
    "settles": N_("{who}: all that had to be laid was laid (proofs of Cramer, Damgård and Schoenmakers)."),
    "mixes": N_("{who}: the same cards in another order (the same proof as for a shuffle)."),
    "openings": N_("{who}: the very cards that lay there were opened (proof of Chaum and Pedersen)."),
    "picks": N_("{who}: the places were chosen before anybody could know what lies there."),
    "hand-overs": N_("{who}: the very cards, under another key (proof of equal logarithms)."),
    "ticks": N_("{who}: a play of the race, fixed before the plays of the others were known."),
    "closings": N_("{who}: signed the result."),
    "reveals": N_("{who}: the seed and the card key that were fixed at the beginning."),
    "moves": N_("{who}: a step that the rules allow."),
    "scans": N_("{who}: the scanned cards are sealed, and cannot be exchanged any more."),
    "acceptances": N_("{who}: the cards that were handed over open as they should."),
    "confirmations": N_("{who}: confirms what was said of hidden cards."),
    "cuts": N_("{who}: a number for the cut, fixed before the others were known."),
}
"""Kind of a verified round, as ``p2p.verify`` counts it -> what that proves."""

JUDGED: Final[Mapping[str, str]] = {
    "decisions": N_("{who}: a decision that the rules allow."),
    "answers": N_("{who}: an answer that the rules allow."),
    "settles": N_("{who}: groups that may be laid."),
    "mixes": N_("{who}: the hand is sealed anew."),
    "openings": N_("{who}: the cards that were sealed were opened."),
    "hand-overs": N_("{who}: the cards are sealed to another player."),
}
"""The same with printed cards, where the table's machine sees what is hidden."""

LATER: Final = N_(
    "What was said of hidden cards is judged when the seed of the table's machine is opened, at the end."
)

ASK: Final = "ask"
BOOK: Final = "book"
TURN: Final = "turn"

ASKS: Final[Mapping[str, frozenset[str]]] = {
    "casino": frozenset({"take", "draw deck", "draw pool"}),
    "discount-salmon": frozenset({"play"}),
}
"""The verbs of a game that are its asks, where that is not ``ask``: what a player wants of the table."""

BOOKS: Final[Mapping[str, frozenset[str]]] = {
    "casino": frozenset({"set"}),
    "discount-salmon": frozenset({"claim", "eaten"}),
    "one-fish": frozenset({"lay"}),
}
"""The verbs of a game by which something is won, where that is not ``book``."""


def marks_of(game: str, events: Sequence[Event]) -> frozenset[str]:
    """Which of ``ask`` and ``book`` there are among the events of a step."""
    verbs = {event.verb for event in events}
    asks, books = ASKS.get(game, frozenset({ASK})), BOOKS.get(game, frozenset({BOOK}))
    return frozenset(mark for mark, among in ((ASK, asks), (BOOK, books)) if verbs & among)


def verified(steps: Sequence[Step], names: Sequence[str], glyphs: Glyphs) -> tuple[str, ...]:
    """One line for each kind of proof at some steps, and one for the signatures."""
    is_printed = any(isinstance(step.before.dealing, Printed) for step in steps)
    seats: dict[str, set[int]] = {}
    for proof in (proof for step in steps for proof in step.proofs):
        seats.setdefault(proof.kind, set()).add(proof.seat)
    lines = []
    for kind, who in seats.items():
        template = (JUDGED.get(kind) if is_printed else None) or PROVED.get(kind) or PROVED["moves"]
        lines.append(f"{glyphs.check} " + _(template).format(who=_named(who, names)))
    if is_printed and any(kind in JUDGED for kind in seats):
        lines.append(f"  {_(LATER)}")
    signers = {seat for step in steps for seat in step.signed}
    if signers:
        lines.append(f"{glyphs.check} " + _("Signed by {who}.").format(who=_named(signers, names)))
    return tuple(lines)


def _named(seats: Collection[int], names: Sequence[str]) -> str:
    return joined([names[seat] for seat in sorted(seats)])
