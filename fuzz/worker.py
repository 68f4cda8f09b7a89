"""One child process: mutants of one format, read one after the other, a line for each.

``python -m fuzz.worker FORMAT SEED START STOP FOLDER``. A line ``r INDEX OUTCOME`` tells how our
reader did (own, read, raw, memory, differs), then ``c INDEX agrees|differs|none`` what the other
library made of the same file. When the process dies in between, the parent knows who it was.
"""

import random
import resource
import sys
import traceback
from pathlib import Path

from fuzz.formats import GRAPH, good_files, made
from fuzz.reference import ours, theirs
from lapwing import Graph, read_graph
from lapwing.errors import InputError
from lapwing.io import read_labels
from lapwing.io.files import plain_file
from lapwing.io.text import edge_list

MEMORY = 1 << 30


def main(kind: str, seed: str, start: str, stop: str, folder: str) -> None:
    good = good_files(kind)
    suffix = kind.removeprefix("labels.")
    path = Path(folder) / f"mutant.{suffix}"
    for file in good:  # compiled code and packages are loaded before memory is limited
        path.write_bytes(file)
        outcome(kind, path, 0)
        compared(GRAPH, path, kind)
    _limit_memory()
    print("ready", flush=True)
    for index in range(int(start), int(stop)):
        path.write_bytes(made(kind, good, random.Random(f"{seed} {kind} {index}")))
        said, graph = outcome(kind, path, index)
        if said in ("raw", "memory", "twice"):
            (Path(folder) / f"{said}-{kind}-{index}").write_bytes(path.read_bytes())
        print("r", index, said, flush=True)
        alike = "none" if graph is None else compared(graph, path, kind)
        if alike == "differs":
            (Path(folder) / f"differs-{kind}-{index}").write_bytes(path.read_bytes())
        print("c", index, alike, flush=True)


def outcome(kind: str, path: Path, index: int) -> tuple[str, Graph | None]:
    """How our reader does; every tenth edge list is read by the compiled readers, too."""
    try:
        if kind.startswith("labels"):
            read_labels(path, GRAPH)
            return "read", None
        graph = _read(path, small=True)
        text = kind.split(".")[0] in ("csv", "tsv", "txt")
        if text and index % 10 == 0 and _read(path, small=False) != graph:
            return "twice", None
    except InputError:
        return "own", None
    except MemoryError:
        return "memory", None
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return "raw", None
    return "read", graph


def _read(path: Path, *, small: bool) -> Graph:
    edge_list.BIG = 1 << 20 if small else 0
    return read_graph(path)


def compared(graph: Graph, path: Path, kind: str) -> str:
    with plain_file(path) as plain:
        found = theirs(path, plain, kind)
    if found is None:
        return "none"
    return "agrees" if found == ours(graph) else "differs"


def _limit_memory() -> None:
    """This process may take 1 GB more than it has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main(*sys.argv[1:])
