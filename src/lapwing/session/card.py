"""The card of a session in a notebook."""

from __future__ import annotations

from lapwing.active import ErrorEstimate
from lapwing.card import bars, card
from lapwing.graph import Graph
from lapwing.session.log.state import State


def session_card(name: str, learner: str, graph: Graph, state: State, error: ErrorEstimate) -> str:
    """Return a card with progress, open questions, audit results and labels per class."""
    labelled = len(state.labels)
    rows = [
        ("graph", f"{graph.n_nodes:,} nodes, {graph.n_edges:,} edges"),
        ("learner", learner),
        ("labels", f"{labelled:,} of {graph.n_nodes:,} nodes ({labelled / len(graph):.1%})"),
        ("open questions", ", ".join(str(graph.names[node]) for node in state.open)),
        ("disputed", ", ".join(str(graph.names[node]) for node in state.votes.disputed())),
        ("others", str(error)),
        ("events", f"{state.n_events:,}"),
    ]
    given = list(state.labels.values())
    counts = {each: float(given.count(k)) for k, each in enumerate(state.classes)}
    return card(f"Session {name}", [row for row in rows if row[1]], drawn=bars(counts))
