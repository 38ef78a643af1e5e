"""Agreeing on a table: honest host and guests, and every lie of either."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.registry import game
from p2p.identity import Identity
from p2p.log import Malformed, decode_charter, encode
from p2p.sealed import Group
from p2p.session.setup import (
    Agreed,
    Agreement,
    GuestSetup,
    HostSetup,
    Join,
    JoinWithDeck,
    Opening,
    PrintedRoster,
    Proposal,
    Refused,
    Reopened,
    Roster,
    Seated,
    SetupError,
    commit_nonce,
    decode_setup,
)
from p2p.session.setup_wire import LACKS

GO_FISH = game("go-fish")
NAMES = ("Anna", "Ben", "Cleo")


class Gathering:
    """A host and its guests; every message passes through its bytes."""

    def __init__(self, seats: int = 3, present: int = 3, options: dict[str, str] | None = None) -> None:
        self.people = [Identity(bytes([n + 1]) * 32) for n in range(present)]
        self.host = HostSetup(
            "go-fish",
            options or {"deck": "52"},
            seats,
            "end",
            self.people[0].public,
            NAMES[0],
            ("h:1",),
            bytes([9]) * 32,
        )
        self.guests = [
            GuestSetup(person.public, NAMES[n], (f"g:{n}",), bytes([n]) * 32)
            for n, person in enumerate(self.people)
            if n
        ]

    def join(self) -> None:
        for person, guest in zip(self.people[1:], self.guests, strict=True):
            join = wire(guest.application())
            assert self.host.refusal(person.public, join) is None
            self.host.seat(person.public, join, is_bot=False)
        for guest in self.guests:
            assert guest.receive(wire(self.host.roster), game, GROUP) is None

    def propose(self) -> Proposal:
        return wire(self.host.propose(GO_FISH))

    def open(self, proposal: Proposal) -> bool:
        complete = False
        for person, guest in zip(self.people[1:], self.guests, strict=True):
            opening = guest.receive(proposal, game, GROUP)
            assert isinstance(opening, Opening)
            complete = self.host.open_nonce(person.public, wire(opening))
        return complete

    def until_agreement(self) -> Agreement:
        self.join()
        assert self.open(self.propose())
        return wire(self.host.agreement()[0])


class _Real:
    """Stands for the real group where only its name is read."""

    name = "ristretto255"


GROUP: Any = _Real()


def wire(message: Any) -> Any:
    """Through bytes and back."""
    data = encode(message)
    decoded = decode_setup(data)
    assert decoded == message
    assert encode(decoded) == data
    return decoded


def test_everyone_agrees_on_one_table() -> None:
    gathering = Gathering()
    message = gathering.until_agreement()
    _, own = gathering.host.agreement()
    agreed = [guest.receive(message, game, GROUP) for guest in gathering.guests]
    assert all(isinstance(each, Agreed) for each in agreed)
    assert [own.seat, *(each.seat for each in agreed)] == [0, 1, 2]
    assert len({each.charter.table_id for each in (own, *agreed)}) == 1
    assert {each.charter for each in agreed} == {own.charter}
    assert own.charter == decode_charter(message.charter)
    assert own.addresses == {0: ("h:1",), 1: ("g:1",), 2: ("g:2",)}
    assert own.charter.nonces == (bytes([9]) * 32, bytes([1]) * 32, bytes([2]) * 32)
    assert [seat.name for seat in own.charter.seats] == list(NAMES)


def test_a_rematch_with_equal_seats_and_options_is_another_table() -> None:
    first, second = Gathering(), Gathering()
    second.host = HostSetup(
        "go-fish", {"deck": "52"}, 3, "end", second.people[0].public, NAMES[0], ("h:1",), bytes([8]) * 32
    )
    tables = [decode_charter(each.until_agreement().charter).table_id for each in (first, second)]
    assert tables[0] != tables[1]


def test_bots_are_kept_by_the_host_and_free_seats_are_taken_away() -> None:
    gathering = Gathering(seats=4, present=3)
    for n, (person, guest) in enumerate(zip(gathering.people[1:], gathering.guests, strict=True)):
        gathering.host.seat(person.public, guest.application(), is_bot=n == 0)
    assert not gathering.host.is_full
    gathering.host.propose(GO_FISH)
    for guest, person in zip(gathering.guests, gathering.people[1:], strict=True):
        gathering.host.open_nonce(person.public, Opening(guest._nonce))
    charter = gathering.host.agreement()[1].charter
    assert [seat.keeper for seat in charter.seats] == [0, 0, 2]
    assert decode_charter(encode(charter)) == charter
    assert [seated.is_bot for seated in gathering.host.roster.taken] == [False, True, False]


def changed_charter(message: Agreement, **changes: Any) -> Agreement:
    charter = msgspec.structs.replace(decode_charter(message.charter), **changes)
    return Agreement(encode(charter), message.addresses)


def option(message: Agreement, name: str, value: str) -> tuple[tuple[str, str], ...]:
    return tuple((n, value if n == name else v) for n, v in decode_charter(message.charter).options)


LIES: dict[str, tuple[Callable[[Agreement], Agreement], str]] = {
    "an option changed after the proposal": (
        lambda m: changed_charter(m, options=option(m, "give_amount", "one")),
        "changed the table",
    ),
    "the reveal changed": (lambda m: changed_charter(m, reveal="never"), "changed the table"),
    "recovery changed": (lambda m: changed_charter(m, recovery=True), "changed the table"),
    "seats swapped": (
        lambda m: changed_charter(m, seats=tuple(reseated(decode_charter(m.charter).seats, (1, 0, 2)))),
        "changed the table",
    ),
    "a name changed": (
        lambda m: changed_charter(
            m,
            seats=(*decode_charter(m.charter).seats[:2], renamed(decode_charter(m.charter).seats[2], "Zoe")),
        ),
        "changed the table",
    ),
    "two seats with one name": (
        lambda m: changed_charter(
            m,
            seats=(*decode_charter(m.charter).seats[:2], renamed(decode_charter(m.charter).seats[2], "anna")),
        ),
        "one name",
    ),
    "another nonce of the host": (
        lambda m: changed_charter(m, nonces=(bytes(32), *decode_charter(m.charter).nonces[1:])),
        "The nonce of Anna does not fit",
    ),
    "an old nonce of this guest": (
        lambda m: changed_charter(
            m, nonces=(decode_charter(m.charter).nonces[0], bytes(32), decode_charter(m.charter).nonces[2])
        ),
        "The nonce of Ben does not fit",
    ),
    "the host's nonce for every seat": (
        lambda m: changed_charter(m, nonces=(decode_charter(m.charter).nonces[0],) * 3),
        "does not fit",
    ),
    "a nonce too few": (
        lambda m: changed_charter(m, nonces=decode_charter(m.charter).nonces[:2]),
        "cannot be played here",
    ),
    "a seat left out": (
        lambda m: changed_charter(
            m, seats=decode_charter(m.charter).seats[:2], nonces=decode_charter(m.charter).nonces[:2]
        ),
        "changed the table",
    ),
    "another version of the game": (lambda m: changed_charter(m, game_version=2), "changed the table"),
    "another protocol": (lambda m: changed_charter(m, protocol=2), "protocol version 2"),
    "another group": (lambda m: changed_charter(m, group="p256"), "changed the table"),
    "another deck": (lambda m: changed_charter(m, deck_digest=bytes(32)), "changed the table"),
    "a game nobody knows": (lambda m: changed_charter(m, game="chess"), "changed the table"),
    "an option nobody knows": (
        lambda m: changed_charter(m, options=(*decode_charter(m.charter).options, ("zebra", "1"))),
        "changed the table",
    ),
    "an option twice": (
        lambda m: changed_charter(
            m, options=tuple(sorted((*decode_charter(m.charter).options, ("deck", "104"))))
        ),
        "each once",
    ),
    "an address list too few": (lambda m: Agreement(m.charter, m.addresses[:2]), "addresses of each seat"),
    "no charter at all": (lambda m: Agreement(b"\x90", m.addresses), "cannot be played here"),
}


def reseated(seats: Any, order: tuple[int, ...]) -> list[Any]:
    return [msgspec.structs.replace(seats[old], keeper=new) for new, old in enumerate(order)]


def renamed(seat: Any, name: str) -> Any:
    return msgspec.structs.replace(seat, name=name)


@pytest.mark.parametrize("lie", LIES)
def test_a_guest_refuses_every_lie_about_the_charter(lie: str) -> None:
    gathering = Gathering()
    change, sentence = LIES[lie]
    message = change(gathering.until_agreement())
    with pytest.raises(SetupError, match=sentence) as error:
        gathering.guests[0].receive(message, game, GROUP)
    assert str(error.value).count("\n") == 0


@pytest.mark.parametrize("lie", LIES)
def test_a_host_that_proposes_the_lie_itself_gains_nothing(lie: str) -> None:
    gathering = Gathering()
    gathering.join()
    gathering.open(gathering.propose())
    message = LIES[lie][0](gathering.host.agreement()[0])
    guest = GuestSetup(gathering.people[1].public, NAMES[1], (), bytes([1]) * 32)
    guest.receive(gathering.host.roster, game, GROUP)
    charter = msgspec.msgpack.decode(message.charter)
    if charter:
        charter[-1] = []
    commitments = tuple(place.commitment for place in gathering.host._places)
    said = []
    for each in (Proposal(msgspec.msgpack.encode(charter), commitments), message):
        try:
            said.append(guest.receive(each, game, GROUP))
        except SetupError as error:
            said.append(str(error))
            break
    assert isinstance(said[-1], str)


def test_a_guest_is_left_out() -> None:
    gathering = Gathering()
    gathering.join()
    proposal = gathering.propose()
    host, _, cleo = proposal.commitments
    for commitments, sentence in (
        ((host, cleo), "for each seat"),
        ((host, host, cleo), "left out this seat"),
    ):
        with pytest.raises(SetupError, match=sentence):
            gathering.guests[0].receive(Proposal(proposal.charter, commitments), game, GROUP)


def test_a_guest_sits_in_no_seat_of_another_identity() -> None:
    """Its commitment is there, but the seat is someone else's, or bears another name."""
    gathering = Gathering()
    gathering.join()
    proposal = gathering.propose()
    stranger = Identity(bytes([77]) * 32)
    for public, name in ((stranger.public, NAMES[1]), (gathering.people[1].public, "Bertha")):
        guest = GuestSetup(public, name, (), bytes([1]) * 32)
        guest.receive(gathering.host.roster, game, GROUP)
        own = commit_nonce(public, bytes([1]) * 32)
        commitments = (proposal.commitments[0], own, proposal.commitments[2])
        with pytest.raises(SetupError, match="no seat for this player"):
            guest.receive(Proposal(proposal.charter, commitments), game, GROUP)


def test_a_host_cannot_use_a_guests_nonce_as_its_own() -> None:
    """Commitments are bound to identities: a copied one cannot be opened by another."""
    public = [Identity(bytes([n]) * 32).public for n in (1, 2)]
    assert commit_nonce(public[0], bytes(32)) != commit_nonce(public[1], bytes(32))


def test_a_guest_sends_its_nonce_once() -> None:
    gathering = Gathering()
    gathering.join()
    proposal = gathering.propose()
    guest = gathering.guests[0]
    assert isinstance(guest.receive(proposal, game, GROUP), Opening)
    with pytest.raises(SetupError, match="second table"):
        guest.receive(proposal, game, GROUP)


def test_the_announced_game_cannot_be_exchanged_after_the_proposal() -> None:
    gathering = Gathering()
    gathering.join()
    guest = gathering.guests[0]
    guest.receive(gathering.propose(), game, GROUP)
    assert guest.receive(gathering.host.roster, game, GROUP) is None
    other = msgspec.structs.replace(gathering.host.roster, options=(("deck", "104"),))
    with pytest.raises(SetupError, match="changed the table"):
        guest.receive(other, game, GROUP)


PLAIN: dict[str, Any] = {"game": "go-fish", "options": {}, "seats": 3, "reveal": "end"}
OTHERS: dict[str, dict[str, Any]] = {
    "another game": {"game": "one-fish"},
    "an option": {"options": {"ask_mode": "card"}},
    "many options": {"options": {"ranks": "3", "suits": "2", "book_size": "2", "hand_size": "1"}},
    "hands that stay closed": {"reveal": "never"},
    "another grace time": {"grace": 10},
    "keys in escrow": {"recovery": True},
    "anybody may watch": {"watchers": "any"},
    "nobody may watch": {"watchers": "none"},
    "printed cards": {"scanner": 0},
    "printed cards with a grace time": {"scanner": 0, "grace": 10},
}
"""What a host may open instead of a plain table."""


def opened(people: list[Identity], guests: list[GuestSetup], **terms: Any) -> HostSetup:
    """A full table with these terms."""
    more = {**PLAIN, **terms}
    fixed = [more.pop(name) for name in PLAIN]
    host = HostSetup(*fixed, people[0].public, NAMES[0], ("h:1",), bytes([9]) * 32, **more)
    for person, guest in zip(people[1:], guests, strict=True):
        host.seat(person.public, wire(guest.application()), is_bot=False)
    return host


@pytest.mark.parametrize("other", OTHERS)
def test_a_guest_plays_at_no_other_table_than_it_was_shown(other: str) -> None:
    """Neither a plain roster before another charter nor the other way round, nor a second roster: and its
    nonce stays closed. Where the host shows what it proposes, all agree."""
    gathering = Gathering()
    people, guests = gathering.people, gathering.guests
    plain, changed = opened(people, guests), opened(people, guests, **OTHERS[other])
    for shown, played in ((plain, changed), (changed, plain)):
        rules = game(played.game)
        guest = GuestSetup(people[1].public, NAMES[1], (), bytes([1]) * 32)
        guest.receive(wire(shown.roster), game, GROUP)
        with pytest.raises(SetupError, match="than the host announced"):
            guest.receive(wire(played.propose(rules)), game, GROUP)
        with pytest.raises(SetupError, match="after showing it"):
            guest.receive(wire(played.roster), game, GROUP)
        honest = GuestSetup(people[1].public, NAMES[1], (), bytes([1]) * 32)
        honest.receive(wire(played.roster), game, GROUP)
        assert honest.receive(wire(played.propose(rules)), game, GROUP) == Opening(bytes([1]) * 32)


@pytest.mark.parametrize("other", OTHERS)
def test_a_guest_that_knows_the_table_applies_for_no_other_one(other: str) -> None:
    """In a rematch, and where it applies once more, nobody is asked whether the new one will do."""
    gathering = Gathering()
    people, guests = gathering.people, gathering.guests
    plain, changed = opened(people, guests), opened(people, guests, **OTHERS[other])
    for known, found in ((plain, changed), (changed, plain)):
        guest = GuestSetup(people[1].public, NAMES[1], (), bytes([1]) * 32, terms=known.roster.terms)
        with pytest.raises(SetupError, match="after showing it"):
            guest.receive(wire(found.roster), game, GROUP)
        assert guest.receive(wire(known.roster), game, GROUP) is None


def test_options_that_are_not_named_are_the_usual_ones() -> None:
    gathering = Gathering(options={"deck": "52"})
    short = msgspec.structs.replace(gathering.host.roster, options=())
    for person, guest in zip(gathering.people[1:], gathering.guests, strict=True):
        gathering.host.seat(person.public, guest.application(), is_bot=False)
    for guest in gathering.guests:
        guest.receive(msgspec.structs.replace(gathering.host.roster, options=short.options), game, GROUP)
    assert gathering.open(gathering.propose())


@pytest.mark.parametrize("change", ["renamed", "another", "a bot", "one more", "one less", "swapped"])
def test_a_guest_plays_with_nobody_but_those_it_was_shown(change: str) -> None:
    gathering = Gathering()
    gathering.join()
    host, ben, cleo = gathering.host.roster.taken
    zoe = Identity(bytes([88]) * 32).public
    taken = {
        "renamed": (host, ben, msgspec.structs.replace(cleo, name="Zoe")),
        "another": (host, ben, msgspec.structs.replace(cleo, public=zoe)),
        "a bot": (host, ben, msgspec.structs.replace(cleo, is_bot=True)),
        "one more": (host, ben, cleo, Seated(zoe, "Zoe", False)),
        "one less": (host, ben),
        "swapped": (host, cleo, ben),
    }[change]
    roster = msgspec.structs.replace(gathering.host.roster, taken=taken)
    guest = GuestSetup(gathering.people[1].public, NAMES[1], (), bytes([1]) * 32, terms=None)
    guest.receive(msgspec.structs.replace(roster, seats=4), game, GROUP)
    with pytest.raises(SetupError, match="other players"):
        guest.receive(gathering.propose(), game, GROUP)


def test_a_person_is_nobodys_bot() -> None:
    """Who keeps a seat speaks for it where keys are shared out."""
    gathering = Gathering()
    for person, guest in zip(gathering.people[1:], gathering.guests, strict=True):
        gathering.host.seat(person.public, guest.application(), is_bot=True)
    proposal = gathering.propose()
    bot = GuestSetup(gathering.people[1].public, NAMES[1], (), bytes([1]) * 32, is_bot=True)
    for guest in (gathering.guests[0], bot):
        guest.receive(gathering.host.roster, game, GROUP)
    assert isinstance(bot.receive(proposal, game, GROUP), Opening)
    with pytest.raises(SetupError, match="bot of its own"):
        gathering.guests[0].receive(proposal, game, GROUP)


def test_a_nonce_before_the_proposal_is_none() -> None:
    """Else it would be the last one that is awaited, and all others would be too late."""
    gathering = Gathering()
    gathering.join()
    with pytest.raises(SetupError, match="before the table was proposed"):
        gathering.host.open_nonce(gathering.people[1].public, Opening(bytes([1]) * 32))
    assert gathering.host.unopened == {person.public for person in gathering.people[1:]}


@pytest.mark.parametrize(
    "message", [Join("x", bytes(32), ()), Opening(bytes(32))], ids=["application", "nonce"]
)
def test_a_host_that_talks_like_a_guest_is_refused(message: Any) -> None:
    with pytest.raises(SetupError, match="only a guest sends"):
        Gathering().guests[0].receive(message, game, GROUP)


def test_a_charter_without_a_proposal_is_refused() -> None:
    gathering = Gathering()
    message = gathering.until_agreement()
    fresh = GuestSetup(gathering.people[1].public, NAMES[1], (), bytes([1]) * 32)
    with pytest.raises(SetupError, match="without a proposal"):
        fresh.receive(message, game, GROUP)


def test_a_refusal_reaches_the_player_in_the_hosts_words() -> None:
    with pytest.raises(SetupError, match="This table is full"):
        Gathering().guests[0].receive(wire(Refused("This table is full.")), game, GROUP)


# --- the host's side ------------------------------------------------------------------------------------


def test_who_is_not_seated_and_why() -> None:
    gathering = Gathering(seats=2)
    ben, cleo = (guest.application() for guest in gathering.guests)
    host, people = gathering.host, gathering.people
    assert host.refusal(people[0].public, ben) == "This player already has a seat here."
    anna = host.refusal(people[1].public, Join("ANNA", bytes(32), ()))
    assert anna == "The name ANNA is taken at this table; join with --name and another one."
    host.seat(people[1].public, ben, is_bot=False)
    assert host.refusal(people[1].public, cleo) == "This player already has a seat here."
    assert host.refusal(people[2].public, cleo) == "This table is full."
    host.propose(GO_FISH)
    assert host.refusal(people[2].public, cleo) == "The game at this table has started."


def test_a_host_alone_cannot_start() -> None:
    with pytest.raises(SetupError, match="At least two players"):
        Gathering().host.propose(GO_FISH)


def test_a_guest_that_leaves_makes_room_until_the_proposal_and_ends_the_setup_after_it() -> None:
    gathering = Gathering()
    gathering.join()
    host, people = gathering.host, gathering.people
    assert host.leave(people[1].public)
    assert not host.leave(people[1].public)
    assert not host.leave(people[0].public)  # the host does not leave its own table
    assert [seated.name for seated in host.roster.taken] == ["Anna", "Cleo"]
    host.propose(GO_FISH)
    with pytest.raises(SetupError, match="left while"):
        host.leave(people[2].public)


def test_a_proposal_that_is_taken_back_needs_new_applications_and_keeps_the_order() -> None:
    gathering = Gathering()
    gathering.join()
    host, people = gathering.host, gathering.people
    proposal = gathering.propose()
    for guest in gathering.guests:
        assert isinstance(guest.receive(proposal, game, GROUP), Opening)
        with pytest.raises(Reopened, match="Zoe left"):
            guest.receive(Refused("Zoe left."), game, GROUP)
    assert host.unopened == {person.public for person in people[1:]}
    assert host.names(host.unopened) == "Ben, Cleo"
    host.reopen(bytes([8]) * 32)
    assert [seated.name for seated in host.roster.taken] == ["Anna"]
    for n in (2, 1):  # the later one is back first
        again = GuestSetup(people[n].public, NAMES[n], (), bytes([40 + n]) * 32)
        host.seat(people[n].public, wire(again.application()), is_bot=False)
    assert [seated.name for seated in host.roster.taken] == list(NAMES)
    assert not set(host.propose(GO_FISH).commitments) & set(proposal.commitments)


@pytest.mark.parametrize("nonce", [bytes(32), b"", bytes([1]) * 31, bytes([1]) * 33], ids=len)
def test_a_guest_that_opens_another_nonce_ends_the_setup(nonce: bytes) -> None:
    gathering = Gathering()
    gathering.join()
    gathering.propose()
    with pytest.raises(SetupError, match="another nonce"):
        gathering.host.open_nonce(gathering.people[1].public, Opening(nonce))


def test_a_stranger_opens_no_nonce() -> None:
    gathering = Gathering()
    gathering.join()
    gathering.propose()
    with pytest.raises(SetupError, match="another nonce"):
        gathering.host.open_nonce(Identity(bytes([50]) * 32).public, Opening(bytes([1]) * 32))


def test_what_only_a_guest_knows_is_in_no_repr() -> None:
    gathering = Gathering()
    gathering.until_agreement()
    shown = repr(gathering.host._places) + repr(gathering.guests[0])
    assert repr(bytes([1]) * 32)[2:-1] not in shown


# --- bytes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        Join("", bytes(32), ()),
        Join("x" * 129, bytes(32), ()),
        Join("x", bytes(31), ()),
        Join("x", bytes(32), ("a",) * 9),
        JoinWithDeck("x", bytes(32), (), b""),
        JoinWithDeck("x", bytes(32), (), bytes(33)),
        Join("x", bytes(32), (" " * 60 + "1.2.3.4:5",)),
        Agreement(b"", (("a",) * 9,)),
        Agreement(b"", (("a" * 65,),)),
        Roster("go-fish", (("b", "1"), ("a", "1")), 2, (Seated(bytes(32), "Ann", False),)),
        Roster("go-fish", (("a", "1"), ("a", "2")), 2, (Seated(bytes(32), "Ann", False),)),
        Roster("go-fish", tuple((f"{n:02}", "") for n in range(65)), 2, (Seated(bytes(32), "Ann", False),)),
        Roster("go-fish", (), 2, (Seated(bytes(32), "Ann", False),), "soon"),
        Roster("go-fish", (), 2, (Seated(bytes(32), "Ann", False),), grace=9),
        Roster("go-fish", (), 2, (Seated(bytes(32), "Ann", False),), watchers="friends"),
        PrintedRoster("go-fish", (), 2, (Seated(bytes(32), "Ann", False),), scanner=1),
        PrintedRoster("go-fish", (), 2, (Seated(bytes(32), "Ann", False),), dealing="sealed"),
        Refused(""),
        Refused("x" * 301),
    ],
    ids=repr,
)
def test_messages_of_wrong_sizes_are_malformed(message: Any) -> None:
    with pytest.raises(Malformed):
        decode_setup(encode(message))


def test_bytes() -> None:
    """As docs/protocol.md, section 2, has them."""
    roster = Roster("go-fish", (), 2, (Seated(b"\1" * 32, "Ann", False),))
    data = encode(roster).hex()
    assert LACKS.hex() == "91ad6c61636b732063686172746572"
    assert data == (
        "99a6726f73746572a7676f2d6669736890029193c420" + "01" * 32 + "a3416e6ec2a3656e64c078a56b6e6f776e"
    )
    text = "".join((Path(__file__).parents[3] / "docs" / "protocol.md").read_text("utf-8").split())
    assert LACKS.hex() in text
    assert data[:62] in text
    assert decode_setup(bytes.fromhex(data)) == roster
    with pytest.raises(Malformed):  # that of an older program, which does not say what is played
        decode_setup(bytes.fromhex("95" + data[2 : -2 * 14]))


texts = st.text(max_size=20)
messages = st.one_of(
    st.builds(Join, st.text(min_size=1, max_size=20), st.binary(min_size=32, max_size=32), st.just(("a:1",))),
    st.builds(
        JoinWithDeck,
        st.text(min_size=1, max_size=20),
        st.binary(min_size=32, max_size=32),
        st.just(("a:1",)),
        st.binary(min_size=32, max_size=32),
    ),
    st.builds(
        Roster,
        texts,
        st.dictionaries(texts, texts, max_size=3).map(lambda options: tuple(sorted(options.items()))),
        st.integers(3, 6),
        st.lists(st.builds(Seated, st.binary(max_size=40), texts, st.booleans()), min_size=1, max_size=3).map(
            tuple
        ),
        st.sampled_from(["end", "never"]),
        st.sampled_from([None, True, False]),
        st.sampled_from([10, 120, 604_800]),
        st.sampled_from(["none", "known", "any"]),
    ),
    st.builds(Refused, st.text(min_size=1, max_size=300)),
    st.builds(Proposal, st.binary(max_size=50), st.lists(st.binary(max_size=40), max_size=3).map(tuple)),
    st.builds(Opening, st.binary(max_size=40)),
    st.builds(Agreement, st.binary(max_size=50), st.just((("a:1",), ()))),
)


@given(messages)
def test_messages_survive_their_bytes(message: Any) -> None:
    wire(message)


def changed(message: Any) -> st.SearchStrategy[bytes]:
    """The bytes of a message with one byte replaced."""
    data = encode(message)
    places = st.tuples(st.integers(0, len(data) - 1), st.integers(0, 255))
    return places.map(lambda at: data[: at[0]] + bytes([at[1]]) + data[at[0] + 1 :])


@given(st.one_of(st.binary(max_size=300), messages.flatmap(changed)))
def test_any_bytes_are_a_message_or_malformed(data: bytes) -> None:
    try:
        message = decode_setup(data)
    except Malformed:
        return
    assert encode(message) == data


@given(messages)
def test_a_guest_answers_any_message_or_says_why_not(message: Any) -> None:
    gathering = Gathering()
    refusals = []
    try:
        gathering.guests[0].receive(message, game, GROUP)
    except SetupError as error:
        refusals.append(str(error))
    assert all(refusals)


def test_a_guest_that_insists_on_a_deck_names_its_digest() -> None:
    plain, insisting = (GuestSetup(bytes(32), "Ben", (), bytes(32), deck) for deck in (b"", bytes([7]) * 32))
    assert type(plain.application()) is Join
    application = wire(insisting.application())
    assert isinstance(application, JoinWithDeck)
    assert application.deck == bytes([7]) * 32


def test_the_real_group_is_the_one_of_the_charter(real: Group) -> None:
    assert real.name == GROUP.name
