"""The lobby: what ``shoal`` alone shows.

Tables on the network, games that wait, a table of one's own, settings and rules; what is chosen runs as the
command that it is, and then the lobby is there again.
"""

from .run import run_lobby

__all__ = ["run_lobby"]
