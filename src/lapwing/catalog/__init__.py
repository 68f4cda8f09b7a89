"""Every algorithm by name: the one table that commands, tests and screens read."""

from lapwing.catalog.entries import DEFAULT, ENTRIES
from lapwing.catalog.entry import Entry, Kind, Model
from lapwing.catalog.make import make

__all__ = ["DEFAULT", "ENTRIES", "Entry", "Kind", "Model", "make"]
