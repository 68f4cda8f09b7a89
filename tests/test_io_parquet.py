"""Parquet tables of edges: the compiled reader gives what the careful one gives."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lapwing import read_graph
from lapwing.errors import ReadError
from lapwing.io.graphs import big_parquet, parquet


@pytest.fixture
def both(monkeypatch, tmp_path):
    """Write a table, read it by the careful and by the compiled reader, and return both graphs."""

    def read(table, *, compiled=True, **written):
        path = tmp_path / "edges.parquet"
        pq.write_table(pa.table(table), path, **written)
        monkeypatch.setattr(parquet, "BIG", 10**9)
        careful = read_graph(path)
        monkeypatch.setattr(parquet, "BIG", 0)
        taken = []
        monkeypatch.setattr(
            parquet,
            "fast_parquet_graph",
            lambda *given: taken.append(big_parquet.fast_parquet_graph(*given)) or taken[-1],
        )
        found = read_graph(path)
        assert (taken[-1] is not None) is compiled
        return careful, found

    return read


def names_of(rng, n):
    return np.array([f"node {i} {'é' * (i % 3)}{'x' * (i % 23)}" for i in rng.permutation(n)])


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("coded", [True, False, ["source"]])
@pytest.mark.parametrize("weighted", [True, False])
def test_texts(both, kind, coded, weighted, monkeypatch):
    monkeypatch.setattr(big_parquet, "_ROWS", 70)
    monkeypatch.setattr(big_parquet, "_CODED_ROWS", 300)
    rng = np.random.default_rng(0)
    ends = names_of(rng, 60)[rng.integers(0, 60, (2, 2_000))]
    table = {"source": pa.array(ends[0].tolist(), kind), "target": pa.array(ends[1].tolist(), kind)}
    if weighted:
        table["weight"] = rng.random(2_000) + 0.1
    careful, compiled = both(table, use_dictionary=coded, row_group_size=450)
    assert compiled.names == careful.names
    assert compiled == careful
    assert compiled.notes == careful.notes


def test_texts_of_every_length_that_begin_alike(both):
    """Up to 15 bytes a text is compared as two words, beyond by its bytes; zeros count, too."""
    texts = [ends * length for length in range(1, 21) for ends in ("a", "\0")]
    texts += ["a" * length + last for length in range(20) for last in ("b", "\0", "é")]
    texts = list(dict.fromkeys(texts))
    rng = np.random.default_rng(0)
    ends = np.array(texts, dtype=object)[rng.integers(0, len(texts), (2, 3_000))]
    careful, compiled = both({"source": ends[0].tolist(), "target": ends[1].tolist()})
    assert set(compiled.names) == set(texts)
    assert compiled.names == careful.names
    assert compiled == careful


def test_a_dictionary_with_texts_that_no_row_has(both):
    column = pa.DictionaryArray.from_arrays(pa.array([2, 0, 2]), pa.array(["c", "no", "a"]))
    careful, compiled = both({"source": column, "target": pa.array(["c", "b", "d"])})
    assert list(compiled.names) == ["a", "c", "b", "d"]
    assert compiled == careful


@pytest.mark.parametrize("kind", [np.int64, np.int16, np.uint32])
def test_integers(both, kind):
    ends = np.random.default_rng(0).integers(0, 90, (2, 700)).astype(kind)
    careful, compiled = both({"u": ends[0], "v": ends[1]})
    assert compiled == careful
    assert compiled.names == careful.names


def test_an_empty_text_is_a_name(both):
    careful, compiled = both({"source": ["", "b"], "target": ["a", "a"]}, compiled=False)
    assert list(compiled.names) == list(careful.names) == ["", "a", "b"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"source": ["a", None], "target": ["b", "c"]}, "column 'source' is empty in row 2"),
        ({"source": ["a", "b"], "target": [1, 2]}, "both text, got one of each"),
        ({"source": ["a"], "target": ["b"], "weight": [-1.0]}, "has -1.0"),
        ({"source": ["a"], "target": ["b"], "weight": [None]}, "weight 'weight' is empty in row 1"),
        ({"source": ["a"], "target": ["b"], "weight": ["x"]}, "hold numbers"),
    ],
)
def test_what_is_wrong_is_told_by_the_careful_reader(tmp_path, monkeypatch, table, message):
    monkeypatch.setattr(parquet, "BIG", 0)
    path = tmp_path / "edges.parquet"
    pq.write_table(pa.table(table), path)
    with pytest.raises(ReadError, match=message):
        read_graph(path)
