"""Who is asking: a person of a team, with a role."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from lapwing.errors import InputError


class Role(IntEnum):
    """What a person may do: each role may do all that the ones before it may."""

    viewer = 1
    annotator = 2
    owner = 3

    @classmethod
    def named(cls, name: str) -> Role:
        """Return the role of that name.

        Examples
        --------
        >>> Role.named("annotator") >= Role.viewer
        True
        >>> Role.named("king")
        Traceback (most recent call last):
            ...
        lapwing.errors.InputError: role must be one of viewer, annotator, owner, got 'king'
        """
        try:
            return cls[name]
        except KeyError:
            known = ", ".join(each.name for each in cls)
            raise InputError(f"role must be one of {known}, got {name!r}") from None


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a team. Graphs and sessions belong to teams; no team sees another's."""

    team: str
    name: str
    role: Role
    token: str = ""

    def may(self, needed: Role) -> bool:
        """Whether this person's role is enough.

        Examples
        --------
        >>> Person("birds", "ada", Role.viewer).may(Role.annotator)
        False
        """
        return self.role >= needed
