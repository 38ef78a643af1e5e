"""What the suites of readers on real wires share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .broker import Mosquitto, mosquitto


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path, "allow_anonymous true") as running:
        yield running
