"""What can be wrong with a message, one way for each side."""

from __future__ import annotations


class ProtocolError(Exception):
    """A message is not one of the protocol; the text says in what respect."""


class MalformedMessage(ProtocolError):
    """What the other side sent is not a message: it is dropped, counted, and never guessed at."""


class InvalidMessage(ProtocolError, ValueError):
    """A message of our own cannot be sent as it is: a value lies outside its field."""
