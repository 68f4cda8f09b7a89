"""The cache of rows: a second call is instant, damage is noticed, nothing is half written."""

from __future__ import annotations

import multiprocessing
import os
import time
from importlib import import_module
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from lapwing.embed import RowCache, default_cache, laplacian
from lapwing.graph import Graph


@pytest.fixture
def graph():
    return Graph.from_networkx(nx.convert_node_labels_to_integers(nx.grid_2d_graph(40, 30)))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LAPWING_CACHE", str(tmp_path))
    return tmp_path / "rows"


@pytest.fixture
def spectra(monkeypatch):
    """Counts how often eigenpairs are really computed."""
    calls, rows_room = [], import_module("lapwing.embed.laplacian")
    real = rows_room.low_spectrum

    def counted(*args, **options):
        calls.append(1)
        return real(*args, **options)

    monkeypatch.setattr(rows_room, "low_spectrum", counted)
    return calls


def test_a_second_call_reads_the_first_ones_rows(graph, folder, spectra):
    first = laplacian(graph, rank=20)
    start = time.perf_counter()
    second = laplacian(graph, rank=20)
    assert time.perf_counter() - start < 1.0
    assert len(spectra) == 1
    assert np.array_equal(first, second)
    assert len(list(folder.glob("*.rows"))) == 1


@pytest.mark.usefixtures("folder")
def test_bias_and_unit_rows_come_from_the_same_file(graph, spectra):
    laplacian(graph, rank=20)
    biased = laplacian(graph, rank=20, bias=2.0, unit_rows=True)
    assert len(spectra) == 1
    assert np.allclose(np.linalg.norm(biased, axis=1), 1.0)


@pytest.mark.usefixtures("folder")
def test_other_parameters_and_other_graphs_have_other_rows(graph, spectra):
    laplacian(graph, rank=20)
    laplacian(graph, rank=21)
    laplacian(graph, rank=20, normalized=True)
    laplacian(graph.subgraph(np.arange(1100)), rank=20)
    assert len(spectra) == 4


def test_without_cache_nothing_is_written_or_read(graph, folder, spectra):
    laplacian(graph, rank=20, cached=False)
    laplacian(graph, rank=20, cached=False)
    assert len(spectra) == 2
    assert not folder.exists()


def test_small_graphs_are_not_kept(folder):
    laplacian(Graph.from_networkx(nx.path_graph(30)))
    assert not folder.exists()


DAMAGE = {
    "emptied": lambda content: content[:0],
    "cut short": lambda content: content[:-5],
    "cut in the head": lambda content: content[:20],
    "one bit flipped": lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
    "made longer": lambda content: content + b"12345678",
    "another format": lambda content: b"PK" + content,
    "a head that is no note": lambda content: b"lapwing rows 1\n[]\n" + content[200:],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_noticed_and_rebuilt(graph, folder, spectra, damage):
    whole = laplacian(graph, rank=20)
    (path,) = folder.glob("*.rows")
    content = path.read_bytes()
    path.write_bytes(DAMAGE[damage](content))
    again = laplacian(graph, rank=20)
    assert len(spectra) == 2
    assert np.array_equal(whole, again)
    assert path.read_bytes() == content


def test_a_file_of_another_key_is_not_believed(tmp_path):
    cache = RowCache(tmp_path)
    cache.store("one", np.ones((2, 2)))
    os.replace(cache.path("one"), cache.path("two"))
    assert cache.load("two") is None


def test_the_longest_unused_go_first_when_the_folder_is_full(tmp_path):
    cache = RowCache(tmp_path, limit=3000)
    for number in range(3):
        cache.store(str(number), np.full((10, 10), float(number)))
        os.utime(cache.path(str(number)), (number, number))
    assert cache.load("0") is not None
    cache.store("3", np.zeros((10, 10)))
    kept = [number for number in range(4) if cache.path(str(number)).exists()]
    assert kept == [0, 2, 3] or kept == [0, 3]
    assert cache.clear() == len(kept)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_means_no_cache(tmp_path, graph, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LAPWING_CACHE", str(tmp_path / "file"))
    assert laplacian(graph, rank=5).shape == (1200, 4)


def test_the_platforms_cache_is_used_when_none_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv("LAPWING_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert default_cache().folder == tmp_path / "lapwing" / "rows"


def _write_often(folder: str, value: float) -> None:
    cache = RowCache(Path(folder))
    for _ in range(60):
        cache.store("shared", np.full((200, 50), value))


def test_two_processes_may_write_the_same_rows(tmp_path):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_often, args=(str(tmp_path), float(k))) for k in (1, 2)]
    for writer in writers:
        writer.start()
    cache, seen = RowCache(tmp_path), 0
    while any(writer.is_alive() for writer in writers):
        rows = cache.load("shared")
        if rows is not None:
            seen += 1
            assert rows.min() == rows.max()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert seen > 0
    assert [path.suffix for path in tmp_path.iterdir()] == [".rows"]
