"""Commands say what they need in memory, and refuse what cannot fit before they begin."""

import resource
import subprocess
import sys

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
    "classify": "scores of 900 nodes for 2 classes need about 1 MB of memory, 0 MB are free",
    "label": "questions about 900 nodes need about 1 MB of memory, 0 MB are free",
    "embed": "rows of 900 nodes need about 1 MB of memory, 0 MB are free",
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
    assert "note: rows of 900 nodes need about 1 MB of memory" in told


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
