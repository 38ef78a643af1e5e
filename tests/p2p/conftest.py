"""Groups for whole games."""

import pytest

from p2p.io.sodium import load_group
from p2p.sealed import Group
from p2p.sealed.testgroup import SmallGroup

SMALL = SmallGroup()


@pytest.fixture
def small() -> Group:
    """A quick group, for bulk."""
    return SMALL


@pytest.fixture
def real() -> Group:
    """The group of the real protocol."""
    return load_group()
