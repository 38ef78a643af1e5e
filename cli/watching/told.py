"""What a verified step tells those who watch, as a session tells its player. Pure."""

from __future__ import annotations

from engine.table import Tick
from p2p.deal import Close, Progress, Reveal
from p2p.session import Contributed, Finished, GameOver, Happened, Left, Skipped, Stage, Telling
from p2p.verify import Step


def told_of(step: Step) -> list[Telling]:
    """What happened in a step, and what begins after it."""
    before, after = step.before, step.after
    in_race = isinstance(before.task, Tick)
    told: list[Telling] = [] if in_race else [Contributed(seat, step.kind) for seat in step.signed]
    left = tuple(sorted(after.gone - before.gone))
    if left:
        told.append(Left(left, tuple(seat for seat in left if seat in step.signed)))
    elif step.absent:
        told.append(Skipped(step.absent))
    if step.events or not in_race:
        told.append(
            Happened(step.events, tuple((seat, step.kind) for seat in step.signed if seat not in left))
        )
    return told + begins(after, step.number + 1, before)


def begins(progress: Progress, number: int, before: Progress | None = None) -> list[Telling]:
    """What is told where the step of this number begins, after ``before``."""
    if progress.task is None:
        is_new = before is not None and before.outcome is None and progress.outcome is not None
        over = [GameOver(progress.outcome, closed=True)] if is_new and progress.outcome is not None else []
        return [*over, Finished()]
    told: list[Telling] = []
    if not isinstance(progress.task, Tick):
        rounds = progress.dealing.rounds(progress.task, progress.position)
        kind = rounds[progress.number].kind
        told.append(Stage(number, kind, progress.owed, progress.number, len(rounds)))
    was = None if before is None else before.task
    is_new = type(progress.task) is not type(was)
    if isinstance(progress.task, Close | Reveal) and progress.outcome is not None and is_new:
        told.append(GameOver(progress.outcome, isinstance(progress.task, Reveal)))
    return told
