"""Values that are needed before the command line can be parsed, since parsing may fail, too."""

from __future__ import annotations

from collections.abc import Sequence


def argument(args: Sequence[str], name: str) -> str:
    """The value of the last option ``name`` among ``args``; empty where there is none."""
    found = ""
    for number, each in enumerate(args):
        if each == "--":
            break
        if each == name:
            found = args[number + 1] if number + 1 < len(args) else ""
        elif each.startswith(f"{name}="):
            found = each.partition("=")[2]
    return found
