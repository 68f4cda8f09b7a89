"""Changes in 16 bits: what another share has of some rows, after one message and after many."""

from itertools import pairwise

import numpy as np
import pytest

from lapwing.cluster.engine.messages import Messages, add_changes, is_of_changes
from lapwing.linalg.passes import in_lines


def sent(states, rows, width):
    """What the other share has after each of these states of the columns."""
    messages, halo = Messages(rows), [in_lines((len(rows), width), np.float32) for _ in range(2)]
    first = messages.whole(states[0], width)
    assert not is_of_changes(first)
    halo[0][:, :width] = first
    found = [first]
    for turn, (before, now) in enumerate(pairwise(states), start=1):
        message = messages.changes(now, before, width)
        assert is_of_changes(message)
        assert message.nbytes == len(rows) * (2 * width + 2)
        add_changes(halo[turn % 2], halo[1 - turn % 2], 0, message)
        found.append(halo[turn % 2][:, :width].copy())
    return found


def columns(values):
    held = in_lines(values.shape, np.float32)
    held[:, : values.shape[1]] = values
    return held


@pytest.mark.parametrize("width", [2, 3, 10])
def test_errors_become_smaller_as_the_columns_converge(width):
    rng = np.random.default_rng(width)
    sizes = 10.0 ** rng.integers(-6, 3, (50, 1))
    last, rest = sizes * rng.random((50, width)), sizes * rng.standard_normal((50, width))
    states = [columns(last + 0.7**k * rest) for k in range(40)]
    rows = np.sort(rng.choice(50, 20, replace=False))
    found = sent(states, rows, width)
    wrong = [
        np.abs(each - state[rows, :width]).max(axis=1) / sizes[rows, 0]
        for each, state in zip(found, states, strict=True)
    ]
    assert wrong[0].max() == 0
    assert 1e-7 < wrong[1].max() < 1e-4
    assert wrong[-1].max() < 1e-6  # rounding of single precision, 40 times


def test_what_rounding_leaves_over_comes_with_the_next_message():
    begin, now = columns(np.zeros((1, 3))), columns(np.array([[1.0, 1e-5, -0.3]]))
    _, first, second, third = sent([begin, now, now, now], np.array([0]), 3)
    assert 1e-6 < np.abs(first - now[:, :3]).max() < 3.1e-5
    assert np.abs(second - now[:, :3]).max() < 3.1e-7
    assert np.abs(third - now[:, :3]).max() < 1.3e-7  # rounding of single precision


def test_nothing_is_left_over_after_whole_rows():
    one, other = columns(np.array([[1.0, 1e-5]])), columns(np.array([[2.0, 3e-5]]))
    messages = Messages(np.array([0]))
    messages.whole(one, 2)
    messages.changes(other, one, 2)
    messages.whole(other, 2)
    assert (messages.changes(other, other, 2) == 0).all()


def test_next_to_nothing_is_sent_as_nothing():
    begin = columns(np.zeros((3, 2)))
    now = columns(np.array([[0.0, 0.0], [1e-36, -1e-38], [1.0, 0.0]]))
    _, found = sent([begin, now], np.arange(3), 2)
    assert (found[:2] == 0).all()
    assert np.abs(found[2] - [1, 0]).max() < 1e-4
    assert len(Messages(np.empty(0, dtype=np.int64)).changes(now, begin, 2)) == 0
