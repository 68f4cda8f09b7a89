"""What a notebook shows of a dialogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lapwing.card import bars, card

if TYPE_CHECKING:
    from lapwing.session.log.dialogue import Dialogue


def dialogue_card(dialogue: Dialogue) -> str:
    """The HTML of a dialogue: progress, audit results and labels per class."""
    graph, state = dialogue.graph, dialogue.state
    names, labelled = graph.names, len(state.labels)
    rows = [
        ("graph", f"{graph.n_nodes:,} nodes, {graph.n_edges:,} edges"),
        ("learner", dialogue.header.get("learner", type(dialogue.learner).__name__)),
        ("labels", f"{labelled:,} of {len(names):,} nodes ({labelled / len(names):.1%})"),
        ("open questions", ", ".join(str(names[node]) for node in state.open)),
        ("disputed", ", ".join(str(names[node]) for node in state.votes.disputed())),
        _claimed(dialogue),
        ("events", f"{state.n_events:,}"),
    ]
    given = list(state.labels.values())
    counts = {each: float(given.count(k)) for k, each in enumerate(state.classes)}
    return card(f"Session {dialogue.name}", [row for row in rows if row[1]], drawn=bars(counts))


def _claimed(dialogue: Dialogue) -> tuple[str, str]:
    """What is known of the nodes not asked about; of a search, what it found."""
    wanted = dialogue.header.get("positive_classes")
    if wanted is None:
        return "others", str(dialogue.error_estimate())
    named = ", ".join(dialogue.classes[label] for label in wanted)
    found = sum(dialogue.state.counts[label] for label in wanted)
    return f"found ({named})", f"{found:,} of {len(dialogue.state.labels):,} asked"
