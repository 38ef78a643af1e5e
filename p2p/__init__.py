"""Card games of the Go Fish family between peers: proofs, dealing, transcript, sessions, and their shells."""

__all__: list[str] = []
