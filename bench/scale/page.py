"""The page of sizes from the lines of its tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.pictures.markdown import number

WORK_HEADER = [
    "| graph | nodes | work | CPU s | wall s | ns per edge | peak GB | beside | its s | times | "
    "accuracy | its accuracy |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
]
GRAPHS = ("P", "S", "W", "PubMed")
MANY = 100_000
"""The time per edge on the largest graph is compared with that on this many nodes."""
ONE_THREAD = "one thread, wall"
"""Beside this, seconds on the clock are compared, not those of all threads."""
SESSION_HEADER = [
    "| graph | nodes | accuracy, 50 labels | 200 labels | 1,000 labels | "
    "first question, CPU s | next question, median ms | p99 ms | peak GB |",
    "|---|---|---|---|---|---|---|---|---|",
]


def work_lines(found: dict[str, Any]) -> list[str]:
    """The lines of one graph in the table of works."""
    lines = []
    for part in found["parts"]:
        beside = part["rival"] != ""
        ours = part["wall"] if part["rival"] == ONE_THREAD else part["cpu"]
        cells = [
            found["kind"], f"{found['n']:,}", part["what"], f"{part['cpu']:.3g}",
            f"{part['wall']:.3g}", f"{1e9 * part['cpu'] / (2 * found['edges']):.1f}",
            f"{part['peak']:.2f}" if part["peak"] == part["peak"] else "",
            part["rival"], f"{part['other']:.3g}" if beside else "",
            f"{part['other'] / ours:.2f}" if beside else "",
            f"{part['right']:.3f}" if "right" in part else "",
            f"{part['right_other']:.3f}" if "right_other" in part else "",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def session_line(found: dict[str, Any]) -> str:
    """The line of one graph in the table of sessions."""
    held = found["session"]
    right = {int(count): share for count, share in held["right"].items()}
    cells = [
        found["kind"], f"{found['n']:,}",
        *[f"{right[count]:.3f}" if count in right else "" for count in (50, 200, 1_000)],
        f"{held['first']:.2f}", f"{1e3 * held['median']:.0f}", f"{1e3 * held['p99']:.0f}",
        f"{held['peak']:.2f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def verdict(work: list[str], sessions: list[str]) -> str:
    """What the tables say, in words."""
    asked = [cells_of(line) for line in sessions]
    largest = max(asked, key=lambda cells: (number(cells[1]), cells[0]))
    found = [cells_of(line) for line in work]

    def of(what: str, beside: str) -> str:
        match = [cells for cells in found if cells[2] == what and cells[7] == beside]
        most = max(number(cells[1]) for cells in match)
        times = sorted(number(cells[9]) for cells in match if number(cells[1]) == most)
        low, high = f"{times[0]:.1f}", f"{times[-1]:.1f}"
        return low if low == high else f"{low} to {high}"

    single = "SciPy, float32"
    more = [*_default(found), *_per_edge(found)]
    return " ".join([*_first(largest, of, single), *more])


def _first(largest: list[str], of: Callable[[str, str], str], single: str) -> list[str]:
    """The largest session, passes and rows."""
    return [
        f"On {largest[1]} nodes ({largest[0]}) a session is right on "
        f"{100 * number(largest[2]):.1f}% after 50 labels, and the next question takes "
        f"{largest[6]} ms of CPU; all of it, with predictions, takes {largest[8]} GB.",
        f"A pass over the edges is {of('pass, 10 columns', single)} times as fast as SciPy's with "
        f"10 columns and {of('pass, 1 columns', single)} times with one; rows are "
        f"{of('rows of rank 32', 'eigsh LA')} times as fast as eigsh's.",
    ]


def _default(found: list[list[str]]) -> list[str]:
    """How the default of `classify` compares with one Poisson fit, on the largest graphs."""
    fits = [
        cells for cells in found if cells[2] in ("classify, poisson", "classify, best-evidence")
    ]
    largest = max(number(cells[1]) for cells in fits if cells[2] == "classify, poisson")
    at = {(cells[0], cells[2]): cells for cells in fits if number(cells[1]) == largest}
    told = []
    for kind in dict.fromkeys(kind for kind, _ in at):
        ours, one = (at[kind, f"classify, {name}"] for name in ("best-evidence", "poisson"))
        told.append(
            f"{number(ours[3]) / number(one[3]):.1f} times one Poisson fit on {kind} "
            f"(right on {100 * number(ours[10]):.1f}%, scikit-network's diffusion on "
            f"{100 * number(ours[11]):.1f}%)"
        )
    return [f"At {largest:,.0f} nodes the default of `classify` takes {' and '.join(told)}."]


def _per_edge(found: list[list[str]]) -> list[str]:
    """How the time per edge grows from 100,000 nodes to the largest graph."""
    names = {
        "rows of rank 32": "rows", "classify, pagerank": "a batch method",
        "first question of a session": "the start of a session",
    }  # fmt: skip
    cost = {(cells[2], number(cells[1])): number(cells[5]) for cells in found if cells[0] == "S"}
    sizes = [size for what, size in cost if what == "first question of a session"]
    if not sizes or max(sizes) <= MANY or any((what, MANY) not in cost for what in names):
        return []
    most = max(sizes)
    told = [f"{cost[what, most] / cost[what, MANY]:.1f} for {word}" for what, word in names.items()]
    return [
        f"From {MANY:,} to {most:,.0f} nodes the time per edge grows by a factor of "
        f"{', '.join(told[:-1])} and {told[-1]}."
    ]


def page(work: list[str], sessions: list[str]) -> str:
    """The whole page from the lines of its tables."""
    lines = [
        "# What does size cost?", "", verdict(work, sessions), "",
        "![How many times as long others take, on the largest graph of each kind](scale.png)",
        "",
        "## Sessions", "", *SESSION_HEADER, *sessions, "",
        "## Works, beside others in the same run", "", *WORK_HEADER, *work, "",
        "## Method", "",
        "`python -m bench.scale`; `--quick` has 10,000 nodes only, `--graphs` and `--sizes`",
        "choose, and lines of other graphs stay as they are. All graphs have ten classes, about",
        "five edges per node and no weights. P is `planted_partition`; S has ends of edges",
        "drawn by weights from a power law of exponent 2.5, and five blocks per class: a",
        "quarter of the edges lies inside a block, 40% inside a class, the rest anywhere; W is",
        "S with a fifth of the nodes on dangling paths. Times are CPU seconds of all threads,",
        "with compiled code loaded before; *times* is how many times as long the other takes,",
        "above 1 where ours is faster. *ns per edge* is per direction of an edge. A pass has",
        "one thread; beside *one thread, wall* it has both cores, and seconds on the clock are",
        "compared. The copy moves as many bytes as a pass must read and write at least. Each",
        "work has a process of its own, which opens the graph from a `.lap` file; peak memory",
        "is that of the process, with about 0.25 GB for the interpreter and its packages. Rows",
        "are within a residual of 0.01; eigsh gets the largest component and the same",
        "tolerance. Batch methods learn 1% of the labels; accuracy is on the others. A session",
        "asks with its default learner and strategy, and rows are made in the foreground: up to",
        "25,000 nodes for the first question that a strategy chooses, on larger graphs with the",
        "second class. Of the first 200 questions, which are timed, the one that waits for them",
        "lies beyond the p99 (on 5,000,000 nodes 50 questions were asked, and it is the p99);",
        "its peak of memory is with all predictions. Works with wall seconds well above their CPU",
        "seconds shared the two cores with other work: compare within a line. Every work makes",
        "its own rows; *exact rows, as before* are double precision to full accuracy. igraph's",
        "label propagation is beside where igraph can be imported (it is no extra of ours);",
        "making its graph does not count. `--graphs PubMed` compares rows of rank 100 with",
        "scikit-learn's spectral embedding, as it comes and with our tolerance, and the default of",
        "`classify` (with attributes, 1% of the labels, draws 0 to 3) with scikit-network's;",
        "rows are also made to the residual that scikit-learn reaches with that tolerance.",
        "The shares of edges in S are our choice. Settings were chosen on seeds from 100 on",
        "(earlier ones on S with 100,000 nodes and seed 0); the page has seed 7, one run. Lines",
        "without wall seconds were measured earlier: all works in one process, one pass on two",
        "threads, and S with its few parallel edges added up to weights. Lines of rows to learn",
        "from, and of sessions, are of the rule before the last (no 0.3), except for sessions on P",
        "and S with 10,000 nodes, and both on S and W with 100,000 and on S with 1,000,000.",
        "",
        "*Rows to learn from* are those that sessions and the default of `classify` use, by one",
        "rule at every size. Hanging trees, which have the values of the nodes that hold them, are",
        "taken off first. Chains and small pieces that hang together by few edges grow in number",
        "with the graph, and the smoothest eigenvectors lie on them: of 31 vectors of S, 25 are",
        "spread over fewer than 100 nodes with 1,000,000 nodes and all with 5,000,000. Where the",
        "vectors say little about the median node, and vectors of a graph whose degrees are taken",
        "for larger by two to eight edges say more, these are taken; where no damping helps, the",
        "vectors are those of the graph as it is, with its trees. Each vector is weighed by the",
        "root of one over its eigenvalue, to which 0.3 times the next one's is added, less that",
        "of the next one, which is not used. The rule and its thresholds were chosen on S with 2",
        "to 6 edges per node, W, P, graphs with communities of unequal size, preferential",
        "attachment, grids with and without missing edges, and 13 published graphs, seeds from",
        "100 on; what is kept where no damping helps, and the 0.3, on citeseer, digits, planted,",
        "pubmed, acm, amazon-photo, W and S, out of some thirty combinations of trees, weights",
        "and penalties; that trees matter was first seen on Cora and the co-authors, seeds 0 to",
        "9, so these two are no independent check of it. PubMed loses by it: 0.6, 0.5, 0.8 and",
        "0.3 points with 20, 50, 200 and 500 labels at random.",
        "",
        "Node numbers of P, S and W say nothing about who is close to whom, and a pass waits for",
        "rows from all over memory: with 10 columns, 5,000,000 nodes of S cost 14.0 ns per edge",
        "and 100,000 5.9, and adding up the same rows without anything else 10.7 and 5.3. Most of",
        "what a pass costs more at that size is the memory's. On 1,000,000 nodes of S a pass",
        "costs 11.3 ns per edge with 10 columns and 27.2 with 32; in the order of a breadth-first",
        "search 12.5 and 25.1 (1.8 s to rename), by five rounds of label propagation 10.1 and",
        "22.0 (3.6 s), by the true classes, which nobody knows, 9.4 and 20.2. On P they are 13.2",
        "and 27.0, then 12.3 and 25.1, 13.2 and 24.2, 9.9 and 24.5. In the order of degrees they",
        "are 11.3 and 20.8 on S and 11.0 and 24.1 on P; what renaming by degrees takes was not",
        "measured. Label propagation pays on S after 290 passes with 10 columns or 70 with 32, on",
        "P with 32 after 140. The order of degrees is as good as that of the classes for 32",
        "columns of S and may pay for rows; no order has been built in or measured on a whole",
        "work. These numbers are the best of two to four runs beside other work.",
        "",
    ]  # fmt: skip
    return "\n".join(lines)
