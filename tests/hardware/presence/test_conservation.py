"""Whatever the antennas hear, a card is at one place at most, and the events tell one story."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.events import Place, Placed, Removed
from hardware.presence import Tracker
from hardware.readers import (
    PROFILES,
    Failed,
    Gone,
    Health,
    LinkLost,
    LinkUp,
    Listing,
    Presence,
    Restarted,
    Seen,
)
from hardware.readers.base import Profile
from hardware.uids import Uid

from .table import book

UIDS = [Uid(bytes([4, n, 0x55, 0x66])) for n in range(4)]
STRANGERS = [Uid(bytes([9, n, 0x55, 0x66])) for n in range(2)]
READERS = {
    "rdm": PROFILES["rdm6300"],
    "pn": PROFILES["pn532"],
    "uhf": PROFILES["r200"],
    "own": Profile("own", "own", Presence.REPORTED, 0.1, ()),
    "tap": PROFILES["id12"],
}
TAGS = st.sampled_from(UIDS + STRANGERS)
READINGS = st.one_of(
    st.builds(Seen, TAGS, st.integers(0, 1), st.none() | st.integers(-80, -30)),
    st.builds(Listing, st.lists(TAGS, max_size=3).map(tuple), st.integers(0, 1), st.booleans()),
    st.builds(Gone, st.none() | TAGS, st.integers(0, 1)),
    st.builds(Failed, st.just("x"), st.integers(0, 1)),
    st.builds(Health, st.booleans(), st.just("x"), st.integers(0, 1)),
    st.just(LinkLost("x")),
    st.just(LinkUp("x")),
    st.just(Restarted("x")),
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(sorted(READERS)), READINGS, st.sampled_from([0.0, 0.01, 0.065, 0.15, 0.5, 3.0])
    ),
    max_size=60,
)


@given(STEPS)
def test_a_card_is_at_one_place(steps: list[tuple[str, object, float]]) -> None:
    tracker, now = Tracker(book(*UIDS)), 0.0
    for name, profile in READERS.items():
        tracker.add(name, profile)
    lies: dict[bytes, Place] = {}
    for reader, reading, seconds in steps:
        events = tracker.take(reader, reading, now)
        now += seconds
        if tracker.wake is not None and tracker.wake <= now:
            events += tracker.tick(now)
            assert tracker.wake is None or tracker.wake > now
        for event in events:
            match event:
                case Placed(uid=uid, place=place):
                    assert uid.data not in lies, "it was placed while it lay elsewhere"
                    lies[uid.data] = place
                case Removed(uid=uid, place=place):
                    assert lies.pop(uid.data) == place
        told = {(uid.data, place) for place in tracker._pads for uid in tracker.present(place)}
        assert told == set(lies.items())
        assert {uid.data: tracker.where(uid) for uid in UIDS + STRANGERS if tracker.where(uid)} == lies
