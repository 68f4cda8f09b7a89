"""Attributes as rows: guesses, missing values, settings, leaks, order, cache."""

import numpy as np
import pytest
from scipy import sparse

from lapwing.embed.attributes import rows as made
from lapwing.embed.attributes.kinds import column_uses
from lapwing.embed.attributes.leaks import leaking_columns
from lapwing.embed.attributes.rows import attribute_rows
from lapwing.errors import InputError
from lapwing.graph import NodeTable

N = 40
RNG = np.random.default_rng(0)
COLUMNS = {
    "id": np.arange(N),
    "title": [f"word{k % 7} thing{k % 3} of some kind" for k in range(N)],
    "venue": ["red", "green", None, "blue"] * (N // 4),
    "year": RNG.integers(1990, 2024, N).astype(float),
    "one": np.ones(N),
    "vector": [list(map(float, RNG.normal(size=3))) for _ in range(N)],
    "words": sparse.csr_array(RNG.integers(0, 2, (N, 9))),
    "handle": [f"user{k}" for k in range(N)],
    "label": ["a", "b"] * (N // 2),
}


def test_kinds_are_guessed_and_can_be_said():
    table = NodeTable(COLUMNS, N)
    kinds = {name: use.kind for name, use in column_uses(table).items()}
    assert kinds == {
        "id": "unused", "title": "text", "venue": "category", "year": "number", "one": "unused",
        "vector": "vectors", "words": "counts", "handle": "unused", "label": "unused",
    }  # fmt: skip
    said = column_uses(table, use=["year", "label"], text=["venue"])
    assert {name for name, use in said.items() if use.kind != "unused"} == {
        "year",
        "label",
        "venue",
    }
    assert said["venue"].kind == "text"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"use": ["nothing"]}, "no column is named 'nothing'"),
        ({"vectors": ["title"]}, "column 'title' must hold one vector of numbers per node"),
        ({"text": ["words"]}, "column 'words' must hold one text per node"),
    ],
)
def test_what_cannot_be_used_is_refused(said, message):
    with pytest.raises(InputError, match=message):
        attribute_rows(NodeTable(COLUMNS, N), **said)


def test_rows_are_unit_and_missing_values_are_zeros():
    table = NodeTable({"x": [[1.0, 2.0], None, [3.0, -1.0]], "age": [1.0, np.nan, 5.0]}, 3)
    rows = attribute_rows(table).rows
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1.0, 0.0, 1.0], atol=1e-6)


def test_many_features_are_reduced_in_any_order_of_nodes():
    words = sparse.random_array((300, 400), density=0.05, rng=np.random.default_rng(1)).tocsr()
    words.data[:] = 1.0
    order = np.random.default_rng(2).permutation(300)
    first = attribute_rows(NodeTable({"w": words}, 300)).rows
    second = attribute_rows(NodeTable({"w": words[order]}, 300)).rows
    assert first.shape == (300, made.DIMENSIONS)
    np.testing.assert_allclose(
        second @ second.T, (first @ first.T)[np.ix_(order, order)], atol=1e-4
    )


def test_a_column_with_one_value_per_class_leaks():
    table = NodeTable({"topic": ["x", "y", "y", "x"] * 10, "year": np.arange(N) % 5}, N)
    uses = column_uses(table)
    answers = {node: int(table["topic"][node] == "y") for node in range(12)}
    assert leaking_columns(table, uses, answers) == ["topic"]
    assert leaking_columns(table, uses, answers | {0: 1}) == []
    assert leaking_columns(table, uses, {node: answers[node] for node in range(4)}) == []


def test_rows_are_cached_by_content(tmp_path, monkeypatch):
    monkeypatch.setenv("LAPWING_CACHE", str(tmp_path))
    monkeypatch.setattr(made, "CACHED_ABOVE", 10)
    first = attribute_rows(NodeTable(COLUMNS, N)).rows
    calls = []
    monkeypatch.setattr(made, "features_of", lambda *given: calls.append(given))
    np.testing.assert_array_equal(attribute_rows(NodeTable(COLUMNS, N)).rows, first)
    assert calls == []
    changed = {**COLUMNS, "year": np.asarray(COLUMNS["year"]) + np.eye(1, N)[0]}
    with pytest.raises(AttributeError):
        attribute_rows(NodeTable(changed, N))
    assert len(calls) == 1


@pytest.mark.parametrize("gaps", [True, False])
def test_dense_vectors_alone_are_what_their_features_say(gaps):
    """They become rows without a sparse matrix of all of them in between."""
    vectors = RNG.normal(2.0, 1.0, size=(N, 3, 4)).astype(np.float32)
    if gaps:
        vectors[5:8, 1, 2] = np.nan
    table = NodeTable({"x": vectors}, N)
    found = attribute_rows(table, vectors=["x"])
    wanted = found.features.matrix.toarray()
    wanted = wanted / np.maximum(np.linalg.norm(wanted, axis=1), 1e-12)[:, None]
    assert found.rows.dtype == np.float32
    np.testing.assert_allclose(found.rows, wanted, atol=1e-6)
    assert found.told.sum() == N - 3 * gaps
