"""What can go wrong around a command ends in one line and a non-zero exit, never in a traceback."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

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


def test_a_database_that_stays_locked(run, tmp_path, monkeypatch):
    monkeypatch.setattr("lapwing.session.store.connection.WAIT", 0.2)
    where = tmp_path / "s.db"
    assert run(*LABEL, where)[0] == 0
    with closing(sqlite3.connect(where, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        code, out, err = run(*LABEL, where, "--session", "second")
    assert (code, out) == (1, "")
    assert f"another program has held {where} locked for over 5 seconds" in one_line(err)
    assert run(*LABEL, where, "--session", "second")[0] == 0


def test_a_database_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("")
    code, out, err = run(*LABEL, tmp_path / "file" / "s.db")
    assert (code, out) == (1, "")
    assert "file" in one_line(err)
    assert "Traceback" not in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(run, tmp_path):
    tmp_path.chmod(0o500)
    code, _, err = run(*LABEL, tmp_path / "s.db")
    tmp_path.chmod(0o700)
    assert code == 1
    assert "must" in one_line(err)


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
