"""What was computed since a pool last changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Memo(dict[Any, Any]):
    """What was computed since the last change; copies begin with nothing.

    Examples
    --------
    >>> from copy import deepcopy
    >>> memo = Memo()
    >>> memo.made("trust", lambda: 0.5), memo.made("trust", lambda: 0.7), deepcopy(memo)
    (0.5, 0.5, {})
    """

    def made(self, key: object, make: Callable[[], T]) -> T:
        """Return what is made once between two changes."""
        if key not in self:
            self[key] = make()
        found: T = self[key]
        return found

    def __deepcopy__(self, memo: object) -> Memo:
        return Memo()

    def __reduce__(self) -> tuple[type[Memo], tuple[()]]:
        return Memo, ()
