"""Replaying a recorded game: steps as frames, and what shows them."""

from .control import Controller, NotThere, Place
from .following import Recording, Step, open_recording
from .frames import ALL, PUBLIC, Frame, Replay

__all__ = [
    "ALL", "PUBLIC", "Controller", "Frame", "NotThere", "Place", "Recording", "Replay", "Step",
    "open_recording",
]  # fmt: skip
