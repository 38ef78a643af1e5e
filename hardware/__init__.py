"""Optional devices on a real table: RFID readers that tell which tagged card lies where.

Nothing here yet. `firmware_protocol.md` says what is decided.
"""

__all__: list[str] = []
