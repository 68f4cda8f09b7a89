"""Reading five million edges: time beside DuckDB's own reading into Arrow, memory beside the CSR.

Each file is read by both in one process, in turns, and the best of five counts; memory is measured
in a process of its own, whose imports are taken off. ``python -m bench.reading [EDGES]``.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv

import lapwing

EDGES = 5_000_000
TURNS = 5
KINDS = ("integers", "integers, weights", "text", "text, quoted")
ORDERS = ("by source", "shuffled")


def write(path: Path, kind: str, order: str, n_edges: int) -> None:
    rng = np.random.default_rng(0)
    n = n_edges // 5
    ends = rng.integers(0, n, (2, n_edges))
    if order == "by source":
        ends = ends[:, np.argsort(ends[0], kind="stable")]
    columns = {"source": pa.array(ends[0]), "target": pa.array(ends[1])}
    if kind.startswith("text"):
        names = pa.array([f"user_{i:07d}x" for i in rng.permutation(n)])
        columns = {name: names.take(column) for name, column in columns.items()}
    if "weights" in kind:
        columns["weight"] = pa.array(rng.random(n_edges))
    style = "all_valid" if "quoted" in kind else "none"
    options = pyarrow.csv.WriteOptions(quoting_style=style, quoting_header="none")
    pyarrow.csv.write_csv(pa.table(columns), path, options)


def times(path: Path) -> dict[str, tuple[float, float]]:
    """Best wall and processor seconds of both, after one turn to warm up."""
    turns: dict[str, list[tuple[float, float]]] = {"duckdb": [], "lapwing": []}
    for _ in range(TURNS + 1):
        for who, read in (("duckdb", duckdb_reads), ("lapwing", lapwing.read_graph)):
            wall, processor = time.perf_counter(), time.process_time()
            read(path)
            turns[who].append((time.perf_counter() - wall, time.process_time() - processor))
    return {who: tuple(map(min, zip(*taken[1:], strict=True))) for who, taken in turns.items()}


def duckdb_reads(path: Path) -> pa.Table:
    with duckdb.connect() as database:
        return database.sql(f"SELECT * FROM read_csv('{path}')").to_arrow_table()


def memory(path: Path, small: Path) -> dict[str, float]:
    """Megabytes: the most in use while reading, over what imports and compiled code need."""
    lapwing.read_graph(small)
    before = most_memory()
    matrix = lapwing.read_graph(path).adjacency
    peak = most_memory()
    csr = sum(part.nbytes for part in (matrix.data, matrix.indices, matrix.indptr)) / 2**20
    return {"before": before, "peak": peak, "csr": csr}


def most_memory() -> float:
    """Megabytes this process has had in use at most; `getrusage` would count its parent's, too."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) / 1024


def in_its_own_process(what: str, *paths: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.reading", what, *map(str, paths)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(n_edges: int) -> int:
    print(f"{n_edges:,} edges, best of {TURNS}; asked: ratio at most 2, memory at most 4 x CSR")
    heads = ("DuckDB s", "ours s", "ratio", "CPU ratio", "CSR MB", "reading/CSR", "process/CSR")
    print(f"{'file':29}" + "".join(f"{head:>12}" for head in heads))
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder) / "edges.csv", Path(folder) / "small.csv"
        for kind in KINDS:
            write(small, kind, "shuffled", 100_000)
            for order in ORDERS:
                write(path, kind, order, n_edges)
                took = in_its_own_process("times", path)
                used = in_its_own_process("memory", path, small)
                theirs, ours = took["duckdb"], took["lapwing"]
                reading = (used["peak"] - used["before"]) / used["csr"]
                row = (theirs[0], ours[0], ours[0] / theirs[0], ours[1] / theirs[1])
                row += (used["csr"], reading, used["peak"] / used["csr"])
                missed += ours[0] > 2 * theirs[0] or reading > 4
                print(f"{kind + ', ' + order:29}" + "".join(f"{x:12.2f}" for x in row), flush=True)
    print("every row keeps both" if not missed else f"{missed} rows miss one of the two")
    return 0


if __name__ == "__main__":
    asked = sys.argv[1:]
    if asked[:1] == ["times"]:
        print(json.dumps(times(Path(asked[1]))))
    elif asked[:1] == ["memory"]:
        print(json.dumps(memory(*map(Path, asked[1:]))))
    else:
        sys.exit(main(int(asked[0]) if asked else EDGES))
