"""Contributions that stand nowhere, statements about others, and frames that are none."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from engine.table import Tick

from ..log.absence import SKIP, sign_statement
from ..log.codec import pack
from ..log.entry import Entry
from ..log.wire import MAX_FRAME, EntryFrame, encode_message, frame_of, frame_of_statement
from .base import ATTACKER, Attack, End
from .bending import Bent, Sender, bent
from .games import ALL, ONLY_SALMON

# --- contributions that stand nowhere -----------------------------------------------------------------------


def _out_of_turn(session: Bent) -> list[bytes] | None:
    if not session.is_waiting:
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
    if not session.is_waiting:
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
    if not session.is_waiting:
        return None
    return [session.frame(session.history.step, session.seat, pack([b"x"]), session.history.epoch + 1)]


def _false_hint(session: Bent) -> list[bytes] | None:
    """Hints of a history that there is not, for the step under way: the others must not lose the true one."""
    if not session.is_waiting:
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

ATTACKS: Final[tuple[Attack, ...]] = (*SENT, *FRAMES, *ABSENCE)
