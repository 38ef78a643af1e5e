"""Verify a game without secrets: a finished one from its file, or one that is going on, step by step."""

from .report import Proof, Report, RulesOf, Step
from .verifier import Cheated, Verifier, verify

__all__ = ["Cheated", "Proof", "Report", "RulesOf", "Step", "Verifier", "verify"]
