"""Optional devices on a real table: RFID readers that tell which tagged card lies where.

`readers` understands what readers send, `presence` makes clean events of it, `tags` knows which tag is which
card, and `protocol` is our own protocol. All of these are pure; `io` has the ports and files.
`docs/readers.md` and `firmware_protocol.md` describe them.
"""

__all__: list[str] = []
