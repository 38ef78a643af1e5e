"""What the full screen shows of a game at one moment, as plain data that is made from the presenter's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.contract import Action, View

from ..boards import Board, GameBoard
from ..presenter import Presenter
from ..rules import title_of
from ..translation import gettext as _
from .extras import Extras, Token, extras_of, hand_of_screen


@dataclass(frozen=True, slots=True)
class Player:
    """One seat. ``known`` says which cards all know to be in that hand, ``work`` what it is busy with."""

    number: int
    name: str
    cards: int
    laid: str
    note: str
    known: str
    is_turn: bool
    is_me: bool
    is_away: bool
    is_awaited: bool
    is_working: bool
    has_worked: bool


@dataclass(frozen=True, slots=True)
class Work:
    """A long task of the whole table, such as a shuffle: its text, and how many rounds of it are done."""

    text: str
    done: int
    of: int


@dataclass(frozen=True, slots=True)
class Scene:
    """The table as one seat sees it, with what is asked of its player.

    ``others`` begin with the seat after one's own. ``question`` is what the game asks, ``actions`` what may
    be done; ``left`` are seconds until it is done in any case. ``remedy`` says what can be done about those
    who are waited for, ``to_do`` what has to be done with cards one can touch before the game can go on.
    ``result`` is the end of the game in lines.
    """

    title: str
    game: GameBoard
    me: Player | None
    others: tuple[Player, ...]
    board: Board
    hand: tuple[Token, ...]
    hand_line: str
    extras: Extras
    question: tuple[str, ...]
    actions: tuple[Action, ...]
    left: float | None
    work: Work | None
    waiting: tuple[int, ...]
    waiting_text: str
    idle: str
    result: tuple[str, ...]
    proofs: int
    is_racing: bool
    is_over: bool
    is_watched: bool
    remedy: str = ""
    to_do: tuple[str, ...] = ()

    @property
    def takes_figures(self) -> bool:
        """Whether a line of this game may begin with a figure."""
        return self.game.rules.info.id == "discount-salmon"

    @property
    def is_my_move(self) -> bool:
        """Whether this player has to decide, or may in a race."""
        return bool(self.actions)


Moment: TypeAlias = tuple[object, ...]


def moment_of(scene: Scene) -> Moment:
    """What an answer to a line may speak of: whose turn it is, what is asked, and who is away.
    In a race that changes with every card that is played, so that there the fish counts alone.

    On a screen for everybody the hands count, too: whoever plays by tapping sends no line.
    """
    if scene.is_racing:
        return (scene.extras.headline, scene.is_over, scene.work is None)
    boxes = scene.board.seats
    turns = tuple((box.is_turn, box.is_away) for box in boxes)
    hands = () if scene.me is not None else tuple((box.cards, box.laid) for box in boxes)
    return (scene.is_over, scene.work is None, turns, hands, scene.actions, scene.to_do)


def is_under_way(scene: Scene) -> bool:
    """Whether this player has something to decide, or all have been dealt their cards and nobody shuffles."""
    is_dealt = scene.work is None and any(box.cards for box in scene.board.seats)
    return scene.is_my_move or is_dealt


def scene_of(
    show: Presenter,
    view: View[Any],
    board: Board,
    actions: Sequence[Action],
    left: float | None,
    is_watched: bool = False,
) -> Scene:
    """The scene of a moment. ``is_watched``: a bot plays this seat, and its player looks on."""
    is_over = show.outcome is not None or show.fault is not None
    work = None if is_over else show.work
    players = tuple(_player(show, box.seat, board) for box in board.seats)
    count = len(players)
    me = players[show.me] if show.me >= 0 else None
    first = show.me + 1 if show.me >= 0 else 0
    around = [players[(first + n) % count] for n in range(count)]
    waiting = () if is_over or show.is_racing else tuple(seat for seat in board.awaited if seat != show.me)
    return Scene(
        title=title_of(show.rules.info.id),
        game=show.game,
        me=me,
        others=tuple(player for player in around if player is not me),
        board=board,
        hand=hand_of_screen(show.game, view, board.hand),
        hand_line=show.hand_line(view),
        extras=extras_of(show.game, view),
        question=_question(show, view, actions, left),
        actions=tuple(actions),
        left=left,
        work=None if work is None else Work(work.text, work.done, work.of),
        waiting=waiting,
        waiting_text=show.say.waiting(waiting) if waiting else "",
        idle=show.game.idle(view),
        result=_result(show),
        proofs=show.ledger.total,
        is_racing=show.is_racing,
        is_over=is_over,
        is_watched=is_watched,
    )


def _result(show: Presenter) -> tuple[str, ...]:
    """Who won, why the game ended, and the scores."""
    lines = tuple(line.text for line in show.log if line.kind == "result")
    if show.outcome is None or not lines:
        return lines
    return (lines[0], show.say.ending(show.outcome.reason) + ".", *lines[1:])


def _player(show: Presenter, seat: int, board: Board) -> Player:
    box, work = board.seats[seat], show.work
    return Player(
        number=seat + 1,
        name=box.name,
        cards=box.cards,
        laid=box.laid,
        note=box.note,
        known="" if box.is_me else show.game.held(box.known),
        is_turn=box.is_turn,
        is_me=box.is_me,
        is_away=box.is_away,
        is_awaited=seat in board.awaited,
        is_working=work is not None and seat in work.owed and seat not in work.contributed,
        has_worked=work is not None and seat in work.contributed,
    )


def _question(
    show: Presenter, view: View[Any], actions: Sequence[Action], left: float | None
) -> tuple[str, ...]:
    """What the game asks, without the hand, which is in sight anyway, and without how it would be typed."""
    if not actions:
        return ()
    lines = show.game.asked(view, tuple(actions), left)
    hand = show.hand_line(view)
    found = tuple(line for line in lines if line != hand and not line.startswith("  "))
    if not found and show.is_racing:
        text = _("Everybody plays at once: type numbers of cards, or how their names begin, and Enter.")
        return (text,)
    return found
