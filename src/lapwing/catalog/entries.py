"""The entries of the catalog, one tuple per family."""

from __future__ import annotations

from collections.abc import Mapping

from lapwing.catalog.entry import Entry
from lapwing.catalog.families import (
    bandits,
    batch_today,
    gu2013,
    herbster,
    push,
    yang2018,
    ye2017,
)

FAMILIES = (
    gu2013.ENTRIES,
    yang2018.ENTRIES,
    bandits.ENTRIES,
    herbster.ENTRIES,
    batch_today.ENTRIES,
    push.ENTRIES,
    ye2017.ENTRIES,
)
ENTRIES: Mapping[str, Entry] = {entry.name: entry for family in FAMILIES for entry in family}
FORMER_NAMES: Mapping[str, str] = {"auto-batch": "cross-validated"}
"""Old names of entries that are still accepted."""
DEFAULT = "auto"
"""The default learner, which needs no tuning."""
FOR_SESSIONS = "pool"
"""The default learner of labelling sessions, where labels are few."""
