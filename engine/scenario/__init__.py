"""Scenario files: positions as text, what is done in them, and what must be true then (docs/scenarios.md)."""

from .file import Expect, Play, Scenario, read_scenarios
from .run import Problem, ScenarioReport, run_file, run_scenario

__all__ = [
    "Expect",
    "Play",
    "Problem",
    "Scenario",
    "ScenarioReport",
    "read_scenarios",
    "run_file",
    "run_scenario",
]
