"""The page of arrivals from the lines of its tables."""

from __future__ import annotations

from bench.arrivals.steps import GROWING, OTHERS

STEP_HEADER = [
    "| graph | nodes | method | accuracy, last step | most points behind | steps computed again | "
    "CPU ms a step, following | CPU ms a step, again | times less | again, all labels at once |",
    "|---|---|---|---|---|---|---|---|---|---|",
]
REPORTED = ("pubmed", "movies", "coauthor")
MILLION_HEADER = ["| what | value |", "|---|---|"]


def verdict(step_rows: list[str], million_rows: list[str]) -> str:
    """What the tables say, in words."""
    cells = [row.strip("| ").split(" | ") for row in step_rows]
    own = [row for row in cells if row[2] in GROWING]
    said = []
    for graph in dict.fromkeys(row[0] for row in own):
        rows = [row for row in own if row[0] == graph]
        gap, less = max(float(row[4]) for row in rows), [int(row[8].rstrip(" |")) for row in rows]
        times = " to ".join(str(value) for value in sorted({min(less), max(less)}))
        said.append(
            f"Following 20 steps of arrivals on {graph} falls at most {gap:.2f} points behind "
            f"computing everything again, with {times} times less CPU."
        )
    if million_rows:
        held = dict(row.strip("| ").split(" | ") for row in million_rows)
        one = next(v for what, v in held.items() if what.startswith("one edge of"))
        said.append(
            f"On a million nodes, one edge takes {one} ms at the median. 100,000 edges at once "
            f"take {held['graph, of reading']} of the CPU of reading the graph again; with a "
            f"learner that follows, {held['graph and push-lgc, of reading and making']} of "
            "reading the graph and making the learner again, and "
            f"{held['graph and push-lgc, of reading alone']} of reading alone."
        )
    return " ".join(said)


def page(step_rows: list[str], million_rows: list[str]) -> str:
    """The whole page from the lines of its tables."""
    missing = [each for each in OTHERS if not any(each in row for row in step_rows)]
    absent = f" Not installed in this run: {', '.join(missing)}." if missing else ""
    later = [each for each in REPORTED if not any(f"| {each} |" in row for row in step_rows)]
    absent += f" Not measured yet: {', '.join(later)}." if later else ""
    lines = [
        "# What does it cost to follow a growing graph?", "", verdict(step_rows, million_rows), "",
        "![CPU time of following a step, and of computing everything again](arrivals.png)", "",
        "## Nodes arriving in 20 steps", "",
        *STEP_HEADER, *step_rows, "",
        "## A million nodes", "",
        *MILLION_HEADER, *million_rows, "",
        "## Method", "",
        "`python -m bench.arrivals --graphs pubmed movies coauthor --million 1000000`, one thread.",
        "The last half of the nodes arrives in 20 steps. PubMed and co-authors arrive in the order",
        "of their files, movies by year. One node in twenty has a label, told when it arrives;",
        "accuracy is on all other nodes that are there. Everything is computed again beside it, at",
        "each step or, for near-far, at steps 3, 8, 13 and 18; GraphLearning, which is slow, runs",
        "at the last step only. Points behind are those by which following falls behind computing",
        "again, at its worst step; times are means over the steps. Following means",
        "`Graph.with_edges` and `learner.grow`, then the new labels and",
        "predictions of the nodes that arrived; computing again means building the graph from",
        "arrays, making the learner, learning all labels one after the other and predicting. The",
        "learners guess before each label, which their calibration rests on. Where a learner can",
        "also be told all labels at once, without guesses, the last column has what everything",
        "then costs. A method whose work is proportional to the graph takes 30 times as much again",
        "as to follow, at best: 20 times three quarters of the graph against half of it. The",
        "limits of drift were chosen on Cora and Citeseer. Other libraries get the nodes that have",
        "edges. Other programs shared the machine while PubMed and movies were measured; times are",
        "CPU time. On movies, the other libraries ran in runs of their own (`--methods`), and the",
        "other rows are from what the steps had printed when GraphLearning was stopped in an",
        "earlier run. Graphs were measured one command after another.", "",
        "On the large graph, compiled code is loaded and the file is in memory before anything is",
        "measured. Reading is `read_graph` of a CSV file with a header and one pair of numbers, or",
        "texts, a line; the median of five times. Many edges at once are the median of five",
        "times 100,000 random pairs, as an array or, for texts, a list; the graph's matrix is",
        "built, and push-lgc with 1,000 labels follows it. Before a read that is compared with the",
        "one after a removal, other memory is touched, since removing an edge does that, too: the",
        f"processor's cache is as empty for both.{absent}", "",
    ]  # fmt: skip
    return "\n".join(lines)
