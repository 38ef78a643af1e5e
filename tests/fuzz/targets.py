"""Everything of Shoal that reads bytes or texts of others: one function for each, with what it may raise.

A target takes any bytes and returns. What it may raise is what its callers catch; anything else is a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cli.boards.words import NotUnderstood
from cli.configuration_file import parse_configuration
from cli.errors import Failure
from cli.tabletop import blank_kept, printed_kept
from engine.contract import Action, BadAction, BadOption, IllegalAction
from engine.deck_files import read_deck
from engine.match import Position
from engine.own_deck import read_own_deck
from engine.registry import game, games
from engine.scenario import read_scenarios
from engine.text import parse_deed, parse_event
from engine.toml import DataError
from hardware.emulators.script import BadScript, parse_script
from hardware.pads import BadPads, BadRole, parse_role
from hardware.protocol import binary as reader_binary
from hardware.protocol import text as reader_text
from hardware.readers import PROFILES, MqttReader, Payloads, make
from hardware.readers.mqtt_payloads import readings
from hardware.readers.patterns import Unusable
from hardware.table_texts import BadTable
from hardware.table_texts import from_toml as table_from_toml
from hardware.tag_texts import from_csv, from_toml
from hardware.tags import BadTags
from hardware.uids import Technology, UnclearUid
from hardware.uids import parse as parse_uid
from p2p.deal import PeerFault, check
from p2p.identity import BadPublicKey, Identity
from p2p.identity.keys import check_public
from p2p.identity.words import parse_words
from p2p.io.addresses import split_address
from p2p.io.mdns import read_advert
from p2p.io.sodium import load_group
from p2p.link import FrameDecoder, FrameRefused, Initiator, LinkError, Responder, clean_name
from p2p.log import Malformed, decode_charter, decode_message, encode, encode_message, frame_of, unpack
from p2p.log.record import CHECKSUM, MAGIC, Damaged, _checksum, read_game
from p2p.sealed import Malformed as BadPoint
from p2p.sealed import decode_cards
from p2p.sealed.group import decode_proof, decode_scalar, generator
from p2p.sealed.testgroup import SmallGroup
from p2p.session.rematch import OPENS, WISH, read_again
from p2p.session.setup import decode_setup
from p2p.session.watching import Watch, read_watch, refusal
from p2p.verify import BadFeed, Cheated, Due, Ended, Follower, verify
from tests.fuzz import kept as own_files
from tests.fuzz import relayed, typed

ROOT = Path(__file__).resolve().parents[2]
MOST = 16 * 1024
"""Bytes of an input: longer ones only repeat what shorter ones do."""


@dataclass(frozen=True)
class Target:
    """``run`` takes any bytes; ``allowed`` is what it may raise; ``seeds`` gives sound inputs."""

    name: str
    run: Callable[[bytes], object]
    allowed: tuple[type[Exception], ...] = ()
    seeds: Callable[[], Iterable[bytes]] = tuple
    most: int = MOST


def text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """A reader of texts, given bytes: as a terminal or a file hands them over, with what is no UTF-8."""
    return lambda data: read(data.decode("utf-8", "surrogateescape" if data[:1] == b"\xff" else "replace"))


# --- links ----------------------------------------------------------------------------------------------

ME, OTHER = Identity(b"\x01" * 32), Identity(b"\x02" * 32)
CHANNEL, NONCE = b"\x03" * 32, b"\x04" * 32


def frames(data: bytes) -> None:
    """A stream in two pieces; what the decoder keeps is bounded by its maximum and one read."""
    decoder = FrameDecoder(4096)
    for piece in (data[: len(data) // 3], data[len(data) // 3 :]):
        decoder.feed(piece)
        while (found := decoder.next_frame()) is not None:
            assert 0 < len(found) <= 4096


def dialling(data: bytes) -> None:
    """Answer and acceptance, divided by a length in the first byte."""
    initiator = Initiator(ME, CHANNEL, NONCE)
    proved, _ = initiator.receive(data[1 : 1 + data[0]] if data else b"")
    proved.receive(data[1 + data[0] :])


def answering(data: bytes) -> None:
    """Hello and proof, divided by a length in the first byte."""
    challenged, _ = Responder(ME, CHANNEL, NONCE).receive(data[1 : 1 + data[0]] if data else b"")
    challenged.receive(data[1 + data[0] :])


def handshake(side: str) -> Iterable[bytes]:
    initiator, responder = Initiator(OTHER, CHANNEL, NONCE), Responder(ME, CHANNEL, NONCE)
    _, answer = responder.receive(initiator.hello)
    _, proof = initiator.receive(answer)
    if side == "answering":
        yield bytes([len(initiator.hello)]) + initiator.hello + proof
        return
    challenged, answer = Responder(OTHER, CHANNEL, NONCE).receive(Initiator(ME, CHANNEL, NONCE).hello)
    _, proof = Initiator(ME, CHANNEL, NONCE).receive(answer)
    _, accept = challenged.receive(proof)
    yield bytes([len(answer)]) + answer + accept


def advert(data: bytes) -> None:
    """A TXT record as zeroconf hands it over."""
    pairs = (piece.partition("=") for piece in data.decode("utf-8", "replace").split("\x00"))
    found = read_advert({key: value or None for key, _, value in pairs}, ["192.0.2.1", "fe80::1"], 7467)
    assert found is None or (found.name.isprintable() and found.game.isascii())


def name(data: bytes) -> None:
    assert text(clean_name)(data).isprintable()  # type: ignore[attr-defined]


# --- games ----------------------------------------------------------------------------------------------

SMALL = SmallGroup()


@cache
def moments() -> list[tuple[Any, Any, bytes]]:
    """Contributions of every kind: of two small games, and of a script of all operations."""
    from tests.p2p.deal.test_any_body import moments as played  # playing them takes seconds

    found: list[tuple[Any, Any, bytes]] = []
    for each in ("script", "rank", "discount-salmon"):
        kinds: dict[object, tuple[Any, Any, bytes]] = {}
        for progress, place, body in played(each):
            kinds.setdefault(
                (type(progress.task), len(unpack(body)), len(body) > 200), (progress, place, body)
            )
        found += kinds.values()
    return found[:256]


def contribution(data: bytes) -> None:
    """A signed body at one of these moments: it holds, or its author is blamed."""
    progress, place, _ = moments()[data[0] % len(moments())] if data else moments()[0]
    check(progress, place, data[1:])


def contributions() -> Iterable[bytes]:
    return [bytes([number]) + body for number, (_, _, body) in enumerate(moments()) if len(body) < MOST]


@cache
def recorded() -> tuple[bytes, ...]:
    """Records of two small games."""
    from tests.p2p.harness import TINY, Ring  # playing them takes a second

    found = []
    for seed, reveal in ((1, "end"), (2, "never")):
        ring = Ring(SMALL, 2, seed=seed, options=TINY, reveal=reveal)
        ring.pump()
        found.append(ring.sessions[0].record())
    return tuple(found)


def file(data: bytes) -> None:
    """A whole file, judged by what judges files."""
    report = verify(data, game, SMALL)
    assert report.verdict in ("sound", "cheated", "damaged")


def payloads(record: bytes) -> Iterable[bytes]:
    at = len(MAGIC)
    while at < len(record):
        size = int.from_bytes(record[at : at + 4], "big")
        yield record[at + 4 : at + 4 + size]
        at += 4 + size + CHECKSUM


def records(data: bytes) -> None:
    """Records with lengths of two bytes: what comes behind the checksums, which nobody hits by chance."""
    out, checksum, at = [MAGIC], bytes(CHECKSUM), 0
    while at + 2 <= len(data):
        size = int.from_bytes(data[at : at + 2], "big")
        payload = data[at + 2 : at + 2 + size]
        checksum = _checksum(checksum, payload)
        out += [len(payload).to_bytes(4, "big"), payload, checksum]
        at += 2 + size
    file(b"".join(out))


def record_seeds() -> Iterable[bytes]:
    for record in recorded():
        yield b"".join(len(each).to_bytes(2, "big") + each for each in payloads(record))


def feed(data: bytes) -> None:
    """The frames that a spectator is sent, with lengths of two bytes, and the verdict on them."""
    follower, at = Follower(game, SMALL), 0
    follower.begin_feed()
    while at + 2 <= len(data):
        size = int.from_bytes(data[at : at + 2], "big")
        heard = follower.hear(data[at + 2 : at + 2 + size])
        at += 2 + size
        if isinstance(heard, Due):
            follower.verify(heard)
        elif isinstance(heard, Ended):
            assert follower.conclude()[1].verdict in ("sound", "cheated", "damaged")
    if follower.charter is not None:
        read_game(follower.record())


def feeds() -> Iterable[bytes]:
    from p2p.session.watching import Back, Feed, Part, Start, ending  # used here alone
    from tests.p2p.harness import TINY, Ring

    ring = Ring(SMALL, 2, options=TINY)
    ring.play()
    session, sent = ring.sessions[0], Feed(Watch("Gus", 0, b""))
    frames = sent.opening(session.history, {0: ("192.0.2.1:7467",)})
    while more := sent.following(session.history):
        frames += more
    for each in (
        [*frames, *ending(session.last_records())],
        [frames[0], encode(Start(0, 3)), *frames[3:8], encode(Back(1))],
        [encode(Part(frames[0][:9], False)), encode(Part(frames[0][9:], True))],
    ):
        yield b"".join(len(frame).to_bytes(2, "big") + frame for frame in each)


def request(data: bytes) -> None:
    """What somebody without a seat may say: one request, and whether it is granted."""
    asked = read_watch(data)
    if asked is not None:
        refusal("any", (), asked.name, ME.public, owner="Ann")


def messages() -> Iterable[bytes]:
    from p2p.log.absence import DEPARTURE, Statement
    from p2p.log.wire import Chat, Have, Missing, Pause, Rebuilding, Want, Watchers, frame_of_statement

    yield from map(
        encode_message, (Watchers(("Gus", "Zoe")), Watchers(()), Rebuilding((1, 2)), Rebuilding(()))
    )
    stated = Statement(0, 3, 1, DEPARTURE, 2, False, bytes(64))
    yield encode_message(frame_of_statement(stated, b"12345678"))
    yield from map(encode_message, (Chat("hello"), Have(0, 3, 3, b"12345678"), Pause(), Want(0, 7)))
    yield encode_message(Missing(0, 1, b"12345678", 1))
    for entry in read_game(recorded()[0]).entries[:6]:
        yield encode_message(frame_of(entry, b"12345678"))


def again(data: bytes) -> None:
    """What is said about another game at the same table: one of two frames, and no other form of them."""
    assert read_again(data) is {WISH: False, OPENS: True}.get(data)


def charters() -> Iterable[bytes]:
    return [encode(read_game(record).charter) for record in recorded()]


def set_up() -> Iterable[bytes]:
    from p2p.session import room, setup  # used here alone

    for message in (room.Ready(True), room.Marks((True, False)), room.Say("hi"), room.Said(bytes(32), "hi")):
        yield encode(message)
    yield encode(setup.Join("Ann", bytes(32), ("192.0.2.1:7467",)))
    yield encode(setup.JoinWithDeck("Ann", bytes(32), ("192.0.2.1:7467",), bytes(32)))
    yield encode(setup.Refused("The table is full."))
    yield encode(setup.Roster("go-fish", (("ranks", "13"),), 3, (setup.Seated(ME.public, "Ann", False),)))
    yield encode(setup.Opening(bytes(32)))
    for charter in charters():
        yield encode(setup.Proposal(charter, (bytes(32), bytes(32))))
        yield encode(setup.Agreement(charter, (("192.0.2.1:7467",), ())))


def cards(data: bytes) -> None:
    group = load_group()
    shape = data[0] if data else 0
    decode_cards(group, data[1:], shape % 4, 1 + shape // 4 % 3)


def sealed() -> Iterable[bytes]:
    """One card of one attribute, and two of two."""
    points = [generator(load_group(), number) for number in range(8)]
    return [b"\x01" + b"".join(points[:2]), b"\x06" + b"".join(points)]


def proof(data: bytes) -> None:
    group = load_group()
    shape = data[0] if data else 0
    decode_proof(group, data[1:], shape % 4, shape // 4 % 4)


def proofs() -> Iterable[bytes]:
    """Two points and one scalar."""
    return [b"\x06" + b"".join(generator(load_group(), number) for number in range(2)) + bytes(32)]


def scalar(data: bytes) -> None:
    assert decode_scalar(load_group(), data) < load_group().order


# --- texts of the engine --------------------------------------------------------------------------------

LABELS = ("A", "B", "Cem")


@cache
def positions() -> list[tuple[Any, Any]]:
    """Each game at its beginning, with its rules."""
    found = []
    for each in games():
        rules = game(each)
        seats = max(rules.info.least_seats, 3)
        found.append((rules, Position.start(rules, rules.options({}, seats), seats)))
    return found


def action(data: bytes) -> None:
    """The first byte is the game; the rest is what somebody types on a turn."""
    _, position = positions()[data[0] % len(positions())] if data else positions()[0]
    typed = data[1:].decode("utf-8", "replace")
    found = position.parse(typed, LABELS)
    assert isinstance(found, Action)


def actions() -> Iterable[bytes]:
    lines = ["ask B 9", "ask B 9H", "lay 9 9", "give 9C", "9", "ready", "pick 2", "pair 3C 3D", "ask Cem K"]
    return [bytes([n]) + line.encode() for n in range(len(positions())) for line in lines]


def event(data: bytes) -> None:
    info = positions()[data[0] % len(positions())][0].info if data else positions()[0][0].info
    words = data[1:].decode("utf-8", "replace")
    try:
        parse_event(words, LABELS, info)
    except BadAction:
        parse_deed(words, LABELS, info)


def decks() -> Iterable[bytes]:
    folder = ROOT / "engine" / "decks"
    return [each.read_bytes() for each in (*folder.glob("*.toml"), *(ROOT / "examples/decks").glob("*.toml"))]


def scenarios() -> Iterable[bytes]:
    """The first few of each file: whole files are long."""
    for each in sorted((ROOT / "tests/scenarios").glob("*.toml")):
        pieces = each.read_text("utf-8").split("[[scenario]]")[1:4]
        yield ("[[scenario]]" + "[[scenario]]".join(pieces)).encode()


def options(data: bytes) -> None:
    """``name=value`` lines for the game in the first byte."""
    from engine.options import parse_option  # used here alone

    rules = positions()[data[0] % len(positions())][0] if data else positions()[0][0]
    lines = data[1:].decode("utf-8", "replace").splitlines()
    rules.options(dict(parse_option(line) for line in lines), 3)


# --- configuration and the physical table ---------------------------------------------------------------


def configuration(data: bytes) -> None:
    parse_configuration(Path("config.toml"), data)


def kept(data: bytes) -> None:
    printed_kept.from_bytes(data)
    blank_kept.from_bytes(data)


def script(data: bytes) -> None:
    from hardware.emulators.own import EmulatedShoal  # used here alone

    def resolve(word: str) -> bytes:
        return parse_uid(word).data

    parse_script(data.decode("utf-8", "replace"), resolve, EmulatedShoal())


def reader(kind: str) -> Callable[[bytes], None]:
    """A driver that is fed in pieces, while its clock goes on."""

    def run(data: bytes) -> None:
        made = make(kind)
        now = 1.0
        made.start(now)
        step = 1 + (data[0] if data else 0) % 32
        for at in range(0, len(data), step):
            now += 0.02
            made.feed(data[at : at + step], now)
            if made.wake is not None and made.wake <= now:
                made.tick(now)
        made.tick(now + 10)

    return run


def mqtt(data: bytes) -> None:
    shown = data.decode("utf-8", "replace")
    for each in Payloads:
        if each is not Payloads.SHOAL:
            readings(each, shown, Technology.UNKNOWN)


def mqtt_reader(data: bytes) -> None:
    made = MqttReader("shoal/+/tag")
    made.start(1.0)
    topic, _, payload = data.partition(b"\n")
    made.message(topic.decode("utf-8", "replace"), payload, False, 2.0)


def own_frames(data: bytes) -> None:
    """Both forms of our own protocol, as streams."""
    reader_binary.FrameDecoder().feed(data)
    for check_lines in (False, True):
        reader_text.LineDecoder(check_lines).feed(data)


ADVERT = b"v=1\0name=Ada\0game=go-fish\0seats=2/4\0id=ab12\0inst=00ff00ff"

TABLE = b"""shoal-table = 1

[[reader]]
name = "nano"
kind = "text"
port = "usb:1a86:7523"
baud-rate = 115200

[[pad]]
reader = "nano"
antenna = 0
role = "seat:Ben"
"""

SCRIPT = b"""place 04A1B2C3 on 0
0.5 remove 04A1B2C3
tap 04 A1 B2 C3 04 05 06
wait 2
quit
"""

READER_SEEDS: dict[str, tuple[bytes, ...]] = {
    "ndjson": (b'\x05{"uid":"04A1B2C3D4E5F6","antenna":2}\r\n{"event":"removed","uid":"04a1b2c3"}\n',),
    "text": (b"\x07Card UID: 04 A1 B2 C3\r\nPICC type: MIFARE 1KB\r\nReader 2: 04A1B2C3\r\n",),
    "wedge": (b"\x030004660575\r0011223344\n",),
    "rdm6300": (b"\x02\x020A003BD5E0EA\x03",),
    "id12": (b"\x02\x020A003BD5E0EA\r\n\x03",),
    "pn532": (b"\x01\x00\x00\xff\x00\xff\x00\x00\x00\xff\x06\xfa\xd5\x03\x32\x01\x06\x07\xe8\x00",),
    "twn4": (b"\x0600010704A1B2C3\r0001\r",),
    "r200": (
        b"\x04\xaa\x02\x22\x00\x11\xc8\x30\x00\xe2\x80\x11\x70\x00\x00\x02\x01\x1b\x3c\x9a\x9c\x25\x8d\x9e\xdd",
    ),
    "shoal": (b"\x08" + b'{"type":"hello","seq":1}\n' + b"\x00\x03\x01\x02\x00",),
}

TARGETS: tuple[Target, ...] = (
    Target("link-frames", frames, (FrameRefused,), lambda: (b"\0\0\0\x05hello\0\0\0\x01x", b"\0\0\x10\0")),
    Target("handshake-dialling", dialling, (LinkError,), lambda: handshake("dialling")),
    Target("handshake-answering", answering, (LinkError,), lambda: handshake("answering")),
    Target("public-key", check_public, (BadPublicKey,), lambda: (ME.public,)),
    Target("safety-words", text(parse_words), (ValueError,), lambda: (b"lemon gremlin empty javelin",)),
    Target("advert", advert, (), lambda: (ADVERT,)),
    Target("address", text(split_address), (LinkError,), lambda: (b"192.0.2.1:7467", b"[fe80::1]:80")),
    Target("player-name", name, (ValueError,), lambda: (b"Ann", "Zoë 🐟".encode())),
    Target("setup-messages", decode_setup, (Malformed,), set_up),
    Target("charter", decode_charter, (Malformed,), charters),
    Target(
        "watch-request",
        request,
        (Malformed,),
        lambda: (encode(Watch("Gus", 0, b"")), encode(Watch("Gus", 7, bytes(32)))),
    ),
    Target("watch-feed", feed, (BadFeed, Damaged, Cheated), feeds, 64 * 1024),
    Target("seat-messages", decode_message, (Malformed,), messages),
    Target("rematch-offer", again, (), lambda: (WISH, OPENS)),
    Target("relay-envelopes", relayed.envelopes, (), relayed.sent, 2048),
    Target("packed-parts", unpack, (Malformed,), lambda: (b"\x92\xc4\x01a\xc4\x00",)),
    Target("contribution", contribution, (PeerFault,), contributions),
    Target("sealed-cards", cards, (BadPoint,), sealed),
    Target("proof-bytes", proof, (BadPoint,), proofs),
    Target("scalar", scalar, (BadPoint,), lambda: (bytes(32), b"\xff" * 32)),
    Target("game-file", file, (), recorded),
    Target("game-records", records, (), record_seeds),
    Target("game-file-structure", read_game, (Damaged,), recorded),
    Target("action", action, (BadAction, IllegalAction), actions),
    Target("typed-line", typed.line, (NotUnderstood,), typed.typed_lines, 512),
    Target(
        "room-line",
        typed.room_line,
        (),
        lambda: (b'\x00"hello', b"\x01ready", b"\x00no-bot", b"\x00chat hi"),
        512,
    ),
    Target("mouse-report", typed.report, (), lambda: (b"\x1b[<0;12;5M", b"\x1b[<0;12;5m"), 256),
    Target("event-and-deed", event, (BadAction,), lambda: (b"\x00A: ask B 9", b"\x01lay #0,1 #2,3")),
    Target("options", options, (BadOption,), lambda: (b"\x02ranks=5\nhand_size=3", b"\x00ask_mode=card")),
    Target("deck-file", text(lambda data: read_deck(data, "deck.toml")), (DataError,), decks),
    Target("own-deck", text(read_own_deck), (BadOption,), decks),
    Target("scenario-file", text(lambda data: read_scenarios(data, "s.toml")), (DataError,), scenarios),
    Target("configuration", configuration, (Failure,), lambda: (b'name="Ann"\n[play]\nbots=2\n', b"a=[1]")),
    Target(
        "tag-book",
        text(from_toml),
        (BadTags,),
        lambda: (b'shoal-tags = 1\n[[tag]]\nuid = "04A1B2C3"\ncard = "9H"\n',),
    ),
    Target("tag-table", text(from_csv), (BadTags,), lambda: (b"uid,kind,name\n04:A1:B2:C3,card,9H\n",)),
    Target("tag-id", text(parse_uid), (UnclearUid,), lambda: (b"04:A1:B2:C3", b"0004660575", b"123,45678")),
    Target("table-file", text(table_from_toml), (BadTable, BadPads, BadRole), lambda: (TABLE,)),
    Target("pad-role", text(parse_role), (BadRole,), lambda: (b"seat:Ann", b"pond", b" Ask : Zo\xc3\xab")),
    Target(
        "kept-table",
        kept,
        (),
        lambda: (b'{"bonds":[],"ways":[],"played":[]}', b'{"zones":[["04a1","stock"]]}'),
    ),
    Target("spare-copies", own_files.spare, (), own_files.copies, 4096),
    Target("saved-store", own_files.store, (), own_files.patches, 1024),
    Target(
        "reader-name",
        typed.reader_name,
        (Failure,),
        lambda: (b"/dev/ttyUSB0:text", b"mqtt://host/topic", b"wedge"),
    ),
    Target(
        "reader-pattern",
        typed.pattern,
        (Unusable,),
        lambda: (b"UID: (?P<uid>[0-9A-F ]+)\nUID: 04 A1", b"(a|b)*c{1,3}"),
    ),
    Target(
        "emulator-script",
        script,
        (BadScript, UnclearUid),
        lambda: (SCRIPT,),
    ),
    Target("reader-protocol", own_frames, (), lambda: (b'{"type":"hello","seq":1}\n\x00\x03\x01\x02\x00',)),
    Target(
        "mqtt-payloads",
        mqtt,
        (),
        lambda: (
            b'{"RC522":{"UID":"BA839D07","Type":"PICC"}}',
            b'{"event_type":"tag_scanned","data":{"tag_id":"04-A1"}}',
        ),
    ),
    Target("mqtt-reader", mqtt_reader, (), lambda: (b'shoal/1/tag\n{"uid":"04A1B2C3"}',)),
    *(
        Target(f"reader-{kind}", reader(kind), (), lambda kind=kind: READER_SEEDS.get(kind, ()))
        for kind in PROFILES
    ),
)
