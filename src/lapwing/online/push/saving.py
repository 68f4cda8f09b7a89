"""Save a push learner's exact state as plain arrays in one .npz file, without pickle."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import InputError, ReadError
from lapwing.graph import Graph
from lapwing.linalg.push.changing_components import ChangingComponents
from lapwing.linalg.push.changing_matrix import ChangingRows
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.online.push.asking import Asking
from lapwing.online.push.blend import Blend
from lapwing.online.push.company import Company
from lapwing.online.push.rounds import LowRank

if TYPE_CHECKING:
    from lapwing.online.push.push_learner import PushLearner

FORMAT = "lapwing push 3"
STATE = (
    "diagonal", "label_weight", "strength", "targets", "solution", "residual", "counts",
)  # fmt: skip
ROWS = ("start", "stop", "neighbors", "weights")


def save_state(learner: PushLearner, path: str | Path) -> None:
    """Write the whole state; the graph is identified by its hash.

    After `add_edge` or `remove_edge`, that is the graph before the first of these.
    """
    state, rows = learner.state, learner.state.rows
    numbers = [state.n_classes, state.room, int(learner._before_edges is not None), rows.used]
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT),
        "kind": np.array(type(learner).__name__),
        "graph": np.array((learner._before_edges or learner.graph).hash),
        "members": state.members,
        "total_weight": np.array(state.total_weight),
        "numbers": np.array(numbers, dtype=np.int64),
        "rows.room": np.empty(0, np.intp) if rows.room is None else rows.room,
        "low.inverse": learner.low.inverse,
        "low.weights": learner.low.weights,
        "asking.rule": learner.asking.rule,
        "asking.memory": learner.asking.memory,
        "asking.label_weight": np.array(learner.asking.label_weight),
    }
    if learner.domain is not None:
        arrays |= {"low.rows": learner.low.rows, "low.changed": np.array(learner.domain.changed)}
    arrays |= {f"state.{name}": getattr(state, name) for name in STATE}
    arrays |= {f"rows.{name}": getattr(rows, name) for name in ROWS}
    arrays |= {f"blend.{name}": part for name, part in learner.blend._asdict().items()}
    arrays |= {f"company.{name}": part for name, part in learner.company._asdict().items()}
    with Path(path).open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]  # numpy types only one keyword of its own


def load_state(learner: PushLearner, path: str | Path) -> None:
    """Load a saved state into a learner of the same kind on the same graph."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
    except (OSError, ValueError, zipfile.BadZipFile) as wrong:
        raise ReadError(path, f"must be a saved push learner: {wrong}") from wrong
    if str(arrays.get("format")) != FORMAT:
        raise ReadError(path, f"must be a saved push learner ({FORMAT})")
    _check(learner, arrays)
    n_classes, room, changed, used = arrays["numbers"].tolist()
    state: Diffusions = learner.state
    rows: ChangingRows = state.rows
    rows.__setstate__({name: arrays[f"rows.{name}"] for name in ROWS})
    rows.room, rows.used = arrays["rows.room"] if arrays["rows.room"].size else None, used
    parts = {name: arrays[f"state.{name}"] for name in STATE}
    parts |= {"n_classes": n_classes, "room": room}
    matrix = rows.matrix()
    parts |= {"total_weight": float(arrays["total_weight"]), "n_weights": int(matrix.nnz)}
    state.__setstate__(parts)
    state.parts = ChangingComponents(rows, state.targets)
    if changed:
        learner._before_edges = learner.graph
        learner.graph = Graph.from_scipy(matrix, names=learner.graph.names)
    rows_of_nodes = learner.low.rows
    if learner.domain is not None:
        learner.domain = learner.domain.restored(
            learner.graph, arrays["low.rows"], float(arrays["low.changed"])
        )
        rows_of_nodes = learner.domain.rows
    learner.low = LowRank(rows_of_nodes, arrays["low.inverse"], arrays["low.weights"])
    learner.blend = Blend(**{name: arrays[f"blend.{name}"] for name in Blend._fields})
    learner.company = Company(**{name: arrays[f"company.{name}"] for name in Company._fields})
    old: Asking = learner.asking
    learner.asking = old._replace(
        rule=arrays["asking.rule"],
        memory=arrays["asking.memory"],
        label_weight=float(arrays["asking.label_weight"]),
    )


def _check(learner: PushLearner, arrays: dict[str, NDArray[Any]]) -> None:
    kind = type(learner).__name__
    if str(arrays["kind"]) != kind:
        raise InputError(f"the saved learner must be a {kind}, got a {arrays['kind']}")
    if str(arrays["graph"]) != learner.graph.hash:
        raise InputError("the learner must have the graph that it was saved with")
    if not np.array_equal(arrays["members"], learner.state.members):
        raise InputError("the saved learner must have the same alpha, label_weight and eps")
    if arrays["low.inverse"].shape != learner.low.inverse.shape:
        raise InputError("the saved learner must have the same rank")
