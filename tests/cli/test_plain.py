"""The plain front end against a table that only records: what is typed, what is told, how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from types import SimpleNamespace

import pytest

from cli.bots import BotPlayer, Pace
from cli.console import Left
from cli.loop import first_of
from cli.plain import End, PlainTable
from cli.presenter import Presenter
from cli.reach import AWAY_AFTER
from cli.text import Glyphs
from engine.contract import Action, IllegalAction, Reason
from engine.match import Position
from engine.open import Open
from engine.registry import game
from engine.rng import Stream
from engine.table import Choose, Complete, hand_of
from p2p.session import Fault, Finished, GameOver, Stale, Talk, YourMove

RULES = game("go-fish")
NAMES = ("Ann", "Ben", "Cy")
WORDS = ("rug", "publish", "banjo", "explore")
LIMIT = 60.0
"""Seconds that anything may take on a busy machine."""


class Screen:
    """A console whose lines come from a list; at its end it waits."""

    is_interactive = True
    prompt_is_shown = True

    def __init__(self, lines: Iterable[str | None] = ()) -> None:
        self.prompt = ""
        self.words = tuple
        self.shown: list[str] = []
        self.prompts: list[str] = []
        self._lines = list(lines)

    def write(self, text: str) -> None:
        self.shown.append(text)
        self.prompts.append(self.prompt)

    async def read(self) -> str | None:
        await asyncio.sleep(0.01)  # what was told is shown first
        if not self._lines:
            await asyncio.Event().wait()
        return self._lines.pop(0)


class Seat:
    """A table at the first turn."""

    def __init__(self) -> None:
        position = Position.start(RULES, {}, len(NAMES))
        dealer = Open(position, Stream(3))
        while not isinstance(position.pending, Choose):
            position, _ = position.feed(dealer.resolve(position, lambda at, seat, actions: actions[0]))
        (self.me,) = position.pending.seats
        hand = dealer.hand(position.table, self.me)
        self.view = position.view(self.me, hand)
        self.actions = position.choices(self.me, hand)
        self.keepers = tuple(range(len(NAMES)))
        self.session = SimpleNamespace(
            view=lambda: self.view, awaited=(self.me,), is_over=False, out_of_reach=frozenset(),
            rebuilding={},
            history=SimpleNamespace(
                step=0, proved=[], restored=[], progress=SimpleNamespace(gone=frozenset()),
                keepers_at=lambda _step: self.keepers,
                purpose=lambda _keeper: "departure",
            ),
            charter=SimpleNamespace(seats=[SimpleNamespace(keeper=seat) for seat in range(len(NAMES))]),
        )  # fmt: skip
        self.tellings: asyncio.Queue = asyncio.Queue()
        self.missing: dict[int, float] = {}
        self.acted: list[Action] = []
        self.said: list[str] = []
        self.refusal: Reason | None = None

    async def act(self, action: Action) -> None:
        if self.refusal is not None:
            raise IllegalAction(self.refusal)
        self.acted.append(action)
        self.tellings.put_nowait(Finished())

    async def say(self, text: str) -> None:
        self.said.append(text)

    def ask(self) -> None:
        self.tellings.put_nowait(YourMove(self.view, self.actions))


def front(seat: Seat, screen: Screen, bot=None) -> PlainTable:
    return PlainTable(seat, Presenter(RULES, NAMES, seat.me, Glyphs()), screen, WORDS, bot)


async def played(seat: Seat, *lines: str | None) -> Screen:
    screen = Screen(lines)
    async with asyncio.timeout(LIMIT):
        await front(seat, screen).play()
    return screen


async def test_a_turn_is_marked_and_a_typed_move_is_made() -> None:
    seat = Seat()
    seat.ask()
    first = seat.actions[0]
    screen = await played(seat, f"ask {NAMES[first.target]} {first.value}")
    assert seat.acted == [first]
    assert screen.shown[0] == "Your turn."
    assert screen.shown[1].startswith("Your hand: ")
    assert screen.prompt == "> "


async def test_the_prompt_says_whose_turn_it_is_and_completion_offers_the_moves() -> None:
    seat = Seat()
    seat.ask()
    screen = Screen([None])
    with pytest.raises(Left):
        await front(seat, screen).play()
    assert screen.prompt == "Your turn> "
    assert f"ask {NAMES[seat.actions[0].target]} {seat.actions[0].value}" in list(screen.words())
    assert "quit" in list(screen.words())


async def test_wrong_input_is_answered_and_changes_nothing() -> None:
    seat = Seat()
    seat.ask()
    other = NAMES[seat.actions[0].target]
    good = f"ask {other} {seat.actions[0].value}"
    screen = await played(seat, "nonsense", "ask nobody 9", good)
    assert any('"nonsense" is no command' in text for text in screen.shown)
    assert any("There is no player nobody" in text for text in screen.shown)
    assert len(seat.acted) == 1


async def test_a_refusal_of_the_rules_is_a_sentence() -> None:
    seat = Seat()
    seat.ask()
    seat.refusal = Reason("not-held", ("9",))
    screen = Screen([f"ask {NAMES[seat.actions[0].target]} 9", None])
    with pytest.raises(Left):
        await front(seat, screen).play()
    assert "You hold no nine, so you may not ask for one. hint lists what is possible." in screen.shown
    assert screen.prompt == "Your turn> "


async def test_commands_answer() -> None:
    seat = Seat()
    seat.ask()
    good = f"ask {NAMES[seat.actions[0].target]} {seat.actions[0].value}"
    screen = await played(seat, "table", "hand", "books", "hint", "log", "words", "help", "", good)
    text = "\n".join(screen.shown)
    for part in ("Pond: ", "No books yet.", f"{good[:8]}", "Safety words: RUG   PUBLISH   BANJO   EXPLORE"):
        assert part in text
    assert text.count("Your hand: ") == 3  # when asked for, with the turn, and in the log
    assert "quit     pause the game" in text


async def test_the_rules_can_be_read_without_their_options() -> None:
    text = await _told("rules")
    assert "As soon as you hold four of a rank" in text
    assert "--set" not in text


@pytest.mark.parametrize(("seconds", "is_told"), [(0.2, False), (AWAY_AFTER, True)])
async def test_a_seat_that_is_gone_for_a_moment_is_not_called_out_of_reach(
    seconds: float, is_told: bool
) -> None:
    seat = Seat()
    seat.missing = {(seat.me + 1) % 3: seconds}
    text = await _told("table", seat)
    assert ("(out of reach)" in text) == is_told


async def _told(line: str, seat: Seat | None = None) -> str:
    seat = seat or Seat()
    seat.ask()
    good = f"ask {NAMES[seat.actions[0].target]} {seat.actions[0].value}"
    return "\n".join((await played(seat, line, "", good)).shown)


async def test_talk_goes_out_and_comes_in() -> None:
    seat = Seat()
    seat.tellings.put_nowait(Talk(1, "hello"))
    screen = Screen(['"hi all', "quit"])
    with pytest.raises(Left):
        await front(seat, screen).play()
    assert seat.said == ["hi all"]
    assert "Ben: hello" in screen.shown
    assert "You: hi all" in screen.shown


@pytest.mark.parametrize(
    ("telling", "end"),
    [
        (Finished(), End()),
        (fault := Fault(1, 4, "lied", (), b""), End(fault=fault)),
        (Stale(4), End(is_stale=True)),
    ],
    ids=["finished", "fault", "stale"],
)
async def test_endings(telling: object, end: End) -> None:
    seat = Seat()
    seat.tellings.put_nowait(telling)
    assert await front(seat, Screen()).play() == end


async def test_what_breaks_the_table_is_raised_as_it_is() -> None:
    seat = Seat()
    seat.tellings.put_nowait(SimpleNamespace(error=OSError("disk")))
    with pytest.raises(OSError, match="disk"):
        await front(seat, Screen()).play()


async def test_a_bot_plays_without_any_input() -> None:
    seat = Seat()
    seat.ask()

    screen = Screen([None])
    async with asyncio.timeout(LIMIT):
        assert await front(seat, screen, BotPlayer("random", Pace(hurry=True))).play() == End()
    (action,) = seat.acted
    assert action in seat.actions
    assert "Your turn> " not in screen.prompts
    (line,) = screen.shown  # the hand is to be seen, and nothing that a person would have to type
    assert line.startswith("Your hand: ")


async def test_a_lost_link_is_reported_while_nothing_else_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.plain.WATCH", 0.01)
    seat = Seat()
    other = (seat.me + 1) % 3
    seat.missing = {other: 7.0}
    screen = Screen()
    playing = asyncio.create_task(front(seat, screen).play())
    await until(screen, "out of reach")
    await asyncio.sleep(0.05)  # and it is not said again
    seat.missing = {}
    await until(screen, "is back")
    seat.tellings.put_nowait(Finished())
    await playing
    assert screen.shown == [
        f"{NAMES[other]} has been out of reach for 7 seconds; the game waits.",
        f"{NAMES[other]} is back.",
    ]


async def until(screen: Screen, part: str) -> str:
    """The first line with a text."""
    async with asyncio.timeout(LIMIT):
        while True:
            for line in screen.shown:
                if part in line:
                    return line
            await asyncio.sleep(0.01)


GO_ON = "You can talk (chat TEXT), pause (quit), or go on without {who}: give up {who}"
END_IT = (
    "You can talk (chat TEXT), pause the game (quit), or leave it for good (resign), which counts once the "
    "game goes on."
)


def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the front end takes for the time: one number, which a test moves on."""
    now = [1000.0]
    for module in ("cli.plain", "cli.waited"):
        monkeypatch.setattr(f"{module}.time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


async def test_a_long_silence_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.plain.WATCH", 0.01)
    monkeypatch.setattr("cli.plain.REMIND", 0.05)
    now = clock(monkeypatch)
    seat = Seat()
    other = (seat.me + 1) % 3
    seat.session.awaited = (other,)
    screen = Screen()
    table = front(seat, screen)
    assert table._remedy() == []  # they are waited for from now on
    playing = asyncio.create_task(table.play())
    now[0] += 0.1
    assert await until(screen, "Waiting") == f"Waiting for {NAMES[other]} (0 s)"
    now[0] += 1.0
    assert await until(screen, "(1 s)"), "it is counted"
    assert not any("give up" in line for line in screen.shown), "nobody is talked into impatience"
    monkeypatch.setattr("cli.waited.REMEDY", 0.5)
    now[0] += 1.0
    assert (await until(screen, "give up")).endswith(GO_ON.format(who=NAMES[other]))
    seat.keepers = (seat.me, other)
    now[0] += 1.0
    assert (await until(screen, "resign")).endswith(END_IT)
    seat.tellings.put_nowait(Finished())
    await playing


async def test_who_comes_back_is_not_said_to_keep_all_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock(monkeypatch)
    seat = Seat()
    other = (seat.me + 1) % 3
    seat.session.awaited = (other,)
    table = front(seat, Screen())
    assert table._remedy() == []
    seat.missing[other] = 300.0
    now[0] += 300
    assert table._remedy() != []
    del seat.missing[other]
    assert table._remedy() == []
    now[0] += 300
    assert table._remedy() != [], "they do nothing, either"


async def test_what_is_to_be_done_on_the_pads_is_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.plain.WATCH", 0.01)
    monkeypatch.setattr("cli.plain.REMIND", 0.05)
    seat, screen = Seat(), Screen()
    table = front(seat, screen)
    never = asyncio.get_running_loop().create_future()
    desk = SimpleNamespace(to_do=("Put blank 3 back on Ann's pad.",), broken=lambda: never, hear=lambda *_: 0)
    monkeypatch.setattr(table, "_desk", desk)
    playing = asyncio.create_task(table.play())
    await until(screen, "Put blank 3 back")
    screen.shown.clear()
    await until(screen, "Put blank 3 back")
    seat.tellings.put_nowait(Finished())
    await playing


@pytest.mark.parametrize("keepers", [3, 2])
async def test_what_to_do_is_said_at_once_when_somebody_is_gone(
    monkeypatch: pytest.MonkeyPatch, keepers: int
) -> None:
    monkeypatch.setattr("cli.plain.WATCH", 0.01)
    seat = Seat()
    other = (seat.me + 1) % 3
    seat.keepers = seat.keepers[:keepers]
    seat.session.awaited, seat.missing = (other,), {other: 7.0}
    screen = Screen()
    playing = asyncio.create_task(front(seat, screen).play())
    await until(screen, "You can")
    seat.tellings.put_nowait(Finished())
    await playing
    assert screen.shown == [
        f"{NAMES[other]} has been out of reach for 7 seconds; the game waits.",
        (GO_ON if keepers == 3 else END_IT).format(who=NAMES[other]),
    ]


async def test_the_result_is_shown_before_the_end() -> None:
    seat = Seat()
    from engine.contract import Outcome

    seat.tellings.put_nowait(GameOver(Outcome("stock-empty", (1, 0, 0), (0,)), closed=False))
    seat.tellings.put_nowait(Finished())
    screen = Screen()
    await front(seat, screen).play()
    assert any("win" in text for text in screen.shown)


async def test_the_first_work_decides_and_the_others_are_cancelled() -> None:
    cancelled = []

    async def slow() -> int:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise
        return 1

    async def quick() -> int:
        return 2

    assert await first_of(slow(), quick(), slow()) == 2
    assert cancelled == [True, True]


async def test_of_works_that_end_in_the_same_moment_the_first_decides() -> None:
    async def number(n: int) -> int:
        return n

    for _ in range(20):
        assert await first_of(*[number(n) for n in range(20)]) == 0


async def prompted(screen: Screen, text: str) -> None:
    """Until this is the prompt."""
    async with asyncio.timeout(LIMIT):
        while screen.prompt != text:  # noqa: ASYNC110  # a prompt sets no event
            await asyncio.sleep(0.01)


async def test_a_choice_with_a_time_limit_shows_what_is_left_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.plain.WATCH", 0.01)
    now = clock(monkeypatch)
    seat = Seat()
    screen = Screen()
    table = front(seat, screen)
    playing = asyncio.create_task(table.play())
    actions = (Action("give", cards=("9C",)), Action("give", cards=("9S",)))
    seat.tellings.put_nowait(YourMove(seat.view, actions, 3.0))
    await prompted(screen, "Your choice, 3 s left> ")
    now[0] += 2
    await prompted(screen, "Your choice, 1 s left> ")
    seat.tellings.put_nowait(Finished())
    await playing
    assert screen.prompt == "> "


async def test_of_several_equal_cards_those_typed_are_laid() -> None:
    """Two decks have eight nines: of five in a hand four are laid, and their holder says which."""
    position = Position.start(RULES, {"deck": "104"}, len(NAMES))
    dealer = Open(position, Stream(3))
    while not isinstance(position.pending, Complete):
        position, _ = position.feed(dealer.resolve(position, lambda at, seat, actions: actions[0]))
    seat = Seat()
    seat.me = position.pending.seat
    texts = ("9C", "9D", "9H", "9S", "9S")
    hand = dict(zip(position.table.slots(hand_of(seat.me)), map(position.deck.parse, texts), strict=True))
    seat.view = position.view(seat.me, hand)
    seat.actions = position.choices(seat.me, hand)
    assert len(seat.actions) == 4  # one of 9C, 9D, 9H and 9S stays
    seat.session.awaited = (seat.me,)
    screen = Screen(["lay 9S 9s nine of hearts", "lay 9S 9s 9h 9d"])
    seat.tellings.put_nowait(YourMove(seat.view, seat.actions, 3.0))
    await front(seat, screen).play()
    assert screen.shown[0] == "Choose which cards to lay; after 3 seconds the lowest ones go."
    assert sorted(seat.acted[-1].cards) == ["9D", "9H", "9S", "9S"]
