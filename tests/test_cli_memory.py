"""Commands say what they need in memory, and refuse what cannot fit before they begin."""

import resource
import subprocess
import sys
from types import SimpleNamespace

import pytest

from lapwing.checks import free_memory, memory
from lapwing.cli import memory as foreseen

EDGES = "".join(f"{node},{(7 * node + 1) % 900}\n" for node in range(900))


@pytest.fixture
def files(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\n" + EDGES)
    (tmp_path / "labels.csv").write_text("node,label\n0,x\n5,y\n")
    return tmp_path


@pytest.fixture
def little(monkeypatch, tmp_path):
    """A machine with this many kB left."""

    def leave(kilobytes):
        file = tmp_path / "meminfo"
        file.write_text(f"MemTotal: 9 kB\nMemAvailable: {kilobytes} kB\n")
        monkeypatch.setattr(memory, "MEMORY_FILE", file)

    return leave


COMMANDS = {
    "classify": ("classify", "edges.csv", "--labels", "labels.csv", "-o", "out.csv"),
    "label": ("label", "edges.csv", "--oracle", "labels.csv", "--classes", "x,y", "--db", "s.db"),
    "embed": ("embed", "edges.csv", "-o", "rows.npy", "--rank", "50"),
    "info": ("info", "edges.csv"),
}
REFUSED = {
    "classify": "scores of 900 nodes for 2 classes need about 0.2 GB of memory, 0 MB are free",
    "label": "questions about 900 nodes need about 0.2 GB of memory, 0 MB are free",
    "embed": "rows of 900 nodes need about 54 MB of memory, 0 MB are free",
    "info": "the edges in edges.csv need about 0 MB of memory, 0 MB are free",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_cannot_fit_is_refused_with_the_numbers(run, files, little, monkeypatch, command):
    monkeypatch.chdir(files)
    little(1 if command == "info" else 100)
    code, _, told = run(*COMMANDS[command])
    assert code != 0
    assert REFUSED[command] in told
    assert "Traceback" not in told
    assert not {"out.csv", "rows.npy"} & {path.name for path in files.iterdir()}


def test_much_is_said_in_advance(run, files, monkeypatch):
    monkeypatch.chdir(files)
    monkeypatch.setattr(foreseen, "WORTH_SAYING", 0)
    code, _, told = run(*COMMANDS["embed"])
    assert code == 0
    assert "note: the edges in edges.csv need about 0 MB of memory" in told
    assert "note: rows of 900 nodes need about 54 MB of memory" in told


def test_little_is_not_worth_a_line(run, files, monkeypatch):
    monkeypatch.chdir(files)
    assert "memory" not in run(*COMMANDS["info"])[2]


def test_a_containers_limit_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "CONTAINER", tmp_path)
    for name, told in (("max", "9000"), ("current", "5000"), ("stat", "anon 1\ninactive_file 300")):
        (tmp_path / f"memory.{name}").write_text(told)
    assert free_memory() == 9000 - 5000 + 300
    (tmp_path / "memory.max").write_text("max")
    assert free_memory() > 10**6


def test_a_limit_of_the_process_counts():
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30));"
        "from lapwing.checks.memory import free_memory; print(free_memory())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 3 << 30
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


MEASURED = [
    # what, nodes, edges, classes or rank, GB used beside the graph (0.38 GB at 5,000,000 nodes)
    ("rows", 100_000, 491_117, 32, 0.126),
    ("rows", 100_000, 491_117, 100, 0.241),
    ("rows", 220_000, 1_083_292, 32, 0.180),
    ("rows", 5_000_000, 24_911_897, 32, 2.43),
    ("classes", 100_000, 491_117, 2, 0.413),
    ("classes", 100_000, 491_117, 10, 0.462),
    ("classes", 100_000, 491_117, 50, 0.590),
    ("classes", 220_000, 1_083_292, 50, 0.763),
    ("classes", 5_000_000, 24_911_897, 10, 4.43),
    ("session", 100_000, 491_117, 2, 0.328),
    ("session", 100_000, 491_117, 10, 0.358),
    ("session", 100_000, 491_117, 50, 0.623),
    ("session", 220_000, 1_083_292, 2, 0.335),
    ("session", 220_000, 1_083_292, 10, 0.368),
    ("session", 220_000, 1_083_292, 50, 0.656),
    ("session", 1_000_000, 4_962_571, 10, 1.060),
    ("session", 5_000_000, 24_911_897, 10, 4.39),
]


@pytest.mark.parametrize(("what", "nodes", "edges", "many", "used"), MEASURED)
def test_what_is_foretold_is_what_was_measured_or_a_little_more(what, nodes, edges, many, used):
    graph = SimpleNamespace(n_nodes=nodes, n_edges=edges)
    told = getattr(foreseen, f"for_{what}")(graph, many) / 1e9
    assert used <= told <= 1.25 * used


def test_making_rows_stays_within_what_is_foretold():
    code = """
import re
from pathlib import Path
from lapwing.cli.memory import for_rows
from lapwing.data import planted_partition
from lapwing.embed import laplacian

def peak():
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])

graph = planted_partition(n=60_000, communities=(6_000, 6_000), mean_degree=10, seed=1).graph
before = peak()
laplacian(graph, rank=64, normalized=True, tol=0.01, cached=False)
print((peak() - before) / for_rows(graph, 64))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0.2 < float(done.stdout) < 1.0
