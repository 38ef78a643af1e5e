"""Provers that cheat in one place, written from ``docs/protocol_proofs.md``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest

from p2p.sealed import Card, Ciphertext, Group, Header, Point, Xof, encode_cards, encode_scalar, generator
from p2p.sealed.hashing import challenge, challenges, framed, integer

TABLE = bytes(range(32))
HEAD = bytes(reversed(range(32)))


def header(purpose: str = "test", **changes: Any) -> Header:
    values: dict[str, Any] = {
        "version": 1, "table_id": TABLE, "epoch": 2, "step": 7, "seat": 1, "purpose": purpose, "index": 0,
        "head": HEAD,
    }  # fmt: skip
    return Header(**(values | changes))


def fresh(n: int = 0) -> bytes:
    return Xof("test/fresh", integer(n)).read(32)


def secret(group: Group, n: int) -> int:
    return Xof("test/secret", integer(n)).scalar(group.order)


def said(group: Group, kind: str, head: Header, *parts: bytes | int) -> bytes:
    """The statement as the specification writes it."""
    fields = [
        head.table_id,
        integer(head.epoch),
        integer(head.step),
        integer(head.seat),
        head.purpose.encode(),
    ]
    return framed(
        f"shoal/1/statement/{kind}".encode(), group.name.encode(), integer(head.version), *fields,
        integer(head.index), head.head, *(integer(p) if isinstance(p, int) else p for p in parts),
    )  # fmt: skip


def scalars_bytes(group: Group, scalars: Sequence[int]) -> bytes:
    return b"".join(encode_scalar(k % group.order) for k in scalars)


@contextmanager
def announced(module: ModuleType, name: str, given: Mapping[str, Point]) -> Iterator[set[str]]:
    """Inside, ``module.name`` takes the announcements in ``given`` as they came, unchecked.

    Yields the names of the announcements that were recomputed to something else, filled in by the verifier.
    """
    honest: Callable[..., dict[str, Point]] = getattr(module, name)
    differing: set[str] = set()

    def patched(*args: Any) -> dict[str, Point]:
        found = honest(*args)
        assert set(given) <= set(found), "the forger names a check that does not exist"
        differing.update(key for key, point in given.items() if found[key] != point)
        return {**found, **given}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, patched)
        yield differing


@dataclass
class ForgedShuffle:
    """A shuffle proof by whoever does not care whether it is true.

    ``committed`` is the matrix in the commitments, ``used`` the one that gives u' = used * u; ``masks[i][l]``
    is what the prover claims to have added to output i. With ``cut`` = i, link i breaks off the chain and
    ends it right.
    """

    group: Group
    head: Header
    key: Point
    inputs: tuple[Card, ...]
    outputs: tuple[Card, ...]
    committed: Sequence[Sequence[int]]
    used: Sequence[Sequence[int]]
    masks: Sequence[Sequence[int]]
    cut: int | None = None
    announcements: dict[str, Point] = field(default_factory=dict)

    def proof(self) -> bytes:
        group, q = self.group, self.group.order
        n, attributes = len(self.inputs), len(self.inputs[0])
        base, h = group.base, generator(group, 0)
        each = [generator(group, i) for i in range(1, n + 1)]
        rng = Xof("forge/shuffle")
        statement = said(
            group,
            "shuffle",
            self.head,
            self.key,
            n,
            attributes,
            encode_cards(self.inputs),
            encode_cards(self.outputs),
        )
        rho = rng.scalars(q, n)
        c = [
            group.multi_mul([rho[j], *(self.committed[i][j] for i in range(n))], [base, *each])
            for j in range(n)
        ]
        u = challenges(q, "shuffle/exponent", n, statement, b"".join(c))
        u_prime = [sum(self.used[i][j] * u[j] for j in range(n)) % q for i in range(n)]
        product = 1
        for exponent in u:
            product = product * exponent % q

        rho_hat = rng.scalars(q, n)
        links, total = [], 0  # total: the exponent of G in the last link
        before = h
        for i in range(n):
            if i == self.cut:
                total = rng.scalar(q)
                # The rest of the chain multiplies by the u' that follow: start it so that it ends at prod(u).
                rest = 1
                for exponent in u_prime[i + 1 :]:
                    rest = rest * exponent % q
                before = group.multi_mul([total, product * pow(rest, -1, q)], [base, h])
            else:
                before = group.multi_mul([rho_hat[i], u_prime[i]], [base, before])
                total = (rho_hat[i] + u_prime[i] * total) % q
            links.append(before)

        w1, w2, w3 = rng.scalars(q, 3)
        w4, w_hat, w = rng.scalars(q, attributes), rng.scalars(q, n), rng.scalars(q, n)
        found = {
            "t1": group.mul_base(w1),
            "t2": group.mul_base(w2),
            "t3": group.multi_mul([w3, *w], [base, *each]),
        }
        for at in range(attributes):
            cells = [card[at] for card in self.outputs]
            found[f"t4.{at}.b"] = group.multi_mul([*w, -w4[at]], [*(cell.b for cell in cells), self.key])
            found[f"t4.{at}.a"] = group.multi_mul([*w, -w4[at]], [*(cell.a for cell in cells), base])
        for i in range(n):
            found[f"link.{i + 1}"] = group.multi_mul([w_hat[i], w[i]], [base, links[i - 1] if i else h])
        self.announcements = found
        e = challenge(
            q, "shuffle/challenge", statement, b"".join(c), b"".join(links), b"".join(found.values())
        )
        responses = [
            w1 + e * sum(rho),
            w2 + e * total,
            w3 + e * sum(r * x for r, x in zip(rho, u, strict=True)),
        ]
        responses += [
            w4[at] + e * sum(mask[at] * x for mask, x in zip(self.masks, u_prime, strict=True))
            for at in range(attributes)
        ]
        responses += [a + e * r for a, r in zip(w_hat, rho_hat, strict=True)]
        responses += [a + e * x for a, x in zip(w, u_prime, strict=True)]
        return b"".join(c) + b"".join(links) + scalars_bytes(group, [e, *responses])


def combine(
    group: Group,
    key: Point,
    matrix: Sequence[Sequence[int]],
    inputs: tuple[Card, ...],
    masks: Sequence[Sequence[int]],
) -> tuple[Card, ...]:
    """Output i is the sum of matrix[i][j] * input j, masked by masks[i][l]."""
    cards = []
    for row, mask in zip(matrix, masks, strict=True):
        cells = []
        for at, r in enumerate(mask):
            a = group.multi_mul([*row, r], [*(card[at].a for card in inputs), group.base])
            b = group.multi_mul([*row, r], [*(card[at].b for card in inputs), key])
            cells.append(Ciphertext(a, b))
        cards.append(tuple(cells))
    return tuple(cards)
