"""The table itself: one tuple of entries a family."""

from __future__ import annotations

from collections.abc import Mapping

from lapwing.catalog import adaptive, bandit, online, projections, today
from lapwing.catalog.entry import Entry

FAMILIES = (
    online.ENTRIES,
    adaptive.ENTRIES,
    bandit.ENTRIES,
    projections.ENTRIES,
    today.ENTRIES,
)
ENTRIES: Mapping[str, Entry] = {entry.name: entry for family in FAMILIES for entry in family}
DEFAULT = "mixture"
"""The learner for who does not want to choose: nothing to tune."""
