"""Every published data set has the counts of its table."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import lapwing.data
from lapwing.data.published.known_files import FILES
from lapwing.types import UNKNOWN

# name, nodes, edges, classes, components, nodes and edges of the largest, self-loops dropped
COUNTS = [
    ("cora", 2708, 5278, 7, 78, 2485, 5069, 0),
    ("citeseer", 3312, 4536, 6, 438, 2110, 3668, 124),
    ("coauthor", 1711, 2898, 4, 1, 1711, 2898, 0),
    ("pubmed", 19717, 44324, 3, 1, 19717, 44324, 3),
    ("cora-full", 24519, 92207, 10, 454, 23567, 91615, 2755),
    ("imdb", 19359, 362079, 21, 208, 18861, 361730, 0),
    ("wikipedia", 4777, 92295, 40, 1, 4777, 92295, 222),
    ("network1", 100, 1047, 2, 1, 100, 1047, 0),
    ("network2", 120, 607, 3, 1, 120, 607, 0),
    ("usps", 9298, 21259, 10, 1, 9298, 21259, 0),
    ("acm", 2006, 12628, 3, 1, 2006, 12628, 0),
    ("amazon-photo", 7487, 119043, 8, 1, 7487, 119043, 0),
    ("actor", 7600, 26659, 5, 1, 7600, 26659, 0),
    ("chameleon", 890, 8854, 5, 1, 890, 8854, 0),
    ("texas", 183, 279, 5, 1, 183, 279, 0),
    ("cornell", 183, 277, 5, 1, 183, 277, 0),
    ("movies", 16942, 416771, 6, 39, 16709, 413602, 0),
]


@pytest.mark.parametrize("counts", COUNTS, ids=lambda counts: counts[0])
def test_counts(dataset, counts):
    name, nodes, edges, classes, components, large_nodes, large_edges, loops = counts
    data = dataset(name)
    assert (data.graph.n_nodes, data.graph.n_edges, data.n_classes) == (nodes, edges, classes)
    assert data.graph.n_components == components
    assert data.graph.notes.self_loops == loops
    large = data.largest_component()
    assert (large.graph.n_nodes, large.graph.n_edges) == (large_nodes, large_edges)
    assert large.graph.n_components == 1
    assert large.labels.shape[0] == large_nodes


@pytest.mark.parametrize("entry", lapwing.data.catalog(), ids=lambda entry: entry.name)
def test_the_catalogue_says_what_is_loaded(dataset, entry):
    data = dataset(entry.name)
    assert data.name == entry.name
    assert (data.graph.n_nodes, data.graph.n_edges) == (entry.nodes, entry.edges)
    assert (data.n_classes, data.multilabel) == (entry.classes, entry.multilabel)
    assert data.description
    assert data.source
    assert entry.description
    assert entry.licence


def test_every_file_is_of_a_known_data_set_and_has_a_public_address_or_an_origin():
    assert set(FILES) == {counts[0] for counts in COUNTS}
    for file in (file for files in FILES.values() for file in files):
        assert bool(file.url) != bool(file.origin)
        assert len(file.sha256) == 64
        assert not file.url or file.url.startswith("https://")
        assert " " not in file.url


def test_cora_is_read_by_its_string_ids(dataset):
    cora = dataset("cora")
    assert cora.classes == (
        "Case_Based",
        "Genetic_Algorithms",
        "Neural_Networks",
        "Probabilistic_Methods",
        "Reinforcement_Learning",
        "Rule_Learning",
        "Theory",
    )
    assert cora.class_sizes().tolist() == [298, 418, 818, 426, 217, 180, 351]
    assert cora.graph.names[0] == "31336"
    assert cora.classes[cora.labels[cora.graph.index("31336")]] == "Neural_Networks"
    assert cora.graph.notes.symmetrised == "max"
    assert set(cora.graph.adjacency.data) == {1.0}
    assert cora.largest_component().graph.adjacency.nnz == 10138


def test_citeseer_counts_links_to_unknown_papers_and_keeps_isolated_nodes(dataset):
    citeseer = dataset("citeseer")
    assert citeseer.notes == "17 links to unknown papers dropped"
    assert (citeseer.graph.degrees == 0).sum() == 48
    assert citeseer.classes == ("AI", "Agents", "DB", "HCI", "IR", "ML")


def test_coauthor_gives_back_the_laplacian_it_came_from(dataset):
    coauthor = dataset("coauthor")
    laplacian = sparse.diags_array(coauthor.graph.degrees) - coauthor.graph.adjacency
    assert laplacian.nnz == 7507
    assert coauthor.graph.degrees.sum() == 2 * coauthor.graph.edges()[2].sum()
    assert coauthor.graph.edges()[2].max() == 28
    assert coauthor.class_sizes().tolist() == [618, 326, 350, 417]


def test_pubmed_has_three_loops_and_three_kinds_of_diabetes(dataset):
    pubmed = dataset("pubmed")
    assert 2 * pubmed.graph.n_edges + pubmed.graph.notes.self_loops == 88651
    assert pubmed.class_sizes().tolist() == [4103, 7875, 7739]
    assert pubmed.classes[0] == "Diabetes Mellitus, Experimental"


@pytest.mark.parametrize(
    ("name", "labels", "labels_of_a_node"),
    [
        ("cora-full", 24619, [24420, 98, 1]),
        ("imdb", 44540, [5217, 6552, 4911, 2038, 537, 83, 18, 2, 1]),
        ("wikipedia", 6770, [3275, 1143, 284, 43, 19, 5, 5, 2, 1]),
    ],
)
def test_several_labels_a_node_make_a_matrix(dataset, name, labels, labels_of_a_node):
    data = dataset(name)
    assert sparse.issparse(data.labels)
    assert data.labels.format == "csr"
    assert set(data.labels.data) == {1}
    assert data.labels.nnz == labels == data.class_sizes().sum()
    counts = np.diff(data.labels.indptr)
    assert np.bincount(counts)[1:].tolist() == labels_of_a_node
    assert counts.min() == 1
    large = data.largest_component()
    kept = data.graph.largest_component_nodes()
    assert (large.labels != data.labels[kept]).nnz == 0


def test_the_lfr_graphs_have_the_published_classes(dataset):
    assert dataset("network1").class_sizes().tolist() == [38, 62]
    assert dataset("network2").class_sizes().tolist() == [19, 43, 58]


def test_the_zeros_of_usps_are_zeros(dataset):
    """A zero is dark in a ring and light in the middle; a one is dark only in the middle."""
    usps = dataset("usps")
    assert usps.class_sizes().tolist() == [1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821]
    mean = [usps.images[usps.labels == digit].mean(axis=0) for digit in range(10)]
    centre, flank = (slice(6, 10), slice(7, 9)), (slice(6, 10), slice(2, 5))
    assert mean[0][centre].mean() < 0.5 * mean[0][flank].mean()
    assert mean[1][centre].mean() > 5 * mean[1][flank].mean()
    np.testing.assert_array_equal(usps.points.reshape(-1, 16, 16), usps.images)
    tails, heads, weights = usps.graph.edges()
    assert set(weights) == {1.0}
    assert usps.graph.degrees.min() >= 3
    assert np.mean(usps.labels[tails] == usps.labels[heads]) > 0.95


def test_movies_have_titles_for_names_and_shared_actors_for_weights(dataset):
    movies = dataset("movies")
    assert movies.classes == ("Action", "Animated", "Comedy", "Horror", "Thriller", "Western")
    assert movies.class_sizes().tolist() == [1172, 376, 9021, 1078, 1214, 4081]
    assert "Balked at the Altar (1908)" in movies.graph.names
    assert movies.graph.edges()[2].max() == 16


def test_a_loaded_data_set_cannot_be_written_to(dataset):
    digits = dataset("digits")
    for array in (digits.labels, digits.points, digits.images, digits.graph.adjacency.data):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        dataset("wikipedia").labels.data[0] = 2


def test_restricting_keeps_names_labels_and_images_together(dataset):
    digits = dataset("digits")
    nodes = np.array([5, 3, 1000])
    some = digits.restricted(nodes)
    assert list(some.graph.names) == [5, 3, 1000]
    np.testing.assert_array_equal(some.labels, digits.labels[nodes])
    np.testing.assert_array_equal(some.images, digits.images[nodes])


def test_a_data_set_refuses_labels_that_do_not_fit(dataset):
    karate = dataset("karate")
    with pytest.raises(ValueError, match=r"one row for each of 34 nodes, got 33"):
        replace(karate, labels=karate.labels[1:])
    with pytest.raises(ValueError, match=r"a label must be an integer from 0 to 1, got 2"):
        replace(karate, labels=np.full(34, 2))
    with pytest.raises(ValueError, match=r"only 0 and 1"):
        replace(karate, labels=sparse.csr_array(np.full((34, 2), 2)))
    with pytest.raises(ValueError, match=r"one column per class, 2 in all, got 3"):
        replace(karate, labels=sparse.csr_array(np.ones((34, 3))))
    unknown = replace(karate, labels=np.full(34, UNKNOWN))
    assert unknown.class_sizes().tolist() == [0, 0]


def test_karate_is_the_club_networkx_has(dataset):
    networkx = pytest.importorskip("networkx")
    club, karate = networkx.karate_club_graph(), dataset("karate")
    theirs = {tuple(sorted(edge)) for edge in club.edges}
    assert theirs == set(zip(*(ends.tolist() for ends in karate.graph.edges()[:2]), strict=True))
    assert [karate.classes[c] for c in karate.labels] == [club.nodes[i]["club"] for i in range(34)]


# name, column, its shape, the sum of all its values
TABLES = [
    ("cora", "words", (2708, 1433), 49216),
    ("citeseer", "words", (3312, 3703), 105165),
    ("acm", "words", (2006, 1870), 172608),
    ("texas", "words", (183, 1703), 15266),
    ("digits", "image", (1797, 8, 8), 561718),
]


@pytest.mark.parametrize("row", TABLES, ids=lambda row: row[0])
def test_data_sets_bring_what_is_known_of_their_nodes(dataset, row):
    name, column, shape, total = row
    graph = dataset(name).graph
    assert list(graph.node_table) == [column]
    values = graph.node_table[column]
    assert values.shape == shape
    assert values.sum() == total
    some = graph.subgraph([5, 3]).node_table.row(0)[column]
    np.testing.assert_array_equal(some, graph.node_table.row(5)[column])
