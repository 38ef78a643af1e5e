"""What can go wrong, as one sentence, the next step, and the exit code. ``cli.main`` alone prints it."""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from typing import Final

from .language import N_, said, said_of
from .program import call, call_here
from .translation import gettext as _

FINE: Final = 0
BAD: Final = 1
"""The thing that was checked is bad: a damaged file, a failed scenario, a failed check of ``doctor``."""
USAGE: Final = 2
NETWORK: Final = 3
CHEATED: Final = 4
HARDWARE: Final = 5
STORAGE: Final = 6
"""The disk or the store, or too little memory."""
BUG: Final = 70
"""EX_SOFTWARE of sysexits.h: nothing that was foreseen."""
INTERRUPTED: Final = 130


class Failure(Exception):
    """An expected failure. ``hint`` is the next step; ``code`` the exit code."""

    def __init__(self, message: str, hint: str = "", code: int = USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


class Interrupted(Failure):
    """The player stopped with Ctrl-C, or the terminal went away. ``message`` says what becomes of the
    game."""

    def __init__(self, message: str = "", hint: str = "") -> None:
        super().__init__(message or _("Stopped."), hint, INTERRUPTED)


@dataclass(frozen=True, slots=True)
class _Kind:
    code: int
    hint: str = ""
    command: str = ""
    """What the ``{command}`` of the hint is, where it leads into the player's own folder."""


# By name, so that printing an error imports nothing. A test checks that every name exists.
_KNOWN: Final[dict[str, _Kind]] = {
    "engine.registry.UnknownGame": _Kind(USAGE, N_("{shoal} rules lists the games.")),
    "engine.bots.UnknownBot": _Kind(USAGE),
    "engine.cards.InvalidCard": _Kind(USAGE),
    "engine.contract.BadOption": _Kind(USAGE, N_("{shoal} rules GAME lists the options.")),
    "engine.toml.DataError": _Kind(BAD),
    "hardware.emulators.base.Unreadable": _Kind(USAGE),
    "hardware.emulators.script.BadScript": _Kind(
        USAGE, N_("{shoal} readers emulate --help shows the commands.")
    ),
    "hardware.io.errors.BadCredentials": _Kind(USAGE),
    "hardware.io.errors.BadPort": _Kind(USAGE, N_("{command} lists the ports."), "readers"),
    "hardware.io.errors.PortError": _Kind(HARDWARE),
    "hardware.pads.BadPads": _Kind(USAGE),
    "hardware.pads.BadRole": _Kind(USAGE),
    "hardware.table_texts.BadTable": _Kind(BAD),
    "hardware.tags.BadTags": _Kind(BAD),
    "p2p.session.setup.SetupError": _Kind(NETWORK),
    "p2p.io.joining.TableClosed": _Kind(
        NETWORK, N_("Ask the host to open a new table, and join again: {command}"), "join"
    ),
    "p2p.io.watching.StrangerRefused": _Kind(
        NETWORK,
        N_("Ask the host for a table with --watchers any, or watch at another player's program: {command}"),
        "watch HOST:PORT",
    ),
    "p2p.log.record.Damaged": _Kind(BAD),
    "p2p.link.known.BadName": _Kind(USAGE),
    "p2p.io.addresses.BadAddress": _Kind(USAGE),
    "p2p.link.errors.OwnIdentity": _Kind(
        NETWORK,
        N_("For a second player on this machine, give it a folder of its own: {shoal} --home FOLDER join …"),
    ),
    "p2p.link.errors.LinkError": _Kind(NETWORK),
    "p2p.io.database.StoreDamaged": _Kind(
        STORAGE, N_("What can be read of it is saved with: {command}"), "resume --rebuild"
    ),
    "p2p.io.database.StoreError": _Kind(STORAGE),
}

MOST_OF_PATH: Final = 200
"""Characters: more than two lines of a terminal hide the sentence that follows."""

_STORAGE_ERRNO: Final = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EROFS,
        errno.EACCES,
        errno.EPERM,
        errno.EIO,
        errno.ENOTDIR,
        errno.ENOENT,
        errno.EISDIR,
        errno.ENAMETOOLONG,
        errno.ELOOP,
        errno.EBUSY,
        errno.EMFILE,
        errno.ENFILE,
        errno.EFBIG,
    }
)


_OF_MEMORY: Final = re.compile(r"can't start new thread|annot allocate memory|failed to map segment")
"""Of threads, of the system, and of a library that does not fit."""


def explain(error: BaseException) -> Failure | None:
    """The failure that ``error`` stands for, or ``None`` where it can only be a bug."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, BaseExceptionGroup):
        found = [failure for each in error.exceptions if (failure := explain(each)) is not None]
        if len(found) == len(error.exceptions):
            return found[0]
    for kind in type(error).__mro__:
        known = _KNOWN.get(f"{kind.__module__}.{kind.__qualname__}")
        if known is not None:
            return Failure(said_of(error), _hint(known), known.code)
    if isinstance(error, OSError) and error.errno in _STORAGE_ERRNO:
        return _storage(error)
    if _lacks_memory(error):
        return Failure(
            _("There is not enough free memory, or the system allows no more threads."),
            _("Close other programs, or raise the limit (ulimit -v, ulimit -u), and try again."),
            STORAGE,
        )
    return None


def _lacks_memory(error: BaseException) -> bool:
    """Whether an error, or one that led to it, says so. Where memory is short any line may fail, also those
    that handle the first failure."""
    left, seen = [error], set[int]()
    while left:
        each = left.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, MemoryError) or (isinstance(each, OSError) and each.errno == errno.ENOMEM):
            return True
        if isinstance(each, RuntimeError | ImportError | OSError) and _OF_MEMORY.search(str(each)):
            return True
        left += each.exceptions if isinstance(each, BaseExceptionGroup) else ()
        left += [cause for cause in (each.__cause__, each.__context__) if cause is not None]
    return False


def _hint(kind: _Kind) -> str:
    if not kind.hint:
        return ""
    return _(kind.hint).format(shoal=call("").strip(), command=call_here(kind.command))


def _storage(error: OSError) -> Failure:
    where = f"{short_path(error.filename)}: " if error.filename else ""
    what = said(error.strerror or type(error).__name__)
    hint = ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = _("Free some space and try again.")
    elif error.errno in (errno.EMFILE, errno.ENFILE):
        hint = _("Close other programs, or raise the limit (ulimit -n), and try again.")
    return Failure(f"{where}{what}.", hint, STORAGE)


def short_path(path: object) -> str:
    """A path as far as it is worth reading; whoever typed a longer one knows how it goes on."""
    text = str(path)
    return text if len(text) <= MOST_OF_PATH else f"{text[:MOST_OF_PATH]}…"
