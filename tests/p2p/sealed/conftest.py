"""Groups to test on."""

import pytest

from p2p.io.sodium import load_group
from p2p.sealed import Group
from p2p.sealed.ristretto import Ristretto255
from p2p.sealed.testgroup import SmallGroup

SMALL = SmallGroup()
PLAIN = Ristretto255()


@pytest.fixture
def small() -> Group:
    return SMALL


@pytest.fixture
def real() -> Group:
    """The group of the real protocol, by the back end a player would get here."""
    return load_group()


@pytest.fixture(params=["small", "real"])
def group(request: pytest.FixtureRequest) -> Group:
    """Each of the two groups."""
    return SMALL if request.param == "small" else load_group()


@pytest.fixture(params=["libsodium", "plain"])
def ristretto(request: pytest.FixtureRequest) -> Group:
    """Each of the two implementations of the real group."""
    if request.param == "plain":
        return PLAIN
    group = load_group()
    if isinstance(group, Ristretto255):
        pytest.skip("no libsodium can be loaded here")
    return group
