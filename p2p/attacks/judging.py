"""How an attack ended: what all honest seats say, and what a stranger finds in their records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from ..sealed import Group
from ..session import Fault, Session
from ..verify import Report
from .base import ATTACKER, Attack, End, Lie, Result, Scene, Twist
from .liar import liar
from .table import LONGEST, AttackedTable

MOST_TRIES: Final = 200
"""Games in which a lie may find its place. The rarest, three cards received at once, has one in some
dozens."""

PATIENCE: Final = 40.0
"""Seconds of the world that the honest seats go on after an attack that stops the game: more than any of
their questions takes, less than the grace time of one who is missing."""


def result(scene: Scene, end: End, *, is_right: bool = True, **found: object) -> Result:
    """A result; ``stopped`` where the end is the one that has to be."""
    stopped = is_right and end is scene.attack.end
    found = {key: value for key, value in found.items() if value is not None}
    return Result(scene.attack.name, scene.game, end, stopped, **found)  # type: ignore[arg-type]  # by name


def judged(table: AttackedTable, step: int | None) -> Result:
    """What the honest seats of a table say, once nothing more happens. ``step`` is where the lie was told."""
    honest = [seat.number for seat in table.honest]
    faults = [fault for seat in honest for fault in table.faults[seat]]
    if faults:
        return _named(table, faults, step)
    reports = [table.verdict(seat) for seat in honest]
    sessions = [table.session(seat) for seat in honest]
    blamed = _one({report.seat for report in reports if report.verdict == "cheated"})
    if table.is_over:
        return _finished(table, reports, sessions, step, blamed)
    awaited = [_missing(session) for session in sessions]
    if any(report.verdict != "sound" for report in reports) or not _all_in(awaited, table.attackers):
        return result(table.scene, End.WORKS, step=step, blamed=blamed, said="the game stands still")
    said = table.cuts[0][2] if table.cuts else ""
    end = End.CUT if table.cuts and table.scene.attack.end is End.CUT else End.AWAITED
    return result(
        table.scene,
        end,
        step=sessions[0].history.step,
        blamed=min(awaited[0]),
        blamed_by_all=True,
        said=said,
        where=_kind(sessions[0]),
    )


def _missing(session: Session) -> frozenset[int]:
    """For whom a seat waits: in place of one that rebuilds its store, those whose answer that one lacks."""
    rebuilding = session.rebuilding
    return frozenset(each for seat in session.awaited for each in rebuilding.get(seat, (seat,)))


def _all_in(awaited: Sequence[frozenset[int]], attackers: frozenset[int]) -> bool:
    return all(seats and seats <= attackers for seats in awaited)


def _named(table: AttackedTable, faults: list[Fault], step: int | None) -> Result:
    """Somebody is blamed: it has to be the attacker, by all, once each, for the same, before they went on."""
    honest = [seat.number for seat in table.honest]
    found = {(fault.seat, fault.step, fault.reason) for fault in faults}
    blamed, at, said = min(found)
    one_each = all(len(table.faults[seat]) == 1 for seat in honest)
    by_all = one_each and len({(seat, where) for seat, where, _ in found}) == 1 and blamed in table.attackers
    reports = [table.verdict(seat) for seat in honest]
    convinced = all(
        (report.verdict, report.seat, report.step, report.finished) == ("cheated", blamed, at, False)
        for report in reports
    )
    attack = table.scene.attack
    went_on = table.watch.last_step > at + attack.reach and not attack.late
    is_right = by_all and convinced and not went_on and not table.cuts
    is_right = (
        is_right and (step is None or at == step) and all(attack.says in reason for *_, reason in found)
    )
    return result(
        table.scene,
        End.NAMED if by_all else End.WORKS,
        is_right=is_right,
        step=at,
        blamed=blamed,
        blamed_by_all=by_all,
        verify_convinced=convinced,
        said=said,
        where=_kind(table.session(honest[0])),
    )


def _kind(session: Session) -> str:
    """What is owed at the step under way."""
    now = session.history.progress.round
    return now.kind if now is not None else ""


def _finished(
    table: AttackedTable,
    reports: Sequence[Report],
    sessions: Sequence[Session],
    step: int | None,
    blamed: int | None,
) -> Result:
    """The game ended for all: in the same way, or else the attack works."""
    attack, heads = table.scene.attack, {session.history.head for session in sessions}
    verdicts = {report.verdict for report in reports}
    if len(heads) != 1 or not all(report.closed for report in reports):
        return result(table.scene, End.WORKS, step=step, said="the game ended in two ways")
    if verdicts == {"cheated"} and blamed in table.attackers:
        return result(
            table.scene,
            End.PROVED,
            step=reports[0].step,
            blamed=blamed,
            verify_convinced=True,
            said=reports[0].reason,
            is_right=attack.says in reports[0].reason,
        )
    if verdicts != {"sound"}:
        return result(table.scene, End.WORKS, step=step, blamed=blamed, said=reports[0].reason)
    gone = [frozenset(table.skips[seat.number]) for seat in table.honest]
    if any(gone):
        certified = [(*report.skipped, *report.left) for report in reports]
        shown = all({seat for _, seat in each} <= table.attackers for each in certified)
        by_all = len(set(gone)) == 1 and gone[0] <= table.attackers
        return result(
            table.scene,
            End.SKIPPED if by_all else End.WORKS,
            step=min(certified[0])[0],
            blamed=min(gone[0], default=None),
            blamed_by_all=by_all,
            verify_convinced=shown,
        )
    if table.cuts:
        ours = all(peer in table.attackers for _, peer, _ in table.cuts)
        return result(table.scene, End.CUT if ours else End.WORKS, step=step, said=table.cuts[0][2])
    return result(table.scene, End.IGNORED, step=step)


def _one(seats: set[int | None]) -> int | None:
    return next(iter(sorted(seat for seat in seats if seat is not None)), None)


# --- ways of playing ----------------------------------------------------------------------------------------


def tell(lies: Sequence[Lie], twist: Twist | None, scene: Scene) -> Result | None:
    """A game with a liar; ``None`` where it could not tell its lies."""
    kind = liar(lies, twist)
    table = AttackedTable(scene, {ATTACKER: kind})
    table.begin()
    teller = kind.teller
    table.run_until(lambda: table.is_over)
    if not teller.is_done:
        return None
    if scene.attack.late and scene.attack.scanner is not None and not table.is_over:
        # With a card twice in play somebody may be left with nothing to ask for: nobody reveals anything
        # then. That is what is trusted at a printed table (docs/attacks.md); another game shows the lie.
        return None
    return finish(table, None if scene.attack.late or not lies else teller.told.steps[-1])


def finish(table: AttackedTable, step: int | None) -> Result:
    """Let what is under way come to its end, and judge."""
    seconds = PATIENCE if table.scene.attack.end in (End.AWAITED, End.NAMED) else LONGEST
    table.run_until(lambda: table.is_over, seconds)
    return judged(table, step)


def lie(
    name: str,
    tries: str,
    source: str,
    games: dict[str, dict[str, str]],
    *lies: Lie,
    says: str = "",
    twist: Twist | None = None,
    end: End = End.NAMED,
    is_late: bool = False,
    seats: int = 3,
    reveal: str = "end",
    scanner: int | None = None,
    since: int = 0,
    reach: int = 0,
    recovery: bool = False,
    leaver: int | None = None,
) -> Attack:
    """An attack that is one false contribution, or several, in the order of ``lies``."""
    play = partial(tell, lies, twist)
    reach = reach if scanner is None else 1
    return Attack(
        name, tries, source, games, play, end, says, seats, reveal, scanner, is_late, reach, since,
        recovery, leaver,
    )  # fmt: skip


def run(attack: Attack, game: str, group: Group) -> Result:
    """Try an attack in one game after another until it is made, and say how that ended."""
    for seed in range(attack.since, attack.since + MOST_TRIES):
        found = attack.play(Scene(attack, game, group, seed))
        if found is not None:
            return found
    return Result(attack.name, game, End.UNTRIED, False)
