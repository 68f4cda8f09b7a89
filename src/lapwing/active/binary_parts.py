"""The binary learners inside a learner of several classes."""

from __future__ import annotations

from collections.abc import Sequence

from lapwing.errors import InputError
from lapwing.learner import BinaryLearner, Learner


def binary_parts(learner: Learner | BinaryLearner) -> Sequence[BinaryLearner]:
    """A binary learner itself; those that a one-vs-rest learner is made of, one per class."""
    if isinstance(learner, BinaryLearner):
        return [learner]
    inside = getattr(learner, "inner", None)
    if inside is not None:
        return binary_parts(inside)
    parts: Sequence[BinaryLearner] = getattr(learner, "learners", ())
    unnamed = getattr(learner, "unnamed", None)
    if not parts and unnamed is not None:
        return [unnamed]
    if not parts:
        raise InputError(
            "choosing by margin needs a binary learner, or one made of binary learners, "
            f"got {type(learner).__name__}"
        )
    return parts
