"""Both machines of the handshake against each other, against forgers, and against bytes."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity import Identity, fingerprint, verify
from p2p.link import (
    MAX_MESSAGE,
    Authenticated,
    BadKey,
    BadProof,
    Initiator,
    LinkError,
    LocalError,
    NotShoal,
    OwnIdentity,
    PeerFault,
    Responder,
    VersionMismatch,
    WrongPeer,
)
from p2p.link.handshake import AS_SERVER, Accept, Answer, Hello, Proof

ADA, BEN, EVE = Identity(b"a" * 32), Identity(b"b" * 32), Identity(b"e" * 32)
CHANNEL = bytes(range(32))
CLIENT = Initiator(ADA, CHANNEL, b"\x01" * 32)
SERVER = Responder(BEN, CHANNEL, b"\x02" * 32)

Change = Callable[[bytes], bytes]


def same(data: bytes) -> bytes:
    return data


def meet(
    client: Initiator = CLIENT,
    server: Responder = SERVER,
    first: Change = same,
    second: Change = same,
    third: Change = same,
    fourth: Change = same,
) -> tuple[Authenticated, Authenticated]:
    """What both sides conclude when the messages are changed on the way."""
    challenged, answer = server.receive(first(client.hello))
    proved, proof = client.receive(second(answer))
    at_server, accept = challenged.receive(third(proof))
    return proved.receive(fourth(accept)), at_server


def changed(kind: type[Any], **fields: Any) -> Change:
    return lambda data: msgspec.msgpack.encode(
        msgspec.structs.replace(msgspec.msgpack.decode(data, type=kind), **fields)
    )


def test_both_sides_agree() -> None:
    at_client, at_server = meet()
    assert (at_client.peer, at_server.peer) == (BEN.public, ADA.public)
    assert at_client.words == at_server.words
    assert len(at_client.words) == 4
    assert at_client.session_id == at_server.session_id
    assert at_client.version == at_server.version == 1


def test_the_highest_common_version_is_taken() -> None:
    at_client, at_server = meet(replace(CLIENT, versions=(1, 2, 5)), replace(SERVER, versions=(2, 3, 4)))
    assert at_client.version == at_server.version == 2


def test_without_a_common_version_both_sides_can_say_so() -> None:
    client, server = replace(CLIENT, versions=(2, 3)), replace(SERVER, versions=(1,))
    with pytest.raises(
        VersionMismatch, match="speaks protocol version 2, 3, this one 1; update"
    ) as at_server:
        server.receive(client.hello)
    with pytest.raises(VersionMismatch, match="speaks protocol version 1, this one 2, 3; update"):
        client.receive(at_server.value.fields["reply"])


def test_nonces_channel_and_identities_change_the_words() -> None:
    all_words = {
        meet()[0].words,
        meet(replace(CLIENT, nonce=b"\x09" * 32))[0].words,
        meet(server=replace(SERVER, nonce=b"\x09" * 32))[0].words,
        meet(replace(CLIENT, channel=bytes(32)), replace(SERVER, channel=bytes(32)))[0].words,
        meet(replace(CLIENT, identity=EVE))[0].words,
        meet(server=replace(SERVER, identity=EVE))[0].words,
    }
    assert len(all_words) == 6


def test_two_legs_of_a_man_in_the_middle_show_different_words() -> None:
    """Eve plays herself to both; each accepts her as Eve, and Ada's words are not Ben's."""
    hers = bytes(32)
    at_ada, _ = meet(replace(CLIENT, channel=hers), Responder(EVE, hers, b"\x03" * 32))
    at_eve, at_ben = meet(Initiator(EVE, CHANNEL, b"\x01" * 32))
    assert at_ada.peer == EVE.public == at_ben.peer
    assert at_ada.words != at_ben.words == at_eve.words


# --- who is refused


def test_another_certificate_on_one_side_is_a_bad_proof() -> None:
    """A relay that passes everything on unchanged, through a certificate of its own."""
    with pytest.raises(BadProof):
        meet(replace(CLIENT, channel=bytes(32)))


class Liar(Identity):
    """Signs with its own key under the public key of somebody else."""

    __slots__ = ()

    def __init__(self, seed: bytes, public: bytes) -> None:
        super().__init__(seed)
        object.__setattr__(self, "public", public)


def test_a_server_without_the_key_is_refused() -> None:
    with pytest.raises(BadProof):
        meet(server=replace(SERVER, identity=Liar(b"e" * 32, BEN.public)))


def test_a_client_without_the_key_is_refused() -> None:
    challenged, answer = SERVER.receive(replace(CLIENT, identity=Liar(b"e" * 32, ADA.public)).hello)
    _, proof = replace(CLIENT, identity=Liar(b"e" * 32, ADA.public)).receive(answer)
    with pytest.raises(BadProof):
        challenged.receive(proof)


def test_a_nonce_that_was_not_committed_to_is_refused() -> None:
    """The client's signature holds; only the commitment shows that it chose after seeing ours."""
    with pytest.raises(BadProof):
        meet(third=changed(Proof, nonce=b"\x05" * 32))


def test_the_signature_of_the_server_is_checked() -> None:
    with pytest.raises(BadProof):
        meet(fourth=changed(Accept, signature=EVE.sign(AS_SERVER, CHANNEL)))


def test_a_signature_of_one_role_is_worth_nothing_in_the_other() -> None:
    challenged, answer = SERVER.receive(CLIENT.hello)
    _, proof = CLIENT.receive(answer)
    signature = msgspec.msgpack.decode(proof, type=Proof).signature
    assert not verify(ADA.public, AS_SERVER, challenged.binding, signature)


@pytest.mark.parametrize("change", [{"versions": (1, 7)}, {"public": EVE.public}, {"commitment": bytes(32)}])
def test_every_field_of_hello_is_signed(change: dict[str, Any]) -> None:
    with pytest.raises(BadProof):
        meet(first=changed(Hello, **change))


@pytest.mark.parametrize("change", [{"versions": (1, 7)}, {"public": EVE.public}, {"nonce": bytes(32)}])
def test_every_field_of_the_answer_is_signed(change: dict[str, Any]) -> None:
    with pytest.raises(BadProof):
        meet(second=changed(Answer, **change))


def test_a_version_cannot_be_talked_down() -> None:
    client, server = replace(CLIENT, versions=(1, 2)), replace(SERVER, versions=(1, 2))
    with pytest.raises(BadProof):
        meet(client, server, first=changed(Hello, versions=(1,)))


def test_the_own_identity_is_refused_on_both_sides() -> None:
    with pytest.raises(OwnIdentity) as at_server:
        replace(SERVER, identity=ADA).receive(CLIENT.hello)
    with pytest.raises(OwnIdentity):
        CLIENT.receive(at_server.value.fields["reply"])


def test_messages_thrown_back_are_refused() -> None:
    with pytest.raises(NotShoal):
        CLIENT.receive(CLIENT.hello)
    proved, proof = CLIENT.receive(SERVER.receive(CLIENT.hello)[1])
    with pytest.raises(NotShoal):
        proved.receive(proof)


def test_someone_else_than_expected_gets_no_proof() -> None:
    with pytest.raises(WrongPeer):
        meet(replace(CLIENT, expect=EVE.public))
    assert meet(replace(CLIENT, expect=BEN.public))[0].peer == BEN.public


SMALL = b"\x01" + bytes(31)


def test_keys_of_small_order_are_refused_on_both_sides() -> None:
    with pytest.raises(BadKey):
        meet(first=changed(Hello, public=SMALL))
    with pytest.raises(BadKey):
        meet(second=changed(Answer, public=SMALL))


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("first", changed(Hello, public=bytes(31))),
        ("first", changed(Hello, commitment=bytes(33))),
        ("first", changed(Hello, versions=())),
        ("first", changed(Hello, versions=(1, 1))),
        ("first", changed(Hello, versions=(2, 1))),
        ("first", changed(Hello, versions=(-1, 1))),
        ("first", changed(Hello, versions=(1, 2**16))),
        ("first", changed(Hello, versions=tuple(range(17)))),
        ("second", changed(Answer, nonce=bytes(31))),
        ("second", changed(Answer, versions=())),
        ("third", changed(Proof, nonce=bytes(33))),
        ("third", changed(Proof, signature=bytes(63))),
        ("fourth", changed(Accept, signature=bytes(65))),
        ("first", lambda data: data + b"\x00"),
        ("first", lambda data: data[:-1]),
        ("first", lambda data: data.replace(b"\x91\x01", b"\x91\xcd\x00\x01")),
        ("fourth", lambda data: b""),
    ],
)
def test_a_message_of_another_shape_is_refused(place: str, change: Change) -> None:
    with pytest.raises(NotShoal):
        meet(**{place: change})


def test_the_change_of_form_above_is_one() -> None:
    assert b"\x91\x01" in CLIENT.hello


@given(st.binary(max_size=200))
def test_bytes_are_refused_and_nothing_else_happens(data: bytes) -> None:
    with pytest.raises(LinkError):
        SERVER.receive(data)
    with pytest.raises(LinkError):
        CLIENT.receive(data)


@given(st.integers(0, 3), st.integers(0, 10_000), st.integers(1, 255))
def test_no_changed_byte_of_any_message_goes_through(message: int, place: int, flip: int) -> None:
    def flipped(data: bytes) -> bytes:
        at = place % len(data)
        return data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :]

    with pytest.raises(LinkError):
        meet(**{("first", "second", "third", "fourth")[message]: flipped})


def test_the_longest_message_is_far_below_the_limit() -> None:
    versions = tuple(range(2**16 - 16, 2**16))
    client, server = replace(CLIENT, versions=versions), replace(SERVER, versions=versions)
    challenged, answer = server.receive(client.hello)
    _, proof = client.receive(answer)
    assert (
        max(len(client.hello), len(answer), len(proof), len(challenged.receive(proof)[1])) < 250 < MAX_MESSAGE
    )


def test_no_step_shows_its_nonce() -> None:
    for step in (CLIENT, SERVER):
        assert step.nonce.hex() not in repr(step)
        assert repr(step.nonce) not in repr(step)


def test_faults_tell_whose_they_are() -> None:
    assert issubclass(BadProof, PeerFault)
    assert issubclass(BadKey, PeerFault)
    assert issubclass(NotShoal, PeerFault)
    assert issubclass(VersionMismatch, LocalError)
    assert issubclass(OwnIdentity, LocalError)


def every_error(base: type[LinkError] = LinkError) -> list[type[LinkError]]:
    return [base, *(each for child in base.__subclasses__() for each in every_error(child))]


def test_the_message_of_every_error_is_one_sentence() -> None:
    fields = {name: "x" for kind in every_error() for name in re.findall(r"\{(\w+)", kind.__doc__ or "")}
    for kind in every_error():
        text = str(kind(**{**fields, "seconds": 5.0}))
        assert text.endswith(".")
        assert "\n" not in text
        assert "{" not in text


def test_the_vectors_of_the_specification() -> None:
    """docs/protocol_links.md, section 7: the same bytes, so that another program can be written from it."""
    document = (Path(__file__).parents[3] / "docs" / "protocol_links.md").read_text("utf-8")
    section = document.partition("## 7. Vectors")[2]
    vectors = dict(re.findall(r"^    (\w[\w ]*?) += (.+)$", section, re.MULTILINE))
    client = Initiator(
        Identity(bytes.fromhex(vectors["seed c"])), bytes.fromhex(vectors["channel"]), b"\x01" * 32
    )
    server = Responder(
        Identity(bytes.fromhex(vectors["seed s"])), bytes.fromhex(vectors["channel"]), b"\x02" * 32
    )
    challenged, answer = server.receive(client.hello)
    proved, proof = client.receive(answer)
    result, accept = challenged.receive(proof)
    assert proved.receive(accept).session_id == result.session_id
    messages = {"hello": client.hello, "answer": answer, "proof": proof, "accept": accept}
    assert {name: data.hex() for name, data in messages.items()} == {name: vectors[name] for name in messages}
    assert challenged.binding.hex() == vectors["T"]
    assert result.session_id.hex() == vectors["session"]
    assert " ".join(result.words) == vectors["words"]
    assert " ".join(fingerprint(client.identity.public)) == vectors["print c"]
    assert (client.identity.public.hex(), server.identity.public.hex()) == (vectors["id c"], vectors["id s"])
