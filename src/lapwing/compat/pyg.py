"""Convert PyG's ``Data`` in both directions, without importing torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import UNKNOWN, Nodes


@dataclass(frozen=True, slots=True)
class Masked:
    """A graph, the class index of every node (`UNKNOWN` if none), and the nodes of each mask."""

    graph: Graph
    labels: Nodes
    train: Nodes
    validation: Nodes
    test: Nodes


def from_pyg(data: Any) -> Masked:
    """Return the graph, labels and masks of a ``torch_geometric.data.Data`` or similar object.

    Reads `edge_index` and, where present, `edge_weight` (or a one-column `edge_attr`), `num_nodes`,
    `x` (stored in the graph's node table), `y`, `train_mask`, `val_mask` and `test_mask`. Tensors
    can be on any device. Without a `train_mask`, all labelled nodes are used for training.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> data = SimpleNamespace(edge_index=np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3,
    ...                        y=np.array([0, 0, 1]), train_mask=np.array([True, False, True]))
    >>> found = from_pyg(data)
    >>> found.graph, found.train
    (Graph(3 nodes, 2 edges, 1 component), array([0, 2]))
    """
    edges = _array(data, "edge_index")
    if edges is None:
        raise InputError("data must have an edge_index, got none")
    weights = _array(data, "edge_weight")
    attributes = _array(data, "edge_attr")
    if weights is None and attributes is not None and attributes.size == edges.shape[1]:
        weights = attributes.ravel()
    y = _array(data, "y")
    n = getattr(data, "num_nodes", None)
    if n is None and y is not None:
        n = len(y)
    graph = Graph.from_edge_index(edges, edge_weight=weights, num_nodes=n)
    x = _array(data, "x")
    if x is not None and len(x) == graph.n_nodes:
        graph = graph.with_node_table({"x": x})
    labels = _labels(y, graph.n_nodes)
    train = _mask(data, "train_mask", graph.n_nodes)
    return Masked(
        graph=graph,
        labels=labels,
        train=np.flatnonzero(labels != UNKNOWN) if train is None else train,
        validation=_mask(data, "val_mask", graph.n_nodes, missing=True),
        test=_mask(data, "test_mask", graph.n_nodes, missing=True),
    )


def to_pyg(graph: Graph, *, labels: Nodes | None = None, train: Nodes | None = None) -> Any:
    """Return the arguments of ``torch_geometric.data.Data(**...)`` as a dict of numpy arrays.

    Use ``Data(**{key: torch.as_tensor(value) for key, value in to_pyg(graph).items()})`` to make
    the object. Edges are listed in both directions, as in PyG.

    Examples
    --------
    >>> told = to_pyg(Graph.from_edges([(0, 1), (1, 2)]), train=np.array([2]))
    >>> told["edge_index"].tolist(), told["train_mask"].tolist()
    ([[0, 1, 1, 2], [1, 0, 2, 1]], [False, False, True])
    """
    edges = graph.adjacency.tocoo()
    told: dict[str, NDArray[Any]] = {
        "edge_index": np.stack([edge.astype(np.int64) for edge in edges.coords]),
        "edge_weight": edges.data.astype(np.float32),
        "num_nodes": np.array(graph.n_nodes),
    }
    if labels is not None:
        told["y"] = np.asarray(labels, dtype=np.int64)
    if train is not None:
        told["train_mask"] = np.isin(np.arange(graph.n_nodes), graph.checked(train))
    return told


def _array(data: Any, name: str) -> NDArray[Any] | None:
    """Return an attribute as an array; a tensor is detached and moved to the CPU."""
    value = getattr(data, name, None)
    for step in ("detach", "cpu"):
        if hasattr(value, step):
            value = getattr(value, step)()
    return None if value is None else np.asarray(value)


def _labels(y: NDArray[Any] | None, n_nodes: int) -> Nodes:
    if y is None:
        return np.full(n_nodes, UNKNOWN, dtype=np.intp)
    column = y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y
    if column.shape != (n_nodes,) or column.dtype.kind not in "iu":
        raise InputError(f"y must be one class index per node, got {y.dtype} of shape {y.shape}")
    return np.asarray(column, dtype=np.intp)


def _mask(data: Any, name: str, n_nodes: int, *, missing: bool = False) -> Any:
    """Return the nodes of a mask, or None (or no nodes) if there is no mask."""
    mask = _array(data, name)
    if mask is None:
        return np.empty(0, dtype=np.intp) if missing else None
    if mask.shape != (n_nodes,) or mask.dtype.kind != "b":
        raise InputError(
            f"{name} must be one bool per node, got {mask.dtype} of shape {mask.shape}"
        )
    return np.flatnonzero(mask)
