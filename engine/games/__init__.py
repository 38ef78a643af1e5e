"""The games, each found through the entry-point group ``shoal.games``."""
