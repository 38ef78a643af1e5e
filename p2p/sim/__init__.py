"""Whole tables on a network, disks and clocks that are simulated, with faults of all kinds from one seed."""

from .checks import Broken, Checks
from .plan import Chance, Plan, make_departure, make_plan, small_pack
from .world import World

__all__ = ["Broken", "Chance", "Checks", "Plan", "World", "make_departure", "make_plan", "small_pack"]
