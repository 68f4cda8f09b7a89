"""Calls written when `Dialogue` was called `Session` keep working."""

from __future__ import annotations

from typing import Any, Self

from lapwing.deprecation import warn_former
from lapwing.session.log.dialogue import Dialogue


class FormerSession:
    """Accept calls that were written when `Dialogue` was called `Session`.

    ``Session(store, name, graph, make_learner=..., make_strategy=...)`` and ``Session.create``
    return a `Dialogue`, with a warning.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        if "make_learner" in kwargs:
            warn_former("Session(make_learner=...)", "Dialogue")
            former: Any = Dialogue(*args, **kwargs)
            return former  # type: ignore[no-any-return]
        return super().__new__(cls)

    @classmethod
    def create(cls, *args: Any, **kwargs: Any) -> Dialogue:
        """The former name of `Dialogue.create`."""
        warn_former("Session.create", "Dialogue.create")
        return Dialogue.create(*args, **kwargs)
