"""What is shown: a whole game told as a session tells it, and the single tellings that are rare."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.presenter import JUST_ABOVE, Presenter
from cli.reach import AWAY_AFTER
from cli.story import Line
from cli.text import Glyphs
from engine.bots import bot
from engine.contract import Action, Event, Outcome
from engine.match import Position
from engine.open import Open
from engine.registry import game
from engine.rng import Stream
from engine.table import Choose, Deeds
from p2p.session import (
    Contributed,
    Fault,
    Finished,
    GameOver,
    Happened,
    Left,
    LinkCut,
    Paused,
    Stage,
    Stale,
    Talk,
    Waiting,
    YourMove,
)  # fmt: skip
from tests.cli.open_table import OpenTable

RULES = game("go-fish")

NAMES = ("Ann", "Ben", "Cy")


class Game:
    """An open game, with a presenter for one seat that hears what a sealed one would be told."""

    def __init__(self, seed: int = 1, me: int = 0, options: dict[str, str] | None = None) -> None:
        self.position = Position.start(RULES, options or {}, len(NAMES))
        self.rng = Stream(seed)
        self.dealer = Open(self.position, self.rng)
        self.me = me
        self.show = Presenter(RULES, NAMES, me, Glyphs())

    def view(self):
        return self.position.view(self.me, self.dealer.hand(self.position.table, self.me))

    def play(self) -> Iterator[tuple[object, tuple[Line, ...]]]:
        """Every telling with its lines."""
        yield self.hear(Stage(0, "keys", (0, 1, 2), 0, 1))
        while not isinstance(op := self.position.pending, Outcome):
            if isinstance(op, Choose):
                (seat,) = op.seats
                hand = self.dealer.hand(self.position.table, seat)
                actions = self.position.choices(seat, hand)
                if seat == self.me:
                    yield self.hear(YourMove(self.view(), actions))
                action = bot("random")(self.position.view(seat, hand), actions, self.rng)
                result = Deeds(((seat, self.position.deed(seat, hand, action)),))
            else:
                result = self.dealer.resolve(self.position, lambda at, seat, actions: actions[0])
            self.position, events = self.position.feed(result)
            yield self.hear(Happened(events, ()))
        yield self.hear(GameOver(self.position.pending, closed=False))

    def hear(self, telling) -> tuple[object, tuple[Line, ...]]:
        return telling, self.show.hear(telling, self.view())


@pytest.mark.parametrize("seed", range(5))
def test_a_game_is_told_completely_and_tells_no_foreign_card(seed: int) -> None:
    game_, dealt = Game(seed), 0
    for telling, lines in game_.play():
        if isinstance(telling, Happened):
            story = [line for line in lines if line.kind == "event"]
            assert len(story) == len(telling.events)
            rest = [line.text for line in lines if line.kind != "event"]
            assert rest in ([], [game_.show.hand_line(game_.view())])
            dealt += len(rest)
            for event, line in zip(telling.events, story, strict=True):
                if event.verb == "draw" and event.seat != 0:
                    assert line.text.endswith("draws a card.")
        if isinstance(telling, YourMove):
            hand = game_.show.hand_line(game_.view())
            above = [line.text for line in game_.show.log[: -len(lines)][-JUST_ABOVE:]]
            assert [line.kind for line in lines] == (["turn"] if hand in above else ["turn", "note"])
            assert [line.text for line in lines[1:]] == ([] if hand in above else [hand])
        assert all(line.text.isprintable() for line in lines)
    assert [line for line in game_.show.log if line.kind == "result"]
    assert dealt == 1


def test_ones_own_draw_is_named() -> None:
    game_ = Game(3)
    drawn = [
        (before, set(game_.view().hand.values()), lines[0].text)
        for before, telling, lines in _with_hands(game_)
        if isinstance(telling, Happened) and telling.events and telling.events[0] == Event("draw", 0)
    ]
    assert drawn
    for before, after, text in drawn:
        (face,) = after - before
        assert text == f"You draw {Glyphs().card(''.join(face))}."


def _with_hands(game_: Game):
    before = set(game_.view().hand.values())
    for telling, lines in game_.play():
        yield before, telling, lines
        before = set(game_.view().hand.values())


def test_the_board_agrees_with_the_position() -> None:
    game_ = Game(4, me=1)
    for telling, _lines in game_.play():
        view = game_.view()
        board = game_.show.board(view, awaited=(2,), missing={2: 5.0})
        if isinstance(telling, YourMove):
            laid = 4 * sum(map(len, RULES.report(view.state).books))
            assert sum(box.cards for box in board.seats) + board.piles[0].size + laid == 52
        assert [card for group in board.hand for card in group.cards] == [
            Glyphs().card(view.deck.text(face)) for face in view.deck.sorted(view.hand.values())
        ]
        assert [box.is_me for box in board.seats] == [False, True, False]
        assert board.seats[2].is_away
        assert board.is_my_move == isinstance(telling, YourMove)
        lines = game_.show.table_lines(board)
        assert len(lines) == 4
        assert lines[3].endswith(" (out of reach)")
        assert sum(line.startswith("*") for line in lines) == sum(box.is_turn for box in board.seats)


def test_what_happened_before_is_told_again_without_what_was_drawn() -> None:
    game_ = Game(4, me=1)
    told: list[str] = []
    events = []
    for telling, lines in game_.play():
        if isinstance(telling, Happened):
            events.append(telling.events)
            told += [line.text for line in lines if line.kind == "event"]
    again = Presenter(RULES, NAMES, 1, Glyphs())
    lines = again.recall(events)
    assert tuple(again.log) == lines
    assert len(lines) == len(told)
    assert again.ledger.total == 0 or any(line.proof for line in lines)
    mine = [(line.text, before) for line, before in zip(lines, told, strict=True) if line.text != before]
    assert all(text.startswith("You draw a card") or text in before for text, before in mine)
    assert sum(line.text == before for line, before in zip(lines, told, strict=True)) > len(told) / 2


@pytest.mark.parametrize("gone", [(0,), (0, 1, 2)])
def test_who_has_left_has_no_turn(gone: tuple[int, ...]) -> None:
    game_ = Game(4, me=1)
    outcome = Outcome("left", (0, 0, 0), ())
    for telling, _lines in game_.play():
        turn = [box.seat for box in game_.show.board(game_.view()).seats if box.is_turn]
        if isinstance(telling, YourMove) or turn != [0]:
            continue
        watches = game_.show.hear(Left(gone), game_.view())
        board = game_.show.board(game_.view())
        assert [box.note for box in board.seats if box.seat in gone] == ["has left"] * len(gone)
        assert not any(box.is_turn for box in board.seats)
        assert not watches
        told = [line.text for line in game_.show.hear(GameOver(outcome, closed=True), game_.view())]
        is_all = len(gone) == len(NAMES)
        assert told[0] == ("Nobody wins." if is_all else "All who stayed have signed the result.")
        return
    raise AssertionError("Ann never had the turn")


def test_hints_are_what_may_be_typed() -> None:
    game_ = Game(5)
    telling = next(telling for telling, _ in game_.play() if isinstance(telling, YourMove))
    hints = game_.show.hints(game_.view())
    assert len(hints) == len({action.target for action in telling.actions})
    assert all(f"ask {NAMES[action.target]} " in "\n".join(hints) for action in telling.actions)
    game_.hear(Finished())
    assert game_.show.hints(game_.view()) == ("It is not your turn.",)


def test_long_steps_say_who_is_working_once() -> None:
    game_ = Game()
    steps = [
        Stage(0, "keys", (0, 1, 2), 0, 1), Stage(1, "coin-commit", (0, 1, 2), 0, 2),
        Stage(2, "coin-open", (0, 1, 2), 1, 2), Stage(3, "shuffle", (0,), 0, 3),
        Stage(4, "shuffle", (1,), 1, 3),
        Stage(4, "shuffle", (1,), 1, 3), Stage(5, "shares", (0, 1, 2), 0, 1),
    ]  # fmt: skip
    texts = [line.text for step in steps for line in game_.hear(step)[1]]
    assert texts == [
        "Exchanging keys …", "Drawing lots for who goes first …", "Shuffling: you, 1 of 3 …",
        "Shuffling: Ben, 2 of 3 …", "Dealing …",
    ]  # fmt: skip
    assert game_.hear(Contributed(1, "shuffle"))[1] == (Line("✓ Ben's shuffle is proved.", "step"),)
    assert game_.hear(Contributed(1, "answer"))[1] == ()


def test_draws_of_a_turn_are_no_long_step() -> None:
    game_ = Game()
    for telling, _ in game_.play():
        if isinstance(telling, YourMove):
            break
    assert game_.hear(Stage(9, "shares", (0, 1), 0, 1))[1] == ()


def test_waiting_is_said_once_until_something_happens() -> None:
    game_ = Game()
    assert [line.text for line in game_.hear(Waiting((0, 2), 1.0))[1]] == ["Waiting for Cy."]
    assert game_.hear(Waiting((2,), 1.0))[1] == ()
    assert game_.hear(Waiting((0,), 1.0))[1] == ()
    assert [line.text for line in game_.hear(Waiting((1, 2), 1.0))[1]] == ["Waiting for Ben and Cy."]


def test_a_lost_player_is_named_with_the_time_and_welcomed_back() -> None:
    show = Game().show
    assert show.notice({1: AWAY_AFTER / 2}) == ()
    assert [line.text for line in show.notice({1: 3.4})] == [
        "Ben has been out of reach for 3 seconds; the game waits."
    ]
    assert show.notice({1: 4.0}) == ()
    assert [line.text for line in show.notice({})] == ["Ben is back."]
    assert show.notice({}) == ()


def test_talk_is_made_safe() -> None:
    (line,) = Game().hear(Talk(1, "hi\x1b[2J\r\nthere"))[1]
    assert line.text == "Ben: hi [2J  there"
    assert line.kind == "chat"


def test_a_cheat_is_named_with_step_and_reason() -> None:
    game_ = Game()
    (line,) = game_.hear(Fault(2, 41, "a claim does not hold", (), b""))[1]
    assert (
        line.text == "Cy cheated at step 41: a claim does not hold. Cy loses; the rest of the game is void."
    )
    assert game_.show.fault is not None


def test_rare_tellings_have_a_line() -> None:
    game_ = Game()
    assert "Ben has paused" in game_.hear(Paused(1))[1][0].text
    assert "older than the game" in game_.hear(Stale(3))[1][0].text
    assert game_.hear(Finished())[1] == ()


def test_a_timed_choice_lists_the_ways() -> None:
    game_ = Game()
    actions = (Action("give", cards=("9C",)), Action("give", cards=("9S",)))
    lines = game_.hear(YourMove(game_.view(), actions, 3.0))[1]
    assert [line.text for line in lines][1:] == ["  give 9♣ | 9♠", "  Type 9♣ as 9C."]
    assert "3 seconds" in lines[0].text
    assert game_.show.hints(game_.view()) == ("give 9♣ | 9♠", "Type 9♣ as 9C.")


def test_the_result_has_scores_best_first_and_names_all_winners() -> None:
    game_ = Game()
    lines = [
        line.text for line in game_.hear(GameOver(Outcome("stock-empty", (1, 4, 4), (1, 2)), closed=False))[1]
    ]
    assert lines == [
        "Ben and Cy share the win with 4 each.",
        "A tie is a shared win: nothing else decides between equals.",
        "       books",
        "  Ben      4",
        "  Cy       4",
        "  Ann      1",
    ]
    assert game_.hear(GameOver(Outcome("stock-empty", (1, 4, 4), (1, 2)), closed=True))[1][0].kind == "note"


def test_after_a_restart_the_hand_is_not_taken_for_a_draw() -> None:
    game_ = Game(3)
    for telling, _ in game_.play():
        if isinstance(telling, YourMove):
            break
    fresh = Presenter(RULES, NAMES, 0, Glyphs())
    fresh.hear(Stage(30, "ask", (0,), 0, 1), game_.view())
    (line,) = fresh.hear(Happened((Event("draw", 0),), ()), game_.view())
    assert line.text == "You draw a card."


def test_a_pause_and_the_lost_link_after_it_are_told_once() -> None:
    game_ = Game()
    assert len(game_.hear(Paused(1))[1]) == 1
    assert game_.show.notice({}) == ()  # still linked for a moment
    assert game_.show.notice({1: 5.0}) == ()
    assert [line.text for line in game_.show.notice({})] == ["Ben is back."]


def test_who_is_missing_is_said_on_ones_turn_and_after_ones_move() -> None:
    game_ = Game()
    game_.show.notice({1: 3.0})
    telling = next(telling for telling, _ in game_.play() if isinstance(telling, YourMove))
    lines = game_.hear(telling)[1]
    assert lines[-1].text.startswith("Ben is out of reach: you can play on, but the next draw waits")
    assert "needs Cy" in game_.show.notice({1: 3.0, 2: 4.0})[0].text
    game_.show.acted()
    assert [line.text for line in game_.hear(Waiting((1,), 1.0))[1]] == [
        "Waiting for Ben, who is out of reach."
    ]
    assert game_.hear(Waiting((1,), 1.0))[1] == ()


def test_nothing_is_said_to_wait_for_one_who_has_left() -> None:
    """Neither on one's turn nor when its link goes or comes back: perhaps it watches."""
    game_ = Game()
    game_.show.notice({1: 3.0})
    game_.hear(Left((1,), (), (0, 2)))
    assert game_.show.notice({1: 200.0}) == ()
    assert game_.show.notice({}) == ()
    telling = next(telling for telling, _ in game_.play() if isinstance(telling, YourMove))
    assert not any("out of reach" in line.text for line in game_.hear(telling)[1])


def test_a_cut_link_is_told_once_and_names_the_seat() -> None:
    game_ = Game()
    presenter, view = game_.show, game_.view()
    (line,) = presenter.hear(LinkCut(1, "no message"), view)
    assert line.kind == "warning"
    assert str(line).startswith("Ben's program sent something that is no message of this game;")
    assert presenter.hear(LinkCut(1, "no message"), view) == ()
    presenter.hear(Contributed(1, "ask"), view)
    assert len(presenter.hear(LinkCut(1, "no message"), view)) == 1


def test_a_choice_of_cards_to_lay_is_asked_for_with_its_ways() -> None:
    game_ = Game()
    actions = (Action("lay", cards=("9C", "9D", "9H", "9H")), Action("lay", cards=("9C", "9D", "9H", "9S")))
    head, *rest = game_.show.hear(YourMove(game_.view(), actions, 3.0), game_.view())
    assert (head.kind, str(head)) == (
        "turn",
        "Choose which cards to lay; after 3 seconds the lowest ones go.",
    )
    assert any(str(line).strip().startswith("lay ") and " | " in str(line) for line in rest)
    head, *_ = game_.show.hear(YourMove(game_.view(), actions), game_.view())
    assert str(head) == "Choose which cards to lay."


@pytest.mark.parametrize(("option", "is_said"), [("true", True), ("false", False)])
def test_who_draws_what_was_asked_for_goes_again_where_the_rules_say_so(option: str, is_said: bool) -> None:
    drawn: list[str] = []
    for seed in range(6):
        table = OpenTable("go-fish", seed=seed, options={"extra_turn_on_drawn_hit": option})
        for telling, lines in table.play():
            verbs = [event.verb for event in getattr(telling, "events", ())]
            if "show" in verbs and "over" not in verbs:
                drawn.append(" ".join(line.text for line in lines))
    assert len(drawn) > 3
    for text in drawn:
        assert (" you go again." in text or " goes again." in text) == is_said, text
