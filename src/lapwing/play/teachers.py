"""What a teacher reveals at the end of a round."""

from __future__ import annotations

from enum import StrEnum

from lapwing.checks import one_of
from lapwing.errors import InputError
from lapwing.learner import BanditLearner, Learner


class Teacher(StrEnum):
    """What is revealed: the label when queried, every label, or whether the guess is right."""

    ON_QUERY = "on-query"
    EVERY_LABEL = "every-label"
    ONE_BIT = "bandit"


def teacher_for(learner: Learner | BanditLearner, wanted: Teacher | str | None) -> Teacher:
    """Return the requested teacher, or the learner's default; raise if they do not match.

    Examples
    --------
    >>> import lapwing, numpy as np
    >>> teacher_for(lapwing.make("ollgc", np.eye(3)), None)
    <Teacher.ON_QUERY: 'on-query'>
    """
    bandit = isinstance(learner, BanditLearner)
    if wanted is None:
        return Teacher.ONE_BIT if bandit else Teacher.ON_QUERY
    one_of("teacher", wanted, list(Teacher))
    teacher = Teacher(wanted)
    if bandit != (teacher is Teacher.ONE_BIT):
        kind = "a bandit learner" if bandit else "a learner of labels"
        raise InputError(f"{kind} cannot be taught {teacher}")
    return teacher
