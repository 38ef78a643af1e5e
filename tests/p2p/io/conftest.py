"""What the suites of links share."""

from collections.abc import AsyncIterator

import pytest

from p2p.io.tcp import listen
from tests.p2p.io.door import BEN, HOST, Door


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    it = Door()
    it.listener = await listen(
        BEN, HOST, on_link=it.links.put_nowait, on_refused=lambda _, reason: it.refused.put_nowait(reason)
    )
    yield it
    for each in it.made:
        await each.close()
    while not it.links.empty():
        await it.links.get_nowait().close()
    await it.listener.close()
