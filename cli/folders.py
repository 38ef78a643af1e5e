"""Where Shoal keeps its files: the platform's data folder, or the one that ``--home`` or SHOAL_HOME names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import click
import platformdirs

from .errors import STORAGE, Failure
from .language import said
from .options import Settings
from .translation import gettext as _


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of one player on this machine. Asking for one of the sub-folders makes it."""

    data: Path

    @property
    def records(self) -> Path:
        """Where finished games are saved as ``.shoal`` files."""
        return _made(self.data / "records")

    @property
    def bots(self) -> Path:
        """One folder per bot that sits at an unfinished game of this machine."""
        return _made(self.data / "bots")

    @property
    def people(self) -> Path:
        """One folder for each person who has played at this machine's table besides its player."""
        return _made(self.data / "people")

    @property
    def kept(self) -> Path:
        """What the physical tables of unfinished games have to remember, one file for each."""
        return _made(self.data / "kept")

    @property
    def tags(self) -> Path:
        """The tag book: which tag is which card, token or command (``hardware.io.load``)."""
        return self.data / "tags.toml"

    @property
    def table(self) -> Path:
        """The readers of the physical table and the roles of their pads (``hardware.io.load_table``)."""
        return self.data / "table.toml"


def folders(settings: Settings) -> Folders:
    """The folders for this run, made where they are missing. Raises ``Failure``."""
    data = (
        Path(os.path.expanduser(settings.home))
        if settings.home
        else platformdirs.user_data_path("shoal", appauthor=False)
    )
    return Folders(_made(data.absolute()))


def folders_here() -> Folders:
    """The folders for the command that is running."""
    return folders(click.get_current_context().ensure_object(Settings))


def _made(path: Path) -> Path:
    try:
        # 0700: the identity is inside.
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise Failure(
            _("The folder {path} cannot be made: {why}.").format(
                path=path, why=said((error.strerror or type(error).__name__).lower())
            ),
            _("Choose another one with --home FOLDER."),
            STORAGE,
        ) from None
    return path
