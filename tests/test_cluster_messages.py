"""Changes in 16 bits: what another share has of some rows, after one message and after many."""

import numpy as np
import pytest

from lapwing.cluster.engine.messages import Messages, add_changes, is_of_changes
from lapwing.linalg.passes import in_lines


def sent(states, rows, width):
    """What the other share has after each of these states of the columns."""
    messages, halo = Messages(rows), [in_lines((len(rows), width), np.float32) for _ in range(2)]
    before, found = None, []
    for turn, now in enumerate(states):
        message = messages.changes(now, before, width)
        assert is_of_changes(message)
        assert message.nbytes == len(rows) * (2 * width + 2)
        old = None if before is None else halo[1 - turn % 2]
        add_changes(halo[turn % 2], old, 0, message)
        found.append(halo[turn % 2][:, :width].copy())
        before = now
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
    assert wrong[0].max() < 1e-4
    assert wrong[-1].max() < 1e-6  # rounding of single precision, 40 times


def test_what_rounding_leaves_over_comes_with_the_next_message():
    now = columns(np.array([[1.0, 1e-5, -0.3]]))
    first, second, third = sent([now, now, now], np.array([0]), 3)
    assert 0 < np.abs(first - now[:, :3]).max() < 3.1e-5
    assert np.abs(second - now[:, :3]).max() < 3.1e-7
    assert np.abs(third - now[:, :3]).max() < 1.3e-7  # rounding of single precision


def test_nothing_and_next_to_nothing_are_sent_as_nothing():
    now = columns(np.array([[0.0, 0.0], [1e-36, -1e-38], [1.0, 0.0]]))
    (found,) = sent([now], np.arange(3), 2)
    assert (found[:2] == 0).all()
    assert np.abs(found[2] - [1, 0]).max() < 1e-4
    assert len(Messages(np.empty(0, dtype=np.int64)).changes(now, None, 2)) == 0
