"""What was made from a session, kept until the session has changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Note(Generic[T]):
    """Something for one `key`, made from one `version` of a session."""

    what: str
    version: Any
    key: Any
    make: Callable[[], T]


class SessionNotes(dict[str, Any]):
    """Notes on one session; of each kind, those of one version are kept.

    Examples
    --------
    >>> notes = SessionNotes()
    >>> notes.of(Note("sum", 1, "ada", lambda: 3)), notes.of(Note("sum", 1, "ada", lambda: 4))
    (3, 3)
    >>> notes.has(Note("sum", 2, "ada", lambda: 4))
    False
    """

    def has(self, note: Note[T]) -> bool:
        """Whether this was made since the last change."""
        kept = self.get(note.what)
        return kept is not None and kept[0] == note.version and note.key in kept[1]

    def of(self, note: Note[T]) -> T:
        """Return what was made, made now unless it was since the last change."""
        kept: tuple[Any, dict[Any, Any]] | None = self.get(note.what)
        if kept is None or kept[0] != note.version:
            kept = self[note.what] = (note.version, {})
        if note.key not in kept[1]:
            kept[1][note.key] = note.make()
        found: T = kept[1][note.key]
        return found
