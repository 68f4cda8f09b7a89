"""What can go wrong around a command ends in one line and a non-zero exit, never in a traceback."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import pytest
from unprivileged import as_ordinary_user, locked_folder

LABEL = ("label", "karate", "--oracle", "known", "--budget", "3", "--json", "--db")

FULL = """
import resource, signal, sys
from lapwing.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
main(sys.argv[1:])
"""


def one_line(err):
    assert "Traceback" not in err
    (line,) = [line for line in err.splitlines() if line.startswith("lapwing: ")]
    assert err.endswith(line + "\n")
    return line


HOLDER = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another_program(where):
    """A second process holds the write lock until the block ends."""
    command = [sys.executable, "-c", HOLDER, str(where)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as other:
        assert other.stdout.readline() == "held\n"
        yield
        other.stdin.close()


def commanded(words):
    """The command in a process of its own."""
    command = [sys.executable, "-m", "lapwing", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def answers_in(where):
    with closing(sqlite3.connect(where)) as database:
        return database.execute("SELECT line FROM events ORDER BY session, number").fetchall()


def test_a_database_that_stays_locked(run, tmp_path):
    where = tmp_path / "s.db"
    assert run(*LABEL, where)[0] == 0
    before = answers_in(where)
    more = [*("9" if word == "3" else word for word in LABEL), str(where)]
    with held_by_another_program(where):
        started = time.monotonic()
        done = commanded(more)
        assert time.monotonic() - started > 5
    assert (done.returncode, done.stdout) == (1, "")
    told = one_line(done.stderr)
    assert f"another program has held {where} locked for over 5 seconds; try again" in told
    assert answers_in(where) == before
    code, out, _ = run(*more)
    assert (code, json.loads(out)["labels"]) == (0, 9)
    assert answers_in(where)[: len(before)] == before


def test_a_database_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("")
    code, out, err = run(*LABEL, tmp_path / "file" / "s.db")
    assert (code, out) == (1, "")
    assert "file" in one_line(err)
    assert "Traceback" not in err


def test_a_folder_that_may_not_be_written(run, tmp_path):
    assert run(*LABEL, tmp_path / "s.db")[0] == 0  # all is loaded before privileges are dropped
    with locked_folder() as folder:
        code, out, err = as_ordinary_user(run, *LABEL, folder / "s.db")
        assert (code, out) == (1, "")
        assert "must" in one_line(err)
        for option in ("--output", "--probabilities"):
            told = as_ordinary_user(
                run, "classify", "karate", "--labels", "known", option, folder / "x.csv"
            )
            assert told[0] != 0
            assert "Traceback" not in told[2]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 400 kB."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", folder], check=False
    )
    if mounted.returncode:
        pytest.skip("file systems cannot be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("free", [77_824, 98_304])
def test_a_disk_that_is_really_full(run, small_disk, free):
    """Too full for a database with a session in it, and for all the answers."""
    where = small_disk / "s.db"
    (small_disk / "filler").write_bytes(bytes(409_600 - free))
    words = [*LABEL[:4], "--budget", "34", "--json", "--target-error", "0", "--db", str(where)]
    done = commanded(words)
    assert done.returncode == 1, done.stdout
    told = one_line(done.stderr)
    assert f"no space left to write {where}; nothing was recorded" in told
    kept = answers_in(where) if where.exists() else []
    assert bool(kept) == (free == 98_304)
    (small_disk / "filler").unlink()
    code, out, _ = run(*words)
    assert (code, json.loads(out)["labels"]) == (0, 34)
    assert answers_in(where)[: len(kept)] == kept
    assert run("session", "verify", "karate", "--db", where)[0] == 0


def test_a_full_disk(tmp_path):
    words = [*LABEL[:4], "--budget", "34", "--json", "--target-error", "0", "--db"]
    command = [sys.executable, "-c", FULL, *words, str(tmp_path / "s.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert str(tmp_path / "s.db") in one_line(done.stderr)


def test_labels_that_contradict_each_other_are_counted_and_named(run, tmp_path):
    edges, labels = tmp_path / "e.csv", tmp_path / "l.csv"
    edges.write_text("source,target\nada,bo\nbo,cy\ncy,ada\n")
    labels.write_text("node,label\nada,fine\nbo,fraud\nada,fraud\n")
    for command in (("info", edges, "--labels", labels), ("play", edges, "--labels", labels)):
        code, out, err = run(*command)
        assert (code, out) == (1, "")
        assert "ada" in one_line(err)
        assert "fine" in err
        assert "fraud" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("label", "e.csv", "--classes", "x,,y"), "separated by one comma, got 'x,,y'"),
        (("label", "e.csv", "--classes", "x,x"), "classes must be distinct, got x, x"),
        (("label", "e.csv", "--session", ""), "a session's name must not be empty"),
        (("convert", "e.csv", "out.csv", "--labels-output", "l2.csv"), "has no labels to write"),
        (("convert", "e.csv", "out.csv", "--nodes-output", "n2.csv"), "has no columns of nodes"),
        (("convert", "e.csv", "./e.csv"), "e.csv is read, so it cannot be written"),
        (("token", "list", "--folder", "none"), "none is no folder of a service"),
        (("backup", "b.tar", "--folder", "none"), "none is no folder of a service"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_what_would_be_passed_over_in_silence_is_refused(run, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "e.csv").write_text("source,target\na,b\nb,c\n")
    (tmp_path / "l.csv").write_text("node,label\na,x\nc,y\n")
    where = ("--oracle", "l.csv", "--db", "s.db") if words[0] == "label" else ()
    code, _, err = run(*words, *where)
    assert code == 1
    assert says in one_line(err)
    left = {path.name for path in tmp_path.iterdir()} - {"s.db"}
    assert left == {"e.csv", "l.csv"}
