"""Watching a game: what a spectator is shown of it, and where games are found that one may watch."""
