"""Named protocols: the settings of the papers' tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lapwing.catalog.families.yang2018 import YANG_ROWS
from lapwing.catalog.make import named
from lapwing.deprecation import warn_former
from lapwing.errors import InputError


@dataclass(frozen=True)
class Protocol:
    """The settings of a paper: rows, update rule, measure, and what is tuned.

    `tuned_by` names the learner whose `measure` on a held-out order chooses mu for every learner of
    the table that has one. `on` gives what the paper sets for a learner on one of its graphs;
    `on_others` what we read it to set on a graph of that many nodes.

    The studies of `lapwing.reproduce` name a protocol and take its numbers from here.
    """

    name: str
    paper: str
    parameters: dict[str, Any]
    measure: Literal["error", "binary_error"]
    largest_component: bool
    shuffles: int
    tuned_by: str | None = None
    on: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    on_others: Callable[[str, int], dict[str, Any]] = field(default=lambda _learner, _n_nodes: {})

    def parameters_for(self, learner: str, n_nodes: int = 0) -> dict[str, Any]:
        """Return the protocol's parameters for this learner on a graph of that many nodes.

        Examples
        --------
        >>> PROTOCOLS["gu2013"].parameters_for("gpa")
        {'rank': 100, 'bias': 2.0, 'normalized': False, 'unit_rows': False, 'every_label': False}
        >>> PROTOCOLS["yang2018"].parameters_for("oslg", 19717)
        {'rank': 100, 'normalized': True, 'unit_rows': True, 'b': 100.0}
        """
        accepted = named(learner).parameters
        wanted = self.parameters | self.on_others(learner, n_nodes)
        return {name: value for name, value in wanted.items() if name in accepted}

    @property
    def own(self) -> Callable[[str, int], dict[str, Any]]:
        """The former name of `on_others`."""
        warn_former("Protocol.own", "Protocol.on_others")
        return self.on_others

    def settings_on(self, learner: str, graph: str) -> dict[str, Any]:
        """Return what the paper sets for a learner on one of its graphs, beyond `parameters`.

        Examples
        --------
        >>> PROTOCOLS["yang2018"].settings_on("molg-f", "pubmed")
        {'b': 100.0}
        >>> PROTOCOLS["yang2018"].settings_on("linucb", "pubmed")
        {}
        """
        return dict(self.on.get(learner, {}).get(graph, {}))


RIDGE_OF_YANG2018 = {"coauthor": 10.0, "cora": 10.0, "movies": 100.0, "pubmed": 100.0}
"""Section 4.1: b = 10 for Cora and Coauthor, 100 for PubMed and IMDB, whose place movies takes."""
WITH_RIDGE = ("molg-f", "molg-b", "msg", "oslg", "oslg-bandit")
"""Learners that get the paper's b; rivals that it says were tuned keep their own."""


def ridge_of_yang2018(learner: str, n_nodes: int) -> dict[str, Any]:
    """Section 4.1: b = 10 for Cora and Coauthor, 100 for PubMed and IMDB.

    "Due to variable graph structures", read here as: 100 from 10,000 nodes on.

    Examples
    --------
    >>> ridge_of_yang2018("molg-f", 2485), ridge_of_yang2018("linucb", 2485)
    ({'b': 10.0}, {})
    """
    if learner not in WITH_RIDGE:
        return {}
    return {"b": 100.0 if n_nodes >= 10_000 else 10.0}


PROTOCOLS = {
    "gu2013": Protocol(
        name="gu2013",
        paper="Gu et al. 2013, Table 2",
        parameters={
            "rank": 100,
            "bias": 2.0,
            "normalized": False,
            "unit_rows": False,
            "kappa": 0.4,
            "every_label": False,
        },
        measure="binary_error",
        largest_component=True,
        shuffles=20,
        tuned_by="ollgc",
    ),
    "yang2018": Protocol(
        name="yang2018",
        paper="Yang et al. 2018, Table 1",
        parameters={**YANG_ROWS, "phi": 10.0, "h": float("inf")},
        measure="error",
        largest_component=True,
        shuffles=20,
        on={
            learner: {graph: {"b": b} for graph, b in RIDGE_OF_YANG2018.items()}
            for learner in WITH_RIDGE
        },
        on_others=ridge_of_yang2018,
    ),
}


def protocol(name: str) -> Protocol:
    """Return the protocol with that name; raise if there is none."""
    if name not in PROTOCOLS:
        raise InputError(f"no protocol is called {name!r}; there are {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]
