"""Attributes as rows: guesses, missing values, settings, leaks, order, cache."""

import numpy as np
import pytest
from scipy import sparse

from lapwing.embed.attributes import rows as made
from lapwing.embed.attributes.kinds import ColumnUse, column_uses
from lapwing.embed.attributes.leaks import leaking_columns, telling_columns
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
        ({"use": "title"}, "use must be a list, got 'title'"),
        ({"text": "title"}, "text must be a list, got 'title'"),
    ],
)
def test_what_cannot_be_used_is_refused(said, message):
    with pytest.raises(InputError, match=message):
        attribute_rows(NodeTable(COLUMNS, N), **said)


def test_lists_are_vectors_if_they_hold_numbers_and_all_are_of_one_length():
    columns = {
        "tags": [["red", "hen"], ["blue", "jay"]] * 2,
        "some": [["red", "hen"], [], ["blue", "jay", "sea"], None],
        "written": [["1", "2.5"], ["3", "-1"]] * 2,
        "ragged": [[1.0], [1.0, 2.0], [2.0], [3.0]],
    }
    uses = column_uses(NodeTable(columns, 4))
    assert {name: use.kind for name, use in uses.items()} == {
        "tags": "text", "some": "text", "written": "vectors", "ragged": "unused",
    }  # fmt: skip
    assert uses["ragged"].why == "holds vectors of different lengths"
    with pytest.raises(InputError, match="must hold one vector of numbers per node, all of one"):
        column_uses(NodeTable(columns, 4), vectors=["ragged"])


def test_a_column_without_words_is_not_taken_for_text():
    signs = [f"{'abcdefgh'[k % 8]} {'xyz'[k % 3]}" for k in range(N)]
    uses = column_uses(NodeTable({"few": ["a b", "c d"] * (N // 2), "many": signs}, N))
    assert [use.kind for use in uses.values()] == ["category", "unused"]
    assert uses["many"].why == "holds no words"
    with pytest.raises(InputError, match="must hold words to be used as text"):
        attribute_rows(NodeTable({"few": ["a b", "c d"]}, 2), text=["few"])


def test_vectors_of_which_none_is_complete_are_not_used_in_silence():
    table = NodeTable({"x": np.array([[1.0, np.nan], [np.inf, 2.0]])}, 2)
    assert column_uses(table)["x"] == ("unused", "has no row without a missing number")
    with pytest.raises(InputError, match="must hold a vector without a missing number"):
        column_uses(table, vectors=["x"])


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_rows_do_not_depend_on_the_unit_of_measurement(factor):
    vectors, years = RNG.normal(size=(N, 3)), RNG.normal(size=N)
    for columns in ({"x": vectors}, {"year": years}, {"x": vectors, "year": years}):
        usual = attribute_rows(NodeTable(columns, N)).rows
        scaled = {name: factor * values for name, values in columns.items()}
        np.testing.assert_allclose(attribute_rows(NodeTable(scaled, N)).rows, usual, atol=1e-5)


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
    answers = {node: int(table["topic"][node] == "y") for node in range(12)}
    assert leaking_columns(table, answers) == ["topic"]
    assert leaking_columns(table, answers, among=["year"]) == []
    assert leaking_columns(table, answers | {0: 1}) == []
    assert leaking_columns(table, {node: answers[node] for node in range(4)}) == []


def test_one_node_of_a_class_is_no_leak():
    """A rare mark on the only rare node may be chance."""
    table = NodeTable({"mark": ["none"] * (N - 2) + ["seen"] * 2}, N)
    labels = dict.fromkeys(range(N), 0)
    assert leaking_columns(table, {node: int(node == N - 1) for node in range(1, N)}) == []
    assert leaking_columns(table, labels | {N - 1: 1, N - 2: 1}) == ["mark"]


def test_a_column_that_nearly_gives_labels_away_is_told():
    labels = {node: node % 3 for node in range(N)}
    columns = {
        "typo": [f"t{node % 3}" for node in range(N)],
        "shelf": [f"s{node % 12}" for node in range(N)],
        "id": [f"n{node}" for node in range(N)],
        "noise": [f"c{node % 4}" for node in range(N)],
    }
    columns["typo"][5] = "t0"
    table = NodeTable(columns, N)
    uses = dict.fromkeys(table, ColumnUse("category", ""))
    found = telling_columns(table, uses, labels)
    assert found == {"typo": pytest.approx(1 - 1 / N), "shelf": 1.0}
    assert telling_columns(table, {"typo": ColumnUse("unused", "not named")}, labels) == {}
    rare = {node: int(node == 0) for node in range(N)}
    assert telling_columns(table, uses, rare) == {}


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
