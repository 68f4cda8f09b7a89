"""The table itself: one tuple of entries a family."""

from __future__ import annotations

from collections.abc import Mapping

from lapwing.catalog import adaptive, bandit, batch, online, projections, push, today
from lapwing.catalog.entry import Entry

FAMILIES = (
    online.ENTRIES,
    adaptive.ENTRIES,
    bandit.ENTRIES,
    projections.ENTRIES,
    today.ENTRIES,
    push.ENTRIES,
    batch.ENTRIES,
)
ENTRIES: Mapping[str, Entry] = {entry.name: entry for family in FAMILIES for entry in family}
DEFAULT = "auto"
"""The learner for who does not want to choose: nothing to tune."""
FOR_SESSIONS = "near-far"
"""The learner of labelling sessions, where labels are few and chosen."""
