"""Readers behind a broker: the payloads that real firmware publishes, and what must not become a tap."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.events import Placed, Removed, Tapped, Unsure
from hardware.presence import Tracker
from hardware.readers import (
    BadTopic,
    Gone,
    LinkLost,
    LinkUp,
    Listing,
    MqttReader,
    Payloads,
    Presence,
    Remark,
    Restarted,
    Seen,
    Send,
    Unclear,
)
from hardware.readers.mqtt import FLAP_TIME, LONGEST, SAME
from hardware.readers.mqtt_payloads import pointer
from hardware.tags import Book, Kind, Tag
from hardware.uids import Technology, Uid

SENSOR = "tele/pad1/SENSOR"


def uid(text: str) -> Uid:
    return Uid(bytes.fromhex(text))


def reader(topic: str, payloads: str = "auto", **options: object) -> MqttReader:
    made = MqttReader(topic, Payloads(payloads), **options)
    made.start(0.0)
    return made


def said(
    made: MqttReader, topic: str, payload: str | bytes, now: float = 1.0, retained: bool = False
) -> list:
    data = payload.encode() if isinstance(payload, str) else payload
    return made.message(topic, data, retained, now)


# What firmware really sends (HARDWARE, section 2): topic, kind, payload, the tag's id, its technology.
TAPS = [
    (SENSOR, "tasmota",
     '{"Time":"2024-05-01T20:15:03","RC522":{"UID":"BA839D07","Data":"","Type":"MIFARE 1KB"}}',
     "BA839D07", Technology.ISO14443A),
    (SENSOR, "tasmota",
     '{"Time":"2024-05-01T20:15:03","RC522":{"UID":"04A3C6CAE26180"}}',
     "04A3C6CAE26180", Technology.ISO14443A),
    (SENSOR, "tasmota",
     '{"Time":"2024-05-01T20:15:03","PN532":{"UID":"04A3C6CAE26180","Data":"","Auth":"None"}}',
     "04A3C6CAE26180", Technology.ISO14443A),
    (SENSOR, "tasmota",
     '{"Time":"1970-01-01T00:00:10","ENERGY":{"Total":1.2},"RDM6300":{"UID":"008EC793"}}',
     "008EC793", Technology.EM4100),
    ("rdm6300/tag", "esphome", "6102437", "005D1DA5", Technology.UNKNOWN),
    ("pn532/tag", "esphome", "74-10-37-94", "74103794", Technology.UNKNOWN),
    ("door", "esp-rfid",
     '{"type":"access","time":1540290526,"isKnown":"true","access":"Always","username":"Marlon","uid":"f9c2f720"}',
     "F9C2F720", Technology.UNKNOWN),
    ("door/send", "esp-rfid",
     '{"type":"access","time":1540290527,"isKnown":"false","access":"Denied","username":"Unknown","uid":"f9c2f720"}',
     "F9C2F720", Technology.UNKNOWN),
    ("ha/tag", "homeassistant", '{"tag_id":"04-A3-C6-CA-E2-61-80","device_id":"0e19cd3cf2b3"}',
     "04A3C6CAE26180", Technology.UNKNOWN),
    ("ha/events", "homeassistant",
     '{"event_type":"tag_scanned","event_data":{"tag_id":"04-A3-C6-CA-E2-61-80","device_id":"0e19cd3cf2b3"}}',
     "04A3C6CAE26180", Technology.UNKNOWN),
    ("sensors/rfid", "ndjson", '{"et":"1590463450","sensor":"rfidRdr01","reader":"1","rfid":"1C0044CF23"}',
     "1C0044CF23", Technology.UNKNOWN),
    ("rfid-poker/AABBCC/card", "ndjson",
     '{"type":"card","ts":"T+12345","device_id":"AA:BB:CC","seq":7,"uid":"04 0e 3b d2 28 6b 85","pair_id":3}',
     "040E3BD2286B85", Technology.UNKNOWN),
    ("hall/reader/uid", "text", "70d44f53", "70D44F53", Technology.UNKNOWN),
    ("toniebox/tag", "text", "04A3C6CAE26180\r\n", "04A3C6CAE26180", Technology.UNKNOWN),
]  # fmt: skip


@pytest.mark.parametrize(("topic", "kind", "payload", "tag", "technology"), TAPS)
def test_a_tap_of_each_firmware(
    topic: str, kind: str, payload: str, tag: str, technology: Technology
) -> None:
    for payloads in (kind, "auto"):
        made = reader(topic, payloads)
        (seen,) = said(made, topic, payload)
        assert isinstance(seen, Seen)
        assert uid(tag).data in {seen.uid.data, *seen.uid.also}
        assert seen.uid.technology is technology
        assert made.faults == 0


@pytest.mark.parametrize(("topic", "kind", "payload", "tag", "technology"), TAPS)
def test_p37_what_the_broker_kept_is_no_tap(
    topic: str, kind: str, payload: str, tag: str, technology: Technology
) -> None:
    made = reader(topic, kind)
    assert said(made, topic, payload, retained=True) == []
    assert made.faults == 0
    assert len(said(made, topic, payload)) == 1, "the same, told now, is one"


def test_tasmota_says_much_that_is_no_tag() -> None:
    made = reader(SENSOR)
    assert made.payloads is Payloads.TASMOTA
    assert set(made.topics) == {SENSOR, "tele/pad1/RESULT", "tele/pad1/LWT"}
    assert said(made, SENSOR, '{"Time":"2024-05-01T20:15:03","ENERGY":{"Total":1.2},"Uptime":"0T"}') == []
    assert said(made, "tele/pad1/RESULT", '{"POWER":"ON"}') == []
    assert made.faults == 0


def test_tasmotas_serial_bridge_passes_several_frames_at_once() -> None:
    """Without a delimiter the ends are there, with it they are lost; the checksum of the third is wrong."""
    made = reader(SENSOR)
    text = "\x0213005D1DA5F6\x03\x0214008EC793CE\x021F00644BB687\x03"
    found = said(made, "tele/pad1/RESULT", json.dumps({"SSerialReceived": text}))
    assert [each.uid for each in found] == [uid("13005D1DA5"), uid("14008EC793")]


def test_p07_ids_above_two_to_the_31st_of_esphome() -> None:
    made = reader("rdm6300/tag", "esphome")
    assert [each.uid for each in said(made, "rdm6300/tag", "4113019379")] == [uid("F527B1F3")]


def test_esphome_tells_of_departures() -> None:
    made = reader("pn532/tag", "esphome", presence=Presence.REPORTED)
    assert said(made, "pn532/tag", "not:74-10-37-94") == [Gone(uid("74103794"))]
    tracker = Tracker()
    tracker.add("a", made.profile)
    story = []
    for at, payload in enumerate(["74-10-37-94", "not:74-10-37-94", "74-10-37-94"]):
        for reading in said(made, "pn532/tag", payload, float(at)):
            story += tracker.take("a", reading, float(at))
    assert [type(event) for event in story] == [Placed, Removed, Placed]


def test_a_binary_sensor_of_esphome_is_named_after_its_tag() -> None:
    made = reader("pad1/binary_sensor/+/state")
    assert made.profile.presence is Presence.REPORTED
    assert "pad1/status" in made.topics
    topic = "pad1/binary_sensor/74-10-37-94/state"
    assert said(made, topic, "ON") == [Seen(uid("74103794"))]
    assert said(made, topic, "OFF") == [Gone(uid("74103794"))]
    assert said(made, "pad1/binary_sensor/74_10_37_94/state", "ON") == [Seen(uid("74103794"))]
    assert said(made, topic, "ON", retained=True) == [], "kept by the broker, as these are"
    assert said(made, topic, "OFF", retained=True) == [Gone(uid("74103794"))], "gone is no tap"
    assert said(made, "pad1/binary_sensor/door/state", "ON") == []
    assert made.faults == 0
    assert isinstance(said(made, topic, "BROKEN")[0], Remark)
    assert made.faults == 1


def test_departures_of_other_boxes() -> None:
    made = reader("box", "text")
    assert said(made, "box", "-04A3C6CAE26180") == [Gone(uid("04A3C6CAE26180"))]
    assert said(made, "box", "0") == [Gone(None)]
    assert said(made, "box", "unavailable") == []


def test_a_board_of_objects_has_departures_snapshots_and_starts() -> None:
    made = reader("shelf", "ndjson", presence=Presence.REPORTED)
    assert said(made, "shelf", '{"type":"tag_off","antenna":2,"uid":"04A3C6CAE26180"}') == [
        Gone(uid("04A3C6CAE26180"), 2)
    ]
    assert said(made, "shelf", '{"type":"snapshot","antenna":1,"uids":["04A3C6CAE26180"]}') == [
        Listing((uid("04A3C6CAE26180"),), 1, final=True)
    ]
    assert isinstance(said(made, "shelf", '{"type":"boot","reason":"power"}')[0], Restarted)


def test_esp_rfid_has_a_heart_and_starts_anew() -> None:
    made = reader("door", "esp-rfid")
    assert said(made, "door/sync", '{"type":"heartbeat","time":1540290526,"ip":"192.168.1.9"}') == []
    assert isinstance(said(made, "door", '{"type":"boot","time":1540290500,"Wifi SSID":"x"}')[0], Restarted)
    assert made.faults == 0


def test_a_tag_scanner_of_home_assistant_says_where_it_will_speak() -> None:
    config = "homeassistant/tag/0AFFD2/config"
    made = reader(config)
    assert made.topics == (config,)
    setting = {
        "topic": "tele/pad1/SENSOR",
        "value_template": "{{ value_json.PN532.UID }}",
        "device": {"identifiers": ["x"]},
    }
    assert said(made, config, json.dumps(setting), retained=True) == []
    assert made.topics == (config, "tele/pad1/SENSOR")
    payload = '{"Time":"2024-05-01T20:15:03","PN532":{"UID":"04A3C6CAE26180"}}'
    assert [each.uid for each in said(made, "tele/pad1/SENSOR", payload)] == [uid("04A3C6CAE26180")]
    assert said(made, "tele/pad1/SENSOR", '{"ENERGY":{}}') == []
    assert said(made, config, b"", retained=True) == [], "taken away again"
    assert made.topics == (config,)


@pytest.mark.parametrize(
    ("template", "way"),
    [
        ("{{ value_json.PN532.UID }}", ("PN532", "UID")),
        ("{{value_json['RC522'][\"UID\"]}}", ("RC522", "UID")),
        ("{{ value }}", ()),
        ("", ()),
        ("{{ value_json.tag | upper }}", None),
        ("{% if value_json.x %}{{ value_json.y }}{% endif %}", None),
    ],
)
def test_templates_that_name_a_member(template: str, way: tuple[str, ...] | None) -> None:
    assert pointer(template) == way


# Availability, retained and repeated messages.


def test_a_last_will_makes_a_reader_away_and_its_tags_unsure() -> None:
    made = reader("pad1/binary_sensor/+/state")
    tracker = Tracker()
    tracker.add("a", made.profile)
    story = []
    for at, (topic, payload) in enumerate(
        [
            ("pad1/binary_sensor/74-10-37-94/state", "ON"),
            ("pad1/status", "offline"),
            ("pad1/status", "offline"),
        ]
    ):
        for reading in said(made, topic, payload, float(at), retained=topic == "pad1/status"):
            story += tracker.take("a", reading, float(at))
    assert [type(event) for event in story] == [Placed, Unsure]
    assert said(made, "pad1/status", "online", 9.0) == [LinkUp("pad1/binary_sensor/+/state")]
    assert said(made, "pad1/status", "online", 9.5) == []


def test_a_reader_that_is_there_from_the_start_says_nothing_of_it() -> None:
    made = reader(SENSOR)
    assert said(made, "tele/pad1/LWT", "Online", retained=True) == []
    assert [type(each) for each in said(made, "tele/pad1/LWT", "Offline")] == [LinkLost]


def test_p38_two_readers_of_one_client_name_are_noticed() -> None:
    made = reader(SENSOR)
    told: list[str] = []
    for n in range(20):
        for payload in ("Offline", "Online"):
            found = said(made, "tele/pad1/LWT", payload, 10.0 + 2 * n)
            told += [each.text for each in found if isinstance(each, Remark)]
    assert len(told) == 1, "said once"
    assert "client name" in told[0]


def test_p38_a_reader_that_goes_now_and_then_is_none() -> None:
    made = reader(SENSOR)
    for n in range(20):
        at = 10.0 + n * (FLAP_TIME / 3 + 1)
        assert [type(each) for each in said(made, "tele/pad1/LWT", "Offline", at)] == [LinkLost]
        assert [type(each) for each in said(made, "tele/pad1/LWT", "Online", at + 1)] == [LinkUp]


def test_p37_the_same_message_twice_is_one_tap() -> None:
    """Delivery at least once is twice now and then: a board that was cut off says again what it said."""
    made = reader(SENSOR)
    payload = '{"Time":"2024-05-01T20:15:03","RC522":{"UID":"BA839D07"}}'
    later = '{"Time":"2024-05-01T20:15:09","RC522":{"UID":"BA839D07"}}'
    assert len(said(made, SENSOR, payload, 1.0)) == 1
    assert said(made, SENSOR, payload, 20.0) == []
    assert len(said(made, SENSOR, later, 21.0)) == 1
    assert len(said(made, SENSOR, payload, 1.0 + SAME + 1)) == 1, "a clock that was set back"


def test_p37_the_numbers_begin_again_with_the_board() -> None:
    made = reader("shelf", "ndjson")
    card = '{"type":"card","seq":1,"uid":"04A3C6CAE26180"}'
    assert len(said(made, "shelf", card)) == 1
    assert said(made, "shelf", card) == []
    said(made, "shelf", '{"type":"boot","seq":0}')
    assert len(said(made, "shelf", card)) == 1


def test_p37_a_payload_without_a_number_is_left_to_the_tracker() -> None:
    made = reader("rdm6300/tag", "esphome")
    tracker = Tracker(Book([Tag(uid("13005D1DA5"), Kind.BLANK, "1")]).known)
    tracker.add("a", made.profile)
    story = []
    for at in (1.0, 1.1, 3.0):
        for reading in said(made, "rdm6300/tag", "6102437", at):
            story += tracker.take("a", reading, at)
    assert [(type(event), event.at) for event in story] == [(Tapped, 1.0), (Tapped, 3.0)]


# What cannot be understood.


@pytest.mark.parametrize("kind", [kind for kind in Payloads if kind is not Payloads.SHOAL])
def test_a_malformed_payload_is_skipped_counted_and_told_once(kind: Payloads) -> None:
    made = reader("a/b", kind)
    told = []
    for payload in (b"\xff\xfe\x00", b"{" * 500, b"[1,2]", b"hello world", b"x" * 100_000, b'{"uid":'):
        told += said(made, "a/b", payload)
    assert made.faults == 6
    assert [type(each) for each in told] == [Remark]
    assert "hello" not in told[0].text, "what others say is not repeated"


def test_a_payload_as_long_as_can_be_is_taken() -> None:
    made = reader("shelf", "ndjson")
    start, end = '{"type":"card","uid":"04A3C6CAE26180","x":"', '"}'
    fill = "y" * (LONGEST - len(start) - len(end))
    assert len(said(made, "shelf", start + fill + end)) == 1
    assert isinstance(said(made, "shelf", start + fill + "y" + end)[0], Remark)


def test_p12_an_id_with_a_digit_missing_is_named() -> None:
    made = reader("box", "text")
    (unclear,) = said(made, "box", "ac8c5ea")
    assert isinstance(unclear, Unclear)
    assert "odd number of digits" in unclear.why


@pytest.mark.parametrize("kind", [*Payloads])
@given(
    payload=st.one_of(st.binary(max_size=80), st.text(max_size=40).map(str.encode)), retained=st.booleans()
)
def test_any_payload_is_survived(kind: Payloads, payload: bytes, retained: bool) -> None:
    made = reader("shoal/5348523112345678" if kind is Payloads.SHOAL else "a/b", kind)
    for topic in (*made.topics, "elsewhere"):
        for reading in made.message(topic, payload, retained, 1.0):
            assert not (retained and isinstance(reading, Seen | Listing))


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["UID", "uid", "RC522", "PN532", "RDM6300", "type", "tag_id", "event_type", "event_data",
                 "data", "SSerialReceived", "topic", "value_template", "uids", "antenna", "rssi"]
            ),
            inner, max_size=4,
        ),
    ),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.parametrize("kind", [*Payloads])
@given(value=JSON)
def test_any_object_with_the_names_that_matter_is_survived(kind: Payloads, value: object) -> None:
    topic = {Payloads.SHOAL: "shoal/5348523112345678", Payloads.HOME_ASSISTANT: "homeassistant/tag/a/config"}
    made = reader(topic.get(kind, "a/b"), kind)
    for each in made.topics:
        made.message(each, json.dumps(value).encode(), False, 1.0)


# Topics.


def test_the_antenna_is_the_number_in_the_topic() -> None:
    made = reader("table/+/tag", "text")
    assert said(made, "table/pad7/tag", "04A3C6CAE26180") == [Seen(uid("04A3C6CAE26180"), 7)]
    assert said(made, "table/hall/tag", "04A3C6CAE26180") == [Seen(uid("04A3C6CAE26180"), 0)]


@pytest.mark.parametrize("topic", ["", "#", "a/#", "a/b+/c", "$SYS/broker", "a\nb", "x" * 300])
def test_topics_that_cannot_be_listened_to(topic: str) -> None:
    with pytest.raises(BadTopic):
        MqttReader(topic)


# Our own protocol: lines of `firmware_protocol.md`, section 15, without their check.

DEVICE = "shoal/5348523112345678"


def answers(made: MqttReader, line: dict, now: float) -> list:
    return made.message(f"{DEVICE}/out", json.dumps(line).encode(), False, now)


def sent(outputs: list) -> list[dict]:
    return [json.loads(line) for out in outputs if isinstance(out, Send) for line in out.data.splitlines()]


def opened(now: float = 0.0) -> MqttReader:
    made = MqttReader(DEVICE, nonce=41)
    (hello,) = sent(made.start(now))
    assert hello["type"] == "hello"
    assert "crc" not in hello
    welcome = {
        "type": "welcome", "seq": hello["seq"], "version": 1, "features": ["feedback"],
        "nonce": hello["nonce"], "device": "5348523112345678", "boot": 41, "reset": "power", "antennas": 1,
        "window": 8, "max_frame": 96, "heartbeat_ms": 1000, "last_event": 0, "firmware": "shoal-reader 1.0.0",
    }  # fmt: skip
    (describe,) = sent(answers(made, welcome, now))
    antenna = {
        "type": "antenna", "seq": describe["seq"], "antenna": 0, "role": "seat", "number": 1,
        "technologies": ["iso14443a"], "max_tags": 1, "abilities": ["removal", "led"], "label": "pad 1",
    }  # fmt: skip
    (snapshot,) = sent(answers(made, antenna, now))
    tags = {"type": "tags", "seq": snapshot["seq"], "as_of": 0, "part": 0, "last": True, "tags": []}
    assert [each for each in answers(made, tags, now) if isinstance(each, Listing)] == [
        Listing((), 0, final=True)
    ]
    return made


PLACED = {
    "type": "tag", "seq": 0, "event": 1, "change": "placed", "antenna": 0, "technology": "iso14443a",
    "signal": None, "uptime_ms": 61250, "uid": "04A3C6CAE26180",
}  # fmt: skip


def test_our_own_protocol_over_a_broker() -> None:
    made = opened()
    assert made.topics == (f"{DEVICE}/out", f"{DEVICE}/alive")
    assert made.reply_topic == f"{DEVICE}/in"
    found = answers(made, PLACED, 1.0)
    assert found[0] == Seen(uid("04A3C6CAE26180"))
    assert sent(found) == [{"type": "ack", "seq": 0, "event": 1}]
    again = answers(made, PLACED, 1.3)
    assert [each for each in again if isinstance(each, Seen)] == [], (
        "repeated, as it was not acknowledged in time"
    )
    assert made.faults == 0
    answers(made, {"type": "nonsense"}, 1.4)
    assert made.faults == 1


def test_p37_our_own_messages_that_were_kept_are_none() -> None:
    made = opened()
    assert made.message(f"{DEVICE}/out", json.dumps(PLACED).encode(), True, 1.0) == []


def test_our_own_reader_that_goes_is_greeted_when_it_is_back() -> None:
    made = opened()
    assert [type(each) for each in said(made, f"{DEVICE}/alive", "0", 2.0)] == [LinkLost]
    assert made.wake is None, "nobody is asked who is away"
    back = said(made, f"{DEVICE}/alive", "1", 9.0)
    assert [type(each) for each in back if not isinstance(each, Send)] == [LinkUp]
    assert [line["type"] for line in sent(back)] == ["hello"]
