"""Everything of Shoal that reads bytes or texts of others: one function for each, with what it may raise.

A target takes any bytes and returns. What it may raise is what its callers catch; anything else is a finding.
"""

from __future__ import annotations

from cli.boards.words import NotUnderstood
from cli.errors import Failure
from engine.contract import BadAction, BadOption, IllegalAction
from engine.deck_files import read_deck
from engine.own_deck import read_own_deck
from engine.scenario import read_scenarios
from engine.toml import DataError
from hardware.emulators.script import BadScript
from hardware.pads import BadPads, BadRole, parse_role
from hardware.readers import PROFILES
from hardware.readers.patterns import Unusable
from hardware.table_texts import BadTable
from hardware.table_texts import from_toml as table_from_toml
from hardware.tag_texts import from_csv, from_toml
from hardware.tags import BadTags
from hardware.uids import UnclearUid
from hardware.uids import parse as parse_uid
from p2p.deal import PeerFault
from p2p.identity import BadPublicKey
from p2p.identity.keys import check_public
from p2p.identity.words import parse_words
from p2p.io.addresses import split_address
from p2p.link import FrameRefused, LinkError
from p2p.log import Malformed, decode_charter, decode_message, encode, unpack
from p2p.log.record import Damaged, read_game
from p2p.sealed import Malformed as BadPoint
from p2p.session.rematch import OPENS, WISH
from p2p.session.setup import decode_setup
from p2p.session.watching import Watch
from p2p.verify import BadFeed, Cheated
from tests.fuzz import games, links, relayed, table, texts, typed
from tests.fuzz import kept as own_files
from tests.fuzz.target import Target, text

TARGETS: tuple[Target, ...] = (
    Target(
        "link-frames", links.frames, (FrameRefused,), lambda: (b"\0\0\0\x05hello\0\0\0\x01x", b"\0\0\x10\0")
    ),
    Target("handshake-dialling", links.dialling, (LinkError,), lambda: links.handshake("dialling")),
    Target("handshake-answering", links.answering, (LinkError,), lambda: links.handshake("answering")),
    Target("public-key", check_public, (BadPublicKey,), lambda: (links.ME.public,)),
    Target("safety-words", text(parse_words), (ValueError,), lambda: (b"lemon gremlin empty javelin",)),
    Target("advert", links.advert, (), lambda: (links.ADVERT,)),
    Target("address", text(split_address), (LinkError,), lambda: (b"192.0.2.1:7467", b"[fe80::1]:80")),
    Target("player-name", links.name, (ValueError,), lambda: (b"Ann", "Zoë 🐟".encode())),
    Target("setup-messages", decode_setup, (Malformed,), games.set_up),
    Target("charter", decode_charter, (Malformed,), games.charters),
    Target(
        "watch-request",
        games.request,
        (Malformed,),
        lambda: (encode(Watch("Gus", 0, b"")), encode(Watch("Gus", 7, bytes(32)))),
    ),
    Target("watch-feed", games.feed, (BadFeed, Damaged, Cheated), games.feeds, 64 * 1024),
    Target("seat-messages", decode_message, (Malformed,), games.messages),
    Target("rematch-offer", games.again, (), lambda: (WISH, OPENS)),
    Target("relay-envelopes", relayed.envelopes, (), relayed.sent, 2048),
    Target("packed-parts", unpack, (Malformed,), lambda: (b"\x92\xc4\x01a\xc4\x00",)),
    Target("contribution", games.contribution, (PeerFault,), games.contributions),
    Target("sealed-cards", games.cards, (BadPoint,), games.sealed),
    Target("proof-bytes", games.proof, (BadPoint,), games.proofs),
    Target("scalar", games.scalar, (BadPoint,), lambda: (bytes(32), b"\xff" * 32)),
    Target("game-file", games.file, (), games.recorded),
    Target("game-records", games.records, (), games.record_seeds),
    Target("game-file-structure", read_game, (Damaged,), games.recorded),
    Target("action", texts.action, (BadAction, IllegalAction), texts.actions),
    Target("typed-line", typed.line, (NotUnderstood,), typed.typed_lines, 512),
    Target(
        "room-line",
        typed.room_line,
        (),
        lambda: (b'\x00"hello', b"\x01ready", b"\x00no-bot", b"\x00chat hi"),
        512,
    ),
    Target("mouse-report", typed.report, (), lambda: (b"\x1b[<0;12;5M", b"\x1b[<0;12;5m"), 256),
    Target("event-and-deed", texts.event, (BadAction,), lambda: (b"\x00A: ask B 9", b"\x01lay #0,1 #2,3")),
    Target(
        "options", texts.options, (BadOption,), lambda: (b"\x02ranks=5\nhand_size=3", b"\x00ask_mode=card")
    ),
    Target("deck-file", text(lambda data: read_deck(data, "deck.toml")), (DataError,), texts.decks),
    Target("own-deck", text(read_own_deck), (BadOption,), texts.decks),
    Target("scenario-file", text(lambda data: read_scenarios(data, "s.toml")), (DataError,), texts.scenarios),
    Target(
        "configuration", table.configuration, (Failure,), lambda: (b'name="Ann"\n[play]\nbots=2\n', b"a=[1]")
    ),
    Target(
        "tag-book",
        text(from_toml),
        (BadTags,),
        lambda: (b'shoal-tags = 1\n[[tag]]\nuid = "04A1B2C3"\ncard = "9H"\n',),
    ),
    Target("tag-table", text(from_csv), (BadTags,), lambda: (b"uid,kind,name\n04:A1:B2:C3,card,9H\n",)),
    Target("tag-id", text(parse_uid), (UnclearUid,), lambda: (b"04:A1:B2:C3", b"0004660575", b"123,45678")),
    Target("table-file", text(table_from_toml), (BadTable, BadPads, BadRole), lambda: (table.TABLE,)),
    Target("pad-role", text(parse_role), (BadRole,), lambda: (b"seat:Ann", b"pond", b" Ask : Zo\xc3\xab")),
    Target(
        "kept-table",
        table.kept,
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
        table.script,
        (BadScript, UnclearUid),
        lambda: (table.SCRIPT,),
    ),
    Target(
        "reader-protocol", table.own_frames, (), lambda: (b'{"type":"hello","seq":1}\n\x00\x03\x01\x02\x00',)
    ),
    Target(
        "mqtt-payloads",
        table.mqtt,
        (),
        lambda: (
            b'{"RC522":{"UID":"BA839D07","Type":"PICC"}}',
            b'{"event_type":"tag_scanned","data":{"tag_id":"04-A1"}}',
        ),
    ),
    Target("mqtt-reader", table.mqtt_reader, (), lambda: (b'shoal/1/tag\n{"uid":"04A1B2C3"}',)),
    *(
        Target(f"reader-{kind}", table.reader(kind), (), lambda kind=kind: table.READER_SEEDS.get(kind, ()))
        for kind in PROFILES
    ),
)
