"""A session on a graph that does not fit: questions from a working set, audits from the whole."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.active import ErrorEstimate, error_estimate, strategy
from lapwing.catalog.make import make
from lapwing.checks import at_least, between, label_text
from lapwing.cluster.classification import chances_at, checked_method, learned_on
from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.on_dask import job_name
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.jobs import Running
from lapwing.cluster.kept_classes import keep_classes
from lapwing.cluster.labels import SparseLabels
from lapwing.cluster.methods.doubt import doubtful_nodes
from lapwing.cluster.whole_log import LOG, whole_lines
from lapwing.cluster.working_set import neighbors_of, working_set
from lapwing.errors import InputError
from lapwing.graph import Graph

MOST_NEIGHBORS = 8


@dataclass(frozen=True)
class WholeQuestion:
    """A question about one node; on an audit, the guess stays hidden until it is answered."""

    node: Hashable
    audit: bool
    guess: str | None
    neighbors: tuple[tuple[Hashable, str | None], ...] = ()
    """Some neighbours, with their labels if they have been told."""


class WholeSession:
    """Ask about nodes of a partitioned graph, take in the answers, predict the whole in rounds.

    A round begins with `predict`: the cluster (or this machine, block by block) predicts every
    node. The nodes in most doubt and those with labels, with their neighbourhoods, are then a graph
    in memory, on which a learner and a strategy choose questions. Audits are drawn at random from
    all nodes without a label, and their guess is the prediction of the whole graph, so that
    `error_estimate` bounds the error on the whole.

    Every answer is in the log of the folder before `tell` returns; the same call resumes.

    Parameters
    ----------
    graph
        The partitioned graph.
    folder
        Where the log and the predictions are kept.
    classes
        The names of the classes.
    method, parameters
        What predicts the whole (`lapwing.cluster.classification.METHODS`).
    learner, strategy
        What chooses questions in the working set.
    working_nodes
        How many nodes the working set has at most.
    audit_share
        The share of questions that are audits.
    running
        The cluster; without one, out of core on this machine.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from lapwing.cluster import write_partitioned
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> with TemporaryDirectory() as folder:
    ...     _ = write_partitioned(graph, folder + "/graph", blocks=2)
    ...     parts = PartitionedGraph(folder + "/graph")
    ...     session = WholeSession(parts, folder + "/session", classes=["left", "right"])
    ...     session.tell({0: "left", 5: "right"})
    ...     session.predict()
    ...     print(session.predictions([1, 4]))
    ['left', 'right']
    """

    def __init__(  # noqa: PLR0913 - every choice that makes a session has a name of its own
        self,
        graph: PartitionedGraph,
        folder: str | PathLike[str],
        *,
        classes: Sequence[str | int],
        method: str = "pagerank",
        parameters: dict[str, Any] | None = None,
        learner: str = "auto",
        strategy: str = "uncertain-reach",
        working_nodes: int = 20_000,
        audit_share: float = 0.2,
        seed: int = 0,
        running: Running | None = None,
    ) -> None:
        between("audit_share", audit_share, 0, 1)
        at_least("working_nodes", working_nodes, 1)
        self.graph, self.folder, self.running = graph, Path(folder), running or Running()
        self.classes = tuple(label_text(name) for name in classes)
        if len(set(self.classes)) < max(len(self.classes), 2):
            raise InputError(f"classes must be two or more, all distinct, got {self.classes}")
        self.model = checked_method(method, len(self.classes), dict(parameters or {}))
        self._settings = (learner, strategy, working_nodes, audit_share, seed)
        self._labels: dict[int, int] = {}
        self._wrong: list[bool] = []
        self._left: list[int] = []
        self._open: dict[int, tuple[bool, int, int]] = {}
        self._skipped: set[int] = set()
        self._audits: list[tuple[int, int]] = []
        self._working: tuple[NDArray[np.int64], Graph] | None = None
        self.n_events = self.n_asked = 0
        self._kept = self.folder / "predicted.npy"
        head = {"graph": job_name(graph), "classes": self.classes, "method": method, "seed": seed}
        self._begin(json.loads(json.dumps(head)))

    def _begin(self, head: dict[str, Any]) -> None:
        """Write the first line of a new log, or replay one that is there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        log = self.folder / LOG
        if not log.exists():
            self._write(head)
            return
        lines = whole_lines(log)
        said = json.loads(lines[0])
        for name, value in head.items():
            if said.get(name) != value:
                raise InputError(f"{log}: was begun with another {name}")
        for line in lines[1:]:
            self._apply(json.loads(line))

    def _write(self, event: dict[str, Any]) -> None:
        """An event is on disk before it is applied."""
        with (self.folder / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps(event, separators=(",", ":")) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _happened(self, event: dict[str, Any]) -> None:
        self._write(event)
        self._apply(event)

    def _apply(self, event: dict[str, Any]) -> None:
        self.n_events += 1
        if event["event"] == "asked":
            self.n_asked += 1
            left = self.graph.n_nodes - len(self._labels)
            self._open[event["node"]] = (event["audit"], event["guess"], left)
            return
        node, label = event["node"], event.get("label")
        if label is None:
            self._open.pop(node, None)
            self._skipped.add(node)
            return
        audit, guess, left = self._open.pop(node, (False, -1, 0))
        if audit:
            self._wrong.append(guess != label)
            self._left.append(left)
        self._labels[node] = label

    def labels(self) -> SparseLabels:
        """The answers so far, as the cluster takes them."""
        nodes = np.array(sorted(self._labels), dtype=np.int64)
        told = np.array([self._labels[int(node)] for node in nodes], dtype=np.intp)
        return SparseLabels(nodes, np.eye(len(self.classes))[told], self.classes)

    def predict(self, *, audits: int = 50) -> None:
        """Begin a round: predict the whole, and gather the working set and the next audits."""
        _, _, working_nodes, _, seed = self._settings
        told = self.labels()
        rng = np.random.default_rng([seed, self.n_events])
        drawn = self._drawn(rng, audits)
        job = ("session", self.n_events, sorted(self._labels.items()))
        with self.running.engine(self.graph, self.folder / "round", *job) as engine:
            near = self._doubt(engine, told, drawn, working_nodes)
        if not len(near):  # no label yet: questions begin anywhere, but not where the audits are
            near = self._drawn(rng, audits)
        self._working = working_set(self.graph, near, working_nodes)

    def _doubt(
        self, engine: Engine, told: SparseLabels, drawn: NDArray[np.int64], most: int
    ) -> NDArray[np.int64]:
        """Predict the whole; return where a working set begins: doubtful and labelled nodes."""
        if not len(told.nodes):
            self._audits = []  # there is no guess to check yet
            return np.empty(0, dtype=np.int64)
        reading = learned_on(engine, self.model, told)
        chances = chances_at(engine, reading, drawn)
        said = np.where(chances.any(axis=1), chances.argmax(axis=1), -1)
        self._audits = list(zip(drawn.tolist(), said.tolist(), strict=True))
        doubt = doubtful_nodes(engine, reading, max(most // 20, 10))
        keep_classes(engine, reading, self._kept)
        return np.unique(np.concatenate([doubt, told.nodes]))

    def _drawn(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Draw distinct nodes without a label from the whole graph, each equally likely."""
        n, known = self.graph.n_nodes, {*self._labels, *self._open, *self._skipped}
        found: dict[int, None] = {}
        while len(found) < min(count, n - len(known)):
            node = int(rng.integers(n))
            if node not in known:
                found[node] = None
        return np.array(list(found), dtype=np.int64)

    def ask(self) -> WholeQuestion | None:
        """Return the next question, or None when nothing is left to ask in this round."""
        if self._working is None:
            self.predict()
        _, _, _, share, seed = self._settings
        rng = np.random.default_rng([seed, self.n_events, 1])
        if self._audits and (rng.random() < share):
            while self._audits:
                node, guess = self._audits.pop(0)
                if node not in self._labels and node not in self._open:
                    return self._asked(node, True, guess)
        chosen = self._chosen()
        return None if chosen is None else self._asked(chosen, False, -1)

    def _asked(self, node: int, audit: bool, guess: int) -> WholeQuestion:
        self._happened({"event": "asked", "node": node, "audit": audit, "guess": guess})
        (name,) = self.graph.names([node]).tolist()
        guess = -1 if audit else self._predicted([node])[0]
        return WholeQuestion(name, audit, self._class(guess), self._neighbors(node))

    def _neighbors(self, node: int) -> tuple[tuple[Hashable, str | None], ...]:
        """Some neighbours, those that were told first."""
        near = neighbors_of(self.graph, node).tolist()
        near = sorted(near, key=lambda each: each not in self._labels)[:MOST_NEIGHBORS]
        labels = [self._class(self._labels.get(each, -1)) for each in near]
        return tuple(zip(self.graph.names(near).tolist(), labels, strict=True))

    def _class(self, label: int) -> str | None:
        return None if label < 0 else self.classes[label]

    def _chosen(self) -> int | None:
        """The strategy's choice in the working set."""
        if self._working is None:
            return None
        learner, rule, _, _, seed = self._settings
        nodes, near = self._working
        free = np.array(
            [
                k
                for k, n in enumerate(nodes.tolist())
                if n not in self._labels and n not in self._open and n not in self._skipped
            ],
            dtype=np.intp,
        )
        if not len(free):
            return None
        model = make(learner, near, n_classes=len(self.classes))
        place = {node: k for k, node in enumerate(nodes.tolist())}
        known = {place[node]: label for node, label in self._labels.items() if node in place}
        for node, label in known.items():
            model.learn(node, label)
        return int(nodes[strategy(rule, near, known, seed=seed)(model, free)])

    def tell(self, answers: dict[Any, Any]) -> None:
        """Take in answers, ``{node: class}``; audits are counted with the guess made before."""
        codes = self.graph.codes(answers)
        labels = [label_text(label) for label in answers.values()]
        for label in labels:
            if label not in self.classes:
                raise InputError(f"class must be one of {', '.join(self.classes)}, got {label!r}")
        for node, label in zip(codes.tolist(), labels, strict=True):
            self._happened({"event": "told", "node": node, "label": self.classes.index(label)})

    def skip(self, node: Hashable) -> None:
        """Ask no more about a node; a skipped audit does not count."""
        (code,) = self.graph.codes([node]).tolist()
        self._happened({"event": "skipped", "node": code})

    @property
    def n_labels(self) -> int:
        """The number of nodes with an answer."""
        return len(self._labels)

    def predictions(self, names: Sequence[Hashable]) -> list[str | None]:
        """The labels of some nodes, told or predicted in the last round; None if unknown."""
        return [self._class(k) for k in self._predicted(self.graph.codes(names).tolist())]

    def _predicted(self, nodes: Sequence[int]) -> list[int]:
        held = np.load(self._kept, mmap_mode="r") if self._kept.exists() else None
        return [self._labels.get(n, -1 if held is None else int(held[n])) for n in nodes]

    def error_estimate(self, *, confidence: float = 0.95) -> ErrorEstimate:
        """Bound the error of the predictions on all nodes of the whole graph without a label."""
        left = [*self._left, self.graph.n_nodes - len(self._labels)]
        return error_estimate(
            self._wrong, confidence=confidence, left=left, n_nodes=self.graph.n_nodes
        )
