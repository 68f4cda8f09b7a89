"""Validators of arguments, with uniform error messages.

A public method checks its arguments once, here, and then calls unchecked code. Every message says
what must hold and what was given.
"""

from __future__ import annotations

import operator
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import InputError, UnknownNodeError
from lapwing.types import UNKNOWN, Array, Nodes

MOST_CLASSES = 2**16
"""Where classes may appear, a label of this size or more is a mistake, not a class."""


def at_least(name: str, value: float, lowest: float) -> None:
    """Raise if a value is below the lowest allowed.

    Examples
    --------
    >>> at_least("m", 1, 2)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: m must be at least 2, got 1
    """
    if not _number(name, value) >= lowest:
        raise InputError(f"{name} must be at least {lowest:g}, got {value}")


def between(name: str, value: float, lowest: float, highest: float) -> None:
    """Raise if a value is outside a closed interval.

    Examples
    --------
    >>> between("noise", 1.5, 0, 1)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: noise must lie between 0 and 1, got 1.5
    """
    if not lowest <= _number(name, value) <= highest:
        raise InputError(f"{name} must lie between {lowest:g} and {highest:g}, got {value}")


def strictly_between(name: str, value: float, lowest: float, highest: float) -> None:
    """Raise if a value is outside an open interval; the ends are not allowed.

    Examples
    --------
    >>> strictly_between("alpha", 1.0, 0, 1)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: alpha must lie strictly between 0 and 1, got 1.0
    """
    if not lowest < _number(name, value) < highest:
        raise InputError(
            f"{name} must lie strictly between {lowest:g} and {highest:g}, got {value}"
        )


def positive(name: str, value: float) -> None:
    """Raise if a value is not positive.

    Examples
    --------
    >>> positive("mu", 0.0)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: mu must be positive, got 0.0
    """
    if not _number(name, value) > 0:
        raise InputError(f"{name} must be positive, got {value}")


def one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    """Raise if a value is not one of those allowed.

    Examples
    --------
    >>> one_of("join", "both", ("union", "mutual"))
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: join must be one of union, mutual, got 'both'
    """
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")


def whole_number(name: str, value: Any, lowest: int) -> int:
    """Return the value as an int; raise unless it is an integer of at least `lowest`.

    Examples
    --------
    >>> whole_number("rank", np.int64(3), 1)
    3
    >>> whole_number("rank", 2.5, 1)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: rank must be a whole number, got 2.5
    """
    if isinstance(value, bool | np.bool_):
        raise InputError(f"{name} must be a whole number, got {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be a whole number, got {value!r}") from None
    at_least(name, number, lowest)
    return number


def one_node(node: Any, n_nodes: int) -> int:
    """Return a node's index as an int; raise if it is not an index of the graph.

    Examples
    --------
    >>> one_node(2, 3)
    2
    >>> one_node(3, 3)
    Traceback (most recent call last):
        ...
    lapwing.errors.UnknownNodeError: a node must be an integer from 0 to 2, got 3
    """
    if type(node) is int and 0 <= node < n_nodes:
        return node
    try:
        index = operator.index(node)
    except TypeError:
        raise _no_node(node, n_nodes) from None
    if not 0 <= index < n_nodes or isinstance(node, bool | np.bool_):
        raise _no_node(node, n_nodes)
    return index


def many_nodes(nodes: Any, n_nodes: int) -> Nodes:
    """Return several node indices as an array; raise if one is not in the graph.

    Examples
    --------
    >>> many_nodes([0, 2], 3)
    array([0, 2])
    >>> many_nodes([0, -1], 3)
    Traceback (most recent call last):
        ...
    lapwing.errors.UnknownNodeError: a node must be an integer from 0 to 2, got -1
    """
    given = _flat("nodes", nodes, None)
    if given.size == 0:
        return np.empty(0, dtype=np.intp)
    if given.dtype.kind not in "iu":
        first = next((node for node in nodes if not _is_whole(node)), nodes[0])
        raise _no_node(first, n_nodes)
    if given.min() < 0 or given.max() >= n_nodes:
        outside = (given < 0) | (given >= n_nodes)
        raise _no_node(given[np.argmax(outside)].item(), n_nodes)
    return np.ascontiguousarray(given, dtype=np.intp)


def candidates(nodes: Any, n_nodes: int | None = None) -> Nodes:
    """Return nodes to choose from, at least one; without `n_nodes`, any index from 0 on.

    Examples
    --------
    >>> candidates([2, 5], 6)
    array([2, 5])
    >>> candidates([], 6)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: there must be at least one candidate, got none
    """
    found = many_nodes(nodes, np.iinfo(np.intp).max if n_nodes is None else n_nodes)
    if found.size == 0:
        raise InputError("there must be at least one candidate, got none")
    return found


def node_or_nodes(nodes: Any, n_nodes: int) -> int | Nodes:
    """Return one node as an int, or several as an array; raise if one is not in the graph.

    Examples
    --------
    >>> node_or_nodes(1, 3), node_or_nodes([1, 2], 3)
    (1, array([1, 2]))
    """
    if type(nodes) is int and 0 <= nodes < n_nodes:
        return nodes
    if isinstance(nodes, list | tuple) or (isinstance(nodes, np.ndarray) and nodes.ndim > 0):
        return many_nodes(nodes, n_nodes)
    if np.ndim(nodes) == 0:
        return one_node(nodes, n_nodes)
    return many_nodes(nodes, n_nodes)


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
    try:
        index = operator.index(label)
    except TypeError:
        raise _no_label(label, n_classes) from None
    if not 0 <= index < most or isinstance(label, bool | np.bool_):
        raise _no_label(label, n_classes)
    return index


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
    given = _flat("labels", labels, length)
    if given.size == 0:
        return np.empty(0, dtype=np.intp)
    if given.dtype.kind not in "iu":
        first = next((label for label in labels if not _is_whole(label)), labels[0])
        raise _no_label(first, n_classes)
    least, most = UNKNOWN if unknown else 0, MOST_CLASSES if n_classes is None else n_classes
    if given.min() < least or given.max() >= most:
        outside = (given < least) | (given >= most)
        raise _no_label(given[np.argmax(outside)].item(), n_classes)
    return np.ascontiguousarray(given, dtype=np.intp)


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
    if not _is_whole(label) or label not in (-1, 1):
        raise InputError(f"a binary label must be -1 or +1, got {label!r}")
    return int(label)


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
    if _is_whole(label):
        return str(int(label))
    if not isinstance(label, str):
        raise InputError(f"a label must be text or an integer, got {label!r}")
    return plain_text("a label", label)


def plain_text(name: str, value: Any) -> str:
    """Return text in composed letters; raise if it is empty, padded or has control characters.

    Examples
    --------
    >>> plain_text("by", "ann")
    'ann'
    >>> plain_text("by", "")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: by must not be empty, got ''
    """
    if not isinstance(value, str):
        raise InputError(f"{name} must be text, got {value!r}")
    text = unicodedata.normalize("NFC", str(value))
    if not text.strip():
        raise InputError(f"{name} must not be empty, got {value!r}")
    if text != text.strip():
        raise InputError(f"{name} must have no spaces around it, got {value!r}")
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text):
        raise InputError(f"{name} must hold no control character, got {value!r}")
    return text


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
    given = _flat("labels", labels, length)
    if given.size == 0:
        return np.empty(0, dtype=np.intp)
    if given.dtype.kind not in "iu" or (np.abs(given) != 1).any():
        for label in given.tolist():
            one_sign(label)
    return given.astype(np.intp)


def true_or_false(name: str, value: Any) -> bool:
    """The value as a bool; refuses anything else.

    Examples
    --------
    >>> true_or_false("correct", None)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: correct must be True or False, got None
    """
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def costs(cost: Any, n_nodes: int) -> Array | None:
    """Return the cost of a question per node; raise unless all are positive numbers.

    Examples
    --------
    >>> costs([1.0, 2.0], 3)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: cost must be one positive number per node
    """
    if cost is None:
        return None
    try:
        given = np.asarray(cost, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("cost must be one positive number per node") from None
    if given.shape != (n_nodes,) or not (np.isfinite(given) & (given > 0)).all():
        raise InputError("cost must be one positive number per node")
    return given


def _number(name: str, value: Any) -> float:
    if not isinstance(value, int | float | np.integer | np.floating):
        raise InputError(f"{name} must be a number, got {value!r}")
    return float(value)


def _flat(name: str, values: Any, length: int | None) -> NDArray[Any]:
    """The values as an array of one dimension, `length` long."""
    try:
        given = np.asarray(values)
    except ValueError:
        raise InputError(f"{name} must be a flat list of integers, got a nested one") from None
    if given.ndim != 1:
        raise InputError(f"{name} must be a flat list of integers, got shape {given.shape}")
    if length is not None and len(given) != length:
        raise InputError(f"there must be one label per node, got {len(given)} for {length} nodes")
    if isinstance(values, list | tuple) and any(isinstance(value, bool) for value in values):
        return np.array(values, dtype=object)  # numpy would take True for 1
    return given


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)


def _no_node(node: Any, n_nodes: int) -> UnknownNodeError:
    if n_nodes == 0:
        return UnknownNodeError(f"the graph has no nodes, got node {node!r}")
    return UnknownNodeError(f"a node must be an integer from 0 to {n_nodes - 1}, got {node!r}")


def _no_label(label: Any, n_classes: int | None) -> InputError:
    limits = "of at least 0" if n_classes is None else f"from 0 to {n_classes - 1}"
    if n_classes is None and _is_whole(label) and label >= MOST_CLASSES:
        limits = f"below {MOST_CLASSES}"
    return InputError(f"a label must be an integer {limits}, got {label!r}")
