"""Signed statements about a missing contribution, and the certificate that takes its place (design, 6).

Every keeper but the missing one signs one statement for (epoch, step, keeper): that it has the contribution,
or that it has not. One valid "have" decides that the contribution counts. "Have not" of all the others is a
certificate of absence: the step completes without the missing seats, and a new epoch begins after it. Keepers
that have left the game (``gone``) state nothing, and nothing is stated about them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from ..identity import Identity, verify
from .charter import Charter

SKIP = "skip"
"""Out for the fish in play, back for the next one."""

DEPARTURE = "departure"
"""Out of the game."""

PURPOSES = (SKIP, DEPARTURE)

SIGNING_PURPOSE = "absence"

Gone: TypeAlias = frozenset[int]
"""Keepers that have left the game."""

NOBODY: Gone = frozenset()

LEAST_KEEPERS = 3
"""Keepers from which an absence can be certified: of two, nobody can tell who cut the line."""


class Statement(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What keeper ``author`` says about the contribution of ``keeper`` to one step.

    Both are named by their first seats; the first seat's identity signs. ``have``: it holds the contributions
    of all seats of that keeper that owe one there.
    """

    epoch: int
    step: int
    keeper: int
    purpose: str
    author: int
    have: bool
    signature: bytes

    @property
    def about(self) -> About:
        """(epoch, step, keeper): what the statement speaks of."""
        return (self.epoch, self.step, self.keeper)

    @property
    def place(self) -> tuple[int, int, int, int]:
        """(epoch, step, keeper, author): where at most one statement may stand."""
        return (self.epoch, self.step, self.keeper, self.author)

    def contradicts(self, other: Statement) -> bool:
        """Whether one author cannot honestly sign both."""
        return self.place == other.place and (self.purpose, self.have) != (other.purpose, other.have)


About: TypeAlias = tuple[int, int, int]
"""(epoch, step, keeper) of an absence round."""


class Certificate(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The "have not" of every keeper but the missing one: their signatures, in the order of their seats."""

    epoch: int
    step: int
    keeper: int
    purpose: str
    signatures: tuple[bytes, ...]

    @property
    def about(self) -> About:
        """(epoch, step, keeper): what the certificate speaks of."""
        return (self.epoch, self.step, self.keeper)

    def statements(self, charter: Charter, gone: Gone = NOBODY) -> tuple[Statement, ...]:
        """The statements that the certificate consists of."""
        authors = others(charter, self.keeper, gone)
        return tuple(
            Statement(self.epoch, self.step, self.keeper, self.purpose, author, False, signature)
            for author, signature in zip(authors, self.signatures, strict=False)
        )


class Contradiction(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Two different statements that one keeper signed for the same place on the same head."""

    head: bytes
    first: Statement
    second: Statement


def keepers(charter: Charter, gone: Gone = NOBODY) -> tuple[int, ...]:
    """The keepers at a table, each by its first seat."""
    return tuple(
        number for number, seat in enumerate(charter.seats) if seat.keeper == number and number not in gone
    )


def seats_of(charter: Charter, keeper: int) -> tuple[int, ...]:
    """The seats that a keeper runs."""
    return tuple(number for number, seat in enumerate(charter.seats) if seat.keeper == keeper)


def others(charter: Charter, keeper: int, gone: Gone = NOBODY) -> tuple[int, ...]:
    """The keepers whose statements make a certificate of the absence of ``keeper``."""
    return tuple(each for each in keepers(charter, gone) if each != keeper)


def statement_bytes(table_id: bytes, head: bytes, statement: Statement) -> bytes:
    """What a keeper signs: table id, epoch (4 bytes), step (4), head before the step (32), missing keeper
    (1), purpose (1: 0 skip, 1 departure), author (1), 1 for "have" or 0 for "have not" (1).
    """
    return b"".join(
        (
            table_id,
            statement.epoch.to_bytes(4, "big"),
            statement.step.to_bytes(4, "big"),
            head,
            bytes(
                (statement.keeper, PURPOSES.index(statement.purpose), statement.author, int(statement.have))
            ),
        )
    )


def sign_statement(
    identity: Identity, table_id: bytes, head: bytes, about: About, purpose: str, author: int, have: bool
) -> Statement:
    """The signed statement of the keeper ``author``."""
    blank = Statement(*about, purpose, author, have, b"")
    signature = identity.sign(SIGNING_PURPOSE, statement_bytes(table_id, head, blank))
    return msgspec.structs.replace(blank, signature=signature)


def is_stated(
    charter: Charter, table_id: bytes, head: bytes, statement: Statement, gone: Gone = NOBODY
) -> bool:
    """Whether the author, a keeper other than the missing one, signed the statement on top of ``head``."""
    named = keepers(charter, gone)
    if statement.keeper not in named or statement.author not in others(charter, statement.keeper, gone):
        return False
    if len(named) < LEAST_KEEPERS or statement.purpose not in PURPOSES:
        return False
    if not all(0 <= number < 2**32 for number in (statement.epoch, statement.step)):
        return False
    data = statement_bytes(table_id, head, statement)
    return verify(charter.seats[statement.author].public, SIGNING_PURPOSE, data, statement.signature)


def certificate_of(
    charter: Charter, statements: Iterable[Statement], gone: Gone = NOBODY
) -> Certificate | None:
    """The certificate that valid statements about one place make, once no keeper's "have not" is lacking."""
    by_author = {each.author: each for each in statements}
    if not by_author or any(each.have for each in by_author.values()):
        return None
    first = next(iter(by_author.values()))
    authors = others(charter, first.keeper, gone)
    alike = {(each.about, each.purpose) for each in by_author.values()}
    if len(alike) != 1 or tuple(sorted(by_author)) != authors:
        return None
    return Certificate(*first.about, first.purpose, tuple(by_author[each].signature for each in authors))


def is_certificate(
    charter: Charter, table_id: bytes, head: bytes, certificate: Certificate, gone: Gone = NOBODY
) -> bool:
    """Whether every other keeper signed that it has not the missing contribution."""
    if certificate.keeper not in keepers(charter, gone):
        return False
    statements = certificate.statements(charter, gone)
    if len(statements) != len(others(charter, certificate.keeper, gone)) or len(statements) != len(
        certificate.signatures
    ):
        return False
    return all(is_stated(charter, table_id, head, each, gone) for each in statements)


def certificate_bytes(
    charter: Charter, table_id: bytes, head: bytes, certificate: Certificate, gone: Gone = NOBODY
) -> tuple[bytes, ...]:
    """What a certificate adds to the next head: what its keepers signed, in order of their seats."""
    return tuple(statement_bytes(table_id, head, each) for each in certificate.statements(charter, gone))


def is_contradiction(charter: Charter, table_id: bytes, proof: Contradiction, gone: Gone = NOBODY) -> bool:
    """Whether ``proof`` convicts the keeper that signed both."""
    return (
        proof.first.contradicts(proof.second)
        and is_stated(charter, table_id, proof.head, proof.first, gone)
        and is_stated(charter, table_id, proof.head, proof.second, gone)
    )
