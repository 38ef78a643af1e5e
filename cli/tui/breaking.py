"""What breaks a screen while it is on the terminal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any


@contextlib.contextmanager
def telling_what_breaks(tell: Callable[[Exception], None]) -> Iterator[None]:
    """While the block runs, ``tell`` gets what drawing and keys raise: they run in callbacks of the loop,
    whose exceptions nobody else would see, and prompt_toolkit would print them and wait for Enter."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and "handle" in context:
            tell(error)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle)
    try:
        yield
    finally:
        loop.set_exception_handler(before)
