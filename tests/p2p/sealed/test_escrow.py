"""Keys in escrow: shares that make up the key, sealed to their keepers; complaints; and what each check is
for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.sealed import (
    Ciphertext,
    Group,
    Header,
    Malformed,
    ProofRejected,
    Receiver,
    SealedShare,
    complaint_size,
    encode_scalar,
    escrow,
    generator,
    is_justified,
    open_share,
    prove_complaint,
    prove_escrow,
    prove_hand_over,
    prove_shares,
    public_key,
    read_share,
    sealed_share_size,
    shares,
    verify_escrow,
    verify_hand_over,
    verify_shares,
)
from p2p.sealed.hashing import challenge, integer
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.sealed.forge import HEAD, TABLE, announced, fresh, header, said, scalars_bytes, secret

SMALL = SmallGroup()
HEADER = header("escrow")


def keepers(group: Group, count: int) -> tuple[list[int], list[Receiver]]:
    """Payload keys of keepers 2, 3, ... and what all know of them."""
    own = [secret(group, 50 + n) for n in range(count)]
    return own, [Receiver(2 + n, public_key(group, w)) for n, w in enumerate(own)]


def rejected(check: str) -> pytest.RaisesExc[ProofRejected]:
    return pytest.RaisesExc(ProofRejected, check=lambda error: error.equation == check)


@settings(max_examples=25, deadline=None)
@given(st.integers(min_value=1, max_value=SMALL.order - 1), st.integers(min_value=2, max_value=5))
def test_the_shares_make_up_the_key(x: int, count: int) -> None:
    own, receivers = keepers(SMALL, count)
    made, data = prove_escrow(SMALL, HEADER, x, receivers, fresh())
    found = verify_escrow(SMALL, HEADER, public_key(SMALL, x), receivers, data)
    assert found == made
    assert len(data) == count * sealed_share_size(SMALL)
    values = [read_share(SMALL, share, w) for share, w in zip(found, own, strict=True)]
    assert sum(value or 0 for value in values) % SMALL.order == x
    assert 0 not in values


def test_on_the_real_group(real: Group) -> None:
    x = secret(real, 1)
    own, receivers = keepers(real, 3)
    _, data = prove_escrow(real, HEADER, x, receivers, fresh())
    found = verify_escrow(real, HEADER, public_key(real, x), receivers, data)
    values = [read_share(real, share, w) for share, w in zip(found, own, strict=True)]
    assert sum(value or 0 for value in values) % real.order == x
    assert read_share(real, found[0], own[1]) is None


def test_one_keeper_never_gets_the_whole_key(group: Group) -> None:
    with pytest.raises(ValueError, match="two keepers at least"):
        prove_escrow(group, HEADER, 5, keepers(group, 1)[1], fresh())


def test_wrong_lengths_and_encodings(group: Group) -> None:
    x = secret(group, 1)
    _, receivers = keepers(group, 2)
    _, data = prove_escrow(group, HEADER, x, receivers, fresh())
    public = public_key(group, x)
    end = group.point_size
    for wrong in (
        b"",
        data[:-1],
        data + b"\0",
        group.identity + data[end:],
        data[:end] + group.identity + data[2 * end :],
        data[: 2 * end] + b"\xff" * 32 + data[2 * end + 32 :],
    ):
        with pytest.raises(Malformed):
            verify_escrow(group, HEADER, public, receivers, wrong)
    with pytest.raises(ProofRejected):
        verify_escrow(group, HEADER, public, receivers[::-1], data)


@pytest.mark.parametrize(
    "change",
    [
        {"table_id": HEAD},
        {"head": TABLE},
        {"epoch": 3},
        {"step": 8},
        {"seat": 2},
        {"index": 1},
        {"purpose": "share"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_an_escrow_holds_where_it_stands_only(group: Group, change: dict[str, Any]) -> None:
    x = secret(group, 1)
    _, receivers = keepers(group, 2)
    _, data = prove_escrow(group, HEADER, x, receivers, fresh())
    with rejected("challenge"):
        verify_escrow(group, header(**{"purpose": "escrow", **change}), public_key(group, x), receivers, data)


def test_the_secrets_of_two_escrows_have_nothing_in_common(group: Group) -> None:
    """Also where the fresh bytes were the same: everything follows from the whole statement."""
    x = secret(group, 1)
    own, receivers = keepers(group, 2)
    one, _ = prove_escrow(group, HEADER, x, receivers, fresh())
    two, _ = prove_escrow(group, header("escrow", step=8), x, receivers, fresh())
    again, _ = prove_escrow(group, HEADER, x, receivers, fresh(1))
    firsts = [share.first for each in (one, two, again) for share in each]
    values = [
        read_share(group, share, w) for each in (one, two, again) for share, w in zip(each, own, strict=True)
    ]
    assert len(set(firsts)) == len(set(values)) == 6


# --- forgers ------------------------------------------------------------------------------------------------


def forge_escrow(
    group: Group,
    public: bytes,
    receivers: Sequence[Receiver],
    values: Sequence[int],
    publics: Sequence[bytes],
    firsts: Sequence[bytes] | None = None,
    masks: Sequence[int] = (0, 0),
    head: Header = HEADER,
) -> tuple[bytes, bytes]:
    """Shares sealed by whoever does not care whether they are true; and the announcement of the last one.

    ``values`` are sealed, ``publics`` promised. With ``firsts`` the logarithms of E are not known. ``masks``
    are added to what is sealed.
    """
    out, announcement = [], b""
    for n, receiver in enumerate(receivers):
        r, nonce = secret(group, 70 + n), secret(group, 80 + n)
        first = firsts[n] if firsts else group.mul_base(r)
        where = [head.table_id, *map(integer, (head.epoch, head.step, head.seat, receiver.keeper))]
        mask = challenge(group.order, "escrow/mask", *where, first, group.mul(r, receiver.key))
        masked = (values[n] + mask + masks[n]) % group.order
        parts = (receiver.key, publics[n], first, encode_scalar(masked))
        statement = said(group, "escrow", head, public, receiver.keeper, *parts)
        announcement = group.mul_base(nonce)
        e = challenge(group.order, "escrow/challenge", statement, announcement)
        out.append(publics[n] + first + scalars_bytes(group, [masked, e, nonce + e * r]))
    return b"".join(out), announcement


def test_the_specification_makes_the_same_bytes_hold(group: Group) -> None:
    x, s = secret(group, 1), secret(group, 2)
    own, receivers = keepers(group, 2)
    values = [s, (x - s) % group.order]
    data, _ = forge_escrow(
        group, public_key(group, x), receivers, values, [group.mul_base(v) for v in values]
    )
    found = verify_escrow(group, HEADER, public_key(group, x), receivers, data)
    assert [read_share(group, share, w) for share, w in zip(found, own, strict=True)] == values


def test_forged_sum(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares of another key: the others could never act for this one."""
    x = secret(group, 1)
    _, receivers = keepers(group, 2)
    values = [secret(group, 2), secret(group, 3)]
    data, _ = forge_escrow(
        group, public_key(group, x), receivers, values, [group.mul_base(v) for v in values]
    )
    with rejected("sum"):
        verify_escrow(group, HEADER, public_key(group, x), receivers, data)
    monkeypatch.setattr(escrow, "_is_whole", lambda *_: True)
    verify_escrow(group, HEADER, public_key(group, x), receivers, data)


def test_forged_knowledge(group: Group) -> None:
    """E := the first component of a card in somebody's hand, so that a complaint would open it."""
    x, s = secret(group, 1), secret(group, 2)
    _, receivers = keepers(group, 2)
    values = [s, (x - s) % group.order]
    card = generator(group, 9)
    firsts = [group.mul_base(secret(group, 70)), card]
    public = public_key(group, x)
    data, announcement = forge_escrow(
        group, public, receivers, values, [group.mul_base(v) for v in values], firsts
    )
    with rejected("challenge"):
        verify_escrow(group, HEADER, public, receivers, data)
    honest, nonce = group.mul_base(secret(group, 80)), {"t": announcement}
    with pytest.MonkeyPatch.context() as patch:
        # Only the second share's announcement is taken as it came; the first one's holds by itself.
        patch.setattr(escrow, "_announcements", lambda g, e, *_: nonce if e == card else {"t": honest})
        found = verify_escrow(group, HEADER, public, receivers, data)
    assert found[1].first == card


# --- complaints ---------------------------------------------------------------------------------------------


def bad_share(group: Group) -> tuple[list[int], list[Receiver], tuple[SealedShare, ...]]:
    """An escrow that everybody accepts, and whose second share does not open."""
    x, s = secret(group, 1), secret(group, 2)
    own, receivers = keepers(group, 2)
    values = [s, (x - s) % group.order]
    publics = [group.mul_base(v) for v in values]
    data, _ = forge_escrow(group, public_key(group, x), receivers, values, publics, None, (0, 1))
    return own, receivers, verify_escrow(group, HEADER, public_key(group, x), receivers, data)


def test_a_bad_share_is_shown_to_all(group: Group) -> None:
    own, receivers, found = bad_share(group)
    assert read_share(group, found[0], own[0]) is not None
    assert read_share(group, found[1], own[1]) is None
    head = header("complaint", seat=3)
    data = prove_complaint(group, head, own[1], receivers[1].key, found[1], fresh())
    assert len(data) == complaint_size(group)
    assert is_justified(group, head, receivers[1].key, found[1], data)
    assert open_share(group, found[1], data[: group.point_size]) is None


def test_a_false_complaint_shows_itself(group: Group) -> None:
    own, receivers, found = bad_share(group)
    head = header("complaint", seat=2)
    data = prove_complaint(group, head, own[0], receivers[0].key, found[0], fresh())
    assert not is_justified(group, head, receivers[0].key, found[0], data)


def test_complaints_that_show_nothing(group: Group) -> None:
    own, receivers, found = bad_share(group)
    head = header("complaint", seat=3)
    key, share = receivers[1].key, found[1]
    data = prove_complaint(group, head, own[1], key, share, fresh())
    for wrong in (b"", data[:-1], data + b"\0", group.identity + data[group.point_size :]):
        with pytest.raises(Malformed):
            is_justified(group, head, key, share, wrong)
    for other, sealed in ((header("complaint", seat=2), share), (head, found[0])):
        with rejected("challenge"):
            is_justified(group, other, key, sealed, data)
    with rejected("challenge"):
        is_justified(group, head, receivers[0].key, share, data)


def test_forged_complaint(group: Group) -> None:
    """A K that is not wE would make a good share look bad: only the proof's second equation says no."""
    own, receivers, found = bad_share(group)
    share, key, w = found[0], receivers[0].key, own[0]
    head, shared, k = header("complaint", seat=2), generator(group, 9), secret(group, 3)
    statement = said(group, "shares", head, key, 1, share.first, shared)
    (weight,) = shares._weights(group, statement, 1)
    first = group.mul(weight, share.first)
    announcements = {"key": group.mul_base(k), "share": group.mul(k, first)}
    e = challenge(group.order, "shares/challenge", statement, *announcements.values())
    data = shared + scalars_bytes(group, [e, k + e * w])
    with rejected("challenge"):
        is_justified(group, head, key, share, data)
    with announced(shares, "recompute", announcements) as differing:
        assert is_justified(group, head, key, share, data)
    assert differing == {"share"}


# --- what the shares are for --------------------------------------------------------------------------------


def test_all_shares_together_act_for_the_key(group: Group) -> None:
    """A card under the joint key loses one layer; a card of a hand comes under another key, unseen."""
    x, rest = secret(group, 1), secret(group, 4)
    own, receivers = keepers(group, 3)
    _, data = prove_escrow(group, HEADER, x, receivers, fresh())
    found = verify_escrow(group, HEADER, public_key(group, x), receivers, data)
    values = [read_share(group, share, w) or 0 for share, w in zip(found, own, strict=True)]
    message, r = generator(group, 5), secret(group, 6)
    joint = group.add(public_key(group, x), public_key(group, rest))
    card = Ciphertext(group.mul_base(r), group.add(message, group.mul(r, joint)))
    layers = []
    for number, (value, share) in enumerate(zip(values, found, strict=True)):
        head = header("strip", seat=2 + number)
        (layer,), proof = prove_shares(group, head, value, share.public, [card.a], fresh())
        verify_shares(group, head, share.public, [card.a], [layer], proof)
        layers.append(layer)
    assert group.sub(group.sub(card.b, group.sum(layers)), group.mul(rest, card.a)) == message

    hand = Ciphertext(group.mul_base(r), group.add(message, group.mul(r, public_key(group, x))))
    key = public_key(group, rest)
    total = Ciphertext(group.identity, hand.b)
    for number, (value, share) in enumerate(zip(values, found, strict=True)):
        head, bare = header("re-key", seat=2 + number), [Ciphertext(hand.a, group.identity)]
        (part,), proof = prove_hand_over(group, head, value, share.public, key, bare, fresh(number))
        verify_hand_over(group, head, share.public, key, bare, [part], proof)
        total = Ciphertext(group.add(total.a, part.a), group.add(total.b, part.b))
    assert group.sub(total.b, group.mul(rest, total.a)) == message
