"""Check what a wheel would put into an environment: the four packages, typed, and nothing else.

    python scripts/wheel_names.py dist/shoal-0.1.0-py3-none-any.whl

Four names as plain as ours overwrite or get overwritten silently, so a fifth one must never slip in.
"""

import sys
import zipfile
from pathlib import PurePosixPath

PACKAGES = ["cli", "engine", "hardware", "p2p"]
MAN = ".data/data/share/man/man1/shoal"


def complaints(names: list[str]) -> list[str]:
    """One sentence for each way in which the file names of a wheel are not as they should be."""
    pages = [name for name in names if PurePosixPath(name).parts[0].endswith(".data")]
    top = sorted({PurePosixPath(name).parts[0] for name in names if name not in pages})
    packages = [name for name in top if not name.endswith(".dist-info")]
    found = [f"{name} is no man page" for name in pages if MAN not in name]
    if packages != PACKAGES:
        found.append(f"top-level names are {packages}, and should be {PACKAGES}")
    if len(top) != len(packages) + 1:
        found.append(f"there should be exactly one .dist-info folder among {top}")
    found += [f"{name}/py.typed is missing" for name in PACKAGES if f"{name}/py.typed" not in names]
    return found


def main(path: str) -> int:
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
    print(*sorted({PurePosixPath(name).parts[0] for name in names}), sep="\n")
    found = complaints(names)
    for sentence in found:
        print(f"{path}: {sentence}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: wheel_names.py WHEEL")
    sys.exit(main(sys.argv[1]))
