"""The blank mode as the program runs it: the same people at the same games, through touches, tellings and
outputs; and what may be read on a screen that all look at."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from cli.errors import Failure
from cli.tabletop import Act, Keep, Lift, Peek, Say, Signal, Touch, Trouble
from cli.tabletop.base import EVERYBODY, Feedback, Kind, Output
from cli.tabletop.blank import BlankMode, open_mode
from cli.tabletop.blank_kept import from_bytes, to_bytes
from cli.tabletop.blank_table import Decided, Save, Spoken
from cli.tabletop.blank_table import Output as TableOutput
from cli.tabletop.peeking import PEEK
from cli.text import Glyphs
from engine.contract import Action, Event
from engine.table import Choose, hand_of
from hardware.events import Disturbed, Place, Placed, Removed, Settled, Undisturbed, Unsure
from hardware.events import Event as PadEvent
from hardware.pads import HUB, Pads, Role
from hardware.tags import Book, Tag
from hardware.tags import Kind as TagKind
from hardware.uids import Uid
from p2p.session import Happened
from tests.cli.tabletop.blank_world import ASKS, BLANKS, LOCAL, NAMES, PADS, SEATS, Clumsy, Player, World
from tests.cli.tabletop.rig import setting_of

TOKENS = {name: Tag(Uid(bytes((7, n, 0, 0, 0, 0, 0))), TagKind.PLAYER, name) for n, name in enumerate(NAMES)}
BOOK = Book((*(Tag(uid, TagKind.BLANK, name) for uid, name in BLANKS.items()), *TOKENS.values()))
SEVEN = Tag(Uid(b"another seven"), TagKind.BLANK, "7")
_TROUBLES = {
    Disturbed: Kind.DISTURBED, Undisturbed: Kind.UNDISTURBED, Unsure: Kind.UNSURE, Settled: Kind.SETTLED,
}  # fmt: skip


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOAL_LANG", "en")


class ThroughMode:
    """Looks to a `World` like a `BlankTable`, and drives a `BlankMode`."""

    def __init__(self, player: Player, world: World) -> None:
        self.player = player
        kept = to_bytes(world.saved)
        names = ["Ann", "Ben", "Coral"]
        setting = setting_of(player.rules, player.position.deck, names, LOCAL, PADS, BOOK, is_common=True)
        self.mode = BlankMode(replace(setting, kept=kept))
        self.out: list[Output] = list(self.mode.opened(world.now))
        self.blanks, self.physical = self.mode._table.blanks, self.mode._table.physical
        self.what_to_do = self.mode._table.what_to_do
        self.still_to_do = self.mode._table.still_to_do
        self.may_decide = self.mode._table.may_decide
        self.hand_lines = lambda seat: tuple(f"{number}: {card}" for number, card in self.blanks.own(seat))

    @property
    def wake(self) -> float | None:
        return self.mode.wake

    def tag(self, now: float, event: PadEvent) -> list[TableOutput]:
        role = PADS.get(event.place)
        match event:
            case Placed(uid, place):
                tag = Tag(uid, TagKind.BLANK, BLANKS[uid])
                return self.translated(self.mode.touched(now, Touch(uid, tag, place, role, now, stays=True)))
            case Removed(uid, place):
                tag = Tag(uid, TagKind.BLANK, BLANKS[uid])
                return self.translated(self.mode.lifted(now, Lift(uid, tag, place, role, now)))
            case _:
                trouble = Trouble(_TROUBLES[type(event)], event.place, role)
                return self.translated(self.mode.troubled(now, trouble))

    def views(self) -> Mapping[int, Any]:
        return {seat: self.player.open.view(self.player.position, seat) for seat in LOCAL}

    def game(
        self, now: float, hands: Mapping[int, Sequence[str]], events: Sequence[Event]
    ) -> list[TableOutput]:
        outputs: list[TableOutput] = []
        for seat, view in self.views().items():
            outputs += self.translated(self.mode.told(now, seat, Happened(tuple(events), ()), view))
        return outputs

    def asked(
        self, now: float, seat: int, actions: Sequence[Action], in_race: bool = False
    ) -> list[TableOutput]:
        view = self.player.open.view(self.player.position, seat)
        if in_race:
            return self.translated(self.mode.raced(now, seat, view, tuple(actions)))
        return self.translated(self.mode.asked(now, seat, view, tuple(actions), None))

    def decided(self, seat: int) -> None:
        self.player.world.hear(self.translated(self.mode.acted(self.player.world.now, seat, Action("x"))))

    def tick(self, now: float) -> list[TableOutput]:
        return self.translated(self.mode.ticked(now))

    def translated(self, outputs: Sequence[Output]) -> list[TableOutput]:
        found: list[TableOutput] = []
        for output in outputs:
            match output:
                case Say(text, -1) if not re.match(
                    r"(Ann|Ben): (?!take)", text
                ):  # whose turn, and how to tap
                    found.append(Spoken((text,)))
                case Say(text, seat) if seat != EVERYBODY:
                    found.append(Spoken((text,), seat))
                case Act(seat, action):
                    found.append(Decided(seat, action))
                case Keep(data):
                    binding = from_bytes(data)
                    assert binding is not None
                    found.append(Save(binding))
                case _:
                    pass
        self.out += outputs
        return found


@pytest.mark.parametrize("name", ["go-fish", "one-fish", "casino", "discount-salmon"])
def test_clumsy_people_through_the_mode(name: str) -> None:
    player = Player(name, {}, 3, Clumsy(3), make=ThroughMode)
    world = player.play()
    out = world.table.out
    assert any(isinstance(each, Signal) and each.feedback is Feedback.ATTENTION for each in out)
    # What all can read names a face only where it lies open.
    public = " ".join(each.text for each in out if isinstance(each, Say) and each.seat == EVERYBODY)
    words = set(re.findall(r"[\w♣♦♥♠-]+", public))
    deck = player.position.deck
    if name != "casino":
        assert not words & {Glyphs().card(deck.text(face)) for face in deck.faces}
    assert words & set(BLANKS.values())


# --- one thing at a time ----------------------------------------------------------------------------


class Table:
    """Go Fish: Ann, Ben and Coral; the blanks 1, 2, … lie on the pads of Ann and then of Ben."""

    def __init__(self, local: tuple[int, ...] = LOCAL, pads: Pads = PADS, seed: int = 1) -> None:
        self.now = 100.0
        self.player = Player("go-fish", {}, seed)
        self.position, self.open = self.player.position, self.player.open
        self.setting = setting_of(
            self.player.rules, self.position.deck, list(NAMES), local, pads, BOOK, len(local) > 1
        )
        self.mode = BlankMode(self.setting)
        self.out: list[Output] = []
        self.do(self.mode.opened(self.now))
        while not isinstance(self.position.pending, Choose):
            self.position, events = self.position.feed(self.open.resolve(self.position))
            self.tell(events)
        number = iter(BLANKS)
        for seat in local:
            for _ in range(self.position.table.size(hand_of(seat))):
                self.put(next(number), SEATS[seat])
        assert self.mode._table.may_decide(local[0])
        (self.turn,) = self.position.pending.seats

    def do(self, outputs: Sequence[Output] | None) -> list[Output]:
        assert outputs is not None
        self.out += outputs
        return list(outputs)

    def tell(self, events: Sequence[Event]) -> None:
        for seat in self.setting.local:
            view = self.open.view(self.position, seat)
            self.do(self.mode.told(self.now, seat, Happened(tuple(events), ()), view))

    def ask(self, seat: int) -> list[Output]:
        view = self.open.view(self.position, seat)
        # Whoever's turn it is: this is about the pads.
        actions = tuple(
            Action("ask", target, rank)
            for target in range(3)
            for rank in {face[0] for face in view.hand.values()}
            if target != seat
        )
        return self.do(self.mode.asked(self.now, seat, view, actions, None))

    def put(self, uid: Uid, role: Role, stays: bool = True, tag: Tag | None = None) -> list[Output]:
        self.now += 2.0
        place = PADS.place(role)
        assert place is not None
        tag = tag or Tag(uid, TagKind.BLANK, BLANKS[uid])
        return self.do(self.mode.touched(self.now, Touch(uid, tag, place, role, self.now, stays)))

    def lift(self, uid: Uid, role: Role, tag: Tag | None = None) -> list[Output]:
        place = PADS.place(role)
        assert place is not None
        tag = tag or Tag(uid, TagKind.BLANK, BLANKS[uid])
        return self.do(self.mode.lifted(self.now, Lift(uid, tag, place, role, self.now)))

    def token(self, name: str, role: Role, stays: bool = True) -> list[Output]:
        return self.put(TOKENS[name].uid, role, stays, TOKENS[name])

    def pass_time(self, seconds: float) -> list[Output]:
        end, found = self.now + seconds, []
        while (wake := self.mode.wake) is not None and wake <= end:
            self.now = max(self.now, wake)
            found += self.do(self.mode.ticked(self.now))
        self.now = end
        return found


def says(outputs: Sequence[Output], seat: int = EVERYBODY) -> list[str]:
    return [each.text for each in outputs if isinstance(each, Say) and each.seat == seat]


def test_a_token_and_an_own_blank_ask() -> None:
    table = Table()
    table.ask(0)
    uid, card = next((bond.uid, bond.card) for bond in table.mode._table.blanks.binding.of(0))
    assert says(table.token("Coral", ASKS[0])) == ["Ann: Tapped: Coral. For what? Tap a card."]
    table.lift(uid, SEATS[0])
    outputs = table.put(uid, ASKS[0])
    acts = [each for each in outputs if isinstance(each, Act)]
    assert acts == [Act(0, Action("ask", 2, card[0]))]
    table.do(table.mode.acted(table.now, 0, acts[0].action))
    table.lift(uid, ASKS[0])
    assert says(table.pass_time(4.0)) == [f"Put blank {BLANKS[uid]} back on Ann's pad."]


def test_on_a_common_screen_a_tapped_blank_is_called_by_its_number() -> None:
    table = Table()
    table.ask(0)
    outputs = table.put(next(iter(BLANKS)), ASKS[0])
    assert says(outputs) == ["Ann: Tapped: 1. Whom? Tap a token."]


def test_somebody_elses_blank_is_no_key_and_tells_nothing() -> None:
    table = Table()
    table.ask(0)
    uid = table.mode._table.blanks.binding.of(1)[0].uid
    outputs = table.put(uid, ASKS[0])
    assert says(outputs) == [f"Blank {BLANKS[uid]} is not yours."]
    assert not any(isinstance(each, Act) for each in outputs)
    assert says(table.put(list(BLANKS)[50], ASKS[0])) == ["Blank 51 stands for no card."]


def test_a_decision_by_tapping_waits_until_the_table_is_right() -> None:
    table = Table()
    table.ask(0)
    uid = table.mode._table.blanks.binding.of(1)[0].uid
    table.lift(uid, SEATS[1])
    table.token("Coral", ASKS[0])
    own = table.mode._table.blanks.binding.of(0)[0].uid
    outputs = table.put(own, ASKS[0])
    assert not any(isinstance(each, Act) for each in outputs)
    assert says(outputs)[-2:] == [
        "First the table has to be right:",
        f"Put blank {BLANKS[uid]} back on Ben's pad.",
    ]
    table.put(uid, SEATS[1])
    table.put(own, SEATS[0])
    table.token("Coral", ASKS[0])
    assert any(isinstance(each, Act) for each in table.put(own, ASKS[0]))


def test_a_typed_decision_waits_too() -> None:
    table = Table()
    table.ask(0)
    rank = table.mode._table.blanks.binding.of(0)[0].card[0]
    line = f"ask Coral {rank}"
    assert table.mode.typed(table.now, line) is None  # the screen understands it
    table.lift(table.mode._table.blanks.binding.of(1)[0].uid, SEATS[1])
    for each in (line, f"Ann: {line}"):
        assert says(table.do(table.mode.typed(table.now, each)))[0] == "First the table has to be right:"
    for each in ("table", "what", "rules"):
        assert table.mode.typed(table.now, each) is None


def test_a_token_on_the_hub_shows_its_players_blanks() -> None:
    table = Table()
    (peek,) = [each for each in table.token("Ben", HUB) if isinstance(each, Peek)]
    assert peek.seat == 1
    blanks = table.mode._table.blanks
    assert len(peek.lines) == len(blanks.own(1)) == 5
    assert all(number in " ".join(peek.lines) for number, _ in blanks.own(1))
    assert table.token("Coral", HUB)  # Coral is far away: no peek
    assert Peek(1) in table.lift(TOKENS["Ben"].uid, HUB, TOKENS["Ben"])


def test_what_is_shown_follows_what_is_bound() -> None:
    table = Table()
    table.token("Ann", HUB)
    table.do(table.mode.typed(table.now, "lost 1"))
    outputs = table.put(list(BLANKS)[40], SEATS[0])
    (peek,) = [each for each in outputs if isinstance(each, Peek)]
    assert any(line.startswith("41: ") for line in peek.lines)
    assert not any(line.startswith("1: ") for line in peek.lines)


def test_a_peek_ends_by_itself_where_the_reader_cannot_tell() -> None:
    table = Table()
    table.token("Ben", HUB, stays=False)
    assert Peek(1) in table.pass_time(PEEK + 1.0)
    table.token("Ben", HUB, stays=False)
    assert Peek(1) in table.token("Ben", HUB, stays=False)


def test_on_ones_own_screen_the_faces_are_named() -> None:
    table = Table(local=(0,))
    uid, card = next((bond.uid, bond.card) for bond in table.mode._table.blanks.binding.of(0))
    table.lift(uid, SEATS[0])
    face = Glyphs().card(card)
    assert says(table.pass_time(4.0)) == [f"Put blank {BLANKS[uid]} ({face}) back on Ann's pad."]
    assert f"{BLANKS[uid]}: {face}" in says(table.do(table.mode.typed(table.now, "blanks")), 0)


def test_commands_of_the_mode() -> None:
    table = Table()
    assert says(table.do(table.mode.typed(table.now, "lost 99"))) == ["There is no blank 99."]
    assert says(table.do(table.mode.typed(table.now, "blanks")))[0].startswith("Lay your token")
    table.do(table.mode.typed(table.now, "lost 1"))
    assert says(table.pass_time(2.0)) == ["Ann: take a free blank and put it on your pad."]


def test_what_is_kept_comes_back() -> None:
    table = Table()
    kept = [each.data for each in table.out if isinstance(each, Keep)][-1]
    mode = open_mode(replace(table.setting, kept=kept))
    assert mode._table.blanks.binding == table.mode._table.blanks.binding
    assert open_mode(replace(table.setting, kept=b"damaged"))._table.blanks.binding.bonds == ()


def test_seats_that_have_not_come_equally_far_change_nothing() -> None:
    """One session hears of a step before the other: a card is in two hands, or in none."""
    table = Table()
    before = table.mode._table.blanks.binding
    result = self_result(table)
    ahead, events = table.position.feed(result)
    view = table.open.view(ahead, 0)
    outputs = table.do(table.mode.told(table.now, 0, Happened(tuple(events), ()), view))
    assert says(outputs) == []
    assert table.mode._table.blanks.binding == before


def self_result(table: Table) -> Any:
    """Somebody asks somebody."""
    view = table.open.view(table.position, table.turn)
    deed = table.player.rules.deed(view, table.player.rules.legal(view)[0])
    return table.open.decided(table.position, [(table.turn, deed)])


@pytest.mark.parametrize(
    ("book", "pads", "problem"),
    [
        (Book(TOKENS.values()), PADS, "No blanks are enrolled."),
        (
            Book([*BOOK.tags, Tag(Uid(b"twice"), TagKind.BLANK, "7")]),
            PADS,
            "Several blanks have the number 7.",
        ),
        (BOOK, Pads({Place("x"): SEATS[0]}), "There is no pad for the cards of Ben."),
    ],
)
def test_a_table_that_cannot_be_played_at(book: Book, pads: Pads, problem: str) -> None:
    player = Player("go-fish", {}, 1)
    setting = setting_of(player.rules, player.position.deck, list(NAMES), LOCAL, pads, book, True)
    with pytest.raises(Failure) as raised:
        open_mode(setting)
    assert raised.value.message == problem
    assert raised.value.hint


def test_lights_follow_what_has_to_be_done() -> None:
    table = Table()
    uid = table.mode._table.blanks.binding.of(1)[0].uid
    place = PADS.place(SEATS[1])
    assert place is not None
    table.lift(uid, SEATS[1])
    assert Signal(place, Feedback.ATTENTION) in table.pass_time(4.0)
    assert Signal(place, Feedback.ACCEPTED) in table.put(uid, SEATS[1])
