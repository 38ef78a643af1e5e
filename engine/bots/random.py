"""Plays any legal action, each as likely as the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..contract import Action, View
from ..rng import Stream


def choose(view: View[Any], legal: Sequence[Action], rng: Stream) -> Action:
    """One of ``legal``."""
    return legal[rng.below(len(legal))]
