"""The program ``shoal``: commands, what people read, and the front ends that draw a game."""

from .errors import Failure
from .main import main

__all__ = ["Failure", "main"]
