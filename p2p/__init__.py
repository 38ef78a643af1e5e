"""Card games of the Go Fish family between peers: proofs, dealing, transcript, sessions, and their shells."""
