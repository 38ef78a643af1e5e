"""Verify a game without secrets: a finished one from its file, or one that is going on, step by step."""

from .following import BadFeed, Begun, Due, Ended, Follower, Heard, Undone
from .report import Proof, Report, RulesOf, Step
from .verifier import Cheated, Verifier, verify

__all__ = [
    "BadFeed", "Begun", "Cheated", "Due", "Ended", "Follower", "Heard", "Proof", "Report", "RulesOf",
    "Step", "Undone", "Verifier", "verify",
]  # fmt: skip
