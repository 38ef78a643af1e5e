"""Old Maid, a game for Shoal."""
