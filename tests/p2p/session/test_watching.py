"""What a spectator is sent, byte for byte, and what it makes of it: pure cores, no links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.registry import game
from p2p.deal import Reveal
from p2p.identity import Identity
from p2p.link.known import KnownPlayer
from p2p.log import (
    WATCHERS,
    Certificate,
    Charter,
    Equivocation,
    Malformed,
    WatchedCharter,
    Watchers,
    decode_charter,
    encode,
    encode_message,
    read_records,
    sign_entry,
)
from p2p.log.record import (
    CertificateRecord,
    CharterRecord,
    ClosingRecord,
    EntryRecord,
    EvidenceRecord,
    RejectedRecord,
)
from p2p.sealed import Group
from p2p.session import Session, SetupError
from p2p.session.setup import HostSetup, Join, Opening, commit_nonce
from p2p.session.watching import (
    MAX_PART,
    Back,
    Feed,
    Part,
    PausedSeat,
    Places,
    Start,
    Watch,
    ending,
    is_for_strangers,
    read_watch,
    refusal,
)
from p2p.verify import BadFeed, Cheated, Due, Ended, Follower, Heard, Report, Step, Undone, verify
from tests.p2p.harness import SHORT, TINY, Ring
from tests.p2p.session.test_departure import UNHEARD, lose_links, ring_with_one_ahead, until_gone

PLACES = {0: ("10.0.0.1:7467",), 1: ("10.0.0.2:7467", "10.0.0.3:7467")}


class Glass:
    """A spectator of one session, fed at once with whatever there is."""

    def __init__(self, group: Group, session: Session, follower: Follower | None = None) -> None:
        self.follower = follower or Follower(game, group)
        self.steps: list[Step] = []
        self.undone: list[int] = []
        self.report: Report | None = None
        self.frames: list[bytes] = []
        self.turn_to(session)

    def turn_to(self, session: Session) -> None:
        """Ask another seat."""
        self.session = session
        request = read_watch(encode(self.follower.request("Gus")))
        assert request is not None
        self.feed = Feed(request)
        self.follower.begin_feed()
        self.hear(self.feed.opening(session.history, PLACES))

    def look(self) -> None:
        """All that is new."""
        while frames := self.feed.following(self.session.history):
            self.hear(frames)

    def end(self) -> Report:
        self.look()
        self.hear(ending(self.session.last_records()))
        assert self.report is not None
        return self.report

    def hear(self, frames: list[bytes]) -> None:
        self.frames += frames
        for frame in frames:
            for heard in self.follower.hear(frame):
                self.see(heard)

    def see(self, heard: Heard) -> None:
        match heard:
            case Due():
                self.steps.append(self.follower.verify(heard))
            case Undone(step):
                self.undone.append(step)
                del self.steps[step:]
            case Ended():
                last, self.report = self.follower.conclude()
                self.steps += [last] if last is not None else []


def held(session: Session) -> set[bytes]:
    """All records of a session's game file as it stands, as frames."""
    return {encode(record) for record in read_records(session.record())}


def plays(ring: Ring) -> Iterator[None]:
    ring.start()
    yield
    yield from ring.steps()


OWN = (Places, Start, Back)


def is_own(frame: bytes) -> bool:
    """Whether a frame is the feed's own, and no record."""
    tag = msgspec.msgpack.decode(frame)[0]
    return tag in {kind.__struct_config__.tag for kind in OWN}


@pytest.mark.parametrize("reveal", ["end", "never"])
@pytest.mark.parametrize("options", [TINY, SHORT], ids=["tiny", "short"])
def test_a_feed_holds_what_the_record_holds_at_that_moment_and_nothing_else(
    small: Group, options: dict[str, str], reveal: str
) -> None:
    ring = Ring(small, 3, options=options, reveal=reveal)
    glasses: list[Glass] = []
    for _ in plays(ring):
        if not glasses:
            glasses = [Glass(small, session) for session in ring.sessions]
        for glass in glasses:
            before = len(glass.frames)
            glass.look()
            new = [frame for frame in glass.frames[before:] if not is_own(frame)]
            assert set(new) <= (held(glass.session) if new else set())
    for seat, glass in enumerate(glasses):
        report = glass.end()
        assert report == ring.verdict(seat)
        assert report.finished
        assert glass.follower.record() == ring.record(seat), "byte for byte the seat's own file"
        assert {frame for frame in glass.frames if not is_own(frame)} == held(glass.session)
        assert [step.number for step in glass.steps] == list(range(glass.session.history.step))


def test_printed_cards_are_watched_as_well(small: Group) -> None:
    """The scanned faces are sealed in what is sent; the seed of the table's machine opens them at the end."""
    ring = Ring(small, 3, options=SHORT, scanner=0)
    glass: Glass | None = None
    for _ in plays(ring):
        glass = glass or Glass(small, ring.sessions[1])
        glass.look()
        if not isinstance(ring.sessions[1].history.progress.task, Reveal | None):
            assert ring.secrets(0).seed not in b"".join(glass.frames)
    assert glass is not None
    assert glass.end() == ring.verdict(1)
    assert ring.secrets(0).seed in b"".join(glass.frames)
    assert glass.follower.record() == ring.record(1)


@pytest.mark.parametrize("reveal", ["end", "never"])
def test_no_secret_is_sent_before_it_is_revealed(small: Group, reveal: str) -> None:
    ring = Ring(small, 3, options=SHORT, reveal=reveal)
    secrets = [ring.secrets(seat) for seat in range(3)]
    never = [
        *ring.roots,
        *(each.payload_key.to_bytes(32, order) for each in secrets for order in ("little", "big")),
    ]
    later = [*(each.seed for each in secrets)]
    later += [each.card_key.to_bytes(32, order) for each in secrets for order in ("little", "big")]
    glass: Glass | None = None
    for _ in plays(ring):
        glass = glass or Glass(small, ring.sessions[0])
        glass.look()
        if not isinstance(ring.sessions[0].history.progress.task, Reveal | None):
            sent = b"".join(glass.frames)
            assert not any(secret in sent for secret in (*never, *later))
    assert glass is not None
    glass.end()
    sent = b"".join(glass.frames)
    assert not any(secret in sent for secret in never)
    assert any(each.seed in sent for each in secrets) == (reveal == "end"), "the search finds what is there"


def test_one_who_comes_late_learns_the_same(small: Group) -> None:
    ring = Ring(small, 3, options=SHORT)
    late = None
    for number, _ in enumerate(plays(ring)):
        if number == 150:
            late = Glass(small, ring.sessions[2])
            assert late.follower.reached == ring.sessions[2].history.step > 5
            assert late.follower.places == (PLACES[0], PLACES[1], ())
        if late is not None:
            late.look()
    assert late is not None
    assert late.end() == ring.verdict(2)


def test_another_seat_goes_on_where_the_first_stopped(small: Group) -> None:
    ring = Ring(small, 3, options=SHORT)
    glass, turned = None, False
    for _ in plays(ring):
        glass = glass or Glass(small, ring.sessions[0])
        if not turned:
            glass.look()
        if glass.steps and glass.steps[-1].number == 9 and not turned:
            turned = True
        if turned and glass.session is ring.sessions[0] and ring.sessions[1].history.step > 12:
            glass.turn_to(ring.sessions[1])
    assert glass is not None
    assert glass.end() == ring.verdict(1)
    assert glass.undone == []
    entries = [frame for frame in glass.frames if isinstance_of(frame, "entry")]
    assert len(entries) == len(set(entries)), "nothing was sent twice"


def isinstance_of(frame: bytes, tag: str) -> bool:
    return bool(msgspec.msgpack.decode(frame)[0] == tag)


def test_steps_that_are_taken_back_are_undone_for_spectators_too(small: Group) -> None:
    """The seat that is watched went on alone behind a cut, and is certified to have left."""
    ring = ring_with_one_ahead(small)
    glass, other = Glass(small, ring.sessions[1]), Glass(small, ring.sessions[0])
    glass.look()
    assert len(glass.steps) > UNHEARD
    lose_links(ring, 1)
    until_gone(ring, 1)
    ring.deliver = None
    ring.relink(1)
    assert ring.run_clock(lambda: ring.sessions[1].is_over, 100)
    assert glass.end() == ring.verdict(1)
    assert glass.undone == [UNHEARD]
    assert other.end() == ring.verdict(0)
    assert other.undone == []
    assert glass.follower.record() == ring.record(1)


def test_one_that_was_ahead_finds_at_another_seat_what_was_certified(small: Group) -> None:
    ring = ring_with_one_ahead(small)
    glass = Glass(small, ring.sessions[1])
    glass.look()
    lose_links(ring, 1)
    until_gone(ring, 1)
    assert ring.run_clock(lambda: ring.sessions[0].is_over, 100)
    glass.turn_to(ring.sessions[0])
    assert glass.end() == ring.verdict(0)
    assert glass.undone == [UNHEARD], "what both know is not shown twice"


def test_two_seats_that_tell_two_histories_show_who_signed_both(small: Group) -> None:
    """Seat 2 signs another contribution for those who watch at seat 1: found when that one is asked."""
    ring = Ring(small, 3, options=TINY)
    ring.play_until(lambda: ring.sessions[0].history.step >= 8)
    glass = Glass(small, ring.sessions[0])
    glass.look()
    history = ring.sessions[0].history
    step = next(n for n in range(4, 8) if any(entry.seat == 2 for entry in history.steps[n]))
    first = next(entry for entry in history.steps[step] if entry.seat == 2)
    body = first.body[:-1] + bytes([first.body[-1] ^ 1])
    head = history.heads[step]
    forged = sign_entry(ring.identities[2], history.table_id, first.epoch, step, 2, head, body)
    frames = Feed(Watch("Gus", 0, b"")).opening(history, {})
    frames = [frames[0], frames[1], encode(Start(0, history.step))]
    for number in range(step + 1):
        for entry in history.steps[number]:
            frames.append(encode(EntryRecord(forged if entry == first else entry)))
    glass.follower.begin_feed()
    with pytest.raises(Cheated, match="two different contributions") as found:
        glass.hear(frames)
    assert (found.value.seat, found.value.step) == (2, step)
    report = glass.follower.verifier.failed(found.value)
    assert (report.verdict, report.seat) == ("cheated", 2)
    proven = verify(glass.follower.record(), game, small)
    assert (proven.verdict, proven.seat) == ("cheated", 2), "and the record proves it to anybody"


# --- feeds that lie -----------------------------------------------------------------------------------------


@pytest.fixture
def played(small: Group) -> Ring:
    ring = Ring(small, 2, options=TINY)
    ring.play()
    return ring


def frames_of(ring: Ring) -> list[bytes]:
    history = ring.sessions[0].history
    feed = Feed(Watch("Gus", 0, b""))
    frames = feed.opening(history, PLACES)
    while more := feed.following(history):
        frames += more
    return frames + ending(ring.sessions[0].last_records())


def follow(group: Group, frames: list[bytes]) -> Report | None:
    """What a spectator finds who hears these frames; ``None`` where it is never told of an end.

    Raises ``BadFeed``, ``Cheated`` or ``ValueError``.
    """
    follower = Follower(game, group)
    follower.begin_feed()
    report = None
    for frame in frames:
        for heard in follower.hear(frame):
            if isinstance(heard, Due):
                follower.verify(heard)
            elif isinstance(heard, Ended):
                report = follower.conclude()[1]
    return report


def test_an_honest_feed_is_sound(small: Group, played: Ring) -> None:
    assert follow(small, frames_of(played)) == played.verdict(0)


def test_a_feed_that_lacks_or_repeats_or_mixes_up_frames_is_found(small: Group, played: Ring) -> None:
    """Every frame left out, said twice, and exchanged with the next one: an error, a bad verdict, or no
    difference."""
    honest, sound = frames_of(played), played.verdict(0)
    ends: Counter[str] = Counter()
    for at in range(len(honest)):
        without = honest[:at] + honest[at + 1 :]
        twice = honest[: at + 1] + honest[at:]
        swapped = [*honest[:at], *honest[at + 1 : at + 2], honest[at], *honest[at + 2 :]]
        for frames in (without, twice, swapped):
            try:
                report = follow(small, frames)
            except (BadFeed, Cheated, ValueError):
                ends["refused"] += 1
                continue
            ends["no end" if report is None else report.verdict] += 1
            if report is not None and report.verdict == "sound":
                assert report == sound
                assert frames is not without or at == 1, "all but the addresses is needed"
    assert ends["refused"] > len(honest), ends


def test_any_byte_that_is_changed_is_found(small: Group, played: Ring) -> None:
    honest = frames_of(played)
    for at in range(len(honest)):
        if at in (1, 2):  # the addresses, and how far the sender is
            continue
        for place in {0, len(honest[at]) // 2, len(honest[at]) - 1}:
            bent = bytearray(honest[at])
            bent[place] ^= 1
            try:
                report = follow(small, [*honest[:at], bytes(bent), *honest[at + 1 :]])
            except (BadFeed, Cheated, ValueError):
                continue
            assert report is None or report.verdict != "sound"


@pytest.mark.parametrize(
    "frames",
    [
        lambda honest: [honest[3]],
        lambda honest: [honest[0], honest[0]],
        lambda honest: [honest[0], honest[3]],
        lambda honest: [honest[0], encode(Start(5, 9))],
        lambda honest: [honest[0], encode(Start(0, -1))],
        lambda honest: [*honest[:4], encode(Back(0))],
        lambda honest: [*honest[:6], encode(Back(0)), *honest[3:6]],
        lambda honest: [*honest, honest[-1]],
        lambda honest: [honest[0], encode(Places((("x" * 65,),)))],
        lambda honest: [honest[0], encode(Places(((),) * 7))],
        lambda honest: [*(encode(Part(bytes(MAX_PART), False)) for _ in range(3))],
        lambda honest: [encode(PausedSeat(0))],
        lambda honest: [*honest[:2], encode(PausedSeat(0))],
        lambda honest: [*honest[:4], encode(PausedSeat(2))],
        lambda honest: [*honest[:4], encode(PausedSeat(-1))],
        lambda honest: [*honest, encode(PausedSeat(0))],
        lambda honest: [b""],
        lambda honest: [b"\xc1"],
        lambda honest: [encode(["watch", "Gus", 0, b""])],
        lambda honest: [encode(CharterRecord(b"no charter"))],
    ],
)
def test_frames_that_cannot_stand_there_end_the_feed(small: Group, played: Ring, frames: Any) -> None:
    with pytest.raises(BadFeed, match=r"^[A-Z].*\.?$"):
        follow(small, frames(frames_of(played)))


@pytest.mark.parametrize("way", ["back", "start", "both"])
def test_a_finished_game_cannot_be_cut_by_who_sends_it(small: Group, played: Ring, way: str) -> None:
    """All is verified; then that seat, or another one, has less of it and says that it was stopped there."""
    glass = Glass(small, played.sessions[0])
    glass.look()
    history, whole = played.sessions[0].history, glass.follower.record()
    head = frames_of(played)[:2]
    for step in range(1, history.step):
        count = sum(len(entries) for entries in history.steps[:step])
        end = encode(ClosingRecord(count, history.heads[step], "stopped"))
        shorter = [encode(EntryRecord(entry)) for entries in history.steps[:step] for entry in entries]
        begins = [*head, encode(Start(0, step)), *shorter]
        feeds = {
            "back": [*head, encode(Start(history.step, history.step)), encode(Back(step)), end],
            "start": [*begins, end],
            "both": [*begins, encode(Back(step - 1)), end],
        }
        glass.follower.begin_feed()
        with pytest.raises(BadFeed, match="has less of the game"):
            glass.hear(feeds[way])
        assert glass.follower.record() == whole
    assert glass.undone == []
    glass.turn_to(played.sessions[1])
    assert glass.end() == played.verdict(1)


def test_a_certificate_that_is_known_takes_nothing_back_again(small: Group) -> None:
    ring = ring_with_one_ahead(small)
    lose_links(ring, 1)
    until_gone(ring, 1)
    assert ring.run_clock(lambda: ring.sessions[0].is_over, 100)
    glass = Glass(small, ring.sessions[0])
    glass.look()
    history, undone = ring.sessions[0].history, list(glass.undone)
    (step, certificate), *_more = history.certificates.items()
    count = sum(len(entries) for entries in history.steps[:step])
    end = encode(ClosingRecord(count, history.heads[step], "stopped"))
    with pytest.raises(BadFeed, match="has less of the game"):
        glass.hear([encode(Back(step)), encode(CertificateRecord(certificate)), end])
    assert glass.undone == undone


def test_a_contribution_that_is_rejected_convicts_at_an_earlier_step_too(small: Group, played: Ring) -> None:
    history = played.sessions[0].history
    for step in (1, 5, history.step - 1):
        place = (history.table_id, 0, step, 1, history.heads[step])
        lie = sign_entry(played.identities[1], *place, b"junk")
        end = encode(ClosingRecord(len(history.entries), history.head, "cheated"))
        frames = [*frames_of(played)[:-1], encode(RejectedRecord(lie)), end]
        report = follow(small, frames)
        assert report is not None
        assert (report.verdict, report.seat, report.step) == ("cheated", 1, step)


def test_evidence_counts_from_whoever_has_come_less_far(small: Group, played: Ring) -> None:
    glass = Glass(small, played.sessions[0])
    glass.look()
    history = played.sessions[0].history
    step = next(n for n in range(3, history.step) if any(entry.seat == 1 for entry in history.steps[n]))
    place = (history.table_id, 0, step, 1, history.heads[step])
    two = [sign_entry(played.identities[1], *place, body) for body in (b"one", b"two")]
    end = encode(ClosingRecord(0, history.heads[0], "cheated"))
    for proof, error in ((Equivocation(history.heads[step], *two), Cheated), (
        Equivocation(history.heads[step], two[0], two[0]), BadFeed
    )):  # fmt: skip
        other = Glass(small, played.sessions[0])
        other.look()
        other.follower.begin_feed()
        with pytest.raises(error):
            other.hear([*frames_of(played)[:2], encode(Start(0, 0)), encode(EvidenceRecord(proof)), end])


def test_a_pause_is_heard_and_is_no_part_of_the_record(small: Group, played: Ring) -> None:
    honest = frames_of(played)
    follower = Follower(game, small)
    follower.begin_feed()
    for frame in honest[:4]:
        follower.hear(frame)
    assert follower.hear(encode(PausedSeat(1))) == (PausedSeat(1),)
    assert follow(small, [*honest[:4], encode(PausedSeat(1)), *honest[4:]]) == played.verdict(0)


def test_evidence_that_is_longer_than_a_frame_travels_in_parts(small: Group, played: Ring) -> None:
    history = played.sessions[0].history
    place = (history.table_id, 0, 3, 1, history.heads[3])
    two = [sign_entry(played.identities[1], *place, bytes([n]) * (200 * 1024)) for n in (1, 2)]

    record = EvidenceRecord(Equivocation(history.heads[3], *two))
    frames = ending([record])
    assert len(frames) == 2
    assert all(len(frame) <= MAX_PART + 64 for frame in frames)
    feed = [
        *frames_of(played)[:-1],
        *frames,
        encode(ClosingRecord(len(history.entries), history.head, "cheated")),
    ]
    report = follow(small, feed)
    assert report is not None
    assert (report.verdict, report.seat, report.step) == ("cheated", 1, 3)


def test_a_certificate_that_nobody_signed_takes_nothing_back(small: Group, played: Ring) -> None:
    honest = frames_of(played)
    history = played.sessions[0].history
    own = [encode(EntryRecord(entry)) for entry in history.steps[1] if entry.seat == 0]
    forged = encode(CertificateRecord(Certificate(0, 1, 1, "departure", (bytes(64),))))
    with pytest.raises(BadFeed, match="takes back a step that all had agreed on"):
        follow(small, [*honest[:9], encode(Back(1)), forged, *own])


# --- who may watch ------------------------------------------------------------------------------------------

GUS = KnownPlayer("Gus", bytes(32), 0, True)


@pytest.mark.parametrize(
    ("policy", "name", "public", "why"),
    [
        ("none", "Gus", bytes(32), "Nobody watches"),
        ("known", "Gus", bytes(32), None),
        ("known", "Gustav", bytes(32), None),  # the key counts
        ("known", "Eve", b"\1" * 32, "Ann lets only people watch who have played with Ann before."),
        ("known", "Gus", b"\1" * 32, "another key"),
        ("any", "Eve", b"\1" * 32, None),
        ("any", "Gus", b"\1" * 32, "another key"),
        ("any", "Eve\x1b[2J", b"\1" * 32, "normal form"),
        ("any", " Eve", b"\1" * 32, "normal form"),
    ],
)
def test_who_may_watch(policy: str, name: str, public: bytes, why: str | None) -> None:
    said = refusal(policy, [GUS], name, public, owner="Ann")
    assert (said is None) == (why is None)
    assert why is None or why in (said or "")
    assert is_for_strangers(said or "") == (policy == "known" and name == "Eve")


def test_the_names_of_those_who_sit_are_theirs() -> None:
    seated = [KnownPlayer("Ann", b"\2" * 32, 0)]
    assert "has this name" in (refusal("any", [], "ann", b"\1" * 32, seated, owner="Ann") or "")
    assert refusal("any", [], "Eve", b"\1" * 32, seated, owner="Ann") is None


@pytest.mark.parametrize(
    "request_",
    [Watch("", 0, b""), Watch("x" * 129, 0, b""), Watch("Gus", 1, b""), Watch("Gus", 0, bytes(32)),
     Watch("Gus", -1, bytes(32)), Watch("Gus", 2**32, bytes(32)), Watch("Gus", 3, bytes(31))],
)  # fmt: skip
def test_a_request_of_the_wrong_sizes_is_refused(request_: Watch) -> None:
    with pytest.raises(Malformed):
        read_watch(encode(request_))


def test_what_is_no_request_is_none() -> None:
    assert read_watch(b"") is None
    assert read_watch(encode(["join", "Gus"])) is None
    assert read_watch(encode(Watch("Gus", 7, bytes(32)))) == Watch("Gus", 7, bytes(32))


# --- the charter --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("watchers", WATCHERS)
@pytest.mark.parametrize("grace", [120, 60])
def test_the_charter_says_who_may_watch_in_one_form_only(watchers: str, grace: int) -> None:
    made = HostSetup(
        "go-fish", {}, 2, "end", _public(1), "Ann", (), bytes(32), None, None, grace, watchers
    )  # fmt: skip
    charter = _agreed(made)
    assert (charter.watchers, charter.grace, charter.scanner) == (watchers, grace, None)
    assert isinstance(charter, WatchedCharter) == (watchers != "known")
    assert decode_charter(encode(charter)) == charter


@pytest.mark.parametrize("watchers", WATCHERS)
def test_with_printed_cards_a_grace_time_of_its_own_is_said_in_one_form(watchers: str) -> None:
    made = HostSetup(
        "go-fish", {}, 2, "end", _public(1), "Ann", (), bytes(32), 0, None, 60, watchers
    )  # fmt: skip
    charter = _agreed(made)
    assert (charter.watchers, charter.grace, charter.scanner) == (watchers, 60, 0)
    assert isinstance(charter, WatchedCharter)
    assert decode_charter(encode(charter)) == charter


def test_with_printed_cards_it_says_so_too() -> None:
    made = HostSetup("go-fish", {}, 2, "end", _public(1), "Ann", (), bytes(32), 0, watchers="any")
    charter = _agreed(made)
    assert (charter.watchers, charter.dealing, charter.scanner) == ("any", "printed", 0)
    assert decode_charter(encode(charter)) == charter


@pytest.mark.parametrize(
    ("seconds", "scanner", "watchers"),
    [
        (120, None, "known"),
        (60, None, "known"),
        (120, 0, "known"),
        (120, None, "all"),
        (5, None, "any"),
        (5, 0, "known"),
        (120, 2, "any"),
    ],
)
def test_other_charters_are_refused(seconds: int, scanner: int | None, watchers: str) -> None:
    made = HostSetup("go-fish", {}, 2, "end", _public(1), "Ann", (), bytes(32), watchers="any")
    charter = _agreed(made)
    fields = [getattr(charter, name) for name in Charter.__struct_fields__]
    with pytest.raises(Malformed):
        decode_charter(encode(WatchedCharter(*fields, seconds, scanner, watchers)))


def test_a_host_names_one_of_the_ways() -> None:
    with pytest.raises(SetupError, match="none, known, any"):
        HostSetup("go-fish", {}, 2, "end", _public(1), "Ann", (), bytes(32), watchers="friends")


def _public(number: int) -> bytes:

    return Identity(bytes([number]) * 32).public


def _agreed(host: HostSetup) -> Charter:

    nonce = b"\2" * 32
    host.seat(_public(2), Join("Ben", commit_nonce(_public(2), nonce), ()), False)
    host.propose(game("go-fish"))
    assert host.open_nonce(_public(2), Opening(nonce))
    return host.agreement()[1].charter


def test_the_bytes_are_those_of_the_document() -> None:
    """docs/protocol_links.md, section 5b."""
    text = (Path(__file__).parents[3] / "docs" / "protocol_links.md").read_text("utf-8")
    section = text.partition("## 5b.")[2].partition("## 6.")[0]
    vectors = dict(re.findall(r"^    (\w+) += ([0-9a-f]+)$", section, re.MULTILINE))
    assert vectors == {
        "watch": encode(Watch("Gus", 0, b"")).hex(),
        "again": encode(Watch("Gus", 7, bytes([9]) * 32)).hex(),
        "places": encode(Places((("10.0.0.1:7467",), ()))).hex(),
        "start": encode(Start(7, 12)).hex(),
        "back": encode(Back(5)).hex(),
        "part": encode(Part(b"\1\2\3", True)).hex(),
        "paused": encode(PausedSeat(1)).hex(),
        "watchers": encode_message(Watchers(("Gus",))).hex(),
    }
