"""From noisy readings to clean events: which tag was placed where, removed, or tapped. Pure; the clock is an
argument.

A **place** is one antenna of one reader. For each place and tag:

```
            seen (enough)                     hold-off over, or reported gone
  heard ---------------------> present ----------------------------------------> gone
    |  not again in time          |   ^
    +---------> gone              |   | seen again, or the time to settle is over (then: gone)
                                  v   |
                                 unsure      the link is lost, the reader restarted, the antenna is deaf
```

- A tag of the book counts on its first reading; an unknown one needs two equal readings close together,
  because the checksums of simple readers let noise through.
- Silence removes a tag only after the hold-off; a failed round never does.
- A tag is at one place at most. Where two antennas hear it, it stays where it was first, until that antenna
  misses it or hears it much weaker.
- At readers that report a tag once and no departure, a reading is a **tap** and leaves nothing present.
"""

from ..events import (
    Disturbed,
    Event,
    Once,
    Place,
    Placed,
    Refused,
    Removed,
    Settled,
    Tapped,
    Undisturbed,
    Unsure,
)
from .tracker import Tracker

__all__ = [
    "Disturbed",
    "Event",
    "Once",
    "Place",
    "Placed",
    "Refused",
    "Removed",
    "Settled",
    "Tapped",
    "Tracker",
    "Undisturbed",
    "Unsure",
]
