"""What is drawn or told, kept in files that are read when they change."""

from __future__ import annotations

import os
from pathlib import Path


def compare(path: Path, text: str) -> None:
    """The file says the same; with ``SHOAL_SNAPSHOTS=write`` it is written anew."""
    if os.environ.get("SHOAL_SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
