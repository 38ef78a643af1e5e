"""ristretto255 by libsodium, through a ctypes layer that checks every return code.

The system's libsodium is taken where there is one (Linux and macOS), else the copy inside the ``rbcl`` wheel,
else plain Python (``p2p.sealed.ristretto``). All three give the same bytes. ctypes releases the interpreter
lock during each call, so proofs may run in threads; no buffer outlives a call.
"""

from __future__ import annotations

import atexit
import ctypes
import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, lru_cache
from typing import Final, NamedTuple

from ..sealed import Group, Malformed, Point
from ..sealed.hashing import WIDE, expand_message
from ..sealed.ristretto import BASE, FIELD, IDENTITY, NAME, ORDER, POINT_SIZE, SEPARATION, Ristretto255

_SYSTEM_NAMES = {
    # By full name: looking a library up starts compilers and takes a second. 23 is 1.0.18 and 1.0.19, 26 what
    # came after.
    "linux": ("libsodium.so.26", "libsodium.so.23"),
    "darwin": (
        "/opt/homebrew/lib/libsodium.dylib",
        "/usr/local/lib/libsodium.dylib",
        "/opt/local/lib/libsodium.dylib",
    ),
}
_FUNCTIONS = {
    # name after "crypto_": number of pointer arguments
    "core_ristretto255_is_valid_point": 1,
    "core_ristretto255_add": 3,
    "core_ristretto255_sub": 3,
    "core_ristretto255_from_hash": 2,
    "scalarmult_ristretto255": 3,
    "scalarmult_ristretto255_base": 2,
}

_WORTH_A_THREAD = 24
"""Terms from which half a sum goes to a second thread: 1 ms of work against 0.1 ms of handing over."""

_Buffer = ctypes.c_char * POINT_SIZE
_Function = Callable[..., int]


class Unusable(Exception):
    """A libsodium that cannot be loaded or lacks ristretto255."""


class SodiumGroup:
    """The group of the real protocol; ``Group`` says what each method does.

    Multiplication by a secret scalar takes constant time. Zero and the identity are handled here, because
    libsodium reports both as errors.
    """

    name: Final = NAME
    order: Final = ORDER
    base: Final = BASE
    identity: Final = IDENTITY
    point_size: Final = POINT_SIZE

    def __init__(self, library: ctypes.CDLL) -> None:
        """Raises ``Unusable``."""
        functions = []
        try:
            if library.sodium_init() < 0:
                raise Unusable("libsodium does not start")
            for name, pointers in _FUNCTIONS.items():
                function = library[f"crypto_{name}"]
                function.restype = ctypes.c_int
                function.argtypes = [ctypes.c_char_p] * pointers
                functions.append(function)
        except AttributeError as error:
            raise Unusable(f"this libsodium lacks a function: {error}") from None
        self._valid, self._add, self._sub, self._from_hash, self._mul, self._mul_base = functions
        if self.sub(self.mul(2, BASE), self.mul_base(1)) != BASE:
            raise Unusable("this libsodium computes something else than ristretto255")
        self._hashed = lru_cache(maxsize=4096)(self._hash_to_group)

    def decode(self, data: bytes, *, allow_identity: bool = False) -> Point:
        """See ``Group.decode``."""
        point = bytes(data)
        # libsodium up to 1.0.18 overlooks the highest bit: without this a point would have two encodings.
        canonical = len(point) == POINT_SIZE and int.from_bytes(point, "little") < FIELD
        if not canonical or self._valid(point) != 1:
            raise Malformed("not the encoding of a point of ristretto255")
        if point == IDENTITY and not allow_identity:
            raise Malformed("the identity is refused here")
        return point

    def add(self, p: Point, q: Point) -> Point:
        """See ``Group.add``."""
        return self._call(self._add, p, q)

    def sub(self, p: Point, q: Point) -> Point:
        """See ``Group.sub``."""
        return self._call(self._sub, p, q)

    def mul(self, k: int, p: Point) -> Point:
        """See ``Group.mul``."""
        k %= ORDER
        if not k or p == IDENTITY:
            return IDENTITY
        return self._call(self._mul, k.to_bytes(32, "little"), p)

    def mul_base(self, k: int) -> Point:
        """See ``Group.mul_base``."""
        k %= ORDER
        return self._call(self._mul_base, k.to_bytes(32, "little")) if k else IDENTITY

    def sum(self, points: Sequence[Point]) -> Point:
        """See ``Group.sum``."""
        total, add = _Buffer(), self._add
        for point in points:
            if add(total, total, point):
                raise _failed()
        return total.raw

    def multi_mul(self, scalars: Sequence[int], points: Sequence[Point]) -> Point:
        """See ``Group.multi_mul``. Equal points are multiplied once: a deck in the clear repeats its own."""
        merged: dict[Point, int] = {}
        for k, point in zip(scalars, points, strict=True):
            merged[point] = merged.get(point, 0) + k
        terms = list(merged.items())
        if len(terms) < _WORTH_A_THREAD:
            return self._multi_mul(terms)
        # Both threads take from one list until it is empty: a busy core delays nothing but its last term.
        other = _second_core().submit(self._multi_mul, terms)
        total = self._multi_mul(terms)
        return total if other.cancel() else self.add(total, other.result())

    def _multi_mul(self, terms: list[tuple[Point, int]]) -> Point:
        """The sum of the terms that this thread takes off the list."""
        total, term = _Buffer(), _Buffer()
        add, mul, mul_base = self._add, self._mul, self._mul_base
        first = True
        while terms:
            try:
                point, scalar = terms.pop()
            except IndexError:  # the other thread was faster
                break
            k = scalar % ORDER
            if not k or point == IDENTITY:
                continue
            into, encoded = total if first else term, k.to_bytes(32, "little")
            if mul_base(into, encoded) if point == BASE else mul(into, encoded, point):
                raise _failed()
            if not first and add(total, total, term):
                raise _failed()
            first = False
        return total.raw

    def hash_to_group(self, label: bytes) -> Point:
        """See ``Group.hash_to_group``: hash_to_ristretto255 of RFC 9380, appendix B."""
        return self._hashed(label)

    def _hash_to_group(self, label: bytes) -> Point:
        return self.from_uniform(expand_message(label, SEPARATION, WIDE))

    def from_uniform(self, data: bytes) -> Point:
        """The one-way map from 64 uniform bytes (RFC 9496, section 4.3.4)."""
        if len(data) != WIDE:
            raise ValueError(f"the one-way map takes {WIDE} bytes")
        return self._call(self._from_hash, data)

    @staticmethod
    def _call(function: _Function, *arguments: bytes) -> Point:
        out = _Buffer()
        if function(out, *arguments):
            raise _failed()
        return out.raw


@cache
def _second_core() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "ristretto255")


def _failed() -> RuntimeError:
    return RuntimeError("libsodium refused a point that was never decoded")


class Backend(NamedTuple):
    """A loaded group and where it came from, in words for the player."""

    group: Group
    source: str


def load_group() -> Group:
    """ristretto255 by the best means there is; the same object each time."""
    return load_backend().group


@cache
def load_backend() -> Backend:
    """``load_group`` with the place the library came from."""
    for source, library in _libraries():
        with suppress(Unusable):
            return Backend(SodiumGroup(library), source)
    return Backend(Ristretto255(), "plain Python: no libsodium could be loaded, and proofs take seconds")


def _libraries() -> Iterator[tuple[str, ctypes.CDLL]]:
    for name in _SYSTEM_NAMES.get(sys.platform, ()):
        with suppress(OSError):
            yield f"system libsodium ({name})", ctypes.CDLL(name)
    with suppress(ImportError, OSError):
        yield "libsodium of the rbcl package", _bundled()


def _bundled() -> ctypes.CDLL:
    """The library that rbcl writes to a temporary file when imported, and leaves there."""
    module = importlib.import_module("rbcl._sodium")
    library: ctypes.CDLL = module._sodium  # noqa: SLF001  # the package offers no other way to its library
    _remove(module.lib_path, library)
    return library


def _remove(path: str, library: ctypes.CDLL) -> None:
    try:
        os.unlink(path)
    except PermissionError:  # Windows keeps the file of a loaded library
        atexit.register(_unload_and_remove, path, library)


def _unload_and_remove(path: str, library: ctypes.CDLL) -> None:
    if sys.platform == "win32":
        import _ctypes  # noqa: PLC0415  # has FreeLibrary on Windows only

        _ctypes.FreeLibrary(library._handle)  # noqa: SLF001  # ctypes has no other way
    with suppress(OSError):
        os.unlink(path)
