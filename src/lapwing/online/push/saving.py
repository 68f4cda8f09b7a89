"""Save a push learner's exact state as plain arrays in one .npz file, without pickle."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import InputError, ReadError
from lapwing.linalg.push.changing_matrix import ChangingRows
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.online.push.asking import Asking
from lapwing.online.push.blend import Blend
from lapwing.online.push.rounds import LowRank

if TYPE_CHECKING:
    from lapwing.online.push.push_learner import PushLearner

FORMAT = "lapwing push 1"
STATE = (
    "diagonal", "label_weight", "targets", "solution", "residual", "counts", "component",
    "component_sums",
)  # fmt: skip
ROWS = ("start", "stop", "neighbors", "weights")


def save_state(learner: PushLearner, path: str | Path) -> None:
    """Write the whole state; the initial graph is identified by its hash."""
    state, rows = learner.state, learner.state.rows
    numbers = [state.n_classes, state.room, int(state.component_stale), rows.used]
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT),
        "kind": np.array(type(learner).__name__),
        "graph": np.array(learner.graph.hash),
        "members": state.members,
        "numbers": np.array(numbers, dtype=np.int64),
        "rows.room": np.empty(0, np.intp) if rows.room is None else rows.room,
        "low.inverse": learner.low.inverse,
        "low.weights": learner.low.weights,
        "asking.rule": learner.asking.rule,
        "asking.memory": learner.asking.memory,
    }
    arrays |= {f"state.{name}": getattr(state, name) for name in STATE}
    arrays |= {f"rows.{name}": getattr(rows, name) for name in ROWS}
    arrays |= {f"blend.{name}": part for name, part in learner.blend._asdict().items()}
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
    n_classes, room, stale, used = arrays["numbers"].tolist()
    state: Diffusions = learner.state
    rows: ChangingRows = state.rows
    rows.__setstate__({name: arrays[f"rows.{name}"] for name in ROWS})
    rows.room, rows.used = arrays["rows.room"] if arrays["rows.room"].size else None, used
    parts = {name: arrays[f"state.{name}"] for name in STATE}
    parts |= {"n_classes": n_classes, "room": room, "component_stale": bool(stale)}
    state.__setstate__(parts)
    learner.low = LowRank(learner.low.rows, arrays["low.inverse"], arrays["low.weights"])
    learner.blend = Blend(**{name: arrays[f"blend.{name}"] for name in Blend._fields})
    old: Asking = learner.asking
    learner.asking = old._replace(rule=arrays["asking.rule"], memory=arrays["asking.memory"])


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
