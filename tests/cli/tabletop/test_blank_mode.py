"""The blank mode as the program runs it: the same people at the same games, through touches, tellings and
outputs; and what may be read on a screen that all look at."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from cli.tabletop import Act, Keep, Lift, Say, Signal, Touch, Trouble
from cli.tabletop.base import EVERYBODY, Feedback, Kind, Output
from cli.tabletop.blank import BlankMode
from cli.tabletop.blank_kept import from_bytes, to_bytes
from cli.tabletop.blank_table import Decided, Save, Spoken
from cli.tabletop.blank_table import Output as TableOutput
from cli.text import Glyphs
from engine.contract import Action, Event
from hardware.events import Disturbed, Placed, Removed, Settled, Undisturbed, Unsure
from hardware.events import Event as PadEvent
from hardware.tags import Book, Tag
from hardware.tags import Kind as TagKind
from hardware.uids import Uid
from p2p.session import Happened
from tests.cli.tabletop.blank_world import BLANKS, LOCAL, NAMES, PADS, Clumsy, Player, World
from tests.cli.tabletop.rig import setting_of

TOKENS = {name: Tag(Uid(bytes((7, n, 0, 0, 0, 0, 0))), TagKind.PLAYER, name) for n, name in enumerate(NAMES)}
BOOK = Book((*(Tag(uid, TagKind.BLANK, name) for uid, name in BLANKS.items()), *TOKENS.values()))
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
