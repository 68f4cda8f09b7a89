"""Nothing a caller passes can break a learner: compiled code never sees what was not checked."""

import subprocess
import sys

import pytest

from lapwing.catalog import ENTRIES

CHILD = """
import pickle
import sys

import numpy as np

from lapwing import Graph, make
from lapwing.catalog import ENTRIES
from lapwing.errors import InputError
from lapwing.learner import CanChangeEdges, CanMakeRoom, CanWithdraw

EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (6, 7), (7, 5)]
N = 8
ALL, LABELS = np.arange(N), np.array([0, 0, 0, 1, 1, 1, 2, 2])
NODES = [-1, N, 10**9, 10**30, 1.5, "a", None, float("nan"), True, [[0]], np.array(1.5)]
MANY = [[0, bad] for bad in NODES[:9]] + [np.array([0.5]), np.array([[0, 1]]), np.array([True])]
CLASSES = [-5, -1, 3, 10**9, 10**30, 1.5, "a", float("nan"), True]


def attempts(learner, bandit):
    reading = ["scores", "predict", "predict_proba"]
    for bad in NODES + MANY:
        yield from ((verb, (bad,), {}) for verb in reading)
    for bad in NODES:
        if bandit:
            yield "learn", (bad, 0, True), {}
        else:
            yield "queries", (bad,), {}
            yield "learn", (bad, 0), {}
            yield "learn", (bad, None), {}
    for bad in MANY:
        yield "stream", (bad, [0] * len(bad)), {}
    for bad in CLASSES:
        yield "learn", (0, bad, True) if bandit else (0, bad), {}
        yield "stream", ([0, 1], [0, bad]), {}
    yield "stream", ([0, 1], [0]), {}
    yield "stream", (3, 1), {}
    if bandit:
        yield from (("stream", ([0], [0]), {"tries": bad}) for bad in (0, -1, 1.5, "a", None))
        yield from (("learn", (0, 0, bad), {}) for bad in (None, "a", 2))
        yield from (("learn", (0, bad, False), {}) for bad in (None, "a", 3))
    if isinstance(learner, CanWithdraw):
        yield from (("withdraw", (bad,), {}) for bad in NODES)
    if isinstance(learner, CanMakeRoom):
        yield from (("make_room", (bad,), {}) for bad in (-1, 4, 10**9, 1.5, "a", None, True))
    if isinstance(learner, CanChangeEdges):
        yield from (("add_edge", (0, bad), {}) for bad in NODES)
        yield from (("remove_edge", (bad, 0), {}) for bad in NODES)
        yield from (("add_edge", (0, 1, bad), {}) for bad in (0.0, -1.0, float("inf"), "a", None))
    for extra in ("also", "variance", "uncertainty"):
        if hasattr(learner, extra):
            more = (0,) if extra == "also" else ()
            yield from ((extra, (bad, *more), {}) for bad in NODES)
    if hasattr(learner, "fit"):
        yield from (("fit", (bad, [0] * len(bad)), {}) for bad in MANY[:-1])
        yield from (("fit", ([0, 1], [0, bad]), {}) for bad in CLASSES if bad != -1)


for name in sys.argv[1:]:
    bandit = ENTRIES[name].kind == "bandit"
    learner = make(name, Graph.from_edges(EDGES), n_classes=3)
    learner.stream(ALL[:6], LABELS[:6])
    scores, tried = learner.scores(ALL), 0
    before = pickle.dumps(learner)
    for verb, args, named in attempts(learner, bandit):
        said = f"{name}.{verb}{args}"
        try:
            getattr(learner, verb)(*args, **named)
        except InputError:
            pass
        except BaseException as error:
            sys.exit(f"{said}: {type(error).__name__}: {error}")
        else:
            sys.exit(f"{said}: accepted")
        if pickle.dumps(learner) != before:
            sys.exit(f"{said}: the state has changed")
        tried += 1
    np.testing.assert_array_equal(learner.scores(ALL), scores)
    print(name, tried)
"""

ONLINE = [name for name, entry in ENTRIES.items() if entry.kind != "batch"]
GROUPS = [ONLINE[i::4] for i in range(4)]


@pytest.mark.parametrize("names", GROUPS, ids=lambda names: "+".join(names))
def test_what_is_no_node_or_label_is_an_error_of_ours(names):
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *names], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-1500:]
    tried = dict(line.split() for line in done.stdout.splitlines())
    assert list(tried) == names
    assert min(int(count) for count in tried.values()) >= 100
