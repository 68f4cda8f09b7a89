"""The trials of a study: one for each graph, method, grid value and seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from lapwing.reproduce.parts import Method
from lapwing.reproduce.study import Study


@dataclass(frozen=True)
class Trial:
    """One run of one method, complete in itself: it can be done by any process at any time."""

    study: str
    kind: str
    graph: str
    source: Mapping[str, Any]
    method: str
    learner: str
    settings: Mapping[str, Any]
    options: Mapping[str, Any]
    at: Any
    seed: int

    @property
    def key(self) -> str:
        """A digest of everything that decides the result.

        Examples
        --------
        >>> from lapwing.reproduce.study import load_study
        >>> first, second = planned(load_study("gu2013/table2"))[:2]
        >>> first.key == first.key, first.key == second.key
        (True, False)
        """
        text = json.dumps(asdict(self), sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def planned(
    study: Study,
    *,
    quick: bool = False,
    seeds: int | None = None,
    graphs: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
) -> list[Trial]:
    """All trials, those of one graph together.

    `quick` takes the study's own short list of graphs, grid values and seeds: every trial of a
    quick run is one of the full run, too. `only` names the rows to run: methods, or of a study of
    experiments the experiments.

    Examples
    --------
    >>> from lapwing.reproduce.study import load_study
    >>> table = load_study("gu2013/table2")
    >>> len(planned(table, seeds=1, graphs=("cora",))) == len(table.methods)
    True
    """
    short: Mapping[str, Any] = study.quick if quick else {}
    count = int(seeds or short.get("seeds", study.seeds))
    wanted = graphs or tuple(short.get("graphs", study.graphs))
    left_out = tuple(short.get("without", ()))
    values = tuple(short.get("grid", study.grid.values if study.grid else ()))
    return [
        trial
        for graph in wanted
        for method in study.methods
        if method.name not in left_out and graph not in method.not_on
        if not only or method.name in only or method.name.rpartition(": ")[2] in only
        for at in (values if study.grid and method.along else (None,))
        if not method.at or at in method.at
        for trial in _seeded(study, method, graph, at, count)
    ]


def _seeded(study: Study, method: Method, graph: str, at: Any, count: int) -> Iterator[Trial]:
    varied = {study.grid.name: at} if study.grid is not None and at is not None else {}
    shared = {} if method.alone else study.settings
    for seed in range(min(count, method.seeds or count)):
        yield Trial(
            study=study.name,
            kind=str(method.options.get("trial", study.trial)),
            graph=graph,
            source={**study.graphs[graph], **method.source},
            method=method.name,
            learner=method.learner,
            settings={**shared, **method.settings, **method.on.get(graph, {}), **varied},
            options={**study.options, **method.options, **varied},
            at=at,
            seed=seed,
        )
