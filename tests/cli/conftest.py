"""Running commands in this process, with everything kept in a folder of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.language import choose
from cli.main import run


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


Shoal = Callable[..., Ran]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are compared in English, whatever the machine speaks."""
    monkeypatch.setenv("SHOAL_LANG", "en")


@pytest.fixture
def english_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tests choose a language for the whole process; give it back as it was found."""
    for name in ("LANGUAGE", "LANG", "LC_ALL", "LC_MESSAGES", "SHOAL_LANG"):
        monkeypatch.delenv(name, raising=False)
    yield
    choose("en")


@pytest.fixture
def macedonian(english_again: None) -> None:
    choose("mk")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of this test alone."""
    folder = tmp_path / "home"
    monkeypatch.setenv("SHOAL_HOME", str(folder))
    monkeypatch.delenv("SHOAL_NAME", raising=False)
    return folder


@pytest.fixture
def shoal(home: Path, capsys: pytest.CaptureFixture[str]) -> Shoal:
    """Runs one command as the shell would."""

    def call(*args: str) -> Ran:
        capsys.readouterr()
        code = run(list(args))
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return call
