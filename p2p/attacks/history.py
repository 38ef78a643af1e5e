"""Two stories, frames of other steps, seats and games, and contributions that stand nowhere."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

import msgspec

from engine.table import Choose, Coin, Disclose, Tick

from ..deal import Close, Secrets, Setup, Task
from ..log.absence import SKIP, sign_statement
from ..log.codec import encode, pack
from ..log.entry import Entry
from ..log.wire import MAX_FRAME, EntryFrame, decode_message, encode_message, frame_of, frame_of_statement
from ..session import Effect, Send, Timer
from ..session.jobs import ContributeJob
from .answers import FISH, GO_FISH, LITTLE, ONE_FISH
from .base import ATTACKER, Attack, End, Lie, Result, Scene, Twist
from .bending import OFTEN, Bent, Forker, Sender, bent, kind_of
from .dealing import ALL, COINED
from .judging import finish, lie
from .laying import CASINO, DEALER
from .liar import TRUTH, at
from .table import AttackedTable
from .timing import ONLY_SALMON, during

CHOICES: Final = {GO_FISH: LITTLE, ONE_FISH: FISH, CASINO: DEALER}

# --- two stories --------------------------------------------------------------------------------------------


def _second(job: ContributeJob, **other: Any) -> bytes:
    again = replace(job, place=replace(job.place), fresh=bytes(range(32)), **other)
    body: bytes = again.run()[0]
    return body


def _other_coin(session: Any, job: ContributeJob) -> bytes:
    return _second(job, secrets=Secrets(bytes(32), session.history.progress.dealing.group.order))


def _other_choice(session: Any, job: ContributeJob) -> bytes | None:
    """Another decision that would be as legal."""
    progress, hand = job.progress, session._own_hand(job.progress)  # noqa: SLF001  # its own
    actions = progress.position.choices(session.seat, hand)
    deeds = [progress.position.deed(session.seat, hand, action) for action in actions]
    others = [deed for deed in deeds if deed not in job.deeds[:1]]
    return _second(job, deeds=(others[0],)) if others and job.deeds else None


def _other_ending(session: Any, job: ContributeJob) -> bytes:
    scores = [0] * job.progress.position.seats
    scores[ATTACKER] = 9
    return pack([encode(("all-books", tuple(scores), (ATTACKER,)))])


FORKS: Final = (
    bent(
        "fork-keys",
        "Sends one key to one seat and another to the next.",
        "CHEATS 30",
        ALL,
        Forker,
        End.NAMED,
        "signed two different",
        reach=2,
        wanted=during(Setup),
        second=lambda _session, job: _second(job),
    ),
    bent(
        "fork-coin",
        "Commits to one number before one seat and to another before the next.",
        "CHEATS 30",
        COINED,
        Forker,
        End.NAMED,
        "signed two different",
        reach=2,
        wanted=during(Coin, 0),
        second=_other_coin,
    ),
    bent(
        "fork-decision",
        "Tells one seat that it decided this, and another seat that.",
        "CHEATS 30",
        CHOICES,
        Forker,
        End.NAMED,
        "signed two different",
        wanted=during(Choose),
        reach=2,
        second=_other_choice,
    ),
    bent(
        "two-endings",
        "Signs the true outcome for one seat, and for another one that it has won.",
        "CHEATS 30, 40",
        ALL,
        Forker,
        End.NAMED,
        "signed",
        wanted=during(Close),
        reach=2,
        second=_other_ending,
    ),
)

# --- contributions that stand nowhere -----------------------------------------------------------------------


def _is_waiting(session: Bent) -> bool:
    """Whether others are busy, and the game is under way."""
    progress = session.history.progress
    return session.history.step > 6 and bool(progress.owed) and session.seat not in progress.owed


def _out_of_turn(session: Bent) -> list[bytes] | None:
    if not _is_waiting(session):
        return None
    return [session.frame(session.history.step, session.seat, pack([b"x"]))]


def _to_the_past(session: Bent) -> list[bytes] | None:
    """To a step that another seat alone owed, some steps ago."""
    steps = session.history.steps
    past = [n for n, entries in enumerate(steps[:-2]) if session.seat not in {e.seat for e in entries}]
    return [session.frame(past[-1], session.seat, pack([b"x"]))] if past and len(steps) > 8 else None


def _again_otherwise(session: Bent) -> list[bytes] | None:
    """Another body for a contribution of its own, some steps ago."""
    own = [e for entries in session.history.steps[:-2] for e in entries if e.seat == session.seat]
    if len(own) < 3:
        return None
    return [session.frame(own[-1].step, session.seat, own[-1].body + b"\0")]


def _as_another(session: Bent) -> list[bytes] | None:
    """Under the number of a seat that owes the step, with its own signature."""
    if not _is_waiting(session):
        return None
    history = session.history
    return [session.frame(history.step, seat, pack([b"x"])) for seat in history.progress.owed[:1]]


def _others(session: Bent) -> list[Entry]:
    steps = session.history.steps
    return [e for entries in steps[3:] for e in entries if e.seat != session.seat] if len(steps) > 8 else []


def _moved(session: Bent) -> list[bytes] | None:
    """A true contribution of another seat, as one to another step."""
    found = _others(session)
    if not found:
        return None
    step, head = found[0].step + 1, session.history.heads[found[0].step + 1]
    moved = msgspec.structs.replace(found[0], step=step)
    return [encode_message(frame_of(moved, head))]


def _changed(session: Bent) -> list[bytes] | None:
    """A true contribution of another seat with another body."""
    found = _others(session)
    if not found:
        return None
    changed = msgspec.structs.replace(found[0], body=found[0].body + b"\0")
    return [encode_message(frame_of(changed, session.history.heads[changed.step]))]


def _other_epoch(session: Bent) -> list[bytes] | None:
    """A contribution to an epoch that there is not."""
    if not _is_waiting(session):
        return None
    return [session.frame(session.history.step, session.seat, pack([b"x"]), session.history.epoch + 1)]


def _false_hint(session: Bent) -> list[bytes] | None:
    """Hints of a history that there is not, for the step under way: the others must not lose the true one."""
    if not _is_waiting(session):
        return None
    history = session.history
    return [
        encode_message(EntryFrame(history.epoch, history.step, bytes([n]) * 8, seat, b"", bytes(64)))
        for n in range(20)
        for seat in range(len(session.charter.seats))
    ]


def _ahead(session: Bent) -> list[bytes] | None:
    """Frames for steps to come, which nobody can check yet, under another's number."""
    if session.history.step < 6:
        return None
    history = session.history
    return [
        encode_message(EntryFrame(history.epoch, step, bytes(8), 0, bytes(5000), bytes(64)))
        for step in range(history.step + 2, history.step + 200)
    ]


SENT: Final = (
    bent(
        "out-of-turn",
        "Contributes to a step in which it owes nothing.",
        "CHEATS 31",
        ALL,
        Sender,
        End.NAMED,
        "nothing is owed",
        make=_out_of_turn,
    ),
    bent(
        "into-the-past",
        "Contributes to a step that is over and was another's.",
        "CHEATS 31, PP-09",
        ALL,
        Sender,
        End.NAMED,
        "nothing is owed",
        late=True,
        make=_to_the_past,
    ),
    bent(
        "re-signed-history",
        "Signs another version of what it did some steps ago.",
        "CHEATS 30, 40",
        ALL,
        Sender,
        End.NAMED,
        "signed two different",
        late=True,
        make=_again_otherwise,
    ),
    bent(
        "wrong-seat",
        "Contributes under another seat's number.",
        "CHEATS 31",
        ALL,
        Sender,
        End.CUT,
        "without a valid signature",
        make=_as_another,
    ),
    bent(
        "moved-signature",
        "Passes another's contribution on as one to another step.",
        "CHEATS 14, 31",
        ALL,
        Sender,
        End.CUT,
        make=_moved,
    ),
    bent(
        "changed-body",
        "Passes another's contribution on with another body.",
        "CHEATS 31",
        ALL,
        Sender,
        End.CUT,
        make=_changed,
    ),
    bent(
        "other-epoch",
        "Contributes to an epoch that has not begun.",
        "CHEATS 14, 39",
        ALL,
        Sender,
        End.IGNORED,
        make=_other_epoch,
    ),
    bent(
        "false-hint",
        "Floods the others with hints of a history that there is not.",
        "CHEATS 37",
        ALL,
        Sender,
        End.IGNORED,
        make=_false_hint,
    ),
    bent(
        "flood-ahead",
        "Fills the others' memory with contributions to steps to come, in another's name.",
        "CHEATS 37",
        ALL,
        Sender,
        End.IGNORED,
        make=_ahead,
    ),
)

# --- frames that are none -----------------------------------------------------------------------------------


def _once(*frames: bytes) -> Any:
    def make(session: Bent) -> list[bytes] | None:
        return list(frames) if session.history.step > 4 else None

    return make


def _second_form(session: Bent) -> list[bytes] | None:
    """A true contribution of another seat in a longer MessagePack form of the same values."""
    found = _others(session)
    if not found:
        return None
    frame = encode_message(frame_of(found[0], session.history.heads[found[0].step]))
    return [b"\xdc" + bytes([0, frame[0] & 0x0F]) + frame[1:]]


def _no_seat(session: Bent) -> list[bytes] | None:
    if session.history.step < 5:
        return None
    history = session.history
    return [encode_message(EntryFrame(history.epoch, history.step, history.head[:8], 5, b"", bytes(64)))]


FRAMES: Final = tuple(
    bent(f"frame-{name}", tries, source, ALL, Sender, End.CUT, make=make)
    for name, tries, source, make in (
        ("garbage", "Sends bytes that are no message.", "CHEATS 37", _once(b"\xff" * 40)),
        ("empty", "Sends an empty frame.", "CHEATS 37", _once(b"")),
        ("deep", "Sends a message that is nested a thousand times.", "CHEATS 37", _once(b"\x91" * 1000)),
        ("huge", "Sends a frame that is longer than any may be.", "CHEATS 37", _once(bytes(MAX_FRAME + 1))),
        ("second-form", "Sends a true message in another encoding.", "CHEATS 9, 37", _second_form),
        ("no-seat", "Speaks for a seat that is not there.", "CHEATS 31", _no_seat),
    )
)

# --- again, and in another order ----------------------------------------------------------------------------


class Replayer(Bent):
    """Sends everything that it has sent and heard again, now and then, to all."""

    often = 12

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._heard: list[bytes] = []
        self._count = 0

    def receive(self, now: float, peer: int, data: bytes) -> list[Effect]:
        """See ``Bent``."""
        self._heard.append(data)
        return super().receive(now, peer, data)

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        self._count += 1
        entries = [effect.data for effect in effects if isinstance(effect, Send)]
        self._heard += [data for data in entries if isinstance(decode_message(data), EntryFrame)]
        if self._count % self.often or not self._heard:
            return effects
        self.told = self.history.step
        again = [data for data in self._heard[-40:] if isinstance(decode_message(data), EntryFrame)]
        return [*effects, *(Send(None, data) for data in again)]


class Reorderer(Bent):
    """Keeps what it has to send for a moment, and sends the last of it first."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._kept: list[Effect] = []
        self._since = 0.0

    def bend(self, now: float, effects: list[Effect]) -> list[Effect]:
        """See ``Bent``."""
        sends = [effect for effect in effects if isinstance(effect, Send)]
        rest = [effect for effect in effects if not isinstance(effect, Send)]
        self._since = self._since if self._kept else now
        self._kept += sends
        if now < self._since + OFTEN:
            return [*rest, Timer(OFTEN)]
        kept, self._kept = self._kept[::-1], []
        if len(kept) > 1:
            self.told = self.history.step
        return [*rest, *kept]


def _through(kind: type[Bent], scene: Scene) -> Result | None:
    """A game to its end."""
    table = AttackedTable(scene, {ATTACKER: kind_of(kind)})
    table.begin()
    table.run_until(lambda: table.is_over)
    session = table.session(ATTACKER)
    assert isinstance(session, Bent)
    return None if session.told is None else finish(table, None)


def _rematch(scene: Scene) -> Result | None:
    """The same players, options and secrets once more, with other nonces: what was signed in the first game
    is sent again by the attacker."""
    first = AttackedTable(scene, {})
    first.begin()
    first.run_until(lambda: first.is_over)
    old = first.session(0).history

    def make(session: Bent) -> list[bytes] | None:
        step = session.history.step
        if step < 5:
            return None
        hint = session.history.heads
        entries = [e for entries in old.steps[: step + 1] for e in entries if e.epoch == 0]
        return [encode_message(frame_of(e, hint[e.step])) for e in entries if e.seat != session.seat]

    table = AttackedTable(scene, {ATTACKER: kind_of(Sender, make=make)})
    nonces = tuple(bytes([byte ^ 1 for byte in nonce]) for nonce in table.charter.nonces)
    table.charter = msgspec.structs.replace(table.charter, nonces=nonces)
    table.begin()
    table.run_until(lambda: table.is_over)
    session = table.session(ATTACKER)
    assert isinstance(session, Bent)
    if session.told is None or table.charter.table_id == first.charter.table_id:
        return None
    return finish(table, None)


AGAIN: Final = (
    Attack(
        "replay",
        "Sends all that was said again, in the middle of the game.",
        "CHEATS 14, 31, PP-09",
        ALL,
        partial(_through, Replayer),
        End.IGNORED,
    ),
    Attack(
        "reorder",
        "Sends what it has to send in another order.",
        "CHEATS 31",
        ALL,
        partial(_through, Reorderer),
        End.IGNORED,
    ),
    Attack(
        "rematch-replay",
        "Sends the contributions of the last game in a rematch with the same options.",
        "CHEATS 14",
        ALL,
        _rematch,
        End.CUT,
    ),
)

# --- statements about absence -------------------------------------------------------------------------------


def _statements(session: Bent, author: int, *haves: bool) -> list[bytes] | None:
    """About what the last seat has given in a tick some steps ago, which everybody has heard of."""
    history, last, step = session.history, len(session.charter.seats) - 1, session.history.step - 3
    if not isinstance(history.progress.task, Tick) or step < 15:
        return None
    if last not in {entry.seat for entry in history.steps[step]}:
        return None
    about, head = (history.epochs[step], step, last), history.heads[step]
    identity = session._identity  # noqa: SLF001  # its own
    said = [sign_statement(identity, history.table_id, head, about, SKIP, author, have) for have in haves]
    return [encode_message(frame_of_statement(each, head)) for each in said]


ABSENCE: Final = (
    bent(
        "absence-contradiction",
        "States that another's contribution is here, and that it is not.",
        "CHEATS 30, 33",
        ONLY_SALMON,
        Sender,
        End.NAMED,
        "two different statements",
        late=True,
        make=lambda session: _statements(session, ATTACKER, True, False),
    ),
    bent(
        "absence-forged",
        "States in another's name that a third seat is missing.",
        "CHEATS 31, 33",
        ONLY_SALMON,
        Sender,
        End.CUT,
        make=lambda session: _statements(session, 0, False),
    ),
)

# --- the number of rounds -----------------------------------------------------------------------------------


def _answers(giver: Any, task: Task, number: int, deed: Any) -> bytes | None:
    """In a game of two an answer "none" and the share of the card drawn are one contribution."""
    is_answer = isinstance(task, Disclose) and task.seat != giver.position.state.turn
    return TRUTH if is_answer and not deed.groups and giver.position.table.size("stock") else None


def _rounds(name: str, tries: str, twist: Twist, says: str) -> Attack:
    return lie(
        f"rounds-{name}",
        tries,
        "CHEATS 21, PP-09",
        {GO_FISH: LITTLE},
        _answers,
        twist=twist,
        says=says,
        seats=2,
    )


ROUNDS: Final = (
    _rounds(
        "too-few",
        "Answers, and leaves out the share that it owes along with it.",
        lambda b: b[:-1],
        "fewer rounds",
    ),
    _rounds("too-many", "Makes one round of its contribution twice.", lambda b: [*b, b[-1]], "more rounds"),
    _rounds("reordered", "Makes its rounds in another order.", lambda b: b[::-1], ""),
    _rounds("empty", "Leaves one of its rounds empty.", lambda b: [*b[:-1], b""], ""),
    lie(
        "rounds-twice",
        "Commits to two numbers where every seat owes one.",
        "CHEATS 21",
        COINED,
        at(Coin, lambda giver, task, deed, body: TRUTH),
        twist=lambda bodies: bodies * 2,
        says="more rounds",
    ),
)

# --- wishes -------------------------------------------------------------------------------------------------


def _wish(phase_fits: Any) -> Lie:
    """A wish to lay the hand open in a decision of another kind."""

    def change(giver: Any, task: Choose, deed: Any, body: bytes) -> bytes | None:
        if not phase_fits(giver, task):
            return None
        parts = [
            encode(msgspec.structs.replace(deed, verb="expose", target=-1, value="", groups=(), shown=())),
            b"",
        ]
        return pack(parts)

    return at(Choose, change)


WISHES: Final = (
    lie(
        "wish-out-of-time",
        "Lays its hand open in the middle of a turn, when only a decision is owed.",
        "RULES 4.3, CHEATS 31",
        {CASINO: {**DEALER, "dealer": "1"}},
        _wish(lambda giver, task: not task.wish and giver.position.state.dealer != giver.place.seat),
        says="rules refuse",
    ),
    lie(
        "wish-of-the-dealer",
        "Lays its hand open as the Dealer, who may not.",
        "RULES 4.3",
        {CASINO: DEALER},
        _wish(lambda giver, task: giver.position.state.dealer == giver.place.seat),
        says="rules refuse",
    ),
)

ATTACKS: Final[tuple[Attack, ...]] = (*FORKS, *SENT, *FRAMES, *AGAIN, *ABSENCE, *ROUNDS, *WISHES)
