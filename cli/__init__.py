"""The program ``shoal``: commands, what people read, and the front ends that draw a game."""

from .errors import Failure
from .main import run

__all__ = ["Failure", "run"]
