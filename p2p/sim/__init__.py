"""Whole tables on a network, disks and clocks that are simulated, with faults of all kinds from one seed."""

from .checks import Broken, Checks
from .plan import Plan, make_plan
from .world import World

__all__ = ["Broken", "Checks", "Plan", "World", "make_plan"]
