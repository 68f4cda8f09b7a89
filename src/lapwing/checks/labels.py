"""What must hold of labels: class indices, signs, and their text form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from lapwing.checks.integers import flat, is_whole, many_indices, one_index
from lapwing.checks.parameters import plain_text
from lapwing.errors import InputError
from lapwing.types import UNKNOWN, Nodes

MOST_CLASSES = 2**16
"""Where classes may appear, a label of this size or more is a mistake, not a class."""


def one_label(label: Any, n_classes: int | None = None) -> int:
    """Return a class index as an int: at least 0, and below `n_classes` if that is given.

    Examples
    --------
    >>> one_label(1, 2)
    1
    >>> one_label(2, 2)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: a label must be an integer from 0 to 1, got 2
    """
    most = MOST_CLASSES if n_classes is None else n_classes
    if type(label) is int and 0 <= label < most:
        return label
    return one_index(label, most, lambda value: _no_label(value, n_classes))


def many_labels(
    labels: Any, n_classes: int | None = None, *, length: int | None = None, unknown: bool = False
) -> Nodes:
    """Return `length` class indices as an array; with `unknown`, -1 means no label.

    Examples
    --------
    >>> many_labels([0, 1], 2)
    array([0, 1])
    >>> many_labels([0, -5])
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: a label must be an integer of at least 0, got -5
    """
    least, most = UNKNOWN if unknown else 0, MOST_CLASSES if n_classes is None else n_classes
    return many_indices(
        "labels",
        labels,
        most,
        lambda value: _no_label(value, n_classes),
        start=least,
        length=length,
    )


def one_sign(label: Any) -> int:
    """Return a binary label as an int, -1 or +1.

    Examples
    --------
    >>> one_sign(-1)
    -1
    >>> one_sign(0)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: a binary label must be -1 or +1, got 0
    """
    if not is_whole(label) or label not in (-1, 1):
        raise InputError(f"a binary label must be -1 or +1, got {label!r}")
    return int(label)


def many_signs(labels: Any, *, length: int | None = None) -> Nodes:
    """Binary labels as an array, each -1 or +1, `length` of them.

    Examples
    --------
    >>> many_signs([1, -1])
    array([ 1, -1])
    >>> many_signs([1, 0])
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: a binary label must be -1 or +1, got 0
    """
    given = flat("labels", labels, length)
    if given.size == 0:
        return np.empty(0, dtype=np.intp)
    if given.dtype.kind not in "iu" or (np.abs(given) != 1).any():
        for label in given.tolist():
            one_sign(label)
    return given.astype(np.intp)


def label_text(label: Any) -> str:
    """Return a label as text: text as it is, an integer as its digits.

    Anything else is refused, as is text that is empty, has spaces around it or holds a control
    character: two labels that look alike are then one class (letters are composed, NFC).

    Examples
    --------
    >>> label_text("red"), label_text(1), label_text("1")
    ('red', '1', '1')
    >>> label_text(" red")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: a label must have no spaces around it, got ' red'
    """
    if is_whole(label):
        return str(int(label))
    if not isinstance(label, str):
        raise InputError(f"a label must be text or an integer, got {label!r}")
    return plain_text("a label", label)


def class_names(classes: Iterable[Any]) -> list[str]:
    """Return the names of classes as text; raise if two are the same.

    Examples
    --------
    >>> class_names(["red", 1])
    ['red', '1']
    >>> class_names(["1", 1])
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: classes must be distinct, got 1, 1
    """
    names = [label_text(label) for label in classes]
    if len(set(names)) < len(names):
        raise InputError(f"classes must be distinct, got {', '.join(names)}")
    return names


def _no_label(label: Any, n_classes: int | None) -> InputError:
    limits = "of at least 0" if n_classes is None else f"from 0 to {n_classes - 1}"
    if n_classes is None and is_whole(label) and label >= MOST_CLASSES:
        limits = f"below {MOST_CLASSES}"
    return InputError(f"a label must be an integer {limits}, got {label!r}")
