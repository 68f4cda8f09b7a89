"""Edge lists as people have them, and the compiled readers beside the careful one."""

import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing import Graph, read_graph
from lapwing.errors import InputError, ReadError
from lapwing.io.columns import ENDS
from lapwing.io.text import edge_list as edgelist
from lapwing.io.text.big_edge_list import fast_graph
from lapwing.io.text.compiled.fields import Field
from lapwing.io.text.compiled.numbers import weights_of
from lapwing.io.text.edge_list import careful_graph
from lapwing.io.text.layout import TableOptions, layout_of

PATH = Graph.from_edges([("a", "b"), ("b", "c")], weights=[2.0, 0.5])


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("plain.csv", "a,b,2\nb,c,.5\n", {}),
        ("header.csv", "source,target,weight\na,b,2\nb,c,5e-1\n", {}),
        ("unknown.csv", "one,other,strength\na,b,2\nb,c,0.5\n", {"weight": "strength"}),
        ("typed.csv", "one,other,weight\na,b,2\nb,c,0.5\n", {}),
        ("order.csv", "weight,to,from\n2,b,a\n0.5,c,b\n", {}),
        ("index.csv", ",source,target,weight\n0,a,b,2\n1,b,c,0.5\n", {}),
        (
            "named.csv",
            "x,y,z,w\n9,a,2,b\n9,b,.5,c\n",
            {"source": "y", "target": "w", "weight": "z"},
        ),
        ("places.csv", "9,a,2,b\n9,b,.5,c\n", {"source": 1, "target": 3, "weight": 2}),
        ("tabs.tsv", "a\tb\t2\nb\tc\t0.5\n", {}),
        ("semicolons.csv", "a;b;2\nb;c;0.5\n", {}),
        ("pipes.txt", "a|b|2\nb|c|0.5\n", {}),
        ("odd.txt", "a~b~2\nb~c~0.5\n", {"delimiter": "~"}),
        ("spaces.edges", "a b 2\n  b   c\t0.5  \n", {}),
        ("comments.txt", "# a graph\n% of three\n#\n\na b 2\nb c 0.5\n", {}),
        ("windows.csv", "a,b,2\r\nb,c,0.5\r\n", {}),
        ("mac.csv", "a,b,2\rb,c,0.5\r", {}),
        ("mark.csv", "\ufeffa,b,2\nb,c,0.5", {}),
        ("quotes.csv", '"a","b","2"\n"b","c","0.5"\n', {}),
        ("loose.csv", "a , b, 2\nb, c,0.5 \n", {}),
        ("blank.csv", "\na,b,2\n\n  \nb,c,0.5\n\n", {}),
        ("wide.csv", "source,target,note,weight\na,b,,2\nb,c,x,0.5\n", {}),
        ("said.dat", "a,b,2\nb,c,0.5\n", {"format": "csv"}),
        ("SHOUTED.CSV", "Source,Target,Weight\na,b,2\nb,c,0.5\n", {}),
    ],
)
def test_every_way_of_writing_one_graph(name, text, said, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_bytes(text.encode())
    assert read_graph(path, **said) == PATH
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert read_graph(packed, **said) == PATH
    monkeypatch.setattr(edgelist, "BIG", 0)
    assert read_graph(path, **said) == PATH


@pytest.mark.parametrize("big", [0, 1 << 20])
def test_integers_are_integers_only_when_all_are(big, tmp_path, monkeypatch):
    monkeypatch.setattr(edgelist, "BIG", big)
    path = tmp_path / "a.csv"
    for text, names in (
        ("3,12\n12,-5\n", (-5, 3, 12)),
        ("u,v\n3,12\n12,5\n", (3, 5, 12)),
        ("3,12\n007,3\n", ("3", "12", "007")),
        ("3,12\n7.0,3\n", ("3", "12", "7.0")),
        ("3,12\n+7,3\n", ("3", "12", "+7")),
        ("3,12\n-0,3\n", ("3", "12", "-0")),
        ("3,12\n1e3,3\n", ("3", "12", "1e3")),
        ("1.5,2\n2,1\n", ("1.5", "2", "1")),
        (" 3,12 \n12, 5\n", (3, 5, 12)),
        ('"3",12\n12,"5"\n', (3, 5, 12)),
        ("9223372036854775807,1\n", (1, 2**63 - 1)),
        ("9223372036854775808,1\n", ("9223372036854775808", "1")),
        ("-9223372036854775808,1\n", (-(2**63), 1)),
        ("#tag,#other\n#tag,x\n", ("#tag", "#other", "x")),
    ):
        path.write_text(text)
        assert read_graph(path).names == names


def test_weights_may_be_left_out(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b,friend\nb,c,foe\n")
    assert read_graph(path, weight=False).degrees.tolist() == [1, 2, 1]
    path.write_text("source,target,year\na,b,1999\nb,c,2001\n")
    assert read_graph(path).degrees.tolist() == [1, 2, 1]


def test_directions_and_repeats_are_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1,2,1\n2,1,3\n2,2,1\n2,3,0\n")
    assert str(read_graph(path).notes) == (
        "1 self-loops dropped; 1 parallel edges merged; 1 edges of weight 0 dropped"
    )
    assert read_graph(path, directed="max").adjacency[0, 1] == 3
    assert read_graph(path, directed="sum").adjacency[0, 1] == 4


def test_a_header_that_may_be_an_edge_is_asked_about(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "1,2\n" * 300 + "c,d\n")
    with pytest.raises(ReadError, match=r"line 1: may be a header or an edge.*header=True"):
        read_graph(path)
    assert read_graph(path, header=True).names == ("1", "2", "c", "d")
    assert read_graph(path, header=False).n_nodes == 6


PLAIN_FIELDS = [
    "a",
    "b",
    "1",
    "2",
    "07",
    "-3",
    "1.5",
    "é",
    "日本",
    "two words",
    "#z",
    "NULL",
    "nan",
]
QUOTED_FIELDS = ['"q"', '"a,b"', '"a""b"', 'c"d', '"u\nv"', '"1"', "'"]
ODD_FIELDS = [" x", "y ", "", "x\ty", "9223372036854775808", "\xa0n", "\0"]
LONG_FIELDS = ["a name longer than sixteen bytes", "a name longer than sixteen Bytes"]
FIELDS = st.sampled_from([*PLAIN_FIELDS, *QUOTED_FIELDS, *ODD_FIELDS, *LONG_FIELDS])
GOOD_NUMBERS = ["1", "2.5", "0", "1e-30", "0.1234567890123456789", ".5", "5.", " 3 ", "+4", '"2"']
BAD_NUMBERS = ["-1", "nan", "inf", "", "x", "1_0", "1e400", "0x1", "1e", "123456789012345678901"]
NUMBERS = st.sampled_from([*GOOD_NUMBERS, *BAD_NUMBERS, "-0"])


@settings(max_examples=250)
@given(
    rows=st.lists(st.tuples(FIELDS, FIELDS, NUMBERS), min_size=1, max_size=8),
    weighted=st.booleans(),
    mark=st.sampled_from([",", "\t", ";", " "]),
    newline=st.sampled_from(["\n", "\n", "\r\n", "\r"]),
    header=st.booleans(),
    cut=st.integers(0, 40),
)
def test_the_compiled_readers_agree_with_the_careful_one_or_step_aside(
    rows, weighted, mark, newline, header, cut, tmp_path_factory
):
    lines = [mark.join(row if weighted else row[:2]) for row in rows]
    if header:
        lines.insert(0, mark.join(("source", "target", "weight") if weighted else ("from", "to")))
    text = newline.join(lines) + newline
    path = tmp_path_factory.mktemp("io") / "a.csv"
    path.write_bytes(text[: -cut or None].encode())
    try:
        layout = layout_of(path, path, TableOptions(delimiter=mark), ENDS, weighted=True)
    except ReadError:
        return
    try:
        expected = careful_graph(path, path, layout, None)
    except ReadError:
        expected = None
    found = fast_graph(path, layout, None)
    assert found is None or found == expected


def test_duckdb_is_never_asked_about_what_it_reads_otherwise(tmp_path, monkeypatch):
    monkeypatch.setattr(edgelist, "BIG", 0)
    (tmp_path / "ab.csv").write_text('"x","y"\n')
    (tmp_path / "a*.csv").write_text('"p","q"\n')
    assert read_graph(tmp_path / "a*.csv").names == ("p", "q")
    path = tmp_path / "mixed.csv"
    path.write_bytes(b'"u\nv",b\r"c",d\r')
    assert read_graph(path).names == ("u\nv", "b", "c", "d")
    path.write_bytes(b'"a",b\n\n"c",d\n')
    assert read_graph(path).names == ("a", "b", "c", "d")
    path.write_bytes(b'"a",b\n"c",d,\n')
    with pytest.raises(ReadError, match="line 2: needs 2 fields"):
        read_graph(path)


@settings(max_examples=400)
@given(
    st.one_of(
        st.floats(0, allow_infinity=False).map(repr),
        st.floats(0, 1).map(lambda x: f"{x:.19f}"),
        st.tuples(st.integers(0, 10**20), st.integers(-30, 30)).map(lambda t: f"{t[0]}e{t[1]}"),
        st.from_regex(r"[0-9]{1,12}\.[0-9]{1,12}", fullmatch=True),
    )
)
def test_decimals_are_read_as_python_reads_them(text):
    raw = np.frombuffer(text.encode(), np.uint8)
    field = Field(np.array([0], np.int32), np.array([len(raw)], np.int32), raw)
    assert weights_of(field).tolist() == [float(text)]


def test_a_big_file_of_each_kind_is_what_its_rows_say(tmp_path):
    rng = np.random.default_rng(0)
    m = 60_000
    ends, weights = rng.integers(0, 20_000, (m, 2)), rng.random(m)
    known = [f"node number {i}" if i % 3 else f"n{i}" for i in range(20_000)]
    far = np.sort(rng.integers(-(2**62), 2**62, 20_000))
    path = tmp_path / "a.csv"
    for quote in ("", '"'):
        lines = [
            f"{quote}{known[s]}{quote},{known[t]},{w!r}\n"
            for (s, t), w in zip(ends.tolist(), weights.tolist(), strict=True)
        ]
        path.write_text("source,target,weight\n" + "".join(lines))
        assert path.stat().st_size > edgelist.BIG
        read = read_graph(path)
        expected = Graph.from_edges(ends, weights=weights)
        order = [read.index(known[i]) for i in expected.names]
        np.testing.assert_allclose(read.subgraph(order).degrees, expected.degrees)
        assert read.subgraph(order).n_edges == expected.n_edges == read.n_edges
        assert list(read.names)[:2] == [known[i] for i in ends[0]]
    for values in (np.arange(20_000) * 1000 + 5, far):
        lines = [f"{values[s]}\t{values[t]}\n" for s, t in ends.tolist()]
        path.write_text("".join(lines) * 2)
        read = read_graph(path, delimiter="\t")
        expected = Graph.from_edges(values[ends], weights=np.full(m, 2.0))
        assert read == expected
        assert isinstance(read.names[0], int)


@pytest.mark.parametrize("packed", [False, True])
def test_a_bad_line_far_down_is_named(packed, tmp_path):
    lines = ["source,target,weight"] + ["123,4567,0.5"] * 400_000
    bad = {350_001: "123,4567", 350_002: "1,2,-3", 350_003: "a,b,c,d"}
    path = tmp_path / ("a.csv.gz" if packed else "a.csv")
    for line, text in bad.items():
        wrong = "\n".join([*lines[: line - 1], text, *lines[line:]]).encode()
        path.write_bytes(gzip.compress(wrong, 1) if packed else wrong)
        with pytest.raises(ReadError) as caught:
            read_graph(path)
        assert caught.value.line == line
        assert str(caught.value).startswith(f"{path}, line {line}: ")


def test_options_that_mean_nothing_are_refused(tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(b"x")
    with pytest.raises(InputError, match="delimiter= has no effect on a npz file"):
        read_graph(path, delimiter=",")
